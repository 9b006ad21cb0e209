//! What is printed of a match: news, the table and what may be done.

use crate::cli::commands::play::line::Terminal;
use crate::sim::explain::answer::Considered;
use crate::sim::guests::in_words::TableText;
use crate::sim::guests::menu::{Entry, Group, LONG, Menu};
use crate::sim::play::step_text::StepText;
use crate::stats::replicates::Mean;
use std::io;

/// What one may type beside an action, in a game with a board or without.
pub fn help(has_board: bool) -> String {
    let [word, number, places] = if has_board {
        [
            "road 23",
            " A number alone is one of the list; a place on the board is typed with\n\
             a word: `place 23`, or what is built there.",
            "  places  show the numbers of the places on the board\n",
        ]
    } else {
        ["build city", "", ""]
    };
    format!(
        "Type the number of an action on the list, or words of it: `{word}`, `end`.\n\
         Small words and ends of words may be left out; if several actions fit, they are\n\
         listed.{number} Enter lists the actions again.\n  \
           rules   how the game is played\n  \
           table   show the table again\n\
         {places}  \
           list    list all actions; `list offers` those under a heading\n  \
           why     what a search would do, and what everything else costs\n  \
           undo    take back your last choice, if nothing new has come up since\n  \
           save    where the record is kept\n  \
           quit    leave; the match can be taken up again\n  \
           ?       this help"
    )
}

/// Entries that are shown of a long list.
const SHOWN: usize = 6;

/// Actions of which `why` says what they are worth.
const ADVISED: usize = 5;

/// What has happened, a line a step, with a heading where a turn begins. `turn` is the one that was named last. Steps of
/// which the same is told are one line.
///
/// # Errors
/// What the system says.
pub fn news(
    terminal: &mut Terminal<'_>,
    texts: &[StepText],
    turn: &mut Option<u16>,
) -> io::Result<()> {
    let mut rest = texts;
    while let Some(StepText { turn: now, words, opens, .. }) = rest.first() {
        let alike = rest.iter().take_while(|step| step.turn == *now && step.words == *words);
        let count = if opens.is_empty() {
            alike.take_while(|step| step.opens.is_empty()).count()
        } else {
            1
        };
        rest = &rest[count..];
        let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
        told(terminal, (*now, &format!("{words}{times}")), turn)?;
        told(terminal, (now + 1, opens), turn)?;
    }
    Ok(())
}

/// What has happened in a turn, if there is something to tell.
fn told(
    terminal: &mut Terminal<'_>,
    (now, words): (u16, &str),
    turn: &mut Option<u16>,
) -> io::Result<()> {
    if words.is_empty() {
        return Ok(());
    }
    if *turn != Some(now) {
        *turn = Some(now);
        let heading =
            if now == 0 { "Before the first turn".to_owned() } else { format!("Turn {now}") };
        terminal.say("")?;
        terminal.say(&heading)?;
    }
    terminal.say(&format!("  {words}"))
}

/// The board, if it is wanted.
///
/// # Errors
/// What the system says.
pub fn board(terminal: &mut Terminal<'_>, table: &TableText) -> io::Result<()> {
    match &table.board {
        Some(board) => {
            terminal.say("")?;
            terminal.draw(board)
        }
        None => Ok(()),
    }
}

/// What is seen beside the board.
///
/// # Errors
/// What the system says.
pub fn lines<'a>(
    terminal: &mut Terminal<'_>,
    lines: impl IntoIterator<Item = &'a String>,
) -> io::Result<()> {
    terminal.say("")?;
    lines.into_iter().try_for_each(|line| terminal.say(line))
}

/// What may be done, under headings; of long lists the first only.
///
/// # Errors
/// What the system says.
pub fn menu(terminal: &mut Terminal<'_>, menu: &Menu) -> io::Result<()> {
    menu.groups.iter().try_for_each(|group| {
        if !group.is_long() {
            return whole(terminal, group);
        }
        let count = group.entries.len();
        terminal.say(&format!("{}: {count}", group.heading))?;
        terminal.flow(group.entries.iter().take(SHOWN).map(entry))?;
        let heading = group.heading.to_lowercase();
        terminal
            .say(&format!("  and {} more: type their words, or `list {heading}`", count - SHOWN))
    })
}

/// All actions under the headings that begin as was typed.
///
/// # Errors
/// What the system says.
pub fn listed(terminal: &mut Terminal<'_>, menu: &Menu, heading: &str) -> io::Result<()> {
    let begins = |group: &&Group| group.heading.to_lowercase().starts_with(heading);
    let groups: Vec<&Group> = menu.groups.iter().filter(begins).collect();
    if groups.is_empty() {
        let headings: Vec<&str> = menu.groups.iter().map(|group| group.heading).collect();
        return terminal
            .say(&format!("There is no such heading; there are: {}.", headings.join(", ")));
    }
    groups.into_iter().try_for_each(|group| whole(terminal, group))
}

