//! `report`: a page for each kind of run, which HTML's own rules find no fault with and which fetches nothing; the same
//! bytes each time; names that mean harm; and messages where there is nothing to show.

use crate::support::Place;
use fairhaven::lab::page::{self, Page};
use fairhaven::lab::questions::catalogue::Catalogue;
use fairhaven::lab::questions::searches::SEARCHES;
use fairhaven::lab::questions::studies::STUDIES;
use fairhaven::lab::run::Finished;
use fairhaven::lab::run::existing;
use fairhaven::stats::jackknife::Method;
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// The most bytes of a page and of a picture.
const PAGE_MAX: usize = 500_000;
const PICTURE_MAX: usize = 60_000;

/// A run of each kind, and pictures that its page must have.
const RUNS: [(&str, &[&str]); 21] = [
    (
        "simulate on-the-road --agents builder --matches 200",
        &["seats", "length", "tension", "cards"],
    ),
    ("simulate base --agents greedy,heuristic,random --matches 30", &["seats", "agents", "length"]),
    ("compare on-the-road builder random --matches 400", &["difference", "test", "path"]),
    (
        "compare on-the-road --rules-b points_to_win=6 --agents builder --matches 200",
        &["rules", "rules-counts"],
    ),
    (
        "tournament on-the-road builder random drifter --players 3 --blocks 30",
        &["seats", "ratings"],
    ),
    (
        "balance on-the-road --choice metropolis --set side=b --levels builder,greedy --blocks 20",
        &["forced", "restricted", "removed"],
    ),
    ("balance on-the-road --factor points_to_win=7,6 --levels builder --blocks 20", &["factors"]),
    ("sensitivity on-the-road --agents builder --blocks 10", &["sensitivity"]),
    (
        "sweep on-the-road --field points_to_win --values 5..7 --agents builder --blocks 20",
        &["sweep", "sweep-length"],
    ),
    (
        "sweep on-the-road --param haste --values 0..1/3 --agents heuristic,greedy --blocks 10",
        &["sweep"],
    ),
    ("luck on-the-road --agents builder,random --blocks 20", &["luck"]),
    ("reliability on-the-road --matches 60", &["reliability"]),
    (
        "levels on-the-road --against greedy --agent greedy --param lapse=0..1 --rates 12 --players 3 \
         --tolerance 4pp",
        &["levels", "curve"],
    ),
    // The file that the search before it has written.
    ("levels on-the-road --certify out12/level-12.toml", &["levels"]),
    ("tune on-the-road heuristic --param haste=0..4 --matches 400", &["better", "way-1"]),
    (
        "solve on-the-road --choice metropolis --set side=b --fields knight.cost.wool --agent builder \
         --blocks 5 --certify 20",
        &["spreads"],
    ),
    ("learn base --matches 150 --players 3", &["better", "learning"]),
    (
        "learn on-the-road --net --from heuristic --players 3 --matches 5k --every 40",
        &["surprise", "learning"],
    ),
    (
        "diagnose on-the-road --set side=b --against base-rules --blocks 40",
        &["seats", "length", "strengths", "ways", "leads"],
    ),
    (
        "map judge base --players 3 --agent random --free 1 --pairs 1 --blocks 20",
        &["map", "place-ranks", "map-seats", "map-harbours"],
    ),
    (
        "map make two-player --agent random --maps 2 --matches 8 --finalists 1 --certify 1k --fair 30pp",
        &["map-certified"],
    ),
];

/// Parses a page by HTML's own rules, which name each fault, and returns its elements.
fn elements(html: &str) -> Vec<(String, Vec<(String, String)>)> {
    let parsed = html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default());
    let dom = parsed.one(html);
    let faults = dom.errors.borrow();
    assert!(faults.is_empty(), "{faults:?}");
    let mut all = Vec::new();
    gather(&dom.document, &mut all);
    all
}

fn gather(node: &Handle, all: &mut Vec<(String, Vec<(String, String)>)>) {
    if let NodeData::Element { name, attrs, .. } = &node.data {
        let attributes = attrs.borrow();
        let pair = |one: &html5ever::Attribute| (one.name.local.to_string(), one.value.to_string());
        all.push((name.local.to_string(), attributes.iter().map(pair).collect()));
    }
    node.children.borrow().iter().for_each(|child| gather(child, all));
}

