#!/usr/bin/env python3
"""Runs every example in every legal schedule on the CPU target, and in the interpreter, against independent answers.

Four kinds of test, named `program/graph/schedule`:
  oracle       the answer on each tiny graph is that of tests/run/oracles, and --check passes it
  same bytes   integer and min/max results do not depend on the schedule
  switches     a controller changes paths where the papers say it should
  metamorphic  renaming vertices, by numbers or by text, shuffling lines, adding isolated vertices or a copy of the
               graph changes what it must
  published    LDBC Graphalytics' validation graphs, p2p-31 and the road network of New York, where ../shared/data
               (or VERTIGO_DATA) has them
A program is compiled as `vertigo` does it, but for the optimisation, and linked with a main() that runs many command lines
(tests/run/batch_main.cpp): each kind of test asks for its runs first, all of them take place in one process, and each then
judges what came of them.
A program whose binary, IR, graphs and judges are those of a time when all of its tests passed is not run again (`--again`: it is).
Closes with `N passed, N failed, N skipped`; exit status 1 when one failed or none ran.
"""

import concurrent.futures
import copy
import json
import os
import pathlib
import random
import re
import sys
import threading
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import published  # noqa: E402
from named import NamedGraph, NamedRuns  # noqa: E402
from suite import batches, cache, command_line, controllers, counting, graphs, programs, running  # noqa: E402
from suite.running import Failure, succeed  # noqa: E402

INTERPRETER = "interpreter"
# Seconds of processor time for all runs of a program; the longest take 30.
LIMIT = 200


class Tools:
    def __init__(self, build):
        self.vertigo = build / "bin" / "vertigo"
        self.graph = build / "bin" / "vertigo-graph"
        self.oracle = build / "bin" / "tests" / "oracle"
        self.compare = build / "bin" / "tests" / "compare_results"
        self.interpret = build / "bin" / "tests" / "interpret_program"

    def missing(self):
        return [tool for tool in vars(self).values() if not tool.exists()]


class Program:
    """An entry of manifest.json, compiled once and written as IR once. `environment`: of the compiler."""

    def __init__(self, entry, tools, folder, environment):
        self.entry, self.tools, self.folder, self.environment = entry, tools, folder, environment
        self.name, self.rule = entry["name"], entry["rule"]
        self.oracle = entry.get("oracle", self.name)
        self.depends_on = set(entry.get("depends_on", []))
        self.binary = folder / self.name
        self.ir = folder / (self.name + ".vir")
        self.schedules = [INTERPRETER]
        self.runs = {}  # by what reads the command lines

    def prepare(self, with_interpreter, with_targets):
        source = ROOT / self.entry["file"]
        if not with_interpreter or "base" in self.entry or ("header" in self.entry and not with_targets):
            self.schedules = []
        self.ir.write_text(succeed([self.tools.vertigo, source, "--emit=ir"]))
        if with_targets and self.entry.get("compiled", True):
            succeed([self.tools.vertigo, source, "--target=cpu", *programs.pins(self.entry), *cache.mapped_names(self.folder, ROOT),
                     "-o", self.binary], env=self.environment)
            listed = programs.schedules([self.binary], self.entry.get("schedules"))
            if not listed:
                raise Failure(f"{self.name} lists no schedule")
            self.schedules += listed

    def schedules_at(self, place, turns):
        """Those that run on the graph at this place of a list: the interpreter, and programs.in_turn()."""
        listed = [each for each in self.schedules if each != INTERPRETER]
        return [each for each in self.schedules if each == INTERPRETER] + programs.in_turn(listed, place, turns)

    def command(self, schedule, graph=None):
        if schedule == INTERPRETER and "header" in self.entry:
            return [self.binary], ["--interpret"]
        if schedule == INTERPRETER:
            return [self.tools.interpret, self.ir], []
        return [self.binary], ["--target", "cpu", *schedule.pin(graph)]

    def ask(self, schedule, words, output, graph=None):
        """The answer of a run in the schedule."""
        command, pinned = self.command(schedule, graph)
        return Answer(self.runs_of(command), [*words, *pinned, "--check", "--quiet"], output)

    def runs_of(self, command):
        key = tuple(map(str, command))
        if key not in self.runs:
            place = self.folder / f"{self.name}.runs.{len(self.runs)}"
            place.mkdir()
            self.runs[key] = batches.Runs(command, place, LIMIT)
        return self.runs[key]

    def fits(self, graph):
        return programs.fits(self.entry, graph)


