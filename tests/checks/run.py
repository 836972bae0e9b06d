#!/usr/bin/env python3
"""Runs the checks of the tree (`./dev check`), or those named; --self-test plants a fault for each.

Closes with `N passed, N failed, N skipped`; exit status 1 when one failed or none ran.
"""

import argparse
import importlib
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from tree import Skip, Tree  # noqa: E402

CHECKS = ["layers", "variants", "sizes", "wording", "format", "headers", "diagnostics", "documents", "embedded",
          "interpreted", "headline", "generated"]


class Count:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def closing_line(self):
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed or not self.passed else 0


def gather(check, tree):
    """(problems, why the rest of the check was skipped or None)."""
    found = []
    try:
        for problem in check.problems(tree):
            found.append(problem)
    except Skip as reason:
        return found, str(reason)
    except Exception as error:  # a check that breaks is no check that passed
        found.append(f"the check itself failed: {type(error).__name__}: {error}")
    return found, None


def run(names, root, build, count):
    tree = Tree(root, build)
    for name in names:
        check = importlib.import_module(name)
        found, skipped = gather(check, tree)
        if skipped and not found:
            print(f"skip  {name}: {skipped}")
            count.skipped += 1
            continue
        print(f"{'FAIL' if found else 'ok  '}  {name}: {check.SUMMARY}")
        for problem in found[:30]:
            print(f"        {problem}")
        if len(found) > 30:
            print(f"        and {len(found) - 30} more")
        count.failed += bool(found)
        count.passed += not found


def plant(files):
    """A small tree of these files, as a context that removes it."""
    folder = tempfile.TemporaryDirectory()
    for name, text in files.items():
        path = pathlib.Path(folder.name) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if text.startswith("#!"):
            path.chmod(0o755)
    return folder


def self_test(names, count):
    """Each check must be silent on its clean sample and name each planted fault."""
    for name in names:
        check = importlib.import_module(name)
        cases = [(check.CLEAN, None), *check.FAULTS]
        for number, (files, expected) in enumerate(cases):
            with plant(files) as folder:
                found, skipped = gather(check, Tree(folder, os.path.join(folder, "build")))
            if skipped and not found:
                print(f"skip  {name}: {skipped}")
                count.skipped += 1
            elif expected is None and found:
                print(f"FAIL  {name}: reports a clean tree: {found[0]}")
                count.failed += 1
            elif expected is not None and not any(expected in problem for problem in found):
                print(f"FAIL  {name}: planted fault {number} is not reported as '{expected}'; got {found}")
                count.failed += 1
            else:
                count.passed += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="CHECK", help="one of: " + " ".join(CHECKS))
    parser.add_argument("--root", default=HERE.parent.parent, type=pathlib.Path)
    parser.add_argument("--build", default=None)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in CHECKS]
    if unknown:
        parser.error(f"there is no check {unknown[0]}; there are: {' '.join(CHECKS)}")
    names = arguments.names or CHECKS
    build = pathlib.Path(arguments.build or arguments.root / "build").resolve()
    count = Count()
    if arguments.self_test:
        self_test(names, count)
    else:
        run(names, arguments.root, build, count)
    return count.closing_line()


if __name__ == "__main__":
    sys.exit(main())
