//! Runs of every command are killed at random instants, some of them more than once, and taken up again: no
//! byte differs. The instants are random; what must hold is not.
//!
//! `FAIRHAVEN_KILLS` says how many kills there are in all, `FAIRHAVEN_KILLS_SEED` at which instants.

use crate::support::{Done, Left, PROGRAM, Place, copy, some};
use fairhaven::cli::clock;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::thread::sleep;
use std::time::Duration;
use std::{env, fs};

/// Commands of fast and of slow agents.
const RUNS: [&str; 8] = [
    "simulate on-the-road --agents builder,random --matches 300 --rows zst",
    "simulate base --agents mcts:iterations=40,greedy --matches 4 --rows csv",
    "compare on-the-road mcts:iterations=60 heuristic --matches 8 --look 1",
    "compare base greedy random --matches 40 --look 5",
    "compare on-the-road builder random --wave 2 --wave-blocks 40 --shard 1/2",
    "balance on-the-road --choice metropolis --set side=b --levels builder --blocks 10",
    "balance on-the-road --choice metropolis --set side=b --levels mcts:iterations=40 --blocks 1",
    "sweep on-the-road --param haste --values 0..1/2 --agents heuristic,greedy --blocks 6",
];
/// Searches, which are resumed from their logs.
const SEARCHES: [&str; 4] = [
    "learn base --matches 150 --players 3",
    "learn on-the-road --net --from heuristic --players 3 --matches 300 --every 40",
    "levels on-the-road --agent greedy --param lapse=0..1 --against greedy --rates 15 --tolerance 10pp",
    "solve on-the-road --choice metropolis --set side=b --fields knight.cost.wool --agent builder --blocks 20 \
     --certify 40 --target 90pp",
];
/// Agents that search, in every game and every command: their blocks are broken off in the midst.
const SLOW: [&str; 11] = [
    "simulate struggle --agents mcts:iterations=30:trees=3 --players 3 --matches 3 --rows zst",
    "simulate base --agents mcts:iterations=40:lapse=0.3,mcts:iterations=30:temperature=0.1 --matches 4",
    "simulate two-player --agents oracle:iterations=30,mcts:iterations=40 --matches 4 --allow-oracle",
    "compare boats mcts:iterations=20 greedy --players 3 --matches 6 --look 1",
    "tournament on-the-road mcts:iterations=40 heuristic random --players 3 --blocks 2",
    "reliability on-the-road --agents mcts:iterations=40 --matches 6",
    "luck on-the-road --agents mcts:iterations=30,random --blocks 2",
    "diagnose on-the-road --levels random,mcts:iterations=10 --players 3 --blocks 1",
    "compare base mcts:iterations=20 greedy --players 3 --wave 1 --wave-blocks 2 --shard 1/2",
    "solve on-the-road --choice metropolis --set side=b --fields knight.cost.wool --agent mcts:iterations=5 \
     --blocks 4 --certify 8 --target 90pp",
    "learn on-the-road --net --from mcts:iterations=10 --players 3 --matches 60 --every 40",
];
const PARTS: [&str; 2] = [
    "simulate on-the-road --agents builder --matches 500 --rows zst --quiet --shard 1/2 --out part-1",
    "simulate on-the-road --agents builder --matches 500 --rows zst --quiet --shard 2/2 --out part-2",
];

/// What is killed, and what takes it up again.
struct Killed<'a> {
    before: &'a [&'a str],
    line: &'a str,
    again: &'a str,
}

/// A number that the environment may set.
fn set<T: FromStr>(name: &str, otherwise: T) -> T {
    env::var(name).map_or(otherwise, |text| text.parse().ok().expect("a number"))
}

fn command(place: &Place, line: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.current_dir(place.path("here")).args(line.split_whitespace());
    command
}

fn copy_of(template: &Place) -> Place {
    let place = Place::new();
    copy(&template.path("here"), &place.path("here"));
    place
}

/// Starts a command and kills it after a while, unless it has ended.
fn kill_after(place: &Place, line: &str, instant: Duration) -> bool {
    let mut quiet = command(place, line);
    let mut child = quiet.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    sleep(instant);
    let _ = child.kill();
    child.wait().expect("a child").code().is_none()
}

