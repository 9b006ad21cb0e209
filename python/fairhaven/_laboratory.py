"""The questions of the laboratory as functions, each for the command of its name (`fairhaven COMMAND --help`).

What all of them take:

game : str
    The game: ``on-the-road``, ``struggle``, ``base``, ``two-player`` or ``boats``.
rules : mapping, path, optional
    Fields of the rule set, such as ``{"side": "b", "metropolis": {"cost": {"wool": 2}}}``, or a file of TOML.
seed : int
    The master seed: the same seed plays the same matches.
out : path, optional
    A directory for the run, which the program can go on with. Without one, nothing is written.
threads : int, optional
    Threads that play; all cores if not given. Results don't depend on it, unless agents search by time.
progress : bool or callable
    True shows a bar; a callable gets the matches played and those of the plan, about four times a second.
options
    Any other flag of the command, with ``_`` in place of ``-``: ``until="ci=0.5pp"``, ``require=["..."]``,
    ``force=True``. Of those that say what is printed, ``quiet`` and ``full`` do nothing, and ``format`` is refused.

All of them return a `Run`, and raise `ValueError` with the program's words where something does not fit.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fairhaven._agent import Agent
from fairhaven._run import Interrupted, Progress, Run, found, opened, run, said
from fairhaven._words import each, flags, word
from fairhaven._words import rules as rules_words

Path_ = str | os.PathLike[str]
Rules = Mapping[str, Any] | Path_ | None
Agents = Path_ | Agent | Iterable[Path_ | Agent]


def _ask(
    command: str,
    places: Iterable[Path_ | Agent | None],
    rules: Rules,
    options: dict[str, Any],
) -> Run:
    """Calls a command that plays, with the words that all of them take."""
    threads, progress = options.pop("threads", None), options.pop("progress", False)
    rules_a, rules_b = options.pop("rules_a", None), options.pop("rules_b", None)
    words: list[str] = [
        *command.split(),
        *(word(place) for place in places if place is not None),
        *rules_words(rules),
        *rules_words(rules_a, "-a"),
        *rules_words(rules_b, "-b"),
        *flags(options),
    ]
    return run(words, threads=threads, progress=progress)


def simulate(
    game: str,
    *,
    agents: Agents = "heuristic",
    matches: int | str | None = None,
    players: int | None = None,
    rules: Rules = None,
    seed: int = 1,
    out: Path_ | None = None,
    **options: Any,
) -> Run:
    """Plays matches, and tells who wins, how long they take, and what cards and buildings go with winning.

    Parameters
    ----------
    agents : str or iterable of str
        Agents by seat; one fills all seats.
    matches : int or str, optional
        Matches to play, rounded up to whole blocks; 20,000 if not given.
    players : int, optional
        Players at the table.

    Examples
    --------
    >>> import fairhaven
    >>> run = fairhaven.simulate("on-the-road", agents="builder", matches=400)
    >>> run["seats"].column_names[:4]
    ['seat', 'agent', 'metric', 'estimate']
    >>> run.document["played"]["matches"]
    400
    """
    given = {"agents": agents, "matches": matches, "players": players, "seed": seed, "out": out}
    return _ask("simulate", [game], rules, given | options)


def compare(
    game: str,
    a: Path_ | Agent | None = None,
    b: Path_ | Agent | None = None,
    *,
    rules: Rules = None,
    rules_a: Rules = None,
    rules_b: Rules = None,
    matches: int | str | None = None,
    players: int | None = None,
    seed: int = 1,
    out: Path_ | None = None,
    **options: Any,
) -> Run:
    """Is agent A stronger than agent B? Or, with `rules_a` or `rules_b`: what does a change of rules do?

    Parameters
    ----------
    a, b : str, optional
        The agents, where agents are compared.
    rules_a, rules_b : mapping or path, optional
        Changes of the rules, where rules are compared; the agents are then `agents`, by seat.

    Examples
    --------
    >>> import fairhaven
    >>> run = fairhaven.compare("on-the-road", "builder", "random", players=3)
    >>> run.passed
    True
    """
    given = {"rules_a": rules_a, "rules_b": rules_b, "matches": matches, "players": players}
    return _ask("compare", [game, a, b], rules, given | {"seed": seed, "out": out} | options)


def balance(
    game: str,
    *,
    choice: str | None = None,
    factor: Mapping[str, str] | None = None,
    levels: Agents | None = None,
    blocks: int | str | None = None,
    rules: Rules = None,
    seed: int = 1,
    out: Path_ | None = None,
    **options: Any,
) -> Run:
    """What a choice, a card or a field of the rule set does, by intervention.

    Parameters
    ----------
    choice : str, optional
        The choice whose options are compared, such as ``metropolis``.
    factor : mapping, optional
        Fields of the rule set with a low and a high value, such as ``{"robber.hand_limit": "7,5"}``.
    levels : str or iterable of str, optional
        Levels of play: each fills all seats; ``easy``, ``hard`` and ``heuristic`` if not given.
    blocks : int or str, optional
        Deals, each with all matches that are compared on it.
    """
    given = {"choice": choice, "factor": factor, "levels": levels, "blocks": blocks}
    return _ask("balance", [game], rules, given | {"seed": seed, "out": out} | options)


def tournament(
    game: str,
    agents: Agents,
    *,
    players: int | None = None,
    blocks: int | str | None = None,
    rules: Rules = None,
    seed: int = 1,
    out: Path_ | None = None,
    **options: Any,
) -> Run:
    """Who is the strongest of several agents, and by how much?

    Parameters
    ----------
    agents : str or iterable of str
        The agents; in one text there are commas between them.
    """
    given = {"players": players, "blocks": blocks, "seed": seed, "out": out}
    named = agents.split(",") if isinstance(agents, str) else each(agents)
    return _ask("tournament", [game, *named], rules, given | options)


def sweep(
    game: str,
    *,
    field: str | None = None,
    param: str | None = None,
    values: str | Iterable[Any] | None = None,
    agents: Agents | None = None,
    players: int | Iterable[int] | None = None,
    blocks: int | str | None = None,
    rules: Rules = None,
    seed: int = 1,
    out: Path_ | None = None,
    **options: Any,
) -> Run:
    """A field of the rule set, an agent's parameter or the number of players over a range.

    Parameters
    ----------
    values : str or iterable
        Values, or a range such as ``1..3``.
    """
    given = {"field": field, "param": param, "values": values, "agents": agents}
    more = {"players": players, "blocks": blocks, "seed": seed, "out": out}
    return _ask("sweep", [game], rules, given | more | options)


def sensitivity(game: str, *, rules: Rules = None, seed: int = 1, out: Path_ | None = None, **options: Any) -> Run:
    """Which defaults matter? Each field of the rule set is moved by a step either way."""
    return _ask("sensitivity", [game], rules, {"seed": seed, "out": out} | options)


def luck(
    game: str,
    *,
    agents: Agents = "heuristic",
    blocks: int | str | None = None,
    rules: Rules = None,
    seed: int = 1,
    out: Path_ | None = None,
    **options: Any,
) -> Run:
    """How much of a result is skill, seat, deal and luck."""
    given = {"agents": agents, "blocks": blocks, "seed": seed, "out": out}
    return _ask("luck", [game], rules, given | options)


def diagnose(
    game: str,
    *,
    blocks: int | str | None = None,
    rules: Rules = None,
    seed: int = 1,
    out: Path_ | None = None,
    **options: Any,
) -> Run:
    """What stands out in a game? Figures beyond their neutral ranges, the farthest first."""
    return _ask("diagnose", [game], rules, {"blocks": blocks, "seed": seed, "out": out} | options)


def map_judge(
    game: str,
    file: Path_ | None = None,
    *,
    blocks: int | str | None = None,
    rules: Rules = None,
    seed: int = 1,
    out: Path_ | None = None,
    **options: Any,
) -> Run:
    """What founding places, harbours and seats of a map are worth.

    Parameters
    ----------
    file : path, optional
        The map; the one that the seed deals if not given.
    """
    given = {"blocks": blocks, "seed": seed, "out": out}
    return _ask("map judge", [game, None if file is None else os.fspath(file)], rules, given | options)


def map_make(game: str, *, rules: Rules = None, seed: int = 1, out: Path_ | None = None, **options: Any) -> Run:
    """Finds a dealt map that gives every seat the same chance, and certifies it."""
    return _ask("map make", [game], rules, {"seed": seed, "out": out} | options)


def reliability(game: str, *, rules: Rules = None, seed: int = 1, out: Path_ | None = None, **options: Any) -> Run:
    """Are win probabilities calibrated? What agents say of positions against who won."""
    return _ask("reliability", [game], rules, {"seed": seed, "out": out} | options)


def solve(
    game: str,
    *,
    choice: str,
    fields: str | Iterable[str],
    rules: Rules = None,
    seed: int = 1,
    out: Path_ | None = None,
    **options: Any,
) -> Run:
    """Finds the smallest change of rules that makes options worth the same."""
    given = {"choice": choice, "fields": fields, "seed": seed, "out": out}
    return _ask("solve", [game], rules, given | options)


def levels(game: str, *, rules: Rules = None, seed: int = 1, out: Path_ | None = None, **options: Any) -> Run:
    """Finds the parameter at which an agent wins a given share of matches, and certifies it."""
    return _ask("levels", [game], rules, {"seed": seed, "out": out} | options)


def tune(
    game: str,
    agent: str,
    *,
    rules: Rules = None,
    seed: int = 1,
    out: Path_ | None = None,
    **options: Any,
) -> Run:
    """Finds parameters with which an agent wins more, and proves it."""
    return _ask("tune", [game, agent], rules, {"seed": seed, "out": out} | options)


def learn(game: str, *, rules: Rules = None, seed: int = 1, out: Path_ | None = None, **options: Any) -> Run:
    """Learns a planner's weights, or with ``net=True`` a net, from matches against itself."""
    return _ask("learn", [game], rules, {"seed": seed, "out": out} | options)


