//! What a seat sees, in JSON: what it sees of the island, and what this variant adds. What follows from the map and the
//! pieces is worked out again when it is read.

use crate::core::resources::Resource;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::boats::game::Boats;
use crate::games::boats::observe::View;
use crate::games::boats::rules::Helper;
use crate::games::boats::scenario::{DESERT, KINDS, SEA, SetAside};
use crate::games::boats::state::{ISA_USES, Own};
use crate::parts::allowed::Named;
use crate::parts::island::catalogue;
use crate::parts::island::seen::{self, TERRAIN};
use crate::parts::island::state::Table;
use crate::parts::places::{EdgeSet, VertexSet};
use crate::parts::seen::{Read, Tally, by_seat, fault, require, sum};
use serde::{Deserialize, Serialize};

/// Phases that base CATAN does not have, as records name them.
const PHASES: [&str; 1] = ["helper"];

/// Kinds of hexes that can be drawn.
#[derive(Debug, Clone, Copy)]
struct Kind;

impl Named for Kind {
    const WHAT: &'static str = "hexes";
    const NAMES: &'static [&'static str] = TERRAIN.split_at(KINDS).0;
}

/// The form of a [`View`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seen {
    island: seen::Seen,
    seats: Vec<SeenSeat>,
    still: EdgeSet,
    aside: SeenAside,
    moved: u8,
    road_moved: bool,
    bought: u8,
    took_route: bool,
}

/// What this variant adds of a seat.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenSeat {
    boats: EdgeSet,
    gold: u8,
    chits: u8,
    waiting: u8,
    isa_left: u8,
    louis: bool,
    choosing: bool,
    /// Nothing if it was not needed.
    length: Option<u8>,
}

/// What is set aside for unexplored hexes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenAside {
    terrain: Tally<Kind, KINDS>,
    /// In ascending order.
    tokens: Vec<u8>,
}

impl SeenAside {
    fn of(aside: &SetAside) -> SeenAside {
        let tokens = (2..).zip(aside.tokens);
        let tokens = tokens.flat_map(|(sum, count)| std::iter::repeat_n(sum, count.into()));
        SeenAside { terrain: Tally::new(aside.terrain), tokens: tokens.collect() }
    }

    fn read(&self) -> Read<SetAside> {
        let mut aside = SetAside { terrain: self.terrain.0, ..SetAside::default() };
        for &token in &self.tokens {
            let place = usize::from(token).checked_sub(2);
            let count = place.and_then(|place| aside.tokens.get_mut(place));
            let count = count.ok_or_else(|| fault(format_args!("no token {token}")))?;
            *count = count.saturating_add(1);
        }
        Ok(aside)
    }
}

/// Places and words of the island, and what this variant adds.
#[derive(Debug, Serialize)]
pub(super) struct Catalogue {
    island: catalogue::Catalogue,
    helpers: &'static [&'static str],
    phases: [&'static str; 1],
    rivers: EdgeSet,
    founding: VertexSet,
}

impl Catalogue {
    pub(super) fn of(game: &Boats) -> Catalogue {
        Catalogue {
            island: catalogue::Catalogue::of(&game.island, true),
            helpers: Helper::NAMES,
            phases: PHASES,
            rivers: game.scenario.rivers,
            founding: game.founding,
        }
    }
}

impl Seen {
    /// The form of what a seat sees.
    pub(super) fn of(game: &Boats, view: &View<'_>) -> Seen {
        let own = view.own;
        let seats = Seat::all(game.island.players).map(Seat::idx).map(|at| SeenSeat {
            boats: own.boats[at],
            gold: own.gold[at],
            chits: own.chits[at],
            waiting: own.waiting[at],
            isa_left: own.isa_left[at],
            louis: own.louis[at],
            choosing: own.choosing[at],
            length: own.lengths[at],
        });
        Seen {
            island: seen::Seen::of(&game.island, &view.island, [own.sea, own.fog]),
            seats: seats.collect(),
            still: own.still,
            aside: SeenAside::of(&own.aside),
            moved: own.moved,
            road_moved: own.road_moved,
            bought: own.bought,
            took_route: own.took_route,
        }
    }

