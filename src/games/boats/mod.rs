//! Boats, foreign islands, Isa and Louis: a fan variant of base CATAN.
//!
//! # Rules
//!
//! All clauses of base CATAN hold but for what stands here. † marks a default that the text leaves open; each is a
//! field of the rule set.
//!
//! Map
//! - **BOAT-1** A hex is land, sea or unexplored. A scenario file draws the map; `shores`, all of which is known, and
//!   `fog`, with hexes to discover, ship with the program. †
//! - **BOAT-2** A road or boat that reaches a corner of an unexplored hex † uncovers it and earns its owner 2 gold. 2
//!   gold buy a card of the bank, twice a turn. †
//! - **BOAT-3** Land is an island as soon as every hex around it is known.
//!
//! Boats
//! - **BOAT-10** A boat costs wool and lumber. It lies between two sea hexes or between sea and land, not between two
//!   land hexes and not across a river.
//! - **BOAT-11** A path holds one road or one boat.
//! - **BOAT-12** A new boat touches an own building or an own boat, not past another's building. Boats may branch.
//! - **BOAT-13** Roads and boats join at an own building only: neither is built on from the other without one, nor
//!   does a route lead from one to the other.
//! - **BOAT-14** A founding settlement on the coast may have a boat in place of its road.
//! - **BOAT-15** A settlement may stand where an own boat arrives, at the usual distance, on new islands too.
//!
//! Moving a boat
//! - **BOAT-20** One boat a turn, when its owner trades and builds, never in a special building phase, and not one
//!   that was built in this turn.
//! - **BOAT-21** One of its ends touches none of its owner's other pieces.
//! - **BOAT-22** It goes where it could be built if it were not there. It uncovers hexes as a new one does.
//!
//! Points
//! - **BOAT-30** The longest trade route takes the place of Longest Road: roads and boats in one trail. 5 or more
//!   take it; who keeps it when a route gets shorter, by a move too, is as in BASE-61. It is determined when a turn
//!   ends, or at once. Until then its points win nothing for a holder who has just broken its route. †
//! - **BOAT-31** The islands on which a player has founded are its home. Any other island is foreign to it until it
//!   has settled there.
//! - **BOAT-32** Its first settlement on each foreign island earns a chit of 1 point, whoever else lives there.
//! - **BOAT-33** On land that is no island yet, a chit lies beneath the settlement and counts as soon as the land
//!   proves to be a foreign island. A player has one chit at most on one piece of known land, and none on land that is
//!   joined to its home. †
//!
//! Friend and helper
//! - **BOAT-40** Isa: on its own turn her holder pays one card of the price for a boat, or moves another open boat.
//!   Twice in a match, in one turn too.
//! - **BOAT-41** Louis: once a turn his holder moves a road with a free end to any place that is legal without it. A
//!   free end touches none of its owner's roads and buildings; an own boat there binds the road by an own building
//!   only. Boats are never moved so.
//! - **BOAT-42** The rule set or the scenario says who starts with them; nobody by default. Or each player chooses one
//!   of them. †
//!
//! Defaults †
//! - **BOAT-50** A chit is worth 1. 12 points win, 13 on a map that shows four islands at the start, all around which
//!   is known.
//! - **BOAT-51** 15 boats a player. Gold is no card: no 7, thief or Monopoly touches it. A map may mark river paths.
//! - **BOAT-52** An uncovered hex draws terrain and token from those set aside and pays from the next roll on.
//!   Uncovered sea earns gold as well.
//! - **BOAT-53** A chit beneath a settlement goes back if the land proves to be its owner's home.
//! - **BOAT-54** After his use Louis rests until his holder's next turn.
//!
//! # Choices
//!
//! - *What lies around the map? (BOAT-10)* Sea. Reason: an island may fill its frame to the rim, as that of base CATAN
//!   does.
//! - *What may lie beside an unexplored hex? (BOAT-2, BOAT-10)* Nothing until it is uncovered. Reason: whatever comes
//!   so near uncovers it. Nobody founds there.
//! - *Where may players found? (BOAT-14)* On the islands that the scenario names, if there is surely room for all, else
//!   on all known land. Reason: the other islands are there to be discovered. A table is refused if that might not do
//!   either.
//! - *May a road lie on a river path? (BOAT-10)* Yes. Reason: the clause is about boats.
//! - *Who wins by the route at the end of a turn? (BOAT-30)* Whoever ends its turn, then and there; any other player
//!   when its own turn comes.
//! - *When is a route broken that still wins nothing? (BOAT-30)* When its holder would lose it if it were determined
//!   now, since it is too short or another's is longer. Who mends it in the same turn wins. Reason: points that the
//!   end of the turn would take away are none.
//! - *What is determined in a special building phase? (BOAT-30)* The route, each time that a player is done. Reason:
//!   for that player it is the end of a turn.
//! - *Where does a chit lie? (BOAT-33)* On the land, not beneath one building: it does not matter which.
//! - *Which is a second boat? (BOAT-40)* Another one: a boat that has moved stays for the turn. The first move of a
//!   turn never takes Isa.
//! - *How is a helper chosen? (BOAT-42)* With `helpers` set to `chosen`, each player takes Isa or Louis at the start of
//!   its first turn, before anything else. There is a card of each for every player, and `isa`, `louis` and the
//!   scenario's holders are not in effect. `helpers_allowed` says what a seat may take. Reason: no choice takes a card
//!   away from another player, so the two can be compared.
//! - *When is gold spent, and a boat or a road moved? (BOAT-2, BOAT-20, BOAT-41)* After the roll; gold when its owner
//!   may trade with the bank.
//! - *Which tokens may touch? (BOAT-1)* 6 and 8 are laid anew up to 100 times where they touch on the map, as they may
//!   have to. Those that are set aside lie as they come.
//! - *Where does the robber start without a desert? (BASE-12)* On any land.
//! - *How does the map tell how many islands it has? (BOAT-50)* By what can be seen at the start: land beside an
//!   unexplored hex is no island yet (BOAT-3).
//! - *How does a scenario name its own target? (BOAT-50)* In the rule set that names the scenario: `points_to_win`, with
//!   `points_more = 0`. Reason: one place for it.
//!
//! # Left out
//!
//! - Pirates, bridges, and other friends and helpers: the text does not have them.
//!
//! # Hidden, chance, determinization
//!
//! As in base CATAN. All that this variant adds is open to all, and nothing lies beneath an unexplored hex: its terrain
//! and token are drawn (`terrain`, `token`) when it is uncovered, uniformly from what is set aside.
//!
//! # Bounds
//!
//! `ACTIONS_MAX`: the island's; then boats of 15 pieces and 9 buildings, which touch 42 free edges at most: a boat on
//! each, for the price or for one card of five kinds; each of 15 boats and 15 roads moved to one of 41; five cards for
//! gold.
//!
//! `decisions_max`: the island's; three boats and a road moved in a turn, cards for gold; boats are built, and helpers
//! are chosen, once.

