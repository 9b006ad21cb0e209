//! Matches of base CATAN recorded from another program, replayed step by step: every legal list and every
//! state must agree, but for the differences that the record's own notes name.
//!
//! `tests/data/catanatron.jsonl.zst` holds eight of a hundred matches that were recorded by Catanatron
//! (github.com/bcollazo/catanatron), as JSON Lines. `FAIRHAVEN_CONFORMANCE` names a folder with
//! `matches.jsonl.xz`, all of which is replayed as well; it needs `xz`.

use fairhaven::chance::Scripted;
use fairhaven::chance::ScriptedChance;
use fairhaven::game::Game;
use fairhaven::game::Menu;
use fairhaven::games::base::Base;
use fairhaven::games::base::action::Action;
use fairhaven::games::base::board::Board;
use fairhaven::games::base::cards::Card;
use fairhaven::games::base::rules::Rules;
use fairhaven::games::base::rules::Shortage;
use fairhaven::games::base::state::Phase;
use fairhaven::games::base::state::State;
use fairhaven::parts::places::Hex;
use fairhaven::parts::places::Vertex;
use fairhaven::parts::resources::Bundle;
use fairhaven::parts::resources::Resource;
use fairhaven::parts::resources::Resources;
use fairhaven::parts::talk::Audience;
use fairhaven::types::actions::Actions;
use fairhaven::types::seat::Seat;
use serde_json::Value;
use serde_json::json;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// The other program's order of resources.
const KINDS: [(&str, Resource); 5] = [
    ("WOOD", Resource::Lumber),
    ("BRICK", Resource::Brick),
    ("SHEEP", Resource::Wool),
    ("WHEAT", Resource::Grain),
    ("ORE", Resource::Ore),
];

/// Its order of development cards.
const CARDS: [(&str, Card); 5] = [
    ("KNIGHT", Card::Knight),
    ("YEAR_OF_PLENTY", Card::YearOfPlenty),
    ("MONOPOLY", Card::Monopoly),
    ("ROAD_BUILDING", Card::RoadBuilding),
    ("VICTORY_POINT", Card::VictoryPoint),
];

/// Corners of a tile, in the order of our tables.
const CORNERS: [&str; 6] = ["NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST"];

fn number(value: &Value) -> u8 {
    u8::try_from(value.as_i64().expect("a number")).expect("a small number")
}

fn kind(value: &Value) -> Option<Resource> {
    let word = value.as_str()?;
    Some(KINDS.iter().find(|(name, _)| *name == word).expect("a resource").1)
}

fn kind_name(kind: Resource) -> &'static str {
    KINDS.iter().find(|(_, other)| *other == kind).expect("a resource").0
}

fn resources(counts: &[Value]) -> Resources {
    KINDS.iter().zip(counts).fold(Resources::NONE, |cards, ((_, kind), count)| {
        cards + Resources::many(*kind, number(count))
    })
}

fn counts(cards: Resources) -> Vec<u8> {
    KINDS.iter().map(|(_, kind)| cards.get(*kind)).collect()
}

/// A recorded match and how its numbers map to ours.
struct Replay {
    game: Base,
    state: State,
    /// Our vertex by its node, and back.
    vertices: BTreeMap<u8, Vertex>,
    nodes: BTreeMap<u8, u8>,
    /// Our hex by its tile, and back.
    hexes: BTreeMap<u8, Hex>,
    tiles: BTreeMap<u8, u8>,
}

/// Why the comparison of a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ended {
    /// All of it agrees.
    Whole,
    /// Longest Road went elsewhere after a cut, or a tie (difference 1).
    LongestRoad,
    /// Someone won on another's turn (difference 4).
    WonOnAnothersTurn,
    /// Offers between players are asked in another order (difference 3).
    Offers,
    /// A road was laid past another's building: that program lets a net that was cut go on from there.
    PastBuilding,
    /// The friendly robber counts hidden points.
    HiddenPoints,
}

/// Our number of the hex at cube coordinates: rows from the north, columns from the west.
fn hex_at(cube: &[Value]) -> Hex {
    let [x, z] = [&cube[0], &cube[2]].map(|value| value.as_i64().expect("a coordinate"));
    let first = (-2).max(-2 - z);
    let row = [0, 3, 7, 12, 16][usize::try_from(z + 2).expect("five rows")];
    Hex::new(row + u8::try_from(x - first).expect("a column"))
}

