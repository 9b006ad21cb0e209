//! Random scenarios: frames, seas, islands, unexplored hexes, harbours and rivers of all kinds. Whatever is drawn can be
//! read.

use crate::random::{below, one_in, small};
use fairhaven::games::boats::scenario::{FRAMES, Scenario, Spot};
use fairhaven::games::boats::scenario_file::scenario;
use rand_pcg::Pcg32;
use std::fmt::Write as _;

const KINDS: [&str; 5] = ["brick", "lumber", "wool", "grain", "ore"];
const TOKENS: [u8; 10] = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];
const SIDES: [&str; 6] = ["NE", "E", "SE", "SW", "W", "NW"];

fn any_of<'a>(words: &[&'a str], rng: &mut Pcg32) -> &'a str {
    words[below(rng, words.len())]
}

fn token(rng: &mut Pcg32) -> u8 {
    TOKENS[below(rng, TOKENS.len())]
}

/// Terrain and tokens for a number of hexes, as a table of a scenario.
fn contents(name: &str, hexes: usize, with_sea: bool, rng: &mut Pcg32) -> String {
    let mut counts = [0_usize; 7];
    for _ in 0..hexes {
        let kind =
            if one_in(rng, 4) { 5 + below(rng, 1 + usize::from(with_sea)) } else { below(rng, 5) };
        counts[kind] += 1;
    }
    let tokens: Vec<u8> = (0..counts[..5].iter().sum()).map(|_| token(rng)).collect();
    let mut text = format!("[{name}]\nterrain = {{ desert = {}, sea = {}", counts[5], counts[6]);
    for (kind, count) in KINDS.iter().zip(counts) {
        write!(text, ", {kind} = {count}").unwrap();
    }
    write!(text, " }}\ntokens = {tokens:?}\n").unwrap();
    text
}

/// The text of a scenario that may or may not be playable.
fn text(rng: &mut Pcg32) -> String {
    let (rows, _) = FRAMES[below(rng, FRAMES.len())];
    let [sea, fog] = [10 + below(rng, 50), [0, 0, 10, 30][below(rng, 4)]];
    let (mut map, mut drawn, mut hidden) = (String::new(), 0, 0);
    for &length in rows {
        for _ in 0..length {
            let word = match below(rng, 100) {
                at if at < sea => "sea".to_owned(),
                at if at < sea + fog => {
                    hidden += 1;
                    "?".to_owned()
                }
                at if at < sea + fog + 3 => "desert".to_owned(),
                at if at % 2 == 0 => {
                    drawn += 1;
                    "land".to_owned()
                }
                _ => format!("{}:{}", any_of(&KINDS, rng), token(rng)),
            };
            write!(map, " {word}").unwrap();
        }
        map.push('\n');
    }
    let place = |rng: &mut Pcg32| {
        let row = below(rng, rows.len());
        format!("r{}c{} {}", row + 1, 1 + small(rng, rows[row]), any_of(&SIDES, rng))
    };
    let rivers: Vec<String> = (0..below(rng, 4)).map(|_| place(rng)).collect();
    let mut text = format!("map = \"\"\"\n{map}\"\"\"\nrivers = {rivers:?}\n");
    for helper in ["isa", "louis"] {
        if one_in(rng, 2) {
            writeln!(text, "{helper} = {}", 1 + below(rng, 2)).unwrap();
        }
    }
    text += &contents("land", drawn, false, rng);
    text += &contents("unexplored", hidden, true, rng);
    if one_in(rng, 2) {
        writeln!(text, "[harbours]\n\"{}\" = \"any\"", place(rng)).unwrap();
        if one_in(rng, 3) {
            writeln!(text, "\"{}\" = \"{}\"", place(rng), any_of(&KINDS, rng)).unwrap();
        }
    }
    text
}

/// A playable scenario with room for a number of players.
pub fn playable(rng: &mut Pcg32, players: u8) -> String {
    loop {
        let text = text(rng);
        if scenario(&text).is_ok_and(|scenario| scenario.room() >= players) {
            return text;
        }
    }
}

#[test]
fn random_scenarios_are_of_all_kinds() {
    let mut rng = Pcg32::new(1, 54);
    let read: Vec<Scenario> = (0..1000_u16)
        .map(|at| 2 + u8::try_from(at % 5).expect("a number of players"))
        .map(|players| scenario(&playable(&mut rng, players)).expect("it has been read"))
        .collect();
    let count = |holds: fn(&Scenario) -> bool| read.iter().filter(|of| holds(of)).count();
    assert!(count(|of| of.fog().is_empty()) > 20);
    assert!(count(|of| !of.fog().is_empty()) > 20);
    assert!(count(|of| of.islands() > 3) > 10);
    assert!(count(|of| of.islands() == 1) > 10);
    assert!(count(|of| of.sea().is_empty()) < 950);
    assert!(count(|of| !of.harbours.is_empty()) > 10);
    assert!(count(|of| !of.rivers.is_empty()) > 20);
    assert!(count(|of| of.isa.is_some() && of.louis.is_some()) > 20);
    assert!(count(|of| of.spots.contains(&Spot::Fixed(None, 0))) > 20);
}
