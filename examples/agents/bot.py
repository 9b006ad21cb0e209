#!/usr/bin/env python3
"""A guest for any game of Fairhaven: it builds if it can, and otherwise does anything else.

    fairhaven simulate base --agents "exec:python3 bot.py,random,random,random" --matches 400

The messages are described in docs/protocol.md. Only the standard library is used.
"""

import json
import random
import sys

# Actions that build or buy something, by the word in `do`: the best first.
BUILDING = ["city", "settlement", "build", "road", "boat", "buy"]


def choose(legal, rng):
    """The place in the legal list of what is done."""
    words = [action["do"] for action in legal]
    for word in BUILDING:
        if word in words:
            return rng.choice([at for at, other in enumerate(words) if other == word])
    return rng.randrange(len(legal))


def main():
    rngs = {}  # One stream of random numbers for each match that is open.
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            # Without offers, the list is short.
            ready = {"type": "ready", "protocol": 1, "name": "bot.py", "list": "no_offers"}
            # A line that waits in a buffer is never read.
            print(json.dumps({**ready, "matches": 32}), flush=True)
        elif kind == "match":
            # All luck comes from the seed, so that the match can be played again.
            rngs[message["match"]] = random.Random(message["seed"])
        elif kind == "decide":
            index = choose(message["legal"], rngs[message["match"]])
            # What is written often is written out: that takes a fraction of the time of `json.dumps`.
            sys.stdout.write(f'{{"type":"choose","id":{message["id"]},"index":{index}}}\n')
        elif kind == "go":
            # All questions of the matches that wait have been asked.
            sys.stdout.flush()
        elif kind == "over":
            rngs.pop(message["match"], None)
        elif kind == "bye":
            break


if __name__ == "__main__":
    main()
