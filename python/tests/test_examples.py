"""The examples run with what the README says is installed, and nothing beside it."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"

#: Runs a file as a program where some packages are missing.
WITHOUT = """
import runpy, sys

class Without:
    missing = sys.argv[1].split(",")

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.missing:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Without())
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def said(example, *options, without, place):
    words = [sys.executable, "-c", WITHOUT, without, str(EXAMPLES / example), *map(str, options)]
    done = subprocess.run(words, cwd=place, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_net_is_trained_by_numpy_alone(tmp_path):
    small = ("--matches", 200, "--every", 12, "--epochs", 4, "--duel", 8)
    out = said("train_net.py", *small, "--out", tmp_path / "net.toml", without="pandas", place=tmp_path)
    assert "held out" in out
    assert "two-player" in (tmp_path / "net.toml").read_text("utf-8")


def test_the_picture_is_drawn_twice_alike(tmp_path):
    pytest.importorskip("matplotlib")
    for name in ("one.svg", "other.svg"):
        said("figure.py", "--blocks", 60, "--out", tmp_path / name, without="pandas", place=tmp_path)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()
