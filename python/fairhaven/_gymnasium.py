"""Environments of Gymnasium: one match, and many side by side."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from fairhaven import _words
from fairhaven._vector import Actions, Layout, Learners, Lists, Opponents, whole_numbers

try:
    from gymnasium.vector import AutoresetMode
except ImportError as error:
    too_old = f"Gymnasium 1.1 or later is needed, not {gymnasium.__version__}: pip install 'fairhaven[environments]'"
    raise ImportError(too_old, name="gymnasium") from error

#: The least and the most numbers of observations: counts and flags.
_RANGES = {"int16": (0, np.iinfo(np.int16).max), "float32": (0.0, float(np.iinfo(np.int16).max))}


def observation_space(layout: Layout, dtype: str) -> spaces.Box:
    """The space of one observation."""
    low, high = _RANGES[dtype]
    return spaces.Box(low, high, (layout.length,), np.dtype(dtype).type)


class _Legal(spaces.Discrete):
    """All actions of a game. Without a mask, `sample` draws from those that are legal now."""

    def __init__(self, actions: Actions, now: Any) -> None:
        super().__init__(actions.size)
        self._now = now

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is None and probability is None:
            mask = self._now()
        return super().sample(mask=mask, probability=probability)

    def __reduce__(self) -> tuple[Any, ...]:
        # What is legal now stays with the environment: a copy, here or in another process, is all actions.
        return spaces.Discrete, (int(self.n),)


class _LegalBatch(spaces.MultiDiscrete):
    """An action for each match. Without a mask, `sample` draws from those that are legal now."""

    def __init__(self, actions: Actions, n: int, draw: Any) -> None:
        super().__init__([actions.size] * n)
        self._draw = draw

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is None and probability is None:
            return self._draw().astype(self.dtype)
        return super().sample(mask=mask, probability=probability)

    def __reduce__(self) -> tuple[Any, ...]:
        return spaces.MultiDiscrete, (self.nvec.tolist(),)


class VectorEnv(gymnasium.vector.VectorEnv):
    """Many matches of a game, in which one seat or all of them decide outside: see `fairhaven.vector_env`."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        game: str,
        num_envs: int,
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
    ) -> None:
        if observations is not None and observations not in _RANGES:
            raise ValueError(f"observations are int16 or float32, not {observations!r}")
        self._learners = Learners(
            game,
            num_envs,
            seat=seat,
            opponents=opponents,
            players=players,
            rules=rules,
            threads=threads,
            offers=offers,
            dtype=observations,
            masks=masks,
            records=records,
        )
        matches = self._learners.matches
        self._matches = matches
        self.num_envs = num_envs = matches.n
        self.layout = matches.layout
        self.actions = matches.actions
        self.players = matches.players
        self.single_observation_space = observation_space(self.layout, observations or "int16")
        self.single_action_space = spaces.Discrete(self.actions.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = _LegalBatch(self.actions, num_envs, matches.sample)
        self._loss = loss
        self._copy = copy
        self._seed = None if seed is None else _words.seed(seed)
        self._dealt = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deals all matches anew: the first ones of a seed, or the next ones."""
        if isinstance(seed, list):
            raise ValueError("the matches have one seed, a number: each is a deal of its own")
        if seed is None and not self._dealt:
            seed = self._seed if self._seed is not None else int(self.np_random.integers(2**63))
        elif seed is not None:
            seed = _words.seed(seed)
            self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(seed)
        self._dealt = True
        self._learners.reset(seed)
        return self._seen(), self._infos()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Takes an action in each match, and plays to the next decision. A match that ends is dealt anew in the same
        step: observation, mask and seat are those of the next match, and ``infos`` has how the last one ended."""
        if not self._dealt:
            raise gymnasium.error.ResetNeeded("reset deals the first matches")
        n = self.num_envs
        rewards = np.zeros(n)
        terminated, truncated = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        ended = self._learners.step(actions)
        infos = self._infos()
        if ended:
            at = np.array([one.place for one, _ in ended])
            rewards[at] = [self._learners.reward(one, seat, self._loss) for one, seat in ended]
            truncated[at] = [one.end == "turn_limit" for one, _ in ended]
            terminated[at] = ~truncated[at]
            infos |= self._ends(ended, at)
        return self._seen(), rewards, terminated, truncated, infos

    def _ends(self, ended: list[Any], at: NDArray[Any]) -> dict[str, Any]:
        is_over = np.zeros(self.num_envs, np.bool_)
        is_over[at] = True
        last = np.full(self.num_envs, None, object)
        over = np.full(self.num_envs, None, object)
        for one, seat in ended:
            over[one.place] = one
            if self._matches.observations is not None:
                seen = self._learners.last_seen(one, seat)
                last[one.place] = seen.astype(self.single_observation_space.dtype)
        return {"final_obs": last, "_final_obs": is_over, "ended": over, "_ended": is_over.copy()}

    def _seen(self) -> NDArray[Any]:
        seen = self._matches.observations
        if seen is None:
            return np.zeros((self.num_envs, 0), np.int16)
        return seen.copy() if self._copy else seen

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {"seat": self._matches.seats.copy(), "deal": self._matches.deals.copy()}
        if self._matches.masks is not None:
            infos["action_mask"] = self.action_masks()
        return infos

    def action_masks(self) -> NDArray[np.int8]:
        """For each match and action 1 if it is legal."""
        masks = self._matches.masks
        if masks is None:
            raise ValueError("masks are not wanted: masks=False")
        return masks.copy() if self._copy else masks

    def lists(self) -> Lists:
        """What may be done in each match, as lists of actions with their columns."""
        return self._matches.lists()

    def sample(self) -> NDArray[np.int32]:
        """A legal action for each match, each equally likely."""
        return self._matches.sample()


class Env(gymnasium.Env):
    """One match, in which one seat decides outside.

    The options are those of `fairhaven.vector_env`. ``info["action_mask"]`` has 1 for each legal action. An action that
    is not legal is a `ValueError`, and nothing is done in its place; with ``illegal="loss"`` it ends the match as lost,
    with ``info["illegal"]``.
    """

    metadata = {"render_modes": []}

    def __init__(self, game: str, *, illegal: str = "error", render_mode: str | None = None, **options: Any) -> None:
        if illegal not in ("error", "loss"):
            raise ValueError(f"what is not legal is an error or a loss, not {illegal!r}")
        self.render_mode = render_mode
        self._loses = illegal == "loss"
        self._loss = float(options.get("loss", 0.0))
        options = {"threads": 1, "copy": False, **options}
        if options.get("seat") == "all":
            raise ValueError("one seat decides in this environment; fairhaven.aec_env has all of them")
        self._vector = VectorEnv(game, 1, **options)
        self._matches = self._vector._matches
        self._seed = options.get("seed")
        self.layout = self._vector.layout
        self.actions = self._vector.actions
        self.observation_space = self._vector.single_observation_space
        self.action_space = _Legal(self.actions, self._mask)
        # Whether a match has been dealt that nobody has seen yet, and whether one is being played.
        self._is_new = self._goes_on = False

    def _mask(self) -> NDArray[np.int8]:
        mask: NDArray[np.int8] = self._vector.action_masks()[0]
        return mask

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask().copy(), "seat": int(self._matches.seats[0])}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deals the first match of a seed, or the next one."""
        is_first = self._np_random is None
        super().reset(seed=None if seed is None else _words.seed(seed))
        if seed is None and is_first:
            seed = self._seed if self._seed is not None else int(self.np_random.integers(2**63))
        if seed is not None or not self._is_new:
            self._vector.reset(seed=seed)
        self._is_new, self._goes_on = False, True
        return self._vector._seen()[0].copy(), self._info()

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Takes an action, and plays to the seat's next decision or the end of the match."""
        if not self._goes_on:
            raise gymnasium.error.ResetNeeded("no match is played: reset deals one")
        # What is no number is a fault of the caller, and no action that loses.
        number = whole_numbers([action], 1)[0]
        if self._loses and not (0 <= number < self.actions.size and self._mask()[number]):
            self._goes_on = False
            info = {"action_mask": np.zeros(self.actions.size, np.int8), "illegal": True}
            return self._vector._seen()[0].copy(), self._loss, True, False, info
        seen, rewards, terminated, truncated, infos = self._vector.step(np.array([number]))
        if "_ended" not in infos:
            return seen[0].copy(), 0.0, False, False, self._info()
        self._is_new, self._goes_on = True, False
        info = {"action_mask": np.zeros(self.actions.size, np.int8), "ended": infos["ended"][0]}
        return infos["final_obs"][0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info