class Answer:
    """The file that a run writes. The run takes place when it is first asked for."""

    def __init__(self, runs, words, output):
        self.runs, self.output = runs, output
        self.number = runs.ask([*words, "--output", output])

    def file(self):
        self.runs.printed(self.number)
        return self.output


class Case(programs.Arguments):
    """A program on a graph."""

    def __init__(self, program, graph, prefix):
        super().__init__(program.entry, graph, prefix)
        self.program = program

    def ask(self, schedule, tag=""):
        """The answer of a run with --check."""
        key = zlib.crc32(f"{self.prefix} {schedule} {tag}".encode())
        output = self.program.folder / f"{self.program.name}.{self.graph.name}.{key:08x}.txt"
        return self.program.ask(schedule, self.words(), output, self.graph)

    def expected(self):
        """The file of the oracle's answer."""
        output = self.program.folder / f"{self.program.name}.{self.graph.name}.expected"
        direction = "undirected" if self.graph.undirected else "directed"
        output.write_text(succeed([self.program.tools.oracle, self.program.oracle, self.prefix,
                                   "--direction", direction, *self.shared, *self.oracle_options]))
        return output

    def compare(self, rule, expected, given):
        done = running.run([self.program.tools.compare, *rule.split(), expected, given])
        if done.code != 0:
            raise Failure(done.said())

    def validate(self, given):
        direction = "undirected" if self.graph.undirected else "directed"
        done = running.run([self.program.tools.oracle, self.program.rule, self.prefix, "--direction", direction,
                            "--result", given])
        if done.code != 0:
            raise Failure(done.said())


def read_answer(file):
    """{first word: other words} of an output file."""
    rows = (line.split() for line in pathlib.Path(file).read_text().splitlines())
    return {row[0]: row[1:] for row in rows if row and row[0] != "#"}


class Noted:
    """A count of all tests that notes what came of those of one program, too."""

    def __init__(self, count, passing):
        self.count, self.passing = count, passing

    def test(self, name, problem=None):
        self.count.test(name, problem)
        self.passing.note(problem)


