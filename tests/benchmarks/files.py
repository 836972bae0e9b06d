#!/usr/bin/env python3
"""From a file to the answer: the wall time of whole processes, from exec to exit, and the host memory that they take, for one graph in files
of every form that a form's program reads. Needs the standalone programs `bfs` and `sssp` and vertigo-graph in one folder (`vertigo bfs.vg -o
bfs`), and python3. Files are written to FOLDER, which had best lie in memory, and are read once before they are measured.

Prints a Markdown table. Every answer must be that of the same program on the first form; exit 1 where one is not, or a run fails."""

import argparse
import hashlib
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

# Forms of a graph: ending of the file, what is measured on it.
FORMS = (("vgg", ("bfs", "sssp")), ("sg", ("bfs",)), ("wsg", ("sssp",)), ("bel", ("bfs", "sssp")), ("el", ("bfs",)), ("mtx", ("bfs", "sssp")),
         ("gr", ("sssp",)))
# Their ids count from 1.
FROM_ONE = ("mtx", "gr")
# An answer's records have an id and the value in bytes from here to before there.
VALUE = (8, 12)
# Records that are read together. What this process takes counts for those that it starts: the system tells the most memory that a process
# had, from when it was still a copy of this one.
PIECE = VALUE[1] << 16
# Takes a process; the time of CUDA's start is in it.
NOTHING = ["generate:path:10", "--source", "0"]


def run(words):
    """(seconds, most bytes of host memory, what it said) of a process; SystemExit where it fails."""
    begin = time.monotonic()
    process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read().decode(errors="replace")
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"exit {process.returncode}: {' '.join(map(str, words))}\n{said[-2000:]}")
    return time.monotonic() - begin, used.ru_maxrss * 1024, said


class Measured:
    def __init__(self, options):
        self.options, self.expected, self.failures = options, {}, 0

    def row(self, name, form, file, ways):
        """Of a program on a file, in each way of reading it."""
        options = self.options
        source = options.source + (form in FROM_ONE)
        words = [options.programs / name, file, "--source", source, *options.more, "--force"]
        if not self.agrees(name, words):
            self.failures += 1
            return
        for way in ways:
            runs = [run([*words, *(["--read", way] if way else []), "--output", "/dev/null"]) for _ in range(options.runs)]
            self.tell(name, f".{form}, {os.path.getsize(file) / 1e6:,.0f} MB", way or "as it is", runs)

    def tell(self, name, what, way, runs):
        seconds = [each[0] for each in runs]
        print(f"| {name} | {what} | {way} | {statistics.median(seconds):.3f} | {min(seconds):.3f} to {max(seconds):.3f} "
              f"| {max(each[1] for each in runs) / 1e9:.2f} GB |", flush=True)
        if self.options.show:
            print(runs[-1][2], file=sys.stderr, flush=True)

    def agrees(self, name, words):
        """Whether the answer is that of the program's first form."""
        answer = self.options.folder / "answer.bin"
        run([*words, "--output", answer])
        digest = hashlib.sha256()
        with open(answer, "rb") as records:
            while piece := records.read(PIECE):
                for byte in range(*VALUE):
                    digest.update(piece[byte::VALUE[1]])
        answer.unlink()
        found = digest.hexdigest()
        if self.expected.setdefault(name, found) == found:
            return True
        print(f"another answer: {' '.join(map(str, words))}", file=sys.stderr)
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("."), help="folder of bfs, sssp and vertigo-graph (.)")
    parser.add_argument("--graph", default="generate:kron:22:16", help="a file, or a generator expression (generate:kron:22:16)")
    parser.add_argument("--source", type=int, default=12345, help="where ids count from 0 (12345)")
    parser.add_argument("--forms", default=",".join(form for form, _ in FORMS), help="endings of files, separated by commas")
    parser.add_argument("--ways", default="", help="of --read, separated by commas (as it is)")
    parser.add_argument("--cores", type=int, default=0, help="the first so many (all that the process has)")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--show", action="store_true", help="what the last run of each row says, on stderr")
    parser.add_argument("more", nargs="*", help="options of the programs, behind --")
    options = parser.parse_args()
    if options.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:options.cores])
    options.folder.mkdir(parents=True, exist_ok=True)
    measured = Measured(options)
    print("| program | file | `--read` | median: s | least to most: s | host memory |\n|---|---|---|---|---|---|")
    words = [options.programs / "bfs", *NOTHING, *options.more, "--output", "/dev/null", "--force"]
    measured.tell("bfs", "a path of ten", "", [run(words) for _ in range(options.runs)])
    first = options.folder / "graph.vgg"
    run([options.programs / "vertigo-graph", "convert", "--quiet", options.graph, first])
    for form, names in FORMS:
        if form not in options.forms.split(","):
            continue
        file = options.folder / f"graph.{form}"
        if file != first:
            # In DIMACS' form an edge without a weight has 1, as programs have it.
            run([options.programs / "vertigo-graph", "convert", "--quiet", first, file])
        for name in names:
            measured.row(name, form, file, options.ways.split(","))
        if file != first:
            file.unlink()
    first.unlink()
    return 1 if measured.failures else 0


if __name__ == "__main__":
    sys.exit(main())
