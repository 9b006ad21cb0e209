//! Hostile input: no panic, no hang, no more memory than a line takes.

use crate::played::{Recorded, play, short_matches};
use crate::shadow::shadow;
use fairhaven::core::chance::below;
use fairhaven::core::wording::Wording;
use fairhaven::games::base::Base;
use fairhaven::games::boats::{Boats, rules as boats};
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::rules::Rules;
use fairhaven::games::struggle::{Struggle, rules as struggle};
use fairhaven::games::two_player::{TwoPlayer, rules as two_player};
use fairhaven::parts::island::rules as base;
use fairhaven::sim::records::check::check;
use fairhaven::sim::records::error::{LINE_MAX, RecordError, RecordFault};
use rand_pcg::Pcg32;
use std::io::{BufReader, Read};

fn short() -> Vec<u8> {
    let rules = Rules { turns_max: 6, ..Rules::default() };
    bytes_of(&play::<OnTheRoad>(rules, &["random", "builder", "drifter"], 3).lines)
}

fn bytes_of(lines: &[String]) -> Vec<u8> {
    let mut bytes = lines.join("\n").into_bytes();
    bytes.push(b'\n');
    bytes
}

/// Lines up to a byte.
fn line_of(bytes: &[u8], at: usize) -> u64 {
    bytes[..at].split(|&byte| byte == b'\n').count() as u64
}

/// Changes a few bytes and says where the first change is.
fn corrupt(bytes: &mut Vec<u8>, rng: &mut Pcg32) -> usize {
    let mut first = bytes.len();
    for _ in 0..=below(rng, 4) {
        let at = below(rng, u32::try_from(bytes.len()).unwrap()) as usize;
        first = first.min(at);
        let likely = b"0123456789\",:{}[]\n-.eE a\\\xff\0";
        let byte = likely[below(rng, u32::try_from(likely.len()).unwrap()) as usize];
        match below(rng, 4) {
            0 => bytes[at] = byte,
            1 => bytes[at] ^= 1 << below(rng, 8),
            2 => bytes.insert(at, byte),
            _ => drop(bytes.remove(at)),
        }
    }
    first
}

/// Alters a record in many ways; returns how many were refused.
fn corrupt_often<G: Wording>(lawful: &[u8], times: u32) -> u32 {
    let mut rng = Pcg32::new(1, 2);
    let mut refused = 0;
    for _ in 0..times {
        let mut bytes = lawful.to_vec();
        let first = corrupt(&mut bytes, &mut rng);
        if let Err(error) = check::<G>(bytes.as_slice()) {
            refused += 1;
            assert!(error.line >= line_of(lawful, first), "{error}");
            assert!(error.line <= line_of(&bytes, bytes.len()), "{error}");
            assert!(error.to_string().len() < 4000 && !error.to_string().contains('\u{1b}'));
        }
    }
    refused
}

#[test]
fn corrupted_bytes_never_panic_and_are_found_no_sooner_than_they_stand() {
    let refused = corrupt_often::<OnTheRoad>(&short(), 6000);
    assert!(refused > 5500, "only {refused}");
    let rules = base::Rules { turns_max: 3, ..base::Rules::default() };
    let lines = play::<Base>(rules, &["greedy", "random", "heuristic"], 3).lines;
    let refused = corrupt_often::<Base>(&bytes_of(&lines), 2000);
    assert!(refused > 1800, "only {refused}");
    let rules = struggle::Rules { turns_max: 5, ..struggle::Rules::default() };
    let lines = play::<Struggle>(rules, &["greedy", "random", "heuristic"], 3).lines;
    let refused = corrupt_often::<Struggle>(&bytes_of(&lines), 2000);
    assert!(refused > 1800, "only {refused}");
    let rules = boats::Rules { turns_max: 3, ..boats::Rules::default() };
    let lines = play::<Boats>(rules, &["greedy", "random", "heuristic"], 3).lines;
    let refused = corrupt_often::<Boats>(&bytes_of(&lines), 2000);
    assert!(refused > 1800, "only {refused}");
    let rules = two_player::Rules { turns_max: 3, ..two_player::Rules::default() };
    let lines = play::<TwoPlayer>(rules, &["greedy", "heuristic"], 3).lines;
    let refused = corrupt_often::<TwoPlayer>(&bytes_of(&lines), 2000);
    assert!(refused > 1800, "only {refused}");
}

fn exchange_rules<G: Recorded>() {
    let matches = short_matches::<G>();
    for (idx, played) in matches.iter().enumerate() {
        for other in &matches {
            let mut lines = played.lines.clone();
            let mut header = shadow::<G>(&other.lines).values[0].clone();
            let own = shadow::<G>(&lines).values[0].clone();
            header["players"] = own["players"].clone();
            header["agents"] = own["agents"].clone();
            lines[0] = header.to_string();
            if let Err(error) = crate::played::referee::<G>(&lines) {
                // Some tables are too large for some rule sets.
                let fits = G::new(
                    serde_json::from_value(header["rules"].clone()).unwrap(),
                    u8::try_from(own["players"].as_u64().unwrap()).unwrap(),
                );
                assert_eq!(error.line > 1, fits.is_ok(), "match {idx}: {error}");
            }
        }
    }
}

