//! The dice race: a toy game whose win rates are known in closed form, and the agents that play it.
//!
//! - **DR-1** Players take turns in order. Whoever is on turn rolls one of the dice that are in the
//!   match. The die's field says what percentage of its rolls win the match at once; after any other
//!   roll the next seat is on turn.
//!   A seat may be left one die only (`only`). One seat, drawn by the deal, has a gift: this much
//!   is added to the per cent of its dice (`gift`).
//! - **DR-2** After `turns_max` turns nobody has won. The winner has 1 point, the others none.
//!
//! Each turn has one roll, and the luck of a turn is the same whatever was rolled before: where a
//! die wins, one of a higher per cent wins too. Nothing is hidden and nothing is remembered.

use fairhaven::core::arrays::{ActionKind, ActionNumbers, Arrays, Columns, small};
use fairhaven::core::chance::{Chance, ChanceEvent, Luck};
use fairhaven::core::game::{
    ActionFilter, BadRule, End, Field, Game, IllegalAction, Outcome, Steps, Turn,
};
use fairhaven::core::measure::standings::Standings;
use fairhaven::core::measure::{Choice, ChoiceOption, Flow, Measure, Sources};
use fairhaven::core::resources::{Resource, Resources};
use fairhaven::core::types::actions::Listing;
use fairhaven::core::types::seat::{SEATS_MAX, Seat};
use fairhaven::core::wording::Wording;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// One of the dice, and the one kind of action: to roll it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Die {
    /// Die a.
    A,
    /// Die b.
    B,
    /// Die c.
    C,
    /// Die d.
    D,
}

impl Die {
    /// All dice, in the order of every list.
    pub const ALL: [Die; 4] = [Die::A, Die::B, Die::C, Die::D];

    /// Position in an array by die.
    pub const fn idx(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "roll {}", DiceRace::CARDS[self.idx()])
    }
}

/// The rule set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Per cent of die a's rolls that win; 0 takes it out of the match.
    pub a: u8,
    /// The same of die b.
    pub b: u8,
    /// The same of die c.
    pub c: u8,
    /// The same of die d.
    pub d: u8,
    /// Turns, counted by player, before a match ends without a winner.
    pub turns_max: u16,
    /// By seat: the only die that it may roll, 1 to 4; 0 where it may roll any.
    pub only: [u8; 4],
    /// What the deal adds to the per cent of the dice of one seat; 0 deals nothing.
    pub gift: u8,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::of([25, 20, 15, 10])
    }
}

impl Rules {
    /// The usual number of turns with these dice.
    pub const fn of([a, b, c, d]: [u8; 4]) -> Rules {
        Rules { a, b, c, d, turns_max: 60, only: [0; 4], gift: 0 }
    }

    /// Per cent of a die's rolls that win.
    pub fn percent(&self, die: Die) -> u8 {
        [self.a, self.b, self.c, self.d][die.idx()]
    }

    /// The dice that a seat may roll; a die that is out of the match leaves it all others.
    pub fn dice_of(&self, seat: usize) -> Vec<Die> {
        let only = usize::from(self.only[seat]);
        let all: Vec<Die> = self.dice().collect();
        match all.iter().find(|die| die.idx() + 1 == only) {
            Some(&die) => vec![die],
            None => all,
        }
    }

    /// The dice that are in the match.
    pub fn dice(&self) -> impl Iterator<Item = Die> {
        Die::ALL.into_iter().filter(|&die| self.percent(die) > 0)
    }

    fn faults(&self) -> Vec<BadRule> {
        let mut faults = Vec::new();
        for (field, die) in DiceRace::FIELDS.iter().zip(Die::ALL) {
            if u16::from(self.percent(die)) + u16::from(self.gift) > 100 {
                faults.push(BadRule::new(field.path, "more than 100 per cent"));
            }
        }
        if self.dice().next().is_none() {
            faults.push(BadRule::new("a", "some die must be above 0"));
        }
        if self.only.iter().any(|&only| only > 4) {
            faults.push(BadRule::new("only", "not in 0 to 4"));
        }
        if !(1..=1000).contains(&self.turns_max) {
            faults.push(BadRule::new("turns_max", "not in 1 to 1000"));
        }
        faults
    }
}

/// The state of the match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The seat on turn rolls.
    Roll,
    /// The seat on turn has won with this die.
    Won(Die),
    /// The turn limit was reached.
    Limit,
}

/// What is left to luck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// The seat that has the gift.
    Gift,
    /// A roll.
    Roll,
}

impl Luck for Draw {
    fn stream(self) -> u8 {
        match self {
            Draw::Gift => 0,
            Draw::Roll => 4,
        }
    }
}

/// A position. The turn says whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// The turn, counted by player from 1.
    pub turn: u16,
    /// The state of the match.
    pub phase: Phase,
    /// The seat that has the gift, if there is one.
    pub gifted: Option<Seat>,
}

/// The game for one rule set and one table size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiceRace {
    rules: Rules,
    players: u8,
}

