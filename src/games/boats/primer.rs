//! What the boats have beside base CATAN, in a few sentences for people who sit down for the first time.

use crate::games::boats::game::Boats;
use crate::games::boats::rules::When;
use crate::parts::telling::many;

impl Boats {
    /// How the game goes.
    pub(super) fn told_rules(&self) -> Vec<String> {
        let mut lines = self.island.told_rules(("roads and boats", "a road or a boat"));
        lines.push(
            "Boats are roads over water: a boat lies on an edge beside the sea and goes on from your boats and buildings. \
             Boats and roads join at a building of yours only. Once a turn the last \
             boat of a line may be moved, but not one that was built in this turn."
                .to_owned(),
        );
        lines.push(format!(
            "Islands: your first settlement on each island where you did not start earns a chit of {}.",
            many(self.rules.chit, "point")
        ));
        lines.push(match self.rules.route.when {
            When::EndOfTurn => {
                "The longest trade route counts at the end of each turn, not when it is built."
                    .to_owned()
            }
            When::AtOnce => {
                "The longest trade route counts as soon as it is built, not at the end of the turn."
                    .to_owned()
            }
        });
        let gold = self.rules.gold;
        lines.push(if self.scenario.fog().is_empty() {
            "All hexes of this map are known, so there is no gold.".to_owned()
        } else {
            format!(
                "Unexplored hexes are uncovered by whoever builds up to their corners, which earns {} gold. {} gold buy a \
                 card of your choice.",
                gold.found, gold.price
            )
        });
        lines
    }
}
