//! Figures saved in `.fairhaven/bench`, and whether a run is slower than they are.
//!
//! The rule: an agent is slower if its median of matches a second on one thread falls below the saved one by
//! more than the noise, ratio < 1 − noise. Noise is the larger of the two relative spreads, (most −
//! least) / median over the rounds, of this run and of the saved one.

use crate::cli::commands::bench::measure::Figure;
use crate::lab::report::files::replace;
use crate::lab::setup::rules::read;
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Where figures are saved, below the working directory.
pub const DIRECTORY: &str = ".fairhaven/bench";

/// The longest name.
const NAME_MAX: usize = 64;

/// The most blocks that a file may ask for.
const BLOCKS_MAX: u64 = 1_000_000_000;

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The program's version.
    pub version: String,
    pub processor: String,
    /// What was measured.
    pub setting: Setting,
    pub agents: Vec<Kept>,
}

/// What must agree for figures to be comparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    pub game: String,
    /// Players at the table.
    pub players: u8,
    /// The master seed.
    pub seed: u64,
    /// A hash of the rule set.
    pub rules_hash: String,
    /// How the program was built: `optimized`, or `asserting` with its debug assertions.
    pub build: String,
}

/// The figures of one agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// The words on the command line.
    pub name: String,
    /// Blocks of a round on one thread.
    pub blocks: u64,
    /// Decisions of a round on one thread: if they differ, other matches were played.
    pub decisions: u64,
    /// Matches a second on one thread.
    pub matches_per_s: Figure,
    /// Decisions a second on one thread.
    pub decisions_per_s: Figure,
    /// Threads of the last figure.
    pub threads: usize,
    /// Matches a second on all threads.
    pub matches_per_s_all: Figure,
}

/// An agent's figures now and in the baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Matches a second now, as a share of the baseline's.
    pub ratio: f64,
    /// The loss that noise may explain.
    pub noise: f64,
    /// Whether the loss is larger.
    pub is_slower: bool,
}

impl Verdict {
    /// The verdict on two figures.
    pub fn new(kept: Figure, now: Figure) -> Verdict {
        let ratio = now.median / kept.median;
        let noise = now.spread().max(kept.spread());
        Verdict { ratio, noise, is_slower: ratio < 1.0 - noise }
    }
}

/// The file of a name.
///
/// # Errors
/// If it is not a name.
pub fn file(name: &str) -> Result<PathBuf> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    ensure!(
        (1..=NAME_MAX).contains(&name.len()) && name.chars().all(plain),
        "`{name}` is no name for figures; use up to {NAME_MAX} letters, digits, _ and -",
    );
    Ok(Path::new(DIRECTORY).join(format!("{name}.toml")))
}

impl Baseline {
    /// Reads the figures of a name.
    ///
    /// # Errors
    /// If there are none, or they are damaged.
    pub fn read(name: &str) -> Result<Baseline> {
        let path = file(name)?;
        if !path.exists() {
            bail!("no baseline `{name}`: {}; make one with --save {name}", known());
        }
        Baseline::parse(&read(&path)?)
            .with_context(|| format!("baseline `{name}` (`{}`) is damaged", path.display()))
    }

    fn parse(text: &str) -> Result<Baseline> {
        let baseline: Baseline =
            toml::from_str(text).map_err(|error| anyhow!("{}", error.message()))?;
        for agent in &baseline.agents {
            let figures = [agent.matches_per_s, agent.decisions_per_s, agent.matches_per_s_all];
            let sound = |figure: &Figure| {
                let Figure { median, min, max } = *figure;
                min > 0.0 && min <= median && median <= max && max.is_finite()
            };
            ensure!(figures.iter().all(sound), "agent `{}` has impossible figures", agent.name);
            let blocks = 1..=BLOCKS_MAX;
            ensure!(blocks.contains(&agent.blocks), "agent `{}` has impossible blocks", agent.name);
        }
        Ok(baseline)
    }

    /// Makes sure that figures of this setting can be compared with these.
    ///
    /// # Errors
    /// Names all that differs.
    pub fn ensure_fits(&self, name: &str, now: &Setting) -> Result<()> {
        let words = |setting: &Setting| {
            [
                ("game", setting.game.clone()),
                ("players", setting.players.to_string()),
                ("seed", setting.seed.to_string()),
                ("rule set", setting.rules_hash.clone()),
                ("build", setting.build.clone()),
            ]
        };
        let pairs = words(&self.setting).into_iter().zip(words(now));
        let differing: Vec<String> = pairs
            .filter(|(kept, now)| kept != now)
            .map(|((what, kept), (_, now))| format!("{what} {kept}, now {now}"))
            .collect();
        ensure!(
            differing.is_empty(),
            "baseline `{name}` was measured otherwise: {}",
            differing.join("; "),
        );
        Ok(())
    }

