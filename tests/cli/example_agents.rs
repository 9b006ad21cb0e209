//! The guests in `examples/agents/` play, wherever agents do, and the same on any number of threads.

use crate::support::{Place, all_cases, some, third};
use std::path::PathBuf;
use std::process::Command;

fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/agents").join(name)
}

/// Whether there is a program of the name. If there is none, what it would have run is printed.
#[allow(clippy::print_stdout, reason = "a test says what it has not run")]
pub fn has(program: &str, what: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|it| it.status.success());
    if !there {
        println!("{what} was not run: no {program}");
    }
    there
}

/// A place with an agent `bot.toml` that is an example; nothing if its language is not there.
fn place_with(name: &str) -> Option<Place> {
    let place = Place::new();
    let file = example(name).to_str().expect("UTF-8").to_owned();
    let command = match name.rsplit_once('.').expect("an ending").1 {
        "py" if has("python3", name) => vec!["python3".to_owned(), file],
        "js" if has("node", name) => vec!["node".to_owned(), file],
        "c" if has("cc", name) => {
            let bot = place.path("bot").to_str().expect("UTF-8").to_owned();
            let strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1"];
            let made = Command::new("cc").args(strict).args(["-o", &bot, &file]).status();
            assert!(made.is_ok_and(|status| status.success()), "{name} compiles");
            vec![bot]
        }
        _ => return None,
    };
    place.write(
        "bot.toml",
        format!(
            "kind = \"exec\"\nabout = \"an example\"\nprovenance = \"examples/agents\"\n\
             [parameters]\ncommand = {command:?}\n"
        ),
    );
    Some(place)
}

/// The rows and digests of matches of the bot among others that choose at random.
fn played(place: &Place, game: &str, threads: u8) -> [Vec<u8>; 2] {
    let out = format!("{game}-{threads}");
    let plan = "--matches 6 --seed 5 --rows csv --quiet";
    let agents = "--agents bot.toml,random,random";
    place.done(&format!("simulate {game} {agents} {plan} --threads {threads} --out {out}"));
    ["matches.csv", "digests.bin"]
        .map(|file| std::fs::read(place.path(&out).join(file)).expect("a file of the run"))
}

#[test]
fn a_check_without_a_game_plays_the_only_one_that_the_bot_knows() {
    let Some(place) = place_with("bot.py") else { return };
    let bot = std::fs::read_to_string(example("bot.py")).expect("an example");
    place.write("only.py", bot.replace("\"matches\": 32", "\"games\": [\"two-player\"]"));
    let only = place.read("bot.toml").replace(example("bot.py").to_str().unwrap(), "only.py");
    place.write("only.toml", only);
    let done = place.done("check-agent only.toml --matches 1");
    assert!(done.contains("two-player") && done.contains("Repeatable:"), "{done}");
}

#[test]
fn each_example_plays_the_same_on_any_number_of_threads() {
    for name in ["bot.py", "bot.js", "bot.c"] {
        let Some(place) = place_with(name) else { continue };
        for game in ["on-the-road", "base"] {
            assert!(played(&place, game, 1) == played(&place, game, 2), "{name}: {game}");
        }
    }
}

/// A bot that plays several matches at once on each of its processes plays what it plays one by one, also where matches
/// are said again from a choice that is forced.
#[test]
fn matches_at_once_are_those_that_are_played_one_by_one() {
    let Some(place) = place_with("bot.py") else { return };
    let bot = std::fs::read_to_string(example("bot.py")).expect("an example");
    assert!(bot.contains("\"matches\": 32"));
    let many_at_once = place.read("bot.toml");
    place.write("alone.py", bot.replace("\"matches\": 32", "\"matches\": 1"));
    let alone = many_at_once.replace(example("bot.py").to_str().unwrap(), "alone.py");
    let short = if all_cases() { "" } else { "--set turns_max=8" };
    for (game, players) in
        some(&[("on-the-road", 3), ("struggle", 4), ("base", 4), ("two-player", 2), ("boats", 3)])
    {
        let line = |bot: &str, out: &str| {
            place.write("bot.toml", bot);
            let agents = format!("bot.toml{}", ",random".repeat(players - 1));
            let plan = format!("--matches {} --seed 5 --rows csv --quiet --threads 3", third(40));
            place.done(&format!("simulate {game} --agents {agents} {plan} {short} --out {out}"));
        };
        let (one, many) = (format!("{game}-1"), format!("{game}-32"));
        line(&alone, &one);
        line(&many_at_once, &many);
        for file in ["matches.csv", "digests.bin"] {
            let [one, many] = [&one, &many]
                .map(|out| std::fs::read(place.path(out).join(file)).expect("a file of the run"));
            assert!(one == many, "{game}: {file}");
        }
    }
    let forced = |bot: &str, out: &str| {
        place.write("bot.toml", bot);
        let question = "balance on-the-road --choice metropolis --set side=b --levels bot.toml";
        place.done(&format!("{question} --blocks {} --seed 2 --quiet --out {out}", third(24)));
        std::fs::read(place.path(out).join("digests.bin")).expect("digests")
    };
    assert!(forced(&alone, "f1") == forced(&many_at_once, "f32"), "forced choices");
}

