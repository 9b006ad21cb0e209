//! The file of a network, in TOML: the number of its form, the game that it judges, where its weights come from, and the
//! scales and weights by the names of the inputs. What is read was written by anybody: nothing of it is taken on trust.
//!
//! Scales belong to the weights that were learned with them: where a program has others, the weights are made to fit. What
//! an input means can't be written down, so it has a version.

use crate::core::net::{InputList, Net, SUMS, WEIGHT_MAX};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::{Spanned, Value};

/// The form of the files that this program writes.
pub const FORM: i64 = 2;

/// The form before: it has no scales, which were those of today, and no version of the inputs, which was the first.
const WITHOUT_SCALES: i64 = 1;

/// A text that is no network, or none for a game; says why, with the line where there is one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadNet(String);

/// A network as its file has it: of whatever game, with whatever inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedNet {
    game: String,
    /// The version of its inputs.
    version: u32,
    /// What each input was multiplied by when the weights were learned; nothing if that is not said.
    scales: Option<BTreeMap<String, f32>>,
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
    form: i64,
    game: String,
    version: Option<u32>,
    /// What it judges.
    #[serde(rename = "about")]
    _about: String,
    /// Where its weights come from.
    #[serde(rename = "provenance")]
    _provenance: String,
    scales: Option<BTreeMap<String, Spanned<f32>>>,
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
            Some(Value::Integer(WITHOUT_SCALES | FORM)) => {}
            Some(other) => {
                let other = brief(&other.to_string());
                let known = format!("forms {WITHOUT_SCALES} and {FORM}");
                return Err(BadNet(format!("is of form {other}; this program reads {known}")));
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
        let has_scales = whole.form == FORM;
        for (key, is_there) in
            [("version", whole.version.is_some()), ("scales", whole.scales.is_some())]
        {
            if is_there != has_scales {
                let word = if has_scales { "no" } else { "a" };
                return Err(BadNet(format!(
                    "is of form {} and has {word} key `{key}`",
                    whole.form
                )));
            }
        }
        let scales = whole.scales.map(|scales| {
            let checked =
                scales.iter().map(|(name, scale)| Ok((name.clone(), factor(text, name, scale)?)));
            checked.collect::<Result<_, BadNet>>()
        });
        Ok(SavedNet {
            version: whole.version.unwrap_or(1),
            scales: scales.transpose()?,
            inputs: inputs.collect::<Result<_, BadNet>>()?,
            start: row("start", &whole.start)?,
            worth: row("worth", &whole.worth)?,
            game: whole.game,
        })
    }

    /// The network, if it is one of this game, with these inputs; in their order, whatever that of the file is. Where it was
    /// learned with other scales, its weights are made to fit those of today.
    ///
    /// # Errors
    /// If it is of another game, has other inputs, or they have come to mean something else.
    pub fn net(&self, game: &str, list: &InputList) -> Result<Net, BadNet> {
        let names = list.names;
        if self.game != game {
            let other = quoted(&self.game);
            return Err(BadNet(format!("judges positions of {other}, not of {game}")));
        }
        if self.version != list.version {
            let (old, new) = (self.version, list.version);
            let meant = format!("was learned with version {old} of the inputs of {game}");
            return Err(BadNet(format!("{meant}; this program has version {new}")));
        }
        if let Some(name) = self.inputs.keys().find(|name| !names.contains(&name.as_str())) {
            let name = quoted(name);
            return Err(BadNet(format!("has an input {name}, which {game} doesn't have")));
        }
        let of = |(name, scale): (&&str, &f32)| {
            let due = names.len();
            let missing = || {
                let (has, name) = (self.inputs.len(), quoted(name));
                BadNet(format!("has {has} of the {due} inputs of {game}: {name} has no weights"))
            };
            let weights = self.inputs.get(*name).copied().ok_or_else(missing)?;
            let Some(scales) = &self.scales else { return Ok(weights) };
            let learned = scales.get(*name);
            let learned =
                learned.ok_or_else(|| BadNet(format!("has no scale of {}", quoted(name))))?;
            fitting(name, weights, learned / scale)
        };
        let inputs = names.iter().zip(list.scales).map(of).collect::<Result<_, _>>()?;
        let scaled = self.scales.iter().flat_map(BTreeMap::keys);
        if let Some(name) = scaled.into_iter().find(|name| !self.inputs.contains_key(*name)) {
            return Err(BadNet(format!("has a scale of {}, which has no weights", quoted(name))));
        }
        Ok(Net::new(inputs, self.start, self.worth))
    }
}

