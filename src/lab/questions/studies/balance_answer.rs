//! The answer of a study of a choice: one sentence that can be repeated at a table, in matches of a hundred; what its words
//! mean; a line for each question that was asked; and the options with their effects.

use crate::lab::questions::studies::at_levels::{self, Span, Standing, findings};
use crate::lab::questions::studies::joint::{joint, joint_cell};
use crate::lab::questions::studies::next;
use crate::lab::questions::studies::options::Estimand;
use crate::lab::questions::studies::study::Study;
use crate::lab::report::answer::{Answer, ROWS_MAX, Sentence, Tone, header, table, tone};
use crate::lab::report::comparison::{self, Finding, Place};
use crate::lab::report::figures::{self, cell};
use crate::lab::report::manifest::Manifest;
use crate::lab::report::metric::Unit;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table, rounded};
use crate::stats::verdict::Verdict;
use crate::words::lists::{capital, listed};

/// The most effects that a sentence names, the largest first.
const NAMED: usize = 4;

/// What was asked.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The study.
    pub study: &'a dyn Study,
    /// The choice.
    pub choice: &'a str,
    /// What was played.
    pub estimands: &'a [Estimand],
    /// Effects up to this count as none.
    pub margin: f64,
}

/// What is to be said of one estimand.
struct Found<'t> {
    estimand: Estimand,
    /// All its effects together.
    joint: &'t Row,
    /// The best option less the worst, at a single level of play.
    difference: Option<&'t Row>,
    /// Effects beyond the margin, the largest first.
    beyond: Vec<Beyond>,
    /// Options of which nothing is known yet, at a single level of play.
    unknown: Vec<String>,
}

/// An effect that is beyond the margin.
struct Beyond {
    what: String,
    effect: f64,
    /// The interval that says so: all such intervals hold together.
    ends: Option<(f64, f64)>,
    /// At which levels of play, if there are several.
    at: String,
}

/// The answer of a run.
pub fn answer(asked: &Asked<'_>, manifest: &Manifest, tables: &[Table]) -> Answer {
    let levels = manifest.agents.len();
    let found = found(asked, tables, levels);
    let open = found.is_empty() || found.iter().any(|of| of.tone() == Tone::Open);
    let moves = found.iter().any(|of| of.tone() == Tone::No);
    let mut sentences = vec![headline(asked, &found)];
    if !found.is_empty() {
        sentences.push(Sentence::new(Tone::Plain, units(asked)));
    }
    sentences.extend(found.iter().map(|of| Sentence::new(Tone::Plain, of.line(asked))));
    if levels > 1 && !found.is_empty() {
        sentences.insert(1, across(asked, manifest, tables));
        sentences.push(Sentence::new(Tone::Plain, "By level of play, and by option: --full."));
    }
    let grid = options(asked, tables, levels);
    let grid = if grid.rows.is_empty() { removed(asked, tables, levels) } else { grid };
    let longer = if open { next::longer(asked.study, manifest) } else { None };
    let mut next: Vec<String> =
        longer.into_iter().map(|command| format!("To narrow it down, run:\n  {command}")).collect();
    if levels == 1 && sentences[0].tone != Tone::Open {
        let own = &manifest.agents[0].name;
        next.extend(at_levels::proposed(asked.study.command(), manifest, &[own]));
    }
    if moves {
        let fields = format!("fairhaven rules {} lists the fields", manifest.game);
        let change = next::with(asked.study, manifest, "--set", "FIELD=VALUE");
        next.extend(change.map(|command| format!("Try a change ({fields}):\n  {command}")));
    }
    Answer { sentences, grid, next }
}

