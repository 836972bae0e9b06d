#!/usr/bin/env python3
"""The differential fuzzer of programs: `./dev fuzz programs [COUNT]`.

Each program is made by generate.py or by mutate.py from a seed, or is one of found/. It is compiled for the CPU and run on
random tiny graphs, in every legal schedule and in the interpreter; --emulate runs the emitted CUDA in the emulator,
--gpu on a GPU. Exact outputs must be the same bytes, inexact ones agree within their tolerance, and exit codes must be equal.
What fails is made smaller (shrink.py) and lies in FOLDER/found with what was said; such a program belongs into found/ here.

Closes with `N passed, N failed, N skipped`: programs, not runs. Exit status 1 when one failed or none ran.
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "tests")]

import build  # noqa: E402
import compare  # noqa: E402
import corpus  # noqa: E402
import shrink  # noqa: E402
from suite import batches, command_line, counting, programs  # noqa: E402

# How the interpreter may end: with an answer, or because there is none (docs/running.md). Any other code is a fault of the
# program that was made, or of the way in which it is run.
MEANT = {0, 6}
# A result such as inf - inf is refused.
REFUSED_RESULT = (1, "error: the result is not a number: ")

# A program's parameters, and those of them that are vertices or lists of such.
HEADER = re.compile(r"\bprogram\s+\w+\s*\(([^)]*)\)")
VERTEX = re.compile(r"(\w+)\s*:\s*vertex\b(\[\])?")


def arguments_for(case, graph):
    """What the command line must give: mutants of programs without a source have none."""
    header = HEADER.search(case.text)
    names = VERTEX.findall(header[1]) if header else []
    several = ",".join(map(str, graph.several(case.seed)))
    return [word for name, is_list in names for word in (f"--{name}", several if is_list else str(graph.source()))]


# What differs between two skipped programs and does not matter.
NAMES = re.compile(r"'[^']*'|on \S+$")


class Outcome:
    """Of one program: `problem` is None where all runs agree; `skipped` says why it was not run."""

    def __init__(self, runs=0, problem=None, skipped=None):
        self.runs, self.problem, self.skipped = runs, problem, skipped


class Fuzzer:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.builder = build.Builder(arguments.build, folder, arguments.target, arguments.tools, arguments.gpus)
        self.graphs = corpus.GraphPool(folder / "graphs")

    def run(self, case, folder):
        """Builds and runs one program."""
        return next(outcome for _, outcome in self.run_all([case], folder))

    def run_all(self, cases, folder):
        """Builds these programs together, which takes a quarter of the time, and runs each; yields (case, Outcome)."""
        folder.mkdir(parents=True, exist_ok=True)
        refused = {}
        for case in cases:
            try:
                self.builder.choose_pin(case, folder)
            except (build.Refused, build.Broken) as problem:
                refused[case.name] = problem
        judges = {case.name: case.as_written() or case for case in cases}
        wanted = {each.name: each for case in cases if case.name not in refused for each in (case, judges[case.name])}
        built = self.builder.programs(wanted.values(), folder) | refused
        for case in cases:
            yield case, self.outcome(case, built[case.name], built.get(judges[case.name].name), folder)

    def outcome(self, case, program, judge, folder):
        for made in (program, judge):
            if isinstance(made, build.Refused):
                return Outcome(skipped=f"refused: {made}")
            if isinstance(made, build.Broken):
                return Outcome(problem=str(made))
        return self.compare(case, program, judge, folder / f"{case.name}.runs")

    def compare(self, case, program, judge, folder):
        """`program`, `judge`: what was built. `judge`: whose interpreter is right; the program itself, or another one with the same answers."""
        answers, chosen = {}, list(self.graphs.chosen(case))
        for graph, _, code, said, answer, _ in self.outcomes(case, judge, chosen, ["interpreter"], folder / "judge"):
            if code is None and said.endswith(batches.OUT_OF_TIME):
                return Outcome(skipped=f"the interpreter did not end on {graph.name}")
            if code not in MEANT and not (code == REFUSED_RESULT[0] and said.startswith(REFUSED_RESULT[1])):
                return Outcome(problem=f"{graph.name}, interpreter: exit {code}, expected one of {sorted(MEANT)}: {said}")
            answers[graph.name] = answer
        done = 0
        hows = [*program.schedules(), *(["interpreter"] if judge is not program else [])]
        for graph, how, _, _, answer, line in self.outcomes(case, program, chosen, hows, folder / "schedules"):
            difference = answers[graph.name].difference(answer, case.inexact)
            if difference:
                return Outcome(problem=f"{graph.name}, {how}: {difference}\n{' '.join([*map(str, program.command), *line])}")
            done += 1
        return Outcome(runs=done)

    def outcomes(self, case, program, chosen, hows, folder):
        """Of each graph and schedule: what a run came to, and its command line."""
        folder.mkdir(parents=True)
        runs, lines = [], []
        for graph in chosen:
            for how in hows:
                output = folder / f"{graph.name}.{len(lines)}.txt"
                pins = ["--interpret"] if how == "interpreter" else ["--target", self.builder.target]
                pins += how.pin(graph.graph) if isinstance(how, programs.Schedule) else []
                lines.append([*program.name, *graph.words(case), *arguments_for(case, graph), *pins, "--quiet", "--output", str(output)])
                runs.append((graph, how, output))
        environment = dict(os.environ, OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive", **self.builder.environment(case))
        for number, code, said in batches.outcomes([*program.command, "--batch"], lines, folder / "batch", self.arguments.limit, environment):
            graph, how, output = runs[number]
            yield graph, how, code, said, compare.Answer(code, said, output), lines[number]

    def shrunk(self, case, problem):
        """The smallest program and graph that still go wrong."""
        with tempfile.TemporaryDirectory(dir=self.folder) as place:
            place = pathlib.Path(place)

            def fails(text, graph):
                smaller = case.with_text(text, graph)
                shutil.rmtree(place / "try", ignore_errors=True)
                return self.run(smaller, place / "try").problem is not None

            return shrink.shrink(case, self.graphs.named_in(problem, case), fails, self.arguments.shrink)


def report_failure(fuzzer, case, outcome, found):
    found.mkdir(parents=True, exist_ok=True)
    text, graph = case.text, None
    if fuzzer.arguments.shrink:
        text, graph = fuzzer.shrunk(case, outcome.problem)
    (found / f"{case.name}.vg").write_text(text)
    (found / f"{case.name}.txt").write_text(outcome.problem + "\n\n" + case.text)
    if graph is not None:
        graph.write(found)
    print(f"      {case.name} is shrunk to {found / (case.name + '.vg')}", flush=True)


def main():
    parser = command_line.parser(__doc__)
    parser.add_argument("count", nargs="?", type=int, default=100, help="programs (100)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--kind", choices=("random", "mutated", "engines", "features", "loops", "trees", "slices", "found", "all"), default="all")
    parser.add_argument("--target", choices=("cpu", "emulator", "gpu"), default="cpu")
    parser.add_argument("--graphs", type=int, default=5, help="graphs for each program (5)")
    parser.add_argument("--gpus", type=int, default=1, help="GPUs to share the programs among (1)")
    parser.add_argument("--together", type=int, default=8, help="programs that are compiled as one file (8)")
    parser.add_argument("--limit", type=int, default=60, help="seconds of processor time for all runs of a program (60)")
    parser.add_argument("--shrink", type=int, default=150, help="attempts at making a failure smaller; 0 for none (150)")
    parser.add_argument("--keep", type=pathlib.Path, help="work in this folder and keep it")
    parser.add_argument("--found", type=pathlib.Path, help="where failures go (BUILD/fuzz/programs)")
    parser.add_argument("--tools", type=pathlib.Path, help="what pack.sh made; nothing of BUILD is needed then")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    found = arguments.found or arguments.build / "fuzz" / "programs"
    count, runs, lock, begin = counting.Count(), [], threading.Lock(), time.monotonic()
    reasons = collections.Counter()
    with command_line.working_folder("fuzz", arguments.keep) as folder:
        fuzzer = Fuzzer(arguments, folder)

        def some(cases):
            place = folder / cases[0].name
            for case, outcome in fuzzer.run_all(cases, place):
                note(case, outcome)
            if arguments.keep is None:
                shutil.rmtree(place, ignore_errors=True)

        def note(case, outcome):
            if outcome.problem:
                report_failure(fuzzer, case, outcome, found)
            with lock:
                runs.append(outcome.runs)
                if outcome.skipped:
                    count.skipped += 1
                    reasons[NAMES.sub("X", outcome.skipped)] += 1
                    if arguments.verbose:
                        print(f"skip  {case.name}: {outcome.skipped}", flush=True)
                if len(runs) % 200 == 0:
                    print(f"      {len(runs)} programs, {sum(runs)} runs, {count.failed} failed, "
                          f"{time.monotonic() - begin:.0f} s", flush=True)
            if not outcome.skipped:
                count.test(case.name, outcome.problem)

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for _ in pool.map(some, corpus.in_groups(corpus.cases(arguments), arguments.together)):
                pass
        fuzzer.builder.cache.trim()
    for reason, number in reasons.most_common(5):
        print(f"skipped {number}: {reason}")
    print(f"{sum(runs)} runs in {time.monotonic() - begin:.0f} s; {fuzzer.builder.cache.said()}")
    return count.close()


if __name__ == "__main__":
    sys.exit(main())
