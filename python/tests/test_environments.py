import copy
import gc
import itertools
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from importlib.util import find_spec

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, seed_test

import fairhaven
from fairhaven._vector import Matches

GAMES = fairhaven.games()
KINDS = ["brick", "lumber", "wool", "grain", "ore"]
BUNDLES = [bundle for size in (1, 2, 3) for bundle in itertools.combinations_with_replacement(range(5), size)]


def env_id(game):
    return f"fairhaven/{''.join(part.capitalize() for part in game.split('-'))}-v0"


# Gymnasium's and PettingZoo's own checks.


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_finds_nothing_wrong_with_one_match(game):
    for options in ({}, {"observations": "float32", "seat": "turns", "opponents": "greedy"}):
        # The checker draws an action, deals another match, and takes it there.
        env = gymnasium.make(env_id(game), illegal="loss", **options).unwrapped
        check_env(env, skip_render_check=True)


def test_what_is_not_legal_is_an_error_or_a_loss():
    strict = gymnasium.make("fairhaven/Base-v0").unwrapped
    _, info = strict.reset(seed=1)
    illegal = int(info["action_mask"].argmin())
    with pytest.raises(ValueError, match="no legal action"):
        strict.step(illegal)
    strict.step(int(info["action_mask"].argmax()))
    losing = gymnasium.make("fairhaven/Base-v0", illegal="loss", loss=-1.0).unwrapped
    first, info = losing.reset(seed=1)
    _, reward, terminated, truncated, info = losing.step(illegal)
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        losing.step(0)
    second, _ = losing.reset()
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("wrong", [-1, 7.9, None, 2**31, 2**32, [0]])
def test_what_is_no_number_of_an_action_is_refused(wrong):
    alone = gymnasium.make("fairhaven/Base-v0").unwrapped
    alone.reset(seed=1)
    seats = fairhaven.aec_env("base", seed=1)
    seats.reset()
    many = fairhaven.vector_env("base", 2, seed=1)
    _, infos = many.reset()
    before = many.action_masks()
    steps = [alone.step, seats.step, lambda action: many.step([int(infos["action_mask"][0].argmax()), action])]
    for step in steps:
        with pytest.raises(ValueError):
            step(wrong)
    np.testing.assert_array_equal(many.action_masks(), before)


def test_numbers_of_actions_may_have_any_width():
    for dtype in (np.uint8, np.int16, np.uint64, np.int64):
        env = fairhaven.vector_env("on-the-road", 4, seed=1)
        _, infos = env.reset()
        env.step(infos["action_mask"].argmax(axis=1).astype(dtype))
    with pytest.raises(ValueError, match="not float64"):
        env.step(env.sample().astype(np.float64))
    with pytest.raises(ValueError, match="shape"):
        env.step(env.sample()[:3])


@pytest.mark.parametrize("wrong", [-1, 0.5, 2**32])
def test_what_a_function_does_is_refused_likewise(wrong):
    env = fairhaven.vector_env("base", 2, seed=1, seat=2, opponents=lambda asked: [wrong] * len(asked.matches))
    with pytest.raises(ValueError):
        env.reset()


def test_only_the_engine_leaves_a_match_as_it_is():
    matches = Matches("base", 2, seed=1)
    matches.reset()
    before = matches.observations.copy()
    assert matches.step(np.array([-1, -1], np.int32)) == []
    np.testing.assert_array_equal(matches.observations, before)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_finds_nothing_wrong_with_all_seats(game):
    # Whoever is not asked has a mask of zeros, which is what the warnings are about.
    with pytest.warns(UserWarning) as warned:
        api_test(fairhaven.aec_env(game), num_cycles=200)
    about = {str(one.message).split(" (")[0] for one in warned}
    assert about <= {
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
        "Action mask numpy array is all zeros",
    }
    seed_test(lambda: fairhaven.aec_env(game), num_cycles=200)


def test_a_match_is_cut_off_after_so_many_decisions():
    env = fairhaven.aec_env("base", max_cycles=10)
    env.reset(seed=4)
    acted = 0
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        assert (acted == 10) == truncated and not terminated and reward == 0
        env.step(None if truncated else env.action_space(agent).sample(seen["action_mask"]))
        acted += not truncated
    assert acted == 10 and env.agents == []


