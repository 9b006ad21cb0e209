//! Puts a game behind the traits of [`any_game`](crate::sim::any_game).

use crate::core::agent::Player;
use crate::core::game::Game;
use crate::core::measure::Names;
use crate::core::measure::maps::MapFacts;
use crate::core::opinion::{Judge, Lesson, NetLesson, Opinion};
use crate::core::params::Judgement;
use crate::core::record::Recorder;
use crate::core::rule_set::fill;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::core::wording::refuse_former;
use crate::sim::agents::added::AddedAgent;
use crate::sim::agents::judging::LeafJudge;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::any_game::{
    BadMatch, BadRules, Facts, GameEntry, GameType, LearnsNet, LearnsWeights, LoadedGame, OneMatch,
    Playable, Plays, Probe, RecordPlan, RecordedMatch, ReliabilityPlan, Ruled, Seated,
    SimulationPlan, Studied, TrialsPlan,
};
use crate::sim::arrays::vector::{self, MatchVector, VectorPlan};
use crate::sim::choices::{Choices, Pad};
use crate::sim::counts::reliability::ReliabilityCount;
use crate::sim::course::Session;
use crate::sim::experiment::Experiment;
use crate::sim::explain::history::MatchHistory;
use crate::sim::explain::{Played, PlayedMatch};
use crate::sim::foresight::Foresight;
use crate::sim::guests::open_match::{self, OpenMatch, OpenPlan, Reseat};
use crate::sim::guests::outside::{Outside, player};
use crate::sim::guests::protocol::Ready;
use crate::sim::guests::visitor::{VisitError, Visitor};
use crate::sim::layout::Layout;
use crate::sim::learn::{self, Softmax, WeightCourse, WeightState};
use crate::sim::learn_net::{self, NetCourse, NetLearner, NetPlayers, NetState, OtherTable};
use crate::sim::maps;
use crate::sim::one_match::play;
use crate::sim::play::table::ResumeError;
use crate::sim::probe::Probed;
use crate::sim::records::check::{self, Checked};
use crate::sim::records::error::RecordError;
use crate::sim::records::jsonl::JsonlRecorder;
use crate::sim::records::{Form, questions::QuestionRecorder, text::TextRecorder};
use crate::sim::reliability::{self, Chances, Judging};
use crate::sim::simulation::{self, Agents, Simulation};
use crate::sim::trials::{MatchPlan, Noted, Noting, Trials};
use crate::words::lists::{plural, span};
use std::any::Any;
use std::io::{BufRead, Write};
use std::sync::Arc;
use toml::Table;

impl<G: Playable> GameType for GameEntry<G> {
    fn facts(&self) -> Facts {
        Facts {
            name: G::NAME,
            title: G::TITLE,
            about: G::ABOUT,
            players: G::PLAYERS,
            fields: G::FIELDS,
            specials: G::SPECIALS
                .iter()
                .map(|special| (special.name, special.about))
                .chain(self.added.iter().map(|added| (added.name, added.about)))
                .collect(),
            action_kinds: G::ACTION_KINDS,
            weights: G::WEIGHTS,
            search: G::SEARCH,
            lesson: G::LESSON.map(|lesson| lesson.names),
            net: G::NET.map(|lesson| lesson.list),
            presets: G::PRESETS,
            former: G::FORMER,
            choices: G::CHOICES,
            names: Names::of::<G>(),
            map_field: G::MAP_FIELD,
        }
    }

    fn default_rules(&self) -> Table {
        table(&G::Rules::default())
    }

    fn read_rules(&self, text: &str) -> Result<Table, toml::de::Error> {
        // A section that is given in part has the game's defaults for the rest, not those of its type.
        let mut rules = self.default_rules();
        fill(G::FIELDS, &mut rules, toml::from_str(text)?, "");
        refuse_former(G::FORMER, &rules).map_err(serde::de::Error::custom)?;
        rules.try_into::<G::Rules>().map(|rules| table(&rules))
    }

    fn load(&self, rules: Table, players: u8) -> Result<Box<dyn LoadedGame>, BadRules> {
        if !G::PLAYERS.contains(&players) {
            let (seated, takes) = (plural(players.into(), "player"), span(&G::PLAYERS));
            return Err(BadRules(format!(
                "{players} {seated} can't play {}; it takes {takes}",
                G::NAME
            )));
        }
        refuse_former(G::FORMER, &rules).map_err(BadRules)?;
        let rules: G::Rules = rules.try_into().map_err(|error: toml::de::Error| {
            BadRules(format!("rule set: {}", error.to_string().trim()))
        })?;
        let game = G::new(rules, players).map_err(|faults| {
            let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
            BadRules(all.join("; "))
        })?;
        Ok(Box::new(Loaded { game, entry: self.clone() }))
    }

