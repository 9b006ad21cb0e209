//! A game as a page is told of it once: its rules, and its catalogue of words and places. Format: `docs/page.md`.

use crate::core::wording::Wording;
use serde::Serialize;
use serde_json::value::RawValue;

/// The rules, how it is played, and the catalogue of words and places, as one JSON object.
pub fn described<G: Wording>(game: &G) -> String {
    #[derive(Serialize)]
    struct Described<'a, R> {
        game: &'a str,
        players: u8,
        rules: &'a R,
        primer: Vec<String>,
        catalogue: Box<RawValue>,
    }
    let catalogue = raw(|out| game.write_catalogue(out));
    let described = Described {
        game: G::NAME,
        players: game.players(),
        rules: game.rules(),
        primer: game.primer(),
        catalogue,
    };
    serde_json::to_string(&described).expect("it has names for keys")
}

/// What a game writes of itself, as a part of a larger value.
pub fn raw(write: impl FnOnce(&mut Vec<u8>)) -> Box<RawValue> {
    let mut json = Vec::new();
    write(&mut json);
    let json = String::from_utf8(json).expect("JSON is text");
    RawValue::from_string(json).expect("views and catalogues are JSON")
}
