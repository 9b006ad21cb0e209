//! How much of a result is skill, seat, deal and luck (`luck`)? A deal is played several times in each rotation of a
//! line-up, each time with other luck after it, and the variance of a seat's result is taken apart.

use crate::core::measure::Names;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::estimator::{ALPHA, Estimator, SectionSums};
use crate::lab::questions::studies::next;
use crate::lab::questions::studies::study::{self, Context, Design, Study, unfit};
use crate::lab::questions::studies::variance::{self, Noise, Source};
use crate::lab::report::answer::{Answer, Sentence, Tone, header, table};
use crate::lab::report::described::{ANOMALIES, TableSchema, text};
use crate::lab::report::figures::cell;
use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
use crate::lab::report::metric::{Metric, Unit};
use crate::lab::report::summary::{self, Grid};
use crate::lab::report::table::{Row, Table};
use crate::sim::batch::{Chunking, Totals};
use crate::sim::counts::luck::LuckCount;
use crate::sim::line_up::LineUp;
use crate::sim::trials::Section;
use crate::stats::jackknife::{Estimate, Method};
use serde::{Deserialize, Serialize};

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> = Entry::study::<Luck>(KIND, &[LUCK]);
const KIND: &str = "luck";

/// Where the variance of a result comes from.
pub const LUCK: TableSchema = TableSchema {
    name: "luck",
    keys: &[text(
        "source",
        "skill, seat, skill_by_seat, deal, deal_by_skill, neighbours or play; total: all of them",
    )],
    more: &[],
    metrics: &[
        Metric::number(
            "variance",
            "part of the variance of a seat's result (1 for a win, else 0) that the source brings; without \
             bias, so one of nearly nothing may come out below 0",
        ),
        Metric::share("variance_share", "the same as a share of the total; the shares add up to 1"),
        Metric::number(
            "matches_even",
            "matches on deals of their own after which skill brings as much of the variance of an agent's \
             win rate as everything else",
        ),
    ],
};

/// The key of the whole.
const TOTAL: &str = "total";

/// Groups of blocks that must carry an estimate that is no variance of means over blocks.
const CARRIED_LEAST: f64 = 8.0;

/// Groups that there must be for those estimates at all: of runs with 12 blocks one in seven had enough that carry one,
/// which were those whose shares came out low (82 of 100 intervals held the value of a long run).
const GROUPS_LEAST: f64 = 20.0;

/// Blocks in which an agent must have had what it rarely has, a win or a loss, more than once, if such wins or losses
/// fell on blocks at random: what deals bring rests on them alone.
const AGAIN_LEAST: f64 = 8.0;

/// How much of a result is luck? (`luck`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Luck {}

impl Luck {
    /// Every rotation of a line-up, each `repeats` times on a deal.
    pub fn design(line_up: LineUp, repeats: usize, blocks: u64) -> Design {
        let LineUp { agents, seats } = line_up;
        Design {
            question: Box::new(Luck {}),
            variants: vec![Variant::base()],
            agents,
            matches: LuckCount::new(&seats, repeats).matches(),
            blocks,
            chunk: Chunking::chunk_for(blocks),
        }
    }
}

fn count_of(manifest: &Manifest) -> Result<LuckCount, String> {
    LuckCount::of(&manifest.plan.matches_of_a_block).ok_or_else(unfit)
}

