//! What the boats have beside base CATAN, in a few sentences for people who sit down for the first time.

use crate::games::boats::game::Boats;
use crate::parts::telling::many;

impl Boats {
    /// How the game goes.
    pub(super) fn told_rules(&self) -> Vec<String> {
        let mut lines = self.island.told_rules();
        lines.push(
            "Boats are roads over water: a boat lies on an edge beside the sea and goes on from your boats and buildings. \
             Boats and roads join at a building of yours only. Where a boat arrives you may settle. Once a turn the last \
             boat of a line may be moved, but not one that was built in this turn."
                .to_owned(),
        );
        lines.push(format!(
            "Islands: your first settlement on each island where you did not start earns a chit of {}. The longest line \
             of roads and boats takes the place of Longest Road.",
            many(self.rules.chit, "point")
        ));
        let gold = self.rules.gold;
        lines.push(format!(
            "Unexplored hexes, if there are any, are uncovered by whoever builds up to their corners, which earns {} gold. \
             {} gold buy a card of your choice.",
            gold.found, gold.price
        ));
        lines
    }
}
