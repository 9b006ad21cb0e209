//! Programs outside at our tables: what they are told, and what becomes of those that misbehave.

use crate::support::{Done, Place, all_cases, length, some, third, wait_until};
use std::process::Command;

/// A program in the shell's language that chooses the first action; `special` comes before what it usually does.
pub fn bot(special: &str) -> String {
    format!(
        r#"asked=0
while IFS= read -r line; do
  case $line in *'"type":"decide"'*)
    asked=$((asked + 1)); id=${{line#*\"id\":}}; id=${{id%%,*}};;
  esac
  {special}
  case $line in
    *'"type":"hello"'*) echo '{{"type":"ready","protocol":1,"name":"shell","list":"plain"}}';;
    *'"type":"decide"'*) echo "{{\"type\":\"choose\",\"id\":$id,\"index\":0}}";;
    *'"type":"bye"'*) exit 0;;
  esac
done
"#
    )
}

/// A place with a bot, which is given half a second for a decision.
pub fn place_with(program: &str) -> Place {
    let place = Place::new();
    place.write("bot.sh", program);
    let agent = "kind = \"exec\"\nabout = \"a bot\"\nprovenance = \"a test\"\n[parameters]\n\
                 command = [\"sh\", \"bot.sh\"]\nstart_ms = 1500\ndecision_ms = 500\n";
    place.write("bot.toml", agent);
    place
}

/// The same with time for long lists, which a shell reads byte by byte.
pub fn patient_place_with(program: &str) -> Place {
    let place = place_with(program);
    let file = place.read("bot.toml").replace("decision_ms = 500", "decision_ms = 20000");
    place.write("bot.toml", file);
    place
}

const LINE: &str =
    "simulate on-the-road --agents bot.toml,random,random --matches 6 --seed 3 --threads 2";

