"""Fairhaven for Python: a Monte Carlo laboratory for the CATAN family of games.

>>> import fairhaven
>>> run = fairhaven.simulate("base", agents="random", matches=40)
>>> len(run["seats"]) > 0
True
"""

from fairhaven._laboratory import (
    balance,
    compare,
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
from fairhaven._run import GuestError, Interrupted, Run

__all__ = [
    "GuestError",
    "Interrupted",
    "Run",
    "balance",
    "compare",
    "explain",
    "export",
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
