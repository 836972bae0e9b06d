"""Many runs of a program in one process (tests/run/batch.h), such as every schedule on many graphs. A run that ends the process,
or lasts too long, is a failure of its own, and the rest is run by another process."""

import itertools
import os
import re
import resource
import signal
import subprocess

from suite import programs
from suite.running import Failure

ENDED = re.compile(r"^== (\d+) (\d+)$", re.MULTILINE)
MOST_DEATHS = 3
# How much longer than its processor time a process may take.
PATIENCE = 10
# The last line of what is said of a run that took more processor time than all may take together.
OUT_OF_TIME = "no end within the limit of processor time"


def write(file, lines):
    """The command lines of a batch."""
    file.write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))


def printed(text):
    """([(exit code, what it printed)] of the runs of a batch that ended, what is printed behind them)."""
    found, begin = [], 0
    for match in ENDED.finditer(text):
        found.append((int(match.group(2)), text[begin:match.start()]))
        begin = match.end() + 1
    return found, text[begin:]


def outcomes(command, lines, file, limit, environment=None):
    """Yields (number of the line, exit code, what it printed); code None where the process died in it or it did not
    end within `limit` seconds of processor time together with those before it. After some deaths the rest is left. A death
    after the last line is the last line's, too."""
    first, deaths = 0, 0
    while first < len(lines) and deaths < MOST_DEATHS:
        write(file, lines[first:])
        status, text = run_limited([*map(str, command), str(file)], limit, environment)
        ended_runs, rest = printed(text)
        for done, (code, said) in enumerate(ended_runs, first):
            yield done, code, said
        done = first + len(ended_runs)
        if done < len(lines) or status != 0:
            ended = OUT_OF_TIME if -status in (signal.SIGXCPU, signal.SIGKILL) else f"exit {status}"
            yield min(done, len(lines) - 1), None, f"{rest}\n{ended}"
            deaths += 1
        first = done + 1