    /// Reads the view that it is the form of, and hands it on.
    pub(super) fn read<R>(&self, game: &Boats, with: impl FnOnce(View<'_>) -> R) -> Read<R> {
        let mut own = self.own(game)?;
        let mut table = self.island.table(&game.island, &game.ground(&own))?;
        let roads = table.pieces.nets.iter().fold(EdgeSet::NONE, |all, net| all | net.roads);
        require(roads.is_disjoint(own.all_boats()), "two pieces on a path")?;
        check_map(game, &own, &table)?;
        let due = own;
        game.count_chits(&table.pieces, table.founded, &mut own);
        require(own == due, "chits are those of the pieces")?;
        table.bonus = own.chits.map(|chits| chits.saturating_mul(game.rules.chit));
        let mut fresh = Own { lengths: [None; SEATS_MAX], ..own };
        if game.broke_route(&table, &mut fresh) {
            table.withheld = game.rules.route.points;
        }
        let island = self.island.view(&game.island, &table)?;
        Ok(with(View { island, own: &own }))
    }

    /// What this variant adds.
    fn own(&self, game: &Boats) -> Read<Own> {
        let players = game.island.players;
        let [sea, fog] = self.island.bare(&game.island)?;
        let seats = &self.seats;
        let mut own = Own {
            boats: by_seat(seats, players, |seat| seat.boats)?,
            still: self.still,
            waters: EdgeSet::NONE,
            sea,
            fog,
            aside: self.aside.read()?,
            gold: by_seat(seats, players, |seat| seat.gold)?,
            chits: by_seat(seats, players, |seat| seat.chits)?,
            waiting: by_seat(seats, players, |seat| seat.waiting)?,
            moved: self.moved,
            road_moved: self.road_moved,
            bought: self.bought,
            isa_left: by_seat(seats, players, |seat| seat.isa_left)?,
            louis: by_seat(seats, players, |seat| seat.louis)?,
            choosing: by_seat(seats, players, |seat| seat.choosing)?,
            lengths: by_seat(seats, players, |seat| seat.length)?,
            took_route: self.took_route,
        };
        own.waters = game.waters(&own);
        check_boats(game, &own.boats, own.waters)?;
        require((own.still - own.all_boats()).is_empty(), "boats that are still are boats")?;
        require(own.bought <= game.rules.gold.cards_max, "too many cards bought with gold")?;
        let few = own.isa_left.iter().all(|&left| left <= ISA_USES);
        require(few, "a helper helps too often")?;
        Ok(own)
    }
}

/// Hexes are those of the scenario, and what was set aside lies on the map or is still there.
fn check_map(game: &Boats, own: &Own, table: &Table) -> Read<()> {
    let (hidden, known) = (game.scenario.fog(), game.scenario.sea());
    require((own.fog - hidden).is_empty(), "a known hex stays known")?;
    require(own.sea - hidden == known, "the sea is that of the scenario")?;
    let mut aside = own.aside;
    for hex in hidden - own.fog {
        let kind = table.board.terrain[hex.idx()].map(Resource::idx);
        let kind = kind.unwrap_or(if own.sea.contains(hex) { SEA } else { DESERT });
        aside.terrain[kind] = aside.terrain[kind].saturating_add(1);
        let token = usize::from(table.board.tokens[hex.idx()]).checked_sub(2);
        if let Some(token) = token {
            aside.tokens[token] = aside.tokens[token].saturating_add(1);
        }
    }
    require(aside == game.scenario.unexplored, "what was set aside is somewhere")?;
    require(game.land(own).contains(table.robber), "the robber stands on land")?;
    let found = u32::from((hidden - own.fog).len()) * u32::from(game.rules.gold.found);
    require(sum(&own.gold) <= found, "gold that nobody has earned")
}

/// Boats lie on water, one on an edge, and there are enough.
fn check_boats(game: &Boats, boats: &PerSeat<EdgeSet>, waters: EdgeSet) -> Read<()> {
    let mut all = EdgeSet::NONE;
    for boats in boats {
        require(boats.is_disjoint(all), "two boats on an edge")?;
        require(boats.len() <= game.rules.boats, "more boats than there are")?;
        all |= *boats;
    }
    require((all - waters).is_empty(), "boats lie on water")
}
