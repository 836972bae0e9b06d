"""Tests against published answers, where the folder of real graphs has them."""

import os
import pathlib
import re
import shutil

from suite.running import succeed


def data_folder(root):
    """VERTIGO_DATA, else ../shared/data beside the source tree; None where neither is there."""
    folder = pathlib.Path(os.environ.get("VERTIGO_DATA", root.parent / "shared" / "data"))
    return folder if folder.is_dir() else None


def properties(file):
    """{name without the graph's prefix: value}"""
    lines = (line.split("=", 1) for line in file.read_text().splitlines() if "=" in line and line[0] != "#")
    return {re.sub(r"^graph\.[^.]+\.", "", name.strip()): value.strip() for name, value in lines}


class Published:
    """One published answer: a program, its options, the graph and the file that it must equal."""

    def __init__(self, name, entry, program, graph, options, expected):
        self.name, self.entry, self.program = name, entry, program
        self.graph, self.options, self.expected = graph, options, expected

    def ask(self, schedule, number):
        output = self.program.folder / f"published.{self.name}.{number}.txt"
        return self.program.ask(schedule, [self.graph, *self.options], output)

    def judge(self, answer):
        output = answer.file()
        succeed([self.program.tools.compare, *self.entry["rule"].split(), self.expected, output])
        output.unlink()
        return True


def parameters(entry, stated):
    return [word for key, option in entry["parameters"].items() for word in (f"--{option}", stated[key])]


def ldbc_cases(data, published, programs):
    for algorithm, entry in published.items():
        program = programs.get(entry["program"])
        if program is None:
            continue
        for short, direction in (("dir", "directed"), ("undir", "undirected")):
            if entry.get("only", direction) != direction:
                continue
            folder = data / "ldbc" / algorithm
            stated = properties(data / "ldbc" / "properties" / f"test-{algorithm}-{direction}.properties")
            pair = (folder / f"{short}-input.e").exists()
            options = ["--format", "graphalytics" if pair else "adjacency", f"--{direction}"]
            yield Published(f"ldbc-{algorithm}-{direction}", entry, program, folder / f"{short}-input",
                            options + parameters(entry, stated), folder / f"{short}-output")
            example = data / "ldbc" / "example" / f"example-{direction}"
            stated = properties(data / "ldbc" / "properties" / f"example-{direction}.properties")
            yield Published(f"ldbc-example-{algorithm}-{direction}", entry, program, example,
                            ["--format", "graphalytics", f"--{direction}"] + parameters(entry, stated),
                            example.with_name(f"{example.name}-{algorithm.upper()}"))


P2P_SETTINGS = {"bfs.source-vertex": "6", "sssp.source-vertex": "6", "cdlp.max-iterations": "10",
                "pr.damping-factor": "0.85", "pr.num-iterations": "10"}


def unpack(file, folder):
    """The file without .zst, in `folder`."""
    target = folder / file.name.removesuffix(".zst")
    if not target.exists():
        succeed(["zstd", "-dqf", file, "-o", target])
    return target


def p2p_cases(data, published, programs, folder):
    graph = unpack(data / "p2p-31" / "p2p-31.v.zst", folder).with_suffix("")
    unpack(data / "p2p-31" / "p2p-31.e.zst", folder)
    for algorithm, entry in published.items():
        program = programs.get(entry["program"])
        for direction, suffix in (("undirected", ""), ("directed", "-directed")):
            answer = data / "p2p-31" / f"p2p-31-{algorithm.upper()}{suffix}.zst"
            if program is None or not answer.exists() or entry.get("only", direction) != direction:
                continue
            options = ["--format", "graphalytics", f"--{direction}"] + parameters(entry, P2P_SETTINGS)
            yield Published(f"p2p-31-{algorithm}-{direction}", entry, program, graph, options, unpack(answer, folder))


def road_cases(data, programs, folder):
    program = programs.get("sssp")
    if program is not None:
        answer = unpack(data / "USA-road-d.NY.sssp-from-1.zst", folder)
        yield Published("new-york-sssp", {"rule": "EXACT"}, program, data / "USA-road-d.NY.gr.zst",
                        ["--source", "1"], answer)


def answers(tests, programs, published, folder, root):
    """{name of a program: [(published answer, schedule, number)]}, for each answer and schedule."""
    data = data_folder(root)
    if data is None:
        tests.skip("published", "neither ../shared/data nor VERTIGO_DATA is there")
        return {}
    cases = list(ldbc_cases(data, published, programs))
    if shutil.which("zstd") is None:
        tests.skip("published/p2p-31", "the program zstd, which unpacks its answers, is not installed")
    else:
        cases += p2p_cases(data, published, programs, folder)
        cases += road_cases(data, programs, folder)
    found = {}
    for case in cases:
        found.setdefault(case.program.name, []).extend((case, *each[::-1]) for each in enumerate(case.program.schedules))
    return found
