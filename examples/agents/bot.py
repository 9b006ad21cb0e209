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
    for word in BUILDING:
        places = [at for at, action in enumerate(legal) if action["do"] == word]
        if places:
            return rng.choice(places)
    return rng.randrange(len(legal))


def say(message, at_once=False):
    """Writes one line. A line that waits in a buffer is never read."""
    print(json.dumps(message), flush=at_once)


def main():
    rngs = {}  # One stream of random numbers for each match that is open.
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            # Without offers, the list is short.
            ready = {"type": "ready", "protocol": 1, "name": "bot.py", "list": "no_offers"}
            say({**ready, "matches": 32}, at_once=True)
        elif kind == "match":
            # All luck comes from the seed, so that the match can be played again.
            rngs[message["match"]] = random.Random(message["seed"])
        elif kind == "decide":
            index = choose(message["legal"], rngs[message["match"]])
            say({"type": "choose", "id": message["id"], "index": index})
        elif kind == "go":
            # All questions of the matches that wait have been asked.
            sys.stdout.flush()
        elif kind == "over":
            rngs.pop(message["match"], None)
        elif kind == "bye":
            break


if __name__ == "__main__":
    main()
