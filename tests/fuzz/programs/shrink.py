"""Making a failing program and its graph smaller, one change at a time, as long as it still fails."""

import re

from suite import graphs


class Budget:
    def __init__(self, attempts):
        self.left = attempts

    def spend(self):
        self.left -= 1
        return self.left >= 0


def shrink(case, graph, fails, attempts):
    """(text, graph or None): the smallest that `fails(text, graph)` says yes to."""
    budget = Budget(attempts)
    text = case.text
    if graph is not None and not (budget.spend() and fails(text, graph)):
        graph = None  # it takes more than this graph
    if graph is not None:
        graph = smaller_graph(text, graph, fails, budget)
    text = smaller_text(text, graph, fails, budget)
    if graph is not None:
        graph = smaller_graph(text, graph, fails, budget)
    return text, graph


def smaller_text(text, graph, fails, budget):
    changed = True
    while changed:
        changed = False
        for candidate in [*without_blocks(text), *without_lines(text), *simpler_expressions(text)]:
            if len(candidate) >= len(text):
                continue
            if not budget.spend():
                return text
            if fails(candidate, graph):
                text, changed = candidate, True
                break
    return text


def without_blocks(text):
    """Texts that lack a statement with braces."""
    lines = text.splitlines()
    for first, line in enumerate(lines):
        if not line.endswith("{") or first == 0:
            continue
        depth = 0
        for last in range(first, len(lines)):
            depth += lines[last].count("{") - lines[last].count("}")
            if depth == 0:
                yield "\n".join(lines[:first] + lines[last + 1:]) + "\n"
                yield "\n".join(lines[:first] + lines[first + 1:last] + lines[last + 1:]) + "\n"
                break


def without_lines(text):
    lines = text.splitlines()
    for number in reversed(range(1, len(lines) - 1)):
        yield "\n".join(lines[:number] + lines[number + 1:]) + "\n"


def simpler_expressions(text):
    """Texts with a bracketed operation replaced by its left or its right side, or a clause left out."""
    for match in re.finditer(r"\(([^()]+?) (?:[-+*/%<>]|[<>=!]=|&&|\|\|) ([^()]+?)\)", text):
        yield text[:match.start()] + match[1] + text[match.end():]
        yield text[:match.start()] + match[2] + text[match.end():]
    for match in re.finditer(r" (?:limit \d+|where true| tolerance [\d.e-]+)|, \w+(?=[,;])", text):
        yield text[:match.start()] + text[match.end():]


def smaller_graph(text, graph, fails, budget):
    """Leaves out halves, then single edges, then vertices without edges."""
    size = max(1, len(graph.edges) // 2)
    while size >= 1:
        begin = 0
        while begin < len(graph.edges):
            candidate = graphs.Graph(graph.name, graph.ids, graph.edges[:begin] + graph.edges[begin + size:], graph.undirected)
            if not budget.spend():
                return graph
            if fails(text, candidate):
                graph = candidate
            else:
                begin += size
        size //= 2
    used = {v for u, w, _ in graph.edges for v in (u, w)}
    kept = [v for v in graph.ids if v in used]
    candidate = graphs.Graph(graph.name, kept or graph.ids[:1], graph.edges, graph.undirected)
    return candidate if budget.spend() and fails(text, candidate) else graph
