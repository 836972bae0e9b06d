"""The results as lines for a terminal and as a Markdown page."""


def milliseconds(value):
    if value is None:
        return "–"
    return f"{value:.3f}" if value < 10 else f"{value:.1f}" if value < 1000 else f"{value:,.0f}"


def figure(row):
    """The row's own figure: its median, or its share for one sweep over all edges."""
    if "median" not in row:
        return None
    return row["median"] * row["graph_edges"] / max(1, row["edges"]) if row["per_sweep"] else row["median"]


def share(row):
    if not row.get("floor") or "median" not in row:
        return None
    return row["floor"]["milliseconds"] / row["median"]


def checked(row):
    found = row.get("check")
    if isinstance(found, dict) and "l1_change" in found:
        bound = "" if row["checked"] else ", **above 2e-4**"
        return f"L1 change {found['l1_change']:.1e}{bound}"
    return {True: "yes", False: "**WRONG**", None: "no"}[row.get("checked")]


def line(row):
    head = f"{row['case']:18} {row['graph']:8}"
    if "error" in row:
        return f"{head} FAILED: {row['error']}"
    per_sweep = f", {figure(row):.3f} ms a sweep" if row["per_sweep"] else ""
    floor = f", {100 * share(row):.0f} % of floor" if share(row) else ""
    seconds = row["seconds"]
    stages = " ".join(f"{name} {seconds[name] * 1e3:.0f}" for name in seconds if name not in ("run", "output"))
    return (f"{head} {milliseconds(row['median']):>9} ms (min {milliseconds(row['minimum'])}, max "
            f"{milliseconds(row['maximum'])}){per_sweep}, {row['steps']} steps, {row['edges'] / 1e6:.1f} M edges"
            f"{floor}, checked: {checked(row)}; {row['schedule']}; ms: {stages}")


def best_line(entry):
    head = f"{entry['case']:10} {entry['graph']:8}"
    if "ratio" not in entry:
        return f"{head} FAILED: {entry['auto'].get('error', 'no schedule to compare with')}"
    return (f"{head} auto {milliseconds(entry['auto']['median'])} ms ({entry['auto']['schedule']}), best "
            f"{milliseconds(entry['best_milliseconds'])} ms ({entry['best']}): {entry['ratio']:.2f}")


def tracing_line(entry):
    head = f"{entry['case']:10} {entry['graph']:8}"
    if "error" in entry:
        return f"{head} FAILED: {entry['error']}"
    return (f"{head} plain {milliseconds(entry['plain'])} ms, traced {milliseconds(entry['traced'])} ms, "
            f"{entry['steps']} steps: {100 * entry['overhead']:+.1f} %")


def grid(header, rows, left=1):
    """A Markdown table; the first `left` columns to the left, the others to the right."""
    rule = ["---"] * left + ["---:"] * (len(header) - left)
    lines = [header, rule, *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in cells) + " |" for cells in lines) + "\n"


def best_peer(peers, case, graph):
    """(milliseconds, name) of the fastest, or (None, '')."""
    known = [(figures[graph], name) for name, figures in peers["milliseconds"].get(case, {}).items()
             if figures.get(graph) is not None]
    return min(known, default=(None, ""))


def summary(result, peers):
    names = [name for name in result["graphs"]]
    auto = {}
    for row in result["rows"]:
        auto.setdefault((row["case"], row["graph"]), row)
    rows = []
    for case in dict.fromkeys(row["case"] for row in result["rows"]):
        cells = []
        for name in names:
            row = auto.get((case, name))
            value = figure(row) if row else None
            if value is None:
                cells.append("failed" if row else "–")
                continue
            target = peers["targets"].get(case, {}).get(name)
            peer, _ = best_peer(peers, case, name)
            text = f"{milliseconds(value)}"
            if row.get("checked") is False:
                text += f" ({checked(row)})" if case == "pagerank" else " **WRONG**"
            if target is not None:
                text += f" ({'≤' if value <= target else '>'} {target:g})"
            if peer is not None:
                text += f", {peer / value:.1f}×"
            cells.append(text)
        rows.append([case, *cells])
    return grid(["ms", *names], rows)


def details(result, peers):
    rows = []
    for row in result["rows"]:
        head = [row["case"], row["graph"], row["pinned"]]
        if "error" in row:
            rows.append([*head, f"failed: {row['error']}", *[""] * 13])
            continue
        seconds = row["seconds"]
        peer, name = best_peer(peers, row["case"], row["graph"])
        floor = row["floor"]["milliseconds"] if row.get("floor") else None
        rows.append([*head, row["schedule"], milliseconds(figure(row)), milliseconds(row["median"]),
                     milliseconds(row["minimum"]), milliseconds(row["maximum"]), f"{row['steps']:,}",
                     f"{row['edges'] / 1e6:,.1f}", milliseconds(floor),
                     f"{100 * share(row):.0f} %" if share(row) else "–",
                     *[milliseconds(seconds.get(stage, 0) * 1e3)
                       for stage in ("load", "preprocess", "preparation", "transfer")],
                     f"{peer / figure(row):.2f} ({name})" if peer else "–", checked(row)])
    return grid(["row", "graph", "asked for", "schedule", "figure", "median", "min", "max", "steps",
                 "M edges", "floor", "of floor", "load", "preprocess", "preparation", "transfer",
                 "peer ÷ ours", "checked"], rows, left=4)


