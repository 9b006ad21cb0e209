//! The grammar of thresholds, a function for each rule. White space may stand between any two tokens.
//!
//! ```text
//! comparison = sum ("<" | "<=" | ">" | ">=") sum
//! sum        = product {("+" | "-") product}
//! product    = factor {("*" | "/") factor}
//! factor     = "-" factor | "(" sum ")" | number | function | reference
//! number     = decimal ["pp" | "%"]
//! function   = "abs" "(" sum ")" | ("max" | "min") "(" sum "," sum ")"
//! reference  = table ["[" key "=" value {"," key "=" value} "]"] "." metric ["." column] ["." aggregate]
//! column     = "estimate" | "lo" | "hi" | "se" | "n" | "n_blocks"
//! aggregate  = "max" | "min" | "mean" | "sum" | "count"
//! ```
//!
//! A decimal is `0.02`, `.02` or `2e-2`; with `pp` or `%` it is in hundredths. A table, key or metric is a
//! letter, then letters, digits and `_`. A value ends at the next `,` or `]`, unless it stands in double
//! quotes.

use crate::lab::report::table::{Row, Table};
use crate::words::numbers;
use winnow::combinator::{
    alt, cut_err, delimited, dispatch, eof, fail, not, opt, peek, preceded, repeat, separated,
    separated_pair, terminated,
};
use winnow::error::ContextError;
use winnow::stream::Stateful;
use winnow::token::{any, one_of, take, take_till, take_while};
use winnow::{ModalParser, ModalResult, Parser};

/// Longest text of a threshold, in bytes.
pub const BYTES_MAX: usize = 4 << 10;
/// How deeply parentheses, functions and signs may be nested.
pub const DEPTH_MAX: usize = 64;

