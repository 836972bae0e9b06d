"""Examples with a few words changed: most mutants mean something else, some nothing at all (the compiler refuses those)."""

import json
import pathlib
import random
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
WORD = re.compile(r"//[^\n]*|\s+|[A-Za-z_]\w*|\d[\w.]*(?:e-\d+)?|&&|\|\||[<>=!+\-*/]=|\.\.|.")
# Words that stand in each other's place.
ALIKE = [["<", "<=", ">", ">=", "==", "!="], ["+", "-", "*", "/", "%"], ["&&", "||"], ["min", "max", "sum"],
         ["in", "out", "both"], ["in_degree", "out_degree", "degree"], ["int32", "int64", "uint32", "uint64"],
         ["float32", "float64", "wide64"], ["true", "false"], ["when", "where"], ["+=", "=", "-=", "*="],
         ["0", "1", "2", "3", "7"], ["inf", "none", "0"], ["or", "and"]]
# A mutant may run for ever: an update without a limit gets one.
LIMIT = re.compile(r"(update v when [^{\n]*?)( limit \w+)? \{")

STATEMENT = re.compile(r"\s*(send\b|start\b|\w+\.\w+ [-+*/]?= |\w+ = |let ).*;\s*$")


def sources():
    """Examples that compile and run on the fuzzer's graphs, which have no attributes by name: (name, text)."""
    refused = ("use \"",)
    entries = json.loads((ROOT / "tests/run/manifest.json").read_text())["programs"]
    of_tables = {ROOT / entry["file"] for entry in entries if "columns" in entry}
    files = sorted({*ROOT.glob("dsl-examples/*/*.vg"), *ROOT.glob("tests/run/programs/*.vg")} - of_tables)
    texts = [(file.stem, file.read_text()) for file in files]
    return [(name, text) for name, text in texts if not any(word in text for word in refused)]


class Mutant:
    """`text`, and what a run of it needs; see generate.Program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.name, text = self.random.choice(sources())
        text = re.sub(r"//[^\n]*", "", text)
        for _ in range(self.random.choice([1, 1, 2, 3])):
            text = self.random.choice([self.swap, self.swap, self.swap, self.drop_line, self.double_line, self.swap_lines])(text)
        text = LIMIT.sub(lambda match: f"{match[1]} limit {self.random.randint(1, 12)} {{", text)
        self.text = "\n".join(line for line in text.splitlines() if line.strip()) + "\n"
        self.symmetric = "requires symmetric" in self.text
        self.inexact = inexact_outputs(self.text)

    def swap(self, text):
        words = WORD.findall(text)
        places = [i for i, word in enumerate(words) if any(word in group for group in ALIKE)]
        place = self.random.choice(places)
        group = next(group for group in ALIKE if words[place] in group)
        words[place] = self.random.choice([word for word in group if word != words[place]])
        return "".join(words)

    def statement(self, lines):
        """The number of a line that is a statement, such as an assignment; the first where none is left."""
        return self.random.choice([i for i, line in enumerate(lines) if STATEMENT.match(line)] or [0])

    def drop_line(self, text):
        lines = text.splitlines()
        del lines[self.statement(lines)]
        return "\n".join(lines)

    def double_line(self, text):
        lines = text.splitlines()
        chosen = self.statement(lines)
        lines.insert(chosen, lines[chosen])
        return "\n".join(lines)

    def swap_lines(self, text):
        lines = text.splitlines()
        a, b = self.statement(lines), self.statement(lines)
        lines[a], lines[b] = lines[b], lines[a]
        return "\n".join(lines)


def inexact_outputs(text):
    """Floating outputs of a program that sums floating numbers."""
    floating = dict(re.findall(r"vertex (\w+): (float32|float64|wide64)", text))
    summed = re.search(r"combine sum|sum\(", text)
    return {name: 1e-3 if type == "float32" else 1e-6 for name, type in floating.items()} if summed else {}
