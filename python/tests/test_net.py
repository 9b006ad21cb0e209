import json

import numpy as np
import pyarrow as pa
import pytest

import fairhaven


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    place = tmp_path_factory.mktemp("run")
    fairhaven.simulate("two-player", agents="random", matches=1, seed=1, out=place / "run")
    file = fairhaven.export(place / "run", place / "decisions.jsonl.zst", every=100)
    with pa.input_stream(str(file), compression="zstd") as lines:
        first = json.loads(lines.read().splitlines()[0])
    return [key[len("net_") : -len("_own")] for key in first if key.startswith("net_") and key.endswith("_own")]


def played(path):
    run = fairhaven.simulate("two-player", agents=f"mcts:iterations=4:net={path},random", matches=2, seed=3)
    return run["seats"].to_pylist()


def test_the_program_reads_what_is_saved(names, tmp_path):
    net = fairhaven.Net.random("two-player", names, seed=4)
    again = fairhaven.Net.load(net.save(tmp_path / "net.toml"))
    for part in ("weights", "start", "worth"):
        np.testing.assert_array_equal(getattr(again, part), getattr(net, part))
    assert played(tmp_path / "net.toml")
    net.version, net.scales = 1, {name: 0.1 + at for at, name in enumerate(names)}
    scaled = fairhaven.Net.load(net.save(tmp_path / "scaled.toml"))
    assert (scaled.version, scaled.scales) == (1, net.scales)
    lacking = fairhaven.Net.random("two-player", names[1:], seed=4)
    with pytest.raises(ValueError, match=names[0]):
        played(lacking.save(tmp_path / "lacking.toml"))


def test_what_no_net_is_is_refused(tmp_path):
    net = fairhaven.Net.random("two-player", ["point"], seed=4)
    text = net.save(tmp_path / "net.toml").read_text()
    (tmp_path / "other.toml").write_text(text.replace("form = 1", "form = 3"))
    with pytest.raises(ValueError, match="no net of form 1 or 2"):
        fairhaven.Net.load(tmp_path / "other.toml")
    net.weights = net.weights[:, :3]
    with pytest.raises(ValueError, match="weights are"):
        net.save(tmp_path / "net.toml")


def test_worths_are_those_of_the_formula():
    net = fairhaven.Net.random("two-player", ["a", "b"], seed=4)
    x = np.array([0.5, -2.0])
    sums = [max(float(net.start[j] + x @ net.weights[:, j]), 0.0) for j in range(32)]
    assert net.worths(x) == pytest.approx(sum(one * float(worth) for one, worth in zip(sums, net.worth, strict=True)))
    chances = net.chances(np.stack([x, x, 2 * x]))
    assert chances.sum() == pytest.approx(1) and chances[0] == chances[1]
