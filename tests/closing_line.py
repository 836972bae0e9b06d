"""Runs the unittest cases of a script as a suite: with the closing line that run_suites.py adds up."""

import argparse
import sys
import unittest


def run_cases(description):
    """Runs the cases of the calling script; returns its exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", help="not used: nothing here is built")
    parser.parse_args()
    cases = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TextTestRunner().run(cases)
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not result.testsRun else 0
