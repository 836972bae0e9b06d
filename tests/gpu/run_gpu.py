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
import re
import shutil
import sys
import tempfile
import threading
import time

from suite import answers, batches, command_line, controllers, graphs, large_graphs, programs, running

HERE = pathlib.Path(__file__).resolve().parent

# (relative, absolute): how far two answers may lie apart where the program iterates to a tolerance.
TOLERANCES = {"pagerank": (1e-3, 5e-3), "php": (1e-6, 1e-6), "personalised_pagerank": (1e-6, 1e-6)}
USUAL_TOLERANCE = (1e-6, 1e-7)
# They choose among neighbours both ways: a directed graph has both first.
TAKES_UNDIRECTED = {"mis", "colouring", "local_clustering_directed"}
# What stays behind in each inbox adds up on large graphs: less of it, and every order agrees.
REFINED = {"personalised_pagerank", "katz", "php", "adsorption"}
# Numbers of shortest paths overflow float64 on long grids: bc runs on a smaller one.
SMALL_ROAD = {"bc"}
# Their certificate costs one pass over the edges; the others' is the interpreter's answer.
CERTIFIED = {"bfs", "bfs_parents", "sssp", "sssp_parents", "widest_path", "wcc", "pagerank",
             "personalised_pagerank", "katz", "php", "adsorption"}
CHECKERS = ("memcheck", "racecheck", "initcheck", "synccheck")
# Seconds of processor time for all runs of a program on tiny graphs.
LIMIT = 300
# A fault of planted.cu that each checker must report.
PLANTED = {"memcheck": "bounds", "racecheck": "race", "initcheck": "unwritten", "synccheck": "barrier"}
NOT_RUN = "not run"
TIMED = ("bfs", "sssp", "pagerank", "wcc", "bc")
# Of the device headers by themselves.
DEVICE_TESTS = {"preparations": "prepare_test", "balance": "balance_test", "parts": "parts_test", "combine": "combine_test",
                "neighbourhoods": "neighbourhoods_test", "colouring": "colouring_test", "donations": "donations_test",
                "texts": "text_test"}


