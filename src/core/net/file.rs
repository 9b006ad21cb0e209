//! The file of a network, in TOML: the number of its form, the game that it judges, where its weights come from, and the
//! weights by the names of the inputs. What is read was written by anybody: nothing of it is taken on trust.

use crate::core::net::{Net, SUMS, WEIGHT_MAX};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::{Spanned, Value};

/// The form of the files that this program reads and writes.
pub const FORM: i64 = 1;

/// A text that is no network, or none for a game; says why, with the line where there is one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadNet(String);

/// A network as its file has it: of whatever game, with whatever inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedNet {
    game: String,
    inputs: BTreeMap<String, [f32; SUMS]>,
    start: [f32; SUMS],
    worth: [f32; SUMS],
}

/// What is looked at first: a file of another form may have other keys.
#[derive(Debug, Deserialize)]
struct Head {
    form: Option<Value>,
}

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    #[serde(rename = "form")]
    _form: i64,
    game: String,
    /// What it judges.
    #[serde(rename = "about")]
    _about: String,
    /// Where its weights come from.
    #[serde(rename = "provenance")]
    _provenance: String,
    inputs: BTreeMap<String, Weights>,
    start: Weights,
    worth: Weights,
}

/// A row of weights, and where it stands.
type Weights = Spanned<Vec<f32>>;

impl SavedNet {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is no TOML, of another form, or has a row of another length, or a weight that is no sensible number.
    pub fn parse(text: &str) -> Result<SavedNet, BadNet> {
        let head: Head = toml::from_str(text).map_err(|error| placed(text, &error))?;
        match head.form {
            Some(Value::Integer(FORM)) => {}
            Some(other) => {
                let other = brief(&other.to_string());
                return Err(BadNet(format!("is of form {other}; this program reads form {FORM}")));
            }
            None => {
                return Err(BadNet(format!("is no net of form {FORM}: it has no key `form`")));
            }
        }
        let whole: Whole = toml::from_str(text).map_err(|error| placed(text, &error))?;
        let row = |name: &str, row: &Weights| sums(text, name, row);
        let inputs = whole.inputs.iter().map(|(name, weights)| {
            let row = row(name, weights)?;
            Ok((name.clone(), row))
        });
        Ok(SavedNet {
            inputs: inputs.collect::<Result<_, BadNet>>()?,
            start: row("start", &whole.start)?,
            worth: row("worth", &whole.worth)?,
            game: whole.game,
        })
    }

    /// The network, if it is one of this game, with these inputs; in their order, whatever that of the file is.
    ///
    /// # Errors
    /// If it is of another game, or has other inputs.
    pub fn net(&self, game: &str, names: &[&str]) -> Result<Net, BadNet> {
        if self.game != game {
            let other = quoted(&self.game);
            return Err(BadNet(format!("judges positions of {other}, not of {game}")));
        }
        if let Some(name) = self.inputs.keys().find(|name| !names.contains(&name.as_str())) {
            let name = quoted(name);
            return Err(BadNet(format!("has an input {name}, which {game} doesn't have")));
        }
        let of = |name: &&str| {
            let due = names.len();
            let missing = || {
                let (has, name) = (self.inputs.len(), quoted(name));
                BadNet(format!("has {has} of the {due} inputs of {game}: {name} has no weights"))
            };
            self.inputs.get(*name).copied().ok_or_else(missing)
        };
        let inputs = names.iter().map(of).collect::<Result<_, _>>()?;
        Ok(Net::new(inputs, self.start, self.worth))
    }
}

impl Net {
    /// A network that is shipped, of this game, with these inputs.
    ///
    /// # Panics
    /// If the text is no such network.
    pub fn shipped(text: &str, game: &str, names: &[&str]) -> Net {
        let net = SavedNet::parse(text).and_then(|file| file.net(game, names));
        net.expect("the net that is shipped is one")
    }

    /// The text of its file, with what it judges and where its weights come from. It is read back bit by bit.
    ///
    /// # Panics
    /// If there are not as many names as inputs.
    pub fn text(&self, game: &str, about: &str, provenance: &str, names: &[&str]) -> String {
        assert_eq!(names.len(), self.inputs.len(), "a name for each input");
        let quoted = |text: &str| Value::from(text).to_string();
        let [game, about, provenance] = [game, about, provenance].map(quoted);
        let [start, worth] = [&self.start, &self.worth].map(row);
        let inputs = names.iter().zip(&self.inputs);
        let rows: Vec<String> =
            inputs.map(|(name, weights)| format!("{name} = {}", row(weights))).collect();
        let rows = rows.join("\n");
        format!(
            "form = {FORM}\ngame = {game}\nabout = {about}\nprovenance = {provenance}\n\
             # What each of the {SUMS} sums starts with, and what it is worth where it is above 0.\n\
             start = {start}\nworth = {worth}\n\n\
             # What each input, multiplied by its scale, adds to the sums.\n[inputs]\n{rows}\n"
        )
    }
}

/// Weights as TOML: the shortest decimals that are read back as the same numbers.
fn row(weights: &[f32; SUMS]) -> String {
    let weights: Vec<String> = weights.iter().map(|weight| format!("{weight:?}")).collect();
    format!("[{}]", weights.join(", "))
}

