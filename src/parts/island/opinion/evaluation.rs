//! One decision: how much each action adds to the value of its own position and takes from the rivals'.

use crate::core::game::Game;
use crate::core::opinion::{Best, shares};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::parts::bundle_sets::BundleSet;
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::cards::{Card, Cards, pips, size};
use crate::parts::island::observe::View;
use crate::parts::island::opinion::deals::{Deal, Terms};
use crate::parts::island::opinion::known::GOALS;
use crate::parts::island::opinion::standing::Standings;
use crate::parts::island::opinion::talk::listed;
use crate::parts::island::opinion::weights::{Features, Weights};
use crate::parts::island::opinion::worth::{Goals, Situation, cards};
use crate::parts::island::state::{Phase, Table};
use crate::parts::places::Hex;
use std::ops::Range;

/// Rating of an action that wins.
const WINS: f32 = 100.0;

/// What a trade with the bank must bring, in points.
const BANK_MARGIN: f32 = 0.02;

/// Rating of an action that is out of the question.
const NO: f32 = -10.0;

/// A position as the deciding seat sees it, and what it is worth.
pub struct Evaluation<'a> {
    game: &'a Island,
    weights: &'a Weights,
    standings: &'a mut Standings,
    view: &'a View<'a>,
    goals: Goals,
    /// What the hand lacks, once a trade has asked for it.
    lacks: Option<Lacks>,
    terms: Terms<'a>,
    /// Value of the hand.
    hand: f32,
    /// What is left of the hand after a road, with its size and what it can build as features: the same wherever the road is.
    after_road: Option<(Resources, [f32; 2])>,
    /// Features of the open part of the position and its value, once something that may be built has asked for it.
    board: Option<(Features, f32)>,
    /// Each rival's share of what the rivals may win, if the robber moves.
    rivals: PerSeat<f32>,
    /// What a blocked settlement, and what a blocked city of each seat counts for.
    stakes: PerSeat<[f32; 2]>,
}

/// What a hand lacks.
#[derive(Debug, Clone, Copy)]
struct Lacks {
    /// For each goal.
    each: [Resources; GOALS],
    /// All kinds that it lacks for some goal, as many as for that.
    any: Resources,
}

impl Lacks {
    fn of(goals: &Goals, hand: Resources) -> Lacks {
        let each = goals.lacks(hand);
        let any = each.into_iter().fold(Resources::NONE, |all, more| all + all.missing(more));
        Lacks { each, any }
    }

    /// Whether it has none of some card that something worth building needs.
    #[inline]
    fn has(&self, cards: Resources) -> bool {
        self.any.covers(cards) && self.each.iter().any(|lack| lack.covers(cards))
    }
}

