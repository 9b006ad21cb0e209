//! A position as the other program's documents show it to one seat: of other hands only how many cards there are, and of
//! the deck what the seat has not seen, since nobody at a table knows more.

use crate::catanatron::exec::messages::SCHEMA;
use crate::catanatron::exec::written::{Words, cube};
use crate::catanatron::position::turns;
use crate::catanatron::roads::reached;
use crate::catanatron::words::{CARDS, KINDS, counts};
use crate::core::game::{Game, Observation};
use crate::core::types::seat::{PerSeat, Seat};
use crate::games::base::Base;
use crate::parts::island::cards::Card;
use crate::parts::island::observe::View;
use crate::parts::island::state::{CITIES, Phase, ROADS, SETTLEMENTS, Stage, Table};
use crate::parts::places::VertexSet;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Points below which the other program's friendly robber spares a seat.
pub const FRIENDLY: u8 = 3;

/// Cards that a seat has played, by [`Card`].
pub type Played = [u8; Card::COUNT];

/// A position as a document.
#[allow(clippy::struct_excessive_bools, reason = "the other program's documents have them")]
#[derive(Debug, Serialize)]
pub struct Shown<'a> {
    schema_version: i64,
    game: Value,
    /// At the start of a match only.
    #[serde(skip_serializing_if = "Option::is_none")]
    map: Option<Value>,
    board: Value,
    colors: &'a [&'static str],
    player_state: Map<String, Value>,
    buildings_by_color: Map<String, Value>,
    resource_freqdeck: [u8; 5],
    development_listdeck: Map<String, Value>,
    action_records: &'a [Value],
    num_turns: u16,
    current_player_index: usize,
    current_turn_index: usize,
    current_prompt: &'static str,
    is_initial_build_phase: bool,
    is_discarding: bool,
    discard_counts: Vec<u8>,
    is_moving_knight: bool,
    is_road_building: bool,
    free_roads_available: u8,
    is_resolving_trade: bool,
    current_trade: [u8; 11],
    acceptees: Vec<bool>,
}

impl<'a> Shown<'a> {
    /// What a seat sees in the match `id`, with what was done so far and what each seat has played. `asked` is who decides.
    pub fn of(
        words: &'a Words,
        id: &str,
        view: &View<'_>,
        (asked, played): (Seat, &PerSeat<Played>),
        action_records: &'a [Value],
    ) -> Shown<'a> {
        let (game, table) = (words.game(), view.table);
        let rules = game.rules();
        let free = if let Phase::FreeRoads(left) = table.phase { left } else { 0 };
        let discarding = matches!(table.phase, Phase::Discard { .. });
        Shown {
            schema_version: SCHEMA,
            game: json!({
                "id": id,
                "vps_to_win": rules.points_to_win,
                "discard_limit": rules.robber.hand_limit,
                "friendly_robber": rules.robber.spares_below == FRIENDLY,
            }),
            map: None,
            board: board(words, table),
            colors: words.colors(),
            player_state: numbers(words, view, played),
            buildings_by_color: by_color(words, table),
            // What the seat itself has laid down for a 7 is in the bank there.
            resource_freqdeck: counts(table.bank + view.chosen),
            development_listdeck: unseen(view, played),
            action_records,
            num_turns: turns(game.players(), table),
            current_player_index: asked.idx(),
            current_turn_index: table.active.idx(),
            current_prompt: prompt(table.phase),
            is_initial_build_phase: matches!(table.stage, Stage::Founding(_)),
            is_discarding: discarding,
            discard_counts: Seat::all(game.players()).map(|seat| owed(view, game, seat)).collect(),
            is_moving_knight: table.phase == Phase::Robber,
            is_road_building: free > 0,
            free_roads_available: free,
            is_resolving_trade: false,
            current_trade: [0; 11],
            acceptees: vec![false; game.players().into()],
        }
    }

    /// The same with the island.
    #[must_use]
    pub fn with_map(self, words: &Words, table: &Table) -> Shown<'a> {
        Shown { map: Some(words.island(&table.board)), ..self }
    }
}

