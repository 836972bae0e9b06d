#!/usr/bin/env python3
"""Runs the test suites (`./dev test`), or those named, and adds up their closing lines.

A suite is a program that closes with `N passed, N failed, N skipped`. One that exits with an error but counts
no failure, or closes without that line, counts as one failure: a crash is never a pass. The whole output of
each lies in BUILD/test-logs/.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from suite import command_line, counting  # noqa: E402

# In place of names of suites: a part of most of them, for the time between two changes; and all that they can do.
QUICK, FULL = "quick", "full"


class Suite:
    """`quick`: the words with which it is part of `./dev test quick`; None where it is no part. `full`: those of
    `./dev test full`, where they are others than `arguments`. `alone`: it keeps one core busy, so that others run
    beside it."""

    def __init__(self, name, about, script, *arguments, quick=None, full=None, alone=False):
        self.name, self.about, self.script, self.arguments, self.quick = name, about, script, arguments, quick
        self.full, self.alone = arguments if full is None else full, alone


SUITES = [
    Suite("checks", "layers, sizes, format, headers, documents", "checks/run.py", quick=["--quick"], alone=True),
    Suite("planted", "each check reports a planted fault", "checks/run.py", "--self-test", alone=True),
    Suite("runners", "the runners count what they ran", "test_runners.py", quick=[], alone=True),
    Suite("script", "./dev on machines that lack something", "test_dev.py", alone=True),
    Suite("install", "programs compile against what is installed", "test_install.py", alone=True),
    Suite("unit", "GoogleTest: the runtime and the compiler's libraries", "run_unit.py", quick=["--quick"]),
    Suite("lit", "FileCheck: parser, diagnostics, passes, printers, driver", "run_lit.py", quick=["--quick"]),
    Suite("golden", "the emitted CUDA and C++ of every example, whole", "golden/run_golden.py", quick=[]),
    Suite("lines", "every line table entry lies in the statement that it came from", "lines/run_lines.py"),
    Suite("examples", "every example that compiles in every schedule, all in the interpreter, against independent answers", "run/run_examples.py",
          "--turns", "3", full=[],
          quick=[word for name in ("sssp", "wcc", "katz") for word in ("--program", name)]),
    Suite("drivers", "the GAP and Graphalytics drivers: command lines, layouts, validated answers", "drivers/run_drivers.py"),
    Suite("faults", "the k-th allocation, read, write, thread or descriptor fails", "faults/run_faults.py"),
    Suite("programs", "random programs in every schedule against the interpreter, and those that once failed", "fuzz/programs/run.py",
          "120", "--shrink", "40"),
    Suite("mutations", "mutated files and programs, a minute each, at the same time: no crash, no hang, little memory", "fuzz/run_mutations.py"),
    Suite("emulated", "the CUDA of every example that compiles on the CPU, in every schedule and several orders of threads", "emulator/run_emulated.py",
          "--no-sanitize", "--seeds", "0,1", "--random", "6", "--turns", "3", full=["--every-order"]),
]


def run(suite, arguments, log_folder, words):
    """[passed, failed, skipped] of one suite."""
    log = log_folder / f"{suite.name}.log"
    command = [sys.executable, str(HERE / suite.script), *words, "--build", str(arguments.build)]
    environment = dict(os.environ, VERTIGO_BUILD_DIR=str(arguments.build), VERTIGO_JOBS=str(arguments.jobs))
    begin = time.monotonic()
    with open(log, "w", encoding="utf-8") as output:
        status = subprocess.run(command, cwd=HERE.parent, env=environment, stdin=subprocess.DEVNULL,
                                stdout=output, stderr=subprocess.STDOUT).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    closing = counting.closing_counts(text)
    count = closing or [0, 0, 0]
    if not closing:
        print(f"      {suite.name} closed without a count (exit status {status})")
    if (status != 0 or not closing) and count[1] == 0:
        count[1] = 1
    if count[1]:
        lines = text.splitlines()
        failures = [i for i, line in enumerate(lines) if re.match(r"FAIL", line)]
        shown = lines[failures[0]:][:60] if failures else lines[-40:]
        print("\n".join("      " + line for line in shown))
        print(f"      ... the whole output is in {log}")
    seconds = time.monotonic() - begin
    verdict = "FAIL" if count[1] else "ok  "
    print(f"{verdict}  {suite.name:<9} {count[0]:>5} passed, {count[1]} failed, {count[2]} skipped"
          f" in {seconds:.0f} s: {suite.about}", flush=True)
    return count


def run_all(chosen, arguments, log_folder):
    """One suite after the other; beside them, where there are several cores, those that keep one busy. The counts of both."""
    queues = [chosen]
    if arguments.jobs > 1:
        queues = [[choice for choice in chosen if choice[0].alone == alone] for alone in (True, False)]
    with concurrent.futures.ThreadPoolExecutor(len(queues)) as pool:
        return list(pool.map(lambda queue: [run(suite, arguments, log_folder, words) for suite, words in queue], queues))


def main():
    parser = command_line.parser(__doc__)
    names = [suite.name for suite in SUITES]
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"one of: {' '.join(names)}; or {QUICK}: what most faults show in, within a minute and a half; or {FULL}: every schedule on every graph, for hours")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.suites if name not in (*names, QUICK, FULL)]
    if unknown:
        parser.error(f"there is no suite {unknown[0]}; there are: {' '.join(names)} {QUICK} {FULL}")
    log_folder = arguments.build / "test-logs"
    log_folder.mkdir(parents=True, exist_ok=True)
    total, begin = [0, 0, 0], time.monotonic()
    chosen = []
    for suite in SUITES:
        words = suite.full if FULL in arguments.suites else suite.arguments
        if arguments.suites and suite.name not in arguments.suites and FULL not in arguments.suites:
            words = suite.quick if QUICK in arguments.suites else None
        if words is not None:
            chosen.append((suite, words))
    for counts in run_all(chosen, arguments, log_folder):
        total = [sum(each) for each in zip(total, *counts)]
    print(f"all in {time.monotonic() - begin:.0f} s")
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main())
