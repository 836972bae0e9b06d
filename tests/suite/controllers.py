"""Where a controller must change paths (SEP-Graph, sections 4.3 and 6.3), read off the trace of a run: a list of steps,
each with the name of its variant. Each function says what is wrong, or "" where nothing is."""

import itertools
import json
import pathlib

PUSH, PULL, PUSH_ALL = "async-push-data", "sync-pull-topology", "async-push-topology"


def steps(trace):
    """The variants of a JSON-lines trace, step by step."""
    lines = pathlib.Path(trace).read_text().splitlines()
    return [json.loads(line)["variant"] for line in lines if '"step"' in line]


def runs(variants):
    return [(name, len(list(group))) for name, group in itertools.groupby(variants)]


def shown(variants):
    return "took " + ", ".join(f"{name} ({count} times)" for name, count in runs(variants))


def iterates(variants):
    """All vertices are active for long, then few: each path is tried, then pulls over all vertices, pushes in the end. Which
    of the two is a matter of microseconds: on a GPU a look at 262,144 vertices takes about as long as an empty step."""
    middle, end = variants[3:len(variants) // 2], variants[len(variants) // 2:]
    right = (variants[:3] == [PULL, PUSH_ALL, PUSH] and middle.count(PULL) * 2 > len(middle) > 0
             and variants[-1] != PULL and PUSH in end)
    return "" if right else shown(variants)


def traverses(variants):
    """Activity spreads over most of a graph with hubs and ebbs away."""
    return "" if [name for name, _ in runs(variants)] == [PUSH, PULL, PUSH] else shown(variants)


def follows_roads(variants):
    """Few edges per vertex: a push all the way."""
    return "" if variants and set(variants) == {PUSH} else shown(variants)


# name: (program, generated graph, source, what must be true)
EXPECTED = {
    "pagerank on kron": ("pagerank_hybrid", ("kron", 16, 16), None, iterates),
    "sssp on kron": ("sssp_hybrid", ("kron", 16, 16), 5, traverses),
    "sssp on a road": ("sssp_hybrid", ("road", 200, 200), 5, follows_roads),
}