def test_whoever_wins_is_rewarded():
    for loss in (0.0, -1.0):
        env = fairhaven.aec_env("on-the-road", players=3, seed=2, loss=loss)
        env.reset()
        rewards = {}
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, info = env.last()
            if terminated or truncated:
                rewards[agent] = reward
                ended = info["ended"]
                env.step(None)
            else:
                assert reward == 0
                env.step(env.action_space(agent).sample(seen["action_mask"]))
        assert ended.winner > 0
        assert rewards == {f"seat_{seat}": 1.0 if seat == ended.winner else loss for seat in (1, 2, 3)}


# Masks are legal lists.


def away(seat, other, players):
    return (other - seat) % players if other <= players else other - 1


def cards(counts):
    return tuple(kind for kind, name in enumerate(KINDS) for _ in range(counts.get(name, 0)))


def value_of(action, kind, name, asked, question):
    """A field of an action, as the documentation says it is counted."""
    seat, players = asked
    value = action.get(name)
    match kind, name:
        case "year_of_plenty", "second":
            return 0 if value is None else 1 + KINDS.index(value)
        case "robber", "victim":
            return 0 if value is None else away(seat, value, players)
        case "offer" | "counter", _:
            return BUNDLES.index(cards(value))
        case "settle", "with":
            return away(seat, value, players)
        case ("give", "to") | ("rob", "from") | ("neutral_road" | "neutral_settlement", "seat"):
            return away(seat, value, players)
        case "trade", "with":
            return (
                {"stack": 0, "market": 1}[value] if isinstance(value, str) else 2 + away(seat, value["seat"], players)
            )
        case "build", "card":
            names = question["cards"]
            return names.index(value)
        case "build", "replaced":
            pay = action["pay"]
            return 0 if pay == "exact" else 1 + KINDS.index(pay["substitute"]["replaced"])
        case "build", "by":
            pay = action["pay"]
            return 0 if pay == "exact" else KINDS.index(pay["substitute"]["by"])
        case "helper", "take":
            return ["isa", "louis"].index(value)
    return KINDS.index(value) if isinstance(value, str) else int(value)


def numbers_of(actions, legal, asked, catalogue):
    """The numbers of a legal list of the protocol."""
    ways, numbers = {}, []
    for action in legal:
        kind = next(one for one in actions if one.name == action["do"])
        values = [value_of(action, kind.name, name, asked, catalogue) for name, _ in kind.fields]
        way = 0
        if kind.ways > 1:
            way = ways[(kind.name, *values)] = ways.get((kind.name, *values), -1) + 1
        numbers.append(actions.number(kind.name, *values, way=way))
    return numbers


@pytest.mark.parametrize("game", GAMES)
def test_masks_are_the_legal_lists_of_the_protocol_bit_for_bit(game):
    matches = Matches(game, 1, seed=5, offers=True, threads=1)
    matches.reset(5)
    match = fairhaven.Match(game, seats=range(1, matches.players + 1), seed=5)
    catalogue = next(one for one in match.told if one["type"] == "game")["catalogue"]
    for _ in range(600):
        assert match.seat == matches.seats[0]
        legal = match.question["legal"]
        due = numbers_of(matches.actions, legal, (match.seat, matches.players), catalogue)
        mask = np.zeros(matches.actions.size, np.int8)
        mask[due] = 1
        assert mask.sum() == len(legal)
        np.testing.assert_array_equal(matches.masks[0], mask)
        lists = matches.lists()
        assert lists.numbers.tolist() == due and lists.starts.tolist() == [0, len(due)]
        for number, action in zip(due, legal, strict=True):
            assert matches.actions.describe(number)["do"] == action["do"]
        place = int(matches.sample(places=True)[0])
        ended = matches.step(np.array([place], np.int32), places=True)
        match.choose(place)
        if ended:
            assert match.outcome["winner"] == (ended[0].winner or None)
            assert match.outcome["points"] == ended[0].points
            break


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_that_of_the_program_byte_for_byte(game, tmp_path):
    matches = Matches(game, 1, seats=[2], agents="greedy", seed=8, offers=True, records=True)
    matches.reset(8)
    match = fairhaven.Match(game, seats=[2], agents="greedy", seed=8)
    ended = []
    while not ended:
        assert matches.record(0) == match.record
        place = matches.sample(places=True)
        ended = matches.step(place, places=True)
        match.choose(int(place[0]))
    assert ended[0].record == match.record
    record = tmp_path / "match.jsonl"
    record.write_text(ended[0].record)
    assert f"Seat {ended[0].winner} wins" in fairhaven.replay(record)


# Automatic resets.