pub mod action;
pub mod apply;
pub mod arrays;
pub mod game;
pub mod legal;
pub mod measure;
pub mod observe;
pub mod opinion;
pub mod primer;
pub mod route;
pub mod rules;
pub mod scenario;
pub mod scenario_file;
pub mod sea;
pub mod seen;
pub mod setup;
pub mod state;
pub mod wording;
#[cfg(test)]
pub(crate) mod tests;

pub use crate::games::boats::game::Boats;

use crate::core::chance::Chance;
use crate::core::game::{ActionFilter, BadRule, Field, Game, IllegalAction, Outcome, Turn};
use crate::core::types::actions::{ACTIONS_CAP, Listing};
use crate::core::types::seat::Seat;
use crate::games::boats::action::Action;
use crate::games::boats::observe::View;
use crate::games::boats::rules::Rules;
use crate::games::boats::state::State;
use crate::parts::island::Island;
use crate::parts::island::luck::Draw;
use crate::parts::island::memory::Memory;

const _: () = assert!(Boats::ACTIONS_MAX <= ACTIONS_CAP);

// What takes more than a few lines stands in the file of its subject, as a method of the type by the same name.
impl Game for Boats {
    type State = State;
    type Action = Action;
    type Draw = Draw;
    type View<'a> = View<'a>;
    type Memory = Memory;
    type Rules = Rules;

    const NAME: &'static str = "boats";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=6;
    const ACTIONS_MAX: usize = <Island as Game>::ACTIONS_MAX + 42 + 5 * 42 + 2 * 15 * 41 + 5;
    const FIELDS: &'static [Field] = Rules::FIELDS;

    fn new(rules: Rules, players: u8) -> Result<Boats, Vec<BadRule>> {
        Boats::build(rules, players)
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn in_effect(&self) -> Rules {
        self.rules.in_effect(self.players(), &self.scenario)
    }

    fn players(&self) -> u8 {
        self.island.players
    }

    fn unofficial(&self) -> Option<&'static str> {
        self.island.unofficial()
    }

    fn turns_max(&self) -> u16 {
        self.rules.turns_max
    }

    fn decisions_max(&self) -> u32 {
        let turn = 4 + u32::from(self.rules.gold.cards_max);
        let once = u32::from(self.players() * (self.rules.boats + 1));
        self.island.decisions_max() + u32::from(self.rules.turns_max) * turn + once
    }

    fn deal<C: Chance<Draw>>(&self, chance: &mut C) -> State {
        self.deal(chance)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        self.island.turn(&state.island)
    }

    fn list<L: Listing<Action>>(&self, state: &State, filter: ActionFilter, out: &mut L) {
        self.list(state, filter, out);
    }

    #[inline]
    fn draw(
        &self,
        state: &State,
        filter: ActionFilter,
        place: impl FnOnce(usize) -> usize,
    ) -> (Action, usize) {
        self.draw_action(state, filter, place)
    }

    fn permits(&self, state: &State, action: Action) -> Result<(), IllegalAction> {
        self.permits(state, action)
    }

    #[inline]
    fn apply<C: Chance<Draw>>(&self, state: &mut State, action: Action, chance: &mut C) {
        self.apply(state, action, chance);
    }

    fn outcome(&self, state: &State) -> Outcome {
        self.island.outcome(&state.island)
    }

    fn check(&self, state: &State) {
        self.check(state);
    }

    #[inline]
    fn view<'a>(&self, state: &'a State, seat: Seat) -> View<'a> {
        View { island: self.island.view(&state.island, seat), own: &state.own }
    }

    fn turn_number(&self, state: &State) -> u16 {
        self.island.turn_number(&state.island)
    }
}
