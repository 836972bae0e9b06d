"""What is printed was decided before: docs/architecture.md, "From decisions to text"."""

import re

SUMMARY = "printers include no decision, ask for none, and take no text apart that a printer wrote"

# Passes decide; what they decide by, and what they find out by reading kernels, is theirs.
FORBIDDEN = re.compile(r"compiler/passes/|compiler/ir/plan/(?:Decision|SharedForm|Arguments|PlanReader)\.h|compiler/ir/program/Uses\.h")
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
# Of the plan or the program: what was chosen and why, what was found out, and the schedule of a kernel.
ASKED = re.compile(r"\bDecision\b|\bfind_decision\(|(?:\.|->)(?:decisions|alternatives|facts|algebra|balance|uses)\b|\bBalance::|\balgebra_of\(")
# Looks into text. Those whose text is a user's, or is laid out and not understood, are named here.
LOOKS_INTO = re.compile(r"(?:\.|->)(?:rfind|substr|starts_with|ends_with|remove_prefix|find_(?:first|last)_not_of)\(|(?:\.|->)find\(\s*[\"']")
TEXT = re.compile(r"compiler/emit/common/(?:HeaderFunctions|LineDirectives|Names|SourceLines|UserText|Writer)\.(?:h|cpp)$")


def problems(tree):
    for name in tree.matching("compiler/emit/*.h", "compiler/emit/*.cpp"):
        for number, line in enumerate(tree.lines(name), 1):
            included = INCLUDE.match(line)
            if included and FORBIDDEN.match(included.group(1)):
                yield f"{name}:{number}: includes {included.group(1)}: a pass of passes/plan writes into the plan what a printer needs to know"
            if ASKED.search(line):
                yield f"{name}:{number}: asks what was decided or found out: a pass of passes/plan writes into the plan what follows from it"
            if LOOKS_INTO.search(line) and not TEXT.match(name):
                yield f"{name}:{number}: takes text apart: what it says is in the plan, typed"


CLEAN = {
    "compiler/emit/cuda/A.cpp": '#include "compiler/ir/plan/Plan.h"\nif (kernel.together) out.line(cpp_name(kernel.name)); names.find(name);\n',
    "compiler/emit/common/Names.cpp": "if (result.ends_with('_')) result += \"u\";\n",
    "compiler/passes/A.cpp": '#include "compiler/ir/plan/Decision.h"\nplan.find_decision(phase, key);\n',
}
FAULTS = [
    ({"compiler/emit/cuda/A.cpp": '#include "compiler/passes/toplan/Decide.h"\n'}, "compiler/emit/cuda/A.cpp:1: includes"),
    ({"compiler/emit/common/A.h": '\n#include "compiler/ir/plan/Decision.h"\n'}, "compiler/emit/common/A.h:2: includes"),
    ({"compiler/emit/cuda/A.cpp": 'const auto* order = plan_.find_decision("program", "preparation");\n'}, "A.cpp:1: asks"),
    ({"compiler/emit/cuda/A.cpp": "if (kernel.balance != plan::Balance::Thread) share();\n"}, "A.cpp:1: asks"),
    ({"compiler/emit/cpu/A.cpp": 'if (ir::algebra_of(phase).is_order_free()) once();\n'}, "A.cpp:1: asks"),
    ({"compiler/emit/cuda/A.cpp": "names += text.substr(text.rfind(' ') + 1);\n"}, "A.cpp:1: takes text apart"),
    ({"compiler/emit/common/A.cpp": 'if (type.starts_with("Tuple<")) packed();\n'}, "A.cpp:1: takes text apart"),
]
