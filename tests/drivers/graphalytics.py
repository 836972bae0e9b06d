#!/usr/bin/env python3
"""The six algorithms of LDBC Graphalytics, on its folders of graphs or as its harness calls a platform.

  graphalytics.py run --graphs GRAPHS                      what GRAPHS/*.properties state, validated
  graphalytics.py run --config config/benchmark.properties the same, as the harness is configured
  graphalytics.py load-graph … | execute-job … | unload-graph …
                                                           what the scripts of a platform's driver call

docs/how-to/run-benchmarks.md has the layout of the folders.
"""

import argparse
import json
import pathlib
import shutil
import sys
import tempfile
import time

import compiled
from suite import running

EXAMPLES = compiled.EXAMPLES


class Algorithm:
    """`parameters`: option of the program by the name that properties and the harness have for it; `rule`: of vertigo-graph
    validate."""

    def __init__(self, program, rule, **parameters):
        self.program, self.rule, self.parameters = program, rule, parameters


PROGRAMS = compiled.ROOT / "tests/run/programs"
SSSP = PROGRAMS / "sssp_float64.vg"
# Its graph has both directions of every edge, and a weight that says how many of them were there.
LCC_DIRECTED = PROGRAMS / "local_clustering_directed.vg"
ALGORITHMS = {
    "bfs": Algorithm(EXAMPLES / "01-bfs/bfs.vg", "exact", source="source-vertex"),
    "pr": Algorithm(EXAMPLES / "14-pagerank-graphalytics/pagerank_graphalytics.vg", "epsilon", damping="damping-factor", rounds="num-iterations"),
    "wcc": Algorithm(EXAMPLES / "06-wcc/wcc.vg", "equivalence"),
    "cdlp": Algorithm(EXAMPLES / "15-cdlp/cdlp.vg", "exact", rounds="max-iterations"),
    "lcc": Algorithm(EXAMPLES / "20-local-clustering/local_clustering.vg", "epsilon"),
    "sssp": Algorithm(SSSP, "epsilon", source="source-vertex"),
}


def read_properties(file):
    """{name: value}; `include = FILE` stands for what that file says."""
    found = {}
    for number, line in enumerate(file.read_text().splitlines(), 1):
        line = line.strip()
        if not line or line[0] in "#!":
            continue
        name, equals, value = (word.strip() for word in line.partition("="))
        if not equals:
            raise running.Failure(f"{file}:{number}: a line is name = value")
        if name == "include":
            found.update(read_properties(file.parent / value))
        else:
            found[name] = value
    return found


def words_of(value):
    return [word.strip() for word in value.split(",") if word.strip()]


class Graph:
    """What NAME.properties states; its files lie beside it, or in the folder that GRAPHS says."""

    def __init__(self, file):
        self.name, self.folder = file.stem, file.parent
        prefix = f"graph.{self.name}."
        self.stated = {name.removeprefix(prefix): value for name, value in read_properties(file).items()
                       if name.startswith(prefix)}
        for name in ("vertex-file", "edge-file", "directed", "algorithms"):
            if name not in self.stated:
                raise running.Failure(f"{file}: {prefix}{name} is missing")
        self.directed = self.stated["directed"].lower() == "true"
        self.algorithms = [name.lower() for name in words_of(self.stated["algorithms"])]

    def prefix(self):
        """The path of the two files without their endings, as the graphalytics format is read."""
        vertices, edges = (self.folder / self.stated[name] for name in ("vertex-file", "edge-file"))
        if vertices.with_suffix("") != edges.with_suffix("") or (vertices.suffix, edges.suffix) != (".v", ".e"):
            raise running.Failure(f"{self.name}: the files of a graph are NAME.v and NAME.e, not {vertices.name} and {edges.name}")
        return edges.with_suffix("")

    def parameters(self, algorithm):
        """The words of the program's command line; a Failure where the properties leave one out."""
        words = []
        for option, stated in ALGORITHMS[algorithm].parameters.items():
            name = f"{algorithm}.{stated}"
            if name not in self.stated:
                raise running.Failure(f"{self.name}: graph.{self.name}.{name} is missing")
            words += [f"--{option}", self.stated[name]]
        return words


def known(algorithm):
    if algorithm not in ALGORITHMS:
        raise running.Failure(f"Graphalytics has no algorithm {algorithm}; it has {', '.join(ALGORITHMS)}")
    return ALGORITHMS[algorithm]


def counts_directions(algorithm, directed):
    return algorithm == "lcc" and directed


def program_for(algorithm, directed):
    return LCC_DIRECTED if counts_directions(algorithm, directed) else ALGORITHMS[algorithm].program


def reading(directed):
    return ["--format", "graphalytics", "--directed" if directed else "--undirected"]


COUNTING = ["--format", "graphalytics", "--undirected", "--duplicates", "sum", "--self-loops", "drop"]


