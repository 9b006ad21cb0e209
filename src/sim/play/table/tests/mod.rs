//! A table plays the matches of the loop, is taken up anywhere, and asks people as it should.

use super::*;
use crate::core::game::Game;
use crate::core::opinion::Opinion;
use crate::core::record::Decision;
use crate::core::watch::Watch;
use crate::games::base::Base;
use crate::games::boats::Boats;
use crate::games::on_the_road::OnTheRoad;
use crate::games::struggle::Struggle;
use crate::games::two_player::TwoPlayer;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::records::line::MatchSeed;
use rand_pcg::Pcg32;

const SEED: MatchSeed = MatchSeed { master: 31, block: 4, match_idx: 0 };

/// A record, and every position in which somebody decided.
struct Positions<G: Wording>(JsonlRecorder, Vec<G::State>);

impl<G: Wording> Recorder<G> for Positions<G> {
    fn on_turn(&mut self, turn: u16) {
        Recorder::<G>::on_turn(&mut self.0, turn);
    }

    fn on_chance(&mut self, event: crate::core::chance::ChanceEvent<G::Draw>) {
        Recorder::<G>::on_chance(&mut self.0, event);
    }

    fn on_start(&mut self, game: &G, state: &G::State) {
        self.0.on_start(game, state);
    }

    fn on_decision(&mut self, game: &G, decision: &Decision<'_, G>) {
        self.1.push(*decision.before);
        self.0.on_decision(game, decision);
    }

    fn on_end(&mut self, game: &G, state: &G::State) {
        self.0.on_end(game, state);
    }
}

fn header(players: u8) -> Header {
    Header::new(vec!["greedy".to_owned(); usize::from(players)], Some(SEED))
}

fn seed() -> BlockSeed {
    BlockSeed::new(SEED.master, SEED.block)
}

fn greedy<G: Opinion>(game: &G) -> Player<G, G::Special> {
    let spec = AgentSpec::parse("greedy", None).expect("a known agent");
    spec.make(game, &Watch::none()).expect("its defaults are sound")
}

/// Plays a table, and keeps positions; outside seats of it are taken by the same agent.
fn play_open<G: Opinion + Wording>(
    game: &G,
    outside: impl Fn(Seat) -> bool,
) -> (String, Vec<G::State>) {
    let players = game.players();
    let seats: Seats<G, G::Special> =
        Seat::all(players).map(|seat| (!outside(seat)).then(|| greedy(game))).collect();
    let mut table = Table::open(game.clone(), seats, seed(), header(players));
    let mut agent = greedy(game);
    let mut rngs: Vec<Pcg32> =
        Seat::all(players).map(|seat| seed().stream(Stream::Agent, Some(seat), 0)).collect();
    let mut positions = Vec::new();
    loop {
        let before = *table.state();
        if let Some(seat) = table.awaits() {
            let mut legal: Box<Actions<G::Action>> = Box::default();
            game.legal(table.state(), agent.action_filter(), &mut legal);
            // One that sees less of the list than there is may have no choice left.
            let seen = table.observation(seat);
            let place = match legal.len() {
                1 => 0,
                _ => agent.choose(&before, &seen, &mut legal, &mut rngs[seat.idx()]),
            };
            table.choose(legal[place]).expect("the agent keeps to the rules");
        } else if !table.step().expect("the agents keep to the rules") {
            return (table.record().to_owned(), positions);
        }
        positions.push(before);
    }
}

fn by_both_ways<G: Opinion + Wording>(players: u8) {
    let game = G::new(G::Rules::default(), players).expect("default rules");
    let mut agents: Vec<_> = Seat::all(players).map(|_| greedy(&game)).collect();
    let seat_of: Vec<usize> = (0..agents.len()).collect();
    let mut heard = Positions::<G>(JsonlRecorder::new(header(players)), Vec::new());
    let played = Arena::new(game.clone()).play(&mut agents, &seat_of, seed(), &mut heard);
    played.expect("the agents keep to the rules");
    let loop_plays = (heard.0.into_string(), heard.1);
    assert!(play_open(&game, |_| false) == loop_plays, "{} inside", G::NAME);
    assert!(play_open(&game, |seat| seat.idx() % 2 == 1) == loop_plays, "{} mixed", G::NAME);
    assert!(play_open(&game, |_| true) == loop_plays, "{} outside", G::NAME);
    cut_anywhere::<G>(&loop_plays.0);
}