/// What every page and every picture must be.
fn sound(page: &Page) {
    assert!(page.html.len() < PAGE_MAX, "{} bytes", page.html.len());
    let mut ids = BTreeSet::new();
    for (name, attributes) in elements(&page.html) {
        let fetches =
            ["script", "link", "img", "image", "iframe", "object", "embed", "base", "use"];
        assert!(!fetches.contains(&name.as_str()), "<{name}>");
        for (attribute, value) in attributes {
            let attribute = attribute.as_str();
            assert!(!attribute.starts_with("on") && attribute != "src", "{attribute}={value}");
            assert!(attribute != "href" || value.starts_with('#'), "{attribute}={value}");
            assert!(attribute != "id" || ids.insert(value.clone()), "id {value} twice");
        }
    }
    for hidden in ["url(", "@import", "\u{202e}", "\u{2066}", "\u{0}"] {
        assert!(!page.html.contains(hidden), "{hidden:?}");
    }
    for (name, text) in &page.pictures {
        assert!(text.len() < PICTURE_MAX, "{name}: {} bytes", text.len());
        let drawn =
            roxmltree::Document::parse(text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let svg = drawn.root_element();
        assert_eq!(svg.attribute("role"), Some("img"), "{name}");
        for told in ["title", "desc"] {
            let told = svg.children().find(|node| node.tag_name().name() == told);
            assert!(told.and_then(|node| node.text()).is_some_and(|text| text.len() > 3), "{name}");
        }
    }
}

fn recalled(place: &Place, runs: &[&str]) -> Vec<Finished> {
    runs.iter()
        .map(|run| existing::recalled(&Catalogue::standard(), &place.path(run)).expect("a run"))
        .collect()
}

#[test]
fn each_kind_of_run_has_a_page_with_its_pictures() {
    let place = Place::new();
    let mut kinds = BTreeSet::new();
    for (number, (line, due)) in RUNS.iter().enumerate() {
        let run = format!("out{number}");
        let played = place.call(&format!("{line} --seed 3 --quiet --out {run}"));
        assert!(matches!(played.code, Some(0 | 1)), "{line}: {}", played.err);
        let before = place.left(&run);
        let said = place.done(&format!("report {run} -o {run}.html --svg {run}-pictures"));
        assert_eq!(place.left(&run), before, "{line}: a run is only read");
        let html = place.read(&format!("{run}.html"));
        let finished = recalled(&place, &[&run]);
        let again = page::page(&finished, None).expect("a page");
        assert!(again.html == html, "{line}: the same bytes");
        sound(&again);
        for name in *due {
            let file = format!("{run}-pictures/{name}.svg");
            assert!(said.lines().any(|written| written == file), "{line}: no {name} in\n{said}");
        }
        for (name, text) in &again.pictures {
            assert_eq!(&place.read(&format!("{run}-pictures/{name}")), text);
        }
        kinds.insert(finished[0].manifest.question.kind.clone());
    }
    let all = STUDIES.iter().map(|study| study.kind).chain(SEARCHES.iter().map(|found| found.kind));
    assert_eq!(kinds, all.map(str::to_owned).collect());
}

#[test]
fn the_page_has_the_numbers_of_the_tables_and_of_the_answer() {
    let place = Place::new();
    place.done("simulate on-the-road --agents builder --matches 300 --seed 5 --set side=b --quiet --out out");
    place.done("report out -o page.html");
    let html = place.read("page.html");
    let said = place.done("analyze out --full");
    let seats = said.lines().skip_while(|line| !line.starts_with("Seats")).skip(3).take(4);
    for line in seats {
        let rate = line.split("  ").find(|cell| cell.contains('%')).expect("a win rate").trim();
        // In the picture's words, in its text alternative, in two tables.
        assert!(html.matches(rate).count() >= 3, "{rate}");
    }
    let first = said.lines().next().expect("an answer").split('.').next().expect("its start");
    assert!(html.contains(first), "{first}");
    for part in [
        "What this does not say.",
        "One field differs from the default rule set of on-the-road.",
        "--seed 5",
        "turn_limit",
        "statistics.md",
    ] {
        assert!(html.contains(part), "no `{part}`");
    }
}

#[test]
fn several_runs_are_sections_of_one_page() {
    let place = Place::new();
    for (name, agent) in [("a", "builder"), ("b", "random")] {
        place.done(&format!(
            "simulate on-the-road --agents {agent} --matches 40 --quiet --out {name}"
        ));
    }
    let said = place.done("report a b -o both.html --svg pictures");
    assert!(
        said.contains("pictures/1-seats.svg") && said.contains("pictures/2-seats.svg"),
        "{said}"
    );
    sound(&page::page(&recalled(&place, &["a", "b"]), None).expect("a page"));
    let html = place.read("both.html");
    assert_eq!(html.matches("<section").count(), 2);
    assert_eq!(html.matches("<h1").count(), 1);
    let many = vec!["a"; page::RUNS_MAX];
    sound(&page::page(&recalled(&place, &many), None).expect("a page"));
    let more = "a ".repeat(page::RUNS_MAX + 1);
    place.refused(&format!("report {more} -o more.html"), &["12 runs at most", "13"]);
}

/// Names of files may hold anything but a slash and a zero.
#[test]
fn names_that_mean_harm_are_only_text() {
    let place = Place::new();
    let hostile = "<script>alert(1)<b>\"'&amp;lmx.toml";
    place.write(hostile, "about = \"a baseline\"\nkind = \"builder\"\nprovenance = \"\"\n");
    let played = Command::new(crate::support::PROGRAM)
        .current_dir(place.root())
        .args(["compare", "on-the-road", hostile, "random", "--matches", "200", "--quiet"])
        .args(["--out", "out"])
        .status()
        .expect("the program starts");
    assert!(played.success());
    place.done("report out -o page.html --svg pictures");
    let finished = recalled(&place, &["out"]);
    let page = page::page(&finished, None).expect("a page");
    assert!(page.html == place.read("page.html"));
    sound(&page);
    assert!(page.html.contains("&lt;script&gt;alert(1)&lt;b&gt;&quot;&#x27;&amp;amp;lmx.toml"));
}

/// Longer than any file name: as manifests and tables could have them.
#[test]
fn long_names_are_cut_wherever_they_stand() {
    let place = Place::new();
    let lines = [
        "simulate on-the-road --agents builder,random --matches 40",
        "compare on-the-road builder random --matches 200",
        "tournament on-the-road builder random drifter --players 3 --blocks 20",
    ];
    for (number, line) in lines.iter().enumerate() {
        let run = format!("out{number}");
        place.done(&format!("{line} --quiet --out {run}"));
        let plain = page::page(&recalled(&place, &[&run]), None).expect("a page").html.len();
        for long in [
            "<b>".repeat(3_334),
            "\u{202e}x".repeat(5_000),
            "é\u{301}\u{301}".repeat(4_000),
            "w ".repeat(5_000),
        ] {
            let mut finished = recalled(&place, &[&run]).remove(0);
            let shown = |text: &mut String| *text = text.replace("builder", &long);
            finished.manifest.agents.iter_mut().for_each(|agent| shown(&mut agent.name));
            finished.manifest.command.iter_mut().for_each(shown);
            finished.manifest.unofficial = Some(long.clone());
            let rows = finished.tables.iter_mut().flat_map(|table| &mut table.rows);
            rows.for_each(|row| row.keys.iter_mut().for_each(shown));
            let page = page::page(&[finished], None).expect("a page");
            sound(&page);
            assert!(!page.html.contains(&long));
            let grown = page.html.len() - plain;
            assert!(grown < 120_000, "{line}: {grown} bytes more");
        }
    }
}

#[test]
fn what_can_not_be_shown_is_refused_and_nothing_is_replaced() {
    let place = Place::new();
    place.done("simulate on-the-road --agents builder --matches 20 --quiet --out out");
    place.done("simulate on-the-road --agents builder --matches 20 --quiet --shard 1/2 --out part");
    place.write("there.html", "mine");
    place.refused("report", &["<RUN>"]);
    place.refused("report out", &["--output"]);
    place.refused("report nowhere -o page.html", &["can't read `nowhere/manifest.json`"]);
    place.refused("report part -o page.html", &["is a part", "fairhaven merge"]);
    place.refused("report out -o there.html", &["`there.html` is there already", "--force"]);
    place.refused("report out -o out", &["`out` is a directory"]);
    place.refused("report out -o no/page.html", &["can't write `no/page.html`"]);
    place.refused("report out -o page.html --svg there.html", &["`there.html`"]);
    assert_eq!(place.read("there.html"), "mine");
    place.done("report out -o there.html --force");
    assert!(place.read("there.html").starts_with("<!DOCTYPE html>"));
    place.done("report out --svg pictures");
    place.refused("report out --svg pictures", &["is there already", "--force"]);
    place.done("report out --svg pictures --force");
    place.alter("out", "/played/blocks", 7.into());
    place.refused("report out -o page.html", &["7 blocks"]);
    fs::remove_file(place.path("out/sums.bin")).expect("the sums");
    place.refused("report out -o page.html", &["no saved sums"]);
}

/// The numbers of headings in the order of a page.
fn headings(html: &str) -> Vec<u32> {
    let number = |(name, _): (String, _)| name.strip_prefix('h').and_then(|rest| rest.parse().ok());
    elements(html).into_iter().filter_map(number).collect()
}

#[test]
fn headings_are_in_order_and_a_page_has_the_title_that_it_is_given() {
    let place = Place::new();
    for name in ["a", "b"] {
        place.done(&format!(
            "simulate base --agents random --matches 3 --set turns_max=4 --quiet --out {name}"
        ));
    }
    for runs in ["a", "a b"] {
        place.done(&format!("report {runs} -o page.html --title <Night> --force"));
        let html = place.read("page.html");
        assert!(html.contains("<h1>&lt;Night&gt;</h1>"), "{runs}: the title");
        assert!(html.contains("simulate: base, 4 players"), "{runs}: what was played");
        let found = headings(&html);
        assert_eq!(found.iter().filter(|&&number| number == 1).count(), 1, "{found:?}");
        assert!(found.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{runs}: {found:?}");
        // A table that is cut off at the side is a region with a name.
        let scrolled = html.matches("class=\"scroll\"").count();
        assert_eq!(html.matches("role=\"region\" aria-labelledby=\"").count(), scrolled);
    }
    place.refused("report a -o page.html --force --title=", &["--title"]);
}

#[test]
fn what_rests_on_too_few_blocks_is_not_drawn() {
    let place = Place::new();
    // Few matches are so long, and one turn of the leader's chance rests on one of them.
    place.done(
        "simulate on-the-road --agents builder,random --matches 60 --seed 3 --quiet --out out",
    );
    let finished = recalled(&place, &["out"]).remove(0);
    let of = |finished: &Finished| {
        let page = page::page(std::slice::from_ref(finished), None).expect("a page");
        page.pictures.into_iter().find(|(name, _)| name == "tension.svg").map(|(_, text)| text)
    };
    let before = of(&finished).expect("a picture");
    let mut fewer = finished;
    let tension = fewer.tables.iter_mut().find(|table| table.name == "tension").expect("a table");
    let mut left_out = 0;
    for row in tension.rows.iter_mut().filter(|row| row.metric == "leader_wins") {
        let few = row.estimate.is_some_and(|estimate| estimate.method == Method::TooFew);
        left_out += u32::from(few);
        row.estimate = row.estimate.filter(|_| !few);
    }
    assert!(left_out > 0, "a run with such turns");
    assert_eq!(of(&fewer).expect("a picture"), before, "the same as if the table had no such row");
}

#[test]
fn pictures_show_what_was_asked_for_and_what_has_changed() {
    let place = Place::new();
    let picture = |line: &str, name: &str| {
        let played = place.call(&format!("{line} --quiet --force --out out"));
        assert!(matches!(played.code, Some(0 | 1)), "{line}: {}", played.err);
        place.done("report out --svg pictures --force");
        place.read(&format!("pictures/{name}.svg"))
    };
    let line = "compare base --rules-b points_to_win=6 --agents greedy --matches 40";
    let (shares, counts) = (picture(line, "rules"), picture(line, "rules-counts"));
    for (text, label) in [(&shares, "comebacks"), (&shares, "win rate, seat 1"), (&counts, "turns")]
    {
        assert!(text.contains(label), "no `{label}` in\n{text}");
    }
    let line = "sensitivity on-the-road --agents builder --blocks 3";
    let text = picture(line, "sensitivity");
    assert!(text.contains(": players&#x27; turns") && !text.contains("turns_mean"), "{text}");
    let line = "levels on-the-road --against greedy --agent greedy --param lapse=0..1 --rates 12 --players 3";
    let text = picture(&format!("{line} --tolerance 8pp"), "levels");
    assert_eq!(text.matches("class=\"bound\"").count(), 1, "a stroke at 12 %\n{text}");
    assert!(text.contains("±8 pp"), "{text}");
}

#[test]
fn the_agents_of_a_tournament_are_in_the_order_of_their_strength() {
    let place = Place::new();
    place.done("tournament base random greedy --players 2 --set points_to_win=4 --blocks 40 --quiet --out out");
    place.done("report out -o page.html --svg pictures");
    for text in [place.read("pictures/ratings.svg"), place.done("analyze out --full")] {
        let drawn = text.rsplit("ratings").next().expect("the end");
        let (first, second) = (drawn.find("greedy"), drawn.find("random"));
        assert!(first < second, "{text}");
    }
}

#[test]
fn anomalies_of_agents_that_are_weak_on_purpose_are_no_headline() {
    let place = Place::new();
    for (agents, said) in
        [("random", false), ("greedy:lapse=0.5", false), ("greedy", true), ("heuristic", true)]
    {
        let line = "simulate base --matches 4 --set turns_max=8";
        let answer = place.done(&format!("{line} --agents {agents} --full"));
        assert!(answer.contains("turn_limit"), "the table has it\n{answer}");
        assert_eq!(answer.contains("Anomalies: "), said, "{agents}\n{answer}");
    }
}
