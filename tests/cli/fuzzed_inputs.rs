//! Fuzzed inputs, by a seeded generator: rule sets, strategies, nets, flags, thresholds, records and figures that
//! nearly make sense. Each is played, checked or refused, in bounded memory and time.

use crate::fuzz::{Dice, NUMBERS, WORDS, code_of, try_all};
use crate::support::Place;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;

const SETS: [&str; 8] = [
    "points_to_win=7",
    "side=b",
    "metropolis.cost={ wool = 3, ore = 1 }",
    "metropolis.cost.wool=2",
    "robber.hand_limit=5",
    "turns_max=100",
    "city.cost={grain=4,ore=4,wool=4}",
    "first_turn=\"last\"",
];

const THRESHOLDS: [&str; 6] = [
    "seats.win_rate.max - seats.win_rate.min < 2pp",
    "seats[seat=1].win_rate > 10%",
    "length.mean.hi <= 200",
    "abs(cards.held.mean - 3.5e-1) * (2 + 1) != -0.5",
    "anomalies.count.sum = 0",
    "length[measure=turns].mean in 10..20",
];

const AGENTS: [&str; 7] = [
    "random",
    "builder,random",
    "heuristic:haste=0.25,greedy",
    "warlord:knight_love=1.5:deny=0.6",
    "mcts:iterations=100:haste=0.5:rollout=heuristic:fog=2",
    "mcts:time_ms=5,random,random,drifter",
    "skilled,no-trade,surveyor",
];

/// Flags with values that somebody would write; none of them plays long.
const FLAGS: [(&str, &str); 22] = [
    ("simulate on-the-road --agents random --out taken --matches", "20,000"),
    ("simulate on-the-road --agents random --matches 1 --seed", "18446744073709551615"),
    ("simulate on-the-road --agents random --matches 1 --threads", "2"),
    ("simulate base --agents random --out taken --players", "4"),
    ("simulate on-the-road --agents random --matches 1 --shard", "1/2"),
    ("simulate on-the-road --agents random --out taken --save-every", "5"),
    ("simulate on-the-road --agents random --matches 1 --rows", "csv"),
    ("compare on-the-road random builder --out taken --until", "ci=2pp"),
    ("compare on-the-road random builder --out taken --win1", "2pp"),
    ("compare on-the-road random builder --out taken --elo0 0 --elo1", "12.5"),
    ("compare on-the-road random builder --out taken --look", "4"),
    ("compare on-the-road random builder --out taken --wave-blocks 4k --wave", "2"),
    ("compare on-the-road random builder --out taken --wave 2 --wave-blocks", "4k"),
    ("compare on-the-road random builder --out taken --alpha", "5%"),
    ("compare on-the-road --agents random --out taken --rules-b", "points_to_win=6"),
    ("balance on-the-road --levels random --out taken --factor", "points_to_win=7,6"),
    ("balance on-the-road --levels random --out taken --choice", "metropolis"),
    ("balance on-the-road --levels random --out taken --choice metropolis --margin", "1pp"),
    ("sweep on-the-road --agents random --out taken --field points_to_win --values", "5..8"),
    ("sweep on-the-road --agents heuristic --out taken --param haste --values", "0..1/5"),
    ("learn on-the-road --matches 1 --out taken --lambda", "0.95"),
    ("learn on-the-road --matches 1 --out taken --step", "0.03"),
];

/// Valid inputs that take long to make.
struct Sources {
    rules: [Vec<u8>; 5],
    record: [Vec<u8>; 5],
    foreign: Vec<u8>,
    figures: Vec<u8>,
    strategies: Vec<Vec<u8>>,
    /// Nets of two games.
    nets: [(&'static str, &'static [u8]); 2],
}

