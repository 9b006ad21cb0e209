"""Matches that another program recorded, driven through the doors of the package: each legal list, what each seat sees,
and how they end, as `conformance/` compares them in Rust; `docs/conformance.md` has the differences that are known.

A record has the whole match, so a difference that our rules can't follow, a road past another's building, ends it
there.
"""

import json
import os
from collections import Counter
from pathlib import Path

import catanatron
import pytest
from catanatron import CARDS, KINDS, NEVER, Question, Translation

import fairhaven

HERE = Path(__file__).parent
#: The matches that the repository has: beside the package's folder, or one above the copy that `test.sh` makes of it.
SLICE = next((up / "tests/data/catanatron.jsonl.zst" for up in HERE.parents if (up / "tests/data").is_dir()), None)
FOLDER = os.environ.get("FAIRHAVEN_CONFORMANCE")

recorded = pytest.mark.skipif(SLICE is None, reason="not run: no recorded matches")


class Replayed:
    """What the program says of a translated match: its questions, one for each that was put in, and the end."""

    def __init__(self, translation, place, rules, questions, end):
        self.questions, self.fault = list(questions), None
        opened = fairhaven.Match(
            "base", seats=range(1, translation.players + 1), players=translation.players, rules=rules
        )
        header, *deal = opened.record.splitlines()[:1]
        header = json.loads(header)
        del header["seed"]  # Its luck is not ours.
        self.head = [json.dumps(header), *deal]
        self.place = place
        self.told = self._replay(end)

    def _lines(self, end):
        """The record, and the question of each of its lines."""
        lines, of = list(self.head), [None] * len(self.head)
        for question in self.questions:
            for line in question.lines():
                lines.append(json.dumps(line))
                of.append(question)
        return [*lines, json.dumps(end)], [*of, None]

    def _replay(self, end):
        """Lengths of lists are put right as the program says, since the lists themselves are compared afterwards."""
        while True:
            lines, of = self._lines(end)
            self.place.write_text("\n".join(lines) + "\n", "utf-8")
            try:
                said = fairhaven.replay(self.place, format="questions")
            except ValueError as error:
                line, field, said = catanatron.fault_of(error)
                question = of[line - 1]
                if question is not None and field and field[0] == "legal":
                    assert question.legal != int(field[1])
                    question.legal = int(field[1])
                    continue
                self.fault = (question, field, said)
                return []
            return [json.loads(line) for line in said.splitlines()]


def ranks(points, winner):
    """Ranks by seat: the winner first, then by points; equals share the mean."""
    keys = [(seat + 1 == winner, point) for seat, point in enumerate(points)]
    found = [(1 + sum(key > own for key in keys) + sum(key >= own for key in keys)) / 2 for own in keys]
    return [int(rank) if rank == int(rank) else rank for rank in found]


def end_of(translation):
    """How the other program says that the match has ended, in our words."""
    match, last = translation.match, translation.questions[-1]
    points = match["steps"][-1]["s"]["avp"]
    winner = None if match["winner"] is None else match["winner"] + 1
    end = "turn_limit" if winner is None else "won"
    return {
        "end": end,
        "winner": winner,
        "points": points,
        "ranks": ranks(points, winner),
        "turns": last.turn,
    }


# Legal lists and what is seen.


def cut(questions):
    """Questions up to the end of a turn. One is added that ends it, if the last turn is not at its end."""
    questions = list(questions)
    last = questions[-1]
    if last.phase == "main" and last.action["do"] not in ("end_turn", "knight", "road_building"):
        questions.append(Question(last.seat, "main", last.turn, {"do": "end_turn"}, None, None, {}))
    while questions and questions[-1].action["do"] != "end_turn":
        questions.pop()
    return questions


