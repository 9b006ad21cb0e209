//! How On the Road is played, in a few sentences for people who sit down for the first time. The clauses are in the
//! header of the game; the numbers are those of the rule set.

use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::rules::TradeOrder;
use crate::parts::telling::{many, many_by_seat};

impl OnTheRoad {
    /// How the game goes.
    pub(super) fn told_rules(&self) -> Vec<String> {
        let rules = &self.rules;
        let (route, army) = (rules.route, rules.army);
        let [one, two, three, more] = rules.substitution.rates;
        vec![
            format!(
                "Aim: be the first to have {} in your own turn. A settlement is worth 1, a city 2, a metropolis 3. Longest \
                 Route ({} roads or more) is worth {}, Largest Army ({} knights or more) {}; they go to whoever has more.",
                many_by_seat(rules.points_to_win, "point"),
                route.minimum,
                route.points,
                army.minimum,
                army.points
            ),
            format!(
                "Turn: everybody draws a card, and whoever is to move draws more for its cities and metropolises. Then \
                 trade and build as you like{}, and end the turn.",
                match rules.trade.order {
                    TradeOrder::Any => "",
                    TradeOrder::TradeFirst => ", trade first",
                }
            ),
            "Build: only what lies in the row, and metropolises that nobody has. A city is laid on a settlement of yours, a \
             metropolis on a city of yours. What was taken from the row is replaced; \
             five of a kind are, too."
                .to_owned(),
            format!(
                "Roads let you pay with other cards: in one build a turn, several cards of one kind take the place of one \
                 other card; {one} with one road, {two} with two, {three} with three, {more} with four or more."
            ),
            match rules.trade.proposals_max {
                0 => "Trade: none with others.".to_owned(),
                most => format!(
                    "Trade: one a turn. You make an offer, {most} a turn at most; the others accept, refuse or answer with \
                     another trade. Whoever trades with you draws a card for it."
                ),
            },
            format!(
                "A settlement brings an event. Abundance: 2 cards for all who hold neither Longest Route nor Largest Army. \
                 Charity: whoever leads gives a card to somebody with fewer points. Robber: whoever holds more than {} \
                 and one for each knight of its own discards half. Solstice: a card for all, and the events are shuffled. \
                 Subsidy: a card for each settlement.",
                many(rules.robber.hand_limit, "card")
            ),
            "Metropolises draw two cards a turn on side A. On side B they draw one, and when built they draw a card for \
             each road (roads) or knight (knights), or win ties for Largest Army (army) or Longest Route (route)."
                .to_owned(),
        ]
    }
}