/// Sits down again at some places of a record, even within a line, and goes on with its decisions.
fn cut_anywhere<G: Opinion + Wording>(record: &str) {
    let nobody = |game: &G, _: &Header| -> Result<Seats<G, G::Special>, String> {
        Ok(Seat::all(game.players()).map(|_| None).collect())
    };
    let decisions: Vec<G::Action> = record
        .lines()
        .filter(|line| line.contains("\"action\":"))
        .map(|line| serde_json::from_str::<DecisionLine<G::Action>>(line).expect("one").action)
        .collect();
    let first = record.find('\n').expect("a header") + 1;
    for cut in [first, first + (record.len() - first) / 3, record.len() * 2 / 3, record.len()] {
        let mut table =
            Table::resume(&record[..cut], OnlyChoice::Taken, nobody).expect("a part of a record");
        while table.advance().expect("nobody of ours plays").is_some() {
            let decided = usize::try_from(table.at.decision).expect("some hundreds");
            table.choose(decisions[decided]).expect("it was taken before");
        }
        assert!(table.record() == record, "{} cut at {cut}", G::NAME);
    }
    let header = record.lines().next().expect("a header");
    let altered = record.replacen("\"legal\":", "\"legal\":1", 1);
    let line = 1 + altered.lines().zip(record.lines()).take_while(|(a, b)| a == b).count();
    let refused =
        Table::resume(&altered, OnlyChoice::Taken, nobody).err().expect("a line was altered");
    let reason = refused.to_string();
    assert!(reason.starts_with(&format!("line {line}: ")), "{reason}; {header}");
}

#[test]
fn a_table_plays_the_matches_of_the_loop() {
    by_both_ways::<OnTheRoad>(3);
    by_both_ways::<Struggle>(4);
    by_both_ways::<Base>(4);
    by_both_ways::<TwoPlayer>(2);
    by_both_ways::<Boats>(3);
}

#[test]
fn only_legal_answers_of_who_is_asked_are_taken() {
    let game = Base::new(<Base as Game>::Rules::default(), 3).expect("default rules");
    let seats = || (0..3).map(|_| None).collect();
    let mut table: Table<Base> = Table::open(game, seats(), seed(), header(3));
    let before = table.record().to_owned();
    let ends = crate::parts::island::action::Action::EndTurn;
    table.choose(ends).expect_err("nobody has founded");
    assert_eq!(table.record(), before);
    assert_eq!(table.advance().expect("nobody of ours plays"), Some(Seat::FIRST));
    assert!(!table.step().expect("nobody of ours plays"), "the seat has a choice");
}

#[test]
fn each_outside_seat_hears_an_event_once() {
    let game = OnTheRoad::new(<OnTheRoad as Game>::Rules::default(), 3).expect("default rules");
    let seats = vec![None, None, Some(greedy(&game))];
    let mut table = Table::open(game, seats, seed(), header(3));
    for (seat, hears) in Seat::all(3).zip([true, true, false]) {
        assert_eq!(!table.take_news(seat).is_empty(), hears, "the deal, seat {seat}");
        assert!(table.take_news(seat).is_empty(), "told twice, seat {seat}");
    }
}

/// How a match goes in which people sit in all seats, played by the same agent.
struct Asked {
    record: String,
    /// How often somebody was asked for an only choice.
    only: usize,
    /// How often a discard was not the last of its seat.
    discards: usize,
    told: Vec<Vec<StepText>>,
}

/// Plays a match of a person among agents, or of people alone, up to its end. Whoever is asked for an only choice can take back the one before, and so can
/// whoever has more to discard; only choices that are not asked for end no way back.
fn play_asked<G: Opinion + Wording>(game: &G, person: Option<Seat>, seed: BlockSeed) -> Asked {
    let is_person = |seat: Seat| person.is_none_or(|person| person == seat);
    let players = game.players();
    let seats: Seats<G, G::Special> =
        Seat::all(players).map(|seat| (!is_person(seat)).then(|| greedy(game))).collect();
    let table = Table::open(game.clone(), seats, seed, header(players));
    let mut table = table.with_only_choice(OnlyChoice::Asked);
    let mut agent = greedy(game);
    let mut rng = seed.stream(Stream::Agent, None, 0);
    let (mut only, mut discards) = (0, 0);
    loop {
        let state = *table.state();
        let Turn::Decide(seat) = game.turn(&state) else { break };
        if table.awaits().is_none() {
            let has_back = table.why_no_way_back(seat).is_none();
            assert!(table.step().expect("nobody of ours plays"));
            let keeps = table.why_no_way_back(seat).is_none();
            assert_eq!(keeps, has_back, "{}: it could think again", G::NAME);
            continue;
        }
        if person.is_some() && table.legal().len() == 1 {
            only += 1;
            let record = table.record().to_owned();
            table.take_back(seat).expect("it is asked since it may");
            let rest = record.strip_prefix(table.record()).expect("less of the same");
            for line in rest.lines().filter(|line| line.contains("\"action\":")) {
                let line: DecisionLine<G::Action> = serde_json::from_str(line).expect("one");
                table.again(line.action).expect("as before");
            }
            assert_eq!(table.record(), record, "{}", G::NAME);
        }
        let mut legal: Box<Actions<G::Action>> = Box::default();
        game.legal(&state, agent.action_filter(), &mut legal);
        let seen = table.observation(seat);
        let place = match legal.len() {
            1 => 0,
            _ => agent.choose(&state, &seen, &mut legal, &mut rng),
        };
        let discarding = |state: &G::State| game.phase_name(state) == "discard";
        let was = discarding(&state);
        table.choose(legal[place]).expect("the agent keeps to the rules");
        if was && discarding(table.state()) && game.turn(table.state()) == Turn::Decide(seat) {
            discards += 1;
            assert_eq!(table.why_no_way_back(seat), None, "{}: more to discard", G::NAME);
        }
    }
    let told = Seat::all(players).map(|seat| table.told(seat).to_vec()).collect();
    Asked { record: table.record().to_owned(), only, discards, told }
}

