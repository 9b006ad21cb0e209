//! `compare`, `balance`, `sweep`, `sensitivity` and `reliability` when something is wrong: the message names it
//! and what would be right, before the first match.

use crate::support::Place;

/// Each line is refused with these parts before it plays: its matches would never end.
fn refused(command: &str, lines: &[(&str, &[&str])]) {
    let place = Place::new();
    for (words, parts) in lines {
        place.refused(&format!("{command} {words} --out out"), parts);
    }
}

#[test]
fn wrong_comparisons_are_refused() {
    refused(
        "compare on-the-road --matches 900000m",
        &[
            ("", &["two agents", "--rules-a", "--rules-b"]),
            ("builder", &["<B>"]),
            ("builder nobody", &["no agent `nobody`", "heuristic"]),
            ("builder random --players 5", &["5 players", "2 to 4"]),
            ("builder random --elo0 0", &["--elo1"]),
            ("builder random --elo1 5", &["--elo0"]),
            ("builder random --elo0 0 --elo1 5 --win0 0", &["--win0"]),
            ("builder random --elo0 5 --elo1 0", &["hypotheses", "the smaller first"]),
            ("builder random --win0 0.02 --win1 0", &["2 pp and 0 pp", "the smaller first"]),
            ("builder random --win0 0.02 --win1 0.02", &["the smaller first"]),
            ("builder random --win1 1.5", &["write 1.5pp"]),
            ("builder random --win0 -1", &["--win0", "write -1pp"]),
            ("builder random --win1 2", &["`2` would be 200 %", "write 2pp"]),
            ("builder random --win1 nan", &["`nan`", "1pp"]),
            ("builder random --win1 much", &["much", "--win1"]),
            ("builder random --elo0=-inf --elo1 inf", &["hypotheses"]),
            ("builder random --alpha 0", &["--alpha", "between 0 and 0.5"]),
            ("builder random --beta 0.5", &["--beta", "between 0 and 0.5"]),
            ("builder random --look 0", &["--look", "`0`", "10^12"]),
            ("builder random --look 2000000", &["--look 2000000"]),
            ("builder random --rules-b side=b", &["--rules-b"]),
            ("builder random --agents greedy", &["--agents"]),
            ("builder oracle:iterations=5", &["--allow-oracle"]),
            ("--rules-b sides=b", &["no rule set field `sides`"]),
            ("--rules-b side=c", &["`c`", "`mixed`"]),
            ("--rules-a absent.toml", &["absent.toml", "No such file"]),
            ("--rules-b points_to_win=99", &["points_to_win", "2 to 40"]),
            ("--rules-b side=a --rules-b side=b", &["`side` is given twice"]),
            ("--rules-b side=b --rules-b mine.toml", &["`mine.toml`", "before single fields"]),
            ("--rules-b one.toml --rules-b two.toml", &["`two.toml`", "one file at most"]),
            ("--set side=a --set side=b --rules-b hand_start=3", &["`side` is given twice"]),
            ("builder heuristic:haste=0:haste=1", &["`haste` is given twice"]),
            ("--rules-b side=b --win0 5pp", &["<A>"]),
            ("--rules-b side=b --alpha 1%", &["<A>"]),
            ("--rules-b side=b --elo0 0 --elo1 5", &["<A>"]),
            ("--rules-b side=b --look 77", &["<A>"]),
            // Said before the agent is tuned.
            (
                "--rules-a nothing=1 --rules-b side=b --agents heuristic:lapse=0.6 --adapt lapse=0..0.9",
                &["no rule set field `nothing`"],
            ),
        ],
    );
    let place = Place::new();
    place.refused("compare checkers builder random", &["no game `checkers`", "on-the-road"]);
    place.refused("compare on-the-road builder random --matches 0", &["`0`"]);
}

