//! What CATAN for two has beside base CATAN, in a few sentences for people who sit down for the first time.

use crate::games::two_player::game::TwoPlayer;
use crate::parts::telling::many;

const FORCED_TRADE: &str =
    " Forced trade: you draw two cards of the other player unseen and give back any two.";
const ROBBER_HOME: &str = " Robber home: the robber goes to the desert.";

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
        if tokens.forced_trade || tokens.robber_home {
            lines.push(format!(
                "Trade tokens: a token action costs {}, or {} for whoever shows more points. You may take one a turn, \
                 before the rolls too.{}{}",
                tokens.price,
                tokens.leader_price,
                if tokens.forced_trade { FORCED_TRADE } else { "" },
                if tokens.robber_home { ROBBER_HOME } else { "" }
            ));
        }
        lines.push(format!(
            "Tokens come from settlements: {} at the desert, {} on the coast. A played knight may be turned in for {}.",
            tokens.desert,
            tokens.coast,
            many(tokens.knight, "token")
        ));
        lines
    }
}
