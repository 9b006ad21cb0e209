//! What trades are worth, in rounds, and which of many cannot be the best.
//!
//! Lists hold up to hundreds of offers or counters, in runs that give the same cards. What follows from those cards
//! is computed once for a run, and so is the most that any of the run can be rated.

use crate::core::game::Game;
use crate::core::opinion::Best;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::observe::View;
use crate::games::on_the_road::opinion::plan::NEVER;
use crate::games::on_the_road::opinion::weights::Weights;
use crate::games::on_the_road::rules::SEATS;
use crate::games::on_the_road::state::Table;
use crate::parts::bundle_sets::MOST_MAX;
use crate::parts::trade::Audience;
use arrayvec::ArrayVec;

/// Sizes of the bundles that are listed, with 0.
const SIZES: usize = MOST_MAX as usize + 1;

/// The rating of an offer that is not to be made.
const NO: f32 = -1.0;

/// By kind of resource.
type Kinds = [f32; Resource::COUNT];

/// What single cards are worth to the seat, in rounds.
#[derive(Debug, Clone, Copy, Default)]
pub struct CardWorth {
    /// Rounds saved by one more, by kind.
    gain: Kinds,
    /// Rounds lost by one less, by kind.
    loss: Kinds,
    /// Rounds saved by a card from the pile.
    draw: f32,
    /// Of all gains, the highest.
    best: f32,
    /// The largest gain without its sign.
    size: f32,
}

impl CardWorth {
    /// From the rounds saved by one more and lost by one less, by kind.
    pub fn new(gain: Kinds, loss: Kinds) -> CardWorth {
        let draw = gain.iter().sum::<f32>() / 5.0;
        let best = gain.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let size = gain.iter().fold(0.0, |most: f32, of| most.max(of.abs()));
        CardWorth { gain, loss, draw, best, size }
    }

    /// Rounds lost by one card less.
    pub fn loss(&self, card: Resource) -> f32 {
        self.loss[card.idx()]
    }

    /// Of cards that are given, the rounds lost, by kind.
    #[inline]
    fn lost(&self, give: Resources) -> Kinds {
        std::array::from_fn(|kind| self.loss[kind] * f32::from(give.at(kind)))
    }

    /// Rounds saved by losing some and getting others.
    #[inline]
    fn exchange(&self, lost: &Kinds, get: Resources) -> f32 {
        let gained: Kinds = std::array::from_fn(|kind| self.gain[kind] * f32::from(get.at(kind)));
        let mut sum = 0.0;
        for kind in 0..Resource::COUNT {
            sum += gained[kind];
            // A card that is not held can't be lost and is never offered.
            sum -= lost[kind];
        }
        sum
    }

    /// At least what [`CardWorth::exchange`] gives for any cards of a number.
    ///
    /// No cards save more than as many of the best kind. But the sums round differently: each has at most ten
    /// additions and multiplications in a row, each off by at most 2^-24 of the sizes of all terms (N. Higham,
    /// "Accuracy and Stability of Numerical Algorithms", 4.2). A 2^-19th of these sizes is more than both are off.
    #[inline]
    fn most(&self, lost: &Kinds, got: u8) -> f32 {
        let [loss, lost_size] = [lost.iter().sum::<f32>(), lost.iter().map(|of| of.abs()).sum()];
        let got = f32::from(got);
        got * self.best - loss + (got * self.size + lost_size) * ROUNDING
    }
}

/// A 2^-19th.
const ROUNDING: f32 = 32.0 * f32::EPSILON / 2.0;

/// What a seat says that offers cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Talk {
    /// It proposes a trade.
    Offer(Audience),
    /// It answers with another.
    Counter,
}

/// What else than the rounds saved decides a rating: it is the same for all trades of as many cards.
#[derive(Debug, Clone, Copy, Default)]
struct Terms {
    /// Chance that it comes to the trade.
    likely: f32,
    /// Rounds saved by a card drawn for it.
    draw: f32,
    /// Rounds that it costs to help the others.
    harm: f32,
    /// The fewest rounds that it must save.
    margin: f32,
    /// Whether it is not to be proposed.
    stale: bool,
}

