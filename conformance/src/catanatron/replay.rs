//! A recorded match, replayed step by step by our rules, with the other program's account beside them.
//!
//! Two rule sets play. `ours` is what the rules say under the recorded options. `theirs` differs where a
//! field can say what the other program does: a short bank pays nobody, the robber spares nobody (whom it
//! spares there is worked out in `lists`), and a match has no end. The match is played by `theirs`; at each
//! step both carry out the action, and where they differ it is a known difference or a fault.

use crate::catanatron::choice::{self, Terms};
use crate::catanatron::differences::{Compared, Counts, Difference};
use crate::catanatron::ending::{Ending, TURNS_MAX};
use crate::catanatron::field::{Field, Malformed};
use crate::catanatron::island::Island;
use crate::catanatron::luck::{self, Given};
use crate::catanatron::position::Position;
use crate::catanatron::roads::{Disagreement, Roads, has_road};
use crate::catanatron::trade::{OpenOffer, check_terms};
use crate::catanatron::trouble::{Trouble, differs, seat_name};
use crate::catanatron::{lists, states, words};
use crate::core::game::Game;
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::games::base::Base;
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::rules::{Rules, Shortage};
use crate::parts::island::state::{Phase, Stage, Table};
use crate::sim::play::follower::Follower;

/// Points that no one can have: more than all pieces and cards are worth.
const NEVER: u8 = 30;

/// A match that is being replayed.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The position.
    pub at: Position,
    /// How the match has ended.
    pub ending: Ending,
    /// What was met so far.
    pub met: Counts,
    /// Steps taken, and so lists compared.
    pub steps: usize,
    /// States compared.
    pub states: usize,
    /// Development cards; the last one is drawn first.
    deck: Vec<Card>,
    /// The phase in which the last action leaves the match by `ours`, if it was needed.
    by_rules: Option<Phase>,
    /// Where the two bookkeepings of roads differed after the last step.
    roads_apart: Disagreement,
}

/// The parts of a line that set up a match.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// Options.
    pub config: Field<'a>,
    /// Who sits where.
    pub seats: Field<'a>,
    /// The island.
    pub map: Field<'a>,
    /// Development cards.
    pub deck: Field<'a>,
    /// The robber's tile.
    pub robber: Field<'a>,
}

impl Replay {
    /// Sets a match up. What one seat knows is followed too, if one is named.
    ///
    /// # Errors
    /// If the parts don't make one, or if nobody has that seat.
    pub fn new(setting: &Setting<'_>, seat: Option<Seat>) -> Result<Replay, Malformed> {
        let Setting { config, seats, map, deck, robber } = *setting;
        let players = u8::try_from(seats.items(2..=4)?.len()).expect("at most four");
        if seat.is_some_and(|seat| seat.number() > players) {
            return Err(seats.bad("a list that has the seat to follow"));
        }
        let ours = rules(config, players)?;
        let mut theirs = Rules {
            points_to_win: NEVER.into(),
            turns_max: 5 * TURNS_MAX,
            shortage: Shortage::Nobody,
            ..ours.clone()
        };
        theirs.robber.spares_below = 0;
        let make = |rules: Rules| {
            Base::new(rules, players).map_err(|faults| config.bad(&faults[0].to_string()))
        };
        let (ours, theirs) = (make(ours)?, make(theirs)?);
        let island = Island::read(&ours, map)?;
        let state = ours.deal_on(island.board, island.hex(robber)?);
        let cards: Result<Vec<Card>, Malformed> = deck.items(25..=25)?.map(words::card).collect();
        let cards = cards?;
        let has = |card: Card| cards.iter().filter(|other| **other == card).count();
        if Card::ALL.iter().any(|&card| has(card) != usize::from(state.deck[card.idx()])) {
            return Err(deck.bad("the development cards of the base game"));
        }
        let at = Position {
            ours,
            follower: Follower::start(theirs, state, seat),
            island,
            roads: Roads::default(),
            given: Default::default(),
            offer: None,
            heard: Vec::new(),
        };
        Ok(Replay {
            at,
            ending: Ending::default(),
            met: Counts::default(),
            steps: 0,
            states: 0,
            deck: cards,
            by_rules: None,
            roads_apart: Disagreement::default(),
        })
    }

    /// Takes a step: what was done, what could have been done, and the result.
    ///
    /// # Errors
    /// If it can't be read, or is not what the rules and the known differences say.
    pub fn step(&mut self, step: Field<'_>) -> Result<(), Trouble> {
        if let Some(ended) = self.ending.ended {
            return Err(differs("a", step.key("a")?.text(), format!("nothing, it is {ended:?}")));
        }
        let at = &self.at;
        let [seat, word, value] = step.key("a")?.list::<3>()?;
        let (seat, asked) = (words::seat(&at.ours, seat)?, at.asked());
        if seat != asked {
            return Err(differs("a", seat_name(seat), seat_name(asked)));
        }
        let choice = choice::read(&at.ours, &at.island, word, value)?;
        check_terms(&at.state().table, at.offer.as_ref(), choice, "a")?;
        lists::compare(at, step, choice, &mut self.met)?;
        let luck = luck::outcome(at.state(), &mut self.deck, choice.action, step.key("r")?)?;
        self.take(choice.action, luck);
        self.note_roads();
        self.compare_states(step.key("s")?)?;
        self.note_end()?;
        #[cfg(debug_assertions)]
        self.at.theirs().check(self.at.state());
        self.steps += 1;
        Ok(())
    }

    /// Compares all fields of a state.
    ///
    /// # Errors
    /// If one can't be read, or differs.
    pub fn compare_states(&mut self, state: Field<'_>) -> Result<(), Trouble> {
        states::compare(&self.at, state)?;
        self.states += 1;
        Ok(())
    }

