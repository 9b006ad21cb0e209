//! A match in which some seats decide outside: it is played up to their next decision, answered by an action, and
//! recorded from the deal on. A record that was cut off anywhere is enough to sit down again.

use super::absent::Absent;
use super::step_text::{StepText, StepTexts, last_choice};
use super::way_back::{Back, NoWayBack, WayBack};
use super::{AgentFault, Arena, Choice, Running};
use crate::core::agent::{Agent, NoAgent, Player};
use crate::core::game::{ActionFilter, IllegalAction, Observation, Outcome, Turn};
use crate::core::guest::{Asked, News};
use crate::core::record::Recorder;
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, Seat};
use crate::core::wording::Wording;
use crate::sim::records::check::{lines_max, open};
use crate::sim::records::error::{RecordError, RecordFault};
use crate::sim::records::jsonl::JsonlRecorder;
use crate::sim::records::line::{DecisionLine, Header};
use crate::sim::records::read::{LineKind, Lines};

/// Who sits in each seat: a player of ours, or nobody where decisions come from outside.
pub type Seats<G, K> = Vec<Option<Player<G, K>>>;

/// A match with outside seats.
pub struct Table<G: Wording, K: Agent<G> = NoAgent> {
    arena: Arena<G>,
    players: Vec<Player<G, K>>,
    /// Seats whose decisions come from outside.
    outside: Vec<bool>,
    /// The player of each seat: its own.
    seat_of: Vec<usize>,
    at: Running<G>,
    record: (JsonlRecorder, StepTexts<G>),
    over: bool,
    /// What an outside seat may take back.
    backs: WayBack<G>,
}

/// Why a record is not taken up.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The record, at a line.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Its players can't be seated.
    #[error("{0}")]
    Seats(String),
}

impl<G: Wording, K: Agent<G>> Table<G, K> {
    /// Deals a match. All luck comes from the block's seed, as in a study.
    pub fn open(game: G, seats: Seats<G, K>, seed: BlockSeed, header: Header) -> Table<G, K> {
        let outside: Vec<bool> = seats.iter().map(Option::is_none).collect();
        let told = Seat::all(game.players()).zip(&outside).filter(|(_, outside)| **outside);
        let told = StepTexts::new(told.map(|(seat, _)| seat).collect());
        let seat_of: Vec<usize> = (0..seats.len()).collect();
        let announce = |game: G| move |state: &G::State| asked(&game, state);
        let absent = || Player::Guest(Box::new(Absent), Box::new(announce(game.clone())));
        let mut players: Vec<Player<G, K>> =
            seats.into_iter().map(|player| player.unwrap_or_else(absent)).collect();
        let mut record = (JsonlRecorder::new(header), told);
        let mut arena = Arena::new(game);
        let at = arena.start(&mut players, &seat_of, seed, &mut record as &mut dyn Recorder<G>);
        Table { arena, players, outside, seat_of, at, record, over: false, backs: WayBack::new() }
    }

