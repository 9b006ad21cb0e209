//! Which dealt map gives every seat the same chance (`map make`)? Maps are dealt and played, the worse half is dropped again
//! and again (successive halving), and those that are left are certified on fresh deals, the best first: a map is fair
//! only if the shares of all its seats are shown to lie within the margin (TOST; that all of them must is no further
//! choice), at a level that allows for as many trials as there are finalists.

use crate::core::types::seat::Seat;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::searches::search::{
    Found, Halt, Metric as Counted, Search, SearchContext, SearchDesign, Stage, StageSums, Stages,
    TextFile, deals,
};
use crate::lab::questions::studies::estimator::{ALPHA, Estimator, SectionSums};
use crate::lab::questions::studies::next;
use crate::lab::questions::studies::study::{in_range, is_share};
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::answer::{Answer, Sentence, Tone, header, table};
use crate::lab::report::described::{ANOMALIES, TableSchema, integer, text};
use crate::lab::report::figures::{cell, grouped, with_interval};
use crate::lab::report::format::{number, percentage_points};
use crate::lab::report::manifest::{Manifest, QuestionSpec};
use crate::lab::report::metric::{Metric, Unit};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Column, More, Row, Table};
use crate::lab::setup::maps::{Constraints, dealt};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::sim::counts::wins::WinsCount;
use crate::sim::trials::{self, MatchPlan};
use crate::stats::jackknife::Estimate;
use anyhow::{Error, Result};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The catalogue entry of this search.
pub const TYPE: Entry<dyn Search> =
    Entry::search::<MapMake>(KIND, &[CERTIFIED, TRIED], |name| name == FILE);
const KIND: &str = "map_make";

/// The file of a map that was found.
pub const FILE: &str = "map.toml";

/// The most maps that are dealt, and the most that are certified.
pub const CANDIDATES_MAX: u64 = 4096;
/// See [`CANDIDATES_MAX`].
pub const FINALISTS_MAX: usize = 16;
/// The fewest matches of a certificate: of fewer, shares are no matter of a normal law.
pub const CERTIFIED_MIN: u64 = 1000;
const BLOCKS_MAX: u64 = 1_000_000_000;

/// The streams of the master seed, behind those of `solve`: that of maps, the matches of the search, and fresh ones.
const DEALT: u64 = 20;
const SEARCHED: u64 = 21;
const FRESH: u64 = 22;

const MAP: Column = integer("map", "its number among those that were dealt, from 1");

/// The finalists on fresh deals.
pub const CERTIFIED: TableSchema = TableSchema {
    name: "map_certified",
    keys: &[MAP, integer("seat", "place in turn order, from 1; seat 1 founds first")],
    more: &[
        Column {
            name: "within_lo",
            kind: "number",
            about: "lower end of the interval that must lie within the margin",
        },
        Column { name: "within_hi", kind: "number", about: "upper end of that interval" },
        text("verdict", "fair, if that holds for all seats of the map"),
    ],
    metrics: &[
        Metric::difference("advantage", "share of matches with a winner, minus 1/players"),
        Metric::share("share", "share of matches with a winner that the seat wins"),
    ],
};

/// All maps, as the search saw them.
pub const TRIED: TableSchema = TableSchema {
    name: "map_tried",
    keys: &[MAP],
    more: &[],
    metrics: &[Metric::difference(
        "distance",
        "how far the farthest seat's share is from even on the deals of the search, when the map was dropped; noise \
         makes it too large, and choosing the smallest makes that too small",
    )],
};

/// The verdict on a map that is shown to be fair.
pub const FAIR: &str = "fair";
const NOT_SHOWN: &str = "not shown to be fair";

/// Which dealt map is fair? (`map make`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MapMake {
    /// How far a seat's share may be from an even one.
    pub fair: f64,
    /// What a map must have.
    pub constraints: Constraints,
    /// Maps that are dealt.
    pub candidates: u64,
    /// Matches of each before the first are dropped.
    pub blocks: u64,
    /// Maps that are certified at most.
    pub finalists: usize,
    /// Matches of each certificate, on fresh deals.
    pub certified: u64,
}

/// A finalist on fresh deals.
struct Final {
    candidate: usize,
    sums: StageSums,
    is_fair: bool,
}