class Suite:
    def __init__(self, options):
        self.options = options
        self.start = time.monotonic()
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="vertigo-gpu-suite-"))
        self.out = pathlib.Path(os.environ["OUT"])
        self.records = []
        self.lock = threading.Lock()
        self.sources, self.tables = {}, programs.Tables(HERE / "vertigo-graph", self.run)
        self.turns = itertools.count()

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
            self.records.append(dict(test=test, status=status, detail=detail[-2000:],
                                     seconds=round(seconds, 3), **more))
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

    def program(self, name, graph, *arguments, target=None):
        return [HERE / "launcher", f"./{name}.so", *self.tables.words(self.entry(name), graph), *self.parameters(name, graph), "--target",
                target or self.options.target, *arguments]

    

    def parameters(self, name, graph):
        arguments = []
        source = self.sources.get(str(graph), "1")
        if self.entry(name).get("source"):
            arguments += ["--source", source]
        if self.entry(name).get("sources"):
            arguments += ["--sources", source]
        if self.base(name) in REFINED:
            arguments += ["--tolerance", "1e-13"]
        if self.entry(name).get("needs") == "symmetric" or name in TAKES_UNDIRECTED:
            arguments += ["--symmetrize", "--self-loops", "drop", "--duplicates", "min"]
        return arguments

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

    def schedules(self, name, graph, label, *more, limit=90):
        """All schedules in one process; each that agrees with the first is a test."""
        test = f"{name} {label}"
        if not self.has_time(f"{test} schedules"):
            return
        done = self.run(self.program(name, graph, "--compare-schedules", "--json", "--quiet", *more), limit)
        compared = (done.json() or {}).get("comparisons", [])
        for each in compared:
            good = each["agrees"] and each["converged"]
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

    def answers(self, name, graph, label, limit=90):
        """The preferred schedule's answer against the CPU target's."""
        test = f"{name} {label} against cpu"
        if not self.has_time(test):
            return
        files = []
        for target in (self.options.target, "cpu"):
            files.append(self.work / f"{name}-{label}-{target}-{len(files)}.txt")
            check = ["--check"] if target != "cpu" and self.base(name) in CERTIFIED else []
            done = self.run(self.program(name, graph, "--output", files[-1], "--quiet", *check, target=target), limit)
            if done.code != 0:
                return self.verdict(test, f"{target}: {ended(done, 0)}", done.seconds)
        self.verdict(test, answers.difference(*files, TOLERANCES.get(self.base(name), USUAL_TOLERANCE)))
        for path in files:
            path.unlink()

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
                                      "random", self.options.target)
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
        for fault, expected in ((PLANTED[checker], 99), ("none", 0)):
            done = self.run(["compute-sanitizer", "--tool", checker, "--error-exitcode", "99", HERE / "planted", fault], 60)
            self.verdict(f"{checker} on planted fault '{fault}'", ended(done, expected), done.seconds)

    def watchdog(self):
        """A debug build ends a wait without end, and says where it was."""
        done = self.run([HERE / "planted", "hang"], 60)
        self.verdict("watchdog on planted fault 'hang'", ended(done, 1, "what it waits for does not come"), done.seconds)

    def sanitize(self, checker, name, graph, label):
        test = f"{checker} {name} {label}"
        if not self.has_time(test, 20):
            return
        done = self.run(
            ["compute-sanitizer", "--tool", checker, "--error-exitcode", "99", "--launch-timeout", "60",
             *self.program(name, graph, *(["--compare-schedules"] if self.base(name) == name else []), "--quiet")], 120)
        clean = "RACECHECK SUMMARY: 0 hazards" if checker == "racecheck" else "ERROR SUMMARY: 0 errors"
        self.verdict(test, ended(done, 0, clean), done.seconds)

    def refusals(self, graph):
        """What a machine or a limit makes impossible is said in one line, with its own exit code."""
        hidden = [HERE / "sssp", graph, "--source", "1", "--target", "gpu", "--quiet"]
        cases = [("no visible GPU", hidden, 4, {"CUDA_VISIBLE_DEVICES": "-1"}, "")]
        if self.options.target == "gpu":
            cases += [
                ("standalone binary", [HERE / "sssp", graph, "--source", "1", "--target", "gpu",
                                       "--check"], 0, {}, ""),
                ("auto takes the GPU", [HERE / "sssp", graph, "--source", "1"], 0, {}, "gpu"),
                ("device memory too small", [*hidden, "--device-memory", "1KiB"], 5, {}, "needed"),
                ("dry run", [*hidden[:-1], "--dry-run"], 0, {}, "distance"),
                *((label, [HERE / test], 0, {}, "0 differences") for label, test in DEVICE_TESTS.items()),
            ]
        for label, command, expected, environment, word in cases:
            done = self.run(command, 30, **environment)
            problem = ended(done, expected, word)
            if expected != 0 and done.errors.count("\n") > 1:
                problem = problem or f"more than one line: {done.errors}"
            self.verdict(f"refusal: {label}", problem, done.seconds)

    def fallback(self, graph):
        """Where the prepared graph alone does not fit, `auto` takes the graph as it is, and says so; where edges may be left on
        the host, it runs in the least memory that zero-copy needs."""
        for name in ("bfs", "sssp", "pagerank"):
            command = [*self.program(name, graph), "--json", "--quiet"]
            least = self.run([*command, "--dry-run", "--transfer", "zero-copy", "--prepare", "never"], 30).json()
            done = self.run([*command, "--check", "--device-memory", str(least["device_bytes"])], 30)
            problem = ended(done, 0) or ("" if "memory" in done.json() else "it does not say what lies in host memory")
            self.verdict(f"{name} where memory does not allow its edges", problem)
            command += ["--transfer", "resident"]
            done = self.run([*command, "--dry-run", "--prepare", "always"], 30)
            if done.code == 0 and done.json():
                budget = str(done.json()["device_bytes"] - 1)
                done = self.run([*command, "--check", "--device-memory", budget], 30)
            said = (done.json() or {}).get("phases", [{}])[0].get("reason", "")
            problem = ended(done, 0) or ("" if "memory does not allow" in said else f"it says '{said}'")
            self.verdict(f"{name} where memory does not allow its preparation", problem)

    def packed(self, graph):
        """Rows that do not fit are packed: all of them over the link, and some of them on the device."""
        if graph is None:
            return  # a failure of its own
        command, away = [*self.program("pagerank", graph), "--json", "--quiet"], ["--transfer", "zero-copy", "--prepare", "always"]
        shares, plan = [], self.run([*command, "--dry-run", *away], 30).json()
        for words in (away, ["--device-memory", str(plan["device_bytes"])]):
            done = self.run([*command, "--check", *words], 60)
            said = re.search(r"rows packed to .*? \((\d+) bytes\), of which each sweep reads .*?(\d+) bytes", done.said())
            shares.append([int(number) for number in said.groups()] if said and done.code == 0 else [0, 0])
        self.verdict("packed rows, over the link and partly on the device",
                     "" if 0 < shares[1][1] < shares[0][1] == shares[0][0] else f"packed and read in each sweep: {shares}")

    def together(self, graph):
        """Runs of two programs at the same time in one process, each on a stream of its own."""
        lines, pair = self.work / "together.lines", ("sssp", "pagerank")
        runs = [self.program(name, graph, "--program", name, "--check", "--quiet")[2:] for name in pair * 4]
        lines.write_text("".join("\t".join(map(str, words)) + "\n" for words in runs))
        done = self.run([HERE / "launcher", *(HERE / f"{name}.so" for name in pair), "--together", lines], 60)
        self.verdict("eight runs at the same time", ended(done, 0, "".join(f"== {number} 0\n" for number in range(8))))

    def switches(self):
        """Where a controller changes paths (suite/controllers.py), on graphs large enough to need it."""
        for name, (program, generate, source, expectation) in controllers.EXPECTED.items():
            test = f"{program} switches: {name}"
            if not (HERE / f"{program}.so").exists():
                self.record(test, "skipped", "no program")
                continue
            kind, *sizes = generate
            larger = [sizes[0] + 2, *sizes[1:]] if kind == "kron" else [size * 5 for size in sizes]
            graph = self.generate(f"switches-{kind}", kind, *larger)
            if graph is None:
                continue  # a failure of its own
            trace = self.work / "switches.jsonl"
            chosen = ["--source", source] if source is not None else []
            done = self.run(
                [HERE / "launcher", f"./{program}.so", graph, *chosen, "--target", self.options.target, "--check",
                 "--quiet", "--trace", trace], 60)
            self.verdict(test, ended(done, 0) or expectation(controllers.steps(trace)), done.seconds)
            graph.unlink()

    def deterministic(self, graph, names=("pagerank", "katz")):
        """Two runs write the same bytes."""
        for name in names:
            answers, problem = [], ""
            for turn in range(2):
                path = self.work / f"{name}-deterministic-{turn}.txt"
                done = self.run(self.program(name, graph, "--deterministic", "--output", path, "--quiet"), 60)
                problem = problem or ended(done, 0)
                answers.append(batches.take(path))
            if not problem and not answers[0]:
                problem = "there is no answer"
            elif not problem and answers[0] != answers[1]:
                problem = batches.first_difference(*answers)
            self.verdict(f"{name} --deterministic repeats", problem)

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

        self.refusals(tiny["path"])
        self.together(tiny["kron8"])
        if self.options.target == "gpu":
            self.fallback(tiny["kron8"])
            self.packed(self.generate("packed", "urand", 18, 40))
        self.switches()
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            # What is pinned runs one schedule: its answer is all there is to compare.
            unpinned = [name for name in names if self.base(name) == name]

            def everywhere(test, places, chosen=names):
                for label, path in places.items():
                    for name in chosen:
                        is_small = name in SMALL_ROAD and label == "road"
                        yield pool.submit(test, name, small_road if is_small else path, label)

            wait(everywhere(self.schedules, tiny, unpinned))
            wait(pool.submit(self.random, name) for name in names if name in self.manifest)
            self.deterministic(tiny["kron8"], [name for name in ("pagerank", "katz") if name in names])
            if self.options.target == "gpu":
                self.watchdog()
            if shutil.which("compute-sanitizer") and self.options.target == "gpu":
                wait(pool.submit(self.planted, checker) for checker in CHECKERS)
                wait(pool.submit(self.sanitize, checker, name, tiny[label], label)
                     for checker in CHECKERS for name in names for label in ("kron8", "star"))
            else:
                self.record("compute-sanitizer", "skipped", "not installed, or no GPU asked for")
            wait(everywhere(self.answers, large))
            wait(everywhere(self.schedules, large, unpinned))
        rows = self.timings(large)
        return self.report(rows)

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
                self.schedules(name, path, label, *(["--check"] if is_certified else []), limit=self.options.limit)
            elif is_certified:
                self.certificate(name, path, label)
            if not is_certified:
                self.answers(name, path, label, limit=self.options.limit)

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


def ended(done, expected, word=""):
    """"" where the command ended with the exit code and said the word, else what is wrong."""
    if done.code != expected:
        return f"exit {done.code}, expected {expected}: {done.said()}"
    return "" if word in done.out + done.errors else f"it does not say '{word}': {done.said()}"


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
    parser.add_argument("--large", default="", help="every variant, on these graphs of the benchmarks alone, separated by commas: "
                        + " ".join(large_graphs.BY_NAME))
    parser.add_argument("--only", default="", help="programs, separated by commas")
    return Suite(parser.parse_args()).main()


if __name__ == "__main__":
    sys.exit(main())