fn asked_in_some<G: Opinion + Wording>(players: u8) -> (usize, usize) {
    let game = G::new(G::Rules::default(), players).expect("default rules");
    let (mut only, mut discards) = (0, 0);
    let persons = Seat::all(players).map(Some).chain([None; 6]);
    for (block, person) in (0..).zip(persons) {
        let played = play_asked(&game, person, BlockSeed::new(7, block));
        only += played.only;
        discards += played.discards;
        for step in played.told.iter().flatten() {
            assert!(!step.opens.contains("goes to"), "{}: {}", G::NAME, step.opens);
        }
    }
    (only, discards)
}

/// A turn is not over before whoever has it says so, where what it did last can be taken back.
#[test]
fn an_only_choice_is_asked_for_while_there_is_a_way_back() {
    let found = [
        asked_in_some::<Base>(4),
        asked_in_some::<TwoPlayer>(2),
        asked_in_some::<Boats>(4),
        asked_in_some::<OnTheRoad>(3),
        asked_in_some::<Struggle>(4),
    ];
    // On the Road leaves more than the end of a turn after what can be taken back.
    let others = [0, 1, 2, 4];
    assert!(others.iter().all(|at| found[*at].0 > 0), "{found:?}");
    assert!(found.iter().all(|(_, discards)| *discards > 0), "{found:?}");
}

/// Who is not asked would show the others that there is nothing to choose: no card to play, nothing to pay with.
fn asked_with_others<G: Opinion + Wording>(players: u8) {
    let game = G::new(G::Rules::default(), players).expect("default rules");
    let is_person = |seat: Seat| seat.idx() < 2;
    let seats: Seats<G, G::Special> =
        Seat::all(players).map(|seat| (!is_person(seat)).then(|| greedy(&game))).collect();
    let table = Table::open(game.clone(), seats, seed(), header(players));
    let mut table = table.with_only_choice(OnlyChoice::Asked);
    let mut only = 0;
    while let Turn::Decide(seat) = game.turn(table.state()) {
        assert_eq!(table.awaits(), is_person(seat).then_some(seat), "{}", G::NAME);
        if is_person(seat) {
            let legal = table.legal();
            only += usize::from(legal.len() == 1);
            let last = legal[legal.len() - 1];
            table.choose(last).expect("it is on the list");
        } else {
            assert!(table.step().expect("the agents keep to the rules"));
        }
    }
    assert!(only > 0, "{}", G::NAME);
}

#[test]
fn several_people_are_asked_for_every_choice() {
    asked_with_others::<Base>(4);
    asked_with_others::<TwoPlayer>(2);
    asked_with_others::<Boats>(4);
    asked_with_others::<OnTheRoad>(3);
    asked_with_others::<Struggle>(4);
}

/// What is told does not depend on whether the match was left and taken up.
#[test]
fn a_match_that_is_taken_up_tells_the_same() {
    let game = Boats::new(<Boats as Game>::Rules::default(), 3).expect("default rules");
    let person = Seat::FIRST;
    let played = play_asked(&game, Some(person), seed());
    let others = |game: &Boats, _: &Header| -> Result<Seats<Boats, _>, String> {
        Ok(Seat::all(game.players()).map(|seat| (seat != person).then(|| greedy(game))).collect())
    };
    let table = Table::resume(&played.record, OnlyChoice::Asked, others).expect("its record");
    for (seat, told) in Seat::all(3).zip(&played.told) {
        assert_eq!(table.told(seat), told);
    }
    let title = |step: &StepText| step.words.contains("end turn") && step.words.contains("goes to");
    assert!(played.told.iter().flatten().any(title), "Longest Road is won at the end of a turn");
}
