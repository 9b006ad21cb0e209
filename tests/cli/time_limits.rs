//! How long programs outside may take: to start, for questions that are asked together, and whatever else they write.

use crate::guests::{bot, place_with};

/// One match at a time on each of two processes.
const LINE: &str =
    "simulate on-the-road --agents bot.toml,random,random --matches 6 --seed 3 --threads 2";

/// Its first answer comes after its time, and answers to other questions before that.
#[test]
fn answers_to_other_questions_give_no_more_time() {
    let special = r#"case "$asked $line" in "1 "*decide*)
        for early in 1 2 3 4 5; do
          sleep 0.2; echo '{"type":"choose","id":0,"index":0}'
        done;;
      esac"#;
    let done = place_with(&bot(special)).call(LINE);
    assert_eq!(done.code, Some(5), "{}{}", done.out, done.err);
    assert!(done.err.contains("it is silent for 500 ms"), "{}", done.err);
}

/// Of the first questions that are asked together, one is answered a tenth of a second before the time of all is over,
/// and the others are then answered within the time of one.
#[test]
fn questions_that_are_asked_together_have_their_time_together() {
    let special = r#"case $line in
        *'"type":"decide"'*) ids="$ids $id"; continue;;
        *'"type":"go"'*)
          set -- $ids; ids=
          if [ $# -gt 1 ] && [ -z "$slow" ]; then
            slow=1; tenths=$(($# * 5 - 1)); sleep "$((tenths / 10)).$((tenths % 10))"
            echo "{\"type\":\"choose\",\"id\":$1,\"index\":0}"
            shift; sleep 0.35
          fi
          for id; do echo "{\"type\":\"choose\",\"id\":$id,\"index\":0}"; done;;
      esac"#;
    let program = bot(special).replace(r#""list":"plain""#, r#""list":"plain","matches":3"#);
    let line = LINE.replace("--matches 6", "--matches 60").replace("--threads 2", "--threads 1");
    let done = place_with(&program).call(&line);
    assert_eq!(done.code, Some(5), "{}{}", done.out, done.err);
    assert!(done.err.contains("it is silent for"), "{}", done.err);
}

/// Each process of a run takes half a second to start, and looks whether another one does so meanwhile.
#[test]
fn processes_start_side_by_side() {
    let special = r#"case $line in *hello*)
        : > "hello.$$"
        for look in 1 2 3 4 5 6 7 8 9 10; do
          set -- hello.*; [ $# -lt 2 ] || : > together
          sleep 0.05
        done
        rm "hello.$$";;
      esac"#;
    let place = place_with(&bot(special));
    let line = LINE.replace("--matches 6", "--matches 60").replace("--threads 2", "--threads 3");
    let done = place.call(&line);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(place.path("together").exists());
}
