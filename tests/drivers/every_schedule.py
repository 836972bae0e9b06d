#!/usr/bin/env python3
"""The twelve kernels of Graphalytics and GAP in every legal schedule: all schedules of a program must give one answer on
each graph, and --check must accept it.

  every_schedule.py GRAPH ...              on graphs of any format, or generate:KIND:SIZES
  every_schedule.py --target gpu GRAPH ...

Two of the twelve are the same program, and LCC has one for directed graphs. Triangles and clustering are asked of the graph
made undirected, without loops and parallel edges, as both benchmarks define them; the other programs take it as it is.

Closes with `N passed, N failed, N skipped`: programs on graphs.
"""

import argparse
import sys

import compiled
import gap
import graphalytics
from suite import counting, running

SIMPLE = ["--symmetrize", "--self-loops", "drop", "--duplicates", "min"]


def kernels():
    """(name, file, whether it takes a source, whether its graph is made simple): each program once."""
    found = {}
    for name, kernel in gap.KERNELS.items():
        found[kernel.source] = (name, kernel.sources, kernel.symmetric)
    for name, algorithm in graphalytics.ALGORITHMS.items():
        if algorithm.program not in found:
            found[algorithm.program] = (name, "source" in algorithm.parameters, name == "lcc")
    return [(name, file, has_source, simple) for file, (name, has_source, simple) in found.items()]


def problem(programs, file, words, limit):
    done = running.run([programs.binary(file), *words, "--target", programs.target, "--check", "--compare-schedules", "--output", "/dev/null",
                        "--force"], limit)
    if done.code != 0:
        return f"exit {done.code}: {done.said()}"
    print("\n".join(line for line in done.errors.splitlines() if " yes" in line or "checked" in line))
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+", metavar="GRAPH")
    parser.add_argument("--source", default="1", help="where searches start, an id of every graph (1)")
    parser.add_argument("--kernel", action="append", help="by its name: bfs, sssp, pr, cc, bc, tc, wcc, cdlp, lcc; all")
    compiled.add_options(parser)
    options = parser.parse_args()
    programs = compiled.programs_of(options, schedules="all")
    count = counting.Count()
    for graph in options.graphs:
        for name, file, has_source, simple in kernels():
            if options.kernel and name not in options.kernel:
                continue
            words = [graph, *(SIMPLE if simple else []), *(["--source", options.source] if has_source else [])]
            print(f"-- {file.stem} on {graph}", flush=True)
            count.test(f"{file.stem} on {graph}", problem(programs, file, words, options.timeout))
    return count.close()


if __name__ == "__main__":
    sys.exit(main())
