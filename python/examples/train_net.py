"""A net for CATAN for two, trained by NumPy from decisions of our agents: `python train_net.py --out net.toml`.

Plays matches, exports what the seat that decides knows of every few positions, learns who wins from it, and lets a
search with the net play against `greedy`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.json
from numpy.typing import NDArray

import fairhaven

GAME = "two-player"
SEATS = ["own", "next_1"]


def decisions(
    matches: int, every: int, place: Path
) -> tuple[list[str], NDArray[np.float32], NDArray[np.int64], NDArray[np.bool_]]:
    """Names of inputs, inputs by seat from whoever decides, blocks, and whether that seat has won."""
    # Two that are weaker on purpose, so that positions vary.
    run = fairhaven.simulate(GAME, agents="heuristic:temperature=0.02", matches=matches, seed=1, out=place / "run")
    file = fairhaven.export(place / "run", place / "decisions.jsonl.zst", every=every)
    del run
    with pa.input_stream(str(file), compression="zstd") as lines:
        table = pyarrow.json.read_json(lines, pyarrow.json.ReadOptions(block_size=1 << 26))
    table = table.filter(pa.compute.equal(table["end"], "won"))
    names = [
        name[len("net_") : -len("_own")]
        for name in table.column_names
        if name.startswith("net_") and name.endswith("_own")
    ]
    seats = [np.stack([table[f"net_{name}_{seat}"].to_numpy() for name in names], axis=1) for seat in SEATS]
    inputs = np.stack(seats, axis=1).astype(np.float32)
    return names, inputs, table["block"].to_numpy(), table["won"].to_numpy()


def trained(names: list[str], inputs: NDArray[np.float32], won: NDArray[np.bool_], epochs: int) -> fairhaven.Net:
    """Adam on the logarithm of the chance that the net gave the winner."""
    net = fairhaven.Net.random(GAME, names, seed=1)
    parameters = [net.weights, net.start, net.worth]
    moments = [[np.zeros_like(one), np.zeros_like(one)] for one in parameters]
    rng = np.random.default_rng(1)
    winner = np.where(won, 0, 1)
    step = 0
    for _ in range(epochs):
        order = rng.permutation(len(inputs))
        for batch in np.array_split(order, max(len(order) // 512, 1)):
            x = inputs[batch]
            sums = x @ net.weights + net.start
            alive = np.maximum(sums, 0)
            # The gradient at the worths: what the net says less what happened.
            error = net.chances(x)
            error[np.arange(len(batch)), winner[batch]] -= 1
            error /= len(batch)
            back = error[..., None] * net.worth * (sums > 0)
            gradients = [np.einsum("bsi,bsj->ij", x, back), back.sum((0, 1)), np.einsum("bs,bsj->j", error, alive)]
            step += 1
            for parameter, (mean, square), gradient in zip(parameters, moments, gradients, strict=True):
                mean += 0.1 * (gradient - mean)
                square += 0.001 * (gradient**2 - square)
                rate = 2e-3 * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
                parameter -= np.float32(rate) * mean / (np.sqrt(square) + 1e-8)
    return net


def main() -> None:
    """Trains a net, and says how strong a search with it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1500)
    parser.add_argument("--every", type=int, default=12)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--duel", type=int, default=400, help="matches against it at most")
    parser.add_argument("--out", type=Path, default=Path("net.toml"))
    args = parser.parse_args()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as place:
        names, inputs, blocks, won = decisions(args.matches, args.every, Path(place))
    print(f"{len(won):,} positions with {len(names)} inputs, {time.perf_counter() - begun:.0f} s", flush=True)
    # Positions of a block are in one part or in the other.
    held_out = blocks % 5 == 0
    net = trained(names, inputs[~held_out], won[~held_out], args.epochs)
    chance = net.chances(inputs[held_out])[np.arange(held_out.sum()), np.where(won[held_out], 0, 1)]
    surprise, plain = -np.log(chance).mean(), np.log(2)
    print(f"surprise at the winner, held out: {surprise:.3f} nats, {plain:.3f} without a net")
    assert surprise < plain, "it has learned something"
    net.about = "judges positions of two-player, by seat"
    options = f"--matches {args.matches} --every {args.every} --epochs {args.epochs}"
    net.provenance = f"python/examples/train_net.py {options}"
    net.save(args.out)
    run = fairhaven.compare(GAME, f"mcts:iterations=50:net={args.out}", args.against, matches=args.duel, seed=2)
    print(run.answer[0])
    print(f"{args.out}, {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
