"""Environments of the games, for programs that learn. NumPy and the like are asked for when one is made."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairhaven import _native
from fairhaven._extras import extra

if TYPE_CHECKING:
    from fairhaven._gymnasium import VectorEnv
    from fairhaven._pettingzoo import AEC
    from fairhaven._vector import Opponents


def vector_env(
    game: str,
    n: int,
    *,
    players: int | None = None,
    rules: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    opponents: Opponents = "random",
    seat: int | str = 1,
    seed: int | None = None,
    threads: int | None = None,
    offers: bool = False,
    observations: str | None = "int16",
    masks: bool = True,
    loss: float = 0.0,
    copy: bool = True,
    records: bool = False,
) -> VectorEnv:
    """Many matches at once, as a vector environment of Gymnasium.

    The matches are played in the engine, on threads, while other threads of Python go on. Whoever learns is asked only
    where there is a choice; a match that ends is dealt anew in the same step (``AutoresetMode.SAME_STEP``), so that
    observation and mask are those of the next match, and ``infos["final_obs"]`` and ``infos["ended"]`` tell of the
    last one. A seat gets what its player may see and nothing else: what it remembers of earlier turns is up to whoever
    learns.

    Parameters
    ----------
    game : str
        The game.
    n : int
        How many matches.
    players : int, optional
        Players at the table; the game's usual number if not given.
    rules : mapping or path, optional
        Fields of the rule set, or a file of TOML.
    opponents : str, path, callable or iterable
        Who sits in the other seats: a level or an agent by name, which plays in the engine, or a function that gets
        many decisions at once (`Asked`: observations, masks, seats) and returns the number of an action for each. One
        for all, or one for each other seat; where the seat takes turns, those after it in turn order.
    seat : int or str
        The seat that learns, from 1; ``"turns"`` for the next one in each deal; ``"all"`` if every seat is asked, one
        after the other.
    seed : int, optional
        Seed of the first reset: the same actions make the same matches. Match `i` is deal `i`, and deal ``i + n``
        follows it.
    threads : int, optional
        How many threads play; as many as there are cores if not given. No result depends on it.
    offers : bool
        Whether the seat may offer trades, which are most of the actions of games that have them.
    observations : str or None
        ``"int16"`` or ``"float32"``; None if they are not wanted.
    masks : bool
        Whether masks are wanted. Without them `VectorEnv.lists` has what may be done.
    loss : float
        The reward of a match that another seat has won. Whoever wins gets 1, and all get 0 if nobody does.
    copy : bool
        Whether each step returns new arrays. Without it the next step writes into those of this one.
    records : bool
        Whether records are written: ``infos["ended"][i].record``, which the program replays.

    Examples
    --------
    >>> import fairhaven
    >>> env = fairhaven.vector_env("base", 64, opponents="greedy", seed=3)
    >>> seen, infos = env.reset()
    >>> seen.shape == infos["action_mask"].shape[:1] + (env.layout.length,)
    True
    >>> for _ in range(200):
    ...     seen, rewards, terminated, truncated, infos = env.step(env.sample())
    >>> env.layout["vertices"].of(seen, "settlement").shape
    (64, 54, 4)
    """
    made: VectorEnv = extra("fairhaven._gymnasium").VectorEnv(
        game,
        n,
        players=players,
        rules=rules,
        opponents=opponents,
        seat=seat,
        seed=seed,
        threads=threads,
        offers=offers,
        observations=observations,
        masks=masks,
        loss=loss,
        copy=copy,
        records=records,
    )
    return made


def aec_env(
    game: str,
    *,
    players: int | None = None,
    rules: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    seed: int | None = None,
    offers: bool = False,
    observations: str = "int16",
    loss: float = 0.0,
    max_cycles: int | None = None,
    records: bool = False,
) -> AEC:
    """One match in which every seat decides outside, as an environment of PettingZoo.

    Seats are ``seat_1``, ``seat_2`` and so on. Which one is next depends on the game, and one may decide several times
    in a row. An observation is a dict: ``observation``, and ``action_mask``, which is 0 for seats that are not asked.

    Parameters
    ----------
    game, players, rules, offers, observations, loss, records :
        As `vector_env` has them.
    seed : int, optional
        Seed of the first reset.
    max_cycles : int, optional
        Decisions after which a match is cut off.

    Examples
    --------
    >>> import fairhaven
    >>> env = fairhaven.aec_env("on-the-road", players=3, seed=3)
    >>> env.reset()
    >>> for agent in env.agent_iter():
    ...     seen, reward, terminated, truncated, info = env.last()
    ...     over = terminated or truncated
    ...     env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
    """
    made: AEC = extra("fairhaven._pettingzoo").AEC(
        game,
        players=players,
        rules=rules,
        seed=seed,
        offers=offers,
        observations=observations,
        loss=loss,
        max_cycles=max_cycles,
        records=records,
    )
    return made


def register() -> None:
    """Makes ``gymnasium.make("fairhaven/OnTheRoad-v0")`` and its like known, if Gymnasium is installed.

    The environments are named and not imported: they need a later Gymnasium than the laboratory, which needs none.
    """
    try:
        import gymnasium
    except ImportError:
        return
    for game in _native.games():
        name = "".join(part.capitalize() for part in game.split("-"))
        gymnasium.register(
            id=f"fairhaven/{name}-v0",
            entry_point="fairhaven._gymnasium:Env",
            vector_entry_point="fairhaven._gymnasium:VectorEnv",
            kwargs={"game": game},
        )
