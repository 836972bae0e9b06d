#!/usr/bin/env python3
"""AsynGraph's ablation (its Figure 11) and its sweeps of λ, β and N_p (Tables 4 and 5, Figure 15): how often vertices
change until nothing does, and in which time, where values go along paths, against vertex by vertex and the preferred
schedule. Writes paths.json and paths.md to --out. Needs the folder that build_paths.sh made, and a GPU for --target gpu.

    paths.py FOLDER                                     the graphs of the table that have names (kron21,lj,road)
    paths.py FOLDER --files NE.gr:1,cnr-2000.el:0       and files, each with a source for shortest paths
    paths.py FOLDER --target cpu --only-graphs kron12,road100

Exit 1 where a run failed or an answer was wrong, 2 where nothing was measured."""

import argparse
import dataclasses
import json
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import measure  # noqa: E402
from suite import large_graphs as graphs  # noqa: E402

PROGRAMS = {"pagerank": False, "sssp": True, "wcc": False, "adsorption": False}  # whether they have a source
SWEPT = ("pagerank", "sssp")  # as in the paper
# Names of rows, and what --paths says. AsynGraph-w and AsynGraph-t are the paper's names of the second and the third.
ABLATION = {
    "paths, forward, once": "walk=forward,hub-turns=1",
    "sketch alone": "walk=forward",
    "forward-backward alone": "hub-turns=1",
    "both": "",
}
SWEEPS = {
    "hub-share": (0.0002, 0.001, 0.005, 0.025, 0.125, 0.625),
    "hub-sample": (0.00001, 0.0001, 0.001, 0.01, 0.1),
    "hub-turns": (1, 2, 3, 4, 6, 8),
}


@dataclasses.dataclass(frozen=True)
class Row:
    """One line: a program on a graph, in one way."""

    graph: str
    program: str
    way: str
    figures: dict

    def text(self):
        f = self.figures
        if "error" in f:
            return f"{self.graph} {self.program} {self.way}: {f['error']}"
        return (f"{self.graph} {self.program} {self.way}: {f['updates']:,} updates, {f['steps']} steps, "
                f"{f['median']:.3g} ms, preparation {f['preparation']:.3g} ms"
                + ("" if f["checked"] is not False else ", WRONG"))


