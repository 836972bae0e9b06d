#!/usr/bin/env python3
"""The GPU suite: every program x every legal schedule against the CPU target's answers, the memory and race checkers on
tiny graphs, the refusals, and a few timings. Each command has a limit of its own, so that a hang costs seconds.

The set of tests is fixed. On a machine that is lent for a time, --budget SECONDS ends the suite in time: tests that did not
begin or were cut short are listed as NOT RUN, and the exit status is 3.

Closes with `N passed, N failed, N skipped`; exit 1 where something failed, 2 where nothing ran.
"""

import argparse
import concurrent.futures
import itertools
import json
import math
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import time

from suite import alone, answers, batches, command_line, graphs, groups, large_graphs, programs, running, sanitizing
from suite.running import ended

HERE = pathlib.Path(__file__).resolve().parent

# (relative, absolute): how far two answers may lie apart where the program iterates to a tolerance.
TOLERANCES = {"pagerank": (1e-3, 5e-3), "php": (1e-6, 1e-6), "personalised_pagerank": (1e-6, 1e-6),
              "rank_in_rounds": (1e-3, 2e-3),
              # A sum of many thousand numbers of 32 bits, in another order.
              "corners_weighed": (1e-5, 0)}
USUAL_TOLERANCE = (1e-6, 1e-7)
# They choose among neighbours both ways: a directed graph has both first.
TAKES_UNDIRECTED = {"mis", "colouring", "colouring_by_turns", "local_clustering_directed"}
# What stays behind in each inbox adds up on large graphs: less of it, and every order agrees.
REFINED = {"personalised_pagerank", "katz", "php", "adsorption"}
# Numbers of shortest paths overflow float64 on long grids: bc runs on a smaller one.
SMALL_ROAD = {"bc"}
# Their certificate costs one pass over the edges; the others' is the interpreter's answer.
CERTIFIED = {"bfs", "bfs_parents", "sssp", "sssp_parents", "widest_path", "wcc", "pagerank",
             "personalised_pagerank", "katz", "php", "adsorption"}
# Seconds of processor time for all runs of a program on tiny graphs.
LIMIT = 300
NOT_RUN = "not run"
TIMED = ("bfs", "sssp", "pagerank", "wcc", "bc")


