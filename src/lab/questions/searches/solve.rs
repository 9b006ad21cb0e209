//! Which smallest change of the rule set makes the options of a choice worth the same (`solve`), or the seats, or styles
//! of play? The worth of options is that of `balance`'s restricted options: a seat that may take no other; that of seats
//! is how often they win; that of styles how often one wins alone at a table of the run's agent. A search over a grid of changes on common deals, and a
//! certificate of those that are left on fresh ones, whose intervals hold for all of them together.

use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::searches::family::Family;
use crate::lab::questions::searches::search::{
    Found, Halt, Search, SearchContext, SearchDesign, Stages,
};
use crate::lab::questions::searches::solve_also::{CHANGE, FRONT};
use crate::lab::questions::searches::solve_answer::{
    self, ABOVE, BELOW, BLOCKS_MAX, FINALISTS, KIND, OPEN, SPREAD, TUNED_AGAIN, spreads,
};
use crate::lab::questions::searches::solve_course::{Final, Solving, Tried, among, rates};
use crate::lab::questions::searches::solve_front;
use crate::lab::questions::searches::solve_grid::Candidate;
use crate::lab::questions::searches::solve_settings::{Aim, Only, Solve};
use crate::lab::questions::searches::tune::PARAMETERS_MAX;
use crate::lab::questions::studies::at_levels::LEVELS_MAX;
use crate::lab::questions::studies::estimator::{ALPHA, SectionSums};
use crate::lab::questions::studies::options::Options;
use crate::lab::questions::studies::study::in_range;
use crate::lab::report::answer::Answer;
use crate::lab::report::described::{ANOMALIES, TableSchema, text};
use crate::lab::report::manifest::{Manifest, QuestionSpec};
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{More, Row, Table};
use crate::lab::setup::rules::changed;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::sim::trials::MatchPlan;
use crate::stats::jackknife::Estimate;
use anyhow::{Result, ensure};

/// The catalogue entry of this search.
pub const TYPE: Entry<dyn Search> =
    Entry::search::<Solve>(KIND, &[FINALISTS, CANDIDATES, FRONT], |_| false);
/// The most candidates, and finalists beside the run's own rule set.
pub const CANDIDATES_MAX: usize = 512;
/// See [`CANDIDATES_MAX`].
pub const FINALISTS_MAX: usize = 32;
/// All candidates, as the search saw them.
pub const CANDIDATES: TableSchema = TableSchema {
    name: "candidates",
    keys: &[CHANGE],
    more: &[text("size", "steps from the run's own rule set, over all fields")],
    metrics: &[Metric::difference(
        "spread",
        "the same on the deals of the search, when the candidate was dropped; noise makes it too large, and choosing \
         the smallest makes that too small",
    )],
};

/// The candidates of a grid that can be played with by everybody who is free to choose.
///
/// # Errors
/// If there are too many, or none but the run's own rule set.
pub fn playable(game: &dyn LoadedGame, grid: Vec<Candidate>) -> Result<Vec<Candidate>> {
    bounded(grid.into_iter().filter(|candidate| under(game, candidate).is_ok()).collect())
}

/// The game under the rules of a candidate.
fn under(game: &dyn LoadedGame, candidate: &Candidate) -> Result<Box<dyn LoadedGame>> {
    changed(game.game_type(), game.rules(), &candidate.changes, game.players())
}

fn bounded(candidates: Vec<Candidate>) -> Result<Vec<Candidate>> {
    ensure!(candidates.len() > 1, "no change of --fields can be played with");
    let count = candidates.len();
    ensure!(count <= CANDIDATES_MAX, "{count} changes are more than {CANDIDATES_MAX}");
    Ok(candidates)
}

/// The candidates of a grid that can be played with, and the options that all of them leave to be compared.
///
/// # Errors
/// If the game can't restrict options, or there are too many candidates, or none but the run's own rule set.
pub fn lawful(
    game: &dyn LoadedGame,
    choice: &str,
    grid: Vec<Candidate>,
) -> Result<(Vec<Only>, Vec<Candidate>)> {
    let of = Options::of(game, choice)?;
    let name = game.game_type().facts().name;
    let players = usize::from(game.players());
    let restrictions = of.restrictions(game);
    let compared = of.compared.len();
    ensure!(restrictions.len() == compared * players, "{name} can't restrict a seat's options");
    let names = of.names(&of.compared);
    let only = |(at, name): (usize, String)| Only {
        name,
        by_seat: (0..players)
            .map(|seat| restrictions[at * players + seat].changes.concat())
            .collect(),
    };
    let options: Vec<Only> = names.into_iter().enumerate().map(only).collect();
    let can_be_played = |candidate: &Candidate| {
        under(game, candidate).is_ok_and(|changed| {
            Options::of(&*changed, choice).is_ok_and(|left| left.compared == of.compared)
        })
    };
    Ok((options, bounded(grid.into_iter().filter(can_be_played).collect())?))
}

