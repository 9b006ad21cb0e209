"""Forked and spawned processes, and threads, while an environment exists."""

import hashlib
import multiprocessing
import threading
import time
from pathlib import Path

import memory
import numpy as np
import pytest

import fairhaven

GAMES = fairhaven.games()


def played(game, steps=60):
    """What is seen and won in some steps, as a digest."""
    env = fairhaven.vector_env(game, 12, seed=9, threads=2, opponents="greedy")
    seen, infos = env.reset()
    digest = hashlib.sha256(seen.tobytes())
    for _ in range(steps):
        seen, rewards, *_, infos = env.step(env.sample())
        for array in (seen, rewards, infos["action_mask"]):
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def simulated(game):
    return fairhaven.simulate(game, agents="random", matches=60, seed=4, threads=2)["seats"].to_pylist()


def elsewhere(game, queue):
    queue.put((played(game), simulated(game)))


@pytest.mark.parametrize("way", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_another_process_plays_the_same_while_an_environment_exists(way):
    env = fairhaven.vector_env("base", 12, seed=1, threads=2, opponents="greedy")
    env.reset()
    before = [env.step(env.sample())[0] for _ in range(5)]
    context = multiprocessing.get_context(way)
    for game in GAMES:
        due = (played(game), simulated(game))
        queue = context.Queue()
        child = context.Process(target=elsewhere, args=[game, queue])
        child.start()
        # Meanwhile this one goes on.
        seen, *_ = env.step(env.sample())
        assert seen.shape == before[-1].shape
        assert queue.get(timeout=120) == due, (way, game)
        child.join(timeout=60)
        assert child.exitcode == 0


@pytest.mark.parametrize("game", GAMES)
def test_two_environments_and_the_laboratory_in_threads(game):
    found, due = {}, (played(game), simulated(game))
    calls = {"one": played, "two": played, "laboratory": simulated}
    threads = [
        threading.Thread(target=lambda name=name, call=call: found.update({name: call(game)}))
        for name, call in calls.items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert found == {"one": due[0], "two": due[0], "laboratory": due[1]}


def threads_after(calls, queue):
    """The threads of this process after calls that are played by so many."""
    found = []
    for wanted in calls:
        fairhaven.simulate("struggle", agents="random", matches=4, seed=1, threads=wanted)
        # Those that have just ended may still be counted for a moment.
        found.append(min(memory.standing(0.0).threads for _ in range(20) if not time.sleep(0.01)))
    queue.put(found)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="threads are counted as Linux has them")
def test_threads_of_a_call_stay_for_the_next_one_and_no_more():
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    calls = [2, 2, 2, 5, 5, 2, 2]
    child = context.Process(target=threads_after, args=[calls, queue])
    child.start()
    found = queue.get(timeout=60)
    child.join(timeout=60)
    assert [threads - found[0] for threads in found] == [wanted - 2 for wanted in calls]
