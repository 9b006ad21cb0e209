//! Which net judges positions by an agent's matches against itself (`learn --net`)? A search: a course of sessions, and an
//! examination on matches that it did not learn from. The net is written whatever that says. No agents
//! are compared: whether a net that judges better also plays better is for `compare`, `mcts:net=net.toml` against `mcts`.

use crate::core::net::InputList;
use crate::lab::questions::question::{Entry, Question, is_zero};
use crate::lab::questions::searches::learn::{EVERY_MAX, LEARNING, learning, progress};
use crate::lab::questions::searches::level_file::{rules_words, unofficial_note};
use crate::lab::questions::searches::search::{
    CourseStage, Found, Halt, Search, SearchContext, SearchDesign, Stages, TextFile,
};
use crate::lab::questions::studies::next::quoted;
use crate::lab::questions::studies::study::in_range;
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::answer::{Answer, Sentence, Tone, header, table};
use crate::lab::report::described::{ANOMALIES, TableSchema, text};
use crate::lab::report::figures::{cell, fixed, grouped, with_interval};
use crate::lab::report::manifest::{Manifest, QuestionSpec};
use crate::lab::report::metric::{Metric, Unit};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};
use crate::lab::setup::rules::changed;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::{Facts, GameType, LoadedGame};
use crate::sim::learn_net::{NetCourse, NetState, OtherTable};
use crate::sim::net_matches::{JUDGEMENTS, Labels, PARTS};
use crate::sim::trials::MatchPlan;
use crate::stats::jackknife::{Estimate, Grouped, Sums};
use anyhow::{Context as _, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};

/// The catalogue entry of this search.
pub const TYPE: Entry<dyn Search> = Entry::search::<LearnNet>(KIND, &[EXAMINED], is_file);
const KIND: &str = "learn_net";

/// The file with the net.
pub const FILE: &str = "net.toml";

/// The most matches: the log then has some 40 MB.
const MATCHES_MAX: u64 = 500_000;

/// The same where matches branch, whose sessions have fewer matches.
const fn matches_max(siblings: u8) -> u64 {
    MATCHES_MAX / (1 + siblings as u64)
}

/// The most actions from which a match is played on at one decision: as many as searches consider.
const SIBLINGS_MAX: u8 = 12;
/// The most that final points may teach, in percent.
const POINTS_MAX: u8 = 90;
/// The most tables, that of the run among them.
const TABLES_MAX: usize = 32;

/// How the judgements fare.
pub const EXAMINED: TableSchema = TableSchema {
    name: "examined",
    keys: &[text(
        "judgement",
        "learned: the new net; built_in: the judgement that the game has; weights: that of its planner; or the \
         difference of two",
    )],
    more: &[],
    metrics: &[
        Metric::number(
            "surprise",
            "mean surprise at the winner by position, in nats: -ln of the chance that the judgement gave it, in matches \
             that were not learned from; n counts positions",
        ),
        Metric::number(
            "surprise_difference",
            "the surprise of one minus that of another, at the same positions",
        ),
    ],
};

/// The judgements, as the examination counts them.
const NAMES: [&str; JUDGEMENTS] = ["learned", "built_in", "weights"];
/// Rows of differences.
const TO_BUILT_IN: &str = "learned - built_in";
const TO_WEIGHTS: &str = "learned - weights";

/// Which net judges positions by an agent's matches against itself? (`learn --net`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LearnNet {
    /// Matches to learn from; a twentieth as many more examine what was learned.
    pub matches: u64,
    /// Decisions from one position that is noted to the next.
    pub every: u32,
    /// Tables that matches are played at in turn with that of the run.
    pub tables: Vec<TableChange>,
    /// Actions from each of which matches are played on where they branch; 0 if they don't.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub siblings: u8,
    /// The part of what a position teaches that is the final points, in percent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub points: u8,
    /// How far the end of a match reaches back, 0 to 1.
    #[serde(default = "whole", skip_serializing_if = "is_whole")]
    pub lambda: f64,
}

/// The end of a match is all that is due before it.
fn whole() -> f64 {
    1.0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
fn is_whole(lambda: &f64) -> bool {
    *lambda >= 1.0
}

/// A table by what it changes in that of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TableChange {
    /// How many play, if not as many.
    pub players: Option<u8>,
    /// Fields of the rule set, as `field=value`.
    pub set: Vec<String>,
}

