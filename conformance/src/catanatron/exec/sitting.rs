//! A match of the other program, as the one who sits in one seat of it knows it. Each question repeats what was done so
//! far; from this the seat's memory follows, and the open part of the position. Of what is hidden from the seat nothing
//! is read, even where the other program says it: other hands, the kinds of cards that others stole from each other or
//! drew. In their place stand cards that are made up (`hands`), which the agent never sees.
//!
//! A newer version of the other program doesn't say what was stolen from the seat itself. Then its hand is read at the
//! next question, and what was stolen by whom stays as open as that leaves it. What Monopoly brought in follows from the
//! numbers of cards in the hands at the next question.

use crate::catanatron::choice::{self, Choice};
use crate::catanatron::differences::Counts;
use crate::catanatron::exec::hands::Hidden;
use crate::catanatron::exec::messages::Document;
use crate::catanatron::exec::places::{recorded_map, recorded_value, seat, tile};
use crate::catanatron::exec::stated::{Stated, read, text};
use crate::catanatron::field::Field;
use crate::catanatron::replay::{Replay, Setting};
use crate::catanatron::trade::{OpenOffer, check_terms};
use crate::catanatron::trouble::Trouble;
use crate::catanatron::{lists, words};
use crate::core::game::{ActionFilter, Game, Observation, SeatMemory, Turn};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::base::Base;
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::memory::Memory;
use crate::parts::island::rules::Shortage;
use crate::parts::island::seat_event::SeatEvent;
use crate::parts::island::state::{Phase, State};
use serde_json::{Value, json};

/// The development cards of the base game.
const DECK: [(Card, usize); 5] = [
    (Card::Knight, 14),
    (Card::YearOfPlenty, 2),
    (Card::Monopoly, MONOPOLIES),
    (Card::RoadBuilding, 2),
    (Card::VictoryPoint, 5),
];

/// How many Monopolies there are: no more can have been played.
const MONOPOLIES: usize = 2;

/// How many cards a hand may be off after a Monopoly, at most.
const OFF: i8 = 6;

/// The same of the seat's own hand, which is off only if it was robbed before and not told of what.
const OWN_OFF: i8 = 2;

/// A match, as one seat knows it.
#[derive(Debug, Clone)]
pub struct Sitting {
    /// The rules by which the agent plays: those of the other program, without offers of its own.
    game: Base,
    own: Seat,
    colors: Vec<String>,
    replay: Replay,
    memory: Memory,
    /// Actions that were taken in.
    taken: usize,
    /// Whether the seat was robbed and not told of what.
    robbed: bool,
}

/// An action that was carried out, and its result.
struct Done {
    seat: Seat,
    choice: Choice,
    result: Value,
}

impl Sitting {
    /// A match before its first action.
    ///
    /// # Errors
    /// If it isn't one of base CATAN, or the colour doesn't play.
    pub fn new(color: &str, document: &Document<'_>) -> Result<Sitting, String> {
        let colors = document.colors.clone();
        let (game, board) = (read("game", document.game)?, read("board", document.board)?);
        let map = read("map", document.map.ok_or("`map` is missing")?)?;
        let game = Field::new("game", &game);
        let number = |name| game.key(name).map(|field| field.value().clone());
        let friendly = game.key("friendly_robber").map_err(text)?.value() == &Value::Bool(true);
        let config = json!({
            "vps": number("vps_to_win").map_err(text)?,
            "discard": number("discard_limit").map_err(text)?,
            "friendly": u8::from(friendly),
        });
        let map = recorded_map(Field::new("map", &map)).map_err(text)?;
        let robber = Field::new("board", &board).key("robber_coordinate").and_then(tile);
        let (robber, seats) = (json!(robber.map_err(text)?), json!(colors));
        let deck = DECK.iter().flat_map(|(card, count)| vec![words::card_word(*card); *count]);
        let deck: Value = deck.collect();
        let setting = Setting {
            config: Field::new("game", &config),
            seats: Field::new("colors", &seats),
            map: Field::new("map", &map),
            deck: Field::new("deck", &deck),
            robber: Field::new("robber", &robber),
        };
        // It refuses more seats than there can be.
        let mut replay = Replay::new(&setting, None).map_err(text)?;
        let own = json!(color);
        let own = seat(&colors, Field::new("color", &own)).map_err(text)?;
        let own = Seat::new(u8::try_from(own).map_err(|_| "too many seats")?);
        replay.at.follower.listen(own);
        let mut rules = replay.at.ours.rules().clone();
        rules.trade.proposals_max = 0;
        rules.shortage = Shortage::Nobody;
        let game = Base::new(rules, replay.at.ours.players())
            .map_err(|faults| format!("its rules can't be played: {}", faults[0]))?;
        let memory = SeatMemory::<Base>::new(&game, own);
        Ok(Sitting { game, own, colors, replay, memory, taken: 0, robbed: false })
    }

