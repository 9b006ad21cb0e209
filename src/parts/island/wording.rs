//! The words of base CATAN, in match records and for people at a table: what is asked, what may be done. What a seat is told
//! of the table and of what happens is in `telling.rs`.

use crate::core::chance::ChanceEvent;
use crate::core::game::Observation;
use crate::core::resources::Resource;
use crate::core::types::seat::Seat;
use crate::core::wording::{CLOSES, OFFERS, Priced, Stands, Wording};
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::catalogue::Catalogue;
use crate::parts::island::luck::Draw;
use crate::parts::island::memory::Memory;
use crate::parts::island::observe::View;
use crate::parts::island::picture::Named;
use crate::parts::island::seat_event::SeatEvent;
use crate::parts::island::seen::{Bare, Seen};
use crate::parts::island::state::{CITIES, Phase, ROADS, SETTLEMENTS, Stage, State};
use crate::parts::island::telling::{told_chance, told_events};
use crate::parts::pieces::Ground;
use crate::parts::seen::{Read, write};
use crate::parts::telling::{
    NO_MORE_OFFERS, accept_words, answer_asked, choice_words, for_two, many, not_with_you,
    settle_words, title_words,
};
use std::borrow::Cow;

/// The heading of what is built.
pub const BUILD: &str = "Build";
/// The heading of trades with the bank.
pub const BANK: &str = "Trade with the bank";

impl Wording for Island {
    const TITLE: &'static str = "Base CATAN";
    const ABOUT: &'static str =
        "found on an island, roll for resources, trade, and build roads, settlements and cities";