def resume(
    path: Path_,
    *,
    allow_exec: bool = False,
    threads: int | None = None,
    progress: Progress | bool = False,
    **options: Any,
) -> Run:
    """Goes on with a run that was stopped, to its end; one that has ended is opened.

    Parameters
    ----------
    allow_exec : bool
        Whether programs are started that the run names: it may come from anybody.
    """
    words = ["resume", "--format=json", *flags({"allow_exec": allow_exec} | options), "--", word(path)]
    try:
        code, out, _ = said(words, threads=threads, progress=progress)
    except Interrupted as stopped:
        if stopped.run:
            stopped.run.path = Path(path)
        raise
    if out:
        return found(json.loads(out), Path(path), code == 0)
    whole = opened(path)
    whole.passed = code == 0
    return whole


def merge(parts: Iterable[Path_], out: Path_, **options: Any) -> Run:
    """Joins the parts of a run."""
    return run(["merge", *map(word, parts), *flags({"out": out} | options)])


def open(path: Path_) -> Run:
    """A run from its directory, which is only read: its tables, and what was played; no sentences."""
    return opened(path)


def verify(
    path: Path_,
    *,
    sample: int | str | None = None,
    allow_exec: bool = False,
    threads: int | None = None,
    **options: Any,
) -> str:
    """Plays a sample of a run's blocks again, and says what was compared.

    Raises
    ------
    ValueError
        If something differs.
    """
    given = {"sample": sample, "allow_exec": allow_exec}
    code, out, err = said(["verify", *flags(given | options), "--", word(path)], threads=threads)
    if code != 0:
        raise ValueError(out.strip() or err.strip())
    return out.strip()


