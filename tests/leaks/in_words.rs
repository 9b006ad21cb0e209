//! What a person is told gives nothing away: the table, the list of actions and what happened are the same, byte for
//! byte, in a twin; and so is what happened, whatever hidden thing another seat did.

use crate::{Echo, Hidden, Table, events_of};
use fairhaven::core::chance::ChanceEvent;
use fairhaven::core::game::{ActionFilter, Step, Turn};
use fairhaven::core::guest::{Asked, News};
use fairhaven::core::record::ObservedChance;
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::{SEATS_MAX, Seat};
use fairhaven::sim::guests::in_words::TableText;
use fairhaven::sim::guests::menu::Menu;
use fairhaven::sim::guests::shown::{Scene, Standing};
use fairhaven::sim::play::step_text::{StepText, known_step, step_text};

/// What has been compared, and how often a text that leaks on purpose differs.
#[derive(Debug, Default)]
pub struct Words {
    pub tables: u32,
    pub leaking_tables: u32,
    /// What a page is sent, and how often that differs once it leaks the position.
    pub scenes: u32,
    pub leaking_scenes: u32,
    pub steps: u32,
    pub leaking_steps: u32,
    /// Actions of others in whose place another one would have looked the same.
    pub hidden: u32,
}

impl Words {
    pub fn add(&mut self, other: &Words) {
        self.tables += other.tables;
        self.leaking_tables += other.leaking_tables;
        self.scenes += other.scenes;
        self.leaking_scenes += other.leaking_scenes;
        self.steps += other.steps;
        self.leaking_steps += other.leaking_steps;
        self.hidden += other.hidden;
    }

    /// Enough was compared, and the texts that leak were found.
    pub fn check(&self) {
        let enough = self.tables > 50 && self.leaking_tables > self.tables * 3 / 4;
        let scenes = self.scenes > 50 && self.leaking_scenes > self.scenes * 3 / 4;
        assert!(enough && scenes && self.steps > 500 && self.leaking_steps > 5, "{self:?}");
    }
}

impl<G: Hidden> Table<G> {
    /// The table and the list of actions of a seat are the same in its twin.
    pub fn compare_tables(&mut self, seat: Seat) {
        let Some(twin) = &self.twins[seat.idx()] else { return };
        let [here, there] = [&self.state, &twin.state].map(|state| {
            let mut legal = Actions::new();
            self.game.legal(state, ActionFilter::Full, &mut legal);
            let view = self.game.view(state, seat);
            let table = TableText::of(&self.game, &view, &legal);
            let text = format!("{table:?} {:?}", Menu::of(&self.game, &view, &legal));
            let leak = format!("{text} {state:?}");
            (text, leak)
        });
        assert!(here.0 == there.0, "the table gives something away: {} {}", here.0, there.0);
        self.tally.words.tables += 1;
        self.tally.words.leaking_tables += u32::from(here.1 != there.1);
    }

