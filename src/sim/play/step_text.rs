//! What each outside seat of a table has been told of what happened, in words, step by step.

use crate::core::chance::ChanceEvent;
use crate::core::game::{Game, SeatMemory, Step, Turn};
use crate::core::guest::KnownStep;
use crate::core::record::{Decision, Recorder};
use crate::core::types::seat::Seat;
use crate::core::wording::{CLOSES, OFFERS, Wording};
use serde::Serialize;

/// One step of a match, as a seat may know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepText {
    /// The turn in which it happened, from 1; 0 for the deal.
    pub turn: u16,
    /// Who did it; nobody in the deal.
    pub actor: Option<Seat>,
    /// A sentence or several, without an end of line.
    pub words: String,
    /// What the next turn began with, if the step ended one: cards that are drawn at its start. It belongs to that turn.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub opens: String,
    /// Whether the seat itself did it, and had nothing else to do.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only: bool,
    /// Whether it is an offer to others.
    #[serde(skip)]
    pub offer: bool,
    /// Whether it closes a trade that was offered: with somebody, or with nobody.
    #[serde(skip)]
    pub closes: bool,
}

/// How many of the steps that a seat was told had happened when it last chose something itself; 0 if it has not.
pub fn last_choice(told: &[StepText], seat: Seat) -> usize {
    let chose = |step: &StepText| step.actor == Some(seat) && !step.only;
    told.iter().rposition(chose).map_or(0, |place| place + 1)
}

/// An offer of the seat's own with what others have said to it, if that is all that has happened since it last chose. That
/// it trades with nobody is part of it where it could pay nobody, and so was not asked.
pub fn answered_offer(told: &[StepText], seat: Seat) -> Option<String> {
    let since = last_choice(told, seat).checked_sub(1)?;
    let [offer, answers @ ..] = &told[since..] else { return None };
    let said = |step: &StepText| step.actor != Some(seat) || step.only && step.closes;
    let fresh = answers.iter().all(|step| step.turn == offer.turn && said(step));
    let words = || told[since..].iter().map(|step| step.words.as_str()).collect::<Vec<_>>();
    (offer.offer && !answers.is_empty() && fresh).then(|| words().join(" "))
}

/// A listener that writes down for some seats what they may know.
pub struct StepTexts<G: Game> {
    seats: Vec<Seat>,
    /// By those seats.
    told: Vec<Vec<StepText>>,
    before: Option<(G::State, G::Action)>,
    drawn: Vec<ChanceEvent<G::Draw>>,
    /// Whether the action was the only one that its seat had, and it was not asked for it.
    only: bool,
    /// Whether somebody outside is asked for what comes next.
    asked: bool,
    /// Whether the last step took luck.
    lucky: bool,
}

impl<G: Wording> StepTexts<G> {
    /// For these seats, before the deal.
    pub fn new(seats: Vec<Seat>) -> StepTexts<G> {
        let told = seats.iter().map(|_| Vec::new()).collect();
        let (only, asked, lucky) = (false, false, false);
        StepTexts { seats, told, before: None, drawn: Vec::new(), only, asked, lucky }
    }

    /// Whether somebody outside is asked for what comes next.
    pub fn ask(&mut self, asked: bool) {
        self.asked = asked;
    }

    /// All that a seat was told since the deal; nothing for other seats.
    pub fn told(&self, seat: Seat) -> &[StepText] {
        let place = self.seats.iter().position(|other| *other == seat);
        place.map_or(&[], |place| &self.told[place])
    }

    /// Whether the last step took luck.
    pub fn was_lucky(&self) -> bool {
        self.lucky
    }

    /// Takes back the last steps.
    pub fn take_back(&mut self, steps: usize) {
        for told in &mut self.told {
            told.truncate(told.len().saturating_sub(steps));
        }
    }

    fn note(&mut self, game: &G, after: &G::State) {
        let action = self.before.as_ref().map(|(before, action)| (before, *action));
        let step = Step { action, chance: &self.drawn, after };
        for (seat, told) in self.seats.iter().zip(&mut self.told) {
            let you = if self.only { "you (only choice)" } else { YOU };
            let text = text(game, &step, *seat, you);
            // Of others it would tell how many choices they had.
            let only = self.only && text.actor == Some(*seat);
            told.push(StepText { only, ..text });
        }
        self.lucky = !self.drawn.is_empty();
        self.drawn.clear();
        self.before = None;
    }
}

impl<G: Wording> Recorder<G> for StepTexts<G> {
    fn on_chance(&mut self, event: ChanceEvent<G::Draw>) {
        self.drawn.push(event);
    }

    fn on_start(&mut self, game: &G, state: &G::State) {
        self.only = false;
        self.note(game, state);
    }

    fn on_decision(&mut self, _game: &G, decision: &Decision<'_, G>) {
        self.before = Some((*decision.before, decision.action));
        self.only = decision.listed == 1 && !self.asked;
    }

    fn on_applied(&mut self, game: &G, _action: G::Action, after: &G::State) {
        self.note(game, after);
    }
}

/// What a seat may know of a step, in words: who did what, what luck brought in sight of the seat, and which cards moved
/// as far as the seat knows.
pub fn step_text<G: Wording>(game: &G, step: &Step<'_, G>, seat: Seat) -> StepText {
    text(game, step, seat, YOU)
}

/// The same for a program: nothing of the deal.
pub fn known_step<G: Wording>(game: &G, step: &Step<'_, G>, seat: Seat) -> Option<KnownStep<G>> {
    let (before, action) = step.action?;
    let Turn::Decide(actor) = game.turn(before) else { return None };
    let view = game.view(before, seat);
    let seen = step.chance.iter().filter(|event| game.sees_draw(&view, event.draw));
    Some(KnownStep {
        turn: game.turn_number(before),
        seat: actor,
        action: game.known_action(&view, action),
        luck: seen.copied().collect(),
    })
}