impl Question for Luck {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "luck"
    }

    fn described(&self) -> Vec<TableSchema> {
        vec![LUCK, ANOMALIES]
    }

    fn caution(&self) -> &'static str {
        "The shares belong to this line-up: agents that are closer in strength leave more to luck. They are \
         shares of variance, not of matches."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let find = |source: &str, metric| {
            let row = table(tables, LUCK.name).and_then(|table| table.find(&[source], metric));
            row.filter(|row| row.estimate.is_some())
        };
        let share = |source: Source| cell(find(source.name(), "variance_share"), Unit::Share);
        let alone = manifest.agents.len() == 1;
        let seat = share(Source::Seat);
        let [deal, play] = [share(Source::Deal), share(Source::Play)];
        let has_interval = |source: &Source| {
            let row = find(source.name(), "variance_share").and_then(|row| row.estimate);
            row.is_some_and(|of| of.interval.is_some())
        };
        let text = if !Source::ALL.iter().any(has_interval) {
            "These blocks are too few to tell what explains who wins: --blocks plays more."
                .to_owned()
        } else if alone {
            format!(
                "What explains who wins: the seat {seat}, the deal {deal}, the luck of play {play}."
            )
        } else {
            let skill = share(Source::Skill);
            format!(
                "What explains who wins: skill {skill}, the seat {seat}, the deal {deal}, the luck of \
                 play {play}."
            )
        };
        let known = find(Source::Skill.name(), "variance_share").and_then(|row| row.estimate);
        let clear = known.and_then(|known| known.interval).is_some_and(|(lo, _)| lo > 0.0);
        let open = !alone && !clear || !Source::ALL.iter().any(has_interval);
        let tone = if open { Tone::Open } else { Tone::Yes };
        let mut sentences = vec![Sentence::new(tone, text)];
        if let Some(row) = find(Source::Skill.name(), "matches_even") {
            let matches = cell(Some(row), Unit::Number(1));
            let text = format!(
                "In a win rate over {matches} matches, skill weighs as much as all the rest."
            );
            sentences.push(Sentence::new(Tone::Plain, text));
        }
        let cells = |&source: &Source| vec![about(source).to_owned(), share(source)];
        let shown = Source::ALL.iter().filter(|source| {
            let row = find(source.name(), "variance_share").and_then(|row| row.estimate);
            row.is_some_and(|estimate| estimate.method != Method::Fixed)
        });
        let grid = Grid {
            title: "Shares of the variance of a result".to_owned(),
            header: header(&["", "share (95 %)"]),
            rows: shown.map(cells).collect(),
        };
        let next = if open { next::longer(self, manifest) } else { None };
        let next = next.map(|command| format!("Narrower intervals:\n  {command}"));
        Answer { sentences, grid, next: next.into_iter().collect() }
    }

    fn grids(&self, _: &Names, tables: &[Table]) -> Vec<Grid> {
        summary::study_grids(tables, &[])
    }
}

impl Study for Luck {
    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        let count = count_of(manifest)?;
        let matches = 0..manifest.plan.matches_of_a_block.len();
        Ok(vec![Section { matches, count: Box::new(count) }])
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let shares = Shares {
            count: count_of(context.manifest)?,
            estimator: Estimator::first(totals, false),
        };
        Ok(vec![shares.table(), study::anomalies(self, totals)])
    }
}

/// What a share says, in a few words.
const fn about(source: Source) -> &'static str {
    match source {
        Source::Skill => "skill: who plays",
        Source::Seat => "seat: in which place",
        Source::SkillSeat => "skill by seat: who has which place",
        Source::Deal => "deal: what it gives to a seat",
        Source::DealSkill => "deal by skill: whom it suits",
        Source::Neighbours => "neighbours: who sits beside whom",
        Source::Play => "play: draws and rolls after the deal",
    }
}

/// What is read of a source off the sums: its part of the variance, or its share.
type Number = fn(&LuckCount, &SectionSums<'_>, Source) -> Option<f64>;

/// Groups of blocks that must carry the estimate of a source. Where one agent wins nearly all, what deals bring rests on
/// the few in which it lost twice.
fn least_of(source: Source) -> f64 {
    match source {
        Source::Skill | Source::Seat | Source::SkillSeat => 0.0,
        Source::Deal | Source::DealSkill | Source::Neighbours | Source::Play => CARRIED_LEAST,
    }
}

/// The shares of a run.
struct Shares<'a> {
    count: LuckCount,
    estimator: Estimator<'a>,
}

