//! What CATAN for two has beside base CATAN, in a few sentences for people who sit down for the first time.

use crate::games::two_player::game::TwoPlayer;
use crate::parts::telling::many;

impl TwoPlayer {
    /// How the game goes.
    pub(super) fn told_rules(&self) -> Vec<String> {
        let tokens = &self.rules.trade_tokens;
        let mut lines = self.island.told_rules(("roads", "a road"));
        lines.push(
            "For two: you roll twice a turn, and the second roll has another sum. Seats 3 and 4 are neutral: whenever you \
             build a road or a settlement in your turn, you place another one for a neutral player, for nothing."
                .to_owned(),
        );
        lines.push(format!(
            "Trade tokens: a token action costs {}, or {} for whoever shows more points. You may take one a turn, before \
             the rolls too. Forced trade: you draw two cards of the other player unseen and give back any two. Robber \
             home: the robber goes to the desert.",
            tokens.price, tokens.leader_price
        ));
        lines.push(format!(
            "Tokens come from settlements: {} at the desert, {} on the coast. A played knight may be turned in for {}.",
            tokens.desert,
            tokens.coast,
            many(tokens.knight, "token")
        ));
        lines
    }
}
