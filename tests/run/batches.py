"""Every schedule of a program on many graphs, in one process (batch.h). A run that ends the process, or lasts too
long, is a failure of its own, and the rest is run by another process."""

import os
import re
import resource
import shutil
import signal
import subprocess

import cases

ENDED = re.compile(r"^== (\d+) (\d+)$", re.MULTILINE)
MOST_DEATHS = 3
# The last line of what is said of a run that took more processor time than all may take together.
OUT_OF_TIME = "no end within the limit of processor time"


def outcomes(command, lines, file, limit, environment=None):
    """Yields (number of the line, exit code, what it printed); code None where the process died in it or it did not
    end within `limit` seconds of processor time together with those before it. After some deaths the rest is left."""
    first, deaths = 0, 0
    while first < len(lines) and deaths < MOST_DEATHS:
        file.write_text("".join("\t".join(line) + "\n" for line in lines[first:]))
        process = subprocess.run([*map(str, command), str(file)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, env=environment,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
        text = process.stdout.decode(errors="replace")
        begin, done = 0, first
        for match in ENDED.finditer(text):
            yield done, int(match.group(2)), text[begin:match.start()]
            begin, done = match.end() + 1, done + 1
        if done < len(lines):
            ended = OUT_OF_TIME if -process.returncode in (signal.SIGXCPU, signal.SIGKILL) else f"exit {process.returncode}"
            yield done, None, f"{text[begin:]}\n{ended}"
            deaths += 1
        first = done + 1


class Batch:
    """A program of manifest.json in all its schedules on some graphs: the same answer as the CPU target's, bit by bit
    where the program is exact, else one that --check passes; and where the CPU target fails, the same exit code."""

    def __init__(self, entry, command, folder, tag, target="gpu"):
        self.entry, self.command, self.folder, self.tag, self.target = entry, command, folder, tag, target
        listed = subprocess.run([*map(str, command[:-1]), "--list-schedules"], capture_output=True, text=True)
        self.schedules = cases.schedules(listed.stdout, entry)

    def output(self, target):
        return self.folder / f"{self.entry['name']}.{self.tag}.{target}.answer"

    def lines(self, graphs):
        """(graph, schedule or None for the CPU target's run, command line)"""
        exact = self.entry.get("exact", False)
        on_gpu = self.target == "gpu"
        runs = [(None, "cpu", []), *((each, self.target, ["--schedule", each]) for each in self.schedules),
                *((f"{each} (large diameter)", self.target, ["--schedule", each, "--diameter", "large"])
                  for each in self.schedules if on_gpu and has_two_forms(each))]
        for graph in graphs:
            if not cases.fits(self.entry, graph):
                continue
            prefix = graph.write(self.folder, f".{self.entry['name']}.{self.tag}")
            words = [*cases.Arguments(self.entry, graph, prefix).words(), "--quiet"]
            turn = 0
            for schedule, target, pinned in runs:
                output = f"{self.output(target)}.{graph.name}.{turn}"
                turn += 1
                yield graph, schedule, [*words, "--target", target, *pinned,
                                        *(["--output", output] if exact else ["--check"])]

    def run(self, graphs, limit, environment=None):
        """Yields (test name, None or what is wrong)."""
        runs = list(self.lines(graphs))
        if not self.schedules:
            yield f"{self.entry['name']}/schedules", "the program lists none"
        file = self.folder / f"{self.entry['name']}.{self.tag}.batch"
        expected, answer = None, None
        for number, code, said in outcomes(self.command, [line for _, _, line in runs], file, limit, environment):
            graph, schedule, line = runs[number]
            given = None
            if "--output" in line and code == 0:
                path = self.folder / line[-1]
                given = path.read_bytes()
                path.unlink()
            if schedule is None:
                expected, answer = code, given
                if code is not None:
                    continue
            problem = None
            if code != expected or code is None:
                problem = f"exit {code}, the CPU target's is {expected}\n{said}"
            elif given != answer:
                problem = first_difference(answer, given)
            if problem:
                problem += "\n" + " ".join([*map(str, self.command[:-1]), *line])
            yield f"{self.entry['name']}/{graph.name}/{schedule or 'cpu'}", problem


def has_two_forms(schedule):
    """Whether an engine of it works differently on graphs of large diameter: no tiny graph has one."""
    return any(f".variant={engine}" in schedule for engine in ("levels", "distances", "wavefront"))


def first_difference(expected, given):
    for number, (a, b) in enumerate(zip(expected.splitlines(), given.splitlines())):
        if a != b:
            return f"line {number + 1}: {b.decode()} instead of {a.decode()}"
    return f"{len(given.splitlines())} lines instead of {len(expected.splitlines())}"


def in_memory():
    """A folder that needs no disk, or None: each answer is synced to it, and there are thousands."""
    shared = "/dev/shm"
    large_enough = os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > 1 << 28
    return shared if large_enough else None
