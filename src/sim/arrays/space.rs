//! Numbers for all actions of a game, so that a mask says which of them are legal.

use crate::core::arrays::{ActionKind, ActionNumbers, Arrays, FIELDS};
use crate::core::game::ActionFilter;
use crate::core::resources::Resource;
use crate::core::types::seat::Seat;
use serde::Serialize;

/// The numbers of a kind of actions: its first, then those of all values of its fields, the last field counting up first,
/// and behind them the ways to pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KindNumbers {
    /// The word in records.
    pub name: &'static str,
    /// The first number.
    pub offset: usize,
    /// The fields, with how many values each has.
    pub fields: Vec<(&'static str, usize)>,
    /// How many actions there are for each value of the fields.
    pub ways: usize,
}

/// The actions of a game by number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ActionSpace {
    /// The kinds, one behind the other.
    pub kinds: Vec<KindNumbers>,
    /// How many actions there are.
    pub count: usize,
    /// For each kind of the game: its first number, what each field counts, and the ways; nothing if it is left out.
    #[serde(skip)]
    steps: Vec<Option<Steps>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Steps {
    offset: u32,
    fields: [u32; FIELDS],
    ways: u32,
}

/// The numbers of an action in a row of a list: its kind, its fields, and the cards that it gives and gets.
pub const COLUMNS: usize = 1 + FIELDS + 2 * Resource::COUNT;

impl ActionSpace {
    /// The actions that a filter leaves.
    pub fn of<G: Arrays>(game: &G, filter: ActionFilter) -> ActionSpace {
        let mut space = ActionSpace { kinds: Vec::new(), count: 0, steps: Vec::new() };
        for kind in game.action_kinds() {
            let kept = !kind.is_offer || filter == ActionFilter::Full;
            let steps = kept.then(|| space.add(kind));
            space.steps.push(steps);
        }
        space
    }

    fn add(&mut self, kind: ActionKind) -> Steps {
        let ActionKind { name, fields, ways, .. } = kind;
        let offset = self.count;
        let mut fields_steps = [0; FIELDS];
        let mut step = ways;
        for (at, (_, values)) in fields.iter().enumerate().rev() {
            fields_steps[at] = u32::try_from(step).expect("few actions");
            step *= values;
        }
        self.count += step;
        self.kinds.push(KindNumbers { name, offset, fields, ways });
        let [offset, ways] = [offset, ways].map(|n| u32::try_from(n).expect("few actions"));
        Steps { offset, fields: fields_steps, ways }
    }

    /// Writes the number of each action of a legal list; `out` is cleared first.
    ///
    /// # Panics
    /// If an action has no number.
    #[inline]
    pub fn number<G: Arrays>(&self, game: &G, seat: Seat, legal: &[G::Action], out: &mut Vec<u32>) {
        out.clear();
        // The last action without its way, and how many there were like it.
        let (mut last, mut alike) = (u32::MAX, 0);
        out.extend(legal.iter().map(|&action| {
            let ActionNumbers { kind, fields, .. } = game.action_numbers(seat, action);
            let steps = self.steps[kind].expect("a kind that is not left out");
            let parts = std::iter::zip(fields, steps.fields);
            let number =
                parts.fold(steps.offset, |sum, (value, step)| sum + u32::from(value) * step);
            if steps.ways == 1 {
                return number;
            }
            alike = if number == last { alike + 1 } else { 0 };
            last = number;
            assert!(alike < steps.ways, "more ways to pay than have numbers");
            number + alike
        }));
    }
}

/// An action in a row of a list.
pub fn columns(action: &ActionNumbers) -> [i16; COLUMNS] {
    let ActionNumbers { kind, fields, give, get } = *action;
    let kind = [u16::try_from(kind).expect("few kinds")];
    let fields = kind.into_iter().chain(fields);
    let cards = [give, get].into_iter().flat_map(|cards| cards.counts().map(u16::from));
    let mut all = fields.chain(cards).map(|n| i16::try_from(n).expect("small numbers"));
    std::array::from_fn(|_| all.next().expect("as many as there are columns"))
}
