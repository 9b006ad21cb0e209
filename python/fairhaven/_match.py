"""A match in which Python decides for some seats."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fairhaven import _native, _words
from fairhaven._agent import Agent

Path_ = str | os.PathLike[str]


class Match:
    """A match with some seats outside: Python is asked what they do, and the program's agents play the others.

    A seat is told what its player may know and nothing else, in the messages of ``docs/protocol.md``: what happened,
    what it sees, and the list of what it may do. Decisions with one legal action are not asked.

    Parameters
    ----------
    game : str
        The game.
    seats : int or iterable of int
        Seats outside, from 1.
    agents : str, path, Agent or iterable
        Who sits in the others: a level (``newcomer`` to ``grandmaster``) or any agent; one for all, or one for each.
    players : int, optional
        Players at the table; the game's usual number if not given.
    seed : int
        Seed of the deal and of all luck: the same answers make the same match.
    rules : mapping or path, optional
        Fields of the rule set, or a file of TOML.
    wants : iterable of str
        What is told besides the legal list: ``events``, ``steps``, ``view``, ``words``, and ``inputs``, the numbers of
        ``export``.

    Attributes
    ----------
    seat : int or None
        The seat that is asked; None once the match is over.
    question : dict
        The question: ``legal`` is the list of what may be done, beside it what was wanted.
    told : list of dict
        What the seat was told before the question, since it was asked last.
    outcome : dict or None
        How the match has ended, by seat.

    Examples
    --------
    >>> import fairhaven
    >>> match = fairhaven.Match("on-the-road", seats=[2], agents="greedy", seed=3)
    >>> while match.seat:
    ...     match.choose(0)
    >>> sorted(match.outcome)
    ['end', 'points', 'ranks', 'turns', 'winner']
    """

    def __init__(
        self,
        game: str,
        *,
        seats: int | Iterable[int] = (1,),
        agents: Path_ | Agent | Iterable[Path_ | Agent] = "medium",
        players: int | None = None,
        seed: int = 1,
        rules: Mapping[str, Any] | Path_ | None = None,
        wants: Iterable[str] = ("events", "view"),
    ) -> None:
        outside = _words.seats(seats)
        if not outside:
            raise ValueError("no seat is outside: name one with seats=")
        sets, file = _words.fields_or_file(rules)
        table, deal = _words.players(players), _words.seed(seed)
        self._open = _native.OpenMatch(game, sets, file, outside, _words.joined(agents), table, deal, list(wants))
        self._seats = outside
        self.seat: int | None = None
        self.question: dict[str, Any] = {}
        self.told: list[dict[str, Any]] = []
        self.outcome: dict[str, Any] | None = None
        self._advance()

    def choose(self, index: int) -> None:
        """Does what stands at a place of the legal list, and plays on to the next question.

        Raises
        ------
        ValueError
            If nobody is asked, or the list has no such place; nothing has changed then.
        """
        if self.seat is None:
            raise ValueError("the match is over")
        answer = {"type": "choose", "id": self.question["id"], "index": operator.index(index)}
        self._open.answer(self.seat, json.dumps(answer))
        self._advance()

    def play(self, choose: Callable[[Match], int]) -> dict[str, Any]:
        """Plays to the end; `choose` gets the match and returns a place in ``match.question["legal"]``."""
        while self.seat is not None:
            self.choose(choose(self))
        assert self.outcome is not None
        return self.outcome

    @property
    def record(self) -> str:
        """The record so far, which ``fairhaven.replay`` and the program read: lines of JSON."""
        return self._open.record()

    def _advance(self) -> None:
        self.seat = self._open.advance()
        if self.seat is None:
            *_, over = _messages(self._open.tell(self._seats[0]))
            self.outcome = over["outcome"]
            self.question, self.told = {}, []
            return
        *self.told, self.question = _messages(self._open.tell(self.seat))


def _messages(lines: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.splitlines()]
