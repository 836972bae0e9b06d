"""The graphs of the benchmarks: made by `vertigo-graph generate`, the same on every machine, kept in the
cached form in a folder and made only where they are missing."""

import dataclasses
import json
import pathlib
import re


@dataclasses.dataclass(frozen=True)
class Graph:
    """One graph; `check` is the sum over its edges that `vertigo-graph generate` prints."""

    name: str
    arguments: tuple
    vertices: int
    edges: int
    check: str
    source: int  # the first vertex id >= n/2 with an out-degree >= 3
    like: str = ""
    directed: bool = False

    def title(self):
        return f"{' '.join(self.arguments)}" + (f", source {self.source}" if self.source else "")


TABLE = (
    Graph("kron21", ("kron", "21", "48"), 2_097_152, 181_153_390, "08583bebcc7c0402", 1_048_576,
          "kron_g500-logn21"),
    Graph("lj", ("rmat", "22", "17"), 4_194_304, 69_237_293, "36913ddcf10768dc", 2_097_163,
          "soc-LiveJournal1", directed=True),
    Graph("rmat24", ("rmat", "24", "16"), 16_777_216, 263_435_139, "4e700f70e36b71b9", 8_388_619,
          "twitter-2010", directed=True),
    Graph("road", ("road", "4890", "4890"), 23_912_100, 58_340_644, "09d169120cb15539", 11_956_055,
          "road_usa"),
    Graph("urand22", ("urand", "22", "16"), 4_194_304, 134_217_212, "85325216634a8a6d", 2_097_152,
          "uniform random"),
    Graph("kron18", ("kron", "18", "16"), 262_144, 7_611_608, "dab0b9075f72e5cd", 131_073, "a small kron"),
    # For trying things out.
    Graph("road1k", ("road", "1000", "1000"), 1_000_000, 2_435_112, "269057115ba2e3f7", 500_008),
    Graph("kron12", ("kron", "12", "16"), 4096, 97_066, "7bcfd3ade6e8b913", 2048),
    Graph("road100", ("road", "100", "100"), 10_000, 24_420, "1bbe8a58ab8353d4", 5000),
)
BY_NAME = {graph.name: graph for graph in TABLE}


class Store:
    """The folder of graphs. A graph's file stands beside a small record of what was generated. `run`: as running.run."""

    def __init__(self, folder, tool, run):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.tool = tool
        self.run = run

    def get(self, graph, limit=300):
        """(path, record) of a graph, generated now where it is missing; path None where that failed. The
        record has `seconds` (of generation), `check`, `bytes`, or `error`."""
        path = self.folder / f"{graph.name}.graph"
        record_path = self.folder / f"{graph.name}.json"
        if path.exists() and record_path.exists():
            record = json.loads(record_path.read_text())
            if record.get("arguments") == list(graph.arguments):
                return path, dict(record, generated_now=False)
        command = [self.tool, "generate", *graph.arguments, path, "--to", "cached"]
        if graph.directed:
            command.append("--transpose")
        done = self.run(command, limit)
        said = re.search(r"n=(\d+) m=(\d+) check=([0-9a-f]+)", done.errors)
        if done.code != 0 or not said:
            return None, {"error": done.reason()}
        record = dict(arguments=list(graph.arguments), vertices=int(said[1]), edges=int(said[2]),
                      check=said[3], bytes=path.stat().st_size, seconds=round(done.seconds, 3))
        wrong = problem(graph, record)
        if wrong:
            path.unlink()
            return None, {"error": wrong}
        record_path.write_text(json.dumps(record))
        return path, dict(record, generated_now=True)


def problem(graph, record):
    """'' where the generated graph is the one of the table."""
    if record["vertices"] != graph.vertices:
        return f"{record['vertices']} vertices, expected {graph.vertices}"
    if graph.edges and record["edges"] != graph.edges:
        return f"{record['edges']} edges, expected {graph.edges}"
    if graph.check and record["check"] != graph.check:
        return f"check {record['check']}, expected {graph.check}"
    return ""
