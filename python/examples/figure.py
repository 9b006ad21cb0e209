"""The picture of the README: `python figure.py --out balance.svg`, a run and its figure, in half a minute."""

from __future__ import annotations

import argparse
from pathlib import Path

from matplotlib import pyplot

import fairhaven


def main() -> None:
    """Plays the README's run, and draws it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=200)
    parser.add_argument("--out", type=Path, default=Path("balance.svg"))
    args = parser.parse_args()
    # Text as text, and nothing of the clock: the same file each time.
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "fairhaven", "figure.figsize": (6.4, 2.4)})
    choice, rules = "metropolis", {"side": "b"}
    run = fairhaven.balance("on-the-road", choice=choice, rules=rules, levels="builder", blocks=args.blocks)
    run.plot()
    pyplot.savefig(args.out, metadata={"Date": None})
    print(run.answer[0])


if __name__ == "__main__":
    main()
