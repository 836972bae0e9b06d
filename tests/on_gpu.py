"""Tests of the GPU suite's script, which test_runners.py runs: what it must never call a pass."""

import contextlib
import io
import os
import pathlib
import sys
import tempfile
import types
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "gpu"))

from suite import groups, running, sanitizing  # noqa: E402
import run_gpu  # noqa: E402


class OnGpu(unittest.TestCase):
    def suite(self, done, budget=100.0):
        """The GPU suite, where every command ends as given."""
        self.folder = tempfile.TemporaryDirectory()
        os.environ["OUT"] = self.folder.name
        options = types.SimpleNamespace(budget=budget, limit=10, threads=1, gpus=1, target="gpu")
        suite = run_gpu.Suite(options)
        suite.sources, suite.manifest, suite.device = {}, {}, "none"
        suite.run = lambda *words, **more: done
        return suite

    def ended(self, suite):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            status = suite.report([])
        self.folder.cleanup()
        return status, said.getvalue()

    def quietly(self, test, *words):
        with contextlib.redirect_stdout(io.StringIO()):
            test(*words)

    def sanitized(self, said, code=0):
        """How the suite ends where bfs, in two variants on a graph, says this under racecheck."""
        suite = self.suite(running.Done(code, said))
        self.quietly(suite.sanitize, "racecheck", ["bfs"], {"bfs": [["--schedule", "a"], ["--schedule", "b"]]}, {"star": "graph"})
        return self.ended(suite)[0]

    def test_a_checker_that_reports_or_says_nothing_is_no_pass(self):
        ends, clean = "== 0 0\n== 1 {}\n", "RACECHECK SUMMARY: 0 hazards displayed\n"
        self.assertEqual(self.sanitized(ends.format(0) + clean), 0)
        self.assertEqual(self.sanitized(ends.format(0)), 1)
        self.assertEqual(self.sanitized(ends.format(4) + clean), 1)
        self.assertEqual(self.sanitized("== 0 0\n" + clean), 1)
        self.assertEqual(self.sanitized(ends.format(0) + clean, 99), 1)

    def test_of_programs_in_one_process_the_one_that_a_checker_reports_fails(self):
        def run(command, limit):
            several = sum(str(word).endswith(".so") for word in command) > 1
            found = several or "./sssp.so" in command
            said = "== 0 0\n== 1 0\n" if several else "== 0 0\n"
            return running.Done(99 if found else 0, f"{said}RACECHECK SUMMARY: {int(found)} hazards displayed\n")

        suite = self.suite(None)
        suite.run = run
        self.quietly(suite.sanitize, "racecheck", ["bfs", "sssp"], {"bfs": [[]], "sssp": [[]]}, {"star": "graph"})
        self.assertEqual([(each["test"], each["status"]) for each in suite.records],
                         [("racecheck bfs", "passed"), ("racecheck sssp", "failed")])
        self.ended(suite)

    def test_a_run_that_ends_a_process_of_several_is_asked_by_itself_and_so_are_those_behind_it(self):
        asked = []

        def run(command, limit):
            asked.append([word for word in command if str(word).endswith(".so")])
            return running.Done(1, "one\n== 0 0\ntwo\n") if len(asked) == 1 else running.Done(0, f"alone {len(asked)}\n")

        suite = self.suite(None)
        suite.run = run
        said = {name: done.out for name, done in suite.in_one_process({"a": [], "b": [], "c": []}, 10)}
        self.assertEqual(said, {"a": "one\n", "b": "alone 2\n", "c": "alone 3\n"})
        self.assertEqual(asked, [["./a.so", "./b.so", "./c.so"], ["./b.so"], ["./c.so"]])
        self.ended(suite)

    def test_groups_take_about_as_long_and_hold_one_of_each_name(self):
        costs = {"long": 10, "bfs": 5, "bfs_hybrid": 4, "sssp": 1}
        made = groups.of_equal_cost(costs, lambda name: name.split("_")[0], 2)
        self.assertEqual(sorted(cost for cost, _ in made), [6, 14])
        self.assertEqual(sorted(name for _, names in made for name in names), sorted(costs))
        self.assertFalse(any({"bfs", "bfs_hybrid"} <= set(names) for _, names in made))
        self.assertEqual(len(groups.of_equal_cost(dict.fromkeys("abc", 1), lambda name: "same", 2)), 3)

    def test_under_checkers_programs_do_not_iterate_long(self):
        suite = self.suite(running.Done(0))
        suite.manifest = {"php": {"options": {"tolerance": "1e-12"}}, "bfs": {}}
        words = {name: suite.words(name, pathlib.Path("g"), coarse=True) for name in suite.manifest}
        self.assertEqual([words[name].count("--tolerance") for name in ("php", "bfs")], [1, 0])
        self.assertIn("1e-3", words["php"])
        self.ended(suite)

    def test_what_took_most_steps_is_expected_to_last_longest(self):
        known = sanitizing.Steps()
        for steps in (100, 140):
            known.add("php", steps)
        self.assertAlmostEqual(known.seconds("racecheck", "php", 4), 2 * known.seconds("racecheck", "php"))
        self.assertEqual(known.seconds("racecheck", "new", 4), 0)

    def test_two_runs_that_crash_alike_are_not_deterministic(self):
        suite = self.suite(running.Done(1, "", "crashed\n"))
        self.quietly(suite.deterministic, "graph")
        self.assertEqual(self.ended(suite)[0], 1)

    def test_two_runs_without_an_answer_are_not_deterministic(self):
        suite = self.suite(running.Done(0))
        self.quietly(suite.deterministic, "graph")
        self.assertEqual(self.ended(suite)[0], 1)

    def test_a_comparison_of_no_schedules_is_no_pass(self):
        suite = self.suite(running.Done(0, '{"comparisons": []}'))
        self.quietly(suite.schedules, ["bfs"], "graph", "kron")
        self.assertEqual(self.ended(suite)[0], 1)

    def test_what_the_budget_leaves_out_is_listed_and_is_no_success(self):
        suite = self.suite(running.Done(0), budget=0.0)
        suite.verdict("first", "")
        self.quietly(suite.schedules, ["bfs"], "graph", "kron")
        status, said = self.ended(suite)
        self.assertEqual(status, 3)
        self.assertIn("NOT RUN  bfs kron schedules", said)