    /// The figures of an agent.
    ///
    /// # Errors
    /// Names the agents that there are.
    pub fn agent(&self, name: &str, agent: &str) -> Result<&Kept> {
        let all: Vec<&str> = self.agents.iter().map(|kept| kept.name.as_str()).collect();
        let kept = self.agents.iter().find(|kept| kept.name == agent);
        kept.with_context(|| {
            format!("baseline `{name}` has no agent `{agent}`; it has {}", all.join(", "))
        })
    }

    /// Saves the figures under a name, replacing earlier ones at once or not at all.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn write(&self, name: &str) -> Result<()> {
        let path = file(name)?;
        replace(&path, toml::to_string(self)?.as_bytes())
            .with_context(|| format!("can't write `{}`", path.display()))
    }
}

/// Makes sure that figures can be saved under a name, before anything is measured.
///
/// # Errors
/// If they can't.
pub fn prepare(name: &str) -> Result<()> {
    let path = file(name)?;
    let tried = path.with_extension("toml.tried");
    fs::create_dir_all(DIRECTORY)
        .and_then(|()| replace(&tried, b""))
        .and_then(|()| fs::remove_file(&tried))
        .with_context(|| format!("can't write `{}`", path.display()))
}

/// The existing names, in words.
fn known() -> String {
    let entries = fs::read_dir(DIRECTORY).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".toml").map(str::to_owned))
        .collect();
    names.sort();
    if names.is_empty() {
        format!("`{DIRECTORY}` has none")
    } else {
        format!("there are {}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(median: f64, min: f64, max: f64) -> Figure {
        Figure { median, min, max }
    }

    fn example() -> Baseline {
        let rate = figure(100.0, 95.0, 105.0);
        Baseline {
            version: "0.1.0".to_owned(),
            processor: "any".to_owned(),
            setting: Setting {
                game: "on-the-road".to_owned(),
                players: 4,
                seed: 1,
                rules_hash: "0".to_owned(),
                build: "optimized".to_owned(),
            },
            agents: vec![Kept {
                name: "mcts:iterations=5".to_owned(),
                blocks: 10,
                decisions: 900,
                matches_per_s: rate,
                decisions_per_s: rate,
                threads: 2,
                matches_per_s_all: rate,
            }],
        }
    }

    #[test]
    fn slower_is_what_noise_does_not_explain() {
        let kept = figure(100.0, 95.0, 105.0);
        for (now, slower) in [
            (figure(100.0, 99.0, 101.0), false),
            (figure(90.5, 90.0, 91.0), false),
            (figure(89.5, 89.0, 90.0), true),
            // A noisy run allows for its own noise.
            (figure(80.0, 70.0, 90.0), false),
            (figure(200.0, 199.0, 201.0), false),
        ] {
            assert_eq!(Verdict::new(kept, now).is_slower, slower, "{now:?}");
        }
    }

    #[test]
    fn kept_figures_are_read_back() {
        let text = toml::to_string(&example()).unwrap();
        assert_eq!(Baseline::parse(&text).unwrap(), example());
        for (from, to) in [
            ("median = 100.0", "median = -1.0"),
            ("median = 100.0", "median = nan"),
            ("max = 105.0", "max = inf"),
            ("blocks = 10", "blocks = 0"),
            ("blocks = 10", "blocks = 99999999999"),
            ("seed = 1", "sead = 1"),
            ("version = \"0.1.0\"", ""),
            ("[setting]", "[setting"),
        ] {
            assert!(text.contains(from), "{from}");
            assert!(Baseline::parse(&text.replace(from, to)).is_err(), "{to}");
        }
    }

    #[test]
    fn what_differs_is_named() {
        let (kept, mut now) = (example(), example().setting);
        assert!(kept.ensure_fits("a", &now).is_ok());
        now.seed = 2;
        now.players = 3;
        let error = kept.ensure_fits("a", &now).unwrap_err().to_string();
        assert!(error.contains("players 4, now 3; seed 1, now 2"), "{error}");
        let error = kept.agent("a", "random").unwrap_err().to_string();
        assert!(error.contains("mcts:iterations=5"), "{error}");
    }

    #[test]
    fn names_are_plain() {
        assert!(file("v1_2-b").is_ok());
        for bad in ["", "..", "a/b", "a.toml", "a b", "ä", "x\\y", &"a".repeat(65)] {
            assert!(file(bad).is_err(), "{bad}");
        }
    }
}
