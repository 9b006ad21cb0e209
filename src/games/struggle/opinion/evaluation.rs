//! One decision: how much each action adds to the value of its own position and takes from the rivals'.

use crate::core::game::Game;
use crate::core::opinion::shares;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::struggle::action::{Action, Partner};
use crate::games::struggle::cards::Card;
use crate::games::struggle::game::Struggle;
use crate::games::struggle::legal::partner;
use crate::games::struggle::observe::View;
use crate::games::struggle::opinion::outlook::{KnownReady, Outlook};
use crate::games::struggle::opinion::prospects::KnownProspects;
use crate::games::struggle::opinion::weights::Weights;
use crate::games::struggle::opinion::worth::{Situation, WINS};
use crate::games::struggle::state::{Phase, Table};

/// Rating of an action that is out of the question.
const NO: f32 = -10.0;

/// The least that a trade must bring for a build, which ends the trade phase, to wait for it.
const TRADE_MARGIN: f32 = 0.005;

/// A position as the deciding seat sees it, and what it is worth.
pub struct Evaluation<'a> {
    game: &'a Struggle,
    weights: &'a Weights,
    view: &'a View<'a>,
    ready: &'a KnownReady,
    /// What lies open of each rival is worth.
    open: PerSeat<f32>,
    /// Each rival's share of what the rivals may win.
    rivals: PerSeat<f32>,
    outlook: Outlook<'a>,
    /// Cards that may still be traded in this turn.
    trades: u8,
    /// Value of the open part of the position.
    board: f32,
    /// Value of the hand.
    hand: f32,
    swaps: Swaps,
}

/// What the exchange of a card is worth, if one may still be traded.
#[derive(Debug, Clone, Copy, Default)]
struct Swaps {
    /// Value of the hand with a card more, by kind, and the one that is needed least returned.
    taken: [f32; Resource::COUNT],
    /// Value of the hand after a card has been exchanged for one from the stack.
    stack: f32,
    /// Value of the hand if a trade is not used.
    stay: f32,
    /// Value of the hand after a card has been exchanged for an unseen one of another hand.
    blind: f32,
    /// What each further trade brings.
    more: f32,
}

/// The position after a build.
#[derive(Debug, Clone)]
struct After<'a> {
    wins: bool,
    /// What it adds besides what the hand is worth.
    gain: f32,
    outlook: Outlook<'a>,
}

