//! The ways in which the other program departs from the rules, by name, and how often each was met.

use std::fmt;

/// A known difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// Another seat has Longest Road, or a seat has it where by the rules nobody does, until both agree again.
    RoadHolder,
    /// A road has another length, until both agree again.
    RoadLength,
    /// A sole claimant gets nothing if the bank can't pay in full.
    ShortBank,
    /// An offer whose maker is not in the first seat goes to all in seat order, its maker included.
    OwnOffer,
    /// The match ends when a seat that is not on turn has the points.
    WonOffTurn,
    /// A list has Year of Plenty for one card besides pairs.
    PlentyOfOne,
    /// The number of turns includes placement.
    PlacementTurn,
    /// Cards discarded on a 7 are laid down one by one, in seat order.
    OneByOne,
    /// Nobody may answer an offer with another one.
    NoCounter,
    /// A list of the robber's moves takes hidden points into account.
    FriendlyRobber,
    /// A list, or whether a card can be played, takes roads past another's building into account.
    PastBuilding,
    /// A list of free roads has no end to them.
    RoadsDue,
}

impl Difference {
    /// All of them, in the order of the table.
    pub const ALL: [Difference; 12] = [
        Difference::RoadHolder,
        Difference::RoadLength,
        Difference::ShortBank,
        Difference::OwnOffer,
        Difference::WonOffTurn,
        Difference::PlentyOfOne,
        Difference::PlacementTurn,
        Difference::OneByOne,
        Difference::NoCounter,
        Difference::FriendlyRobber,
        Difference::PastBuilding,
        Difference::RoadsDue,
    ];

    /// The name in the report.
    pub const fn name(self) -> &'static str {
        match self {
            Difference::RoadHolder => "road_holder",
            Difference::RoadLength => "road_length",
            Difference::ShortBank => "short_bank",
            Difference::OwnOffer => "own_offer",
            Difference::WonOffTurn => "won_off_turn",
            Difference::PlentyOfOne => "plenty_of_one",
            Difference::PlacementTurn => "placement_turn",
            Difference::OneByOne => "one_by_one",
            Difference::NoCounter => "no_counter",
            Difference::FriendlyRobber => "friendly_robber",
            Difference::PastBuilding => "past_building",
            Difference::RoadsDue => "roads_due",
        }
    }

    /// Its number in the notes that came with the records; the last two are not in them.
    pub const fn note(self) -> Option<u8> {
        Some(match self {
            Difference::RoadHolder | Difference::RoadLength => 1,
            Difference::ShortBank => 2,
            Difference::OwnOffer => 3,
            Difference::WonOffTurn => 4,
            Difference::PlentyOfOne => 5,
            Difference::PlacementTurn => 6,
            Difference::OneByOne | Difference::NoCounter | Difference::FriendlyRobber => 7,
            Difference::PastBuilding | Difference::RoadsDue => return None,
        })
    }
}

/// How often each difference was met, by [`Difference::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts([u64; Difference::ALL.len()]);

impl Counts {
    /// Counts one more.
    pub fn add(&mut self, difference: Difference) {
        self.0[difference as usize] += 1;
    }

    /// How often a difference was met.
    pub fn of(&self, difference: Difference) -> u64 {
        self.0[difference as usize]
    }
}

/// A place in a recorded match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Options, seats, the island and the deck.
    Setting,
    /// The state before the first step.
    Start,
    /// A step, from 0.
    Step(usize),
    /// After the last step.
    End,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Setting => f.write_str("setting"),
            Place::Start => f.write_str("start"),
            Place::Step(step) => write!(f, "step {step}"),
            Place::End => f.write_str("end"),
        }
    }
}

/// Something that no known difference explains; the replay of the match ended there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unexplained {
    /// The match's line, from 1.
    pub line: u64,
    /// Where in the match.
    pub place: Place,
    /// What differs.
    pub mismatch: Mismatch,
}

