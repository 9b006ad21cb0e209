//! A match followed event by event: one seat decides here, and is told what a seat may know. A page, a person or a
//! program of another kind would sit there in the same way.

use anyhow::{Result, anyhow};
use fairhaven::prelude::*;
use std::io::Write;

/// Plays a match of On the Road in seat 2 against two builders: it takes the last action of every list. What the seat
/// is told goes to `out`, a line for each message of `docs/protocol.md`. Returns the match record.
pub fn follow(catalogue: &Catalogue, master: u64, out: &mut dyn Write) -> Result<String> {
    let game = catalogue.game("on-the-road")?;
    let game = game.load(game.default_rules(), 3)?;
    let builder = Some(AgentSpec::parse("builder", None)?);
    let names = ["builder", "the last", "builder"].map(str::to_owned).to_vec();
    let mut open = game.open_match(OpenPlan {
        agents: &[builder.clone(), None, builder],
        header: Header::new(names, None),
        seed: MatchSeed { master, block: 0, match_idx: 0 },
        watch: &Watch::none(),
        wants: vec![Want::Events, Want::Words],
        only: OnlyChoice::Taken,
    })?;
    let here = Seat::new(1); // the second: seats count from 0 here
    while open.advance().map_err(|reason| anyhow!(reason))?.is_some() {
        let told = open.tell(here);
        out.write_all(told.as_bytes())?;
        let asked: serde_json::Value = serde_json::from_str(told.lines().last().unwrap_or("{}"))?;
        let last = asked["legal"].as_array().map_or(0, Vec::len).saturating_sub(1);
        let answer = serde_json::json!({"type": "choose", "id": asked["id"], "index": last});
        open.answer(here, &answer.to_string()).map_err(|reason| anyhow!(reason))?;
    }
    out.write_all(open.tell(here).as_bytes())?;
    Ok(open.record().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seat_is_told_of_the_match_and_the_record_is_lawful() -> Result<()> {
        let (catalogue, mut told) = (Catalogue::standard(), Vec::new());
        let record = follow(&catalogue, 7, &mut told)?;
        let told = String::from_utf8(told)?;
        for kind in ["game", "match", "event", "decide", "over"] {
            assert!(told.contains(&format!("{{\"type\":\"{kind}\"")), "no `{kind}`");
        }
        let checked = catalogue.game("on-the-road")?.check_record(&mut record.as_bytes())?;
        assert_eq!(checked.players, 3);
        // The same match again: it depends on the seed and on what was decided.
        assert_eq!(follow(&catalogue, 7, &mut Vec::new())?, record);
        assert_ne!(follow(&catalogue, 8, &mut Vec::new())?, record);
        Ok(())
    }
}
