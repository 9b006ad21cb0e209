//! Seeded matches and their records, for the tests of this folder.

use fairhaven::agent::Player;
use fairhaven::agents::baselines::Builder;
use fairhaven::agents::baselines::Drifter;
use fairhaven::agents::random::Random;
use fairhaven::game::Game;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::rules::Discards;
use fairhaven::games::on_the_road::rules::DrawOrder;
use fairhaven::games::on_the_road::rules::Face;
use fairhaven::games::on_the_road::rules::Reshuffle;
use fairhaven::games::on_the_road::rules::Rules;
use fairhaven::games::on_the_road::rules::Side;
use fairhaven::games::on_the_road::rules::TradeOrder;
use fairhaven::report::record_check::Checked;
use fairhaven::report::record_check::check;
use fairhaven::report::record_error::RecordError;
use fairhaven::report::record_jsonl::JsonlRecorder;
use fairhaven::report::record_line::Header;
use fairhaven::report::record_line::MatchSeed;
use fairhaven::report::record_text::TextRecorder;
use fairhaven::seed::BlockSeed;
use fairhaven::sim::play::Table;

/// A match told twice.
pub struct Played {
    /// The lines of its record, without line ends.
    pub lines: Vec<String>,
    /// The same in plain text.
    pub text: String,
}

/// Plays one match; `names` has an agent for each seat.
pub fn play(rules: Rules, names: &[&str], master: u64) -> Played {
    let seats = u8::try_from(names.len()).unwrap();
    let game = OnTheRoad::new(rules, seats).expect("a rule set to play with");
    let mut players: Vec<Player<OnTheRoad>> = names.iter().map(|name| agent(name)).collect();
    let seat_of: Vec<usize> = (0..names.len()).collect();
    let agents = names.iter().map(|&name| name.to_owned()).collect();
    let header = Header::new(agents, Some(MatchSeed { master, block: 0, match_idx: 0 }));
    let mut both = (JsonlRecorder::new(header.clone()), TextRecorder::new(header));
    let seed = BlockSeed::new(master, 0);
    Table::new(game).play(&mut players, &seat_of, seed, &mut both).expect("agents that play well");
    let record = String::from_utf8(both.0.into_bytes()).unwrap();
    Played { lines: record.lines().map(str::to_owned).collect(), text: both.1.into_string() }
}

fn agent(name: &str) -> Player<OnTheRoad> {
    match name {
        "builder" => Player::Honest(Box::new(Builder)),
        "drifter" => Player::Honest(Box::new(Drifter)),
        _ => Player::Honest(Box::new(Random)),
    }
}

/// Rule sets that differ in what a record may hold.
pub fn rule_sets() -> Vec<Rules> {
    let mut other = Rules { side: Side::B, mixed_first_row: true, ..Rules::default() };
    other.reshuffle = Reshuffle::OnEmpty;
    other.draw_order = DrawOrder::Round;
    other.robber.hand_limit = 3;
    let mut mixed = Rules { side: Side::Mixed, hand_start: 5, ..Rules::default() };
    mixed.robber.discards = Discards::Hidden;
    mixed.metropolis.army.face = Face::Out;
    mixed.trade.bluff = true;
    mixed.trade.listed_max = 1;
    mixed.trade.order = TradeOrder::TradeFirst;
    let limited = Rules { points_to_win: 40, turns_max: 30, ..Rules::default() };
    let mut dear = Rules { turns_max: 60, ..Rules::default() };
    dear.trade.proposals_max = 0;
    for cost in [&mut dear.road, &mut dear.settlement, &mut dear.city, &mut dear.knight] {
        cost.cost.ore = 14;
    }
    vec![Rules::default(), other, mixed, limited, dear]
}

/// Short matches of all sorts.
pub fn short_matches() -> Vec<Played> {
    let tables: [&[&str]; 3] = [
        &["builder", "drifter", "builder", "random"],
        &["drifter", "builder", "random"],
        &["builder", "builder"],
    ];
    let mut matches = Vec::new();
    for (idx, mut rules) in rule_sets().into_iter().enumerate() {
        rules.turns_max = rules.turns_max.min(40);
        for (table, names) in tables.iter().enumerate() {
            matches.push(play(rules.clone(), names, (10 * idx + table) as u64));
        }
    }
    matches
}

/// Asks the referee about lines.
pub fn referee(lines: &[impl AsRef<str>]) -> Result<Checked, RecordError> {
    let mut text = String::new();
    for line in lines {
        text.push_str(line.as_ref());
        text.push('\n');
    }
    check::<OnTheRoad>(text.as_bytes())
}
