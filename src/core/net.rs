//! A small network that says what a position is worth to one seat: one layer of rectified sums of its inputs, and a
//! weighted sum of these. The chances to win are a softmax of the worths of all seats.
//!
//! It is G. Tesauro's form of judgement ("Temporal Difference Learning and TD-Gammon", 1995), with rectified sums in
//! place of sigmoids. All sums are taken in a fixed order, eight side by side, and nothing is contracted, so the same
//! weights give the same bits on any machine.

use serde::Deserialize;
use std::collections::BTreeMap;

/// Rectified sums of a network.
pub const SUMS: usize = 32;

/// Sums that are added side by side.
const LANES: usize = 8;

/// Far more than a weight can become.
pub const WEIGHT_MAX: f32 = 1e6;

/// A network, by its weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Net {
    /// Weights of each input in the sums.
    inputs: Vec<[f32; SUMS]>,
    /// What each sum starts with.
    start: [f32; SUMS],
    /// What each sum is worth, where it is above 0.
    worth: [f32; SUMS],
}

/// A text that is no network for these inputs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadNet(String);

/// The file of a network.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// What it judges.
    #[serde(rename = "about")]
    _about: String,
    /// Where its weights come from.
    #[serde(rename = "provenance")]
    _provenance: String,
    inputs: BTreeMap<String, Vec<f32>>,
    start: Vec<f32>,
    worth: Vec<f32>,
}

impl Net {
    /// A network by its weights: those of each input, then what the sums start with, then what they are worth.
    pub fn new(inputs: Vec<[f32; SUMS]>, start: [f32; SUMS], worth: [f32; SUMS]) -> Net {
        Net { inputs, start, worth }
    }

    /// Reads a network with these inputs, in their order, from TOML.
    ///
    /// # Errors
    /// If it has other inputs, a row of another length, or a weight that is no sensible number.
    pub fn parse(text: &str, names: &[&str]) -> Result<Net, BadNet> {
        let file: File = toml::from_str(text).map_err(|error| BadNet(error.to_string()))?;
        if let Some(name) = file.inputs.keys().find(|name| !names.contains(&name.as_str())) {
            return Err(BadNet(format!("there is no input `{}`", name.escape_default())));
        }
        let of = |name: &&str| match file.inputs.get(*name) {
            Some(row) => sums(name, row),
            None => Err(BadNet(format!("the input `{name}` has no weights"))),
        };
        Ok(Net {
            inputs: names.iter().map(of).collect::<Result<_, _>>()?,
            start: sums("start", &file.start)?,
            worth: sums("worth", &file.worth)?,
        })
    }

    /// A network that is shipped, with these inputs.
    ///
    /// # Panics
    /// If the text is no such network.
    pub fn shipped(text: &str, names: &[&str]) -> Net {
        Net::parse(text, names).expect("the net that is shipped is one")
    }

    /// The network as TOML, with what it judges and where its weights come from. It is read back bit by bit.
    ///
    /// # Panics
    /// If there are not as many names as inputs.
    pub fn text(&self, about: &str, provenance: &str, names: &[&str]) -> String {
        assert_eq!(names.len(), self.inputs.len(), "a name for each input");
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let (about, provenance) = (quoted(about), quoted(provenance));
        let (start, worth) = (row(&self.start), row(&self.worth));
        let inputs = names.iter().zip(&self.inputs);
        let rows: Vec<String> =
            inputs.map(|(name, weights)| format!("{name} = {}", row(weights))).collect();
        let rows = rows.join("\n");
        format!(
            "about = {about}\nprovenance = {provenance}\n\
             # What each of the {SUMS} sums starts with, and what it is worth where it is above 0.\n\
             start = {start}\nworth = {worth}\n\n\
             # What each input, multiplied by its scale, adds to the sums.\n[inputs]\n{rows}\n"
        )
    }

    /// What a position is worth to a seat, by its inputs; only differences between seats mean anything.
    ///
    /// # Panics
    /// If there are more inputs than the network has.
    #[inline]
    pub fn worth(&self, inputs: &[f32]) -> f32 {
        assert!(inputs.len() <= self.inputs.len(), "as many inputs as weights");
        let mut sums = self.start;
        for (&input, weights) in inputs.iter().zip(&self.inputs) {
            // Most flags are off.
            if input != 0.0 {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += input * weight;
                }
            }
        }
        let mut lanes = [0.0_f32; LANES];
        for (sums, worths) in sums.chunks_exact(LANES).zip(self.worth.chunks_exact(LANES)) {
            for (lane, (sum, worth)) in lanes.iter_mut().zip(sums.iter().zip(worths)) {
                *lane += sum.max(0.0) * worth;
            }
        }
        lanes.iter().sum()
    }
}

/// Weights as TOML: the shortest decimals that are read back as the same numbers.
fn row(weights: &[f32; SUMS]) -> String {
    let weights: Vec<String> = weights.iter().map(|weight| format!("{weight:?}")).collect();
    format!("[{}]", weights.join(", "))
}

