#!/usr/bin/env python3
"""The benchmark drivers (gap.py, graphalytics.py) on the CPU target: small generated graphs, one of their own, and the
validation graphs of Graphalytics where the folder of real graphs has them.

Closes with `N passed, N failed, N skipped`, as every suite does."""

import json
import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "run")]

import published  # noqa: E402
from suite import cache, command_line, counting, running  # noqa: E402
from suite.running import Failure, succeed  # noqa: E402

ROOT = HERE.parent.parent
ALGORITHMS = ("BFS", "CDLP", "LCC", "PR", "SSSP", "WCC")


class Drivers:
    """Runs the scripts as a user does, in `folder`."""

    def __init__(self, build, folder):
        self.folder = folder
        self.options = ["--build", build, "--target", "cpu"]
        self.environment = dict(os.environ, **cache.Cache.of_build(build).environment_of_vertigo(build))
        self.graph_tool = build / "bin" / "vertigo-graph"
        self.oracle = build / "bin" / "tests" / "oracle"

    def run(self, script, *words):
        return running.run([sys.executable, HERE / script, *words, *self.options], 600, cwd=self.folder, env=self.environment)

    def gap(self, *words):
        return self.run("gap.py", *words)

    def graphalytics(self, *words):
        return self.run("graphalytics.py", *words)


def expect(condition, done):
    if not condition:
        raise Failure(f"exit {done.code}\n{done.said()}")


# ---- GAP


def gap_kernel(drivers, kernel, graph):
    done = drivers.gap(kernel, *graph, "-n", "2", "-v")
    lines = done.out.splitlines()
    passes = 2 if kernel in ("bfs", "sssp", "bc") else 1
    expect(done.code == 0 and sum(line.startswith("Trial Time:") for line in lines) == 2, done)
    expect(sum(line.split() == ["Verification:", "PASS"] for line in lines) == passes, done)
    expect(lines[0].startswith("Graph has ") and lines[-1].startswith("Average Time:"), done)


def gap_file(drivers):
    """A file, with an id that stays what it was, and a directed one that a kernel cannot take."""
    file = drivers.folder / "triangle.el"
    file.write_text("0 1\n1 2\n0 2\n2 3\n")
    done = drivers.gap("tc", "-f", file, "-s", "-n", "1")
    expect(done.code == 0 and "1 triangles" in done.out and done.out.startswith("Graph has 4 nodes and 4 undirected"), done)
    done = drivers.gap("tc", "-f", file, "-n", "1")
    expect(done.code == 1 and "directed" in done.errors, done)
    done = drivers.gap("bfs", "-f", file, "-r", "3", "-n", "2", "-v")
    expect(done.code == 0 and done.out.count("Trial Time:") == 2, done)


def gap_refusals(drivers):
    for words, said in ((["tc", "-g", "4", "-r", "1"], "tc has no source"), (["pr", "-g", "4", "-n", "0"], "at least one"),
                        (["bfs"], "is required"), (["bfs", "-g", "4", "-d", "2"], "-d"),
                        (["bfs", "-g", "4", "-r", "99"], "99")):
        done = drivers.gap(*words)
        expect(done.code not in (0, None) and said in done.errors, done)


def gap_judges_ranks():
    """The measure of PageRank, on ranks that are right and on such as are not."""
    import gap
    file = pathlib.Path("two.sg")

    class Pair:
        vertices, edges, offsets = 2, 2, [0, 1, 2]
    Pair.file = file
    header = b"\0" + b"".join(number.to_bytes(8, "little") for number in (2, 2, 0, 1, 2))
    file.write_bytes(header + (1).to_bytes(4, "little") + (0).to_bytes(4, "little"))
    if gap.left_over(Pair, [0.5, 0.5], 0.85) > 1e-12 or gap.left_over(Pair, [0.6, 0.4], 0.85) < 0.1:
        raise Failure("ranks are misjudged")


# ---- Graphalytics


def write_graph(folder, name, directed, algorithms, **stated):
    lines = [f"vertex-file = {name}.v", f"edge-file = {name}.e", f"directed = {directed}",
             f"algorithms = {algorithms}", *(f"{key} = {value}" for key, value in stated.items())]
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.properties").write_text("# made here\n" + "".join(f"graph.{name}.{line}\n" for line in lines))


def own_graph(folder):
    """A path with a vertex beside it."""
    write_graph(folder, "chain", "false", "bfs, wcc", **{"bfs.source-vertex": "10"})
    (folder / "chain.v").write_text("10\n20\n30\n40\n")
    (folder / "chain.e").write_text("10 20\n20 30\n")
    (folder / "chain-BFS").write_text("10 0\n20 1\n30 2\n40 9223372036854775807\n")
    (folder / "chain-WCC").write_text("10 7\n20 7\n30 7\n40 8\n")


def jobs(drivers, code, *words):
    done = drivers.graphalytics("run", "--output", "answers", *words)
    expect(done.code == code, done)
    return {(job["graph"], job["algorithm"]): job for job in json.loads((drivers.folder / "answers/report.json").read_text())}


