#!/usr/bin/env python3
"""Runs the GoogleTest programs (and any other program) that CTest knows, each once, and counts their cases.

CTest starts a program once per case and hides its counts; here each runs once and says them as JSON. One whose tests all
passed before, with the same files that it is, runs and reads, is not run again; --again runs it.
Closes with `N passed, N failed, N skipped`; exit status 1 when one failed or none ran.
"""

import concurrent.futures
import fnmatch
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from suite import cache, command_line, counting  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
# What the programs read of the sources, and start of the build.
READ = [HERE.parent / folder for folder in ("dsl-examples", "runtime/include", "tests/golden", "tests/graphs", "tests/run", "tests/unit")]
STARTED = ("bin", "include", "lib/libvertigo_rt.a")
# Of the environment, what they ask for.
ASKED = ("VERTIGO_DATA",)

# What CTest labels them: nothing for --quick; nothing to run beside others.
SLOW, ALONE = "slow", "alone"


class Program:
    """A command of CTest's list. `slow`, `alone`: what it is labelled; `cost`: seconds of a core, about, where that is long;
    `setup`: what it makes for others; `tests`: their names."""

    def __init__(self, command, properties, build):
        self.command, self.folder = command, properties.get("WORKING_DIRECTORY", str(build))
        self.variables = dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", []))
        self.slow, self.alone = (label in properties.get("LABELS", []) for label in (SLOW, ALONE))
        self.cost = float(properties.get("COST", 0))
        self.setup, self.required = properties.get("FIXTURES_SETUP", []), properties.get("FIXTURES_REQUIRED", [])
        self.tests = []


def commands(build):
    """The distinct commands of CTest's list, each without the filter that picks one case."""
    listing = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], check=True,
                             capture_output=True, text=True).stdout
    seen = {}
    for test in json.loads(listing)["tests"]:
        command = [word for word in test.get("command", [])
                   if not word.startswith(("--gtest_filter=", "--gtest_also_run_disabled_tests"))]
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        if not command:
            continue
        cases = [word.split("=", 1)[1] for word in test["command"] if word.startswith("--gtest_filter=")]
        seen.setdefault(tuple(command), Program(command, properties, build)).tests.append(*(cases or [test["name"]]))
    return list(seen.values())


def matches(name, chosen):
    """Whether --gtest_filter=CHOSEN takes the test: patterns between colons, those behind a minus are left out."""
    taken, _, left_out = chosen.partition("-")
    one_of = lambda patterns: any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns.split(":"))
    return one_of(taken or "*") and not (left_out and one_of(left_out))


def needed(programs, chosen):
    """The programs that have a test of this name or pattern, and those that make what they run."""
    taken = [program for program in programs if any(matches(name, chosen) for name in program.tests)]
    required = {fixture for program in taken for fixture in program.required}
    return [program for program in programs if program in taken or required.intersection(program.setup)]


def run(command, folder, variables, arguments):
    """(passed, failed, skipped) of one program; prints what failed."""
    with tempfile.TemporaryDirectory() as temporary:
        report = pathlib.Path(temporary) / "report.json"
        # Several programs run at the same time: a thread that waits leaves its core to others.
        environment = {"OMP_WAIT_POLICY": "passive", **os.environ, "GTEST_OUTPUT": f"json:{report}", "GTEST_COLOR": "no",
                       "VERTIGO_BUILD_DIR": str(arguments.build), **variables}
        if arguments.filter:
            environment["GTEST_FILTER"] = arguments.filter
        begin = time.monotonic()
        try:
            result = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                    errors="replace", timeout=arguments.timeout)
            output, status = result.stdout, result.returncode
        except subprocess.TimeoutExpired:
            output, status = f"ran past {arguments.timeout} s", 124
        seconds = time.monotonic() - begin
        name = os.path.basename(command[0])
        passed = failed = skipped = 0
        if report.exists():
            for suite in json.loads(report.read_text(encoding="utf-8"))["testsuites"]:
                for case in suite["testsuite"]:
                    if case.get("status") == "NOTRUN":  # filtered out, or DISABLED_
                        continue
                    if case.get("result") == "SKIPPED":
                        skipped += 1
                    elif case.get("failures"):
                        failed += 1
                        print(f"FAIL  {name}: {suite['name']}.{case['name']}")
                        print("        " + case["failures"][0]["failure"].replace("\n", "\n        "))
                    else:
                        passed += 1
            if status and not failed:
                failed += 1
                print(f"FAIL  {name}: exit status {status} although every case passed\n{output[-2000:]}")
        elif status:
            failed = 1  # crashed, or no GoogleTest program
            print(f"FAIL  {name}: exit status {status}\n{output[-4000:]}")
        else:
            passed = 1
    verdict = "FAIL" if failed else "ok  "
    print(f"{verdict}  {name}: {passed} passed, {failed} failed, {skipped} skipped ({seconds:.1f} s)", flush=True)
    return passed, failed, skipped


def run_or_remember(remembered, program, arguments):
    """The same, of a program of the build: what it came to before, where nothing has changed."""
    command = list(program.command)
    binary = pathlib.Path(command[0])
    # Of what a filter takes of it, nothing is remembered.
    if arguments.filter or arguments.build not in binary.parents:
        return run(command, program.folder, program.variables, arguments)
    meaning = [*command, *map(str, sorted(program.variables.items())), *(os.environ.get(name, "") for name in ASKED),
               *(remembered.of_compiler(name) for name in ("g++", "nvcc") if shutil.which(name))]
    stays = [*READ, *(arguments.build / name for name in STARTED)]
    with remembered.passing([binary], meaning, stays) as passing:
        if passing.before:
            print(f"ok    {binary.name}: {passing.before} passed before, {passing.skipped_before} skipped", flush=True)
            return passing.before, 0, passing.skipped_before
        passing.passed, passing.failed, passing.skipped = counts = run(command, program.folder, program.variables, arguments)
        return counts


def main():
    parser = command_line.parser(__doc__)
    parser.add_argument("--filter", help="as --gtest_filter; programs without such a test are not run")
    parser.add_argument("--timeout", type=int, default=900, help="seconds for one program")
    parser.add_argument("--quick", action="store_true", help="without programs that CTest labels slow")
    parser.add_argument("--again", action="store_true", help="run what passed before, too")
    arguments = parser.parse_args()
    count = counting.Count()
    remembered = cache.Cache.of_build(arguments.build)
    remembered.forget_passes = arguments.again

    def one(program):
        return run_or_remember(remembered, program, arguments)

    every = commands(arguments.build)
    if arguments.filter:
        every = needed(every, arguments.filter)
    if not every:
        print(f"FAIL  no test is called '{arguments.filter}'" if arguments.filter else "FAIL  no test is built")
        count.failed = 1
        return count.close()
    if arguments.quick:
        every = [program for program in every if not program.slow]
    beside = [program for program in every if not program.alone]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        # The longest first, so that none is left when the others have ended.
        counts = list(pool.map(one, sorted(beside, key=lambda program: -program.cost)))
    # In their order: they compile for all processors, and run what was compiled.
    counts += [one(program) for program in every if program.alone]
    count.passed, count.failed, count.skipped = map(sum, zip(*counts))
    return count.close()


if __name__ == "__main__":
    sys.exit(main())