/// A row of weights, checked.
fn sums(text: &str, name: &str, row: &Weights) -> Result<[f32; SUMS], BadNet> {
    let bad = |reason: String| {
        let (line, name) = (line_of(text, Some(row.span())), quoted(name));
        BadNet(format!("{line}{name} {reason}"))
    };
    let weights = row.get_ref();
    if let Some(weight) = weights.iter().find(|weight| !weight.is_finite()) {
        return Err(bad(format!("has a weight that is {weight}, no number that can be added")));
    }
    if weights.iter().any(|weight| weight.abs() > WEIGHT_MAX) {
        return Err(bad(format!("has a weight beyond {WEIGHT_MAX} or -{WEIGHT_MAX}")));
    }
    let other = |_| bad(format!("has {} weights in place of {SUMS}", weights.len()));
    weights.as_slice().try_into().map_err(other)
}

/// The beginning of what somebody wrote, on one line.
fn brief(text: &str) -> String {
    const MOST: usize = 200;
    let plain = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut brief: String = plain.take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        brief.push('…');
    }
    brief
}

/// A name of a file that may hold anything, for a message.
fn quoted(name: &str) -> String {
    format!("`{}`", brief(&name.escape_default().to_string()))
}

/// What the parser complains of, with the line and its key. It would show the whole line, which has a row of weights.
fn placed(text: &str, error: &toml::de::Error) -> BadNet {
    let line = line_of(text, error.span());
    let message = error.message().trim().replace('\n', " ");
    BadNet(format!("{line}{}", brief(&message)))
}

/// The words before a complaint about a place of the text: its line, and the key there.
fn line_of(text: &str, span: Option<Range<usize>>) -> String {
    let Some(before) = span.and_then(|span| text.get(..span.start)) else { return String::new() };
    let number = before.matches('\n').count() + 1;
    let line = text.lines().nth(number - 1).unwrap_or_default();
    let key = line.split_once('=').map_or("", |(key, _)| key.trim());
    let key = if key.is_empty() { String::new() } else { format!(" ({})", quoted(key)) };
    format!("line {number}{key}: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ones() -> String {
        format!("[{}]", vec!["1"; SUMS].join(", "))
    }

    fn text(rows: &str) -> String {
        let head = "form = 1\ngame = \"go\"\nabout = \"a\"\nprovenance = \"b\"\n";
        let (ones, rows) = (ones(), rows.replace("ROW", &ones()));
        format!("{head}start = {ones}\nworth = {ones}\n[inputs]\n{rows}")
    }

    fn read(text: &str, names: &[&str]) -> Result<Net, BadNet> {
        SavedNet::parse(text)?.net("go", names)
    }

    #[test]
    fn a_net_is_read_by_the_names_of_its_inputs() {
        let net = read(&text("b = ROW\na = ROW\n"), &["a", "b"]).expect("a net");
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
        let text = net.text("go", "a \"b\"", "c\\ d\n", &["one", "two"]);
        assert_eq!(read(&text, &["one", "two"]), Ok(net));
        assert!(text.starts_with("form = 1\ngame = \"go\"\nabout = 'a \"b\"'\n"), "{text}");
    }

    #[test]
    fn what_is_no_net_is_refused_with_its_line_and_key() {
        let refused = |text: &str, reason: &str| {
            let error = read(text, &["a"]).expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}");
            assert!(error.len() < 1000, "{} bytes", error.len());
        };
        refused(&text(""), "has 0 of the 1 inputs of go: `a` has no weights");
        refused(&text("a = ROW\nb = ROW"), "has an input `b`, which go doesn't have");
        refused(&text("a = ROW\n\"b\\u001b\" = ROW"), "an input `b\\u{1b}`");
        refused(&text("a = [1.0]"), "line 8 (`a`): `a` has 1 weights in place of 32");
        refused(&text("a = 3"), "line 8 (`a`): invalid type");
        refused(&text("a = [\"1\"]"), "line 8 (`a`): invalid type");
        refused(&text("\na = ROW\na = ROW"), "line 10");
        refused(&text(&format!("{} = 1", "k".repeat(100_000))), "invalid type");
        refused("a = [", "line 1 (`a`): ");
        refused(&text("a = ROW").replace("about", "abuot"), "unknown field `abuot`");
        refused(&text("a = ROW").replace("start", "strat"), "strat");
        let deep = format!("form = 1\na = {}", "[".repeat(100_000));
        refused(&deep, "line 2");
    }

    #[test]
    fn weights_that_are_no_sensible_numbers_are_refused() {
        for (weight, reason) in [
            ("nan", "has a weight that is NaN"),
            ("-inf", "has a weight that is -inf"),
            ("1e300", "has a weight that is inf"),
            ("-1e30", "has a weight beyond 1000000 or -1000000"),
        ] {
            let row = ones().replacen('1', weight, 1);
            for text in [text(&format!("a = {row}")), text("a = ROW").replacen(&ones(), &row, 1)] {
                let error = SavedNet::parse(&text).expect_err(weight).to_string();
                assert!(error.starts_with("line ") && error.contains(reason), "{error}");
            }
        }
    }

    #[test]
    fn files_of_other_forms_and_games_are_refused() {
        for (from, to, reason) in [
            ("form = 1\n", "", "is no net of form 1: it has no key `form`"),
            ("form = 1", "form = 2\nlayers = 3", "is of form 2; this program reads form 1"),
            ("form = 1", "form = \"1\"", "is of form \"1\"; this program reads form 1"),
            ("\"go\"", "\"chess\"", "judges positions of `chess`, not of go"),
            ("\"go\"", "7", "line 2 (`game`): invalid type"),
        ] {
            let text = text("a = ROW").replacen(from, to, 1);
            let error = read(&text, &["a"]).expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
