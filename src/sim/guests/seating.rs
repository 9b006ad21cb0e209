//! Who sits down with people, from words: levels of a game, and agents by seat. No program and no file is reached here.

use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::agents::strategies::STRATEGIES;
use crate::sim::records::line::PERSON;

/// The opponents if nobody is named.
pub const LEVEL: &str = "medium";

/// Somebody who can't sit down, or has no seat.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadSeating(pub String);

/// The levels of a game, by their short names.
pub fn levels(game: &str) -> Vec<&'static str> {
    let own =
        |name: &'static str| name.strip_prefix("levels/")?.strip_prefix(game)?.strip_prefix('/');
    STRATEGIES.iter().filter_map(|(name, _)| own(name)).collect()
}

/// An opponent's name in full: a level of the game may be named by its short name.
pub fn full_name(game: &str, name: &str) -> String {
    let is_level = levels(game).contains(&name);
    if is_level { format!("levels/{game}/{name}") } else { name.to_owned() }
}

/// The same in short, as people call it.
pub fn short_name<'a>(game: &str, name: &'a str) -> &'a str {
    let level = name.strip_prefix("levels/").and_then(|rest| rest.strip_prefix(game));
    level.and_then(|rest| rest.strip_prefix('/')).unwrap_or(name)
}

/// The names of opponents: one for all other seats, or one for each.
pub fn named(agents: &str) -> Vec<&str> {
    agents.split(',').map(str::trim).collect()
}

/// The seat of a number that somebody has typed.
///
/// # Errors
/// If no table has such a seat.
pub fn seat_of(number: u8) -> Result<Seat, BadSeating> {
    if !(1..=SEATS_MAX).contains(&number.into()) {
        return Err(BadSeating(format!("there is no seat {number}; seats count from 1")));
    }
    Ok(Seat::new(number - 1))
}

/// Who sits where: nobody where people sit, and those who are named in the others, in turn.
///
/// # Errors
/// If they are not so many, or one can't be read or may not play with people.
pub fn seats<E: From<BadSeating>>(
    names: &[&str],
    (persons, players): (&[Seat], u8),
    mut read: impl FnMut(&str) -> Result<AgentSpec, E>,
) -> Result<Vec<Option<AgentSpec>>, E> {
    if let Some(person) = persons.iter().find(|person| person.number() > players) {
        return Err(BadSeating(format!("there is no seat {person} at a table of {players}")).into());
    }
    let others = usize::from(players) - persons.len();
    if names.len() != 1 && names.len() != others {
        let reason = "name one for all of them, or one for each";
        let named = names.len();
        let reason = format!("{named} agents for {others} other seats; {reason}");
        return Err(BadSeating(reason).into());
    }
    let mut names = names.iter().cycle();
    let mut opponent = |seat: Seat| -> Result<Option<AgentSpec>, E> {
        let name = if persons.contains(&seat) { None } else { names.next() };
        let Some(name) = name else { return Ok(None) };
        fit_for_people(read(name)?).map(Some).map_err(E::from)
    };
    Seat::all(players).map(&mut opponent).collect()
}

/// An agent, if it may sit at a table with people.
///
/// # Errors
/// If it sees their cards, or is called as they are.
pub fn fit_for_people(agent: AgentSpec) -> Result<AgentSpec, BadSeating> {
    if agent.is_oracle() {
        let reason = "`oracle` sees all hands, also yours; name another agent";
        return Err(BadSeating(reason.to_owned()));
    }
    if agent.name == PERSON {
        return Err(BadSeating(format!("`{PERSON}` is no agent: people have seats of their own")));
    }
    Ok(agent)
}

/// What records call those who sit in some seats.
pub fn names_of(seats: &[Option<AgentSpec>]) -> Vec<String> {
    let name = |agent: &Option<AgentSpec>| {
        agent.as_ref().map_or(PERSON.to_owned(), |agent| agent.name.clone())
    };
    seats.iter().map(name).collect()
}

/// The seed of the match that comes after one, and how its record begins: the same game, rules and names, the next master
/// seed. Nothing if the record does not say its seed.
pub fn next_match(record: &str) -> Option<(u64, String)> {
    // Quotes within names have a stroke before them, so these words stand nowhere else.
    const SEED: &str = r#""seed":{"master":""#;
    let line = record.lines().next()?;
    let (before, rest) = line.split_once(SEED)?;
    let (seed, after) = rest.split_once('"')?;
    let seed = seed.parse::<u64>().ok()?.wrapping_add(1);
    Some((seed, format!("{before}{SEED}{seed}\"{after}\n")))
}

/// The names by seat in the first line of a record of ours.
///
/// # Errors
/// If it has none.
pub fn recorded_names(record: &str) -> Result<Vec<String>, serde_json::Error> {
    #[derive(serde::Deserialize)]
    struct Names {
        agents: Vec<String>,
    }
    let first = record.lines().next().unwrap_or_default();
    Ok(serde_json::from_str::<Names>(first)?.agents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_is_for_all_others_and_several_are_for_each() {
        let read = |name: &str| {
            AgentSpec::parse(&full_name("base", name), None)
                .map_err(|error| BadSeating(error.to_string()))
        };
        let sit = |agents: &str, seat, players| {
            seats(&named(agents), (&[Seat::new(seat)], players), read).map(|seats| names_of(&seats))
        };
        let easy = "levels/base/easy";
        assert_eq!(sit("easy", 1, 3).unwrap(), [easy, PERSON, easy]);
        assert_eq!(sit("greedy, easy", 0, 3).unwrap(), [PERSON, "greedy", easy]);
        for (agents, seat, players, part) in [
            ("easy,easy", 0, 4, "2 agents for 3 other seats"),
            ("easy", 3, 3, "no seat 4"),
            ("oracle", 0, 4, "sees all hands"),
            ("person", 0, 4, "is no agent"),
        ] {
            let error = sit(agents, seat, players).unwrap_err().to_string();
            assert!(error.contains(part), "{agents}: {error}");
        }
        assert!(seat_of(0).is_err() && seat_of(7).is_err());
        assert_eq!(seat_of(6).unwrap().number(), 6);
    }

    #[test]
    fn the_next_match_differs_in_its_seed_alone() {
        let odd = r#""agents":["\"seed\":{\"master\":\"9\"","person"]"#;
        let line =
            |seed: &str| format!(r#"{{{odd},"seed":{{"master":"{seed}","block":0,"match":0}}}}"#);
        let next = |seed: &str| next_match(&format!("{}\n{{\"chance\":1}}\n", line(seed)));
        assert_eq!(next("7"), Some((8, format!("{}\n", line("8")))));
        assert_eq!(next("18446744073709551615"), Some((0, format!("{}\n", line("0")))));
        assert_eq!(next("x"), None);
        assert_eq!(next_match(""), None);
    }
}
