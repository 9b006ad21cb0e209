"""Runs that Ctrl-C stops anywhere, again and again, end with the same bytes."""

import os
import random
import signal
import threading
import time

import fairhaven

#: How often Ctrl-C must have stopped a run.
PRESSES = int(os.environ.get("FAIRHAVEN_KILLS", "100"))

#: A run takes some tenths of a second in each game.
SIZES = {"on-the-road": 12, "struggle": 12, "base": 6, "two-player": 10, "boats": 2}

QUESTIONS = {
    "simulate": lambda game, **options: fairhaven.simulate(
        game, agents="greedy", matches=100 * SIZES[game], **options
    ),
    "compare": lambda game, **options: fairhaven.compare(
        game, "greedy", "greedy:temperature=0.02", matches=60 * SIZES[game], until="ci=0.1pp", **options
    ),
    "tournament": lambda game, **options: fairhaven.tournament(
        game, ["greedy", "random"], blocks=25 * SIZES[game], **options
    ),
    "sweep": lambda game, **options: fairhaven.sweep(
        game, field="points_to_win", values=points(game), agents="greedy", blocks=60 * SIZES[game], **options
    ),
}


def points(game):
    usual = fairhaven.rule_set(game)["points_to_win"]
    return [usual - 1, usual]


def pressed(delay, call):
    """Calls, and presses Ctrl-C after so many seconds; whether the call was stopped by it."""

    def press():
        if not over.wait(delay):
            os.kill(os.getpid(), signal.SIGINT)

    over = threading.Event()
    thread = threading.Thread(target=press)
    stopped = False
    try:
        thread.start()
        call()
        over.set()
        thread.join()
    except KeyboardInterrupt as error:
        # If the call had ended by then, Python itself is interrupted.
        stopped = isinstance(error, fairhaven.Interrupted)
    thread.join()
    return stopped


def files(place):
    """What a run has written; the manifest has times, too."""
    return {path.name: path.read_bytes() for path in place.iterdir() if path.name != "manifest.json"}


def test_runs_that_are_stopped_again_and_again_end_with_the_same_bytes(tmp_path):
    rng = random.Random(1)
    kinds = [(game, question) for game in fairhaven.games() for question in QUESTIONS]
    rng.shuffle(kinds)
    whole, took, presses, runs, missed = {}, {}, 0, 0, 0
    while presses < PRESSES:
        game, question = kind = kinds[runs % len(kinds)]
        ask = QUESTIONS[question]
        if kind not in whole:
            begun = time.monotonic()
            whole[kind] = files(ask(game, seed=3, out=tmp_path / f"{game}-{question}").path)
            took[kind] = time.monotonic() - begun
        out = tmp_path / f"run-{runs}"

        def go_on(ask=ask, game=game, out=out):
            if out.exists() or out.with_name(f"{out.name}.partial").exists():
                fairhaven.resume(out)
            else:
                ask(game, seed=3, out=out)

        # Most are stopped more than once, and then end in peace.
        for _ in range(3):
            stopped = pressed(rng.uniform(0.0, took[kind]), go_on)
            presses += stopped
            missed += not stopped
        go_on()
        assert files(out) == whole[kind], kind
        runs += 1
        assert missed < 20 + 10 * PRESSES, "hardly any press stops a run"
    print(f"\n{presses} presses stopped {runs} runs")
