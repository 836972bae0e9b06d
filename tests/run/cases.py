"""What the programs of manifest.json are run with on a graph."""


def fits(entry, graph):
    needs_vertex = entry.get("source") or entry.get("sources")
    return not (needs_vertex and not graph.ids) and not (entry.get("needs") == "symmetric" and not graph.undirected)


class Arguments:
    """`reading`: how the graph's files are read; `shared`: what the program and its oracle take both; `options`,
    `oracle_options`: what one of them takes alone."""

    def __init__(self, entry, graph, prefix):
        self.entry, self.graph, self.prefix = entry, graph, prefix
        self.shared, self.reading = [], ["--format", "graphalytics"]
        self.reading.append("--undirected" if graph.undirected else "--directed")
        if entry.get("self_loops"):
            self.shared += ["--self-loops", entry["self_loops"]]
        if entry.get("source"):
            self.shared += ["--source", self.source()]
        if entry.get("sources"):
            chosen = {graph.ids[0], graph.ids[len(graph.ids) // 2], graph.ids[-1]}
            self.shared += ["--sources", ",".join(str(v) for v in sorted(chosen))]
        for name, (low, high) in entry.get("inputs", {}).items():
            self.shared += [f"--{name}", self.input_file(name, low, high)]
        self.options = self.words_of("options")
        self.oracle_options = self.words_of("oracle_options")

    def words_of(self, kind):
        return [word for name, value in self.entry.get(kind, {}).items() for word in (f"--{name}", value)]

    def source(self):
        return self.graph.ids[len(self.graph.ids) // 3]

    def input_file(self, name, low, high):
        file = self.prefix.with_name(f"{self.prefix.name}.{name}")
        spread = [low + (high - low) * (i * 7 % 11) / 10 for i in range(len(self.graph.ids))]
        file.write_text("".join(f"{v} {x:.17g}\n" for v, x in zip(self.graph.ids, spread)))
        return file

    def words(self):
        """The program's command line, up to its schedule."""
        return [str(word) for word in (self.prefix, *self.reading, *self.shared, *self.options)]


def pins(entry):
    """What the compiler is told of the schedule."""
    return ["--schedule", entry["pins"]] if "pins" in entry else []


def schedules(listed, entry):
    """From what --list-schedules prints: as many as the phase with the most variants has, so that each variant of
    each phase runs. Of an entry with pins only those that it names."""
    wanted = entry.get("schedules")
    variants = {}
    for line in listed.splitlines():
        words = line.split()
        if len(words) >= 2 and (wanted is None or words[1] in wanted):
            variants.setdefault(words[0], []).append(words[1])
    most = max((len(names) for names in variants.values()), default=0)
    return [",".join(f"{phase}.variant={names[i % len(names)]}" for phase, names in variants.items())
            for i in range(most)]
