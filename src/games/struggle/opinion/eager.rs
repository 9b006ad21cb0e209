//! The one-step policy: looks at what an action does at once, never at what may follow.

use crate::core::game::{ActionFilter, Game};
use crate::core::opinion::AtOnce;
use crate::core::resources::{Resource, Resources};
use crate::games::struggle::action::{Action, Partner};
use crate::games::struggle::cards::{Card, a_sides};
use crate::games::struggle::game::Struggle;
use crate::games::struggle::observe::View;
use crate::games::struggle::opinion::weights::Weights;
use crate::games::struggle::state::{Area, Phase};

/// Builds what brings the most points now, and trades with the market for what it can build with at once.
#[derive(Debug, Clone, Copy, Default)]
pub struct Eager;

impl AtOnce<Struggle> for Eager {
    const FILTER: ActionFilter = ActionFilter::Plain;

    fn worths(game: &Struggle, view: &View<'_>, legal: &[Action], mut tell: impl FnMut(i32)) {
        for &action in legal {
            tell(worth(game, view, action));
        }
    }

    /// The planner's default.
    fn fog() -> f32 {
        Weights::DEFAULT.fog
    }
}

/// What an action is worth at once; what does nothing is worth 0.
fn worth(game: &Struggle, view: &View<'_>, action: Action) -> i32 {
    let card_more = |card| view.hand + Resources::one(card);
    let card_less = |card| view.hand - Resources::one(card);
    match action {
        Action::Draw | Action::EndTurn | Action::Keep => 0,
        Action::Build { card, pay } => {
            build_worth(game, view, card) - i32::from(pay.cards().total())
        }
        // Before anything else: it costs nothing.
        Action::Rob { .. } => 1000,
        Action::Trade { with: Partner::Market, .. } => {
            let market = view.table.market.kinds().iter();
            let best = market.map(|card| after_return(game, view, card_more(card))).max();
            best.unwrap_or(0) - best_build(game, view, view.hand)
        }
        Action::Trade { .. } | Action::Flip => -1,
        Action::Take { card } => 10 * after_return(game, view, card_more(card)) + need(view, card),
        Action::Return { card } | Action::Discard { card } => {
            10 * best_build(game, view, card_less(card)) - need(view, card)
        }
        Action::Extra { cards } => {
            let safe = view.hand.total() < game.rules().brigands.hand_limit;
            if safe { i32::from(cards) } else { -1 }
        }
    }
}

/// What wins before all else; then a hundred for each point, then advantages, then anything built at all.
fn build_worth(game: &Struggle, view: &View<'_>, card: Card) -> i32 {
    let (seat, before) = (view.seat, view.table);
    let mut after = *before;
    game.put(&mut after, card);
    let gained = i32::from(after.points(game, seat)) - i32::from(before.points(game, seat));
    let sides = |area: &Area| a_sides(area.roads) + 2 * a_sides(area.knights);
    let more = sides(&after.areas[seat.idx()]) - sides(&before.areas[seat.idx()]);
    let wins = after.points(game, seat) >= game.rules().points_to_win.of(seat);
    100 * gained + 20 * i32::from(more) + if wins { 10_000 } else { 10 }
}

/// The best build that a hand could pay for at the full price; 0 if none.
fn best_build(game: &Struggle, view: &View<'_>, hand: Resources) -> i32 {
    let own_turn = view.table.current == view.seat && !matches!(view.table.phase, Phase::Extra(_));
    let payable = |card: &Card| {
        own_turn && hand.covers(game.price(*card)) && game.is_in_reach(view.table, *card)
    };
    let builds = Card::ALL.into_iter().filter(payable);
    builds.map(|card| build_worth(game, view, card)).max().unwrap_or(0)
}

/// The same after the card that hurts least was returned.
fn after_return(game: &Struggle, view: &View<'_>, hand: Resources) -> i32 {
    let rest = hand.iter().map(|(kind, _)| best_build(game, view, hand - Resources::one(kind)));
    rest.max().unwrap_or(0)
}

/// How much a card is wanted: the more, the fewer there are in hand.
fn need(view: &View<'_>, card: Resource) -> i32 {
    -i32::from(view.hand.get(card))
}
