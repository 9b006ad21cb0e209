//! Whatever is altered in a recorded match is found at its place, even next to a known difference.

use crate::support::{checked, recorded, step, takes};
use fairhaven::conformance::catanatron::differences::Place;
use serde_json::{Value, json};

/// Checks an altered match: nothing explains it, and it is named by step and field.
#[track_caller]
fn is_found(record: &Value, place: Place, field: &str) {
    let agreement = checked(record).expect("it can be read");
    assert_eq!((agreement.matches, agreement.unexplained), (1, 1), "\n{agreement}");
    let what = &agreement.kept[0];
    assert_eq!((what.line, what.place, what.mismatch.field), (1, place, field), "{what}");
}

/// Puts another value at a pointer below a step.
#[track_caller]
fn put(record: &mut Value, step: usize, at: &str, value: Value) {
    let place = record["steps"][step].pointer_mut(at).expect("a value");
    assert_ne!(*place, value, "{at} of step {step} is altered");
    *place = value;
}

#[test]
fn each_field_of_a_state_is_compared() {
    let record = recorded(9);
    let offer = step(&record, 0, takes("OFFER_TRADE"));
    for (at, value) in [
        ("/s/cp", json!(3)),
        ("/s/tp", json!(3)),
        ("/s/pr", json!("DISCARD")),
        ("/s/nt", json!(77)),
        ("/s/h/1/2", json!(17)),
        ("/s/b/4", json!(1)),
        ("/s/d/2/0", json!(3)),
        ("/s/pd/0/0", json!(3)),
        ("/s/pd/3/2", json!(1)),
        ("/s/dk", json!(3)),
        ("/s/vp/3", json!(9)),
        ("/s/avp/0", json!(9)),
        ("/s/rl/1", json!(9)),
        ("/s/lr", json!(2)),
        ("/s/la", json!(0)),
        ("/s/left/0/0", json!(1)),
        ("/s/rob", json!(40)),
        ("/s/rolled/3", json!(1)),
        ("/s/dcnt/2", json!(4)),
        ("/s/fr", json!(2)),
        ("/s/trade/3", json!(6)),
        ("/s/trade", Value::Null),
        ("/s/acc/1", json!(1)),
    ] {
        let mut altered = record.clone();
        put(&mut altered, offer, at, value);
        let field = at.split('/').nth(2).expect("a field");
        if at == "/s/trade" {
            let error = checked(&altered).expect_err("a trade is open").to_string();
            assert!(error.contains(&format!("line 1, step {offer}: field `trade`")), "{error}");
        } else {
            is_found(&altered, Place::Step(offer), field);
        }
    }
}

#[test]
fn the_start_and_the_end_are_compared() {
    let record = recorded(0);
    let mut altered = record.clone();
    altered["start"]["b"][0] = json!(18);
    is_found(&altered, Place::Start, "b");
    for (key, value) in [("winner", json!(1)), ("winner", Value::Null), ("turns", json!(39))] {
        let mut altered = record.clone();
        altered[key] = value;
        is_found(&altered, Place::End, key);
    }
    let mut altered = record.clone();
    let steps = altered["steps"].as_array_mut().expect("steps");
    steps.pop();
    is_found(&altered, Place::End, "steps");
    let mut altered = record.clone();
    let steps = altered["steps"].as_array_mut().expect("steps");
    let (last, count) = (steps[steps.len() - 1].clone(), steps.len());
    steps.push(last);
    is_found(&altered, Place::Step(count), "a");
}

#[test]
fn each_entry_of_a_list_is_compared() {
    let record = recorded(6);
    for (from, word) in [
        (0, "BUILD_SETTLEMENT"),
        (1, "BUILD_ROAD"),
        (100, "END_TURN"),
        (100, "MOVE_ROBBER"),
        (100, "DISCARD_RESOURCE"),
        (100, "MARITIME_TRADE"),
        (100, "PLAY_MONOPOLY"),
        (100, "BUILD_CITY"),
    ] {
        let at = step(&record, from, takes(word));
        let entries = record["steps"][at]["l"].as_array().expect("a list").len();
        for gone in 0..entries {
            let mut altered = record.clone();
            let step = &mut altered["steps"][at];
            step["l"].as_array_mut().expect("a list").remove(gone);
            step["n"] = json!(entries - 1);
            is_found(&altered, Place::Step(at), "l");
        }
        let mut altered = record.clone();
        let step = &mut altered["steps"][at];
        let twice = step["l"][0].clone();
        step["l"].as_array_mut().expect("a list").push(twice);
        step["n"] = json!(entries + 1);
        is_found(&altered, Place::Step(at), "l");
        let mut altered = record.clone();
        altered["steps"][at]["n"] = json!(entries + 1);
        is_found(&altered, Place::Step(at), "n");
    }
}