/// Whether what is beyond the margin at one level of play is so at all of them.
fn across(asked: &Asked<'_>, manifest: &Manifest, tables: &[Table]) -> Sentence {
    let removed = table(tables, "effects").map_or(&[][..], |table| &table.rows).iter();
    let removed = removed.filter(|row| row.finding().is_some());
    let forced = effects(tables, "choices");
    let of =
        [forced.collect::<Vec<&Row>>(), effects(tables, "restricted").collect(), removed.collect()];
    let mut all = Vec::new();
    for rows in &of {
        // As the verdict on all levels: the effects of an estimand at all levels are one family.
        let family = rows.len();
        all.extend(findings(rows, |row| match row.place() {
            Some(Place::Withheld) => Standing::Open,
            _ => Standing::of(joint(row, family).and_then(|of| of.interval), asked.margin),
        }));
    }
    let family = |row: &Row| of.iter().find(|rows| rows.iter().any(|of| std::ptr::eq(*of, row)));
    let what = |row: &Row| match &row.keys[..] {
        [_, estimand, variant, of] => format!("{estimand}, {variant}, {of}"),
        [_, option] if of[0].iter().any(|of| std::ptr::eq(*of, row)) => {
            format!("forced, {}", option.replace('_', " "))
        }
        keys => format!("restricted, {}", keys[1].replace('_', " ")),
    };
    let nothing = "nothing is shown to be beyond the margin at any";
    let words = at_levels::Words {
        game: &manifest.game,
        span: Span::levels(manifest.agents.len()),
        what: &what,
        figure: &|row| joint_cell(row, Unit::Difference, family(row).map_or(1, Vec::len)),
        clear: "beyond the margin",
        nothing: (Tone::Plain, nothing),
    };
    at_levels::sentence(&all, &words)
}

fn found<'t>(asked: &Asked<'_>, tables: &'t [Table], levels: usize) -> Vec<Found<'t>> {
    let verdicts = table(tables, "verdicts").map_or(&[][..], |table| &table.rows);
    let mut all = Vec::new();
    for &estimand in &[Estimand::Forced, Estimand::Restricted, Estimand::Removed] {
        // Those of single options, and of single levels of several, are left to the tables.
        let said = |row: &&Row| {
            let joint = levels == 1 || row.keys[0] == "all";
            joint && row.keys[1] == name(estimand) && row.keys[2].is_empty()
        };
        let of = |metric| verdicts.iter().filter(said).find(|row| row.metric == metric);
        let Some(joint) = of("largest_effect") else { continue };
        let difference = of("largest_difference");
        let mut beyond = if levels == 1 {
            beyond_margin(tables, estimand)
        } else {
            beyond_at_levels(verdicts, joint, estimand)
        };
        beyond.sort_by(|one, other| other.effect.abs().total_cmp(&one.effect.abs()));
        let unknown = if levels == 1 { open_options(tables, estimand) } else { Vec::new() };
        all.push(Found { estimand, joint, difference, beyond, unknown });
    }
    all.retain(|of| asked.estimands.contains(&of.estimand));
    all
}

/// As the tables name it.
fn name(estimand: Estimand) -> &'static str {
    match estimand {
        Estimand::Forced => "forced",
        Estimand::Removed => "removed",
        Estimand::Restricted => "restricted",
    }
}

impl Beyond {
    fn of(row: &Row, what: &str) -> Beyond {
        let what = what.replace('_', " ");
        let effect = row.estimate.map_or(0.0, |estimate| estimate.value);
        let ends = row.comparison().and_then(|said| said.interval);
        Beyond { what, effect, ends, at: String::new() }
    }

    /// `6.5 matches in 100 more`, with the interval in parentheses apart.
    fn words(&self) -> (String, &'static str, String) {
        let sign = self.effect.signum();
        let shown = |share: f64| figures::fixed(100.0 * sign * share, 1);
        let ends = self.ends.map(|(lo, hi)| if sign < 0.0 { (hi, lo) } else { (lo, hi) });
        let ends = ends.map_or(String::new(), |(lo, hi)| format!("{} to {}", shown(lo), shown(hi)));
        let apart = if ends.is_empty() || self.at.is_empty() { "" } else { "; " };
        let both = format!("{ends}{apart}{}", self.at);
        let both = if both.is_empty() { both } else { format!(" ({both})") };
        (shown(self.effect), if sign < 0.0 { "fewer" } else { "more" }, both)
    }
}

/// The rows of a table with effects.
fn effects<'t>(tables: &'t [Table], name: &str) -> impl Iterator<Item = &'t Row> {
    let rows = table(tables, name).map_or(&[][..], |table| &table.rows);
    rows.iter().filter(|row| row.metric == "effect")
}

/// The table in which each option of an estimand has a row; that of `removed` has one for each seat.
fn by_option(estimand: Estimand) -> Option<&'static str> {
    match estimand {
        Estimand::Forced => Some("choices"),
        Estimand::Restricted => Some("restricted"),
        Estimand::Removed => None,
    }
}

