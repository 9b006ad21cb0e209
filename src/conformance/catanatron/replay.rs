//! A recorded match, replayed step by step by our rules, with the other program's account beside them.
//!
//! Two rule sets play. `ours` is what the rules say under the recorded options. `theirs` differs where a
//! field can say what the other program does: a short bank pays nobody, the robber spares nobody (whom it
//! spares there is worked out in `lists`), and a match has no end. The match goes on by `theirs`; at each
//! step both carry out the action, and where they part it is a known difference or a fault.

use crate::chance::Chance;
use crate::chance::Luck;
use crate::conformance::catanatron::differences::Counts;
use crate::conformance::catanatron::differences::Difference;
use crate::conformance::catanatron::differences::Mismatch;
use crate::conformance::catanatron::field::Field;
use crate::conformance::catanatron::field::Malformed;
use crate::conformance::catanatron::island::Island;
use crate::conformance::catanatron::roads::Roads;
use crate::conformance::catanatron::trade::Haggle;
use crate::conformance::catanatron::words;
use crate::conformance::catanatron::words::Choice;
use crate::game::End;
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

/// The number of turns, placement included, at which the other program cuts a match.
const TURNS_MAX: u16 = 1000;

/// Points that no one can have: more than all pieces and cards are worth.
const NEVER: u8 = 30;

/// Why a step is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It can't be read.
    Malformed(Malformed),
    /// It is not what the rules and the known differences say.
    Mismatch(Mismatch),
}

impl From<Malformed> for Trouble {
    fn from(malformed: Malformed) -> Trouble {
        Trouble::Malformed(malformed)
    }
}

/// Complains unless two values are alike.
///
/// # Errors
/// If they differ.
pub fn same<T: PartialEq + std::fmt::Debug>(
    field: &'static str,
    found: &T,
    due: &T,
) -> Result<(), Trouble> {
    if found == due {
        return Ok(());
    }
    Err(differs(field, format!("{found:?}"), format!("{due:?}")))
}

/// A complaint about a value.
pub fn differs(field: &'static str, found: String, due: String) -> Trouble {
    Trouble::Mismatch(Mismatch { field, found, due })
}

/// A seat as the records count it, from 0.
fn seat_name(seat: Seat) -> String {
    format!("seat {}", seat.idx())
}

/// How the other program's match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// This seat has the points.
    Won(Seat),
    /// Its limit of turns has come.
    Cut,
}

/// The position of a match between two steps.
#[derive(Debug)]
pub struct Replay {
    /// The rules under the recorded options.
    pub ours: Base,
    /// The same as near as fields can come to the other program.
    pub theirs: Base,
    /// The island.
    pub island: Island,
    /// The position.
    pub state: State,
    /// The other program's account of roads.
    pub roads: Roads,
    /// Cards that it has taken for a 7 while we wait for the last, by seat.
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
    /// Development cards, the last is drawn first.
    deck: Vec<Card>,
    /// The phase in which the last action leaves the match by `ours`, if that was asked.
    by_rules: Option<Phase>,
    /// Whether the match is won by `ours`, though it may go on by `theirs`.
    won: bool,
    /// Whether Longest Road was elsewhere, and whose length was another, after the last step.
    parted: (bool, u8),
}

