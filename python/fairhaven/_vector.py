"""Matches side by side in arrays: what the environments stand on. NumPy is needed, and nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairhaven import _native, _words

#: The largest number that is handed to the engine as an action.
_ACTION_MAX = np.iinfo(np.int32).max

#: The most matches side by side that are asked for; memory ends long before.
_MATCHES_MAX = 2**32 - 1

#: The columns of an action in a legal list, beside those of its kind's fields.
_CARDS = ("brick", "lumber", "wool", "grain", "ore")
COLUMNS = ("kind", "field_1", "field_2", "field_3", *(f"{way}_{card}" for way in ("give", "get") for card in _CARDS))


@dataclass(frozen=True)
class Group:
    """Entities of one kind in an observation: `count` rows of numbers, which stand from `offset` on.

    Attributes
    ----------
    name : str
        What they are.
    offset : int
        Where the first number stands.
    count : int
        How many entities there are; seats are counted from whoever looks.
    features : tuple of (str, int)
        The numbers of each entity: a name, and how many there are under it.
    """

    name: str
    offset: int
    count: int
    features: tuple[tuple[str, int], ...]

    @property
    def width(self) -> int:
        """How many numbers an entity has."""
        return sum(width for _, width in self.features)

    @property
    def length(self) -> int:
        """How many numbers there are."""
        return self.count * self.width

    def of(self, observations: NDArray[Any], feature: str | None = None) -> NDArray[Any]:
        """The group in observations, a row for each entity; or one feature of it. A view: nothing is copied."""
        rows = observations[..., self.offset : self.offset + self.length]
        rows = rows.reshape(*observations.shape[:-1], self.count, self.width)
        if feature is None:
            return rows
        start = 0
        for name, width in self.features:
            if name == feature:
                return rows[..., start : start + width]
            start += width
        raise KeyError(feature)


class Layout(Mapping[str, Group]):
    """Where each number of an observation stands: groups by their names."""

    def __init__(self, groups: Iterable[Group]) -> None:
        self._groups = {group.name: group for group in groups}
        self.length = sum(group.length for group in self._groups.values())

    def __getitem__(self, name: str) -> Group:
        return self._groups[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def __repr__(self) -> str:
        return "\n".join(
            f"{group.offset:5} {group.name}: {group.count} x ({', '.join(_feature(*one) for one in group.features)})"
            for group in self._groups.values()
        )


def _feature(name: str, width: int) -> str:
    return name if width == 1 else f"{name} {width}"


@dataclass(frozen=True)
class ActionKind:
    """Actions of one kind: their numbers begin at `offset`, and the last field counts up first.

    Attributes
    ----------
    name : str
        The word in records.
    offset : int
        The first number.
    fields : tuple of (str, int)
        The fields by which actions are told apart, with how many values each has. Seats are counted from whoever acts.
    ways : int
        Actions with the same fields, which differ in the cards that they pay: they are told apart by their order in the
        legal list.
    """

    name: str
    offset: int
    fields: tuple[tuple[str, int], ...]
    ways: int


class Actions(Sequence[ActionKind]):
    """The actions of a game by number."""

    def __init__(self, kinds: Iterable[ActionKind], count: int) -> None:
        self._kinds = tuple(kinds)
        self.size = count

    def __getitem__(self, place: Any) -> Any:
        return self._kinds[place]

    def __len__(self) -> int:
        return len(self._kinds)

    def __repr__(self) -> str:
        def kind(one: ActionKind) -> str:
            ways = [f"{one.ways} ways"] if one.ways > 1 else []
            fields = ", ".join([*(f"{name} {values}" for name, values in one.fields), *ways])
            return f"{one.offset:5} {one.name}" + (f": {fields}" if fields else "")

        return "\n".join(map(kind, self._kinds))

    def number(self, kind: str, *fields: int, way: int = 0) -> int:
        """The number of an action, by the values of its fields."""
        found = next(one for one in self._kinds if one.name == kind)
        number = 0
        for (name, values), value in zip(found.fields, fields, strict=True):
            if not 0 <= value < values:
                raise ValueError(f"{name} is 0 to {values - 1}")
            number = number * values + value
        return found.offset + number * found.ways + way

    def describe(self, number: int) -> dict[str, Any]:
        """What a number stands for: ``do``, the kind, and the values of its fields."""
        kind = max((one for one in self._kinds if one.offset <= number), key=lambda one: one.offset)
        rest, way = divmod(number - kind.offset, kind.ways)
        values = []
        for name, count in reversed(kind.fields):
            rest, value = divmod(rest, count)
            values.append((name, value))
        ways = [("way", way)] if kind.ways > 1 else []
        return {"do": kind.name, **dict(reversed(values)), **dict(ways)}


class Lists(NamedTuple):
    """What may be done in each match, one list behind the other.

    Attributes
    ----------
    starts : array of int64
        Where the list of each match begins; at last how long all are together.
    numbers : array of int32
        The number of each action.
    columns : array of int16
        The actions in numbers, a row each: `COLUMNS`.
    """

    starts: NDArray[np.int64]
    numbers: NDArray[np.int32]
    columns: NDArray[np.int16]


@dataclass
class Ended:
    """A match that has ended.

    Attributes
    ----------
    place : int
        Its place among those side by side.
    deal : int
        The number of its deal, ``block`` in records.
    seat : int
        The seat that decided last outside, from 1.
    winner : int
        The seat that has won; 0 if nobody has.
    end : str
        Why it ended: ``won``, ``turn_limit`` or ``standstill``.
    points : list of int
        Points by seat.
    turns : int
        The turn in which it ended.
    record : str
        Its record, if records are written.
    seen : array
        What each seat outside sees at the end, seat by seat, if observations are wanted.
    """

    place: int
    deal: int
    seat: int
    winner: int
    end: str
    points: list[int]
    turns: int
    record: str
    seen: NDArray[np.int16] = field(repr=False, compare=False)


@dataclass
class Asked:
    """Decisions that a function is asked for, an entry each.

    Attributes
    ----------
    observations : array
        What the seats see.
    masks : array of int8
        For each action 1 if it is legal.
    seats : array of uint8
        The seats that decide, from 1.
    matches : array of int64
        The places of the matches.
    """

    observations: NDArray[Any]
    masks: NDArray[np.int8]
    seats: NDArray[np.uint8]
    matches: NDArray[np.int64]


#: A function that plays seats of many matches: it gets decisions, and returns the number of an action for each.
Opponent = Callable[[Asked], "NDArray[np.integer[Any]] | Sequence[int]"]

#: Who sits in seats that don't learn: an agent by name or by its file, or a function; one for all, or one for each.
Opponents = str | os.PathLike[str] | Opponent | Iterable[str | os.PathLike[str] | Opponent]


def action_numbers(given: Any, n: int) -> NDArray[np.int32]:
    """The numbers of so many actions as the engine takes them: nothing is rounded or wrapped, and -1, which leaves a
    match of `Matches` as it is, is refused.

    >>> action_numbers([3, 0], 2).tolist()
    [3, 0]
    >>> action_numbers([7.9], 1)
    Traceback (most recent call last):
    ValueError: actions are whole numbers, not float64
    """
    numbers = whole_numbers(given, n)
    wrong = np.flatnonzero((numbers < 0) | (numbers > _ACTION_MAX))
    if len(wrong):
        raise ValueError(f"{numbers[wrong[0]]} at place {wrong[0]} is no legal action")
    return np.ascontiguousarray(numbers, np.int32)


def whole_numbers(given: Any, n: int) -> NDArray[np.integer[Any]]:
    """So many whole numbers, as they were given."""
    numbers: NDArray[np.integer[Any]] = np.asarray(given)
    if numbers.shape != (n,):
        raise ValueError(f"actions have the shape {numbers.shape}, not {(n,)}: one for each match that is asked")
    if numbers.dtype.kind not in "iu":
        raise ValueError(f"actions are whole numbers, not {numbers.dtype}")
    return numbers


class Matches:
    """Matches side by side: the engine plays each to the next decision outside, on threads, without Python's lock.

    The arrays are this object's: each reset and step writes them anew. Decisions with one legal action are not asked. A
    match that ends is dealt anew at once, and one in which nobody outside has a choice is passed over.

    Parameters
    ----------
    game : str
        The game.
    n : int
        How many matches.
    seats : iterable of int or None
        The seats outside, from 1; all if it is empty. None for one seat, the next one in each deal.
    agents : str, path or iterable
        Who sits in the others: one for all, or one for each.
    players, rules :
        As `Match` has them.
    seed : int
        Seed of all deals: match `i` is deal `i`, and deal `i + n` after it.
    offers : bool
        Whether seats outside may offer trades.
    records : bool
        Whether records are written.
    threads : int, optional
        How many threads play; as many as there are cores if not given. No result depends on it.
    dtype : dtype or None
        ``int16`` or ``float32`` of the observations; None if they are not wanted.
    masks : bool
        Whether masks are wanted.
    """

    def __init__(
        self,
        game: str,
        n: int,
        *,
        seats: Iterable[int] | None = (),
        agents: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = "random",
        players: int | None = None,
        rules: Mapping[str, Any] | str | os.PathLike[str] | None = None,
        seed: int = 1,
        offers: bool = False,
        records: bool = False,
        threads: int | None = None,
        dtype: Any = np.int16,
        masks: bool = True,
    ) -> None:
        self.n = n = _words.number("matches", n, 1, _MATCHES_MAX)
        sets, file = _words.fields_or_file(rules)
        outside = None if seats is None else _words.seats(seats)
        table, deal = _words.players(players), _words.seed(seed)
        on = _words.threads(threads)
        named = _words.joined(agents)
        self._native = _native.Vector(game, sets, file, n, outside, named, table, deal, offers, records, on)
        described = json.loads(self._native.described())
        self.players: int = described["players"]
        self.layout = Layout(
            Group(one["name"], one["offset"], one["count"], tuple(map(tuple, one["features"])))
            for one in described["observations"]["groups"]
        )
        self.actions = Actions(
            (
                ActionKind(one["name"], one["offset"], tuple(map(tuple, one["fields"])), one["ways"])
                for one in described["actions"]["kinds"]
            ),
            described["actions"]["count"],
        )
        #: What the seat that is asked sees, a row for each match.
        self.observations = np.zeros((n, self.layout.length), dtype) if dtype is not None else None
        #: For each action 1 if it is legal, a row for each match.
        self.masks = np.zeros((n, self.actions.size), np.int8) if masks else None
        #: The seat that is asked, from 1.
        self.seats = np.zeros(n, np.uint8)
        #: The number of the deal, ``block`` in records.
        self.deals = np.zeros(n, np.uint64)
        self._arrays = (self.observations, self.masks, self.seats, self.deals)

    def reset(self, seed: int | None = None) -> None:
        """Deals all matches anew: the first ones of a seed, or the next ones."""
        self._native.reset(None if seed is None else _words.seed(seed), self._arrays)

    def step(self, actions: NDArray[np.int32], *, places: bool = False) -> list[Ended]:
        """Takes an action in each match, by its number or by its place in the legal list; -1 leaves a match as it is.

        Raises
        ------
        ValueError
            If an action is not legal; nothing has changed then.
        """
        return [_ended(*one) for one in self._native.step(actions, places, self._arrays)]

    def sample(self, *, places: bool = False) -> NDArray[np.int32]:
        """A legal action for each match, each equally likely."""
        return self._native.sample(places)

    def lists(self) -> Lists:
        """What may be done in each match."""
        starts, numbers, columns = self._native.lists()
        return Lists(starts, numbers, columns.reshape(-1, len(COLUMNS)))

    def seen(self, place: int, seat: int) -> NDArray[np.int16]:
        """What an outside seat of a match sees, asked or not."""
        return self._native.seen(place, seat)

    def record(self, place: int) -> str:
        """The record of a match so far."""
        return self._native.record(place)


def _ended(
    place: int, deal: int, seat: int, winner: int, end: str, points: list[int], turns: int, seen: Any, record: str
) -> Ended:
    return Ended(place, deal, seat, winner, end, list(points), turns, record, seen)


class Learners:
    """Matches in which one seat learns and functions of Python play others: each function is asked for many decisions
    at once, until the seat that learns decides in all matches.

    `seat` is a number from 1, ``"turns"`` for the next one in each deal, or ``"all"`` if every seat learns.
    """

    def __init__(
        self,
        game: str,
        n: int,
        *,
        seat: int | str,
        opponents: Opponents,
        players: int | None,
        **options: Any,
    ) -> None:
        # A function may be an object that can be gone through, such as a net of layers.
        all_: list[Any] = [opponents] if callable(opponents) else _words.each(opponents)
        if seat not in ("all", "turns"):
            seat = _words.seat(seat)
        functions = [one for one in all_ if callable(one)]
        self._seat = seat
        self._functions: dict[int, Opponent] = {}
        outside: list[int] | None = []
        named: list[Any] = []
        if seat == "all":
            named = ["random"]
        elif not functions:
            outside = None if seat == "turns" else [int(seat)]
            named = all_
        elif seat == "turns":
            if len(all_) > 1:
                raise ValueError("where the seat that learns takes turns, one function plays all others")
        else:
            outside, named = self._seated(game, int(seat), all_, players, options.get("rules"))
        if functions and seat != "all" and not self._functions:
            self._functions = dict.fromkeys(range(1, 7), functions[0])
        if functions and not options.get("masks", True):
            raise ValueError("functions that play need masks")
        self.matches = Matches(game, n, seats=outside, agents=named or "random", players=players, **options)
        if seat not in ("all", "turns") and not 1 <= int(seat) <= self.matches.players:
            raise ValueError(f"there is no seat {seat} at a table of {self.matches.players}")

    def _seated(
        self, game: str, seat: int, opponents: list[Any], players: int | None, rules: Any
    ) -> tuple[list[int], list[Any]]:
        """Who sits in which seat: the seats outside, and the agents of the others."""
        table = Matches(game, 1, players=players, rules=rules, dtype=None, masks=False, threads=1).players
        others = [other for other in range(1, table + 1) if other != seat]
        each = opponents * len(others) if len(opponents) == 1 else opponents
        if len(each) != len(others):
            raise ValueError(f"{len(each)} opponents for {len(others)} other seats; name one for all, or one for each")
        self._functions = {other: one for other, one in zip(others, each, strict=True) if callable(one)}
        named = [one for one in each if not callable(one)]
        return sorted([seat, *self._functions]), named

    @property
    def learner(self) -> NDArray[np.integer[Any]]:
        """The seat that learns in each match, from 1; where all learn, the one that is asked."""
        if self._seat == "all":
            return self.matches.seats
        if self._seat == "turns":
            return self.matches.deals % self.matches.players + 1
        return np.full(self.matches.n, int(self._seat))

    def reset(self, seed: int | None) -> None:
        """Deals all matches anew."""
        self.matches.reset(seed)
        self._play_on()

    def step(self, actions: NDArray[Any]) -> list[tuple[Ended, int]]:
        """Takes an action in each match. The matches that have ended, each with the seat that learned in it; those in
        which it had no choice are left out."""
        deals, learner = self.matches.deals.copy(), self.learner.copy()
        ended = self.matches.step(action_numbers(actions, self.matches.n))
        ended += self._play_on()
        return [(one, int(learner[one.place])) for one in ended if one.deal == deals[one.place]]

    def _play_on(self) -> list[Ended]:
        """Asks functions until the seat that learns decides in every match."""
        matches = self.matches
        ended: list[Ended] = []
        while self._functions:
            others = matches.seats != self.learner
            if not others.any():
                break
            assert matches.masks is not None
            actions = np.full(matches.n, -1, np.int32)
            seats = [int(seat) for seat in np.unique(matches.seats[others])]
            for function in dict.fromkeys(self._functions[seat] for seat in seats):
                mine = [seat for seat in seats if self._functions[seat] is function]
                at = np.flatnonzero(others & np.isin(matches.seats, mine))
                seen = matches.observations
                seen = np.zeros((len(at), 0), np.int16) if seen is None else seen[at]
                chosen = function(Asked(seen, matches.masks[at], matches.seats[at], at))
                actions[at] = action_numbers(chosen, len(at))
            ended += matches.step(actions)
        return ended

    def reward(self, ended: Ended, seat: int, loss: float) -> float:
        """1 for the winner, `loss` for others, 0 if nobody has won."""
        if ended.winner == 0:
            return 0.0
        return 1.0 if ended.winner == seat else loss

    def last_seen(self, ended: Ended, seat: int) -> NDArray[np.int16]:
        """What a seat outside saw at the end of a match."""
        rows: Any = ended.seen.reshape(-1, self.matches.layout.length)
        outside = sorted({seat, *self._functions}) if self._seat not in ("all", "turns") else range(1, 7)
        seen: NDArray[np.int16] = rows[0 if len(rows) == 1 else list(outside).index(seat)]
        return seen