/// At a single level of play: the options whose effects the margin neither holds nor leaves out.
fn open_options(tables: &[Table], estimand: Estimand) -> Vec<String> {
    let Some(table) = by_option(estimand) else { return Vec::new() };
    let open = effects(tables, table).filter(|row| tone(row.place()) == Tone::Open);
    open.map(|row| row.keys[1].replace('_', " ")).collect()
}

/// At a single level of play: the rows whose own verdict is that they are beyond the margin.
fn beyond_margin(tables: &[Table], estimand: Estimand) -> Vec<Beyond> {
    let judged = |row: &&Row| row.place() == Some(Place::Beyond);
    if let Some(table) = by_option(estimand) {
        let rows = effects(tables, table).filter(judged);
        return rows.map(|row| Beyond::of(row, &row.keys[1])).collect();
    }
    let removed = table(tables, "effects").map_or(&[][..], |table| &table.rows).iter();
    let removed = removed.filter(judged).filter(|row| row.keys[1] == name(estimand));
    removed.map(|row| Beyond::of(row, &format!("{}, {}", row.keys[2], row.keys[3]))).collect()
}

/// At several levels: the options that are beyond the margin at some of them, with the largest effect of each.
fn beyond_at_levels(verdicts: &[Row], joint: &Row, estimand: Estimand) -> Vec<Beyond> {
    let judged = |row: &&Row| {
        let of_all = row.keys[0] == "all" && row.keys[1] == name(estimand);
        of_all && row.place() == Some(Place::Beyond)
    };
    let at = |row: &Row| match row.finding() {
        Some(Finding::UnbalancedAt(levels)) => comparison::at(levels),
        _ => String::new(),
    };
    let options = verdicts.iter().filter(judged).filter(|row| !row.keys[2].is_empty());
    let all: Vec<Beyond> =
        options.map(|row| Beyond { at: at(row), ..Beyond::of(row, &row.keys[2]) }).collect();
    let of_joint = || Beyond { at: at(joint), ..Beyond::of(joint, &joint.keys[3]) };
    let is_alone = all.is_empty() && joint.place() == Some(Place::Beyond);
    if is_alone { vec![of_joint()] } else { all }
}

