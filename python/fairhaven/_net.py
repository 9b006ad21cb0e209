"""The nets by which searches judge positions (``mcts:net=FILE``), as arrays of NumPy."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Sums of a net, which are 0 where they would be below it.
SUMS = 32

#: The forms of the files: the first has no scales, which are then those of the program.
_FORMS = (1, 2)


@dataclass
class Net:
    """What a position is worth to a seat, by the inputs that `export` writes as ``net_NAME_SEAT``.

    The worth is ``relu(start + inputs @ weights) @ worth``, and the chances to win are the softmax of the worths of all
    seats.

    Attributes
    ----------
    game : str
        The game.
    names : list of str
        The names of the inputs.
    weights : array of float32
        What each input adds to each sum.
    start : array of float32
        What the sums start with.
    worth : array of float32
        What the sums are worth.
    about, provenance : str
        What it judges, and where its weights come from.
    version : int, optional
        The version of what the inputs mean, if the file says it.
    scales : dict, optional
        What each input was multiplied by when the weights were learned, if the file says it; `export` multiplies by the
        scales of the program.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from fairhaven import Net
    >>> net = Net.random("two-player", ["point", "income"], seed=1)
    >>> net.chances(np.zeros((3, 2, 2))).tolist()
    [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]
    >>> with tempfile.TemporaryDirectory() as place:
    ...     again = Net.load(net.save(f"{place}/net.toml"))
    >>> bool((again.weights == net.weights).all())
    True
    """

    game: str
    names: list[str]
    weights: NDArray[np.float32]
    start: NDArray[np.float32]
    worth: NDArray[np.float32]
    about: str = "judges positions, by seat"
    provenance: str = "trained in Python"
    version: int | None = None
    scales: dict[str, float] | None = None

    @classmethod
    def random(cls, game: str, names: Iterable[str], *, seed: int) -> Net:
        """A net that knows nothing, to begin from."""
        rng = np.random.default_rng(seed)
        names = list(names)
        weights = rng.normal(0, np.sqrt(2 / max(len(names), 1)), (len(names), SUMS))
        worth = rng.normal(0, 1 / SUMS, SUMS)
        return cls(game, names, weights.astype(np.float32), np.zeros(SUMS, np.float32), worth.astype(np.float32))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Net:
        """Reads a file of the program.

        Raises
        ------
        ValueError
            If it is no net of this form.
        """
        saved = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        if saved.get("form") not in _FORMS:
            raise ValueError(f"{path}: no net of form 1 or 2")
        rows = [_row(path, name, row) for name, row in saved["inputs"].items()]
        return cls(
            saved["game"],
            list(saved["inputs"]),
            np.stack(rows) if rows else np.zeros((0, SUMS), np.float32),
            _row(path, "start", saved["start"]),
            _row(path, "worth", saved["worth"]),
            saved["about"],
            saved["provenance"],
            saved.get("version"),
            saved.get("scales"),
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes a file that the program reads, bit by bit the same net."""
        if self.weights.shape != (len(self.names), SUMS):
            raise ValueError(f"weights are {self.weights.shape}, not {(len(self.names), SUMS)}")
        head = {"game": self.game, "about": self.about, "provenance": self.provenance}
        lines = [f"form = {1 if self.scales is None else 2}"]
        lines += [f"{key} = {json.dumps(value)}" for key, value in head.items()]
        if self.scales is not None:
            lines.append(f"version = {self.version}")
        lines += [f"start = {_text(self.start)}", f"worth = {_text(self.worth)}", ""]
        if self.scales is not None:
            scales = (f"{json.dumps(name)} = {float(scale)!r}" for name, scale in self.scales.items())
            lines += ["[scales]", *scales, ""]
        lines.append("[inputs]")
        lines += [f"{json.dumps(name)} = {_text(row)}" for name, row in zip(self.names, self.weights, strict=True)]
        Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return Path(path)

    def worths(self, inputs: NDArray[Any]) -> NDArray[Any]:
        """What positions are worth: inputs of each seat in the last dimension."""
        worths: NDArray[Any] = np.maximum(inputs @ self.weights + self.start, 0) @ self.worth
        return worths

    def chances(self, inputs: NDArray[Any]) -> NDArray[Any]:
        """Chances to win: seats in the last dimension but one."""
        worths = self.worths(inputs)
        powers: NDArray[Any] = np.exp(worths - worths.max(axis=-1, keepdims=True))
        powers /= powers.sum(axis=-1, keepdims=True)
        return powers


def _row(path: str | os.PathLike[str], name: str, row: list[float]) -> NDArray[np.float32]:
    if len(row) != SUMS:
        raise ValueError(f"{path}: {name} has {len(row)} weights in place of {SUMS}")
    return np.array(row, np.float32)


def _text(row: NDArray[np.float32]) -> str:
    # A number of 32 bits is one of 64 bits, too, whose decimals are read back as it.
    return f"[{', '.join(repr(float(weight)) for weight in row)}]"
