"""Fairhaven for Python: a Monte Carlo laboratory for the CATAN family of games.

>>> import fairhaven
>>> run = fairhaven.simulate("base", agents="random", matches=40)
>>> len(run["seats"]) > 0
True
"""

from fairhaven._agent import Agent
from fairhaven._laboratory import (
    balance,
    compare,
    diagnose,
    explain,
    export,
    learn,
    levels,
    luck,
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

__all__ = [
    "Agent",
    "GuestError",
    "Interrupted",
    "Match",
    "Run",
    "balance",
    "compare",
    "diagnose",
    "explain",
    "export",
    "games",
    "learn",
    "levels",
    "luck",
    "merge",
    "open",
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
    "verify",
]