impl MapMake {
    /// The search with an agent in all seats.
    ///
    /// # Errors
    /// If a setting is out of its range, or the game has no such map.
    pub fn design(self, game: &dyn LoadedGame, agent: AgentSpec) -> Result<SearchDesign> {
        self.check_settings().map_err(Error::msg)?;
        dealt(game, (0, 0), &self.constraints)?;
        let doublings = u64::from(self.candidates.max(1).ilog2()) + 1;
        let searched = self.candidates.saturating_mul(self.blocks).saturating_mul(doublings);
        let finals = (self.finalists as u64).saturating_mul(self.certified);
        let blocks = searched.saturating_add(finals);
        let matches = MapMake::matches(game.players());
        Ok(SearchDesign::of(Box::new(self), vec![agent], matches, blocks))
    }

    fn matches(players: u8) -> Vec<MatchPlan> {
        vec![MatchPlan::plain(0, vec![0; usize::from(players)])]
    }

    /// Whether all settings are in their ranges, or which is not.
    fn check_settings(&self) -> Result<(), String> {
        let MapMake { fair, candidates, blocks, finalists, certified, .. } = *self;
        if !is_share(fair) {
            let fair = percentage_points(fair);
            return Err(format!("--fair: {fair} is not between 0 pp and 100 pp"));
        }
        for (name, count, range) in [
            ("--maps", candidates, 1..=CANDIDATES_MAX),
            ("--matches", blocks, 1..=BLOCKS_MAX),
            ("--finalists", finalists as u64, 1..=FINALISTS_MAX as u64),
            ("--certify", certified, CERTIFIED_MIN..=BLOCKS_MAX),
        ] {
            if !range.contains(&count) {
                let [count, least, most] = [count, *range.start(), *range.end()].map(grouped);
                return Err(format!("{name}: {count} is not in {least} to {most}"));
            }
        }
        Ok(())
    }

    /// How far each seat's share is from an even one.
    fn advantage(sums: &StageSums, seat: usize, players: usize) -> Option<Estimate> {
        let count = WinsCount { matches: 1, players };
        let share = move |sums: SectionSums<'_>| {
            let won: f64 = (0..players).map(|seat| sums.get(count.wins(0, seat))).sum();
            (won > 0.0).then(|| sums.get(count.wins(0, seat)) / won - 1.0 / players as f64)
        };
        MapMake::estimator(sums).mean(share)
    }

    /// Matches with a winner.
    fn won(sums: &StageSums, players: usize) -> u64 {
        let count = WinsCount { matches: 1, players };
        (0..players).map(|seat| MapMake::estimator(sums).sum(count.wins(0, seat))).sum()
    }

    fn estimator(sums: &StageSums) -> Estimator<'_> {
        Estimator::new(&sums.grouped, trials::COMMON, false)
    }

    /// The farthest seat's distance from an even share, and the sum of the squares of all.
    fn distance(sums: &StageSums, players: usize) -> Option<(f64, f64)> {
        let all: Option<Vec<f64>> = (0..players)
            .map(|seat| MapMake::advantage(sums, seat, players).map(|of| of.value))
            .collect();
        let all = all?;
        let farthest = all.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        Some((farthest, all.iter().map(|value| value * value).sum()))
    }

    /// The interval of a seat that must lie within the margin, one of so many trials.
    fn within(&self, sums: &StageSums, of: &Estimate) -> Option<(f64, f64)> {
        let estimator = MapMake::estimator(sums);
        let se = of.se.filter(|_| estimator.tells(of))?;
        let half = estimator.half_width(se, 2.0 * ALPHA / self.finalists as f64);
        Some((of.value - half, of.value + half))
    }

    fn is_fair(&self, sums: &StageSums, players: usize) -> bool {
        (0..players).all(|seat| {
            let of = MapMake::advantage(sums, seat, players);
            let ends = of.and_then(|of| self.within(sums, &of));
            ends.is_some_and(|(lo, hi)| -self.fair < lo && hi < self.fair)
        })
    }

    fn certificates(&self, finals: &[Final], players: usize) -> Table {
        let mut rows = Vec::new();
        for Final { candidate, sums, is_fair } in finals {
            let won = MapMake::won(sums, players);
            for seat in Seat::all(u8::try_from(players).unwrap_or(0)) {
                let advantage = MapMake::advantage(sums, seat.idx(), players);
                let (lo, hi) = advantage.and_then(|of| self.within(sums, &of)).unzip();
                let verdict = if *is_fair { FAIR } else { NOT_SHOWN };
                let cells = vec![number(lo), number(hi), verdict.to_owned()];
                let share = advantage.map(|of| of.scaled(1.0, 1.0 / players as f64));
                for (metric, estimate) in [("advantage", advantage), ("share", share)] {
                    rows.push(Row {
                        keys: vec![(candidate + 1).to_string(), seat.to_string()],
                        metric,
                        estimate,
                        blocks: sums.blocks().min(won),
                        n: won,
                        more: More::Cells(cells.clone()),
                    });
                }
            }
        }
        CERTIFIED.table(finals.iter().map(|of| of.sums.blocks()).sum(), rows)
    }
}

