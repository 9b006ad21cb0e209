//! Who wins where on a deal that is played several times: the sums that shares of variance are computed from.
//!
//! A block of a line-up of n has all n rotations of it, equal ones included, each of them R times. All of its
//! matches share the deal, and no two share anything else. In rotation r, entry p of the line-up sits in seat
//! (p + r) mod n. N(p, s) is how often entry p won from seat s in a block, 0 to R.
//!
//! What is counted beside wins are squares of sums of N. A square has a product for each ordered pair of matches,
//! those of a match with itself included, which is why there are squares of finer sums to subtract.

use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::sim::trials::{Count, MatchPlan, Trial};

/// The counting, for a line-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LuckCount {
    /// An agent's number by entry of the line-up, which is its seat in the first rotation.
    line_up: Vec<usize>,
    /// Distinct agents.
    agents: usize,
    /// How often each rotation of a deal is played, at least 2.
    repeats: usize,
}

/// A sum of squares over a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Square {
    /// Of an agent's wins by seat, over seats.
    Cells(usize),
    /// Of the wins by entry and seat, over seats and the entries of an agent.
    Entries(usize),
    /// Of an agent's wins.
    Agent(usize),
    /// Of an agent's wins by rotation, over rotations.
    AgentRotations(usize),
    /// Of all wins by seat, over seats.
    Seats,
    /// Of all wins.
    All,
    /// Of all wins by rotation, over rotations.
    Rotations,
}

/// The squares that each agent has.
const OF_AGENT: usize = 4;

impl LuckCount {
    /// The counting of a line-up, by agents from 0 in the order in which they first appear; `repeats` is at least 2.
    pub fn new(line_up: &[usize], repeats: usize) -> LuckCount {
        let agents = line_up.iter().max().map_or(0, |most| most + 1);
        LuckCount { line_up: line_up.to_vec(), agents, repeats }
    }

    /// The matches of a block: each rotation, and in it each repetition.
    pub fn matches(&self) -> Vec<MatchPlan> {
        let plan = |number: usize| {
            let mut seats = self.line_up.clone();
            seats.rotate_right(number / self.repeats);
            let luck = u16::try_from(number).expect("few matches");
            MatchPlan { luck, ..MatchPlan::plain(0, seats) }
        };
        (0..self.seats() * self.repeats).map(plan).collect()
    }

    /// The counting of a plan; nothing if it is none of these.
    pub fn of(plan: &[MatchPlan]) -> Option<LuckCount> {
        let line_up = &plan.first()?.seats;
        let repeats = plan.len() / line_up.len().max(1);
        let fits = (2..=SEATS_MAX).contains(&line_up.len())
            && (2..=REPEATS_MAX).contains(&repeats)
            && line_up.iter().all(|&agent| agent < line_up.len());
        let count = fits.then(|| LuckCount::new(line_up, repeats))?;
        let all_sit = (0..count.agents).all(|agent| count.entries(agent) > 0);
        (all_sit && count.matches() == plan).then_some(count)
    }

    /// Seats at the table.
    pub fn seats(&self) -> usize {
        self.line_up.len()
    }

    /// Distinct agents.
    pub fn agents(&self) -> usize {
        self.agents
    }

    /// How often each rotation of a deal is played.
    pub fn repeats(&self) -> usize {
        self.repeats
    }

    /// Entries of the line-up that are this agent.
    pub fn entries(&self, agent: usize) -> usize {
        self.line_up.iter().filter(|&&other| other == agent).count()
    }

    /// Whether an agent that sits in some seat can have different neighbours: the line-up repeats an agent, and
    /// not as a pattern that goes around the table.
    pub fn has_neighbours(&self) -> bool {
        let n = self.seats();
        let seen_from = |entry: usize| (0..n).map(move |step| self.line_up[(entry + step) % n]);
        let alike = |a: usize, b: usize| {
            self.line_up[a] != self.line_up[b] || seen_from(a).eq(seen_from(b))
        };
        (0..n).any(|a| (0..a).any(|b| !alike(a, b)))
    }

    /// The counter of an agent's wins from a seat, both from 0.
    pub fn wins(&self, agent: usize, seat: usize) -> usize {
        agent * self.seats() + seat
    }

