//! The way back from what an outside seat has chosen: it ends where somebody else acts, luck is asked, others have heard of
//! the choice, or something hidden may have been shown.

use super::Running;
use crate::core::game::Game;
use crate::core::types::seat::Seat;
use crate::core::wording::Stands;
use crate::sim::records::jsonl::Mark;

/// A position to which a seat may go back.
pub(super) struct Back<G: Game> {
    pub(super) seat: Seat,
    pub(super) at: Running<G>,
    pub(super) memories: Vec<G::Memory>,
    pub(super) mark: Mark,
    /// By seat, events that it has not heard.
    pub(super) unheard: Vec<usize>,
}

/// Why a seat can't take back its last choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoWayBack {
    /// Somebody else has acted.
    Others,
    /// Luck was asked.
    Luck,
    /// What it chose stands.
    Stands(Stands),
    /// The match is over.
    Over,
}

impl NoWayBack {
    fn words(self) -> &'static str {
        match self {
            NoWayBack::Others => "somebody else has acted since",
            NoWayBack::Luck => "the dice were rolled, or a card or a hex was drawn, since then",
            NoWayBack::Stands(Stands::Said) => "others have heard your last choice",
            NoWayBack::Stands(Stands::Shows) => "it may have shown you something hidden",
            NoWayBack::Over => "the match is over",
        }
    }
}

/// Choices of one outside seat that may be taken back, the last one last.
pub(super) struct WayBack<G: Game> {
    backs: Vec<Back<G>>,
    /// Who could take back a choice last, and why no longer.
    ended: Option<(Seat, NoWayBack)>,
}

impl<G: Game> WayBack<G> {
    /// Nothing was chosen yet.
    pub(super) const fn new() -> WayBack<G> {
        WayBack { backs: Vec::new(), ended: None }
    }

    /// A seat has chosen something.
    pub(super) fn push(&mut self, back: Back<G>) {
        if self.backs.last().is_some_and(|last| last.seat != back.seat) {
            self.end(NoWayBack::Others);
        }
        self.backs.push(back);
    }

    /// A seat has acted, whether it had a choice or not; with what of it ends every way back, if something does.
    pub(super) fn keep(&mut self, seat: Seat, ends: Option<NoWayBack>) {
        let own = self.is_of(seat);
        match ends {
            Some(NoWayBack::Over) => self.end(NoWayBack::Over),
            _ if !own => self.end(NoWayBack::Others),
            Some(why) => self.end(why),
            None => {}
        }
    }

    fn end(&mut self, why: NoWayBack) {
        if let Some(last) = self.backs.last() {
            self.ended = Some((last.seat, why));
        }
        self.backs.clear();
    }

    /// Whether a seat may take back its last choice.
    pub(super) fn is_of(&self, seat: Seat) -> bool {
        self.backs.last().is_some_and(|back| back.seat == seat)
    }

    /// Why a seat can't take back its last choice, if it has made one; nothing if it can.
    pub(super) fn why_not(&self, seat: Seat, has_chosen: bool) -> Option<&'static str> {
        if self.is_of(seat) {
            return None;
        }
        Some(match self.ended {
            _ if !has_chosen => "you have chosen nothing yet",
            Some((of, why)) if of == seat => why.words(),
            _ => NoWayBack::Others.words(),
        })
    }

    /// Where the last choice was made, of which there is a way back.
    pub(super) fn pop(&mut self) -> Option<Back<G>> {
        self.backs.pop()
    }
}