/// A search on its way.
struct Making<'a> {
    make: &'a MapMake,
    manifest: &'a Manifest,
    field: &'static str,
    agent: AgentSpec,
    maps: Vec<String>,
    stages: &'a mut dyn Stages,
}

impl Making<'_> {
    fn players(&self) -> usize {
        usize::from(self.manifest.players)
    }

    fn play(
        &mut self,
        candidate: usize,
        (what, stream): (String, u64),
        blocks: Range<u64>,
    ) -> Result<StageSums, Halt> {
        let stage = Stage {
            what,
            agents: vec![self.agent.clone()],
            matches: MapMake::matches(self.manifest.players),
            changes: vec![vec![format!("{}={}", self.field, self.maps[candidate])]],
            seed: deals(self.manifest.seed, stream),
            blocks,
            counted: Counted::Wins,
        };
        self.stages.play(&stage)
    }

    /// Plays all maps, drops the worse half, plays the others for as long again, and so on. What was seen of each, and
    /// those that are left, the best first.
    fn search(&mut self) -> Result<(Vec<StageSums>, Vec<usize>), Halt> {
        let count = self.maps.len();
        let mut sums: Vec<Option<StageSums>> = vec![None; count];
        let mut left: Vec<usize> = (0..count).collect();
        let (mut before, mut blocks) = (0, self.make.blocks);
        loop {
            for (number, &candidate) in left.iter().enumerate() {
                let what = format!("map {} of {}, {blocks} matches", number + 1, left.len());
                let more = self.play(candidate, (what, SEARCHED), before..blocks)?;
                match &mut sums[candidate] {
                    None => sums[candidate] = Some(more),
                    Some(sums) => sums.merge(&more),
                }
            }
            let squares = |candidate: &usize| {
                let of = sums[*candidate].as_ref();
                let of = of.and_then(|sums| MapMake::distance(sums, self.players()));
                of.map_or(f64::INFINITY, |(_, squares)| squares)
            };
            left.sort_by(|a, b| squares(a).total_cmp(&squares(b)).then(a.cmp(b)));
            if left.len() <= self.make.finalists {
                break;
            }
            left.truncate(left.len().div_ceil(2).max(self.make.finalists));
            (before, blocks) = (blocks, blocks * 2);
        }
        Ok((sums.into_iter().flatten().collect(), left))
    }

    /// Certifies maps until one is shown to be fair.
    fn certify(&mut self, left: &[usize]) -> Result<Vec<Final>, Halt> {
        let mut finals = Vec::new();
        for &candidate in left {
            let what = format!("certifying map {}", candidate + 1);
            let sums = self.play(candidate, (what, FRESH), 0..self.make.certified)?;
            let is_fair = self.make.is_fair(&sums, self.players());
            finals.push(Final { candidate, sums, is_fair });
            if is_fair {
                break;
            }
        }
        Ok(finals)
    }
}

impl Search for MapMake {
    fn check(&self, manifest: &Manifest) -> Result<(), String> {
        self.check_settings()?;
        in_range(manifest.agents.len() == 1)
    }

    fn search(&self, context: SearchContext<'_>, stages: &mut dyn Stages) -> Result<Found, Halt> {
        let SearchContext { manifest, game } = context;
        let field = game.game_type().facts().map_field.ok_or("the game has no map".to_owned())?;
        let seed = deals(manifest.seed, DEALT);
        let maps: Result<Vec<String>> = (0..self.candidates)
            .map(|number| Ok(dealt(game, (seed, number), &self.constraints)?.text))
            .collect();
        let agent = AgentEntry::spec(&manifest.agents[0]);
        let players = usize::from(manifest.players);
        let mut making = Making { make: self, manifest, field, agent, maps: maps?, stages };
        let (tried, left) = making.search()?;
        let finals = making.certify(&left)?;
        let row = |(at, sums): (usize, &StageSums)| {
            let won = MapMake::won(sums, players);
            Row::new(
                vec![(at + 1).to_string()],
                "distance",
                MapMake::distance(sums, players).map(|(far, _)| Estimate::plain(far)),
                sums.blocks().min(won),
                won,
            )
        };
        let rows = tried.iter().enumerate().map(row).collect();
        let tables = vec![
            self.certificates(&finals, players),
            TRIED.table(tried.iter().map(StageSums::blocks).sum(), rows),
        ];
        let fair = finals.iter().find(|of| of.is_fair);
        let file = fair.map(|of| TextFile {
            name: FILE.to_owned(),
            text: format!("{}{}", self.head(manifest, of), making.maps[of.candidate]),
        });
        Ok(Found { tables, files: file.into_iter().collect() })
    }
}