    fn trials<'a>(
        &self,
        games: &[&dyn LoadedGame],
        seated: Seated<'a>,
        plan: TrialsPlan,
    ) -> Box<dyn Experiment + 'a> {
        let TrialsPlan { seed, choice, options, matches, sections, noting } = plan;
        let typed = |&game: &&dyn LoadedGame| -> G {
            let game: &dyn Any = game;
            let Loaded { game, .. } = game.downcast_ref().expect("a game of this type");
            G::clone(game)
        };
        Box::new(Trials {
            seed,
            games: games.iter().map(typed).collect(),
            agents: seated.maker(self),
            choice,
            options,
            matches,
            sections,
            noted: match noting {
                Noting::Nothing => Noted::Nothing,
                Noting::Luck => Noted::Luck(Box::new(|game| Box::new(Foresight::new(game)))),
                Noting::Seen(looking) => Noted::Seen(looking),
            },
            watch: seated.watch,
        })
    }

    fn check_record(&self, reader: &mut dyn BufRead) -> Result<Checked, RecordError> {
        check::check::<G>(reader)
    }

    fn retold(&self, reader: &mut dyn BufRead, form: Form) -> Result<String, RecordError> {
        Ok(match form {
            Form::Text => check::retell::<G, _>(reader, TextRecorder::new)?.into_string(),
            Form::JsonLines => check::retell::<G, _>(reader, JsonlRecorder::new)?.into_string(),
            Form::Questions => {
                check::retell::<G, _>(reader, |_| QuestionRecorder::default())?.into_string()
            }
        })
    }

    fn recorded(&self, reader: &mut dyn BufRead) -> Result<RecordedMatch, RecordError> {
        let mut taken = MatchHistory::default();
        let heard = check::listen::<G, _>(reader, &mut taken)?;
        let added = Arc::clone(&self.added);
        Ok((Box::new(Played { game: heard.game, added, taken }), heard.agents))
    }

    fn reopen_match(
        &self,
        record: &str,
        reseat: Reseat<'_>,
    ) -> Result<Box<dyn OpenMatch>, ResumeError> {
        open_match::reopen::<G>(record, &self.added, reseat)
    }

    fn visit(
        &self,
        agent: &AgentSpec,
        watch: &Watch,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> Result<(), VisitError> {
        Visitor::<G>::new(agent, &self.added, watch).visit(input, output)
    }
}

/// Rule sets and weights are structures of numbers and words, which TOML has.
fn table<T: serde::Serialize>(fields: &T) -> Table {
    Table::try_from(fields).expect("a structure that TOML can hold")
}

impl<'a> Seated<'a> {
    fn players<G: Playable>(
        &self,
        game: &G,
        added: &[AddedAgent<G>],
        pad: &Pad,
    ) -> Result<Vec<Player<G, G::Special>>, BadAgent> {
        let make = |(at, agent): (usize, &AgentSpec)| {
            let player = player(agent, game, added, (self.watch, pad))?;
            Ok(match self.timing {
                Some(timing) => timing.note(at, player, pad),
                None => player,
            })
        };
        self.agents.iter().enumerate().map(make).collect()
    }

    fn maker<G: Playable>(self, entry: &GameEntry<G>) -> Agents<'a, G, G::Special> {
        let added = Arc::clone(&entry.added);
        Box::new(move |game, pad| {
            self.players(game, &added, pad).expect("the same agents were made before")
        })
    }
}

/// A game behind [`LoadedGame`].
struct Loaded<G: Game> {
    game: G,
    entry: GameEntry<G>,
}

impl<G: Playable> LoadedGame for Loaded<G> {
    fn weight_learner(&self) -> Option<Box<dyn LearnsWeights + '_>> {
        let learner = |lesson| -> Box<dyn LearnsWeights> {
            Box::new(Learner { game: &self.game, added: &self.entry.added, lesson })
        };
        G::LESSON.map(learner)
    }

    fn net_learner(&self) -> Option<Box<dyn LearnsNet + '_>> {
        let learner = |lesson| -> Box<dyn LearnsNet> {
            Box::new(Learner { game: &self.game, added: &self.entry.added, lesson })
        };
        G::NET.map(learner)
    }
}