/// What a seat sees before anything was done, on the island and with the robber of a later position.
pub fn at_first<R>(
    game: &Base,
    later: &Observation<'_, Base>,
    with: impl FnOnce(&View<'_>) -> R,
) -> R {
    let table = later.view.table;
    let state = game.deal_on(table.board, table.robber);
    with(&game.view(&state, later.seat))
}

fn prompt(phase: Phase) -> &'static str {
    match phase {
        Phase::Found => "BUILD_INITIAL_SETTLEMENT",
        Phase::FoundRoad(_) => "BUILD_INITIAL_ROAD",
        Phase::Discard { .. } => "DISCARD",
        Phase::Robber => "MOVE_ROBBER",
        Phase::Answer(_) => "DECIDE_TRADE",
        Phase::Choose => "DECIDE_ACCEPTEES",
        Phase::Act | Phase::FreeRoads(_) | Phase::Over(_) => "PLAY_TURN",
    }
}

/// Cards that a seat has yet to discard. All see who has chosen already.
fn owed(view: &View<'_>, game: &Base, seat: Seat) -> u8 {
    match view.table.phase {
        Phase::Discard { seat: asked, owed } if asked == seat => owed,
        Phase::Discard { .. } if view.table.pending >> seat.idx() & 1 == 1 => {
            let (size, limit) = (view.hand_sizes[seat.idx()], game.rules().robber.hand_limit);
            if size > limit { size / 2 } else { 0 }
        }
        _ => 0,
    }
}

fn board(words: &Words, table: &Table) -> Value {
    let (game, pieces) = (words.game(), &table.pieces);
    let seats = || Seat::all(game.players());
    let buildings = seats().flat_map(|seat| {
        let net = &pieces.nets[seat.idx()];
        let word = move |at| if net.cities.contains(at) { "CITY" } else { "SETTLEMENT" };
        net.buildings().iter().map(move |at| json!([words.node(at), words.color(seat), word(at)]))
    });
    // Each road stands there both ways round.
    let roads = seats().flat_map(|seat| {
        pieces.nets[seat.idx()].roads.iter().flat_map(move |edge| {
            let [a, b] = words.ends(edge);
            [json!([[a, b], words.color(seat)]), json!([[b, a], words.color(seat)])]
        })
    });
    let lengths = seats().map(|seat| {
        let length = pieces.longest_road(game.map(), seat);
        (words.color(seat).to_owned(), length.into())
    });
    let sets = seats().map(|seat| (words.color(seat).to_owned(), connected(words, table, seat)));
    let mut free: Vec<u8> = pieces.open.iter().map(|at| words.node(at)).collect();
    free.sort_unstable();
    json!({
        "buildings": buildings.collect::<Vec<_>>(),
        "roads": roads.collect::<Vec<_>>(),
        "robber_coordinate": cube(table.robber),
        "connected_components": sets.collect::<Map<_, _>>(),
        "board_buildable_ids": free,
        "road_lengths": lengths.collect::<Map<String, Value>>(),
        "road_color": table.route.map(|seat| words.color(seat)),
        "road_length": table.route_length,
    })
}

/// The nodes that hang together by roads of a seat, up to and with others' buildings.
fn connected(words: &Words, table: &Table, seat: Seat) -> Value {
    let (map, pieces) = (words.game().map(), &table.pieces);
    let net = &pieces.nets[seat.idx()];
    let ends = net.roads.iter().flat_map(|edge| map.ends[edge.idx()]);
    let from: Vec<_> = net.buildings().iter().chain(ends).collect();
    let (mut seen, mut sets) = (VertexSet::NONE, Vec::new());
    for at in from {
        let anothers = pieces.at[at.idx()].owner().is_some_and(|owner| owner != seat);
        if anothers || seen.contains(at) {
            continue;
        }
        let set = reached(map, pieces, seat.idx(), at);
        seen |= set;
        let mut nodes: Vec<u8> = set.iter().map(|at| words.node(at)).collect();
        nodes.sort_unstable();
        sets.push(nodes);
    }
    json!(sets)
}

