//! The tables of a run, made from its sums. `sim::layout` says what each counter means.

use crate::lab::report::described::{ANOMALIES, TABLES};
use crate::lab::report::table::{More, Row, Table, rounded};

use crate::core::measure::Names;
use crate::core::types::seat::Seat;
use crate::sim::layout::Layout;
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Grouped, Sums};

/// What the tables are made from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// What the game has names for.
    pub names: Names,
    /// The sums.
    pub grouped: &'a Grouped,
    /// Their layout.
    pub layout: &'a Layout,
    /// Names of the distinct agents.
    pub agents: &'a [String],
    /// Seats at the table.
    pub players: u8,
    /// The first match of each anomaly.
    pub firsts: &'a [Option<(u64, u64)>],
}

/// All tables of a run.
pub fn all(source: Source<'_>) -> Vec<Table> {
    let Names { cards, resources, bands, decisions, .. } = source.names;
    vec![
        source.agent_table(),
        source.seat_table(),
        source.length_table(),
        source.card_table(cards),
        source.economy_table(resources, bands),
        source.decision_table(decisions),
        source.tension_table(),
        anomaly_table(
            source.grouped,
            &Layout::ANOMALIES,
            source.layout.anomaly(0),
            Layout::MATCHES,
            source.firsts,
        ),
    ]
}

/// Matches that a seat must not have won for its mean points to have an interval. With fewer, intervals of a
/// seat that wins 98 matches of 100 cover in 65 to 90 runs of 100.
const LOST_LEAST: u64 = 10;

/// A metric, and the counter that is its numerator.
pub(super) type Above = (&'static str, usize);

/// The things that a metric is a share or a mean of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Things {
    /// Their counter: the denominator.
    counter: usize,
    /// Blocks with at least one of them.
    pub(super) blocks: u64,
}

/// Some seats of an agent, and the counter of their wins.
#[derive(Debug, Clone, Copy)]
struct Side {
    of: Things,
    wins: usize,
}

/// All other seats of an agent than some.
#[derive(Debug, Clone, Copy)]
struct Others {
    /// All seats of the agent.
    played: Things,
    /// The counter of all their wins.
    wins: usize,
    /// Those that are left out.
    with: Side,
    /// The counter of blocks in which all are left out.
    all: usize,
}

impl Others {
    fn win_rate(&self, sums: Sums<'_>) -> Option<f64> {
        let Side { of, wins } = self.with;
        let rest = sums.get(self.played.counter) - sums.get(of.counter);
        (rest > 0.0).then(|| (sums.get(self.wins) - sums.get(wins)) / rest)
    }
}

