//! What was done in a match of ours, in the other program's form, as one seat may know it.

use crate::catanatron::exec::shown::Played;
use crate::catanatron::exec::written::{Words, kind_word};
use crate::catanatron::words::{CARDS, card_word};
use crate::core::types::seat::{PerSeat, Seat};
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::seat_event::SeatEvent;
use serde_json::{Value, json};

/// A rate at which the bank trades; the event that follows says which it was.
const RATE: u8 = 4;

/// A result of luck, in our words.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Luck {
    chance: String,
    result: String,
}

/// What was done in a match.
#[derive(Debug, Clone)]
pub struct Log {
    own: Seat,
    /// Actions that were carried out, with their results.
    pub records: Vec<Value>,
    /// What each seat has played.
    pub played: PerSeat<Played>,
    /// Actions as they were chosen, of which nobody was told yet.
    pub steps: Vec<Value>,
    /// What the events tell of that come next.
    last: Option<(Seat, Action)>,
}

impl Log {
    /// Nothing yet, for one who sits in a seat.
    pub fn new(own: Seat) -> Log {
        let played = PerSeat::<Played>::default();
        Log { own, records: Vec::new(), played, steps: Vec::new(), last: None }
    }

    /// A seat has acted.
    ///
    /// # Errors
    /// If a result of luck is none.
    pub fn act(
        &mut self,
        words: &Words,
        seat: Seat,
        action: Action,
        luck: &[Luck],
    ) -> Result<(), String> {
        self.last = Some((seat, action));
        let Some(chosen) = words.action(seat, action, RATE) else { return Ok(()) };
        let mut done = chosen.clone();
        let result = match action {
            Action::Roll => dice(luck)?,
            Action::Buy => bought(luck),
            Action::Discard { card } => kind_word(card).into(),
            _ => Value::Null,
        };
        if matches!(action, Action::Roll | Action::Buy) {
            done[2].clone_from(&result);
        }
        self.steps.push(chosen);
        self.records.push(json!([done, result]));
        let card = match action {
            Action::Knight => Card::Knight,
            Action::RoadBuilding => Card::RoadBuilding,
            Action::YearOfPlenty { .. } => Card::YearOfPlenty,
            Action::Monopoly { .. } => Card::Monopoly,
            _ => return Ok(()),
        };
        self.played[seat.idx()][card.idx()] += 1;
        Ok(())
    }

    /// A seat has acted, and what it did is hidden: it discards.
    pub fn act_hidden(&mut self) {
        self.last = None;
    }

    /// Something has happened to cards.
    pub fn hear(&mut self, words: &Words, event: SeatEvent) {
        match (event, self.last) {
            // All discards are shown together. One's own were told one by one.
            (SeatEvent::Lost { seat, cards }, None | Some((_, Action::Discard { .. }))) => {
                let others = cards.iter().filter(|_| seat != self.own);
                for card in others.flat_map(|(card, count)| (0..count).map(move |_| card)) {
                    let chosen = words.action(seat, Action::Discard { card }, RATE);
                    self.records.push(json!([chosen, kind_word(card)]));
                    self.steps.extend(chosen);
                }
            }
            (SeatEvent::Lost { seat, cards }, Some((trader, trade @ Action::BankTrade { .. })))
                if seat == trader =>
            {
                let chosen = words.action(seat, trade, cards.total());
                let (Some(chosen), Some(step)) = (chosen, self.steps.last_mut()) else { return };
                step.clone_from(&chosen);
                if let Some(record) = self.records.last_mut() {
                    record[0] = chosen;
                }
            }
            (SeatEvent::Stolen { kind: Some(kind), .. }, _) => {
                if let Some(record) = self.records.last_mut() {
                    record[1] = kind_word(kind).into();
                }
            }
            _ => {}
        }
    }
}

/// The dice of a roll.
fn dice(luck: &[Luck]) -> Result<Value, String> {
    let rolled = luck.iter().find(|luck| luck.chance == "dice").ok_or("a roll without dice")?;
    let both: Option<Vec<u8>> = rolled.result.split('+').map(|die| die.parse().ok()).collect();
    both.map(Into::into).ok_or_else(|| format!("`{}` are no dice", rolled.result))
}

/// The development card that the seat has seen itself draw.
fn bought(luck: &[Luck]) -> Value {
    let drawn = |card: &Card| luck.iter().any(|luck| luck.result == card.name());
    CARDS.into_iter().map(|(_, card)| card).find(drawn).map(card_word).into()
}