impl Net {
    /// A network that is shipped, of this game, with these inputs.
    ///
    /// # Panics
    /// If the text is no such network.
    pub fn shipped(text: &str, game: &str, list: &InputList) -> Net {
        let net = SavedNet::parse(text).and_then(|file| file.net(game, list));
        net.expect("the net that is shipped is one")
    }

    /// The text of its file, with what it judges and where its weights come from. It is read back bit by bit.
    ///
    /// # Panics
    /// If there are not as many names as inputs.
    pub fn text(&self, game: &str, about: &str, provenance: &str, list: &InputList) -> String {
        let InputList { version, names, scales } = list;
        assert_eq!(names.len(), self.inputs.len(), "a name for each input");
        let quoted = |text: &str| Value::from(text).to_string();
        let [game, about, provenance] = [game, about, provenance].map(quoted);
        let [start, worth] = [&self.start, &self.worth].map(row);
        let inputs = names.iter().zip(&self.inputs);
        let rows: Vec<String> =
            inputs.map(|(name, weights)| format!("{name} = {}", row(weights))).collect();
        let rows = rows.join("\n");
        let scales = names.iter().zip(*scales);
        let scales: Vec<String> =
            scales.map(|(name, scale)| format!("{name} = {scale:?}")).collect();
        let scales = scales.join("\n");
        format!(
            "form = {FORM}\ngame = {game}\nabout = {about}\nprovenance = {provenance}\n\
             # The version of the inputs: another one means something else by their names.\n\
             version = {version}\n\
             # What each of the {SUMS} sums starts with, and what it is worth where it is above 0.\n\
             start = {start}\nworth = {worth}\n\n\
             # What each input is multiplied by.\n[scales]\n{scales}\n\n\
             # What each input, multiplied by its scale, adds to the sums.\n[inputs]\n{rows}\n"
        )
    }
}

/// Weights as TOML: the shortest decimals that are read back as the same numbers.
fn row(weights: &[f32; SUMS]) -> String {
    let weights: Vec<String> = weights.iter().map(|weight| format!("{weight:?}")).collect();
    format!("[{}]", weights.join(", "))
}

/// Weights of an input for another scale, by the ratio of the old one to the new one.
fn fitting(name: &str, mut weights: [f32; SUMS], ratio: f32) -> Result<[f32; SUMS], BadNet> {
    // Not a bit changes where the scale is the same.
    if (ratio - 1.0).abs() > 0.0 {
        for weight in &mut weights {
            *weight *= ratio;
        }
    }
    if weights.iter().any(|weight| !weight.is_finite() || weight.abs() > WEIGHT_MAX) {
        let name = quoted(name);
        return Err(BadNet(format!("has weights of {name} that are too large for its scale")));
    }
    Ok(weights)
}

