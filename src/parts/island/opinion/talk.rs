//! The offers and counters of a legal list: by far the longest part of it, of which few can be what a planner does.

use crate::core::opinion::Best;
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::observe::View;
use crate::parts::island::state::Phase;
use crate::parts::offers::Listed;
use std::ops::Range;

/// A legal list, and where in it all offers or counters of a hand stand, in the order of the rules.
#[derive(Debug, Clone)]
pub struct Talk<'a, A> {
    legal: &'a [A],
    places: Range<usize>,
}

impl<'a, A: Copy> Talk<'a, A> {
    /// Finds them; none if the list has only some of them, or does not begin with what is rated 0: to end the turn, or to
    /// refuse. `shared` says which of the island's actions an entry is.
    pub fn of(
        game: &Island,
        view: &View<'_>,
        legal: &'a [A],
        shared: impl Fn(A) -> Option<Action>,
    ) -> Talk<'a, A> {
        let is_talk = |entry: &A| {
            matches!(shared(*entry), Some(Action::Offer { .. } | Action::Counter { .. }))
        };
        let first = legal.first().and_then(|first| shared(*first));
        if !matches!(first, Some(Action::EndTurn | Action::Refuse)) {
            return Talk::none(legal);
        }
        let start = legal.iter().position(is_talk).unwrap_or(legal.len());
        let end = start + listed(game, view).map_or(0, |listed| listed.count());
        let whole = end > start
            && legal.get(end - 1).is_some_and(is_talk)
            && !legal.get(end).is_some_and(is_talk);
        if whole { Talk { legal, places: start..end } } else { Talk::none(legal) }
    }

    /// A list in which none are looked for.
    pub fn none(legal: &'a [A]) -> Talk<'a, A> {
        Talk { legal, places: legal.len()..legal.len() }
    }

    /// Where they stand.
    pub fn places(&self) -> &Range<usize> {
        &self.places
    }

    /// All other actions, those before them first.
    pub fn others(&self) -> impl Iterator<Item = A> + Clone + use<'a, A> {
        let (before, after) = (&self.legal[..self.places.start], &self.legal[self.places.end..]);
        before.iter().chain(after).copied()
    }

    /// The place of the action with the highest rating, by the ratings of all others and the best of them.
    pub fn best(&self, others: impl IntoIterator<Item = f32>, of_talk: Best) -> usize {
        let mut best = Best::default();
        let mut others = others.into_iter();
        for (place, rating) in (0..self.places.start).zip(others.by_ref()) {
            best.offer(rating, place);
        }
        best.or(of_talk);
        for (place, rating) in (self.places.end..).zip(others) {
            best.offer(rating, place);
        }
        best.place()
    }
}

/// The offers or counters that the rules list for who decides.
pub fn listed<'a>(game: &'a Island, view: &View<'_>) -> Option<Listed<'a, Action>> {
    match view.table.phase {
        Phase::Act => Some(game.offers.of(Some(view.hand))),
        Phase::Answer(_) => Some(game.offers.counters_of(view.hand)),
        _ => None,
    }
}