/// The parts of a line that a match is set up from.
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

    /// Takes a step: what was done, what could have been done, and what came of it.
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
        self.steps += 1;
        Ok(())
    }

    /// Who is asked: our order of answers and discards is another.
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

    /// The outcome that the record gives to an action, as a number for [`Given`].
    fn luck(&mut self, action: Action, result: Field<'_>) -> Result<u8, Trouble> {
        match action {
            Action::Roll => {
                let [one, two] = result.numbers::<2>(6)?;
                if one == 0 || two == 0 {
                    return Err(result.bad("two dice").into());
                }
                Ok(6 * (one - 1) + two - 1)
            }
            Action::Buy => {
                let card = words::card(result)?;
                same("r", &Some(card), &self.deck.pop())?;
                Ok(u8::try_from(card.idx()).expect("few cards"))
            }
            Action::Robber { victim: Some(victim), .. } => {
                let kind = words::kind(result)?;
                if self.state.hands[victim.idx()].get(kind) == 0 {
                    let due = format!("one of {}", self.state.hands[victim.idx()]);
                    return Err(differs("r", kind.name().to_owned(), due));
                }
                Ok(u8::try_from(kind.idx()).expect("few kinds"))
            }
            _ if result.is_null() => Ok(0),
            // Discards repeat the card.
            Action::Discard { card } => Ok(same("r", &words::kind(result)?, &card).map(|()| 0)?),
            _ => Err(differs("r", result.text(), "null".to_owned())),
        }
    }

    /// Carries out an action that the lists allow.
    fn take(&mut self, action: Action, luck: u8) {
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

    /// Carries out an action by both rule sets and keeps the account of roads.
    fn carry_out(&mut self, action: Action, luck: u8) {
        let mut by_rules = self.state;
        self.ours.apply(&mut by_rules, action, &mut Given(luck));
        let before = self.state;
        self.theirs.apply(&mut self.state, action, &mut Given(luck));
        self.by_rules = Some(by_rules.table.phase);
        if by_rules.hands != self.state.hands {
            self.met.add(Difference::ShortBank);
        }
        self.keep_roads(&before, action);
    }

    /// What the other program makes of a new piece, and of free roads that only it has a place for.
    fn keep_roads(&mut self, before: &State, action: Action) {
        let map = self.theirs.map();
        let (seat, table) = (before.table.active, &self.state.table);
        let founding = matches!(before.table.stage, Stage::Founding(_));
        match action {
            Action::Settlement { vertex } if founding => self.roads.found(seat, vertex),
            Action::Settlement { vertex } => self.roads.settle(map, table, seat, vertex),
            Action::Road { edge } => self.roads.lay(map, table, seat, edge, founding),
            _ => return,
        }
        if let Phase::FreeRoads(left @ 2..) = before.table.phase
            && self.state.table.phase == Phase::Act
            && self.has_road(seat)
            && !self.past_buildings(seat).is_empty()
        {
            self.state.table.phase = Phase::FreeRoads(left - 1);
            self.met.add(Difference::PastBuilding);
        }
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

    /// Counts where the accounts of roads part.
    fn note_roads(&mut self) {
        if matches!(self.state.table.stage, Stage::Founding(_)) {
            return;
        }
        let table = &self.state.table;
        let other = |seat: &Seat| {
            let length = table.pieces.longest_road(self.ours.map(), *seat);
            length != self.roads.lengths[seat.idx()]
        };
        let lengths = Seat::all(self.ours.players()).filter(other);
        let lengths = lengths.fold(0, |seats, seat| seats | 1 << seat.idx());
        let holder = table.route != self.roads.holder;
        if holder && !self.parted.0 {
            self.met.add(Difference::RoadHolder);
        }
        for _ in 0..(lengths & !self.parted.1).count_ones() {
            self.met.add(Difference::RoadLength);
        }
        self.parted = (holder, lengths);
    }

    /// Says whether the match has ended for the other program; for us it ends when the seat on turn has the
    /// points. Its points have been compared: only Longest Road in another hand tells them from ours.
    fn note_end(&mut self) -> Result<(), Trouble> {
        let target = self.ours.rules().points_to_win;
        let table = &self.state.table;
        let current = table.current;
        let cut = self.turns() >= TURNS_MAX;
        let won = table.may_win() && self.state.points(&self.ours, current) >= target;
        if let Some(phase) = self.by_rules
            && !(self.won && won)
        {
            let due = if cut { Some(End::TurnLimit) } else { won.then_some(End::Won) };
            let end = if let Phase::Over(end) = phase { Some(end) } else { None };
            same("avp", &due, &end)?;
        }
        self.won = won;
        let has_won = |seat: &Seat| self.their_points(*seat) >= target;
        let winner = Seat::all(self.ours.players()).filter(has_won).last();
        self.ended = winner.map(Ended::Won).or(cut.then_some(Ended::Cut));
        if winner.is_some_and(|winner| winner != current) {
            self.met.add(Difference::WonOffTurn);
        }
        Ok(())
    }

    /// Compares the winner and the number of turns once all steps are taken.
    ///
    /// # Errors
    /// If they are others.
    pub fn finish(&self, winner: Field<'_>, turns: Field<'_>) -> Result<(), Trouble> {
        let seat = winner.given().map(|seat| words::seat(&self.ours, seat)).transpose()?;
        let Some(ended) = self.ended else {
            return Err(differs("steps", "no more".to_owned(), "a match to its end".to_owned()));
        };
        let due = if let Ended::Won(seat) = ended { Some(seat) } else { None };
        let name = |seat: Option<Seat>| seat.map_or("nobody".to_owned(), seat_name);
        if seat != due {
            return Err(differs("winner", name(seat), name(due)));
        }
        same("turns", &turns.integer()?, &i64::from(self.turns()))
    }

    /// Points of a seat, hidden ones too, with Longest Road where the other program has it.
    pub fn their_points(&self, seat: Seat) -> u8 {
        self.their_shown_points(seat) + self.state.cards[seat.idx()][Card::VictoryPoint.idx()]
    }

    /// The same without hidden ones.
    pub fn their_shown_points(&self, seat: Seat) -> u8 {
        let route = self.ours.rules().route.points;
        let moved = |holder: Option<Seat>| if holder == Some(seat) { route } else { 0 };
        self.state.table.points(&self.ours, seat) + moved(self.roads.holder)
            - moved(self.state.table.route)
    }

    /// Complains of a trade on other terms than those on the table.
    ///
    /// # Errors
    /// If there is such a trade in the field.
    pub fn check_terms(&self, choice: Choice, field: &'static str) -> Result<(), Trouble> {
        if let Some(rate) = choice.rate
            && let Action::BankTrade { give, .. } = choice.action
        {
            let table = &self.state.table;
            same(field, &rate, &table.rates[table.active.idx()][give.idx()])?;
        }
        let answer = !matches!(choice.action, Action::Offer { .. });
        match choice.terms.filter(|_| answer) {
            Some(terms) => {
                let open = self.haggle.as_ref().map(Haggle::terms);
                let due = open.map_or("no answer".to_owned(), |open| open.to_string());
                if open == Some(terms) {
                    Ok(())
                } else {
                    Err(differs(field, terms.to_string(), due))
                }
            }
            None => Ok(()),
        }
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
    // Offers are never listed in a record.
    rules.trade.listed_max = 0;
    Ok(rules)
}

/// An outcome that is known, for whatever is asked.
pub struct Given(pub u8);

impl Chance for Given {
    fn start_turn(&mut self, _turn: u16) {}

    fn card(&mut self, _luck: Luck, _among: u64) -> u8 {
        self.0
    }

    fn kind(&mut self, _luck: Luck, _counts: &[u8]) -> u8 {
        self.0
    }
}
