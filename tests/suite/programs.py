"""The programs of tests/run/manifest.json: what each is run with on a graph, in which schedules, and how that must end."""

import json
import threading

from suite import running

# What a run ends with that is neither wrong nor cut short.
GOOD = 0


def read_manifest(file):
    """({program: its entry}, {algorithm: its published answers})"""
    manifest = json.loads(file.read_text())
    return {entry["name"]: entry for entry in manifest["programs"]}, manifest["published"]


def fits(entry, graph):
    # A table holds edges alone, so vertices without any are not in it.
    if "columns" in entry and (not graph.edges or {v for u, w, _ in graph.edges for v in (u, w)} != set(graph.ids)):
        return False
    needs_vertex = entry.get("source") or entry.get("sources")
    return not (needs_vertex and not graph.ids) and not (entry.get("needs") == "symmetric" and not graph.undirected)


def expected_exit(entry, graph):
    """The exit code of a run of the program on the graph, in every schedule: what manifest.json states, else 0."""
    return entry.get("exits", {}).get(graph.name, GOOD)


def table_of(columns, weighted):
    """A CSV table of the lines `source target weight`, with columns that are made of the weight as manifest.json says: `factor`
    times it, modulo `modulus`; with `truth`, whether that is not 0."""
    rows = [["source", *columns, "target"]]
    for line in weighted.splitlines():
        if not line or line.startswith(("#", "%")):
            continue
        source, target, weight = map(int, line.split())
        made = [(weight * each["factor"] % each["modulus"], each.get("truth", False)) for each in columns.values()]
        rows.append([source, *(str(value != 0).lower() if truth else value for value, truth in made), target])
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


class Arguments:
    """`reading`: how the graph's files are read; `shared`: what the program and its oracle take both; `options`,
    `oracle_options`: what one of them takes alone."""

    def __init__(self, entry, graph, prefix):
        self.entry, self.graph, self.prefix, self.file = entry, graph, prefix, prefix
        self.shared, self.reading = [], ["--format", "graphalytics"]
        if "columns" in entry:
            self.file, self.reading = self.table(entry["columns"]), ["--format", "csv"]
        self.reading.append("--undirected" if graph.undirected else "--directed")
        if entry.get("self_loops"):
            self.shared += ["--self-loops", entry["self_loops"]]
        if entry.get("source"):
            self.shared += ["--source", graph.source()]
        if entry.get("sources"):
            chosen = {graph.ids[0], graph.ids[len(graph.ids) // 2], graph.ids[-1]}
            self.shared += ["--sources", ",".join(str(v) for v in sorted(chosen))]
        for name, (low, high) in entry.get("inputs", {}).items():
            self.shared += [f"--{name}", self.input_file(name, low, high)]
        self.options = self.words_of("options")
        self.oracle_options = self.words_of("oracle_options")

    def words_of(self, kind):
        return [word for name, value in self.entry.get(kind, {}).items() for word in (f"--{name}", value)]

    def table(self, columns):
        """The edges as a CSV file with named columns."""
        file = self.prefix.with_name(f"{self.prefix.name}.{self.entry['name']}.csv")
        file.write_text(table_of(columns, self.prefix.with_name(self.prefix.name + ".e").read_text()))
        return file

    def input_file(self, name, low, high):
        # Of this program alone: another one may be reading its own while this is written.
        file = self.prefix.with_name(f"{self.prefix.name}.{self.entry['name']}.{name}")
        spread = [low + (high - low) * (i * 7 % 11) / 10 for i in range(len(self.graph.ids))]
        file.write_text("".join(f"{v} {x:.17g}\n" for v, x in zip(self.graph.ids, spread)))
        return file

    def words(self):
        """The program's command line, up to its schedule."""
        return [str(word) for word in (self.file, *self.reading, *self.shared, *self.options)]


def pins(entry):
    """What the compiler is told of the schedule: all legal ones are tested."""
    return ["--schedules=all", *(["--schedule", entry["pins"]] if "pins" in entry else [])]


class Schedule(str):
    """As --schedule takes it; `engines`: the contracts of the engines that some phases run in, `parts`: which edges each
    phase takes in parts, as the program tells them."""

    def __new__(cls, choices):
        made = super().__new__(cls, cls.text(choices))
        made.choices = choices
        made.engines = [each["engine"] for each in choices if "engine" in each]
        made.parts = [each.get("edges_in_parts", "whole") for each in choices]
        return made

    @staticmethod
    def text(choices):
        return ",".join(f"{each['phase']}.variant={each['variant']}" for each in choices)

    def pin(self, graph=None):
        """The words that pin it on the graph; without one, on any."""
        is_symmetric = graph is not None and graph.undirected
        is_simple = graph is not None and graph.is_simple
        text = self.text(each for each in self.choices if (is_symmetric or not each.get("symmetric_graphs"))
                         and (is_simple or not each.get("no_duplicates")))
        return ["--schedule", text] if text else []

    @property
    def takes_parts(self):
        """Whether edges may come to the device in parts in all phases."""
        return "whole" not in self.parts

    @property
    def has_forms(self):
        """Whether --diameter makes some engine work in another way."""
        return any(engine["forms_by_diameter"] for engine in self.engines)


def schedules(command, wanted=None):
    """What the program lists, as --schedule takes it: as many as the phase with the most variants has, so that each variant
    of each phase runs. `wanted`: of these variants alone."""
    done = running.run([*command, "--list-schedules", "--json"], 60)
    listed = done.json()
    if done.code != GOOD or listed is None:
        raise running.Failure(f"{command[-1]} does not list its schedules: {done.reason()}")
    phases = {}
    for each in listed["schedules"]:
        if wanted is None or each["variant"] in wanted:
            phases.setdefault(each["phase"], []).append(each)
    most = max((len(variants) for variants in phases.values()), default=0)
    return [Schedule([variants[i % len(variants)] for variants in phases.values()]) for i in range(most)]


def in_turn(listed, place, turns):
    """Those of the schedules that run on the graph at this place in a list of graphs. Engines run on all. Of the other
    schedules, which share most of their code, each runs on every `turns`-th graph, so that each graph meets a part of them."""
    return [each for number, each in enumerate(listed) if each.engines or (number + place) % turns == 0]


class Tables:
    """What programs with attributes by name read in place of a generated graph; each table is made once."""

    def __init__(self, tool, run):
        self.tool, self.run, self.lock = tool, run, threading.Lock()

    def words(self, entry, graph):
        """The graph's path, or that of its table, and what is said of the table."""
        if "columns" not in entry:
            return [graph]
        with self.lock:
            table = graph.with_suffix(f".{entry['name']}.csv")
            if not table.exists():
                plain = graph.with_suffix(".wel")
                self.run([self.tool, "convert", graph, plain, "--to", "weighted-edge-list", "--quiet", "--force"], 120)
                table.write_text(table_of(entry["columns"], plain.read_text()))
        return [table, "--format", "csv"]
