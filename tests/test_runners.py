#!/usr/bin/env python3
"""Tests of run_suites.py and run_unit.py: what they must never call a pass.

Closes with `N passed, N failed, N skipped`, as every suite does.
"""

import contextlib
import io
import pathlib
import stat
import sys
import tempfile
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from closing_line import run_cases  # noqa: E402
import run_suites  # noqa: E402
import run_unit  # noqa: E402


def counted(body):
    """What run_suites makes of a suite with this Python body."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "suite.py"
        script.write_text(body)
        arguments = types.SimpleNamespace(build=pathlib.Path(folder), jobs=1)
        with contextlib.redirect_stdout(io.StringIO()):
            return run_suites.run(run_suites.Suite("suite", "", script), arguments, pathlib.Path(folder))


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


if __name__ == "__main__":
    sys.exit(run_cases(__doc__))
