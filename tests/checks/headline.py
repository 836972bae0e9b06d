"""README's table of times says what the benchmarks page and the peers' figures say."""

import json
import re

SUMMARY = "README's table of times is what the benchmarks measured"
PAGE = "README.md"
PEERS = "tests/benchmarks/peers.json"
ROWS = {"breadth-first search": "bfs", "shortest paths": "sssp", "PageRank, per iteration": "pagerank-iteration",
        "connected components": "wcc", "betweenness, one source": "bc"}
GRAPHS = ("kron21", "road")  # one after the other, three columns each
CELLS = re.compile(r"\*\*([\d.]+)\*\* \| ([\d.]+) \(([^,)]+)[^)]*\) \| ([\d.]+)")
SOURCE = re.compile(r"\(([^)\s]*benchmarks/[^)\s]*engines\.md)\)")


def medians(text):
    """(row, graph) -> milliseconds, of the section 'Medians'."""
    found = {}
    lines = iter(text.partition("\n## Medians\n")[2].splitlines())
    graphs = []
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] == "ms":
            graphs = cells[1:]
        elif line.startswith("## "):
            break
        elif graphs and not cells[0].startswith("-"):
            for graph, cell in zip(graphs, cells[1:]):
                found[cells[0], graph] = float(cell.split()[0])
    return found


def best_peer(peers, row, graph):
    times = [(each[graph], name) for name, each in peers["milliseconds"][row].items() if each.get(graph)]
    return min(times)


def problems(tree):
    if PAGE not in tree.files or PEERS not in tree.files:
        return
    text = tree.text(PAGE)
    source = SOURCE.search(text)
    if source is None:
        yield f"{PAGE}: names no page of benchmarks for its table"
        return
    ours = medians(tree.text(source[1]))
    peers = json.loads(tree.text(PEERS))
    for title, row in ROWS.items():
        line = re.search(rf"^\| {re.escape(title)} \|.*$", text, re.MULTILINE)
        shown = CELLS.findall(line[0]) if line else []
        if len(shown) != len(GRAPHS):
            yield f"{PAGE}: has no row '{title}' with a time, a peer and a ratio for each graph"
            continue
        for graph, (time, peer, name, ratio) in zip(GRAPHS, shown):
            best, whose = best_peer(peers, row, graph)
            if float(time) != ours.get((row, graph)):
                yield f"{PAGE}: {title} on {graph} takes {time} here, {ours.get((row, graph))} in {source[1]}"
            if float(peer) != best or not whose.startswith(name):
                yield f"{PAGE}: {title} on {graph}: the best peer is {best} ({whose}), not {peer} ({name})"
            if abs(float(ratio) - float(peer) / float(time)) > 0.06:
                yield f"{PAGE}: {title} on {graph}: {peer} / {time} is not {ratio}"


def sample(change=lambda text: text):
    row = "| {} | **0.5** | 2 (Gunrock) | 4.0 | **10** | 25 (GAPBS, CPU) | 2.5 |\n"
    readme = "[times](docs/benchmarks/an-engines.md)\n" + "".join(row.format(title) for title in ROWS)
    times = "".join(f"| {row} | 0.5 (≤ 1) | 10 |\n" for row in ROWS.values())
    peers = {"milliseconds": {row: {"Gunrock": {"kron21": 2, "road": None}, "GAPBS": {"kron21": 7, "road": 25}}
                              for row in ROWS.values()}}
    return {"README.md": change(readme), PEERS: json.dumps(peers),
            "docs/benchmarks/an-engines.md": "\n## Medians\n\n| ms | kron21 | road |\n| --- | ---: | ---: |\n" + times + "\n## More\n"}


CLEAN = sample()
FAULTS = [
    (sample(lambda text: text.replace("**0.5**", "**0.4**", 1)), "breadth-first search on kron21 takes 0.4 here, 0.5"),
    (sample(lambda text: text.replace("25 (GAPBS", "25 (Gunrock", 1)), "the best peer is 25 (GAPBS), not 25 (Gunrock)"),
    (sample(lambda text: text.replace("2 (Gunrock) | 4.0", "7 (GAPBS) | 14.0", 1)), "the best peer is 2 (Gunrock)"),
    (sample(lambda text: text.replace("| 2.5 |", "| 3.5 |", 1)), "25 / 10 is not 3.5"),
    (sample(lambda text: text.replace("| connected", "| joined")), "has no row 'connected components'"),
    (sample(lambda text: text.replace("engines.md", "other.md")), "names no page of benchmarks"),
]