impl DiceRace {
    fn seat(&self, turn: u16) -> Seat {
        let idx = (turn - 1) % u16::from(self.players);
        Seat::new(u8::try_from(idx).expect("below the number of players"))
    }

    fn dice(&self, state: State) -> Vec<Die> {
        self.rules.dice_of(self.seat(state.turn).idx())
    }

    /// Per cent of a seat's rolls of a die that win.
    fn percent(&self, state: State, die: Die) -> u8 {
        let is_gifted = state.gifted == Some(self.seat(state.turn));
        self.rules.percent(die) + if is_gifted { self.rules.gift } else { 0 }
    }

    fn winner(&self, state: State) -> Option<Seat> {
        matches!(state.phase, Phase::Won(_)).then(|| self.seat(state.turn))
    }
}

const fn die(path: &'static str) -> Field {
    let about = "per cent of the die's rolls that win, 0 to 100; 0 takes it out of the match";
    Field { path, clause: "DR-1", about, open: true, steps: Steps::Whole(0, 100) }
}

const TURNS_MAX: Field = Field {
    path: "turns_max",
    clause: "DR-2",
    about: "turns of single players, 1 to 1000",
    open: false,
    steps: Steps::Whole(1, 1000),
};

const GIFT: Field = Field {
    path: "gift",
    clause: "DR-1",
    about: "what the deal adds to the dice of one seat, in per cent, 0 to 100",
    open: false,
    steps: Steps::Whole(0, 100),
};

const ONLY: Field = Field {
    path: "only",
    clause: "DR-1",
    about: "by seat: the only die that it may roll, 1 to 4; 0 for any",
    open: false,
    steps: Steps::Sets(&[]),
};

impl Game for DiceRace {
    type State = State;
    type Action = Die;
    type Draw = Draw;
    type View<'a> = &'a State;
    type Memory = ();
    type Rules = Rules;

    const NAME: &'static str = "dice-race";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=4;
    const ACTIONS_MAX: usize = 4;
    const FIELDS: &'static [Field] =
        &[die("a"), die("b"), die("c"), die("d"), TURNS_MAX, ONLY, GIFT];

    fn new(rules: Rules, players: u8) -> Result<DiceRace, Vec<BadRule>> {
        let mut faults = rules.faults();
        if !Self::PLAYERS.contains(&players) {
            faults.push(BadRule::new("players", "not in 2 to 4"));
        }
        if faults.is_empty() { Ok(DiceRace { rules, players }) } else { Err(faults) }
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn unofficial(&self) -> Option<&'static str> {
        None
    }

    fn turns_max(&self) -> u16 {
        self.rules.turns_max
    }

    fn decisions_max(&self) -> u32 {
        u32::from(self.rules.turns_max)
    }

    fn deal<C: Chance<Draw>>(&self, chance: &mut C) -> State {
        let gifted = (self.rules.gift > 0).then(|| {
            let seat = chance.card(Draw::Gift, (1 << self.players) - 1);
            Seat::new(seat)
        });
        chance.start_turn(1);
        State { turn: 1, phase: Phase::Roll, gifted }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Roll => Turn::Decide(self.seat(state.turn)),
            Phase::Won(_) | Phase::Limit => Turn::Over,
        }
    }

    fn list<L: Listing<Die>>(&self, state: &State, _filter: ActionFilter, out: &mut L) {
        if state.phase == Phase::Roll {
            let dice = self.dice(*state);
            out.each(dice.len(), dice.into_iter());
        }
    }

    fn permits(&self, state: &State, die: Die) -> Result<(), IllegalAction> {
        if state.phase != Phase::Roll {
            return Err(IllegalAction("the match is over".to_owned()));
        }
        let out = || IllegalAction(format!("{die}: the seat may not roll it"));
        if self.dice(*state).contains(&die) { Ok(()) } else { Err(out()) }
    }

    fn apply<C: Chance<Draw>>(&self, state: &mut State, die: Die, chance: &mut C) {
        let percent = self.percent(*state, die);
        if chance.kind(Draw::Roll, &[percent, 100 - percent]) == 0 {
            state.phase = Phase::Won(die);
        } else if state.turn == self.rules.turns_max {
            state.phase = Phase::Limit;
        } else {
            state.turn += 1;
            chance.start_turn(state.turn);
        }
    }

    fn outcome(&self, state: &State) -> Outcome {
        assert!(state.phase != Phase::Roll, "the match goes on");
        let winner = self.winner(*state);
        let end = winner.map_or(End::TurnLimit, |_| End::Won);
        let mut points = [0; SEATS_MAX];
        for seat in Seat::all(self.players) {
            points[seat.idx()] = Measure::points(self, state, seat);
        }
        Outcome { end, winner, points, seats: self.players }
    }

    fn check(&self, state: &State) {
        assert!((1..=self.rules.turns_max).contains(&state.turn), "a turn past the limit");
        if let Phase::Won(die) = state.phase {
            assert!(self.rules.percent(die) > 0, "a die that is not in the match has won");
        }
    }

    fn view<'a>(&self, state: &'a State, _seat: Seat) -> &'a State {
        state
    }

    fn turn_number(&self, state: &State) -> u16 {
        state.turn
    }
}

