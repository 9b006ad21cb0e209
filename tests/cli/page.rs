//! `play --page` and `watch`, as a browser and as somebody hostile meet them: who is let in, what each seat is shown, and
//! what is kept when the program is killed. `tests/page.sh` does the same in a real browser.

use crate::guests;
use crate::served::Served;
use crate::support::Place;
use fairhaven::core::types::seat::Seat;
use fairhaven::core::watch::Watch;
use fairhaven::registry::Games;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::guests::open_match::Reseat;
use fairhaven::sim::play::table::OnlyChoice;
use fairhaven::sim::records::line::PERSON;
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpStream;

#[test]
fn who_has_no_key_or_comes_from_elsewhere_is_turned_away() {
    let place = Place::new();
    let served = Served::start(&place, "play on-the-road --players 2 --seed 3 --agents greedy");
    let (host, token) = served.address(0);
    assert_eq!(token.len(), 32, "128 bits: {token}");
    let page = served.get(0, "");
    assert_eq!(page.status, 200);
    for header in [
        "Cache-Control: no-store",
        "frame-ancestors 'none'",
        "default-src 'none'; script-src 'self'",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
    ] {
        assert!(page.head.contains(header), "{header}: {}", page.head);
    }
    for inline in ["<style", "onclick", "javascript:", "style=\""] {
        assert!(!page.body.contains(inline), "{inline}");
    }
    let path = format!("GET /{token}/api/table");
    let asked = |headers: &[(&str, &str)]| served.send(&path, headers, "").status;
    assert_eq!(asked(&[("Host", &host)]), 200);
    let other_port = "http://127.0.0.1:1";
    let own = format!("http://{host}");
    let refused: [&[(&str, &str)]; 8] = [
        &[],
        &[("Host", "localhost:80")],
        &[("Host", "evil.example")],
        &[("Host", &host), ("Host", "evil.example")],
        &[("Host", &host), ("Origin", other_port)],
        &[("Host", &host), ("Origin", "null")],
        &[("Host", &host), ("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Mode", "cors")],
        &[
            ("Host", &host),
            ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Mode", "navigate"),
            ("Sec-Fetch-Dest", "iframe"),
        ],
    ];
    for headers in refused {
        assert_eq!(asked(headers), 403, "{headers:?}");
    }
    let without = |path: &str| served.send(&format!("GET {path}"), &[("Host", &host)], "").status;
    let near = format!("/{}0/", &token[1..]);
    for path in
        ["/", "/api/table", "/play.js", &near, "//", &format!("/x/{token}/"), "/open/", "/open/x"]
    {
        assert_eq!(without(path), 403, "{path}");
    }
    // Only posts change something, and only those of the page itself.
    let send = |headers: &[(&str, &str)]| {
        let body = json!({"seat": 1, "place": 0}).to_string();
        served.send(&format!("POST /{token}/api/choose"), headers, &body).status
    };
    let kind = ("Content-Type", "application/json");
    assert_eq!(send(&[("Host", &host), kind, ("If-Match", "\"v1\"")]), 403, "no origin");
    assert_eq!(send(&[("Host", &host), ("Origin", other_port), kind]), 403);
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    assert_eq!(send(&[("Host", &host), ("Origin", &own), form]), 403);
    assert_eq!(served.get(0, "api/choose").status, 405);
    let record = place.read("play-on-the-road-3.jsonl");
    assert!(!record.contains(r#""seat":1,"phase""#), "somebody has moved: {record}");
    // Two matches have different tokens, whatever their seeds.
    let again = Served::start(&place, "play on-the-road --players 2 --seed 3 --agents greedy");
    assert_ne!(again.address(0).1, token);
}

#[test]
fn what_is_no_request_is_refused_and_the_next_one_is_answered() {
    let place = Place::new();
    let served = Served::start(&place, "play on-the-road --players 2 --seed 3 --agents greedy");
    let post = |body: &str, tag: &str| served.post_text(0, "choose", tag, body).status;
    let (_, tag) = served.shown(0, 1);
    let deep = "[".repeat(10_000);
    for body in [
        "",
        "{",
        "null",
        "[]",
        r#"{"seat":1}"#,
        r#"{"seat":0,"place":0}"#,
        r#"{"seat":9,"place":0}"#,
        r#"{"seat":1,"place":-1}"#,
        r#"{"seat":1,"place":0,"more":1}"#,
        r#"{"seat":1,"place":0,"action":{}}"#,
        &deep,
        "\u{0}",
    ] {
        assert_eq!(post(body, &tag), 400, "{body}");
    }
    assert_eq!(post(r#"{"seat":1,"place":0}"#, ""), 400);
    let refused = |body: &str, tag: &str| served.post_text(0, "choose", tag, body).refused();
    assert_eq!(refused(r#"{"seat":1,"place":99999}"#, &tag), Some(409));
    assert_eq!(refused(r#"{"seat":1,"action":{"do":"fly"}}"#, &tag), Some(409));
    assert_eq!(refused(r#"{"seat":1,"place":0}"#, "\"v999\""), Some(412), "an old state");
    assert_eq!(post(r#"{"seat":2,"place":0}"#, &tag), 403, "the seat of somebody else");
    assert_eq!(post(&" ".repeat(100_000), &tag), 413);
    assert_eq!(post(r#"{"seat":1,"place":0}"#, &tag), 200);
}

#[test]
fn what_a_browser_never_sends_is_refused_and_holds_nobody_up() {
    let place = Place::new();
    let served = Served::start(&place, "play on-the-road --players 2 --seed 3 --agents greedy");
    let (host, token) = served.address(0);
    let head =
        format!("GET /{token}/ HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "x".repeat(20_000));
    assert_eq!(served.raw(head.as_bytes()).status, 431);
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
    ] {
        assert_eq!(served.raw(bytes).status, 400);
    }
    assert_eq!(served.raw(b"BREW / HTTP/1.1\r\n\r\n").status, 405);
    let chunked = format!(
        "POST /{token}/api/choose HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    assert_eq!(served.raw(chunked.as_bytes()).status, 411);
    for path in [
        "nothing.js",
        "../play.js",
        "..%2fplay.js",
        "api/nothing",
        "api/",
        "play.html/",
        "Cargo.toml",
    ] {
        assert_eq!(served.get(0, path).status, 404, "{path}");
    }
    for query in ["", "?seat=", "?seat=x", "?seat=1&since=-1", "?seat=99"] {
        assert_eq!(served.get(0, &format!("api/shown{query}")).status, 400, "{query}");
    }
    // Those who only hold the line, or speak a word and go on no more, keep nobody out, and are let go.
    let mut idle = Vec::new();
    for number in 0..400 {
        let mut stream = TcpStream::connect(&host).expect("it listens");
        if number % 2 == 1 {
            // Whoever was let go by now can't be written to.
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ");
        }
        idle.push(stream);
        if number % 40 == 39 {
            assert_eq!(served.get(0, "api/table").status, 200, "beside {number}");
        }
    }
    drop(idle);
}

#[test]
fn the_record_is_kept_and_a_killed_match_is_taken_up() {
    let place = Place::new();
    let line = "play on-the-road --players 2 --seed 3 --agents greedy --out one.jsonl";
    let mut served = Served::start(&place, line);
    served.choose(0, 1, 3);
    let (before, _) = served.shown(0, 1);
    served.child.kill().expect("it is there");
    served.child.wait().expect("it was killed");
    let kept = place.read("one.jsonl");
    assert!(kept.matches(r#""seat":1,"phase""#).count() >= 3, "{kept}");
    let served = Served::start(&place, "play --resume one.jsonl");
    let (after, tag) = served.shown(0, 1);
    assert_eq!(before, after, "the same table");
    // Nobody else plays on it meanwhile.
    place.refused("play --resume one.jsonl --page --no-open", &["somebody plays"]);
    let unchanged = {
        let (host, token) = served.address(0);
        let headers = [("Host", host.as_str()), ("If-None-Match", tag.as_str())];
        served.send(&format!("GET /{token}/api/shown?seat=1&since=0"), &headers, "")
    };
    assert_eq!((unchanged.status, unchanged.body.as_str()), (304, ""));
    let end = served.choose(0, 1, 4000);
    assert!(end["outcome"]["winner"].is_number(), "{end}");
    let verdict = served.post(0, "verdict", "\"v1\"", &json!({"seat": 1})).json();
    let lines: Vec<&str> =
        verdict["lines"].as_array().expect("lines").iter().filter_map(Value::as_str).collect();
    for (line, begins) in lines.iter().zip(["Luck: ", "Mistakes: ", "Turning point: "]) {
        assert!(line.starts_with(begins), "{lines:?}");
    }
    let said = served.end();
    assert!(said.ends_with("To go on: fairhaven play --resume one.jsonl --page\n"), "{said}");
    assert!(place.read("one.jsonl").starts_with(&kept));
    place.done("replay --check one.jsonl");
}

#[test]
fn the_page_plays_the_match_that_the_terminal_plays() {
    let place = Place::new();
    let line = "play base --seed 3 --agents greedy";
    let served = Served::start(&place, &format!("{line} --out page.jsonl"));
    served.choose(0, 1, 6);
    drop(served);
    let typed = place.call_with(&format!("{line} --out typed.jsonl"), &"1\n".repeat(6));
    assert_eq!(typed.code, Some(0));
    assert_eq!(place.read("page.jsonl"), place.read("typed.jsonl"));
}

#[test]
fn two_people_see_their_own_hands_only() {
    let place = Place::new();
    let line = "play on-the-road --players 3 --seats 1,3 --seed 3 --agents greedy --out two.jsonl";
    let served = Served::start(&place, line);
    assert!(place.read("two.jsonl").contains(r#""agents":["person","greedy","person"]"#));
    let (one, tag) = served.shown(0, 1);
    assert!(one["asked"] == json!(1) && one["view"]["seat"] == json!(1), "{one}");
    let (third, _) = served.shown(1, 3);
    assert!(third["view"]["seat"] == json!(3) && third["groups"] == json!([]), "{third}");
    for (key, seat) in [(0, 3), (1, 1), (0, 2), (1, 2), (2, 2)] {
        assert_eq!(served.get(key, &format!("api/shown?seat={seat}")).status, 403, "{key} {seat}");
        let body = json!({"seat": seat, "place": 0});
        for what in ["choose", "undo", "why", "verdict"] {
            assert_eq!(served.post(key, what, &tag, &body).status, 403, "{key} {seat} {what}");
        }
    }
    assert_eq!(served.get(0, "api/table").json()["seats"], json!([1]));
    assert_eq!(served.get(2, "api/table").json()["seats"], json!([1, 3]), "one browser for both");
    assert_eq!(served.get(2, "api/shown?seat=3").status, 200);
    let own = served.post(1, "choose", &tag, &json!({"seat": 3, "place": 0}));
    assert_eq!(own.refused(), Some(409), "it is not their turn: {}", own.body);
    served.choose(0, 1, 1);
    drop(served);
    place.refused("play --resume two.jsonl", &["2 of its seats are called person"]);
    let served = Served::start(&place, "play --resume two.jsonl");
    assert_eq!(served.get(1, "api/table").json()["seats"], json!([3]));
    for line in ["--seats 1,1", "--seats 0,1", "--seats 1,4", "--seats 1,2 --seat 1"] {
        place.refused(&format!("play on-the-road --players 3 {line} --page --no-open"), &["seat"]);
    }
    place.refused("play base --no-open", &["--page"]);
}

/// The scenes of two people at the table of a record, from the beginning, but for what they may take back.
fn scenes(game: &str, record: &str) -> [Value; 2] {
    let seats = |names: &[String]| {
        let agent = |name: &String| AgentSpec::parse(name, None).map_err(|error| error.to_string());
        names.iter().map(|name| (name != PERSON).then(|| agent(name)).transpose()).collect()
    };
    let (watch, only) = (&Watch::none(), OnlyChoice::Asked);
    let reseat = Reseat { seats: &seats, watch, wants: Vec::new(), only };
    let games = Games::standard();
    let game = games.get(game).expect("a game");
    let mut open = game.reopen_match(record, reseat).expect("a record of a match");
    open.advance().expect("agents keep the rules");
    [1, 2].map(|seat| without_undo(&open.shown(Seat::new(seat - 1), 0)))
}

fn without_undo(scene: &str) -> Value {
    let mut scene: Value = serde_json::from_str(scene).expect("JSON");
    scene["no_way_back"] = Value::Null;
    scene
}

/// Field for field, the server sends a seat the scene that `tests/leaks/` compares in twins of a match, and nothing beside it.
/// The scene of the other person at the table is another one, so a server that mixes them up is found out.
#[test]
fn a_seat_is_sent_its_own_scene_and_nothing_else() {
    for game in ["on-the-road", "struggle", "base", "two-player", "boats"] {
        let place = Place::new();
        let players = if game == "two-player" { 2 } else { 3 };
        let line = format!("play {game} --players {players} --seats 1,2 --seed 7 --out two.jsonl");
        let line = if players == 2 { line } else { format!("{line} --agents greedy") };
        let served = Served::start(&place, &line);
        for _ in 0..12 {
            let (shown, _) = served.shown(0, 1);
            let asked = shown["asked"].as_u64().expect("somebody is asked");
            let key = usize::from(asked == 2);
            served.choose(key, if asked == 2 { 2 } else { 1 }, 1);
        }
        let sent = [(0, 1), (1, 2)].map(|(key, seat)| {
            served.shown(key, seat);
            without_undo(&served.get(key, &format!("api/shown?seat={seat}&since=0")).body)
        });
        assert_ne!(sent[0], sent[1], "{game}: two people see the same");
        assert_eq!(sent, scenes(game, &place.read("two.jsonl")), "{game}");
        let described = [0, 1, 2].map(|key| served.get(key, "api/game").body);
        assert!(described.iter().all(|body| *body == described[0]), "{game} is the same for all");
        assert!(described[0].contains(r#""primer":["Aim: "#), "{game} is not explained");
    }
}

#[test]
fn choices_are_taken_back_and_searches_asked() {
    let place = Place::new();
    let served = Served::start(&place, "play base --seed 3 --agents greedy");
    let (before, tag) = served.shown(0, 1);
    let seat = json!({"seat": 1});
    let refused = |what| served.post(0, what, &tag, &seat).refused();
    assert_eq!(refused("undo"), Some(409), "there is nothing to take back");
    assert_eq!(refused("verdict"), Some(409), "the match goes on");
    assert_eq!(refused("again"), Some(409), "the match goes on");
    assert_eq!(before["no_way_back"], "you have chosen nothing yet");
    served.choose(0, 1, 1);
    let (shown, tag) = served.shown(0, 1);
    assert_eq!(shown["no_way_back"], Value::Null, "{shown}");
    let advice = served.post(0, "why", &tag, &seat);
    assert_eq!(advice.status, 200, "{}", advice.body);
    let best = &advice.json()["actions"][0];
    assert!(best["chance"]["value"].as_f64().is_some_and(|chance| chance > 0.0), "{best}");
    let undone = served.post(0, "undo", &tag, &seat);
    assert_eq!(undone.status, 200, "{}", undone.body);
    assert_eq!(served.shown(0, 1).0, before, "as if it had not been made");
    assert!(!place.read("play-base-3.jsonl").contains(r#""do""#));
    let action = json!({"seat": 1, "action": {"do": "settlement", "vertex": 21}});
    let written = served.post(0, "choose", &undone.tag(), &action);
    assert_eq!(written.status, 200, "{}", written.body);
    assert!(place.read("play-base-3.jsonl").contains(r#""vertex":21"#));
}

#[test]
fn matches_of_runs_records_and_games_are_watched() {
    let place = Place::new();
    place.done(
        "simulate on-the-road --agents greedy,builder --matches 4 --seed 1 --quiet --out run",
    );
    let record = place.done("replay run 0.1 --format jsonl");
    place.write("one.jsonl", &record);
    let decisions = record.matches(r#""phase""#).count();
    for (line, names) in [
        ("watch run 0.1", ["builder", "greedy"]),
        ("watch one.jsonl", ["builder", "greedy"]),
        ("watch on-the-road --agents greedy --players 2", ["greedy", "greedy"]),
    ] {
        let served = Served::start(&place, line);
        let about = served.get(0, "api/table").json();
        assert_eq!(about["names"], json!(names), "{line}");
        let open = served.get(0, "api/match?eyes=all").json();
        let steps = open["steps"].as_array().expect("steps");
        assert!(line.ends_with('2') || steps.len() == decisions + 1, "{line}: {}", steps.len());
        assert_eq!(steps[0]["views"].as_array().map(Vec::len), Some(2));
        let one = served.get(0, "api/match?eyes=2").json();
        let views = |step: &Value| step["views"].as_array().expect("views").clone();
        let own = |step: &Value| views(step).len() == 1 && views(step)[0]["seat"] == json!(2);
        assert!(one["steps"].as_array().expect("steps").iter().all(own), "{line}");
        assert!(one["outcome"] == open["outcome"] && !one["outcome"].is_null(), "{line}");
        let chances = loop {
            let answer = served.get(0, "api/chances");
            if answer.status == 200 {
                break answer.json();
            }
        };
        let chances = chances["chances"].as_array().expect("positions").clone();
        assert_eq!(chances.len(), steps.len(), "{line}");
        for (value, due) in
            [(&chances[0], None), (&chances[chances.len() - 1], one["outcome"]["winner"].as_u64())]
        {
            let shares: Vec<f64> =
                value.as_array().expect("seats").iter().filter_map(Value::as_f64).collect();
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-3, "{line}: {shares:?}");
            assert!(
                due.is_none_or(|seat| shares[usize::try_from(seat).unwrap() - 1] > 0.99),
                "{line}: {shares:?}"
            );
        }
        assert_eq!(served.get(0, "api/match?eyes=3").status, 404);
        assert_eq!(served.get(0, "api/match?eyes=x").status, 400);
        assert_eq!(served.post(0, "choose", "\"v0\"", &json!({"seat": 1})).status, 405);
    }
    place.refused("watch run", &["name a match of `run`, such as 0.0"]);
    place.refused("watch run 99.0", &["no block 99"]);
    place.refused("watch nothing", &["nothing"]);
    place.refused("watch one.jsonl 0.1", &["a record holds one match"]);
    place.refused("watch base --agents oracle", &["oracle"]);
    let cut = &record[..record.len() / 2];
    place.write("cut.jsonl", &cut[..=cut.rfind('\n').expect("a line")]);
    place.refused("watch cut.jsonl", &["record `cut.jsonl`"]);
}

#[test]
fn the_next_match_has_the_same_seats_another_seed_and_a_record_of_its_own() {
    let place = Place::new();
    let line = "play on-the-road --players 3 --seats 1,3 --seed 3 --agents greedy --out one.jsonl";
    let served = Served::start(&place, line);
    let both = |served: &Served| {
        for _ in 0..4000 {
            let (shown, _) = served.shown(2, 1);
            let asked = shown["asked"].as_u64().and_then(|seat| u8::try_from(seat).ok());
            let Some(seat) = asked else { return shown };
            served.choose(2, seat, 1);
        }
        panic!("the match does not end");
    };
    assert!(both(&served)["outcome"]["end"].is_string());
    let (end, tag) = served.shown(0, 1);
    let again = |tag: &str| served.post(1, "again", tag, &json!({"seat": 3}));
    assert_eq!(again("\"v0\"").refused(), Some(412), "an old state");
    let begun = again(&tag);
    assert_eq!((begun.status, begun.refused()), (200, None), "{}", begun.body);
    assert_eq!(begun.json()["outcome"], Value::Null);
    assert_eq!(again(&tag).refused(), Some(412), "one next match, whoever asks");
    // Whoever knows the old match only is told the new one from its beginning.
    let (host, token) = served.address(0);
    let headers = [("Host", host.as_str()), ("If-None-Match", tag.as_str())];
    let path = format!("GET /{token}/api/shown?seat=1&since={}", end["steps"]);
    let shown = served.send(&path, &headers, "").json();
    assert_eq!(json!(shown["told"].as_array().expect("steps").len()), shown["steps"]);
    let about = served.get(1, "api/table").json();
    assert_eq!((&about["seats"], &about["persons"]), (&json!([3]), &json!([1, 3])));
    assert_eq!(about["record"], "play-on-the-road-4.jsonl");
    for (key, seat) in [(0, 3), (1, 1)] {
        assert_eq!(served.get(key, &format!("api/shown?seat={seat}")).status, 403, "{key}");
    }
    both(&served);
    let said = served.end();
    assert!(said.contains("--resume play-on-the-road-4.jsonl --page"), "{said}");
    // It is the match of that seed.
    let header = |name: &str| place.read(name).lines().next().expect("a header").to_owned();
    let due = header("one.jsonl").replace(r#""master":"3""#, r#""master":"4""#);
    assert_eq!(header("play-on-the-road-4.jsonl"), due);
    for name in ["one.jsonl", "play-on-the-road-4.jsonl"] {
        place.done(&format!("replay --check {name}"));
    }
}

/// What is sent while others think is answered before they are done: the match stands where it stood.
#[test]
fn who_chooses_while_others_think_does_not_wait_for_them() {
    let special = r#"case $line in *'"type":"decide"'*) sleep 3;; esac"#;
    let place = guests::patient_place_with(&guests::bot(special));
    let served = Served::start(&place, "play on-the-road --players 2 --seed 3 --agents bot.toml");
    for _ in 0..20 {
        let before = served.get(0, "api/shown?seat=1&since=0");
        let shown = before.json();
        let thinks = shown["asked"].is_null();
        // Nothing is listed while others think.
        let first = shown["groups"][0]["entries"][0]["place"].as_u64().unwrap_or(0);
        let sent = json!({"seat": 1, "place": first});
        let done = served.post(0, "choose", &before.tag(), &sent);
        let after = served.get(0, "api/shown?seat=1&since=0");
        if thinks && after.tag() == before.tag() {
            return assert_eq!(done.refused(), Some(412), "{}", done.body);
        }
    }
    panic!("it waits until they are done");
}

#[test]
fn a_program_that_dies_in_the_midst_is_named_and_the_record_stays() {
    let place = guests::place_with(&guests::bot(r#"[ "$asked" = 3 ] && exit 3"#));
    let line = "play on-the-road --players 2 --seed 3 --agents bot.toml --out one.jsonl";
    let served = Served::start(&place, line);
    let failed = loop {
        let answer = served.get(0, "api/shown?seat=1&since=0");
        let shown = answer.json();
        if answer.refused().is_some() {
            break shown;
        }
        if shown["asked"] == 1 {
            let place = &shown["groups"][0]["entries"][0]["place"];
            served.post(0, "choose", &answer.tag(), &json!({"seat": 1, "place": place}));
        }
    };
    assert_eq!(failed["refused"], 500, "{failed}");
    let reason = failed["error"].as_str().expect("words");
    for part in ["the agent in seat 2 failed", "it has ended (exit status: 3)", "kept in one.jsonl"]
    {
        assert!(reason.contains(part), "{reason}");
    }
    assert_eq!(served.get(0, "api/table").status, 200, "the page is still there");
    let record = place.read("one.jsonl");
    assert!(record.matches(r#""seat":1,"phase""#).count() >= 1, "{record}");
    drop(served);
    place.write("bot.sh", guests::bot(""));
    let served = Served::start(&place, "play --resume one.jsonl --agents bot.toml");
    served.choose(0, 1, 2);
    assert!(place.read("one.jsonl").starts_with(&record), "nothing was lost");
}