impl<G: Playable> Ruled for Loaded<G> {
    fn game_type(&self) -> &dyn GameType {
        &self.entry
    }

    fn rules(&self) -> Table {
        table(self.game.rules())
    }

    fn in_effect(&self) -> Table {
        table(&self.game.in_effect())
    }

    fn players(&self) -> u8 {
        self.game.players()
    }

    fn unofficial(&self) -> Option<&'static str> {
        self.game.unofficial()
    }

    fn can_be_taken(&self, choice: usize, option: usize) -> bool {
        self.game.can_be_taken(choice, option)
    }

    fn alike(&self, choice: usize, options: [usize; 2]) -> Option<String> {
        self.game.alike(choice, options)
    }

    fn restriction(&self, choice: usize, seat: Seat, option: usize) -> Option<String> {
        self.game.restriction(choice, seat, option)
    }

    fn map(&self, seed: BlockSeed) -> Option<MapFacts> {
        maps::dealt(&self.game, seed)
    }

    fn map_picture(&self, seed: BlockSeed) -> Option<String> {
        maps::picture(&self.game, seed)
    }
}

impl<G: Playable> Plays for Loaded<G> {
    fn check_agents(&self, agents: &[AgentSpec]) -> Result<(), BadAgent> {
        let added = &self.entry.added;
        let make =
            |agent: &AgentSpec| player(agent, &self.game, added, (&Watch::none(), &Pad::default()));
        agents.iter().try_for_each(|agent| make(agent).map(drop))
    }

    fn settled(&self, agent: &AgentSpec) -> Result<AgentSpec, BadAgent> {
        agent.settled(&self.game, &self.entry.added)
    }

    fn greet(&self, guest: &AgentSpec, watch: &Watch) -> Result<Option<Ready>, String> {
        let invitation = guest.invitation().map_err(|error| error.to_string())?;
        invitation
            .map(|it| Outside::new(&self.game, it, watch, &Pad::default()).greet())
            .transpose()
    }

    fn meet(&self, guest: &AgentSpec, watch: &Watch) -> Result<Option<Ready>, String> {
        let invitation = guest.invitation().map_err(|error| error.to_string())?;
        invitation.map(|it| Outside::new(&self.game, it, watch, &Pad::default()).meet()).transpose()
    }

    fn check_weights(&self, agent: &AgentSpec) -> Result<(), BadAgent> {
        agent.weights(&self.game).map(drop)
    }

    fn default_weights(&self) -> Table {
        table(&self.game.weights())
    }

    fn record(&self, seated: Seated<'_>, plan: RecordPlan<'_>) -> Result<String, BadMatch> {
        let mut players = seated.players(&self.game, &self.entry.added, &Pad::default())?;
        let mut play = |to: &mut dyn Recorder<G>| play(&self.game, &mut players, plan.one, to);
        match plan.form {
            Form::Text => {
                let mut recorder = TextRecorder::new(plan.header.clone());
                play(&mut recorder).map(|()| recorder.into_string())
            }
            Form::JsonLines => {
                let mut recorder = JsonlRecorder::new(plan.header.clone());
                play(&mut recorder).map(|()| recorder.into_string())
            }
            Form::Questions => {
                let mut recorder = QuestionRecorder::default();
                play(&mut recorder).map(|()| recorder.into_string())
            }
        }
    }

    fn open_match(&self, plan: OpenPlan<'_>) -> Result<Box<dyn OpenMatch>, BadAgent> {
        open_match::open(&self.game, &self.entry.added, plan)
    }

    fn vector(&self, plan: &VectorPlan<'_>) -> Result<Box<dyn MatchVector>, BadAgent> {
        vector::vector(&self.game, &self.entry.added, plan)
    }

    fn played(
        &self,
        seated: Seated<'_>,
        one: OneMatch<'_>,
    ) -> Result<Box<dyn PlayedMatch>, BadMatch> {
        let mut taken = MatchHistory::default();
        play(
            &self.game,
            &mut seated.players(&self.game, &self.entry.added, &Pad::default())?,
            one,
            &mut taken,
        )?;
        let added = Arc::clone(&self.entry.added);
        Ok(Box::new(Played { game: self.game.clone(), added, taken }))
    }

    fn probe<'a>(
        &'a self,
        agent: &'a AgentSpec,
        watch: &'a Watch,
        seed: u64,
    ) -> Box<dyn Probe + 'a> {
        Box::new(Probed {
            game: &self.game,
            added: &self.entry.added,
            agent,
            watch,
            seed,
            positions: Vec::new(),
        })
    }
}

