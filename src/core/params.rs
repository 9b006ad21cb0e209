//! Parameters of agents: what one is, and those that every search has.

use serde::{Deserialize, Serialize};

/// A parameter of an agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// The key in TOML and on the command line.
    pub name: &'static str,
    /// What it does, in which unit.
    pub about: &'static str,
    /// The least and the most that it may be; nothing for a word.
    pub range: Option<(f64, f64)>,
    /// Whether only searches use it, not the planner alone.
    pub search_only: bool,
}

/// The range of rounds, cards and points: far more than any match has of them.
pub const ANY: (f64, f64) = (-100.0, 100.0);
/// The range of shares and chances.
pub const SHARE: (f64, f64) = (0.0, 1.0);

impl Parameter {
    /// A number that planners use.
    pub const fn number(name: &'static str, range: (f64, f64), about: &'static str) -> Parameter {
        Parameter { name, about, range: Some(range), search_only: false }
    }

    /// A number that only searches use.
    pub const fn of_search(
        name: &'static str,
        range: (f64, f64),
        about: &'static str,
    ) -> Parameter {
        Parameter { search_only: true, ..Parameter::number(name, range, about) }
    }

    /// A word, for searches only.
    pub const fn word(name: &'static str, about: &'static str) -> Parameter {
        Parameter { name, about, range: None, search_only: true }
    }

    /// What is wrong with a number for it, if anything is.
    pub fn fault(&self, number: f64) -> Option<String> {
        let (low, high) = self.range?;
        let fits = (low..=high).contains(&number);
        (!fits).then(|| {
            // A number such as 1e99 has no use for all its digits.
            let shown = if number.abs() < 1e9 { number.to_string() } else { format!("{number:e}") };
            format!("`{}` is {shown}; it must be in {low} to {high} ({})", self.name, self.about)
        })
    }
}

/// The parameters of a kind of agent, each written once: name, type, default, who uses it with its range, meaning.
/// Makes the type that holds their values, its defaults, and the list by which they are read and shown.
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        pub struct $name:ident, listed in $list:ident {
            $($field:ident: $type:ty = $default:expr, $kind:ident($($range:expr)?), $about:expr;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            $(#[doc = concat!("`", stringify!($field), "`: ", $about, ".")] pub $field: $type,)+
        }

        impl $name {
            /// The default of each.
            pub const DEFAULT: $name = $name { $($field: $default,)+ };
        }

        impl Default for $name {
            fn default() -> $name {
                $name::DEFAULT
            }
        }

        #[doc = concat!("What may be set in [`", stringify!($name), "`], in the order in which it is shown.")]
        pub const $list: &[$crate::core::params::Parameter] = &[$(
            $crate::core::params::Parameter::$kind(stringify!($field), $($range,)? $about)
        ),+];
    };
}
pub(crate) use parameters;

