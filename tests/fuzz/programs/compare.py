"""Whether two runs of a program came to the same answer."""

import math


class Answer:
    """What one run came to: its exit code, its message, and the rows of its result, which is removed."""

    def __init__(self, code, said, output):
        self.code, self.said = code, said.strip()
        self.text = output.read_text() if output.exists() else ""
        output.unlink(missing_ok=True)

    def difference(self, other, inexact):
        """None, or in words how `other` differs; `inexact`: {output: tolerance}."""
        if other.code is None:
            return f"the run died or did not end: {other.said[-500:]}"
        if self.code != other.code:
            return f"exit {other.code}, the interpreter's is {self.code}: {other.said[-500:]} {self.said[-300:]}"
        if self.text == other.text:
            return None
        return self.columns_differ(other, inexact)

    def columns_differ(self, other, inexact):
        names, rows = table(self.text, inexact)
        _, others = table(other.text, inexact)
        if len(rows) != len(others):
            return f"{len(others)} lines instead of {len(rows)}"
        for column, name in enumerate(names):
            tolerance = inexact.get(name.split(".")[0])
            expected, given = [row[column] for row in rows], [row[column] for row in others]
            scale = largest(expected) if tolerance else 0.0
            for row, (a, b) in enumerate(zip(expected, given)):
                if a != b and not (tolerance and near(a, b, tolerance * scale)):
                    return f"{name} of vertex {rows[row][0]} is {b} instead of {a}"
        return None


def table(text, inexact):
    """(names of columns, rows); a single output has no header, and is inexact where anything is."""
    lines = text.splitlines()
    names = ["vertex", next(iter(inexact), "")]
    if lines and lines[0].startswith("# "):
        names = lines.pop(0)[2:].split()
    return names, [line.split() for line in lines]


def number(word):
    try:
        return float(word)
    except ValueError:
        return math.nan


def largest(words):
    return max((abs(number(word)) for word in words if math.isfinite(number(word))), default=0.0)


def near(a, b, allowed):
    a, b = number(a), number(b)
    return a == b or abs(a - b) <= allowed + 1e-300
