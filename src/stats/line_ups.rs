//! Who sits where in the matches of a tournament: line-ups of m agents at a table of n seats, balanced over seats
//! and neighbours as well as can be.
//!
//! * The first n agents play a Williams design: n line-ups for an even n, 2n for an odd one. Each agent sits in each
//!   seat equally often, and each agent has each other one in the next seat equally often (E. Williams,
//!   "Experimental designs balanced for the estimation of residual effects of treatments", 1949).
//! * Each further agent meets all those before it: they are divided into groups of n − 1, and each group plays a
//!   Williams design with it. So the line-ups of m agents begin with those of m − 1, and an agent can join later.
//! * Fewer agents than seats sit more than once at a table.

use std::ops::Range;

/// The most line-ups of fewer agents than seats, if all seatings are played.
const SEATINGS_MAX: usize = 100;

/// The line-ups of a block, each with an agent's number by seat; nothing for fewer than two agents or seats.
pub fn design(agents: usize, seats: usize) -> Vec<Vec<usize>> {
    if agents < 2 || seats < 2 {
        return Vec::new();
    }
    if agents < seats {
        return repeated(agents, seats);
    }
    let mut all: Vec<Vec<usize>> = seated(&(0..seats).collect::<Vec<usize>>());
    let mut meetings = Meetings::new(agents);
    meetings.add(&(0..seats).collect::<Vec<usize>>());
    for newcomer in seats..agents {
        let groups = meetings.groups(newcomer, 0..newcomer, seats - 1);
        all.extend(groups.iter().flat_map(|group| seated(group)));
    }
    all
}

/// The line-ups of a gauntlet: the first agent with groups of the others, so that it sits at every table.
pub fn gauntlet(agents: usize, seats: usize) -> Vec<Vec<usize>> {
    if agents <= seats {
        return design(agents, seats);
    }
    let groups = Meetings::new(agents).groups(0, 1..agents, seats - 1);
    groups.iter().flat_map(|group| seated(group)).collect()
}

/// The rows of a Williams design of `n` treatments.
pub fn williams(n: usize) -> Vec<Vec<usize>> {
    // 0, 1, n − 1, 2, n − 2 …: its differences are all different, so each neighbour comes once.
    let zigzag =
        |place: usize| if place % 2 == 1 { place.div_ceil(2) } else { (n - place / 2) % n };
    let row =
        |shift: usize| -> Vec<usize> { (0..n).map(|place| (zigzag(place) + shift) % n).collect() };
    let rows: Vec<Vec<usize>> = (0..n).map(row).collect();
    if n.is_multiple_of(2) {
        return rows;
    }
    let reversed: Vec<Vec<usize>> =
        rows.iter().map(|row| row.iter().rev().copied().collect()).collect();
    [rows, reversed].concat()
}

/// A Williams design of some agents.
fn seated(group: &[usize]) -> Vec<Vec<usize>> {
    let row = |row: &Vec<usize>| row.iter().map(|&at| group[at]).collect();
    williams(group.len()).iter().map(row).collect()
}

/// Fewer agents than seats: every seating in which no agent has two seats more than another; if these are many, a
/// Williams design of places, which the agents fill in turn, each starting once.
fn repeated(agents: usize, seats: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    all_seatings(agents, seats, &mut Vec::new(), &mut all);
    if all.len() <= SEATINGS_MAX {
        return all;
    }
    let shifted =
        |shift: usize| -> Vec<usize> { (0..seats).map(|place| (place + shift) % agents).collect() };
    (0..agents).flat_map(|shift| seated(&shifted(shift))).collect()
}

/// Continues a seating in each way, in the order of numbers.
fn all_seatings(agents: usize, seats: usize, begun: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    let count = |agent: usize| begun.iter().filter(|&&other| other == agent).count();
    let counts: Vec<usize> = (0..agents).map(count).collect();
    if begun.len() == seats {
        if counts.iter().all(|&count| count >= seats / agents) {
            all.push(begun.clone());
        }
        return;
    }
    // One more than this is enough to stop: the caller plays fewer.
    for agent in (0..agents).filter(|&agent| counts[agent] < seats.div_ceil(agents)) {
        if all.len() > SEATINGS_MAX {
            return;
        }
        begun.push(agent);
        all_seatings(agents, seats, begun, all);
        begun.pop();
    }
}

