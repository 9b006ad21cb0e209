#!/usr/bin/env python3
"""Draws goals.csv as bars: what each case costs now, as a share of what it cost before (goals.svg).

Usage: reports/throughput/picture.py [GOALS.CSV [OUT.SVG]]    this folder's by default
"""

import csv
import pathlib
import sys
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).parent
LEFT, WIDTH, ROW = 380, 420, 24


def text(x, y, words, more=""):
    return f'<text x="{x}" y="{y}" {more}>{escape(words)}</text>'


def bar(at, row):
    """A case: a bar of its ratio, and the spread of rounds if there were some."""
    top = 40 + at * ROW
    ratio = float(row["ratio"])
    lines = [
        text(LEFT - 10, top + 15, f'{row["case"]}, {row["unit"].removesuffix(" a match")}', 'text-anchor="end"'),
        f'<rect x="{LEFT}" y="{top + 3}" width="{ratio * WIDTH:.1f}" height="{ROW - 8}" fill="#2b6cb0"/>',
        text(LEFT + ratio * WIDTH + 8, top + 15, f"{ratio:.2f}"),
    ]
    if row["least"]:
        least, most = (LEFT + float(row[end]) * WIDTH for end in ("least", "most"))
        middle = top + ROW / 2 - 1
        lines.append(f'<line x1="{least:.1f}" y1="{middle}" x2="{most:.1f}" y2="{middle}" stroke="#1a202c"/>')
    return "\n".join(lines)


def main():
    source = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "goals.csv"
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "goals.svg"
    rows = list(csv.DictReader(source.open()))
    bottom = 40 + len(rows) * ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 80}" height="{bottom + 10}" '
        'font-family="sans-serif" font-size="13" fill="#1a202c">',
        f'<rect width="100%" height="100%" fill="white"/>',
        text(LEFT, 24, "share of what it cost before (lines: least to most of the rounds)"),
        *(bar(at, row) for at, row in enumerate(rows)),
        f'<line x1="{LEFT}" y1="34" x2="{LEFT}" y2="{bottom}" stroke="#1a202c"/>',
        f'<line x1="{LEFT + WIDTH}" y1="34" x2="{LEFT + WIDTH}" y2="{bottom}" stroke="#a0aec0"/>',
        "</svg>",
    ]
    target.write_text("\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