impl Replay {
    fn new(record: &Value) -> Replay {
        let config = &record["config"];
        let mut rules = Rules {
            points_to_win: number(&config["vps"]),
            shortage: Shortage::Nobody,
            ..Rules::default()
        };
        rules.robber.hand_limit = number(&config["discard"]);
        if number(&config["friendly"]) > 0 {
            rules.robber.spares_below = 3;
        }
        let seats = record["seats"].as_array().expect("seats").len();
        let players = u8::try_from(seats).expect("few seats");
        let game = Base::new(rules, players).expect("rules in range");
        let (mut vertices, mut nodes) = (BTreeMap::new(), BTreeMap::new());
        let (mut hexes, mut tiles) = (BTreeMap::new(), BTreeMap::new());
        let mut board = Board::bare();
        for tile in record["map"]["tiles"].as_array().expect("tiles") {
            let hex = hex_at(tile["cube"].as_array().expect("coordinates"));
            hexes.insert(number(&tile["id"]), hex);
            tiles.insert(hex.number(), number(&tile["id"]));
            board.terrain[hex.idx()] = kind(&tile["res"]);
            if !tile["num"].is_null() {
                board.lay_token(hex, number(&tile["num"]));
            }
            for (corner, name) in CORNERS.into_iter().enumerate() {
                let vertex = game.map().corners[hex.idx()][corner];
                vertices.insert(number(&tile["nodes"][name]), vertex);
                nodes.insert(vertex.number(), number(&tile["nodes"][name]));
            }
        }
        for port in record["map"]["ports"].as_array().expect("ports") {
            let at = [0, 1].map(|end| vertices[&number(&port["at"][end])].number());
            let places = game.parts().harbour_places;
            let place = places.iter().position(|place| at.iter().all(|v| place.contains(v)));
            board.harbours[place.expect("a harbour's place")] = kind(&port["res"]);
        }
        let mut state = game
            .deal(&mut fairhaven::chance::RandomChance::new(fairhaven::seed::BlockSeed::new(0, 0)));
        state.table.board = board;
        state.table.robber = hexes[&number(&record["robber"])];
        Replay { game, state, vertices, nodes, hexes, tiles }
    }

    fn edge(&self, ends: &Value) -> Action {
        let [a, b] = [0, 1].map(|end| self.vertices[&number(&ends[end])]);
        Action::Road { edge: self.game.map().edge_between(a, b).expect("an edge") }
    }

    fn vertex(&self, node: &Value) -> Vertex {
        self.vertices[&number(node)]
    }

    /// An action in our words, and the luck that it needs.
    fn read(&self, word: &str, value: &Value, chance: &Value) -> (Action, Vec<Scripted>) {
        let seat = |value: &Value| Seat::new(number(value));
        let luck = |idx: usize| vec![Scripted::Kind(u8::try_from(idx).expect("few kinds"))];
        let action = match word {
            "ROLL" => {
                let throw = 6 * (number(&chance[0]) - 1) + number(&chance[1]) - 1;
                return (Action::Roll, vec![Scripted::Card(1 << throw)]);
            }
            "BUY_DEVELOPMENT_CARD" => {
                let drawn = chance.as_str().expect("a card");
                let card = CARDS.iter().find(|(name, _)| *name == drawn).expect("a kind").1;
                return (Action::Buy, luck(card.idx()));
            }
            "MOVE_ROBBER" => {
                let victim = (!value[1].is_null()).then(|| seat(&value[1]));
                let hex = self.hexes[&number(&value[0])];
                let stolen = kind(chance).map(|kind| luck(kind.idx()));
                return (Action::Robber { hex, victim }, stolen.unwrap_or_default());
            }
            "END_TURN" => Action::EndTurn,
            "BUILD_SETTLEMENT" => Action::Settlement { vertex: self.vertex(value) },
            "BUILD_CITY" => Action::City { vertex: self.vertex(value) },
            "BUILD_ROAD" => self.edge(value),
            "DISCARD_RESOURCE" => Action::Discard { card: kind(value).expect("a card") },
            "MARITIME_TRADE" => Action::BankTrade {
                give: kind(&value[0]).expect("a card"),
                want: kind(&value[4]).expect("a card"),
            },
            "PLAY_KNIGHT_CARD" => Action::Knight,
            "PLAY_ROAD_BUILDING" => Action::RoadBuilding,
            "PLAY_MONOPOLY" => Action::Monopoly { kind: kind(value).expect("a kind") },
            "PLAY_YEAR_OF_PLENTY" => plenty(value),
            "OFFER_TRADE" => {
                let all = value.as_array().expect("counts");
                Action::Offer {
                    to: Audience::All,
                    give: Bundle::new(resources(&all[..5])),
                    want: Bundle::new(resources(&all[5..10])),
                }
            }
            "ACCEPT_TRADE" => Action::Accept,
            "REJECT_TRADE" => Action::Refuse,
            "CANCEL_TRADE" => Action::Decline,
            "CONFIRM_TRADE" => Action::Settle { with: seat(&value[10]) },
            other => panic!("unknown action {other}"),
        };
        (action, Vec::new())
    }