    /// Takes a match up from its record, of which the end may be missing. `seats` says who sits where. Decisions of the
    /// record stand, and nobody is asked for them again; players of ours go on with new streams of random numbers.
    ///
    /// # Errors
    /// If a line is not what follows from those before it, or nobody can be seated.
    pub fn resume(
        record: &str,
        seats: impl FnOnce(&G, &Header) -> Result<Seats<G, K>, String>,
    ) -> Result<Table<G, K>, ResumeError> {
        let whole = &record[..record.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = Lines::new(whole.as_bytes());
        let (game, header) = open::<G, _>(&mut lines)?;
        lines.allow(lines_max(&game));
        let unseeded = || RecordFault::Malformed("it does not say where its luck came from".into());
        let seed = header.seed.ok_or_else(|| lines.fault(unseeded()))?;
        let seats = seats(&game, &header).map_err(ResumeError::Seats)?;
        let seed = BlockSeed::new(seed.master, seed.block);
        let mut table = Table::open(game, seats, seed, header);
        table.replay(&mut lines)?;
        let record = table.record();
        if !record.starts_with(whole) {
            let same = record.lines().zip(whole.lines()).take_while(|(due, found)| due == found);
            let line = 1 + same.count() as u64;
            let reason = "it does not follow from the lines before it".to_owned();
            return Err(RecordError { line, reason: RecordFault::Malformed(reason) }.into());
        }
        let decided = u16::try_from(table.at.decision).unwrap_or(u16::MAX);
        for seat in Seat::all(table.game().players()) {
            table.arena.rngs[seat.idx()] = seed.stream(Stream::Agent, Some(seat), decided);
        }
        Ok(table)
    }

    fn replay(&mut self, lines: &mut Lines<&[u8]>) -> Result<(), RecordError> {
        loop {
            match lines.advance()? {
                LineKind::Nothing => return Ok(()),
                LineKind::Decision => {
                    let line: DecisionLine<G::Action> = lines.parse()?;
                    self.again(line.action)
                        .map_err(|illegal| lines.fault(RecordFault::Illegal(illegal.0)))?;
                }
                _ => {}
            }
        }
    }

    /// Does what a record says was done next. A choice of an outside seat can be taken back as before.
    fn again(&mut self, action: G::Action) -> Result<(), IllegalAction> {
        if self.awaits().is_some() {
            return self.choose(action);
        }
        let turn = self.arena.game.turn(&self.at.state);
        self.carry_out(action)?;
        if let Turn::Decide(seat) = turn {
            self.keep_backs(seat, action);
        }
        Ok(())
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.arena.game
    }

    /// The position, hidden hands included.
    pub fn state(&self) -> &G::State {
        &self.at.state
    }

    /// Whether the decisions of a seat come from outside.
    pub fn is_outside(&self, seat: Seat) -> bool {
        self.outside.get(seat.idx()) == Some(&true)
    }

    /// Plays to the next decision of an outside seat that has a choice, and says whose it is; nothing once the match is
    /// over.
    ///
    /// # Errors
    /// If a player of ours chooses what the rules forbid, or a guest fails.
    pub fn advance(&mut self) -> Result<Option<Seat>, AgentFault> {
        loop {
            if let Some(seat) = self.awaits() {
                return Ok(Some(seat));
            }
            if !self.step()? {
                return Ok(None);
            }
        }
    }

    /// The outside seat that has a choice now.
    pub fn awaits(&mut self) -> Option<Seat> {
        match self.arena.game.turn(&self.at.state) {
            Turn::Decide(seat) if self.outside[seat.idx()] && self.legal().len() > 1 => Some(seat),
            _ => None,
        }
    }

    /// Plays one decision: of a player of ours, or the only one that an outside seat has. `false` if the match is over,
    /// or an outside seat has a choice.
    ///
    /// # Errors
    /// As [`Table::advance`].
    pub fn step(&mut self) -> Result<bool, AgentFault> {
        let Turn::Decide(seat) = self.arena.game.turn(&self.at.state) else { return Ok(false) };
        let choice = if self.outside[seat.idx()] {
            let &[action] = self.legal().as_slice() else { return Ok(false) };
            Choice { action, listed: 1 }
        } else {
            let player = &mut self.players[self.seat_of[seat.idx()]];
            self.arena.decide(&self.at, seat, player).map_err(|fault| *fault)?
        };
        self.take_open(seat, choice);
        Ok(true)
    }

    /// The actions to choose from, in the game's order; empty once the match is over.
    pub fn legal(&mut self) -> &Actions<G::Action> {
        self.arena.game.legal(&self.at.state, ActionFilter::Full, &mut self.arena.legal);
        &self.arena.legal
    }

    /// Carries out what an outside seat has chosen, listed or not.
    ///
    /// # Errors
    /// If no outside seat has a choice now, or the rules forbid the action; nothing has changed then.
    pub fn choose(&mut self, action: G::Action) -> Result<(), IllegalAction> {
        let asked = || IllegalAction("nobody outside is asked now".to_owned());
        let seat = self.awaits().ok_or_else(asked)?;
        let unheard = self
            .arena
            .guests
            .iter()
            .map(|(_, unheard)| unheard.lock().expect("one thread at a time").news.len());
        let back = Back {
            seat,
            at: self.at.clone(),
            memories: self.arena.memories.clone(),
            mark: self.record.0.mark(),
            unheard: unheard.collect(),
        };
        self.carry_out(action)?;
        self.backs.push(back);
        self.keep_backs(seat, action);
        Ok(())
    }

    fn keep_backs(&mut self, seat: Seat, action: G::Action) {
        let ends = match G::stands(action) {
            _ if self.over => Some(NoWayBack::Over),
            _ if self.record.1.was_lucky() => Some(NoWayBack::Luck),
            stands => stands.map(NoWayBack::Stands),
        };
        self.backs.keep(seat, ends);
    }

    /// Why an outside seat can't take back its last choice now; nothing if it can.
    pub fn why_no_way_back(&self, seat: Seat) -> Option<&'static str> {
        self.backs.why_not(seat, last_choice(self.told(seat), seat) > 0)
    }

    fn take_open(&mut self, seat: Seat, choice: Choice<G::Action>) {
        let action = choice.action;
        self.take(seat, choice);
        self.keep_backs(seat, action);
    }