/// A value that neither the rules nor the known differences explain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The field.
    pub field: &'static str,
    /// The recorded value.
    pub found: String,
    /// The expected value.
    pub due: String,
}

impl fmt::Display for Unexplained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unexplained { line, place, mismatch: Mismatch { field, found, due } } = self;
        write!(f, "line {line}, {place}: field `{field}`: {found}, should be {due}")
    }
}

/// Differences that nearly every match has: ways of counting and writing that change no position.
const USUAL: [Difference; 2] = [Difference::PlacementTurn, Difference::OneByOne];

/// The most unexplained values that are kept; all are counted.
const KEPT: usize = 20;

/// The result of comparing one match.
#[derive(Debug, Clone, Copy)]
pub struct Compared {
    /// Why its table is an unofficial one, if it is.
    pub unofficial: Option<&'static str>,
    /// Steps taken, and so lists compared.
    pub steps: usize,
    /// States compared.
    pub states: usize,
    /// How often each difference was met.
    pub met: Counts,
}

/// The result of comparing the matches of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Agreement {
    /// Matches.
    pub matches: u64,
    /// Matches at a table of an unofficial size, and why it is one.
    pub unofficial: Option<(u64, &'static str)>,
    /// Decisions that were taken, each with its legal list and its outcome.
    pub steps: u64,
    /// States that were compared, those before the first decision included.
    pub states: u64,
    /// How often each difference was met.
    pub met: Counts,
    /// In how many matches each difference was met.
    pub matches_with: Counts,
    /// Matches without any difference except those that nearly every match has.
    pub alike: u64,
    /// Matches whose replay ended at something unexplained.
    pub unexplained: u64,
    /// The first of them.
    pub kept: Vec<Unexplained>,
}

impl Agreement {
    /// Adds a match.
    pub fn add(&mut self, compared: &Compared) {
        self.matches += 1;
        if let Some(reason) = compared.unofficial {
            let so_far = self.unofficial.map_or(0, |(count, _)| count);
            self.unofficial = Some((so_far + 1, reason));
        }
        self.steps += compared.steps as u64;
        self.states += compared.states as u64;
        for difference in Difference::ALL {
            let count = compared.met.of(difference);
            self.met.0[difference as usize] += count;
            self.matches_with.0[difference as usize] += u64::from(count > 0);
        }
    }

    /// Notes a match that was replayed to its end.
    pub fn finish(&mut self, met: &Counts) {
        let others = Difference::ALL.iter().filter(|other| !USUAL.contains(other));
        self.alike += u64::from(others.map(|&other| met.of(other)).sum::<u64>() == 0);
    }

    /// Notes what no difference explains.
    pub fn leave(&mut self, what: Unexplained) {
        self.unexplained += 1;
        if self.kept.len() < KEPT {
            self.kept.push(what);
        }
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Agreement { matches, steps, states, alike, unexplained, .. } = self;
        writeln!(f, "Compared with the rules of base CATAN: {matches} matches,")?;
        writeln!(f, "{steps} decisions with their legal lists, {states} states.")?;
        if let Some((count, reason)) = self.unofficial {
            writeln!(f, "Unofficial, {count} of them: {reason}.")?;
        }
        let usual = USUAL.map(Difference::name).join(", ");
        writeln!(f, "{alike} matches have no difference but {usual}.\n")?;
        writeln!(f, "difference       note  occurrences  matches")?;
        for difference in Difference::ALL {
            let note = difference.note().map_or("-".to_owned(), |note| note.to_string());
            let (met, with) = (self.met.of(difference), self.matches_with.of(difference));
            writeln!(f, "{:<16} {note:>4} {met:>12} {with:>8}", difference.name())?;
        }
        writeln!(f, "{:<16} {:>4} {:>12} {unexplained:>8}", "unexplained", "", unexplained)?;
        for what in &self.kept {
            writeln!(f, "{what}")?;
        }
        Ok(())
    }
}