/// In how many groups two agents have met.
struct Meetings {
    counts: Vec<Vec<usize>>,
}

impl Meetings {
    fn new(agents: usize) -> Meetings {
        Meetings { counts: vec![vec![0; agents]; agents] }
    }

    fn add(&mut self, group: &[usize]) {
        for &one in group {
            for &other in group.iter().filter(|&&other| other != one) {
                self.counts[one][other] += 1;
            }
        }
    }

    /// Divides agents into groups, each with the agent that meets them all; the last one is filled up with agents
    /// that have a group already. Each place goes to the agent that has met those in the group the least, among
    /// equals to the lowest number.
    fn groups(&mut self, host: usize, others: Range<usize>, size: usize) -> Vec<Vec<usize>> {
        let mut waiting: Vec<usize> = others.clone().collect();
        let mut groups = Vec::new();
        while !waiting.is_empty() {
            let mut group: Vec<usize> = Vec::new();
            while group.len() < size {
                let met = |agent: usize| -> usize {
                    group.iter().map(|&other| self.counts[agent][other]).sum()
                };
                let free = others.clone().filter(|agent| !group.contains(agent));
                let free = free.filter(|agent| waiting.is_empty() || waiting.contains(agent));
                let Some(next) = free.min_by_key(|&agent| (met(agent), agent)) else { break };
                waiting.retain(|&agent| agent != next);
                group.push(next);
            }
            group.push(host);
            self.add(&group);
            groups.push(group);
        }
        groups
    }
}

/// How balanced line-ups are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// By agent and seat: the line-ups in which the agent sits there.
    pub seats: Vec<Vec<usize>>,
    /// By agent: the line-ups in which it sits.
    pub line_ups: Vec<usize>,
    /// By two agents: the line-ups in which both sit.
    pub together: Vec<Vec<usize>>,
    /// By two agents: how often the second sits directly after the first; after the last seat comes the first.
    pub after: Vec<Vec<usize>>,
}

impl Balance {
    /// The balance of the line-ups of some agents.
    pub fn of(line_ups: &[Vec<usize>], agents: usize) -> Balance {
        let seats = line_ups.first().map_or(0, Vec::len);
        let pairs = vec![vec![0; agents]; agents];
        let mut balance = Balance {
            seats: vec![vec![0; seats]; agents],
            line_ups: vec![0; agents],
            together: pairs.clone(),
            after: pairs,
        };
        for line_up in line_ups {
            for (seat, &agent) in line_up.iter().enumerate() {
                balance.seats[agent][seat] += 1;
                balance.after[agent][line_up[(seat + 1) % line_up.len()]] += 1;
            }
            let present: Vec<usize> = (0..agents).filter(|agent| line_up.contains(agent)).collect();
            for &one in &present {
                balance.line_ups[one] += 1;
                for &other in present.iter().filter(|&&other| other != one) {
                    balance.together[one][other] += 1;
                }
            }
        }
        balance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least and the most of some numbers.
    fn range(of: impl Iterator<Item = usize> + Clone) -> (usize, usize) {
        (of.clone().min().unwrap(), of.max().unwrap())
    }

    /// Numbers of all ordered pairs of two agents.
    fn pairs(of: &[Vec<usize>]) -> impl Iterator<Item = usize> + Clone + '_ {
        let row = |(one, row): (usize, &Vec<usize>)| {
            let others = (0..row.len()).filter(move |&other| other != one);
            let row = row.clone();
            others.map(move |other| row[other])
        };
        of.iter().enumerate().flat_map(row)
    }

