//! Parses the text of a threshold into a comparison of two expressions. What the names mean is not known here.
//!
//! ```text
//! comparison = sum ("<" | "<=" | ">" | ">=") sum
//! sum        = product {("+" | "-") product}
//! product    = factor {("*" | "/") factor}
//! factor     = number ["pp" | "%"] | "-" factor | "(" sum ")" | "abs(" sum ")"
//!            | ("max(" | "min(") sum "," sum ")" | reference
//! reference  = table ["[" key "=" value {"," key "=" value} "]"] "." metric ["." column] ["." aggregate]
//! ```
//!
//! A value goes up to the next `,` or `]`, unless it stands in double quotes.

use crate::report::require_error::BadRequirement;

/// Longest text of a threshold.
pub const BYTES_MAX: usize = 4 << 10;
/// How deeply parentheses, functions and signs may be nested.
pub const DEPTH_MAX: usize = 64;

/// The sign between the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    More,
    /// `>=`
    MoreOrEqual,
}

/// What joins two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    By,
}

/// Combines several numbers into one: those of rows, or the arguments of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// The unweighted mean.
    Mean,
    /// The sum.
    Sum,
    /// How many there are.
    Count,
}

/// A number of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// The estimate.
    Estimate,
    /// Lower end of its interval.
    Lo,
    /// Upper end of its interval.
    Hi,
    /// Its standard error.
    Se,
    /// What it is a share or a mean of.
    N,
    /// Blocks that it rests on.
    NBlocks,
}

/// Rows of a table, and what to take of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// As it is written in the threshold.
    pub text: String,
    /// The table.
    pub table: String,
    /// Key columns with the values that they should have.
    pub keys: Vec<(String, String)>,
    /// The metric.
    pub metric: String,
    /// The column.
    pub cell: Cell,
    /// How to combine several rows.
    pub aggregate: Option<Aggregate>,
}

/// One side of a comparison, or a part of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A number in the text.
    Number(f64),
    /// A number in a table.
    Reference(Reference),
    /// The negative.
    Negative(Box<Expression>),
    /// The value without its sign.
    Absolute(Box<Expression>),
    /// The largest or the smallest of two.
    Either(Aggregate, Box<[Expression; 2]>),
    /// Operators of one rank from left to right: flat, so that long sums aren't deep.
    Chain(Box<Expression>, Vec<(Operator, Expression)>),
}

const SIGNS: [(&str, Sign); 4] =
    [("<=", Sign::LessOrEqual), (">=", Sign::MoreOrEqual), ("<", Sign::Less), (">", Sign::More)];

const AGGREGATES: [(&str, Aggregate); 5] = [
    ("max", Aggregate::Max),
    ("min", Aggregate::Min),
    ("mean", Aggregate::Mean),
    ("sum", Aggregate::Sum),
    ("count", Aggregate::Count),
];

const CELLS: [(&str, Cell); 6] = [
    ("estimate", Cell::Estimate),
    ("lo", Cell::Lo),
    ("hi", Cell::Hi),
    ("se", Cell::Se),
    ("n", Cell::N),
    ("n_blocks", Cell::NBlocks),
];

impl Sign {
    /// As it is written.
    pub fn text(self) -> &'static str {
        text_of(&SIGNS, self)
    }
}

impl Cell {
    /// As it is written.
    pub fn text(self) -> &'static str {
        text_of(&CELLS, self)
    }
}