/// A word of the grammar with its meaning.
type Word<T> = (&'static str, T);
/// Compares the two sides.
pub type Sign = Word<fn(&f64, &f64) -> bool>;
/// Joins two numbers.
pub type Operator = fn(f64, f64) -> f64;
/// A number of a row, if it has it.
pub type Column = Word<fn(&Table, &Row) -> Option<f64>>;
/// Joins the numbers of at least one row.
pub type Aggregate = Word<fn(&[f64]) -> f64>;

/// Rows of a table, and what to take of them.
#[derive(Debug, Clone)]
pub struct Reference {
    /// As it is written in the threshold.
    pub text: String,
    pub table: String,
    /// Key columns with the values that they should have.
    pub keys: Vec<(String, String)>,
    pub metric: String,
    pub column: Column,
    /// How to join several rows.
    pub aggregate: Option<Aggregate>,
}

/// One side of a comparison, or a part of it.
#[derive(Debug, Clone)]
pub enum Expression {
    /// A number in the text.
    Number(f64),
    /// A number in a table.
    Reference(Reference),
    /// A function or sign of one number.
    Unary(fn(f64) -> f64, Box<Expression>),
    /// Operators from left to right: flat, so that long sums aren't deep.
    Chain(Box<Expression>, Vec<(Operator, Expression)>),
}

const SIGNS: &[Sign] = &[("<", f64::lt), ("<=", f64::le), (">", f64::gt), (">=", f64::ge)];
const TERMS: &[Word<Operator>] = &[("+", |a, b| a + b), ("-", |a, b| a - b)];
const FACTORS: &[Word<Operator>] = &[("*", |a, b| a * b), ("/", |a, b| a / b)];
const COLUMNS: &[Column] = &[
    ("estimate", |_, row| row.estimate.as_ref().map(|estimate| estimate.value)),
    ("lo", |_, row| row.estimate.as_ref()?.interval.map(|(lo, _)| lo)),
    ("hi", |_, row| row.estimate.as_ref()?.interval.map(|(_, hi)| hi)),
    ("se", |_, row| row.estimate.as_ref()?.se),
    ("n", |_, row| Some(row.n as f64)),
    ("n_blocks", |table, _| Some(table.blocks as f64)),
];
const AGGREGATES: &[Aggregate] = &[
    ("max", |cells| cells.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
    ("min", |cells| cells.iter().copied().fold(f64::INFINITY, f64::min)),
    ("mean", |cells| cells.iter().sum::<f64>() / cells.len() as f64),
    ("sum", |cells| cells.iter().sum()),
    ("count", |cells| cells.len() as f64),
];

const OPERAND: &str = "a number or a reference such as seats.win_rate.max";
const DEEP: &str = "something nested at most 64 deep";
const SUFFIX: &str = "a column (.estimate, .lo, .hi, .se, .n, .n_blocks), then an aggregate (.max, .min, \
                      .mean, .sum, .count)";

/// What is still to be read, with the depth of nesting.
type Input<'a> = Stateful<&'a str, usize>;
/// What is expected, the innermost rule's word first.
type Expected = ContextError<&'static str>;
type Rule<T> = ModalResult<T, Expected>;

/// The two sides of a threshold and the sign between them.
///
/// # Errors
/// Says where it can't be read, and what should stand there.
pub fn parse(text: &str) -> Result<(Expression, Sign, Expression), String> {
    if text.len() > BYTES_MAX {
        return Err(format!("it has {} bytes; {BYTES_MAX} are the most", text.len()));
    }
    comparison.parse(Stateful { input: text, state: 0 }).map_err(|error| {
        let (before, rest) = text.split_at(error.offset());
        let start: String = rest.chars().take(20).collect();
        let found = if start.is_empty() { "the end".to_owned() } else { format!("`{start}`") };
        let expected = error.inner().context().next().unwrap_or(&OPERAND);
        let at = before.chars().count() + 1;
        format!("at character {at}: found {found} where {expected} is expected")
    })
}

fn comparison(input: &mut Input<'_>) -> Rule<(Expression, Sign, Expression)> {
    let signs = take_while(1.., ['<', '=', '>']);
    let sign = among(signs, SIGNS).context("an operator, <, <=, > or >=");
    let end = eof.context("an operator or the end");
    (preceded(space, sum), sign, terminated(sum, end)).parse_next(input)
}

fn sum(input: &mut Input<'_>) -> Rule<Expression> {
    chain(product, TERMS).parse_next(input)
}

fn product(input: &mut Input<'_>) -> Rule<Expression> {
    chain(factor, FACTORS).parse_next(input)
}

fn chain<'a>(
    operand: fn(&mut Input<'a>) -> Rule<Expression>,
    operators: &'static [Word<Operator>],
) -> impl ModalParser<Input<'a>, Expression, Expected> {
    let operator = among(take(1_usize), operators).map(|(_, operator)| operator);
    (operand.map(Box::new), repeat(0.., (operator, operand)))
        .map(|(first, more)| Expression::Chain(first, more))
}

/// An operand is never optional, so an error in it is final.
fn factor(input: &mut Input<'_>) -> Rule<Expression> {
    if input.state == DEPTH_MAX {
        return cut_err(fail.context(DEEP)).parse_next(input);
    }
    input.state += 1;
    let factor = cut_err(dispatch! {peek(any);
        '-' => preceded(symbol("-"), factor).map(|of| Expression::Unary(|of| -of, Box::new(of))),
        '(' => parenthesized,
        '.' | '0'..='9' => number.map(Expression::Number),
        _ => named,
    })
    .context(OPERAND)
    .parse_next(input);
    input.state -= 1;
    factor
}

fn number(input: &mut Input<'_>) -> Rule<f64> {
    let exponent = (one_of(['e', 'E']), opt(one_of(['+', '-'])), take_while(0.., '0'..='9'));
    let decimal = (take_while(1.., ('0'..='9', '.')), opt(exponent));
    terminated((decimal, opt((space, alt(("pp", "%"))))).take(), space)
        .verify_map(numbers::decimal)
        .context("a number such as 0.02, 2pp or 2%")
        .parse_next(input)
}

/// A function, if a parenthesis follows the name, or a reference.
fn named(input: &mut Input<'_>) -> Rule<Expression> {
    let pair = |operator: Operator| {
        let arguments = separated_pair(sum, symbol(",").context("a comma"), sum);
        let pair = delimited((name, symbol("(")), arguments, closing);
        pair.map(move |(first, second)| {
            Expression::Chain(Box::new(first), vec![(operator, second)])
        })
    };
    dispatch! {peek((name, opt(symbol("("))));
        (_, None) => reference.map(Expression::Reference),
        ("abs", _) => preceded(name, parenthesized)
            .map(|of| Expression::Unary(f64::abs, Box::new(of))),
        ("max", _) => pair(f64::max),
        ("min", _) => pair(f64::min),
        _ => fail.context("abs(…), max(…, …) or min(…, …)"),
    }
    .parse_next(input)
}

fn parenthesized(input: &mut Input<'_>) -> Rule<Expression> {
    delimited(symbol("("), sum, closing).parse_next(input)
}

fn closing(input: &mut Input<'_>) -> Rule<()> {
    symbol(")").context("an operator or )").parse_next(input)
}

fn reference(input: &mut Input<'_>) -> Rule<Reference> {
    let keys = delimited(
        symbol("["),
        separated(1.., cut_err(key), symbol(",")),
        cut_err(symbol("]").context("a comma or ]")),
    );
    let metric = preceded(symbol(".").context("[key=value] or .metric"), name.context("a metric"));
    let column = opt(preceded(symbol("."), among(name, COLUMNS)));
    let aggregate = opt(preceded(symbol("."), among(name, AGGREGATES)));
    let end = not(symbol(".")).context(SUFFIX);
    (name, opt(keys), metric, column, terminated(aggregate, end))
        .with_taken()
        .map(|((table, keys, metric, column, aggregate), text)| Reference {
            text: text.trim_end().to_owned(),
            table: table.to_owned(),
            keys: keys.unwrap_or_default(),
            metric: metric.to_owned(),
            column: column.unwrap_or(COLUMNS[0]),
            aggregate,
        })
        .parse_next(input)
}

fn key(input: &mut Input<'_>) -> Rule<(String, String)> {
    let quoted = delimited("\"", take_till(0.., '"'), cut_err("\"".context("a closing \"")));
    let plain = take_till(1.., [',', ']']).map(str::trim_end).context("a value");
    separated_pair(
        name.context("a key column, as in [seat=1]").map(str::to_owned),
        symbol("=").context("= and a value"),
        terminated(alt((quoted, plain)), space).map(str::to_owned),
    )
    .parse_next(input)
}

fn name<'a>(input: &mut Input<'a>) -> Rule<&'a str> {
    let letter = one_of(('a'..='z', 'A'..='Z'));
    let more = take_while(0.., ('a'..='z', 'A'..='Z', '0'..='9', '_'));
    terminated((letter, more).take(), space).parse_next(input)
}