impl Solve {
    /// The search with an agent in all seats; behind it the styles, and further levels of play.
    pub fn design(self, agents: Vec<AgentSpec>, players: u8) -> SearchDesign {
        let seats = vec![0; usize::from(players)];
        let count = self.candidates.len() as u64;
        let doublings = u64::from(count.ilog2()) + 1;
        let searched = count.saturating_mul(self.blocks).saturating_mul(doublings);
        // The agent, the same tuned again, and the levels.
        let agents_of = self.levels as u64 + 2;
        let finals = (self.finalists as u64 + 1).saturating_mul(agents_of);
        let finals = finals.saturating_mul(self.certified);
        let [iterations, blocks, matches] = self.adapting;
        let adapted = (self.finalists as u64 + 1)
            .saturating_mul(iterations.saturating_mul(blocks).saturating_add(matches));
        // Whole matches for further aims, as many blocks again.
        let measured = if self.also.is_empty() { 1 } else { 2 };
        let played = searched.saturating_add(finals).saturating_mul(measured);
        let blocks = played.saturating_add(adapted);
        let matches = match self.aim {
            // Each option for each seat.
            Aim::Options => {
                vec![MatchPlan::plain(0, seats); self.options.len() * usize::from(players)]
            }
            Aim::Seats => vec![MatchPlan::plain(0, seats)],
            Aim::Styles => among(self.options.len(), players),
        };
        let blocks = blocks.min(1_000_000_000_000);
        SearchDesign::of(Box::new(self), agents, matches, blocks)
    }

    /// The rows of the finalists.
    fn certificates(&self, manifest: &Manifest, finals: &[Final]) -> Vec<Row> {
        let mut rows = Vec::new();
        // Those of seats and styles hold together.
        let family = if self.aim.is_options() { 1 } else { finals.len() * self.options.len() };
        let alpha = ALPHA / family as f64;
        // Seats share their matches; an option has those in which a seat may take no other.
        let options = if self.aim.is_options() { self.options.len() as u64 } else { 1 };
        let of_option = |of: &Final| of.sums.matches() / options;
        for of in finals {
            let candidate = &self.candidates[of.candidate];
            let rates = rates(self, &of.sums, manifest.players);
            let row = |option: &str, metric, estimate, verdict: &str| Row {
                keys: [self.keys(of), vec![option.to_owned()]].concat(),
                metric,
                estimate,
                blocks: of.sums.blocks(),
                n: if option == SPREAD { of.sums.matches() } else { of_option(of) },
                more: More::Cells(vec![candidate.size.to_string(), verdict.to_owned()]),
            };
            let spread = rates.largest_difference_of(finals.len()).map(|judged| judged.effect);
            rows.push(row(SPREAD, "spread", spread, self.verdict(spread.as_ref())));
            for (option, effect) in rates.effects().into_iter().enumerate() {
                rows.push(row(&self.options[option].name, "effect", effect, ""));
            }
            for (option, of) in self.options.iter().enumerate() {
                let share = |view: SectionSums<'_>| rates.rate(&view, option);
                let rate = rates.estimator.share_joint(share, rates.held, alpha);
                rows.push(row(&of.name, "win_rate", rate, ""));
            }
        }
        rows
    }

    /// A finalist's change, and who plays.
    fn keys(&self, of: &Final) -> Vec<String> {
        let again = if of.adapted { TUNED_AGAIN } else { "" };
        vec![self.candidates[of.candidate].name(), format!("{}{again}", of.agent)]
    }

    /// What the interval says of the target.
    fn verdict(&self, spread: Option<&Estimate>) -> &'static str {
        match spread.and_then(|spread| spread.interval) {
            Some((_, high)) if high < self.target => BELOW,
            Some((low, _)) if low > self.target => ABOVE,
            _ => OPEN,
        }
    }

    fn candidates(&self, tried: &[Tried]) -> Vec<Row> {
        let row = |of: &Tried| {
            let candidate = &self.candidates[of.candidate];
            Row {
                keys: vec![candidate.name()],
                metric: "spread",
                estimate: of.spread.map(Estimate::plain),
                blocks: of.blocks,
                n: of.matches,
                more: More::Cells(vec![candidate.size.to_string()]),
            }
        };
        tried.iter().map(row).collect()
    }
}

