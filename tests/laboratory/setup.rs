//! Experiments on the dice race: the manifest that a command would write, played without files.

use crate::closed_form;
use crate::rollers::{Fixed, Knows, Mirror, Shy, Uniform, player};
use crate::toy::{DiceRace, Die, Rules, race};
use fairhaven::core::agent::Player;
use fairhaven::core::game::Game;
use fairhaven::core::measure::{Measure, Names};
use fairhaven::core::types::seat::Seat;
use fairhaven::core::watch::Watch;
use fairhaven::lab::questions::question::{self, Question};
use fairhaven::lab::questions::studies::STUDIES;
use fairhaven::lab::questions::studies::balance::Balance;
use fairhaven::lab::questions::studies::duel;
use fairhaven::lab::questions::studies::factorial::{Factor, Factorial};
use fairhaven::lab::questions::studies::options::Estimand;
use fairhaven::lab::questions::studies::rules::Rules as OfRules;
use fairhaven::lab::questions::studies::study::{Context, Study};
use fairhaven::lab::questions::studies::sweep::Sweep;
use fairhaven::lab::report::agent_entry::AgentEntry;
use fairhaven::lab::report::manifest::{
    BUILD, Manifest, PlanEntry, Played, QuestionSpec, SCHEMA_VERSION, Variant, Wall,
};
use fairhaven::lab::report::table::Table;
use fairhaven::sim::batch::{self, Chunking, Flow, MergedPiece, Outside, Totals};
use fairhaven::sim::choices::Pad;
use fairhaven::sim::counts::duel::DuelCount;
use fairhaven::sim::counts::forced::ForcedCount;
use fairhaven::sim::counts::paired;
use fairhaven::sim::counts::restricted::RestrictedCount;
use fairhaven::sim::experiment::Experiment;
use fairhaven::sim::simulation::{layout, rotations};
use fairhaven::sim::trials::{MatchPlan, Noted, Trials};
use fairhaven::stats::factorial;
use fairhaven::stats::jackknife::Estimate;
use std::ops::Range;

/// An agent at the table.
#[derive(Debug, Clone, Copy)]
pub enum Who {
    /// Rolls one die.
    Fixed(Die),
    /// Rolls any die.
    Uniform,
    /// The same, drawn otherwise.
    Mirror,
    /// Rolls die a with this probability in per cent, else die b.
    Shy(u8),
}

impl Who {
    /// The agent.
    pub fn player(self) -> Player<DiceRace> {
        match self {
            Who::Fixed(die) => player(Fixed(die)),
            Who::Uniform => player(Uniform),
            Who::Mirror => player(Mirror),
            Who::Shy(percent) => player(Shy { percent }),
        }
    }

    /// The probability that a roll of it wins.
    pub fn success(self, rules: &Rules) -> f64 {
        match self {
            Who::Fixed(die) => closed_form::fixed(rules, die),
            Who::Uniform | Who::Mirror => closed_form::uniform(rules),
            Who::Shy(percent) => closed_form::shy(rules, percent),
        }
    }

    /// Its name in tables.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// An experiment on the dice race.
#[derive(Debug, Clone)]
pub struct Setup {
    /// What is asked.
    pub question: QuestionSpec,
    /// The rule set.
    pub rules: Rules,
    /// Players at the table.
    pub players: u8,
    /// What variants change in the rule set.
    pub variants: Vec<Variant>,
    /// The distinct agents.
    pub agents: Vec<Who>,
    /// The matches of a block.
    pub matches: Vec<MatchPlan>,
    /// Blocks and chunks.
    pub plan: Chunking,
    /// The master seed.
    pub seed: u64,
    /// Judges luck, if that is asked for.
    pub judge: Option<Knows>,
}

/// A plan as commands that are not watched make it.
pub fn blocks(blocks: u64) -> Chunking {
    Chunking { blocks, chunk: Chunking::chunk_for(blocks) }
}

fn variants(changes: &[&str]) -> Vec<Variant> {
    let variant = |change: &&str| match *change {
        "" => Variant::base(),
        change => Variant { name: change.to_owned(), changes: vec![change.to_owned()] },
    };
    changes.iter().map(variant).collect()
}

impl Setup {
    /// `compare A B`, deciding between differences of win rates of 0 and `difference1`.
    pub fn duel(rules: Rules, players: u8, agents: [Who; 2], difference1: f64) -> Setup {
        let (alpha, beta) = (0.05, 0.05);
        let study = duel::Duel {
            difference0: 0.0,
            difference1,
            alpha,
            beta,
            until: None,
            less_luck: false,
        };
        Setup {
            question: study.spec(),
            rules,
            players,
            variants: variants(&[""]),
            agents: agents.to_vec(),
            matches: DuelCount::even(usize::from(players)),
            plan: Chunking { blocks: 100_000, chunk: 16 },
            seed: 1,
            judge: None,
        }
    }

