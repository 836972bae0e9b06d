#!/usr/bin/env python3
"""near_misses.py VERTIGO: what --explain says against an engine names the one thing by which a program misses it.

Each base program runs on its engine. Each near miss changes one thing in it, and the reason must be about that.
"""

import subprocess
import sys
import tempfile

LEVELS = """program p(source: vertex) {
  vertex depth: int32 = inf;
  message level: int32 combine min;
  start source { level = 0; }
  update v when level < v.depth { v.depth = level; send level + 1; }
  output depth;
}
"""
DISTANCES = LEVELS.replace("  message", "  edge weight: int32 = 1;\n  message").replace("level + 1", "level + weight")
HOOK = """program p {
  vertex depth: vertex = none;
  message level: vertex combine min;
  start all v { level = v; }
  update v when level < v.depth { v.depth = level; send both level; }
  output depth;
}
"""
SOLVE = """program p {
  vertex depth: float64 = 0;
  message level: float64 combine sum;
  start all { level = 1; }
  update v when level > 1e-3 { v.depth += level; send 0.5 * level / v.out_degree; }
  output depth;
}
"""
WAVEFRONT = """program p(source: vertex) {
  vertex depth: int32 = -1;
  vertex paths: float64 = 0;
  message count: float64 combine sum;
  start source { count = 1; }
  update v when v.depth < 0 { v.depth = step; v.paths = count; send count; }
  output paths;
}
"""
LOOP = [("  start", "  repeat 2 {\n  start"), ("  output", "  }\n  output")]
SECOND = [("  start", "  vertex seen: int32 = 0;\n  message other: int32 combine sum;\n  start")]

