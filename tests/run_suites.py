#!/usr/bin/env python3
"""Runs the test suites (`./dev test`), or those named, and adds up their closing lines.

A suite is a program that closes with `N passed, N failed, N skipped`. One that exits with an error but counts
no failure, or closes without that line, counts as one failure: a crash is never a pass. The whole output of
each lies in BUILD/test-logs/.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
CLOSING = re.compile(r"^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)


class Suite:
    def __init__(self, name, about, script, *arguments, needs=None):
        self.name, self.about, self.script, self.arguments, self.needs = name, about, script, arguments, needs


SUITES = [
    Suite("checks", "layers, sizes, format, headers, documents", "checks/run.py"),
    Suite("planted", "each check reports a planted fault", "checks/run.py", "--self-test"),
    Suite("runners", "the runners count what they ran", "test_runners.py"),
    Suite("script", "./dev on machines that lack something", "test_dev.py"),
    Suite("install", "programs compile against what is installed", "test_install.py"),
    Suite("unit", "GoogleTest: the runtime and the compiler's libraries", "run_unit.py"),
    Suite("lit", "FileCheck: parser, diagnostics, passes, printers, driver", "run_lit.py"),
    Suite("golden", "the emitted CUDA and C++ of every example, whole", "golden/run_golden.py"),
    Suite("examples", "every example that compiles in every schedule, all in the interpreter, against independent answers", "run/run_examples.py"),
    Suite("faults", "the k-th allocation, read, write, thread or descriptor fails", "faults/run_faults.py"),
    Suite("programs", "random programs in every schedule against the interpreter, and those that once failed", "fuzz/programs/run.py",
          "40", "--shrink", "40"),
    Suite("mutations", "mutated files and programs, a minute each: no crash, no hang, little memory", "fuzz/run_mutations.py"),
    Suite("emulated", "the CUDA of every example that compiles on the CPU, in every schedule and several orders of threads", "emulator/run_emulated.py",
          "--no-sanitize", "--seeds", "0,1", "--budget", "360"),
]


def run(suite, arguments, log_folder):
    """(passed, failed, skipped) of one suite."""
    log = log_folder / f"{suite.name}.log"
    command = [sys.executable, str(HERE / suite.script), *suite.arguments, "--build", str(arguments.build)]
    environment = dict(os.environ, VERTIGO_BUILD_DIR=str(arguments.build), VERTIGO_JOBS=str(arguments.jobs))
    begin = time.monotonic()
    with open(log, "w", encoding="utf-8") as output:
        status = subprocess.run(command, cwd=HERE.parent, env=environment, stdin=subprocess.DEVNULL,
                                stdout=output, stderr=subprocess.STDOUT).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    closing = CLOSING.findall(text)
    count = [int(number or 0) for number in closing[-1]] if closing else [0, 0, 0]
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    names = [suite.name for suite in SUITES]
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="one of: " + " ".join(names))
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--jobs", default=os.cpu_count(), type=int)
    arguments = parser.parse_args()
    unknown = [name for name in arguments.suites if name not in names]
    if unknown:
        parser.error(f"there is no suite {unknown[0]}; there are: {' '.join(names)}")
    arguments.build = arguments.build.resolve()
    log_folder = arguments.build / "test-logs"
    log_folder.mkdir(parents=True, exist_ok=True)
    total = [0, 0, 0]
    for suite in SUITES:
        if not arguments.suites or suite.name in arguments.suites:
            total = [a + b for a, b in zip(total, run(suite, arguments, log_folder))]
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main())