impl Terms {
    /// The rating of a trade that saves this many rounds by its cards.
    #[inline]
    fn rating(&self, saved: f32) -> f32 {
        self.likely * (saved + self.draw - self.harm - self.margin)
    }

    /// At least the rating of each trade that saves at most this many rounds.
    ///
    /// Rounding keeps order: if x <= y, then x + a rounded is at most y + a rounded, and so it is with
    /// differences, and with products by what is not negative. So the rating of the most is the highest.
    #[inline]
    fn bound(&self, most: f32) -> f32 {
        let rating = self.rating(most);
        if rating.is_nan() {
            return f32::INFINITY;
        }
        // What is not to be proposed is rated so.
        if self.stale { NO } else { rating.max(NO) }
    }
}

/// Terms by the number of cards asked for.
type Row = [Terms; SIZES];

/// What a seat says, and what it would give.
pub type Side = (Talk, Resources);

/// What follows from one side of a trade.
#[derive(Debug, Clone, Copy)]
struct Giving {
    talk: Talk,
    give: Resources,
    lost: Kinds,
    /// The rest of the hand, if a trade may allow a build.
    rest: Option<Resources>,
}

/// What an offer or a counter says, and what it gives.
#[inline]
pub fn side(action: Action) -> Option<Side> {
    match action {
        Action::Offer { to, give, .. } => Some((Talk::Offer(to), give.cards())),
        Action::Counter { give, .. } => Some((Talk::Counter, give.cards())),
        _ => None,
    }
}

/// What an offer or a counter asks for; nothing for anything else.
#[inline]
fn wanted(action: Action) -> Resources {
    match action {
        Action::Offer { want, .. } | Action::Counter { want, .. } => want.cards(),
        _ => Resources::NONE,
    }
}

/// How many actions at the start of a list differ at most in what they ask for: offers or counters that give the
/// same; 1 if the first is neither.
#[inline]
pub fn run_length(list: &[Action]) -> usize {
    let first = list[0];
    let alike = |action: &Action| match (first, *action) {
        (Action::Offer { to, give, .. }, Action::Offer { to: too, give: same, .. }) => {
            to == too && give == same
        }
        (Action::Counter { give, .. }, Action::Counter { give: same, .. }) => give == same,
        _ => false,
    };
    1 + list[1..].iter().take_while(|action| alike(action)).count()
}

/// What trades are worth to the seat that decides.
#[derive(Debug, Clone)]
pub struct Trades<'a> {
    game: &'a OnTheRoad,
    weights: &'a Weights,
    view: &'a View<'a>,
    worth: CardWorth,
    /// How close each seat is to winning: 0 far away, 1 at the target.
    danger: [f32; SEATS],
    /// Rounds that one card costs in the hand of the least dangerous seat that may hold that many cards.
    harm: [f32; SIZES],
    /// Printed prices of what the seat could build, if it can pay none of them.
    lacked: ArrayVec<Resources, { Card::COUNT }>,
    /// The terms asked for last, and what they are for.
    row: Row,
    row_of: Option<(Talk, u8)>,
}

