"""Many runs of one program in one process (batch.h). A run that ends the process, or lasts too long, is a failure
of its own, and the rest is run by another process."""

import re
import resource
import subprocess

ENDED = re.compile(r"^== (\d+) (\d+)$", re.MULTILINE)


def run(command, lines, file, limit, environment=None):
    """Yields (number of the line, exit code, what it printed); code None where the process died in it or it did not
    end within `limit` seconds of processor time together with those before it."""
    first = 0
    while first < len(lines):
        file.write_text("".join("\t".join(line) + "\n" for line in lines[first:]))
        text = subprocess.run([*map(str, command), str(file)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=environment,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))).stdout
        text = text.decode(errors="replace")
        begin, done = 0, first
        for match in ENDED.finditer(text):
            yield done, int(match.group(2)), text[begin:match.start()]
            begin, done = match.end() + 1, done + 1
        if done < len(lines):
            yield done, None, text[begin:]
        first = done + 1
