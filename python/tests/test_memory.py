"""A short run of `memory.py`, whose hour is started by hand."""

import memory
import pytest


def lines(growth):
    """An hour in rounds of ten seconds, in which each round of a game takes more than the one before it."""
    return [memory.Line(10.0 * at, 100.0 + at % 5 + growth * at / 6, 20.0, 4) for at in range(360)]


def test_memory_is_measured(tmp_path):
    told = []
    (line,) = memory.measured(0.0, tell=told.append)
    assert told == [line]
    assert line.resident > 20 and line.threads >= 1
    assert line.used is None or 1 < line.used < line.resident


def test_growth_is_seen():
    assert memory.growth(lines(0.0), memory.resident) == 0.0
    assert not memory.has_grown(lines(0.0), 10.0)
    assert memory.growth(lines(1.0), memory.resident) == pytest.approx(40.0)
    assert memory.has_grown(lines(1.0), 10.0)
    held = [line._replace(used=line.used + at / 120) for at, line in enumerate(lines(0.0))]
    assert memory.has_grown(held, 10.0)
    left = [line._replace(threads=at) for at, line in enumerate(lines(0.0))]
    assert memory.has_grown(left, 10.0)


def test_a_slope_has_an_interval():
    by, half = memory.slope(lines(1.0), memory.resident)
    assert by == pytest.approx(1024.0)
    assert half == pytest.approx(0.0, abs=1e-6)
    uneven = [line._replace(resident=line.resident + at // 60 % 2) for at, line in enumerate(lines(0.0))]
    by, half = memory.slope(uneven, memory.resident)
    assert abs(by) < half
    assert memory.slope(lines(1.0)[:100], memory.resident) is None


def test_what_was_written_is_read(tmp_path):
    file = tmp_path / "memory.csv"
    rows = [",".join(map(str, line)) for line in lines(0.0)]
    file.write_text("\n".join([",".join(memory.Line._fields), *rows]))
    assert memory.read(file) == lines(0.0)
    assert memory.summary(lines(0.0)).splitlines()[2] == "in use: 20.0 to 20.0 MB, +0.0 ± 0.0 KB a minute"
