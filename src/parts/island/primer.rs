//! How an island is played, in a few sentences for people who sit down for the first time. The clauses are in the header
//! of `games/base`; the numbers are those of the rule set.

use crate::parts::island::Island;
use crate::parts::island::rules::{Order, Steal};
use crate::parts::telling::{many, many_by_seat};

impl Island {
    /// How the game goes. Other games on an island say more of what is their own; `line` and `piece` are what a line is built
    /// of, and a piece of it.
    pub(crate) fn told_rules(&self, (line, piece): (&str, &str)) -> Vec<String> {
        let rules = &self.rules;
        let (route, army) = (rules.route, rules.army);
        let points = |count: u8| many(count, "point");
        vec![
            format!(
                "Aim: be the first to have {} in your own turn. A settlement is worth 1, a city 2. Longest Road ({} for \
                 {} {line} or more in one line) and Largest Army ({} for {} knights or more) go to whoever has the most.",
                many_by_seat(rules.points_to_win, "point"),
                points(route.points),
                route.minimum,
                points(army.points),
                army.minimum
            ),
            format!(
                "Start: everybody places a settlement with {piece} beside it, then, in the reverse order, a second one. The \
                 second brings a card of each hex around it."
            ),
            format!(
                "Turn: roll the dice, then {}, then end the turn. Each hex of the number that was rolled brings a card to \
                 every settlement at its corners and two to every city, but not where the robber stands. 6 and 8 come most \
                 often, 2 and 12 least.",
                match rules.order {
                    Order::Mixed => "trade and build as you like",
                    Order::Strict => "trade, then build",
                }
            ),
            format!(
                "A 7 brings nothing: whoever has more than {} discards half, and whoever rolled moves the robber and {} a \
                 card from somebody at its new hex.",
                many(rules.robber.hand_limit, "card"),
                match rules.robber.steal {
                    Steal::Must => "steals",
                    Steal::May => "may steal",
                }
            ),
            format!(
                "Build: a road goes on from your own roads and buildings. A settlement stands at {piece} of yours, never \
                 next to another building. A city takes the place of a settlement of yours."
            ),
            "Development cards are bought unseen. You may play one a turn, but not in the turn in which it was bought: a \
             knight moves the robber; others give two free roads, two cards of the bank, or all cards of one kind. A \
             victory point counts at once, and is hidden."
                .to_owned(),
            format!(
                "Trade: {}with the bank at the rate that the table shows. A building at a harbour lowers the rate.",
                match rules.trade.proposals_max {
                    0 => "",
                    _ => "with others by offers, which they accept, refuse or answer with another trade; ",
                }
            ),
        ]
    }
}
