"""Where the statements of a .vg file lie, found by its brackets and semicolons: nothing of the compiler is asked."""

import re

TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|\n|[{};]|[^\s{};\"/]+|\S", re.DOTALL)


def statements(text):
    """[(first line, last line)] of every statement; of one with a body, as far as its brace."""
    found, first, line = [], None, 1
    for token in TOKEN.findall(text):
        if token in ("{", "}", ";"):
            if first is not None and token != "}":
                found.append((first, line))
            first = None
        elif token != "\n" and not token.startswith(("//", "/*")) and first is None:
            first = line
        line += token.count("\n")
    return found


def of_line(found, line):
    """The statements that have something on that line."""
    return [(first, last) for first, last in found if first <= line <= last]