def followed(translation, place):
    """The match by the rules that the other program has, as nearly as fields say, and as far as ours can follow."""
    questions, met = cut(translation.questions), Counter()
    while questions:
        turns = questions[-1].turn
        config = translation.match["config"]
        rules = translation.rules(
            points_to_win=NEVER, turns_max=turns, shortage="nobody", robber={"hand_limit": config["discard"]}
        )
        # What is not compared here: nobody wins by these rules.
        end = {"end": "turn_limit", "winner": None, "points": [], "ranks": [], "turns": turns}
        replayed = Replayed(translation, place, rules, questions, end)
        while replayed.fault and replayed.fault[0] is None and replayed.fault[1]:
            field, due = replayed.fault[1]
            assert field in ("points", "ranks"), replayed.fault
            end[field], replayed.fault = json.loads(due), None
            replayed.told = replayed._replay(end)
        if not replayed.fault:
            return replayed, met
        question, _, said = replayed.fault
        assert question is not None and "illegal" in said, said
        assert question.action["do"] in ("road", "road_building"), said
        met["past_building"] += 1
        at = next(at for at, one in enumerate(replayed.questions) if one is question)
        questions = [one for one in replayed.questions[:at] if one.turn < question.turn]
    return None, met


def key(action):
    return json.dumps(action, sort_keys=True)


def compare_lists(translation, question, told, met):
    """Both lists have the same entries, but for differences that are known by name."""
    ours = {key(one): one for one in told["legal"]}
    theirs = {key(one): one for one in question.listed}
    assert len(ours) == len(told["legal"]) and len(theirs) == len(question.listed), "each once"
    if question.phase == "robber":
        ours = spared(translation, question, told, ours)
    more = [theirs[one] for one in theirs.keys() - ours.keys()]
    less = [ours[one] for one in ours.keys() - theirs.keys()]
    for action in less:
        assert action == {"do": "stop"} and question.phase == "free_road", (question.turn, action)
        met["roads_due"] += 1
    for action in more:
        if action["do"] == "year_of_plenty":
            bank = told["view"]["bank"]
            assert action["second"] is None and any(bank.get(kind, 0) < 2 for kind in KINDS.values()), action
            met["plenty_of_one"] += 1
        elif action["do"] == "road":
            assert is_past_building(translation, action["edge"], told), (question.turn, action)
            met["past_building"] += 1
        else:
            # Road Building counts as playable where there are only such roads.
            assert action == {"do": "road_building"}, (question.turn, action)
            edges = range(len(translation.catalogue["edges"]))
            assert any(is_past_building(translation, edge, told) for edge in edges)
            met["past_building"] += 1


def spared(translation, question, told, ours):
    """Our list without hexes of seats that the friendly robber spares, points that don't show included."""
    if not translation.match["config"]["friendly"]:
        return ours
    below = [seat for seat, points in enumerate(question.before["avp"], 1) if points < 3 and seat != question.seat]
    seats = [told["view"]["seats"][seat - 1] for seat in below]
    places = {vertex for seat in seats for vertex in seat["settlements"] + seat["cities"]}
    land = {hex_ for vertex in places for hex_ in translation.catalogue["vertices"][vertex]["hexes"]}
    left = {name: action for name, action in ours.items() if action["hex"] not in land}
    return left or ours


def is_past_building(translation, edge, told):
    """A free edge beside an own road, beyond a building of another seat."""
    seats, own = told["view"]["seats"], told["view"]["seats"][told["seat"] - 1]
    if any(edge in seat["roads"] for seat in seats):
        return False
    edges = translation.catalogue["edges"]
    others = [seat for seat in seats if seat is not own]
    for vertex in edges[edge]:
        built = any(vertex in seat["settlements"] + seat["cities"] for seat in others)
        if built and any(vertex in edges[road] for road in own["roads"]):
            return True
    return False


def compare_view(translation, question, told):
    """What the seat sees is the other program's state."""
    view, state = told["view"], question.before
    assert told["seat"] == question.seat == view["seat"] and told["phase"] == question.phase
    assert told["turn"] == question.turn
    asked = view["active"] if question.phase.startswith("found") else view["current"]
    assert asked == state["tp"] + 1
    assert translation.hexes[state["rob"]] == view["robber"]
    assert view["army"] == (None if state["la"] < 0 else state["la"] + 1)
    gone = Counter({name: sum(played[at] for played in state["pd"]) for at, name in enumerate(CARDS[1:4], 1)})
    assert +gone == Counter(view["gone"])
    held = dict(zip(CARDS, state["d"][question.seat - 1], strict=True))
    assert {name: count for name, count in held.items() if count} == view["cards"]
    for at, seat in enumerate(view["seats"]):
        assert seat["knights"] == state["pd"][at][0] and seat["card_count"] == sum(state["d"][at])
        laid = [15 - len(seat["roads"]), 5 - len(seat["settlements"]), 4 - len(seat["cities"])]
        assert laid == state["left"][at]
    if question.phase == "discard":
        return  # Cards leave one by one there, and all at once here.
    assert catanatron.counts(state["b"]) == {kind: count for kind, count in view["bank"].items() if count}
    assert catanatron.counts(state["h"][question.seat - 1]) == view["hand"]
    assert [sum(hand) for hand in state["h"]] == [seat["hand_size"] for seat in view["seats"]]


