//! Tables of how matches go: cards by band of turns, decisions, and who leads.

use crate::lab::report::described::{TableSchema, integer, text};
use crate::lab::report::metric::Metric;
use crate::lab::report::table::Table;
use crate::lab::report::tables::{Source, Things};
use crate::sim::layout::Layout;

/// Where cards come from and where they go, by resource and band of turns.
pub const ECONOMY: TableSchema = TableSchema {
    name: "economy",
    keys: &[
        text("resource", "brick, lumber, wool, grain or ore"),
        text(
            "turns",
            "band of turns of single players, in matches that someone won; the last is open",
        ),
    ],
    more: &[],
    metrics: &[
        Metric::mean("drawn", "cards that come from the pile or the bank for nothing in return"),
        Metric::mean("spent", "cards paid for what is built or bought"),
        Metric::mean("substituted", "the part of spent that stands in for other kinds"),
        Metric::mean("bank_given", "cards given to the bank in exchange for others"),
        Metric::mean("bank_received", "cards received from the bank for those"),
        Metric::mean("traded", "cards traded between players, both directions"),
        Metric::mean("passed", "cards that go to another player without a trade"),
        Metric::mean("discarded", "cards given up to the Robber"),
        Metric::mean("held", "cards in all hands at the end of a turn"),
    ],
};

/// Blocks that must come to a band of turns for its means to have intervals. A band that hardly any match comes to is
/// decided by the one that stayed in it longest: with ten blocks in CATAN for two, intervals held in 75 of 100 runs.
const BAND_BLOCKS_LEAST: u64 = 20;

/// Blocks for what is decided in a match to have intervals: one long match has more discards than ten others (CATAN for
/// two, `greedy` against `random`: with 15 blocks intervals held in 77 of 100 runs, with 30 in 83, with 50 in 88).
const DECISION_BLOCKS_LEAST: u64 = 40;

/// How much there is to decide.
pub const DECISIONS: TableSchema = TableSchema {
    name: "decisions",
    keys: &[text("decision", "what is decided")],
    more: &[],
    metrics: &[
        Metric::mean("per_match", "decisions of this kind in a match that someone won"),
        Metric::mean("legal_mean", "actions to choose from there, after the agent's filter"),
        Metric::share("forced_share", "share of them with one action only"),
    ],
};

/// How open matches are, turn by turn.
pub const TENSION: TableSchema = TableSchema {
    name: "tension",
    keys: &[integer("turn", "turn of a single player, from 1")],
    more: &[],
    metrics: &[
        Metric::share("alive_share", "share of matches that reach the end of this turn"),
        Metric::share("led_share", "share of those in which one seat has the most points"),
        Metric::share("leader_wins", "share of the led ones that the leader wins"),
        Metric::share(
            "lead_changed",
            "share in which the sole leader is another than the last one",
        ),
        Metric::share("comeback", "share whose later winner is at least two points behind"),
    ],
};

impl Source<'_> {
    pub(super) fn economy_table(&self, resources: &[&str], bands: &[u16]) -> Table {
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
                let turns = self.things(counter, counter + 1);
                let last = bands.get(band + 1).map_or(String::new(), |next| (next - 1).to_string());
                let name = format!("{first}-{last}");
                for (metric, offset) in METRICS {
                    let counter = self.layout.economy(band) + kind * Layout::ECONOMY + offset;
                    let row = self.mean(&[resource, &name], (metric, counter), turns);
                    rows.push(row.known_if(turns.blocks >= BAND_BLOCKS_LEAST));
                }
            }
        }
        self.table(&ECONOMY, rows)
    }

    pub(super) fn decision_table(&self, decisions: &[&str]) -> Table {
        let won = self.matches_won();
        let enough = won.blocks >= DECISION_BLOCKS_LEAST;
        let mut rows = Vec::new();
        for (kind, name) in decisions.iter().enumerate() {
            let at = self.layout.decision(kind);
            let decisions = self.things(at, at + Layout::DECISION_BLOCKS);
            rows.push(self.mean(&[name], ("per_match", at), won).known_if(enough));
            rows.push(self.mean(&[name], ("legal_mean", at + 1), decisions).known_if(enough));
            rows.push(self.share(&[name], ("forced_share", at + 2), decisions));
        }
        self.table(&DECISIONS, rows)
    }

    pub(super) fn tension_table(&self) -> Table {
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
        self.table(&TENSION, rows)
    }
}