    /// The same with one of A among B in each seat, and one of B among A.
    pub fn lone(self) -> Setup {
        Setup { matches: DuelCount::alone(usize::from(self.players)), ..self }
    }

    /// A question about variants of the rules, each in all rotations of a line-up.
    pub fn paired(question: QuestionSpec, rules: Rules, changes: &[&str], seats: &[Who]) -> Setup {
        let mut agents: Vec<Who> = Vec::new();
        let mut number = |who: &Who| {
            let known = agents.iter().position(|other| other.name() == who.name());
            known.unwrap_or_else(|| {
                agents.push(*who);
                agents.len() - 1
            })
        };
        let line_up: Vec<usize> = seats.iter().map(&mut number).collect();
        let rotations = rotations(&line_up);
        let all = (0..changes.len()).map(|variant| (variant, rotations.clone()));
        Setup {
            question,
            rules,
            players: u8::try_from(seats.len()).expect("few seats"),
            variants: variants(changes),
            matches: paired::matches(all),
            agents,
            plan: blocks(1000),
            seed: 1,
            judge: None,
        }
    }

    /// `sweep --param`: the values of the first agent among others, all in the same seats.
    pub fn parameter(rules: Rules, values: &[Who], others: &[Who]) -> Setup {
        let extra = values.len() - 1;
        let line_up: Vec<usize> = (0..=others.len()).map(|seat| usize::from(seat > 0)).collect();
        let seated = |value: usize| -> Vec<Vec<usize>> {
            let seat = |agent: &usize| if *agent == 0 { value } else { agent + extra };
            rotations(&line_up).iter().map(|seats| seats.iter().map(seat).collect()).collect()
        };
        let of = |value| paired::matches(std::iter::once((0, seated(value))));
        let names = values.iter().map(|who| who.name()).collect();
        Setup {
            question: Sweep { of: "percent".to_owned(), values: names }.spec(),
            variants: variants(&[""]),
            agents: values.iter().chain(&others[..1]).copied().collect(),
            matches: (0..values.len()).flat_map(of).collect(),
            ..Setup::paired(
                OfRules::default().spec(),
                rules,
                &[""],
                &[&values[..1], others].concat(),
            )
        }
    }

    /// `balance --choice`: every die forced, removed, and left to a seat as the only one.
    pub fn balance(rules: Rules, players: u8, choice: &str, levels: &[Who]) -> Setup {
        let seats = usize::from(players);
        let game = race(rules.clone(), players);
        let mut variants = variants(&["", "a=0", "b=0", "c=0", "d=0"]);
        for option in 0..4 {
            let change = |seat| game.restriction(0, seat, option).expect("a field for it");
            let variant = |seat| Variant { name: change(seat), changes: vec![change(seat)] };
            variants.extend(Seat::all(players).map(variant));
        }
        let mut matches = Vec::new();
        for level in 0..levels.len() {
            let line_up = vec![level; seats];
            let forced = ForcedCount { options: 4, rotations: 1 };
            matches.extend(forced.matches(0, std::slice::from_ref(&line_up)));
            matches.extend(paired::matches((0..5).map(|variant| (variant, vec![line_up.clone()]))));
            matches.extend(RestrictedCount { options: 4, players: seats }.matches(5, &line_up));
        }
        let study = Balance {
            choice: choice.to_owned(),
            options: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
            dropped: Vec::new(),
            estimands: vec![Estimand::Forced, Estimand::Removed, Estimand::Restricted],
            margin: 0.01,
            until: None,
        };
        Setup {
            question: study.spec(),
            rules,
            players,
            variants,
            agents: levels.to_vec(),
            matches,
            plan: blocks(1000),
            seed: 1,
            judge: None,
        }
    }

