//! What JavaScript calls. Reasons come out as exceptions; so does a fault of ours, after which the engine is started anew.

use crate::{digests, offered};
use std::panic;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Called once, before all else: a fault of ours becomes an exception with words.
#[wasm_bindgen]
pub fn begin() {
    panic::set_hook(Box::new(|fault| wasm_bindgen::throw_str(&fault.to_string())));
}

/// The games and their levels, as JSON.
#[wasm_bindgen]
pub fn offer() -> String {
    offered::offer()
}

/// The digests of blocks, in hexadecimal; the seed is a number in words.
///
/// # Errors
/// If they can't be played.
#[wasm_bindgen]
pub fn digests(game: &str, agents: &str, matches: u32, seed: &str) -> Result<String, JsError> {
    let seed = seed.parse().map_err(|_| JsError::new("a seed is a whole number below 2^64"))?;
    digests::digests(game, agents, matches, seed).map_err(|reason| JsError::new(&reason))
}

/// A match with a person in it: see `SeatedMatch` of the same methods.
#[wasm_bindgen]
pub struct SeatedMatch(crate::seated::SeatedMatch);

/// Methods that JavaScript calls, each with what it is given and what it returns, or a reason why not.
macro_rules! methods {
    ($($(#[$about:meta])* $name:ident($($given:ident: $type:ty),*) -> $back:ty;)+) => {
        #[wasm_bindgen]
        impl SeatedMatch {
            $($(#[$about])*
            ///
            /// # Errors
            /// With the reason, if it can't be.
            pub fn $name(&mut self, $($given: $type),*) -> Result<$back, JsError> {
                self.0.$name($($given),*).map_err(|reason| JsError::new(&reason))
            })+
        }
    };
}

methods! {
    /// Plays one decision in which no person has a choice; `false` if there is none.
    step() -> bool;
    /// What a person sees and may do now.
    shown(seat: u8, since: u32) -> String;
    /// Does what stands at a place of the game's list.
    choose(seat: u8, place: u32) -> ();
    /// Does an action that is written as records write it.
    choose_written(seat: u8, action: &str) -> ();
    /// Takes back the seat's last choice.
    take_back(seat: u8) -> ();
    /// What a search thinks of what a seat may do.
    why(seat: u8) -> String;
    /// How the match went for a seat, once it is over.
    verdict(seat: u8) -> String;
}

#[wasm_bindgen]
impl SeatedMatch {
    /// Deals the match that is asked for, as JSON.
    ///
    /// # Errors
    /// With the reason, if it can't be.
    pub fn deal(asked: &str) -> Result<SeatedMatch, JsError> {
        let dealt = crate::seated::SeatedMatch::deal(asked);
        dealt.map(SeatedMatch).map_err(|reason| JsError::new(&reason))
    }

    /// Takes a match up from its record.
    ///
    /// # Errors
    /// With the reason, if it can't be.
    pub fn take_up(record: &str) -> Result<SeatedMatch, JsError> {
        let taken_up = crate::seated::SeatedMatch::take_up(record);
        taken_up.map(SeatedMatch).map_err(|reason| JsError::new(&reason))
    }

    /// The match that comes after this one: the same game, rules and players, the next seed.
    ///
    /// # Errors
    /// With the reason, if it can't be.
    pub fn next(&self) -> Result<SeatedMatch, JsError> {
        self.0.next().map(SeatedMatch).map_err(|reason| JsError::new(&reason))
    }

    /// Who sits where.
    pub fn sitting(&self) -> String {
        self.0.sitting()
    }

    /// The game, its rules, and the catalogue of words and places.
    pub fn described(&self) -> String {
        self.0.described()
    }

    /// The board with the numbers of its places, if it has one.
    pub fn places(&self) -> Option<String> {
        self.0.places()
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// The record so far.
    pub fn record(&self) -> String {
        self.0.record().to_owned()
    }
}

/// A match that is watched: see `WatchedMatch` of the same methods.
#[wasm_bindgen]
pub struct WatchedMatch(crate::watched::WatchedMatch);

#[wasm_bindgen]
impl WatchedMatch {
    /// The match of a record.
    ///
    /// # Errors
    /// With the reason, if it is none.
    pub fn open(record: &str) -> Result<WatchedMatch, JsError> {
        let opened = crate::watched::WatchedMatch::open(record);
        opened.map(WatchedMatch).map_err(|reason| JsError::new(&reason))
    }

    /// The names by seat.
    pub fn names(&self) -> String {
        self.0.names()
    }

    /// The game, its rules, and the catalogue of words and places.
    pub fn described(&self) -> String {
        self.0.described()
    }

    /// The match by the eyes of a seat, or with all cards open if that is 0.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn watched(&self, eyes: u8) -> Result<String, JsError> {
        self.0.watched(eyes).map_err(|reason| JsError::new(&reason))
    }

    /// Each seat's chance to win.
    pub fn chances(&self) -> String {
        self.0.chances()
    }

    /// Choices that cost chance to win.
    ///
    /// # Errors
    /// If nobody can judge them.
    pub fn mistakes(&self) -> Result<String, JsError> {
        self.0.mistakes().map_err(|reason| JsError::new(&reason))
    }
}