#[test]
fn wrong_balance_studies_are_refused() {
    let twelve: Vec<String> = (1..=12).map(|at| format!("--factor field{at}=1,2")).collect();
    refused(
        "balance on-the-road --blocks 900000m",
        &[
            ("", &["--choice"]),
            ("--choice castle", &["no choice `castle`", "metropolis"]),
            ("--choice metropolises", &["did you mean `metropolis`?"]),
            ("--choice metropolis", &["`roads`, `knights`, `army` and `route`", "--set side=b"]),
            (
                "--choice metropolis --set metropolis.roads.extra.wool=1",
                &["`knights`, `army` and `route` do the same", "--set side=b"],
            ),
            (
                "--choice metropolis --set side=b --set metropolis.army.face=a \
                 --set metropolis.route.face=a",
                &["`army` and `route`", "--set metropolis.army.face=b"],
            ),
            (
                "--choice metropolis --set metropolis.knights.face=out \
                 --set metropolis.army.face=out --set metropolis.route.face=out",
                &["two options", "only `roads`"],
            ),
            (
                "--choice metropolis --set side=b --estimands forced,wishes",
                &["'wishes'", "restricted"],
            ),
            ("--choice metropolis --set side=b --estimands forced,forced", &["twice"]),
            (
                "--choice metropolis --set metropolis.allowed=[]",
                &["metropolis.allowed", "length 4"],
            ),
            (
                "--choice metropolis --set metropolis.allowed=[\"any\",\"any\",\"any\",\"all\"]",
                &["metropolis.allowed", "`all`", "knights"],
            ),
            ("--choice metropolis --factor points_to_win=6,7", &["--factor"]),
            ("--choice metropolis --set side=b --levels builder,nobody", &["no agent `nobody`"]),
            ("--choice metropolis --set side=b --levels builder,", &["no agent ``"]),
            ("--choice metropolis --margin 0", &["--margin", "above 0"]),
            ("--choice metropolis --margin 1", &["--margin", "`1` would be 100 %", "write 1pp"]),
            ("--choice metropolis --margin=-1pp", &["--margin"]),
            ("--choice metropolis --margin wide", &["--margin", "`wide`", "1pp"]),
            ("--choice metropolis --margin 200pp", &["--margin", "200pp"]),
            ("--choice metropolis --margin nan", &["--margin", "`nan`"]),
            ("--choice metropolis --until 1pp", &["--until", "'1pp'", "ci=0.2pp"]),
            ("--choice metropolis --until ci=", &["--until", "1pp"]),
            ("--choice metropolis --until ci=0", &["--until", "that narrow"]),
            ("--choice metropolis --until ci=inf", &["--until", "`inf`"]),
            ("--choice metropolis --players 5", &["5 players"]),
            ("--factor points_to_win", &["`points_to_win`", "field=low,high"]),
            ("--factor points_to_win=7", &["field=low,high"]),
            ("--factor points_to_win=7,7", &["field=low,high"]),
            ("--factor points_to_win=7,", &["field=low,high"]),
            ("--factor towns=1,2", &["no rule set field `towns`", "towns=1"]),
            ("--factor points_to_win=7,99", &["points_to_win", "2 to 40", "points_to_win=99"]),
            ("--factor side=a,c", &["`c`", "`mixed`"]),
            (
                "--factor points_to_win=6,7 --levels random,greedy,heuristic,builder,drifter,skilled,no-trade,\
                 warlord,surveyor,beginner",
                &["10 levels are more than 9"],
            ),
            ("--factor side=a,b --factor side=a,mixed", &["side is given twice"]),
            ("--factor side=a,b --set side=mixed", &["`side` is given twice"]),
            (
                "--choice metropolis --set side=b --levels builder,greedy,builder",
                &["`builder` is named twice"],
            ),
            (&twelve.join(" "), &["12 factors", "1 to 11"]),
        ],
    );
}

