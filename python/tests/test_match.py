"""Matches in which Python decides for some seats."""

import json
import random
import subprocess
import sys

import pytest

import fairhaven

GAMES = ["on-the-road", "struggle", "base", "two-player", "boats"]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_that_of_the_program(game, tmp_path):
    """The same answers, typed at the program's terminal and given here, make the same record."""
    words = ["play", game, "--agents", "beginner", "--seat", "2", "--seed", "11", "--out", "typed.jsonl"]
    # More than enough: answers that nobody asks for are not read.
    called = [sys.executable, "-m", "fairhaven", *words]
    subprocess.run(called, cwd=tmp_path, input="1\n" * 20_000, text=True, check=True, capture_output=True)
    record = fairhaven.replay(tmp_path / "typed.jsonl", format="jsonl")
    lines = map(json.loads, record.splitlines())
    chosen = [line["action"] for line in lines if line.get("seat") == 2 and line.get("legal", 1) > 1]
    match = fairhaven.Match(game, seats=[2], agents="beginner", seed=11)
    for action in chosen:
        match.choose(match.question["legal"].index(action))
    assert match.seat is None and len(chosen) > 10
    assert sorted(fairhaven.games()) == sorted(GAMES)
    assert match.record == record


@pytest.mark.parametrize("game", GAMES)
def test_matches_are_lawful_and_repeatable(game, tmp_path):
    def played(seed):
        rng = random.Random(seed)
        match = fairhaven.Match(game, seats=[1], agents="random", seed=seed)
        match.play(lambda match: rng.randrange(len(match.question["legal"])))
        return match

    match = played(5)
    assert match.record == played(5).record != played(6).record
    record = tmp_path / "match.jsonl"
    record.write_text(match.record, "utf-8")
    called = [sys.executable, "-m", "fairhaven", "replay", "--check", str(record)]
    said = subprocess.run(called, check=True, capture_output=True, text=True).stdout
    assert said.startswith("The record keeps the rules")


def test_a_seat_is_told_what_it_wants_and_in_which_game_it_is():
    match = fairhaven.Match("base", wants=["events", "view", "words", "inputs"], agents="greedy")
    kinds = [message["type"] for message in match.told]
    assert kinds[:2] == ["game", "match"]
    question = match.question
    assert {"legal", "view", "words"} <= set(question)
    assert len(question["words"]) == len(question["legal"]) > 1
    told = []
    for _ in range(10):
        match.choose(0)
        told += match.told
    assert told and all(message["type"] == "event" for message in told)


def test_agents_and_rules_may_be_files(tmp_path):
    bold, rules = tmp_path / "bold.toml", tmp_path / "short.toml"
    strategy = 'kind = "builder"\nabout = "steers"\nprovenance = "a test"\n\n[parameters]\n'
    bold.write_text(strategy, "utf-8")
    rules.write_text("points_to_win = 5\n", "utf-8")
    for agents in (bold, [bold, "random"]):
        match = fairhaven.Match("on-the-road", seats=2, agents=agents, players=3, rules=rules)
        assert '"points_to_win":5' in match.record.splitlines()[0]
        assert match.play(lambda match: 0)["points"]


def test_several_seats_see_their_own_hands_only():
    match = fairhaven.Match("struggle", seats=[1, 3], agents="greedy", players=3)
    seen = set()
    for _ in range(60):
        if match.seat is None:
            break
        seen.add(match.seat)
        assert match.question["view"]["seat"] == match.seat
        match.choose(len(match.question["legal"]) - 1)
    assert seen == {1, 3}


def test_what_does_not_fit_is_refused_and_changes_nothing():
    with pytest.raises(ValueError, match="no game `chess`"):
        fairhaven.Match("chess")
    with pytest.raises(ValueError, match="no seat 7"):
        fairhaven.Match("base", seats=[7])
    with pytest.raises(ValueError):
        fairhaven.Match("base", wants=["secrets"])
    with pytest.raises(ValueError, match="sees all hands"):
        fairhaven.Match("base", agents="oracle")
    for options, words in [
        ({"seats": [1, 1]}, "twice"),
        ({"seats": [-1]}, "seat: -1"),
        ({"seats": [1.5]}, "seat: 1.5"),
        ({"seed": -1}, "seed: -1"),
        ({"seed": 2**64}, "seed: "),
        ({"players": 300}, "players: 300"),
    ]:
        with pytest.raises(ValueError, match=words):
            fairhaven.Match("base", **options)
    match = fairhaven.Match("base", agents="greedy")
    before = match.record
    with pytest.raises(ValueError):
        match.choose(100_000)
    assert match.record == before
    match.choose(0)
    assert json.loads(match.record.splitlines()[-1])