class Suite(alone.Alone):
    folder = HERE

    def __init__(self, options):
        self.options = options
        self.start = time.monotonic()
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="vertigo-gpu-suite-"))
        self.out = pathlib.Path(os.environ["OUT"])
        self.records = []
        self.lock = threading.Lock()
        self.sources, self.tables = {}, programs.Tables(HERE / "vertigo-graph", self.run)
        self.turns, self.files, self.steps = itertools.count(), itertools.count(), sanitizing.Steps()

    # ---- running and recording

    def environment(self):
        """Of one process; processes take turns among the GPUs."""
        chosen = dict(os.environ, OMP_WAIT_POLICY="passive", OMP_NUM_THREADS=str(self.options.threads))
        if self.options.gpus > 1:
            chosen["CUDA_VISIBLE_DEVICES"] = str(next(self.turns) % self.options.gpus)
        return chosen

    def left(self):
        return self.options.budget - (time.monotonic() - self.start)

    def record(self, test, status, detail="", seconds=0.0, **more):
        # What the end of the budget cut short says nothing.
        if status == "failed" and self.left() <= 0:
            status = NOT_RUN
        with self.lock:
            if len(detail) > 4000:
                detail = f"{detail[:2000]}\n...\n{detail[-2000:]}"
            self.records.append(dict(test=test, status=status, detail=detail, seconds=round(seconds, 3),
                                     at=round(time.monotonic() - self.start, 1), **more))
            if status == "failed":
                print(f"FAILED {test}: {detail.strip().splitlines()[-1] if detail.strip() else ''}",
                      flush=True)

    def verdict(self, test, problem, seconds=0.0, **more):
        """`problem`: "" or None where the test passed."""
        self.record(test, "failed" if problem else "passed", problem or "", seconds, **more)

    def has_time(self, test, seconds=5):
        """Whether the test may begin; it is recorded as not run where it may not."""
        if self.left() >= seconds:
            return True
        self.record(test, NOT_RUN)
        return False

    def run(self, command, limit, **environment):
        """What the command said; its code is None where it ran past its limit."""
        return running.run(command, max(1.0, min(limit, self.left())), cwd=HERE,
                           env=dict(self.environment(), **environment))

    def base(self, name):
        """The example that a program is, whatever was pinned when it was compiled."""
        return self.entry(name).get("base", name)

    def entry(self, name):
        """What manifest.json knows of it."""
        return self.manifest.get(name, {})

    def words(self, name, graph, *arguments, target=None, coarse=False):
        """Of its command line, behind the program. `coarse`: what iterates to a tolerance ends after a few steps."""
        return [*self.tables.words(self.entry(name), graph),
                *self.parameters(name, graph, coarse), "--target", target or self.options.target, *arguments]

    def program(self, name, graph, *arguments):
        """Its command line."""
        return [HERE / "launcher", f"./{name}.so", *self.words(name, graph, *arguments)]

    def parameters(self, name, graph, coarse):
        arguments = []
        source = self.sources.get(str(graph), "1")
        if self.entry(name).get("source"):
            arguments += ["--source", source]
        if self.entry(name).get("sources"):
            arguments += ["--sources", source]
        is_refined = self.base(name) in REFINED
        if coarse and (is_refined or "tolerance" in self.entry(name).get("options", {})):
            arguments += sanitizing.COARSE
        elif is_refined:
            arguments += ["--tolerance", "1e-13"]
        if self.entry(name).get("needs") == "symmetric" or name in TAKES_UNDIRECTED:
            arguments += ["--symmetrize", "--self-loops", "drop", "--duplicates", "min"]
        return arguments

    def groups(self, names, cost=lambda name: 1.0):
        """[(cost, programs)] of processes that run several programs each: about as many as half the jobs. Starting is most of what short
        processes do, and those that share a GPU start one after the other. Programs of one name are in different ones."""
        return groups.of_equal_cost({name: cost(name) for name in names}, self.base, -(-self.options.jobs // 2))

    def in_one_process(self, lines, limit):
        """Runs a command line of each program, {name: words}, in one process; yields (name, Done). What does not end with exit code 0
        there runs once more by itself, and so does what comes behind a run that ends the process."""
        if len(lines) == 1:
            found = []
        else:
            loaded = [f"./{name}.so" for name in lines]
            file = self.work / f"{next(self.files)}.batch"
            batches.write(file, [[*words, "--program", self.base(name)] for name, words in lines.items()])
            done = self.run([HERE / "launcher", *loaded, "--batch", file], limit * len(lines))
            found, _ = batches.printed(done.out)
        for number, (name, words) in enumerate(lines.items()):
            if number < len(found) and found[number][0] == 0:
                yield name, running.Done(0, found[number][1], seconds=done.seconds / len(lines))
            else:
                yield name, self.run([HERE / "launcher", f"./{name}.so", *words], limit)

    # ---- graphs

    def generate(self, name, kind, *sizes):
        path = self.work / f"{name}.graph"
        done = self.run([HERE / "vertigo-graph", "generate", kind, *sizes, path, "--to", "cached", "--quiet"], 120)
        if done.code != 0:
            self.verdict(f"generate {name}", done.reason())
            return None
        return path

    def choose_source(self, graph):
        """The first of some ids from which much of the graph is reached."""
        best, most = "1", -1
        for candidate in ("1", "2", "3", "5", "100", "1000", "5000", "30000", "131072"):
            command = [HERE / "launcher", "./bfs.so", graph, "--source", candidate, "--target", "cpu",
                       "--json", "--quiet"]
            done = self.run(command, 60)
            answer = done.json()
            if done.code != 0 or not answer:
                continue
            reached = answer["results"][0]["finite"] or 0
            if reached > most:
                best, most = candidate, reached
            if most * 4 > answer["graph"]["vertices"]:
                break
        self.sources[str(graph)] = best

    # ---- tests

    def schedules(self, names, graph, label, *more, limit=90):
        """All schedules of each program in one process; each that agrees with the first is a test."""
        lines = {name: self.words(name, graph, "--compare-schedules", "--json", "--quiet", *more)
                 for name in names if self.has_time(f"{name} {label} schedules")}
        for name, done in self.in_one_process(lines, limit) if lines else ():
            test = f"{name} {label}"
            compared = (done.json() or {}).get("comparisons", [])
            for each in compared:
                good = each["agrees"] and each["converged"]
                self.steps.add(name, each["rounds"])
                self.record(f"{test} {each['schedule']}", "passed" if good else "failed",
                            each["difference"] or each["refused"], each["seconds"], rounds=each["rounds"], edges=each["edges"])
            if not compared or (done.code != 0 and all(each["agrees"] for each in compared)):
                self.verdict(f"{test} schedules", f"exit {done.code}, {len(compared)} compared: {done.said()}", done.seconds)

    def certificate(self, name, graph, label):
        """The preferred schedule's answer by itself."""
        test = f"{name} {label} certificate"
        if self.has_time(test):
            done = self.run(self.program(name, graph, "--check", "--quiet"), self.options.limit)
            self.verdict(test, ended(done, 0), done.seconds)

    def answers(self, names, graph, label, limit=90):
        """The preferred schedule's answer of each program against the CPU target's."""
        names = [name for name in names if self.has_time(f"{name} {label} against cpu")]
        problems, seconds = {}, dict.fromkeys(names, 0.0)
        for is_expected, target in ((False, self.options.target), (True, "cpu")):
            lines = {name: self.words(name, graph, "--output", self.answer(name, label, is_expected), "--quiet",
                                      *(["--check"] if target != "cpu" and self.base(name) in CERTIFIED else []), target=target)
                     for name in names}
            for name, done in self.in_one_process(lines, limit) if lines else ():
                seconds[name] += done.seconds
                if done.code != 0:
                    problems[name] = f"{target}: {ended(done, 0)}"
        for name in names:
            files = [self.answer(name, label, is_expected) for is_expected in (False, True)]
            if name not in problems:
                problems[name] = answers.difference(*files, TOLERANCES.get(self.base(name), USUAL_TOLERANCE))
            self.verdict(f"{name} {label} against cpu", problems[name], seconds[name])
            for path in files:
                path.unlink(missing_ok=True)

    def answer(self, name, label, is_expected):
        return self.work / f"{name}-{label}-{'expected' if is_expected else 'found'}.txt"

    def random(self, name):
        """Every schedule on many tiny graphs; one test per schedule, and one for each graph that goes wrong."""
        test = f"{name} on random graphs"
        if not self.has_time(test, 20):
            return
        begin, right = time.monotonic(), {}
        chosen = [*graphs.tiny_graphs(), graphs.long_list(), *graphs.engine_graphs(130),
                  *(graphs.odd_graph(index % 7, index) for index in range(self.options.random))]
        with tempfile.TemporaryDirectory(dir=command_line.in_memory() or self.work) as place:
            try:
                batch = batches.Batch(self.manifest[name], [HERE / "launcher", HERE / f"{name}.so"], pathlib.Path(place),
                                      "random", self.options.target, turns=self.options.turns)
            except running.Failure as problem:
                return self.verdict(test, str(problem))
            for name_of_test, problem in batch.run(chosen, LIMIT, self.environment()):
                if problem:
                    self.verdict(name_of_test, problem)
                else:
                    schedule = name_of_test.split("/")[2]
                    right[schedule] = right.get(schedule, 0) + 1
        for schedule, count in right.items():
            self.record(f"{test} {schedule}", "passed", f"{count} graphs", time.monotonic() - begin, graphs=count)

    def planted(self, checker):
        """The checker reports its fault and nothing where there is none."""
        for fault, expected in ((sanitizing.PLANTED[checker], sanitizing.FAULTY), ("none", 0)):
            done = self.run(sanitizing.command(checker, HERE / "planted", fault), 60)
            self.verdict(f"{checker} on planted fault '{fault}'", ended(done, expected), done.seconds)

    def sanitize(self, checker, names, variants, places):
        """Each variant of each phase of each program on each graph; the answers are other tests'. Where the checker has something to say,
        each program runs by itself."""
        names = [name for name in names if self.has_time(f"{checker} {name}", 20)]
        if not names:
            return
        lines = {name: [[*self.words(name, graph, *each, "--quiet", coarse=True), "--program", self.base(name)]
                        for graph in places.values() for each in variants[name]] for name in names}
        file = self.work / f"{next(self.files)}.batch"
        batches.write(file, itertools.chain(*lines.values()))
        done = self.run(sanitizing.command(checker, HERE / "launcher", *(f"./{name}.so" for name in names), "--batch", file),
                        sanitizing.LIMIT * len(names))
        problem = sanitizing.problem(done, checker, sum(map(len, lines.values())))
        if problem and len(names) > 1:
            for name in names:
                self.sanitize(checker, [name], variants, places)
            return
        for name in names:
            self.verdict(f"{checker} {name}", problem, done.seconds / len(names), runs=len(lines[name]))

    def timings(self, places):
        """One program at a time, with nothing beside it."""
        rows = []
        for label, graph in places.items():
            for name in TIMED:
                if label.startswith("road") and name in SMALL_ROAD:
                    continue
                if not self.has_time(f"{name} {label} timing", 10):
                    continue
                done = self.run(self.program(name, graph, "--runs", "5", "--json", "--quiet"), 60)
                answer = done.json()
                if done.code == 0 and answer:
                    rows.append((name, label, answer["runs"]["median"] * 1e3,
                                 answer["seconds"]["transfer"] * 1e3,
                                 sum(p["steps"] for p in answer["phases"]),
                                 answer["phases"][0]["schedule"]))
        return rows

    # ---- the whole

    def main(self):
        names = sorted(path.stem for path in HERE.glob("*.so"))
        if self.options.only:
            names = [name for name in names if name in self.options.only.split(",")]
        self.announce(names)
        self.manifest = programs.read_manifest(HERE / "manifest.json")[0]
        if self.options.large:
            return self.large(names, self.options.large.split(","))
        tiny, large, small_road = self.graphs()
        self.alone(names, tiny)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            # What is pinned runs one schedule: its answer is all there is to compare.
            unpinned = [name for name in names if self.base(name) == name]
            wait(pool.submit(self.schedules, group, path, label)
                 for label, path in tiny.items() for _, group in self.groups(unpinned))
            self.passed_stage("schedules on tiny graphs")
            tests = [(self.steps.seconds("random", name), self.random, name) for name in names if name in self.manifest]
            tests += self.sanitized(pool, names, {label: tiny[label] for label in ("kron8", "star") if label in tiny})
            tests += [(0, test, group, path, label)
                      for label, path in large.items()
                      for test, those in ((self.answers, names), (self.schedules, unpinned))
                      for path, chosen in self.by_graph(those, path, label, small_road)
                      for _, group in self.groups(chosen)]
            # The longest first, so that none of them is waited for alone.
            wait([pool.submit(test, *words) for _, test, *words in sorted(tests, key=lambda test: -test[0])])
            self.passed_stage("checkers, random graphs, large graphs")
        rows = self.timings(large)
        return self.report(rows)

    def graphs(self):
        """(tiny graphs by label, large ones, the road for what is too long on the large one)"""
        size = self.options.scale
        tiny = {"kron8": self.generate("kron8", "kron", 8, 8),
                "star": self.generate("star", "star", 3000),
                "path": self.generate("path", "path", 40)}
        large = {f"kron{size}": self.generate(f"kron{size}", "kron", size, 16),
                 "road": self.generate("road", "road", self.options.side, self.options.side),
                 f"rmat{size}": self.generate(f"rmat{size}", "rmat", size, 16)}
        small_road = self.generate("small-road", "road", 60, 60)
        for group in (tiny, large):
            for label in [label for label, path in group.items() if path is None]:
                del group[label]
            for path in group.values():
                self.choose_source(path)
        self.choose_source(small_road)
        return tiny, large, small_road

    def by_graph(self, names, path, label, small_road):
        """[(graph, programs)]: some have a smaller road."""
        on_small = [name for name in names if label == "road" and name in SMALL_ROAD]
        others = [name for name in names if name not in on_small]
        return [(graph, chosen) for graph, chosen in ((path, others), (small_road, on_small)) if chosen]

    def sanitized(self, pool, names, places):
        """The tests under checkers, as (seconds that one may take, test, words of it)."""
        if self.options.target != "gpu" or not shutil.which("compute-sanitizer"):
            self.record("compute-sanitizer", "skipped", "not installed, or no GPU asked for")
            return []
        variants = dict(zip(names, pool.map(self.variants, names)))
        tests = [(sanitizing.LIMIT, self.planted, checker) for checker in sanitizing.CHECKERS]
        for checker in sanitizing.CHECKERS:
            def cost(name, checker=checker):
                return self.steps.seconds(checker, self.base(name), len(variants[name]) * len(places))

            tests += [(seconds, self.sanitize, checker, group, variants, places)
                      for seconds, group in self.groups([name for name in names if variants[name]], cost)]
        return tests

    def variants(self, name):
        """Words that pin a run, so that each variant of each phase is in one; a program without phases has one run."""
        try:
            listed = programs.schedules([HERE / "launcher", HERE / f"{name}.so"], self.entry(name).get("schedules"))
            return [["--schedule", each] for each in listed] or [[]]
        except running.Failure as problem:
            return self.verdict(f"{name} variants", str(problem))

    def passed_stage(self, label):
        print(f"{time.monotonic() - self.start:.0f} s: {label}", flush=True)

    def large(self, names, labels):
        """Every variant on the graphs of the benchmarks. The first answer is checked, by its certificate or against the
        CPU target's, and the other schedules must agree with it. Where a hybrid was pinned, the others are those of
        the same program without it."""
        chosen = self.options.only.split(",") if self.options.only else [
            name for name in names
            if self.base(name) == name or "hybrid" in self.entry(name).get("schedules", ())]

        def examine(name, path, label):
            is_certified = self.base(name) in CERTIFIED
            if self.base(name) == name:
                self.schedules([name], path, label, *(["--check"] if is_certified else []), limit=self.options.limit)
            elif is_certified:
                self.certificate(name, path, label)
            if not is_certified:
                self.answers([name], path, label, limit=self.options.limit)

        for label in labels:
            graph = large_graphs.BY_NAME[label]
            path = self.generate(label, *graph.arguments, *(["--transpose"] if graph.directed else []))
            if path is None:
                continue
            self.sources[str(path)] = str(graph.source)
            with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
                wait([pool.submit(examine, name, path, label) for name in chosen])
            path.unlink()
            print(f"{label}: {time.monotonic() - self.start:.0f} s", flush=True)
        return self.report([])

    def announce(self, names):
        done = self.run(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"], 20)
        self.device = done.out.strip() if done.code == 0 else "no GPU"
        print(f"{len(names)} programs, target {self.options.target}, {self.device}", flush=True)

    def report(self, rows):
        counts = {status: sum(r["status"] == status for r in self.records)
                  for status in ("passed", "failed", "skipped", NOT_RUN)}
        (self.out / "gpu-suite.json").write_text(json.dumps(
            {"device": self.device, "seconds": time.monotonic() - self.start, "counts": counts,
             "timings": rows, "records": self.records}, indent=1))
        failures = [r for r in self.records if r["status"] == "failed"]
        (self.out / "failures.txt").write_text("".join(
            f"==== {r['test']}\n{r['detail']}\n" for r in failures))
        if rows:
            print(f"{'program':10} {'graph':8} {'run ms':>9} {'copy ms':>9} {'steps':>6}  schedule")
            for name, label, run, copy, steps, schedule in rows:
                print(f"{name:10} {label:8} {run:9.3f} {copy:9.2f} {steps:6}  {schedule}")
        print(f"{time.monotonic() - self.start:.0f} s; log in {self.out / 'gpu-suite.json'}")
        for each in self.records:
            if each["status"] == NOT_RUN:
                print(f"NOT RUN  {each['test']}")
        if counts[NOT_RUN]:
            print(f"{counts[NOT_RUN]} tests NOT RUN: the budget of {self.options.budget:.0f} s was spent")
        print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
        shutil.rmtree(self.work, ignore_errors=True)
        if counts["failed"]:
            return 1
        return 3 if counts[NOT_RUN] else 0 if counts["passed"] else 2


def wait(futures):
    for future in list(futures):
        future.result()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="gpu", choices=("gpu", "cpu"))
    parser.add_argument("--budget", type=float, default=math.inf, help="seconds for the whole; what is left out then is listed, and the exit status is 3 (no end)")
    parser.add_argument("--limit", type=float, default=460, help="seconds for one command on a graph of --large (460)")
    parser.add_argument("--jobs", type=int, default=6, help="programs at a time")
    parser.add_argument("--gpus", type=int, default=1, help="GPUs that programs are spread over")
    parser.add_argument("--threads", type=int, default=4, help="CPU threads of each")
    parser.add_argument("--scale", type=int, default=18, help="of kron and rmat: log2 of vertices")
    parser.add_argument("--side", type=int, default=1000, help="of the road grid")
    parser.add_argument("--random", type=int, default=200, help="random tiny graphs for each program and schedule")
    parser.add_argument("--turns", type=int, default=1, help="each schedule that is no engine's runs on every so-manieth tiny graph (1: on all)")
    parser.add_argument("--large", default="", help="every variant, on these graphs of the benchmarks alone, separated by commas: "
                        + " ".join(large_graphs.BY_NAME))
    parser.add_argument("--only", default="", help="programs, separated by commas")
    return Suite(parser.parse_args()).main()


if __name__ == "__main__":
    sys.exit(main())
