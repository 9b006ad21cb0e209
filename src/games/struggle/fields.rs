//! The fields of the rule set, with their clauses and what each may be.

use crate::core::game::{Field, Steps, open, printed};

const IN_PLAY: Steps = Steps::List(0, 6);
const COST: Steps = Steps::Price(5);
const EYES: Steps = Steps::Words(&["concerned", "all"]);

/// The fields of [`Rules`](super::rules::Rules), in the order in which they are shown.
pub const FIELDS: &[Field] = &[
    printed("points_to_win", "SFC-90", Steps::Whole(2, 40), "points that win, 2 to 40"),
    open("turns_max", "SFC-91", Steps::Whole(1, 2000), "turns, counted by player, 1 to 2000"),
    printed("hand_start", "SFC-10", Steps::Whole(0, 10), "resource cards at the start, 0 to 10"),
    open(
        "resource_copies",
        "SFC-3",
        Steps::List(1, 2),
        "copies of the 67 resource cards with 2, 3, 4, 5 and 6 players, 1 to 2",
    ),
    open(
        "reshuffle",
        "SFC-21",
        Steps::Words(&["on_draw", "on_empty"]),
        "discards become the stack on_draw or on_empty",
    ),
    printed("road.cost", "SFC-40", COST, "price of a road"),
    open(
        "road.in_play",
        "SFC-3",
        Steps::List(2, 20),
        "roads with 2, 3, 4, 5 and 6 players, 2 to 20",
    ),
    printed("knight.cost", "SFC-40", COST, "price of a knight"),
    open(
        "knight.in_play",
        "SFC-3",
        Steps::List(0, 20),
        "knights with 2, 3, 4, 5 and 6 players, 0 to 20",
    ),
    printed("settlement.cost", "SFC-40", COST, "price of a settlement"),
    open(
        "settlement.in_play",
        "SFC-3",
        Steps::List(2, 30),
        "settlements with 2, 3, 4, 5 and 6 players, 2 to 30",
    ),
    printed("city.cost", "SFC-40", COST, "price of a city"),
    printed("expansion.cost", "SFC-40", COST, "price of an expansion"),
    open(
        "expansion.two_town_halls",
        "SFC-4",
        Steps::Flag,
        "town hall and castle change their numbers in play",
    ),
    printed(
        "expansion.allowed",
        "SFC-46",
        Steps::None,
        "what each of 6 seats may build: any, or names such as \"castle church\"",
    ),
    open(
        "expansion.town_hall.in_play",
        "SFC-4",
        IN_PLAY,
        "town halls with 2, 3, 4, 5 and 6 players, 0 to 6",
    ),
    open(
        "expansion.town_hall.points",
        "SFC-70",
        Steps::Whole(0, 10),
        "points of a town hall, 0 to 10",
    ),
    open("expansion.town_hall.extra", "SFC-40", COST, "added to the price of a town hall"),
    printed("expansion.town_hall.out", "SFC-4", Steps::Flag, "takes town halls out of the match"),
    open(
        "expansion.castle.in_play",
        "SFC-4",
        IN_PLAY,
        "castles with 2, 3, 4, 5 and 6 players, 0 to 6",
    ),
    printed(
        "expansion.castle.points",
        "SFC-70",
        Steps::Whole(0, 10),
        "points of a castle, 0 to 10",
    ),
    printed("expansion.castle.extra", "SFC-40", COST, "added to the price of a castle"),
    printed("expansion.castle.out", "SFC-4", Steps::Flag, "takes castles out of the match"),
    open(
        "expansion.merchants_guild.in_play",
        "SFC-4",
        IN_PLAY,
        "merchants' guilds with 2, 3, 4, 5 and 6 players, 0 to 6",
    ),
    printed(
        "expansion.merchants_guild.points",
        "SFC-70",
        Steps::Whole(0, 10),
        "points of a merchants' guild, 0 to 10",
    ),
    printed(
        "expansion.merchants_guild.extra",
        "SFC-40",
        COST,
        "added to the price of a merchants' guild",
    ),
    printed(
        "expansion.merchants_guild.out",
        "SFC-4",
        Steps::Flag,
        "takes merchants' guilds out of the match",
    ),
    open(
        "expansion.church.in_play",
        "SFC-4",
        IN_PLAY,
        "churches with 2, 3, 4, 5 and 6 players, 0 to 6",
    ),
    printed(
        "expansion.church.points",
        "SFC-70",
        Steps::Whole(0, 10),
        "points of a church, 0 to 10",
    ),
    printed("expansion.church.extra", "SFC-40", COST, "added to the price of a church"),
    printed("expansion.church.out", "SFC-4", Steps::Flag, "takes churches out of the match"),
    open(
        "expansion.library.in_play",
        "SFC-4",
        IN_PLAY,
        "libraries with 2, 3, 4, 5 and 6 players, 0 to 6",
    ),
    printed(
        "expansion.library.points",
        "SFC-70",
        Steps::Whole(0, 10),
        "points of a library, 0 to 10",
    ),
    printed("expansion.library.extra", "SFC-40", COST, "added to the price of a library"),
    printed("expansion.library.out", "SFC-4", Steps::Flag, "takes libraries out of the match"),
    open(
        "expansion.university.in_play",
        "SFC-4",
        IN_PLAY,
        "universities with 2, 3, 4, 5 and 6 players, 0 to 6",
    ),
    printed(
        "expansion.university.points",
        "SFC-70",
        Steps::Whole(0, 10),
        "points of a university, 0 to 10",
    ),
    printed("expansion.university.extra", "SFC-40", COST, "added to the price of a university"),
    printed(
        "expansion.university.out",
        "SFC-4",
        Steps::Flag,
        "takes universities out of the match",
    ),
    open(
        "build.types",
        "SFC-42",
        Steps::Words(&["five", "four"]),
        "types of cards: settlement and city are two (five) or one (four)",
    ),
    open("build.win_before_event", "SFC-45", Steps::Flag, "a city's points win before its event"),
    open(
        "build.in_vain",
        "SFC-60",
        Steps::Flag,
        "a road or knight may be paid for that is nowhere to be had",
    ),
    printed(
        "substitution.rate",
        "SFC-41",
        Steps::Whole(2, 15),
        "cards of one kind that replace one, 2 to 15",
    ),
    open("trade.lot_max", "SFC-33", Steps::Whole(1, 10), "the most cards of one lot, 1 to 10"),
    open(
        "trade.passes",
        "SFC-35",
        EYES,
        "who sees what passes between two players: those concerned or all",
    ),
    open("market.same", "SFC-32", Steps::Flag, "a card that was taken may be returned"),
    open(
        "library.shown_to",
        "SFC-34",
        EYES,
        "who sees the open hand: the one concerned, who chooses, or all",
    ),
    open(
        "library.chosen",
        "SFC-34",
        Steps::Words(&["first", "last"]),
        "the chosen card of a lot comes first or last",
    ),
    open(
        "guild.moment",
        "SFC-71",
        Steps::Words(&["any", "trade", "build"]),
        "the guild takes its card in any step, in trade or in build",
    ),
    open(
        "university.per",
        "SFC-72",
        Steps::Words(&["turn", "build"]),
        "the university saves a card once a turn or once a build",
    ),
    printed(
        "protection.roads",
        "SFC-62",
        Steps::Whole(0, 20),
        "roads that a castle protects, 0 to 20",
    ),
    printed(
        "protection.knights",
        "SFC-62",
        Steps::Whole(0, 20),
        "knights that a church protects, 0 to 20",
    ),
    open(
        "brigands.in_play",
        "SFC-50",
        Steps::List(0, 30),
        "city sides with brigands with 2, 3, 4, 5 and 6 players, 0 to 30",
    ),
    open(
        "brigands.hand_limit",
        "SFC-51",
        Steps::Whole(0, 134),
        "cards that are safe from brigands, 0 to 134",
    ),
    open(
        "destiny.start",
        "SFC-11",
        Steps::Words(&["clockwise", "counterclockwise"]),
        "where the destiny card points at the start",
    ),
    printed(
        "destiny.settlement_flips",
        "SFC-44",
        Steps::Flag,
        "who builds a settlement may flip the destiny card",
    ),
    printed("destiny.brigands_flip", "SFC-51", Steps::Flag, "brigands flip the destiny card"),
    open(
        "draw.extra",
        "SFC-80",
        Steps::Words(&["one_by_one", "at_once"]),
        "further cards for knights are decided one_by_one or at_once",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::daggers::Daggers;

    #[test]
    fn what_the_text_leaves_open_is_what_bears_a_dagger() {
        let found = Daggers::of(include_str!("mod.rs"), FIELDS);
        // The text has types of building cards, which can be read as four or as five.
        assert_eq!(found.open_without, ["build.types"]);
        // Prices and points that the text has, beside those of the town hall that it lacks, and what is for studies.
        let mut printed = ["road", "knight", "settlement", "city", "expansion"]
            .map(|card| format!("{card}.cost"))
            .to_vec();
        printed.push("expansion.town_hall.out".to_owned());
        for card in ["castle", "merchants_guild", "church", "library", "university"] {
            printed.extend(["points", "extra", "out"].map(|of| format!("expansion.{card}.{of}")));
        }
        printed.push("destiny.brigands_flip".to_owned());
        assert_eq!(found.printed_with, printed);
        assert!(found.no_field.is_empty(), "{:?}", found.no_field);
    }
}