/// Processes that were started in a place and are still there. One that is killed needs a moment to be gone.
pub fn left_in(place: &Place) -> String {
    for _ in 0..500 {
        if processes_of(place).is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    processes_of(place)
}

fn processes_of(place: &Place) -> String {
    let root = place.root().canonicalize().expect("a directory");
    let all = std::fs::read_dir("/proc").expect("processes");
    let here = all.flatten().filter(|entry| {
        let cwd = std::fs::read_link(entry.path().join("cwd"));
        cwd.is_ok_and(|cwd| cwd == root)
    });
    let name = |entry: std::fs::DirEntry| {
        std::fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default()
    };
    here.map(name).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_program_plays_to_the_end_and_is_gone() {
    let place = place_with(&bot(""));
    let done = place.call(LINE);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{}", done.out);
    assert!(done.out.contains("bot.toml"), "{}", done.out);
    assert_eq!(left_in(&place), "");
}

#[test]
fn a_guest_has_time_for_a_match_and_its_time_is_noted() {
    let place = place_with(&bot("case $line in *decide*) sleep 0.1;; esac"));
    let file = place.read("bot.toml") + "bank_ms = 350\n";
    place.write("bot.toml", file);
    let done = place.call(LINE);
    assert_eq!(done.code, Some(5), "{}{}", done.out, done.err);
    assert!(done.err.contains("ms of 350 ms (`bank_ms`)"), "{}", done.err);
    let place = place_with(&bot(""));
    place.done(&format!("{LINE} --quiet --out out"));
    let thinking = &place.manifest("out")["wall"]["thinking_s"];
    assert!(thinking[0].as_f64().is_some_and(|seconds| seconds > 0.0), "{thinking}");
    assert_eq!(thinking[1], 0.0, "of agents inside that don't search");
}

#[test]
fn a_failure_is_named_and_ends_the_run() {
    for (what, special, part) in some(&[
        ("is never ready", "case $line in *hello*) sleep 60;; esac", "it is silent for 1500 ms"),
        (
            "is silent when asked",
            "case $line in *decide*) continue;; esac",
            "it is silent for 500 ms",
        ),
        ("answers too late", "case $line in *decide*) sleep 5;; esac", "it is silent for 500 ms"),
        (
            "answers another question",
            r#"case $line in *decide*) echo '{"type":"choose","id":0,"index":0}'; continue;; esac"#,
            "after answers to other questions (1)",
        ),
        (
            "points beyond the list",
            r#"case $line in *decide*) echo "{\"type\":\"choose\",\"id\":$id,\"index\":99999}"; continue;; esac"#,
            "it chose entry 99999 of a list of",
        ),
        (
            "breaks the rules",
            r#"case $line in *decide*) echo "{\"type\":\"choose\",\"id\":$id,\"action\":{\"do\":\"give\",\"card\":\"ore\",\"to\":2}}"; continue;; esac"#,
            "its action is illegal: ",
        ),
        (
            "says nonsense",
            "case $line in *decide*) echo nonsense; continue;; esac",
            "can't be read",
        ),
        (
            "says something else",
            r#"case $line in *decide*) echo '{"type":"ready","protocol":1,"name":"x"}'; continue;; esac"#,
            "it sent `ready` where a choice was due",
        ),
        (
            "writes without end",
            "case $line in *decide*) yes | tr -d '\\n' | head -c 3000000; continue;; esac",
            "its line is longer than 1048576 bytes",
        ),
        ("dies", "[ $asked -lt 100 ] || exit 7", "it has ended (exit status: 7)"),
        (
            "is of another time",
            r#"case $line in *hello*) echo '{"type":"ready","protocol":2,"name":"x"}'; continue;; esac"#,
            "version 2 of the protocol",
        ),
        (
            "plays another game",
            r#"case $line in *hello*) echo '{"type":"ready","protocol":1,"name":"x","games":["base"]}'; continue;; esac"#,
            "it plays base, not on-the-road",
        ),
    ]) {
        let place = place_with(&bot(special));
        let done = place.call(LINE);
        assert_eq!(done.code, Some(5), "{what}: {}{}", done.out, done.err);
        assert!(done.err.contains(part), "{what}: {}", done.err);
        assert!(
            done.err.contains("the guest `sh bot.sh` failed in match ")
                || done.err.contains("the guest `sh bot.sh` failed when it was greeted: "),
            "{what}: {}",
            done.err
        );
        assert_eq!(left_in(&place), "", "{what}");
    }
}

/// Of a program that plays several matches at once, a failure is that of one of them, and ends the run like any.
#[test]
fn a_failure_among_matches_at_once_is_named() {
    for (what, special, part) in [
        ("is silent", "[ $asked -lt 60 ] || continue", "it is silent for"),
        ("dies", "[ $asked -lt 60 ] || exit 7", "it has ended (exit status: 7)"),
        ("says nonsense", "[ $asked -lt 60 ] || { echo nonsense; continue; }", "can't be read"),
        (
            "points beyond the list",
            r#"[ $asked -lt 60 ] || { echo "{\"type\":\"choose\",\"id\":$id,\"index\":99999}"; continue; }"#,
            "it chose entry 99999 of a list of",
        ),
    ] {
        let place =
            place_with(&bot(special).replace(r#""list":"plain""#, r#""list":"plain","matches":8"#));
        let done = place.call(&LINE.replace("--matches 6", "--matches 60"));
        assert_eq!(done.code, Some(5), "{what}: {}{}", done.out, done.err);
        assert!(done.err.contains(part), "{what}: {}", done.err);
        assert!(done.err.contains("failed in match "), "{what}: {}", done.err);
        assert_eq!(left_in(&place), "", "{what}");
    }
}

#[test]
fn bad_manners_harm_nobody() {
    for (what, special) in some(&[
        ("stays when told to go", "case $line in *bye*) trap '' TERM; sleep 60;; esac"),
        ("floods standard error", "head -c 100000 /dev/zero >&2"),
        (
            "answers before it is asked",
            r#"case $line in *'"match"'*) echo '{"type":"choose","id":1,"index":0}';; esac"#,
        ),
        ("has a child that holds its pipes", "[ $asked -ne 3 ] || (sleep 60) <&0 &"),
        (
            "answers twice",
            r#"case $line in *decide*) echo "{\"type\":\"choose\",\"id\":$id,\"index\":0}";; esac"#,
        ),
        ("leaves a child behind", "[ $asked -ne 3 ] || sleep 60 &"),
    ]) {
        let place = place_with(&bot(special));
        let done = place.call(LINE);
        assert_eq!(done.code, Some(0), "{what}: {}{}", done.out, done.err);
        assert_eq!(left_in(&place), "", "{what}");
    }
}

/// Kills the program while a guest plays: nothing of it stays behind.
#[test]
fn a_kill_ends_the_guests_too() {
    let place = place_with(&bot("touch asked; trap '' TERM HUP PIPE"));
    let mut child = place.start(&LINE.replace("--matches 6", "--matches 100k"));
    crate::support::wait_until(&mut child, || place.path("asked").exists());
    let id = child.id().to_string();
    Done::of(Command::new("kill").args(["-KILL", &id]));
    child.wait().expect("a child");
    assert_eq!(left_in(&place), "");
}

#[test]
fn what_a_run_names_is_started_only_if_that_is_allowed() {
    let place = place_with(&bot("touch started"));
    let done = place.call(&format!("{LINE} --out out"));
    assert_eq!(done.code, Some(0), "{}", done.err);
    std::fs::remove_file(place.path("started")).expect("it was started");
    for line in ["verify out", "replay out 0.0"] {
        let done = place.call(line);
        assert!(done.err.contains("--allow-exec"), "{line}: {}{}", done.out, done.err);
        assert_ne!(done.code, Some(0), "{line}");
        assert!(!place.path("started").exists(), "{line}");
        let done = place.call(&format!("{line} --allow-exec"));
        assert_eq!(done.code, Some(0), "{line}: {}{}", done.out, done.err);
        std::fs::remove_file(place.path("started")).expect("it was started");
    }
}

/// New agents may be named beside a program, and are played; one that the earlier run alone names is not started.
#[test]
fn who_joins_a_tournament_does_not_start_the_programs_of_others() {
    let place = place_with(&bot("touch started"));
    let done = place
        .call("tournament on-the-road bot.toml random builder --players 3 --blocks 2 --out old");
    assert_eq!(done.code, Some(0), "{}", done.err);
    std::fs::remove_file(place.path("started")).expect("it was started");
    let line = "tournament on-the-road --onto old --add greedy --out new";
    let done = place.call(line);
    assert_eq!(done.code, Some(5), "{}{}", done.out, done.err);
    assert!(done.err.contains("--allow-exec") && !place.path("started").exists(), "{}", done.err);
    let done = place.call(&format!("{line} --allow-exec --force"));
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
}

/// A program that was changed is another agent: a run can't go on with it.
#[test]
fn a_program_that_was_changed_does_not_go_on_with_a_run() {
    let place = place_with(&bot(""));
    let done = place.call(&format!("{LINE} --out out"));
    assert_eq!(done.code, Some(0), "{}", done.err);
    place.write("bot.sh", bot("true"));
    let done = place.call("verify out --allow-exec");
    assert_eq!(done.code, Some(5), "{}{}", done.out, done.err);
    assert!(done.err.contains("`bot.sh` is not what it was"), "{}", done.err);
}

/// What a run says of each match: its rows, in which an agent has another name, and its digests. Those of a search
/// count iterations, which no guest reports.
fn played(place: &Place, out: &str, named: &str) -> (String, Vec<u8>) {
    let digests = place.path(&format!("{out}/digests.bin"));
    let digests = std::fs::read(digests).expect("a file of the run");
    let rows = place.read(&format!("{out}/matches.csv")).replace(named, "us");
    (rows, digests)
}

/// One of our agents as a guest plays byte for byte what it plays inside, on any number of threads.
#[test]
fn an_agent_plays_the_same_inside_and_as_a_guest() {
    let short = if all_cases() { "" } else { "--set turns_max=24" };
    for (game, agent, players, matches) in some(&[
        ("on-the-road", "heuristic", 3, 30),
        ("struggle", "heuristic", 3, 15),
        ("base", "heuristic", 4, 8),
        ("two-player", "heuristic", 2, 12),
        ("boats", "heuristic", 3, 6),
        ("on-the-road", "mcts:iterations=20", 3, 3),
        ("base", "mcts:iterations=10", 3, 3),
        ("on-the-road", "builder", 4, 40),
        ("boats", "greedy:lapse=0.2", 4, 12),
    ]) {
        let place = Place::new();
        as_a_guest(&place, game, agent);
        let others = ",random".repeat(players - 1);
        let line = |agent: &str, rest: &str| {
            let plan = format!("--matches {} --seed 11 --rows csv --quiet {short}", third(matches));
            format!("simulate {game} --agents {agent}{others} {plan} {rest}")
        };
        let inside = place.call(&line(agent, "--out inside"));
        assert_eq!(inside.code, Some(0), "{game}: {}", inside.err);
        for threads in some(&[2, 1, 5]) {
            let out = format!("out{threads}");
            let done = place.call(&line("us.toml", &format!("--out {out} --threads {threads}")));
            assert_eq!(done.code, Some(0), "{game} {agent}: {}", done.err);
            let (rows, digests) = played(&place, &out, "us.toml");
            let due = played(&place, "inside", agent);
            assert!(rows == due.0, "{game} {agent}: {threads}");
            assert!(agent.starts_with("mcts") || digests == due.1, "{game} {agent}: {threads}");
        }
        assert_eq!(left_in(&place), "");
    }
}

#[test]
fn a_check_tells_who_can_be_asked_again() {
    let counts = r#"case $line in *'"type":"decide"'*'},{'*)
        echo "{\"type\":\"choose\",\"id\":$id,\"index\":$((asked % 2))}"; continue;;
      esac"#;
    // One of several processes: each that stays takes two seconds. The first two are told to go between the matches.
    let stays = "case $line in *bye*)
        mkdir one 2>&- || mkdir two 2>&- || { mkdir three 2>&- && sleep 60; };;
      esac";
    for (special, code, parts) in some(&[
        (counts, 1, ["FAIL again on the same process:", "Not repeatable:"]),
        ("", 0, ["ok   on two processes at once: the same matches", "Repeatable:"]),
        (stays, 1, ["FAIL ends when it is told to: no", "does not keep the protocol"]),
    ]) {
        let place = patient_place_with(&bot(special));
        // CATAN for two has one table size.
        let plan = if special == stays {
            "two-player --matches 2 --set turns_max=9"
        } else {
            "on-the-road --matches 3 --set turns_max=30"
        };
        let done = place.call(&format!("check-agent bot.toml --game {plan}"));
        assert_eq!(done.code, Some(code), "{special}: {}{}", done.out, done.err);
        for part in parts {
            assert!(done.out.contains(part), "{special}: {}", done.out);
        }
        assert_eq!(left_in(&place), "", "{special}");
    }
    let place = place_with(&bot("[ $asked -lt 9 ] || exit 1"));
    let done = place.call("check-agent bot.toml --game on-the-road --matches 3 --format json");
    assert_eq!(done.code, Some(5), "{}{}", done.out, done.err);
    let report: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!((&report["passed"], &report["said"]["name"]), (&false.into(), &"shell".into()));
}

#[test]
fn a_run_says_whether_its_guests_were_checked() {
    let place = patient_place_with(&bot(""));
    let line = LINE.replace("--threads 2", "--out");
    let done = place.done(&format!("{line} unchecked"));
    assert!(done.contains("Not checked by `fairhaven check-agent`: bot.toml"), "{}", done);
    let entry = place.manifest("unchecked")["agents"][0].clone();
    assert_eq!((&entry["said"]["name"], &entry["checked"]), (&"shell".into(), &().into()));
    place.done(
        "check-agent bot.toml --game on-the-road --matches 4 --set turns_max=9 --out checked.toml",
    );
    let line = line.replace("bot.toml", "checked.toml");
    let done = place.done(&format!("{line} checked"));
    assert!(!done.contains("Not checked"), "{}", done);
    let found = place.manifest("checked")["agents"][0]["checked"].clone();
    assert_eq!((&found["passed"], &found["repeatable"]), (&true.into(), &true.into()));
    assert_eq!(found["tables"].as_array().map(Vec::len), Some(3), "{found}");
    place.refused("check-agent bot.toml --out checked.toml", &["is there already; add --force"]);
    place.write("bot.sh", bot("case $line in *decide*) : ;; esac"));
    let done = place.done(&format!("{line} changed"));
    assert!(done.contains("Not checked"), "what was found holds for other files: {done}");
}

#[test]
fn a_guest_that_answers_otherwise_marks_the_run() {
    let counts = r#"case $line in *'"type":"decide"'*'},{'*)
        echo "{\"type\":\"choose\",\"id\":$id,\"index\":$((asked % 2))}"; continue;;
      esac"#;
    let place = patient_place_with(&bot(counts));
    let check =
        "check-agent bot.toml --game on-the-road --matches 4 --set turns_max=9 --out checked.toml";
    let done = place.call(check);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    for part in
        ["such as block ", ", asked {\"type\":\"decide\"", "\n       and then {\"type\":\"choose\""]
    {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    // By rules that list as many offers as there can be.
    assert!(
        done.out.contains("as many offers as can be listed: the match differs, up to 715 "),
        "{}",
        done.out
    );
    let line = LINE.replace("bot.toml", "checked.toml");
    let done = place.done(&format!("{line} --out out"));
    assert!(done.contains("Not reproducible: asked again, checked.toml answers otherwise"));
    assert_eq!(place.manifest("out")["agents"][0]["reproducible"], false);
    assert_ne!(place.call("verify out --allow-exec").code, Some(0));
}

/// Writes `us.toml`: a strategy whose player is an agent of ours, as a process.
pub fn as_a_guest(place: &Place, game: &str, agent: &str) {
    let program = crate::support::PROGRAM;
    let file = format!(
        "kind = \"exec\"\nabout = \"us\"\nprovenance = \"a test\"\n[parameters]\n\
         command = [{program:?}, \"guest\", \"{game}\", \"--agent\", \"{agent}\"]\n"
    );
    place.write("us.toml", file);
}

/// A host greets our agent, seats it in seat 1, and tells it of events.
fn told(game: &str, players: u8, events: &[&str]) -> Done {
    let mut lines = vec![
        r#"{"type":"hello","protocol":1}"#.to_owned(),
        format!(r#"{{"type":"game","game":"{game}","players":{players},"rules":{{}}}}"#),
        r#"{"type":"match","match":1,"seat":1,"seed":"f6c51e6ac1031cee6cbc219d8fbdd66b"}"#
            .to_owned(),
    ];
    let tell = |event: &&str| format!(r#"{{"type":"event","match":1,"event":{event}}}"#);
    lines.extend(events.iter().map(tell));
    Place::new().call_with(&format!("guest {game} --agent random"), &lines.join("\n"))
}

/// An event that contradicts those before it is named by its line.
#[test]
fn what_can_not_have_happened_is_refused() {
    let gained = r#"{"gained":{"seat":2,"cards":{"ore":1}}}"#;
    let drew = r#"{"drew":{"seat":2,"kind":null}}"#;
    for (game, players, before, event) in [
        ("base", 3, "", r#"{"shown":{"seat":2,"cards":{"ore":1}}}"#),
        ("base", 3, "", r#"{"gained":{"seat":4,"cards":{"ore":1}}}"#),
        ("base", 3, "", r#"{"stolen":{"thief":2,"victim":3,"kind":null}}"#),
        ("base", 3, gained, r#"{"stolen":{"thief":2,"victim":2,"kind":null}}"#),
        ("base", 3, gained, r#"{"handed_over":{"from":2,"to":3,"kind":"ore","count":255}}"#),
        ("base", 3, gained, r#"{"gained":{"seat":1,"cards":{"ore":19}}}"#),
        ("two-player", 2, "", r#"{"lost":{"seat":1,"cards":{"wool":1}}}"#),
        ("boats", 3, gained, r#"{"stolen":{"thief":1,"victim":2,"kind":"wool"}}"#),
        ("on-the-road", 3, "", r#"{"drew":{"seat":5,"kind":null}}"#),
        ("on-the-road", 3, "", r#"{"passed":{"from":2,"to":"discards"}}"#),
        ("on-the-road", 3, drew, r#"{"moved":{"from":2,"to":{"hand":3},"cards":{"ore":2}}}"#),
        ("on-the-road", 3, drew, r#"{"shown":{"seat":2,"cards":{"ore":1,"wool":1}}}"#),
        ("struggle", 3, "", r#"{"taken":{"from":2,"to":1,"kind":"ore"}}"#),
        ("struggle", 3, "", r#"{"passed":{"from":2,"to":3}}"#),
        ("struggle", 3, drew, r#"{"moved":{"from":"market","to":{"hand":2},"cards":{"ore":1}}}"#),
        ("struggle", 3, drew, r#"{"drew":{"seat":1,"kind":null}}"#),
    ] {
        let before: Vec<&str> = [before].into_iter().filter(|event| !event.is_empty()).collect();
        let done = told(game, players, &before);
        assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{game}: {before:?}");
        let done = told(game, players, &[&before[..], &[event]].concat());
        let due = format!("the host's line {}: `event` can't have happened", 4 + before.len());
        assert!(done.code == Some(2) && done.err.contains(&due), "{event}: {}", done.err);
    }
}

#[test]
fn runs_with_guests_are_resumed_after_kills() {
    for (game, players, matches) in some(&[
        ("struggle", 3, 60),
        ("on-the-road", 3, 300),
        ("base", 3, 60),
        ("two-player", 2, 60),
        ("boats", 3, 60),
    ]) {
        let place = Place::new();
        as_a_guest(&place, game, "heuristic");
        let others = ",random".repeat(players - 1);
        let line = format!(
            "simulate {game} --agents us.toml{others} --matches {matches} --seed 5 --rows csv --quiet"
        );
        let resume = "resume out --quiet --allow-exec".to_owned();
        for (at, go_on) in [format!("{line} --out out"), resume.clone()].iter().enumerate() {
            let mut child = place.start(&format!("{go_on} --save-every 0 --threads {}", at + 1));
            let digests = place.path("out.partial/digests.bin");
            wait_until(&mut child, || length(&digests) >= 4 * (5 + 9 * at as u64));
            child.kill().expect("it can be killed");
            child.wait().expect("a child");
        }
        let refused = place.call("resume out --quiet");
        assert_ne!(refused.code, Some(0), "{game}: the program was not allowed");
        let told = place.call("status out").out;
        assert!(told.contains("`fairhaven resume out --allow-exec`"), "{told}");
        place.done(&resume);
        place.done(&format!("{line} --out whole"));
        place.same("out", "whole");
        assert_eq!(left_in(&place), "", "{game}");
    }
}
