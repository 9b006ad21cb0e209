//! `balance`: the options of a choice, forced, removed and as the only one; or fields of the rule set in a
//! factorial design.

use crate::cli::Balance;
use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Said};
use crate::core::measure::Choice;
use crate::core::types::seat::Seat;
use crate::lab::line_up::agent;
use crate::lab::report::manifest::{Estimand, Factor, Question, Variant};
use crate::lab::rules;
use crate::lab::run::Design;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::sim::batch::Plan;
use crate::sim::counts::forced::Forced;
use crate::sim::counts::paired;
use crate::sim::counts::restricted::Restricted;
use crate::sim::trials::MatchPlan;
use crate::stats::factorial;
use crate::words::nearest;
use anyhow::{Context, Result, bail, ensure};

/// Blocks between two looks of a watched run.
const LOOK: u64 = 32;

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Balance) -> Result<Said> {
    let game = choose::game(&args.rules, args.players)?;
    let levels = args.levels.split(',').map(|name| agent(name.trim()));
    let levels: Vec<AgentSpec> = levels.collect::<Result<_>>()?;
    for (at, level) in levels.iter().enumerate() {
        let twice = levels[..at].iter().any(|other| other.name == level.name);
        ensure!(!twice, "--levels: `{}` is named twice", level.name);
    }
    let (margin, until) = (args.margin, args.until);
    ensure!(margin > 0.0, "--margin is not above 0; write 1pp, for example");
    let most = if until.is_some() { 10_000_000 } else { 20_000 };
    let blocks = args.blocks.unwrap_or(most);
    let chunk = if until.is_some() { LOOK } else { Plan::chunk_for(blocks) };
    let wanted = Wanted { margin, until, levels, blocks, chunk };
    let design = match &args.choice {
        Some(choice) => wanted.choice(&*game, choice, &args.estimands)?,
        None => wanted.factors(&args.factors, &args.rules.sets, args.players)?,
    };
    run::start(&args.running, &*game, design)
}

/// What both designs have in common.
struct Wanted {
    margin: f64,
    until: Option<f64>,
    levels: Vec<AgentSpec>,
    blocks: u64,
    chunk: u64,
}

impl Wanted {
    /// A choice: every option forced, every option removed, and every seat restricted to every option, at each
    /// level.
    fn choice(self, game: &dyn LoadedGame, name: &str, asked: &[Estimand]) -> Result<Design> {
        let of = Options::of(game, name)?;
        let estimands = of.estimands(game, asked)?;
        let removed = estimands.contains(&Estimand::Removed);
        let restricted = estimands.contains(&Estimand::Restricted);
        let mut variants = vec![Variant::base()];
        variants.extend(if removed { of.removals() } else { Vec::new() });
        let first_restricted = variants.len();
        variants.extend(if restricted { of.restrictions(game) } else { Vec::new() });
        let (options, players) = (of.compared.len(), usize::from(game.players()));
        let mut matches = Vec::new();
        for level in 0..self.levels.len() {
            let seats = vec![level; players];
            if estimands.contains(&Estimand::Forced) {
                let forced = Forced { options, rotations: 1 };
                let number = |at: usize| of.compared[at];
                matches.extend(
                    forced
                        .matches(0, std::slice::from_ref(&seats))
                        .into_iter()
                        .map(|plan| MatchPlan { forced: plan.forced.map(number), ..plan }),
                );
            }
            if removed {
                let all = (0..=options).map(|variant| (variant, vec![seats.clone()]));
                matches.extend(paired::matches(all));
            }
            if restricted {
                matches.extend(Restricted { options, players }.matches(first_restricted, &seats));
            }
        }
        let question = Question::Balance {
            choice: name.to_owned(),
            options: of.names(&of.compared),
            dropped: of.names(&of.dropped),
            estimands,
            margin: self.margin,
            until: self.until,
        };
        Ok(self.design(question, variants, matches))
    }

    /// Fields of the rule set: every run of a two-level design.
    fn factors(self, words: &[String], sets: &[String], players: u8) -> Result<Design> {
        let factors: Vec<Factor> = words.iter().map(|word| factor(word)).collect::<Result<_>>()?;
        for (at, factor) in factors.iter().enumerate() {
            let twice = factors[..at].iter().any(|other| other.field == factor.field);
            ensure!(!twice, "--factor {} is given twice", factor.field);
            rules::ensure_not_set(sets, &factor.field).context("--factor")?;
        }
        let design = factorial::design(factors.len())
            .with_context(|| format!("{} factors; there may be 1 to 11", factors.len()))?;
        ensure!(self.levels.len() == 1, "a factorial design is played at one level");
        let variant = |run: &u64| {
            let values = factors.iter().enumerate().map(|(at, factor)| {
                let value = if run >> at & 1 == 1 { &factor.high } else { &factor.low };
                format!("{}={value}", factor.field)
            });
            let changes: Vec<String> = values.collect();
            Variant { name: changes.join(" "), changes }
        };
        let variants: Vec<Variant> = design.runs.iter().map(variant).collect();
        let seats = vec![0; usize::from(players)];
        let all = (0..variants.len()).map(|variant| (variant, vec![seats.clone()]));
        let matches = paired::matches(all);
        let question = Question::Factorial { factors, margin: self.margin, until: self.until };
        Ok(self.design(question, variants, matches))
    }

