//! What a person may do, as a list to choose from: numbered, under headings, and found by the words that a person types.

use crate::core::wording::{Wording, heading_place};

/// More actions than this under a heading are listed only if they are asked for.
pub const LONG: usize = 24;

/// Words that may be left out.
const FILLERS: [&str; 17] = [
    "a", "all", "an", "and", "at", "by", "card", "cards", "for", "from", "hex", "in", "of", "seat",
    "the", "to", "with",
];

/// An action on the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The number that chooses it, from 1.
    pub number: usize,
    /// The action in words.
    pub words: String,
    /// What it comes to, if the words leave that to what lies on the table. It is not searched for what is typed.
    pub terms: Option<String>,
    /// Its place in the game's own list, from 0.
    pub place: usize,
}

impl Entry {
    /// The words, with what it comes to.
    pub fn in_full(&self) -> String {
        match &self.terms {
            Some(terms) => format!("{} ({terms})", self.words),
            None => self.words.clone(),
        }
    }

    /// The numbers of the places of a board that it names.
    fn places(&self) -> Vec<String> {
        let words = tokens(&self.words);
        let pairs = words.iter().zip(words.iter().skip(1));
        let named =
            pairs.filter(|(before, word)| PLACES.contains(&before.as_str()) && is_number(word));
        named.map(|(_, word)| word.clone()).collect()
    }
}

/// Actions under one heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The heading, such as `Build`.
    pub heading: &'static str,
    /// The actions, at least one, with numbers in a row.
    pub entries: Vec<Entry>,
}

impl Group {
    /// Whether it is listed only if it is asked for.
    pub fn is_long(&self) -> bool {
        self.entries.len() > LONG
    }
}

/// Everything that a seat may do now; empty if it has no choice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Menu {
    /// The headings, in the order of [`heading_place`].
    pub groups: Vec<Group>,
}

/// Words that may be typed although the action does not have them.
const NEEDLESS: [&str; 6] = ["a", "an", "and", "at", "the", "to"];

/// Words before the number of a place of a board.
const PLACES: [&str; 4] = ["at", "from", "hex", "to"];

/// Words that say that a typed number is that of a place.
const NAMES_PLACE: [&str; 2] = ["at", "place"];