fn by_color(words: &Words, table: &Table) -> Map<String, Value> {
    let all = Seat::all(words.game().players()).map(|seat| {
        let net = &table.pieces.nets[seat.idx()];
        let nodes = |set: VertexSet| -> Vec<u8> { set.iter().map(|at| words.node(at)).collect() };
        let roads: Vec<[u8; 2]> = net.roads.iter().map(|edge| words.ends(edge)).collect();
        let cities = net.buildings() & net.cities;
        let pieces = json!({
            "SETTLEMENT": nodes(net.buildings() - cities),
            "CITY": nodes(cities),
            "ROAD": roads,
        });
        (words.color(seat).to_owned(), pieces)
    });
    all.collect()
}

/// Development cards that the seat has not seen: those of the deck, and of other hands.
fn unseen(view: &View<'_>, played: &PerSeat<Played>) -> Map<String, Value> {
    let all = [14, 2, 2, 2, 5];
    let left = CARDS.into_iter().zip(all).filter_map(|((word, card), all): (_, u8)| {
        let known = played.iter().map(|of| of[card.idx()]).sum::<u8>() + view.cards[card.idx()];
        let left = all.saturating_sub(known);
        (left > 0).then(|| (word.to_owned(), left.into()))
    });
    left.collect()
}

/// Numbers of all seats, by their names.
fn numbers(words: &Words, view: &View<'_>, played: &PerSeat<Played>) -> Map<String, Value> {
    let (game, table) = (words.game(), view.table);
    let mut all = Map::new();
    for seat in Seat::all(game.players()) {
        let (at, net) = (seat.idx(), &table.pieces.nets[seat.idx()]);
        let mut put = |name: &str, value: Value| all.insert(format!("P{at}_{name}"), value);
        let mine = table.active == seat && !matches!(table.stage, Stage::Founding(_));
        let cities = net.buildings() & net.cities;
        let settlements = net.buildings() - cities;
        put("VICTORY_POINTS", table.points(game, seat).into());
        put("ROADS_AVAILABLE", ROADS.saturating_sub(net.roads.len()).into());
        put("SETTLEMENTS_AVAILABLE", SETTLEMENTS.saturating_sub(settlements.len()).into());
        put("CITIES_AVAILABLE", CITIES.saturating_sub(cities.len()).into());
        put("HAS_ROAD", (table.route == Some(seat)).into());
        put("HAS_ARMY", (table.army == Some(seat)).into());
        put("HAS_ROLLED", (mine && table.stage != Stage::Roll).into());
        put("HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN", (mine && table.so_far.played).into());
        put("LONGEST_ROAD_LENGTH", table.pieces.longest_road(game.map(), seat).into());
        for (word, card) in CARDS {
            put(&format!("PLAYED_{word}"), played[at][card.idx()].into());
        }
        if seat == view.seat {
            own_numbers(game, view, put);
        } else {
            put("NUM_RESOURCES_IN_HAND", view.hand_sizes[at].into());
            put("NUM_DEVELOPMENT_CARDS_IN_HAND", view.card_counts[at].into());
        }
    }
    all
}

/// What only the seat itself is shown.
fn own_numbers(game: &Base, view: &View<'_>, mut put: impl FnMut(&str, Value) -> Option<Value>) {
    put("ACTUAL_VICTORY_POINTS", view.own_points(game).into());
    for (word, kind) in KINDS {
        put(&format!("{word}_IN_HAND"), (view.hand - view.chosen).get(kind).into());
    }
    for (word, card) in CARDS {
        let (held, fresh) = (view.cards[card.idx()], view.fresh[card.idx()]);
        put(&format!("{word}_IN_HAND"), held.into());
        if card != Card::VictoryPoint {
            put(&format!("{word}_OWNED_AT_START"), (held > fresh).into());
        }
    }
}