def count_directions(graph, folder):
    """The graph for COUNTING: every edge weighs 1 and leads to the larger id, so that two directions are one edge twice."""
    made = folder / "directions"
    shutil.copyfile(graph.with_name(graph.name + ".v"), made.with_suffix(".v"))
    with open(graph.with_name(graph.name + ".e"), encoding="ascii") as edges, open(made.with_suffix(".e"), "w", encoding="ascii") as counted:
        for line in edges:
            ends = sorted(map(int, line.split()[:2]))
            if ends:
                counted.write(f"{ends[0]} {ends[1]} 1\n")
    return made


class Suite:
    """`run`: each algorithm on each graph; the outcomes are lines, and objects in OUTPUT/report.json."""

    def __init__(self, options, programs):
        stated = read_properties(options.config) if options.config else {}
        self.graphs = pathlib.Path(options.graphs or stated.get("graphs.root-directory", ""))
        self.answers = pathlib.Path(options.validation or stated.get("graphs.validation-directory", self.graphs))
        self.output = pathlib.Path(options.output or stated.get("graphs.output-directory", "graphalytics-output"))
        self.names = words_of(options.only_graphs or stated.get("benchmark.custom.graphs", ""))
        self.chosen = [name.lower() for name in words_of(options.algorithms or stated.get("benchmark.custom.algorithms", ""))]
        self.repetitions = options.repetitions or int(stated.get("benchmark.custom.repetitions", 1))
        self.validates = stated.get("benchmark.custom.validation-required", "true").lower() == "true"
        self.limit = float(stated.get("benchmark.custom.timeout", options.timeout))
        self.programs = programs
        self.jobs = []
        if not self.graphs.is_dir() or not (options.graphs or stated):
            raise running.Failure("no folder of graphs: give --graphs, or graphs.root-directory in --config")

    def run(self):
        self.output.mkdir(parents=True, exist_ok=True)
        files = [self.graphs / f"{name}.properties" for name in self.names] or sorted(self.graphs.glob("*.properties"))
        for file in files:
            if not file.is_file():
                raise running.Failure(f"{file}: there is no such graph")
            graph = Graph(file)
            for algorithm in graph.algorithms:
                if not self.chosen or algorithm in self.chosen:
                    self.jobs.append(self.job(graph, algorithm))
                    print(line_of(self.jobs[-1]), flush=True)
        (self.output / "report.json").write_text(json.dumps(self.jobs, indent=1) + "\n")
        if not self.jobs:
            raise running.Failure(f"{self.graphs}: no graph there states a chosen algorithm")
        failed = sum(job["outcome"] == "failed" for job in self.jobs)
        print(f"{len(self.jobs)} jobs, {failed} failed; {self.output / 'report.json'}")
        return 8 if failed else 0

    def job(self, graph, algorithm):
        job = {"graph": graph.name, "algorithm": algorithm.upper(), "outcome": "unvalidated", "said": ""}
        output = self.output / f"{graph.name}-{algorithm.upper()}"
        try:
            known(algorithm)
            with tempfile.TemporaryDirectory(prefix="vertigo-lcc-") as folder:
                source = [graph.prefix(), *reading(graph.directed)]
                if counts_directions(algorithm, graph.directed):
                    source = [count_directions(graph.prefix(), pathlib.Path(folder)), *COUNTING]
                words = [*source, *graph.parameters(algorithm), "--runs", self.repetitions, "--output", output,
                         "--output-format", "text"]
                answer = self.programs.run(program_for(algorithm, graph.directed), words, self.limit)
            seconds = answer["seconds"]
            job.update(processing=answer["runs"]["median"] if self.repetitions > 1 else seconds["run"],
                       loading=seconds["load"] + seconds["preprocess"] + seconds["preparation"] + seconds["transfer"],
                       makespan=seconds["wall"])
            self.validate(job, algorithm, output)
        except running.Failure as failure:
            job.update(outcome="failed", said=str(failure))
        return job

    def validate(self, job, algorithm, output):
        answer = self.answers / f"{job['graph']}-{job['algorithm']}"
        if not self.validates:
            return
        if not answer.is_file():
            job["said"] = f"there is no {answer.name} to validate with"
            return
        done = running.run([self.programs.graph_tool, "validate", output, answer, "--rule", ALGORITHMS[algorithm].rule])
        job.update(outcome="good" if done.code == 0 else "failed", said=done.said())


def line_of(job):
    times = f"  loading {job['loading']:.6f} s, processing {job['processing']:.6f} s" if "processing" in job else ""
    said = f"  ({job['said']})" if job["said"] and job["outcome"] != "good" else ""
    return f"{job['outcome']:<11} {job['algorithm']:<4} {job['graph']}{times}{said}"


def flag(text):
    if text.lower() not in ("true", "false"):
        raise argparse.ArgumentTypeError("true or false")
    return text.lower() == "true"


