#!/usr/bin/env python3
"""interrupt.py VERTIGO PROGRAM COMPILER FOLDER: compiles with a compiler that does not end, sends each signal, and says what is left."""

import os
import pathlib
import signal
import subprocess
import sys
import time

SECONDS = 30


def wait_for(find):
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if found := find():
            return found
        time.sleep(0.02)
    sys.exit("nothing happened in time")


def is_alive(process):
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def main():
    vertigo, program, compiler, folder = sys.argv[1:]
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        environment = dict(os.environ, TMPDIR=folder, VERTIGO_CXX=compiler)
        output = os.path.join(folder, "program")
        # lit ignores interrupts and nohup hang-ups, and what is ignored stays so in children.
        process = subprocess.Popen([vertigo, program, "--target=cpu", "-o", output], env=environment,
                                   preexec_fn=lambda: signal.signal(signal.Signals[name], signal.SIG_DFL))
        ready = wait_for(lambda: list(pathlib.Path(folder).glob("vertigo-*/ready")))[0]
        helper = int(ready.with_name("started").read_text(encoding="utf-8"))
        process.send_signal(signal.Signals[name])
        try:
            status = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            os.kill(helper, signal.SIGKILL)
            sys.exit(f"{name}: goes on")
        wait_for(lambda: not is_alive(helper))  # killed, and then taken apart by the kernel
        left = os.listdir(folder)
        print(f"{name}: ended by {-status}, left: {', '.join(left) or 'nothing'}", flush=True)


if __name__ == "__main__":
    main()