impl<'a> Evaluation<'a> {
    /// Looks at a position.
    pub fn new(
        game: &'a Struggle,
        weights: &'a Weights,
        view: &'a View<'a>,
        (known, ready): (&'a mut KnownProspects, &'a KnownReady),
    ) -> Evaluation<'a> {
        let situation = Situation { game, weights, table: view.table, seat: view.seat };
        let open = open_worths(&situation, view);
        let rivals = rivals(&situation, view, &open);
        let outlook = Outlook::new(&situation, view.hand, &rivals, (known, ready));
        let trades = if view.table.so_far.building { 0 } else { view.table.trades_left() };
        let mut evaluation = Evaluation {
            game,
            weights,
            view,
            ready,
            open,
            rivals,
            outlook,
            trades,
            board: situation.worth(view.table, view.seat),
            hand: 0.0,
            swaps: Swaps::default(),
        };
        evaluation.hand = evaluation.with_hand(view.hand);
        if view.table.phase == Phase::Act && trades > 0 {
            evaluation.swaps = evaluation.swaps();
        }
        evaluation
    }

    /// What each action brings, in points; 0 for what changes nothing. What may follow is kept apart from what is known of
    /// the position.
    pub fn rate(&self, legal: &[Action], after: &mut KnownProspects, out: &mut Vec<f32>) {
        out.clear();
        let mut left = legal;
        while let [first, others @ ..] = left {
            let build = self.built_by(*first);
            let more = others.iter().take_while(|other| self.built_by(**other) == build).count();
            let (same, rest) = left.split_at(1 + more);
            match build {
                Some(build) => self.rate_builds(build, same, after, out),
                None => out.extend(same.iter().map(|&action| self.rate_one(action, after))),
            }
            left = rest;
        }
        let mut best_trade = f32::MIN;
        for (&rating, action) in out.iter().zip(legal) {
            if matches!(action, Action::Trade { .. } | Action::Rob { .. }) {
                best_trade = best_trade.max(rating);
            }
        }
        if best_trade < TRADE_MARGIN {
            return;
        }
        // Trade comes before building, unless a build wins.
        let most = best_trade - TRADE_MARGIN;
        for (rating, action) in out.iter_mut().zip(legal) {
            if matches!(action, Action::Build { .. }) && *rating < WINS {
                *rating = rating.min(most);
            }
        }
    }

    /// What an action builds, and whether the university saves a card.
    fn built_by(&self, action: Action) -> Option<(Card, bool)> {
        match action {
            Action::Build { card, pay } => Some((card, self.game.saves_with(card, pay.cards()))),
            _ => None,
        }
    }

    fn rate_one(&self, action: Action, after: &mut KnownProspects) -> f32 {
        let hand = self.view.hand;
        match action {
            Action::Draw => self.outlook.later(hand) - self.hand,
            Action::Build { .. } => unreachable!("builds are rated by what they build"),
            Action::Rob { from } => {
                let rest = f32::from(self.trades) * self.swaps.more;
                self.drawn(hand) - self.hand + rest + self.harm(from, self.weights.rob)
            }
            Action::Trade { with, cards, choose } => self.rate_trade(with, cards, choose),
            Action::Take { card } => self.rate_taking(card),
            Action::Return { card } => self.rate_return(card),
            Action::Discard { card } => self.with_hand(hand - Resources::one(card)) - self.hand,
            Action::Keep | Action::EndTurn => 0.0,
            Action::Flip => self.rate_flip(after),
            Action::Extra { cards } => f32::from(cards) * (self.drawn(hand) - self.hand),
        }
    }

    /// Value of a hand, as the phase has it.
    fn with_hand(&self, hand: Resources) -> f32 {
        let own_turn = self.view.table.current == self.view.seat;
        let drawn = matches!(self.view.table.phase, Phase::Extra(_));
        if own_turn && !drawn {
            self.outlook.now(hand, self.trades)
        } else {
            self.outlook.later(hand)
        }
    }

    /// Value of a hand with an unseen card more.
    fn drawn(&self, hand: Resources) -> f32 {
        self.expected(|card| self.with_hand(hand + card))
    }

    /// The mean over what an unseen card may be.
    fn expected(&self, value: impl Fn(Resources) -> f32) -> f32 {
        let kinds = Resource::ALL.into_iter().zip(self.outlook.unseen);
        let sum = |sum: f32, (kind, chance): (Resource, f32)| {
            if chance > 0.0 { sum + chance * value(Resources::one(kind)) } else { sum }
        };
        let shares: f32 = self.outlook.unseen.iter().sum();
        if shares > 0.0 { kinds.fold(0.0, sum) } else { value(Resources::NONE) }
    }

    /// What is taken from a rival, by its share.
    fn harm(&self, from: Seat, cost: f32) -> f32 {
        self.rivals[from.idx()] * cost
    }

    /// Values of all exchanges of one card.
    fn swaps(&self) -> Swaps {
        let (hand, trades) = (self.view.hand, self.trades - 1);
        let stay = self.outlook.now(hand, trades);
        let mut swaps = Swaps { stay, taken: [stay; Resource::COUNT], ..Swaps::default() };
        swaps.stack = f32::MIN;
        for (out, _) in hand.iter() {
            let mut drawn = 0.0;
            for kind in Resource::ALL {
                let value = if kind == out {
                    stay
                } else {
                    let other = hand - Resources::one(out) + Resources::one(kind);
                    self.outlook.now(other, trades)
                };
                let taken = &mut swaps.taken[kind.idx()];
                *taken = taken.max(value);
                drawn += self.outlook.unseen[kind.idx()] * value;
            }
            swaps.stack = swaps.stack.max(drawn);
        }
        let kinds = swaps.taken.iter().zip(self.outlook.unseen);
        swaps.blind = kinds.map(|(taken, chance)| taken * chance).sum::<f32>().max(stay);
        swaps.more = self.weights.lot_trust * (swaps.blind - stay);
        swaps
    }

    fn rate_trade(&self, with: Partner, cards: u8, choose: bool) -> f32 {
        let swaps = &self.swaps;
        let rest = f32::from(self.trades - cards) * swaps.more - self.hand;
        let further = f32::from(cards - 1);
        match with {
            // A lot with the stack or the market does what single cards do.
            Partner::Stack | Partner::Market if cards > 1 => NO,
            Partner::Stack => swaps.stack + rest,
            Partner::Market => {
                let kinds = self.view.table.market.kinds().iter();
                kinds.map(|kind| swaps.taken[kind.idx()]).fold(f32::MIN, f32::max) + rest
            }
            Partner::Seat(seat) => {
                let first = if choose { self.chosen(seat) } else { swaps.blind };
                // All cards are seen before any is returned: a little more than one after the other.
                let lot = further * (0.5 * (swaps.blind - swaps.stay) + 0.5 * swaps.more);
                let harm = self.harm(seat, self.weights.disturb) * f32::from(cards);
                first + lot + rest + harm
            }
        }
    }

    /// Value of the hand after the best card of an unseen hand was chosen. (SFC-34)
    fn chosen(&self, from: Seat) -> f32 {
        let size = self.view.hand_sizes[from.idx()];
        let mut left = [true; Resource::COUNT];
        let (mut value, mut none) = (0.0, 1.0_f32);
        for _ in 0..Resource::COUNT {
            let best = (0..Resource::COUNT).filter(|&kind| left[kind]).fold(None, |best, kind| {
                let better = |other: &usize| self.swaps.taken[kind] > self.swaps.taken[*other];
                if best.as_ref().is_none_or(better) { Some(kind) } else { best }
            });
            let Some(best) = best else { break };
            left[best] = false;
            // The chance that no card of the hand is of this kind.
            let without = (0..size).fold(1.0, |all, _| all * (1.0 - self.outlook.unseen[best]));
            value += none * (1.0 - without) * self.swaps.taken[best];
            none *= without;
        }
        value + none * self.swaps.stay
    }

    /// A card of the market, or one that the library chooses.
    fn rate_taking(&self, card: Resource) -> f32 {
        let hand = self.view.hand + Resources::one(card);
        let single = !matches!(self.view.table.phase, Phase::Take(left) if left > 1);
        if single {
            self.least_returned(hand) - self.hand
        } else {
            self.with_hand(hand) - self.hand
        }
    }

    /// Value of a hand after the card that is needed least was returned.
    fn least_returned(&self, hand: Resources) -> f32 {
        let after = hand.iter().map(|(kind, _)| self.with_hand(hand - Resources::one(kind)));
        after.fold(f32::MIN, f32::max)
    }

    fn rate_return(&self, card: Resource) -> f32 {
        let hand = self.view.hand - Resources::one(card);
        if self.view.table.lot.with == Partner::Stack {
            return self.drawn(hand) - self.hand;
        }
        let helps = partner(self.view.table).map_or(0.0, |seat| {
            self.harm(seat, self.weights.disturb) * (0.4 - f32::from(hand.get(card)) * 0.1)
        });
        self.with_hand(hand) - self.hand - helps
    }

    /// Whether the destiny card should point the other way. (SFC-60)
    fn rate_flip(&self, known: &mut KnownProspects) -> f32 {
        let (view, weights) = (self.view, self.weights);
        let table = Table { clockwise: !view.table.clockwise, ..*view.table };
        let situation = Situation { game: self.game, weights, table: view.table, seat: view.seat };
        let own = situation.worth(&table, view.seat) - self.board;
        let theirs = weights.deny * self.taken_from_rivals(&situation, &table);
        let flipped = Situation { table: &table, ..situation };
        let outlook = Outlook::new(&flipped, view.hand, &self.rivals, (known, self.ready));
        own + theirs + outlook.now(view.hand, 0) - self.outlook.now(view.hand, 0)
    }

    /// Rates ways to pay for one build.
    fn rate_builds(
        &self,
        build: (Card, bool),
        ways: &[Action],
        known: &mut KnownProspects,
        out: &mut Vec<f32>,
    ) {
        let after = self.after(build, known);
        for way in ways {
            let Action::Build { card, pay } = way else { unreachable!("a way to pay for a build") };
            let hand = self.view.hand - pay.cards();
            let before = self.hand + if *card == Card::City { self.raided(hand) } else { 0.0 };
            out.push(if after.wins {
                2.0 * WINS + 0.01 * f32::from(hand.total())
            } else {
                after.outlook.now(hand, 0) + after.gain - before
            });
        }
    }

    /// The position after a build.
    fn after<'k>(
        &'k self,
        (card, saved): (Card, bool),
        known: &'k mut KnownProspects,
    ) -> After<'k> {
        let (game, weights, view) = (self.game, self.weights, self.view);
        let mut table = *view.table;
        game.put(&mut table, card);
        table.so_far.building = true;
        table.so_far.built |= game.type_bit(card);
        table.so_far.saved |= saved;
        let situation = Situation { game, weights, table: &table, seat: view.seat };
        let mut gain = situation.worth(&table, view.seat) - self.board;
        if matches!(card, Card::Road | Card::Knight) && view.table.left(card) == 0 {
            gain += weights.deny * self.taken_from_rivals(&situation, &table);
        }
        let wins = table.points(game, view.seat) >= game.rules().points_to_win.of(view.seat);
        let outlook = Outlook::new(&situation, view.hand, &self.rivals, (known, self.ready));
        After { wins, gain, outlook }
    }

    /// What the rivals lose if the table becomes another, each by its share.
    fn taken_from_rivals(&self, situation: &Situation<'_, '_>, after: &Table) -> f32 {
        let others = Seat::all(self.game.players()).filter(|&seat| seat != self.view.seat);
        let lost = |seat: Seat| self.open[seat.idx()] - situation.worth(after, seat);
        others.map(|seat| self.rivals[seat.idx()] * lost(seat)).sum()
    }

    /// What brigands cost the seat with this hand, less what they cost the rivals. (SFC-51)
    fn raided(&self, hand: Resources) -> f32 {
        let limit = self.game.rules().brigands.hand_limit;
        let over = |cards: u8| f32::from(cards.saturating_sub(limit));
        let others = Seat::all(self.game.players()).filter(|&seat| seat != self.view.seat);
        let size = |seat: Seat| self.view.hand_sizes[seat.idx()];
        let theirs: f32 = others.map(|seat| self.rivals[seat.idx()] * over(size(seat))).sum();
        self.weights.raid * self.outlook.brigands * (over(hand.total()) - theirs)
    }
}

/// What lies open of each rival is worth.
fn open_worths(situation: &Situation<'_, '_>, view: &View<'_>) -> PerSeat<f32> {
    let mut worths = [f32::MIN; SEATS_MAX];
    for seat in Seat::all(situation.game.players()).filter(|&seat| seat != view.seat) {
        worths[seat.idx()] = situation.worth(view.table, seat);
    }
    worths
}

/// Each rival's share of what the rivals may win, by what lies open and the sizes of hands.
fn rivals(situation: &Situation<'_, '_>, view: &View<'_>, open: &PerSeat<f32>) -> PerSeat<f32> {
    let (game, weights) = (situation.game, situation.weights);
    let mut worths = *open;
    for seat in Seat::all(game.players()).filter(|&seat| seat != view.seat) {
        worths[seat.idx()] += weights.hand * f32::from(view.hand_sizes[seat.idx()]);
    }
    shares(game.players(), worths, weights.fog)
}