impl TableChange {
    /// Reads changes as a user writes them: `players=3,side=a`.
    ///
    /// # Errors
    /// If the number of players is none.
    pub fn parse(text: &str) -> Result<TableChange, String> {
        let mut table = TableChange { players: None, set: Vec::new() };
        for change in text.split(',').map(str::trim) {
            match change.strip_prefix("players=") {
                None => table.set.push(change.to_owned()),
                Some(players) => {
                    let number = players.trim().parse();
                    table.players = Some(number.map_err(|_| format!("`{change}` has no number"))?);
                }
            }
        }
        Ok(table)
    }

    /// As it was written.
    fn text(&self) -> String {
        let players = self.players.map(|players| format!("players={players}"));
        players.into_iter().chain(self.set.iter().cloned()).collect::<Vec<_>>().join(",")
    }

    /// The whole table.
    fn load(
        &self,
        game: &dyn GameType,
        rules: &toml::Table,
        players: u8,
    ) -> Result<Box<dyn LoadedGame>> {
        let players = self.players.unwrap_or(players);
        changed(game, rules.clone(), &self.set, players)
            .with_context(|| format!("--table {}", self.text()))
    }
}

fn is_file(name: &str) -> bool {
    name == FILE
}

/// The inputs of a game's net.
///
/// # Errors
/// If it has none.
pub fn inputs(facts: &Facts) -> Result<InputList> {
    facts.net.with_context(|| format!("{} has no net that judges its positions", facts.name))
}

impl LearnNet {
    /// The course of an agent at a table.
    ///
    /// # Errors
    /// If the game has no net, the agent can't play for it, or a setting is out of its range.
    pub fn design(self, game: &dyn LoadedGame, from: AgentSpec) -> Result<SearchDesign> {
        inputs(&game.game_type().facts())?;
        let name = &from.name;
        ensure!(
            !from.is_oracle(),
            "--from {name} sees all hands; a net is learned from honest play"
        );
        ensure!(
            !from.is_timed(),
            "--from {name} depends on the clock, so nothing could be resumed"
        );
        let LearnNet { matches, every, ref tables, lambda, .. } = self;
        let labels = self.labels();
        let Labels { siblings, points, .. } = labels;
        ensure!((1..=EVERY_MAX).contains(&every), "--every {every} is not in 1 to {EVERY_MAX}");
        ensure!(
            siblings != 1 && siblings <= SIBLINGS_MAX,
            "--siblings {siblings} is neither 0 nor in 2 to {SIBLINGS_MAX}"
        );
        ensure!(points <= POINTS_MAX, "--points {points} is not in 0 to {POINTS_MAX}");
        let most = matches_max(siblings);
        ensure!(
            (1..=most).contains(&matches),
            "--matches {matches} is not in 1 to {}",
            grouped(most)
        );
        ensure!(tables.len() < TABLES_MAX, "more than {TABLES_MAX} tables");
        for table in tables {
            let game = table.load(game.game_type(), &game.rules(), game.players())?;
            game.check_agents(std::slice::from_ref(&from))?;
        }
        ensure!((0.0..=1.0).contains(&lambda), "--lambda {lambda} is not in 0 to 1");
        let blocks = NetCourse { seed: 0, matches, tables: Vec::new(), labels }.all();
        let matches = vec![MatchPlan::plain(0, vec![0; usize::from(game.players())])];
        Ok(SearchDesign::of(Box::new(self), vec![from], matches, blocks))
    }

    /// What is noted of matches.
    fn labels(&self) -> Labels {
        let LearnNet { every, siblings, points, lambda, .. } = *self;
        Labels { every, siblings, points, lambda }
    }