class Tests:
    def __init__(self, arguments, tools):
        self.count, self.tools = counting.Count(arguments.verbose), tools
        self.pattern, self.turns = re.compile(arguments.filter), arguments.turns
        self.named_graphs, self.lock = {}, threading.Lock()
        self.remembered = cache.Cache.of_build(arguments.build)
        self.remembered.forget_passes = arguments.again
        # What decides which runs there are of a program, and whether they pass.
        self.judges = [*sorted(HERE.glob("*.py")), HERE.parent / "suite", *vars(tools).values(), *filter(None, [published.data_folder(ROOT)])]

    def wanted(self, name):
        return self.pattern.search(name) is not None

    def test(self, name, check, *words):
        """Counts one test; what it returns where it passes."""
        if not self.wanted(name):
            return None
        try:
            result = check(*words)
        except (Failure, OSError, KeyError, ValueError) as problem:
            self.count.test(name, str(problem) or type(problem).__name__)
            return None
        self.count.test(name)
        return result

    def skip(self, name, why):
        if self.wanted(name):
            self.count.skip(name, why)

    # Each of these asks for its runs, yields, and judges what came of them.

    def oracle_tests(self, program, graph, prefix, place):
        case = Case(program, graph, prefix)
        validated = program.rule.startswith("validate")
        names = {schedule: f"{program.name}/{graph.name}/{schedule}" for schedule in program.schedules_at(place, self.turns)}
        asked = {schedule: case.ask(schedule) for schedule, name in names.items() if self.wanted(name)}
        yield
        if not asked:
            return
        expected = None if validated else case.expected()
        first = None
        accepted = set()  # what was found right on this graph; the same bytes are right again
        for schedule, answer in asked.items():

            def against_oracle():
                given = answer.file().read_bytes()
                if given in accepted:
                    return given
                if validated:
                    case.validate(answer.file())
                else:
                    case.compare(program.rule, expected, answer.file())
                accepted.add(given)
                return given

            given = self.test(names[schedule], against_oracle)
            if given is None or not program.entry.get("exact"):
                continue
            if first is None:
                first = given
                continue

            def same_bytes():
                if first != given:
                    raise Failure(f"differs from the answer of {next(iter(asked))}: {answer.file()}")
                return True

            self.test(names[schedule] + "/same bytes", same_bytes)

    def metamorphic_tests(self, program, graph, folder):
        """The answer on a changed graph follows from the answer on the graph."""
        base = Case(program, graph, graph.write(folder, f".{program.name}"))
        names = {"increasing": graphs.increasing_names(graph), "shuffled": graphs.shuffled_names(graph, 5)}
        same = {v: v for v in graph.ids}
        changes = [("shuffled lines", graph, same)]
        if "ids" not in program.depends_on:
            changes.append(("renamed in order", graph.renamed(names["increasing"], graph.name), names["increasing"]))
            if "order" not in program.depends_on:
                changes.append(("renamed", graph.renamed(names["shuffled"], graph.name), names["shuffled"]))
        if not program.depends_on & {"vertex count", "ids"} and not program.entry.get("sources"):
            changes.append(("isolated vertices", graphs.with_isolated(graph, 5), same))
            if "size" not in program.depends_on and not program.entry.get("scalar"):
                changes.append(("a copy beside it", graphs.with_copy(graph), same))
        # What names vertices by text writes graphs with weights alone.
        named = "ids" not in program.depends_on and "columns" not in program.entry
        test_names = {what: f"{program.name}/{graph.name}/{what}" for what in [*(change[0] for change in changes), "named by text"]}
        if not any(map(self.wanted, test_names.values())):
            return
        schedule = program.schedules[-1]
        asked = base.ask(schedule)
        changed_runs = [self.ask_changed(program, schedule, base, *change) for change in changes]
        named_runs = NamedRuns(base, self.named_graph(graph, folder)) if named and self.wanted(test_names["named by text"]) else None
        yield
        reference = read_answer(asked.file())

        def answer_on(answer, mapping):
            self.expect_translated(program, reference, read_answer(answer.file()), mapping, base)
            return True

        for (what, _, mapping), answer in zip(changes, changed_runs):
            self.test(test_names[what], answer_on, answer, mapping)

        def named_answers():
            for what, given in named_runs.answers():
                try:
                    self.expect_translated(program, reference, given, same, base)
                except (Failure, KeyError) as problem:
                    raise Failure(f"{what}: {problem}") from None
            return True

        if named_runs:
            self.test(test_names["named by text"], named_answers)

    def ask_changed(self, program, schedule, base, what, changed, mapping):
        shuffle = random.Random(3) if what == "shuffled lines" else None
        tag = f".{program.name}.{what.replace(' ', '_')}"
        case = Case(program, changed, changed.write(base.program.folder, tag, shuffle))
        case.shared = self.translated(base.shared, mapping, case)
        return case.ask(schedule, what)

    def named_graph(self, graph, folder):
        """Made once for all programs."""
        with self.lock:
            if graph.name not in self.named_graphs:
                self.named_graphs[graph.name] = NamedGraph(graph, self.tools.graph, folder)
            return self.named_graphs[graph.name]

    def program_tests(self, program, tiny, *words):
        """All that needs no quiet machine. Of what some of its tests came to, nothing is remembered."""
        if self.pattern.pattern:
            self.run_program(program, tiny, *words)
            return
        reads = [file for file in (program.binary, program.ir) if file.exists()]
        meaning = [json.dumps(program.entry), str(self.turns), *map(str, program.schedules), *(graph.digest for graph in tiny)]
        with self.remembered.passing(reads, meaning, self.judges) as passing:
            if passing.before:
                self.count.passed_before(passing.before)
                return
            mine = copy.copy(self)
            mine.count = Noted(self.count, passing)
            mine.run_program(program, tiny, *words)

    def run_program(self, program, tiny, prefixes, folder, published_answers):
        kinds = [self.published_test(program, *answer) for answer in published_answers]
        for place, graph in enumerate(tiny):
            if program.fits(graph):
                kinds.append(self.oracle_tests(program, graph, prefixes[graph.name], place))
                if graph.name in ("random_directed", "random_undirected", "karate"):
                    kinds.append(self.metamorphic_tests(program, graph, folder))
        for step in ("ask", "judge"):
            for kind in kinds:
                try:
                    next(kind, None)
                except (Failure, OSError, KeyError, ValueError) as problem:
                    self.count.test(f"{program.name}/{step}", problem)

    def published_test(self, program, case, schedule, number):
        name = f"{program.name}/{case.name}/{schedule}"
        if not self.wanted(name):
            return
        answer = case.ask(schedule, number)
        yield
        self.test(name, case.judge, answer)

    @staticmethod
    def translated(shared, mapping, case):
        """The base's options, with the vertices in them renamed."""
        words = list(shared)
        for i, word in enumerate(words[:-1]):
            if word in ("--source", "--sources"):
                words[i + 1] = ",".join(str(mapping[int(v)]) for v in str(words[i + 1]).split(","))
            elif word in ("--injection", "--continuation"):
                lines = (line.split() for line in pathlib.Path(words[i + 1]).read_text().splitlines())
                file = case.prefix.with_name(case.prefix.name + word.strip("-") + ".renamed")
                given = {mapping[int(v)]: x for v, x in lines}
                file.write_text("".join(f"{v} {given.get(v, 0)}\n" for v in case.graph.ids))
                words[i + 1] = file
        return words

    @staticmethod
    def expect_translated(program, reference, given, mapping, base):
        vertex_columns = program.entry.get("vertex_columns", [])
        expected = {}
        for vertex, values in reference.items():
            if program.entry.get("scalar"):
                expected[vertex] = values
                continue
            expected[str(mapping[int(vertex)])] = [
                str(mapping[int(x)]) if i in vertex_columns and x != "none" else x for i, x in enumerate(values)]
        kept = {vertex: given[vertex] for vertex in expected}
        # The comparing program says the same of words that are equal, and refuses vertices without any.
        if kept == expected and all(expected.values()):
            return
        folder = base.program.folder
        files = [folder / f"{program.name}.{base.graph.name}.{side}" for side in ("a", "b")]
        for file, rows in zip(files, (expected, kept)):
            file.write_text("".join(f"{vertex} {' '.join(values)}\n" for vertex, values in rows.items()))
        rule = "TOLERANCE 1e-4 1e-9" if program.rule.startswith("TOLERANCE") else "EXACT"
        base.compare(rule, *files)


