//! What a share is a share of: how many things, and in how many blocks. That says whether they are independent.

/// The things that a share is a share of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// How many there are; `u64::MAX` if that says nothing of the share.
    pub(super) things: u64,
    /// Blocks that hold at least one, or that can.
    pub(super) blocks: u64,
    /// Whether the blocks that hold one were counted.
    pub(super) counted: bool,
}

impl Held {
    /// Things that every block has.
    pub const EVERYWHERE: Held = Held::by_blocks(u64::MAX);

    /// So many things, in so many blocks.
    pub const fn new(things: u64, blocks: u64) -> Held {
        Held { things, blocks, counted: true }
    }

    /// So many things, of which each block of a run may hold any number.
    pub const fn anywhere(things: u64) -> Held {
        Held { things, blocks: u64::MAX, counted: false }
    }

    /// Things in so many blocks, of which it is no plain share.
    pub const fn by_blocks(blocks: u64) -> Held {
        Held { things: u64::MAX, blocks, counted: true }
    }

    /// How many there are, if no block has more than one of them: those of different blocks are independent.
    pub(super) fn independent(self) -> Option<u64> {
        (self.counted && self.things == self.blocks && self.things < u64::MAX)
            .then_some(self.things)
    }
}