fn text_of<T: Copy + PartialEq>(words: &[(&'static str, T)], wanted: T) -> &'static str {
    let found = words.iter().find(|(_, value)| *value == wanted);
    found.expect("every value has a word").0
}

/// The two sides of a threshold and the sign between them.
///
/// # Errors
/// Says where it can't be read, and what should stand there.
pub fn parse(text: &str) -> Result<(Expression, Sign, Expression), BadRequirement> {
    if text.len() > BYTES_MAX {
        return Err(BadRequirement::Long { bytes: text.len(), most: BYTES_MAX });
    }
    let mut parser = Parser { text, at: 0, depth: 0 };
    let left = parser.sum()?;
    let sign = parser.one_of(&SIGNS).ok_or_else(|| parser.fail("an operator, <, <=, > or >="))?;
    let right = parser.sum()?;
    if !parser.rest().is_empty() {
        return Err(parser.fail("an operator or the end"));
    }
    Ok((left, sign, right))
}

/// A place in a text.
struct Parser<'a> {
    text: &'a str,
    /// Bytes that are read.
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn sum(&mut self) -> Result<Expression, BadRequirement> {
        self.chain(&[("+", Operator::Plus), ("-", Operator::Minus)], Parser::product)
    }

    fn product(&mut self) -> Result<Expression, BadRequirement> {
        self.chain(&[("*", Operator::Times), ("/", Operator::By)], Parser::factor)
    }

    fn chain(
        &mut self,
        operators: &[(&str, Operator)],
        part: fn(&mut Self) -> Result<Expression, BadRequirement>,
    ) -> Result<Expression, BadRequirement> {
        let first = part(self)?;
        let mut more = Vec::new();
        while let Some(operator) = self.one_of(operators) {
            more.push((operator, part(self)?));
        }
        Ok(if more.is_empty() { first } else { Expression::Chain(Box::new(first), more) })
    }

    fn factor(&mut self) -> Result<Expression, BadRequirement> {
        if self.depth == DEPTH_MAX {
            return Err(BadRequirement::Deep { at: self.place(), most: DEPTH_MAX });
        }
        self.depth += 1;
        let factor = self.atom();
        self.depth -= 1;
        factor
    }

    fn atom(&mut self) -> Result<Expression, BadRequirement> {
        const WANTED: &str = "a number or a reference such as seats.win_rate.max";
        let start = self.rest().chars().next();
        match start {
            Some('-') => {
                self.take("-");
                Ok(Expression::Negative(Box::new(self.factor()?)))
            }
            Some('(') => self.arguments().map(|[inner]| inner),
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.named(),
            _ => Err(self.fail(WANTED)),
        }
    }

    fn number(&mut self) -> Result<Expression, BadRequirement> {
        let rest = self.rest();
        let digits = |from: usize| {
            let other = rest[from..].find(|c: char| !c.is_ascii_digit());
            from + other.unwrap_or(rest.len() - from)
        };
        let mut end = digits(0);
        if rest[end..].starts_with('.') {
            end = digits(end + 1);
        }
        if let Some(exponent) = rest[end..].strip_prefix(['e', 'E']) {
            end = digits(end + 1 + usize::from(exponent.starts_with(['+', '-'])));
        }
        let number: Option<f64> =
            rest[..end].parse().ok().filter(|number: &f64| number.is_finite());
        let number = number.ok_or_else(|| self.fail("a number such as 0.02, 2pp or 2%"))?;
        self.at += end;
        let hundredths = self.take("pp") || self.take("%");
        Ok(Expression::Number(if hundredths { number / 100.0 } else { number }))
    }

    /// A function or a reference.
    fn named(&mut self) -> Result<Expression, BadRequirement> {
        self.rest();
        let start = self.at;
        let name = self.name("a table")?;
        if !self.rest().starts_with('(') {
            return self.reference(start, name).map(Expression::Reference);
        }
        match name {
            "abs" => self.arguments().map(|[of]| Expression::Absolute(Box::new(of))),
            "max" => self.arguments().map(|of| Expression::Either(Aggregate::Max, Box::new(of))),
            "min" => self.arguments().map(|of| Expression::Either(Aggregate::Min, Box::new(of))),
            _ => {
                self.at = start;
                Err(self.fail("abs(…), max(…, …) or min(…, …)"))
            }
        }
    }

    /// Sums in parentheses, with commas between them.
    fn arguments<const N: usize>(&mut self) -> Result<[Expression; N], BadRequirement> {
        let mut arguments = [const { Expression::Number(0.0) }; N];
        for (at, argument) in arguments.iter_mut().enumerate() {
            let (opening, wanted) = if at == 0 { ("(", "(") } else { (",", "a comma") };
            self.must(opening, wanted)?;
            *argument = self.sum()?;
        }
        self.must(")", "an operator or )")?;
        Ok(arguments)
    }

    fn reference(&mut self, start: usize, table: &str) -> Result<Reference, BadRequirement> {
        let keys = if self.take("[") { self.keys()? } else { Vec::new() };
        self.must(".", "[key=value] or .metric")?;
        let metric = self.name("a metric")?.to_owned();
        let cell = self.dotted(&CELLS);
        let aggregate = self.dotted(&AGGREGATES);
        if self.rest().starts_with('.') {
            return Err(self.fail(
                "a column (.estimate, .lo, .hi, .se, .n, .n_blocks), then an aggregate (.max, \
                 .min, .mean, .sum, .count)",
            ));
        }
        let text = self.text[start..self.at].trim_end().to_owned();
        let cell = cell.unwrap_or(Cell::Estimate);
        Ok(Reference { text, table: table.to_owned(), keys, metric, cell, aggregate })
    }

    /// A dot and one of these words, if they come next.
    fn dotted<T: Copy>(&mut self, words: &[(&str, T)]) -> Option<T> {
        let before = self.at;
        let word = if self.take(".") { self.name("").ok() } else { None };
        let value = words.iter().find(|(known, _)| Some(*known) == word).map(|(_, value)| *value);
        if value.is_none() {
            self.at = before;
        }
        value
    }

    fn keys(&mut self) -> Result<Vec<(String, String)>, BadRequirement> {
        let mut keys = Vec::new();
        loop {
            let key = self.name("a key column, as in [seat=1]")?.to_owned();
            self.must("=", "= and a value")?;
            keys.push((key, self.value()?));
            if self.take("]") {
                return Ok(keys);
            }
            self.must(",", "a comma or ]")?;
        }
    }

    fn value(&mut self) -> Result<String, BadRequirement> {
        let quoted = self.take("\"");
        let ends: &[char] = if quoted { &['"'] } else { &[',', ']'] };
        let rest = if quoted { &self.text[self.at..] } else { self.rest() };
        let Some(end) = rest.find(ends) else {
            return Err(self.fail(if quoted { "a closing \"" } else { "a value and ]" }));
        };
        let value = if quoted { &rest[..end] } else { rest[..end].trim_end() };
        if value.is_empty() && !quoted {
            return Err(self.fail("a value"));
        }
        self.at += end + usize::from(quoted);
        Ok(value.to_owned())
    }

    fn name(&mut self, wanted: &'static str) -> Result<&'a str, BadRequirement> {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = &rest[..end.unwrap_or(rest.len())];
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(self.fail(wanted));
        }
        self.at += name.len();
        Ok(name)
    }

    fn one_of<T: Copy>(&mut self, words: &[(&str, T)]) -> Option<T> {
        words.iter().find(|(word, _)| self.take(word)).map(|(_, value)| *value)
    }

    fn must(&mut self, word: &str, wanted: &'static str) -> Result<(), BadRequirement> {
        if self.take(word) { Ok(()) } else { Err(self.fail(wanted)) }
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// What is still to be read, from the next character that is not white space.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    /// Characters from 1.
    fn place(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }

    fn fail(&mut self, wanted: &'static str) -> BadRequirement {
        let start: String = self.rest().chars().take(20).collect();
        let found = if start.is_empty() { "the end".to_owned() } else { format!("`{start}`") };
        let (text, at) = (self.text.to_owned(), self.place());
        BadRequirement::Syntax { text, at, found, wanted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn a_reference_has_keys_a_column_and_an_aggregate() {
        let text = "t_1 [a = x=y , b=\" z] \"] . count . hi . count >= 1";
        let (left, sign, right) = parse(text).unwrap();
        let Expression::Reference(reference) = left else { panic!("{left:?}") };
        let keys = [("a", "x=y"), ("b", " z] ")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        assert_eq!(reference.keys, keys);
        assert_eq!((reference.table.as_str(), reference.metric.as_str()), ("t_1", "count"));
        assert_eq!((reference.cell, reference.aggregate), (Cell::Hi, Some(Aggregate::Count)));
        assert_eq!(reference.text, text.trim_end_matches(" >= 1"));
        assert_eq!((sign.text(), right), (">=", Expression::Number(1.0)));
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
            ("seats[seat=1.x < 1", "where a value and ]"),
            ("seats[seat=\"1].x < 1", "where a closing \""),
            ("seats[seat=\"1\"x].x < 1", "where a comma or ]"),
            ("(1 < 2", "where an operator or )"),
            ("max(1) < 2", "where a comma"),
            ("abs(1, 2) < 2", "where an operator or )"),
            ("root(2) < 2", "at character 1: found `root(2) < 2` where abs"),
            ("1.2.3 < 2", "at character 4: found `.3 < 2`"),
            (". < 2", "where a number such as"),
            ("1e < 2", "where a number such as"),
            ("1e999 < 2", "where a number such as"),
            ("2 pp pp < 2", "`pp < 2`"),
        ] {
            assert!(message(text).contains(part), "{text}: {}", message(text));
        }
    }

    #[test]
    fn hostile_text_is_refused_and_nothing_breaks() {
        for deep in ["(", "-", "abs(", "max(", "1+(", "- ( "] {
            let text = deep.repeat(BYTES_MAX / deep.len());
            assert!(message(&text).contains("deep"), "{deep}");
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
