#!/usr/bin/env python3
"""limited.py MEGABYTES COMMAND...: runs the command, says how it ended, and kills it where it takes more memory or a minute."""

import resource
import subprocess
import sys

SECONDS = 60


def main():
    most = int(sys.argv[1]) << 20
    done = subprocess.run(sys.argv[2:], timeout=SECONDS, check=False)
    print(f"exit {done.returncode}", flush=True)
    # In KiB; of the largest process that was waited for.
    if resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 > most:
        sys.exit(f"more than {sys.argv[1]} MB were taken")


if __name__ == "__main__":
    main()