# Algorithm 1 goes by measured times, and this machine may be busy.
ATTEMPTS = 3


def switches(program, generate, source, expectation):
    """The controller of a program changes paths where it should."""
    graph = program.folder / f"{'-'.join(map(str, generate))}.graph"
    trace = program.folder / f"{program.name}-{graph.name}.jsonl"
    if not graph.exists():
        succeed([program.tools.graph, "generate", *generate, graph, "--to", "cached", "--quiet"])
    words = [graph, *(["--source", source] if source is not None else []), "--target", "cpu", "--quiet"]
    for attempt in range(ATTEMPTS):
        succeed([program.binary, *words, "--check", "--trace", trace])
        problem = expectation(controllers.steps(trace))
        if not problem:
            return
    raise Failure(problem)


def batch_main(remembered, folder):
    """The object of a main() that runs many command lines."""
    target, include = folder / "batch_main.o", ROOT / "runtime/include"
    source = HERE / "batch_main.cpp"
    remembered.make(["g++", "-std=c++20", "-O1", f"-I{include}", "-c", source, "-o", target], [source], [include, HERE / "batch.h"])
    return target


def choose_programs(entries, tests, tools, folder, arguments):
    """Compiles what can be compiled, one failure each where something cannot. What was compiled before is taken from the
    cache of the build."""
    chosen, remembered = {}, tests.remembered
    environment = dict(os.environ, **remembered.environment_of_vertigo(tools.vertigo.parent.parent, quickly_with=batch_main(remembered, folder)))

    def prepare(entry):
        program = Program(entry, tools, folder, environment)
        done = tests.test(f"{entry['name']}/compile", lambda: (program.prepare(
            not arguments.targets_only, not arguments.interpret_only), True)[1])
        return program if done else None

    # The compile step runs whatever the filter says: the tests need it.
    pattern, tests.pattern = tests.pattern, re.compile("")
    wanted = [entry for entry in entries.values() if not arguments.program or entry["name"] in arguments.program]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for entry, program in zip(wanted, pool.map(prepare, wanted)):
            if program is not None:
                chosen[entry["name"]] = program
    tests.pattern = pattern
    remembered.trim()
    return chosen