    fn phase_name(&self, state: &State) -> &'static str {
        match (state.table.phase, state.table.stage) {
            (Phase::Found, _) => "found",
            (Phase::FoundRoad(_), _) => "found_road",
            (Phase::Act, Stage::Roll) => "roll",
            (Phase::Act, Stage::Special) => "special",
            (Phase::Act, Stage::Paired) => "paired",
            (Phase::Act, _) => "main",
            (Phase::Discard { .. }, _) => "discard",
            (Phase::Robber, _) => "robber",
            (Phase::FreeRoads(_), _) => "free_road",
            (Phase::Answer(_), _) => "answer",
            (Phase::Choose, _) => "choose",
            (Phase::Over(_), _) => "over",
        }
    }

    fn draw_name(draw: Draw) -> &'static str {
        match draw {
            Draw::Terrain => "terrain",
            Draw::Token => "token",
            Draw::Harbour => "harbour",
            Draw::Corner => "corner",
            Draw::Hex => "hex",
            Draw::Dice => "dice",
            Draw::Steal(_) => "steal",
            Draw::Card => "card",
        }
    }

    fn draw_seat(draw: Draw) -> Option<Seat> {
        match draw {
            Draw::Steal(thief) => Some(thief),
            _ => None,
        }
    }

    fn result_name(event: ChanceEvent<Draw>) -> Cow<'static, str> {
        let outcome = event.outcome;
        let idx = usize::from(outcome);
        let kind_or = |other| Resource::ALL.get(idx).map_or(other, |kind| kind.name());
        match event.draw {
            Draw::Terrain => kind_or("desert").into(),
            Draw::Harbour => kind_or("any").into(),
            Draw::Steal(_) => Resource::ALL[idx].name().into(),
            Draw::Card => Card::ALL[idx].name().into(),
            Draw::Dice => format!("{}+{}", outcome / 6 + 1, outcome % 6 + 1).into(),
            // The sum of the dice, from 2.
            Draw::Token => (outcome + 2).to_string().into(),
            Draw::Corner | Draw::Hex => outcome.to_string().into(),
        }
    }

    fn primer(&self) -> Vec<String> {
        self.told_rules(("roads", "a road"))
    }

    fn places(&self) -> Option<String> {
        Some(self.numbered())
    }

    fn picture(&self, view: &View<'_>, offered: &[Action]) -> Option<String> {
        Some(self.picture_of(view.table, &Named::of(offered)))
    }

    fn table_words(&self, view: &View<'_>) -> Vec<String> {
        self.told_table(view, |_| String::new())
    }

    fn question(&self, view: &View<'_>) -> String {
        let table = view.table;
        let proposal = (&table.proposal, table.current, view.seat);
        match (table.phase, table.stage) {
            (Phase::Found, Stage::Founding(1)) => "place the first settlement".to_owned(),
            (Phase::Found, _) => "place the next settlement".to_owned(),
            (Phase::FoundRoad(_), _) => "place a road beside it".to_owned(),
            (Phase::Act, Stage::Roll) if may_play(view) => {
                "roll the dice, or play a card first".to_owned()
            }
            (Phase::Act, Stage::Roll) => "roll the dice".to_owned(),
            (Phase::Act, Stage::Special) => "build, or let it be".to_owned(),
            (Phase::Act, Stage::Paired) => {
                let trade = if self.may_trade(table) { "trade with the bank, " } else { "" };
                let card = if may_play(view) { "play a card, " } else { "" };
                format!("{trade}build, {card}or let it be")
            }
            (Phase::Act, _) if !self.may_trade(table) => {
                let card = if may_play(view) { "play a card, " } else { "" };
                format!("build, {card}or end the turn")
            }
            (Phase::Act, _) => {
                let card = if may_play(view) { "play a card, " } else { "" };
                let most = self.rules.trade.proposals_max;
                let no_more = if most == 0 || self.may_offer(table) { "" } else { NO_MORE_OFFERS };
                format!("trade, build, {card}or end the turn{no_more}")
            }
            (Phase::Discard { seat, owed }, _) if seat != view.seat || view.chosen.is_empty() => {
                format!("discard {}, one by one", many(owed, "card"))
            }
            (Phase::Discard { owed, .. }, _) => {
                let more = many(owed, "more card");
                let chosen = view.chosen;
                format!(
                    "choose {more} to discard; {chosen} chosen, which leave your hand once all have chosen"
                )
            }
            (Phase::Robber, _) => "move the robber to another hex".to_owned(),
            (Phase::FreeRoads(left), _) => format!("place {}", many(left, "free road")),
            (Phase::Answer(asked), _) => answer_asked(proposal, (asked, view.hand)),
            (Phase::Choose, _) => choice_words(proposal),
            (Phase::Over(_), _) => "nothing".to_owned(),
        }
    }

    fn hidden_points(&self, end: &State, seat: Seat) -> u8 {
        end.hidden_points(seat)
    }

    fn prices(&self, view: &View<'_>) -> Vec<Priced> {
        let net = &view.table.pieces.nets[view.seat.idx()];
        let cities = (net.buildings() & net.cities).len();
        let cost = &self.rules.cost;
        [
            ("road", cost.road, Some(ROADS.saturating_sub(net.roads.len()))),
            (
                "settlement",
                cost.settlement,
                Some(SETTLEMENTS.saturating_sub(net.settlements.len())),
            ),
            ("city", cost.city, Some(CITIES.saturating_sub(cities))),
            ("development_card", cost.card, None),
        ]
        .map(|(kind, price, left)| Priced { kind, price: price.resources().to_string(), left })
        .to_vec()
    }

    fn known_action(&self, before: &View<'_>, action: Action) -> Option<Action> {
        before.known(action)
    }

    fn sees_draw(&self, before: &View<'_>, draw: Draw) -> bool {
        before.sees(draw)
    }

    /// With what the bank takes for it. Which card another discards is not shown before all have chosen. (BASE-24)
    fn action_words(&self, before: &View<'_>, action: Action) -> String {
        let table = before.table;
        match before.known(action) {
            None => "discard a card, unseen".to_owned(),
            Some(Action::Buy) => {
                format!("{} for {}", Action::Buy, self.rules.cost.card.resources())
            }
            Some(Action::BankTrade { give, want }) => {
                let rate = table.rates[table.active.idx()][give.idx()];
                format!("bank {rate} {give} for 1 {want}")
            }
            Some(Action::Decline) => {
                let words = Action::Decline.to_string();
                not_with_you(words, (&table.proposal, table.current, before.seat))
            }
            Some(known) => for_two(known.to_string(), self.players),
        }
    }

    fn terms(&self, view: &View<'_>, action: Action) -> Option<String> {
        let table = view.table;
        match action {
            Action::Settle { with } => {
                settle_words((&table.proposal, table.current, view.seat), with)
            }
            Action::Accept => Some(accept_words(&table.proposal)),
            _ => None,
        }
    }

    fn chance_words(&self, before: Option<&View<'_>>, event: ChanceEvent<Draw>) -> Option<String> {
        told_chance(before?, event, &Island::result_name(event))
    }

    fn event_words(&self, events: &[SeatEvent], seat: Seat) -> Vec<String> {
        told_events(events, seat)
    }

    /// Who now holds Longest Road or Largest Army.
    fn change_words(&self, before: &View<'_>, after: &View<'_>) -> Vec<String> {
        let (was, is) = (before.table, after.table);
        let titles = [("Longest Road", was.route, is.route), ("Largest Army", was.army, is.army)];
        titles.into_iter().filter_map(|title| title_words(title, after.seat)).collect()
    }

    fn heading(action: Action) -> &'static str {
        match action {
            Action::Roll | Action::EndTurn => "Turn",
            Action::Road { .. }
            | Action::Settlement { .. }
            | Action::City { .. }
            | Action::Buy
            | Action::Stop => BUILD,
            Action::Knight
            | Action::RoadBuilding
            | Action::YearOfPlenty { .. }
            | Action::Monopoly { .. } => "Development cards",
            Action::Robber { .. } => "Robber",
            Action::Discard { .. } => "Discard",
            Action::BankTrade { .. } => BANK,
            Action::Offer { .. } => OFFERS,
            Action::Counter { .. } => "Counter-offers",
            Action::Accept | Action::Refuse => "Answer",
            Action::Settle { .. } | Action::Decline => CLOSES,
        }
    }

    /// The last of a seat's discards lets others go on, or shows all of them; Monopoly shows what others have.
    fn stands(before: &State, action: Action) -> Option<Stands> {
        match action {
            Action::Discard { .. }
                if matches!(before.table.phase, Phase::Discard { owed: 2.., .. }) =>
            {
                None
            }
            Action::Road { .. }
            | Action::Settlement { .. }
            | Action::City { .. }
            | Action::Stop
            | Action::Knight
            | Action::RoadBuilding
            | Action::YearOfPlenty { .. }
            | Action::BankTrade { .. }
            | Action::Robber { victim: None, .. } => None,
            Action::Discard { .. }
            | Action::Monopoly { .. }
            | Action::Buy
            | Action::Robber { .. } => Some(Stands::Shows),
            _ => Some(Stands::Said),
        }
    }

    fn write_view(&self, view: &View<'_>, out: &mut Vec<u8>) {
        write(&Seen::of(self, view, Bare::default()), out);
    }

    fn read_view<R>(
        &self,
        json: &str,
        memory: &Memory,
        with: impl FnOnce(&Observation<'_, Self>) -> R,
    ) -> Read<R> {
        let with = |view: View<'_>| with(&Observation { seat: view.seat, view, memory });
        let seen: Seen = serde_json::from_str(json)?;
        seen.read(self, &Ground::of(self.map), with)
    }

    fn write_catalogue(&self, out: &mut Vec<u8>) {
        write(&Catalogue::of(self, false), out);
    }
}

/// Whether the seat is the one that acts, and holds a development card that it could play now. (BASE-21)
fn may_play(view: &View<'_>) -> bool {
    if view.seat != view.table.active {
        return false;
    }
    let held = |card: Card| view.cards[card.idx()] > view.fresh[card.idx()];
    let played = Card::ALL.into_iter().filter(|card| *card != Card::VictoryPoint);
    !view.table.so_far.played && played.into_iter().any(held)
}