def run_limited(command, limit, environment):
    """(exit status, what it printed) of a process that may take `limit` seconds of processor time, and as much time as that
    takes on a busy machine: one that waits without end is killed."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))) as process:
        try:
            text = process.communicate(timeout=limit * PATIENCE)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            text = process.communicate()[0]
        return process.returncode, text.decode(errors="replace")


class Runs:
    """Runs of a program that are asked for first; all of them take place when the first is asked what came of it.
    `command`: the program, which reads command lines from the file behind --batch; `limit`: as outcomes()."""

    def __init__(self, command, folder, limit, environment=None):
        self.command, self.folder, self.limit, self.environment = [str(word) for word in command], folder, limit, environment
        self.lines, self.ended, self.batches = [], [], 0

    def ask(self, words):
        """The number of the run with this command line."""
        self.lines.append([str(word) for word in words])
        return len(self.lines) - 1

    def printed(self, number):
        """What the run printed; a Failure where it did not end with exit code 0."""
        if number >= len(self.ended):
            self.run()
        code, said = self.ended[number]
        if code != programs.GOOD:
            words = " ".join([*self.command, *self.lines[number]])
            raise Failure(f"exit {code}: {words}\n{said.strip()[-2000:]}")
        return said

    def run(self):
        """Runs what was asked for since the last time."""
        file = self.folder / f"{self.batches}.batch"
        first, self.batches = len(self.ended), self.batches + 1
        self.ended += [(None, f"left out: {MOST_DEATHS} runs ended badly")] * (len(self.lines) - first)
        for number, code, said in outcomes([*self.command, "--batch"], self.lines[first:], file, self.limit, self.environment):
            # A death after the last run is the last one's.
            self.ended[first + number] = (code, said)


# Ways of transfer that bring edges in parts.
PARTS = ("filter", "compaction")


class Batch:
    """A program of manifest.json on some graphs: on each, the CPU target's run ends with the exit code that is stated, and so
    does the run in every schedule, with the same answer, bit by bit where the program is exact, else with one that --check
    passes. `command`: the program, which is to read command lines from the file behind `option`; `turns`: as
    programs.in_turn()."""

    def __init__(self, entry, command, folder, tag, target="gpu", option="--batch", turns=1):
        self.entry, self.command, self.folder, self.tag, self.target = entry, command, folder, tag, target
        self.option, self.turns = option, turns
        self.name = entry["name"]
        self.schedules = programs.schedules(command, entry.get("schedules"))

    def runs(self, graph, place):
        """(name, whether it takes edges in parts, words that pin it) of all runs on the graph, which stands at this place;
        the first is the CPU target's. None where no schedule runs on it."""
        chosen = [each for each in programs.in_turn(self.schedules, place, self.turns) if each.engines or not graph.for_engines]
        if chosen:
            yield "cpu", False, ["--target", "cpu"]
        for each in chosen:
            yield each, each.takes_parts, ["--target", self.target, *each.pin(graph)]
            # An engine may have another form for graphs of large diameter, and no tiny graph has one.
            if self.target == "gpu" and each.has_forms and graph.both_forms:
                yield f"{each} (large diameter)", False, ["--target", "gpu", *each.pin(graph), "--diameter", "large"]

    def lines(self, graphs):
        """(graph, name of the run, command line). On a GPU every second run has its edges in host memory, and every third prepares whatever
        can be prepared."""
        ways = itertools.cycle(["prepared", "zero-copy", "prepared", "filter", "resident", "compaction"])
        for place, graph in enumerate(graphs):
            if not programs.fits(self.entry, graph):
                continue
            prefix = graph.write(self.folder, f".{self.name}.{self.tag}")
            words = [*programs.Arguments(self.entry, graph, prefix).words(), "--quiet"]
            for turn, (name, takes_parts, pinned) in enumerate(self.runs(graph, place)):
                output = self.folder / f"{self.name}.{self.tag}.{graph.name}.{turn}.answer"
                result = ["--output", str(output)] if self.entry.get("exact") else ["--check"]
                way = next(ways) if self.target == "gpu" and turn > 0 else "resident"
                if way in PARTS and not takes_parts:
                    way = "zero-copy"
                if way == "prepared":
                    name, pinned = f"{name} (prepared)", [*pinned, "--prepare", "always"]
                elif way != "resident":
                    name, pinned = f"{name} ({way})", [*pinned, "--transfer", way]
                yield graph, name, [*words, *pinned, *result]

    def run(self, graphs, limit, environment=None):
        """Yields (test name, None or what is wrong)."""
        if not self.schedules:
            yield f"{self.name}/schedules", "the program lists none"
        runs = list(self.lines(graphs))
        file = self.folder / f"{self.name}.{self.tag}.batch"
        answers, done = {}, 0  # of the CPU target, by graph
        for number, code, said in outcomes([*self.command, self.option], [line for _, _, line in runs], file, limit,
                                           environment):
            graph, name, line = runs[number]
            problem = self.problem(graph, name, line, code, answers)
            if problem:
                problem = "\n".join([problem, said.strip()[-2000:], " ".join(map(str, [*self.command, *line]))])
            yield f"{self.name}/{graph.name}/{name}", problem
            done += 1
        if done < len(runs):
            yield f"{self.name}/all runs", f"{len(runs) - done} of {len(runs)} were left out after {MOST_DEATHS} that ended badly"

    def problem(self, graph, name, line, code, answers):
        """None where the run ended as it must."""
        expected = programs.expected_exit(self.entry, graph)
        if code != expected:
            return f"exit {code}, expected {expected}"
        if not self.entry.get("exact") or code != programs.GOOD:
            return None
        given = take(line[-1])
        if given is None:
            return "no answer was written"
        if name == "cpu":
            answers[graph.name] = given
        if graph.name not in answers:
            return "there is no answer of the CPU target's to compare with"
        return None if given == answers[graph.name] else first_difference(answers[graph.name], given)


def take(path):
    """What the file holds, which is removed; None where it is not there."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return None
    os.unlink(path)
    return content


def first_difference(expected, given):
    for number, (a, b) in enumerate(zip(expected.splitlines(), given.splitlines())):
        if a != b:
            return f"line {number + 1}: {b.decode()} instead of {a.decode()}"
    return f"{len(given.splitlines())} lines instead of {len(expected.splitlines())}"