impl Arrays for DiceRace {
    fn columns(&self, state: &&State, out: &mut impl Columns) {
        out.group("race", 1, &[("turn", 1)], |rows| {
            rows.row(0).put(small(self.turn_number(state)));
        });
    }

    fn action_kinds(&self) -> Vec<ActionKind> {
        vec![ActionKind::new("roll", &[("die", Die::ALL.len())])]
    }

    fn action_numbers(&self, _seat: Seat, die: Die) -> ActionNumbers {
        ActionNumbers::new(0, [die.idx(), 0, 0])
    }
}

impl Wording for DiceRace {
    fn phase_name(&self, _state: &State) -> &'static str {
        "roll"
    }

    fn draw_name(draw: Draw) -> &'static str {
        match draw {
            Draw::Gift => "gift",
            Draw::Roll => "roll",
        }
    }

    fn result_name(event: ChanceEvent<Draw>) -> Cow<'static, str> {
        match (event.draw, event.outcome) {
            (Draw::Gift, seat) => format!("seat {}", seat + 1).into(),
            (Draw::Roll, 0) => "win".into(),
            (Draw::Roll, _) => "miss".into(),
        }
    }
}

/// What both choices are between.
const OPTIONS: &[ChoiceOption] = &[
    ChoiceOption { name: "a", removal: "a=0" },
    ChoiceOption { name: "b", removal: "b=0" },
    ChoiceOption { name: "c", removal: "c=0" },
    ChoiceOption { name: "d", removal: "d=0" },
];

impl Measure for DiceRace {
    type Before = ();

    const CARDS: &'static [&'static str] = &["a", "b", "c", "d"];
    const RESOURCES: [&'static str; 5] = ["brick", "lumber", "wool", "grain", "ore"];
    const SOURCES: &'static [&'static str] = &["win"];
    const DECISIONS: &'static [&'static str] = &["roll"];
    const BANDS: &'static [u16] = &[1, 6];
    const STANDINGS: Standings = Standings { first: 0, bins: 1 };
    const CHOICES: &'static [Choice] = &[
        Choice { name: "die", options: OPTIONS, offered_by: None },
        Choice { name: "late", options: OPTIONS, offered_by: None },
    ];

    fn decision_kind(&self, _state: &State) -> usize {
        0
    }

    fn current(&self, state: &State) -> Seat {
        self.seat(state.turn)
    }

    fn points(&self, state: &State, seat: Seat) -> u8 {
        u8::from(self.winner(*state) == Some(seat))
    }

    fn points_by_source(&self, state: &State, seat: Seat) -> Sources {
        Sources::from_iter([self.points(state, seat)])
    }

    fn before(&self, _state: &State) {}

    fn offered(&self, state: &State, _filter: ActionFilter) -> u32 {
        self.dice(*state).iter().fold(0, |dice, die| dice | 1 << die.idx())
    }

    fn taken(&self, (): &(), _after: &State, die: Die) -> u32 {
        1 << die.idx()
    }

    fn turned_up(_event: ChanceEvent<Draw>) -> Option<usize> {
        None
    }

    fn matched(&self) -> u32 {
        0b1111
    }

    /// The winner has the die that won, nobody else has any.
    fn held(&self, state: &State, seat: Seat) -> u32 {
        match state.phase {
            Phase::Won(die) if self.winner(*state) == Some(seat) => 1 << die.idx(),
            _ => 0,
        }
    }

    fn drawn(_event: ChanceEvent<Draw>) -> Option<Resource> {
        None
    }

    fn stolen(_event: ChanceEvent<Draw>) -> Option<Resource> {
        None
    }

    fn flow(&self, _before: &State, _die: Die) -> Option<Flow> {
        None
    }

    fn in_hands(&self, _state: &State) -> Resources {
        Resources::NONE
    }

    /// A die of a higher per cent is better in every way.
    fn dominated(&self, before: &State, _filter: ActionFilter, die: Die) -> bool {
        self.dice(*before).iter().any(|&other| self.rules.percent(other) > self.rules.percent(die))
    }

    /// Choice 0 is there in every turn, choice 1 from the second round on.
    fn option(&self, choice: usize, state: &State, die: Die) -> Option<usize> {
        (choice == 0 || state.turn > u16::from(self.players)).then_some(die.idx())
    }

    fn with_option(&self, _choice: usize, state: &State, _die: Die, option: usize) -> Option<Die> {
        let die = Die::ALL[option];
        self.permits(state, die).ok().map(|()| die)
    }

    fn can_be_taken(&self, _choice: usize, option: usize) -> bool {
        self.rules.percent(Die::ALL[option]) > 0
    }

    fn restriction(&self, _choice: usize, seat: Seat, option: usize) -> Option<String> {
        let mut only = self.rules.only;
        only[seat.idx()] = u8::try_from(option + 1).ok()?;
        Some(format!("only={only:?}"))
    }
}

/// The game for rules that can be played.
pub fn race(rules: Rules, players: u8) -> DiceRace {
    DiceRace::new(rules, players).expect("rules that can be played")
}