/// What a seat is called to itself.
const YOU: &str = "you";

/// The same; `you` is what the seat is called if it is the one who acts.
fn text<G: Wording>(game: &G, step: &Step<'_, G>, seat: Seat, you: &str) -> StepText {
    let (mut sentences, mut brought) = (Vec::new(), Vec::new());
    let before = step.action.map(|(before, _)| game.view(before, seat));
    let actor = step.action.and_then(|(before, _)| match game.turn(before) {
        Turn::Decide(actor) => Some(actor),
        Turn::Over => None,
    });
    if let (Some((_, action)), Some(view), Some(actor)) = (step.action, &before, actor) {
        let who = if actor == seat { you.to_owned() } else { format!("seat {actor}") };
        let words = game.action_words(view, action);
        let words = if actor == seat { words } else { aimed_at_you(&words, seat) };
        sentences.push(format!("{who}: {words}"));
    }
    let chance = step.chance.iter().filter_map(|event| game.chance_words(before.as_ref(), *event));
    brought.extend(joined(chance));
    let mut heard = Vec::new();
    G::Memory::observe(game, step, seat, |event| heard.push(event));
    brought.extend(game.event_words(&heard, seat));
    let turn = step.action.map_or(0, |(state, _)| game.turn_number(state));
    let heading = step.action.map(|(_, action)| G::heading(action));
    let (offer, closes) = (heading == Some(OFFERS), heading == Some(CLOSES));
    // The deal belongs to no turn, although the first one begins with it.
    let ends = step.action.is_some() && game.turn_number(step.after) != turn;
    let opens = if ends { capitals(&std::mem::take(&mut brought)) } else { String::new() };
    sentences.append(&mut brought);
    // Titles are won in the turn that ends, not in the one that begins.
    if let Some(before) = &before {
        sentences.extend(game.change_words(before, &game.view(step.after, seat)));
    }
    StepText { turn, actor, words: capitals(&sentences), opens, only: false, offer, closes }
}

/// Somebody else's action in which the seat itself is called `you`.
fn aimed_at_you(words: &str, seat: Seat) -> String {
    let (name, mut text, mut rest) = (format!("seat {seat}"), String::new(), words);
    while let Some((before, after)) = rest.split_once(&name) {
        let is_whole = !after.starts_with(|letter: char| letter.is_ascii_digit());
        text.push_str(before);
        text.push_str(if is_whole { YOU } else { &name });
        rest = after;
    }
    text + rest
}

/// Sentences of which neighbours that begin alike, up to a colon, are one: `new in the row: road, city`.
fn joined(sentences: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for sentence in sentences {
        let (begin, rest) = sentence.split_once(": ").unwrap_or((&sentence, ""));
        match all
            .last_mut()
            .filter(|last| !rest.is_empty() && last.split(": ").next() == Some(begin))
        {
            Some(last) => {
                last.push_str(", ");
                last.push_str(rest);
            }
            None => all.push(sentence),
        }
    }
    all
}

/// Sentences with capital letters and full stops.
fn capitals(sentences: &[String]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        if !text.is_empty() {
            text.push(' ');
        }
        let mut letters = sentence.chars();
        text.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        text.push_str(letters.as_str());
        text.push('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(turn: u16, actor: u8, words: &str) -> StepText {
        let actor = actor.checked_sub(1).map(Seat::new);
        StepText {
            turn,
            actor,
            words: words.to_owned(),
            opens: String::new(),
            only: false,
            offer: words.contains("offer"),
            closes: words.contains("trade"),
        }
    }

    #[test]
    fn what_others_do_to_a_seat_they_do_to_you() {
        let words = "robber to hex 1, steal from seat 1";
        assert_eq!(aimed_at_you(words, Seat::new(0)), "robber to hex 1, steal from you");
        assert_eq!(aimed_at_you(words, Seat::new(1)), words);
        assert_eq!(aimed_at_you("seat 12, seat 1", Seat::new(0)), "seat 12, you");
    }

    #[test]
    fn an_offer_is_answered_until_something_else_happens() {
        let (you, turn) = (Seat::new(0), 3);
        let mut told = vec![step(0, 0, "Deal."), step(turn, 1, "You: offer.")];
        assert_eq!((last_choice(&told, you), answered_offer(&told, you)), (2, None));
        told.extend([step(turn, 2, "Seat 2: refuse."), step(turn, 3, "Seat 3: accept.")]);
        let due = "You: offer. Seat 2: refuse. Seat 3: accept.";
        assert_eq!(answered_offer(&told, you).as_deref(), Some(due));
        assert_eq!(answered_offer(&told, Seat::new(2)), None, "it has made none");
        let next = [told.as_slice(), &[step(turn + 1, 2, "Seat 2: end turn.")]].concat();
        assert_eq!(answered_offer(&next, you), None);
        let nobody =
            StepText { only: true, ..step(turn, 1, "You (only choice): trade with nobody.") };
        let next = [told.as_slice(), &[nobody]].concat();
        let due = format!("{due} You (only choice): trade with nobody.");
        assert_eq!(answered_offer(&next, you), Some(due), "it could pay nobody");
        let rolled = StepText { only: true, ..step(turn, 1, "You (only choice): roll.") };
        let next = [told.as_slice(), &[rolled]].concat();
        assert_eq!((last_choice(&next, you), answered_offer(&next, you)), (2, None));
        told.push(step(turn, 1, "You: trade."));
        assert_eq!((last_choice(&told, you), answered_offer(&told, you)), (5, None));
        assert_eq!(last_choice(&told[..1], you), 0);
    }
}
