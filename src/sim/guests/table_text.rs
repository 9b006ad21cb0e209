//! The table in words: the board in lines of characters, and what is seen beside it.

use crate::core::wording::{Priced, Wording};
use serde::Serialize;

/// What a seat sees now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Default)]
pub struct TableText {
    /// The board, in lines of characters; nothing for a game without one.
    pub board: Option<String>,
    /// Everything else, a sentence or several a line.
    pub lines: Vec<String>,
    /// What there is to build or buy, whether it can be paid now or not.
    pub prices: Vec<Priced>,
    /// What is asked of whoever is asked: `place a settlement`.
    pub question: String,
}

impl TableText {
    /// What is seen by a view, and the numbers of the places that actions name which the seat may do. Nothing else goes
    /// in.
    pub fn of<G: Wording>(game: &G, view: &G::View<'_>, offered: &[G::Action]) -> TableText {
        TableText {
            board: game.picture(view, offered),
            lines: game.table_words(view),
            prices: game.prices(view),
            question: game.question(view),
        }
    }

    /// The prices in a line, those of one price together; nothing if there are none.
    pub fn price_line(&self) -> Option<String> {
        let mut groups: Vec<(Vec<String>, &str)> = Vec::new();
        for Priced { kind, price, .. } in &self.prices {
            let kind = kind.replace('_', " ");
            match groups.iter_mut().find(|(_, other)| other == price) {
                Some((kinds, _)) => kinds.push(kind),
                None => groups.push((vec![kind], price)),
            }
        }
        let groups: Vec<String> = groups
            .into_iter()
            .map(|(kinds, price)| format!("{} {price}", kinds.join(", ")))
            .collect();
        (!groups.is_empty()).then(|| format!("Prices: {}.", groups.join("; ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_costs_the_same_has_one_price_in_the_line() {
        let priced = |(kind, price): (&'static str, &str)| Priced {
            kind,
            price: price.to_owned(),
            left: None,
        };
        let all =
            [("road", "1 brick"), ("town_hall", "3 wool"), ("city", "3 ore"), ("church", "3 wool")];
        let prices = all.map(priced).to_vec();
        let table = TableText { prices, ..TableText::default() };
        let due = "Prices: road 1 brick; town hall, church 3 wool; city 3 ore.";
        assert_eq!(table.price_line().as_deref(), Some(due));
        assert_eq!(TableText::default().price_line(), None);
    }
}