    /// One of our actions in its words; nothing for actions that its lists leave out.
    fn write(&self, action: Action) -> Option<(&'static str, Value)> {
        let node = |vertex: Vertex| json!(self.nodes[&vertex.number()]);
        Some(match action {
            Action::Roll => ("ROLL", Value::Null),
            Action::EndTurn => ("END_TURN", Value::Null),
            Action::Settlement { vertex } => ("BUILD_SETTLEMENT", node(vertex)),
            Action::City { vertex } => ("BUILD_CITY", node(vertex)),
            Action::Road { edge } => {
                let mut ends =
                    self.game.map().ends[edge.idx()].map(|end| self.nodes[&end.number()]);
                ends.sort_unstable();
                ("BUILD_ROAD", json!(ends))
            }
            Action::Buy => ("BUY_DEVELOPMENT_CARD", Value::Null),
            Action::Knight => ("PLAY_KNIGHT_CARD", Value::Null),
            Action::RoadBuilding => ("PLAY_ROAD_BUILDING", Value::Null),
            Action::YearOfPlenty { first, second } => {
                let kinds = [Some(first), second].into_iter().flatten();
                let mut names: Vec<&str> = kinds.map(kind_name).collect();
                names.sort_by_key(|name| KINDS.iter().position(|(other, _)| other == name));
                ("PLAY_YEAR_OF_PLENTY", json!(names))
            }
            Action::Monopoly { kind } => ("PLAY_MONOPOLY", json!(kind_name(kind))),
            Action::Robber { hex, victim } => {
                let victim = victim.map(|seat| seat.number() - 1);
                ("MOVE_ROBBER", json!([self.tiles[&hex.number()], victim]))
            }
            Action::Discard { card } => ("DISCARD_RESOURCE", json!(kind_name(card))),
            Action::BankTrade { give, want } => {
                let seat = self.state.table.active.idx();
                let rate = usize::from(self.state.table.rates[seat][give.idx()]);
                let mut cards = vec![Value::Null; 5];
                cards[..rate].fill(json!(kind_name(give)));
                cards[4] = json!(kind_name(want));
                ("MARITIME_TRADE", json!(cards))
            }
            _ => return None,
        })
    }

    fn legal(&self) -> BTreeSet<String> {
        let mut list = Actions::new();
        self.game.legal(&self.state, Menu::NoOffers, &mut list);
        let words = list.iter().filter_map(|&action| self.write(action));
        words.map(|(word, value)| format!("{word} {value}")).collect()
    }

    fn apply(&mut self, action: Action, luck: &[Scripted]) {
        assert_eq!(self.game.permits(&self.state, action), Ok(()), "{action}");
        let mut chance = ScriptedChance::new(luck.iter().copied());
        self.game.apply(&mut self.state, action, &mut chance);
        assert!(chance.is_exhausted(), "{action} takes all of {luck:?}");
        self.game.check(&self.state);
    }

