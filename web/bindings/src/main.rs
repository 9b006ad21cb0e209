//! Writes what JavaScript needs to call `fairhaven-web`: the tool of wasm-bindgen as a library, so that `Cargo.lock`
//! holds it at the version of the engine's own part of wasm-bindgen.

use anyhow::{Context, Result};
use std::env;
use wasm_bindgen_cli_support::Bindgen;

/// `fairhaven-bindings INPUT.wasm FOLDER`: a module for browsers and Node, `engine.js`, and `engine_bg.wasm` beside it.
fn main() -> Result<()> {
    let mut words = env::args_os().skip(1);
    let input = words.next().context("the first word is the file that cargo has built")?;
    let folder = words.next().context("the second word is the folder to write to")?;
    let mut tool = Bindgen::new();
    tool.input_path(input).web(true)?.typescript(false).out_name("engine");
    tool.remove_name_section(true).remove_producers_section(true);
    tool.generate(folder)
}