    /// Takes back the last choice of an outside seat, as if it had not been made, if nobody else has acted since, and
    /// nothing came up that the seat did not know.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    pub fn take_back(&mut self, seat: Seat) -> Result<(), IllegalAction> {
        if let Some(why) = self.why_no_way_back(seat) {
            return Err(IllegalAction(why.to_owned()));
        }
        let Back { at, memories, mark, unheard, .. } =
            self.backs.pop().expect("there is a way back");
        let steps = self.at.decision.saturating_sub(at.decision) as usize;
        self.at = at;
        self.arena.memories = memories;
        self.record.0.rewind(mark);
        self.record.1.take_back(steps);
        for ((_, untold), length) in self.arena.guests.iter().zip(unheard) {
            untold.lock().expect("one thread at a time").news.truncate(length);
        }
        Ok(())
    }

    fn carry_out(&mut self, action: G::Action) -> Result<(), IllegalAction> {
        let Turn::Decide(seat) = self.arena.game.turn(&self.at.state) else {
            return Err(IllegalAction("the match is over".to_owned()));
        };
        self.arena.game.permits(&self.at.state, action)?;
        let listed = self.arena.game.count(&self.at.state, ActionFilter::Full);
        self.take(seat, Choice { action, listed });
        Ok(())
    }

    fn take(&mut self, seat: Seat, choice: Choice<G::Action>) {
        let record: &mut dyn Recorder<G> = &mut self.record;
        self.arena.carry_out(&mut self.at, seat, choice, record);
        if self.arena.game.turn(&self.at.state) == Turn::Over && !self.over {
            self.over = true;
            self.record.on_end(&self.arena.game, &self.at.state);
            self.arena.dismiss(&mut self.players, &self.seat_of, &self.at.state);
        }
    }

    /// What an outside seat sees now and remembers.
    ///
    /// # Panics
    /// If it is no outside seat: the memories of the others are kept only if their players read them.
    pub fn observation(&self, seat: Seat) -> Observation<'_, G> {
        assert!(self.is_outside(seat), "seat {seat} is not outside");
        let memory = &self.arena.memories[seat.idx()];
        Observation { seat, view: self.arena.game.view(&self.at.state, seat), memory }
    }

    /// What is asked now, as far as it is open to all.
    pub fn asked(&self) -> Asked {
        asked(&self.arena.game, &self.at.state)
    }

    /// What an outside seat may know of what has happened since the last call; nothing for other seats.
    pub fn take_news(&mut self, seat: Seat) -> Vec<News<G>> {
        let outside = self.is_outside(seat);
        let heard = self.arena.guests.iter().find(|(other, _)| outside && *other == seat);
        let unheard = heard.map(|(_, unheard)| unheard.lock().expect("one thread at a time"));
        unheard.map(|mut unheard| std::mem::take(&mut unheard.news)).unwrap_or_default()
    }

    /// How the match has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| self.arena.game.outcome(&self.at.state))
    }

    /// Points of each seat that the others did not see before the end; none while the match goes on.
    pub fn hidden_points(&self) -> PerSeat<u8> {
        let (game, end) = (&self.arena.game, &self.at.state);
        std::array::from_fn(|at| match Seat::all(game.players()).nth(at) {
            Some(seat) if self.over => game.hidden_points(end, seat),
            _ => 0,
        })
    }

    /// The record so far: whole lines.
    pub fn record(&self) -> &str {
        self.record.0.as_str()
    }

    /// All that an outside seat was told of what happened, in words: the deal, and each decision. Nothing for others.
    pub fn told(&self, seat: Seat) -> &[StepText] {
        self.record.1.told(seat)
    }

    /// The number of the decision that comes next, from 0.
    pub fn decision(&self) -> u32 {
        self.at.decision
    }
}

/// What is asked in a position, as far as it is open to all.
pub fn asked<G: Wording>(game: &G, state: &G::State) -> Asked {
    Asked { turn: game.turn_number(state), phase: game.phase_name(state) }
}

#[cfg(test)]
mod tests {
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
            let mut table = Table::resume(&record[..cut], nobody).expect("a part of a record");
            while table.advance().expect("nobody of ours plays").is_some() {
                let decided = usize::try_from(table.at.decision).expect("some hundreds");
                table.choose(decisions[decided]).expect("it was taken before");
            }
            assert!(table.record() == record, "{} cut at {cut}", G::NAME);
        }
        let header = record.lines().next().expect("a header");
        let altered = record.replacen("\"legal\":", "\"legal\":1", 1);
        let line = 1 + altered.lines().zip(record.lines()).take_while(|(a, b)| a == b).count();
        let refused = Table::resume(&altered, nobody).err().expect("a line was altered");
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
}