    /// The command, without what changes no result.
    fn line(&self, context: SearchContext<'_>) -> String {
        let Manifest { game, players, agents, seed, .. } = context.manifest;
        let LearnNet { matches, every, tables, siblings, points, lambda } = self;
        let from = quoted(&agents[0].name);
        let tables: Vec<String> =
            tables.iter().map(|table| format!(" --table {}", quoted(&table.text()))).collect();
        let tables = tables.concat();
        let flag = |name: &str, value: f64, usual: f64| {
            if value.to_bits() == usual.to_bits() {
                String::new()
            } else {
                format!(" --{name} {value}")
            }
        };
        let labels = flag("siblings", f64::from(*siblings), 0.0)
            + &flag("points", f64::from(*points), 0.0)
            + &flag("lambda", *lambda, whole());
        format!(
            "fairhaven learn {game} --net --from {from} --players {players}{tables} --matches {matches} --every {every}{labels} \
             --seed {seed}{}",
            rules_words(context.game.game_type(), &context.manifest.rules),
        )
    }

    /// The file of the net.
    fn file(&self, context: SearchContext<'_>, list: &InputList, state: &NetState) -> TextFile {
        let SearchContext { manifest, .. } = context;
        let [learned, built_in, weights] = std::array::from_fn(|at| {
            with_interval(surprise(&state.learner.exam, at).as_ref(), NATS)
        });
        let provenance = format!(
            "{}{}; build {}; {} matches won, {} positions; surprise at the winner in {} further matches: {learned} nats, \
             {built_in} by the judgement built in before, {weights} by the planner's weights",
            unofficial_note(manifest),
            self.line(context),
            manifest.build,
            state.won,
            state.tenths.positions(),
            grouped(state.learner.exam.blocks()),
        );
        let about = format!("judges positions of {}, by seat", manifest.game);
        let text = state.net().text(&manifest.game, &about, &provenance, list);
        TextFile { name: FILE.to_owned(), text }
    }
}

/// How nats are shown.
const NATS: Unit = Unit::Number(4);

/// The mean surprise by one of the judgements.
fn mean(sums: Sums<'_>, judgement: usize) -> Option<f64> {
    sums.ratio(1 + judgement, 0).map(|parts| parts / PARTS)
}

/// The same with its interval.
fn surprise(exam: &Grouped, judgement: usize) -> Option<Estimate> {
    exam.mean(|sums| mean(sums, judgement))
}

/// The surprise by the new net less that by another judgement.
fn difference(exam: &Grouped, judgement: usize) -> Option<Estimate> {
    exam.mean(|sums| Some(mean(sums, 0)? - mean(sums, judgement)?))
}

/// The rows of the examination.
fn examined(exam: &Grouped) -> Vec<Row> {
    let row = |name: &str, metric, estimate| {
        Row::new(vec![name.to_owned()], metric, estimate, exam.blocks(), exam.sum(0))
    };
    let each = NAMES.iter().enumerate();
    let mut rows: Vec<Row> =
        each.map(|(at, name)| row(name, "surprise", surprise(exam, at))).collect();
    for (at, name) in [(1, TO_BUILT_IN), (2, TO_WEIGHTS)] {
        rows.push(row(name, "surprise_difference", difference(exam, at)));
    }
    rows
}

/// Plays the course and the examination to their end.
fn taught(
    from: &AgentSpec,
    course: &NetCourse,
    mut state: NetState,
    stages: &mut dyn Stages,
) -> Result<NetState, Halt> {
    let mut what = "learning".to_owned();
    while state.played < course.all() {
        state = stages.learn_net(&CourseStage { what: &what, from, course, state: &state })?;
        what = if state.played < course.matches {
            progress(&state.tenths, state.played, course.matches)
        } else {
            "examining".to_owned()
        };
    }
    Ok(state)
}

/// What is said of the new net and another judgement.
fn compared(row: Option<&Row>, other: &str) -> Sentence {
    let estimate = row.and_then(|row| row.estimate.as_ref());
    let interval = estimate.and_then(|estimate| estimate.interval);
    let tone = match interval {
        Some((_, high)) if high < 0.0 => Tone::Yes,
        Some((low, _)) if low > 0.0 => Tone::No,
        _ => Tone::Open,
    };
    let Some(estimate) = estimate else {
        let text = format!("The learned net was not compared with {other}: nobody won a match.");
        return Sentence::new(tone, text);
    };
    let by = |value: f64| fixed(value, 4);
    let text = match tone {
        Tone::Yes | Tone::No => {
            let word = if tone == Tone::Yes { "less" } else { "more" };
            let mean = by(estimate.value.abs());
            format!("The winner surprises the learned net by {mean} nats {word} than {other}.")
        }
        _ => {
            let shown = with_interval(Some(estimate), NATS);
            format!("The learned net is not shown to judge better than {other}: {shown} nats.")
        }
    };
    Sentence::new(tone, text)
}