fn whole(terminal: &mut Terminal<'_>, group: &Group) -> io::Result<()> {
    terminal.say(group.heading)?;
    terminal.flow(group.entries.iter().map(entry))
}

fn entry(entry: &Entry) -> String {
    format!("{}. {}", entry.number, entry.in_full())
}

/// Actions that fit what was typed.
///
/// # Errors
/// What the system says.
pub fn several(terminal: &mut Terminal<'_>, entries: &[&Entry]) -> io::Result<()> {
    terminal.say(&format!("{} actions fit; which one?", entries.len()))?;
    terminal.flow(entries.iter().take(LONG).map(|of| entry(of)))?;
    let more = entries.len().saturating_sub(LONG);
    if more > 0 { terminal.say(&format!("  and {more} more")) } else { Ok(()) }
}

/// Nothing fits what was typed: a number that places of the board have, but not the list, is told to need its word.
///
/// # Errors
/// What the system says.
pub fn unknown(terminal: &mut Terminal<'_>, menu: &Menu, typed: &str) -> io::Result<()> {
    let (count, places) = (menu.len(), menu.naming(typed));
    if let Some(number) = Menu::place_of(typed) {
        return terminal.say(&format!(
            "Nothing that is named by a place {number} can be done now. The board has the numbers of those where something \
             can."
        ));
    }
    if let Some((words, numbers)) = menu.elsewhere(typed)
        && places.is_empty()
    {
        let more = if numbers.len() > LONG { ", …" } else { "" };
        let numbers: Vec<String> = numbers.into_iter().take(LONG).collect();
        let numbers = numbers.join(", ");
        return terminal.say(&format!(
            "No action fits, but `{words}` does with other numbers: {numbers}{more}."
        ));
    }
    if places.is_empty() {
        return terminal.say(&format!(
            "No action fits. Type a number from 1 to {count}, words of an action, or ? for help. What the list lacks is not \
             allowed now, or can't be paid."
        ));
    }
    let number = typed.trim();
    terminal
        .say(&format!("The list has no {number}, only 1 to {count}. These name a {number}:"))?;
    terminal.flow(places.into_iter().take(LONG).map(entry))
}

/// What is typed: a number that the list and the board have is said to be one of the list.
///
/// # Errors
/// What the system says.
pub fn understood(
    terminal: &mut Terminal<'_>,
    menu: &Menu,
    (typed, meant): (&str, &Entry),
) -> io::Result<()> {
    if !menu.is_place_too(typed, meant) {
        return Ok(());
    }
    let (number, words) = (meant.number, &meant.words);
    terminal.say(&format!(
        "{number} is number {number} of the list: {words}. The place is typed `place {number}`."
    ))
}

/// What a search thinks of what may be done: what it has looked at most, the best first.
///
/// # Errors
/// What the system says.
pub fn advice(
    terminal: &mut Terminal<'_>,
    menu: &Menu,
    thoughts: &[Considered],
    searches: u32,
) -> io::Result<()> {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let known = thoughts.iter().take(ADVISED);
    let mut known: Vec<(&Considered, Mean)> =
        known.filter_map(|thought| Some((thought, thought.chance?))).collect();
    known.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    let best = known.first().map_or(0.0, |(_, chance)| chance.value);
    for (Considered { action, chosen, .. }, chance) in &known {
        let listed = menu.entries().find(|entry| entry.words == *action);
        let words = listed.map_or(action.clone(), entry);
        // Of searches that agree to the last digit shown, no interval.
        let ends = chance.interval.map(|(low, high)| (percent(low), percent(high)));
        let ends = ends.filter(|(low, high)| low != high);
        let ends = ends.map_or(String::new(), |(low, high)| format!(" ({low} to {high})"));
        let loses = best - chance.value;
        let loses = if loses > 0.0005 {
            format!(", {} percentage points less", percent(loses))
        } else {
            String::new()
        };
        terminal.say(&format!(
            "  {words}: wins {} %{ends}{loses}; first choice of {chosen} of {searches} searches",
            percent(chance.value),
        ))?;
    }
    let left = menu.len().saturating_sub(known.len());
    if left > 0 {
        let (actions, were) = if left == 1 { ("action", "was") } else { ("actions", "were") };
        let words = format!("  {left} other {actions} {were} looked at less, or not at all.");
        terminal.say(&words)?;
    }
    Ok(())
}
