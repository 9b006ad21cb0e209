//! `balance`: the options of a choice, forced and removed; or fields of the rule set in a factorial design.

use crate::cli::Balance;
use crate::commands::choose;
use crate::commands::run;
use crate::commands::run::Design;
use crate::commands::run::Said;
use crate::registry::AgentSpec;
use crate::registry::Playable;
use crate::registry::Visitor;
use crate::registry::with_game;
use crate::report::manifest::Factor;
use crate::report::manifest::Question;
use crate::report::manifest::Variant;
use crate::sim::batch::Plan;
use crate::sim::counts::forced::Forced;
use crate::sim::counts::paired;
use crate::sim::measure::Choice;
use crate::sim::trials::MatchPlan;
use crate::stats::factorial;
use crate::words::nearest;
use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;

/// Blocks between two looks of a watched run.
const LOOK: u64 = 32;

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Balance) -> Result<Said> {
    let found = with_game(&args.rules.game, Run { args });
    found.unwrap_or_else(|| Err(choose::no_such_game(&args.rules.game)))
}

struct Run<'a> {
    args: &'a Balance,
}

impl Visitor for Run<'_> {
    type Out = Result<Said>;

    fn visit<G: Playable>(self) -> Result<Said> {
        let args = self.args;
        let game: G = choose::game(args.rules.rules.as_deref(), &args.rules.sets, args.players)?;
        let levels = args.levels.split(',').map(|name| choose::agent(name.trim()));
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
            Some(choice) => wanted.choice::<G>(choice, args.players)?,
            None => wanted.factors(&args.factors, &args.rules.sets, args.players)?,
        };
        run::start(&args.running, &game, design)
    }
}

/// What both designs have.
struct Wanted {
    margin: f64,
    until: Option<f64>,
    levels: Vec<AgentSpec>,
    blocks: u64,
    chunk: u64,
}

impl Wanted {
    /// A choice: every option forced, and every option removed, at each level.
    fn choice<G: Playable>(self, name: &str, players: u8) -> Result<Design> {
        let choice = choice::<G>(name)?;
        let removed = choice.options.iter().map(|option| Variant {
            name: format!("without {}", option.name),
            changes: vec![option.removal.to_owned()],
        });
        let variants: Vec<Variant> = std::iter::once(Variant::base()).chain(removed).collect();
        let mut matches = Vec::new();
        for level in 0..self.levels.len() {
            let seats = vec![level; usize::from(players)];
            let forced = Forced { options: choice.options.len(), rotations: 1 };
            matches.extend(forced.matches(0, std::slice::from_ref(&seats)));
            let all = (0..variants.len()).map(|variant| (variant, vec![seats.clone()]));
            matches.extend(paired::matches(all));
        }
        let question =
            Question::Balance { choice: name.to_owned(), margin: self.margin, until: self.until };
        Ok(self.design(question, variants, matches))
    }

    /// Fields of the rule set: every run of a two-level design.
    fn factors(self, words: &[String], sets: &[String], players: u8) -> Result<Design> {
        let factors: Vec<Factor> = words.iter().map(|word| factor(word)).collect::<Result<_>>()?;
        for (at, factor) in factors.iter().enumerate() {
            let twice = factors[..at].iter().any(|other| other.field == factor.field);
            ensure!(!twice, "--factor {} is given twice", factor.field);
            choose::ensure_not_set(sets, &factor.field).context("--factor")?;
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

fn choice<G: Playable>(name: &str) -> Result<&'static Choice> {
    G::CHOICES.iter().find(|choice| choice.name == name).with_context(|| {
        let all: Vec<&str> = G::CHOICES.iter().map(|choice| choice.name).collect();
        format!("{} has {}", G::NAME, nearest::unknown("choice", name, &all))
    })
}

/// Reads `field=low,high`; commas inside of braces or brackets part nothing.
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