/// What a person can have meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found<'a> {
    /// This action.
    One(&'a Entry),
    /// One of these.
    Several(Vec<&'a Entry>),
    /// Nothing that is on the list.
    Nothing,
}

impl Menu {
    /// The list of some legal actions, for the seat that sees this.
    pub fn of<G: Wording>(game: &G, view: &G::View<'_>, legal: &[G::Action]) -> Menu {
        let mut groups: Vec<Group> = Vec::new();
        for (place, action) in legal.iter().enumerate() {
            let (heading, words) = (G::heading(*action), game.action_words(view, *action));
            let terms = game.terms(view, *action);
            let entry = Entry { number: 0, words, terms, place };
            match groups.iter_mut().find(|group| group.heading == heading) {
                Some(group) => group.entries.push(entry),
                None => groups.push(Group { heading, entries: vec![entry] }),
            }
        }
        groups.sort_by_key(|group| heading_place(group.heading));
        let entries = groups.iter_mut().flat_map(|group| &mut group.entries);
        entries.zip(1..).for_each(|(entry, number)| entry.number = number);
        Menu { groups }
    }

    /// All actions, in the order of their numbers.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.groups.iter().flat_map(|group| &group.entries)
    }

    /// How many actions there are.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.entries.len()).sum()
    }

    /// Whether there is nothing to choose.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Actions that name a place or a card by a number which is none of the list, if that is all that was typed.
    pub fn naming(&self, typed: &str) -> Vec<&Entry> {
        let typed = tokens(typed);
        match typed.as_slice() {
            [word] if is_number(word) && matches!(self.find(word), Found::Nothing) => {
                self.entries().filter(|entry| tokens(&entry.words).contains(word)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The last action that names a place of a board by a number, which might be taken for one of the list, and the number.
    pub fn last_place(&self) -> Option<(&Entry, String)> {
        let named = self.entries().filter_map(|entry| Some((entry, entry.places().pop()?)));
        named.last()
    }

    /// Whether a number that was typed alone, and is on the list, is also that of a place which other actions name.
    pub fn is_place_too(&self, typed: &str, meant: &Entry) -> bool {
        let typed = tokens(typed);
        let [word] = typed.as_slice() else { return false };
        let mut others = self.entries().filter(|entry| entry.number != meant.number);
        is_number(word) && others.any(|entry| entry.places().contains(word))
    }

    /// The number of a place that was typed as one: `place 23`.
    pub fn place_of(typed: &str) -> Option<String> {
        place_named(&tokens(typed)).cloned()
    }

    /// Actions that have all words that were typed, with how many of theirs were not; `order` is done to their words first.
    fn fitting(
        &self,
        typed: &[String],
        order: impl Fn(Vec<String>) -> Vec<String>,
    ) -> Vec<(&Entry, usize)> {
        let fits = |entry: &'_ Entry| left(typed, &order(tokens(&entry.words)));
        self.entries().filter_map(|entry| Some((entry, fits(entry)?))).collect()
    }

    /// If nothing fits what was typed, what would without its numbers of places: these words, and the numbers of places that
    /// the actions name.
    pub fn elsewhere(&self, typed: &str) -> Option<(String, Vec<String>)> {
        let words: Vec<String> =
            tokens(typed).into_iter().filter(|word| !is_number(word)).collect();
        let words = words.join(" ");
        let found = match self.find(&words) {
            Found::One(entry) => vec![entry],
            Found::Several(entries) => entries,
            Found::Nothing => return None,
        };
        let mut places = Vec::new();
        for place in found.into_iter().flat_map(Entry::places) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        (!places.is_empty()).then_some((words, places))
    }

    /// What a person has typed: a number of the list, `place` and the number of a place, or words of an action in their
    /// order, each of them whole or its beginning.
    /// Cards of a price or an offer may stand in any order. Small words may be left out. If the words fit several actions, they mean the one of which nothing else is left.
    pub fn find(&self, typed: &str) -> Found<'_> {
        let typed = tokens(typed);
        if let [word] = typed.as_slice()
            && let Ok(number) = word.parse::<usize>()
        {
            let found = self.entries().find(|entry| entry.number == number);
            return found.map_or(Found::Nothing, Found::One);
        }
        if let Some(number) = place_named(&typed) {
            let names = |entry: &&Entry| entry.places().contains(number);
            let found: Vec<&Entry> = self.entries().filter(names).collect();
            return match found.as_slice() {
                [] => Found::Nothing,
                [entry] => Found::One(entry),
                _ => Found::Several(found),
            };
        }
        let mut fitting = self.fitting(&typed, |words| words);
        if fitting.is_empty() {
            fitting = self.fitting(&sorted(typed), sorted);
        }
        let mut whole = fitting.iter().filter(|(_, left)| *left == 0).map(|(entry, _)| *entry);
        match (fitting.as_slice(), whole.next(), whole.next()) {
            ([], ..) => Found::Nothing,
            (&[(entry, _)], ..) | (_, Some(entry), None) => Found::One(entry),
            _ => Found::Several(fitting.into_iter().map(|(entry, _)| entry).collect()),
        }
    }
}

/// The number of a place that was typed as one.
fn place_named(typed: &[String]) -> Option<&String> {
    match typed {
        [word, number] if NAMES_PLACE.contains(&word.as_str()) => {
            is_number(number).then_some(number)
        }
        _ => None,
    }
}

fn is_number(word: &str) -> bool {
    word.chars().all(|letter| letter.is_ascii_digit())
}

/// Words and numbers in lower case, without what stands between them.
fn tokens(text: &str) -> Vec<String> {
    let apart = |letter: char| letter.is_whitespace() || ",;.+:".contains(letter);
    text.split(apart).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The same words with numbers of things that follow one another in one order: `1 lumber + 1 brick` is `1 brick + 1
/// lumber`.
fn sorted(mut words: Vec<String>) -> Vec<String> {
    let mut at = 0;
    while at + 1 < words.len() {
        let counted = words[at..].chunks_exact(2);
        let counted =
            counted.take_while(|pair| is_number(&pair[0]) && !is_number(&pair[1])).count();
        let mut things: Vec<[String; 2]> = words[at..at + 2 * counted]
            .chunks_exact(2)
            .map(|pair| [pair[1].clone(), pair[0].clone()])
            .collect();
        things.sort();
        let things = things.into_iter().flat_map(|[thing, count]| [count, thing]);
        words.splice(at..at + 2 * counted, things);
        at += (2 * counted).max(1);
    }
    words
}

/// How many words of an action that matter were not typed; nothing if it doesn't have all that was typed, in its order.
fn left(typed: &[String], action: &[String]) -> Option<usize> {
    if typed.is_empty() {
        return None;
    }
    let counts = |word: &&String| !NEEDLESS.contains(&word.as_str()) || action.contains(word);
    let (mut rest, mut left) = (typed.iter().filter(counts).peekable(), 0);
    for word in action {
        match rest.peek() {
            Some(next) if is_meant(next, word) => drop(rest.next()),
            _ if FILLERS.contains(&word.as_str()) => {}
            _ => left += 1,
        }
    }
    rest.peek().is_none().then_some(left)
}

/// Whether a typed word is a word of an action or its beginning; numbers are never cut.
fn is_meant(typed: &str, word: &str) -> bool {
    let number = word.starts_with(|letter: char| letter.is_ascii_digit());
    if number { typed == word } else { word.starts_with(typed) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    /// What is typed before some actions, and the numbers of those that are meant: `tests/page/` reads the same of the
    /// page.
    const CASES: &str = include_str!("../../../tests/data/find.json");

    #[derive(Deserialize)]
    struct Cases {
        entries: Vec<String>,
        typed: Vec<(String, Vec<usize>)>,
    }

    fn menu(words: &[String]) -> Menu {
        let entries = words.iter().zip(1..).map(|(words, number)| Entry {
            number,
            words: words.clone(),
            terms: None,
            place: number - 1,
        });
        Menu { groups: vec![Group { heading: "Actions", entries: entries.collect() }] }
    }

    fn found(menu: &Menu, typed: &str) -> Vec<usize> {
        match menu.find(typed) {
            Found::One(entry) => vec![entry.number],
            Found::Several(entries) => entries.iter().map(|entry| entry.number).collect(),
            Found::Nothing => vec![],
        }
    }

    #[test]
    fn numbers_and_words_mean_an_action() {
        let all: Vec<Cases> = serde_json::from_str(CASES).expect("cases");
        for Cases { entries, typed } in all {
            let menu = menu(&entries);
            for (typed, due) in typed {
                assert_eq!(found(&menu, &typed), due, "{typed}");
            }
            assert!(found(&menu, " ").is_empty(), "nothing is typed");
        }
    }
}