impl Question for LearnNet {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "learn"
    }

    fn described(&self) -> Vec<TableSchema> {
        vec![EXAMINED, LEARNING, ANOMALIES]
    }

    fn caution(&self) -> &'static str {
        "What was learned was learned from matches of this agent against itself. A net that judges positions \
         better need not choose better: `compare` measures that."
    }

    fn answer(&self, _: &Manifest, tables: &[Table]) -> Answer {
        let row = |name: &str, metric| table(tables, EXAMINED.name)?.find(&[name], metric);
        let [to_built_in, to_weights] =
            [TO_BUILT_IN, TO_WEIGHTS].map(|name| row(name, "surprise_difference"));
        let line = |name: &str, row: Option<&Row>| vec![name.to_owned(), cell(row, NATS)];
        let rows = vec![
            line("surprise at the winner, learned net", row(NAMES[0], "surprise")),
            line("the judgement built in", row(NAMES[1], "surprise")),
            line("the planner's weights", row(NAMES[2], "surprise")),
            line("learned minus built in", to_built_in),
            line("learned minus weights", to_weights),
        ];
        let grid = Grid { title: "Nats".to_owned(), header: header(&["", "nats (95 %)"]), rows };
        let sentences = vec![
            compared(to_weights, "the planner's weights"),
            compared(to_built_in, "the judgement built in"),
        ];
        Answer { sentences, grid, next: Vec::new() }
    }

    fn other_sizes(&self) -> Vec<u8> {
        self.tables.iter().filter_map(|table| table.players).collect()
    }

    fn notes(&self, tables: &[Table]) -> Vec<String> {
        // A course that was broken off has written no net.
        if table(tables, EXAMINED.name).is_none() {
            return Vec::new();
        }
        vec![format!(
            "With --out, the net is in {FILE}. A net that judges these positions better need not play better; to see \
             that, name it to a search: fairhaven compare GAME mcts:net=DIR/{FILE} mcts"
        )]
    }
}

impl Search for LearnNet {
    fn check(&self, manifest: &Manifest) -> Result<(), String> {
        let from = manifest.agents.iter().map(AgentEntry::spec).next();
        let from = from.ok_or("the manifest has no agent")?;
        let LearnNet { matches, every, tables, siblings, points, lambda } = self;
        in_range(
            manifest.agents.len() == 1
                && !from.is_oracle()
                && !from.is_timed()
                && (1..=matches_max(*siblings)).contains(matches)
                && (1..=EVERY_MAX).contains(every)
                && tables.len() < TABLES_MAX
                && *siblings != 1
                && *siblings <= SIBLINGS_MAX
                && *points <= POINTS_MAX
                && (0.0..=1.0).contains(lambda),
        )
    }

    fn search(&self, context: SearchContext<'_>, stages: &mut dyn Stages) -> Result<Found, Halt> {
        let SearchContext { manifest, game } = context;
        let from = manifest.agents.iter().map(AgentEntry::spec).next();
        let from = from.context("the manifest has no agent")?;
        let list = inputs(&game.game_type().facts())?;
        let LearnNet { matches, ref tables, .. } = *self;
        let load = |table: &TableChange| -> Result<OtherTable> {
            let table = table.load(game.game_type(), &manifest.rules, manifest.players)?;
            Ok(OtherTable { rules: table.rules(), players: table.players() })
        };
        let tables = tables.iter().map(load).collect::<Result<_>>()?;
        let course = NetCourse { seed: manifest.seed, matches, tables, labels: self.labels() };
        let begin = NetState::begin(list.names.len(), &course);
        let state = taught(&from, &course, begin, stages)?;
        if state.won == 0 {
            return Err(anyhow!("no match was won: there is nothing to learn from").into());
        }
        let exam = EXAMINED.table(state.learner.exam.blocks(), examined(&state.learner.exam));
        let tables = vec![exam, LEARNING.table(0, learning(&state.tenths))];
        Ok(Found { tables, files: vec![self.file(context, &list, &state)] })
    }

    fn is_divided(&self) -> bool {
        false
    }
}
