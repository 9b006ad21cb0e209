//! What someone may have meant by a name that does not exist.

use std::cmp::Reverse;

/// Names up to this many are all listed in a complaint.
const LISTED_MAX: usize = 12;

/// Similarity (Jaro-Winkler, 0 to 1) from which two names are taken for one, mistyped. `clap` suggests its
/// own flags from 0.7 on, which also calls `cats` a misspelt `cards`.
const SIMILAR: f64 = 0.84;

/// The known name that is nearest to a name, if any is near enough to have been meant: the same except for
/// case, `-` and `_`; its initials (`otr` for `on-the-road`); its last part (`hand_limit` for
/// `robber.hand_limit`); a single slip of the finger; or a similar one. The first of equals.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = plain(name);
    if name.is_empty() {
        return None;
    }
    let ranked = known.into_iter().enumerate();
    let near = ranked.filter_map(|(at, candidate)| {
        let score = likeness(&name, &plain(candidate))?;
        Some((score, Reverse(at), candidate))
    });
    let best = near.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    best.map(|(_, _, candidate)| candidate)
}

/// How similar two names are, above 0.
fn likeness(name: &str, candidate: &str) -> Option<f64> {
    let parts = || candidate.split(['-', '.']).filter(|part| !part.is_empty());
    let initials: String = parts().filter_map(|part| part.chars().next()).collect();
    let last = candidate.rsplit('.').next().unwrap_or_default();
    if name == candidate {
        return Some(4.0);
    }
    if name == last || parts().count() > 1 && name == initials {
        return Some(3.0);
    }
    let (short, long) = (name.chars().count(), candidate.chars().count());
    if short.min(long) >= 3 && strsim::damerau_levenshtein(name, candidate) == 1 {
        return Some(2.0);
    }
    let similar = strsim::jaro_winkler(name, candidate);
    (similar >= SIMILAR && short >= 3).then_some(similar)
}

/// Small letters, and one kind of dash.
fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

/// A complaint about a name that does not exist: `no game `otr`; did you mean `on-the-road`?` with all
/// names if they are few, or if none of them is near.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let complaint = format!("no {what} `{name}`");
    let all = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    match nearest(name, known.iter().copied()) {
        Some(meant) if known.len() > LISTED_MAX => {
            format!("{complaint}; did you mean `{meant}`?")
        }
        Some(meant) => format!("{complaint}; did you mean `{meant}`? There are {all}"),
        None => format!("{complaint}; there are {all}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_found_and_what_was_not_is_left_alone() {
        let names = ["on-the-road", "base", "heuristic", "greedy", "mcts", "seats", "cards"];
        let fields = ["side", "turns_max", "robber.hand_limit", "metropolis.cost"];
        let all = || names.into_iter().chain(fields);
        for (name, meant) in [
            ("otr", Some("on-the-road")),
            ("on_the_road", Some("on-the-road")),
            ("Base", Some("base")),
            ("heuristc", Some("heuristic")),
            ("heuristics", Some("heuristic")),
            ("gredy", Some("greedy")),
            ("mtcs", Some("mcts")),
            ("seat", Some("seats")),
            ("sides", Some("side")),
            ("turns-max", Some("turns_max")),
            ("hand_limit", Some("robber.hand_limit")),
            ("metropolis.costs", Some("metropolis.cost")),
            ("chess", None),
            ("nobody", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, all()), meant, "{name}");
        }
    }

    #[test]
    fn a_short_list_is_always_given_and_a_long_one_if_nothing_is_near() {
        assert_eq!(
            unknown("game", "otr", &["on-the-road", "base"]),
            "no game `otr`; did you mean `on-the-road`? There are on-the-road, base"
        );
        assert_eq!(unknown("game", "go", &["base"]), "no game `go`; there are base");
        assert_eq!(unknown("choice", "side", &[]), "no choice `side`; there are none");
        let many: Vec<String> = (0..40).map(|at| format!("field_{at}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(
            unknown("field", "field_12x", &many),
            "no field `field_12x`; did you mean `field_12`?"
        );
        assert!(unknown("field", "price", &many).ends_with("field_38, field_39"));
    }
}