/// A bot of a few lines with the helper beside it gets what it wants, and may print.
#[test]
fn the_helper_for_python_calls_back_for_each_decision() {
    let Some(place) = place_with("bot.py") else { return };
    std::fs::copy(example("fairhaven_guest.py"), place.path("fairhaven_guest.py")).expect("a copy");
    let bot = "from fairhaven_guest import play\n\
        def choose(question, match):\n\
        \x20   assert question['view']['seat'] == match.seat\n\
        \x20   assert len(question['words']) == len(question['legal'])\n\
        \x20   assert match.events and match.game['game'] == 'on-the-road'\n\
        \x20   print('is no message')\n\
        \x20   at = match.rng.randrange(len(question['legal']))\n\
        \x20   return question['legal'][at] if question['turn'] % 2 else at\n\
        def over(match, outcome):\n\
        \x20   assert len(outcome['points']) == match.game['players']\n\
        play(choose, name='helped', wants=['events', 'view', 'words'], over=over)\n";
    place.write("helped.py", bot);
    let agent = place.read("bot.toml").replace(example("bot.py").to_str().unwrap(), "helped.py");
    place.write("bot.toml", agent);
    let alone = played(&place, "on-the-road", 1);
    assert!(alone == played(&place, "on-the-road", 2));
    place.write("helped.py", bot.replace("over=over", "over=over, matches_at_once=16"));
    assert!(alone == played(&place, "on-the-road", 3), "sixteen matches at once");
}

/// Studies that seat agents seat guests, also where a match is said again for each choice that is forced.
#[test]
fn studies_play_guests() {
    let Some(place) = place_with("bot.py") else { return };
    let balance = "balance on-the-road --choice metropolis --set side=b --levels bot.toml";
    // A seat with each option takes many matches. Two seats do for a search, which plays thousands.
    let (estimands, search) = if all_cases() {
        ("forced,restricted,removed --blocks 6", "--rates 25")
    } else {
        ("forced,removed --blocks 2", "--rates 50 --players 2")
    };
    for line in [
        "compare on-the-road bot.toml random --matches 24",
        "tournament on-the-road bot.toml random greedy heuristic --blocks 2",
        &format!("{balance} --estimands {estimands}"),
        &format!("levels on-the-road --against bot.toml {search} --tolerance 20pp --matches 1k"),
    ] {
        let done = place.call(&format!("{line} --seed 2 --quiet"));
        assert!(
            matches!(done.code, Some(0 | 1)),
            "{line}: {:?}\n{}{}",
            done.code,
            done.out,
            done.err
        );
        assert_eq!(done.err, "", "{line}");
    }
}

/// Where a choice is forced, a match is said again, on any process; who answers otherwise then has failed.
#[test]
fn a_match_that_is_said_again_is_played_the_same_again() {
    let Some(place) = place_with("bot.py") else { return };
    let line = "balance on-the-road --choice metropolis --set side=b --levels bot.toml --blocks 12 \
                --estimands forced --seed 2 --quiet";
    for threads in [1, 2] {
        place.done(&format!("{line} --threads {threads} --out out{threads}"));
    }
    place.same("out1", "out2");
    let bot = std::fs::read_to_string(example("bot.py")).expect("an example");
    let seeded = "random.Random(message[\"seed\"])";
    assert!(bot.contains(seeded));
    place.write("wild.py", bot.replace(seeded, "random.Random()"));
    let agent = place.read("bot.toml").replace(example("bot.py").to_str().unwrap(), "wild.py");
    place.write("bot.toml", agent);
    let done = place.call(line);
    assert_eq!(done.code, Some(5), "{}", done.err);
    assert!(done.err.contains("asked the same again, it answered otherwise"), "{}", done.err);
}

#[test]
fn records_of_guests_are_lawful() {
    let Some(place) = place_with("bot.py") else { return };
    for game in ["on-the-road", "base", "struggle", "two-player", "boats"] {
        let others = if game == "two-player" { "random" } else { "random,random" };
        let plan = format!("--agents bot.toml,{others} --matches 6 --seed 3 --quiet");
        place.done(&format!("simulate {game} {plan} --out {game}"));
        let record = place.done(&format!("replay {game} 0.1 --format jsonl --allow-exec"));
        let done = place.call_with("replay --check -", &record);
        assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{game}: {}", done.out);
    }
}
