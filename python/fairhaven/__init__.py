"""Fairhaven for Python: a Monte Carlo laboratory for the CATAN family of games.

>>> import fairhaven
>>> run = fairhaven.simulate("base", agents="random", matches=40)
>>> len(run["seats"]) > 0
True
"""

from typing import TYPE_CHECKING, Any

from fairhaven._agent import Agent
from fairhaven._environments import aec_env, vector_env
from fairhaven._environments import register as _register
from fairhaven._extras import extra as _extra
from fairhaven._figures import plot
from fairhaven._laboratory import (
    balance,
    compare,
    diagnose,
    explain,
    export,
    learn,
    levels,
    luck,
    map_judge,
    map_make,
    merge,
    open,
    reliability,
    replay,
    resume,
    rule_set,
    sensitivity,
    simulate,
    solve,
    sweep,
    tournament,
    tune,
    verify,
)
from fairhaven._match import Match
from fairhaven._native import games
from fairhaven._run import GuestError, Interrupted, Run

if TYPE_CHECKING:
    from fairhaven._net import Net

__all__ = [
    "Agent",
    "GuestError",
    "Interrupted",
    "Match",
    "Net",
    "Run",
    "aec_env",
    "balance",
    "compare",
    "diagnose",
    "explain",
    "export",
    "games",
    "learn",
    "levels",
    "luck",
    "map_judge",
    "map_make",
    "merge",
    "open",
    "plot",
    "reliability",
    "replay",
    "resume",
    "rule_set",
    "sensitivity",
    "simulate",
    "solve",
    "sweep",
    "tournament",
    "tune",
    "vector_env",
    "verify",
]


def __getattr__(name: str) -> Any:
    # It needs NumPy, which is asked for when somebody does.
    if name == "Net":
        return _extra("fairhaven._net").Net
    raise AttributeError(f"module 'fairhaven' has no attribute {name!r}")


_register()
