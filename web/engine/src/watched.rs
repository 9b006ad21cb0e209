//! A match that is watched from its record: by the eyes of a seat or with all cards open, each seat's chance to win, and
//! what choices cost.

use crate::Refusal;
use crate::seated::{json, recorded};
use fairhaven_engine::core::watch::Watch;
use fairhaven_engine::sim::explain::PlayedMatch;
use fairhaven_engine::sim::explain::verdict::costly;
use fairhaven_engine::sim::guests::seating::seat_of;
use serde::Serialize;
use std::sync::atomic::AtomicU64;

/// A match that is watched.
pub struct WatchedMatch {
    played: Box<dyn PlayedMatch>,
    names: Vec<String>,
}

/// Each seat's chance to win, by position, then seat.
#[derive(Debug, Serialize)]
struct Chances {
    chances: Vec<Vec<f32>>,
}

impl WatchedMatch {
    /// The match of a record.
    ///
    /// # Errors
    /// If it is none.
    pub fn open(record: &str) -> Result<WatchedMatch, Refusal> {
        recorded(record).map(|(played, names)| WatchedMatch { played, names })
    }

    /// The names by seat, as one JSON list.
    pub fn names(&self) -> String {
        json(&self.names)
    }

    /// The game, its rules, and the catalogue of words and places, as one JSON object.
    pub fn described(&self) -> String {
        self.played.described()
    }

    /// The match by the eyes of a seat, or with all cards open if that is 0, as one JSON object.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn watched(&self, eyes: u8) -> Result<String, Refusal> {
        if eyes == 0 {
            return Ok(self.played.watched(None));
        }
        let seat = seat_of(eyes).map_err(|error| error.to_string())?;
        if seat.idx() >= self.names.len() {
            return Err(format!("there is no seat {seat}"));
        }
        Ok(self.played.watched(Some(seat)))
    }

    /// Each seat's chance to win, as one JSON object.
    pub fn chances(&self) -> String {
        json(&Chances { chances: self.played.chances() })
    }

    /// Choices that cost chance to win, as one JSON object.
    ///
    /// # Errors
    /// If nobody can judge them.
    pub fn mistakes(&self) -> Result<String, Refusal> {
        costly(&*self.played, &Watch::none(), &AtomicU64::new(0)).map_err(|error| error.to_string())
    }
}