impl Source<'_> {
    pub(super) fn table(&self, name: &'static str, rows: Vec<Row>) -> Table {
        let described = TABLES.iter().find(|table| table.name == name);
        described.expect("every table is described").table(self.grouped.blocks(), rows)
    }

    pub(super) fn row(
        &self,
        keys: &[&str],
        metric: &'static str,
        of: Things,
        estimate: Option<Estimate>,
    ) -> Row {
        let keys = keys.iter().map(|&key| key.to_owned()).collect();
        let n = self.grouped.sum(of.counter);
        Row { keys, metric, estimate, blocks: of.blocks, n, more: More::Nothing }
    }

    /// How many of the things there are, and in how many blocks.
    pub(super) fn held(&self, of: Things) -> Held {
        Held::new(self.grouped.sum(of.counter), of.blocks)
    }

    /// The number of the other seats, and of the blocks with such.
    fn of_others(&self, others: Others) -> (u64, u64) {
        let Others { played, with, all, .. } = others;
        let n = self.grouped.sum(played.counter).saturating_sub(self.grouped.sum(with.of.counter));
        (n, played.blocks.saturating_sub(self.grouped.sum(all)))
    }

    fn held_by_others(&self, others: Others) -> Held {
        let (n, blocks) = self.of_others(others);
        Held::new(n, blocks)
    }

    /// Things that one counter counts, in the blocks that another counts.
    pub(super) fn things(&self, counter: usize, blocks: usize) -> Things {
        Things { counter, blocks: self.grouped.sum(blocks) }
    }

    pub(super) fn matches(&self) -> Things {
        self.things(Layout::MATCHES, Layout::BLOCKS_ENDED)
    }

    /// Blocks with a match that came to this turn: they are counted by the turns of their longest match.
    fn blocks_from(&self, turn: usize) -> u64 {
        let of = |turns: usize| self.layout.longest(u16::try_from(turns).expect("a turn number"));
        let blocks = (turn..=self.layout.turns_max()).map(|turns| self.grouped.sum(of(turns)));
        blocks.fold(0, u64::saturating_add)
    }

    pub(super) fn share(&self, keys: &[&str], (metric, above): Above, of: Things) -> Row {
        let share = |sums: Sums<'_>| sums.ratio(above, of.counter);
        let estimate = self.grouped.share_among(share, self.held(of));
        self.row(keys, metric, of, estimate)
    }

    /// A share of all matches whose row is there only if it is above 0.
    pub(super) fn share_if_seen(&self, keys: &[&str], (metric, above): Above) -> Row {
        let (of, ratio) = (self.matches(), |sums: Sums<'_>| sums.ratio(above, Layout::MATCHES));
        let estimate = self.grouped.share_if_seen(ratio, self.held(of));
        self.row(keys, metric, of, estimate)
    }

    /// A share that the design of every block fixes.
    fn fixed(&self, keys: &[&str], metric: &'static str, value: f64, of: Things) -> Row {
        let estimate = (of.blocks > 0).then(|| Estimate::fixed(value));
        self.row(keys, metric, of, estimate)
    }

    pub(super) fn mean(&self, keys: &[&str], (metric, above): Above, of: Things) -> Row {
        let estimate = self.grouped.average(|sums| sums.ratio(above, of.counter));
        self.row(keys, metric, of, estimate)
    }

    /// The mean points of seats whose wins are counted, too. Where nearly all are won, the mean rests on the few
    /// matches that were not, and on how badly those ended.
    fn points(&self, keys: &[&str], at: usize, of: Things) -> Row {
        let row = self.mean(keys, ("points_mean", at + Layout::POINTS), of);
        let lost = self.grouped.sum(of.counter).saturating_sub(self.grouped.sum(at + Layout::WINS));
        let unknown = |estimate: Estimate| Estimate::without_interval(estimate.value, estimate.se);
        let estimate = row.estimate.map(|it| if lost < LOST_LEAST { unknown(it) } else { it });
        Row { estimate, ..row }
    }

    /// A mean rank. It lies from 1 to the number of players, so its interval is that of a share of the way.
    fn rank(&self, keys: &[&str], at: usize, of: Things) -> Row {
        let way = f64::from(self.players) - 1.0;
        let share = |sums: Sums<'_>| {
            let rank = sums.ratio(at + Layout::RANKS_DOUBLED, of.counter)? / 2.0;
            Some((rank - 1.0) / way)
        };
        let share = self.grouped.share_among(share, Held::by_blocks(of.blocks));
        self.row(keys, "rank_mean", of, share.map(|share| share.scaled(way, 1.0)))
    }

    /// Whether one agent sits in all seats: each match then has all ranks for it, and one win, if any.
    fn is_alone(&self) -> bool {
        self.agents.len() == 1
    }

    /// The win rate of an agent over all its seats. Where it is alone, only matches that nobody wins can
    /// move it.
    fn win_rate(&self, wins: usize, of: Things) -> Option<Estimate> {
        if !self.is_alone() {
            let rate = |sums: Sums<'_>| sums.ratio(wins, of.counter);
            return self.grouped.share_among(rate, self.held(of));
        }
        let even = 1.0 / f64::from(self.players);
        if self.grouped.sum(Layout::WON) == self.grouped.sum(Layout::MATCHES) {
            return (of.blocks > 0).then(|| Estimate::fixed(even));
        }
        // Where every match was won the number is fixed, so this is the row of runs that saw one without a winner.
        let lost = |sums: Sums<'_>| {
            let won = sums.ratio(Layout::WON, Layout::MATCHES)?;
            Some(1.0 - won)
        };
        let lost = self.grouped.share_if_seen(lost, self.held(self.matches()))?;
        Some(lost.scaled(-even, even))
    }

    fn agent_table(&self) -> Table {
        let mut rows = Vec::new();
        for (agent, name) in self.agents.iter().enumerate() {
            let at = self.layout.agent(agent);
            let played = self.things(at + Layout::PLAYED, at + Layout::PLAYED_BLOCKS);
            let keys = [name.as_str()];
            let rate = self.win_rate(at + Layout::WINS, played);
            let seats = self.grouped.sum(played.counter) as f64;
            rows.push(self.row(&keys, "win_rate", played, rate));
            rows.push(self.row(&keys, "wins", played, rate.map(|rate| rate.scaled(seats, 0.0))));
            if self.is_alone() {
                let middle = f64::midpoint(1.0, f64::from(self.players));
                rows.push(self.fixed(&keys, "rank_mean", middle, played));
            } else {
                rows.push(self.rank(&keys, at, played));
            }
            rows.push(self.points(&keys, at, played));
            let decisions = at + Layout::AGENT_DECISIONS;
            rows.push(self.mean(&keys, ("decisions_mean", decisions), played));
            let iterations = at + Layout::AGENT_ITERATIONS;
            rows.push(self.mean(&keys, ("iterations_mean", iterations), played));
        }
        self.table("agents", rows)
    }

    fn seat_table(&self) -> Table {
        let mut rows = Vec::new();
        for seat in Seat::all(self.players) {
            for (agent, name) in self.agents.iter().enumerate() {
                let at = self.layout.seat(agent, seat);
                let played = self.things(at + Layout::PLAYED, at + Layout::PLAYED_BLOCKS);
                let number = seat.to_string();
                let keys = [number.as_str(), name.as_str()];
                let even = 1.0 / f64::from(self.players);
                let rate = self.share(&keys, ("win_rate", at + Layout::WINS), played);
                let advantage = rate.estimate.map(|rate| less(rate, even));
                rows.push(rate);
                rows.push(self.row(&keys, "advantage", played, advantage));
                rows.push(self.points(&keys, at, played));
                rows.push(self.rank(&keys, at, played));
            }
        }
        self.table("seats", rows)
    }

    fn card_table(&self, cards: &[&str]) -> Table {
        let mut rows = Vec::new();
        for (agent, name) in self.agents.iter().enumerate() {
            for (card, card_name) in cards.iter().enumerate() {
                self.card_rows(&[name, card_name], agent, card, &mut rows);
            }
        }
        self.table("cards", rows)
    }

    fn card_rows(&self, keys: &[&str], agent: usize, card: usize, rows: &mut Vec<Row>) {
        let at = self.layout.card(agent, card);
        let of_agent = self.layout.agent(agent);
        let played = self.things(of_agent + Layout::PLAYED, of_agent + Layout::PLAYED_BLOCKS);
        let takers = self.things(at + Layout::CARD_TAKERS, at + Layout::CARD_TAKER_BLOCKS);
        let taker_wins = at + Layout::CARD_TAKER_WINS;
        rows.push(self.mean(keys, ("offered_turns", at + Layout::CARD_OFFERED), played));
        rows.push(self.mean(keys, ("taken_mean", at + Layout::CARD_TAKEN), played));
        rows.push(self.share(keys, ("taker_share", takers.counter), played));
        let turn = self.mean(keys, ("turn_mean", at + Layout::CARD_TURNS), takers);
        let round = self.rounds(&turn, "round_mean");
        rows.extend([turn, round]);
        rows.push(self.share(keys, ("held_share", at + Layout::CARD_HELD), played));
        rows.push(self.share(keys, ("win_rate_with", taker_wins), takers));
        let with = Side { of: takers, wins: taker_wins };
        let all = at + Layout::CARD_ALL_BLOCKS;
        let others = Others { played, wins: of_agent + Layout::WINS, with, all };
        let without = |sums: Sums<'_>| others.win_rate(sums);
        let share = self.grouped.share_among(without, self.held_by_others(others));
        let (n, blocks) = self.of_others(others);
        let row = self.row(keys, "win_rate_without", Things { blocks, ..played }, share);
        rows.push(Row { n, ..row });
        rows.push(self.lift_row(keys, "lift", others));
        self.held_rows(keys, agent, card, rows);
        rows.push(self.matched_row(keys, agent, card));
    }

    /// Who has a card at the end, against who has not.
    fn held_rows(&self, keys: &[&str], agent: usize, card: usize, rows: &mut Vec<Row>) {
        let (at, of_agent) = (self.layout.card(agent, card), self.layout.agent(agent));
        let holders = self.things(at + Layout::CARD_HELD, at + Layout::CARD_HELD_BLOCKS);
        let wins = at + Layout::CARD_HELD_WINS;
        rows.push(self.share(keys, ("win_rate_held", wins), holders));
        let with = Side { of: holders, wins };
        let played = self.things(of_agent + Layout::PLAYED, of_agent + Layout::PLAYED_BLOCKS);
        let all = at + Layout::CARD_HELD_ALL_BLOCKS;
        let others = Others { played, wins: of_agent + Layout::WINS, with, all };
        rows.push(self.lift_row(keys, "lift_held", others));
    }

    /// The win rate of some seats minus that of all others of their agent. `n` and `n_blocks` are those of the side
    /// that has fewer, on which the interval rests.
    fn lift_row(&self, keys: &[&str], metric: &'static str, others: Others) -> Row {
        let Side { of, wins } = others.with;
        let with = |sums: Sums<'_>| sums.ratio(wins, of.counter);
        let without = |sums: Sums<'_>| others.win_rate(sums);
        let rest = self.held_by_others(others);
        let lift = self.grouped.share_difference((&with, self.held(of)), (&without, rest));
        let row = self.row(keys, metric, of, lift);
        let (n, blocks) = self.of_others(others);
        if (row.blocks, row.n) <= (blocks, n) { row } else { Row { blocks, n, ..row } }
    }

    fn economy_table(&self, resources: &[&str], bands: &[u16]) -> Table {
        const METRICS: [(&str, usize); 9] = [
            ("drawn", Layout::DRAWN),
            ("spent", Layout::SPENT),
            ("substituted", Layout::SUBSTITUTED),
            ("bank_given", Layout::BANK_GIVEN),
            ("bank_received", Layout::BANK_RECEIVED),
            ("traded", Layout::TRADED),
            ("passed", Layout::PASSED),
            ("discarded", Layout::DISCARDED),
            ("held", Layout::HELD),
        ];
        let mut rows = Vec::new();
        for (kind, resource) in resources.iter().enumerate() {
            for (band, &first) in bands.iter().enumerate() {
                let counter = self.layout.band_turns(band);
                let turns = Things { counter, blocks: self.blocks_from(usize::from(first)) };
                let last = bands.get(band + 1).map_or(String::new(), |next| (next - 1).to_string());
                let name = format!("{first}-{last}");
                for (metric, offset) in METRICS {
                    let counter = self.layout.economy(band) + kind * Layout::ECONOMY + offset;
                    rows.push(self.mean(&[resource, &name], (metric, counter), turns));
                }
            }
        }
        self.table("economy", rows)
    }

    fn decision_table(&self, decisions: &[&str]) -> Table {
        let mut rows = Vec::new();
        for (kind, name) in decisions.iter().enumerate() {
            let at = self.layout.decision(kind);
            let decisions = self.things(at, at + Layout::DECISION_BLOCKS);
            rows.push(self.mean(&[name], ("per_match", at), self.matches()));
            rows.push(self.mean(&[name], ("legal_mean", at + 1), decisions));
            rows.push(self.share(&[name], ("forced_share", at + 2), decisions));
        }
        self.table("decisions", rows)
    }

    fn tension_table(&self) -> Table {
        let mut rows = Vec::new();
        for turn in 1..=self.layout.turns_max() {
            let at = self.layout.tension(turn);
            let counter = at + Layout::TENSION_MATCHES;
            let matches = Things { counter, blocks: self.blocks_from(turn) };
            if self.grouped.sum(counter) == 0 {
                break;
            }
            let led = self.things(at + Layout::TENSION_LED, at + Layout::TENSION_LED_BLOCKS);
            let number = turn.to_string();
            let keys = [number.as_str()];
            // Every match has a first turn, and no leader before it.
            let first = turn == 1;
            rows.push(if first {
                self.fixed(&keys, "alive_share", 1.0, self.matches())
            } else {
                self.share_if_seen(&keys, ("alive_share", counter))
            });
            rows.push(self.share(&keys, ("led_share", led.counter), matches));
            let leader_wins = at + Layout::TENSION_LEADER_WINS;
            rows.push(self.share(&keys, ("leader_wins", leader_wins), led));
            let changes = at + Layout::TENSION_CHANGES;
            rows.push(if first {
                self.fixed(&keys, "lead_changed", 0.0, matches)
            } else {
                self.share(&keys, ("lead_changed", changes), matches)
            });
            let comebacks = at + Layout::TENSION_COMEBACKS;
            rows.push(self.share(&keys, ("comeback", comebacks), matches));
        }
        self.table("tension", rows)
    }
}

