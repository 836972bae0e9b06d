"""The graphs of the end-to-end tests: tiny odd ones, made here, and what turns one into another."""

import functools
import hashlib
import random


class Graph:
    """Edges as the file holds them: (source, target, weight); undirected ones once. `for_engines`: engines treat it in ways of
    their own; paths would only take long. `both_forms`: worth a run in either form that an engine may have (--diameter)."""

    def __init__(self, name, ids, edges, undirected=False):
        self.name, self.ids, self.edges, self.undirected = name, sorted(ids), list(edges), undirected
        self.for_engines, self.both_forms = False, True

    @property
    def is_simple(self):
        """Whether no two edges are parallel."""
        ends = [tuple(sorted((u, v))) if self.undirected else (u, v) for u, v, _ in self.edges]
        return len(ends) == len(set(ends))

    def source(self):
        """The vertex where programs with a source start."""
        return self.ids[len(self.ids) // 3]

    def write(self, folder, suffix="", shuffle=None):
        """PREFIX.v and PREFIX.e under `folder`; returns the prefix."""
        prefix = folder / (self.name + suffix)
        vertices, edges = list(self.ids), list(self.edges)
        if shuffle is not None:
            shuffle.shuffle(vertices)
            shuffle.shuffle(edges)
        prefix.with_name(prefix.name + ".v").write_text("".join(f"{v}\n" for v in vertices))
        prefix.with_name(prefix.name + ".e").write_text("".join(f"{u} {v} {w}\n" for u, v, w in edges))
        return prefix

    @functools.cached_property
    def digest(self):
        """Tells it from other graphs."""
        text = f"{self.name} {self.ids} {self.edges} {self.undirected} {self.for_engines} {self.both_forms}"
        return hashlib.sha256(text.encode()).hexdigest()

    def renamed(self, mapping, name):
        return Graph(name, [mapping[v] for v in self.ids],
                     [(mapping[u], mapping[v], w) for u, v, w in self.edges], self.undirected)


# W. Zachary, An information flow model for conflict and fission in small groups, 1977: 34 members, 78 ties.
KARATE = {1: "2 3 4 5 6 7 8 9 11 12 13 14 18 20 22 32", 2: "3 4 8 14 18 20 22 31", 3: "4 8 9 10 14 28 29 33",
          4: "8 13 14", 5: "7 11", 6: "7 11 17", 7: "17", 9: "31 33 34", 10: "34", 14: "34", 15: "33 34",
          16: "33 34", 19: "33 34", 20: "34", 21: "33 34", 23: "33 34", 24: "26 28 30 33 34", 25: "26 28 32",
          26: "32", 27: "30 34", 28: "34", 29: "32 34", 30: "33 34", 31: "33 34", 32: "33 34", 33: "34"}


def weight(u, v):
    return (u * 7 + v * 3) % 20 + 1


def directed(name, ids, pairs):
    return Graph(name, ids, [(u, v, weight(u, v)) for u, v in pairs])


def undirected(name, ids, pairs):
    unique = sorted({(min(u, v), max(u, v)) for u, v in pairs})
    return Graph(name, ids, [(u, v, weight(u, v)) for u, v in unique], undirected=True)


def random_graph(name, seed, vertices, edges, stride, offset, is_undirected):
    """Sparse ids; the directed one has self loops and parallel edges, the undirected one has none."""
    source = random.Random(seed)
    ids = [i * stride + offset for i in range(vertices)]
    pairs = [(source.choice(ids), source.choice(ids)) for _ in range(edges)]
    if is_undirected:
        return undirected(name, ids, [(u, v) for u, v in pairs if u != v])
    return directed(name, ids, pairs)


def tiny_graphs():
    grid = [(r * 8 + c, r * 8 + c + step) for r in range(8) for c in range(8)
            for step in (1, 8) if (c < 7 if step == 1 else r < 7)]
    complete = [(u, v) for u in range(7) for v in range(u + 1, 7)]
    karate = [(u, int(v)) for u, row in KARATE.items() for v in row.split()]
    return [
        Graph("empty", [], []),
        Graph("empty_undirected", [], [], undirected=True),
        Graph("one_vertex", [5], []),
        Graph("no_edges", [2, 4, 9], [], undirected=True),
        directed("self_loop", [3], [(3, 3)]),
        directed("loop_and_tail", [0, 1, 2], [(0, 0), (0, 1), (1, 2)]),
        directed("star_out", range(9), [(0, v) for v in range(1, 9)]),
        directed("star_in", range(9), [(v, 0) for v in range(1, 9)]),
        undirected("star", range(9), [(0, v) for v in range(1, 9)]),
        directed("two_parts", range(1, 9), [(1, 2), (2, 3), (3, 1), (5, 6), (6, 7)]),
        undirected("two_triangles", range(1, 9), [(1, 2), (2, 3), (1, 3), (5, 6), (6, 7), (5, 7)]),
        directed("chain", range(40), [(v, v + 1) for v in range(39)]),
        undirected("chain_undirected", range(40), [(v, v + 1) for v in range(39)]),
        Graph("duplicates", [1, 2, 3, 4], [(1, 2, 9), (1, 2, 4), (2, 3, 1), (2, 3, 1), (3, 4, 2), (1, 4, 20)]),
        undirected("complete", range(7), complete),
        directed("complete_directed", range(7), complete + [(v, u) for u, v in complete]),
        undirected("grid", range(64), grid),
        undirected("karate", range(1, 35), karate),
        random_graph("random_directed", 11, 60, 200, 37, 11, False),
        random_graph("random_sparse", 12, 120, 150, 1000003, 5, False),
        random_graph("random_undirected", 13, 60, 150, 101, 1, True),
    ]


def odd_graph(seed, index):
    """A random graph of a size at which something changes: words of bitmaps, warps and blocks, long edge lists."""
    source = random.Random(seed * 1000 + index)
    count = source.choice([1, 2, 3, 5, 17, 31, 32, 33, 63, 64, 65, 127, 200, 255, 256, 257, 300])
    stride, offset = source.choice([(1, 0), (1, 1), (37, 11), (1000003, 5)])
    ids = [i * stride + offset for i in range(count)]
    shape = source.choice(["uniform", "uniform", "sparse", "hubs", "chain", "strip", "parts"])
    edges = {"uniform": 4, "sparse": 1, "hubs": 6, "chain": 0, "strip": 0, "parts": 2}[shape] * count
    # A chain of more steps than a word has bits tells nothing new, and takes long.
    reached = ids[:min({"chain": 70, "strip": 140}.get(shape, count), max(1, count - count // 5))]  # the others are isolated
    hubs = source.sample(reached, min(2, len(reached)))
    pairs = [(source.choice(reached), source.choice(hubs if shape == "hubs" and source.random() < 0.7 else reached))
             for _ in range(edges)]
    if shape == "hubs":
        pairs += [(v, u) for u, v in pairs[::2]]
    if shape == "chain":
        pairs = list(zip(reached, reached[1:])) + [(reached[0], reached[0])]
    if shape == "strip":  # two wide, and a few vertices with more than four neighbours
        steps = [(i, i + 2) for i in range(len(reached) - 2)] + [(i, i + 1) for i in range(0, len(reached) - 1, 2)]
        steps += [(i, i + 3) for i in range(0, len(reached) - 3, 9)]
        pairs = [(reached[i], reached[j]) for i, j in steps]
    if shape == "parts":
        pairs = [(u, v) for u, v in pairs if ids.index(u) % 3 == ids.index(v) % 3]
    lowest, highest = source.choice([(1, 20), (1, 1), (0, 3), (0, 0), (1, 1_000_000), (2_000_000_000, 2_147_483_000)])
    weighed = [(u, v, source.randint(lowest, highest)) for u, v in pairs]
    name = f"odd_{seed}_{index}_{shape}"
    if source.random() < 0.5:
        unique = {(min(u, v), max(u, v)): w for u, v, w in weighed if u != v}
        return Graph(name, ids, [(u, v, w) for (u, v), w in sorted(unique.items())], undirected=True)
    return Graph(name, ids, weighed + weighed[:2])


def long_list():
    """A vertex whose edges the whole block shares out, and one whose edges a warp does."""
    edges = [(0, v) for v in range(1, 1300)] + [(v, 1) for v in range(2, 1300, 3)] + [(5, v) for v in range(20, 60)]
    return directed("long_list", range(1300), edges)


def from_source(name, count, pairs):
    """A directed graph whose vertex 0 stands where the tests' source does."""
    source = count // 3
    names = {0: source, source: 0}
    return directed(name, range(count), [(names.get(u, u), names.get(v, v)) for u, v in pairs])


def hub_beside_its_neighbours():
    """The source and a hub beside it share most of their neighbours; a few lie behind the hub."""
    edges = [(0, v) for v in range(1, 1300)] + [(1, v) for v in range(2, 1320)] + [(2 + i, 1300 + i) for i in range(20)]
    return from_source("hub_beside_its_neighbours", 1320, edges)


def heard_by_all():
    """A vertex that more than a thousand send to, one step from the source, and one behind it."""
    edges = [(0, v) for v in range(1, 1200)] + [(v, 1200) for v in range(1, 1200)] + [(1200, 1201)]
    return from_source("heard_by_all", 1202, edges)


def more_paths_than_float64_counts(layers=520, width=4):
    """Layers, each with edges to all of the next: width ** layers paths lead through them."""
    first = [1 + layer * width for layer in range(layers)]
    edges = [(0, first[0] + i) for i in range(width)]
    edges += [(a + i, b + j) for a, b in zip(first, first[1:]) for i in range(width) for j in range(width)]
    return from_source("more_paths_than_float64_counts", 1 + layers * width, edges)


def roads_with_ferries(height=30):
    """Streets whose ends have close numbers, a square where many meet, and edges across. From a height of 110 on,
    these are longer than 2^15."""
    source = random.Random(11)
    width = 300 if height > 100 else 40
    last = width * height - 1
    edges = [(v, v + step) for v in range(last + 1) for step in (1, width)
             if source.random() < 0.6 and (v % width < width - 1 if step == 1 else v + width <= last)]
    edges += [(v, last - v) for v in range(0, last // 10, 100)] + [(last // 3, last // 3 + v) for v in range(50, 57)]
    return undirected("roads_with_ferries", range(last + 1), edges)


def crowd_and_couples():
    """A random graph, in which values settle within a few steps, and short chains apart, in which they do not."""
    source = random.Random(12)
    edges = [(u, v) for u, v in ((source.randrange(600), source.randrange(600)) for _ in range(9000)) if u != v]
    edges += [(600 + 3 * i + j, 601 + 3 * i + j) for i in range(9) for j in range(1 + (i == 4))]
    return undirected("crowd_and_couples", range(630), edges)


def crowd_before_dead_ends():
    """A random directed graph that sends to a couple, two stars, one of them with a loop, and a loop, where what arrives
    goes to and fro for long: nothing leaves."""
    source = random.Random(14)
    ends = [(600, 601), (610, 611), (610, 612), (620, 620), (630, 630), (630, 631)]
    edges = [(u, v) for u, v in ((source.randrange(600), source.randrange(600)) for _ in range(9000)) if u != v]
    edges += ends + [(v, u) for u, v in ends if u != v]
    edges += [(source.randrange(600), v) for end in ends for v in set(end)]
    return directed("crowd_before_dead_ends", range(640), edges)


def hubs_and_rest(count=5000):
    """A few vertices send to most others, and one receives from all: more than fit into any list of hubs."""
    source = random.Random(13)
    edges = [(hub, v) for hub in range(9) for v in range(count) if source.random() < 0.5]
    edges += [(v, 20) for v in range(9, count)] + [(v, source.randrange(count)) for v in range(9, count, 3)]
    return directed("hubs_and_rest", range(count + 5), edges)


def engine_graphs(height=30):
    """What tiny graphs do not show of engines. `height`: of the roads."""
    of_steps = [hub_beside_its_neighbours(), heard_by_all(), more_paths_than_float64_counts()]
    of_iterations = [hubs_and_rest(), crowd_and_couples(), crowd_before_dead_ends(), roads_with_ferries(height)]
    for graph in [*of_steps, *of_iterations]:
        graph.for_engines = True
        graph.both_forms = graph in of_steps
    return [*of_steps, *of_iterations]


def increasing_names(graph):
    """New ids in the same order, with gaps."""
    return {v: 13 * i + 7 for i, v in enumerate(graph.ids)}


def shuffled_names(graph, seed):
    new = [13 * i + 7 for i in range(len(graph.ids))]
    random.Random(seed).shuffle(new)
    return dict(zip(graph.ids, new))


def with_isolated(graph, count):
    first = (graph.ids[-1] if graph.ids else 0) + 1
    return Graph(graph.name + "_isolated", graph.ids + [first + 2 * i for i in range(count)],
                 graph.edges, graph.undirected)


def with_copy(graph):
    """The graph beside a copy of itself, whose ids are larger."""
    shift = graph.ids[-1] + 1 if graph.ids else 0
    copy = [(u + shift, v + shift, w) for u, v, w in graph.edges]
    return Graph(graph.name + "_twice", graph.ids + [v + shift for v in graph.ids],
                 graph.edges + copy, graph.undirected)
