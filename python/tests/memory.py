"""Memory of a process that plays for a long time: `python memory.py [--minutes 60] [--out memory.csv]`.

Each round makes environments, steps them and drops them; plays runs of the laboratory, a match at the table, and
matches with a function as an agent. After each, what the process has in memory (resident, in MB) and
its threads are a line. At the end the growth from the second sixth of the time to the last is compared with a bound;
the first sixth is what caches and arenas take. `test_memory.py` runs a short one.

Start it with `MALLOC_ARENA_MAX=1`: each call plays on threads of its own, and glibc gives these up to eight arenas a
core, which fill with holes for many minutes, as if memory leaked.
"""

from __future__ import annotations

import argparse
import csv
import gc
import statistics
import sys
import time
from pathlib import Path

import fairhaven


def resident() -> tuple[float, int]:
    """Resident memory in MB, and threads."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    found = dict(line.split(":", 1) for line in lines)
    return int(found["VmRSS"].split()[0]) / 1024, int(found["Threads"])


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


def measured(minutes: float) -> list[tuple[float, float, int]]:
    """Seconds, MB and threads after each round."""
    begun, lines = time.monotonic(), []
    while not lines or time.monotonic() - begun < 60 * minutes:
        played(len(lines))
        gc.collect()
        lines.append((time.monotonic() - begun, *resident()))
    return lines


def growth(lines: list[tuple[float, float, int]]) -> tuple[float, float]:
    """The median of the second sixth of the rounds and that of the last."""
    sixth = max(len(lines) // 6, 1)
    early = statistics.median(mb for _, mb, _ in lines[sixth : 2 * sixth] or lines)
    return early, statistics.median(mb for _, mb, _ in lines[-sixth:])


def main() -> None:
    """Measures, and fails if memory or threads grow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--bound", type=float, default=10.0, help="MB by which it may grow")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    lines = measured(args.minutes)
    if args.out:
        with args.out.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("seconds", "mb", "threads"), *lines])
    early, late = growth(lines)
    threads = [threads for _, _, threads in lines[len(lines) // 6 :]]
    told = f"{early:.1f} -> {late:.1f} MB, {min(threads)} to {max(threads)} threads"
    print(f"{len(lines)} rounds in {lines[-1][0]:.0f} s: {told}")
    sys.exit(late - early > args.bound or threads[-1] > threads[0] + 2)


if __name__ == "__main__":
    main()