impl Killed<'_> {
    fn template(&self) -> Place {
        let place = Place::new();
        fs::create_dir(place.path("here")).expect("a directory");
        place.write("here/thesis.txt", "mine");
        for line in self.before {
            assert_eq!(Done::of(&mut command(&place, line)).code, Some(0), "{line}");
        }
        place
    }

    /// Kills the command so many times, at instants within the time that it takes.
    fn hold(&self, kills: u32, random: &mut Pcg32) {
        let template = self.template();
        let place = copy_of(&template);
        let start = clock::now();
        let done = Done::of(&mut command(&place, self.line));
        let takes = clock::now().saturating_sub(start);
        assert_eq!(done.code, Some(0), "{}: {}", self.line, done.err);
        let whole = place.left("here");
        let mut killed = 0;
        while killed < kills {
            killed += self.killed_and_ended(&template, &whole, takes, random);
        }
    }

    /// One run that is killed, perhaps again while it is taken up, and then ends. Returns the kills.
    fn killed_and_ended(
        &self,
        template: &Place,
        whole: &Left,
        takes: Duration,
        random: &mut Pcg32,
    ) -> u32 {
        let place = copy_of(template);
        let mut instants = Vec::new();
        let mut line = self.line;
        let mut killed = 0;
        loop {
            let instant = takes.mul_f64(f64::from(random.next_u32()) / f64::from(u32::MAX));
            instants.push(instant);
            if !kill_after(&place, line, instant) {
                break;
            }
            killed += 1;
            line = self.again;
            if random.next_u32().is_multiple_of(2) {
                break;
            }
        }
        let mut said = String::new();
        for line in [self.again, self.line] {
            if place.left("here") != *whole {
                let done = Done::of(&mut command(&place, line));
                said = format!("{said}{line}: {:?} {}\n", done.code, done.err);
            }
        }
        let found = place.left("here");
        let what = format!("{} killed after {instants:?}\n{said}", self.line);
        assert!(found.keys().eq(whole.keys()), "{what}{:?}", found.keys());
        for (name, bytes) in whole {
            assert!(found[name] == *bytes, "{what}{} differs", name.display());
        }
        killed
    }
}

/// The kills of each command, and the generator of its instants.
fn each(number: u64) -> (u32, Pcg32) {
    let commands = u32::try_from(RUNS.len() + SEARCHES.len() + SLOW.len()).expect("a few") + 1;
    let kills: u32 = set("FAIRHAVEN_KILLS", commands);
    (kills.div_ceil(commands), Pcg32::seed_from_u64(set("FAIRHAVEN_KILLS_SEED", 1) + number))
}

#[test]
fn runs_killed_at_any_instant_are_resumed() {
    let runs: Vec<(u64, &str)> = (0..).zip(RUNS).collect();
    for (number, line) in some(&runs) {
        let line = &format!("{line} --quiet --threads 2 --save-every 0 --out out");
        let (kills, mut random) = each(number);
        let again = "resume out --quiet --save-every 0";
        Killed { before: &[], line, again }.hold(kills, &mut random);
    }
}

#[test]
fn agents_that_search_go_on_in_the_midst_of_a_block() {
    let slow: Vec<(u64, &str)> = (300..).zip(SLOW).collect();
    for (number, line) in some(&slow) {
        let line = &format!("{line} --quiet --threads 2 --save-every 0 --out out");
        let (kills, mut random) = each(number);
        let again = "resume out --quiet --save-every 0";
        Killed { before: &[], line, again }.hold(kills, &mut random);
    }
}

#[test]
fn merges_killed_at_any_instant_are_made_again() {
    let line = "merge part-1 part-2 --out out --quiet";
    let (kills, mut random) = each(100);
    Killed { before: &PARTS, line, again: line }.hold(kills, &mut random);
}

#[test]
fn searches_killed_at_any_instant_are_resumed() {
    let searches: Vec<(usize, &str)> = SEARCHES.into_iter().enumerate().collect();
    for (number, line) in some(&searches) {
        let line = &format!("{line} --quiet --threads 2 --save-every 0 --out out");
        let (kills, mut random) = each(200 + number as u64);
        let again = "resume out --quiet --save-every 0";
        Killed { before: &[], line, again }.hold(kills, &mut random);
    }
}
