//! The variance of a result, taken apart: how much of it each source brings, without bias, from the sums of
//! [`LuckCount`].
//!
//! A match is drawn at random: an entry of the line-up (agent a), its seat s, a deal b, and all luck after it. Y is
//! 1 if that entry wins, else 0. The three are drawn independently, so the variance of Y is the sum of that of its
//! main effects and interactions, and of what is left (W. Hoeffding, 1948; R. Fisher's analysis of variance; as
//! shares of the whole, I. Sobol', 1993). A part is a difference of mean squares of conditional means: see `Squares`.

use crate::lab::questions::studies::estimator::SectionSums;
use crate::sim::counts::luck::{LuckCount, Square};

/// Where variance comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Which agent it is.
    Skill,
    /// Which seat it has.
    Seat,
    /// Seats that are worth more to one agent than to another.
    SkillSeat,
    /// What a deal gives to a seat, whoever sits there.
    Deal,
    /// Deals that suit one agent more than another.
    DealSkill,
    /// Who sits beside whom.
    Neighbours,
    /// What is drawn after the deal, and the agents' own lots.
    Play,
}

impl Source {
    /// All, in the order of the table.
    pub const ALL: [Source; 7] = [
        Source::Skill,
        Source::Seat,
        Source::SkillSeat,
        Source::Deal,
        Source::DealSkill,
        Source::Neighbours,
        Source::Play,
    ];

    /// The word in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Skill => "skill",
            Source::Seat => "seat",
            Source::SkillSeat => "skill_by_seat",
            Source::Deal => "deal",
            Source::DealSkill => "deal_by_skill",
            Source::Neighbours => "neighbours",
            Source::Play => "play",
        }
    }

    /// Whether the design of a block leaves it nothing.
    pub fn is_nothing(self, count: &LuckCount) -> bool {
        match self {
            Source::Skill | Source::SkillSeat | Source::DealSkill => count.agents() == 1,
            Source::Neighbours => !count.has_neighbours(),
            Source::Seat | Source::Deal | Source::Play => false,
        }
    }
}

/// Mean squares of the conditional means of Y, without bias: each is a mean of products of two matches that
/// share what is held and nothing else.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Squares {
    /// Given nothing, an agent, a seat, both: from matches of two blocks.
    between: [f64; 4],
    /// The same given the deal as well: from two matches of one block.
    within: [f64; 4],
    /// What noise would add to those between blocks, were products of a block with itself not left out.
    noise: [f64; 4],
    /// Given the deal, an entry of the line-up and its seat.
    entries: f64,
    /// Mean of Y, and so of its square.
    mean: f64,
}

/// Places in [`Squares`].
const NOTHING: usize = 0;
const AGENT: usize = 1;
const SEAT: usize = 2;
const BOTH: usize = 3;

/// The sums of one kind of cell, of which there are several: their squares over blocks, and what must be known to
/// leave products of a match with itself out.
struct Cells {
    /// Σ over cells of (Σ over blocks of wins)².
    squares_of_sums: f64,
    /// Σ over cells and blocks of wins².
    sums_of_squares: f64,
    /// The same by rotation: the wins of a cell in each rotation, squared.
    by_rotation: f64,
    /// Wins of all cells.
    wins: f64,
    /// Places, of an entry in a seat, that a cell has.
    places: f64,
    /// The weight of each cell.
    weight: f64,
}

impl Cells {
    /// The weighted mean squares: between blocks, and within them; and what products of a block with itself
    /// would add to the former.
    fn squares(&self, blocks: f64, repeats: f64) -> [f64; 3] {
        let Cells { squares_of_sums, sums_of_squares, by_rotation, wins, places, weight } = self;
        let between = (squares_of_sums - sums_of_squares)
            / (blocks * (blocks - 1.0) * places * places * repeats * repeats);
        let other_rotations = (sums_of_squares - by_rotation) / (repeats * repeats);
        let same_rotation = (by_rotation - wins) / (repeats * (repeats - 1.0));
        let within = (other_rotations + same_rotation) / (blocks * places * places);
        let unit = blocks * places * repeats;
        let noise = squares_of_sums / (unit * unit) - between;
        [weight * between, weight * within, weight * noise]
    }
}