#[test]
fn what_is_done_must_be_allowed_and_come_to_what_it_can() {
    let record = recorded(6);
    let mut altered = record.clone();
    put(&mut altered, 0, "/a/0", json!(1));
    is_found(&altered, Place::Step(0), "a");
    let at = step(&record, 100, takes("END_TURN"));
    let mut altered = record.clone();
    put(&mut altered, at, "/a", json!([record["steps"][at]["a"][0], "PLAY_MONOPOLY", "ORE"]));
    is_found(&altered, Place::Step(at), "a");
    let stolen = |step: &Value| step["a"][1] == "MOVE_ROBBER" && step["r"] == "WOOD";
    let at = step(&record, 0, stolen);
    let victim =
        usize::try_from(record["steps"][at]["a"][2][1].as_u64().expect("a seat")).expect("few");
    let lacks = (0..5).find(|&kind| record["steps"][at - 1]["s"]["h"][victim][kind] == 0);
    let kinds = ["WOOD", "BRICK", "SHEEP", "WHEAT", "ORE"];
    let mut altered = record.clone();
    put(&mut altered, at, "/r", json!(kinds[lacks.expect("no card of some kind")]));
    is_found(&altered, Place::Step(at), "r");
    let bought = |step: &Value| step["a"][1] == "BUY_DEVELOPMENT_CARD" && step["r"] == "KNIGHT";
    let at = step(&record, 0, bought);
    let mut altered = record.clone();
    put(&mut altered, at, "/r", json!("MONOPOLY"));
    is_found(&altered, Place::Step(at), "r");
    let at = step(&record, 0, takes("ROLL"));
    let mut altered = record.clone();
    let [one, two] = [0, 1].map(|at_die| record["steps"][at]["r"][at_die].as_u64().expect("a die"));
    put(&mut altered, at, "/r", if one + two == 7 { json!([2, 2]) } else { json!([3, 4]) });
    let agreement = checked(&altered).expect("it can be read");
    assert_eq!(agreement.kept[0].place, Place::Step(at), "\n{agreement}");
}

#[test]
fn longest_road_elsewhere_is_told_from_a_mistake() {
    let record = recorded(4);
    // While the holders differ, the rules' own holder is a mistake too, and any third seat.
    let clean = checked(&record).expect("a match").to_string();
    assert!(clean.contains("road_holder         1            1        1"), "{clean}");
    let holds = |step: &Value| step["s"]["lr"] != -1;
    let at = step(&record, 0, holds);
    for other in [-1, 0, 1, 2, 3] {
        let mut altered = record.clone();
        if altered["steps"][at]["s"]["lr"] == other {
            continue;
        }
        put(&mut altered, at, "/s/lr", json!(other));
        is_found(&altered, Place::Step(at), "lr");
    }
    let steps = record["steps"].as_array().expect("steps").len();
    let mut moves = 0;
    for at in 1..steps {
        let [before, after] = [at - 1, at].map(|at| &record["steps"][at]["s"]["lr"]);
        if before != after {
            moves += 1;
            let mut altered = record.clone();
            put(&mut altered, at, "/s/lr", before.clone());
            is_found(&altered, Place::Step(at), "lr");
        }
    }
    assert!(moves >= 1, "the card has moved");
}

#[test]
fn a_road_past_a_building_is_told_from_a_mistake() {
    let record = recorded(3);
    let road = |entry: &Value| entry[0] == "BUILD_ROAD";
    // 34-35 lies past another's building at 34, in this match.
    let past = |step: &Value| {
        let list = step["l"].as_array().expect("a list");
        list.iter().any(|entry| road(entry) && entry[1] == json!([34, 35]))
    };
    let at = step(&record, 100, past);
    let list = record["steps"][at]["l"].as_array().expect("a list");
    let without: Vec<&Value> = list.iter().filter(|entry| entry[1] != json!([34, 35])).collect();
    let mut altered = record.clone();
    altered["steps"][at]["n"] = json!(without.len());
    altered["steps"][at]["l"] = json!(without);
    is_found(&altered, Place::Step(at), "l");
}

#[test]
fn a_friendly_robber_is_told_from_a_mistake() {
    let record = recorded(7);
    let at = step(&record, 0, takes("MOVE_ROBBER"));
    let mut altered = record.clone();
    altered["config"]["friendly"] = json!(0);
    is_found(&altered, Place::Step(at), "l");
}

#[test]
fn options_must_be_those_that_were_played_with() {
    for (line, key, value) in
        [(15, "discard", json!(7)), (15, "vps", json!(10)), (0, "vps", json!(11))]
    {
        let mut altered = recorded(line);
        altered["config"][key] = value;
        let agreement = checked(&altered).expect("it can be read");
        assert_eq!(agreement.unexplained, 1, "{key}\n{agreement}");
    }
}

#[test]
fn answers_to_an_offer_are_compared() {
    let record = recorded(9);
    let own = |step: &Value| step["a"][1] == "REJECT_TRADE" && step["a"][0] == step["s"]["tp"];
    let at = step(&record, 0, own);
    for (pointer, value, field) in
        [("/a/0", json!(3), "a"), ("/a/2/0", json!(9), "a"), ("/l/0/0", json!("ACCEPT_TRADE"), "l")]
    {
        let mut altered = record.clone();
        if altered["steps"][at].pointer(pointer) == Some(&value) {
            continue;
        }
        put(&mut altered, at, pointer, value);
        is_found(&altered, Place::Step(at), field);
    }
    let at = step(&record, 0, takes("CONFIRM_TRADE"));
    let mut altered = record.clone();
    let partner = record["steps"][at]["a"][2][10].as_u64().expect("a seat");
    put(&mut altered, at, "/a/2/10", json!((partner + 1) % 4));
    let agreement = checked(&altered).expect("it can be read");
    assert_eq!(agreement.kept[0].place, Place::Step(at), "\n{agreement}");
}
