//! `--require`: a threshold that holds, one that fails, and one that names nothing.

use crate::support::{Place, length, wait_until};

const LINE: &str = "simulate on-the-road --agents builder,random --matches 200 --seed 4";

/// Calls the program, which must do its work and then report that a threshold failed.
fn failed(place: &Place, line: &str) -> String {
    let done = place.call(line);
    assert_eq!((done.code, done.err.as_str()), (Some(1), ""), "{line}");
    done.out
}

/// The line of a text that begins with a word, with its end.
fn line_with(text: &str, word: &str) -> String {
    let line = text.lines().find(|line| line.starts_with(word));
    format!("{}\n", line.unwrap_or_else(|| panic!("no `{word}` in\n{text}")))
}

#[test]
fn a_threshold_that_holds_is_told() {
    let place = Place::new();
    let required = "--require agents[agent=builder].win_rate>50% --require seats.win_rate.max<=1";
    let said = place.done(&format!("{LINE} {required} --out out"));
    assert!(said.contains("\nThresholds\n\nholds: agents[agent=builder].win_rate>50% ("), "{said}");
    assert!(said.contains("holds: seats.win_rate.max<=1 ("), "{said}");
    place.done(&format!("{LINE} {required}"));
    place.done(&format!("{LINE} --out without"));
    assert_eq!(place.files("out").remove("cards.csv"), place.files("without").remove("cards.csv"));
    let manifest = place.manifest("out");
    assert_eq!(manifest["require"][0], "agents[agent=builder].win_rate>50%");
    assert_eq!(manifest["played"]["complete"], true);
}

#[test]
fn a_threshold_that_fails_sets_the_exit_code_after_the_tables_are_written() {
    let place = Place::new();
    let required = "--require agents[agent=builder].win_rate<50% --require seats.win_rate.max<=1";
    let said = failed(&place, &format!("{LINE} {required} --out out"));
    assert!(said.contains("FAILS: agents[agent=builder].win_rate<50% ("), "{said}");
    assert!(said.contains("holds: seats.win_rate.max<=1 ("), "{said}");
    assert_eq!(place.names(), ["out"]);
    place.done(&format!("{LINE} --out without"));
    assert!(place.files("out") == place.files("without"));
    assert_eq!(place.manifest("out")["played"]["complete"], true);
    let done = place.call(&format!("{LINE} {required} --quiet"));
    assert_eq!((done.code, done.out.as_str()), (Some(1), ""));
    assert_eq!(done.err, line_with(&said, "FAILS: "), "the failing lines and nothing else");
    // The run is complete; it may have been killed before it was judged.
    let again = failed(&place, "resume out");
    assert_eq!(
        again,
        format!("`out` is complete; nothing to play.\n{}", line_with(&said, "FAILS: "))
    );
    failed(&place, "analyze out");
    // Another build may have other tables.
    place.alter("out", "/build", serde_json::json!("0123456789abcdef"));
    let said = place.done("resume out");
    assert!(said.contains("of another build of the program: it was not judged"), "{said}");
}

#[test]
fn a_threshold_that_names_nothing_is_refused_before_the_first_match() {
    let place = Place::new();
    let line = "simulate on-the-road --agents random --matches 900000m --out out";
    for (text, parts) in [
        ("chairs.win_rate<1", &["no table `chairs`", "agents, seats"] as &[&str]),
        ("seats.joy.max<1", &["no metric of `seats` `joy`", "win_rate, advantage"]),
        ("seats[chair=1].win_rate<1", &["no key column of `seats` `chair`", "seat, agent"]),
        ("choices.effect.max<1", &["no table `choices`"]),
        ("seats.win_rate.max", &["seats.win_rate.max", "character"]),
        ("", &["threshold"]),
        ("seats.win_rate.max<", &["character 20"]),
        ("1=1", &["1=1"]),
    ] {
        place.refused(&format!("{line} --require={text}"), parts);
        place.refused(&format!("{line} --require seats.win_rate.max<1 --require={text}"), parts);
    }
    place.refused(&format!("{line} --require={}", "(".repeat(100_000)), &["threshold"]);
    place.refused(
        &format!("compare on-the-road random builder --require={} --out out", "seats.win_rate<1"),
        &["no table `seats`", "compare"],
    );
}

#[test]
fn a_threshold_that_cannot_be_judged_is_told_with_the_tables_kept() {
    let place = Place::new();
    for (text, part) in [
        ("agents[agent=nobody].win_rate<1", "matches no row"),
        ("seats.win_rate<1", "matches 4 rows"),
        ("agents.iterations_mean.max/agents[agent=random].iterations_mean<1", "can't be decided"),
    ] {
        let done = place.call(&format!("{LINE} --require={text} --out out --force"));
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{}", done.err);
        assert!(done.err.contains(text) && done.err.contains(part), "{text}: {}", done.err);
        assert_eq!(place.names(), ["out"], "the tables are kept");
        assert_eq!(place.manifest("out")["played"]["complete"], true);
    }
}

