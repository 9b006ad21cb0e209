"""What a run has found, and how the program is called."""

from __future__ import annotations

import contextlib
import functools
import html
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.csv

from fairhaven import _native, _words
from fairhaven._agent import failures, inside
from fairhaven._figures import plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Hears how far a run is: matches played, and those of the plan, at most so many if the run stops by itself.
Progress = Callable[[int, int], None]

# The program's exit codes.
_FAILED, _USAGE, _UNDECIDED, _GUEST, _INTERRUPTED = 1, 2, 4, 5, 130


class GuestError(RuntimeError):
    """A program outside, or a function of Python, has failed at the table; its cause is what the function raised."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C has stopped a run.

    Attributes
    ----------
    run : Run or None
        What had been played by then. If it has a directory, `resume` goes on with it.
    """

    def __init__(self, message: str, run: Run | None = None) -> None:
        super().__init__(message)
        self.run = run


class Run(Mapping[str, pa.Table]):
    """What a run has found: its tables by name, as `pyarrow.Table`.

    Attributes
    ----------
    answer : list of str
        The sentences that the program prints first.
    document : dict
        What was played: question, rules, agents, seed, numbers of blocks and matches.
    passed : bool or None
        Whether all thresholds hold; None of a run that was opened or interrupted, of which nothing is judged.
    path : pathlib.Path or None
        The directory, if the run was written.
    """

    def __init__(
        self, document: dict[str, Any], tables: dict[str, pa.Table], path: Path | None, passed: bool | None
    ) -> None:
        self.document, self.path, self.passed = document, path, passed
        self.answer: list[str] = document.get("answer", [])
        self._tables = tables

    def __getitem__(self, name: str) -> pa.Table:
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __str__(self) -> str:
        return "\n".join(self.answer)

    def __repr__(self) -> str:
        place = f" in {self.path}" if self.path else ""
        return f"<Run of {self.document['game']}{place}: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        sentences = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in self.answer)
        return f"{sentences}<p>Tables: <code>{html.escape(', '.join(self))}</code></p>"

    def report(self, file: str | os.PathLike[str], *, title: str | None = None) -> Path:
        """Writes a page with the pictures of the run, which must have a directory, and returns its path."""
        words = ["report", self._directory(), f"--output={os.fspath(file)}", "--force"]
        said(words + ([f"--title={title}"] if title else []))
        return Path(file)

    def pictures(self) -> dict[str, str]:
        """The pictures of the run, which must have a directory, as SVG by their names."""
        with tempfile.TemporaryDirectory() as place:
            said(["report", self._directory(), f"--output={place}/page.html", f"--svg={place}/all"])
            files = sorted(Path(place, "all").glob("*.svg"))
            return {file.stem: file.read_text("utf-8") for file in files}

    def unit(self, table: str, metric: str) -> str:
        """What the numbers of a metric measure: share, difference of shares, mean or number."""
        return _units(table).get(metric, "number")

    def plot(
        self,
        table: str | None = None,
        metric: str | None = None,
        *,
        where: Callable[[dict[str, Any]], bool] | None = None,
        ax: Axes | None = None,
    ) -> Axes:
        """Draws estimates of the run with their intervals, as `fairhaven.plot` does of several; it needs matplotlib."""
        return plot({"": self}, table, metric, where=where, ax=ax)

    def _directory(self) -> str:
        if self.path is None:
            raise ValueError("nothing is kept of a run without a directory: name one with out=")
        return os.fspath(self.path)


