"""Matches of base CATAN that Catanatron recorded (`docs/conformance.md`), as records of ours.

Nothing of Fairhaven reads them here: names and numbers of places come from the catalogue that a `Match` tells. Where
the two programs ask in another order, discards and answers to offers, questions are put into our order.
"""

import json
import lzma
import re
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

import fairhaven

KINDS = {"WOOD": "lumber", "BRICK": "brick", "SHEEP": "wool", "WHEAT": "grain", "ORE": "ore"}
ORDER = ["brick", "lumber", "wool", "grain", "ore"]
CARDS = ["knight", "year_of_plenty", "monopoly", "road_building", "victory_point"]
CORNERS = ["NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST"]
SIDES = ["NE", "E", "SE", "SW", "W", "NW"]
ROWS = [3, 4, 5, 4, 3]
NEVER = 30  # More points than anybody can have.
PHASES = {
    "BUILD_INITIAL_SETTLEMENT": "found",
    "BUILD_INITIAL_ROAD": "found_road",
    "DISCARD": "discard",
    "MOVE_ROBBER": "robber",
    "DECIDE_TRADE": "answer",
    "DECIDE_ACCEPTEES": "choose",
}


def matches(path):
    """The matches of a file, one after the other."""
    path = Path(path)
    if path.suffix == ".xz":
        lines = lzma.open(path, "rt", encoding="utf-8")
    elif path.suffix == ".zst":
        lines = pa.input_stream(str(path), compression="zstd").read().decode().splitlines()
    else:
        lines = path.open(encoding="utf-8")
    yield from (json.loads(line) for line in lines)


@dataclass
class Question:
    """A decision: who takes it, what is done, with what luck; and what the other program says of it."""

    seat: int
    phase: str
    turn: int
    action: dict
    luck: dict | None
    listed: list | None
    before: dict
    legal: int = 0

    def lines(self):
        line = {"turn": self.turn, "seat": self.seat, "phase": self.phase, "legal": self.legal, "action": self.action}
        return [line, *([self.luck | {"turn": self.turn}] if self.luck else [])]