impl Sources {
    fn new() -> Sources {
        let place = Place::new();
        let games = ["on-the-road", "base", "struggle", "two-player", "boats"];
        let rules = games.map(|game| place.done(&format!("rules {game}")).into_bytes());
        let record = games.map(|game| {
            let line = format!("simulate {game} --agents greedy --matches 4 --quiet --out {game}");
            place.done(&line);
            place.done(&format!("replay {game} 0.0 --format jsonl")).into_bytes()
        });
        let packed = include_bytes!("../data/catanatron.jsonl.zst").as_slice();
        let mut foreign = Vec::new();
        let plain = zstd::Decoder::new(packed).expect("a zstd frame");
        plain.take(4 << 20).read_to_end(&mut foreign).expect("records");
        let end = foreign.iter().position(|&byte| byte == b'\n').expect("a line");
        foreign.truncate(end + 1);
        let line = "bench on-the-road --agents random --seconds 0.1 --threads 1 --save figures";
        place.done(line);
        let figures = place.read(".fairhaven/bench/figures.toml").into_bytes();
        let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/strategies"));
        let mut paths: Vec<_> = files
            .expect("the strategies")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|end| end == "toml"))
            .collect();
        paths.sort();
        let strategies = paths.iter().map(|path| fs::read(path).expect("a strategy")).collect();
        let nets = [
            (
                "on-the-road",
                include_bytes!("../../src/games/on_the_road/opinion/net.toml").as_slice(),
            ),
            ("struggle", include_bytes!("../../src/games/struggle/opinion/net.toml").as_slice()),
        ];
        Sources { rules, record, foreign, figures, strategies, nets }
    }
}

/// The numbers in a text, by their places.
fn numbers(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, _) in text.iter().enumerate().filter(|(_, byte)| byte.is_ascii_digit()) {
        match found.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

/// Changes a text a little.
fn change(dice: &mut Dice, text: &mut Vec<u8>, most: usize) {
    let at = dice.stretch(text.len());
    match dice.below(12) {
        0 if !text.is_empty() => text[at.start] ^= 1 << dice.below(8),
        1 => drop(text.drain(at)),
        2 => {
            let again = text[at.clone()].to_vec();
            text.splice(at.start..at.start, again);
        }
        3 => {
            let other = dice.stretch(text.len());
            let other = text[other].to_vec();
            text.splice(at, other);
        }
        4 | 5 => {
            let word = dice.pick(&WORDS).bytes();
            text.splice(at.start..at.start, word);
        }
        6..=8 => {
            let all = numbers(text);
            if !all.is_empty() {
                let number = dice.pick(&all).clone();
                text.splice(number, dice.pick(&NUMBERS).bytes());
            }
        }
        9 => {
            let opened = *dice.pick(&["[", "{a=", "{\"a\":", "(", "a.", "-", "abs(", "[[a]]\n"]);
            let times = *dice.pick(&[10, 200, most / 8]);
            text.splice(at.start..at.start, opened.repeat(times).bytes());
        }
        10 => {
            let byte = dice.bytes(1)[0];
            let times = *dice.pick(&[10, 1000, most]);
            text.splice(at.start..at.start, std::iter::repeat_n(byte, times));
        }
        _ => text.truncate(at.start),
    }
    text.truncate(text.len().min(4 << 20));
}

/// Changes a text in one to three places.
fn changed(dice: &mut Dice, text: &[u8], most: usize) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..*dice.pick(&[1, 1, 1, 2, 3]) {
        change(dice, &mut text, most);
    }
    text
}

/// Most bytes that are put into an argument or a file in one place.
const IN_WORD: usize = 10_000;
const IN_FILE: usize = 1_200_000;

/// A word of a command line; the system has none with a zero byte.
fn word(mut bytes: Vec<u8>) -> OsString {
    bytes.retain(|&byte| byte != 0);
    bytes.truncate(100_000);
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::from_vec(bytes);
    #[cfg(not(unix))]
    return String::from_utf8_lossy(&bytes).into_owned().into();
}

/// The words of a call: those of a line, then one that is made.
fn with(line: &str, last: OsString) -> Vec<OsString> {
    line.split(' ').map(OsString::from).chain([last]).collect()
}

/// Matches without agents that search are short; what searches is looked at and not played.
fn few_matches(text: &[u8]) -> &'static str {
    let text = String::from_utf8_lossy(text);
    let searches = ["mcts", "oracle"].iter().any(|kind| text.contains(kind));
    if searches { "--out taken" } else { "--matches 1" }
}