@pytest.mark.parametrize("offers", [False, True])
def test_masks_and_observations_are_those_of_the_next_match(offers):
    boundaries, n = 10_000, 128
    options = dict(players=2, seed=6, rules={"points_to_win": 5}, offers=offers)
    # All first positions by the number of their deal.
    first = Matches("on-the-road", boundaries + 20 * n, seats=[1], agents="greedy", **options)
    first.reset(6)
    dealt = first.deals == np.arange(first.n)  # The others have no choice in them.
    assert dealt.mean() > 0.9
    env = fairhaven.vector_env("on-the-road", n, opponents="greedy", **options)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    seen, infos = env.reset()
    deals = infos["deal"]
    found = 0
    while found < boundaries:
        seen, rewards, terminated, truncated, infos = env.step(env.sample())
        over = terminated | truncated
        assert over.any() == ("_ended" in infos)
        if not over.any():
            continue
        np.testing.assert_array_equal(infos["_ended"], over)
        for place in np.flatnonzero(over):
            assert infos["ended"][place].deal == deals[place]
        at = np.flatnonzero(over)
        assert (infos["deal"][at] > deals[at]).all() and (infos["deal"][at] % n == at).all()
        deals = infos["deal"]
        at = at[deals[at] < first.n]
        assert dealt[deals[at]].all()
        np.testing.assert_array_equal(seen[at], first.observations[deals[at]])
        np.testing.assert_array_equal(infos["action_mask"][at], first.masks[deals[at]])
        found += len(at)


def test_the_end_of_a_match_is_told():
    env = fairhaven.vector_env("on-the-road", 8, players=2, seed=3, loss=-1.0)
    env.reset()
    found = 0
    while found < 30:
        _, rewards, terminated, truncated, infos = env.step(env.sample())
        for place in np.flatnonzero(terminated | truncated):
            ended = infos["ended"][place]
            last = infos["final_obs"][place]
            phase = env.layout["table"].of(last, "phase")[0]
            assert phase.argmax() == 5 and phase.sum() == 1, "the match is over there"
            points = env.layout["seats"].of(last, "points")[:, 0]
            assert points.tolist() == ended.points, "seat 1 looks"
            assert rewards[place] == (1.0 if ended.winner == 1 else -1.0 if ended.winner else 0.0)
            found += 1
    assert (rewards[~(terminated | truncated)] == 0).all()


# What is seen.


@pytest.mark.parametrize("game", GAMES)
def test_layouts_have_a_place_for_each_number(game):
    matches = Matches(game, 3, seed=2, threads=1)
    matches.reset(2)
    end = 0
    for name, group in matches.layout.items():
        assert (group.name, group.offset) == (name, end)
        rows = group.of(matches.observations)
        assert rows.shape == (3, group.count, group.width)
        features = [group.of(matches.observations, feature) for feature, _ in group.features]
        np.testing.assert_array_equal(np.concatenate(features, axis=-1), rows)
        end += group.length
    assert end == matches.layout.length == matches.observations.shape[1]
    floats = Matches(game, 3, seed=2, dtype=np.float32)
    floats.reset(2)
    np.testing.assert_array_equal(floats.observations, matches.observations.astype(np.float32))


def test_seats_see_themselves_first():
    matches = Matches("base", 1, seed=4)
    matches.reset(4)
    for _ in range(400):
        matches.step(matches.sample())
        sizes = []
        for seat in range(1, 5):
            seen = matches.seen(0, seat)
            own = matches.layout["own"].of(seen, "hand")[0].sum()
            seats = matches.layout["seats"].of(seen, "hand_size")[:, 0]
            assert seats[0] == own
            sizes.append(np.roll(seats, seat - 1).tolist())
        assert len({tuple(one) for one in sizes}) == 1, "all see the same sizes"


def test_observations_tell_what_the_view_tells():
    matches = Matches("base", 1, seed=7)
    matches.reset(7)
    match = fairhaven.Match("base", seats=[1, 2, 3, 4], seed=7)
    layout = matches.layout
    while match.seat:
        view, seen = match.question["view"], matches.observations[0]
        assert layout["own"].of(seen, "hand")[0].tolist() == [view["hand"].get(kind, 0) for kind in KINDS]
        assert layout["table"].of(seen, "bank")[0].tolist() == [view["bank"].get(kind, 0) for kind in KINDS]
        assert layout["hexes"].of(seen, "token")[:, 0].tolist() == [hex_["token"] or 0 for hex_ in view["hexes"]]
        assert layout["hexes"].of(seen, "robber")[:, 0].argmax() == view["robber"]
        for place in range(4):
            seat = view["seats"][(match.seat - 1 + place) % 4]
            assert np.flatnonzero(layout["edges"].of(seen, "road")[:, place]).tolist() == seat["roads"]
            assert np.flatnonzero(layout["vertices"].of(seen, "city")[:, place]).tolist() == seat["cities"]
        place = int(matches.sample(places=True)[0])
        # Offers are not in the list of the arrays.
        legal = [at for at, one in enumerate(match.question["legal"]) if one["do"] not in ("offer", "counter")]
        matches.step(np.array([place], np.int32), places=True)
        match.choose(legal[place])
        while (
            match.seat and len([one for one in match.question["legal"] if one["do"] not in ("offer", "counter")]) == 1
        ):
            match.choose(0)


