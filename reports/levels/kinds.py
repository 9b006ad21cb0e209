"""What a level's mistakes are about: share of what they cost in all, by kind of decision.

Usage: kinds.py GAME LEVEL FILE, FILE being what `explain RUN --mistakes --format json` prints. A mistake is of the kind
of what was done, or of what would have been better if nothing was done.
"""

import collections
import json
import sys

NOTHING = ("end", "roll", "refuse", "pass", "stop", "decline")
KINDS = {
    "offer": "trade", "counter": "trade", "accept": "trade", "trade": "trade", "settle": "trade",
    "bank": "bank", "road": "road", "settlement": "settlement", "city": "city", "buy": "card", "play": "card",
    "robber": "robber", "discard": "discard", "knight": "knight", "build": "build",
}


def kind(mistake):
    for words in (mistake["action"], mistake["better"]):
        first = words.split()[0]
        if first not in NOTHING:
            second = words.split()[1] if first == "build" and len(words.split()) > 1 else ""
            return KINDS.get(second, KINDS.get(first, "other"))
    return "other"


game, level, path = sys.argv[1:]
cost, count = collections.Counter(), collections.Counter()
for mistake in json.load(open(path))["mistakes"]:
    cost[kind(mistake)] += mistake["cost"]["value"]
    count[kind(mistake)] += 1
for name, total in cost.most_common():
    print(f"{game},{level},{name},{count[name]},{total / sum(cost.values()):.4f}")
