"""Memory of a process that plays for a long time: `python memory.py [--minutes 60] [--pause 8] [--out memory.csv]`.

Each round makes environments, steps them and drops them; plays runs of the laboratory, a match at the table, and
matches with a function as an agent. After each, a line has what the process has in memory (resident, in MB), what of
it is in use (as glibc's `mallinfo2` counts it; empty elsewhere), and its threads. What is resident and not in use are
holes: each thread has a heap of its own, and what is left free in one is used again by that thread alone.

At the end stand the least and the most, and the growth a minute with its interval, without the first sixth of the
time, in which caches and heaps fill. It fails if what is resident grows by more than a bound, what is in use by more
than a tenth of it, or if threads are left. `test_memory.py` runs a short one; `--read FILE` says the same of lines that
were written before.

Start it with `GLIBC_TUNABLES=glibc.malloc.tcache_count=0`: what threads keep at hand to be used again counts as in use,
and creeps up for an hour.
"""

from __future__ import annotations

import argparse
import csv
import ctypes
import gc
import math
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import fairhaven

#: Rounds in which each game was played with each name of a function.
CYCLE = 15


class Line(NamedTuple):
    """The process after a round."""

    seconds: float
    resident: float
    used: float | None
    threads: int


def resident(line: Line) -> float:
    """What the process has in memory."""
    return line.resident


def in_use(line: Line) -> float:
    """What of it is in use; 0 if the C library doesn't say."""
    return line.used or 0.0


class _Counted(ctypes.Structure):
    """What `mallinfo2` returns: sizes in bytes, of all heaps."""

    _fields_ = [(f"field_{at}", ctypes.c_size_t) for at in range(10)]


def used() -> float | None:
    """Memory in use in MB, if the C library says so: small pieces of all heaps, and large ones."""
    try:
        counted = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):
        return None
    counted.restype = _Counted
    found = counted()
    return float(found.field_7 + found.field_4) / 2**20


def standing(seconds: float) -> Line:
    """The process as it is, from what Linux says of it."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    found = dict(line.split(":", 1) for line in lines)
    return Line(seconds, int(found["VmRSS"].split()[0]) / 1024, used(), int(found["Threads"]))


def played(round_: int) -> None:
    """What a round plays."""
    game = fairhaven.games()[round_ % len(fairhaven.games())]
    env = fairhaven.vector_env(game, 64, seed=round_, opponents="greedy", threads=2)
    env.reset()
    for _ in range(100):
        env.step(env.sample())
    del env
    fairhaven.simulate(game, agents="random", matches=200, seed=round_, threads=2)
    fairhaven.compare(game, "greedy", "random", matches=60, seed=round_, threads=2)
    match = fairhaven.Match(game, seed=round_, agents="greedy")
    match.play(lambda match: len(match.question["legal"]) // 2)
    first = fairhaven.Agent(lambda asked: [0] * len(asked), name=f"first{round_ % 3}")
    fairhaven.simulate("on-the-road", agents=[first, "random"], players=2, matches=20, seed=round_, threads=2)


def measured(minutes: float, pause: float = 0.0, tell: Callable[[Line], None] = lambda line: None) -> list[Line]:
    """A line after each round, of which there is one at least."""
    begun = time.monotonic()
    lines: list[Line] = []
    while not lines or time.monotonic() - begun < 60 * minutes:
        played(len(lines))
        gc.collect()
        lines.append(standing(time.monotonic() - begun))
        tell(lines[-1])
        time.sleep(pause)
    return lines


def growth(lines: list[Line], value: Callable[[Line], float]) -> float:
    """MB from the median of the second sixth of the rounds to that of the last."""
    sixth = max(len(lines) // 6, 1)
    early = statistics.median(map(value, lines[sixth : 2 * sixth] or lines))
    return statistics.median(map(value, lines[-sixth:])) - early


def slope(lines: list[Line], value: Callable[[Line], float]) -> tuple[float, float] | None:
    """KB a minute, and half the width of its 95 % interval: a straight line through means of `CYCLE` rounds, since
    rounds differ by what they play. Nothing if there are fewer than ten."""
    cycles = [lines[at : at + CYCLE] for at in range(0, len(lines) - CYCLE + 1, CYCLE)]
    free = len(cycles) - 2
    if free < 8:
        return None
    minutes = [statistics.fmean(line.seconds / 60 for line in cycle) for cycle in cycles]
    sizes = [statistics.fmean(1024 * value(line) for line in cycle) for cycle in cycles]
    by, start = statistics.linear_regression(minutes, sizes)
    left = sum((size - start - by * minute) ** 2 for minute, size in zip(minutes, sizes, strict=True))
    middle = statistics.fmean(minutes)
    error = math.sqrt(left / free / sum((minute - middle) ** 2 for minute in minutes))
    # Student's quantile by its expansion from the normal one.
    z = statistics.NormalDist().inv_cdf(0.975)
    return by, error * (z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2))


def summary(lines: list[Line]) -> str:
    """Least, most and growth of what is resident and of what is in use."""
    told = [f"{len(lines)} rounds in {lines[-1].seconds / 60:.1f} minutes"]
    lines = lines[len(lines) // 6 :]
    for name, value in (("resident", resident), ("in use", in_use)):
        sizes = [value(line) for line in lines]
        found = slope(lines, value)
        grown = "" if found is None else f", {found[0]:+.1f} ± {found[1]:.1f} KB a minute"
        told.append(f"{name}: {min(sizes):.1f} to {max(sizes):.1f} MB{grown}")
    threads = [line.threads for line in lines]
    return "\n".join([*told, f"threads: {min(threads)} to {max(threads)}"])


def has_grown(lines: list[Line], bound: float) -> bool:
    """Whether more is resident by more than a bound, more is in use by a tenth of it, or threads are left."""
    grown = growth(lines, resident) > bound or growth(lines, in_use) > bound / 10
    return grown or lines[-1].threads > lines[len(lines) // 6].threads + 2


def read(file: Path) -> list[Line]:
    """Lines that were written before."""
    with file.open(newline="", encoding="utf-8") as rows:
        found = list(csv.DictReader(rows))
    return [
        Line(
            float(row["seconds"]),
            float(row["resident"]),
            float(row["used"]) if row["used"] else None,
            int(row["threads"]),
        )
        for row in found
    ]


def main() -> None:
    """Measures, and fails if memory or threads grow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between two rounds")
    parser.add_argument("--bound", type=float, default=10.0, help="MB by which it may grow")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--read", type=Path)
    args = parser.parse_args()
    if args.read:
        lines = read(args.read)
    elif args.out:
        with args.out.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(Line._fields)

            def tell(line: Line) -> None:
                writer.writerow(line)
                file.flush()

            lines = measured(args.minutes, args.pause, tell)
    else:
        lines = measured(args.minutes, args.pause)
    print(summary(lines))
    sys.exit(has_grown(lines, args.bound))


if __name__ == "__main__":
    main()