/// One of some words, with its meaning.
fn among<'a, T: Copy>(
    word: impl ModalParser<Input<'a>, &'a str, Expected>,
    known: &'static [Word<T>],
) -> impl ModalParser<Input<'a>, Word<T>, Expected> {
    let find = |word| known.iter().copied().find(|(known, _)| *known == word);
    terminated(word.verify_map(find), space)
}

fn symbol<'a>(text: &'static str) -> impl ModalParser<Input<'a>, (), Expected> {
    (text, space).void()
}

fn space(input: &mut Input<'_>) -> Rule<()> {
    take_while(0.., char::is_whitespace).void().parse_next(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        parse(text).unwrap_err()
    }

    #[test]
    fn a_reference_has_keys_a_column_and_an_aggregate() {
        let text = "t_1 [a = x=y , b=\" z] \"] . count . hi . count >= 1";
        let (left, sign, _) = parse(text).unwrap();
        let references = left.references();
        let [reference] = references.as_slice() else { panic!("{left:?}") };
        let keys = [("a", "x=y"), ("b", " z] ")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        assert_eq!(reference.keys, keys);
        assert_eq!((reference.table.as_str(), reference.metric.as_str()), ("t_1", "count"));
        let aggregate = reference.aggregate.map(|(word, _)| word);
        assert_eq!((reference.column.0, aggregate), ("hi", Some("count")));
        assert_eq!(reference.text, text.trim_end_matches(" >= 1"));
        assert_eq!(sign.0, ">=");
    }

    #[test]
    fn faults_are_shown_with_their_place() {
        for (text, part) in [
            ("", "at character 1: found the end where a number"),
            ("1", "at character 2: found the end where an operator, <, <=, > or >="),
            ("1 == 2", "at character 3: found `== 2` where an operator"),
            ("1 < 2 < 3", "at character 7: found `< 3`"),
            ("ä < 1", "at character 1: found `ä < 1`"),
            ("\u{2003}µ < 1", "at character 2"),
            ("seats < 1", "where [key=value] or .metric"),
            ("seats. < 1", "where a metric"),
            ("seats.win_rate.best < 1", "a column (.estimate"),
            ("seats.win_rate.max.lo < 1", "at character 19: found `.lo < 1`"),
            ("seats.win_rate.lo.hi < 1", "`.hi < 1`"),
            ("seats[seat].x < 1", "where = and a value"),
            ("seats[=1].x < 1", "where a key column"),
            ("seats[seat=].x < 1", "where a value"),
            ("seats[seat=1,].x < 1", "where a key column"),
            ("seats[seat=1.x < 1", "at character 19: found the end where a comma or ]"),
            ("seats[seat=\"1].x < 1", "where a closing \""),
            ("seats[seat=\"1\"x].x < 1", "where a comma or ]"),
            ("(1 < 2", "where an operator or )"),
            ("max(1) < 2", "where a comma"),
            ("abs(1, 2) < 2", "where an operator or )"),
            ("root(2) < 2", "at character 1: found `root(2) < 2` where abs"),
            ("1.2.3 < 2", "at character 1: found `1.2.3 < 2` where a number such as"),
            (". < 2", "where a number such as"),
            ("1e < 2", "where a number such as"),
            ("1e999 < 2", "where a number such as"),
            ("2 pp pp < 2", "`pp < 2`"),
        ] {
            assert!(message(text).contains(part), "{text}: {}", message(text));
        }
    }

    #[test]
    fn what_may_follow_a_metric_is_listed_in_full() {
        let words = COLUMNS.iter().map(|(word, _)| *word);
        for word in words.chain(AGGREGATES.iter().map(|(word, _)| *word)) {
            assert!(SUFFIX.contains(&format!(".{word}")), "{word}");
            assert!(parse(&format!("seats.win_rate.{word} < 1")).is_ok(), "{word}");
        }
    }

    #[test]
    fn hostile_text_is_refused_and_nothing_breaks() {
        let wanted = format!("where something nested at most {DEPTH_MAX} deep is expected");
        for deep in ["(", "-", "abs(", "max(", "1+(", "- ( "] {
            let text = deep.repeat(BYTES_MAX / deep.len());
            assert!(message(&text).contains(&wanted), "{deep}");
        }
        assert!(message(&"1".repeat(BYTES_MAX + 1)).contains("4097 bytes"));
        let nested = |depth: usize| format!("{}1{} < 2", "(".repeat(depth), ")".repeat(depth));
        assert!(parse(&nested(DEPTH_MAX - 1)).is_ok());
        assert!(parse(&nested(DEPTH_MAX)).is_err());
        let flat = format!("1{} < 2", "+1".repeat(2000));
        assert!(parse(&flat).is_ok());
        let digits = format!("{} < 2", "9".repeat(4000));
        assert!(parse(&digits).is_err());
    }

    #[test]
    fn no_start_and_no_change_of_a_threshold_panics() {
        let text = "abs(-t[a=\"ß\",b=2].m.lo.max / 1e3pp) + max(1, 2%) <= (3 - t.m)";
        assert!(parse(text).is_ok());
        for (at, c) in text.char_indices() {
            let _ = parse(&text[..at]);
            for other in ["", "ä", "\0", "]", "\"", ".", "e", "(", ","] {
                let _ = parse(&format!("{}{other}{}", &text[..at], &text[at + c.len_utf8()..]));
            }
        }
    }
}
