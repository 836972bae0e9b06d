#!/usr/bin/env python3
"""The six kernels of the GAP Benchmark Suite, with its command line and its output, run by compiled examples.

  gap.py bfs -g 18 -n 16        trials from random sources on a Kronecker graph of 2^18 vertices
  gap.py sssp -f road.gr -r 17  from vertex 17 of a file
  gap.py tc -u 16 -v            on a uniform random graph, with a check of the answer

docs/how-to/run-benchmarks.md says what each option and each line means.
"""

import argparse
import array
import math
import pathlib
import random
import sys
import tempfile

import compiled
from suite import running

SEED = 27491095  # GAP's, though Python's generator draws other numbers from it


class Kernel:
    def __init__(self, file, title, sources=False, weighted=False, symmetric=False):
        self.source = file
        self.title, self.sources, self.weighted, self.symmetric = title, sources, weighted, symmetric


KERNELS = {
    "bfs": Kernel(compiled.EXAMPLES / "02-bfs-parents/bfs_parents.vg", "breadth-first search", sources=True),
    "sssp": Kernel(compiled.EXAMPLES / "03-sssp/sssp.vg", "single-source shortest paths", sources=True, weighted=True),
    "pr": Kernel(compiled.HERE / "gap_pagerank.vg", "pagerank"),
    "cc": Kernel(compiled.EXAMPLES / "06-wcc/wcc.vg", "connected components"),
    "bc": Kernel(compiled.EXAMPLES / "12-bc/bc.vg", "betweenness centrality", sources=True),
    "tc": Kernel(compiled.EXAMPLES / "16-triangles/triangles.vg", "triangle count", symmetric=True),
}


def print_time(what, seconds):
    print(f"{what + ':':<21}{seconds:3.5f}", flush=True)


class Graph:
    """A graph in GAP's own binary form (.sg, .wsg): what the programs read, and the degrees that sources are drawn by."""

    def __init__(self, file):
        self.file = file
        with open(file, "rb") as content:
            self.directed = content.read(1) != b"\0"
            head = array.array("q")
            head.fromfile(content, 2)
            self.edges, self.vertices = head
            self.offsets = array.array("q")
            self.offsets.fromfile(content, self.vertices + 1)

    def describe(self):
        entries = self.edges if self.directed else self.edges // 2
        kind = "directed" if self.directed else "undirected"
        degree = entries // self.vertices if self.vertices else 0
        return f"Graph has {self.vertices} nodes and {entries} {kind} edges for degree: {degree}"

    def sources(self, given):
        """`given` for ever, else random vertices that have an edge."""
        if given is None and self.edges == 0:
            raise running.Failure("no vertex has an edge to start from")
        drawn = random.Random(SEED)
        while True:
            vertex = drawn.randrange(self.vertices) if given is None else given
            if given is not None or self.offsets[vertex] < self.offsets[vertex + 1]:
                yield vertex


def load(options, kernel, tool, folder):
    file = folder / ("graph.wsg" if kernel.weighted else "graph.sg")
    if options.file is None:
        family, scale = ("kron", options.kronecker) if options.kronecker is not None else ("urand", options.uniform)
        running.succeed([tool, "generate", family, scale, options.degree, file, "--quiet"], options.timeout)
    else:
        reading = ["--symmetrize"] if options.symmetrize else []
        if kernel.symmetric:  # GAP's builder drops both; the others count right with them
            reading += ["--self-loops", "drop", "--duplicates", "min"]
        running.succeed([tool, "convert", options.file, file, *reading, "--quiet"], options.timeout)
    graph = Graph(file)
    if kernel.symmetric and graph.directed:
        raise running.Failure(f"the graph is directed, but {options.kernel} needs an undirected one: give -s")
    return graph


def left_over(graph, ranks, damping):
    """GAP's measure of PageRank: what one more round would change, added up, of ranks that add up to at most 1."""
    with open(graph.file, "rb") as content:
        content.seek(1 + 8 * (2 + graph.vertices + 1))
        targets = array.array("i")
        targets.fromfile(content, graph.edges)
    incoming = [0.0] * graph.vertices
    for vertex in range(graph.vertices):
        begin, end = graph.offsets[vertex], graph.offsets[vertex + 1]
        if begin < end:
            share = ranks[vertex] / (end - begin)
            for target in targets[begin:end]:
                incoming[target] += share
    base = (1 - damping) / graph.vertices
    return math.fsum(abs(base + damping * shares - rank) for shares, rank in zip(incoming, ranks))