impl Squares {
    fn of(count: &LuckCount, view: &SectionSums<'_>) -> Option<Squares> {
        let blocks = view.blocks();
        if blocks < 2.0 {
            return None;
        }
        let (n, seats, repeats) = (count.seats(), count.seats() as f64, count.repeats() as f64);
        let square = |of| view.get(count.square(of));
        let wins = |agent: usize, seat: usize| view.get(count.wins(agent, seat));
        let agents = 0..count.agents();
        let of_seat = |seat: usize| -> f64 { agents.clone().map(|agent| wins(agent, seat)).sum() };
        let of_agent = |agent: usize| -> f64 { (0..n).map(|seat| wins(agent, seat)).sum() };
        let all: f64 = (0..n).map(of_seat).sum();
        let ([mut between, mut within, mut noise], mut entries) = ([[0.0; 4]; 3], 0.0);
        let mut add = |at: usize, cells: &Cells| {
            let [of_blocks, of_deals, of_noise] = cells.squares(blocks, repeats);
            between[at] += of_blocks;
            within[at] += of_deals;
            noise[at] += of_noise;
        };
        for agent in agents.clone() {
            let (own, share) = (count.entries(agent) as f64, count.entries(agent) as f64 / seats);
            let by_entry = square(Square::Entries(agent));
            entries += (by_entry - of_agent(agent)) / (repeats * (repeats - 1.0));
            add(
                BOTH,
                &Cells {
                    squares_of_sums: (0..n).map(|seat| wins(agent, seat).powi(2)).sum(),
                    sums_of_squares: square(Square::Cells(agent)),
                    by_rotation: by_entry,
                    wins: of_agent(agent),
                    places: own,
                    weight: share / seats,
                },
            );
            add(
                AGENT,
                &Cells {
                    squares_of_sums: of_agent(agent).powi(2),
                    sums_of_squares: square(Square::Agent(agent)),
                    by_rotation: square(Square::AgentRotations(agent)),
                    wins: of_agent(agent),
                    places: own * seats,
                    weight: share,
                },
            );
        }
        add(
            SEAT,
            &Cells {
                squares_of_sums: (0..n).map(|seat| of_seat(seat).powi(2)).sum(),
                sums_of_squares: square(Square::Seats),
                by_rotation: agents.map(|agent| square(Square::Entries(agent))).sum(),
                wins: all,
                places: seats,
                weight: 1.0 / seats,
            },
        );
        add(
            NOTHING,
            &Cells {
                squares_of_sums: all.powi(2),
                sums_of_squares: square(Square::All),
                by_rotation: square(Square::Rotations),
                wins: all,
                places: seats * seats,
                weight: 1.0,
            },
        );
        let places = blocks * seats * seats;
        let (entries, mean) = (entries / places, all / (places * repeats));
        Some(Squares { between, within, noise, entries, mean })
    }

    /// The variance of Y.
    fn total(&self) -> f64 {
        self.mean - self.between[NOTHING]
    }

    fn part(&self, source: Source) -> f64 {
        let Squares { between, within, entries, mean, .. } = self;
        match source {
            Source::Skill | Source::Seat | Source::SkillSeat => contrast(between, source),
            Source::Deal => within[SEAT] - between[SEAT],
            Source::DealSkill => (within[BOTH] - between[BOTH]) - (within[SEAT] - between[SEAT]),
            Source::Neighbours => entries - within[BOTH],
            Source::Play => mean - entries,
        }
    }
}

/// The part of squares of means that is due to agents, seats, or both together; 0 for other sources.
fn contrast(squares: &[f64; 4], source: Source) -> f64 {
    match source {
        Source::Skill => squares[AGENT] - squares[NOTHING],
        Source::Seat => squares[SEAT] - squares[NOTHING],
        Source::SkillSeat => squares[BOTH] - squares[AGENT] - squares[SEAT] + squares[NOTHING],
        Source::Deal | Source::DealSkill | Source::Neighbours | Source::Play => 0.0,
    }
}

/// What an estimate of a variance of means would be on average if the means did not differ, and its degrees of
/// freedom: the squared length of noise in so many directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// The part that noise adds; the estimates are less it.
    pub part: f64,
    /// Directions in which the means may differ.
    pub freedom: f64,
}

/// The noise in the part of a source; `None` for one that is no variance of means over blocks, and with fewer
/// than two blocks.
pub fn noise(count: &LuckCount, view: &SectionSums<'_>, source: Source) -> Option<Noise> {
    let (agents, seats) = (count.agents() as f64 - 1.0, count.seats() as f64 - 1.0);
    let freedom = match source {
        Source::Skill => agents,
        Source::Seat => seats,
        Source::SkillSeat => agents * seats,
        Source::Deal | Source::DealSkill | Source::Neighbours | Source::Play => return None,
    };
    let part = contrast(&Squares::of(count, view)?.noise, source);
    (freedom > 0.0 && part > 0.0).then_some(Noise { part, freedom })
}

/// The ends of an interval of a variance of means, `t` standard errors wide.
///
/// The estimate is |m|² − B, with B the noise in the squared length of f directions. At a true value θ its
/// variance is 4θB/f + 2B²/f, so where θ is small, the standard error at the estimate says little of that at
/// θ: it is nearly 0 if the means happen to be alike. The ends are those θ of which the estimate is t standard
/// errors away. As noise need not be the same in all directions, the factor of θ is that of the jackknife, se²/(θ̂ + B),
/// drawn to 4B/f as if by an observation of B.
pub fn ends(value: f64, se: f64, noise: Noise, t: f64) -> (f64, f64) {
    let Noise { part, freedom } = noise;
    let slope = (se * se + 4.0 * part * part / freedom) / (value + 2.0 * part);
    let fixed = 2.0 * part * part / freedom;
    let half_slope = t * slope / 2.0;
    let half = t * libm::sqrt((slope * value + half_slope * half_slope + fixed).max(0.0));
    let middle = value + t * half_slope;
    ((middle - half).min(value), middle + half)
}

/// The variance of a result; `None` with fewer than two blocks.
pub fn total(count: &LuckCount, view: &SectionSums<'_>) -> Option<f64> {
    Some(Squares::of(count, view)?.total())
}

/// The part of a source; parts may come out below 0, and add up to the whole.
pub fn part(count: &LuckCount, view: &SectionSums<'_>, source: Source) -> Option<f64> {
    let mut squares = Squares::of(count, view)?;
    if !count.has_neighbours() {
        // Entries of an agent are one and the same, so the better estimate holds for both.
        squares.entries = squares.within[BOTH];
    }
    if source.is_nothing(count) {
        return Some(0.0);
    }
    Some(squares.part(source))
}

/// The share of a source; `None` where nothing varied.
pub fn share(count: &LuckCount, view: &SectionSums<'_>, source: Source) -> Option<f64> {
    let total = total(count, view)?;
    let part = part(count, view, source)?;
    (total > 0.0).then(|| part / total)
}