    fn design(self, question: Question, variants: Vec<Variant>, matches: Vec<MatchPlan>) -> Design {
        let Wanted { levels, blocks, chunk, .. } = self;
        Design { question, variants, agents: levels, matches, blocks, chunk }
    }
}

/// The options of a choice under a rule set.
struct Options {
    /// The choice's number in the game.
    number: usize,
    choice: &'static Choice,
    /// Options that are compared.
    compared: Vec<usize>,
    /// Options that nobody can take.
    dropped: Vec<usize>,
}

impl Options {
    /// The options of a game's choice that can be taken, which must be two at least and all different.
    fn of(game: &dyn LoadedGame, name: &str) -> Result<Options> {
        let facts = game.game_type().facts();
        let known: Vec<&str> = facts.choices.iter().map(|choice| choice.name).collect();
        let number = known.iter().position(|known| *known == name);
        let number = number.with_context(|| {
            format!("{} has {}", facts.name, nearest::unknown("choice", name, &known))
        })?;
        let choice = &facts.choices[number];
        let all = 0..choice.options.len();
        let (compared, dropped) = all.partition(|&option| game.can_be_taken(number, option));
        let options = Options { number, choice, compared, dropped };
        let left = options.names(&options.compared);
        ensure!(
            left.len() > 1,
            "the choice `{name}` needs two options; under this rule set {} can be taken",
            if left.is_empty() { "none".to_owned() } else { format!("only `{}`", left[0]) },
        );
        options.must_differ(game)?;
        Ok(options)
    }

    /// Options that do the same have nothing to compare.
    fn must_differ(&self, game: &dyn LoadedGame) -> Result<()> {
        for (at, &option) in self.compared.iter().enumerate() {
            let same = |&other: &usize| Some((other, game.alike(self.number, [option, other])?));
            let found: Vec<(usize, String)> =
                self.compared[at + 1..].iter().filter_map(same).collect();
            if let Some((_, change)) = found.first() {
                let all: Vec<usize> =
                    std::iter::once(option).chain(found.iter().map(|(other, _)| *other)).collect();
                bail!(
                    "{} do the same under this rule set: there is nothing to compare; \
                     `--set {change}` makes them differ",
                    quoted(&self.names(&all)),
                );
            }
        }
        Ok(())
    }

    fn names(&self, of: &[usize]) -> Vec<String> {
        of.iter().map(|&option| self.choice.options[option].name.to_owned()).collect()
    }

    /// What is played: all that the game allows, unless some are asked for.
    fn estimands(&self, game: &dyn LoadedGame, asked: &[Estimand]) -> Result<Vec<Estimand>> {
        let can_restrict = game.restriction(self.number, Seat::FIRST, self.compared[0]).is_some();
        if asked.is_empty() {
            let all = [Estimand::Forced, Estimand::Removed, Estimand::Restricted];
            let played = |estimand: &Estimand| can_restrict || *estimand != Estimand::Restricted;
            return Ok(all.into_iter().filter(played).collect());
        }
        let restricted = asked.contains(&Estimand::Restricted);
        let name = game.game_type().facts().name;
        ensure!(can_restrict || !restricted, "{name} can't restrict a seat's options");
        let twice = asked.iter().enumerate().any(|(at, one)| asked[..at].contains(one));
        ensure!(!twice, "--estimands names one twice");
        Ok(asked.to_vec())
    }

    /// The rule sets without each option.
    fn removals(&self) -> Vec<Variant> {
        let removal = |&option: &usize| {
            let option = &self.choice.options[option];
            let name = format!("without {}", option.name);
            Variant { name, changes: vec![option.removal.to_owned()] }
        };
        self.compared.iter().map(removal).collect()
    }

    /// The rule sets with each option alone for each seat.
    fn restrictions(&self, game: &dyn LoadedGame) -> Vec<Variant> {
        let mut all = Vec::new();
        for &option in &self.compared {
            for seat in Seat::all(game.players()) {
                let change = game.restriction(self.number, seat, option);
                let name = self.choice.options[option].name;
                all.extend(change.map(|change| Variant {
                    name: format!("only {name}, seat {}", seat.number()),
                    changes: vec![change],
                }));
            }
        }
        all
    }
}

/// Names as a sentence has them: `a`, `b` and `c`.
fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

/// Reads `field=low,high`; commas inside of braces or brackets do not separate them.
fn factor(word: &str) -> Result<Factor> {
    let wrong = || format!("`{word}` should read field=low,high");
    let (field, values) = word.split_once('=').with_context(wrong)?;
    let mut depth = 0_i32;
    let comma = values.find(|letter: char| {
        depth += i32::from("{[".contains(letter)) - i32::from("}]".contains(letter));
        letter == ',' && depth == 0
    });
    let (low, high) = values.split_at(comma.with_context(wrong)?);
    let (low, high) = (low.trim().to_owned(), high[1..].trim().to_owned());
    ensure!(!low.is_empty() && !high.is_empty() && low != high, "{}", wrong());
    Ok(Factor { field: field.trim().to_owned(), low, high })
}
