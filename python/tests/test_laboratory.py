"""The laboratory from Python does what the program does, byte for byte."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import fairhaven

STRATEGY = """kind = "builder"
about = "steers for a metropolis"
provenance = "written for a test"

[parameters]
"""

GAMES = ["on-the-road", "struggle", "base", "two-player", "boats"]


def program(*words, cwd):
    """Runs the program as a process of its own."""
    called = [sys.executable, "-m", "fairhaven", *words]
    return subprocess.run(called, cwd=cwd, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("game", GAMES)
def test_a_run_is_that_of_the_program(game, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    run = fairhaven.simulate(game, agents="greedy", matches=60, seed=5, out=here, threads=2)
    words = ["simulate", game, "--agents", "greedy", "--matches", "60", "--seed", "5"]
    program(*words, "--threads", "1", "--out", str(there), cwd=tmp_path)
    files = sorted(path.name for path in here.iterdir())
    assert files == sorted(path.name for path in there.iterdir())
    for name in files:
        if name != "manifest.json":
            assert (here / name).read_bytes() == (there / name).read_bytes(), name
    assert run.path == here and run.passed
    assert sorted(run) == sorted(name[:-4] for name in files if name.endswith(".csv"))


def test_tables_are_those_of_the_files(tmp_path):
    run = fairhaven.simulate("on-the-road", agents="random", matches=80, out=tmp_path / "run")
    kept = fairhaven.open(tmp_path / "run")
    assert sorted(kept) == sorted(run)
    for name, table in run.items():
        assert table.num_rows == kept[name].num_rows, name
        assert table.column_names == kept[name].column_names, name
    seats = run["seats"]
    assert seats.schema.field("estimate").type == pa.float64()
    assert seats.schema.field("n").type == pa.int64()
    wins = seats.to_pandas().query("metric == 'win_rate'")
    assert wins.estimate.sum() == pytest.approx(1.0)


def test_a_number_beyond_those_that_are_exact_is_one_of_a_table(tmp_path):
    # So few pairs differ that the interval of matches that would do without pairing has no sensible end.
    run = fairhaven.compare("struggle", "greedy", "random", matches=60, seed=192, out=tmp_path / "run")
    bound = [row["ci95_hi"] for row in run["compare"].to_pylist() if row["metric"] == "matches_unpaired"]
    assert bound[0] > 2**53
    kept = fairhaven.open(tmp_path / "run")["compare"].to_pylist()
    assert [row["ci95_hi"] for row in kept if row["metric"] == "matches_unpaired"] == bound


def test_rules_and_lists_are_words(tmp_path):
    run = fairhaven.balance(
        "on-the-road",
        choice="metropolis",
        rules={"side": "b"},
        levels=["builder"],
        blocks=60,
        estimands=["forced"],
        out=tmp_path / "b",
    )
    command = fairhaven.open(tmp_path / "b").document["command"]
    assert "--set=side=b" in command and "--levels=builder" in command
    assert run.answer and "verdicts" in run
    page = run.report(tmp_path / "page.html")
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert all(svg.startswith("<svg") for svg in run.pictures().values())


def test_a_map_is_judged_from_its_file(tmp_path):
    run = fairhaven.map_judge("two-player", agent="greedy", blocks=20, pairs=0, seed=4)
    places = run["places"].to_pandas().query("metric == 'worth'")
    assert places.estimate.sum() == pytest.approx(0.0, abs=1e-4 * len(places))
    map_file = tmp_path / "island.toml"
    map_file.write_text("map = ''", "utf-8")
    with pytest.raises(ValueError, match="line 1"):
        fairhaven.map_judge("two-player", map_file, blocks=20)


def test_what_does_not_fit_is_refused_in_words():
    with pytest.raises(ValueError, match="no game `chess`"):
        fairhaven.simulate("chess")
    with pytest.raises(ValueError, match="--matchs"):
        fairhaven.simulate("base", matchs=3)
    with pytest.raises(ValueError, match="without a directory"):
        fairhaven.simulate("base", agents="random", matches=4).report("page.html")


def test_flags_about_what_is_printed_take_nothing_away():
    for flags in ({"quiet": True}, {"full": True}):
        run = fairhaven.simulate("base", agents="random", matches=4, **flags)
        assert run.document["played"]["matches"] == 4 and run.answer
    for flags in ({"format": "csv"}, {"help": True}):
        with pytest.raises(ValueError, match="prints nothing"):
            fairhaven.simulate("base", agents="random", matches=4, **flags)


@pytest.mark.parametrize("threads", [0, -1, 1025, 1.5])
def test_numbers_of_threads_are_those_of_the_program(threads):
    with pytest.raises(ValueError, match="threads: .* 1 to 1024"):
        fairhaven.simulate("base", agents="random", matches=4, threads=threads)


@pytest.mark.parametrize("points", [[5, 6, 7], (5, 6, 7), np.array([5, 6, 7]), [np.int64(5), 6, np.int16(7)]])
def test_lists_are_those_of_python_and_numpy(points, tmp_path):
    file = tmp_path / "rules.toml"
    file.write_text("points_to_win = [5, 6, 7]", "utf-8")
    played = [
        fairhaven.simulate("base", agents="random", players=np.int64(3), matches=3, rules=rules).document
        for rules in ({"points_to_win": points}, file)
    ]
    assert played[0]["rules_hash"] == played[1]["rules_hash"]


def test_agents_are_one_word_or_several(tmp_path):
    file = tmp_path / "bold.toml"
    file.write_text(STRATEGY, "utf-8")
    several = ["greedy,random", ("greedy", "random"), np.array(["greedy", "random"])]
    found = [fairhaven.tournament("base", agents, players=3, blocks=4)["ratings"] for agents in several]
    assert all(one.equals(found[0]) for one in found)
    ratings = fairhaven.tournament("on-the-road", (file, "greedy"), players=2, blocks=4)["ratings"]
    assert set(ratings["agent"].to_pylist()) == {str(file), "greedy"}
    assert fairhaven.simulate("on-the-road", agents=[file, "random"], players=2, matches=4).passed


def test_a_threshold_that_fails_is_said():
    run = fairhaven.simulate("base", agents="random", matches=40, require="seats.win_rate.max < 0.1")
    assert not run.passed


def test_progress_is_heard_and_may_stop_the_run():
    heard = []
    fairhaven.simulate("base", agents="heuristic", matches=400, progress=lambda *standing: heard.append(standing))
    assert heard and all(played <= planned == 400 for played, planned in heard)

    def refuse(played, planned):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        fairhaven.simulate("base", agents="heuristic", matches=1_000_000, progress=refuse)


def test_what_was_played_until_ctrl_c_is_a_run_that_nobody_has_judged(tmp_path):
    def press(played, planned):
        if played >= 400:
            signal.raise_signal(signal.SIGINT)

    for out in (None, tmp_path / "run"):
        with pytest.raises(fairhaven.Interrupted) as stopped:
            fairhaven.simulate("base", agents="greedy", matches=1_000_000, out=out, progress=press)
        run = stopped.value.run
        assert run.passed is None and run.path == out
        assert 0 < run.document["played"]["matches"] < 1_000_000
        assert len(run["seats"]) > 0
    with pytest.raises(fairhaven.Interrupted) as stopped:
        fairhaven.resume(out, progress=press)
    again = stopped.value.run
    assert again.passed is None and again.path == out
    assert again.document["played"]["matches"] >= run.document["played"]["matches"]


@pytest.mark.parametrize("delay", [0.2, 0.5, 1.0])
def test_ctrl_c_stops_a_run_that_goes_on_later(delay, tmp_path):
    def press():
        time.sleep(delay)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    out = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt) as stopped:
        fairhaven.simulate("base", agents="greedy", matches=4000, seed=3, out=out)
    thread.join()
    assert isinstance(stopped.value, fairhaven.Interrupted)
    partial = tmp_path / "run.partial"
    if not (out.exists() or partial.exists()):
        return
    run = fairhaven.resume(out)
    assert run.document["played"]["matches"] == 4000
    whole = fairhaven.simulate("base", agents="greedy", matches=4000, seed=3, out=tmp_path / "whole")
    for name in whole:
        kept, due = Path(run.path, f"{name}.csv"), Path(whole.path, f"{name}.csv")
        assert kept.read_bytes() == due.read_bytes(), name


def test_threads_are_gone_after_a_call():
    def threads():
        return len(os.listdir("/proc/self/task"))

    fairhaven.simulate("base", agents="random", matches=20, threads=3)
    before = threads()
    for _ in range(20):
        fairhaven.simulate("base", agents="random", matches=20, threads=3)
    # A thread that has ended may be counted for a moment.
    deadline = time.monotonic() + 5
    while threads() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threads() <= before


def test_calls_from_several_threads_wait_for_each_other():
    found = []

    def play(seed):
        found.append(fairhaven.simulate("two-player", agents="random", matches=40, seed=seed))

    callers = [threading.Thread(target=play, args=[seed]) for seed in range(4)]
    [caller.start() for caller in callers]
    [caller.join() for caller in callers]
    assert sorted(run.document["seed"] for run in found) == [0, 1, 2, 3]


def test_a_match_is_replayed_and_explained(tmp_path):
    run = fairhaven.simulate("on-the-road", agents="greedy", matches=20, out=tmp_path / "run")
    assert "wins" in fairhaven.replay(run.path, "3.0")
    decisions = fairhaven.explain(run.path, "3.0")["decisions"]
    assert len(decisions) > 20
    lines = fairhaven.export(run.path, tmp_path / "decisions.jsonl", matches=2)
    assert lines.read_text("utf-8").count("\n") > 40
    assert fairhaven.verify(run.path).startswith("Verified")


def test_commands_on_what_there_is_take_their_flags(tmp_path):
    run = fairhaven.simulate("on-the-road", agents="greedy", matches=20, out=tmp_path / "run")
    record = tmp_path / "match.jsonl"
    record.write_text(fairhaven.replay(run.path, "3.0", format="jsonl"), "utf-8")
    assert fairhaven.replay(record, check=True).startswith("The record keeps the rules")
    lines = record.read_text("utf-8").splitlines(keepends=True)
    record.write_text("".join(lines[:5] + lines[6:]), "utf-8")
    with pytest.raises(ValueError, match="match.jsonl"):
        fairhaven.replay(record, check=True)
    assert fairhaven.verify(run.path, seed=7, quiet=True).startswith("Verified")
    assert sorted(fairhaven.resume(run.path, save_every=9)) == sorted(run)
    with pytest.raises(ValueError, match="--blocks"):
        fairhaven.resume(run.path, blocks=9)


def test_what_another_signal_raises_is_raised():
    def alarm(number, frame):
        raise TimeoutError("too long")

    before = signal.signal(signal.SIGALRM, alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.4)
    try:
        with pytest.raises(TimeoutError, match="too long"):
            fairhaven.simulate("base", agents="heuristic", matches=1_000_000)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_finished_run_is_opened_when_it_is_resumed(tmp_path):
    run = fairhaven.simulate("base", agents="random", matches=20, out=tmp_path / "run")
    assert sorted(fairhaven.resume(run.path)) == sorted(run)


def test_only_files_of_the_directory_are_opened(tmp_path):
    run = fairhaven.simulate("base", agents="random", matches=20, out=tmp_path / "run")
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n", "utf-8")
    manifest = run.path / "manifest.json"
    text = manifest.read_text("utf-8").replace('"agents.csv"', '"../secret.csv"')
    manifest.write_text(text, "utf-8")
    assert "../secret" not in fairhaven.open(run.path)
    manifest.write_text("[]", "utf-8")
    with pytest.raises(ValueError, match="no finished run"):
        fairhaven.open(run.path)


def test_progress_is_told_at_the_end():
    heard = []
    fairhaven.simulate("two-player", agents="random", matches=40, progress=lambda *now: heard.append(now))
    assert heard[-1] == (40, 40)
