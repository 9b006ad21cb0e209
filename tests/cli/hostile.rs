//! Damaged and malicious manifests: an error each, never a panic, and no match is played.

use crate::support::{Place, sealed};
use fairhaven::lab::report::manifest::SCHEMA_VERSION;
use serde_json::{Value, json};

#[test]
fn a_damaged_manifest_is_refused() {
    let place = Place::new();
    place.done("simulate on-the-road --agents builder,random --matches 20 --quiet --out out");
    let whole = place.read("out/manifest.json");
    let deep = "[".repeat(100_000);
    for text in ["", "\u{0}", &deep, &whole[..whole.len() / 2], &whole[1..]] {
        place.write("out/manifest.json", text);
        place.refused("replay out 0.0", &["manifest.json", "not a manifest"]);
    }
    for text in ["{}", "null", "[]", "7"] {
        place.write("out/manifest.json", text);
        place.refused("replay out 0.0", &["manifest.json", "not a manifest"]);
    }
    let version = |version: u32| format!("{{\"schema_version\": {version}}}");
    place.write("out/manifest.json", version(SCHEMA_VERSION - 1));
    let (old, new) = (format!("version {}", SCHEMA_VERSION - 1), format!("reads {SCHEMA_VERSION}"));
    place.refused("replay out 0.0", &["manifest.json", &old, &new]);
    place.write("out/manifest.json", version(SCHEMA_VERSION));
    place.refused("replay out 0.0", &["manifest.json", "not a manifest", "missing field"]);
    place.write("out/manifest.json", [0xff, 0xfe]);
    place.refused("replay out 0.0", &["manifest.json", "UTF-8"]);
    place.write("out/manifest.json", vec![b' '; 17 << 20]);
    place.refused("replay out 0.0", &["manifest.json", "too large"]);
    std::fs::remove_file(place.path("out/manifest.json")).unwrap();
    place.refused("replay out 0.0", &["manifest.json", "No such file"]);
}

/// Matches of a block with these agents in their seats.
fn seated(matches: &[&[u64]]) -> Value {
    matches.iter().map(|seats| json!({ "variant": 0, "seats": seats, "forced": null })).collect()
}

#[test]
fn absurd_numbers_are_refused() {
    let place = Place::new();
    place.done("simulate on-the-road --agents builder,random --matches 20 --quiet --out out");
    let whole = place.manifest("out");
    let most = json!(u64::MAX);
    for (at, value, part) in [
        ("/schema_version", json!(99), "99"),
        ("/schema_version", most.clone(), "not a manifest"),
        ("/schema_version", json!(1), "1"),
        ("/schema_version", json!("2"), "not a manifest"),
        ("/game", json!("checkers"), "`checkers`"),
        ("/players", json!(200), "200 players"),
        ("/players", json!(0), "0 players"),
        ("/players", json!(3), "does not fit"),
        ("/players", json!(-1), "not a manifest"),
        ("/seed", json!(-1), "not a manifest"),
        ("/seed", json!(1e30), "not a manifest"),
        ("/rules", json!({ "turns_max": 60_000 }), "turns_max"),
        ("/rules", json!({ "turns_max": 99_999_999 }), "rule set"),
        ("/rules", json!({ "colour": "red" }), "colour"),
        ("/rules", json!({ "side": Value::Null }), "not a manifest"),
        ("/rules/road/cost/ore", json!(255), "road.cost.ore"),
        ("/agents", json!([]), "does not fit"),
        ("/agents/0/kind", json!("nobody"), "`nobody`"),
        ("/agents/0/parameters", json!({ "iterations": 1 }), "`iterations`"),
        ("/plan/blocks", json!(0), "no blocks"),
        ("/plan/blocks", json!(-5), "not a manifest"),
        ("/plan/blocks", most.clone(), "above 10^12"),
        ("/plan/chunk", json!(0), "no blocks"),
        ("/plan/chunk", most.clone(), "a chunk of 18446744073709551615 blocks"),
        ("/plan/shard", json!({ "part": 5, "parts": 4 }), "manifest: shard 5/4 is out of range"),
        ("/plan/shard", json!({ "part": 0, "parts": 4 }), "out of range"),
        ("/plan/shard", json!({ "part": 0, "parts": 0 }), "out of range"),
        ("/plan/shard", json!({ "part": most, "parts": most }), "out of range"),
        ("/plan/matches_of_a_block", json!([]), "does not fit"),
        ("/plan/matches_of_a_block", json!([[0, 1], [1, 0]]), "not a manifest"),
        ("/plan/matches_of_a_block", seated(&[&[], &[]]), "does not fit"),
        ("/plan/matches_of_a_block", seated(&[&[0], &[1]]), "does not fit"),
        ("/plan/matches_of_a_block", seated(&[&[0, 7], &[1, 0]]), "does not fit"),
        ("/plan/matches_of_a_block", seated(&[&[0, u64::MAX], &[1, 0]]), "does not fit"),
        ("/plan/matches_of_a_block", seated(&[&vec![0; 5000], &vec![1; 5000]]), "does not fit"),
        (
            "/plan/matches_of_a_block",
            seated(&vec![&[0, 1][..]; 70_000]),
            "70000 matches of a block",
        ),
        ("/plan/matches_of_a_block/0/variant", json!(1), "does not fit"),
        ("/plan/matches_of_a_block/0/variant", most.clone(), "does not fit"),
        ("/variants", json!([]), "no rule sets"),
        ("/variants/0/changes", json!(["colour=red"]), "colour"),
        ("/variants/0/changes", json!(["points_to_win=1000"]), "points_to_win"),
        ("/played/blocks", json!(0), "played no blocks"),
    ] {
        let mut manifest = whole.clone();
        *manifest.pointer_mut(at).expect("a field of the manifest") = value.clone();
        place.write("out/manifest.json", sealed(manifest.clone()));
        place.refused("replay out 0.0", &["out", part]);
    }
    let mut manifest = whole.clone();
    for at in ["/played/blocks", "/played/matches", "/played/failures"] {
        *manifest.pointer_mut(at).expect("a field of the manifest") = most.clone();
    }
    place.write("out/manifest.json", sealed(manifest.clone()));
    place.refused("replay out 10.1", &["no block 10", "0 to 9"]);
    place.refused("replay out 18446744073709551614.1", &["no block", "0 to 9"]);
    // A search that would take all memory or all time is out of range.
    let mut manifest = whole;
    manifest["agents"][0]["kind"] = json!("mcts");
    manifest["agents"][0]["parameters"] = json!({ "iterations": u32::MAX });
    place.write("out/manifest.json", sealed(manifest.clone()));
    place.refused("replay out 0.0", &["`iterations`", "10000000"]);
}