/// An estimate less a constant, as its row has it: what is printed is the difference of what is printed.
fn less(estimate: Estimate, constant: f64) -> Estimate {
    let of = |value: f64| rounded(value) - constant;
    let interval = estimate.interval.map(|(low, high)| (of(low), of(high)));
    Estimate { value: of(estimate.value), interval, ..estimate }
}

/// `anomalies.csv`: counters from `first` on, one for each anomaly, divided by the counter of matches.
pub fn anomaly_table(
    grouped: &Grouped,
    names: &[&str],
    first: usize,
    matches: usize,
    firsts: &[Option<(u64, u64)>],
) -> Table {
    let blocks = grouped.blocks();
    let n = grouped.sum(matches);
    let mut rows = Vec::new();
    for (kind, name) in names.iter().enumerate() {
        let id = firsts.get(kind).copied().flatten();
        let id = id.map_or(String::new(), |(block, number)| format!("{block}.{number}"));
        let row = |metric, estimate| Row {
            keys: vec![(*name).to_owned(), id.clone()],
            metric,
            estimate,
            blocks,
            n,
            more: More::Nothing,
        };
        // Counter 0 is the number of blocks in every layout.
        let count = |sums: Sums<'_>| {
            let of = sums.get(Layout::BLOCKS);
            (of > 0.0).then(|| sums.get(first + kind) / of * blocks as f64)
        };
        let per_match = |sums: Sums<'_>| sums.ratio(first + kind, matches);
        rows.push(row("count", grouped.rate(count, 1.0)));
        rows.push(row("per_match", grouped.rate(per_match, 1.0 / n.max(1) as f64)));
    }
    ANOMALIES.table(blocks, rows)
}
