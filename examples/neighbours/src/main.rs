//! Fairhaven with an agent and a study of one's own. `neighbours study DIR` plays the study, and `neighbours follow SEED`
//! a match in which one seat is told what happens; every other command is Fairhaven's, and knows both: `neighbours compare on-the-road colonel builder`, `neighbours verify DIR`.

mod colonel;
mod follow;
mod study;

use anyhow::Result;
use colonel::Colonel;
use fairhaven::cli::clock;
use fairhaven::cli::commands::program::program;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::lab::run::job;
use fairhaven::prelude::*;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use study::{NEIGHBOURS, Neighbours};

/// The host of the study: a clock, and nobody who stops it.
struct Clock;

impl Host for Clock {
    fn now(&self) -> Duration {
        clock::now()
    }
}

/// What Fairhaven has, and what is added here.
fn catalogue() -> Catalogue {
    Catalogue::standard()
        .with_game(GameEntry::<OnTheRoad>::new().with_agent(Colonel::kind()))
        .with_study(NEIGHBOURS)
}

/// Does a colonel do better far behind a builder?
fn play(out: &Path, blocks: u64) -> Result<Finished> {
    let catalogue = catalogue();
    let game = catalogue.game("on-the-road")?;
    let game = game.load(game.default_rules(), 4)?;
    let mut agents = Vec::new();
    for name in ["colonel", "builder", "random"] {
        agents.push(game.settled(&AgentSpec::parse(name, None)?)?);
    }
    let settings = Settings { seed: 7, out: Some(out.to_owned()), ..Settings::default() };
    let caller = Caller {
        catalogue: &catalogue,
        watch: Watch::new(Clock),
        progress: &mut (),
        save_every: Duration::from_secs(5),
        command: std::env::args().collect(),
    };
    job::start(&*game, Neighbours::design(agents, 4, blocks), &settings, caller)
}

/// The answer with its table, as the program prints it.
fn said(finished: &Finished) -> String {
    let answer = finished.asked.answer(&finished.manifest, &finished.tables);
    let sentences = answer.sentences.iter().map(|sentence| sentence.text.as_str());
    format!("{}\n\n{}", sentences.collect::<Vec<_>>().join(" "), answer.grid.render(Style::Text))
}

/// What a seat is told of a match.
fn followed(seed: &str) -> Result<String> {
    let mut told = Vec::new();
    follow::follow(&catalogue(), seed.parse()?, &mut told)?;
    Ok(String::from_utf8(told)?)
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["study", out] => play(Path::new(out), 1000).map(|finished| said(&finished)),
        ["follow", seed] => followed(seed),
        _ => return program(catalogue()),
    };
    let (text, code) = match done {
        Ok(text) => (text, ExitCode::SUCCESS),
        Err(error) => (format!("{error:#}\n"), ExitCode::FAILURE),
    };
    let _ = std::io::stdout().write_all(text.as_bytes());
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairhaven::lab::read::verify::{Sample, verify};
    use fairhaven::lab::run::existing;

    /// What the library does with its own studies, it does with this one.
    #[test]
    fn a_study_from_outside_is_played_read_and_verified() -> Result<()> {
        let place = tempfile::tempdir()?;
        let out = place.path().join("out");
        let finished = play(&out, 40)?;
        assert_eq!(finished.manifest.played.matches, 40 * 3 * 4);
        assert!(said(&finished).starts_with("colonel won most often"));
        let catalogue = catalogue();
        let again =
            existing::analyze(&catalogue, &out, &["neighbours.win_rate.min > 0".to_owned()])?;
        assert_eq!(again.tables, finished.tables);
        let verified = verify(&catalogue, &out, Sample { blocks: 40, seed: 1 }, &Watch::none())?;
        assert_eq!((verified.faults.len(), verified.blocks), (0, 40));
        // The library alone knows neither the study nor the agent.
        let error = existing::analyze(&Catalogue::standard(), &out, &[]).map(|_| ()).unwrap_err();
        assert!(format!("{error:#}").contains("no study `neighbours`"), "{error:#}");
        Ok(())
    }

    #[test]
    fn an_agent_from_outside_has_parameters() {
        let catalogue = catalogue();
        let game = catalogue.game("on-the-road").expect("a game");
        let game = game.load(game.default_rules(), 3).expect("the default rules");
        let check = |name: &str| game.check_agents(&[AgentSpec::parse(name, None).expect("words")]);
        assert!(check("colonel").is_ok() && check("colonel:first=city").is_ok());
        for (name, part) in
            [("colonel:first=castle", "no card"), ("colonel:last=city", "no parameter `last`")]
        {
            let error = check(name).expect_err("no such agent").to_string();
            assert!(error.contains(part), "{error}");
        }
        assert!(check("kolonel").expect_err("no such agent").to_string().contains("colonel"));
    }
}