    /// `balance --factor` over fields with a low and a high value.
    pub fn factorial(rules: Rules, factors: &[(&str, u8, u8)], seats: &[Who]) -> Setup {
        let design = factorial::design(factors.len()).expect("a few factors");
        let variant = |run: &u64| {
            let value = |(at, (field, low, high)): (usize, &(&str, u8, u8))| {
                format!("{field}={}", if run >> at & 1 == 1 { high } else { low })
            };
            let changes: Vec<String> = factors.iter().enumerate().map(value).collect();
            Variant { name: changes.join(" "), changes }
        };
        let factor = |(field, low, high): &(&str, u8, u8)| Factor {
            field: (*field).to_owned(),
            low: low.to_string(),
            high: high.to_string(),
        };
        let factors = factors.iter().map(factor).collect();
        let question = Factorial { factors, margin: 0.01, until: None }.spec();
        let base = vec![""; design.runs.len()];
        Setup {
            variants: design.runs.iter().map(variant).collect(),
            ..Setup::paired(question, rules, &base, seats)
        }
    }

    /// The same, watched until no interval is wider than this to either side.
    pub fn until(mut self, width: f64) -> Setup {
        let until = self.question.settings.get_mut("until").expect("a study that can be watched");
        *until = width.into();
        Setup { plan: Chunking { blocks: 1_000_000, chunk: 32 }, ..self }
    }

    /// A duel that shows the difference less luck, too, and never stops by itself.
    pub fn less_luck(mut self, judge: Knows) -> Setup {
        self.question.settings.insert("less_luck".to_owned(), true.into());
        self.question.settings.insert("until".to_owned(), 1e-9.into());
        Setup { judge: Some(judge), ..self }
    }

    /// The rule set of a variant.
    pub fn rules_of(&self, variant: usize) -> Rules {
        let mut rules = toml::Table::try_from(&self.rules).expect("rules are a table");
        for change in &self.variants[variant].changes {
            let change: toml::Table = toml::from_str(change).expect("a field and its value");
            rules.extend(change);
        }
        rules.try_into().expect("rules that can be read")
    }

    /// What a command would write.
    pub fn manifest(&self) -> Manifest {
        let entry = |who: &Who| AgentEntry {
            name: who.name(),
            kind: "toy".to_owned(),
            parameters: toml::Table::new(),
            hash: who.name(),
            reproducible: true,
            measured_at: None,
            said: None,
            checked: None,
            net: None,
        };
        Manifest {
            schema_version: SCHEMA_VERSION,
            version: String::new(),
            build: BUILD.to_owned(),
            command: Vec::new(),
            question: self.question.clone(),
            game: DiceRace::NAME.to_owned(),
            players: self.players,
            unofficial: None,
            rules: toml::Table::try_from(&self.rules).expect("rules are a table"),
            rules_hash: String::new(),
            variants: self.variants.clone(),
            agents: self.agents.iter().map(entry).collect(),
            seed: self.seed,
            generator: String::new(),
            plan: PlanEntry {
                blocks: self.plan.blocks,
                chunk: self.plan.chunk,
                wave: None,
                shard: None,
                matches_of_a_block: self.matches.clone(),
            },
            fault_share: None,
            require: Vec::new(),
            played: Played::default(),
            wall: Wall::default(),
            files: Vec::new(),
            checksum: String::new(),
        }
    }

