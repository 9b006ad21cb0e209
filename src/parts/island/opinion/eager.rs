//! The one-step policy: does the most valuable thing possible now, on the best spot; never looks ahead.

use crate::core::opinion::AtOnce;
use crate::core::resources::{Resource, Resources};
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::cards::pips;
use crate::parts::island::observe::View;
use crate::parts::island::opinion::weights::Weights;
use crate::parts::island::state::{Stage, Table};
use crate::parts::places::{Hex, Vertex};

/// Takes what brings the most now.
#[derive(Debug, Clone, Copy, Default)]
pub struct Eager;

impl AtOnce<Island> for Eager {
    fn worths(game: &Island, view: &View<'_>, legal: &[Action], mut tell: impl FnMut(i32)) {
        for &action in legal {
            tell(worth(game, view, action));
        }
    }

    /// The planner's default.
    fn fog() -> f32 {
        Weights::DEFAULT.fog
    }
}

/// What an action brings at once: a hundred for each point, then dots of its spot. Nothing is 0.
pub(crate) fn worth(game: &Island, view: &View<'_>, action: Action) -> i32 {
    let table = view.table;
    let hand = view.hand;
    match action {
        Action::Roll | Action::EndTurn | Action::Refuse | Action::Decline | Action::Stop => 0,
        Action::Settlement { vertex } => 120 + spot(game, view, vertex),
        Action::City { vertex } => 110 + spot(game, view, vertex),
        Action::Buy => 40,
        Action::Road { .. } => road(game, view, action),
        Action::Knight => 20,
        Action::RoadBuilding => 15,
        Action::YearOfPlenty { first, second } => {
            let second = second.map_or(Resources::NONE, Resources::one);
            best_build(game, view, hand + Resources::one(first) + second)
                - best_build(game, view, hand)
        }
        Action::Monopoly { kind } => {
            let more = hand + Resources::many(kind, 2);
            best_build(game, view, more) - best_build(game, view, hand)
        }
        Action::Robber { hex, victim } => blocked(game, view, hex) + i32::from(victim.is_some()),
        Action::Discard { card } => i32::from((hand - view.chosen).get(card)),
        Action::BankTrade { give, want } => {
            let rate = table.rates[view.seat.idx()][give.idx()];
            let after = hand - Resources::many(give, rate) + Resources::one(want);
            gain(game, view, after) - 4
        }
        Action::Offer { give, want, .. } => {
            if table.so_far.refused > 0 || table.so_far.deals > 3 {
                return -1;
            }
            gain(game, view, hand - give.cards() + want.cards()) - i32::from(give.cards().total())
        }
        Action::Accept => spare(view, table.proposal.give.cards(), table.proposal.want.cards()),
        Action::Counter { .. } => -1,
        Action::Settle { with } => {
            let (give, get) =
                table.proposal.terms_with(with).expect("a partner has agreed to terms");
            gain(game, view, hand - give + get).max(1)
        }
    }
}

/// Dots of a vertex.
pub(crate) fn spot(game: &Island, view: &View<'_>, vertex: Vertex) -> i32 {
    i32::from(view.table.board.pips_at(game.map(), vertex))
}

/// A road is worth something if it takes Longest Road, or if it leads to a spot and none is in reach yet.
fn road(game: &Island, view: &View<'_>, action: Action) -> i32 {
    let table = view.table;
    let mut after = *table;
    game.place(&mut after, action);
    let points = |of: &Table| i32::from(of.points(game, view.seat));
    let gained = 100 * (points(&after) - points(table));
    let best = |of: &Table| {
        let sites = of.pieces.sites(view.seat).iter();
        sites.map(|vertex| spot(game, view, vertex)).max().unwrap_or(0)
    };
    let founding = matches!(table.stage, Stage::Founding(_));
    let better = best(&after) - best(table);
    if founding || better > 0 { gained + 10 + better } else { gained + i32::from(gained == 0) }
}

/// What a hand could build that this one can't.
pub(crate) fn gain(game: &Island, view: &View<'_>, hand: Resources) -> i32 {
    best_build(game, view, hand) - best_build(game, view, view.hand)
}

/// The best that a hand pays for.
pub(crate) fn best_build(game: &Island, view: &View<'_>, hand: Resources) -> i32 {
    let [_, settlement, city, card] = game.prices();
    let net = view.table.pieces.nets[view.seat.idx()];
    let site = !view.table.pieces.sites(view.seat).is_empty();
    let options = [
        (settlement, if site { 120 } else { 0 }),
        (city, if net.settlements.is_empty() { 0 } else { 110 }),
        (card, 40),
    ];
    let payable = options.into_iter().filter(|&(cost, _)| hand.covers(cost));
    payable.map(|(_, worth)| worth).max().unwrap_or(0)
}

/// Dots that the robber takes from others at a hex, less twice the seat's own.
pub(crate) fn blocked(game: &Island, view: &View<'_>, hex: Hex) -> i32 {
    let dots = i32::from(pips(view.table.board.tokens[hex.idx()]));
    let corners = game.map().corners[hex.idx()].into_iter();
    let owners = corners.filter_map(|vertex| view.table.pieces.at[vertex.idx()].owner_and_yield());
    owners
        .map(|(owner, cards)| {
            let lost = 2 * dots * i32::from(cards);
            if owner == view.seat { -2 * lost } else { lost }
        })
        .sum()
}

/// Whether a trade brings rarer cards for more plentiful ones, or more cards.
fn spare(view: &View<'_>, get: Resources, give: Resources) -> i32 {
    let held = |kind: Resource| i32::from(view.hand.get(kind).min(5));
    let rarity = |cards: Resources| -> i32 {
        cards.iter().map(|(kind, count)| i32::from(count) * (6 - held(kind))).sum()
    };
    rarity(get) - rarity(give)
}