class Ablation:
    def __init__(self, options):
        self.options = options
        environment = dict(os.environ, OMP_WAIT_POLICY="passive")
        self.runner = measure.Runner(options.budget, HERE, environment)
        self.store = graphs.Store(options.graphs, HERE / "vertigo-graph", self.runner.run)
        self.rows = []

    def inputs(self):
        """(name, path, source) of each graph that is there."""
        for name in filter(None, self.options.only_graphs.split(",")):
            graph = graphs.BY_NAME[name]
            path, record = self.store.get(graph)
            if path is None:
                print(f"FAILED graph {name}: {record['error']}", flush=True)
            else:
                yield name, path, graph.source
        for each in filter(None, self.options.files.split(",")):
            path, _, source = each.rpartition(":")
            yield pathlib.Path(path).name.split(".")[0], self.with_paths(pathlib.Path(path).resolve()), source

    def with_paths(self, path):
        """The graph in the cached form: text is read once."""
        kept = self.store.folder / f"{path.name}.vgg"
        if not kept.exists():
            self.runner.run([HERE / "vertigo-graph", "convert", path, kept, "--transpose", "--quiet"], 120)
        return kept if kept.exists() else path

    def command(self, binary, path, source, more):
        is_shared = (HERE / f"{binary}.so").exists()
        start = [HERE / "launcher", f"./{binary}.so"] if is_shared else [HERE / binary]
        return [*start, path, *(["--source", str(source)] if PROGRAMS[binary.split("_")[0]] else []),
                "--target", self.options.target, "--runs", str(self.options.runs + 1), *more, "--json", "--quiet"]

    def measure(self, name, path, source, program, way, binary, more):
        check = ["--check"] if self.options.check else []
        done = self.runner.run(self.command(binary, path, source, [*more, *check]), self.options.limit)
        found = measure.figures(done, 1)
        if "error" not in found:
            answer = done.json()
            found = {"updates": sum(phase["active_vertices"] for phase in found["phases"]),
                     "preparation": found["seconds"]["preparation"] * 1e3, "paths": answer.get("paths", ""),
                     **{key: found[key] for key in ("median", "minimum", "maximum", "steps", "edges", "schedule", "device", "checked")}}
        self.rows.append(Row(name, program, way, found))
        print(self.rows[-1].text(), flush=True)
        self.save()

    def graph(self, name, path, source):
        for program in self.options.programs.split(","):
            at = (name, path, source, program)
            self.measure(*at, "preferred", program, [])
            self.measure(*at, "vertex by vertex", f"{program}_vertices", [])
            for way, words in ABLATION.items():
                self.measure(*at, way, f"{program}_paths", ["--paths", words] if words else [])

    def sweep(self, name, path, source):
        for program in SWEPT:
            if program not in self.options.programs.split(","):
                continue
            for key, values in SWEEPS.items():
                for value in values:
                    words = f"{key}={value:.6f}".rstrip("0").rstrip(".") if key != "hub-turns" else f"{key}={value}"
                    self.measure(name, path, source, program, words, f"{program}_paths", ["--paths", words])

    def save(self):
        out = pathlib.Path(self.options.out)
        out.mkdir(parents=True, exist_ok=True)
        rows = [dataclasses.asdict(row) for row in self.rows]
        (out / "paths.json").write_text(json.dumps({"when": time.strftime("%Y-%m-%d %H:%M"), "rows": rows}, indent=1))
        (out / "paths.md").write_text(page(self.rows))

    def run(self):
        inputs = list(self.inputs())
        for each in inputs:
            self.graph(*each)
        for each in inputs:
            if each[0] in self.options.sweep.split(","):
                self.sweep(*each)
        if not any("error" not in row.figures for row in self.rows):
            return 2
        return 1 if any("error" in row.figures or row.figures["checked"] is False for row in self.rows) else 0


def share(value, of):
    return "" if not of else f" ({value / of:.2f})"


def line(row, base):
    f = row.figures
    if "error" in f:
        return f"| {row.graph} | {row.program} | {row.way} | {f['error']} | | | | |"
    against = base.get((row.graph, row.program), {})
    return (f"| {row.graph} | {row.program} | {row.way} | {f['updates']:,}{share(f['updates'], against.get('updates'))} | {f['steps']:,} | "
            f"{f['edges']:,} | {f['median']:.3g} ms{share(f['median'], against.get('median'))} | {f['preparation']:.3g} ms |")


def page(rows):
    """The tables of a page of docs/benchmarks. In brackets: what it is of the same vertex by vertex."""
    base = {(row.graph, row.program): row.figures for row in rows
            if row.way == "vertex by vertex" and "error" not in row.figures}
    head = "| graph | program | | updates | steps | edges followed | run | preparation |\n|---|---|---|---|---|---|---|---|"
    swept = [row for row in rows if "=" in row.way]
    text = "\n".join([head, *(line(row, base) for row in rows if row not in swept)]) + "\n"
    if swept:
        text += "\n" + "\n".join([head, *(line(row, base) for row in swept)]) + "\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", help="a folder that keeps the graphs in the cached form")
    parser.add_argument("--only-graphs", default="kron21,lj,road", help="names of suite/large_graphs.py")
    parser.add_argument("--files", default="", help="FILE:SOURCE,...")
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--sweep", default="", help="graphs, by name, on which λ, β and N_p are swept")
    parser.add_argument("--target", default="gpu", choices=("gpu", "cpu"))
    parser.add_argument("--runs", type=int, default=3, help="after a warm-up")
    parser.add_argument("--check", action="store_true", help="check every answer")
    parser.add_argument("--limit", type=float, default=60, help="seconds for a row")
    parser.add_argument("--budget", type=float, default=330, help="seconds for everything")
    parser.add_argument("--out", default=os.environ.get("OUT", "results"))
    return Ablation(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
