//! The single steps from a rule set: each field a little more, a little less, or another word. Steps that
//! can't be played with, or that a table never reads, are among them; the caller asks the game.

use crate::core::game::{Field, Steps};
use crate::core::resources::Resource;
use toml::{Table, Value};

/// One change of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Dotted path of the field.
    pub field: &'static str,
    /// The change as `--set` takes it, such as `metropolis.cost.wool=4`.
    pub change: String,
    /// `up`, `down` or `other`.
    pub direction: &'static str,
}

/// All single steps from the present values, in the order of the fields; `only_open` leaves out the fields
/// that the rules' text settles. No number goes below 0.
pub fn steps(fields: &[Field], rules: &Table, only_open: bool) -> Vec<Step> {
    let wanted = fields.iter().filter(|field| field.open || !only_open);
    wanted.flat_map(|field| steps_of(field, rules)).collect()
}

fn steps_of(field: &Field, rules: &Table) -> Vec<Step> {
    let Some(value) = field.value_in(rules) else { return Vec::new() };
    match (field.steps, value) {
        (Steps::Whole(..) | Steps::BySeat(..), Value::Integer(number)) => whole(*number)
            .map(|(direction, number)| step(field, direction, format!("{}={number}", field.path)))
            .collect(),
        (Steps::Words(words) | Steps::File(words), Value::String(word)) => {
            other(field, words, word)
        }
        (Steps::Flag, Value::Boolean(flag)) => {
            vec![step(field, "other", format!("{}={}", field.path, !flag))]
        }
        (Steps::Price(_), Value::Table(price)) => priced(field, price),
        (Steps::List(..) | Steps::BySeat(..), Value::Array(entries)) => listed(field, entries),
        _ => Vec::new(),
    }
}

fn step(field: &Field, direction: &'static str, change: String) -> Step {
    Step { field: field.path, change, direction }
}

fn whole(number: i64) -> impl Iterator<Item = (&'static str, i64)> {
    let down = number.checked_sub(1).filter(|&less| less >= 0);
    [("up", number.checked_add(1)), ("down", down)]
        .into_iter()
        .filter_map(|(direction, number)| Some((direction, number?)))
}

fn other(field: &Field, words: &[&str], now: &str) -> Vec<Step> {
    let others = words.iter().filter(|&&word| word != now);
    others.map(|word| step(field, "other", format!("{}={word}", field.path))).collect()
}

fn priced(field: &Field, price: &Table) -> Vec<Step> {
    let mut steps = Vec::new();
    for kind in Resource::ALL {
        let cards = price.get(kind.name()).and_then(Value::as_integer).unwrap_or(0);
        for (direction, cards) in whole(cards).filter(|_| cards > 0) {
            steps.push(step(field, direction, format!("{}.{kind}={cards}", field.path)));
        }
    }
    steps
}

fn listed(field: &Field, entries: &[Value]) -> Vec<Step> {
    let mut steps = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        for (direction, number) in entry.as_integer().into_iter().flat_map(whole) {
            let mut changed = entries.to_vec();
            changed[at] = Value::Integer(number);
            let change = format!("{}={}", field.path, Value::Array(changed));
            steps.push(step(field, direction, change));
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::game::Game;
    use crate::games::on_the_road::OnTheRoad;
    use crate::games::on_the_road::rules::Rules;

    fn default_rules() -> Table {
        Table::try_from(Rules::default()).unwrap()
    }

    fn changes(steps: &[Step], field: &str) -> Vec<(String, &'static str)> {
        let of = steps.iter().filter(|step| step.field == field);
        of.map(|step| (step.change.clone(), step.direction)).collect()
    }

    #[test]
    fn each_kind_of_field_has_its_steps() {
        let steps = steps(OnTheRoad::FIELDS, &default_rules(), false);
        let check = |field: &str, expected: &[(&str, &str)]| {
            let found = changes(&steps, field);
            let found: Vec<(&str, &str)> = found.iter().map(|(c, d)| (c.as_str(), *d)).collect();
            assert_eq!(found, expected, "{field}");
        };
        check("points_to_win", &[("points_to_win=8", "up"), ("points_to_win=6", "down")]);
        check("trade.order", &[("trade.order=trade_first", "other")]);
        check("side", &[("side=b", "other"), ("side=mixed", "other")]);
        check("trade.bluff", &[("trade.bluff=true", "other")]);
        check(
            "metropolis.cost",
            &[
                ("metropolis.cost.wool=4", "up"),
                ("metropolis.cost.wool=2", "down"),
                ("metropolis.cost.ore=2", "up"),
                ("metropolis.cost.ore=0", "down"),
            ],
        );
        check("metropolis.roads.extra", &[]);
        let rates = changes(&steps, "substitution.rates");
        assert_eq!(rates.len(), 8);
        assert_eq!(rates[6], ("substitution.rates=[4, 3, 2, 2]".to_owned(), "up"));
    }

    #[test]
    fn steps_come_in_field_order_and_only_open_ones_if_asked() {
        let all = steps(OnTheRoad::FIELDS, &default_rules(), false);
        let open = steps(OnTheRoad::FIELDS, &default_rules(), true);
        let place = |step: &Step| OnTheRoad::FIELDS.iter().position(|f| f.path == step.field);
        assert!(all.is_sorted_by_key(place));
        let is_open = |step: &&Step| OnTheRoad::FIELDS[place(step).unwrap()].open;
        assert_eq!(open, all.iter().filter(is_open).cloned().collect::<Vec<_>>());
        assert!(changes(&open, "points_to_win").is_empty());
        assert!(!changes(&open, "metropolis.cost").is_empty());
    }

    #[test]
    fn nothing_goes_below_zero_and_strange_rules_have_no_steps() {
        let mut rules = default_rules();
        rules["hand_start"] = Value::Integer(0);
        rules["points_to_win"] = Value::Integer(i64::MAX);
        rules["trade"] = Value::Integer(1);
        let steps = steps(OnTheRoad::FIELDS, &rules, false);
        assert_eq!(changes(&steps, "hand_start"), [("hand_start=1".to_owned(), "up")]);
        assert_eq!(changes(&steps, "points_to_win").len(), 1);
        assert!(changes(&steps, "trade.bluff").is_empty());
        assert!(super::steps(OnTheRoad::FIELDS, &Table::new(), false).is_empty());
    }
}