/// A row of weights.
fn sums(name: &str, row: &[f32]) -> Result<[f32; SUMS], BadNet> {
    if row.iter().any(|weight| weight.is_nan() || weight.abs() > WEIGHT_MAX) {
        return Err(BadNet(format!("a weight of `{name}` is no number, or too large")));
    }
    let error = |_| BadNet(format!("`{name}` has {} weights in place of {SUMS}", row.len()));
    row.try_into().map_err(error)
}

/// The inputs of two parts as one list, which has to have as many places as both together.
#[inline]
pub const fn joined<T: Copy, const N: usize>(first: &[T], second: &[T]) -> [T; N] {
    let mut all = [first[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < first.len() { first[at] } else { second[at - first.len()] };
        at += 1;
    }
    all
}

/// A flag as an input.
#[inline]
pub fn flag(of: bool) -> f32 {
    f32::from(u8::from(of))
}

/// The inputs of a network. Each is written once: name, what its value is multiplied by so that it is about 1, meaning.
macro_rules! inputs {
    ($($name:ident * $scale:literal, $what:literal;)+) => {
        /// What a net is told of a seat.
        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub struct Inputs { $(#[doc = $what] pub $name: f32,)+ }

        /// Names of the inputs, in order.
        pub const NAMES: &[&str] = &[$(stringify!($name)),+];

        impl Inputs {
            /// The values by [`NAMES`], as the net takes them.
            #[inline]
            pub fn scaled(&self) -> [f32; NAMES.len()] {
                [$($scale * self.$name),+]
            }
        }
    };
}
pub(crate) use inputs;

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rows: &str) -> String {
        let ones = vec!["1.0"; SUMS].join(", ");
        let file =
            format!("about = \"a\"\nprovenance = \"b\"\nstart = [{ones}]\nworth = [{ones}]\n");
        format!("{file}[inputs]\n{}", rows.replace("ROW", &format!("[{ones}]")))
    }

    /// Two inputs: sum 0 is 1 + 2 - 6, which counts as 0; sum 9 is -0.5 + 4 + 3; all others are 0.
    #[test]
    fn sums_are_rectified_and_weighed() {
        let (mut first, mut second) = ([0.0; SUMS], [0.0; SUMS]);
        (first[0], first[9], second[0], second[9]) = (1.0, 2.0, 2.0, -1.0);
        let (mut start, mut worth) = ([0.0; SUMS], [0.0; SUMS]);
        (start[0], start[9]) = (1.0, -0.5);
        (worth[0], worth[9]) = (10.0, 3.0);
        let net = Net::new(vec![first, second], start, worth);
        assert!((net.worth(&[2.0, -3.0]) - 19.5).abs() < 1e-6);
        assert!((net.worth(&[5.0, 0.0]) - (60.0 + 28.5)).abs() < 1e-6);
    }

    #[test]
    fn parts_are_joined_in_order() {
        const NAMES: [&str; 3] = joined(&["a", "b"], &["c"]);
        assert_eq!(NAMES, ["a", "b", "c"]);
        assert_eq!(joined::<u8, 2>(&[1], &[2]), [1, 2]);
    }

    #[test]
    fn a_net_is_read_by_the_names_of_its_inputs() {
        let net = Net::parse(&text("b = ROW\na = ROW\n"), &["a", "b"]).expect("a net");
        // Each of the sums is 1 + 0.5 + 2.
        assert!((net.worth(&[0.5, 2.0]) - 3.5 * SUMS as f32).abs() < 1e-4);
    }

    #[test]
    fn a_net_is_read_back_from_its_text_bit_by_bit() {
        let row = |at: u32| {
            std::array::from_fn(|sum| f32::from_bits(at + 7919 * u32::try_from(sum).expect("few")))
        };
        let least = f32::MIN_POSITIVE.to_bits();
        // Numbers of all sizes: some that are written with an exponent, and some that are no normal numbers.
        let net = Net::new(vec![row(0), row(1.0_f32.to_bits())], row(least - 9), [-1e-7; SUMS]);
        let text = net.text("a \"b\"", "c\\ d\n", &["one", "two"]);
        assert_eq!(Net::parse(&text, &["one", "two"]), Ok(net));
        assert!(text.starts_with("about = 'a \"b\"'\nprovenance = "), "{text}");
    }

    #[test]
    fn what_is_no_net_is_refused() {
        let refused = |rows: &str, reason: &str| {
            let error = Net::parse(&text(rows), &["a"]).expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}");
        };
        refused("", "`a` has no weights");
        refused("a = ROW\nb = ROW", "no input `b`");
        refused("a = [1.0]", "1 weights");
        refused("a = 3", "invalid type");
        let with = |weight: &str| format!("a = [{weight}{}]", ", 0.0".repeat(SUMS - 1));
        refused(&with("nan"), "no number");
        refused(&with("1e30"), "too large");
        assert!(Net::parse("a = [", &["a"]).is_err());
    }
}
