//! A stand-in for the other program: it plays matches by our rules and writes its messages, by its documentation.

use crate::catanatron::Follower;
use crate::catanatron::exec::places::{PORTS, TILES};
use crate::catanatron::words::{self, CARDS, KINDS};
use crate::core::chance::{Chance, RandomChance};
use crate::core::game::{ActionFilter, Game, Turn};
use crate::core::resources::Resource;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::games::base::Base;
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::luck::Draw;
use crate::parts::island::rules::{Rules, Shortage};
use crate::parts::places::{Hex, Vertex};
use serde_json::{Map, Value, json};

/// Colours in seat order.
pub const COLORS: [&str; 4] = ["WHITE", "RED", "ORANGE", "BLUE"];

/// What of others a guest is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Everything.
    Whole,
    /// What its seat may know.
    Known,
    /// The same without what was stolen from it.
    Own,
}

/// Luck that remembers its last result.
struct Noted {
    luck: RandomChance,
    last: u8,
}

impl Chance<Draw> for Noted {
    fn start_turn(&mut self, turn: u16) {
        Chance::<Draw>::start_turn(&mut self.luck, turn);
    }

    fn card(&mut self, draw: Draw, among: u64) -> u8 {
        self.last = self.luck.card(draw, among);
        self.last
    }

    fn kind(&mut self, draw: Draw, counts: &[u8]) -> u8 {
        self.last = self.luck.kind(draw, counts);
        self.last
    }
}

/// A match that the stand-in plays.
pub struct Host {
    pub follower: Follower<Base>,
    luck: Noted,
    records: Vec<[Value; 2]>,
}

impl Host {
    /// A match before its first decision. Nobody offers trades, nobody discards (they do it in another order there), and a
    /// short bank pays nobody.
    pub fn new(players: u8, seed: u64) -> Host {
        let mut rules = Rules { shortage: Shortage::Nobody, ..Rules::default() };
        (rules.trade.proposals_max, rules.robber.hand_limit) = (0, 95);
        let game = Base::new(rules, players).expect("rules");
        let mut luck = Noted { luck: RandomChance::new(BlockSeed::new(seed, 0)), last: 0 };
        let follower = Follower::deal(game, None, &mut luck);
        Host { follower, luck, records: Vec::new() }
    }

    /// Who decides, and among what both programs have; nothing if the match is over.
    pub fn asked(&self) -> Option<(Seat, Vec<Action>)> {
        let Turn::Decide(seat) = self.follower.turn() else { return None };
        let legal = self.follower.legal(ActionFilter::NoOffers).into_iter();
        let both: Vec<Action> = legal.filter(|action| *action != Action::Stop).collect();
        Some((seat, if both.is_empty() { vec![Action::Stop] } else { both }))
    }

    /// Carries out an action.
    pub fn take(&mut self, seat: Seat, action: Action) {
        let mut written = self.written(seat, action);
        self.follower.follow(action, &mut self.luck).expect("it is listed");
        let last = usize::from(self.luck.last);
        let result = match action {
            Action::Roll => json!([last / 6 + 1, last % 6 + 1]),
            Action::Buy => json!(words::card_word(Card::ALL[last])),
            Action::Robber { victim: Some(_), .. } => json!(kind_word(Resource::ALL[last])),
            _ => Value::Null,
        };
        if matches!(action, Action::Roll | Action::Buy) {
            written[2] = result.clone();
        }
        if action != Action::Stop {
            self.records.push([written, result]);
        }
    }

    /// The other program's form of an action.
    pub fn written(&self, seat: Seat, action: Action) -> Value {
        let state = self.follower.state();
        let (word, value) = match action {
            Action::Roll => ("ROLL", Value::Null),
            Action::EndTurn => ("END_TURN", Value::Null),
            Action::Buy => ("BUY_DEVELOPMENT_CARD", Value::Null),
            Action::Knight => ("PLAY_KNIGHT_CARD", Value::Null),
            Action::RoadBuilding => ("PLAY_ROAD_BUILDING", Value::Null),
            Action::Settlement { vertex } => ("BUILD_SETTLEMENT", json!(self.node(vertex))),
            Action::City { vertex } => ("BUILD_CITY", json!(self.node(vertex))),
            Action::Road { edge } => {
                let mut ends = self.follower.game().map().ends[edge.idx()].map(|at| self.node(at));
                ends.sort_unstable();
                ("BUILD_ROAD", json!(ends))
            }
            Action::YearOfPlenty { first, second } => {
                let kinds = [Some(first), second].into_iter().flatten().map(kind_word);
                ("PLAY_YEAR_OF_PLENTY", kinds.collect())
            }
            Action::Monopoly { kind } => ("PLAY_MONOPOLY", json!(kind_word(kind))),
            Action::Robber { hex, victim } => {
                let victim = victim.map(|victim| COLORS[victim.idx()]);
                ("MOVE_ROBBER", json!([cube(hex), victim]))
            }
            Action::BankTrade { give, want } => {
                let rate = state.table.rates[seat.idx()][give.idx()];
                let given = (0..4).map(|at| (at < rate).then(|| kind_word(give)));
                ("MARITIME_TRADE", given.chain([Some(kind_word(want))]).collect())
            }
            _ => ("NONE", Value::Null),
        };
        json!([COLORS[seat.idx()], word, value])
    }