def suite_of_graphs(drivers):
    own_graph(drivers.folder / "own")
    outcomes = {name: job["outcome"] for name, job in jobs(drivers, 0, "--graphs", "own").items()}
    if outcomes != {("chain", "BFS"): "good", ("chain", "WCC"): "good"}:
        raise Failure(str(outcomes))
    (drivers.folder / "own/chain-BFS").write_text("10 0\n20 1\n30 1\n40 9223372036854775807\n")
    wrong = jobs(drivers, 8, "--graphs", "own", "--algorithms", "bfs")
    if list(wrong) != [("chain", "BFS")] or "vertex 30 has 2, not 1" not in wrong["chain", "BFS"]["said"]:
        raise Failure(str(wrong))


def configured(drivers):
    own_graph(drivers.folder / "own")
    config = drivers.folder / "config"
    config.mkdir(exist_ok=True)
    (config / "benchmark.properties").write_text("graphs.root-directory = own\ninclude = custom.properties\n")
    (config / "custom.properties").write_text("benchmark.custom.graphs = chain\nbenchmark.custom.algorithms = WCC\n"
                                              "benchmark.custom.repetitions = 2\n")
    done = jobs(drivers, 0, "--config", "config/benchmark.properties")
    if list(done) != [("chain", "WCC")]:
        raise Failure(str(done))


def refused_properties(drivers):
    folder = drivers.folder / "bad"
    write_graph(folder, "bad", "false", "bfs")
    (folder / "bad.v").write_text("1\n")
    (folder / "bad.e").write_text("")
    done = jobs(drivers, 8, "--graphs", "bad")
    if "bfs.source-vertex is missing" not in done["bad", "BFS"]["said"]:
        raise Failure(str(done))
    for words, said in ((["--graphs", "bad", "--only-graphs", "none"], "no such graph"), ([], "no folder of graphs"),
                        (["--graphs", "bad", "--algorithms", "pr"], "no graph there states")):
        done = drivers.graphalytics("run", *words)
        expect(done.code == 1 and said in done.errors, done)


def platform_scripts(drivers):
    """What a harness calls, one after the other."""
    own_graph(drivers.folder / "own")
    done = drivers.graphalytics("load-graph", "--graph-name", "chain", "--input-vertex-path", "own/chain.v", "--input-edge-path",
                                "own/chain.e", "--output-path", "loaded", "--directed", "false", "--weighted", "false")
    expect(done.code == 0, done)
    job = ["execute-job", "--job-id", "j1", "--input-path", "loaded", "--output-path", "depths", "--log-path", "log"]
    done = drivers.graphalytics(*job, "--algorithm", "BFS", "--source-vertex", "10")
    expect(done.code == 0 and "Processing starts at: " in done.out and "Processing ends at: " in done.out, done)
    succeed([drivers.graph_tool, "validate", drivers.folder / "depths", drivers.folder / "own/chain-BFS"])
    done = drivers.graphalytics(*job, "--algorithm", "BFS")
    expect(done.code == 1 and "source-vertex is missing" in done.errors, done)
    for code in (0, 1):
        done = drivers.graphalytics("unload-graph", "--graph-name", "chain", "--output-path", "loaded")
        expect(done.code == code and not (drivers.folder / "loaded").exists(), done)


# ---- published graphs


def ldbc_graphs(drivers, data, folder):
    """The validation graphs in the harness's layout."""
    folder.mkdir()
    for file in (data / "ldbc" / "example").iterdir():
        shutil.copyfile(file, folder / file.name)
    for properties in (data / "ldbc" / "properties").glob("*-*directed.properties"):
        shutil.copyfile(properties, folder / properties.name)
        parts = properties.stem.split("-")
        if parts[0] != "test":
            continue
        algorithm, direction = parts[1], parts[2]
        given = data / "ldbc" / algorithm / ("dir" if direction == "directed" else "undir")
        shutil.copyfile(f"{given}-output", folder / f"{properties.stem}-{algorithm.upper()}")
        if pathlib.Path(f"{given}-input.e").exists():
            for ending in (".v", ".e"):
                shutil.copyfile(f"{given}-input{ending}", folder / f"{properties.stem}{ending}")
        else:
            succeed([drivers.graph_tool, "convert", f"{given}-input", folder / f"{properties.stem}.e", "--to", "graphalytics",
                     "--from", "adjacency", f"--{direction}", "--quiet"])


def p2p_graph(data, folder):
    folder.mkdir()
    settings = {name: value for name, value in published.P2P_SETTINGS.items()}
    write_graph(folder, "p2p-31", "false", ", ".join(ALGORITHMS), **settings)
    for name in (".v", ".e", *(f"-{algorithm}" for algorithm in ALGORITHMS)):
        published.unpack(data / "p2p-31" / f"p2p-31{name}.zst", folder)


def validated(drivers, folder, least):
    done = jobs(drivers, 0, "--graphs", folder)
    others = [job for job in done.values() if job["outcome"] != "good"]
    if len(done) < least or others:
        raise Failure(f"{len(done)} jobs; {others}")


# Of the graphs as undirected ones, found by independent programs.
TRIANGLES = {"cnr-2000.el.zst": 20977629, "soc-Slashdot0902.txt.gz": 602592, "p2p-31.e": 2024}


