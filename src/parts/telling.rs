//! Words for people at a table: who does what, and what is proposed.

use crate::core::resources::Resources;
use crate::core::types::by_seat::BySeat;
use crate::core::types::seat::Seat;
use crate::parts::trade::{Answer, Proposal};

/// A seat as one who sits in `eyes` calls it: `you`, or `seat 2`.
pub fn who(seat: Seat, eyes: Seat) -> String {
    if seat == eyes { "you".to_owned() } else { format!("seat {seat}") }
}

/// Who does something: `you draw`, or `seat 2 draws`.
pub fn does(seat: Seat, eyes: Seat, verb: &str) -> String {
    let ending = if seat == eyes { "" } else { "s" };
    format!("{} {verb}{ending}", who(seat, eyes))
}

/// A number of things: `1 card`, `3 cards`.
pub fn many(count: impl Into<u32>, thing: &str) -> String {
    let count: u32 = count.into();
    match (count, thing.strip_suffix('y')) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) if thing.ends_with("ch") => format!("{count} {thing}es"),
        (_, None) => format!("{count} {thing}s"),
    }
}

/// The same of a number that may differ by seat: `7 points`, or `7, 7 and 6 points by seat`.
pub fn many_by_seat(counts: BySeat, thing: &str) -> String {
    match counts.same() {
        Some(count) => many(count, thing),
        None => format!("{counts} {thing}s by seat"),
    }
}

/// What there is of some things: those of which there are none are left out, but for the first.
pub fn some_of(things: Vec<String>) -> String {
    let mut things = things.into_iter();
    let first = things.next();
    let there = things.filter(|thing| !thing.starts_with("0 "));
    first.into_iter().chain(there).collect::<Vec<_>>().join(", ")
}

/// A word of files as people write it: `town hall` for `town_hall`.
pub fn plainly(word: &str) -> String {
    word.replace('_', " ")
}

/// To whom a title goes that one seat at most has, such as Longest Road; nothing if it stays where it was.
pub fn title_words(
    (title, was, is): (&str, Option<Seat>, Option<Seat>),
    eyes: Seat,
) -> Option<String> {
    let to = is.map_or("nobody".to_owned(), |seat| who(seat, eyes));
    (was != is).then(|| format!("{title} goes to {to}"))
}

/// A hand in a line.
pub fn hand_line(hand: Resources) -> String {
    let size = many(hand.total(), "card");
    if hand.is_empty() {
        "Your hand is empty.".to_owned()
    } else {
        format!("Your hand: {hand} ({size}).")
    }
}

/// A seat at the head of a line: `Seat 2`, or `Seat 1 (you)`.
pub fn seat_title(seat: Seat, eyes: Seat) -> String {
    if seat == eyes { format!("Seat {seat} (you)") } else { format!("Seat {seat}") }
}

/// Cards that seats have drawn: what one sees of its own, how many of others.
#[derive(Debug, Default)]
pub struct Drawn {
    /// By seat, in the order in which they drew first.
    seats: Vec<(Seat, Resources, u8)>,
}

impl Drawn {
    /// Adds a card; nothing is known of the kind of others' cards.
    pub fn add(&mut self, seat: Seat, known: Resources) {
        match self.seats.iter_mut().find(|(other, ..)| *other == seat) {
            Some((_, cards, count)) => {
                *cards = *cards + known;
                *count += 1;
            }
            None => self.seats.push((seat, known, 1)),
        }
    }

    /// A sentence for each seat.
    pub fn words(&self, eyes: Seat) -> impl Iterator<Item = String> + '_ {
        self.seats.iter().map(move |&(seat, cards, count)| {
            let what = if cards.is_empty() { many(count, "card") } else { cards.to_string() };
            format!("{} {what}", does(seat, eyes, "draw"))
        })
    }
}

/// What is asked of one who answers an offer: whose it is, and what of.
pub fn answer_words<const SEATS: usize>(
    (proposal, proposer, eyes): (&Proposal<SEATS>, Seat, Seat),
) -> String {
    let Proposal { give, want, .. } = proposal;
    if proposer == eyes {
        format!("answer your offer of {give} for {want}")
    } else {
        format!("answer the offer of seat {proposer}, who gives {give} for {want}")
    }
}

/// The same for whoever looks on with a hand: one who is asked and can't pay is told why it may not accept.
pub fn answer_asked<const SEATS: usize>(
    (proposal, proposer, eyes): (&Proposal<SEATS>, Seat, Seat),
    (asked, hand): (Seat, Resources),
) -> String {
    let words = answer_words((proposal, proposer, eyes));
    let lacks = asked == eyes && !hand.covers(proposal.want.cards());
    if lacks { format!("{words} (you can't pay it)") } else { words }
}

/// An action in words; of one that trades with nobody, whoever has agreed hears that it is meant.
pub fn not_with_you<const SEATS: usize>(
    words: String,
    (proposal, proposer, eyes): (&Proposal<SEATS>, Seat, Seat),
) -> String {
    let agreed =
        matches!(proposal.answers[eyes.idx()], Answer::Accepted | Answer::Countered { .. });
    if agreed && proposer != eyes { format!("{words}, so not with you") } else { words }
}