impl Shares<'_> {
    fn table(&self) -> Table {
        let blocks = self.estimator.grouped.blocks();
        let n = blocks * (self.count.seats() * self.count.repeats()) as u64;
        let row = |source: &str, metric, estimate| {
            Row::new(vec![source.to_owned()], metric, estimate, blocks, n)
        };
        let mut rows = Vec::new();
        for source in Source::ALL {
            rows.push(row(source.name(), "variance_share", self.share(source)));
        }
        for source in Source::ALL {
            rows.push(row(source.name(), "variance", self.part(source)));
        }
        rows.push(row(TOTAL, "variance", self.total()));
        if self.count.agents() > 1 {
            rows.push(row(Source::Skill.name(), "matches_even", self.matches_even()));
        }
        LUCK.table(blocks, rows)
    }

    fn share(&self, source: Source) -> Option<Estimate> {
        let total = variance::total(&self.count, &self.estimator.all())?;
        self.estimate(source, variance::share, total)
    }

    fn part(&self, source: Source) -> Option<Estimate> {
        self.estimate(source, variance::part, 1.0)
    }

    /// A number of a source, in units of `unit`. Where one agent seldom loses, the few losses make a long tail.
    fn estimate(&self, source: Source, number: Number, unit: f64) -> Option<Estimate> {
        let of = |view: SectionSums<'_>| number(&self.count, &view, source);
        let least = least_of(source);
        let few = least > 0.0 && self.estimator.grouped.freedom() + 1.0 < GROUPS_LEAST;
        let estimate = self.estimator.mean_if_carried(of, least)?;
        let estimate = if few || self.is_unseen(source) { estimate.bare() } else { estimate };
        let estimate = self.estimator.with_tail(self.above_noise(source, estimate, unit), of);
        Some(self.unless_nothing(source, estimate))
    }

    /// Whether what a source brings rests on blocks of which hardly any came up.
    fn is_unseen(&self, source: Source) -> bool {
        let of_deals = matches!(source, Source::Deal | Source::DealSkill | Source::Neighbours);
        let again = (0..self.count.agents()).map(|agent| self.again(agent));
        of_deals && again.fold(0.0, f64::max) < AGAIN_LEAST
    }

    /// The blocks in which an agent's rarer result comes more than once, were it drawn at random: λ²/2 of all, with λ of
    /// them a block.
    fn again(&self, agent: usize) -> f64 {
        let seats = self.count.seats();
        let wins: u64 =
            (0..seats).map(|seat| self.estimator.sum(self.count.wins(agent, seat))).sum();
        let blocks = self.estimator.grouped.blocks() as f64;
        let all = blocks * (self.count.entries(agent) * seats * self.count.repeats()) as f64;
        let rate = (wins as f64).min(all - wins as f64) / blocks.max(1.0);
        blocks * rate * rate / 2.0
    }

    /// The estimate of a variance of means, in units of `unit`, with an interval that allows for the noise of
    /// small ones; others as they are.
    fn above_noise(&self, source: Source, estimate: Estimate, unit: f64) -> Estimate {
        let noise = variance::noise(&self.count, &self.estimator.all(), source);
        let (Some(noise), Some(se)) = (noise, estimate.se) else { return estimate };
        if !self.estimator.tells(&estimate) {
            return estimate;
        }
        let noise = Noise { part: noise.part / unit, ..noise };
        let t = self.estimator.half_width(1.0, ALPHA);
        let interval = Some(variance::ends(estimate.value, se, noise, t));
        Estimate { interval, method: Method::JackknifeScore, ..estimate }
    }

    fn unless_nothing(&self, source: Source, estimate: Estimate) -> Estimate {
        if source.is_nothing(&self.count) { Estimate::fixed(estimate.value) } else { estimate }
    }

    /// If every match had a winner, each of n seats won with probability 1/n.
    fn total(&self) -> Option<Estimate> {
        let total = self.estimator.mean(|view| variance::total(&self.count, &view))?;
        let seats = (0..self.count.seats())
            .flat_map(|seat| (0..self.count.agents()).map(move |agent| (agent, seat)));
        let wins: u64 =
            seats.map(|(agent, seat)| self.estimator.sum(self.count.wins(agent, seat))).sum();
        let matches = self.count.seats() * self.count.repeats();
        let all_won = wins == self.estimator.grouped.blocks() * matches as u64;
        Some(if all_won { Estimate::fixed(total.value) } else { total })
    }

    /// (1 − s)/s of the share s of skill; nothing where skill is not shown to be above 0.
    fn matches_even(&self) -> Option<Estimate> {
        let share = self.share(Source::Skill)?;
        let even = |share: f64| (1.0 - share) / share;
        let (lo, hi) = share.interval.filter(|&(lo, _)| lo > 0.0)?;
        let interval = Some((even(hi.min(1.0)), even(lo)));
        Some(Estimate { value: even(share.value), se: None, interval, method: Method::Transformed })
    }
}
