//! What the header of a game marks with a dagger (†), and what the fields of its rule set say of it. Not a test.

use crate::core::game::Field;

/// Where a header and the fields differ: what is named here is looked at one by one.
#[derive(Debug, PartialEq, Eq)]
pub struct Daggers {
    /// Fields that are open, though no clause of theirs bears a dagger.
    pub open_without: Vec<&'static str>,
    /// Fields that are not open, though a clause of theirs bears one.
    pub printed_with: Vec<&'static str>,
    /// Clauses with a dagger and without an open field.
    pub no_field: Vec<&'static str>,
}

impl Daggers {
    /// Compares a header with the fields of its clauses; those of another header's clauses are left out.
    pub fn of(header: &'static str, fields: &'static [Field]) -> Daggers {
        let clauses = clauses(header);
        assert!(clauses.len() > 10, "a header with clauses");
        let mut found =
            Daggers { open_without: Vec::new(), printed_with: Vec::new(), no_field: Vec::new() };
        for field in fields {
            let own = |clause: &str| clauses.iter().find(|known| known.0 == clause);
            let named: Vec<_> = field.clause.split(", ").filter_map(own).collect();
            let marked = named.iter().any(|clause| clause.1);
            match (field.open, marked) {
                _ if named.is_empty() => {}
                (true, false) => found.open_without.push(field.path),
                (false, true) => found.printed_with.push(field.path),
                _ => {}
            }
        }
        let is_open =
            |clause| fields.iter().any(|f| f.open && f.clause.split(", ").any(|of| of == clause));
        let marked = clauses.iter().filter(|clause| clause.1).map(|clause| clause.0);
        found.no_field = marked.filter(|&clause| !is_open(clause)).collect();
        found
    }
}

/// The clauses of a header, in order, each with whether it bears a dagger: in its text, or in the heading above it.
fn clauses(header: &str) -> Vec<(&str, bool)> {
    let lines = header.lines().map_while(|line| line.strip_prefix("//!"));
    let rules = lines.skip_while(|line| line.trim() != "# Rules").skip(1);
    let mut clauses: Vec<(&str, bool)> = Vec::new();
    let (mut below_heading, mut in_clause) = (false, false);
    for line in rules.take_while(|line| !line.starts_with(" # ")) {
        let dagger = line.contains('†');
        let begun = line.strip_prefix(" - **").and_then(|line| line.split_once("**"));
        if let Some((clause, _)) = begun {
            clauses.push((clause, dagger || below_heading));
            in_clause = true;
        } else if in_clause && line.starts_with("   ") {
            let clause = clauses.last_mut().expect("a clause that goes on");
            clause.1 |= dagger;
        } else {
            (below_heading, in_clause) = (dagger, false);
        }
    }
    clauses
}