# Who plays.


def test_seats_take_turns():
    env = fairhaven.vector_env(
        "on-the-road", 8, players=4, seat="turns", seed=3, opponents=["greedy", "random", "random"]
    )
    _, infos = env.reset()
    assert infos["seat"].tolist() == [1, 2, 3, 4, 1, 2, 3, 4]


@pytest.mark.parametrize("seat", [2, "turns"])
def test_functions_play_many_matches_at_once(seat):
    batches = []

    def last(asked):
        batches.append(len(asked.matches))
        assert asked.observations.shape[0] == asked.masks.shape[0] == len(asked.seats)
        return asked.masks.shape[1] - 1 - asked.masks[:, ::-1].argmax(axis=1)

    env = fairhaven.vector_env("on-the-road", 32, players=3, seat=seat, opponents=last, seed=5)
    seen, infos = env.reset()
    ended = 0
    for _ in range(300):
        _, rewards, terminated, truncated, infos = env.step(env.sample())
        if seat == 2:
            assert (infos["seat"] == 2).all()
        ended += int((terminated | truncated).sum())
    assert ended > 10 and np.mean(batches) > 2


def test_a_function_beside_agents():
    first = lambda asked: asked.masks.argmax(axis=1)  # noqa: E731
    env = fairhaven.vector_env("base", 4, seat=3, opponents=["greedy", first, "random"], seed=5)
    _, infos = env.reset()
    for _ in range(50):
        *_, infos = env.step(env.sample())
        assert (infos["seat"] == 3).all()


def test_what_cannot_be_is_refused():
    for options, words in [
        ({"seat": 5}, "no seat 5"),
        ({"opponents": "nobody"}, "nobody"),
        ({"opponents": "oracle"}, "sees all hands"),
        ({"opponents": ["random"] * 2}, "2 agents for 3 other seats"),
        ({"observations": "int8"}, "int16 or float32"),
        ({"rules": {"points_to_win": 99}}, "points_to_win"),
        ({"seed": -1}, "seed: -1"),
        ({"seat": "first"}, "seat: 'first'"),
        ({"threads": 0}, "threads: 0"),
        ({"threads": 1025}, "threads: 1025"),
        ({"players": -1}, "players: -1"),
    ]:
        with pytest.raises(ValueError, match=words):
            fairhaven.vector_env("base", 2, **options)
    with pytest.raises(ValueError, match="one match at a time"):
        agent = fairhaven.Agent(lambda asked: [0] * len(asked), name="outside")
        fairhaven.vector_env("base", 2, opponents=agent)
    env = fairhaven.vector_env("base", 2, seed=1)
    with pytest.raises(ValueError, match="seed: -1"):
        env.reset(seed=-1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(2, np.int32))
    seen, infos = env.reset()
    illegal = infos["action_mask"].argmin(axis=1)
    with pytest.raises(ValueError, match="no legal action"):
        env.step(illegal)
    np.testing.assert_array_equal(env.action_masks(), infos["action_mask"])


def test_steps_make_new_arrays_unless_they_need_not():
    for copies in (True, False):
        env = fairhaven.vector_env("base", 2, seed=1, copy=copies)
        seen, infos = env.reset()
        after, *_, infos_after = env.step(env.sample())
        assert np.shares_memory(seen, after) != copies
        assert np.shares_memory(infos["action_mask"], infos_after["action_mask"]) != copies


# Repeatable, on any threads.


def played(threads, n=16, steps=150):
    env = fairhaven.vector_env("base", n, seed=9, threads=threads, opponents="heuristic")
    env.reset()
    seen = []
    for _ in range(steps):
        observations, rewards, *_ = env.step(env.sample())
        seen.append((observations, rewards))
    return seen


def same(one, other):
    return all(np.array_equal(a[0], b[0]) and np.array_equal(a[1], b[1]) for a, b in zip(one, other, strict=True))


def test_no_result_depends_on_threads():
    assert same(played(1), played(3))


