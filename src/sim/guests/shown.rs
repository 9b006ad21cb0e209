//! What a page is sent of a match that is open to people, as JSON: all that one seat may know, and what it may do. The
//! words are those of a terminal, and what is drawn comes from the view of `docs/views.md`. Format: `docs/page.md`.

use crate::core::agent::Agent;
use crate::core::opinion::Opinion;
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::guests::in_words::TableText;
use crate::sim::guests::menu::Menu;
use crate::sim::play::step_text::StepText;
use crate::sim::play::table::Table;
use crate::sim::records::line::EndLine;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// What a seat is shown.
#[derive(Debug, Serialize)]
struct Shown<'a> {
    seat: Seat,
    players: u8,
    turn: u16,
    /// What is asked, such as `answer`.
    phase: &'static str,
    /// Who is asked, if it is somebody outside.
    asked: Option<Seat>,
    /// How many steps of the match the seat was told of, the deal included.
    steps: usize,
    /// Those from the one that was asked for.
    told: &'a [StepText],
    table: TableText,
    /// As in `docs/views.md`.
    view: Box<RawValue>,
    /// What the seat may do, if it is asked.
    groups: Vec<ShownGroup>,
    /// How the match has ended.
    outcome: Option<EndLine>,
}

/// Actions under one heading.
#[derive(Debug, Serialize)]
struct ShownGroup {
    heading: &'static str,
    entries: Vec<ShownEntry>,
}

/// An action on the list.
#[derive(Debug, Serialize)]
struct ShownEntry {
    /// From 1, as in a terminal.
    number: usize,
    words: String,
    /// Its place in the game's own list, by which it is chosen.
    place: usize,
    /// As records write it.
    action: Box<RawValue>,
}

/// What a seat is shown of a match now, as one JSON object; of what happened, the steps from the `since`th.
pub fn shown<G: Opinion + Wording, K: Agent<G>>(
    table: &mut Table<G, K>,
    seat: Seat,
    since: usize,
) -> String {
    let (awaits, groups) = (table.awaits(), groups(table, seat));
    let told = table.told(seat);
    let asked = table.asked();
    let shown = Shown {
        seat,
        players: table.game().players(),
        turn: asked.turn,
        phase: asked.phase,
        asked: awaits,
        steps: told.len(),
        told: &told[since.min(told.len())..],
        table: TableText::of(table.game(), &table.observation(seat).view),
        view: raw(|out| table.game().write_view(&table.observation(seat).view, out)),
        groups,
        outcome: table.outcome().map(|outcome| EndLine::of(&outcome, asked.turn)),
    };
    serde_json::to_string(&shown).expect("it has names for keys")
}

/// The rules, and the catalogue of words and places, as one JSON object.
pub fn described<G: Wording>(game: &G) -> String {
    #[derive(Serialize)]
    struct Described<'a, R> {
        game: &'a str,
        players: u8,
        rules: &'a R,
        catalogue: Box<RawValue>,
    }
    let catalogue = raw(|out| game.write_catalogue(out));
    let described =
        Described { game: G::NAME, players: game.players(), rules: game.rules(), catalogue };
    serde_json::to_string(&described).expect("it has names for keys")
}

fn groups<G: Wording, K: Agent<G>>(table: &mut Table<G, K>, seat: Seat) -> Vec<ShownGroup> {
    if table.awaits() != Some(seat) {
        return Vec::new();
    }
    let legal = table.legal();
    let groups = Menu::of::<G>(legal).groups.into_iter().map(|group| ShownGroup {
        heading: group.heading,
        entries: group
            .entries
            .into_iter()
            .map(|entry| ShownEntry {
                number: entry.number,
                place: entry.place,
                action: to_raw_value(&legal[entry.place]).expect("actions have a form in JSON"),
                words: entry.words,
            })
            .collect(),
    });
    groups.collect()
}

fn raw(write: impl FnOnce(&mut Vec<u8>)) -> Box<RawValue> {
    let mut json = Vec::new();
    write(&mut json);
    let json = String::from_utf8(json).expect("JSON is text");
    RawValue::from_string(json).expect("views and catalogues are JSON")
}