def explain(run: Path_, match: str | None = None, *, threads: int | None = None, **options: Any) -> dict[str, Any]:
    """Why an agent chose as it did, or which decisions were mistakes (``mistakes=True``): the program's JSON.

    Parameters
    ----------
    run : path
        The directory of a run, or a record of a match.
    match : str, optional
        The match of a run, such as ``3.1``.
    """
    words = ["explain", word(run), *([match] if match else []), *flags(options), "--format=json"]
    found: dict[str, Any] = json.loads(said(words, threads=threads)[1])
    return found


def export(run: Path_, out: Path_, *, threads: int | None = None, **options: Any) -> Path:
    """Writes the decisions of a run's matches, or its rows (``rows=True``), as a file to learn from."""
    said(["export", word(run), *flags({"out": out} | options), "--quiet"], threads=threads)
    return Path(out)


def replay(run: Path_, match: str | None = None, *, format: str | None = None, **options: Any) -> str:
    """A match of a run, or a record: in words (``text``), as lines of JSON (``jsonl``), or each decision with its legal
    list and what the seat saw (``questions``). With ``check=True``, whether a record keeps the rules.

    Parameters
    ----------
    format : str, optional
        How the match is written, ``text`` if not given; or how the record that is checked is, ``jsonl`` if not given.

    Raises
    ------
    ValueError
        If a record breaks a rule, too.
    """
    form = [f"--format={word(format)}"] if format else []
    return said(["replay", word(run), *([match] if match else []), *form, *flags(options)])[1]


def rule_set(game: str, **options: Any) -> dict[str, Any]:
    """The rule set of a game, as fields.

    Examples
    --------
    >>> import fairhaven
    >>> fairhaven.rule_set("on-the-road")["points_to_win"]
    7
    """
    return tomllib.loads(said(["rules", game, *flags(options)])[1])
