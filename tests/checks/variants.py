"""The name of a variant is spelled and read in one place: core/variant."""

import re

SUMMARY = "no variant's name is put together or taken apart outside core/variant"
HOME = re.compile(r"runtime/(include/vertigo|src)/core/variant\.")
# A piece of a name that is not the whole name, and a search for the dash in one.
PIECE = re.compile(r'"(?:a?sync-|a?sync-(?:push|pull)-?|-?(?:push|pull)-|-(?:push|pull)|-(?:push|pull)?-?(?:data|topology))"')
SPLIT = re.compile(r"\b(?:variant|name|schedule)\w*(?:\(\))?\s*(?:\.|->)\s*(?:r?find|find_\w+_of|substr|starts_with|ends_with|contains)\(\s*['\"]"
                   r"(?:-|a?sync|push|pull|data|topology)")


def problems(tree):
    for name in tree.matching("compiler/*.h", "compiler/*.cpp", "runtime/*.h", "runtime/*.cpp", "runtime/*.cu", "runtime/*.cuh"):
        if HOME.match(name):
            continue
        for number, line in enumerate(tree.lines(name), 1):
            if PIECE.search(line) or SPLIT.search(line):
                yield f"{name}:{number}: takes a variant's name apart or puts one together: core/variant.h reads and spells them"


CLEAN = {
    "compiler/a.cpp": 'return variant.path.timing == Timing::Synchronous ? "sync" : "async-push-data";\n',
    "runtime/src/core/variant.cpp": 'return "sync-";\n',
}
FAULTS = [
    ({"compiler/passes/A.cpp": 'std::string push = late ? "async-push" : "sync-push";\n'}, "compiler/passes/A.cpp:1: takes"),
    ({"runtime/src/host/a.cpp": '\nif (variant.name.starts_with("sync")) return;\n'}, "runtime/src/host/a.cpp:2: takes"),
    ({"runtime/src/host/a.cpp": "if (name.find('-') == std::string::npos) engine();\n"}, "runtime/src/host/a.cpp:1: takes"),
    ({"compiler/emit/a.h": 'text += "-data";\n'}, "compiler/emit/a.h:1: takes"),
]
