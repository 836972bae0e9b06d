"""Running a program of the tests, and what a failed test raises."""

import subprocess


class Failure(Exception):
    pass


def run(command, timeout=300):
    words = [str(word) for word in command]
    try:
        return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Failure(f"ran past {timeout} s: {' '.join(words)}") from None


def succeed(command, timeout=300, codes=(0,)):
    """What the program printed; a Failure that shows the command where it did not exit with one of `codes`."""
    result = run(command, timeout)
    if result.returncode not in codes:
        words = " ".join(str(word) for word in command)
        raise Failure(f"exit {result.returncode}: {words}\n{(result.stdout + result.stderr).strip()[-2000:]}")
    return result.stdout