def said(words: list[str], *, threads: int | None = None, progress: Progress | bool = False) -> tuple[int, str, str]:
    """Calls the program by words; returns its exit code and what it says.

    Raises
    ------
    ValueError
        If the program does not take the words.
    GuestError
        If a program from outside has failed.
    Interrupted
        If Ctrl-C was pressed.
    """
    if getattr(inside, "function", False):
        raise RuntimeError("a function that the program has called can't call the program")
    on = _words.threads(threads)
    failures.clear()
    with _shown(progress) as shown:
        code, out, err, stopped = _native.call(words, on, shown)
    message = err.strip().removeprefix("fairhaven: ").removeprefix("error: ")
    if stopped or code == _INTERRUPTED:
        raise Interrupted(message or "stopped", _so_far(out, words))
    if code == _GUEST:
        raised = failures.pop() if failures else None
        failures.clear()
        raise GuestError(message) from raised
    if code == _USAGE:
        # A record that breaks a rule is judged in the output itself.
        raise ValueError(message or out.strip())
    if code not in (0, _FAILED, _UNDECIDED):
        raise RuntimeError(message or "the program has a fault: please report what was called")
    return code, out, err


def run(words: list[str], *, threads: int | None = None, progress: Progress | bool = False) -> Run:
    """Calls a command that plays, and returns what it has found."""
    code, out, _ = said([*words, "--format=json"], threads=threads, progress=progress)
    return found(json.loads(out), _place(words), code == 0)


def _place(words: list[str]) -> Path | None:
    place = next((said[len("--out=") :] for said in words if said.startswith("--out=")), None)
    return Path(place) if place else None


def _so_far(out: str, words: list[str]) -> Run | None:
    """What had been played when Ctrl-C came, of which nothing has been judged; None if that was nothing, or no run."""
    try:
        document = json.loads(out)
    except ValueError:
        return None
    is_run = isinstance(document, dict) and "tables" in document
    return found(document, _place(words), None) if is_run else None


def found(document: dict[str, Any], path: Path | None, passed: bool | None) -> Run:
    """A run by what the program has printed as JSON."""
    tables = {name: _table(rows) for name, rows in document.pop("tables").items()}
    return Run(document, tables, path, passed)


@functools.cache
def _units(table: str) -> dict[str, str]:
    """The units of a table's metrics, as the program has them."""
    _, schema, _ = said(["schema", table])
    units: dict[str, str] = json.loads(schema)["properties"]["metric"]["units"]
    return units


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    names = list(rows[0]) if rows else []
    return pa.table({name: _column(name, [row[name] for row in rows]) for name in names})


def _column(name: str, values: list[Any]) -> pa.Array:
    """Text where there is any, whole numbers of matches and blocks, else numbers with a fraction."""
    if any(isinstance(value, str) for value in values):
        return pa.array([None if value is None else str(value) for value in values], pa.string())
    if name in ("n", "n_blocks"):
        return pa.array(values, pa.int64())
    # A large number is written without a fraction, and whole numbers beyond 2^53 are refused as numbers with one.
    return pa.array([None if value is None else float(value) for value in values], pa.float64())


def opened(path: str | os.PathLike[str]) -> Run:
    """A run from its directory, which is only read: its tables as they were written, and no sentences."""
    place = Path(path)
    document = json.loads(place.joinpath("manifest.json").read_text("utf-8"))
    if not isinstance(document, dict) or not isinstance(document.get("files"), list):
        raise ValueError(f"{place} holds no finished run")
    names = [str(one["name"]) for one in document["files"]]
    # A manifest may come from anybody.
    files = sorted(name for name in names if name.endswith(".csv") and Path(name).name == name)
    tables = {name.removesuffix(".csv"): pa.csv.read_csv(place / name) for name in files}
    return Run(document, tables, place, None)


@contextlib.contextmanager
def _shown(progress: Progress | bool) -> Iterator[Progress | None]:
    """What hears of progress: for True a bar of tqdm, in notebooks too, if there is one, else a line."""
    if progress is not True:
        yield _marked(progress) if progress else None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield lambda played, all: print(f"\r{played:,} of {all:,} matches", end="", file=sys.stderr)
        print(file=sys.stderr)
        return
    with tqdm(unit=" matches") as bar:

        def show(played: int, all: int) -> None:
            bar.total, bar.n = all, played
            bar.refresh()

        yield show


def _marked(progress: Progress) -> Progress:
    """The same, which may not call the program."""

    def told(played: int, all: int) -> None:
        inside.function = True
        try:
            progress(played, all)
        finally:
            inside.function = False

    return told
