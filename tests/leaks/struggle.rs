//! What Struggle for Catan hides: cards in hands and in the stack, drawn, taken or exchanged unseen.

use crate::{Hidden, Tally, below, matches};
use fairhaven::core::chance::ChanceEvent;
use fairhaven::core::game::Game;
use fairhaven::core::resources::{Resource, Resources};
use fairhaven::core::types::seat::Seat;
use fairhaven::games::struggle::Struggle;
use fairhaven::games::struggle::action::{Action, Partner};
use fairhaven::games::struggle::luck::Draw;
use fairhaven::games::struggle::memory::Memory;
use fairhaven::games::struggle::rules::{Chosen, Eyes, Rules};
use fairhaven::games::struggle::state::State;
use fairhaven::parts::bundles::Price;
use rand_pcg::Pcg32;

/// Whose cards are taken, by an action that takes cards of a hand.
fn victim(before: &State, action: Action) -> Option<Seat> {
    let with = match action {
        Action::Rob { from } => return Some(from),
        Action::Trade { with, .. } => with,
        _ => before.table.lot.with,
    };
    if let Partner::Seat(seat) = with { Some(seat) } else { None }
}

/// Whether an action opens a hand to a seat: a library's chooser sees it, or all do.
fn sees_open(game: &Struggle, seat: Seat, before: &State, action: Action) -> bool {
    let opens = matches!(action, Action::Trade { choose: true, .. });
    let all = game.rules().library.shown_to == Eyes::All;
    opens && (all || before.table.current == seat)
}

impl Hidden for Struggle {
    const HONEST: &'static [&'static str] = &[
        "random",
        "greedy",
        "heuristic",
        "mcts:iterations=12",
        "mcts:iterations=8:opponents=heuristic:truncation=2",
        "heuristic:temperature=0.05:lapse=0.2",
        "mcts:iterations=8:temperature=0.1:lapse=0.2",
    ];
    const LENGTH: u32 = 400;
    type Change = ();
    const OTHER_LUCK: () = ();

    /// A card of another hand that the seat doesn't know to be there changes places with one of the stack, or
    /// of a third hand.
    fn change(
        &self,
        state: &State,
        memory: &Memory,
        seat: Seat,
        rng: &mut Pcg32,
    ) -> Option<(State, ())> {
        let others: Vec<Seat> = Seat::all(self.players()).filter(|&other| other != seat).collect();
        let unseen = |of: Seat| state.hands[of.idx()] - memory.surely_held(of);
        for _ in 0..20 {
            let from = others[below(rng, others.len())];
            let to = others[below(rng, others.len())];
            let there = if to == from { state.pile } else { unseen(to) };
            let [a, b] = [(); 2].map(|()| Resource::ALL[below(rng, Resource::COUNT)]);
            if a == b || unseen(from).get(a) == 0 || there.get(b) == 0 {
                continue;
            }
            let (a, b) = (Resources::one(a), Resources::one(b));
            let mut twin = *state;
            twin.hands[from.idx()] = twin.hands[from.idx()] - a + b;
            let other = if to == from { &mut twin.pile } else { &mut twin.hands[to.idx()] };
            *other = *other - b + a;
            return Some((twin, ()));
        }
        None
    }

    /// A card that is drawn its owner sees, one that is taken the two concerned, and who then looks into the
    /// hand that it left; everything else all see.
    fn is_unseen(
        &self,
        before: &State,
        action: Action,
        seat: Seat,
        event: &ChanceEvent<Draw>,
    ) -> bool {
        match event.draw {
            Draw::Card(drawer, _) => drawer != seat,
            Draw::Take(to) => {
                let concerned = [Some(to), victim(before, action)].contains(&Some(seat));
                let open = self.rules().trade.passes == Eyes::All;
                !(open || concerned || sees_open(self, seat, before, action))
            }
            Draw::Market(_) | Draw::Event => false,
        }
    }

    /// What the seat sees stays the same; so does what it doesn't see, if that is possible.
    fn echo(
        (): (),
        _seat: Seat,
        unseen: bool,
        event: &ChanceEvent<Draw>,
        possible: &[u8],
    ) -> Option<u8> {
        let same = possible.contains(&event.outcome);
        if unseen && !same { possible.first().copied() } else { same.then_some(event.outcome) }
    }

    /// An open hand shows what is in it.
    fn shows(&self, seat: Seat, here: &State, there: &State, action: Action) -> bool {
        let open = victim(here, action).map(Seat::idx);
        let differs = open.is_some_and(|open| here.hands[open] != there.hands[open]);
        differs && sees_open(self, seat, here, action)
    }
}

/// Cities and expansions are cheap, so that libraries and guilds come up.
fn twins(rules: &Rules, players: u8, numbers: std::ops::Range<u64>) -> Tally {
    let mut rules = rules.clone();
    rules.city.cost = Price::new([0, 0, 0, 1, 0]);
    rules.expansion.cost = Price::new([0, 0, 1, 0, 0]);
    rules.points_to_win = 15.into();
    let tally = matches::<Struggle>(&rules, players, numbers);
    assert!(tally.lucky > 20, "{tally:?}");
    let heard = ["drew", "moved", "opened", "shown", "taken"];
    assert!(heard.iter().all(|&name| tally.heard.contains(name)), "{tally:?}");
    tally
}

#[test]
fn twins_of_three_and_four() {
    twins(&Rules::default(), 3, 0..4);
    let tally = twins(&Rules::default(), 4, 10..14);
    assert!(tally.heard.contains("passed"), "{tally:?}");
}

#[test]
fn twins_of_six() {
    twins(&Rules::default(), 6, 20..23);
}

#[test]
fn twins_where_hands_and_exchanges_are_open() {
    let mut rules = Rules::default();
    rules.trade.passes = Eyes::All;
    let tally = twins(&rules, 4, 70..75);
    assert!(!tally.heard.contains("passed"), "{tally:?}");
    rules.trade.passes = Eyes::Concerned;
    rules.library.shown_to = Eyes::All;
    rules.library.chosen = Chosen::Last;
    twins(&rules, 3, 40..44);
}
