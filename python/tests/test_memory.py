"""A short run of `memory.py`, whose hour is started by hand."""

import memory
import pytest


def test_memory_is_measured_and_growth_is_seen():
    lines = memory.measured(0.05)
    assert lines[0][1] > 20 and lines[0][2] >= 1
    flat = [(float(at), 100.0, 4) for at in range(60)]
    leaking = [(float(at), 100.0 + at, 4) for at in range(60)]
    assert memory.growth(flat) == (100.0, 100.0)
    early, late = memory.growth(leaking)
    assert late - early == pytest.approx(40.0)
