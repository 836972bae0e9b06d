#!/usr/bin/env python3
"""Runs the checks of the tree (`./dev check`), or those named; --self-test plants a fault for each.

Closes with `N passed, N failed, N skipped`; exit status 1 when one failed or none ran.
"""

import importlib
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from suite import command_line, counting  # noqa: E402
from tree import Skip, Tree  # noqa: E402

CHECKS = ["layers", "variants", "engines", "emit", "sizes", "wording", "format", "headers", "diagnostics", "documents", "embedded",
          "interpreted", "headline", "generated"]

COMPILING = ["headers"]


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
            count.skip(name, skipped)
            continue
        more = [f"and {len(found) - 30} more"] if len(found) > 30 else []
        problem = "\n".join([check.SUMMARY, *found[:30], *more]) if found else None
        count.test(f"{name}: {check.SUMMARY}" if not found else name, problem)


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
                count.skip(f"{name} {number}", skipped)
            elif expected is None and found:
                count.test(f"{name} {number}", f"reports a clean tree: {found[0]}")
            elif expected is not None and not any(expected in problem for problem in found):
                count.test(f"{name} {number}", f"the planted fault is not reported as '{expected}'; got {found}")
            else:
                count.test(f"{name} {number}")


def main():
    parser = command_line.parser(__doc__)
    parser.add_argument("names", nargs="*", metavar="CHECK", help="one of: " + " ".join(CHECKS))
    parser.add_argument("--root", default=HERE.parent.parent, type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--quick", action="store_true", help="without those that compile")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in CHECKS]
    if unknown:
        parser.error(f"there is no check {unknown[0]}; there are: {' '.join(CHECKS)}")
    names = arguments.names or [name for name in CHECKS if not (arguments.quick and name in COMPILING)]
    count = counting.Count(verbose=not arguments.self_test)
    if arguments.self_test:
        self_test(names, count)
    else:
        run(names, arguments.root, arguments.build, count)
    return count.close()


if __name__ == "__main__":
    sys.exit(main())
