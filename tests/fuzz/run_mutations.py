#!/usr/bin/env python3
"""Runs mutations.sh for a minute a target: each must get through all inputs that it tries.

Closes with `N passed, N failed, N skipped`: targets, not inputs; exit status 1 when one failed or none ran.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BEGINS = re.compile(r"^fuzz: (\w+) for", re.MULTILINE)
ENDS = re.compile(r"(\d+) inputs .*; (\d+) failures")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(os.environ.get("VERTIGO_BUILD_DIR", "build")))
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("VERTIGO_JOBS", os.cpu_count() or 1)))
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    arguments = parser.parse_args()
    done = subprocess.run([HERE / "mutations.sh", str(arguments.seconds), str(arguments.jobs)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          env=dict(os.environ, VERTIGO_BUILD_DIR=str(arguments.build.resolve())))
    print(done.stdout)
    passed, begun = 0, list(BEGINS.finditer(done.stdout))
    for match, following in zip(begun, [*begun[1:], None]):
        said = done.stdout[match.end():following.start() if following else None]
        counted = ENDS.search(said)
        good = counted is not None and int(counted[1]) > 0 and int(counted[2]) == 0
        passed += good
        if not good:
            print(f"FAIL  {match[1]}")
    print(f"{passed} passed, {len(begun) - passed} failed, 0 skipped")
    return 0 if done.returncode == 0 and begun and passed == len(begun) else 1


if __name__ == "__main__":
    sys.exit(main())