def verify_ranks(options, graph, output):
    ranks = [float(line.split()[1]) for line in output.read_text().splitlines() if line[0] != "#"]
    error = left_over(graph, ranks, 0.85)
    print(f"{'Error:':<21}{error:.2e}")
    return error < options.tolerance


class Benchmark:
    def __init__(self, options, programs, graph, folder):
        self.options, self.programs, self.graph = options, programs, graph
        self.kernel = KERNELS[options.kernel]
        self.output = folder / "answer.txt"
        self.times = []
        self.good = True

    def run(self, *more, runs=1):
        verified = self.options.verify and self.options.kernel != "pr"
        ends = ["--check"] if verified else []
        if self.options.verify and not verified:
            ends = ["--output", self.output, "--output-format", "text"]
        words = [self.graph.file, "--format", "gap", "--runs", runs, *more, *ends]
        if self.options.kernel == "pr":
            words += ["--tolerance", self.options.tolerance]
        answer = self.programs.run(self.kernel.source, words, self.options.timeout)
        for seconds in answer["runs"]["seconds"] if runs > 1 else [answer["seconds"]["run"]]:
            print_time("Trial Time", seconds)
            self.times.append(seconds)
        prepared = answer["seconds"]["preprocess"] + answer["seconds"]["preparation"]
        if prepared > 0:
            print_time("Preparation Time", prepared)
        if "total" in answer["reports"]:
            print(f"{answer['reports']['total']} triangles")
        if self.options.verify:
            self.judge(verified or verify_ranks(self.options, self.graph, self.output))

    def judge(self, passed):
        print(f"{'Verification:':<21}{'PASS' if passed else 'FAIL':>7}", flush=True)
        self.good = self.good and passed

    def trials(self):
        if not self.kernel.sources:
            return self.run(runs=self.options.trials)
        sources = self.graph.sources(self.options.root)
        if self.options.root is not None:
            return self.run("--source", next(sources), runs=self.options.trials)
        for _ in range(self.options.trials):
            self.run("--source", next(sources))


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel", choices=KERNELS)
    graph = parser.add_mutually_exclusive_group(required=True)
    graph.add_argument("-f", dest="file", type=pathlib.Path, help="load the graph from a file of any known format")
    graph.add_argument("-g", dest="kronecker", type=int, metavar="SCALE", help="generate a Kronecker graph of 2^SCALE vertices")
    graph.add_argument("-u", dest="uniform", type=int, metavar="SCALE", help="generate a uniform random graph of 2^SCALE vertices")
    parser.add_argument("-k", dest="degree", type=int, default=16, help="edges a vertex of a generated graph (16)")
    parser.add_argument("-s", dest="symmetrize", action="store_true", help="add missing reverse edges of a file")
    parser.add_argument("-n", dest="trials", type=int, default=16, help="trials (16)")
    parser.add_argument("-r", dest="root", type=int, help="source of every trial (random)")
    parser.add_argument("-t", dest="tolerance", type=float, default=1e-4, help="pr: tolerance (1e-4)")
    parser.add_argument("-v", dest="verify", action="store_true", help="verify the answer of each run of the program")
    compiled.add_options(parser)
    options = parser.parse_args()
    if options.trials < 1:
        parser.error("-n: at least one trial")
    if options.root is not None and not KERNELS[options.kernel].sources:
        parser.error(f"-r: {options.kernel} has no source")
    return options


def main():
    options = read_options()
    programs = compiled.programs_of(options)
    kernel = KERNELS[options.kernel]
    programs.binary(kernel.source)
    with tempfile.TemporaryDirectory(prefix="vertigo-gap-") as folder:
        graph = load(options, kernel, programs.graph_tool, pathlib.Path(folder))
        print(graph.describe())
        benchmark = Benchmark(options, programs, graph, pathlib.Path(folder))
        benchmark.trials()
        print_time("Average Time", sum(benchmark.times) / len(benchmark.times))
    return 0 if benchmark.good else 8


if __name__ == "__main__":
    try:
        sys.exit(main())
    except running.Failure as failure:
        sys.exit(f"error: {failure}")