impl<'a> Evaluation<'a> {
    /// Looks at a position.
    pub fn new(
        game: &'a Island,
        weights: &'a Weights,
        standings: &'a mut Standings,
        view: &'a View<'a>,
    ) -> Evaluation<'a> {
        let situation = Situation { game, weights, table: view.table, seat: view.seat };
        let goals = standings.goals(&situation);
        let cost = cost_of_trade(game, weights);
        let mut evaluation = Evaluation {
            game,
            weights,
            standings,
            view,
            goals,
            lacks: None,
            terms: Terms { weights, view, cost, perils: [0.0; SEATS_MAX] },
            hand: 0.0,
            after_road: None,
            board: None,
            rivals: [0.0; SEATS_MAX],
            stakes: [[0.0; 2]; SEATS_MAX],
        };
        evaluation.hand = evaluation.hand_worth(view.hand);
        if matches!(view.table.phase, Phase::Answer(_) | Phase::Choose) {
            for seat in Seat::all(game.players()) {
                evaluation.terms.perils[seat.idx()] = evaluation.peril(seat);
            }
        }
        let knight = view.cards[Card::Knight.idx()] > view.fresh[Card::Knight.idx()];
        if view.table.phase == Phase::Robber || (knight && view.table.phase == Phase::Act) {
            evaluation.rivals = evaluation.rivals();
            evaluation.stakes = evaluation.stakes();
        }
        evaluation
    }

    /// What an action brings, in points; 0 for what changes nothing.
    pub fn rate(&mut self, action: Action) -> f32 {
        let view = self.view;
        let weights = self.weights;
        match action {
            Action::Roll | Action::EndTurn | Action::Refuse | Action::Decline => 0.0,
            // A free road costs nothing: where the features speak against each, that is their noise.
            Action::Stop => NO,
            Action::Road { .. } | Action::Settlement { .. } | Action::City { .. } => {
                self.rate_build(action)
            }
            Action::Buy => self.rate_purchase(),
            Action::Knight => self.rate_knight(),
            Action::RoadBuilding => self.rate_free_roads(),
            Action::YearOfPlenty { first, second } => {
                let second = second.map_or(Resources::NONE, Resources::one);
                let hand = view.hand + Resources::one(first) + second;
                self.with_hand(hand) - weights.progress_card
            }
            Action::Monopoly { kind } => {
                let hand = view.hand + Resources::many(kind, self.held_by_others(kind));
                self.with_hand(hand) - weights.progress_card
            }
            Action::Robber { hex, victim } => self.rate_robber(hex, victim),
            Action::Discard { card } => {
                self.with_hand(view.hand - view.chosen - Resources::one(card))
            }
            Action::BankTrade { give, want } => {
                let rate = view.table.rates[view.seat.idx()][give.idx()];
                self.with_hand(view.hand - Resources::many(give, rate) + Resources::one(want))
                    - BANK_MARGIN
            }
            Action::Offer { give, want, .. } => self.rate_offer(give.cards(), want.cards()),
            Action::Accept => {
                let proposal = view.table.proposal;
                self.rate_deal(proposal.want.cards(), proposal.give.cards(), view.table.current)
            }
            Action::Counter { give, want } => self.rate_counter(give.cards(), want.cards()),
            Action::Settle { with } => {
                let terms = view.table.proposal.terms_with(with);
                let (give, get) = terms.expect("a partner has agreed to terms");
                self.rate_deal(give, get, with)
            }
        }
    }

    fn hand_worth(&self, hand: Resources) -> f32 {
        self.goals.less_excess(self.weights, self.goals.worth(self.weights, hand), hand)
    }

    /// How much more another hand is worth than this one.
    pub(crate) fn with_hand(&self, hand: Resources) -> f32 {
        self.hand_worth(hand) - self.hand
    }

    /// Features of the open part of the position, with this number of hidden points, and its value.
    fn board_with(&mut self, points: u8) -> (Features, f32) {
        let Evaluation { game, weights, view, .. } = *self;
        let situation = Situation { game, weights, table: view.table, seat: view.seat };
        let features = self.standings.board(&situation, points);
        (features, weights.worth(&features))
    }

    /// Features of the open part of the position, and its value.
    fn board(&mut self) -> (Features, f32) {
        let points = self.view.cards[Card::VictoryPoint.idx()];
        let board = self.board.unwrap_or_else(|| self.board_with(points));
        *self.board.insert(board)
    }

    fn cards_worth(&self, held: Cards) -> f32 {
        let mut features = Features::default();
        cards(held, &mut features);
        self.weights.worth(&features)
    }

    /// What a build does to a table.
    pub(crate) fn place(&mut self, table: &mut Table, action: Action) {
        self.standings.place(self.game, table, action);
    }

    /// Gain in value of the open part and of a hand after a build or a knight, [`WINS`] if it wins.
    pub(crate) fn gain(&mut self, after: &Table, hand: Resources) -> f32 {
        if self.wins(after) {
            return WINS;
        }
        let Evaluation { game, weights, view, .. } = *self;
        let points = view.cards[Card::VictoryPoint.idx()];
        let situation = Situation { game, weights, table: after, seat: view.seat };
        let goals = self.standings.goals(&situation);
        let mut features = self.standings.board(&situation, points);
        goals.hand(hand, &mut features);
        self.gain_of(&features, &goals, hand)
    }

    /// The same after another road: mostly it changes neither points nor what a hand is good for.
    pub(crate) fn gain_by_road(&mut self, after: &Table, hand: Resources) -> f32 {
        let Evaluation { game, weights, view, .. } = *self;
        let seat = view.seat;
        let settles = |table: &Table| !table.pieces.sites(seat).is_empty();
        let is_other = after.points(game, seat) != view.table.points(game, seat)
            || settles(after) != settles(view.table);
        if is_other || self.wins(after) {
            return self.gain(after, hand);
        }
        let (mut features, _) = self.board();
        let situation = Situation { game, weights, table: after, seat };
        self.standings.ways(&situation, &mut features);
        let goals = self.goals;
        let known = self.after_road.filter(|(known, _)| *known == hand);
        if let Some((_, [size, ready])) = known {
            (features.hand, features.ready) = (size, ready);
        } else {
            goals.hand(hand, &mut features);
            self.after_road = Some((hand, [features.hand, features.ready]));
        }
        self.gain_of(&features, &goals, hand)
    }

    /// The same by all features, and by what a hand is then good for.
    #[inline]
    fn gain_of(&mut self, features: &Features, goals: &Goals, hand: Resources) -> f32 {
        let worth = goals.less_excess(self.weights, self.weights.worth(features), hand);
        worth - self.board().1 - self.hand
    }

    /// Whether a build or a knight wins.
    fn wins(&self, after: &Table) -> bool {
        let (game, seat) = (self.game, self.view.seat);
        let points = after.points(game, seat) + self.view.cards[Card::VictoryPoint.idx()];
        after.may_win() && points >= game.rules().points_to_win.of(seat) + after.withheld
    }

    fn rate_build(&mut self, action: Action) -> f32 {
        let (game, view) = (self.game, self.view);
        let [road, settlement, city, _] = game.prices();
        let cost = match action {
            _ if view.table.phase != Phase::Act => Resources::NONE,
            Action::Settlement { .. } => settlement,
            Action::City { .. } => city,
            _ => road,
        };
        let mut after = *view.table;
        self.place(&mut after, action);
        let lost = view.table.route.filter(|_| after.route != view.table.route);
        let denied = if lost.is_some_and(|seat| seat != view.seat) { 0.5 } else { 0.0 };
        let hand = view.hand - cost;
        let is_road = matches!(action, Action::Road { .. });
        denied + if is_road { self.gain_by_road(&after, hand) } else { self.gain(&after, hand) }
    }

    /// Value of buying a development card: any card that has not been seen.
    fn rate_purchase(&mut self) -> f32 {
        let view = self.view;
        let [_, _, _, price] = self.game.prices();
        let mut unseen = self.game.all_cards();
        for card in Card::ALL {
            let at = card.idx();
            unseen[at] -= view.cards[at] + view.table.gone[at];
        }
        unseen[Card::Knight.idx()] -= view.table.knights.iter().sum::<u8>();
        let all = f32::from(size(unseen).max(1));
        let points = f32::from(unseen[Card::VictoryPoint.idx()]) / all;
        let held = view.own_points(self.game);
        let target = self.game.rules().points_to_win.of(view.seat) + view.table.withheld;
        let wins = view.table.may_win() && held + 1 >= target;
        let point = if wins { WINS } else { self.with_points(1) };
        let before = self.cards_worth(view.cards);
        let with = |card: Card| {
            let mut held = view.cards;
            held[card.idx()] += 1;
            self.cards_worth(held) - before
        };
        let knights = f32::from(unseen[Card::Knight.idx()]) / all;
        let progress = 1.0 - points - knights;
        points * point
            + knights * with(Card::Knight)
            + progress * with(Card::Monopoly)
            + self.with_hand(view.hand - price)
    }

    /// Value of additional hidden points.
    fn with_points(&mut self, more: u8) -> f32 {
        let points = self.view.cards[Card::VictoryPoint.idx()] + more;
        self.board_with(points).1 - self.board().1
    }

    fn rate_knight(&mut self) -> f32 {
        let view = self.view;
        let mut after = *view.table;
        let seat = view.seat;
        after.knights[seat.idx()] += 1;
        let most =
            after.army.map_or(self.game.rules().army.minimum - 1, |army| after.knights[army.idx()]);
        if after.knights[seat.idx()] > most {
            after.army = Some(seat);
        }
        let mut held = view.cards;
        held[Card::Knight.idx()] -= 1;
        let used = self.cards_worth(held) - self.cards_worth(view.cards);
        let places = self.game.map().all_hexes().iter().filter(|&hex| hex != view.table.robber);
        let robs = places.map(|hex| self.blocks(hex)).fold(0.0, f32::max);
        let freed = (-self.blocks(view.table.robber)).max(0.0);
        self.gain(&after, view.hand) + used + robs + freed + self.weights.steal
    }

    fn rate_free_roads(&mut self) -> f32 {
        let mut table = *self.view.table;
        let mut gain = 0.0;
        for _ in 0..2 {
            let mut best: Option<(f32, Table)> = None;
            for edge in table.pieces.nets[self.view.seat.idx()].frontier {
                let mut after = table;
                self.place(&mut after, Action::Road { edge });
                let rating = self.gain_by_road(&after, self.view.hand);
                if best.as_ref().is_none_or(|(other, _)| rating > *other) {
                    best = Some((rating, after));
                }
            }
            let Some((rating, after)) = best else { break };
            (gain, table) = (rating, after);
        }
        gain - self.weights.progress_card
    }

    /// Cards of a kind that the others are assumed to hold, by what their land yields.
    fn held_by_others(&mut self, kind: Resource) -> u8 {
        let view = self.view;
        let mut cards = 0.0;
        for seat in Seat::all(self.game.players()).filter(|&seat| seat != view.seat) {
            let land = self.standings.land(self.game, view.table, seat);
            let share = (land.kinds[kind.idx()] + 1.0) / (land.all + Resource::COUNT as f32);
            cards += f32::from(view.hand_sizes[seat.idx()]) * share;
        }
        (0..20).rev().find(|&count| f32::from(count) <= cards + 0.5).unwrap_or(0)
    }

    /// Each rival's share of what the rivals may win, from what lies open.
    fn rivals(&mut self) -> PerSeat<f32> {
        let view = self.view;
        let mut worths = [f32::MIN; SEATS_MAX];
        for seat in Seat::all(self.game.players()).filter(|&seat| seat != view.seat) {
            let situation =
                Situation { game: self.game, weights: self.weights, table: view.table, seat };
            let open = self.weights.worth(&self.standings.board(&situation, 0));
            let cards = self.weights.hand * f32::from(view.hand_sizes[seat.idx()]);
            let hidden = self.weights.knight_card * f32::from(view.card_counts[seat.idx()]);
            worths[seat.idx()] = open + cards + hidden;
        }
        shares(self.game.players(), worths, self.weights.fog)
    }

    /// What a settlement and a city of each seat lose if their hex is blocked, by the seat's share: less the
    /// nearer it is to its target.
    fn stakes(&self) -> PerSeat<[f32; 2]> {
        let mut stakes = [[0.0; 2]; SEATS_MAX];
        for seat in Seat::all(self.game.players()) {
            let target = self.game.rules().points_to_win.of(seat);
            let missing = target.saturating_sub(self.view.table.points(self.game, seat));
            let share = if seat == self.view.seat { -1.0 } else { self.rivals[seat.idx()] };
            stakes[seat.idx()] =
                [1.0, 2.0].map(|cards| share * (cards * f32::from(missing) / f32::from(target)));
        }
        stakes
    }

    fn rate_robber(&self, hex: Hex, victim: Option<Seat>) -> f32 {
        let stolen = victim.map_or(0.0, |seat| 1.0 + self.rivals[seat.idx()]);
        self.blocks(hex) + self.weights.steal * stolen
    }

    /// What the robber on a hex costs the rivals, each by its share, less what it costs the seat itself.
    fn blocks(&self, hex: Hex) -> f32 {
        let table = self.view.table;
        if table.board.terrain[hex.idx()].is_none() {
            return 0.0;
        }
        let dots = f32::from(pips(table.board.tokens[hex.idx()]));
        let mut cost = 0.0;
        for vertex in self.game.map().corners[hex.idx()] {
            if let Some((owner, cards)) = table.pieces.at[vertex.idx()].owner_and_yield() {
                cost += self.stakes[owner.idx()][usize::from(cards) - 1];
            }
        }
        -self.weights.blocked * dots * cost
    }

    /// What the hand lacks.
    fn lacks(&mut self) -> Lacks {
        let (goals, hand) = (&self.goals, self.view.hand);
        *self.lacks.get_or_insert_with(|| Lacks::of(goals, hand))
    }

    /// The best of the offers or counters that are listed for the deciding seat, by where they stand in the list; as
    /// [`Evaluation::rate`] rates them. Those that are out of the question are not looked at: they ask for more cards than
    /// they give, or for nothing that the hand lacks. Nor are those that can't be rated above 0, which is what the list
    /// begins with: to end the turn, or to refuse.
    pub(crate) fn seek(&mut self, places: &Range<usize>) -> Best {
        let (game, terms) = (self.game, self.terms);
        let answers = matches!(self.view.table.phase, Phase::Answer(_));
        if places.is_empty() || !(answers || terms.proposes()) {
            return Best::default();
        }
        let deals = self.deals(answers);
        let best =
            if answers { terms.best_counter(&game.offers, deals) } else { terms.best_offer(deals) };
        let listed = listed(game, terms.view).expect("a phase with offers or counters");
        best.at(|deal| places.start + listed.place(deals[deal].numbers))
    }

    /// The offers or counters of the hand that may be better than none.
    fn deals(&mut self, answers: bool) -> &[Deal] {
        let Evaluation { game, weights, view, terms, ref goals, hand: before, .. } = *self;
        self.standings.deals.of(goals, view.hand, answers, |deals, around| {
            let lacks = Lacks::of(goals, view.hand);
            let offers = &game.offers;
            let lacked = lacks.each.iter().map(|&lack| offers.covered_by(lack));
            let lacked = lacked.fold(BundleSet::default(), BundleSet::or);
            let asked = |give: Resources| {
                if answers { lacked } else { lacked.and(BundleSet::up_to(give.total())) }
            };
            around.look(weights, goals, view.hand, lacks.any);
            let bar = terms.bar(answers);
            let all = listed(game, view).expect("a phase with offers or counters");
            for (give, wants) in all.asking(asked) {
                let rest = view.hand - offers.cards(give);
                for want in wants.iter() {
                    let hand = rest + offers.cards(want);
                    let gain = around.worth(weights, hand) - before;
                    if bar.is_passed(gain) {
                        let balance = view.hand.total().wrapping_sub(hand.total()).cast_signed();
                        deals.push(Deal { gain, numbers: [give, want], balance });
                    }
                }
            }
        })
    }

    fn rate_offer(&mut self, give: Resources, want: Resources) -> f32 {
        let fair = give.total() >= want.total() && self.lacks().has(want);
        if !self.terms.proposes() || !fair || self.terms.repeats(give, want) {
            return NO;
        }
        let more = give.total() > want.total();
        self.terms.offer(more, self.with_hand(self.view.hand - give + want))
    }

    fn rate_counter(&mut self, give: Resources, want: Resources) -> f32 {
        if !self.lacks().has(want) {
            return NO;
        }
        let deal = self.rate_deal(give, want, self.view.table.current);
        self.terms.counter(self.terms.is_alike(give, want), deal)
    }

    /// Value of giving some cards to a rival for others.
    fn rate_deal(&self, give: Resources, want: Resources, with: Seat) -> f32 {
        let view = self.view;
        if !view.hand.covers(give) {
            return NO;
        }
        self.terms.deal(self.with_hand(view.hand - give + want), with)
    }

    /// What it costs to help a rival that is about to win.
    fn peril(&self, rival: Seat) -> f32 {
        let points = f32::from(self.view.table.points(self.game, rival));
        let hidden = 0.3 * f32::from(self.view.card_counts[rival.idx()]);
        let left = f32::from(self.game.rules().points_to_win.of(rival)) - points - hidden;
        self.weights.peril * (1.0 - left / 4.0).clamp(0.0, 1.0)
    }
}

/// What any trade must bring: what it brings the partner, which matters less the more rivals there are.
fn cost_of_trade(game: &Island, weights: &Weights) -> f32 {
    let rivals = f32::from(game.players() - 1);
    weights.trade_margin + weights.help / (rivals * rivals)
}
