//! An agent of On the Road. It reads what its seat may know, and points at an entry of the legal list.

use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::action::Action;
use fairhaven::games::on_the_road::cards::Card;
use fairhaven::prelude::*;

/// Builds what it can, cards of one kind first; refuses every trade.
pub struct Colonel {
    first: Card,
}

impl Colonel {
    /// Named `colonel`, or with a card to build first, `colonel:first=city`.
    pub fn kind() -> AddedAgent<OnTheRoad> {
        AddedAgent::new("colonel", "builds what it can, knights first", |_, parameters| {
            let mut first = Card::Knight;
            for (name, value) in parameters {
                let card = Card::ALL.into_iter().find(|card| value.as_str() == Some(card.name()));
                match (name.as_str(), card) {
                    ("first", Some(card)) => first = card,
                    ("first", None) => return Err(format!("no card is called {value}")),
                    _ => return Err(format!("no parameter `{name}`; there is `first`")),
                }
            }
            Ok(Box::new(Colonel { first }))
        })
    }
}

impl Agent<OnTheRoad> for Colonel {
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::NoOffers // it never proposes, so it needn't read proposals
    }

    fn choose(
        &mut self,
        _seen: &Observation<'_, OnTheRoad>,
        legal: &mut Actions<Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        let built = |action: &Action| match *action {
            Action::Build { card, .. } => Some(card),
            _ => None,
        };
        let first = legal.iter().position(|action| built(action) == Some(self.first));
        let any = legal.iter().position(|action| built(action).is_some());
        // The first entry ends the turn, refuses a trade, or gives up any card.
        first.or(any).unwrap_or(0)
    }
}
