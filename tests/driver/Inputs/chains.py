#!/usr/bin/env python3
"""chains.py FOLDER: writes programs with deep expressions, of about as many levels as a program may have."""

import pathlib
import sys

LEVELS = 80
BITS = """program bits {{
  vertex seen: uint64 = 0;
  message arrived: uint64 combine or;
  start all v {{ arrived = uint64(1); }}
  update v when (arrived & ~v.seen) != 0 {{ let fresh = {chain} & ~v.seen; v.seen |= fresh; send fresh; }}
  output seen;
}}
"""
MINIMA = """program minima {{
  edge weight: int32 = 1;
  vertex distance: int32 = inf;
  message best: int32 combine min;
  start all v {{ best = 0; }}
  update v when best < v.distance {{ v.distance = best; send {chain}; }}
  output distance;
}}
"""


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "bits.vg").write_text(BITS.format(chain=" & ".join(["arrived"] * LEVELS)))
    operands = ["best", "weight", "v.distance"]
    chain = "best"
    for level in range(LEVELS // 2):
        chain = f"min({chain}, {operands[level % 3]})"
    (folder / "minima.vg").write_text(MINIMA.format(chain=chain))


if __name__ == "__main__":
    main()