impl Question for Solve {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "solve"
    }

    fn described(&self) -> Vec<TableSchema> {
        let front = (!self.also.is_empty()).then_some(FRONT);
        [FINALISTS, CANDIDATES].into_iter().chain(front).chain([ANOMALIES]).collect()
    }

    fn caution(&self) -> &'static str {
        match self.aim {
            Aim::Options => {
                "The answer is about a seat that may take one option only, about these agents, and about the changes \
                 that were tried; a smaller change that is undecided may do as well."
            }
            Aim::Seats => {
                "The answer is about tables of one agent in all seats, and about the changes that were tried; a \
                 smaller change that is undecided may do as well."
            }
            Aim::Styles => {
                "The answer is about each style alone at a table of the run's agent, and about the changes that were tried; a \
                 smaller change that is undecided may do as well."
            }
        }
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        solve_answer::answer(self, manifest, tables)
    }

    fn has_failed(&self, tables: &[Table]) -> bool {
        let (plain, adapted) = (spreads(tables, false), spreads(tables, true));
        let rows = if adapted.is_empty() { plain } else { adapted };
        // The run's agent comes before those of further levels.
        let is_own = |row: &&&Row| row.keys[1] == rows[0].keys[1];
        !rows.iter().filter(is_own).any(|row| row.own(1) == BELOW)
    }

    fn notes(&self, _: &[Table]) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        if self.aim.is_options() {
            let only = "A seat that may take one option only; what the options are worth to whoever is free to choose, \
                        `fairhaven balance` says.";
            notes.push(only.to_owned());
        }
        if self.families.is_empty() {
            notes.push(
                "The agents play by habits of the unchanged rules; --adapt tunes them again for each finalist."
                    .to_owned(),
            );
        }
        notes
    }
}

impl Search for Solve {
    fn check(&self, manifest: &Manifest) -> Result<(), String> {
        let players = usize::from(manifest.players);
        let by_seat = if self.aim.is_options() { players } else { 0 };
        let sound = |family: &Family| family.agent == 0 && family.is_sound(1);
        let [iterations, blocks, matches] = self.adapting;
        in_range(
            self.levels <= LEVELS_MAX
                && (1..self.also.len()).all(|at| !self.also[..at].contains(&self.also[at]))
                && (2..=64).contains(&self.options.len())
                && manifest.agents.len() == 1 + self.styles() + self.levels
                && (self.aim != Aim::Seats || self.options.len() == players)
                && self.options.iter().all(|option| option.by_seat.len() == by_seat)
                && (2..=CANDIDATES_MAX).contains(&self.candidates.len())
                && self.candidates[0] == Candidate::none()
                && self.candidates.is_sorted_by_key(|candidate| candidate.size)
                && self.target.is_finite()
                && self.target > 0.0
                && (1..=BLOCKS_MAX).contains(&self.blocks)
                && (1..=BLOCKS_MAX).contains(&self.certified)
                && (1..=FINALISTS_MAX).contains(&self.finalists)
                && self.families.len() <= PARAMETERS_MAX
                && self.families.iter().all(sound)
                && self.start.len() == self.families.len()
                && self.start.iter().all(|value| value.is_finite())
                && (self.families.is_empty() || (1..=1 << 16).contains(&iterations))
                && blocks <= BLOCKS_MAX
                && matches <= BLOCKS_MAX,
        )
    }

    fn search(&self, context: SearchContext<'_>, stages: &mut dyn Stages) -> Result<Found, Halt> {
        let SearchContext { manifest, .. } = context;
        let (tried, finals) = Solving::new(self, manifest, stages).run()?;
        let blocks = finals.iter().map(|of| of.sums.blocks()).sum();
        let certificates = self.certificates(manifest, &finals);
        let finalists = FINALISTS.table(blocks, certificates);
        let front = solve_front::rows(self, manifest.players, &finals, |of| self.keys(of));
        let front = (!self.also.is_empty()).then(|| FRONT.table(blocks, front));
        let blocks = tried.iter().map(|of| of.blocks).sum();
        let candidates = CANDIDATES.table(blocks, self.candidates(&tried));
        let tables = [finalists, candidates].into_iter().chain(front).collect();
        Ok(Found { tables, files: Vec::new() })
    }
}