impl<'a> Trades<'a> {
    /// What follows from a position and the worth of single cards.
    pub fn new(
        game: &'a OnTheRoad,
        weights: &'a Weights,
        view: &'a View<'a>,
        worth: CardWorth,
    ) -> Trades<'a> {
        let mut danger = [0.0; SEATS];
        for seat in Seat::all(game.players()) {
            danger[seat.idx()] = closeness(game, view.table, seat);
        }
        let in_reach = game.in_reach(view.table, view.seat);
        let open = Card::ALL.into_iter().filter(|card| in_reach >> card.idx() & 1 == 1);
        let mut lacked: ArrayVec<_, _> = open.map(|card| game.price(card)).collect();
        if lacked.iter().any(|&price| view.hand.covers(price)) {
            lacked.clear();
        }
        let harm = [NEVER; SIZES];
        let (row, row_of) = ([Terms::default(); SIZES], None);
        let mut trades = Trades { game, weights, view, worth, danger, harm, lacked, row, row_of };
        trades.harm = trades.least_harms();
        trades
    }

    /// What single cards are worth.
    pub fn worth(&self) -> &CardWorth {
        &self.worth
    }

    /// How close a seat is to winning: 0 far away, 1 at the target.
    pub fn danger(&self, seat: Seat) -> f32 {
        self.danger[seat.idx()]
    }

    /// Rounds that handing cards to a seat costs.
    pub fn help(&self, seat: Seat, cards: f32) -> f32 {
        self.weights.threat * cards * (0.2 + 0.8 * self.danger[seat.idx()])
    }

    /// Rounds that one card costs in the hand of the least dangerous other seat that may hold that many cards.
    fn least_harms(&self) -> [f32; SIZES] {
        let mut harms = [NEVER; SIZES];
        for seat in Seat::all(self.game.players()).filter(|&seat| seat != self.view.seat) {
            let harm = self.help(seat, 1.0);
            for least in harms.iter_mut().take(usize::from(self.view.hand_sizes[seat.idx()]) + 1) {
                *least = least.min(harm);
            }
        }
        harms
    }

    /// The same for any number of cards.
    fn least_harm(&self, cards: u8) -> f32 {
        if let Some(&harm) = self.harm.get(usize::from(cards)) {
            return harm;
        }
        let able =
            |seat: &Seat| *seat != self.view.seat && self.view.hand_sizes[seat.idx()] >= cards;
        let each = Seat::all(self.game.players()).filter(able).map(|seat| self.help(seat, 1.0));
        each.fold(NEVER, f32::min)
    }

    /// Gets ready for trades with this side.
    #[inline]
    fn giving(&mut self, (talk, give): Side) -> Giving {
        let of = Some((talk, give.total()));
        if self.row_of != of {
            let sizes: [u8; SIZES] = [0, 1, 2, 3];
            self.row = sizes.map(|got| self.terms(talk, give.total(), got));
            self.row_of = of;
        }
        Giving { talk, give, lost: self.worth.lost(give), rest: self.rest(talk, give) }
    }

    /// The rest of the hand after a trade, if it may allow a build.
    #[inline]
    fn rest(&self, talk: Talk, give: Resources) -> Option<Resources> {
        let hopes = talk != Talk::Counter && !self.lacked.is_empty();
        (hopes && self.view.hand.covers(give)).then(|| self.view.hand - give)
    }

    /// Rates offers or counters with one side.
    pub fn rate(&mut self, side: Side, run: &[Action], out: &mut Vec<f32>) {
        let giving = self.giving(side);
        out.extend(run.iter().map(|&action| self.rate_one(&giving, wanted(action))));
    }

    /// Puts the best of listed offers or counters with one side forward; they begin at a place of the list. Those
    /// that can't be the best are not rated.
    pub fn seek(&mut self, side: Side, run: &[Action], start: usize, best: &mut Best) {
        let giving = self.giving(side);
        let bounds = self.bounds(&giving);
        let listed = usize::from(self.game.rules().trade.listed_max);
        if bounds[1..=listed].iter().all(|&bound| best.holds(bound)) {
            return;
        }
        for (place, &action) in (start..).zip(run) {
            let want = wanted(action);
            let bound = bounds.get(usize::from(want.total()));
            if !bound.is_some_and(|&bound| best.holds(bound)) {
                best.offer(self.rate_one(&giving, want), place);
            }
        }
    }

    /// For each number of cards that listed trades ask for, no rating with this side is higher.
    #[inline]
    fn bounds(&self, giving: &Giving) -> [f32; SIZES] {
        let enabled = if giving.rest.is_some() { self.weights.enable.max(0.0) } else { 0.0 };
        let mut bounds = [f32::INFINITY; SIZES];
        for got in 1..=self.game.rules().trade.listed_max {
            let at = usize::from(got);
            bounds[at] = self.row[at].bound(self.worth.most(&giving.lost, got) + enabled);
        }
        bounds
    }

    #[inline]
    fn rate_one(&self, giving: &Giving, want: Resources) -> f32 {
        let (given, got) = (giving.give.total(), want.total());
        let listed = self.row.get(usize::from(got)).copied();
        let terms = listed.unwrap_or_else(|| self.terms(giving.talk, given, got));
        if terms.stale || self.is_repeated(giving, want) {
            return NO;
        }
        let saved = self.worth.exchange(&giving.lost, want);
        terms.rating(saved + self.enabled(giving.rest, want))
    }

    /// What decides the rating of an offer or a counter besides its cards.
    fn terms(&self, talk: Talk, given: u8, got: u8) -> Terms {
        let extra = f32::from(given) - f32::from(got);
        let Talk::Offer(to) = talk else {
            return Terms { likely: self.weights.counter_taken, ..self.answer(given, got) };
        };
        Terms {
            likely: self.likely(extra),
            draw: 0.0,
            harm: match to {
                Audience::One(seat) => self.help(seat, 1.0 + extra),
                Audience::All => self.least_harm(got) * (1.0 + extra),
            },
            margin: self.weights.trade_margin,
            stale: self.is_stale(given, got),
        }
    }

    /// The same of a trade with the current player, if it comes to that.
    fn answer(&self, given: u8, got: u8) -> Terms {
        let extra = f32::from(given) - f32::from(got);
        let current = self.view.table.current;
        let brink = self.danger[current.idx()];
        Terms {
            likely: 1.0,
            draw: self.worth.draw,
            // The current player acts next, and may win at once with what it gets.
            harm: self.help(current, 1.0 + extra) + self.weights.peril * brink * brink,
            margin: self.weights.answer_margin,
            stale: false,
        }
    }

    /// Value of accepting the proposal: of giving some cards to the current player for others, and of the card drawn
    /// for it.
    pub fn rate_answer(&self) -> f32 {
        let proposal = &self.view.table.proposal;
        let (give, want) = (proposal.want.cards(), proposal.give.cards());
        let saved = self.worth.exchange(&self.worth.lost(give), want);
        self.answer(give.total(), want.total()).rating(saved)
    }

    /// Value of a trade with a seat that has agreed to it.
    pub fn rate_partner(&self, with: Seat) -> f32 {
        let terms = self.view.table.proposal.terms_with(with);
        let (give, want) = terms.expect("a partner has agreed to terms");
        let extra = f32::from(give.total()) - f32::from(want.total());
        let rest = self.rest(Talk::Offer(Audience::One(with)), give);
        self.worth.exchange(&self.worth.lost(give), want) + self.enabled(rest, want)
            - self.help(with, 1.0 + extra)
            - self.weights.trade_margin
    }

    /// What a trade on the seat's own turn is worth for allowing a build at once, if none can be paid for now.
    #[inline]
    fn enabled(&self, rest: Option<Resources>, get: Resources) -> f32 {
        let Some(rest) = rest else { return 0.0 };
        let hand = rest + get;
        let pays = self.lacked.iter().any(|&price| hand.covers(price));
        if pays { self.weights.enable } else { 0.0 }
    }

    /// Whether an offer comes after enough others this turn, or is no better for the others than what has been
    /// refused twice: the third gives more cards than it asks.
    fn is_stale(&self, given: u8, got: u8) -> bool {
        let proposals = self.view.table.so_far.proposals;
        let enough = f32::from(proposals) >= self.weights.proposals;
        enough || (proposals > 1 && given <= got)
    }

    /// Whether this has just been refused: the second offer differs from the first.
    #[inline]
    fn is_repeated(&self, giving: &Giving, want: Resources) -> bool {
        let table = self.view.table;
        giving.talk != Talk::Counter
            && table.so_far.proposals > 0
            && (giving.give, want) == (table.proposal.give.cards(), table.proposal.want.cards())
    }

    /// How likely an offer is to be accepted that brings the others this many more cards than it costs.
    #[inline]
    fn likely(&self, extra: f32) -> f32 {
        if extra > 0.0 {
            self.weights.taken_if_more
        } else if extra < 0.0 {
            self.weights.taken_if_less
        } else {
            self.weights.taken_if_even
        }
    }
}

/// How close a seat is to winning: 0 far away, 1 at the target.
pub fn closeness(game: &OnTheRoad, table: &Table, seat: Seat) -> f32 {
    let points = f32::from(table.points(game, seat));
    let target = f32::from(game.rules().points_to_win.of(seat));
    ((points + 3.0 - target) / 3.0).clamp(0.0, 1.0)
}
