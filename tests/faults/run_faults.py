#!/usr/bin/env python3
"""Lets the k-th allocation, read, write, thread and file descriptor of a program fail, for k = 0, 1, 2, ... until it
succeeds, as SQLite's tests do.

Each run must give the right answer or the documented exit code with one line that says why; never a signal, never a
hang, never a file that is half written or left behind. Allocations are many: a preloaded library (plan.h) forks before
each of them. Of most programs every stride-th is tried; of the compiler, which allocates 160,000 times, and of programs
that use a cache, one for each place in their code: no two calls that are tried have the same innermost callers.
`--stride 1` tries every allocation of every program.

Closes with `N passed, N failed, N skipped`; a passed case is a program under a kind of failure.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import limits  # noqa: E402
from suite import cache, command_line, counting  # noqa: E402

PATIENCE = 60  # seconds that one run may take on a loaded machine

# Kind of failure: the exit codes that are documented for it, for a program and for the compiler.
CODES = {
    "memory": {0, 5},
    "read": {0, 3},
    "write": {0, 7},
    "descriptor": {0, 3, 7},
    "thread": {0, 5},
    "interrupt": {0},
}


class Program:
    """A command that writes one file: {result} and {trace} stand for places in a folder of its own, {cache} for a folder
    that may keep files, {others} for one that holds something else and loses after each run what it was given."""

    def __init__(self, name, command, result, environment=None, codes=None, stride=1, depth=0, step=1, forks=True):
        self.name, self.command, self.result = name, [str(word) for word in command], result
        self.environment = environment or {}
        self.codes = codes or CODES
        self.stride = stride  # of allocations, in a bounded run
        self.depth = depth  # innermost callers by which allocations differ, in a bounded run; 0: each is tried
        self.step = step  # of other calls, in a bounded run
        self.forks = forks  # not where it has threads of its own, which a forked process would wait for: each run is a process of its own

    def place(self, folder):
        """The command, and its environment, for a run in that folder."""
        output, temporary = folder / "output", folder / "temporary"
        output.mkdir()
        temporary.mkdir()
        result = output / self.result
        places = {"result": result, "trace": output / "trace.jsonl", "cache": folder / "cache", "others": folder / "others"}
        (folder / "others" / "something").mkdir(parents=True)
        words = [word.format(**places) for word in self.command]
        environment = {name: value.format(**places) for name, value in self.environment.items()}
        return words, result, dict(os.environ, TMPDIR=str(temporary), **environment)


def complaint(program, kind, status, message):
    """What is wrong with an exit status and a message; None where nothing is."""
    if status < 0:
        return f"ended by {signal.Signals(-status).name}"
    if status not in program.codes[kind]:
        return f"exit code {status} is not documented for lack of {kind}"
    # What the C library itself says before it ends a process is beside our line.
    message = re.sub(r"^Fatal glibc error: .*", "", message, flags=re.MULTILINE)
    lines = [line for line in message.splitlines() if re.search(r"\berror: |^vertigo(-\w+)?: (?!note)", line)]
    if status != 0 and len(lines) != 1 and "libgomp: " not in message:
        return f"{len(lines)} lines say why"
    if re.search(r"terminate called|LLVM ERROR|Stack dump|Sanitizer", message):
        return "the message is a crash's"
    return None


class Case:
    """A program under one kind of failure."""

    def __init__(self, program, kind, mode, arguments, parts, extra=None):
        self.program, self.kind, self.mode, self.arguments = program, kind, mode, arguments
        self.parts = parts  # the executor of what can be done at the same time
        self.extra = extra or {}
        suffix = " ".join(f"{name}={value}" for name, value in self.extra.items())
        self.name = " ".join(filter(None, [program.name, kind, mode, suffix]))
        self.library = arguments.build / "lib" / "libvertigo_faults.so"
        self.problems, self.runs = [], 0

    def expected(self, folder):
        """The right result, in a file that stays."""
        words, result, environment = self.program.place(folder)
        environment.update(self.extra)
        done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{self.program.name} fails by itself: {done.stderr.decode(errors='replace')}")
        right = folder / "right"
        shutil.copyfile(result, right)
        return right

    def note(self, call, status, state, left, message):
        self.runs += 1
        problem = complaint(self.program, self.kind, status, message)
        if not problem and state == "wrong":
            problem = "the result is wrong"
        if not problem and status == 0 and state != "right":
            problem = "the result is missing"
        if not problem and left:
            problem = f"it left {left}"
        if problem:
            self.problems.append(f"call {call}: {problem}: {message.strip()[:300]!r}")

    def run(self):
        with tempfile.TemporaryDirectory(prefix="vertigo-faults-") as folder:
            folder = pathlib.Path(folder)
            (folder / "good").mkdir()
            try:
                right = self.expected(folder / "good")
                step = self.program.stride if self.kind == "memory" else self.program.step
                step = 1 if self.arguments.stride == 1 else step
                self.forked(folder, right) if self.kind == "memory" and self.program.forks else self.one_by_one(folder, right, step=step)
            except (RuntimeError, subprocess.TimeoutExpired) as problem:
                self.problems.append(str(problem))
        return self

    def one_by_one(self, folder, right, step=1):
        """A process for each k, until one in which nothing failed."""
        for call in range(0, 100000, step):
            if not self.one(folder, right, call):
                return
        self.problems.append("it never succeeds")

    def one(self, folder, right, call):
        """A process of its own in which that call fails; false where there was no such call."""
        here = folder / str(call)
        here.mkdir()
        counts = here / "counts"
        counts.write_bytes(bytes(16))
        words, result, environment = self.program.place(here)
        environment.update(self.extra, LD_PRELOAD=str(self.library), VERTIGO_FAULT_COUNTS=str(counts),
                           VERTIGO_FAULT=f"{self.kind}:{call}:{self.mode}")
        done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
        left = [path.name for path in [*(here / "output").iterdir(), *(here / "temporary").iterdir()]
                if path != result and not self.whole_trace(path)]
        state = "absent" if not result.exists() else "right" if result.read_bytes() == right.read_bytes() else "wrong"
        self.note(call, done.returncode, state, ",".join(left), done.stderr.decode(errors="replace"))
        failed = struct.unpack("QQ", counts.read_bytes())[1]
        shutil.rmtree(here)
        return failed > 0

    @staticmethod
    def whole_trace(path):
        return path.name == "trace.jsonl" and path.read_bytes().endswith(b"\n")

    def forked(self, folder, right):
        """All k, in processes with one thread each that fork before a call: with --stride, which tries so many, as many as there are
        jobs, and each every so many-th call."""
        bounded = self.arguments.stride is None
        stride, depth = (self.program.stride, self.program.depth) if bounded else (self.arguments.stride, 0)
        parts = 1 if bounded else self.arguments.jobs
        for log in self.parts.map(lambda part: self.part(folder / f"part-{part}", right, stride * part, stride * parts, depth), range(parts)):
            for line in log:
                if line.endswith(" alone"):
                    self.one(folder, right, int(line.split()[0]))
                    continue
                call, status, state, left, message = line.split(" ", 4)
                self.note(call, os.waitstatus_to_exitcode(int(status)), state, left.strip("-,"), message.replace("|", "\n"))

    def part(self, here, right, first, stride, depth):
        """The lines that every.cpp writes about each stride-th call from the first on."""
        here.mkdir()
        log, counts = here / "log", here / "counts"
        counts.write_bytes(bytes(16))
        words, result, environment = self.program.place(here)
        environment.update(self.extra, LD_PRELOAD=str(self.library), OMP_NUM_THREADS="1", VERTIGO_FAULT_COUNTS=str(counts),
                           VERTIGO_FAULT=f"{self.kind}:every:{self.mode}:{first}:{stride}:{depth}", VERTIGO_FAULT_LOG=str(log),
                           VERTIGO_FAULT_RESULT=str(result), VERTIGO_FAULT_RIGHT=str(right))
        done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            self.problems.append(f"the process that never fails ended with {done.returncode}: {done.stderr[-300:]}")
        if first == 0 and not log.exists():
            self.problems.append("no call was counted")
        return log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []


def compile_program(arguments, folder, name, pins=None):
    """A generated program for the CPU; not optimised, which is quicker and fails in the same places."""
    source = next((SOURCE / "dsl-examples").glob(f"*/{name}.vg"))
    build, stem = arguments.build, name if pins is None else f"{name}_pinned"
    text, binary = folder / f"{stem}.cpp", folder / stem
    subprocess.run([build / "bin/vertigo", source, "--emit=cpu", "-o", text, *([] if pins is None else ["--schedule", pins])], check=True)
    include, library = SOURCE / "runtime/include", build / "lib/libvertigo_rt.a"
    cache.Cache.of_build(build).make(
        ["g++", "-std=c++20", "-O0", "-fopenmp", f"-I{include}", text, f"-L{build}/lib", "-lvertigo_rt", "-static-libstdc++",
         "-static-libgcc", "-o", binary], [text], [include, library])
    return binary


def programs(arguments, folder):
    graph = SOURCE / "tests/graphs/karate.mtx"
    parameters = {"sssp": ["--source", "1"], "pagerank": []}
    for name, words in parameters.items():
        binary = compile_program(arguments, folder, name)
        yield Program(name, [binary, graph, *words, "--check", "--output", "{result}", "--trace", "{trace}"],
                      "result.txt", {"OMP_NUM_THREADS": "4"}, stride=7)
    # Into a cache that is empty, and from one that has the graph: what fails there fails no run.
    sssp = [folder / "sssp", graph, "--source", "1", "--output", "{result}"]
    kept = folder / "kept"
    subprocess.run([*sssp[:-1], folder / "first.txt"], env=dict(os.environ, VERTIGO_CACHE=str(kept)), check=True, capture_output=True)
    for name, place in [("into a cache", "{cache}"), ("into a cache of others", "{others}"), ("from a cache", str(kept))]:
        yield Program(f"sssp {name}", sssp, "result.txt",
                      {"OMP_NUM_THREADS": "4", "VERTIGO_CACHE": place, "VERTIGO_FAULT_EMPTIED": "{others}"}, depth=4)
    tool = arguments.build / "bin/vertigo-graph"
    packed = folder / "karate.el.zst"
    subprocess.run([tool, "convert", "--quiet", graph, packed], check=True)
    for ending in ["vgg", "wel.gz"]:
        yield Program(f"convert to {ending}", [tool, "convert", packed, "{result}"], f"result.{ending}",
                      {"OMP_NUM_THREADS": "4"}, stride=3)
    cached = folder / "karate.vgg"
    subprocess.run([tool, "convert", "--quiet", graph, cached], check=True)
    yield Program("convert from vgg", [tool, "convert", cached, "{result}"], "result.gr", {"OMP_NUM_THREADS": "4"}, stride=3)
    # Large enough for arrays to be pages of the file, for as long as nobody writes to it.
    large = folder / "large.vgg"
    subprocess.run([tool, "convert", "--quiet", "generate:kron:11:200", large], check=True)
    yield Program("sssp on pages of the file", [folder / "sssp", large, "--source", "1", "--output", "{result}"], "result.txt",
                  {"OMP_NUM_THREADS": "4"}, stride=5, forks=False)
    laid_out = folder / "laid_out.vgg"
    layouts = ["--prepare", "paths,colours,few-colours"]
    subprocess.run([tool, "convert", "--quiet", graph, laid_out, *layouts], check=True)
    yield Program("convert with layouts", [tool, "convert", graph, "{result}", *layouts], "result.vgg", {"OMP_NUM_THREADS": "4"}, stride=3)
    walk = [compile_program(arguments, folder, "sssp", "order=path"), laid_out, "--source", "1", "--output", "{result}"]
    yield Program("sssp along paths of the file", walk, "result.txt", {"OMP_NUM_THREADS": "4"}, stride=7)
    table = folder / "attributes.csv"
    table.write_text("from,to,length,open\n" + "".join(f"{i % 31},{i % 37},{i % 7},{'true' if i % 3 else 'false'}\n" for i in range(300)))
    attributes = folder / "attributes.vgg"
    subprocess.run([tool, "convert", "--quiet", table, attributes], check=True)
    for name, source in [("a table", table), ("vgg", attributes)]:
        yield Program(f"attributes from {name}", [tool, "convert", source, "{result}"], "result.vgg", {"OMP_NUM_THREADS": "4"}, stride=3)
    yield from compilations(arguments, folder)


def compilations(arguments, folder):
    # 4: a compiler that cannot be started; 7: a made program that cannot be read and placed.
    codes = dict(CODES, thread={0, 4, 5}, read={0, 3, 7})
    vertigo, source = arguments.build / "bin/vertigo", SOURCE / "dsl-examples/03-sssp/sssp.vg"
    # A compiler that takes no time, for the process around it.
    stub = folder / "cxx"
    stub.write_text('#!/bin/sh\nwhile [ "$1" ]; do [ "$1" = -o ] && echo made >"$2"; shift; done\n')
    stub.chmod(0o755)
    for form, depth, step in [("ast", 5, 1), ("cpu", 2, 1), ("cuda", 4, 23)]:
        yield Program(f"vertigo --emit={form}", [vertigo, source, f"--emit={form}", "-o", "{result}"], "result.txt",
                      codes=codes, depth=depth, step=step)
    yield Program("vertigo -o", [vertigo, source, "--target=cpu", "-o", "{result}"], "result", {"VERTIGO_CXX": str(stub)},
                  codes=codes, depth=2)


def cases(arguments, folder, parts):
    for program in programs(arguments, folder):
        for kind in CODES:
            modes = ["once"] if kind == "interrupt" else ["once", "on"]
            for mode in modes:
                yield Case(program, kind, mode, arguments, parts)
        yield Case(program, "write", "once", arguments, parts, {"VERTIGO_FAULT_NAMED": "1"})


def main():
    parser = command_line.parser(__doc__)
    parser.add_argument("--stride", type=int, help="of allocations, in every program; 1: all")
    parser.add_argument("--filter", default="", help="a regular expression that a case's name must match")
    arguments = parser.parse_args()
    count = counting.Count(verbose=True)
    with tempfile.TemporaryDirectory(prefix="vertigo-faults-") as folder, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as parts:
        folder = pathlib.Path(folder)
        chosen = [case for case in cases(arguments, folder, parts) if re.search(arguments.filter, case.name)]
        for case in pool.map(Case.run, chosen):
            bad = [f"{len(case.problems)} of {case.runs} runs are bad", *case.problems[:5]] if case.problems else None
            count.test(case.name, "\n".join(bad) if bad else None)
        for name, problem in limits.run(folder, folder / "sssp", arguments.build / "bin/vertigo-graph",
                                        arguments.build / "lib/libvertigo_faults.so",
                                        lambda name: re.search(arguments.filter, name)):
            count.test(name, problem)
    return count.close()


if __name__ == "__main__":
    sys.exit(main())
