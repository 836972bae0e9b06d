"""Which programs are run on which graphs: everything follows from seeds."""

import itertools
import json
import pathlib
import random
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.append(str(ROOT / "tests"))

import engines  # noqa: E402
import features  # noqa: E402
import generate  # noqa: E402
import loops  # noqa: E402
import mutate  # noqa: E402
import searches  # noqa: E402
import slices  # noqa: E402
import trees  # noqa: E402
from suite import graphs, programs  # noqa: E402

FOUND = HERE / "found"
# Of random programs, how many have a choice pinned that is not the default: some compile only where they are asked for.
PINNED = 0.15


MESSAGE = re.compile(r"(\bmessage [^;]*);")


class Case:
    """A program and what to run it on. `inexact`: {output: tolerance}; `symmetric`: on undirected graphs alone;
    `any_pin`: the builder pins one of the choices that the compiler names; `columns`: of its graphs, which are tables then;
    `in_rounds`: the answer is that of its loops as they are written, which the compiler rewrites; `kept`: it is that of the
    program whose messages are kept, which the compiler leaves as it is."""

    def __init__(self, name, seed, text, symmetric=False, inexact=None, pin=None, graphs=5, only=None, any_pin=False, columns=None,
                 in_rounds=False, kept=False):
        self.name, self.seed, self.text, self.symmetric = name, seed, text, symmetric
        self.inexact, self.pin, self.graphs, self.only = inexact or {}, pin, graphs, only
        self.any_pin, self.columns, self.in_rounds, self.kept = any_pin, columns, in_rounds, kept

    def pins(self):
        return ["--schedule", self.pin] if self.pin else []

    def with_text(self, text, graph):
        """The same case with another program, on one graph where that is given."""
        return Case(self.name, self.seed, text, self.symmetric, self.inexact, self.pin, self.graphs, graph or self.only,
                    columns=self.columns, in_rounds=self.in_rounds, kept=self.kept)

    def as_written(self):
        """The same case as no pass rewrites it, and with lists compared wherever it asks for common neighbours; None where that is the same."""
        shares = "common_neighbours" in self.text
        if not self.in_rounds and not self.kept and not shares:
            return None
        text, pins = self.text, [self.pin] if self.pin else []
        if shares:
            pins.insert(0, "common=lists")
        if self.in_rounds:
            pins.insert(0, "loop=rounds")
        if self.kept:
            text = MESSAGE.sub(r"\1 keep;", text)
        return Case(self.name + "-written", self.seed, text, self.symmetric, self.inexact, ",".join(pins) or None, self.graphs, self.only,
                    columns=self.columns)


def cases(arguments):
    """All cases of a run, one after the other."""
    kinds = {"random": [random_case], "mutated": [mutated_case], "engines": [engines_case], "features": [features_case],
             "loops": [loops_case], "trees": [trees_case], "slices": [slices_case],
             "all": [random_case, features_case, mutated_case, engines_case, loops_case, trees_case, slices_case]}
    if arguments.kind in ("found", "all"):
        yield from found_cases()
    if arguments.kind == "found":
        return
    makers = kinds[arguments.kind]
    for seed in range(arguments.first, arguments.first + arguments.count):
        yield makers[seed % len(makers)](seed, arguments.graphs)


def in_groups(all_cases, size):
    """Lists of up to `size` cases."""
    all_cases = iter(all_cases)
    return iter(lambda: list(itertools.islice(all_cases, size)), [])


def random_case(seed, count):
    program = generate.Program(seed)
    return Case(f"random-{seed}", seed, program.text, program.symmetric, program.inexact, graphs=count,
                any_pin=random.Random(seed).random() < PINNED)


def engines_case(seed, count):
    program = engines.Program(seed)
    return Case(f"engines-{seed}", seed, program.text, program.symmetric, program.inexact, graphs=count)