    #[test]
    fn williams_designs_are_balanced_for_seats_and_for_neighbours() {
        for n in 2..=9 {
            let rows = williams(n);
            let times = if n % 2 == 0 { 1 } else { 2 };
            assert_eq!(rows.len(), times * n);
            let balance = Balance::of(&rows, n);
            assert!(balance.seats.iter().flatten().all(|&count| count == times), "{n}");
            let mut next = vec![vec![0; n]; n];
            for row in &rows {
                row.windows(2).for_each(|pair| next[pair[0]][pair[1]] += 1);
            }
            assert_eq!(range(pairs(&next)), (times, times), "{n}");
        }
        // The square of four that textbooks print.
        assert_eq!(williams(4), [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]);
    }

    #[test]
    fn every_agent_sits_in_every_seat_equally_often_and_meets_all_others() {
        for seats in 2..=6 {
            for agents in 2..=12 {
                let line_ups = design(agents, seats);
                let balance = Balance::of(&line_ups, agents);
                for of_agent in &balance.seats {
                    let (least, most) = range(of_agent.iter().copied());
                    assert!(least == most && least > 0, "{agents} at {seats}: {of_agent:?}");
                }
                assert!(range(pairs(&balance.together)).0 > 0, "{agents} at {seats}");
            }
        }
    }

    #[test]
    fn those_who_joined_early_meet_more_often() {
        // Two seats and a full table are exact; elsewhere earlier agents meet each other again in later groups.
        for (agents, seats, together) in [
            (12, 2, (2, 2)),
            (4, 4, (4, 4)),
            (5, 4, (4, 12)),
            (7, 4, (4, 16)),
            (12, 4, (4, 20)),
            (12, 3, (6, 18)),
            (12, 5, (10, 60)),
            (12, 6, (6, 36)),
        ] {
            let balance = Balance::of(&design(agents, seats), agents);
            assert_eq!(range(pairs(&balance.together)), together, "{agents} at {seats}");
        }
    }

    #[test]
    fn line_ups_begin_with_those_of_one_agent_less() {
        for seats in 2..=6 {
            for agents in seats + 1..=12 {
                let (before, all) = (design(agents - 1, seats), design(agents, seats));
                assert_eq!(all[..before.len()], before, "{agents} at {seats}");
                let new = &all[before.len()..];
                assert!(new.iter().all(|line_up| line_up.contains(&(agents - 1))));
                let groups = (agents - 1).div_ceil(seats - 1);
                assert_eq!(new.len(), groups * williams(seats).len(), "{agents} at {seats}");
            }
        }
    }

    #[test]
    fn fewer_agents_than_seats_sit_about_equally_often() {
        for (agents, seats, line_ups, after) in [
            (2, 3, 6, (6, 6)),
            (2, 4, 6, (8, 8)),
            (3, 4, 36, (20, 20)),
            (2, 5, 20, (30, 30)),
            (3, 5, 90, (60, 60)),
            (4, 5, 40, (14, 18)),
            (2, 6, 20, (36, 36)),
            (3, 6, 90, (72, 72)),
            (4, 6, 24, (8, 12)),
            (5, 6, 30, (7, 10)),
        ] {
            let all = design(agents, seats);
            assert_eq!(all.len(), line_ups, "{agents} at {seats}");
            let balance = Balance::of(&all, agents);
            assert_eq!(range(pairs(&balance.after)), after, "{agents} at {seats}");
            let mut distinct = all.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), all.len(), "no match of a block is played twice");
        }
        assert_eq!(design(2, 2), [[0, 1], [1, 0]]);
        assert!(design(1, 4).is_empty() && design(4, 1).is_empty());
    }

    #[test]
    fn a_gauntlet_has_the_first_agent_at_every_table() {
        for seats in 2..=6 {
            for agents in 2..=12 {
                let line_ups = gauntlet(agents, seats);
                assert!(line_ups.iter().all(|line_up| line_up.contains(&0)));
                let balance = Balance::of(&line_ups, agents);
                let (least, most) = range(balance.seats[0].iter().copied());
                assert!(least == most && least > 0, "{agents} at {seats}");
                assert!(balance.together[0][1..].iter().all(|&count| count > 0));
            }
        }
        assert_eq!(gauntlet(4, 2), [[1, 0], [0, 1], [2, 0], [0, 2], [3, 0], [0, 3]]);
    }
}
