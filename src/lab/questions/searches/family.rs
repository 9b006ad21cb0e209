//! A family of agents: one agent with one parameter over a range. Searches move on a scale from 0 to 1, which is the
//! parameter's own scale or its logarithm.

use crate::sim::agents::spec::{AgentSpec, BadAgent};
use serde::{Deserialize, Serialize};

/// One agent with one parameter over a range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// The agent: its number among the run's agents, from 0.
    pub agent: usize,
    /// The parameter.
    pub key: String,
    /// Its least value.
    pub low: f64,
    /// Its greatest value.
    pub high: f64,
    /// Whether the scale is logarithmic.
    pub log: bool,
    /// Whether the parameter takes whole numbers only.
    pub whole: bool,
}

/// Ranges that reach over this factor have a logarithmic scale unless somebody says otherwise.
const LOG_FROM: f64 = 100.0;

impl Family {
    /// Whether a range has a logarithmic scale if nobody says so.
    pub fn is_wide(low: f64, high: f64) -> bool {
        low > 0.0 && high / low >= LOG_FROM
    }

    /// Whether it can be searched, with a number of agents.
    pub fn is_sound(&self, agents: usize) -> bool {
        let ends = self.low.is_finite() && self.high.is_finite() && self.low < self.high;
        let whole = !self.whole || libm::ceil(self.low) <= libm::floor(self.high);
        self.agent < agents && ends && whole && (!self.log || self.low > 0.0)
    }

    /// The value at a place from 0 to 1, with four significant digits, or whole.
    pub fn value(&self, place: f64) -> f64 {
        let Family { low, high, log, whole, .. } = *self;
        let place = place.clamp(0.0, 1.0);
        let value = if log {
            libm::exp(libm::log(low) + place * (libm::log(high) - libm::log(low)))
        } else {
            low + place * (high - low)
        };
        if whole {
            return libm::round(value).clamp(libm::ceil(low), libm::floor(high));
        }
        let short: f64 = format!("{value:.3e}").parse().unwrap_or(value);
        short.clamp(low, high)
    }

    /// The place of a value: that of the nearest end, if it lies outside of the range.
    pub fn place(&self, value: f64) -> f64 {
        let Family { low, high, log, .. } = *self;
        let value = value.clamp(low, high);
        if log {
            return (libm::log(value) - libm::log(low)) / (libm::log(high) - libm::log(low));
        }
        (value - low) / (high - low)
    }

    /// The range as it is written on the command line: `haste=0..4`.
    pub fn words(&self) -> String {
        let Family { key, low, high, log, .. } = self;
        let scale = match (*log, Family::is_wide(*low, *high)) {
            (true, false) => ":log",
            (false, true) => ":linear",
            _ => "",
        };
        format!("{key}={low}..{high}{scale}")
    }

    /// A value as it is written in files and on the command line.
    pub fn text(value: f64) -> String {
        value.to_string()
    }

    /// The agent with a value.
    ///
    /// # Errors
    /// If it was named with the parameter already.
    pub fn member(&self, agents: &[AgentSpec], value: f64) -> Result<AgentSpec, BadAgent> {
        agents[self.agent].with(&self.key, &Family::text(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(low: f64, high: f64, log: bool, whole: bool) -> Family {
        Family { agent: 0, key: "k".to_owned(), low, high, log, whole }
    }

    #[test]
    fn places_are_values_of_either_scale() {
        let value = |family: &Family, place| Family::text(family.value(place));
        let values = |family: Family| [0.0, 0.25, 0.5, 1.0, 2.0].map(|place| value(&family, place));
        assert_eq!(values(family(0.0, 8.0, false, false)), ["0", "2", "4", "8", "8"]);
        assert_eq!(values(family(1.0, 1e4, true, false)), ["1", "10", "100", "10000", "10000"]);
        // √(2 · 5000) = 100, and the fourth root of 2³ · 5000 = 14.14.
        assert_eq!(values(family(2.0, 5000.0, true, true)), ["2", "14", "100", "5000", "5000"]);
        assert_eq!(value(&family(0.001, 10.0, true, false), 0.123), "0.003105");
        let places =
            |family: Family| [-1.0, 1.0, 10.0, 1e5].map(|value| Family::text(family.place(value)));
        assert_eq!(places(family(0.0, 8.0, false, false)), ["0", "0.125", "1", "1"]);
        assert_eq!(places(family(1.0, 100.0, true, false)), ["0", "0", "0.5", "1"]);
        assert_eq!(family(0.0, 8.0, false, false).words(), "k=0..8");
        assert_eq!(family(1.0, 9.5, true, false).words(), "k=1..9.5:log");
        assert!(
            family(0.0, 1.0, false, false).is_sound(1) && !family(0.0, 1.0, true, true).is_sound(1)
        );
        assert!(
            !family(1.2, 1.8, false, true).is_sound(1)
                && !family(0.0, 1.0, false, true).is_sound(0)
        );
    }
}