def loops_case(seed, count):
    """Five that relax, five that search, and so on."""
    program = (searches if seed // 5 % 2 else loops).Program(seed)
    return Case(f"loops-{seed}", seed, program.text, program.symmetric, program.inexact, graphs=count, in_rounds=True)


def trees_case(seed, count):
    program = trees.Program(seed)
    return Case(f"trees-{seed}", seed, program.text, program.symmetric, program.inexact, graphs=count, kept=True)


def slices_case(seed, count):
    program = slices.Program(seed)
    return Case(f"slices-{seed}", seed, program.text, program.symmetric, program.inexact, graphs=count,
                any_pin=random.Random(seed).random() < PINNED)


def features_case(seed, count):
    program = features.Program(seed)
    return Case(f"features-{seed}", seed, program.text, program.symmetric, program.inexact, graphs=count,
                any_pin=random.Random(seed).random() < PINNED, columns=program.columns)


def mutated_case(seed, count):
    mutant = mutate.Mutant(seed)
    return Case(f"mutant-{seed}", seed, mutant.text, mutant.symmetric, mutant.inexact, None, count)


def found_cases():
    """Programs that failed once; beside NAME.vg, NAME.json may hold `inexact`, `pin`, `columns`, `in_rounds` and `kept`, and NAME.v and
    NAME.e the graph."""
    for file in sorted(FOUND.glob("*.vg")):
        beside = file.with_suffix(".json")
        more = json.loads(beside.read_text()) if beside.exists() else {}
        text = file.read_text()
        only = read_graph(file) if file.with_suffix(".e").exists() else None
        yield Case(file.stem, 0, text, "requires symmetric" in text, more.get("inexact"), more.get("pin"), 12, only,
                   columns=more.get("columns"), in_rounds=more.get("in_rounds", False), kept=more.get("kept", False))


def read_graph(file):
    ids = [int(line.split()[0]) for line in file.with_suffix(".v").read_text().splitlines()]
    edges = [tuple(map(int, line.split())) for line in file.with_suffix(".e").read_text().splitlines()]
    return graphs.Graph(file.stem, ids, edges, undirected=file.with_suffix(".undirected").exists())


def ends(graph):
    return {vertex for u, v, _ in graph.edges for vertex in (u, v)}


class PooledGraph:
    """A graph that was written once."""

    def __init__(self, graph, folder):
        self.graph, self.name = graph, graph.name
        self.prefix = graph.write(folder)

    def words(self, case):
        """The graph as the command line names it; as a table for a program that reads attributes by name."""
        file, form = self.prefix, "graphalytics"
        if case.columns:
            file, form = self.prefix.with_name(f"{self.name}.{case.name}.csv"), "csv"
            file.write_text(programs.table_of(case.columns, self.prefix.with_name(self.name + ".e").read_text()))
        return [str(file), "--format", form, "--undirected" if self.graph.undirected else "--directed"]

    def source(self):
        return self.graph.source()

    def several(self, seed):
        """Some vertices, some of them more than once."""
        chosen = random.Random(seed)
        return [chosen.choice(self.graph.ids) for _ in range(chosen.choice([1, 3, 6, 70]))]


class GraphPool:
    """Tiny odd graphs and random ones, written on first use."""

    SIZE = 60

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        every = [*graphs.tiny_graphs(), *(graphs.odd_graph(index % 7, index) for index in range(self.SIZE))]
        # A program has a source, and a graph without vertices has none.
        self.all = [PooledGraph(graph, folder) for graph in every if graph.ids]

    def chosen(self, case):
        if case.only is not None:
            return [PooledGraph(case.only, self.folder)]
        fitting = [graph for graph in self.all if graph.graph.undirected or not case.symmetric]
        if case.columns:
            # A table holds edges alone, so vertices without any are not in it.
            fitting = [graph for graph in fitting if graph.graph.edges and ends(graph.graph) == set(graph.graph.ids)]
        return random.Random(case.seed).sample(fitting, min(case.graphs, len(fitting)))

    def named_in(self, problem, case):
        """The graph that a problem's first word names."""
        name = problem.split(",")[0]
        return next((graph.graph for graph in self.chosen(case) if graph.name == name), None)
