"""Functions of Python at the table."""

import gc
import random
import threading
import time

import pytest

import fairhaven

GAMES = ["on-the-road", "struggle", "base", "two-player", "boats"]


def drawn(asked):
    """A uniform choice, drawn from the seed of the match and the number of the turn."""
    return [random.Random(f"{one['match']['seed']} {one['id']}").randrange(len(one["legal"])) for one in asked]


def by_turn(asked):
    """By what does not change when other matches are played beside this one."""
    return [(len(one["match"]["seed"]) + one["turn"]) % len(one["legal"]) for one in asked]


@pytest.mark.parametrize("game", GAMES)
def test_a_run_does_not_depend_on_how_many_matches_are_asked_at_once(game, tmp_path):
    players = 2 if game == "two-player" else 3
    found = []
    for matches, threads in ((2, 1), (32, 2)):
        agent = fairhaven.Agent(by_turn, matches=matches)
        others = ["greedy"] * (players - 1)
        out = tmp_path / f"run{matches}"
        fairhaven.simulate(game, agents=[agent, *others], matches=24, threads=threads, rows="csv", out=out)
        found.append([(out / name).read_bytes() for name in ("matches.csv", "digests.bin")])
    one, many = found
    assert one == many


def test_questions_come_in_batches_with_what_was_wanted():
    sizes = []

    def first(asked):
        sizes.append(len(asked))
        for one in asked:
            assert one["view"]["seat"] == one["match"]["seat"]
            assert len(one["words"]) == len(one["legal"]) > 1
            assert isinstance(one["events"], list)
        return [0] * len(asked)

    agent = fairhaven.Agent(first, wants=["events", "view", "words"], offers=True)
    fairhaven.simulate("base", agents=[agent, "greedy", "greedy"], matches=60)
    assert max(sizes) > 4


def test_steps_tell_what_each_seat_does():
    seats, own = set(), []

    def first(asked):
        for one in asked:
            me = one["match"]["seat"]
            for step in one["steps"]:
                assert step["type"] == "step" and step["turn"] <= one["turn"]
                seats.add(step["seat"])
                own.append(step["action"] == done.get(one["match"]["match"])) if step["seat"] == me else None
            done[one["match"]["match"]] = one["legal"][0]
            assert one["events"] == []
        return [0] * len(asked)

    done = {}
    agent = fairhaven.Agent(first, wants=["steps"])
    fairhaven.simulate("on-the-road", agents=[agent, "greedy", "greedy"], matches=12)
    assert seats == {1, 2, 3}
    assert any(own), "what the seat has chosen itself is a step, too"


def test_studies_seat_functions():
    agent = fairhaven.Agent(drawn)
    run = fairhaven.compare("on-the-road", "greedy", agent, players=3)
    assert run.passed and "greedy" in run.answer[0]
    ratings = fairhaven.tournament("on-the-road", ["greedy", agent, "random"], players=3, blocks=20)
    assert len(ratings["ratings"]) > 0


def test_what_a_function_raises_ends_the_run_and_is_its_cause():
    def fail(asked):
        raise KeyError("no such card")

    with pytest.raises(fairhaven.GuestError) as raised:
        fairhaven.simulate("base", agents=[fairhaven.Agent(fail), "greedy", "greedy"], matches=20)
    assert isinstance(raised.value.__cause__, KeyError)
    for wrong in (lambda asked: [10_000] * len(asked), lambda asked: []):
        agent = fairhaven.Agent(wrong, name="wrong")
        with pytest.raises(fairhaven.GuestError):
            fairhaven.simulate("base", agents=[agent, "greedy", "greedy"], matches=20)
    # The next run is none the worse for it.
    assert fairhaven.simulate("base", agents="greedy", matches=8).passed
    with pytest.raises(ValueError, match="no name"):
        fairhaven.Agent(fail, name="a, b")
    for name in ("greedy", "builder", "skilled"):
        with pytest.raises(ValueError, match=f"called `{name}` already"):
            fairhaven.Agent(fail, name=name)


def test_each_function_has_a_name_of_its_own():
    asked_of = {"one": 0, "two": 0}

    def counted(which):
        def choose(asked):
            asked_of[which] += len(asked)
            return [0] * len(asked)

        return choose

    one, two = fairhaven.Agent(counted("one")), fairhaven.Agent(counted("two"), name="two")
    fairhaven.simulate("on-the-road", agents=[one, two, "random"], matches=12)
    assert asked_of["one"] > 0 and asked_of["two"] > 0
    last = fairhaven.Agent(counted("one"), name="two")
    with pytest.raises(ValueError, match="another function"):
        fairhaven.simulate("on-the-road", agents=[two, "random", "random"], matches=12)
    assert fairhaven.simulate("on-the-road", agents=last, players=3, matches=12).passed
    for name in ("-x", "expert", "é"):
        with pytest.raises(ValueError, match="no name"):
            fairhaven.Agent(counted("one"), name=name)


def test_functions_that_are_dropped_leave_no_threads():
    before = threading.active_count()
    for _ in range(10):
        fairhaven.Agent(by_turn)
    gc.collect()
    deadline = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_a_function_sits_at_an_open_match_and_may_not_call_the_program():
    agent = fairhaven.Agent(by_turn)
    outcome = fairhaven.Match("base", agents=agent, seats=[2]).play(lambda match: 0)
    assert outcome["points"]

    def nested(asked):
        fairhaven.simulate("base", agents="random", matches=4)

    with pytest.raises(fairhaven.GuestError) as raised:
        fairhaven.simulate("base", agents=[fairhaven.Agent(nested), "random", "random"], matches=4)
    assert isinstance(raised.value.__cause__, RuntimeError)
    floats = fairhaven.Agent(lambda asked: [0.5] * len(asked))
    with pytest.raises(fairhaven.GuestError):
        fairhaven.simulate("base", agents=[floats, "random", "random"], matches=4)


def test_a_fault_at_an_open_match_is_not_that_of_the_next_run():
    with pytest.raises(ValueError):
        fairhaven.Match("base", agents="exec:false").play(lambda match: 0)
    assert fairhaven.simulate("base", agents="random", matches=4).passed