def machine(result):
    found = result["machine"]
    if not found:
        return "The machine's rates were not measured; floors are left out.\n"
    sizes = list(found["gathers_per_second"])
    rows = [["copy, bytes read and written", f"{found['copy_bytes_per_second'] / 1e12:.2f} TB/s"]]
    for key, text in (("gathers_per_second", "random 4-byte gathers"),
                      ("float_additions_per_second", "random float additions"),
                      ("int_minima_per_second", "random int minima")):
        values = " / ".join(f"{found[key][size] / 1e9:.0f}" for size in sizes)
        rows.append([f"{text} over {' / '.join(sizes)} MB", f"{values} G/s"])
    barriers = found["barrier_microseconds"]
    rows.append([f"grid-wide barrier, {' / '.join(barriers)} blocks per processor",
                 " / ".join(str(value) for value in barriers.values()) + " µs"])
    rows.append(["kernel launches back to back", f"{found['launch_microseconds']} µs"])
    rows.append(["host to device, pinned", f"{found['host_to_device_bytes_per_second'] / 1e9:.0f} GB/s"])
    return grid(["what", found["device"]], rows)


def graph_table(result):
    rows = []
    for name, record in result["graphs"].items():
        if "error" in record:
            rows.append([name, record.get("title", ""), "", f"failed: {record['error']}", "", "", ""])
            continue
        rows.append([name, record["title"], record["like"], f"{record['vertices']:,}", f"{record['edges']:,}",
                     record["check"], f"{record['seconds']:.1f} s, {record['bytes'] / 1e9:.2f} GB"])
    return grid(["name", "made by", "like", "vertices", "edges", "check", "generated"], rows, left=3)


def best_table(result):
    rows = []
    for entry in result["best"]:
        if "ratio" not in entry:
            rows.append([entry["case"], entry["graph"], "failed", entry["auto"].get("error", ""), "", "", ""])
            continue
        rows.append([entry["case"], entry["graph"], entry["auto"]["schedule"], entry["best"],
                     milliseconds(entry["auto"]["median"]), milliseconds(entry["best_milliseconds"]),
                     f"{entry['ratio']:.2f}"])
    every = []
    for entry in result["best"]:
        for row in entry["schedules"]:
            every.append([entry["case"], entry["graph"], row["schedule"],
                          milliseconds(row["milliseconds"]), row["rounds"] or "", row["edges"] or "",
                          {True: "yes", None: "not checked"}.get(row.get("agrees"), "NO")
                          + (f": {row['difference']}" if row.get("difference") else "")])
    return (grid(["program", "graph", "auto took", "best pinned", "auto, ms", "best, ms", "auto ÷ best"], rows,
                 left=4) + "\nEvery schedule, median of its runs (one run where the first was slow):\n\n"
            + grid(["program", "graph", "schedule", "ms", "rounds", "edges", "agrees"], every, left=3))


def tracing_table(result):
    rows = [[entry["case"], entry["graph"], milliseconds(entry.get("plain")),
             milliseconds(entry.get("traced")), entry.get("steps", ""),
             f"{100 * entry['overhead']:+.1f} %" if "overhead" in entry else entry["error"]]
            for entry in result["tracing"]]
    return grid(["program", "graph", "plain, ms", "traced, ms", "steps", "overhead"], rows, left=2)


def markdown(result, peers):
    device = (result["machine"] or {}).get("device", result["target"])
    parts = [f"# Benchmarks on {device}, {result['when']}\n",
             f"`run.py {result['command']}`; {result['runs']} runs after {result['warm_ups']} warm-up, main loop "
             f"in milliseconds, target {result['target']}, {result['host']['cpus']} CPU cores.\n",
             "## Graphs\n", graph_table(result), "## The machine\n", machine(result)]
    if result["rows"]:
        parts += ["## Medians\n", summary(result, peers),
                  "In brackets the target; × how many times the best peer's time is ours. "
                  f"Peers: {peers['measured']}. {peers['terms']}\n",
                  "## Every run\n", details(result, peers),
                  "`figure` is the median; for `-iteration` its share for as many edges as the graph has, of a run "
                  "to the program's own residual. `floor`: the edges visited, as "
                  "gathers and bytes at the rates above, and a barrier a step; `of floor` is floor ÷ median.\n"]
    if result["best"]:
        parts += ["## Auto against the best pinned schedule\n", best_table(result)]
    if result["tracing"]:
        parts += ["## What tracing costs\n", tracing_table(result)]
    return "\n".join(parts)