def main():
    parser = command_line.parser(__doc__)
    parser.add_argument("--filter", default="", help="a regular expression on the names of tests")
    parser.add_argument("--program", action="append", help="only this program; may be given several times")
    parser.add_argument("--interpret-only", action="store_true", help="the interpreter alone; nothing is compiled")
    parser.add_argument("--targets-only", action="store_true", help="compiled programs alone")
    parser.add_argument("--turns", type=int, default=1, help="each schedule that is no engine's runs on every so-manieth graph (1: on all)")
    parser.add_argument("--again", action="store_true", help="run what passed before, too")
    parser.add_argument("--keep", type=pathlib.Path, help="keep binaries, graphs and answers in this folder")
    parser.add_argument("--verbose", action="store_true", help="name the tests that pass, too")
    arguments = parser.parse_args()
    tools = Tools(arguments.build)
    tests = Tests(arguments, tools)
    if tools.missing():
        tests.count.test("tools", "not built: " + ", ".join(str(tool) for tool in tools.missing()))
        return tests.count.close()
    # The programs are small: with one thread each, as many run at once as there are processors.
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    entries, answers = programs.read_manifest(HERE / "manifest.json")
    with command_line.working_folder("examples", arguments.keep) as folder:
        chosen = choose_programs(entries, tests, tools, folder, arguments)
        tiny = graphs.tiny_graphs()
        prefixes = {graph.name: graph.write(folder) for graph in tiny}
        published_answers = published.answers(tests, chosen, answers, folder, ROOT)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            # The longest first.
            longest = sorted(chosen.values(), key=lambda program: program.name not in published_answers)
            tasks = [pool.submit(tests.program_tests, program, tiny, prefixes, folder, published_answers.get(program.name, ()))
                     for program in longest]
            for task in tasks:
                task.result()
        # One after the other, with nothing beside them: times count.
        for name, (program, *case) in controllers.EXPECTED.items():
            if program in chosen and not arguments.interpret_only:
                tests.test(f"{program}/{name}/switches", switches, chosen[program], *case)
    if tests.count.remembered:
        print(f"{tests.count.remembered} passed before with the same program, graphs and judges")
    return tests.count.close()


if __name__ == "__main__":
    sys.exit(main())