    /// Calls a function with the experiment.
    pub fn with<T>(
        &self,
        manifest: &Manifest,
        work: impl FnOnce(&Posed<'_>, &Trials<'_, DiceRace>) -> T,
    ) -> T {
        let study =
            question::read(&STUDIES, &self.question).expect("its settings").expect("a study");
        let forced = study.forced_choice(DiceRace::CHOICES).expect("options of the choice");
        let (choice, options) =
            forced.map_or((0, Vec::new()), |forced| (forced.choice, forced.options));
        let agents = |_: &DiceRace, _: &Pad| self.agents.iter().map(|who| who.player()).collect();
        let trials = Trials {
            seed: self.seed,
            games: (0..self.variants.len())
                .map(|variant| race(self.rules_of(variant), self.players))
                .collect(),
            agents: Box::new(agents),
            choice,
            options,
            matches: self.matches.clone(),
            sections: study.sections(manifest).expect("a plan that fits its question"),
            noted: self.judge.clone().map_or(Noted::Nothing, |judge| {
                Noted::Luck(Box::new(move |_| Box::new(judge.clone())))
            }),
            watch: &Watch::none(),
        };
        let context = Context {
            manifest,
            choices: DiceRace::CHOICES,
            names: Names::of::<DiceRace>(),
            layout: layout(&trials.games[0], self.agents.len()),
            games: &[],
        };
        work(&Posed { study: &*study, context }, &trials)
    }

    /// Plays some chunks with the runner, until the study stops it.
    pub fn chunks(&self, chunks: Range<u64>, watch: &Watch) -> Totals {
        let manifest = self.manifest();
        self.with(&manifest, |study, trials| {
            let mut totals = Totals::new(trials.width(), trials.anomalies(), chunks.start);
            let mut after = |totals: &Totals, step: &MergedPiece<'_>| {
                let looks = step.digest.is_some();
                let stop = if looks { study.stop(totals) } else { None };
                Ok(stop.map_or(Flow::On, |_| Flow::Stop))
            };
            batch::run(
                trials,
                &self.plan,
                &mut totals,
                chunks.end,
                Outside::new(watch, &mut after),
            )
            .expect("no file");
            totals
        })
    }

    /// Plays everything on one thread, without the runner; `look` sees the sums after each chunk.
    pub fn alone(&self, mut look: impl FnMut(&Posed<'_>, &Totals) -> Flow) {
        let manifest = self.manifest();
        self.with(&manifest, |study, trials| {
            let mut worker = trials.worker();
            let mut totals = Totals::new(trials.width(), trials.anomalies(), 0);
            for chunk in 0..self.plan.chunks() {
                let blocks = self.plan.blocks_of(chunk..chunk + 1);
                let count = blocks.end - blocks.start;
                totals.grouped.add(chunk, count, &worker.play(blocks).sums);
                totals.chunks.end += 1;
                if look(study, &totals) == Flow::Stop {
                    return;
                }
            }
        });
    }

    /// The tables of sums, and why the run stopped there.
    pub fn read(&self, totals: &Totals) -> (Vec<Table>, Option<String>) {
        let manifest = self.manifest();
        self.with(&manifest, |study, _| (study.tables(totals), study.stop(totals)))
    }

    /// Plays everything and returns the tables.
    pub fn tables(&self) -> Vec<Table> {
        self.read(&self.chunks(0..self.plan.chunks(), &Watch::none())).0
    }
}

/// A study with the run that it is asked of.
pub struct Posed<'a> {
    study: &'a dyn Study,
    context: Context<'a>,
}

impl Posed<'_> {
    /// Why the run may stop now.
    pub fn stop(&self, totals: &Totals) -> Option<String> {
        self.study.stop(self.context.manifest, totals)
    }

    /// The tables.
    pub fn tables(&self, totals: &Totals) -> Vec<Table> {
        self.study.tables(&self.context, totals).expect("a plan that fits its question")
    }
}

/// An estimate from a table.
pub fn found(tables: &[Table], name: &str, keys: &[&str], metric: &str) -> Estimate {
    let table = tables.iter().find(|table| table.name == name);
    let table = table.unwrap_or_else(|| panic!("no table {name}"));
    let row = table.find(keys, metric);
    let row = row.unwrap_or_else(|| panic!("{name} has no {metric} of {keys:?}"));
    row.estimate.unwrap_or_else(|| panic!("{name}: {metric} of {keys:?} is empty"))
}

/// Fails if an estimate is more than 4 of its standard errors from what it should be.
pub fn close(estimate: Estimate, truth: f64, what: &str) {
    let (value, se) = (estimate.value, estimate.se.expect("many blocks"));
    assert!((value - truth).abs() <= 4.0 * se + 1e-12, "{what}: {value} ± {se}, not {truth}");
}
