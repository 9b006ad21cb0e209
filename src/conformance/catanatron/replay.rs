//! A recorded match, replayed step by step by our rules, with the other program's account beside them.
//!
//! Two rule sets play. `ours` is what the rules say under the recorded options. `theirs` differs where a
//! field can say what the other program does: a short bank pays nobody, the robber spares nobody (whom it
//! spares there is worked out in `lists`), and a match has no end. The match is played by `theirs`; at each
//! step both carry out the action, and where they differ it is a known difference or a fault.

use crate::conformance::catanatron::differences::Counts;
use crate::conformance::catanatron::differences::Difference;
use crate::conformance::catanatron::ending::Ended;
use crate::conformance::catanatron::field::Field;
use crate::conformance::catanatron::field::Malformed;
use crate::conformance::catanatron::island::Island;
use crate::conformance::catanatron::luck::Given;
use crate::conformance::catanatron::roads::Roads;
use crate::conformance::catanatron::trade::Haggle;
use crate::conformance::catanatron::trouble::Trouble;
use crate::conformance::catanatron::trouble::differs;
use crate::conformance::catanatron::trouble::seat_name;
use crate::conformance::catanatron::words;
use crate::game::Game;
use crate::games::base::Base;
use crate::games::base::action::Action;
use crate::games::base::cards::Card;
use crate::games::base::rules::Rules;
use crate::games::base::rules::Shortage;
use crate::games::base::state::Phase;
use crate::games::base::state::Stage;
use crate::games::base::state::State;
use crate::parts::resources::Resources;
use crate::types::seat::PerSeat;
use crate::types::seat::Seat;

/// The number of turns, placement included, at which the other program ends a match.
pub const TURNS_MAX: u16 = 1000;

/// Points that no one can have: more than all pieces and cards are worth.
const NEVER: u8 = 30;

/// The position of a match between two steps.
#[derive(Debug)]
pub struct Replay {
    /// The rules under the recorded options.
    pub ours: Base,
    /// The other program's rules, as nearly as fields can express them.
    pub theirs: Base,
    /// The island.
    pub island: Island,
    /// The position.
    pub state: State,
    /// The other program's bookkeeping of roads.
    pub roads: Roads,
    /// Cards that it has discarded on a 7 while ours wait for the last one, by seat.
    pub given: PerSeat<Resources>,
    /// The offer on the table.
    pub haggle: Option<Haggle>,
    /// How its match has ended.
    pub ended: Option<Ended>,
    /// What was met so far.
    pub met: Counts,
    /// Steps taken, and so lists compared.
    pub steps: usize,
    /// States compared.
    pub states: usize,
    /// Development cards; the last one is drawn first.
    pub(super) deck: Vec<Card>,
    /// The phase in which the last action leaves the match by `ours`, if it was needed.
    pub(super) by_rules: Option<Phase>,
    /// Whether the match is won by `ours`, though it may continue by `theirs`.
    pub(super) won: bool,
    /// Whether Longest Road had another holder, and whose length differed, after the last step.
    pub(super) parted: (bool, u8),
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
    /// Sets a match up.
    ///
    /// # Errors
    /// If the parts don't make one.
    pub fn new(setting: &Setting<'_>) -> Result<Replay, Malformed> {
        let Setting { config, seats, map, deck, robber } = *setting;
        let players = u8::try_from(seats.items(2..=4)?.len()).expect("at most four");
        let ours = rules(config, players)?;
        let theirs = Rules {
            points_to_win: NEVER,
            turns_max: 5 * TURNS_MAX,
            shortage: Shortage::Nobody,
            ..ours.clone()
        };
        let spared = |mut rules: Rules| {
            rules.robber.spares_below = 0;
            rules
        };
        let make = |rules: Rules| {
            Base::new(rules, players).map_err(|faults| config.bad(&faults[0].to_string()))
        };
        let (ours, theirs) = (make(ours)?, make(spared(theirs))?);
        let island = Island::read(&ours, map)?;
        let state = ours.start_on(island.board, island.hex(robber)?);
        let deck: Result<Vec<Card>, Malformed> = deck.items(25..=25)?.map(words::card).collect();
        let deck = deck?;
        let has = |card: Card| deck.iter().filter(|other| **other == card).count();
        if Card::ALL.iter().any(|&card| has(card) != usize::from(state.deck[card.idx()])) {
            return Err(setting.deck.bad("the development cards of the base game"));
        }
        Ok(Replay {
            ours,
            theirs,
            island,
            state,
            roads: Roads::default(),
            given: Default::default(),
            haggle: None,
            ended: None,
            met: Counts::default(),
            steps: 0,
            states: 0,
            deck,
            by_rules: None,
            won: false,
            parted: (false, 0),
        })
    }

