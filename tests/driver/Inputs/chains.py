#!/usr/bin/env python3
"""chains.py FOLDER: writes programs with deep expressions, of about as many levels as a program may have, and
programs whose functions or lets use each other twice, so that what is written out doubles with every level.
"""

import pathlib
import sys

LEVELS = 80
DOUBLINGS = 40
BITS = """program bits {{
  vertex seen: uint64 = 0;
  message arrived: uint64 combine or;
  start all v {{ arrived = uint64(1); }}
  update v when (arrived & ~v.seen) != 0 {{ let fresh = {chain} & ~v.seen; v.seen |= fresh; send fresh; }}
  output seen;
}}
"""
# A line of the source stands in a comment of what is emitted.
OPEN = """program open {{
  vertex a: int32 = 1;
  update all v {{ v.a = v.a + 1; }}  // {open}
  output a;
}}
"""
SENDING = """program sending {{
  edge weight: int32 = 1;
  vertex distance: int32 = inf;
  message best: int32 combine min;
  start all v {{ best = 0; }}
  update v when best < v.distance {{ {lets}v.distance = best; send {sent}; }}
  output distance;
}}
"""
FUNCTIONS = """program functions {{
  vertex a: int32 = 1;
  fn f0(x: int32): int32 = x + 1;
  {functions}
  fn square(x: int32): int32 = x * x + x;
  update all v {{ v.a = f{last}(v.a) + {squares}; }}
  output a;
}}
"""


def nested(template, levels):
    """`template` with itself for {inner}, `levels` deep, and operands that differ from level to level."""
    operands = ["best", "weight", "v.distance"]
    chain = "best"
    for level in range(levels):
        chain = template.format(inner=chain, other=operands[level % 3])
    return chain


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "bits.vg").write_text(BITS.format(chain=" & ".join(["arrived"] * LEVELS)))
    (folder / "open.vg").write_text(OPEN.format(open="(" * 200000))
    for name, template in {
        "minima": "min({inner}, {other})",
        "choices": "(best < weight ? {inner} : {other})",
        "sums": "({other} + {inner})",
    }.items():
        (folder / f"{name}.vg").write_text(SENDING.format(lets="", sent=nested(template, LEVELS // 2)))
    lets = "let x0 = best; " + "".join(f"let x{i + 1} = x{i} + x{i}; " for i in range(DOUBLINGS))
    (folder / "lets.vg").write_text(SENDING.format(lets=lets, sent=f"x{DOUBLINGS}"))
    calls = "\n  ".join(f"fn f{i + 1}(x: int32): int32 = f{i}(x) + f{i}(x + 1);" for i in range(DOUBLINGS))
    squares = "square(" * DOUBLINGS + "v.a" + ")" * DOUBLINGS
    (folder / "functions.vg").write_text(FUNCTIONS.format(functions=calls, last=DOUBLINGS, squares=squares))


if __name__ == "__main__":
    main()