    fn node(&self, vertex: Vertex) -> u8 {
        let corners = &self.follower.game().map().corners;
        let at = TILES.iter().find_map(|(at, nodes)| {
            let corner = corners[hex(*at).idx()].into_iter().position(|corner| corner == vertex)?;
            Some(nodes[corner])
        });
        at.expect("a corner of a tile")
    }

    fn island(&self) -> Value {
        let (game, board) = (self.follower.game(), &self.follower.state().table.board);
        let land = TILES.iter().enumerate().map(|(id, (at, _))| {
            let here = hex(*at);
            let kind = board.terrain[here.idx()].map(kind_word);
            let token = Some(board.tokens[here.idx()]).filter(|&token| token > 0);
            json!({"coordinate": at, "type": "LAND", "id": id, "resource": kind, "number": token})
        });
        let ports = PORTS.iter().enumerate().map(|(id, (at, nodes))| {
            let places = game.parts().harbour_places.iter();
            let is_here = |place: &[u8; 2]| {
                place.iter().all(|end| nodes.contains(&self.node(Vertex::new(*end))))
            };
            let place = places.clone().position(is_here).expect("a harbour");
            let kind = board.harbours[place].map(kind_word);
            json!({"coordinate": at, "type": "PORT", "id": id, "resource": kind})
        });
        let water = (0..9).map(|_| json!({"coordinate": [3, -2, -1], "type": "WATER"}));
        json!({"template": "BASE", "tiles": land.chain(ports).chain(water).collect::<Vec<_>>()})
    }

    fn numbers(&self, own: Seat, view: View) -> Value {
        let state = self.follower.state();
        let mut all = Map::new();
        for seat in Seat::all(self.follower.game().players()) {
            let (at, hand) = (seat.idx(), state.hands[seat.idx()]);
            let hides = view != View::Whole && seat != own;
            let mut put =
                |name: String, count: u8| all.insert(format!("P{at}_{name}"), count.into());
            if hides {
                put("NUM_RESOURCES_IN_HAND".to_owned(), hand.total());
                continue;
            }
            for (word, kind) in KINDS {
                put(format!("{word}_IN_HAND"), hand.get(kind));
            }
            for (word, card) in CARDS {
                put(format!("{word}_IN_HAND"), state.cards[at][card.idx()]);
            }
        }
        all.into()
    }

    fn shown(&self, own: Seat, view: View) -> Vec<Value> {
        let color = COLORS[own.idx()];
        let shown = self.records.iter().map(|[action, result]| {
            let (mut action, mut result) = (action.clone(), result.clone());
            if view == View::Whole || action[0] == color {
                return json!([action, result]);
            }
            if action[1] == "BUY_DEVELOPMENT_CARD" {
                (action[2], result) = (Value::Null, Value::Null);
            }
            let concerns = view == View::Known && action[2][1] == color;
            if action[1] == "MOVE_ROBBER" && !concerns {
                result = Value::Null;
            }
            json!([action, result])
        });
        shown.collect()
    }

    /// A message to the guest in a seat.
    pub fn message(&self, kind: &str, own: Seat, view: View) -> Value {
        let (game, state) = (self.follower.game(), self.follower.state());
        let players = usize::from(game.players());
        let mut document = json!({
            "schema_version": 2,
            "game": {"vps_to_win": game.rules().points_to_win, "discard_limit": 95, "friendly_robber": false},
            "board": {"robber_coordinate": cube(state.table.robber)},
            "colors": &COLORS[..players],
            "player_state": self.numbers(own, view),
            "resource_freqdeck": words::counts(state.table.bank),
            "action_records": self.shown(own, view),
        });
        let (mut listed, mut version) = (Value::Null, Value::Null);
        if kind == "before" {
            (document["map"], version) = (self.island(), json!(1));
        } else if let Some((seat, legal)) = self.asked() {
            listed = legal.iter().map(|action| self.written(seat, *action)).collect();
        }
        json!({
            "type": kind, "protocol_version": version, "game_id": "m", "color": COLORS[own.idx()],
            "state": document, "playable_actions": listed,
        })
    }
}

fn kind_word(kind: Resource) -> &'static str {
    KINDS.iter().find(|(_, other)| *other == kind).expect("a kind").0
}

fn hex([x, _, z]: [i64; 3]) -> Hex {
    let first = [0, 3, 7, 12, 16][usize::try_from(z + 2).expect("a row")];
    Hex::new(u8::try_from(first + x - (-2).max(-2 - z)).expect("a hex"))
}

fn cube(at: Hex) -> [i64; 3] {
    TILES.iter().map(|(cube, _)| *cube).find(|cube| hex(*cube) == at).expect("a tile")
}
