//! Levels hold for a table: their files say which, `--certify` goes by it, and who plays them elsewhere is told. Agents
//! that differ in words alone are one.

use crate::support::Place;
use fairhaven::lab::questions::searches::level_file::rules_of;
use fairhaven::lab::report::hash::hash;
use fairhaven::registry::Games;
use fairhaven::sim::agents::strategies::STRATEGIES;
use fairhaven::sim::agents::strategy::Strategy;

/// A level of a rule set that is not the game's own.
const LINE: &str = "levels on-the-road --set points_to_win=4 --set side=b --players 3 --against greedy --agent greedy \
                    --param lapse=0..1 --rates 15 --tolerance 10pp";

fn strategy(text: &str) -> Strategy {
    toml::from_str(text).expect("a strategy")
}

#[test]
fn a_level_says_by_which_rules_it_was_measured_and_is_certified_by_them() {
    let place = Place::new();
    place.done(&format!("{LINE} --out found"));
    let text = place.read("found/level-15.toml");
    let level = strategy(&text).level.expect("a level");
    let manifest = place.manifest("found");
    assert_eq!(level.rules_hash.as_deref(), manifest["rules_hash"].as_str());
    assert_eq!(level.rules.to_string(), "points_to_win = 4\nside = \"b\"\n");
    assert_eq!((level.players, level.against.as_str(), level.iterations), (3, "greedy", Some(0)));
    // Its command finds it again.
    let provenance = strategy(&text).provenance;
    let (command, _) = provenance.split_once(": wins").expect("a command");
    let command = command.strip_prefix("fairhaven ").expect("the program");
    place.done(&format!("{command} --out again"));
    assert_eq!(place.read("again/level-15.toml"), text);
    // By its own rules, whether they are said or not.
    let certify = "levels on-the-road --certify found/level-15.toml";
    place.done(&format!("{certify} --out certified"));
    let certified = place.manifest("certified");
    assert_eq!(certified["rules_hash"], manifest["rules_hash"]);
    place.done(&format!("{certify} --set side=b --set points_to_win=4"));
    let parts = ["by other rules (side=b points_to_win=4)", "than are given (points_to_win=5)"];
    place.refused(&format!("{certify} --set points_to_win=5"), &parts);
    // Of a file that says nothing, nothing is guessed; nor of one whose rules are no longer known.
    let silent: Vec<&str> = text.lines().filter(|line| !line.contains("rules_hash")).collect();
    place.write("silent.toml", silent.join("\n"));
    let rates: Vec<String> = (1..100).map(|rate| rate.to_string()).collect();
    let many = format!("levels on-the-road --against random --rates {}", rates.join(","));
    place.refused(&format!("{many} --out out"), &["--rates: 99 are more than 64"]);
    place.refused("levels on-the-road --certify silent.toml", &["by which rules", "rules_hash"]);
    place.write("other.toml", text.replace("points_to_win = 4", "points_to_win = 6"));
    place.refused("levels on-the-road --certify other.toml", &["not those of this program"]);
    place.refused(&format!("{certify} other.toml"), &["not those of this program"]);
    let plain = "levels/on-the-road/easy --players 3 --against greedy";
    place.refused(&format!("{certify} {plain}"), &["(the game's own) than `found/level-15.toml`"]);
}

#[test]
fn every_level_of_every_game_says_its_rules_and_its_cost() {
    let mut seen = 0;
    for (name, text) in STRATEGIES.iter().filter(|(name, _)| name.starts_with("levels/")) {
        let level = strategy(text).level.expect(name);
        let games = Games::standard();
        let game = games.get(&level.game).expect("a game");
        let rules = rules_of(game, name, &level).expect("rules of this program");
        assert_eq!(level.rules_hash, Some(hash(&rules.to_string())), "{name}");
        assert!(level.iterations.is_some() && level.decision_us.is_some(), "{name}");
        seen += 1;
    }
    assert_eq!(seen, 5 * 9);
}

