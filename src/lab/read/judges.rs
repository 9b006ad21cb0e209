//! How strong a judge of mistakes is: what it was measured to win, or the command that measures it.

use crate::lab::report::figures::fixed;
use crate::stats::replicates::Mean;

/// The judges that were measured: rows as `reports/ladder/judges.sh` writes them.
const MEASURED: &str = include_str!("../../../reports/ladder/judges.csv");

/// Matches that a judge is measured by.
const MATCHES: u32 = 80;

/// The table at which mistakes are judged.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    pub game: &'a str,
    pub players: usize,
    /// Its rules, as words of a command line; empty if they are the game's own.
    pub rules: &'a str,
}

/// The share of matches that a judge wins alone at a table full of `heuristic`, and how many were played, if that was
/// measured at such a table.
pub fn measured(table: Table<'_>, judge: &str) -> Option<(Mean, u64)> {
    let is_it = |row: &Vec<&str>| {
        let place = [row.first().copied(), row.get(4).copied()];
        let at_table = row.get(1).and_then(|players| players.parse().ok()) == Some(table.players);
        place == [Some(table.game), Some(judge)] && at_table && table.rules.is_empty()
    };
    let row = MEASURED.lines().map(|line| line.split(',').collect::<Vec<_>>()).find(is_it)?;
    let number = |at: usize| row.get(at)?.parse::<f64>().ok();
    let mean = Mean { value: number(6)?, interval: number(10).zip(number(11)) };
    Some((mean, row.get(8)?.parse().ok()?))
}

/// The same in a sentence, or the command that measures it.
pub fn strength(table: Table<'_>, judge: &str) -> String {
    let Table { game, players, rules } = table;
    let others = players.saturating_sub(1);
    let percent = |share: f64| fixed(100.0 * share, 1);
    match measured(table, judge) {
        Some((Mean { value, interval }, matches)) => {
            let (low, high) = interval.unwrap_or((0.0, 1.0));
            format!(
                "The judge wins {} % ({} to {}) of {matches} matches alone against {others} heuristic \
                 (reports/ladder); an even share is {} %.\n",
                percent(value),
                percent(low),
                percent(high),
                percent(1.0 / players as f64),
            )
        }
        None => format!(
            "How strong the judge is: fairhaven simulate {game}{rules} --agents {judge}{} --matches {MATCHES}\n",
            ",heuristic".repeat(others),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Games;

    /// The judge that `explain` takes if none is named.
    const USUAL: &str = "mcts:iterations=2000";

    #[test]
    fn what_was_measured_is_said_and_for_the_rest_the_command() {
        let mut known = 0;
        for game in Games::standard().iter() {
            let facts = game.facts();
            let players = usize::from(4.min(*facts.players.end()));
            let table = Table { game: facts.name, players, rules: "" };
            let command = format!("fairhaven simulate {} --agents {USUAL},heuristic", facts.name);
            let Some((wins, matches)) = measured(table, USUAL) else {
                assert!(strength(table, USUAL).contains(&command), "{}", facts.name);
                continue;
            };
            known += 1;
            let (low, high) = wins.interval.expect("an interval");
            assert!(low <= wins.value && wins.value <= high && matches >= 80, "{}", facts.name);
            assert!(
                low > 1.0 / players as f64,
                "a judge is stronger than planners: {}",
                facts.name
            );
            assert!(strength(table, USUAL).starts_with("The judge wins "));
            let other = Table { rules: " --set x=1", ..table };
            assert!(measured(other, USUAL).is_none() && measured(table, "mcts").is_none());
            assert!(strength(other, USUAL).contains("--set x=1 --agents mcts:iterations=2000,"));
        }
        assert!(known > 1);
    }
}
