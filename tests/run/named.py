"""Graphs whose vertices have names: the answer is that on the graph with numbers, whatever the files in between."""

import csv
import io
import json
import pathlib
import xml.sax.saxutils

from suite.running import Failure, run, succeed

# What cuts words, fields and attributes, in the order of the numbers.
NAME = 'n "{:05d}", <é>'


def names_of(graph):
    return {v: NAME.format(i) for i, v in enumerate(graph.ids)}


def word(name):
    """A name in a list or in a line of a file."""
    return '"' + name.replace('"', '""') + '"'


def write_graphml(graph, file):
    quoted = {v: xml.sax.saxutils.quoteattr(v) for v in graph.ids}
    direction = "undirected" if graph.undirected else "directed"
    lines = ['<?xml version="1.0"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
             '<key id="w" for="edge" attr.name="weight" attr.type="long"/>', f'<graph edgedefault="{direction}">']
    lines += [f"<node id={quoted[v]}/>" for v in graph.ids]
    lines += [f'<edge source={quoted[u]} target={quoted[v]}><data key="w">{w}</data></edge>'
              for u, v, w in graph.edges]
    file.write_text("\n".join([*lines, "</graph>", "</graphml>", ""]), encoding="utf-8")
    return file


def read_answer(file, entry):
    """{vertex: values} of a result in any of the three forms; a program without outputs has {report: value}."""
    text = pathlib.Path(file).read_text(encoding="utf-8")
    if file.suffix == ".json":
        result = json.loads(text)
        result.pop("program")
        if entry.get("scalar"):
            return {name: [spelled(value)] for name, value in result.items()}
        vertices = result.pop("vertex")
        columns = [values for values in result.values() if isinstance(values, list)]
        return {v: [spelled(column[i]) for column in columns] for i, v in enumerate(vertices)}
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="," if file.suffix == ".csv" else " "))
    if file.suffix == ".csv":
        rows = rows[1:]
    return {row[0]: row[1:] for row in rows if row[0] != "#"}


def spelled(value):
    if value is None:
        return "none"
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


class NamedRuns:
    """A program on a graph in which names stand for the numbers."""

    def __init__(self, case):
        self.case, self.program, self.entry = case, case.program, case.entry
        self.names = names_of(case.graph)
        self.numbers = {name: str(v) for v, name in self.names.items()}
        self.stem = case.prefix.with_name(f"{case.prefix.name}.named")

    def options(self):
        """The case's own, with the vertices in them named."""
        words = [str(w) for w in (*self.case.shared, *self.case.options)]
        for i, option in enumerate(words[:-1]):
            if option in ("--source", "--sources"):
                words[i + 1] = ",".join(word(self.names[int(v)]) for v in words[i + 1].split(","))
            elif option[2:] in self.entry.get("inputs", {}):
                lines = [line.split() for line in pathlib.Path(words[i + 1]).read_text().splitlines()]
                file = self.stem.with_name(self.stem.name + option)
                file.write_text("".join(f"{word(self.names[int(v)])} {x}\n" for v, x in lines), encoding="utf-8")
                words[i + 1] = str(file)
        return words

    def answer(self, graph, reading, ending, schedule):
        output = self.stem.with_name(f"{self.stem.name}.{self.program.name}{ending}")
        command, pinned = self.program.command(schedule, self.case.graph)
        succeed([*command, graph, *reading, *self.options(), *pinned, "--check", "--quiet", "--output", output])
        given = read_answer(output, self.entry)
        if self.entry.get("scalar"):
            return given
        columns = self.entry.get("vertex_columns", [])
        return {self.numbers[v]: [self.numbers.get(x, x) if i in columns else x for i, x in enumerate(values)]
                for v, values in given.items()}

    def answers(self):
        """Yields (what was run, answer with the numbers of the vertices)."""
        named = self.case.graph.renamed(self.names, self.case.graph.name)
        graphml = write_graphml(named, self.stem.with_name(self.stem.name + ".graphml"))
        cached = self.stem.with_name(self.stem.name + ".vgg")
        succeed([self.program.tools.graph, "convert", graphml, cached, "--quiet"])
        schedule = self.program.schedules[-1]
        yield "graphml to text", self.answer(graphml, [], ".txt", schedule)
        yield "cached to csv", self.answer(cached, [], ".csv", schedule)
        table = self.stem.with_name(self.stem.name + ".csv")
        succeed([self.program.tools.graph, "convert", cached, table, "--quiet"])
        ends = {v for u, w, _ in self.case.graph.edges for v in (u, w)}
        source = table if ends == set(self.case.graph.ids) else cached  # a table lists edges alone
        # A table holds both directions of an undirected edge; programs that need both ask for them.
        reading = ["--undirected"] if source == table and self.case.graph.undirected else []
        yield "table to json", self.answer(source, reading, ".json", schedule)
        if len(self.program.schedules) > 1:
            compared = run([self.program.binary, cached, *self.options(), "--target", "cpu", "--compare-schedules",
                            "--quiet"])
            if compared.code != 0:
                raise Failure(f"--compare-schedules: {compared.errors.strip()[-1000:]}")