#[test]
fn tables_of_studies_are_judged() {
    let place = Place::new();
    for (line, holds, fails) in [
        (
            "compare on-the-road builder random",
            "compare[agent=A].win_share>compare[agent=B].win_share",
            "compare.win_difference<0",
        ),
        (
            "compare on-the-road --rules-b points_to_win=6 --agents builder --matches 200",
            "effects.turns_mean.hi<0",
            "effects.turns_mean.lo>0",
        ),
        (
            "balance on-the-road --choice metropolis --set side=b --levels builder --blocks 60",
            "abs(choices[option=army].effect)<50pp",
            "choices.effect.max<0",
        ),
        (
            "balance on-the-road --factor points_to_win=7,6 --levels builder --blocks 60",
            "factors.turns_mean.hi<0",
            "factors.turns_mean.lo>0",
        ),
        (
            "sweep on-the-road --field points_to_win --values 5..7 --agents builder --blocks 60",
            "variants[variant=points_to_win=7].turns_mean>variants[variant=points_to_win=5].turns_mean",
            "effects.turns_mean.max<0",
        ),
        (
            "sensitivity on-the-road --agents builder --blocks 20",
            "sensitivity.effect_sd.max>0",
            "anomalies.count.sum<0",
        ),
        (
            "luck on-the-road --agents builder,random,random --repeats 2 --blocks 60",
            "luck[source=play].variance_share>50%",
            "luck[source=skill].variance_share<0",
        ),
    ] {
        let said = place.done(&format!("{line} --require {holds}"));
        assert!(said.contains(&format!("holds: {holds}")), "{said}");
        let said = failed(&place, &format!("{line} --require {holds} --require {fails}"));
        assert!(said.contains(&format!("FAILS: {fails}")), "{said}");
    }
}

#[test]
fn an_old_run_is_judged_by_analyze_and_a_merged_one_by_merge() {
    let place = Place::new();
    place.done(&format!("{LINE} --rows csv --out out"));
    let before = place.files("out");
    let said = place.done("analyze out --require agents[agent=builder].win_rate>50%");
    assert!(said.contains("holds: agents[agent=builder].win_rate>50%"), "{said}");
    let said = failed(&place, "analyze out --require agents[agent=builder].win_rate<50%");
    assert!(said.contains("FAILS: agents[agent=builder].win_rate<50%"), "{said}");
    let done = place.call("analyze out --quiet --require agents[agent=builder].win_rate<50%");
    assert_eq!((done.code, done.out.as_str()), (Some(1), ""));
    assert_eq!(done.err, line_with(&said, "FAILS: "));
    place.refused("analyze out --require chairs.win_rate<1", &["no table `chairs`"]);
    assert!(place.files("out") == before, "the tables are what they were");
    // Lost tables are made again.
    std::fs::remove_file(place.path("out/cards.csv")).expect("a table");
    place.write("out/seats.csv", "damaged");
    place.done("analyze out --quiet");
    assert!(place.files("out") == before);
    for part in 1..=2 {
        place.done(&format!("{LINE} --shard {part}/2 --quiet --out part-{part}"));
    }
    let merge = "merge part-1 part-2 --out all";
    place.refused(&format!("{merge} --require chairs.win_rate<1"), &["no table `chairs`"]);
    let said = failed(&place, &format!("{merge} --require agents[agent=builder].win_rate<50%"));
    let quiet = "--quiet --force --require agents[agent=builder].win_rate<50%";
    let done = place.call(&format!("{merge} {quiet}"));
    assert_eq!((done.code, done.out.as_str()), (Some(1), ""));
    assert_eq!(done.err, line_with(&said, "FAILS: "));
    place.done(&format!("{merge} --force --require agents[agent=builder].win_rate>50%"));
}

#[test]
fn a_resumed_run_is_judged_at_its_end() {
    let place = Place::new();
    for (required, code) in [("agents[agent=builder].win_rate>50%", 0), ("seats.win_rate.max<0", 1)]
    {
        let line = format!("{LINE} --require {required} --save-every 0 --out out");
        let mut child = place.start(&line);
        wait_until(&mut child, || length(&place.path("out.partial/digests.bin")) >= 4 * 20);
        child.kill().expect("it can be killed");
        child.wait().expect("a child");
        let done = place.call("resume out");
        assert_eq!(done.code, Some(code), "{}", done.err);
        let word = if code == 0 { "holds" } else { "FAILS" };
        assert!(done.out.contains(&format!("{word}: {required}")), "{}", done.out);
        assert_eq!(place.names(), ["out"]);
        std::fs::remove_dir_all(place.path("out")).expect("the run");
    }
}
