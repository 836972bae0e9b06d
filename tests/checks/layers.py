"""Who may include whom: docs/architecture.md, "Layers"."""

import re

SUMMARY = "data includes no step, a step no other step, the runtime nothing above it"

# Folders of compiler/: each with the other folders of compiler/ that it may include.
DATA = {
    "support": set(),
    "diag": {"support"},
    "ast": {"support", "diag", "ir"},  # of ir the table of operators
    "ir": set(),  # standard library alone: generated binaries carry it for --check
}
STEPS = ["parse", "check", "lower", "passes", "emit"]
COMPILER = dict(DATA)
COMPILER.update({step: set(DATA) for step in STEPS})
COMPILER["driver"] = set(DATA) | set(STEPS)
COMPILER["tools"] = set(DATA) | set(STEPS) | {"driver"}

# Modules of the runtime, lowest first: each may include itself and what stands before it. Modules in
# one set are neighbours that do not see each other.
RUNTIME_ORDER = [{"core"}, {"trace"}, {"graph"}, {"preprocess"}, {"memory"},
                 {"execute"}, {"cpu", "device"}, {"reference"}, {"host"}, {"tools"}]
# The boundary that generated programs, the interpreter and the command line share.
CONTRACT = ("vertigo/host/program.h", "vertigo/host/generated.h")

# The rooms of engines: what a file there is part of, by its name. The rest says what every target and the compiler need.
ROOM = re.compile(r"(?:runtime/include/)?vertigo/engines/")
IN_A_ROOM = [(re.compile(r"/match\.(cpp|h)$"), "passes"), (re.compile(r"\.(cuh?|cpp)$"), "device"), (re.compile(r"/cpu\.h$"), "cpu"),
             (re.compile(r""), "core")]

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
ANTLR = re.compile(r"^antlr4|^(generated/)?Vertigo(Lexer|Parser|BaseVisitor|Visitor|BaseListener|Listener)\.h$")


def runtime_rank(module):
    for rank, modules in enumerate(RUNTIME_ORDER):
        if module in modules:
            return rank
    return None


def part_of_room(path):
    """The folder of the compiler or the module of the runtime that a file in a room belongs to; None for other files."""
    return next(part for pattern, part in IN_A_ROOM if pattern.search(path)) if ROOM.match(path) else None


def includes(tree, name):
    for number, line in enumerate(tree.lines(name), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1)


def compiler_problem(name, folder, target):
    # The wall around ANTLR: sources of parse and the headers that they alone share.
    if ANTLR.search(target) and (folder != "parse" or name == "compiler/parse/Parse.h"):
        return "ANTLR stays inside compiler/parse, behind Parse.h"
    if folder != "parse" and re.match(r"compiler/parse/(?!Parse\.h)", target):
        return "of parse, others see Parse.h alone"
    if target.startswith("clang/") and not re.fullmatch(r"compiler/(emit|driver)/(\w+/)*\w+\.cpp", name):
        return "Clang is seen only by sources of emit and driver that read or format CUDA"
    if folder == "ir" and re.match(r"(llvm|clang)[-/]", target):
        return "Program IR and Plan IR stand on the standard library alone"
    if target.startswith("vertigo/") and not target.startswith("vertigo/core/") and part_of_room(target) != "core":
        return "the compiler knows of the runtime only vertigo/core/, and of engines what no target has to itself"
    found = re.match(r"compiler/(\w+)/", target)
    if found and found.group(1) != folder and found.group(1) not in COMPILER.get(folder, set()):
        return f"{folder} must not include {found.group(1)}"
    printers = re.match(r"compiler/emit/(\w+)/", name), re.match(r"compiler/emit/(\w+)/", target)
    if all(printers) and printers[1].group(1) not in ("common", printers[0].group(1)):
        return "a printer includes its own folder and emit/common"
    return None


def runtime_problem(module, target):
    if target.startswith("compiler/"):
        if module == "reference" and target.startswith("compiler/ir/"):
            return None
        return "the runtime knows nothing of the compiler (reference: compiler/ir alone)"
    if re.match(r"(llvm|clang)[-/]|antlr4", target):
        return "the runtime uses neither LLVM nor ANTLR"
    room = part_of_room(target)
    if room == "passes":
        return "the runtime knows nothing of the compiler"
    # Private headers are included from runtime/src ("graph/scan.h"), public ones as "vertigo/graph/...".
    found = re.match(r"(vertigo/)?(\w+)/", target)
    other = room or found and found.group(2)
    if not found or other == module or target in CONTRACT:
        return None
    if runtime_rank(other) is None:
        return f"vertigo/{other}/ is no module of the runtime" if found.group(1) else None
    if runtime_rank(other) >= runtime_rank(module):
        return f"{module} must not include {other}, which stands above or beside it"
    return None