/// A call with something fuzzed in it.
fn call(dice: &mut Dice, from: &Sources, place: &Place) -> Vec<OsString> {
    let game = dice.below(5);
    let name = ["on-the-road", "base", "struggle", "two-player", "boats"][game];
    let simulate = format!("simulate {name} --quiet --threads 1");
    let file = |text: Vec<u8>, line: String| {
        place.write("fuzzed.toml", text);
        with(&line, "fuzzed.toml".into())
    };
    match dice.below(10) {
        0 => {
            let text = changed(dice, &from.rules[game], IN_FILE);
            file(text, format!("{simulate} --agents random --matches 1 --rules"))
        }
        1 => {
            let source = dice.pick(&from.strategies).clone();
            let text = changed(dice, &source, IN_FILE);
            let few = few_matches(&text);
            file(text, format!("{simulate} {few} --players 3 --agents"))
        }
        2 => {
            let valid = *dice.pick(&SETS);
            let text = changed(dice, valid.as_bytes(), IN_WORD);
            with(&format!("{simulate} --agents random --matches 1 --set"), word(text))
        }
        3 => {
            let valid = *dice.pick(&THRESHOLDS);
            let text = changed(dice, valid.as_bytes(), IN_WORD);
            with(&format!("{simulate} --agents random --matches 4 --require"), word(text))
        }
        4 => {
            let valid = *dice.pick(&AGENTS);
            let text = changed(dice, valid.as_bytes(), IN_WORD);
            let few = few_matches(&text);
            with(&format!("{simulate} {few} --agents"), word(text))
        }
        5 => {
            let (line, value) = FLAGS[dice.below(FLAGS.len())];
            with(line, word(changed(dice, value.as_bytes(), IN_WORD)))
        }
        6 => {
            let text = changed(dice, &from.record[game], IN_FILE);
            file(text, "replay --check".to_owned())
        }
        8 => {
            let (name, net) = *dice.pick(&from.nets);
            place.write("fuzzed.toml", changed(dice, net, IN_FILE));
            let line =
                format!("simulate {name} --quiet --threads 1 --players 2 --matches 1 --agents");
            with(&line, "mcts:iterations=2:net=fuzzed.toml".into())
        }
        7 => {
            let text = changed(dice, &from.foreign, IN_FILE);
            file(text, "replay --check --format catanatron".to_owned())
        }
        _ => {
            let text = changed(dice, &from.figures, IN_FILE);
            fs::create_dir_all(place.path(".fairhaven/bench")).expect("a directory");
            place.write(".fairhaven/bench/fuzzed.toml", text);
            // With another seed the figures can't be compared, so that nothing is measured.
            with(
                "bench on-the-road --agents random --seconds 0.1 --seed 7 --baseline",
                "fuzzed".into(),
            )
        }
    }
}

/// One case: the exit code, or what is wrong.
fn tried(case: u64, from: &Sources) -> Result<i32, String> {
    let mut dice = Dice::new(2, case);
    let place = Place::new();
    fs::create_dir(place.path("taken")).expect("a directory");
    place.write("taken/thesis.txt", "mine");
    place.write("thesis.txt", "mine, beside");
    let words = call(&mut dice, from, &place);
    let given = fs::read(place.path("fuzzed.toml")).ok();
    let names = place.names();
    let borrowed: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
    let done = place.bounded_words(&borrowed);
    let told = |fault: String| {
        let shown = words
            .iter()
            .map(|word| -> String { word.to_string_lossy().escape_debug().take(300).collect() });
        format!("{}: {fault}", shown.collect::<Vec<_>>().join(" "))
    };
    let code = code_of(&done).map_err(told)?;
    let kept = fs::read(place.path("fuzzed.toml")).ok() == given
        && place.names() == names
        && place.read("thesis.txt") == "mine, beside"
        && place.read("taken/thesis.txt") == "mine";
    if kept { Ok(code) } else { Err(told("a file of the user's is not what it was".to_owned())) }
}

#[test]
fn fuzzed_inputs_are_answered() {
    let sources = Sources::new();
    try_all("fuzzed inputs", |case| tried(case, &sources));
}