    /// Compares the winner and the number of turns once all steps are taken.
    ///
    /// # Errors
    /// If they are others.
    pub fn finish(&self, winner: Field<'_>, turns: Field<'_>) -> Result<(), Trouble> {
        self.ending.finish(&self.at, winner, turns)
    }

    /// What was compared and met so far.
    pub fn compared(&self) -> Compared {
        let Replay { steps, states, met, .. } = *self;
        Compared { unofficial: self.at.ours.unofficial(), steps, states, met }
    }

    /// Carries out an action that the lists allow. What its chance event gives is `luck`.
    pub fn take(&mut self, action: Action, luck: u8) {
        self.by_rules = None;
        let turns = self.at.turns();
        let founding = matches!(self.at.state().table.stage, Stage::Founding(_));
        match action {
            Action::Discard { card } => self.discard(self.at.asked(), Resources::one(card)),
            Action::Offer { give, want, .. } => self.offer(action, Terms { give, want }),
            Action::Accept | Action::Refuse | Action::Settle { .. } | Action::Decline => {
                self.answer(action);
            }
            _ => self.carry_out(action, luck),
        }
        if founding {
            let placed = self.at.turns() - turns;
            (0..placed).for_each(|_| self.met.add(Difference::PlacementTurn));
        }
    }

    /// Carries out an action by both rule sets and updates the bookkeeping of roads.
    fn carry_out(&mut self, action: Action, luck: u8) {
        let at = &mut self.at;
        let before = *at.state();
        let mut by_rules = before;
        at.ours.apply(&mut by_rules, action, &mut Given(luck));
        at.carry_out(action, luck);
        self.by_rules = Some(by_rules.table.phase);
        let after = at.follower.state();
        if action == Action::Roll && by_rules.hands != after.hands {
            self.met.add(Difference::ShortBank);
        }
        at.roads.keep(at.ours.map(), &at.island, &before.table, &after.table, action);
        self.keep_free_road(&before.table, action);
    }

    /// Gives a free road back that only the other program has a place for.
    fn keep_free_road(&mut self, before: &Table, action: Action) {
        let (at, seat) = (&mut self.at, before.active);
        let table = &at.state().table;
        if matches!(action, Action::Settlement { .. } | Action::Road { .. })
            && let Phase::FreeRoads(left @ 2..) = before.phase
            && table.phase == Phase::Act
            && has_road(&table.pieces, seat)
            && !at.past_buildings(seat).is_empty()
        {
            at.follower.state_mut().table.phase = Phase::FreeRoads(left - 1);
            self.met.add(Difference::PastBuilding);
        }
    }

    /// Counts where the two bookkeepings of roads differ.
    pub(super) fn note_roads(&mut self) {
        let Position { ours, roads, .. } = &self.at;
        self.roads_apart.note(ours, &self.at.state().table, roads, &mut self.met);
    }

    /// Notes whether the match has ended.
    pub(super) fn note_end(&mut self) -> Result<(), Trouble> {
        self.ending.note(&self.at, self.by_rules, &mut self.met)
    }

    /// Takes a card of a seat for a 7; with the last one owed, all are discarded in our order.
    pub fn discard(&mut self, seat: Seat, card: Resources) {
        let at = &mut self.at;
        at.given[seat.idx()] = at.given[seat.idx()] + card;
        if Seat::all(at.ours.players()).any(|seat| at.owed(seat) > 0) {
            return;
        }
        while let Phase::Discard { seat, .. } = at.state().table.phase {
            let given = &mut at.given[seat.idx()];
            let Some((card, _)) = given.iter().next() else { break };
            *given = *given - Resources::one(card);
            at.carry_out(Action::Discard { card }, 0);
        }
        self.met.add(Difference::OneByOne);
    }

    /// An offer to all.
    fn offer(&mut self, action: Action, terms: Terms) {
        let at = &mut self.at;
        let maker = at.state().table.current;
        at.carry_out(action, 0);
        at.offer = Some(OpenOffer::new(terms, maker, at.ours.players()));
        self.met.add(Difference::NoCounter);
        if maker != Seat::FIRST {
            self.met.add(Difference::OwnOffer);
        }
    }

    /// An answer to it, or the answer that its maker takes. With the last answer, all are passed to our rules,
    /// in our order.
    fn answer(&mut self, action: Action) {
        let at = &mut self.at;
        let Some(mut offer) = at.offer.take() else { return };
        if !offer.is_open() {
            return self.choose(&offer, action);
        }
        offer.answer(action == Action::Accept, at.ours.players());
        if !offer.is_open() {
            while let Phase::Answer(seat) = at.state().table.phase {
                at.carry_out(offer.answer_of(seat), 0);
            }
        }
        at.offer = offer.remains().then_some(offer);
    }

    /// The maker takes an answer or none. If it alone has accepted, our rules have moved on already.
    fn choose(&mut self, offer: &OpenOffer, action: Action) {
        if self.at.state().table.phase == Phase::Choose {
            let action = if offer.is_own(action) { Action::Decline } else { action };
            self.at.carry_out(action, 0);
        }
    }
}

/// The recorded options as a rule set.
fn rules(config: Field<'_>, players: u8) -> Result<Rules, Malformed> {
    let mut rules = Rules {
        points_to_win: config.key("vps")?.number(NEVER - 1)?.into(),
        turns_max: TURNS_MAX - 2 * (u16::from(players) - 1),
        ..Rules::default()
    };
    rules.robber.hand_limit = config.key("discard")?.number(95)?;
    if config.key("friendly")?.number(1)? == 1 {
        rules.robber.spares_below = 3;
    }
    // Offers are never listed in a record, and their number has no limit there.
    (rules.trade.listed_max, rules.trade.proposals_max) = (0, 10);
    Ok(rules)
}
