#!/usr/bin/env python3
"""growth.py VERTIGO FOLDER [KIND...]: compiles programs with many declarations of one kind to text, and compares the processor time with that
of a quarter as many."""

import pathlib
import resource
import subprocess
import sys

# As many as the longest kind may have: a program is at most 256 KiB long.
FEW, MANY = 900, 3600
# Four times as much may take eight times as long: a square takes sixteen. Below the floor, starting takes most of the time.
FACTOR, FLOOR = 8, 0.1
ATTEMPTS = 4


def repeated(count, line):
    return "\n".join(line.format(i=i) for i in range(count))


def update(count, statement):
    return f"update all v {{ {repeated(count, statement)} }}"


KINDS = {
    "phases": lambda n: ("", "", repeated(n, "phase p{i} {{ update all v {{ v.a = {i}; }} }}")),
    "unnamed phases": lambda n: ("", "", repeated(n, "update all v {{ v.a += {i}; }}")),
    "phases with messages": lambda n: (
        "", "message m: int32 combine min;",
        repeated(n, "start all v {{ m = {i}; }} update v when m < v.a {{ v.a = m; send m; }}")),
    "states": lambda n: ("", repeated(n, "vertex s{i}: int32 = {i};"), update(n, "v.s{i} += 1;")),
    "inputs": lambda n: ("", repeated(n, "input vertex s{i}: int32 = {i};"), update(n, "v.a += v.s{i};")),
    "messages": lambda n: ("", repeated(n, "message m{i}: int32 combine min;"),
                           update(n, "send {i} into m{i};") + update(n, "v.a += m{i};")),
    "functions": lambda n: ("", repeated(n, "fn f{i}(x: int32): int32 = x + {i};"), update(n, "v.a = f{i}(v.a);")),
    "parameters": lambda n: (", ".join(f"q{i}: int32 = {i}" for i in range(n)), "", update(n, "v.a += q{i};")),
    "lets": lambda n: ("", "", update(n, "let l{i} = v.a + {i}; v.a = l{i};")),
    "host variables": lambda n: ("", "", repeated(n, "let h{i} = {i};") + update(n, "v.a += h{i};")),
    "reports": lambda n: ("", "", update(1, "v.a = 1;") + repeated(n, "report r{i} = max(a) + {i};")),
    "loops": lambda n: ("", "", repeated(n, "repeat 2 {{ update all v {{ v.a += {i}; }} }}")),
    "loops that relax": lambda n: (
        "", "vertex b: int32 = 1;",
        repeated(n // 4, "while any(v.b != v.a) {{ update all v {{ v.b = v.a; v.a = min(v.a, min(u.a + {i} over in u)); }} }}")),
}


def program(kind, count):
    parameters, declarations, body = KINDS[kind](count)
    head = f"({parameters})" if parameters else ""
    return f"program many{head} {{\nvertex a: int32 = 0;\n{declarations}\n{body}\noutput a;\n}}\n"


def seconds(vertigo, path, form):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([vertigo, str(path), f"--emit={form}", "-o", str(path) + ".out"], check=True, stderr=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def grows_too_fast(times):
    return times[1] > FACTOR * max(times[0], FLOOR)


def growth(vertigo, path, kind, form):
    """Seconds for few and for many, measured again where they grow too fast: another program on the machine slows down
    one run, but not the fastest of some."""
    best = [float("inf"), float("inf")]
    for _ in range(ATTEMPTS):
        for i, count in enumerate((FEW, MANY)):
            path.write_text(program(kind, count), encoding="utf-8")
            best[i] = min(best[i], seconds(vertigo, path, form))
        if not grows_too_fast(best):
            break
    return best


def main():
    vertigo, folder, *kinds = sys.argv[1:]
    kinds = kinds or list(KINDS)
    wrong = 0
    for kind in kinds:
        for form in ("plan", "cpu"):
            times = growth(vertigo, pathlib.Path(folder, "many.vg"), kind, form)
            if grows_too_fast(times):
                wrong += 1
                print(f"{kind}, --emit={form}: {times[0]:.2f} s for {FEW}, {times[1]:.2f} s for {MANY}")
    print(f"{len(kinds)} kinds, {wrong} grow too fast")


if __name__ == "__main__":
    main()