def compare_all(paths, tmp_path):
    """Compares all matches of files, and says what was met."""
    met = Counter()
    for path in paths:
        for number, match in enumerate(catanatron.matches(path)):
            translation = Translation(match, tmp_path / "island.toml")
            met["matches"] += 1
            replayed, differences = followed(translation, tmp_path / "match.jsonl")
            met += differences
            questions = replayed.questions if replayed else []
            # The last line has the end.
            for question, told in zip(questions, replayed.told[:-1] if replayed else [], strict=True):
                if question.listed is None:
                    continue  # The end of the turn that was added.
                try:
                    compare_lists(translation, question, told, met)
                    compare_view(translation, question, told)
                except AssertionError as error:
                    raise AssertionError(f"{path}, match {number}, turn {question.turn}: {question}") from error
                met["lists"] += 1
            met["all"] += len(translation.questions)
            whole = Replayed(
                translation, tmp_path / "match.jsonl", translation.rules(), translation.questions, end_of(translation)
            )
            met["ends alike"] += whole.fault is None
    print(f"\n{dict(met)}")
    return met


@recorded
def test_the_matches_of_the_package_agree(tmp_path):
    met = compare_all([SLICE], tmp_path)
    # As many as `conformance/` reads, but for the rest of matches that leave our rules.
    assert met["matches"] == 17 and met["lists"] == 14_884 and met["ends alike"] == 9


@recorded
@pytest.mark.parametrize(
    "alter",
    [
        lambda question, told: question.listed.pop(),
        lambda question, told: question.listed.append({"do": "buy"}),
        lambda question, told: told["view"]["hand"].update(ore=19),
        lambda question, told: told["view"]["seats"][0]["roads"].pop(),
        lambda question, told: told["view"].update(robber=(told["view"]["robber"] + 1) % 19),
    ],
)
def test_a_control_is_found(alter, tmp_path):
    """One changed entry or number is a difference."""
    translation = Translation(next(catanatron.matches(SLICE)), tmp_path / "island.toml")
    replayed, met = followed(translation, tmp_path / "match.jsonl")
    pairs = zip(replayed.questions, replayed.told, strict=False)
    question, told = next(pair for pair in pairs if pair[0].phase == "roll")

    def compare():
        compare_lists(translation, question, told, met)
        compare_view(translation, question, told)

    compare()
    alter(question, told)
    with pytest.raises(AssertionError):
        compare()


@pytest.mark.skipif(not FOLDER, reason="not run: FAIRHAVEN_CONFORMANCE names no folder of recorded matches")
def test_the_matches_of_a_whole_folder_agree(tmp_path):
    paths = sorted(path for path in Path(FOLDER).iterdir() if ".jsonl" in path.name)
    met = compare_all(paths, tmp_path)
    assert met["matches"] > 0


@recorded
def test_founding_is_that_of_an_open_match(tmp_path):
    """A `Match` on the recorded island: until the first roll there is no luck, so that it can be driven itself."""
    asked = 0
    for match in catanatron.matches(SLICE):
        translation = Translation(match, tmp_path / "island.toml")
        players = translation.players
        table = fairhaven.Match(
            "base", seats=range(1, players + 1), players=players, rules=translation.rules(), seed=match["seed"]
        )
        for question in translation.questions[: 4 * players]:
            legal = table.question["legal"]
            assert table.seat == question.seat and {key(one) for one in legal} == {key(one) for one in question.listed}
            compare_view(translation, question, table.question | {"seat": table.seat, "turn": question.turn})
            table.choose(legal.index(question.action))
            asked += 1
    assert asked == sum(4 * len(match["seats"]) for match in catanatron.matches(SLICE))