    /// The counter of squares.
    pub fn square(&self, square: Square) -> usize {
        let first = self.agents * self.seats();
        let common = first + self.agents * OF_AGENT;
        match square {
            Square::Cells(agent) => first + agent * OF_AGENT,
            Square::Entries(agent) => first + agent * OF_AGENT + 1,
            Square::Agent(agent) => first + agent * OF_AGENT + 2,
            Square::AgentRotations(agent) => first + agent * OF_AGENT + 3,
            Square::Seats => common,
            Square::All => common + 1,
            Square::Rotations => common + 2,
        }
    }
}

/// The most times that a rotation is played.
pub const REPEATS_MAX: usize = 64;

impl Count for LuckCount {
    fn width(&self) -> usize {
        self.square(Square::Rotations) + 1
    }

    fn count(&self, _block: u64, trials: &[Trial], sums: &mut [u64]) {
        let n = self.seats();
        // By entry, then seat.
        let mut cells = [[0_u64; SEATS_MAX]; SEATS_MAX];
        for (number, trial) in trials.iter().enumerate() {
            let Trial::Ended(summary) = trial else { continue };
            let Some(seat) = summary.winner.map(Seat::idx) else { continue };
            let entry = (seat + n - number / self.repeats) % n;
            cells[entry][seat] += 1;
        }
        let mut add = |square: Square, sum: u64| sums[self.square(square)] += sum * sum;
        let (mut all, mut rotations, mut seats) = (0, [0; SEATS_MAX], [0; SEATS_MAX]);
        for agent in 0..self.agents {
            let (mut of_agent, mut by_rotation, mut by_seat) = (0, [0; SEATS_MAX], [0; SEATS_MAX]);
            for entry in (0..n).filter(|&entry| self.line_up[entry] == agent) {
                for seat in 0..n {
                    let won = cells[entry][seat];
                    add(Square::Entries(agent), won);
                    of_agent += won;
                    by_seat[seat] += won;
                    by_rotation[(seat + n - entry) % n] += won;
                }
            }
            add(Square::Agent(agent), of_agent);
            all += of_agent;
            for at in 0..n {
                add(Square::Cells(agent), by_seat[at]);
                add(Square::AgentRotations(agent), by_rotation[at]);
                seats[at] += by_seat[at];
                rotations[at] += by_rotation[at];
            }
        }
        add(Square::All, all);
        for at in 0..n {
            add(Square::Seats, seats[at]);
            add(Square::Rotations, rotations[at]);
        }
        for (entry, by_seat) in cells.iter().enumerate().take(n) {
            for (seat, won) in by_seat.iter().enumerate().take(n) {
                sums[self.wins(self.line_up[entry], seat)] += won;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_back_and_others_are_none() {
        for (line_up, repeats) in [(&[0, 1, 2, 3][..], 2), (&[0, 0, 0], 3), (&[0, 1, 1, 0, 1], 4)] {
            let count = LuckCount::new(line_up, repeats);
            let plan = count.matches();
            assert_eq!(plan.len(), line_up.len() * repeats);
            assert_eq!(LuckCount::of(&plan), Some(count));
            let mut other = plan.clone();
            other[1].luck = 0;
            assert_eq!(LuckCount::of(&other), None, "two matches of the same luck");
            assert_eq!(LuckCount::of(&plan[..plan.len() - 1]), None);
        }
        assert_eq!(LuckCount::of(&[]), None);
        assert_eq!(LuckCount::of(&LuckCount::new(&[0, 1], 1).matches()), None);
        assert_eq!(LuckCount::of(&[MatchPlan::plain(0, Vec::new())]), None);
    }

    #[test]
    fn neighbours_differ_where_no_pattern_goes_around_the_table() {
        let differ = |line_up: &[usize]| LuckCount::new(line_up, 2).has_neighbours();
        for line_up in [&[0, 1, 2, 3][..], &[0, 0, 0, 0], &[0, 1, 0, 1], &[0, 1, 2, 0, 1, 2]] {
            assert!(!differ(line_up), "{line_up:?}");
        }
        for line_up in [&[0, 0, 1, 1][..], &[0, 1, 1, 1], &[0, 1, 1]] {
            assert!(differ(line_up), "{line_up:?}");
        }
    }
}
