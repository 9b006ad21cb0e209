"""Words of a command line from arguments of Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

#: Flags whose values are one word with commas between them. Others are said again for each value.
_LISTS = frozenset(["agents", "levels", "values", "players", "rates", "estimands", "fields", "judges", "against"])


def word(value: Any) -> str:
    """A value as the program reads it.

    >>> [word(value) for value in (True, 2, 0.5, "side")]
    ['true', '2', '0.5', 'side']
    """
    if isinstance(value, bool):
        return str(value).lower()
    return str(os.fspath(value)) if isinstance(value, os.PathLike) else str(value)


def flags(options: Mapping[str, Any]) -> list[str]:
    """Options as flags: what is None or False is left out, and True has no value.

    >>> flags({"seed": 3, "force": True, "out": None, "levels": ["greedy", "expert"]})
    ['--seed=3', '--force', '--levels=greedy,expert']
    >>> flags({"require": ["a < b", "c > 1"], "param": {"haste": "0..4"}})
    ['--require=a < b', '--require=c > 1', '--param=haste=0..4']
    """
    return [said for name, value in options.items() for said in _flag(name, value)]


def _flag(name: str, value: Any) -> Iterator[str]:
    flag = "--" + name.replace("_", "-")
    if value is None or value is False:
        return
    if value is True:
        yield flag
    elif isinstance(value, Mapping):
        yield from (f"{flag}={key}={word(one)}" for key, one in flat(value))
    elif isinstance(value, str | os.PathLike) or not isinstance(value, Iterable):
        yield f"{flag}={word(value)}"
    elif name in _LISTS:
        yield f"{flag}={','.join(map(word, value))}"
    else:
        yield from (f"{flag}={word(one)}" for one in value)


def flat(fields: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Fields of fields by their names with points between them; a list is written as TOML has it.

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
    if given is None:
        return []
    if isinstance(given, Mapping):
        flag = f"--rules{suffix}" if suffix else "--set"
        return [f"{flag}={name}={word(value)}" for name, value in flat(given)]
    return [f"--rules{suffix}={word(given)}"]