@dataclass
class Translation:
    """A match in our words."""

    match: dict
    place: Path
    players: int = 0
    vertices: dict = field(default_factory=dict)
    hexes: dict = field(default_factory=dict)
    edges: dict = field(default_factory=dict)

    def __post_init__(self):
        self.players = len(self.match["seats"])
        told = fairhaven.Match("base", players=self.players).told
        self.catalogue = next(one for one in told if one["type"] == "game")["catalogue"]
        for tile in self.match["map"]["tiles"]:
            at = self.hexes[tile["id"]] = hex_of(tile["cube"])
            for corner, vertex in zip(CORNERS, self.catalogue["hexes"][at]["vertices"], strict=True):
                assert self.vertices.setdefault(tile["nodes"][corner], vertex) == vertex
        self.edges = {frozenset(ends): number for number, ends in enumerate(self.catalogue["edges"])}
        self.questions = list(self._questions())

    # The island and the rules.

    def island(self):
        """The island as the file that the field `map` names."""
        tiles = sorted(self.match["map"]["tiles"], key=lambda tile: hex_of(tile["cube"]))
        words = [f"{KINDS[tile['res']]}:{tile['num']}" if tile["res"] else "desert" for tile in tiles]
        rows = [" ".join(words[sum(ROWS[:row]) : sum(ROWS[: row + 1])]) for row in range(5)]
        harbours = []
        for port in self.match["map"]["ports"]:
            ends = {self.vertices[node] for node in port["at"]}
            kind = KINDS.get(port["res"], "any")
            harbours.append(f'"{self._side(ends)}" = "{kind}"')
        robber = name_of(self.hexes[self.match["robber"]])
        drawn = "\n".join(rows)
        return f'map = """\n{drawn}\n"""\nrobber = "{robber}"\n\n[harbours]\n' + "\n".join(harbours) + "\n"

    def _side(self, ends):
        for number, one in enumerate(self.catalogue["hexes"]):
            corners = one["vertices"]
            for at, side in enumerate(SIDES):
                if {corners[at], corners[(at + 1) % 6]} == ends:
                    return f"{name_of(number)} {side}"
        raise AssertionError(f"no hex has the side {ends}")

    def rules(self, **changes):
        """The rule set that both programs have; changes are of what only one has."""
        config = self.match["config"]
        self.place.write_text(self.island(), "utf-8")
        return {
            "map": str(self.place),
            "points_to_win": config["vps"],
            "turns_max": 1000,
            "robber": {"hand_limit": config["discard"], "spares_below": 3 if config["friendly"] else 0},
            "trade": {"listed_max": 0, "proposals_max": 10},
        } | changes

    # Actions.

    def edge(self, ends):
        return self.edges[frozenset(self.vertices[node] for node in ends)]

    def action(self, word, value):
        match word:
            case "ROLL" | "END_TURN":
                return {"do": word.lower()}
            case "BUY_DEVELOPMENT_CARD":
                return {"do": "buy"}
            case "PLAY_KNIGHT_CARD":
                return {"do": "knight"}
            case "PLAY_ROAD_BUILDING":
                return {"do": "road_building"}
            case "CANCEL_TRADE":
                return {"do": "decline"}
            case "BUILD_SETTLEMENT" | "BUILD_CITY":
                return {"do": word[len("BUILD_") :].lower(), "vertex": self.vertices[value]}
            case "BUILD_ROAD":
                return {"do": "road", "edge": self.edge(value)}
            case "DISCARD_RESOURCE":
                return {"do": "discard", "card": KINDS[value]}
            case "PLAY_MONOPOLY":
                return {"do": "monopoly", "kind": KINDS[value]}
            case "PLAY_YEAR_OF_PLENTY":
                first, *rest = sorted((KINDS[kind] for kind in value), key=ORDER.index)
                return {"do": "year_of_plenty", "first": first, "second": rest[0] if rest else None}
            case "MOVE_ROBBER":
                tile, victim = value
                return {"do": "robber", "hex": self.hexes[tile], "victim": None if victim is None else victim + 1}
            case "MARITIME_TRADE":
                return {"do": "bank_trade", "give": KINDS[value[0]], "want": KINDS[value[4]]}
            case "OFFER_TRADE":
                return {"do": "offer", "to": 0, "give": counts(value[:5]), "want": counts(value[5:10])}
            case "ACCEPT_TRADE" | "REJECT_TRADE":
                return {"do": "accept" if word == "ACCEPT_TRADE" else "refuse"}
            case "CONFIRM_TRADE":
                return {"do": "settle", "with": value[10] + 1}
        raise AssertionError(f"no action `{word}`")

    def luck(self, seat, word, value, result):
        match word:
            case "ROLL":
                return {"chance": "dice", "result": "+".join(map(str, result))}
            case "BUY_DEVELOPMENT_CARD":
                return {"chance": "card", "result": result.lower()}
            case "MOVE_ROBBER" if value[1] is not None:
                return {"chance": "steal", "seat": seat, "result": KINDS[result]}
        return None

    # The order of questions.

    def _questions(self):
        steps, before, turn, at = self.match["steps"], self.match["start"], 1, 0
        while at < len(steps):
            word, end = steps[at]["a"][1], at + 1
            talk = {"DISCARD_RESOURCE": ("DISCARD_RESOURCE",), "OFFER_TRADE": ("ACCEPT_TRADE", "REJECT_TRADE")}
            while end < len(steps) and steps[end]["a"][1] in talk.get(word, ()):
                end += 1
            group = [(steps[at], before), *((steps[k], steps[k - 1]["s"]) for k in range(at + 1, end))]
            asked = [self._question(step, state, turn) for step, state in group]
            if word == "DISCARD_RESOURCE":
                asked = self._clockwise(asked, 1 + before["tp"])
            elif word == "OFFER_TRADE":
                maker = asked[0].seat
                answers = self._clockwise(asked[1:], maker)
                asked = [asked[0], *(one for one in answers if one.seat != maker)]
                if end < len(steps) and steps[end]["a"][1] in ("CONFIRM_TRADE", "CANCEL_TRADE"):
                    chosen = self._question(steps[end], steps[end - 1]["s"], turn)
                    # Nobody trades with themselves.
                    own = {"do": "settle", "with": maker}
                    chosen.listed = [one for one in chosen.listed if one != own]
                    if chosen.action == own:
                        chosen.action = {"do": "decline"}
                    if any(one.action["do"] == "accept" for one in asked):
                        asked.append(chosen)
                    end += 1
            yield from asked
            turn += steps[end - 1]["a"][1] == "END_TURN"
            before, at = steps[end - 1]["s"], end

    def _question(self, step, before, turn):
        seat, word, value = step["a"]
        listed = [self.action(*one) for one in step["l"]]
        action, luck = self.action(word, value), self.luck(seat + 1, word, value, step["r"])
        phase = phase_of(before)
        legal = len(listed) + (phase == "free_road")
        return Question(seat + 1, phase, turn, action, luck, listed, before, legal)

    def _clockwise(self, asked, first):
        return sorted(asked, key=lambda one: (one.seat - first) % self.players)


def phase_of(state):
    if state["pr"] != "PLAY_TURN":
        return PHASES[state["pr"]]
    if state["fr"]:
        return "free_road"
    return "main" if state["rolled"][state["tp"]] else "roll"


def hex_of(cube):
    """Our number of a hex: rows from the north, columns from the west."""
    x, _, z = cube
    return sum(ROWS[: z + 2]) + x - max(-2, -2 - z)


def name_of(number):
    """The name of a hex in a file of an island."""
    row = 0
    while number >= ROWS[row]:
        number -= ROWS[row]
        row += 1
    return f"r{row + 1}c{number + 1}"


def counts(cards):
    named = {KINDS[kind]: count for kind, count in zip(KINDS, cards, strict=True)}
    return {kind: named[kind] for kind in ORDER if named[kind]}


def fault_of(error):
    """The line of a record that the program refuses, and the field, with what it should be."""
    said = str(error)
    line = re.search(r"line (\d+)", said)
    should = re.search(r"`(\w+)` is (.+), should be (.+?)$", said)
    return int(line[1]), should and (should[1], should[3]), said
