#!/usr/bin/env python3
"""guards.py VERTIGO: which guards are warned of (VG0335, VG0336), and what the fix makes of them."""

import subprocess
import sys
import tempfile

NUMBER = ("int32", "inf", "min")
PAIR = ("(int32, vertex)", "(inf, none)", "min")
# (guard, body, type and operator, code or None, what the fix makes of the guard)
CASES = [
    ("m <= v.d", "v.d = m; send m;", NUMBER, 335, "m < v.d"),
    ("v.d >= m", "v.d = m; send m;", NUMBER, 335, "v.d > m"),
    ("m != v.d", "v.d = m; send m + 1;", NUMBER, 335, "m < v.d"),
    ("v.d != m", "v.d = m; send m + 1;", NUMBER, 335, "v.d > m"),
    ("!(m > v.d)", "v.d = m; send m;", NUMBER, 335, "!(m >= v.d)"),
    ("m <= v.d", "v.d = min(v.d, m); send m;", NUMBER, 335, "m < v.d"),
    ("m <= v.d", "let best = m; v.d = best; send best;", NUMBER, 335, "m < v.d"),
    ("m <= v.d && v.degree > 2", "v.d = m; send m;", NUMBER, 335, "m < v.d && v.degree > 2"),
    ("m >= v.d", "v.d = m; send m;", ("int32", "-inf", "max"), 335, "m > v.d"),
    ("m != v.d", "v.d = m; send m;", ("vertex", "none", "min"), 335, "m < v.d"),
    ("m <= v.d", "v.d = m; send m;", PAIR, 335, "m < v.d"),
    ("(m.0, m.1) <= v.d", "v.d = m; send m;", PAIR, 335, "(m.0, m.1) < v.d"),
    ("m.0 <= v.d.0", "v.d = m; send m;", PAIR, 335, "m.0 < v.d.0"),
    ("m < v.d || true", "v.d = m; send m;", NUMBER, 336, None),
    ("true", "v.d = m; send m;", NUMBER, 336, None),
    ("1 < 2", "v.d = m; send m;", NUMBER, 336, None),
    ("m <= inf", "v.d = m; send m;", NUMBER, 336, None),
    ("m == m", "v.d = m; send m;", NUMBER, 336, None),
    ("m < v.d", "v.d = m; send m;", NUMBER, None, None),
    ("m < v.d && m != 3", "v.d = m; send m;", NUMBER, None, None),
    ("m < 10", "v.d = m; send m + 1;", NUMBER, None, None),
    ("m <= v.d && v.e", "v.d = m; v.e = false; send m;", NUMBER, None, None),
    ("m <= v.d", "v.d = m - 1; send m;", NUMBER, None, None),
    ("m <= v.d", "v.d = m;", NUMBER, None, None),
    ("m <= v.d limit 9", "v.d = m; send m;", NUMBER, None, None),
    ("m <= v.d", "v.d = m; send m to u where u.d > 3;", NUMBER, None, None),
    ("true", "if m < v.d { v.d = m; send m; }", NUMBER, None, None),
]
PROGRAM = """program p {{
  vertex d: {kind} = {initial};
  vertex e: bool = true;
  message m: {kind} combine {combine};
  start all {{ m = {initial}; }}
  update v when {guard} {{ {body} }}
  output d, e;
}}
"""


def reported(vertigo, guard, body, types):
    """(exit status, output) of the program with this guard."""
    kind, initial, combine = types
    with tempfile.NamedTemporaryFile("w", suffix=".vg") as file:
        file.write(PROGRAM.format(kind=kind, initial=initial, combine=combine, guard=guard, body=body))
        file.flush()
        result = subprocess.run([vertigo, "--emit=ast", file.name], capture_output=True, text=True)
    return result.returncode, result.stderr


def fixed(guard, said):
    """The guard as the caret lines mend it."""
    lines = said.splitlines()
    at = next(number for number, line in enumerate(lines) if "update v when" in line)
    source, fix = lines[at], lines[at + 2]
    begin = len(fix) - len(fix.lstrip())
    replaced = 2 if source[begin:begin + 2] in ("<=", ">=", "!=") else 1
    made = source[:begin] + fix.strip() + source[begin + replaced:]
    return made[made.index("when ") + 5:][:len(guard) + len(fix.strip()) - replaced]


def main():
    vertigo = sys.argv[1]
    failed = 0
    for guard, body, types, code, mended in CASES:
        status, said = reported(vertigo, guard, body, types)
        found = [each for each in (335, 336) if f"[VG0{each}]" in said]
        right = status == 0 and found == ([code] if code else [])
        if right and mended and fixed(guard, said) != mended:
            right = False
        if not right:
            failed += 1
            print(f"{guard} {{ {body} }}: expected {code} and '{mended}', got {found}, {status}\n{said}")
    print(f"{len(CASES)} guards, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