    /// The rules by which the agent plays.
    pub fn game(&self) -> &Base {
        &self.game
    }

    /// The agent's seat.
    pub fn own(&self) -> Seat {
        self.own
    }

    /// Takes in what was done since the last question, and compares the open part of the position, and the seat's own
    /// cards, with what follows from it.
    ///
    /// # Errors
    /// If it can't have been done, or if something else follows from it.
    pub fn hear(&mut self, document: &Document<'_>) -> Result<(), String> {
        let records = document.action_records.get(self.taken..);
        let records = records.ok_or("`action_records` is shorter than it was")?;
        let records: Result<Vec<Value>, String> =
            records.iter().map(|record| read("action_records", record)).collect();
        let records = records?;
        let stated = Stated::read(document, self.own)?;
        let plays = |record: &Value| record[0][1] == "PLAY_MONOPOLY";
        let monopolies: Vec<usize> = (0..records.len()).filter(|&at| plays(&records[at])).collect();
        let before = (!monopolies.is_empty()).then(|| self.clone());
        let mut heard = self.take_in(&records, None).and_then(|()| self.agree(&stated));
        if let (Some(before), Err(_)) = (before, &heard) {
            // Other hands help only what is done after them.
            let failed = self.taken - before.taken;
            let earlier = monopolies.into_iter().filter(|&at| at <= failed);
            'tried: for at in earlier.take(MONOPOLIES) {
                let actor = Field::new("action_records", &records[at][0][0]);
                let actor = seat(&self.colors, actor).map_err(text)?;
                for changes in before.gaps(actor) {
                    let mut again = before.clone();
                    let fits = again.take_in(&records, Some((at, changes)));
                    if fits.and_then(|()| again.agree(&stated)).is_ok() {
                        (*self, heard) = (again, Ok(()));
                        break 'tried;
                    }
                }
            }
        }
        heard
    }

    /// How many more cards of the kind of a Monopoly each hand may have had, the smallest changes first.
    fn gaps(&self, actor: usize) -> Vec<PerSeat<i8>> {
        let players = usize::from(self.game.players());
        let mut all = vec![[0; SEATS_MAX]];
        for seat in (0..players).filter(|&seat| seat != actor) {
            let off = if seat == self.own.idx() { OWN_OFF } else { OFF };
            let each = |gap: &PerSeat<i8>| {
                let gap = *gap;
                (-off..=off).map(move |more| {
                    let mut gap = gap;
                    gap[seat] = more;
                    gap[actor] -= more;
                    gap
                })
            };
            all = all.iter().flat_map(each).collect();
        }
        all.sort_by_key(|gap| gap.iter().map(|more| more.unsigned_abs()).sum::<u8>());
        all
    }

    /// Takes actions in. Before one of them, a Monopoly, hands may be changed.
    fn take_in(
        &mut self,
        records: &[Value],
        change: Option<(usize, PerSeat<i8>)>,
    ) -> Result<(), String> {
        for (at, record) in records.iter().enumerate() {
            let number = self.taken;
            let done = self.read_record(Field::new("action_records", record));
            let taken = done.and_then(|done| {
                if let (Some((place, changes)), Action::Monopoly { kind }) =
                    (change, done.choice.action)
                    && place == at
                    && !self.hidden().shift(self.replay.at.follower.state_mut(), kind, changes)
                {
                    return Err("hands don't allow it".to_owned());
                }
                self.take(&done)
            });
            taken.map_err(|reason| format!("action {number}: {reason}"))?;
            self.taken += 1;
        }
        Ok(())
    }

    fn read_record(&self, record: Field<'_>) -> Result<Done, String> {
        let [action, result] = record.list::<2>().map_err(text)?;
        let [color, word, value] = action.list::<3>().map_err(text)?;
        let seat = seat(&self.colors, color).map_err(text)?;
        let choice = self.read_choice(word, value)?;
        let seat = Seat::new(u8::try_from(seat).map_err(|_| "too many seats")?);
        Ok(Done { seat, choice, result: result.value().clone() })
    }

    fn read_choice(&self, word: Field<'_>, value: Field<'_>) -> Result<Choice, String> {
        let at = &self.replay.at;
        let value = recorded_value(&self.colors, word, value).map_err(text)?;
        let value = Field::new("value", &value);
        choice::read(&at.ours, &at.island, word, value).map_err(text)
    }

    fn hidden(&self) -> Hidden {
        Hidden {
            players: self.game.players(),
            own: self.own,
            own_is_known: !self.robbed,
            given: self.replay.at.given,
        }
    }

    /// Takes an action in, if it can have been done.
    fn take(&mut self, done: &Done) -> Result<(), String> {
        let Done { seat, choice, ref result } = *done;
        let at = &self.replay.at;
        let due = match choice.action {
            // All choose at the same time; whoever tells of it has an order of its own.
            Action::Discard { .. } => at.owed(seat) > 0,
            _ => seat == at.asked(),
        };
        if !due {
            return Err(format!("seat {} acts, not seat {}", at.asked().idx(), seat.idx()));
        }
        check_terms(&at.state().table, at.offer.as_ref(), choice, "value").map_err(trouble)?;
        self.show(seat, choice.action)?;
        self.end_free_roads(choice.action);
        self.check(choice.action)?;
        let (luck, is_told) = self.luck(seat, choice.action, result)?;
        match choice.action {
            Action::Discard { card } => self.replay.discard(seat, Resources::one(card)),
            action => self.replay.take(action, luck),
        }
        for event in std::mem::take(&mut self.replay.at.heard) {
            self.remember(match event {
                SeatEvent::Stolen { thief, victim, .. } if !is_told => {
                    SeatEvent::Stolen { thief, victim, kind: None }
                }
                _ => event,
            })?;
        }
        Ok(())
    }

    /// A seat that does something else than to lay its next free road has stopped, of which there is no word.
    fn end_free_roads(&mut self, action: Action) {
        let free = matches!(self.replay.at.state().table.phase, Phase::FreeRoads(_));
        if free && !matches!(action, Action::Road { .. }) {
            self.replay.take(Action::Stop, 0);
        }
    }

    /// Adds an event to the memory, if it can have happened after those before it.
    fn remember(&mut self, event: SeatEvent) -> Result<(), String> {
        let memory = &mut self.memory;
        let possible = match event {
            SeatEvent::Lost { seat, cards } | SeatEvent::Shown { seat, cards } => {
                memory.may_hold(seat, cards)
            }
            SeatEvent::HandedOver { from, kind, count, .. } => {
                memory.may_have_exactly(from, kind, count)
            }
            SeatEvent::Stolen { victim, kind: Some(kind), .. } => {
                memory.may_hold(victim, Resources::one(kind))
            }
            _ => true,
        };
        if !possible {
            return Err("someone shows cards that can't be there".to_owned());
        }
        SeatMemory::<Base>::hear(memory, event);
        Ok(())
    }

    /// Makes sure that what an action shows is there.
    fn show(&mut self, seat: Seat, action: Action) -> Result<(), String> {
        let hidden = self.hidden();
        let at = &mut self.replay.at;
        let [road, settlement, city, card] = at.ours.prices();
        let terms = at.offer.as_ref().map(OpenOffer::terms);
        let table = &at.follower.state().table;
        let (acts, founds) = (table.phase == Phase::Act, table.phase == Phase::Found);
        let rates = table.rates[seat.idx()];
        let state = at.follower.state_mut();
        let plays = match action {
            Action::Knight => Some(Card::Knight),
            Action::RoadBuilding => Some(Card::RoadBuilding),
            Action::YearOfPlenty { .. } => Some(Card::YearOfPlenty),
            Action::Monopoly { .. } => Some(Card::Monopoly),
            _ => None,
        };
        if let Some(card) = plays {
            return hidden.plays(state, seat, card);
        }
        let shown = match action {
            Action::Road { .. } if acts => road,
            Action::Settlement { .. } if !founds => settlement,
            Action::City { .. } => city,
            Action::Buy => card,
            Action::BankTrade { give, .. } => Resources::many(give, rates[give.idx()]),
            Action::Discard { card } => Resources::one(card),
            Action::Offer { give, .. } => give.cards(),
            Action::Accept => terms.ok_or("there is no offer")?.want.cards(),
            Action::Settle { with } => {
                let terms = terms.ok_or("there is no offer")?;
                hidden.holds(state, with, terms.want.cards())?;
                terms.give.cards()
            }
            _ => return Ok(()),
        };
        hidden.holds(state, seat, shown)
    }

    /// Whether the other program allows an action now.
    fn check(&self, action: Action) -> Result<(), String> {
        let at = &self.replay.at;
        let allowed = match action {
            // It is due, and the card is there.
            Action::Discard { .. } => true,
            Action::Offer { .. } => at.ours.permits(at.state(), action).is_ok(),
            // Whom it spares follows from hidden points too.
            Action::Robber { .. } => at.follower.legal(ActionFilter::NoOffers).contains(&action),
            _ => lists::due(at, &mut Counts::default()).contains(&action),
        };
        if allowed { Ok(()) } else { Err(format!("{action} is not possible")) }
    }

    /// The result of chance, and whether the seat was told of it.
    fn luck(&mut self, seat: Seat, action: Action, result: &Value) -> Result<(u8, bool), String> {
        let (hidden, own) = (self.hidden(), self.own);
        let result = Field::new("result", result);
        let state = self.replay.at.follower.state_mut();
        match action {
            Action::Roll => {
                let [one, two] = result.numbers::<2>(6).map_err(text)?;
                if one == 0 || two == 0 {
                    return Err(result.bad("two dice").to_string());
                }
                Ok((6 * (one - 1) + two - 1, true))
            }
            Action::Buy if seat == own => {
                let card = words::card(result).map_err(text)?;
                hidden.is_in_deck(state, card)?;
                Ok((number(card.idx()), true))
            }
            Action::Buy => {
                let card = Card::ALL.into_iter().find(|card| state.deck[card.idx()] > 0);
                Ok((number(card.ok_or("the deck is empty")?.idx()), true))
            }
            Action::Robber { victim: Some(victim), .. } => {
                let concerned = seat == own || victim == own;
                let told = result.given().filter(|_| concerned);
                let kind = match told {
                    Some(result) => {
                        let kind = words::kind(result).map_err(text)?;
                        hidden.holds(state, victim, Resources::one(kind))?;
                        kind
                    }
                    None if seat == own => return Err(result.bad("a resource").to_string()),
                    None => {
                        let hand = state.hands[victim.idx()];
                        let kind = Resource::ALL.into_iter().find(|&kind| hand.get(kind) > 0);
                        kind.ok_or("nothing is there to steal")?
                    }
                };
                self.robbed |= concerned && told.is_none();
                Ok((number(kind.idx()), !concerned || told.is_some()))
            }
            _ => Ok((0, true)),
        }
    }

    /// Compares a position with what follows here, and takes over the own hand if the seat was not told of a theft.
    fn agree(&mut self, stated: &Stated) -> Result<(), String> {
        let (hidden, own) = (self.hidden(), self.own);
        if self.robbed {
            let state = self.replay.at.follower.state_mut();
            hidden.holds(state, own, stated.hand)?;
            let cards = state.hands[own.idx()];
            self.robbed = false;
            self.remember(SeatEvent::Shown { seat: own, cards })?;
        }
        let at = &self.replay.at;
        let state = at.state();
        let left = |seat: Seat| state.hands[seat.idx()] - at.given[seat.idx()];
        let given = at.given.iter().fold(Resources::NONE, |all, &cards| all + cards);
        let sizes = Seat::all(self.game.players()).map(|seat| left(seat).total());
        same("the hand of the seat", &left(own), &stated.hand)?;
        same("the numbers of cards", &sizes.collect::<Vec<_>>(), &stated.sizes)?;
        same("the bank", &(state.table.bank + given), &stated.bank)?;
        same("development cards of the seat", &state.cards[own.idx()], &stated.cards)
    }

    /// The position in which the seat is asked: the other program asks in its own order for discards and answers.
    ///
    /// # Errors
    /// If another seat is asked.
    pub fn asking(&self) -> Result<State, String> {
        let at = &self.replay.at;
        let own = self.own;
        let mut state = *at.state();
        let asked = at.asked();
        if asked != own && at.owed(own) == 0 {
            return Err(format!("seat {} is to be asked, not seat {}", asked.idx(), own.idx()));
        }
        if at.offer.as_ref().is_some_and(OpenOffer::is_open) {
            state.table.phase = Phase::Answer(own);
        } else if let Phase::Discard { .. } = state.table.phase {
            state.table.phase = Phase::Discard { seat: own, owed: at.owed(own) };
            state.chosen = at.given;
            let waiting =
                Seat::all(self.game.players()).filter(|&seat| seat != own && at.owed(seat) > 0);
            state.table.pending = waiting.fold(0, |seats, seat| seats | 1 << seat.idx());
        }
        match self.game.turn(&state) {
            Turn::Decide(seat) if seat == own => Ok(state),
            other => Err(format!("by the rules it is not the seat's turn: {other:?}")),
        }
    }

    /// What the seat knows in a position in which it is asked.
    pub fn observation<'a>(&'a self, asking: &'a State) -> Observation<'a, Base> {
        Observation { seat: self.own, view: self.game.view(asking, self.own), memory: &self.memory }
    }

    /// An entry of the other program's list, if our rules allow it too.
    pub fn listed(&self, asking: &State, entry: &Value) -> Option<Action> {
        let [color, word, value] = Field::new("playable_actions", entry).list::<3>().ok()?;
        let mine = seat(&self.colors, color).ok()? == self.own.idx();
        let action = self.read_choice(word, value).ok()?.action;
        (mine && self.game.permits(asking, action).is_ok()).then_some(action)
    }
}

fn number(kind: usize) -> u8 {
    u8::try_from(kind).expect("few kinds")
}

fn trouble(trouble: Trouble) -> String {
    match trouble {
        Trouble::Malformed(malformed) => malformed.to_string(),
        Trouble::Mismatch(mismatch) => {
            format!(
                "field `{}`: found {}, should be {}",
                mismatch.field, mismatch.found, mismatch.due
            )
        }
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, here: &T, stated: &T) -> Result<(), String> {
    if here == stated {
        return Ok(());
    }
    Err(format!("{what}: {stated:?} in the message, {here:?} by what was done"))
}
