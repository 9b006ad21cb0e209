"""Words of a command line from arguments of Python."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

#: Flags whose values are one word with commas between them. Others are said again for each value.
_LISTS = frozenset(["agents", "levels", "values", "players", "rates", "estimands", "fields", "judges", "against"])


#: Flags that change what is printed. A function prints nothing and returns all tables, so these two ask for what it
#: does, and those after them would take away what it reads.
_SILENT = frozenset(["quiet", "full"])
_PRINTED = frozenset(["format", "help"])

#: The largest seed, and the largest number of threads that the program starts.
_SEED_MAX, _THREADS_MAX = 2**64 - 1, 1024

#: Seats and numbers of players fit into a byte; which of them a game has, it says itself.
_SEAT_MAX = 255


def plain(value: Any) -> Any:
    """A value without NumPy, whose numbers and arrays know what they are in Python.

    >>> plain((1, 2)), plain("ab")
    ([1, 2], 'ab')
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def each(value: Any) -> list[Any]:
    """One value, or several: a word, a path, and what can't be gone through is one.

    >>> each("greedy"), each(("greedy", "random")), each(1)
    (['greedy'], ['greedy', 'random'], [1])
    """
    value = plain(value)
    return [value] if isinstance(value, str | os.PathLike) or not isinstance(value, Iterable) else list(value)


def word(value: Any) -> str:
    """A value as the program reads it; a list is written as TOML has it.

    >>> [word(value) for value in (True, 2, 0.5, "side", (True, "a", 1))]
    ['true', '2', '0.5', 'side', '[true, "a", 1]']
    """
    value = plain(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False, default=word)
    return str(os.fspath(value)) if isinstance(value, os.PathLike) else str(value)


def joined(values: Any) -> str:
    """One value or several as a word with commas between them.

    >>> joined("greedy"), joined(["greedy", "random"])
    ('greedy', 'greedy,random')
    """
    return ",".join(map(word, each(values)))


def number(name: str, value: Any, least: int, most: int) -> int:
    """A whole number of Python or NumPy, in words if it is none or out of range.

    >>> number("seed", -1, 0, 9)
    Traceback (most recent call last):
    ValueError: seed: -1 is no whole number from 0 to 9
    """
    try:
        whole = operator.index(value)
    except TypeError:
        whole = None
    if whole is None or not least <= whole <= most:
        raise ValueError(f"{name}: {value!r} is no whole number from {least} to {most}")
    return whole


def seed(value: Any) -> int:
    """A seed."""
    return number("seed", value, 0, _SEED_MAX)


def threads(value: Any) -> int | None:
    """How many threads play; None for as many as there are cores."""
    return None if value is None else number("threads", value, 1, _THREADS_MAX)


def players(value: Any) -> int | None:
    """Players at the table; None for the usual number."""
    return None if value is None else number("players", value, 1, _SEAT_MAX)


def seat(value: Any) -> int:
    """A seat, from 1."""
    return number("seat", value, 1, _SEAT_MAX)


def seats(values: Any) -> list[int]:
    """Seats, each named once.

    >>> seats([1, 3]), seats(2)
    ([1, 3], [2])
    """
    found = [seat(one) for one in each(values)]
    if len(set(found)) < len(found):
        raise ValueError(f"seats: one is named twice in {', '.join(map(str, found))}")
    return found


def flags(options: Mapping[str, Any]) -> list[str]:
    """Options as flags: what is None or False is left out, and True has no value.

    >>> flags({"seed": 3, "force": True, "out": None, "levels": ["greedy", "expert"], "quiet": True})
    ['--seed=3', '--force', '--levels=greedy,expert']
    >>> flags({"require": ["a < b", "c > 1"], "param": {"haste": "0..4"}})
    ['--require=a < b', '--require=c > 1', '--param=haste=0..4']
    """
    return [said for name, value in options.items() if name not in _SILENT for said in _flag(name, plain(value))]


def _flag(name: str, value: Any) -> Iterator[str]:
    flag = "--" + name.replace("_", "-")
    if value is None or value is False:
        return
    if name in _PRINTED:
        raise ValueError(f"{name}: a function prints nothing; what the program has found is what it returns")
    if value is True:
        yield flag
    elif isinstance(value, Mapping):
        yield from (f"{flag}={key}={word(one)}" for key, one in flat(value))
    elif name in _LISTS:
        yield f"{flag}={joined(value)}"
    else:
        yield from (f"{flag}={word(one)}" for one in each(value))


def flat(fields: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Fields of fields by their names with points between them.

    >>> list(flat({"side": "b", "metropolis": {"cost": {"wool": 2}}}))
    [('side', 'b'), ('metropolis.cost.wool', 2)]
    """
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{above}{name}.")
        else:
            yield above + name, value


def rules(given: Mapping[str, Any] | str | os.PathLike[str] | None, suffix: str = "") -> list[str]:
    """Rules as flags: a file, or fields to set.

    >>> rules({"side": "b"}), rules("mine.toml"), rules({"points_to_win": 6}, "-b")
    (['--set=side=b'], ['--rules=mine.toml'], ['--rules-b=points_to_win=6'])
    """
    sets, file = fields_or_file(given)
    flag = f"--rules{suffix}" if suffix else "--set"
    return [f"{flag}={one}" for one in sets] + ([] if file is None else [f"--rules{suffix}={file}"])


def fields_or_file(given: Mapping[str, Any] | str | os.PathLike[str] | None) -> tuple[list[str], str | None]:
    """Rules as fields to set and a file, one of which there is at most.

    >>> fields_or_file({"points_to_win": (8, 10)}), fields_or_file("mine.toml")
    ((['points_to_win=[8, 10]'], None), ([], 'mine.toml'))
    """
    if isinstance(given, Mapping):
        return [f"{name}={word(value)}" for name, value in flat(given)], None
    return [], None if given is None else word(given)