# What load-graph leaves in its output folder; of a directed graph the second, too.
LOADED, COUNTED = "graph.vgg", "directions.vgg"


def load_graph(options, programs):
    """Converts once to the cached form, which all jobs then read as it lies."""
    if options.edges.with_suffix("") != options.vertices.with_suffix(""):
        raise running.Failure("the files of a graph are NAME.v and NAME.e")
    graph = options.edges.with_suffix("")
    options.output_path.mkdir(parents=True, exist_ok=True)
    (options.output_path / COUNTED).unlink(missing_ok=True)

    def convert(source, name, words):
        running.succeed([programs.graph_tool, "convert", source, options.output_path / name, *words, "--transpose", "--quiet"],
                        options.timeout)
    convert(graph, LOADED, reading(options.directed))
    if options.directed:
        with tempfile.TemporaryDirectory(prefix="vertigo-lcc-") as folder:
            convert(count_directions(graph, pathlib.Path(folder)), COUNTED, COUNTING)
    return 0


def execute_job(options, programs):
    algorithm = options.algorithm.lower()
    directed = (options.input_path / COUNTED).is_file()
    loaded = COUNTED if counts_directions(algorithm, directed) else LOADED
    given = {"source-vertex": options.source_vertex, "damping-factor": options.damping_factor,
             "num-iterations": options.max_iteration, "max-iterations": options.max_iteration}
    words = [options.input_path / loaded, "--format", "cached", "--output", options.output_path, "--output-format", "text"]
    for option, name in known(algorithm).parameters.items():
        if given[name] is None:
            raise running.Failure(f"{options.algorithm}: {name} is missing")
        words += [f"--{option}", given[name]]
    if options.num_threads:
        words += ["--threads", options.num_threads]
    answer = programs.run(program_for(algorithm, directed), words, options.timeout)
    # The harness takes the processing time from these two lines of the log.
    end = int(time.time() * 1000)
    log = (f"Processing starts at: {end - round(answer['seconds']['run'] * 1000)}\n"
           f"Processing ends at: {end}\n")
    print(log, end="")
    if options.log_path:
        options.log_path.mkdir(parents=True, exist_ok=True)
        (options.log_path / "vertigo.log").write_text(f"job {options.job_id}\n{log}{json.dumps(answer)}\n")
    return 0


def unload_graph(options, _):
    if not (options.output_path / LOADED).is_file():
        raise running.Failure(f"{options.output_path}: no loaded graph is there")
    for name in (LOADED, COUNTED):
        (options.output_path / name).unlink(missing_ok=True)
    if not any(options.output_path.iterdir()):
        options.output_path.rmdir()
    return 0


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)

    def command(name, function):
        made = commands.add_parser(name)
        made.set_defaults(function=function)
        compiled.add_options(made)
        return made

    run = command("run", lambda options, programs: Suite(options, programs).run())
    run.add_argument("--config", type=pathlib.Path, help="benchmark.properties of the harness")
    run.add_argument("--graphs", help="folder of NAME.properties, NAME.v and NAME.e")
    run.add_argument("--validation", help="folder of NAME-ALGORITHM, the reference answers (that of the graphs)")
    run.add_argument("--output", help="folder for answers and report.json (graphalytics-output)")
    run.add_argument("--only-graphs", help="names, separated by commas (all)")
    run.add_argument("--algorithms", help="of " + ",".join(ALGORITHMS) + " (all that a graph states)")
    run.add_argument("--repetitions", type=int, help="runs of each job (1)")

    load = command("load-graph", load_graph)
    load.add_argument("--graph-name", required=True)
    load.add_argument("--input-vertex-path", dest="vertices", type=pathlib.Path, required=True)
    load.add_argument("--input-edge-path", dest="edges", type=pathlib.Path, required=True)
    load.add_argument("--output-path", type=pathlib.Path, required=True)
    load.add_argument("--directed", type=flag, required=True)
    load.add_argument("--weighted", type=flag, help="whether edges have weights; the reader sees it")

    execute = command("execute-job", execute_job)
    execute.add_argument("--job-id", required=True)
    execute.add_argument("--algorithm", required=True)
    execute.add_argument("--input-path", type=pathlib.Path, required=True, help="what load-graph had as --output-path")
    execute.add_argument("--output-path", type=pathlib.Path, required=True)
    execute.add_argument("--log-path", type=pathlib.Path)
    execute.add_argument("--source-vertex")
    execute.add_argument("--max-iteration")
    execute.add_argument("--damping-factor")
    execute.add_argument("--num-threads", type=int)

    unload = command("unload-graph", unload_graph)
    unload.add_argument("--graph-name", required=True)
    unload.add_argument("--output-path", type=pathlib.Path, required=True)
    return parser.parse_args()


def main():
    options = read_options()
    return options.function(options, compiled.programs_of(options))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (running.Failure, OSError) as failure:
        sys.exit(f"error: {failure}")