impl Found<'_> {
    fn tone(&self) -> Tone {
        let of = |row: Option<&Row>| row.map_or(Tone::Yes, |row| tone(row.place()));
        let all = [of(Some(self.joint)), of(self.difference)];
        match all {
            _ if all.contains(&Tone::No) => Tone::No,
            _ if all.contains(&Tone::Open) => Tone::Open,
            _ => Tone::Yes,
        }
    }

    /// What is known of it, as a part of a sentence; nothing if it is open.
    fn clause(&self, asked: &Asked<'_>) -> Option<String> {
        let choice = asked.choice.replace('_', " ");
        let who = match self.estimand {
            Estimand::Forced => {
                format!("whoever is first to take {} {choice} wins", article(&choice))
            }
            Estimand::Restricted => format!("a player who may take no other {choice} wins"),
            Estimand::Removed => String::new(),
        };
        let within = matches(&figures::margin(asked.margin));
        match (self.tone(), self.estimand) {
            (Tone::No, Estimand::Removed) => Some(self.without()),
            (Tone::No, _) if self.beyond.is_empty() => Some(format!("{who} {}", self.best()?)),
            (Tone::No, _) => Some(format!("{who} {}", self.with())),
            (Tone::Yes, Estimand::Forced) => Some(format!(
                "which {choice} is taken first makes a difference of no more than {within}"
            )),
            (Tone::Yes, Estimand::Restricted) => Some(format!(
                "nobody gains or loses more than {within} by being tied to one {choice}"
            )),
            (Tone::Yes, Estimand::Removed) => Some(format!(
                "taking one {choice} out of the rules moves no seat by more than {within}"
            )),
            _ => None,
        }
    }

    /// What options beyond the margin do to the win rate.
    fn with(&self) -> String {
        let mut parts = Vec::new();
        for (at, beyond) in self.beyond.iter().take(NAMED).enumerate() {
            let (size, word, ends) = beyond.words();
            let what = &beyond.what;
            parts.push(match at {
                0 => {
                    format!("{} {word} with {what}{ends} than with the average one", matches(&size))
                }
                _ => format!("{size} {word} with {what}{ends}"),
            });
        }
        parts.extend(self.unnamed());
        let unknown = match &self.unknown[..] {
            [] => String::new(),
            [one] => format!(" ({one} is open)"),
            some => format!(" ({} are open)", listed(some)),
        };
        parts.join(", ") + &unknown
    }

    /// That there are more than are named.
    fn unnamed(&self) -> Option<String> {
        match self.beyond.len().saturating_sub(NAMED) {
            0 => None,
            1 => Some("and one more is beyond the margin".to_owned()),
            more => Some(format!("and {more} more are beyond the margin")),
        }
    }

    /// What taking an option out does.
    fn without(&self) -> String {
        let said = |beyond: &Beyond| {
            let (size, word, ends) = beyond.words();
            let (out, seat) = beyond.what.split_once(", ").unwrap_or((&beyond.what, "a seat"));
            format!("{out}, {seat} wins {} {word}{ends}", matches(&size))
        };
        let all = self.beyond.iter().take(NAMED).map(said).chain(self.unnamed());
        all.collect::<Vec<String>>().join(", ")
    }

    /// The best option against the worst, where none differs from the average as much.
    fn best(&self) -> Option<String> {
        let row = self.difference?;
        let (best, worst) = row.keys[3].split_once(" - ")?;
        let (size, word, ends) = Beyond::of(row, "").words();
        let [best, worst] = [best, worst].map(|option| option.replace('_', " "));
        Some(format!("{} {word} with {best} than with {worst}{ends}", matches(&size)))
    }

    /// What is not known yet, as a part of a sentence.
    fn question(&self, asked: &Asked<'_>) -> String {
        let choice = asked.choice.replace('_', " ");
        match self.estimand {
            Estimand::Forced => format!("which {choice} is taken first"),
            Estimand::Restricted => format!("being tied to one {choice}"),
            Estimand::Removed => format!("taking one {choice} out of the rules"),
        }
    }

    /// The figures behind the sentence, and what is missing.
    fn line(&self, asked: &Asked<'_>) -> String {
        let explained = match self.estimand {
            Estimand::Forced => "Forced (played on with each from the first choice)",
            Estimand::Restricted => "Restricted (one seat may take one only)",
            Estimand::Removed => "Removed (one is out of the rules for all)",
        };
        let what = |row: &Row| row.keys[3].replace('_', " ");
        // The largest of several is picked, so the interval is the one that allows for that, if the verdict used it.
        let size = self.joint.estimate.map(|of| figures::value(&of, Unit::Difference));
        let level = self.joint.comparison().and_then(|said| said.level);
        let allowed = level.is_some_and(|level| rounded(level) >= 0.95);
        let ends = judged_by(self.joint).filter(|_| allowed).unwrap_or_default();
        let size = size.unwrap_or_default() + &ends;
        let mut parts = vec![format!("largest effect {} {size}", what(self.joint))];
        if let Some(row) = self.difference {
            let words = what(row).replace(" - ", " minus ");
            parts.push(format!("best minus worst {words}, {}", cell(Some(row), Unit::Difference)));
        }
        let open = [Some(self.joint), self.difference].into_iter().flatten();
        let mut open = open.filter(|row| tone(row.place()) == Tone::Open);
        let advice = match open.find_map(Row::finding) {
            Some(Finding::Margin(Verdict::Withheld { closed }, _)) => {
                let read = if asked.estimands.contains(&Estimand::Restricted) {
                    "; read what is restricted"
                } else {
                    ""
                };
                let closed = 100.0 * closed;
                format!(
                    "; no verdict, since {closed:.0} % of positions closed to some option{read}"
                )
            }
            Some(Finding::Margin(Verdict::Undecided(outlook), _)) => {
                let why = outlook.describe();
                format!("; {}", why.replace(" would settle it", " settle it if it holds"))
            }
            _ => String::new(),
        };
        format!("{explained}: {}{advice}.", parts.join("; "))
    }
}

/// The sentence that can be repeated.
fn headline(asked: &Asked<'_>, found: &[Found<'_>]) -> Sentence {
    if found.is_empty() {
        return Sentence::new(Tone::Open, "No verdict: the choice never came up.");
    }
    let known: Vec<String> = found.iter().filter_map(|of| of.clause(asked)).collect();
    let open = found.iter().filter(|of| of.tone() == Tone::Open);
    let open: Vec<String> = open.map(|of| of.question(asked)).collect();
    let within = matches(&figures::margin(asked.margin));
    let mut text = known.join("; ");
    if !open.is_empty() {
        let apart = if known.is_empty() { "" } else { "; " };
        let what = open.join(", or on ");
        text = format!("{text}{apart}still open is whether more than {within} depends on {what}");
    }
    let tones: Vec<Tone> = found.iter().map(Found::tone).collect();
    let tone = match () {
        () if tones.contains(&Tone::No) => Tone::No,
        () if tones.contains(&Tone::Open) => Tone::Open,
        () => Tone::Yes,
    };
    Sentence::new(tone, format!("{}.", capital(&text)))
}

