"""Steps a second of the environments, with random play: `python steps.py [--seconds 5] [--n 1024] [--threads 2]`.

A step is one decision of a seat outside that has a choice. Since codings of a game differ in what they ask, the matches
that have ended are counted beside. The last column is steps for each second of processor time: on a machine that does
other things it says what a thread does.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

import fairhaven
from fairhaven._vector import Matches


def measured(name: str, seconds: float, play: Callable[[], tuple[int, int]]) -> None:
    """Plays for a while; `play` returns its steps and the matches that have ended."""
    play()
    steps = ended = 0
    begun, used = time.perf_counter(), time.process_time()
    while time.perf_counter() - begun < seconds:
        more, over = play()
        steps += more
        ended += over
    wall, used = time.perf_counter() - begun, time.process_time() - used
    print(f"{name:52} {steps / wall:12,.0f} {ended / wall:10,.1f} {steps / used:12,.0f}", flush=True)


def side_by_side(
    game: str, n: int, threads: int | None, every: int, **options: object
) -> Callable[[], tuple[int, int]]:
    """The arrays themselves, written anew by each step."""
    matches = Matches(game, n, threads=threads, **options)  # type: ignore[arg-type]
    matches.reset(1)

    def play() -> tuple[int, int]:
        ended = 0
        for _ in range(every):
            ended += len(matches.step(matches.sample(places=True), places=True))
        return n * every, ended

    return play


def environment(game: str, n: int, threads: int | None, every: int, **options: object) -> Callable[[], tuple[int, int]]:
    """Gymnasium's interface; actions are drawn from the masks by NumPy, as a net's would be."""
    env = fairhaven.vector_env(game, n, threads=threads, seed=1, **options)  # type: ignore[arg-type]
    _, infos = env.reset()
    rng = np.random.default_rng(1)

    def play() -> tuple[int, int]:
        nonlocal infos
        ended = 0
        for _ in range(every):
            masks = infos["action_mask"]
            drawn = rng.random(masks.shape, np.float32)
            *_, infos = env.step(np.argmax(drawn * masks, axis=1))
            ended += int(infos["_ended"].sum()) if "_ended" in infos else 0
        return n * every, ended

    return play


def seat_by_seat(game: str, every: int) -> Callable[[], tuple[int, int]]:
    """PettingZoo's interface: one match, all seats."""
    env = fairhaven.aec_env(game, seed=1)
    env.reset()

    def play() -> tuple[int, int]:
        ended = 0
        for _ in range(every):
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                ended += 1
                continue
            env.step(seen["action_mask"].argmax())
        return every, ended

    return play


def main() -> None:
    """Prints a line for each way to step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--n", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--games", default="base,on-the-road,struggle,two-player,boats")
    args = parser.parse_args()
    n, threads, seconds = args.n, args.threads, args.seconds
    print(f"{'':52} {'steps/s':>12} {'matches/s':>10} {'steps/CPU-s':>12}")
    for game in args.games.split(","):
        all_seats: dict[str, object] = {"seats": ()}
        one: dict[str, object] = {"seats": (1,), "agents": "random"}
        measured(f"{game}: all seats, int16 and masks", seconds, side_by_side(game, n, threads, 20, **all_seats))
        measured(
            f"{game}: all seats, float32 and masks",
            seconds,
            side_by_side(game, n, threads, 20, dtype=np.float32, **all_seats),
        )
        measured(
            f"{game}: all seats, nothing written",
            seconds,
            side_by_side(game, n, threads, 20, dtype=None, masks=False, **all_seats),
        )
        measured(f"{game}: one seat against random, int16 and masks", seconds, side_by_side(game, n, threads, 5, **one))
        measured(
            f"{game}: VectorEnv, all seats, NumPy draws from masks",
            seconds,
            environment(game, n, threads, 5, seat="all", copy=False),
        )
        measured(f"{game}: AEC, all seats", seconds, seat_by_seat(game, 500))


if __name__ == "__main__":
    main()