    /// What the page of a seat is sent is the same in its twin, byte for byte, whether it is asked or looks on.
    pub fn compare_scenes(&mut self) {
        let Turn::Decide(asked) = self.game.turn(&self.state) else { return };
        // Whoever is asked, and one of those who look on.
        let turns = 1 + self.tally.words.scenes as usize % usize::from(self.game.players());
        let other = asked.clockwise(self.game.players()).cycle().nth(turns);
        for seat in [Some(asked), other.filter(|other| *other != asked)].into_iter().flatten() {
            let Some(twin) = &self.twins[seat.idx()] else { continue };
            let [here, there] = [&self.state, &twin.state].map(|state| {
                let Turn::Decide(actor) = self.game.turn(state) else {
                    panic!("twins end with their match")
                };
                let mut legal = Actions::new();
                self.game.legal(state, ActionFilter::Full, &mut legal);
                let view = self.game.view(state, seat);
                let asked = Asked {
                    turn: self.game.turn_number(state),
                    phase: self.game.phase_name(state),
                };
                let standing = Standing {
                    asked,
                    awaits: Some(actor),
                    outcome: None,
                    hidden_points: [0; SEATS_MAX],
                    no_way_back: None,
                };
                let listed = (actor == seat).then_some(&legal);
                let words = "The deal.".to_owned();
                let opens = String::new();
                let told = StepText {
                    turn: 1,
                    actor: None,
                    words,
                    opens,
                    only: false,
                    offer: false,
                    closes: false,
                };
                let told = vec![told; 2];
                let json = Scene::of(&self.game, (seat, &view), standing, listed).json(&told, 1);
                let leak = format!("{json} {state:?}");
                (json, leak)
            });
            assert!(here.0 == there.0, "the page gives something away: {} {}", here.0, there.0);
            assert!(here.0.contains(r#""steps":2,"told":[{"#), "{}", here.0);
            self.tally.words.scenes += 1;
            self.tally.words.leaking_scenes += u32::from(here.1 != there.1);
        }
    }

    /// What a seat is told of a step, in words and as the message of a guest.
    fn told_step(&self, step: &Step<'_, G>, seat: Seat) -> (StepText, String) {
        let mut lines = Vec::new();
        let known = known_step(&self.game, step, seat).expect("somebody acted");
        self.teller.happened(1, News::Step(known), &mut lines);
        assert!(lines.starts_with(b"{\"type\":\"step\""), "nothing is told");
        (step_text(&self.game, step, seat), String::from_utf8(lines).expect("JSON is text"))
    }

    /// What happened is the same for a seat in two matches that it can't tell apart.
    pub fn compare_step_texts(&mut self, seat: Seat, steps: [&Step<'_, G>; 2]) {
        let [here, there] = steps.map(|step| {
            let told = self.told_step(step, seat);
            let results: Vec<_> = step.chance.iter().map(|event| G::result_name(*event)).collect();
            let leak = format!("{told:?} {results:?}");
            (told, leak)
        });
        assert_eq!(here.0, there.0, "seat {seat} is told what it can't see");
        self.tally.words.steps += 1;
        self.tally.words.leaking_steps += u32::from(here.1 != there.1);
    }

    /// Another action in the place of one that somebody takes, on the same luck: whoever sees and hears the same is told
    /// the same.
    pub fn compare_actions(
        &mut self,
        action: G::Action,
        after: &G::State,
        events: &[ChanceEvent<G::Draw>],
    ) {
        let before = self.state;
        let Turn::Decide(actor) = self.game.turn(&before) else { return };
        let mut legal = Actions::new();
        self.game.legal(&before, ActionFilter::Full, &mut legal);
        let alike: Vec<G::Action> = legal
            .iter()
            .copied()
            .filter(|other| G::heading(*other) == G::heading(action))
            .collect();
        // The match must not depend on this, so no random number is drawn.
        let other = alike[self.tally.words.steps as usize % alike.len()];
        if other == action {
            return;
        }
        let (mut state, mut told) = (before, Vec::new());
        let choose = |_: usize, event: &ChanceEvent<G::Draw>, possible: &[u8]| {
            possible.contains(&event.outcome).then_some(event.outcome)
        };
        let mut echo = Echo { events, next: 0, choose, fits: true };
        let listener = |event| told.push(event);
        self.game.apply(&mut state, other, &mut ObservedChance { chance: &mut echo, listener });
        if !echo.fits || echo.next != events.len() {
            return;
        }
        let here = Step { action: Some((&before, action)), chance: events, after };
        let there = Step { action: Some((&before, other)), chance: &told, after: &state };
        for seat in Seat::all(self.game.players()).filter(|seat| *seat != actor) {
            let views = [after, &state].map(|state| self.game.view(state, seat));
            let heard = [&here, &there].map(|step| events_of(&self.game, step, seat));
            if views[0] == views[1] && heard[0] == heard[1] {
                let [one, two] = [&here, &there].map(|step| self.told_step(step, seat));
                assert_eq!(one, two, "seat {seat} is told which of two alike actions was taken");
                self.tally.words.hidden += 1;
            }
        }
    }
}
