"""Commands under a limit, and what they said."""

import dataclasses
import json
import subprocess
import time


class Failure(Exception):
    """What a failed test raises; its text says what is wrong."""


@dataclasses.dataclass
class Done:
    """How a command ended. `code` is None where it ran past its limit or could not be started."""

    code: int
    out: str = ""
    errors: str = ""
    seconds: float = 0.0

    def said(self):
        return (self.out + self.errors).strip()

    def reason(self):
        """What went wrong, in a line."""
        lines = [line for line in self.errors.strip().splitlines() if line.strip()]
        said = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "")
        return said or ("no output" if self.code == 0 else f"exit {self.code}")

    def json(self):
        """The object in the last line that is one; None where no line is."""
        for line in reversed(self.out.splitlines()):
            if line.startswith("{"):
                try:
                    return json.loads(line)
                except ValueError:
                    return None
        return None


def run(command, limit=300, **options):
    """Runs the command for `limit` seconds at most; `options`: as subprocess.run has them."""
    words = [str(word) for word in command]
    begin = time.monotonic()
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace", timeout=limit, check=False, **options)
    except subprocess.TimeoutExpired:
        return Done(None, errors=f"no end after {limit:.0f} s", seconds=time.monotonic() - begin)
    except OSError as error:
        return Done(None, errors=f"error: cannot run {words[0]}: {error.strerror}")
    return Done(done.returncode, done.stdout, done.stderr, time.monotonic() - begin)


def succeed(command, limit=300, **options):
    """What the command printed; a Failure that shows it where it does not end with exit code 0."""
    done = run(command, limit, **options)
    if done.code != 0:
        words = " ".join(str(word) for word in command)
        raise Failure(f"exit {done.code}: {words}\n{done.said()[-2000:]}")
    return done.out


def ended(done, expected, word=""):
    """"" where the command ended with the exit code and said the word, else what is wrong."""
    if done.code != expected:
        return f"exit {done.code}, expected {expected}: {done.said()}"
    return "" if word in done.out + done.errors else f"it does not say '{word}': {done.said()}"