impl MapMake {
    /// What a file says of how it was made.
    fn head(&self, manifest: &Manifest, of: &Final) -> String {
        let agent = manifest.agents.first().map_or("", |agent| agent.name.as_str());
        format!(
            "# Map {} of {} that seed {} deals for {} players of {}. Certified: the share of every seat lies within {} of\n\
             # an even one, on {} fresh matches of {}.\n",
            of.candidate + 1,
            self.candidates,
            manifest.seed,
            manifest.players,
            manifest.game,
            percentage_points(self.fair),
            grouped(of.sums.blocks()),
            agent.replace(|c: char| c.is_control(), " ")
        )
    }
}

impl MapMake {
    /// The same command with four times the maps.
    fn wider(&self, command: &[String]) -> Option<String> {
        let maps = self.candidates.saturating_mul(next::TIMES).min(CANDIDATES_MAX);
        let more = maps > self.candidates;
        if more { next::again(self.command(), command, "--maps", &maps.to_string()) } else { None }
    }
}

/// A seat's distance from an even share, with the interval that it was certified by.
fn certified(row: &Row) -> String {
    let [lo, hi] = [0, 1].map(|at| row.own(at).parse::<f64>().ok());
    let shown = row.estimate.map(|of| Estimate { interval: lo.zip(hi), ..of });
    with_interval(shown.as_ref(), Unit::Difference)
}

fn rows(tables: &[Table]) -> impl Iterator<Item = &Row> {
    let rows = table(tables, CERTIFIED.name).map_or(&[][..], |table| &table.rows);
    rows.iter().filter(|row| row.metric == "advantage")
}

impl Question for MapMake {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "map make"
    }

    fn described(&self) -> Vec<TableSchema> {
        vec![CERTIFIED, TRIED, ANOMALIES]
    }

    fn caution(&self) -> &'static str {
        "A map is fair for these agents at this table; others may found elsewhere, and find it fairer or less fair."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let margin = percentage_points(self.fair);
        let fair: Vec<&Row> = rows(tables).filter(|row| row.own(2) == FAIR).collect();
        let far = |row: &Row| row.estimate.map_or(0.0, |of| of.value.abs());
        let farthest = fair.iter().max_by(|a, b| far(a).total_cmp(&far(b)));
        let sentence = match farthest {
            Some(row) => Sentence::new(
                Tone::Yes,
                format!(
                    "Map {} of {} is fair: the share of every seat is shown to lie within {margin} of an even one, on {} fresh \
                     matches; the farthest is seat {}: {}.",
                    row.keys[0],
                    self.candidates,
                    grouped(row.n),
                    row.keys[1],
                    certified(row)
                ),
            ),
            None => Sentence::new(
                Tone::Open,
                format!(
                    "None of the {} nearest of {} maps is shown to give every seat a share within {margin} of an even one, so \
                     none is written.",
                    rows(tables).filter(|row| row.keys[1] == "1").count(),
                    self.candidates
                ),
            ),
        };
        let line = |row: &Row| {
            let [map, seat] = &row.keys[..] else { return Vec::new() };
            let shown = cell(Some(row), Unit::Difference);
            vec![map.clone(), seat.clone(), shown, row.own(2).to_owned()]
        };
        let grid = Grid {
            title: "Certified".to_owned(),
            header: header(&["map", "seat", "share minus even (95 %)", ""]),
            rows: rows(tables).map(line).collect(),
        };
        let wider = if fair.is_empty() { self.wider(&manifest.command) } else { None };
        let next = wider.map(|command| format!("Among more maps:\n  {command}"));
        Answer { sentences: vec![sentence], grid, next: next.into_iter().collect() }
    }

    fn has_failed(&self, tables: &[Table]) -> bool {
        !rows(tables).any(|row| row.own(2) == FAIR)
    }
}
