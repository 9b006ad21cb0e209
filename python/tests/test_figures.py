"""Figures by matplotlib show the numbers of the tables."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

import fairhaven

GAMES = fairhaven.games()
drawn = pytest.mark.skipif(find_spec("matplotlib") is None, reason="not run: matplotlib is not installed")


@pytest.fixture(autouse=True)
def without_a_screen():
    if find_spec("matplotlib") is None:
        yield
        return
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    yield
    pyplot.close("all")


def rows(run, table, metric):
    return [row for row in run[table].to_pylist() if row["metric"] == metric]


def segments(axes, width):
    """The intervals that are drawn, those of a width."""
    lines = [line for line in axes.lines if line.get_linewidth() == width and len(line.get_xdata()) == 2]
    return [tuple(line.get_xdata()) for line in lines if line.get_linestyle() == "-"]


@drawn
@pytest.mark.parametrize("game", GAMES)
def test_a_run_draws_its_seats(game):
    run = fairhaven.simulate(game, agents="random", matches=60)
    axes = run.plot()
    due = rows(run, "seats", "win_rate")
    points = [line for line in axes.lines if line.get_marker() == "o"]
    assert [line.get_xdata()[0] for line in points] == [100 * row["estimate"] for row in due]
    assert segments(axes, 3.0) == [(100 * row["ci95_lo"], 100 * row["ci95_hi"]) for row in due]
    assert [label.get_text() for label in axes.get_yticklabels()] == [f"seat {n + 1}" for n in range(len(due))]
    even = [line for line in axes.lines if line.get_linestyle() == "--"]
    assert even[0].get_xdata()[0] == pytest.approx(100 / len(due))
    assert axes.get_xlabel() == "win rate, %"


@drawn
def test_verdicts_have_their_own_intervals():
    run = fairhaven.balance(
        "on-the-road", choice="metropolis", rules={"side": "b"}, levels="builder", blocks=60, estimands=["forced"]
    )
    axes = run.plot()
    due = rows(run, "choices", "effect")
    assert [label.get_text() for label in axes.get_yticklabels()] == [row["option"] for row in due]
    assert segments(axes, 1.0) == [(100 * row["verdict_lo"], 100 * row["verdict_hi"]) for row in due]
    assert axes.get_xlabel() == "effect, pp"


@drawn
def test_several_runs_stand_side_by_side():
    runs = {agent: fairhaven.simulate("base", agents=agent, matches=40) for agent in ("random", "greedy")}
    axes = fairhaven.plot(runs, "seats", "points_mean")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["random", "greedy"]
    assert len(axes.get_yticks()) == 4, "a row for each seat, not for each run"
    points = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    due = [row["estimate"] for run in runs.values() for row in rows(run, "seats", "points_mean")]
    assert points == due
    only = fairhaven.plot(runs, "seats", "points_mean", where=lambda row: row["seat"] == 2)
    assert len([line for line in only.lines if line.get_marker() == "o"]) == 2


@drawn
def test_many_values_make_a_line_with_a_band():
    from matplotlib import pyplot

    run = fairhaven.simulate("on-the-road", agents="random", matches=40)
    _, axes = pyplot.subplots()
    assert run.plot("tension", ax=axes) is axes
    table = run["tension"].to_pylist()
    due = [row for row in table if row["metric"] == table[0]["metric"] and row["estimate"] is not None]
    assert len(axes.lines[0].get_xdata()) == len(due) > 12 and len(axes.collections) == 1


@drawn
@pytest.mark.parametrize("game", GAMES)
def test_each_question_draws_something_by_itself(game):
    asked = [
        fairhaven.compare(game, "greedy", "random", matches=24),
        fairhaven.tournament(game, ["greedy", "random"], blocks=4),
        fairhaven.luck(game, agents="random", blocks=8),
    ]
    for run in asked:
        assert run.plot().get_title().startswith(f"{game}: ")


@drawn
def test_units_are_those_of_the_program():
    run = fairhaven.sensitivity("on-the-road", agents="builder", blocks=10)
    axes = run.plot("sensitivity", "effect_sd")
    points = [line for line in axes.lines if line.get_marker() == "o"]
    # Standard deviations are drawn as they are, though the name has the word of differences.
    assert {line.get_xdata()[0] for line in points} == {row["estimate"] for row in rows(run, "sensitivity", "effect_sd")}
    assert axes.get_xlabel() == "effect sd"
    assert axes.get_title() == "on-the-road: sensitivity, 10 blocks"
    assert run.unit("seats", "win_rate") == "share"
    assert run.unit("choices", "effect") == "difference of shares"


@drawn
def test_what_is_not_there_is_named():
    run = fairhaven.simulate("base", agents="random", matches=20)
    with pytest.raises(ValueError, match="no table `places`, but agents, seats"):
        run.plot("places")
    with pytest.raises(ValueError, match="no such rows of `luck`; its metrics are win_rate"):
        run.plot("seats", "luck")
    with pytest.raises(ValueError, match="no run"):
        fairhaven.plot({})


def test_a_run_needs_no_matplotlib():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import fairhaven\n"
        "run = fairhaven.simulate('base', agents='random', matches=20)\n"
        "try:\n    run.plot()\n"
        "except ImportError as error:\n    print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "matplotlib is not installed: pip install 'fairhaven[figures]'\n"