#[test]
fn rules_of_another_match_never_panic() {
    exchange_rules::<OnTheRoad>();
    exchange_rules::<Base>();
    exchange_rules::<Struggle>();
    exchange_rules::<TwoPlayer>();
    exchange_rules::<Boats>();
}

fn fault(reader: impl Read) -> RecordError {
    check::<OnTheRoad>(BufReader::new(reader)).expect_err("no record")
}

#[test]
fn an_endless_line_is_refused() {
    for byte in [b'x', b' ', b'[', b'"', 0] {
        let error = fault(std::io::repeat(byte));
        assert_eq!(error, RecordError { line: 1, reason: RecordFault::LineTooLong });
    }
    let header = short().split(|&byte| byte == b'\n').next().unwrap().to_vec();
    let endless = header.chain_line().chain(std::io::repeat(b' '));
    assert_eq!(fault(endless), RecordError { line: 2, reason: RecordFault::LineTooLong });
}

/// Lines one after another.
trait ChainLine {
    fn chain_line(&self) -> std::io::Chain<&[u8], &[u8]>;
}

impl ChainLine for Vec<u8> {
    fn chain_line(&self) -> std::io::Chain<&[u8], &[u8]> {
        self.as_slice().chain(&b"\n"[..])
    }
}

#[test]
fn a_line_may_be_as_long_as_the_limit() {
    let mut lines: Vec<Vec<u8>> =
        short().split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    lines[0].resize(LINE_MAX, b' ');
    assert!(check::<OnTheRoad>(lines.join(&b'\n').as_slice()).is_ok());
    lines[0].push(b' ');
    let error = check::<OnTheRoad>(lines.join(&b'\n').as_slice()).unwrap_err();
    assert_eq!(error, RecordError { line: 1, reason: RecordFault::LineTooLong });
}

#[test]
fn deep_nesting_is_refused() {
    for open in ["[", "{\"a\":", "{\"record\":", "{\"record\":\"fairhaven-match\",\"version\":["] {
        assert_eq!(fault(open.repeat(5000).as_bytes()).line, 1);
    }
}

/// A header, and then the same lines for ever: a deal that is dealt again is valid line by line, but no
/// generator would ever write it.
struct Endless {
    header: Vec<u8>,
    again: &'static [u8],
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let rest = self.header.get(self.at..).filter(|rest| !rest.is_empty());
        let round = |at: usize| &self.again[(at - self.header.len()) % self.again.len()..];
        let rest = rest.unwrap_or_else(|| round(self.at));
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

#[test]
fn an_endless_deal_is_refused() {
    let again = b"{\"chance\":\"row\",\"turn\":0,\"result\":\"road\"}\n";
    for mixed_first_row in [false, true] {
        let rules = Rules { turns_max: 6, mixed_first_row, ..Rules::default() };
        let lines = play::<OnTheRoad>(rules, &["random", "builder"], 3).lines;
        let header = format!("{}\n", lines[0]).into_bytes();
        let error = fault(Endless { header, again, at: 0 });
        assert!(matches!(error.reason, RecordFault::TooManyLines { .. }), "{error}");
        assert!(error.line < 200_000);
    }
}

/// Two tokens of 6 that touch are laid again and again.
#[test]
fn an_endless_island_is_refused() {
    let rules =
        base::Rules { turns_max: 3, tokens: base::Tokens::Shuffled, ..base::Rules::default() };
    let lines = play::<Base>(rules, &["greedy", "random"], 3).lines;
    let terrain = |line: &&String| !line.contains("\"hex\"");
    let mut header: Vec<String> = lines.iter().take_while(terrain).cloned().collect();
    let desert = header.iter().position(|line| line.contains("desert")).unwrap() - 1;
    header.push(String::new());
    // The first two hexes that are no desert and touch.
    let again: &[u8] = match desert {
        0 | 1 => {
            b"{\"chance\":\"hex\",\"turn\":0,\"result\":\"17\"}\n\
            {\"chance\":\"hex\",\"turn\":0,\"result\":\"18\"}\n"
        }
        _ => {
            b"{\"chance\":\"hex\",\"turn\":0,\"result\":\"0\"}\n\
            {\"chance\":\"hex\",\"turn\":0,\"result\":\"1\"}\n"
        }
    };
    let endless = Endless { header: header.join("\n").into_bytes(), again, at: 0 };
    let error = check::<Base>(BufReader::new(endless)).expect_err("no record");
    assert!(matches!(error.reason, RecordFault::TooManyLines { .. }), "{error}");
}

#[test]
fn nothing_is_no_record() {
    let error = fault(&b""[..]);
    assert_eq!(error, RecordError { line: 1, reason: RecordFault::NotARecord });
    assert_eq!(fault(&b"\n"[..]).line, 1);
    assert_eq!(fault(&b"\xef\xbb\xbf{}"[..]).line, 1);
    assert_eq!(fault(&b"\xff\xfe"[..]).line, 1);
}