    /// The state in the words of the record, as far as both have it.
    fn snapshot(&self) -> Value {
        let state = &self.state;
        let table = &state.table;
        let seats = || Seat::all(self.game.players());
        let hand = |seat: Seat| state.hands[seat.idx()] - state.chosen[seat.idx()];
        let chosen = state.chosen.iter().fold(Resources::NONE, |all, &cards| all + cards);
        let cards = |seat: Seat| -> Vec<u8> {
            CARDS.iter().map(|(_, card)| state.cards[seat.idx()][card.idx()]).collect()
        };
        let left = |seat: Seat| {
            let net = &table.pieces.nets[seat.idx()];
            [15 - net.roads.len(), 5 - net.settlements.len(), 4 - net.cities.len()]
        };
        let holder = |seat: Option<Seat>| seat.map_or(-1, |seat| i64::from(seat.number()) - 1);
        json!({
            "h": seats().map(|seat| counts(hand(seat))).collect::<Vec<_>>(),
            "b": counts(table.bank + chosen),
            "d": seats().map(cards).collect::<Vec<_>>(),
            "dk": state.deck.iter().sum::<u8>(),
            "vp": seats().map(|seat| table.points(&self.game, seat)).collect::<Vec<_>>(),
            "avp": seats().map(|seat| state.points(&self.game, seat)).collect::<Vec<_>>(),
            "lr": holder(table.route),
            "la": holder(table.army),
            "left": seats().map(left).collect::<Vec<_>>(),
            "rob": self.tiles[&table.robber.number()],
        })
    }

    /// Replays the match; says how the comparison ended and how many steps agreed.
    fn run(&mut self, record: &Value) -> (Ended, usize) {
        let steps = record["steps"].as_array().expect("steps");
        let mut at = 0;
        while at < steps.len() {
            if matches!(self.state.table.phase, Phase::Over(_)) {
                return (Ended::WonOnAnothersTurn, at);
            }
            let word = steps[at]["a"][1].as_str().expect("an action");
            if word == "OFFER_TRADE" {
                return (Ended::Offers, at);
            }
            let run = if word == "DISCARD_RESOURCE" {
                let is = |step: &&Value| step["a"][1] == "DISCARD_RESOURCE";
                let run = steps[at..].iter().take_while(is).count();
                self.discard(&steps[at..at + run]);
                run
            } else {
                if let Err(ended) = self.step(&steps[at], at) {
                    return (ended, at);
                }
                1
            };
            at += run;
            let after = &steps[at - 1]["s"];
            let ours = self.snapshot();
            if ours["lr"] != after["lr"] {
                return (Ended::LongestRoad, at);
            }
            for (key, value) in ours.as_object().expect("fields") {
                assert_eq!(value, &after[key], "{key} after step {at}: {}", steps[at - 1]["a"]);
            }
        }
        let over = matches!(self.state.table.phase, Phase::Over(_));
        let won = !record["winner"].is_null();
        if won && !over {
            return (Ended::WonOnAnothersTurn, at);
        }
        if over {
            let winner = self.game.outcome(&self.state).winner.map(|seat| seat.number() - 1);
            assert_eq!(json!(winner), record["winner"]);
        }
        (Ended::Whole, at)
    }

    /// One step, or the known difference that keeps it from being taken.
    fn step(&mut self, step: &Value, at: usize) -> Result<(), Ended> {
        let theirs: BTreeSet<String> = step["l"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|entry| {
                let word = entry[0].as_str().expect("an action");
                let mut value = entry[1].clone();
                if word == "BUILD_ROAD" {
                    let mut ends = [number(&value[0]), number(&value[1])];
                    ends.sort_unstable();
                    value = json!(ends);
                } else if word == "PLAY_YEAR_OF_PLENTY" {
                    value = self.write(plenty(&value)).expect("has words").1;
                }
                format!("{word} {value}")
            })
            // Difference 5: single cards, listed where the bank can't give every pair.
            .filter(|entry| !entry.starts_with("PLAY_YEAR") || entry.contains(','))
            .collect();
        let ours = self.legal();
        let only_ours: Vec<&String> = ours.difference(&theirs).collect();
        let past: BTreeSet<String> = self.past_buildings();
        let only_theirs: Vec<&String> =
            theirs.difference(&ours).filter(|entry| !past.contains(*entry)).collect();
        if only_ours.is_empty()
            && only_theirs.iter().any(|entry| entry.starts_with("MOVE_ROBBER"))
            && self.hides_points()
        {
            return Err(Ended::HiddenPoints);
        }
        assert!(
            only_ours.is_empty() && only_theirs.is_empty(),
            "step {at}: only ours {only_ours:?}, only theirs {only_theirs:?}"
        );
        let word = step["a"][1].as_str().expect("an action");
        let (action, luck) = self.read(word, &step["a"][2], &step["r"]);
        if self.write(action).is_some_and(|(word, value)| past.contains(&format!("{word} {value}")))
        {
            return Err(Ended::PastBuilding);
        }
        self.apply(action, &luck);
        Ok(())
    }