    /// Takes a step: what was done, what could have been done, and the result.
    ///
    /// # Errors
    /// If it can't be read, or is not what the rules and the known differences say.
    pub fn step(&mut self, step: Field<'_>) -> Result<(), Trouble> {
        if let Some(ended) = self.ended {
            return Err(differs("a", step.key("a")?.text(), format!("nothing, it is {ended:?}")));
        }
        let [seat, word, value] = step.key("a")?.list::<3>()?;
        let (seat, asked) = (words::seat(&self.ours, seat)?, self.asked());
        if seat != asked {
            return Err(differs("a", seat_name(seat), seat_name(asked)));
        }
        let choice = words::choice(&self.ours, &self.island, word, value)?;
        self.check_terms(choice, "a")?;
        self.compare_lists(step, choice)?;
        let luck = self.luck(choice.action, step.key("r")?)?;
        self.take(choice.action, luck);
        self.note_roads();
        self.compare_states(step.key("s")?)?;
        self.note_end()?;
        #[cfg(debug_assertions)]
        self.theirs.check(&self.state);
        self.steps += 1;
        Ok(())
    }

    /// Who is asked: our order of answers and discards differs.
    pub fn asked(&self) -> Seat {
        let discards = || Seat::all(self.ours.players()).find(|&seat| self.owed(seat) > 0);
        match (&self.haggle, self.state.table.phase) {
            (Some(haggle), _) => haggle.asked(),
            (None, Phase::Discard { .. }) => discards().unwrap_or(self.state.table.active),
            _ => self.state.table.active,
        }
    }

    /// Cards that a seat has yet to discard.
    pub fn owed(&self, seat: Seat) -> u8 {
        if !matches!(self.state.table.phase, Phase::Discard { .. }) {
            return 0;
        }
        let owed = self.theirs.owed(self.state.hands[seat.idx()]);
        owed - self.given[seat.idx()].total()
    }

    /// Completed turns as the other program counts them.
    pub fn turns(&self) -> u16 {
        let table = &self.state.table;
        let last = u16::from(self.ours.players()) - 1;
        let active = u16::from(table.active.number()) - 1;
        match table.stage {
            Stage::Founding(1) => active,
            Stage::Founding(_) => 2 * last - active,
            _ => 2 * last + table.turn - 1,
        }
    }

    /// Carries out an action that the lists allow.
    pub(super) fn take(&mut self, action: Action, luck: u8) {
        self.by_rules = None;
        let turns = self.turns();
        let founding = matches!(self.state.table.stage, Stage::Founding(_));
        match action {
            Action::Discard { card } => self.discard(Resources::one(card)),
            Action::Offer { .. } => self.offer(action),
            Action::Accept | Action::Refuse | Action::Settle { .. } | Action::Decline => {
                self.answer(action);
            }
            _ => self.carry_out(action, luck),
        }
        if founding {
            let placed = self.turns() - turns;
            (0..placed).for_each(|_| self.met.add(Difference::PlacementTurn));
        }
    }

    /// Carries out an action by both rule sets and updates the bookkeeping of roads.
    pub(super) fn carry_out(&mut self, action: Action, luck: u8) {
        let mut by_rules = self.state;
        self.ours.apply(&mut by_rules, action, &mut Given(luck));
        let before = self.state;
        self.theirs.apply(&mut self.state, action, &mut Given(luck));
        self.by_rules = Some(by_rules.table.phase);
        if action == Action::Roll && by_rules.hands != self.state.hands {
            self.met.add(Difference::ShortBank);
        }
        self.keep_roads(&before, action);
    }

    /// Takes a card for a 7; with the last one owed, all are discarded in our order.
    fn discard(&mut self, card: Resources) {
        let seat = self.asked().idx();
        self.given[seat] = self.given[seat] + card;
        if Seat::all(self.ours.players()).any(|seat| self.owed(seat) > 0) {
            return;
        }
        while let Phase::Discard { seat, .. } = self.state.table.phase {
            let given = &mut self.given[seat.idx()];
            let Some((card, _)) = given.iter().next() else { break };
            *given = *given - Resources::one(card);
            self.theirs.apply(&mut self.state, Action::Discard { card }, &mut Given(0));
        }
        self.met.add(Difference::OneByOne);
    }
}

/// The recorded options as a rule set.
fn rules(config: Field<'_>, players: u8) -> Result<Rules, Malformed> {
    let mut rules = Rules {
        points_to_win: config.key("vps")?.number(NEVER - 1)?,
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