#[test]
fn who_plays_a_level_at_another_table_is_told() {
    let place = Place::new();
    let note = "Measured at another table";
    for (game, players, other, own) in [
        ("on-the-road", 4, 3, ""),
        ("base", 4, 3, ""),
        ("struggle", 4, 5, ""),
        ("two-player", 2, 2, ""),
        ("boats", 4, 3, ""),
    ] {
        let agents = format!("levels/{game}/easy,levels/{game}/hard");
        let line = |players: u8, more: &str| {
            let others = ",greedy".repeat(usize::from(players) - 2);
            place.done(&format!("simulate {game} --agents {agents}{others} --matches 2 {more}"))
        };
        assert!(!line(players, own).contains(note), "{game}");
        let said = line(players, "--set turns_max=90").replace('\n', " ");
        let both = format!(
            "this one: levels/{game}/easy (with other rules), levels/{game}/hard (with other rules)."
        );
        assert!(said.contains(&both), "{said}");
        if other != players {
            let said = line(other, "").replace('\n', " ");
            assert!(said.contains(&format!("easy (for {players} players)")), "{said}");
        }
    }
    let said = place.done("compare base levels/base/easy levels/base/hard --players 2 --matches 2");
    assert!(said.replace('\n', " ").contains("easy (for 4 players)"), "{said}");
    // A parameter makes another agent of it.
    let other =
        place.done("simulate base --agents levels/base/easy:lapse=0.5 --players 3 --matches 1");
    assert!(!other.contains(note), "{other}");
}

#[test]
fn a_parameter_that_is_named_with_its_default_makes_no_other_agent() {
    let place = Place::new();
    let agents = |place: &Place, line: &str| {
        place.done(&format!("{line} --quiet --out out --force"));
        let manifest = place.manifest("out");
        (manifest["agents"].clone(), manifest["plan"]["matches_of_a_block"].clone())
    };
    for (line, plain) in [
        (
            "simulate on-the-road --matches 8 --agents heuristic:haste=0.27,greedy:lapse=0,heuristic,heuristic:haste=.27",
            "simulate on-the-road --matches 8 --agents heuristic,greedy,heuristic,heuristic",
        ),
        (
            "simulate base --matches 4 --agents heuristic:income=0.05,heuristic:income=.050",
            "simulate base --matches 4 --agents heuristic:income=0.05,heuristic:income=0.05",
        ),
        (
            "tournament on-the-road warlord:lapse=0 builder greedy --players 2 --blocks 2",
            "tournament on-the-road warlord builder greedy --players 2 --blocks 2",
        ),
        (
            "reliability base --matches 2 --players 3 --judges heuristic:fog=1.11",
            "reliability base --matches 2 --players 3 --judges heuristic",
        ),
    ] {
        assert_eq!(agents(&place, line), agents(&place, plain), "{line}");
    }
    for (line, part) in [
        ("tournament on-the-road heuristic heuristic:haste=0.27 greedy --players 2", "named twice"),
        (
            "tournament on-the-road heuristic:haste=.5 heuristic:haste=0.50 --players 2",
            "named twice",
        ),
        (
            "balance on-the-road --choice metropolis --set side=b --levels greedy,greedy:lapse=0",
            "twice",
        ),
        ("bench on-the-road --agents greedy,greedy:temperature=0", "named twice"),
    ] {
        place.refused(line, &[part]);
    }
    let same = place.done("compare on-the-road heuristic heuristic:haste=0.27 --players 2");
    assert!(same.starts_with("A and B are the same agent (heuristic)"), "{same}");
    // A swept value that is the default is the agent itself, in its own row.
    let line =
        "sweep on-the-road --agents heuristic,greedy --param haste --values 0.27,1 --blocks 4";
    place.done(&format!("{line} --quiet --out swept"));
    let swept = place.manifest("swept");
    let plain = place
        .done("simulate on-the-road --agents heuristic,greedy --matches 2 --quiet --out plain");
    assert_eq!(
        (plain.as_str(), &swept["agents"][0]["hash"]),
        ("", &place.manifest("plain")["agents"][0]["hash"])
    );
}

#[test]
fn a_value_may_begin_with_a_minus() {
    let place = Place::new();
    for line in [
        "compare on-the-road greedy builder --players 2 --matches 4 --win0 -3pp --win1 -1pp",
        "compare on-the-road greedy builder --players 2 --matches 4 --elo0 -30 --elo1 -.5",
        "sweep on-the-road --players 2 --param knight_love --values -2..1 --blocks 2",
        "sweep on-the-road --players 2 --param knight_love --values -2..-1 --blocks 2",
        "sweep on-the-road --players 2 --param knight_love --values -.5,0 --blocks 2",
    ] {
        place.done(line);
    }
    for (line, part) in [
        ("simulate on-the-road --matches -4", "`-4` is not a whole number"),
        ("levels on-the-road --rates -5", "-5"),
        ("compare on-the-road greedy builder --until -3pp", "write ci=0.2pp"),
    ] {
        place.refused(line, &[part]);
        let said = place.call(line).err;
        assert!(!said.contains("tip:") && !said.contains("unexpected argument"), "{said}");
    }
}