    /// Whether the robber spares someone who would not be spared with its hidden points.
    fn hides_points(&self) -> bool {
        let line = self.game.rules().robber.spares_below;
        Seat::all(self.game.players()).any(|seat| {
            let shown = self.state.table.points(&self.game, seat);
            shown < line && self.state.points(&self.game, seat) >= line
        })
    }

    /// Roads that would go on from another's building.
    fn past_buildings(&self) -> BTreeSet<String> {
        let table = &self.state.table;
        let net = &table.pieces.nets[table.active.idx()];
        let theirs = |vertex: &Vertex| {
            let owner = table.pieces.at[vertex.idx()].owner();
            owner.is_some_and(|owner| owner != table.active)
        };
        let edges = net.reach.iter().filter(theirs).flat_map(|v| self.game.map().edges[v.idx()]);
        let past = edges.filter(|&edge| !net.frontier.contains(edge));
        past.filter_map(|edge| self.write(Action::Road { edge }))
            .map(|(word, value)| format!("{word} {value}"))
            .collect()
    }

    /// All discards of one 7, in our order of seats.
    fn discard(&mut self, steps: &[Value]) {
        let mut by_seat: BTreeMap<u8, Vec<Resource>> = BTreeMap::new();
        for step in steps {
            let card = kind(&step["a"][2]).expect("a card");
            by_seat.entry(number(&step["a"][0])).or_default().push(card);
        }
        while let Phase::Discard { seat, .. } = self.state.table.phase {
            let cards = by_seat.get_mut(&(seat.number() - 1)).expect("this seat discards");
            self.apply(Action::Discard { card: cards.remove(0) }, &[]);
        }
        assert!(by_seat.values().all(Vec::is_empty), "all of it is owed");
    }
}

fn plenty(value: &Value) -> Action {
    let mut kinds: Vec<Resource> =
        value.as_array().expect("cards").iter().filter_map(kind).collect();
    kinds.sort();
    Action::YearOfPlenty { first: kinds[0], second: kinds.get(1).copied() }
}

/// The records of the package.
fn slice() -> String {
    let packed = include_bytes!("data/catanatron.jsonl.zst").as_slice();
    String::from_utf8(zstd::decode_all(packed).expect("a zstd frame")).expect("text")
}

/// The records of the folder that the environment names, or that lies beside the package.
fn folder() -> Option<String> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance");
    let named = std::env::var_os("FAIRHAVEN_CONFORMANCE").map(PathBuf::from);
    let folder = named.or_else(|| beside.is_dir().then_some(beside))?;
    let file = folder.join("matches.jsonl.xz");
    let unpacked = Command::new("xz").arg("-dc").arg(file).output().expect("xz runs");
    assert!(unpacked.status.success(), "{}: no records", folder.display());
    Some(String::from_utf8(unpacked.stdout).expect("text"))
}

/// Replays all records; how they ended, and how many steps were compared.
fn replay(text: &str) -> (BTreeMap<Ended, usize>, usize) {
    let mut endings: BTreeMap<Ended, usize> = BTreeMap::new();
    let mut compared = 0;
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).expect("a record");
        let mut replay = Replay::new(&record);
        let (ended, steps) = replay.run(&record);
        *endings.entry(ended).or_default() += 1;
        compared += steps;
    }
    (endings, compared)
}

#[test]
fn recorded_matches_replay_step_by_step() {
    let (endings, compared) = replay(&slice());
    assert!(endings[&Ended::Whole] >= 4 && compared > 3000, "{endings:?}, {compared} steps");
    if let Some(text) = folder() {
        let (endings, compared) = replay(&text);
        assert!(endings[&Ended::Whole] > 60 && compared > 60_000, "{endings:?}, {compared} steps");
    }
}