#[test]
fn wrong_sweeps_are_refused() {
    refused(
        "sweep on-the-road --blocks 900000m",
        &[
            ("", &["--values"]),
            ("--values 1..3", &["--field"]),
            ("--field points_to_win", &["--values"]),
            ("--field points_to_win --param haste --values 1..3", &["--param"]),
            ("--field towns --values 1..3", &["no rule set field `towns`"]),
            ("--field points_to_win --values 3..1", &["--values", "does not rise"]),
            ("--field points_to_win --values 7", &["--values", "1 value;", "2 to 64"]),
            ("--field points_to_win --values 1..100", &["100 values", "2 to 64"]),
            ("--field points_to_win --values 6,7,6", &["the value 6 twice"]),
            ("--field points_to_win --values 6,,7", &["value 2", "empty"]),
            ("--field points_to_win --values 6,99", &["points_to_win=99", "2 to 40"]),
            ("--field points_to_win --values 6.5,7", &["6.5", "whole number"]),
            ("--field side --values a,c", &["`c`", "`mixed`"]),
            ("--param haste --values 0..1/3 --agents greedy", &["haste", "greedy"]),
            ("--param hurry --values 0..1/3", &["no parameter `hurry`", "haste"]),
            ("--param haste --values low,high", &["haste", "low"]),
            ("--param haste --values 0,1 --agents heuristic:haste=0.5", &["given twice"]),
            ("--param haste --values 0,1 --agents heuristic:haste=0:haste=1", &["given twice"]),
            ("--field points_to_win --values 6,7 --set points_to_win=8", &["given twice"]),
            ("--field points_to_win --values 6,7,6.0", &["the value 6.0 twice"]),
        ],
    );
}

#[test]
fn wrong_reliability_studies_are_refused() {
    refused(
        "reliability on-the-road --matches 900000m",
        &[
            ("--judges random", &["agent `random`", "a heuristic or mcts is wanted"]),
            ("--judges greedy", &["this is greedy"]),
            ("--judges oracle", &["this is oracle"]),
            ("--judges heuristic:lapse=0.5", &["without `temperature` or `lapse`"]),
            ("--judges heuristic:fog=2", &["`fog` does nothing on on-the-road but in searches"]),
            ("--judges heuristic,heuristic", &["the judge `heuristic` is named twice"]),
            ("--judges nobody", &["no agent `nobody`", "heuristic"]),
            ("--judges absent.toml", &["absent.toml", "No such file"]),
            ("--judges heuristic,", &["--judges"]),
            ("--every 0", &["--every 0 is not at least 1"]),
            ("--every -1", &["--every"]),
            ("--agents oracle:iterations=5", &["--allow-oracle"]),
            ("--players 5", &["5 players", "2 to 4"]),
            ("--require scores.luck.max<1", &["luck"]),
        ],
    );
    let many: Vec<String> = (1..=17).map(|fog| format!("mcts:fog={fog}")).collect();
    let place = Place::new();
    let line =
        format!("reliability base --players 3 --judges {}", many.join(",").replace("fog", "point"));
    place.refused(&line, &["16 are the most"]);
    place.refused("reliability checkers", &["no game `checkers`"]);
}

#[test]
fn wrong_sensitivity_studies_are_refused() {
    refused(
        "sensitivity on-the-road --blocks 900000m",
        &[
            ("--agents nobody", &["no agent `nobody`"]),
            ("--players 5", &["5 players"]),
            ("--set side=c", &["`c`"]),
            ("--require effects.win_rate.max<1 --require tables.legs<5", &["no table `tables`"]),
        ],
    );
    let place = Place::new();
    place.refused("sensitivity on-the-road --blocks many", &["`many`", "1.5k"]);
    place.refused("sensitivity checkers", &["no game `checkers`"]);
}

#[test]
fn wrong_studies_of_luck_are_refused() {
    refused(
        "luck on-the-road --blocks 900000m",
        &[
            ("--agents nobody", &["no agent `nobody`"]),
            ("--agents builder,random --players 3", &["2 agents for 3 players"]),
            ("--players 5", &["5 players"]),
            ("--require luck.variance_share.max<1 --require tables.legs<5", &["no table `tables`"]),
        ],
    );
    let place = Place::new();
    place.refused("luck on-the-road --repeats 1", &["--repeats", "2..=64"]);
    place.refused("luck on-the-road --repeats=-1", &["--repeats", "2..=64"]);
    place.refused("luck on-the-road --repeats 65", &["--repeats", "2..=64"]);
    place.refused("luck checkers", &["no game `checkers`"]);
    place.refused("compare on-the-road --rules-b points_to_win=6 --less-luck", &["A", "B"]);
}
