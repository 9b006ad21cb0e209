"""Agents that are functions of Python: they can be named wherever an agent can."""

from __future__ import annotations

import json
import operator
import re
import socket
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from fairhaven import _native

#: Chooses for a batch of questions: a place in the legal list of each.
Choose = Callable[[list[dict[str, Any]]], Sequence[int]]

#: The most matches that are played at once on a process of the program.
_MATCHES_MAX = 64

#: The names of levels, which are no functions.
_LEVELS = frozenset(
    ["newcomer", "novice", "beginner", "easy", "medium", "hard", "expert", "master", "grandmaster"]
)

#: Agents by name, as long as somebody holds them.
_living: weakref.WeakValueDictionary[str, Agent] = weakref.WeakValueDictionary()

#: What functions have raised, until the call that asked them says so.
failures: list[BaseException] = []

#: Whether this thread is in a function that the program has called, and so may not call the program.
inside = threading.local()


class Agent:
    """A function as an agent: it gets a batch of questions and returns a place in the legal list of each.

    The matches of a run are played side by side, and their questions come together, so that a net is called once for
    many.
    A question is a dict: the message ``decide`` of ``docs/protocol.md`` with ``legal`` and what was wanted, beside it
    ``events`` and ``steps``, the messages of these kinds since the seat's last question, and ``match``, the message
    that began the match, whose ``seed`` is the seat's own. An agent that draws its luck from that seed plays the same
    match again.

    Parameters
    ----------
    choose : callable
        The function. It is called from several threads, one after the other.
    name : str, optional
        What tables call it, a word; the function's own name if not given. It is the last that was called so.
    wants : iterable of str
        What is told besides the legal list: ``events``, ``steps``, ``view``, ``words``, and ``inputs``, the numbers of
        ``export``.
    offers : bool
        Whether the list holds offers of trades, which are most of its length.
    matches : int
        How many matches are played at once at most, 2 to 64.

    Examples
    --------
    >>> import fairhaven
    >>> last = fairhaven.Agent(lambda asked: [len(one["legal"]) - 1 for one in asked], name="last")
    >>> run = fairhaven.simulate("on-the-road", agents=[last, "random", "random"], matches=30)
    >>> sorted(set(run["seats"].column("agent").to_pylist()))
    ['last', 'random']
    """

    def __init__(
        self,
        choose: Choose,
        *,
        name: str | None = None,
        wants: Iterable[str] = ("events", "view"),
        offers: bool = False,
        matches: int = 32,
    ) -> None:
        self.name = name or getattr(choose, "__name__", "agent").strip("<>")
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]*", self.name) or self.name in _LEVELS:
            raise ValueError(f"{self.name!r} is no name: letters, digits, - and _, and not that of a level")
        if not 2 <= matches <= _MATCHES_MAX:
            raise ValueError(f"{matches} matches at once; 2 to {_MATCHES_MAX}")
        self._ready = {
            "type": "ready",
            "protocol": 1,
            "name": self.name,
            "wants": list(wants),
            "list": "full" if offers else "no_offers",
            "matches": matches,
        }
        self._place = tempfile.TemporaryDirectory(prefix="fairhaven-")
        listener = socket.socket(socket.AF_UNIX)
        path = str(Path(self._place.name, "socket"))
        listener.bind(path)
        listener.listen()
        self._finalizer = weakref.finalize(self, _shut, listener)
        command = [sys.executable, str(Path(__file__).with_name("_relay.py")), path]
        self._strategy = (
            f'kind = "exec"\nabout = "a function of Python"\nprovenance = "written by its user"\n\n'
            f"[parameters]\ncommand = {json.dumps(command)}\n"
        )
        _native.name_strategy(self.name, self._strategy)
        _living[self.name] = self
        accept = threading.Thread(target=_accept, args=[listener, choose, self._ready], daemon=True)
        accept.start()

    def __str__(self) -> str:
        if _living.get(self.name) is not self:
            raise ValueError(f"another function has been called {self.name!r} since: name one of them by name=")
        return self.name


def _shut(listener: socket.socket) -> None:
    # Wakes whoever accepts; closing it does not.
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


def _accept(listener: socket.socket, choose: Choose, ready: dict[str, Any]) -> None:
    """Serves each process of the program on a thread of its own; the function is called by one at a time."""
    lock = threading.Lock()
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_serve, args=[connection, choose, ready, lock], daemon=True).start()


def _serve(connection: socket.socket, choose: Choose, ready: dict[str, Any], lock: threading.Lock) -> None:
    inside.function = True
    try:
        with connection, connection.makefile("r", encoding="utf-8") as lines:
            for answers in _answers(lines, choose, ready, lock):
                connection.sendall("".join(json.dumps(answer) + "\n" for answer in answers).encode())
    except (BrokenPipeError, ConnectionResetError):
        return  # The program is gone.
    except BaseException as error:
        failures.append(error)


def _answers(
    lines: Iterable[str], choose: Choose, ready: dict[str, Any], lock: threading.Lock
) -> Iterator[list[dict[str, Any]]]:
    """What is said to the lines of the program."""
    matches: dict[int, dict[str, Any]] = {}
    told: dict[int, dict[str, list[dict[str, Any]]]] = {}
    asked: list[dict[str, Any]] = []
    for line in lines:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                yield [ready]
            case "match":
                matches[message["match"]] = message
                told[message["match"]] = _untold()
            case "event" | "step" as kind:
                told[message["match"]][f"{kind}s"].append(message)
            case "decide":
                number = message["match"]
                asked.append(message | told[number] | {"match": matches[number]})
                told[number] = _untold()
            case "go":
                with lock:
                    chosen = [operator.index(index) for index in choose(asked)]
                if len(chosen) != len(asked):
                    raise ValueError(f"{len(chosen)} answers to {len(asked)} questions")
                yield [
                    {"type": "choose", "id": question["id"], "index": index}
                    for question, index in zip(asked, chosen, strict=True)
                ]
                asked = []
            case "over":
                matches.pop(message["match"], None)
                told.pop(message["match"], None)
            case "bye":
                return


def _untold() -> dict[str, list[dict[str, Any]]]:
    """What a seat has been told since its last question, by the plural of its messages: nothing yet."""
    return {"events": [], "steps": []}
