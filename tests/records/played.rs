//! Seeded matches and their records, for the tests of this folder; what differs by game.

use fairhaven::core::agent::Player;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::watch::Watch;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::any_game::Playable;
use fairhaven::sim::play::Arena;
use fairhaven::sim::records::check::{Checked, check};
use fairhaven::sim::records::error::RecordError;
use fairhaven::sim::records::jsonl::JsonlRecorder;
use fairhaven::sim::records::line::{Header, MatchSeed};
use fairhaven::sim::records::text::TextRecorder;
use serde_json::{Value, json};
use std::marker::PhantomData;

/// What records are tested with, by game.
pub trait Recorded: Playable {
    /// Agents by seat, for each table.
    const TABLES: &'static [&'static [&'static str]];
    /// A kind of chance event that the game doesn't have.
    const FOREIGN: &'static str;
    /// Results of chance events, possible here or there.
    const WORDS: &'static [&'static str];
    /// A phase, and another one.
    const PHASES: [&'static str; 2];
    /// Fields of the header that no rule set may have, as JSON.
    const WRONG: &'static [(&'static str, &'static str)];
    /// A field of a group of rules that must not be missing.
    const NEEDED: [&'static str; 2];
    /// Too many players.
    const CROWD: u8;
    /// Actions that cost nothing: a record without one of them may be that of another match.
    const FREE: &'static [&'static str] = &[];

    /// Rule sets that differ in what a record may hold.
    fn rule_sets() -> Vec<Self::Rules>;

    /// The same rules with matches of some dozens of decisions.
    fn shorter(rules: Self::Rules) -> Self::Rules;

    /// Actions that are legal nowhere, or almost nowhere.
    fn odd_actions() -> Vec<Value>;
}

/// A match in both forms.
pub struct Played<G> {
    /// The lines of its record, without line ends.
    pub lines: Vec<String>,
    /// The same in plain text.
    pub text: String,
    game: PhantomData<G>,
}

/// Plays one match; `names` has an agent for each seat.
pub fn play<G: Playable>(rules: G::Rules, names: &[&str], master: u64) -> Played<G> {
    let seats = u8::try_from(names.len()).unwrap();
    let game = G::new(rules, seats).expect("a rule set to play with");
    let agent =
        |name: &&str| AgentSpec::parse(name, None).unwrap().make(&game, &Watch::none()).unwrap();
    let mut players: Vec<Player<G, G::Special>> = names.iter().map(agent).collect();
    let seat_of: Vec<usize> = (0..names.len()).collect();
    let agents = names.iter().map(|&name| name.to_owned()).collect();
    let header = Header::new(agents, Some(MatchSeed { master, block: 0, match_idx: 0 }));
    let mut both = (JsonlRecorder::new(header.clone()), TextRecorder::new(header));
    let seed = BlockSeed::new(master, 0);
    Arena::new(game).play(&mut players, &seat_of, seed, &mut both).expect("agents that play well");
    let record = both.0.into_string();
    let lines = record.lines().map(str::to_owned).collect();
    Played { lines, text: both.1.into_string(), game: PhantomData }
}

/// Short matches of all sorts.
pub fn short_matches<G: Recorded>() -> Vec<Played<G>> {
    let mut matches = Vec::new();
    for (idx, rules) in G::rule_sets().into_iter().enumerate() {
        for (table, names) in G::TABLES.iter().enumerate() {
            // A table may be too large for a rule set.
            let rules = G::shorter(rules.clone());
            let seats = u8::try_from(names.len()).unwrap();
            if G::new(rules.clone(), seats).is_ok() {
                matches.push(play(rules, names, (10 * idx + table) as u64));
            }
        }
    }
    matches
}

/// Has the referee check lines.
pub fn referee<G: Playable>(lines: &[impl AsRef<str>]) -> Result<Checked, RecordError> {
    let mut text = String::new();
    for line in lines {
        text.push_str(line.as_ref());
        text.push('\n');
    }
    check::<G>(text.as_bytes())
}

/// Trades with players that are legal nowhere, or almost nowhere.
pub fn odd_offers() -> Vec<Value> {
    let offers = [(0, "ore", "ore"), (1, "ore", "wool"), (6, "wool", "ore")];
    let offer = |(to, give, want): (u8, &str, &str)| {
        let offer = json!({"do": "offer", "to": to, "give": {give: 15}, "want": {want: 15}});
        [offer, json!({"do": "settle", "with": to.max(1)})]
    };
    offers.into_iter().flat_map(offer).collect()
}
