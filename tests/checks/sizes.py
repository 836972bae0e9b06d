"""No file over 500 lines that no decision page argues for."""

import fnmatch
import re

SUMMARY = "no file over 500 lines that docs/decisions/ does not argue for by name"
LIMIT = 500
# Inputs of tests, not written by hand.
DATA = ("tests/graphs/*", "tests/fuzz/corpus/*", "docs/benchmarks/*")


def argued(tree):
    """Paths and patterns in backquotes, in the pages of decisions."""
    patterns = []
    for page in tree.matching("docs/decisions/*.md"):
        patterns += re.findall(r"`([^`\s]*/[^`\s]*)`", tree.text(page))
    return patterns


def problems(tree):
    patterns = argued(tree)
    data = set(tree.matching(*DATA))
    for name in tree.files:
        if name in data or not tree.is_text(name):
            continue
        count = len(tree.lines(name))
        if count > LIMIT and not any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
            yield f"{name}: {count} lines; split it, or argue for it in docs/decisions/"


CLEAN = {
    "compiler/check/Check.cpp": "//\n" * 500,
    "runtime/src/graph/long.cpp": "//\n" * 501,
    "docs/decisions/long.md": "`runtime/src/graph/long.cpp` is one table.\n",
    "tests/graphs/road.gr": "a 1 2 3\n" * 900,
}
FAULTS = [
    ({"compiler/check/Check.cpp": "//\n" * 501}, "compiler/check/Check.cpp: 501 lines"),
    ({"README.md": "x\n" * 600, "docs/decisions/a.md": "`runtime/README.md`"}, "README.md: 600 lines"),
]
