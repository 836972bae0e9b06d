#!/usr/bin/env python3
"""phrases.py VERTIGO: programs as newcomers from C, Python and other languages for graphs write them get one error that says what is
written here; where that is one thing, the program with it compiles. So does one that gives such words a meaning of its own."""

import re
import subprocess
import sys
import tempfile

SEARCH = """program p(source: vertex) {
  vertex dist: int32 = inf;
  edge weight: int32 = 1;
  message best: int32 combine min;
  start source { best = 0; }
  update v when best < v.dist {
    v.dist = best;
    send best + weight;
  }
  output dist;
}
"""
SWEEP = """program p {
  vertex x: float32 = 0;
  update all v {
    v.x = 1;
  }
  output x;
}
"""

# (base, what stands there, what is written instead, part of the message, what is written here; None: that is for its author to say)
CASES = [
    (SWEEP, "= 0", '= float("inf")', "is written 'inf'", "= inf"),
    (SWEEP, "v.x = 1", "v.x = sum(lambda u: u.x)", "the language has no 'lambda'", None),
    (SEARCH, "best + weight", "best + edge.weight", "'edge.weight' is written 'weight'", "best + weight"),
    (SEARCH, "best + weight", "best + e.weight", "'e' is not declared", "best + weight"),
    (SEARCH, "best + weight", "best + weight(u, v)", "no function is called 'weight'", "best + weight"),
    (SEARCH, "output dist", "output v.dist", "'v.dist' is written 'dist'", "output dist"),
    (SWEEP, "float32", "unsigned int", "'unsigned int' is written 'uint32'", "uint32"),
    (SWEEP, "float32", "unsigned double", "'unsigned double' is written 'float64'", "float64"),
    (SEARCH, "source: vertex", "vertex source", "is written 'source: vertex'", "source: vertex"),
    (SWEEP, "float32 = 0;", "float32 = 0, y: float32 = 0;", "',' is written '; vertex'", "float32 = 0; vertex y: float32 = 0;"),
    (SWEEP, "v.x = 1", "v.x = out_degree(v)", "is written 'v.out_degree'", "v.x = v.out_degree"),
    (SWEEP, "v.x = 1", "v.x = v.out_degree()", "is written 'out_degree'", "v.x = v.out_degree"),
    (SWEEP, "v.x = 1", "v.x = 1.0 / vertices.size()", "is written 'vertices'", "v.x = 1.0 / vertices"),
    (SEARCH, "send best + weight", "send best + weight to out", "is written 'send e'", "send best + weight"),
    (SEARCH, "send best + weight", "send best + weight along in", "is written 'send back e'", "send back best + weight"),
    (SEARCH, "send best + weight", "send best + weight to v.neighbors", "is written 'send e'", "send best + weight"),
    (SEARCH, "combine min", "reduce min", "'reduce' is written 'combine'", "combine min"),
    (SEARCH, "int32 combine min", "min int32", "is written 'int32 combine min'", "int32 combine min"),
    (SEARCH, "combine min", "combine <", "'<' is written 'min'", "combine min"),
    (SEARCH, "v when", "v if", "'if' is written 'when'", "v when"),
    (SEARCH, "v when best < v.dist", "v until best >= v.dist", "'until' is written 'when !(…)'", None),
    (SEARCH, "update v", "parallel update v", "the language has no 'parallel'", "update v"),
    (SEARCH, "  vertex dist", "  undirected;\n  vertex dist", "'undirected' is written 'requires symmetric'", None),
    (SEARCH, "start source", "start at source", "is written 'start source'", "start source"),
    (SWEEP, "update all v {\n    v.x = 1;\n  }", "repeat 10 times { update all v { v.x = 1; } }", "the language has no 'times'",
     "repeat 10 { update all v { v.x = 1; } }"),
    (SWEEP, "  update", "  let mut k = 0;\n  update", "'let mut' is written 'let'", None),
    (SWEEP, "v.x = 1;", "if 0 < v.x < 2 { v.x = 1; }", "'<' is not defined between bool and", "if 0 < v.x && v.x < 2 { v.x = 1; }"),
    (SWEEP, "v.x = 1;", "if v.x > 0 & v.x < 2 { v.x = 1; }", "conditions are joined by '&&'", None),
    (SWEEP, "v.x = 1", "v.x = rand()", "random numbers are 'random(v, n)'", None),
    (SWEEP, "v.x = 1", "v.x = pow(v.x, 2)", "powers are 'x * x'", None),
    (SEARCH, "v.dist = best", "v.dist = atomicMin(v.dist, best)", "combined by its message", None),
    (SWEEP, "v.x = 1", "v.x = v.id", "a vertex is read by its name", None),
    (SWEEP, "v.x = 1", "v.x = max(v.x, 1, 2)", "of more: 'max(max(a, b), c)'", None),
    (SEARCH, "output dist", "return dist", "results are stated", None),
    (SEARCH, "start source { best = 0; }", "init source { dist = 0; }", "the language has no 'init'", None),
    (SWEEP, "update all v", "update all", "the vertex is named: 'update all v { … }'", None),
    (SWEEP, "program p {", "int main() {", "a file holds 'program name(…) { … }'", None),
]

# (base, what stands there, what is written instead, where a declaration goes, that with it): what looks like a phrase and uses a name that
# the program declares.
OURS = [
    (SEARCH, "send best + weight", "send best + weight to u where u.adjusted == 0", "edge", "vertex adjusted: int32 = 0;\n  edge"),
    (SEARCH, "send best + weight", "send best to v.successor", "edge", "vertex successor: vertex = none;\n  edge"),
    (SEARCH, "start source", "start from v", "source: vertex", "from: vertex[]"),
    (SEARCH, "best + weight", "best + degree(weight)", "edge", "fn degree(x: int32): int32 = x + 1;\n  edge"),
]


def compiled(vertigo, text):
    """(exit status, output) of the program."""
    with tempfile.NamedTemporaryFile("w", suffix=".vg") as file:
        file.write(text)
        file.flush()
        result = subprocess.run([vertigo, "--emit=ast", file.name], capture_output=True, text=True)
    return result.returncode, result.stderr


def problem(vertigo, base, stands, written, message, mended):
    if base.count(stands) != 1:
        return f"'{stands}' does not stand once in the program"
    status, said = compiled(vertigo, base.replace(stands, written))
    if status != 1 or len(re.findall(" error: ", said)) != 1:
        return "is not refused by one error"
    if message not in said:
        return f"is not told '{message}'"
    if mended is None:
        return None
    status, again = compiled(vertigo, base.replace(stands, mended))
    return f"does not compile when mended:\n{again}" if status else None


def main():
    vertigo = sys.argv[1]
    failed = 0
    for case in CASES:
        found = problem(vertigo, *case)
        if found:
            failed += 1
            print(f"{case[2]!r} {found}\n{compiled(vertigo, case[0].replace(case[1], case[2]))[1]}")
    for base, stands, written, place, declared in OURS:
        status, said = compiled(vertigo, base.replace(place, declared, 1).replace(stands, written))
        if status:
            failed += 1
            print(f"{written!r} is refused:\n{said}")
    print(f"{len(CASES) + len(OURS)} phrases, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
