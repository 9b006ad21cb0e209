//! The table of cards: what each agent takes, and how seats with it do.

use crate::lab::report::described::{AGENT, TableSchema, text};
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{Row, Table};
use crate::lab::report::tables::{Source, Things};
use crate::sim::layout::Layout;
use crate::stats::held::Held;
use crate::stats::jackknife::Sums;

/// What each agent takes, and how seats with it do.
pub const CARDS: TableSchema = TableSchema {
    name: "cards",
    keys: &[AGENT, text("card", "a metropolis side, a building kind, a bonus card or an event")],
    more: &[],
    metrics: &[
        Metric::number("offered_turns", "own turns in a match and seat in which it could be taken"),
        Metric::mean("taken_mean", "times taken in a match and seat (events: drawn by the seat)"),
        Metric::share("taker_share", "share of seats that took it at least once"),
        Metric::mean(
            "turn_mean",
            "turn of a single player in which it was first taken, all players' turns counted; in matches that \
             someone won",
        ),
        Metric::mean(
            "round_mean",
            "the same in rounds: that turn divided by the number of players",
        ),
        Metric::share("held_share", "share of seats that have it at the end"),
        Metric::share("win_rate_with", "win rate of seats that took it; descriptive, not a cause"),
        Metric::share("win_rate_without", "win rate of seats that did not"),
        Metric::difference("lift", "win rate with minus win rate without; descriptive"),
        Metric::share("win_rate_held", "win rate of seats that have it at the end"),
        Metric::difference(
            "lift_held",
            "win rate held minus that of seats that do not have it; descriptive",
        ),
        Metric::difference(
            "lift_matched",
            "win rate of takers minus that of seats that stood alike and had not taken it by then",
        ),
    ],
};

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

/// Seats that must have taken a card for its mean turn to have an interval: one that is nearly always taken early may be
/// taken once in a hundred times at twenty times that turn (Isa of the boats: with 110 takers intervals held in 76 of 100
/// runs, with 450 in 88).
const TAKERS_LEAST: u64 = 200;

/// Groups of blocks in which a card must have been offered for `offered_turns` to have an interval: a few seats may be
/// offered it for a whole match, and most never (a harbour of the boats, `heuristic` against `random`: with 15 blocks
/// intervals held in 57 of 100 runs, with 30 in 72).
const OFFERED_GROUPS_LEAST: usize = 20;

impl Source<'_> {
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

    pub(super) fn card_table(&self, cards: &[&str]) -> Table {
        let mut rows = Vec::new();
        for (agent, name) in self.agents.iter().enumerate() {
            for (card, card_name) in cards.iter().enumerate() {
                self.card_rows(&[name, card_name], agent, card, &mut rows);
            }
        }
        self.table(&CARDS, rows)
    }

    fn card_rows(&self, keys: &[&str], agent: usize, card: usize, rows: &mut Vec<Row>) {
        let at = self.layout.card(agent, card);
        let of_agent = self.layout.agent(agent);
        let played = self.things(of_agent + Layout::PLAYED, of_agent + Layout::PLAYED_BLOCKS);
        let takers = self.things(at + Layout::CARD_TAKERS, at + Layout::CARD_TAKER_BLOCKS);
        let taker_wins = at + Layout::CARD_TAKER_WINS;
        let offered = at + Layout::CARD_OFFERED;
        let row = self.mean(keys, ("offered_turns", offered), played);
        rows.push(row.known_if(self.grouped.groups_with(offered) >= OFFERED_GROUPS_LEAST));
        rows.push(self.mean(keys, ("taken_mean", at + Layout::CARD_TAKEN), played));
        rows.push(self.share(keys, ("taker_share", takers.counter), played));
        let turns = at + Layout::CARD_TURNS;
        let counter = at + Layout::CARD_TAKERS_WON;
        let turn = self.mean(keys, ("turn_mean", turns), Things { counter, ..takers });
        let turn = turn.known_if(self.grouped.sum(counter) >= TAKERS_LEAST);
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
}