/// What its words mean.
fn units(asked: &Asked<'_>) -> String {
    let margin = figures::margin(asked.margin);
    format!(
        "Win rate: the share of matches that are won. 1 pp (percentage point) of it is 1 match in 100; up to {margin} pp \
         (--margin) counts as no difference."
    )
}

/// `1 match in 100`, `2.5 matches in 100`.
fn matches(number: &str) -> String {
    if number == "1" { "1 match in 100".to_owned() } else { format!("{number} matches in 100") }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// The header of the column that says where effects lie.
fn margin_column(asked: &Asked<'_>) -> String {
    format!("margin of {} pp", figures::margin(asked.margin))
}

/// The options with their effects, forced and as the only one.
fn options(asked: &Asked<'_>, tables: &[Table], levels: usize) -> Grid {
    let mut rows = Vec::new();
    for (name, estimand) in [("choices", "forced"), ("restricted", "restricted")] {
        let table = table(tables, name).map_or(&[][..], |table| &table.rows);
        for row in table.iter().filter(|row| row.metric == "effect") {
            let mut cells = vec![row.keys[1].clone(), estimand.to_owned()];
            if levels > 1 {
                cells.push(row.keys[0].clone());
            }
            let place = row.place().unwrap_or(Place::Open);
            let by = judged_by(row).filter(|_| levels == 1 && place != Place::Withheld);
            cells.push(cell(Some(row), Unit::Difference));
            cells.push(place.word().to_owned() + &by.unwrap_or_default());
            rows.push(cells);
        }
    }
    rows.truncate(2 * ROWS_MAX);
    let mut words = vec!["option", "estimand", "level", "effect on win rate (95 %)"];
    words.retain(|word| levels > 1 || *word != "level");
    let margin = margin_column(asked);
    words.push(&margin);
    Grid { title: "Options".to_owned(), header: header(&words), rows }
}

/// The options that were taken out of the rules, each with its largest effect on the win rate of a seat.
fn removed(asked: &Asked<'_>, tables: &[Table], levels: usize) -> Grid {
    let effects = table(tables, "effects").map_or(&[][..], |table| &table.rows);
    let size = |row: &Row| row.estimate.map_or(0.0, |estimate| estimate.value.abs());
    let mut largest: Vec<&Row> = Vec::new();
    for row in effects.iter().filter(|row| row.finding().is_some()) {
        let same = |other: &&mut &Row| other.keys[0] == row.keys[0] && other.keys[2] == row.keys[2];
        match largest.iter_mut().find(same) {
            Some(other) if size(row) > size(other) => *other = row,
            Some(_) => {}
            None => largest.push(row),
        }
    }
    let cells = |row: &&Row| {
        let level = (levels > 1).then(|| row.keys[0].clone());
        let word = row.place().unwrap_or(Place::Open).word().to_owned();
        let shown = [row.keys[3].clone(), cell(Some(row), Unit::Difference), word];
        [row.keys[2].clone()].into_iter().chain(level).chain(shown).collect()
    };
    let mut words = vec!["rules", "level", "win rate of", "largest effect (95 %)"];
    words.retain(|word| levels > 1 || *word != "level");
    let margin = margin_column(asked);
    words.push(&margin);
    let rows = largest.iter().take(2 * ROWS_MAX).map(cells).collect();
    Grid { title: "Options".to_owned(), header: header(&words), rows }
}

/// The interval that a verdict was given by, in percentage points, where it is another than the row's.
fn judged_by(row: &Row) -> Option<String> {
    let said = row.comparison()?;
    let ((lo, hi), level) = (said.interval?, said.level?);
    let shown = |share: f64| figures::fixed(100.0 * share, 1);
    // No interval is of 100 %.
    let digits = usize::from(level > 0.995);
    let level = figures::fixed(100.0 * level, digits);
    Some(format!(" ({level} %: {} to {})", shown(lo), shown(hi)))
}
