"""Graphs whose vertices have names: the answer is that on the graph with numbers, whatever the files in between."""

import csv
import io
import json
import pathlib
import xml.sax.saxutils

from suite.running import succeed

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


class NamedGraph:
    """A graph in which names stand for the numbers, as three files."""

    def __init__(self, graph, tool, folder):
        self.names = names_of(graph)
        self.stem = folder / f"{graph.name}.named"
        self.graphml = write_graphml(graph.renamed(self.names, graph.name), self.beside(".graphml"))
        self.cached, self.table = self.beside(".vgg"), self.beside(".csv")
        succeed([tool, "convert", self.graphml, self.cached, "--quiet"])
        succeed([tool, "convert", self.cached, self.table, "--quiet"])

    def beside(self, ending):
        return self.stem.with_name(self.stem.name + ending)


class NamedRuns:
    """A program on a graph in which names stand for the numbers: asks for its runs at once."""

    def __init__(self, case, named):
        self.case, self.program, self.entry = case, case.program, case.entry
        self.names = named.names
        self.numbers = {name: str(v) for v, name in self.names.items()}
        self.stem = case.prefix.with_name(f"{case.prefix.name}.named")
        self.words = self.options()
        self.asked = [("graphml to text", self.ask(named.graphml, [], ".txt")),
                      ("cached to csv", self.ask(named.cached, [], ".csv"))]
        ends = {v for u, w, _ in case.graph.edges for v in (u, w)}
        source = named.table if ends == set(case.graph.ids) else named.cached  # a table lists edges alone
        # A table holds both directions of an undirected edge; programs that need both ask for them.
        reading = ["--undirected"] if source == named.table and case.graph.undirected else []
        self.asked.append(("table to json", self.ask(source, reading, ".json")))
        self.compared = None
        if len(self.program.schedules) > 1:
            self.compared = self.program.runs_of([self.program.binary]).ask(
                [named.cached, *self.words, "--target", "cpu", "--compare-schedules", "--quiet"])

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

    def ask(self, graph, reading, ending):
        output = self.stem.with_name(f"{self.stem.name}.{self.program.name}{ending}")
        return self.program.ask(self.program.schedules[-1], [graph, *reading, *self.words], output, self.case.graph)

    def with_numbers(self, answer):
        given = read_answer(answer.file(), self.entry)
        if self.entry.get("scalar"):
            return given
        columns = self.entry.get("vertex_columns", [])
        return {self.numbers[v]: [self.numbers.get(x, x) if i in columns else x for i, x in enumerate(values)]
                for v, values in given.items()}

    def answers(self):
        """Yields (what was run, answer with the numbers of the vertices)."""
        for what, answer in self.asked:
            yield what, self.with_numbers(answer)
        if self.compared is not None:
            self.program.runs_of([self.program.binary]).printed(self.compared)
