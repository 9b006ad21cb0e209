#!/usr/bin/env python3
"""Plays matches of the program Catanatron against a program that speaks its protocol for players outside.

Usage: FAIRHAVEN_CATANATRON=DIR catanatron_host.py [--matches N] [--players N] [--view whole|own] [--seed N]
       [--bot NAME] COMMAND...

DIR holds that program's package (the folder with `catanatron/`). Its engine plays, moves and judges; the messages
are written here, from its documentation: version 1, documents of schema 2. `whole` shows the guest all hands, as the
first release with the protocol does; `own` hides what only others know, as later ones do. An answer that is none of
the playable actions, or a guest that ends, ends the script with code 1.
"""

import argparse
import importlib
import json
import os
import random
import subprocess
import sys

RESOURCES = ["WOOD", "BRICK", "SHEEP", "WHEAT", "ORE"]
CARDS = ["KNIGHT", "YEAR_OF_PLENTY", "MONOPOLY", "ROAD_BUILDING", "VICTORY_POINT"]


def plain(value):
    """A value as JSON has it."""
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return getattr(value, "value", value)


def action_of(action):
    return [plain(action.color), plain(action.action_type), plain(action.value)]


def island(catan_map):
    tiles = []
    for at, tile in catan_map.tiles.items():
        entry = {"coordinate": list(at), "type": "WATER"}
        if hasattr(tile, "number"):
            entry.update(type="LAND", id=tile.id, resource=tile.resource, number=tile.number)
        elif hasattr(tile, "direction"):
            entry.update(type="PORT", id=tile.id, resource=tile.resource)
        tiles.append(entry)
    return {"template": "BASE", "tiles": tiles}


def numbers(state, own, view):
    """Numbers of all seats; of hidden cards only how many there are, where they are to be hidden."""
    every = dict(state.player_state)
    for seat in range(len(state.colors)):
        if view == "whole" or seat == own:
            continue
        key = f"P{seat}_"
        hand = [every.pop(f"{key}{kind}_IN_HAND") for kind in RESOURCES]
        cards = [every.pop(f"{key}{card}_IN_HAND") for card in CARDS]
        every[key + "NUM_RESOURCES_IN_HAND"] = sum(hand)
        every[key + "NUM_DEVELOPMENT_CARDS_IN_HAND"] = sum(cards)
        every.pop(key + "ACTUAL_VICTORY_POINTS")
        for name in [name for name in every if name.startswith(key) and name.endswith("_AT_START")]:
            every.pop(name)
    return every


def records(state, color, view):
    for record in state.action_records:
        action, result = action_of(record.action), plain(record.result)
        if view == "own" and action[0] != color:
            if action[1] == "BUY_DEVELOPMENT_CARD":
                action[2] = None
            if action[1] in ("BUY_DEVELOPMENT_CARD", "MOVE_ROBBER"):
                result = None
        yield [action, result]


def document(game, color, view, with_map):
    state, board = game.state, game.state.board
    own = [plain(other) for other in state.colors].index(color)
    deck = {card: state.development_listdeck.count(card) for card in CARDS}
    every = {
        "schema_version": 2,
        "game": {
            "id": game.id,
            "vps_to_win": game.vps_to_win,
            "discard_limit": state.discard_limit,
            "friendly_robber": state.friendly_robber,
        },
        "board": {
            "buildings": [[node, plain(of), kind] for node, (of, kind) in board.buildings.items()],
            "roads": [[list(edge), plain(of)] for edge, of in board.roads.items()],
            "robber_coordinate": list(board.robber_coordinate),
        },
        "colors": plain(state.colors),
        "player_state": numbers(state, own, view),
        "resource_freqdeck": list(state.resource_freqdeck),
        "development_listdeck": {card: count for card, count in sorted(deck.items()) if count},
        "action_records": list(records(state, color, view)),
        "num_turns": state.num_turns,
        "current_player_index": state.current_player_index,
        "current_turn_index": state.current_turn_index,
        "current_prompt": plain(state.current_prompt),
        "is_initial_build_phase": state.is_initial_build_phase,
        "is_discarding": state.is_discarding,
        "discard_counts": list(state.discard_counts),
        "is_road_building": state.is_road_building,
        "free_roads_available": state.free_roads_available,
        "is_resolving_trade": state.is_resolving_trade,
        "current_trade": plain(state.current_trade),
        "acceptees": list(state.acceptees),
    }
    if with_map:
        every["map"] = island(board.map)
    return every


class Guest:
    """The program outside."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        said = self.ask({"type": "hello", "protocol_version": 1})
        if said.get("protocol_version") != 1:
            sys.exit(f"the guest speaks another version: {said}")
        self.name, self.asked = said.get("name"), 0

    def tell(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, message):
        try:
            self.tell(message)
            return json.loads(self.process.stdout.readline())
        except (BrokenPipeError, json.JSONDecodeError):
            self.process.stdin.close()
            sys.exit(f"the guest has ended with code {self.process.wait()}")

    def leave(self):
        self.process.stdin.close()
        if self.process.wait(timeout=10) != 0:
            sys.exit(f"the guest has ended with code {self.process.returncode}")


def seated(catanatron, guest, view):
    """A player of the program, whose decisions are the guest's."""

    class Outside(catanatron.Player):
        def decide(self, game, playable_actions):
            playable = list(playable_actions)
            if len(playable) == 1:
                return playable[0]
            guest.asked += 1
            listed = [action_of(action) for action in playable]
            said = guest.ask(
                {
                    "type": "decide",
                    "game_id": game.id,
                    "color": plain(self.color),
                    "state": document(game, plain(self.color), view, False),
                    "playable_actions": listed,
                }
            )
            if said.get("action") not in listed:
                sys.exit(f"{said} is none of {listed}")
            return playable[listed.index(said["action"])]

    return Outside


def bot(name, color):
    kinds = {
        "random": ("catanatron.models.player", "RandomPlayer"),
        "weighted": ("catanatron.players.weighted_random", "WeightedRandomPlayer"),
        "value": ("catanatron.players.value", "ValueFunctionPlayer"),
        "alphabeta": ("catanatron.players.minimax", "AlphaBetaPlayer"),
    }
    module, kind = kinds[name]
    return getattr(importlib.import_module(module), kind)(color)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=1)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--view", choices=["whole", "own"], default="whole")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="random")
    parser.add_argument("--friendly", action="store_true")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    sys.path.insert(0, os.environ["FAIRHAVEN_CATANATRON"])
    catanatron = importlib.import_module("catanatron")
    guest = Guest(args.command)
    outside = seated(catanatron, guest, args.view)
    colors = list(catanatron.Color)[: args.players]
    won = cut = 0
    for match in range(args.matches):
        random.seed(args.seed + match)
        players = [outside(colors[0])] + [bot(args.bot, color) for color in colors[1:]]
        game = catanatron.Game(players, seed=args.seed + match, friendly_robber=args.friendly)
        game.id = f"{args.seed}-{match}"
        color = plain(colors[0])
        before = {"type": "before", "protocol_version": 1, "game_id": game.id, "color": color}
        guest.tell({**before, "state": document(game, color, args.view, True)})
        winner = plain(game.play())
        won, cut = won + (winner == color), cut + (winner is None)
        guest.tell({"type": "after", "game_id": game.id, "winning_color": winner})
    guest.leave()
    print(f"{args.matches} matches of {args.players}, {guest.asked} decisions: {guest.name} won {won}, nobody {cut}")


main()
