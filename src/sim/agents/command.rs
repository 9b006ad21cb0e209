//! Commands of programs outside, as people write them.

use toml::{Table, Value};

/// The kind of agents that are programs outside.
pub const EXEC: &str = "exec";

/// The parameters of `exec:COMMAND`.
///
/// # Errors
/// If there is no command, or a quotation mark is not closed.
pub(super) fn parameters_of(command: &str) -> Result<Table, String> {
    let words: Vec<Value> = words(command)?.into_iter().map(Value::String).collect();
    if words.is_empty() {
        return Err("`exec:` wants a command, such as `exec:python3 bot.py`".to_owned());
    }
    Ok(Table::from_iter([("command".to_owned(), Value::Array(words))]))
}

/// Words between spaces; in quotation marks, single or double, spaces are part of a word.
fn words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(mark), _) if letter == mark => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match quote {
        Some(mark) => Err(format!("a quotation mark {mark} is not closed in `{text}`")),
        None => Ok(words),
    }
}
