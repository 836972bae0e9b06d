#!/usr/bin/env python3
"""Runs the compiler's lit tests: run_lit.py [--build BUILD] [PATH ...]

Finds lit and FileCheck of LLVM 19 or newer, runs every test under tests/ (or under the paths given), and closes
with `N passed, N failed, N skipped`. Exit status: 0 all passed, 1 some failed or none ran, 2 a tool is missing.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS))

from suite import cache, command_line, counting  # noqa: E402

VERSIONS = (22, 21, 20, 19)
PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def llvm_folders():
    """(bindir, prefix) of every LLVM found, newest first."""
    for version in VERSIONS:
        config = shutil.which(f"llvm-config-{version}")
        if config is None:
            continue
        ask = lambda flag: subprocess.run([config, flag], capture_output=True, text=True).stdout.strip()
        yield pathlib.Path(ask("--bindir")), pathlib.Path(ask("--prefix"))


def find_tools():
    """lit's command and the paths of FileCheck, not and split-file, all of one LLVM; None where there is none."""
    for bindir, prefix in llvm_folders():
        tools = {name: bindir / name for name in ("FileCheck", "not", "split-file")}
        if not all(tool.exists() for tool in tools.values()):
            continue
        for lit in (prefix / "build/utils/lit/lit.py", bindir / "lit", bindir / "llvm-lit"):
            if lit.exists():
                return [sys.executable, str(lit)], tools
        if shutil.which("lit"):
            return [shutil.which("lit")], tools
    return None


def write_site(build, tools):
    folder = build / "tests" / "lit"
    folder.mkdir(parents=True, exist_ok=True)
    text = (TESTS / "lit.site.cfg.py.in").read_text()
    values = {"BUILD": build, "FILECHECK": tools["FileCheck"], "NOT": tools["not"], "SPLIT_FILE": tools["split-file"],
              "PYTHON": sys.executable}
    for name, value in values.items():
        text = text.replace(f"@{name}@", repr(str(value)))
    site = folder / "lit.site.cfg.py"
    site.write_text(text)
    return site


def main():
    parser = command_line.parser(__doc__)
    parser.add_argument("--quick", action="store_true", help="without tests that compile or run programs for long (lit.cfg.py)")
    parser.add_argument("--verbose", "-v", action="store_true", help="show the commands of failed tests")
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()

    found = find_tools()
    if found is None:
        print("lit and FileCheck were not found (Debian: llvm-19-tools)", file=sys.stderr)
        return 2
    lit, tools = found
    build = arguments.build
    site = write_site(build, tools)
    results = build / "tests" / "lit" / "results.json"
    results.unlink(missing_ok=True)
    paths = arguments.paths or [TESTS]
    command = [*lit, "-j", str(arguments.jobs), "-v" if arguments.verbose else "-sv", "--output", str(results),
               f"--param=site={site}", *(["--param=quick=1"] if arguments.quick else []), *(str(path.resolve()) for path in paths)]
    environment = {**cache.Cache.of_build(build).environment_of_vertigo(build), **os.environ}
    subprocess.run(command, stdin=subprocess.DEVNULL, env=environment)
    count = counting.Count()
    if not results.exists():
        count.failed = 1
        return count.close()
    codes = [test["code"] for test in json.loads(results.read_text())["tests"]]
    count.passed = sum(code in PASSED for code in codes)
    count.skipped = sum(code in SKIPPED for code in codes)
    count.failed = len(codes) - count.passed - count.skipped
    return count.close()


if __name__ == "__main__":
    sys.exit(main())
