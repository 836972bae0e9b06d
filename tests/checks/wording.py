"""Nothing that names one machine or a page that is not here, nothing left unfinished."""

import re

SUMMARY = "no path of one machine, no page that is not here, no unfinished work"
MACHINE = re.compile(r"(^|[^A-Za-z0-9_./-])/(work|farm|root|home|Users)/")
# Pages of the authors' desks: a reader of the tree does not have them.
ELSEWHERE = re.compile(r"\b(DESIGN|PEERS|STYLE|TOOLCHAIN)(\.md\b|,? section\b|'s\b)")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|not (yet )?implemented|unimplemented", re.IGNORECASE)
CODE = ("*.h", "*.cpp", "*.cu", "*.cuh", "*.py", "*.sh", "*.g4", "*.def", "*.cmake", "*CMakeLists.txt",
        "*.vg", "dev", ".ci/*")
# This file spells out what it looks for.
SELF = "tests/checks/wording.py"


def problems(tree):
    code = set(tree.matching(*CODE))
    for name in tree.files:
        if name == SELF or not tree.is_text(name):
            continue
        for number, line in enumerate(tree.lines(name), 1):
            if MACHINE.search(line):
                yield f"{name}:{number}: names a path of one machine: {line.strip()[:80]}"
            if ELSEWHERE.search(line):
                yield f"{name}:{number}: names a page that is not here: {line.strip()[:80]}"
            if name in code and UNFINISHED.search(line):
                yield f"{name}:{number}: says that it is unfinished: {line.strip()[:80]}"


CLEAN = {
    "runtime/a.cpp": "// work / home: words, not paths. See docs/work/a.md.\n",
    "docs/a.md": "The TODO of a page is prose.\n",
}
FAULTS = [
    ({"docs/a.md": "run /" + "home/me/vertigo\n"}, "docs/a.md:1: names a path"),
    ({"a.txt": "x\n(/" + "root/x)\n"}, "a.txt:2: names a path"),
    ({"runtime/a.h": "// rule 4 of DESIGN" + " section 3\n"}, "runtime/a.h:1: names a page"),
    ({"docs/a.md": "see PEERS" + ".md\n"}, "docs/a.md:1: names a page"),
    ({"runtime/a.cpp": "// " + "TODO: later\n"}, "runtime/a.cpp:1: says that it is unfinished"),
    ({"dev": "echo not " + "implemented\n"}, "dev:1: says that it is unfinished"),
]
