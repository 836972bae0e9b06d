#!/usr/bin/env python3
"""Runs mutations.sh for a minute a target, all targets at the same time: each must get through all inputs that it tries.

Closes with `N passed, N failed, N skipped`: targets, not inputs; exit status 1 when one failed or none ran.
"""

import concurrent.futures
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from suite import command_line, counting, running  # noqa: E402

ENDS = re.compile(r"(\d+) inputs .*; (\d+) failures")
INPUTS = 10_000_000
# To build a target and to end it.
PATIENCE = 3600


def problem(target, arguments, jobs):
    """What is wrong with a target's run, or None."""
    done = running.run([HERE / "mutations.sh", arguments.seconds, jobs, INPUTS, target], arguments.seconds + PATIENCE,
                       env=dict(os.environ, VERTIGO_BUILD_DIR=str(arguments.build)))
    counted = ENDS.search(done.out)
    if done.code == 0 and counted and int(counted[1]) > 0 and int(counted[2]) == 0:
        print(done.out.strip(), flush=True)
        return None
    return f"exit {done.code}: {done.said()}"


def main():
    parser = command_line.parser(__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    arguments = parser.parse_args()
    targets = sorted(source.stem for source in HERE.glob("mutate_*.cpp"))
    jobs = max(1, arguments.jobs // len(targets))
    count = counting.Count()
    with concurrent.futures.ThreadPoolExecutor(len(targets)) as pool:
        for target, wrong in zip(targets, pool.map(lambda target: problem(target, arguments, jobs), targets)):
            count.test(target, wrong)
    return count.close()


if __name__ == "__main__":
    sys.exit(main())