/// The weights of a planner that adds up features, and the features. Each feature is written once: name, default weight,
/// meaning; what follows has [`parameters`] of its own. The first feature is the victory point, which is the unit, and
/// one of the others is `fog`, the lead in points that multiplies the chance to win by e.
macro_rules! weights {
    (
        features { $($feature:ident = $weight:literal, $what:literal;)+ }
        others { $($other:ident = $value:literal, $range:expr, $about:literal;)+ }
    ) => {
        /// What is weighed, as one seat sees it: see the weights of the same names.
        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub struct Features { $(#[doc = $what] pub $feature: f32,)+ }

        $crate::core::params::parameters! {
            /// The weights, in victory points; those of the features come first.
            pub struct Weights, listed in PARAMETERS {
                $($feature: f32 = $weight, number($crate::core::params::ANY), concat!("worth of ", $what);)+
                $($other: f32 = $value, number($range), $about;)+
            }
        }

        /// Names of the features, in order.
        pub const FEATURES: &[&str] = &[$(stringify!($feature)),+];

        impl Features {
            /// Values in the order of [`FEATURES`].
            pub fn values(&self) -> [f32; FEATURES.len()] {
                [$(self.$feature),+]
            }
        }

        impl Weights {
            /// What features are worth.
            #[inline]
            pub fn worth(&self, features: &Features) -> f32 {
                0.0 $(+ self.$feature * features.$feature)+
            }

            /// The coefficient of each feature in the exponent of the chances to win, by [`FEATURES`].
            pub fn exponents(&self) -> Vec<f64> {
                vec![$(f64::from(self.$feature / self.fog)),+]
            }

            /// The weights and the fog that give these coefficients: a victory point stays worth 1.
            #[allow(clippy::cast_possible_truncation, reason = "weights are no more precise")]
            pub fn put_exponents(&mut self, exponents: &[f64]) {
                // The first feature is the victory point.
                let unit = exponents[0].max(0.05);
                let mut all = exponents.iter().map(|exponent| (exponent / unit) as f32);
                $(self.$feature = all.next().expect("one for each feature");)+
                self.fog = (1.0 / unit) as f32;
            }
        }
    };
}
pub(crate) use weights;

parameters! {
    /// What makes an agent weaker on purpose. Every kind that judges actions takes it: greedy, heuristic, mcts, oracle.
    pub struct Handicap, listed in HANDICAP {
        temperature: f32 = 0.0, number((0.0, 100.0)),
            "win probability that makes an action e times as likely; 0 takes the best";
        lapse: f32 = 0.0, number(SHARE),
            "share of decisions that the next weaker kind takes: mcts for oracle, heuristic, greedy, random";
        overlook: f32 = 0.0, number(SHARE),
            "share of actions that it overlooks; trades all together, and never that it may do nothing";
    }
}

/// What plays on from a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rollout {
    /// Uniform over the legal list without offers.
    Random,
    /// The game's fast policy.
    Quick,
    /// The game's planning policy.
    Heuristic,
}

/// What the searcher takes the other seats to do in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opponents {
    /// Each maximizes its own value (max^n).
    Search,
    /// Each follows the planning policy.
    Heuristic,
}

/// What judges a leaf of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// The planner's weights.
    Weights,
    /// The net that the game carries; the planner's weights where it carries none.
    Learned,
}

parameters! {
    /// The parameters of a search, for `mcts` and `oracle`; both also take those of the game's planner.
    pub struct MctsParams, listed in SEARCH {
        iterations: u32 = 1000, of_search((0.0, 1e7)),
            "iterations per decision; 0 leaves the limit to time_ms";
        time_ms: u32 = 0, of_search((0.0, 3.6e6)),
            "milliseconds per decision, 0 for no limit; not reproducible";
        exploration: f32 = 0.7, of_search((0.0, 100.0)),
            "weight of priors against means";
        rollout: Rollout = Rollout::Quick, word(),
            "what plays on from a leaf: random, quick or heuristic";
        truncation: u16 = 0, of_search((0.0, 65535.0)),
            "turns played on from a leaf; 0 judges it at once, 1000 plays to the end";
        judgement: Judgement = Judgement::Learned, word(),
            "what judges a leaf: learned (the game's net, if it has one) or weights (those of the planner)";
        opponents: Opponents = Opponents::Search, word(),
            "the other seats in the tree: search (max^n) or heuristic";
        candidates: u16 = 12, of_search((1.0, 1000.0)),
            "actions considered at one decision";
        repeats: u32 = 1, of_search((1.0, 1e6)),
            "iterations that begin from one imagined position";
        trees: u16 = 1, of_search((1.0, 16.0)),
            "trees that share the iterations of a decision and may grow on several threads";
        prior_scale: f32 = 0.3, of_search((1e-3, 1e3)),
            "rating (rounds or points) that multiplies a prior by e";
    }
}

/// What else a search takes: a net of a file. Without it, the net is the one that the game carries.
pub const NET: &[Parameter] = &[
    Parameter::word("net", "a file with a net in place of the game's, as learn --net writes it"),
    Parameter::word("net_hash", "the hash of that file: one with other bytes is refused"),
];

impl MctsParams {
    /// What is wrong with parameters that are each in their range, if anything is.
    pub fn fault(&self) -> Option<String> {
        let endless = self.iterations == 0 && self.time_ms == 0;
        endless.then(|| "one of `iterations` and `time_ms` must be above 0".to_owned())
    }
}
