"""Figures of runs by matplotlib: estimates with their intervals, and the same of several runs side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from fairhaven._extras import extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: What is drawn of a run if nothing is named: the first of these that it has.
_FIRST = (
    ("ratings", "elo"),
    ("compare", "win_share"),
    ("choices", "effect"),
    ("effects", "win_rate"),
    ("seats", "win_rate"),
)

#: From so many values of a number on, a line with a band is drawn in place of a point for each.
_LINE_FROM = 12

#: Okabe and Ito's colours, which people who see fewer colours tell apart, too.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")

#: What is written behind a metric's name, by its unit; shares and their differences are drawn in hundredths.
_SUFFIXES = {"share": ", %", "difference of shares": ", pp"}

Row = dict[str, Any]


class Run(Protocol):
    """What is read of a run: its tables by name, what was played, and the units of metrics."""

    document: dict[str, Any]

    def __getitem__(self, name: str, /) -> pa.Table: ...

    def __iter__(self) -> Iterator[str]: ...

    def __contains__(self, name: object, /) -> bool: ...

    def unit(self, table: str, metric: str) -> str:
        """What a metric's numbers measure."""
        ...



def plot(
    runs: Mapping[str, Run],
    table: str | None = None,
    metric: str | None = None,
    *,
    where: Callable[[Row], bool] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draws the same estimates of several runs side by side, with their intervals; it needs matplotlib.

    Parameters
    ----------
    runs : mapping of str to Run
        The runs by the names that the legend shows.
    table, metric : str, optional
        What is drawn: a table, and one of its metrics. If not given, what the first run's question is about.
    where : callable, optional
        Which rows are drawn: it gets a row as a dict.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib.axes.Axes
        What was drawn on. Thick lines are 95 % intervals, thin ones those that verdicts are read off: where a question
        looks at several rows at once they are wider.
    """
    if not runs:
        raise ValueError("there is no run to draw")
    first = next(iter(runs.values()))
    table, metric = _subject(first, table, metric)
    drawn = {name: _rows(run, table, metric, where) for name, run in runs.items()}
    keys = _keys(first[table], list(drawn.values()))
    if ax is None:
        _, ax = extra("matplotlib.pyplot").subplots(layout="constrained")
    assert ax is not None
    numbers = {row[keys[0]] for rows in drawn.values() for row in rows} if len(keys) == 1 else set()
    unit = first.unit(table, metric)
    named = metric.replace("_", " ") + _SUFFIXES.get(unit, "")
    if len(numbers) >= _LINE_FROM and all(isinstance(number, int | float) for number in numbers):
        _draw_lines(ax, drawn, keys[0], _scale(unit))
        ax.set_ylabel(named)
    else:
        _draw_points(ax, drawn, keys, _scale(unit))
        ax.set_xlabel(named)
    _draw_even(ax, first, table, metric, upright=len(numbers) < _LINE_FROM)
    if len(drawn) > 1:
        ax.legend(loc="best", frameon=False)
    blocks = {run.document["played"]["blocks"] for run in runs.values()}
    number = f"{min(blocks):,}" if len(blocks) == 1 else f"{min(blocks):,} to {max(blocks):,}"
    ax.set_title(f"{first.document['game']}: {table}, {number} blocks")
    return ax


def _subject(run: Run, table: str | None, metric: str | None) -> tuple[str, str]:
    """The table and the metric to draw."""
    if table is None:
        has = lambda table, metric: table in run and metric in run[table]["metric"].to_pylist()  # noqa: E731
        at = [pair for pair in _FIRST if has(*pair) and metric in (None, pair[1])]
        tables = [at[0][0]] if at else [name for name in run if "ci95_lo" in run[name].column_names]
        if not tables:
            raise ValueError("the run has no estimates with intervals")
        table = tables[0]
        metric = metric or (at[0][1] if at else None)
    if table not in run:
        raise ValueError(f"the run has no table `{table}`, but {', '.join(run)}")
    if metric is None:
        bounded = [row["metric"] for row in run[table].to_pylist() if row.get("ci95_lo") is not None]
        if not bounded:
            raise ValueError(f"the table `{table}` has no intervals")
        metric = bounded[0]
    return table, metric


def _rows(run: Run, table: str, metric: str, where: Callable[[Row], bool] | None) -> list[Row]:
    """The rows to draw; those without an estimate are left out."""
    if table not in run:
        raise ValueError(f"a run has no table `{table}`, but {', '.join(run)}")
    rows = run[table].to_pylist()
    found = [row for row in rows if row["metric"] == metric and (where is None or where(row))]
    found = [row for row in found if row["estimate"] is not None]
    if not found:
        named = ", ".join(dict.fromkeys(row["metric"] for row in rows))
        raise ValueError(f"the table `{table}` has no such rows of `{metric}`; its metrics are {named}")
    return found


def _keys(table: pa.Table, runs: list[list[Row]]) -> list[str]:
    """The columns that tell the rows of a run apart."""
    names: list[str] = table.column_names[: table.column_names.index("metric")]
    differ = [name for name in names if any(len({row[name] for row in rows}) > 1 for rows in runs)]
    return differ or names[-1:]


def _label(row: Row, keys: list[str]) -> str:
    words = []
    for key in keys:
        value = row[key]
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if value is not None:
            words.append(f"{key} {value}" if isinstance(value, int | float) else str(value))
    return ", ".join(words) or "all"


def _scale(unit: str) -> float:
    return 100.0 if unit in _SUFFIXES else 1.0


def _draw_points(ax: Axes, drawn: Mapping[str, list[Row]], keys: list[str], scale: float) -> None:
    labels = list(dict.fromkeys(_label(row, keys) for rows in drawn.values() for row in rows))
    # Runs of the same row lie a little apart.
    step = 0.6 / len(drawn)
    for number, (name, rows) in enumerate(drawn.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        for place, row in enumerate(rows):
            y = labels.index(_label(row, keys)) + (number - (len(drawn) - 1) / 2) * step
            for lo, hi, width in (("verdict_lo", "verdict_hi", 1.0), ("ci95_lo", "ci95_hi", 3.0)):
                if row.get(lo) is not None and row.get(hi) is not None:
                    ax.plot([scale * row[lo], scale * row[hi]], [y, y], color=colour, linewidth=width)
            ax.plot([scale * row["estimate"]], [y], "o", color=colour, label=name if place == 0 else None)
    ax.set_yticks(range(len(labels)), labels)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.grid(axis="x", alpha=0.3)


def _draw_lines(ax: Axes, drawn: Mapping[str, list[Row]], key: str, scale: float) -> None:
    for number, (name, rows) in enumerate(drawn.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        rows = sorted(rows, key=lambda row: row[key])
        ax.plot([row[key] for row in rows], [scale * row["estimate"] for row in rows], color=colour, label=name)
        bounded = [row for row in rows if row["ci95_lo"] is not None and row["ci95_hi"] is not None]
        lo, hi = ([scale * row[end] for row in bounded] for end in ("ci95_lo", "ci95_hi"))
        ax.fill_between([row[key] for row in bounded], lo, hi, color=colour, alpha=0.2, linewidth=0)
    ax.set_xlabel(key)
    ax.grid(alpha=0.3)


def _draw_even(ax: Axes, run: Run, table: str, metric: str, *, upright: bool) -> None:
    """A line where nothing differs: 0 of effects, an even share of win rates of seats."""
    even: float | None = None
    if run.unit(table, metric) == "difference of shares" or table == "effects":
        even = 0.0
    elif metric == "win_rate" and "seats" in table and isinstance(run.document.get("players"), int):
        even = 100.0 / run.document["players"]
    elif (table, metric) == ("compare", "win_share"):
        even = 50.0
    if even is not None:
        (ax.axvline if upright else ax.axhline)(even, color="0.5", linestyle="--", linewidth=1, zorder=0)