def test_two_environments_in_threads():
    found = {}
    threads = [threading.Thread(target=lambda at=at: found.update({at: played(2)})) for at in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same(found[0], found[1]) and same(found[0], played(1))


def test_threads_end_with_their_environment():
    def running():
        return len(os.listdir("/proc/self/task"))

    before = running()
    env = fairhaven.vector_env("base", 8, threads=3, seed=1)
    env.reset()
    assert running() == before + 3
    del env
    gc.collect()
    for _ in range(100):
        if running() <= before:
            return
        threading.Event().wait(0.05)
    raise AssertionError("threads are left")


def _in_a_fork(env, queue):
    try:
        env.reset(seed=1)
    except RuntimeError as error:
        queue.put(str(error))


def test_a_forked_process_makes_its_own():
    env = fairhaven.vector_env("base", 8, threads=2, seed=1)
    env.reset()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_a_fork, args=[env, queue])
    child.start()
    assert "forked" in queue.get(timeout=30)
    child.join()


# Gymnasium's registry, and what is not installed.


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_makes_them(game):
    env = gymnasium.make(env_id(game), opponents="greedy")
    # Else chance may lose in a few steps.
    env.action_space.seed(3)
    seen, info = env.reset(seed=3)
    assert env.observation_space.contains(seen) and info["action_mask"].any()
    over = False
    steps = 0
    while not over:
        action = env.action_space.sample(info["action_mask"])
        seen, reward, terminated, truncated, info = env.step(action)
        over = terminated or truncated
        steps += 1
    assert steps > 10 and not info["action_mask"].any() and reward == float(info["ended"].winner == 1)
    again, _ = env.reset()
    assert not np.array_equal(again, seen)
    many = gymnasium.make_vec(env_id(game), num_envs=3, vectorization_mode="vector_entry_point")
    seen, infos = many.reset(seed=3)
    assert many.observation_space.contains(seen) and seen.shape[0] == 3
    assert many.action_space.contains(many.action_space.sample())
    *_, infos = many.step(many.action_space.sample())
    assert infos["action_mask"].shape == (3, many.unwrapped.actions.size)


def test_spaces_of_actions_are_copied_and_carried_to_other_processes():
    for space in (gymnasium.make("fairhaven/Base-v0").action_space, fairhaven.vector_env("base", 3).action_space):
        for same in (pickle.loads(pickle.dumps(space)), copy.copy(space), copy.deepcopy(space)):
            assert same == space and same.contains(same.sample())
            assert type(same) in (gymnasium.spaces.Discrete, gymnasium.spaces.MultiDiscrete)


def test_gymnasium_plays_them_in_processes():
    env = gymnasium.make_vec("fairhaven/Base-v0", 2, vectorization_mode="async", opponents="greedy")
    try:
        seen, infos = env.reset(seed=[1, 2])
        assert env.observation_space.contains(seen)
        for _ in range(20):
            seen, *_, infos = env.step(infos["action_mask"].argmax(axis=1))
        assert env.observation_space.contains(seen) and infos["action_mask"].any(axis=1).all()
    finally:
        env.close()


def test_agents_may_be_files(tmp_path):
    bold = tmp_path / "bold.toml"
    strategy = 'kind = "builder"\nabout = "steers"\nprovenance = "a test"\n\n[parameters]\n'
    bold.write_text(strategy, "utf-8")
    for opponents in (bold, [bold, "random"], (bold, lambda asked: asked.masks.argmax(axis=1))):
        env = fairhaven.vector_env("on-the-road", 2, players=3, seed=1, opponents=opponents)
        env.reset()
        env.step(env.sample())


def test_an_older_gymnasium_is_in_nobodys_way():
    code = (
        "import gymnasium.vector; del gymnasium.vector.AutoresetMode\n"
        "import fairhaven\n"
        "fairhaven.simulate('base', agents='random', matches=4)\n"
        "for make in (lambda: fairhaven.vector_env('base', 2), lambda: gymnasium.make('fairhaven/Base-v0')):\n"
        "    try:\n        make()\n"
        "    except ImportError as error:\n        print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.count("Gymnasium 1.1 or later is needed") == 2


@pytest.mark.parametrize("missing", ["numpy", "gymnasium", "pettingzoo"])
def test_what_is_missing_is_named(missing):
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "import fairhaven\n"
        "try:\n    fairhaven.aec_env('base')\n"
        "except ImportError as error:\n    print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert f"{missing} is not installed: pip install 'fairhaven[environments]'" in said
    assert find_spec(missing)