impl<G: Playable> Studied for Loaded<G> {
    fn layout(&self, agents: usize) -> Layout {
        simulation::layout(&self.game, agents)
    }

    fn simulation<'a>(
        &'a self,
        seated: Seated<'a>,
        plan: SimulationPlan<'a>,
    ) -> Box<dyn Experiment + 'a> {
        let SimulationPlan { seed, rotations, write } = plan;
        Box::new(Simulation {
            game: &self.game,
            seed,
            rotations,
            layout: self.layout(seated.agents.len()),
            agents: seated.maker(&self.entry),
            write,
            watch: seated.watch,
        })
    }

    fn reliability<'a>(
        &'a self,
        seated: Seated<'a>,
        plan: ReliabilityPlan,
    ) -> Result<Box<dyn Experiment + 'a>, BadAgent> {
        let ReliabilityPlan { seed, rotations, judges, every } = plan;
        let judges = judges.iter().map(|&judge| seated.agents[judge].judge(&self.game));
        let judges = judges.collect::<Result<Vec<LeafJudge<G>>, BadAgent>>()?;
        let count = ReliabilityCount { judges: judges.len(), seats: self.game.players().into() };
        let judges: reliability::Judges<'a, G> =
            Box::new(move |game| judges.iter().map(|of| judge(game, of)).collect());
        Ok(Box::new(Trials {
            seed,
            games: vec![self.game.clone()],
            agents: seated.maker(&self.entry),
            choice: 0,
            options: Vec::new(),
            matches: rotations.into_iter().map(|seats| MatchPlan::plain(0, seats)).collect(),
            sections: Vec::new(),
            noted: Noted::Said(Judging { judges, count, every }),
            watch: seated.watch,
        }))
    }
}

/// A game, and how something about it can be learned.
struct Learner<'a, G: Game, L> {
    game: &'a G,
    added: &'a [AddedAgent<G>],
    lesson: L,
}

impl<G: Playable> LearnsWeights for Learner<'_, G, Lesson<G>> {
    fn begin(&self, from: &AgentSpec) -> Result<WeightState, BadAgent> {
        Ok(WeightState::begin(self.game, &self.lesson, &from.weights(self.game)?))
    }

    fn session(
        &self,
        from: &AgentSpec,
        course: &WeightCourse,
        state: &WeightState,
        watch: &Watch,
    ) -> Result<Option<Session<Softmax>>, BadAgent> {
        let start = from.weights(self.game)?;
        Ok(learn::session(self.game, &self.lesson, &start, course, state, watch))
    }

    fn learned(&self, from: &AgentSpec, state: &WeightState) -> Result<Table, BadAgent> {
        Ok(table(&state.learned(&self.lesson, &from.weights(self.game)?)))
    }
}

impl<G: Playable> LearnsNet for Learner<'_, G, NetLesson<G>> {
    fn session(
        &self,
        from: &AgentSpec,
        course: &NetCourse,
        state: &NetState,
        watch: &Watch,
        choices: Option<&Arc<Choices>>,
    ) -> Result<Option<Session<NetLearner>>, BadAgent> {
        let other = |table: &OtherTable| -> Result<G, BadAgent> {
            let loaded = GameEntry::<G>::new().load(table.rules.clone(), table.players);
            let loaded: Box<dyn Any> = loaded
                .map_err(|error| BadAgent { name: from.name.clone(), reason: error.to_string() })?;
            let Loaded { game, .. } = loaded.downcast_ref().expect("a game of this type");
            Ok(G::clone(game))
        };
        let others = course.tables.iter().map(other);
        let tables: Vec<G> =
            std::iter::once(Ok(self.game.clone())).chain(others).collect::<Result<_, _>>()?;
        let players = NetPlayers { tables: &tables, from, added: self.added, watch, choices };
        learn_net::session(&players, &self.lesson, course, state)
    }
}

/// A planner, asked for chances as a search asks it at a leaf.
fn judge<G: Opinion>(game: &G, judge: &LeafJudge<G>) -> Chances<G> {
    let mut planner = game.planner(&judge.weights);
    match (judge.judgement, judge.net.clone()) {
        (Judgement::Weights, _) => {
            Box::new(move |game, state| planner.win_probabilities(game, state))
        }
        (Judgement::Learned, None) => {
            Box::new(move |game, state| planner.net_win_probabilities(game, state))
        }
        (Judgement::Learned, Some(net)) => {
            Box::new(move |game, state| net.chances(&mut planner, game, state))
        }
    }
}