/// A scale, checked.
fn factor(text: &str, name: &str, scale: &Spanned<f32>) -> Result<f32, BadNet> {
    let found = *scale.get_ref();
    if (1.0 / WEIGHT_MAX..=WEIGHT_MAX).contains(&found) {
        return Ok(found);
    }
    let (line, name) = (line_of(text, Some(scale.span())), quoted(name));
    Err(BadNet(format!("{line}{name} has the scale {found}, which is none")))
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

    /// A net of the form without scales.
    fn text(rows: &str) -> String {
        let head = "form = 1\ngame = \"go\"\nabout = \"a\"\nprovenance = \"b\"\n";
        let (ones, rows) = (ones(), rows.replace("ROW", &ones()));
        format!("{head}start = {ones}\nworth = {ones}\n[inputs]\n{rows}")
    }

    fn list(names: &'static [&'static str]) -> InputList {
        InputList { version: 1, names, scales: &[0.5; 2] }
    }

    fn read(text: &str, names: &'static [&'static str]) -> Result<Net, BadNet> {
        SavedNet::parse(text)?.net("go", &list(names))
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
        let text = net.text("go", "a \"b\"", "c\\ d\n", &list(&["one", "two"]));
        assert_eq!(read(&text, &["one", "two"]), Ok(net));
        assert!(text.starts_with("form = 2\ngame = \"go\"\nabout = 'a \"b\"'\n"), "{text}");
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
            ("form = 1\n", "", "is no net of form 2: it has no key `form`"),
            ("form = 1", "form = 3\nlayers = 3", "is of form 3; this program reads forms 1 and 2"),
            ("form = 1", "form = \"1\"", "is of form \"1\"; this program reads forms 1 and 2"),
            ("form = 1", "form = 2", "is of form 2 and has no key `version`"),
            ("form = 1", "form = 1\nversion = 1", "is of form 1 and has a key `version`"),
            ("form = 1", "form = 2\nversion = 1", "is of form 2 and has no key `scales`"),
            ("\"go\"", "\"chess\"", "judges positions of `chess`, not of go"),
            ("\"go\"", "7", "line 2 (`game`): invalid type"),
        ] {
            let text = text("a = ROW").replacen(from, to, 1);
            let error = read(&text, &["a"]).expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    /// A net that was learned with some scales.
    fn scaled(version: u32, scales: &str) -> String {
        let head = format!("form = 2\nversion = {version}\n");
        let tables = format!("[scales]\n{scales}\n[inputs]");
        text("a = ROW\nb = ROW").replacen("form = 1\n", &head, 1).replacen("[inputs]", &tables, 1)
    }

    #[test]
    fn a_net_that_was_learned_with_other_scales_judges_the_same_values_the_same() {
        let net = |scales: &str| read(&scaled(1, scales), &["a", "b"]).expect("a net");
        let (same, other) = (net("a = 0.5\nb = 0.5"), net("a = 2.0\nb = 0.125"));
        assert_eq!(same, read(&text("a = ROW\nb = ROW"), &["a", "b"]).expect("a net"));
        // The values 3 and 8 were 6 and 1 when they were multiplied by the scales of the file; now they are 1.5 and 4.
        assert!((same.worth(&[6.0, 1.0]) - other.worth(&[1.5, 4.0])).abs() < 1e-3);
        assert!((same.worth(&[1.5, 4.0]) - other.worth(&[1.5, 4.0])).abs() > 1.0);
    }

    #[test]
    fn inputs_that_mean_something_else_and_scales_that_are_none_are_refused() {
        for (text, reason) in [
            (scaled(2, "a = 1.0\nb = 1.0"), "with version 2 of the inputs of go; this program has"),
            (scaled(1, "a = 1.0"), "has no scale of `b`"),
            (scaled(1, "a = 1.0\nb = 1.0\nc = 1.0"), "has a scale of `c`, which has no weights"),
            (scaled(1, "a = 1.0\nb = 0.0"), "line 10 (`b`): `b` has the scale 0, which is none"),
            (scaled(1, "a = nan\nb = 1.0"), "line 9 (`a`): `a` has the scale NaN"),
            (scaled(1, "a = -1.0\nb = 1.0"), "has the scale -1, which is none"),
            (scaled(1, "a = 1e30\nb = 1.0"), "which is none"),
            (scaled(1, "a = [1.0]\nb = 1.0"), "line 9 (`a`): invalid type"),
            (scaled(1, "a = 999999.0\nb = 1.0"), "weights of `a` that are too large for its scale"),
        ] {
            let error = read(&text, &["a", "b"]).expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
