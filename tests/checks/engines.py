"""Engines are named in their rooms, and in the one list of rooms."""

import re

SUMMARY = "an engine is named nowhere but in its room and in engines.def; each room is listed and complete"
ROOMS = "runtime/include/vertigo/engines/"
LIST = ROOMS + "engines.def"
ROOM_OF = re.compile(r"runtime/include/vertigo/engines/(\w+)/")
LISTED = re.compile(r'^#include "vertigo/engines/(\w+)/contract\.def"$', re.MULTILINE)
# What two targets and the compiler need of every engine.
FILES = ("README.md", "contract.def", "operators.h", "match.cpp", "cpu.h", "device.cuh")
# What rooms share may say for whom it is.
SHARED = "common"
OVERVIEW = "docs/engines/README.md"
SOURCES = [f"{folder}/*.{ending}" for folder in ("compiler", "runtime") for ending in ("h", "cpp", "cu", "cuh", "def", "txt")]
SUITES = ["tests/*.py", ".cmake/*", "CMakeLists.txt", "dev"]
# Tests of what engines are: their subject, or a sample of a name.
TESTS = re.compile(r"tests/(checks/|test_runners\.py$|driver/Inputs/|passes/)")


def naming(names):
    """A word that stands for an engine: a string of its own, part of a path, a namespace, a function of a room, or a word that
    a sentence calls an engine. A command of a tool may be called like one. Levels, distances and sweeps are words of the field, too, and may be spoken of."""
    one = "(?:" + "|".join(sorted(names)) + ")"
    return re.compile(rf"""(?<!add_subcommand\()["']{one}["']|vertigo/engines/{one}/|\b(?:cpu|gpu)::{one}::|\b(?:judge|build)_{one}\b|\b{one}_contract\b|"""
                      rf"""\b[Ee]ngines?\s[`']{one}[`']|=\s?{one}["']""")


def problems(tree):
    if LIST not in tree.files:
        return
    names = LISTED.findall(tree.text(LIST))
    rooms = {found.group(1) for found in map(ROOM_OF.match, tree.files) if found} - {SHARED}
    for room in sorted(rooms - set(names)):
        yield f"{LIST}: does not list the room {room}"
    for name in names:
        for file in FILES:
            if f"{ROOMS}{name}/{file}" not in tree.files:
                yield f"{ROOMS}{name}/{file}: is missing"
        if OVERVIEW in tree.files and f"engines/{name}/README.md" not in tree.text(OVERVIEW):
            yield f"{OVERVIEW}: does not lead to {name}"
    if not names:
        return
    pattern = naming(names)
    for name in tree.matching(*SOURCES, *SUITES):
        own = ROOM_OF.match(name)
        if name == LIST or TESTS.match(name) or (own and own.group(1) == SHARED):
            continue
        for number, line in enumerate(tree.lines(name), 1):
            for found in pattern.finditer(line):
                if own and re.search(rf"\b{own.group(1)}\b|{own.group(1)}_contract|_{own.group(1)}\b", found.group(0)):
                    continue
                yield f"{name}:{number}: names an engine: {found.group(0)}"


ROOM = {f"{ROOMS}hook/{file}": "" for file in FILES}
GOOD = {**ROOM, LIST: '#include "vertigo/engines/hook/contract.def"\n', ROOMS + "common/a.h": "// for `hook`\n",
        ROOMS + "hook/cpu.h": '#include "vertigo/engines/hook/operators.h"\nnamespace vertigo::cpu::hook {}\n'}
CLEAN = {**GOOD, OVERVIEW: "[hook](../../runtime/include/vertigo/engines/hook/README.md)\n",
         "compiler/a.cpp": "// hook a callback in\nint hook = 0;\n", "runtime/tools/a.cpp": 'app.add_subcommand("hook", "shows labels");\n'}
FAULTS = [
    ({**GOOD, "compiler/passes/A.cpp": 'if (variant.name() == "hook") return;\n'}, 'compiler/passes/A.cpp:1: names an engine: "hook"'),
    ({**GOOD, "compiler/passes/A.cpp": "\njudge_hook(plan, phase);\n"}, "compiler/passes/A.cpp:2: names an engine: judge_hook"),
    ({**GOOD, "runtime/src/host/a.cpp": '#include "vertigo/engines/hook/operators.h"\n'}, "runtime/src/host/a.cpp:1: names an engine"),
    ({**GOOD, "runtime/src/host/a.cpp": "// of engine `hook`\n"}, "runtime/src/host/a.cpp:1: names an engine"),
    ({**GOOD, "tests/suite/a.py": "ENGINES = ['hook']\n"}, "tests/suite/a.py:1: names an engine"),
    ({**GOOD, "tests/gpu/a.py": 'PIN = "variant=hook"\n'}, "tests/gpu/a.py:1: names an engine"),
    ({**GOOD, ROOMS + "solve/cpu.h": "\n"}, "does not list the room solve"),
    ({**ROOM, LIST: '#include "vertigo/engines/hook/contract.def"\n#include "vertigo/engines/solve/contract.def"\n'}, "solve/README.md: is missing"),
    ({**GOOD, OVERVIEW: "none\n"}, f"{OVERVIEW}: does not lead to hook"),
]
