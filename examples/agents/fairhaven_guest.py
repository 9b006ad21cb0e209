"""The guest's side of docs/protocol.md in one file. Copy it beside your bot:

    from fairhaven_guest import play

    def choose(question, match):
        return match.rng.randrange(len(question["legal"]))

    play(choose, name="my bot", wants=["view"])

Only the standard library is used.
"""

import json
import random
import sys


class Match:
    """What a bot may know of a match beside the question."""

    def __init__(self, message, game):
        self.number = message["match"]
        self.seat = message["seat"]
        # All luck must come from here, so that the match can be played again.
        self.rng = random.Random(message["seed"])
        self.game = game  # The message `game`: rules and catalogue.
        self.events = []  # What happened, if `events` are wanted.
        self.steps = []  # What each seat did, if `steps` are wanted: the messages `step`.
        self.memory = {}  # Whatever the bot wants to keep.


def play(choose, name="guest", version="", games=(), wants=(), listed="full", over=None, matches_at_once=1):
    """Plays until the host says goodbye.

    `choose(question, match)` gets the message `decide` and a Match. It returns the place in `question["legal"]` of
    what it does, or an action as an object, which the list may lack. `over(match, outcome)` hears of results. With 32
    `matches_at_once` a process plays as many, which takes a fraction of the time if decisions are short.
    """
    out = sys.stdout
    # What a bot prints is no message: it goes where reports of failures show it.
    sys.stdout = sys.stderr

    def say(message):
        out.write(json.dumps(message) + "\n")
        if matches_at_once == 1 or message["type"] == "ready":
            out.flush()

    game, matches = None, {}
    for line in sys.stdin:
        message = json.loads(line)
        kind, number = message["type"], message.get("match")
        if kind == "hello":
            ready = {"type": "ready", "protocol": 1, "name": name, "version": version}
            ready |= {"games": list(games), "wants": list(wants), "list": listed}
            say({**ready, "matches": matches_at_once})
        elif kind == "game":
            game = message
        elif kind == "match":
            # The same number again: the match is said again from its beginning.
            matches[number] = Match(message, game)
        elif kind == "event":
            matches[number].events.append(message["event"])
        elif kind == "step":
            matches[number].steps.append(message)
        elif kind == "decide":
            choice = choose(message, matches[number])
            key = "action" if isinstance(choice, dict) else "index"
            say({"type": "choose", "id": message["id"], key: choice})
        elif kind == "go":
            out.flush()
        elif kind == "over":
            match = matches.pop(number, None)
            if over and match:
                over(match, message["outcome"])
        elif kind == "bye":
            break
