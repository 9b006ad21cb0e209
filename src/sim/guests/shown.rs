//! What a page is sent of a match that is open to people, as JSON: all that one seat may know, and what it may do. The
//! words are those of a terminal, and what is drawn comes from the view of `docs/views.md`. Format: `docs/page.md`.

use crate::core::agent::Agent;
use crate::core::game::Outcome;
use crate::core::guest::Asked;
use crate::core::opinion::Opinion;
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, Seat};
use crate::core::wording::Wording;
use crate::sim::described::raw;
use crate::sim::guests::menu::Menu;
use crate::sim::guests::table_text::TableText;
use crate::sim::play::step_text::{StepText, answered_offer, last_choice};
use crate::sim::play::table::Table;
use crate::sim::records::line::EndLine;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

pub use crate::sim::described::described;

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
    /// How many had happened when the seat last chose something itself.
    last_choice: usize,
    /// The seat's own offer with what others have said to it, if nothing else has happened since.
    answered: Option<String>,
    /// Why the seat can't take back its last choice; `null` if it can.
    no_way_back: Option<&'static str>,
    table: &'a TableText,
    /// As in `docs/views.md`.
    view: &'a RawValue,
    /// What the seat may do, if it is asked.
    groups: &'a [ShownGroup],
    /// How the match has ended.
    outcome: Option<&'a EndLine>,
    /// Points of each seat that the others did not see before the end; empty before.
    hidden_points: &'a [u8],
}

/// Actions under one heading.
#[derive(Debug, Clone, Serialize)]
struct ShownGroup {
    heading: &'static str,
    entries: Vec<ShownEntry>,
}

/// An action on the list.
#[derive(Debug, Clone, Serialize)]
struct ShownEntry {
    /// From 1, as in a terminal.
    number: usize,
    words: String,
    /// What it comes to, where the words leave that to what lies on the table, such as the terms of a trade.
    terms: Option<String>,
    /// Its place in the game's own list, by which it is chosen.
    place: usize,
    /// As records write it.
    action: Box<RawValue>,
}

/// Where a match stands, as far as it is open to all.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// The turn, and what is asked.
    pub asked: Asked,
    /// Who is asked, if it is somebody outside.
    pub awaits: Option<Seat>,
    /// How the match has ended.
    pub outcome: Option<Outcome>,
    /// Points of each seat that the others did not see before that.
    pub hidden_points: PerSeat<u8>,
    /// Why whoever looks can't take back its last choice; nothing if it can.
    pub no_way_back: Option<&'static str>,
}

/// What a seat sees and may do at one moment of a match: it can be kept while the match goes on.
#[derive(Debug, Clone)]
pub struct Scene {
    seat: Seat,
    players: u8,
    standing: Standing,
    table: TableText,
    view: Box<RawValue>,
    groups: Vec<ShownGroup>,
}

impl Scene {
    /// What a seat sees by its view, and may do by a legal list, if it is asked. Nothing else goes in but what is open
    /// to all.
    pub fn of<G: Wording>(
        game: &G,
        (seat, view): (Seat, &G::View<'_>),
        standing: Standing,
        legal: Option<&Actions<G::Action>>,
    ) -> Scene {
        Scene {
            seat,
            players: game.players(),
            standing,
            table: TableText::of(game, view, legal.map_or(&[], |legal| legal.as_slice())),
            view: raw(|out| game.write_view(view, out)),
            groups: legal.map(|legal| groups(game, view, legal)).unwrap_or_default(),
        }
    }

    /// The scene as one JSON object, with what the seat was told of what happened; of that, the steps from the `since`th.
    pub fn json(&self, told: &[StepText], since: usize) -> String {
        let Scene { seat, players, standing, table, view, groups } = self;
        let Asked { turn, phase } = standing.asked;
        let outcome = standing.outcome.map(|outcome| EndLine::of(&outcome, turn));
        let hidden = standing.outcome.map_or(0, |outcome| usize::from(outcome.seats));
        let shown = Shown {
            seat: *seat,
            players: *players,
            turn,
            phase,
            asked: standing.awaits,
            steps: told.len(),
            told: &told[since.min(told.len())..],
            last_choice: last_choice(told, *seat),
            answered: answered_offer(told, *seat),
            no_way_back: standing.no_way_back,
            table,
            view,
            groups,
            outcome: outcome.as_ref(),
            hidden_points: &standing.hidden_points[..hidden],
        };
        serde_json::to_string(&shown).expect("it has names for keys")
    }
}

/// What a seat of a table sees and may do now.
pub fn scene<G: Opinion + Wording, K: Agent<G>>(table: &mut Table<G, K>, seat: Seat) -> Scene {
    let (awaits, outcome) = (table.awaits(), table.outcome());
    let legal = (awaits == Some(seat)).then(|| table.legal().clone());
    let no_way_back = table.why_no_way_back(seat);
    let hidden_points = table.hidden_points();
    let asked = table.asked();
    let standing = Standing { asked, awaits, outcome, hidden_points, no_way_back };
    let view = &table.observation(seat).view;
    Scene::of(table.game(), (seat, view), standing, legal.as_ref())
}

/// What a seat is shown of a match now, as one JSON object; of what happened, the steps from the `since`th.
pub fn shown<G: Opinion + Wording, K: Agent<G>>(
    table: &mut Table<G, K>,
    seat: Seat,
    since: usize,
) -> String {
    scene(table, seat).json(table.told(seat), since)
}

fn groups<G: Wording>(game: &G, view: &G::View<'_>, legal: &Actions<G::Action>) -> Vec<ShownGroup> {
    let groups = Menu::of(game, view, legal).groups.into_iter().map(|group| ShownGroup {
        heading: group.heading,
        entries: group
            .entries
            .into_iter()
            .map(|entry| ShownEntry {
                number: entry.number,
                place: entry.place,
                action: to_raw_value(&legal[entry.place]).expect("actions have a form in JSON"),
                words: entry.words,
                terms: entry.terms,
            })
            .collect(),
    });
    groups.collect()
}
