#!/usr/bin/env python3
"""Tests of the runners and of what they share (suite/): what they must never call a pass.

Closes with `N passed, N failed, N skipped`, as every suite does.
"""

import contextlib
import io
import json
import os
import pathlib
import re
import stat
import sys
import tempfile
import types
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "run")]

from suite.counting import run_cases  # noqa: E402
from suite import batches, cache, counting, graphs, programs, running  # noqa: E402
from on_gpu import OnGpu  # noqa: E402, F401
import run_examples  # noqa: E402
import run_suites  # noqa: E402
import run_unit  # noqa: E402


def counted(body):
    """What run_suites makes of a suite with this Python body."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "suite.py"
        script.write_text(body)
        arguments = types.SimpleNamespace(build=pathlib.Path(folder), jobs=1)
        with contextlib.redirect_stdout(io.StringIO()):
            return run_suites.run(run_suites.Suite("suite", "", script), arguments, pathlib.Path(folder), [])


def unit_counted(report, status):
    """What run_unit makes of a program that writes this GoogleTest report and exits so."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program"
        write = f"cat >\"${{GTEST_OUTPUT#json:}}\" <<'EOF'\n{report}\nEOF\n" if report else ""
        program.write_text(f"#!/bin/sh\n{write}exit {status}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        arguments = types.SimpleNamespace(build=folder, filter=None, timeout=10)
        with contextlib.redirect_stdout(io.StringIO()):
            return run_unit.run([str(program)], folder, {}, arguments)


def report(*cases):
    return '{"testsuites": [{"name": "S", "testsuite": [' + ", ".join(cases) + "]}]}"


PASSED = '{"name": "a", "status": "RUN", "result": "COMPLETED"}'
FAILED = '{"name": "b", "status": "RUN", "result": "COMPLETED", "failures": [{"failure": "no"}]}'
SKIPPED = '{"name": "c", "status": "RUN", "result": "SKIPPED"}'
FILTERED = '{"name": "d", "status": "NOTRUN", "result": "SUPPRESSED"}'


class Suites(unittest.TestCase):
    def test_takes_the_closing_line(self):
        self.assertEqual(counted("print('3 passed, 0 failed, 2 skipped')"), [3, 0, 2])

    def test_the_last_line_counts_where_there_are_several(self):
        self.assertEqual(counted("print('9 passed, 0 failed'); print('4 passed, 0 failed')"), [4, 0, 0])

    def test_a_crash_is_a_failure(self):
        self.assertEqual(counted("import os; os.abort()"), [0, 1, 0])

    def test_no_closing_line_is_a_failure(self):
        self.assertEqual(counted("print('all is well')"), [0, 1, 0])

    def test_an_exit_status_that_counts_nothing_is_a_failure(self):
        self.assertEqual(counted("print('3 passed, 0 failed'); raise SystemExit(2)"), [3, 1, 0])


class Units(unittest.TestCase):
    def test_counts_cases(self):
        self.assertEqual(unit_counted(report(PASSED, PASSED, SKIPPED, FILTERED), 0), (2, 0, 1))

    def test_counts_failures(self):
        self.assertEqual(unit_counted(report(PASSED, FAILED), 1), (1, 1, 0))

    def test_a_crash_after_the_cases_is_a_failure(self):
        self.assertEqual(unit_counted(report(PASSED), 139), (1, 1, 0))

    def test_a_crash_before_the_report_is_a_failure(self):
        self.assertEqual(unit_counted("", 134), (0, 1, 0))


class Filters(unittest.TestCase):
    """A filter runs the programs that have such a test, and what makes them: nothing is built for nothing."""

    def setUp(self):
        def program(*tests, **properties):
            made = run_unit.Program([tests[0]], properties, "build")
            made.tests = list(tests)
            return made

        self.programs = [program("A.x", "A.y"), program("races_build", FIXTURES_SETUP=["races"]),
                         program("races", FIXTURES_REQUIRED=["races"])]

    def chosen(self, text):
        return [program.tests[0] for program in run_unit.needed(self.programs, text)]

    def test_takes_programs_by_their_tests(self):
        self.assertEqual(self.chosen("A.*"), ["A.x"])
        self.assertEqual(self.chosen("B.z:*.y"), ["A.x"])
        self.assertEqual(self.chosen("A.*-A.x"), ["A.x"])
        self.assertEqual(self.chosen("A.*-A.*"), [])
        self.assertEqual(self.chosen("B.*"), [])

    def test_names_are_those_of_the_cases(self):
        listing = {"tests": [{"name": "graph.A.x", "command": ["/bin/a", "--gtest_filter=A.x"]},
                             {"name": "graph.A.y", "command": ["/bin/a", "--gtest_filter=A.y"]},
                             {"name": "races", "command": ["/bin/races"]}]}
        with tempfile.TemporaryDirectory() as folder:
            ctest = pathlib.Path(folder) / "ctest"
            ctest.write_text(f"#!/bin/sh\ncat <<'EOF'\n{json.dumps(listing)}\nEOF\n")
            ctest.chmod(0o755)
            with unittest.mock.patch.dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"):
                found = run_unit.commands(folder)
        self.assertEqual([program.tests for program in found], [["A.x", "A.y"], ["races"]])

    def test_takes_what_makes_them(self):
        self.assertEqual(self.chosen("races"), ["races_build", "races"])


# Stands for a generated program: lists two schedules, and runs the lines of a batch as its body says.
FAKE = """#!/usr/bin/env python3
import os, sys
if "--list-schedules" in sys.argv:
    print('{"schedules": [{"phase": "main", "variant": "sync-push-data"}, '
          '{"phase": "main", "variant": "levels", "engine": {"forms_by_diameter": true}}]}')
    sys.exit(0)
for number, line in enumerate(open(sys.argv[2])):
    words = line.rstrip("\\n").split("\\t")
    target, output, code = words[words.index("--target") + 1], words[-1], 0
    def answer(text):
        open(output, "w").write(text)
BODY
    print(f"== {number} {code}", flush=True)
ENDING
"""
RIGHT = "    answer('1')"


def batch(body, ending="", entry=None):
    """{test name: problem} of a batch of the fake program on a graph."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program"
        program.write_text(FAKE.replace("BODY", body).replace("ENDING", ending))
        program.chmod(0o755)
        made = batches.Batch(entry or {"name": "fake", "exact": True}, [program], pathlib.Path(folder), "0")
        return dict(made.run([graphs.directed("pair", [1, 2], [(1, 2)])], 20))


class Batches(unittest.TestCase):
    def wrong(self, *words, **more):
        return [problem for problem in batch(*words, **more).values() if problem]

    def test_what_is_right_passes_in_every_schedule_and_on_the_cpu(self):
        found = batch(RIGHT)
        self.assertEqual(list(found), ["fake/pair/cpu", "fake/pair/main.variant=sync-push-data (prepared)",
                                       "fake/pair/main.variant=levels (zero-copy)",
                                       "fake/pair/main.variant=levels (large diameter) (prepared)"])
        self.assertEqual(set(found.values()), {None})

    def test_a_graph_on_which_no_schedule_has_its_turn_is_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            program.write_text(FAKE.replace("BODY", RIGHT).replace("ENDING", "").replace('"levels", "engine": {"forms_by_diameter": true}', '"sync-pull-data"'))
            program.chmod(0o755)
            made = batches.Batch({"name": "fake", "exact": True}, [program], pathlib.Path(folder), "0", turns=3)
            ran = [graph.name for graph, _, _ in made.lines([graphs.directed(name, [1, 2], [(1, 2)]) for name in "abcd"])]
        self.assertEqual(ran, ["a", "a", "c", "c", "d", "d"])

    def test_the_same_error_on_both_targets_is_no_pass(self):
        problems = self.wrong("    code = 2; print('error: there is no option --qiet')")
        self.assertEqual(len(problems), 4)
        self.assertIn("exit 2, expected 0", problems[0])
        self.assertIn("--qiet", problems[0])

    def test_an_exit_code_that_is_stated_is_expected(self):
        entry = {"name": "fake", "exact": True, "exits": {"pair": 6}}
        self.assertEqual(self.wrong("    code = 6", entry=entry), [])
        self.assertEqual(len(self.wrong(RIGHT, entry=entry)), 4)

    def test_no_answer_is_no_pass(self):
        self.assertEqual(self.wrong("    pass")[0].splitlines()[0], "no answer was written")

    def test_another_answer_is_no_pass(self):
        self.assertEqual(len(self.wrong("    answer('1' if target == 'cpu' else '2')")), 3)

    def test_a_death_is_told_and_the_rest_is_run(self):
        self.assertEqual(len(self.wrong(RIGHT + "\n    if 'sync' in line: os._exit(9)")), 1)

    def test_a_death_after_the_last_run_is_no_pass(self):
        self.assertIn("exit 9", self.wrong(RIGHT, "os._exit(9)")[0])

    def test_what_is_left_out_after_deaths_is_no_pass(self):
        self.assertIn("were left out", self.wrong("    os._exit(9)")[-1])


class AskedFirst(unittest.TestCase):
    """batches.Runs: what is asked for takes place at once, and each run is judged by itself."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def runs(self, body):
        program = self.folder / "program"
        lines = ["#!/usr/bin/env python3", "import os, sys", "for number, line in enumerate(open(sys.argv[2])):", "    code, word = 0, line.strip()",
                 body, "    print(word)", "    print(f'== {number} {code}', flush=True)"]
        program.write_text("\n".join(lines) + "\n")
        program.chmod(0o755)
        made = batches.Runs([program], self.folder, 20)
        for word in ("first", "second", "third"):
            made.ask([word])
        return made

    def printed(self, made, number):
        try:
            return made.printed(number).strip()
        except running.Failure as failure:
            return str(failure).splitlines()[0]

    def test_each_run_has_what_it_printed(self):
        made = self.runs("")
        self.assertEqual([self.printed(made, number) for number in (2, 0, 1)], ["third", "first", "second"])

    def test_what_is_asked_for_later_runs_later(self):
        made = self.runs("")
        self.assertEqual(self.printed(made, 0), "first")
        self.assertEqual(self.printed(made, made.ask(["fourth"])), "fourth")

    def test_an_exit_code_is_a_failure_of_that_run(self):
        made = self.runs("    code = 5 if word == 'second' else 0")
        self.assertEqual(self.printed(made, 0), "first")
        self.assertTrue(self.printed(made, 1).startswith("exit 5: "))
        self.assertEqual(self.printed(made, 2), "third")

    def test_a_death_is_a_failure_and_the_rest_is_run(self):
        made = self.runs("    if word == 'second': os._exit(9)")
        self.assertTrue(self.printed(made, 1).startswith("exit None: "))
        self.assertEqual([self.printed(made, number) for number in (0, 2)], ["first", "third"])

    def test_what_is_left_out_is_no_pass(self):
        made = self.runs("    os._exit(9)")
        made.ask(["fourth"])
        self.assertTrue(all(self.printed(made, number).startswith("exit None: ") for number in range(4)))


class PassedBefore(unittest.TestCase):
    """cache.Cache.passing: only what passed, of the same files and words, is remembered."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache, self.file = cache.Cache(pathlib.Path(folder.name) / "cache"), pathlib.Path(folder.name) / "binary"
        self.file.write_text("1")

    def before(self, *problems, meaning="graph"):
        with self.cache.passing([self.file], [meaning], []) as passing:
            for problem in problems:
                passing.note(problem)
        return passing.before

    def test_what_passed_is_remembered(self):
        self.assertEqual(self.before(None, None), 0)
        self.assertEqual(self.before(), 2)
        self.assertEqual(self.before(), 2)

    def test_what_was_skipped_is_told(self):
        with self.cache.passing([self.file], ["graph"], []) as passing:
            passing.passed, passing.skipped = 3, 1
        with self.cache.passing([self.file], ["graph"], []) as passing:
            self.assertEqual((passing.before, passing.skipped_before), (3, 1))

    def test_other_files_and_other_words_are_run(self):
        self.before(None)
        self.assertEqual(self.before(meaning="another graph"), 0)
        self.file.write_text("2")
        self.assertEqual(self.before(), 0)

    def test_a_failure_is_run_again(self):
        self.before(None, "wrong")
        self.assertEqual(self.before(), 0)

    def test_what_was_cut_short_is_run_again(self):
        with self.assertRaises(KeyboardInterrupt), self.cache.passing([self.file], ["graph"], []) as passing:
            passing.note(None)
            raise KeyboardInterrupt
        self.assertEqual(self.before(), 0)

    def test_all_is_run_where_that_is_asked(self):
        self.before(None)
        self.cache.forget_passes = True
        self.assertEqual(self.before(), 0)


class Examples(unittest.TestCase):
    def test_some_tests_of_a_program_are_not_remembered_as_all(self):
        with tempfile.TemporaryDirectory() as place:
            binary = pathlib.Path(place) / "program"
            binary.write_text("1")
            program = types.SimpleNamespace(binary=binary, ir=binary, entry={}, schedules=[])
            runs = []

            class Tests(run_examples.Tests):
                def __init__(self):
                    self.count, self.turns, self.judges, self.remembered = counting.Count(), 1, [], cache.Cache(pathlib.Path(place) / "cache")

                def run_program(self, *words):
                    runs.append(words)
                    self.test("a", lambda: True)
                    self.test("b", lambda: True)

            for pattern, passed in (("a", 1), ("", 2), ("", 2)):
                tests = Tests()
                tests.pattern = re.compile(pattern)
                tests.program_tests(program, [])
                self.assertEqual(tests.count.passed, passed)
            self.assertEqual(len(runs), 2)


class Manifest(unittest.TestCase):
    def test_engines_are_told_from_paths(self):
        path, engine = {"phase": "a", "variant": "x"}, {"phase": "b", "variant": "y", "engine": {"forms_by_diameter": False}}
        made = programs.Schedule([path, engine])
        self.assertEqual((made, made.engines, made.has_forms), ("a.variant=x,b.variant=y", [engine["engine"]], False))
        self.assertEqual(programs.Schedule([path]).engines, [])

    def test_schedules_take_turns_and_engines_run_on_every_graph(self):
        path, engine = {"phase": "a", "variant": "x"}, {"phase": "a", "variant": "y", "engine": {"forms_by_diameter": False}}
        listed = [programs.Schedule([dict(each, variant=str(number))]) for number, each in enumerate([path] * 5 + [engine])]
        met = [programs.in_turn(listed, place, 3) for place in range(4)]
        self.assertTrue(all(listed[5] in each for each in met))
        self.assertEqual([[listed.index(each) for each in graph[:-1]] for graph in met], [[0, 3], [2], [1, 4], [0, 3]])
        self.assertEqual(programs.in_turn(listed, 1, 1), listed)

    def test_a_program_that_lists_nothing_is_a_failure(self):
        with self.assertRaises(running.Failure):
            programs.schedules(["false"])


class Compiled(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)
        self.cache = cache.Cache(self.folder / "cache")
        (self.folder / "include").mkdir()
        (self.folder / "include/a.h").write_text("1")
        # Stands for a compiler: what it makes tells how often it ran.
        compiler = self.folder / "cc"
        compiler.write_text(f"""#!/bin/sh
case "$*" in *--version*) echo 1; exit;; *wrong*) echo no; exit 1;; esac
echo run >>{self.folder}/runs
for word; do last=$word; done
: >"$last"; [ ! -e {self.folder}/made ] || cp {self.folder}/made {self.folder}/seen
cp {self.folder}/runs "$last"
""")
        compiler.chmod(0o755)

    def tearDown(self):
        self.place.cleanup()

    def make(self, text="x", *flags):
        """How often the compiler has run when this is made."""
        source, made = self.folder / f"{len(text)}.cpp", self.folder / "made"
        source.write_text(text)
        self.cache.make([self.folder / "cc", *flags, source, "-o", made], [source], [self.folder / "include"])
        return len(made.read_text().split())

    def test_the_same_is_compiled_once(self):
        self.assertEqual([self.make(), self.make()], [1, 1])
        self.assertEqual((self.cache.hits, self.cache.misses), (1, 1))

    def test_another_text_flag_or_header_is_compiled(self):
        self.assertEqual([self.make(), self.make("y"), self.make("x", "-O3")], [1, 2, 3])
        (self.folder / "include/a.h").write_text("2")
        self.cache = cache.Cache(self.folder / "cache")
        self.assertEqual(self.make(), 4)

    def test_what_is_there_stays_whole_until_the_new_is_made(self):
        self.make()
        self.make("y")
        self.assertEqual((self.folder / "seen").read_text(), "run\n")

    def test_what_was_compiled_while_headers_changed_is_not_remembered(self):
        self.make()
        (self.folder / "include/a.h").write_text("2")
        self.assertEqual(self.make("y"), 2)
        (self.folder / "include/a.h").write_text("1")
        self.cache = cache.Cache(self.folder / "cache")
        self.assertEqual([self.make("y"), self.make()], [3, 1])

    def test_an_error_is_not_remembered(self):
        for _ in range(2):
            with self.assertRaises(cache.CompileError):
                self.make("x", "-wrong")

    def test_what_was_not_asked_for_the_longest_goes(self):
        self.make()
        self.make("y")
        for number, file in enumerate(sorted(self.cache.folder.iterdir(), key=lambda file: file.read_text())):
            os.utime(file, (number, number))
        self.cache.most_bytes = 8
        self.cache.trim()
        self.assertEqual(len(list(self.cache.folder.iterdir())), 1)
        self.assertEqual([self.make("y"), self.make()], [2, 3])


class Quick(unittest.TestCase):
    def test_what_is_left_out_of_lit_is_there(self):
        listed = re.search(r"config\.excludes \+= \[(.*?)\]", (HERE / "lit.cfg.py").read_text(), re.DOTALL)[1]
        for name in re.findall(r'"(.*?)"', listed):
            self.assertTrue(list(HERE.glob(f"*/{name}")), name)

    def test_programs_of_it_are_in_the_manifest(self):
        known, _ = programs.read_manifest(HERE / "run/manifest.json")
        words = next(suite.quick for suite in run_suites.SUITES if suite.name == "examples")
        self.assertLessEqual(set(words) - {"--program"}, set(known))


if __name__ == "__main__":
    sys.exit(run_cases(__doc__))
