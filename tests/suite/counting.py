"""What a suite counts, and the line that it closes with: `N passed, N failed, N skipped`."""

import collections
import contextlib
import re
import sys
import threading
import unittest

from suite import command_line

CLOSING = re.compile(r"^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)


def closing_counts(text):
    """[passed, failed, skipped] of the last closing line in what a suite printed; None where there is none."""
    found = CLOSING.findall(text)
    return [int(number or 0) for number in found[-1]] if found else None


class Count:
    """Tests that passed, failed and were skipped; several threads may count."""

    def __init__(self, verbose=False):
        self.passed = self.failed = self.skipped = self.remembered = 0
        self.verbose = verbose
        self.lock = threading.Lock()
        self.of_thread = threading.local()

    @contextlib.contextmanager
    def here(self):
        """What this thread counts meanwhile: how many "passed", "failed" and were "skipped"."""
        self.of_thread.counts = collections.Counter()
        try:
            yield self.of_thread.counts
        finally:
            self.of_thread.counts = None

    def note(self, what):
        counts = getattr(self.of_thread, "counts", None)
        if counts is not None:
            counts[what] += 1

    def test(self, name, problem=None):
        """Counts one test and prints what is wrong; `problem`: None where nothing is."""
        self.note("passed" if problem is None else "failed")
        with self.lock:
            if problem is None:
                self.passed += 1
                if self.verbose:
                    print(f"ok    {name}", flush=True)
            else:
                self.failed += 1
                lines = str(problem).strip().splitlines() or ["no reason is given"]
                print(f"FAIL  {name}: " + "\n      ".join(lines[:40]), flush=True)

    def passed_before(self, number):
        """Tests that passed before, with nothing changed since."""
        with self.lock:
            self.passed += number
            self.remembered += number

    def skip(self, name, why):
        self.note("skipped")
        with self.lock:
            self.skipped += 1
            print(f"skip  {name}: {why}", flush=True)

    def close(self):
        """Prints the closing line; the exit status: 1 where a test failed or none ran."""
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed or not self.passed else 0


def run_cases(description):
    """Runs the unittest cases of the calling script as a suite; returns its exit status."""
    command_line.parser(description).parse_args()
    cases = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TextTestRunner().run(cases)
    count = Count()
    count.failed, count.skipped = len(result.failures) + len(result.errors), len(result.skipped)
    count.passed = result.testsRun - count.failed - count.skipped
    return count.close()