def problems(tree):
    for name in tree.matching("compiler/*.h", "compiler/*.cpp", "compiler/*.def", "runtime/include/vertigo/engines/*/match.*"):
        folder = part_of_room(name) or name.split("/")[1]
        if folder not in COMPILER:
            yield f"{name}: compiler/{folder} is no folder of the pipeline"
            continue
        for number, target in includes(tree, name):
            problem = compiler_problem(name, folder, target)
            if problem:
                yield f"{name}:{number}: includes {target}: {problem}"
    for name in tree.matching("runtime/*.h", "runtime/*.cpp", "runtime/*.cu", "runtime/*.cuh"):
        found = re.match(r"runtime/(?:include/vertigo|src)?/?(\w+)/", name)
        module = part_of_room(name) or (found.group(1) if found else None)
        if module == "passes":
            continue
        if runtime_rank(module) is None:
            yield f"{name}: {module} is no module of the runtime"
            continue
        for number, target in includes(tree, name):
            problem = runtime_problem(module, target)
            if problem:
                yield f"{name}:{number}: includes {target}: {problem}"


CLEAN = {
    "compiler/parse/Parse.cpp": '#include "antlr4-runtime.h"\n#include "compiler/ast/Program.h"\n',
    "compiler/parse/Builder.h": '#include "VertigoParser.h"\n',
    "compiler/driver/Driver.cpp": '#include "compiler/parse/Parse.h"\n#include "compiler/ir/plan/Plan.h"\n',
    "compiler/ir/plan/Plan.h": '#include "compiler/ir/program/Program.h"\n#include "vertigo/core/scalar.h"\n',
    "runtime/include/vertigo/engines/hook/match.cpp": '#include "compiler/passes/A.h"\n#include "vertigo/engines/contract.h"\n',
    "runtime/include/vertigo/engines/hook/device.cuh": '#include "vertigo/device/a.cuh"\n#include "vertigo/engines/common/b.cuh"\n',
    "runtime/include/vertigo/engines/hook/cpu.h": '#include "vertigo/cpu/a.h"\n#include "vertigo/engines/hook/operators.h"\n',
    "runtime/src/host/main.cpp": '#include "vertigo/reference/reference.h"\n',
    "runtime/reference/check.cpp": '#include "compiler/ir/program/Program.h"\n#include "vertigo/host/program.h"\n',
}
FAULTS = [
    ({"compiler/ast/A.h": '#include "compiler/parse/Parse.h"\n'}, "ast must not include parse"),
    ({"compiler/check/A.cpp": '#include "compiler/lower/Lower.h"\n'}, "check must not include lower"),
    ({"compiler/check/A.cpp": '#include "antlr4-runtime.h"\n'}, "ANTLR stays inside"),
    ({"compiler/parse/Parse.h": '#include "VertigoParser.h"\n'}, "ANTLR stays inside"),
    ({"compiler/driver/A.cpp": '#include "compiler/parse/Builder.h"\n'}, "others see Parse.h alone"),
    ({"compiler/passes/A.cpp": '#include "clang/Format/Format.h"\n'}, "Clang is seen only"),
    ({"compiler/ir/A.cpp": "#include <llvm/ADT/StringRef.h>\n"}, "standard library alone"),
    ({"compiler/emit/cpu/A.cpp": '#include "compiler/emit/cuda/B.h"\n'}, "a printer includes"),
    ({"compiler/passes/A.cpp": '#include "vertigo/host/program.h"\n'}, "only vertigo/core/"),
    ({"compiler/passes/A.cpp": '#include "vertigo/engines/hook/cpu.h"\n'}, "what no target has to itself"),
    ({"runtime/include/vertigo/engines/hook/match.cpp": '#include "compiler/emit/A.h"\n'}, "passes must not include emit"),
    ({"runtime/include/vertigo/engines/hook/cpu.h": '#include "vertigo/engines/hook/device.cuh"\n'}, "cpu must not include device"),
    ({"runtime/include/vertigo/engines/hook/operators.h": '#include "vertigo/graph/graph.h"\n'}, "core must not include graph"),
    ({"runtime/include/vertigo/engines/hook/device.cuh": '#include "compiler/passes/A.h"\n'}, "knows nothing of the compiler"),
    ({"runtime/src/device/a.cpp": '#include "vertigo/engines/hook/match.h"\n'}, "knows nothing of the compiler"),
    ({"compiler/misc/A.cpp": "\n"}, "no folder of the pipeline"),
    ({"runtime/src/graph/a.cpp": '#include "vertigo/host/options.h"\n'}, "graph must not include host"),
    ({"runtime/src/graph/a.cpp": '#include "host/text.h"\n'}, "graph must not include host"),
    ({"runtime/src/trace/a.cpp": '#include "vertigo/graph/graph.h"\n'}, "trace must not include graph"),
    ({"runtime/src/host/a.cpp": '#include "compiler/ir/program/Program.h"\n'}, "knows nothing of the compiler"),
    ({"runtime/reference/a.cpp": '#include "compiler/passes/Pass.h"\n'}, "knows nothing of the compiler"),
    ({"runtime/src/core/a.cpp": '#include "llvm/Support/Error.h"\n'}, "neither LLVM nor ANTLR"),
]