/// What stands in a question once no more offers may be made in the turn.
pub const NO_MORE_OFFERS: &str = "; no more offers in this turn";

/// What is asked of one whose offer was answered; what each has said stands beside it, see [`proposal_lines`].
pub fn choice_words<const SEATS: usize>(
    (proposal, proposer, eyes): (&Proposal<SEATS>, Seat, Seat),
) -> String {
    let Proposal { give, want, .. } = proposal;
    let (payer, whose) = if proposer == eyes {
        ("you", "your offer".to_owned())
    } else {
        ("it", format!("the offer of seat {proposer}"))
    };
    format!(
        "take one of the answers to {whose} of {give} for {want}, or trade with nobody (answers that {payer} can't pay are \
         not listed)"
    )
}

/// What a trade with a seat that has answered comes to, for the seat that looks on; nothing if it has refused.
pub fn settle_words<const SEATS: usize>(
    (proposal, proposer, eyes): (&Proposal<SEATS>, Seat, Seat),
    with: Seat,
) -> Option<String> {
    let (given, got) = match &proposal.answers[with.idx()] {
        Answer::Accepted => (proposal.give, proposal.want),
        Answer::Countered { give, want } => (*want, *give),
        Answer::None | Answer::Refused => return None,
    };
    Some(format!("{} {given} for {got}", does(proposer, eyes, "give")))
}

/// What it comes to if a seat accepts what was proposed to it.
pub fn accept_words<const SEATS: usize>(proposal: &Proposal<SEATS>) -> String {
    format!("you give {} for {}", proposal.want, proposal.give)
}

/// What each seat has answered so far.
fn answers_words<const SEATS: usize>(
    proposal: &Proposal<SEATS>,
    eyes: Seat,
) -> impl Iterator<Item = String> + '_ {
    let said = move |(answer, seat): (&Answer, u8)| {
        let seat = Seat::new(seat);
        match answer {
            Answer::None => None,
            Answer::Refused => Some(does(seat, eyes, "refuse")),
            Answer::Accepted => Some(does(seat, eyes, "accept")),
            Answer::Countered { give, want } => {
                Some(format!("{} {give} for {want} instead", does(seat, eyes, "offer")))
            }
        }
    };
    proposal.answers.iter().zip(0..).filter_map(said)
}

/// An action in words at a table of so many: of two players one offers to the other, not to all.
pub fn for_two(words: String, players: u8) -> String {
    match words.strip_suffix(" to all") {
        Some(offer) if players == 2 => offer.to_owned(),
        _ => words,
    }
}

/// What is proposed, and who has answered what so far.
pub fn proposal_lines<const SEATS: usize>(
    proposal: &Proposal<SEATS>,
    (proposer, players): (Seat, u8),
    eyes: Seat,
) -> Vec<String> {
    let Proposal { to, give, want, .. } = proposal;
    let offers = does(proposer, eyes, "offer");
    let offer = for_two(format!("Proposal: {offers} {give} for {want} to {to}"), players);
    let mut lines = vec![format!("{offer}.")];
    lines.extend(answers_words(proposal, eyes).map(|said| format!("Answer: {said}.")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::resources::Resource;

    #[test]
    fn seats_and_numbers_read_as_people_say_them() {
        let [one, two] = [Seat::new(0), Seat::new(1)];
        assert_eq!(does(one, one, "draw"), "you draw");
        assert_eq!(does(two, one, "draw"), "seat 2 draws");
        let counted = [many(1_u8, "card"), many(2_u8, "city"), many(2_u8, "church")];
        assert_eq!(counted, ["1 card", "2 cities", "2 churches"]);
        let things = ["0 points", "0 cards", "1 road"].map(str::to_owned).to_vec();
        assert_eq!(some_of(things), "0 points, 1 road");
    }

    #[test]
    fn of_two_players_nobody_offers_to_all() {
        let words = |players| for_two("offer 1 wool for 1 ore to all".to_owned(), players);
        assert_eq!(words(2), "offer 1 wool for 1 ore");
        assert_eq!(words(3), "offer 1 wool for 1 ore to all");
        assert_eq!(for_two("road at 20".to_owned(), 2), "road at 20");
    }

    #[test]
    fn of_others_cards_only_the_number_is_told() {
        let [one, two] = [Seat::new(0), Seat::new(1)];
        let mut drawn = Drawn::default();
        drawn.add(one, Resources::one(Resource::Ore));
        drawn.add(two, Resources::NONE);
        drawn.add(two, Resources::NONE);
        drawn.add(one, Resources::one(Resource::Wool));
        let words: Vec<String> = drawn.words(one).collect();
        assert_eq!(words, ["you draw 1 wool + 1 ore", "seat 2 draws 2 cards"]);
    }
}
