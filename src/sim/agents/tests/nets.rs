//! Searches with a net of a file.

use crate::core::game::Game;
use crate::core::net::file::SavedNet;
use crate::core::opinion::{Judge, Opinion};
use crate::core::watch::Watch;
use crate::games::on_the_road::OnTheRoad;
use crate::games::on_the_road::rules::Rules;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::learn_net::{NetCourse, NetState};
use crate::sim::net_matches::Labels;
use crate::sim::play::Arena;
use std::sync::Arc;

fn game() -> OnTheRoad {
    OnTheRoad::new(Rules::default(), 3).expect("the default rules")
}

/// The text of a net that has learned nothing.
fn text() -> String {
    let list = OnTheRoad::NET.expect("a net").list;
    let course = NetCourse { seed: 1, matches: 1, tables: Vec::new(), labels: Labels::plain(1) };
    NetState::begin(list.names.len(), &course).net().text(OnTheRoad::NAME, "a", "b", &list)
}

fn spec(name: &str, text: &str) -> AgentSpec {
    let file = Arc::new(SavedNet::parse(text).expect("a net"));
    AgentSpec::parse(name, None).expect("an agent").with_net(file, "12".to_owned())
}

/// Decisions of a match of three of them, which differ as soon as anything does.
fn played(spec: &AgentSpec) -> u32 {
    use crate::core::record::Recorder;
    struct Sum(u32);
    impl Recorder<OnTheRoad> for Sum {
        fn on_applied(
            &mut self,
            game: &OnTheRoad,
            _: <OnTheRoad as Game>::Action,
            after: &<OnTheRoad as Game>::State,
        ) {
            let mut planner = game.planner(&game.weights());
            let chances = planner.win_probabilities(game, after);
            self.0 = self.0.rotate_left(5) ^ chances[0].to_bits();
        }
    }
    let mut sum = Sum(0);
    let mut players = [spec.make(&game(), &Watch::none()).expect("an agent")];
    let seed = crate::core::seed::BlockSeed::new(3, 0);
    let end = Arena::new(game()).play(&mut players, &[0; 3], seed, &mut sum);
    end.expect("no fault");
    sum.0
}

#[test]
fn a_net_of_a_file_judges_in_place_of_the_games_own() {
    let own = AgentSpec::parse("mcts:iterations=20", None).expect("an agent");
    let shipped = include_str!("../../../games/on_the_road/opinion/net.toml");
    let name = "mcts:iterations=20:net=net.toml";
    assert_eq!(played(&spec(name, shipped)), played(&own), "the same net, read from its file");
    assert_ne!(played(&spec(name, &text())), played(&own));
}

#[test]
fn the_hash_stands_beside_the_name_of_the_file() {
    let agent = spec("mcts:net=a.toml", &text());
    let settled = agent.settled(&game(), &[]).expect("an agent");
    assert_eq!(settled.name, "mcts:net=a.toml");
    assert_eq!(settled.parameters["net"].as_str(), Some("a.toml"));
    assert_eq!(settled.parameters["net_hash"].as_str(), Some("12"));
    assert!(settled.net.is_some());
    let plain = agent.without(&["net"]);
    assert_eq!((plain.name.as_str(), plain.net.is_some()), ("mcts", false));
    assert!(plain.parameters.is_empty());
    let warm = agent.with("temperature", "0.1").expect("an agent");
    assert!(warm.net.is_some() && warm.make(&game(), &Watch::none()).is_ok());
    let other = plain.with("net", "b.toml").expect("an agent");
    assert!(other.net.is_none() && !other.parameters.contains_key("net_hash"));
}

#[test]
fn nets_that_do_not_fit_are_refused_by_name() {
    let refused = |spec: &AgentSpec, reason: &str| {
        let error = spec.make(&game(), &Watch::none()).err().expect(reason).to_string();
        assert!(error.contains(reason), "{error}");
    };
    let name = "mcts:net=a.toml";
    let chess = text().replacen("on-the-road", "chess", 1);
    refused(
        &spec(name, &chess),
        "the net `a.toml` judges positions of `chess`, not of on-the-road",
    );
    let more = format!("{}luck = [{}]\n", text(), vec!["0"; 32].join(", "));
    refused(&spec(name, &more), "the net `a.toml` has an input `luck`");
    let (rest, last) = text()
        .trim_end()
        .rsplit_once('\n')
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .expect("lines");
    let missing = last.split(' ').next().expect("a name").to_owned();
    refused(&spec(name, &rest), &format!("inputs of on-the-road: `{missing}` has no weights"));
    let parsed = |name: &str| AgentSpec::parse(name, None).expect("an agent");
    refused(&parsed(name), "the net `a.toml` was not read");
    refused(&parsed("mcts:net=7"), "`net` is 7; it must be the name of a file");
    refused(&parsed("mcts:net="), "`net` is \"\"; it must be the name of a file");
    refused(&parsed("mcts:net=a.toml:judgement=weights"), "does nothing beside judgement=weights");
    refused(&parsed("mcts:net_hash=ab"), "no `net` is given");
    refused(&parsed("heuristic:net=a.toml"), "no parameter `net`");
}
