//! `learn`: a strategy file that can be played, and messages about wrong arguments.

use crate::support::Place;

#[test]
fn learned_weights_are_an_agent() {
    for game in ["base", "struggle"] {
        let place = Place::new();
        let line = format!("learn {game} --matches 20 --players 3");
        let told = place.done(&format!("{line} --out mine.toml"));
        assert!(told.contains("matches won") && told.contains("mine.toml"), "{told}");
        let said = ["mine.toml is stronger than", "mine.toml is weaker", "mine.toml is not shown"];
        assert!(said.iter().any(|said| told.contains(said)), "{told}");
        let file: toml::Table = toml::from_str(&place.read("mine.toml")).expect("TOML");
        assert_eq!(file["kind"].as_str(), Some("heuristic"));
        let provenance = file["provenance"].as_str().unwrap();
        assert!(provenance.contains("--matches 20") && provenance.contains("on fresh deals"));
        assert_eq!(file["parameters"]["point"].as_float(), Some(1.0), "the unit");
        let agents = "--agents mine.toml,greedy --matches 4 --quiet --out out";
        place.done(&format!("simulate {game} {agents}"));
        assert_eq!(place.done(&line), place.read("mine.toml"), "the same on paper");
        place.refused(&format!("{line} --out mine.toml"), &["mine.toml", "--force"]);
    }
}

#[test]
fn what_can_not_be_learned_is_said() {
    let place = Place::new();
    place.refused("learn on-the-road", &["on-the-road", "can't be learned"]);
    place.refused("learn chess", &["`chess`"]);
    place.refused("learn base --from mcts", &["mcts", "heuristic"]);
    place.refused("learn base --hold luck", &["luck", "ready"]);
    place.refused("learn base --lambda 2", &["--lambda 2"]);
    place.refused("learn base --step 0", &["--step 0"]);
    place.refused("learn base --every 0", &["--every 0"]);
    place.refused("learn base --out weights.txt", &[".toml"]);
    place.refused("learn base --out nowhere/mine.toml", &["nowhere"]);
}