# (engine, base, [(what stands there, what stands there instead)…], the reason)
CASES = [
    ("levels", LEVELS, [("+ 1;", "+ 1 to u where u.depth > 5;")],
     "whether 'inbox(level) + 1' is sent depends on 'u.depth > 5', which is not shown to stay true as the inbox improves"),
    ("levels", LEVELS, [("send level + 1;", "if v.depth > 2 { send level + 1; }")],
     "whether 'inbox(level) + 1' is sent depends on 'inbox(level) > 2'"),
    ("levels", LEVELS, LOOP + [("combine min;", "combine min keep;")], "'level' is kept"),
    ("levels", LEVELS, [("  start source", "  start all v { level = inf; }\n  start source")], "vertices start with different values"),
    ("levels", LEVELS, [("source {", "all v {"), ("level = 0", "level = int32(v.degree)")],
     "vertices start with different values"),
    ("levels", LEVELS, SECOND + [("v.depth = level;", "v.depth = level; send 1 into other;"),
                                 ("level + 1;", "level + 1 into level;")],
     "2 messages take part ('level', 'other'); the proof is for one"),
    ("levels", LEVELS, [("level < v.depth {", "level <= v.depth {")],
     "the guard 'inbox(level) <= v.depth' is not strict improvement of a state (inbox < state)"),
    ("levels", LEVELS, [("combine min", "combine max"), ("= inf", "= -inf"), ("level <", "level >")],
     "sent value 'inbox(level) + 1' is no function of the inbox alone that is never better than it"),
    ("levels", LEVELS, [("level + 1", "level + int32(v.degree)")],
     "sent value 'inbox(level) + cast<int32>(degree(v))' is not the inbox plus one positive constant"),
    ("levels", DISTANCES, [], "sent value 'inbox(level) + edge(weight)' depends on the edge"),
    ("levels", LEVELS, [("send level + 1;", "")], "nothing is sent"),
    ("levels", LEVELS, [("update v when level < v.depth", "update all v"), ("  start source { level = 0; }\n", ""),
                        ("(source: vertex)", "")], "an update of all vertices is one superstep"),
    ("distances", DISTANCES, [("v.depth {", "v.depth limit 3 {")], "a limit of steps ends the phase"),
    ("distances", DISTANCES, [("weight;", "weight to u where u.depth > 2;")], 
     "which is not shown to stay true as the inbox improves"),
    ("distances", DISTANCES, LOOP, "'depth' does not begin with the same value everywhere"),
    ("distances", DISTANCES, [("vertex)", "vertex, fee: int32 = 1)"), ("+ weight", "+ fee + weight")], "is never better than 'depth' is not proved"),
    ("distances", LEVELS, [], "no message depends on the weight of an edge, or on its ends"),
    ("distances", SOLVE, [], "messages are combined by sum, not by min or max"),
    ("hook", HOOK, [("v.depth {", "v.depth limit 3 {")], "a limit of steps ends the phase"),
    ("hook", HOOK, [("send both level;", "send both level to u where u.degree > 2;")],
     "the inbox is sent where 'degree(u) > 2i64' holds, which is not shown to hold from the receiver's side"),
    ("hook", HOOK, [("both ", ""), *LOOP],
     "the inbox is sent along one direction of edges, the program does not require 'symmetric', and the phase runs more than once"),
    ("hook", HOOK, LOOP, "'depth' does not begin with the same value everywhere"),
    ("hook", LEVELS, [], "sent value 'inbox(level) + 1' is not the inbox itself"),
    ("solve", SOLVE, [("1e-3 {", "1e-3 limit 3 {")], "a limit of steps ends the phase"),
    ("solve", SOLVE, LOOP + [("combine sum;", "combine sum keep;")], "what is left in it when the phase ends depends on the order"),
    ("solve", SOLVE, [("send 0.5", "send both 0.5")], "messages travel along both directions of edges"),
    ("solve", SOLVE, [("/ v.out_degree", "+ 1")], "has the constant term"),
    ("solve", LEVELS, [], "messages are combined by min, not by sum"),
    ("wavefront", WAVEFRONT, [("send count;", "send count to u where u.degree > 2;")],
     "receivers are chosen by a condition"),
    ("wavefront", WAVEFRONT, [("send", "send both")], "the message goes along both directions of every edge"),
    ("wavefront", WAVEFRONT, LOOP + [("combine sum;", "combine sum keep;")], "'count' keeps"),
    ("wavefront", WAVEFRONT, [("v.depth < 0 {", "v.depth < 0 && count > 0.5 {")],
     "the guard depends on the message 'count'"),
    ("wavefront", WAVEFRONT, [("v.depth < 0 {", "v.depth < 0 && step < 9 {")], "the guard depends on 'step'"),
    ("wavefront", WAVEFRONT, [("v.depth = step;", "v.depth = step - 3;")], "a vertex may be active more than once"),
    ("sweeps", WAVEFRONT, [], "the phase runs until no vertex is active"),
]
BASES = [("levels", LEVELS), ("distances", DISTANCES), ("hook", HOOK), ("solve", SOLVE), ("wavefront", WAVEFRONT)]


def explained(vertigo, program):
    with tempfile.NamedTemporaryFile("w", suffix=".vg") as file:
        file.write(program)
        file.flush()
        result = subprocess.run([vertigo, "--explain", file.name], capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else f"ended with {result.returncode}: {result.stderr}"


def main():
    vertigo = sys.argv[1]
    failed = 0
    for engine, base in BASES:
        if f"variant = {engine} " not in explained(vertigo, base):
            failed += 1
            print(f"the base program of {engine} does not run on it")
    for engine, program, changes, reason in CASES:
        for old, new in changes:
            assert old in program, (engine, old)
            program = program.replace(old, new, 1)
        text = explained(vertigo, program)
        said = [line.strip() for line in text.splitlines() if line.strip().startswith(f"not {engine}:")]
        if not said or reason not in said[0]:
            failed += 1
            print(f"{engine}: expected '{reason}', got {said or text[:600]}\n{program}")
        for line in text.splitlines():
            if line.strip().startswith(("not ", "or ", "because")) and line.rstrip().endswith((":", "because")):
                failed += 1
                print(f"an empty reason: {line}\n{program}")
    print(f"{len(CASES)} near misses, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
