//! The one-step policy: looks at what an action does at once, never at what may follow.

use crate::core::opinion::AtOnce;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::observe::View;
use crate::games::on_the_road::opinion::weights::Weights;
use crate::games::on_the_road::state::Table;

/// Builds what brings the most points now, trades for what it can build with at once.
#[derive(Debug, Clone, Copy, Default)]
pub struct Eager;

impl AtOnce<OnTheRoad> for Eager {
    fn worths(game: &OnTheRoad, view: &View<'_>, legal: &[Action], mut tell: impl FnMut(i32)) {
        let can_build = legal.iter().any(|action| matches!(action, Action::Build { .. }));
        for &action in legal {
            match action {
                Action::Offer { .. } if can_build => tell(-1),
                _ => tell(worth(game, view, action)),
            }
        }
    }

    /// The planner's default, which is in rounds: a point is taken to be worth a round. A winner wins one to two
    /// points a round.
    fn fog() -> f32 {
        Weights::DEFAULT.fog
    }
}

/// What an action is worth at once; what does nothing is worth 0.
fn worth(game: &OnTheRoad, view: &View<'_>, action: Action) -> i32 {
    let table = view.table;
    let trade = |get: Resources, give: Resources| best_build(game, view, view.hand - give + get);
    match action {
        Action::EndTurn | Action::Refuse | Action::Decline => 0,
        Action::Build { card, pay } => {
            let extra = i32::from(game.cost(table, card, pay).total() - game.price(card).total());
            let dearer = if pay == Payment::Exact { 0 } else { 1 + extra };
            build_worth(game, table, card) - dearer
        }
        Action::Offer { give, want, .. } => {
            let (give, want) = (give.cards(), want.cards());
            // A bluff would seem to be worth what it promises, so the greedy policy does not bluff.
            if !view.hand.covers(give) {
                return -1;
            }
            trade(want, give) - i32::from(give.total())
        }
        Action::Accept => {
            let proposal = table.proposal;
            spare(view, proposal.give.cards(), proposal.want.cards())
        }
        Action::Counter { .. } => -1,
        Action::Settle { with } => {
            let (give, get) =
                table.proposal.terms_with(with).expect("a partner has agreed to terms");
            trade(get, give)
        }
        Action::Discard { card } => i32::from(view.hand.get(card)),
        Action::Give { card, to } => {
            i32::from(view.hand.get(card)) * 20 - i32::from(points(game, table, to))
        }
    }
}

fn points(game: &OnTheRoad, table: &Table, seat: Seat) -> u8 {
    table.points(game, seat)
}

/// A hundred for each point won, then income, then anything built at all.
fn build_worth(game: &OnTheRoad, table: &Table, card: Card) -> i32 {
    let seat = table.current;
    let mut after = *table;
    game.place(&mut after, card);
    let gained = i32::from(points(game, &after, seat)) - i32::from(points(game, table, seat));
    let income = i32::from(after.harvest(seat)) - i32::from(table.harvest(seat));
    100 * gained + 20 * income + 10
}

/// The best build that a hand could pay for at the printed price; 0 if none.
fn best_build(game: &OnTheRoad, view: &View<'_>, hand: Resources) -> i32 {
    let open = game.in_reach(view.table, view.table.current);
    let payable = Card::ALL
        .into_iter()
        .filter(|card| open >> card.idx() & 1 == 1 && hand.covers(game.price(*card)));
    payable.map(|card| build_worth(game, view.table, card)).max().unwrap_or(0)
}

/// Whether a trade brings rarer cards for more plentiful ones, or more cards.
fn spare(view: &View<'_>, get: Resources, give: Resources) -> i32 {
    let rarity = |cards: Resources| -> i32 {
        cards.iter().map(|(kind, count)| i32::from(count) * (6 - held(view, kind))).sum()
    };
    rarity(get) - rarity(give)
}

fn held(view: &View<'_>, kind: Resource) -> i32 {
    i32::from(view.hand.get(kind).min(5))
}
