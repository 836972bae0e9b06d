"""What the benchmarks run: the rows of the table, and how each is asked for."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Case:
    """One row of the table."""

    name: str
    program: str
    arguments: tuple = ()
    needs_source: bool = False
    schedule: str = ""  # pinned; empty: auto
    per_sweep: bool = False  # the figure is the time in which as many edges are visited as there are
    checker: str = ""  # a program that checks the answer, where --check would take too long

    def command(self, launcher, graph, path, *more, schedule=None):
        chosen = self.schedule if schedule is None else schedule
        command = [launcher, f"./{self.program}.so", path, *self.arguments]
        if self.needs_source:
            command += ["--source", str(graph.source)]
        if chosen:
            command += ["--schedule", chosen]
        return [*command, *more, "--json", "--quiet"]


CASES = (
    Case("bfs", "bfs", needs_source=True),
    Case("sssp", "sssp", needs_source=True),
    Case("pagerank", "pagerank_l1", checker="check_pagerank"),
    Case("pagerank-iteration", "pagerank", per_sweep=True),
    Case("wcc", "wcc"),
    Case("bc", "bc", needs_source=True, checker="check_bc"),
    Case("bfs_parents", "bfs_parents", needs_source=True),
    Case("sssp_parents", "sssp_parents", needs_source=True),
)
BY_NAME = {case.name: case for case in CASES}
