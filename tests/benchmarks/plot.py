#!/usr/bin/env python3
"""Draws traces as one SVG: for each the variant, the active vertices, the edges visited and the time of every step.

    plot.py OUT.svg "bfs on kron 21 48=bfs-kron21.jsonl" ["TITLE=TRACE" ...]
"""

import argparse
import html
import json
import math
import pathlib
import sys

WIDTH, LEFT, RIGHT = 860, 140, 62
PLOT = WIDTH - LEFT - RIGHT
LANE, CHART, GAP = 18, 90, 26
COLOURS = ("#0969da", "#cf222e", "#1a7f37", "#9a6700", "#8250df", "#bf3989", "#57606a", "#1b7c83")
MOST_BARS = 350  # steps beyond share a bar, which shows their largest value


def seconds(value):
    for unit, scale in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if value * scale >= 1 or unit == "µs":
            return f"{value * scale:.3g} {unit}"


def count(value):
    for unit, scale in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value:.0f}"


def steps_per_bar(rows):
    return max(1, math.ceil(len(rows) / MOST_BARS))


class Drawing:
    def __init__(self):
        self.parts = []
        self.y = 0

    def text(self, x, y, words, anchor="start", size=11, colour="#24292f", weight="normal"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
                          f'fill="{colour}" font-weight="{weight}">{html.escape(words)}</text>')

    def rect(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" '
                          f'fill="{colour}" shape-rendering="crispEdges"/>')

    def line(self, x1, y1, x2, y2, colour="#d0d7de"):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>')

    def lanes(self, rows, variants):
        for place, name in enumerate(variants):
            y = self.y + place * LANE
            self.text(LEFT - 8, y + 13, name, "end")
            self.line(LEFT, y + LANE, LEFT + PLOT, y + LANE)
        begin = 0
        while begin < len(rows):
            end = begin + 1
            while end < len(rows) and rows[end]["variant"] == rows[begin]["variant"]:
                end += 1
            place = variants.index(rows[begin]["variant"])
            x = LEFT + PLOT * begin / len(rows)
            self.rect(x, self.y + place * LANE + 4, max(1, PLOT * (end - begin) / len(rows) - 1), LANE - 7,
                      COLOURS[place % len(COLOURS)])
            begin = end
        self.y += len(variants) * LANE + GAP / 2

    def bars(self, rows, variants, field, label, spell):
        """A chart on a logarithmic scale, which its name says; zero has no bar."""
        values = [row[field] for row in rows if row[field] > 0]
        if not values:
            return
        top, floor = max(values), min(values) / 1.5
        span = math.log(top / floor) or 1
        self.text(LEFT - 8, self.y + CHART / 2 - 2, label, "end")
        self.text(LEFT - 8, self.y + CHART / 2 + 12, "per step, log scale", "end", 9, "#57606a")
        for value in (top, math.sqrt(top * floor)):
            y = self.y + CHART * (1 - math.log(value / floor) / span)
            self.line(LEFT, y, LEFT + PLOT, y)
            self.text(LEFT + PLOT + 6, y + 4, spell(value), "start", 10, "#57606a")
        per_bar = steps_per_bar(rows)
        bars = [max(rows[i:i + per_bar], key=lambda row: row[field]) for i in range(0, len(rows), per_bar)]
        slot = PLOT / len(bars)
        for i, row in enumerate(bars):
            if row[field] <= 0:
                continue
            height = CHART * math.log(row[field] / floor) / span
            width = slot if slot < 5 else min(slot * 0.85, 60)
            colour = COLOURS[variants.index(row["variant"]) % len(COLOURS)]
            self.rect(LEFT + i * slot, self.y + CHART - height, width, height, colour)
        self.line(LEFT, self.y + CHART, LEFT + PLOT, self.y + CHART, "#57606a")
        self.y += CHART + GAP / 2

    def steps(self, rows):
        """The axis below all charts: the numbers of a few steps, each below the middle of its bar."""
        last = len(rows) - 1
        every = next(size * 10 ** power for power in range(9) for size in (1, 2, 5) if 10 * size * 10 ** power > last)
        for step in range(0, last + 1, every):
            x = LEFT + PLOT * (step + 0.5) / len(rows)
            self.line(x, self.y - GAP / 2, x, self.y - GAP / 2 + 4, "#57606a")
            self.text(x, self.y + 3, str(step), "middle", 10, "#57606a")
        shared = steps_per_bar(rows)
        self.text(LEFT - 8, self.y + 3, "step", "end")
        if shared > 1:
            self.text(LEFT + PLOT, self.y + 16, f"a bar stands for {shared} steps and shows the largest", "end", 9, "#57606a")
        self.y += GAP / 2

    def trace(self, title, rows):
        variants = list(dict.fromkeys(row["variant"] for row in rows))
        total = sum(row["duration"] for row in rows)
        edges = sum(row["edges"] for row in rows)
        self.y += GAP
        self.text(LEFT, self.y, title, size=14, weight="bold")
        self.text(LEFT + PLOT, self.y, f"{len(rows):,} steps, {count(edges)} edges visited, "
                  f"{seconds(total)} in steps", "end", 11, "#57606a")
        self.y += 10
        self.lanes(rows, variants)
        self.bars(rows, variants, "active_vertices", "active vertices", count)
        self.bars(rows, variants, "edges", "edges visited", count)
        self.bars(rows, variants, "duration", "time", seconds)
        self.steps(rows)

    def svg(self):
        body = "\n".join(self.parts)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y + 10:.0f}" '
                f'font-family="DejaVu Sans, Verdana, sans-serif">\n'
                f'<rect width="{WIDTH}" height="{self.y + 10:.0f}" fill="#ffffff"/>\n{body}\n</svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("traces", nargs="+", metavar="TITLE=TRACE", help="files that --trace wrote")
    options = parser.parse_args()
    drawing = Drawing()
    for each in options.traces:
        title, _, path = each.rpartition("=")
        rows = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
        if not rows:
            print(f"{path}: no steps", file=sys.stderr)
            return 1
        drawing.trace(title or path, rows)
    options.out.write_text(drawing.svg())
    return 0


if __name__ == "__main__":
    sys.exit(main())
