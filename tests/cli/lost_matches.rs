//! Matches that guests lose by failing, where a failure does not stop the run.

use crate::guests::{bot, left_in, patient_place_with, place_with};
use crate::support::{Place, length, some, wait_until};

/// A bot that dies in matches whose seed ends in 7: one in eight, since the last digit is odd.
pub fn mortal() -> String {
    bot(r#"case $line in
      *'"seed":"'*[7]'"}') doomed=1;;
      *'"seed":"'*) doomed=0;;
      *'"type":"decide"'*) [ $doomed = 0 ] || exit 3;;
    esac"#)
}

pub fn cells(place: &Place, file: &str) -> Vec<Vec<String>> {
    let text = place.read(file);
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

const PLAN: &str = "--matches 180 --seed 3 --quiet";

#[test]
fn a_guest_that_fails_has_lost_and_the_others_have_no_result() {
    let place = place_with(&mortal());
    let line = format!("simulate on-the-road --agents bot.toml,random,random {PLAN}");
    let stopped = place.call(&format!("{line} --out stopped"));
    assert_eq!(stopped.code, Some(5), "{}", stopped.err);
    let out =
        place.done(&format!("{line} --on-fault loss --fault-share 50% --out out --threads 2"));
    let faults = cells(&place, "out/faults.csv");
    let lost = faults.len() as u64;
    assert!((5..60).contains(&lost), "{lost}");
    assert!(out.is_empty() && faults.iter().all(|row| row[4].contains("exit status: 3")));
    let played = place.manifest("out")["played"].clone();
    assert_eq!((&played["failures"], &played["matches"]), (&lost.into(), &(180 - lost).into()));
    let rate = |agent: &str| {
        let rows = cells(&place, "out/agents.csv");
        let row = rows.iter().find(|row| row[0] == agent && row[1] == "win_rate");
        let row = row.expect("a row");
        (row[2].parse::<f64>().expect("a rate"), row[4].parse::<u64>().expect("a number"))
    };
    let (bot, others) = (rate("bot.toml"), rate("random"));
    assert_eq!((bot.1, others.1), (180, 2 * (180 - lost)));
    // Each of the matches that have a result was won by somebody.
    let wins = bot.0 * 180.0 + others.0 * others.1 as f64;
    assert!((wins - (180 - lost) as f64).abs() < 1e-6, "{wins}");
    assert_eq!(left_in(&place), "");
    let verified = place.call("verify out --allow-exec");
    assert!(verified.err.contains("can't be had again"), "{}", verified.err);
}

/// A failure that follows from the match comes again: with it, a run that was killed has the bytes of one that was not.
#[test]
fn lost_matches_outlive_a_kill() {
    let place = place_with(&mortal());
    let line = format!(
        "simulate on-the-road --agents bot.toml,random,random {PLAN} --on-fault loss --fault-share 0.5"
    );
    let mut child = place.start(&format!("{line} --out out --save-every 0"));
    let digests = place.path("out.partial/digests.bin");
    wait_until(&mut child, || length(&digests) >= 4 * 20);
    child.kill().expect("it can be killed");
    child.wait().expect("a child");
    place.done("resume out --quiet --allow-exec");
    place.done(&format!("{line} --out whole"));
    place.same("out", "whole");
}

#[test]
fn too_many_lost_matches_stop_the_run() {
    let place = place_with(&mortal());
    let line =
        "compare on-the-road bot.toml random --players 3 --matches 600 --quiet --on-fault loss";
    let done = place.call(&format!("{line} --out out"));
    assert_eq!(done.code, Some(5), "{}{}", done.out, done.err);
    assert!(done.err.contains("more than `--fault-share` allows"), "{}", done.err);
    assert_eq!(left_in(&place), "");
    for (line, part) in [
        ("simulate on-the-road --agents random --on-fault loss", "none of the agents is one"),
        (
            "levels on-the-road --against bot.toml --players 3 --rates 40% --on-fault loss",
            "a search stops where a guest fails",
        ),
        (
            "simulate on-the-road --agents bot.toml,random,random --on-fault loss --shard 1/2 --out p",
            "played in one piece",
        ),
    ] {
        let done = place.call(line);
        assert_eq!(done.code, Some(2), "{line}: {}{}", done.out, done.err);
        assert!(done.err.contains(part), "{line}: {}", done.err);
    }
}

#[test]
fn nobody_joins_a_tournament_in_which_matches_may_be_lost() {
    let place = place_with(&bot(""));
    let line = "tournament on-the-road bot.toml random greedy --players 3 --blocks 2 --quiet";
    place.done(&format!("{line} --on-fault loss --out earlier"));
    let more = "tournament on-the-road --onto earlier --add builder --out more --allow-exec";
    place.refused(more, &["nobody can join `earlier`", "--on-fault loss"]);
}

/// Who fails in most matches loses a comparison with an agent that does not.
#[test]
fn a_failure_counts_against_the_guest_in_a_comparison() {
    let place = place_with(&mortal().replace("[7]", "[1357]"));
    let line = "compare on-the-road bot.toml random --players 3 --matches 600 --quiet";
    place.done(&format!("{line} --on-fault loss --fault-share 99.9% --out out"));
    let rows = cells(&place, "out/compare.csv");
    let row = |agent: &str, metric: &str| {
        let row = rows.iter().find(|row| row[0] == agent && row[1] == metric);
        row.expect("a row").clone()
    };
    let share = |side: &str| row(side, "win_share")[2].parse::<f64>().expect("a share");
    assert!(share("B") - share("A") > 0.5 && share("A") + share("B") <= 1.0, "{rows:?}");
    assert_eq!(row("A - B", "win_difference")[11], "B is stronger");
}

/// Where several matches share a process, all of them end with it. The one that failed stops the run, and none of the
/// others is counted: a run that is resumed is the same as one in which nothing failed.
#[test]
fn a_failure_leaves_no_trace_in_the_matches_of_others() {
    for decisions in some(&[100, 160, 220]) {
        let once = format!("[ $asked -lt {decisions} ] || {{ mkdir died 2>&- && exit 3; }}");
        let program = bot(&once).replace(r#""list":"plain""#, r#""list":"plain","matches":8"#);
        let place = patient_place_with(&program);
        let line = "simulate on-the-road --agents bot.toml,random,random --set turns_max=30 --matches 60 --quiet";
        let stopped = place.call(&format!("{line} --out out"));
        assert_eq!(stopped.code, Some(5), "{}", stopped.err);
        assert_eq!(place.manifest("out")["played"]["failures"], 0);
        place.done("resume out --quiet --allow-exec");
        place.done(&format!("{line} --out whole"));
        place.same("out", "whole");
    }
}