def gap_published(drivers, kernel, file):
    symmetric = ["-s"] if kernel == "tc" else []
    done = drivers.gap(kernel, "-f", file, *symmetric, "-n", "1", "-v")
    passes = [line for line in done.out.splitlines() if line.split() == ["Verification:", "PASS"]]
    expect(done.code == 0 and len(passes) == 1, done)
    expect(kernel != "tc" or f"\n{TRIANGLES[file.name]} triangles\n" in done.out, done)


class OracleGraph:
    """A graph in the harness's layout, with answers of tests/run/oracles, which know nothing of the compiler."""

    ORACLES = {"BFS": ["bfs", "--source", "0"], "WCC": ["wcc"], "LCC": ["local_clustering"], "CDLP": ["cdlp", "--rounds", "10"],
               "PR": ["pagerank_graphalytics", "--rounds", "10", "--damping", "0.85"]}
    SETTINGS = {"bfs.source-vertex": "0", "cdlp.max-iterations": "10", "pr.damping-factor": "0.85", "pr.num-iterations": "10"}

    def __init__(self, drivers, file, name, direction, algorithms):
        self.folder, self.algorithms = drivers.folder / "oracles", algorithms
        write_graph(self.folder, name, str(direction == "directed").lower(), ", ".join(algorithms), **self.SETTINGS)
        reading = ["--undirected"] if direction == "undirected" else []
        succeed([drivers.graph_tool, "convert", file, self.folder / f"{name}.e", "--to", "graphalytics", "--self-loops", "drop",
                 "--duplicates", "first", *reading, "--quiet"], 600)
        for algorithm in algorithms:
            oracle, *words = self.ORACLES[algorithm]
            answer = succeed([drivers.oracle, oracle, self.folder / name, "--direction", direction, *words], 600)
            unreached = "9223372036854775807"
            (self.folder / f"{name}-{algorithm}").write_text(answer.replace(" inf\n", f" {unreached}\n"))


def against_oracles(drivers, file, name, direction, algorithms):
    OracleGraph(drivers, file, name, direction, algorithms)
    done = jobs(drivers, 0, "--graphs", "oracles", "--only-graphs", name)
    wrong = [job for job in done.values() if job["outcome"] != "good"]
    if len(done) != len(algorithms) or wrong:
        raise Failure(f"{len(done)} jobs; {wrong}")


def published_graphs(count, drivers):
    data = published.data_folder(ROOT)
    if data is None:
        count.skip("graphalytics/validation graphs", "neither ../shared/data nor VERTIGO_DATA is there")
        return

    def ldbc():
        ldbc_graphs(drivers, data, drivers.folder / "ldbc")
        validated(drivers, "ldbc", 24)

    def p2p():
        p2p_graph(data, drivers.folder / "p2p")
        validated(drivers, "p2p", 6)
    attempt(count, "graphalytics/validation graphs", ldbc)
    files = [data / "cnr-2000.el.zst", data / "soc-Slashdot0902.txt.gz"]
    if shutil.which("zstd") is None:
        count.skip("graphalytics/p2p-31", "the program zstd, which unpacks its answers, is not installed")
    else:
        attempt(count, "graphalytics/p2p-31", p2p)
        files.append(drivers.folder / "p2p" / "p2p-31.e")
    for file in files:
        for kernel in ("bfs", "sssp", "pr", "cc", "bc", "tc"):
            attempt(count, f"gap/{kernel} {file.name}", gap_published, drivers, kernel, file)
    if not drivers.oracle.exists():
        return count.skip("graphalytics/oracles", f"{drivers.oracle} is not built")
    # Clustering of cnr-2000 takes the oracle too long: its triangles are counted above.
    common = ("BFS", "WCC", "CDLP", "PR")
    for file, name, direction, algorithms in ((files[0], "cnr-2000", "directed", common), (files[1], "Slashdot", "directed", common),
                                              (files[1], "Slashdot-undirected", "undirected", (*common, "LCC"))):
        attempt(count, f"graphalytics/{name}", against_oracles, drivers, file, name, direction, algorithms)


def attempt(count, name, test, *words):
    try:
        test(*words)
        count.test(name)
    except (Failure, OSError, KeyError, ValueError) as failure:
        count.test(name, failure or type(failure).__name__)


def main():
    options = command_line.parser(__doc__).parse_args()
    count = counting.Count()
    with command_line.working_folder("drivers") as folder:
        os.chdir(folder)
        drivers = Drivers(options.build, folder)
        for kernel in ("bfs", "sssp", "pr", "cc", "bc", "tc"):
            for graph in (["-g", "7", "-k", "8"], ["-u", "7"]):
                attempt(count, f"gap/{kernel} {graph[0]}", gap_kernel, drivers, kernel, graph)
        for test in (gap_file, gap_refusals, suite_of_graphs, configured, refused_properties, platform_scripts):
            attempt(count, test.__name__, test, drivers)
        attempt(count, "gap_judges_ranks", gap_judges_ranks)
        published_graphs(count, drivers)
    return count.close()


if __name__ == "__main__":
    sys.exit(main())
