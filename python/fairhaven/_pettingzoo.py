"""An environment of PettingZoo: all seats decide outside, one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv

from fairhaven import _words
from fairhaven._gymnasium import observation_space
from fairhaven._vector import Matches, action_numbers


class AEC(AECEnv):  # type: ignore[misc]
    """One match in which every seat decides outside: see `fairhaven.aec_env`."""

    metadata = {"name": "fairhaven_v0", "is_parallelizable": False, "render_modes": []}

    def __init__(
        self,
        game: str,
        *,
        players: int | None = None,
        rules: Any = None,
        seed: int | None = None,
        offers: bool = False,
        observations: str = "int16",
        loss: float = 0.0,
        max_cycles: int | None = None,
        records: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._np_random: np.random.Generator | None = None
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"{game.replace('-', '_')}_v0"}
        self._matches = Matches(
            game,
            1,
            players=players,
            rules=rules,
            offers=offers,
            records=records,
            dtype=observations,
            threads=1,
        )
        self.layout = self._matches.layout
        self.actions = self._matches.actions
        self.possible_agents = [f"seat_{seat}" for seat in range(1, self._matches.players + 1)]
        seen = observation_space(self.layout, observations)
        mask = spaces.Box(0, 1, (self.actions.size,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.actions.size) for agent in self.possible_agents}
        assert self._matches.observations is not None and self._matches.masks is not None
        self._seen, self._mask = self._matches.observations[0], self._matches.masks[0]
        self._nothing = np.zeros(self.actions.size, np.int8)
        self._loss = loss
        self._seed = None if seed is None else _words.seed(seed)
        self._max_cycles = max_cycles
        self._is_new = False
        self.agents: list[str] = []
        self._ended: Any = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what a seat sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of what a seat may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals the first match of a seed, or the next one."""
        if seed is None and self._np_random is None:
            self._np_random, drawn = seeding.np_random(self._seed)
            seed = self._seed if self._seed is not None else drawn % 2**63
        elif seed is not None:
            seed = _words.seed(seed)
            self._np_random, _ = seeding.np_random(seed)
        if seed is not None or not self._is_new:
            self._matches.reset(seed)
        self._is_new = False
        self._ended = None
        self._cycles = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._matches.seats[0] - 1]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What a seat sees, and a mask of what it may do: nothing unless it decides now."""
        seat = self.possible_agents.index(agent)
        if self._ended is not None:
            rows = self._ended.seen.reshape(len(self.possible_agents), -1)
            return {"observation": rows[seat].astype(self._seen.dtype), "action_mask": self._nothing.copy()}
        if seat + 1 == self._matches.seats[0]:
            return {"observation": self._seen.copy(), "action_mask": self._mask.copy()}
        seen = self._matches.seen(0, seat + 1).astype(self._seen.dtype, copy=False)
        return {"observation": seen, "action_mask": self._nothing.copy()}

    def step(self, action: Any) -> None:
        """Takes the action of the seat that decides."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        ended = self._matches.step(action_numbers([action], 1))
        self._cumulative_rewards[agent] = 0.0
        self._cycles += 1
        if ended:
            self._end(ended[0])
        elif self._cycles == self._max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self._matches.seats[0] - 1]

    def _end(self, ended: Any) -> None:
        self._ended = ended
        self._is_new = True
        for seat, agent in enumerate(self.possible_agents, start=1):
            won = ended.winner == seat
            self.rewards[agent] = 1.0 if won else (self._loss if ended.winner else 0.0)
            self.infos[agent] = {"ended": ended}
        over = self.truncations if ended.end == "turn_limit" else self.terminations
        over.update(dict.fromkeys(self.agents, True))
        self._accumulate_rewards()

    def render(self) -> None:
        """Nothing is drawn: `fairhaven watch` plays the record."""

    def close(self) -> None:
        """Nothing is left open."""

    @property
    def record(self) -> str:
        """The record of the match, if records are written."""
        return self._ended.record if self._ended is not None else self._matches.record(0)
