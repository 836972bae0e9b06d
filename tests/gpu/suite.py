#!/usr/bin/env python3
"""The GPU suite: every program x every legal schedule against the CPU target's answers, the memory
and race checkers on tiny graphs, the refusals, and a few timings. Each command has a limit of its own
and the whole has a budget, so that a hang costs seconds and what is left out is counted as skipped.

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
import subprocess
import sys
import tempfile
import threading
import time

import benchmark_graphs
import cases
import controllers
import random_graphs

HERE = pathlib.Path(__file__).resolve().parent

# (relative, absolute): how far two answers may lie apart where the program iterates to a tolerance.
TOLERANCES = {"pagerank": (1e-3, 5e-3), "php": (1e-6, 1e-6), "personalised_pagerank": (1e-6, 1e-6)}
USUAL_TOLERANCE = (1e-6, 1e-7)
# They choose among neighbours both ways: a directed graph has both first.
TAKES_UNDIRECTED = {"mis", "colouring"}
# What stays behind in each inbox adds up on large graphs: less of it, and every order agrees.
REFINED = {"personalised_pagerank", "katz", "php", "adsorption"}
# Numbers of shortest paths overflow float64 on long grids: bc runs on a smaller one.
SMALL_ROAD = {"bc"}
# Their certificate costs one pass over the edges; the others' is the interpreter's answer.
CERTIFIED = {"bfs", "bfs_parents", "sssp", "sssp_parents", "widest_path", "wcc", "pagerank",
             "personalised_pagerank", "katz", "php", "adsorption"}
CHECKERS = ("memcheck", "racecheck", "initcheck", "synccheck")
# A fault of planted.cu that each checker must report.
PLANTED = {"memcheck": "bounds", "racecheck": "race", "initcheck": "unwritten", "synccheck": "barrier"}
SPENT = "the budget was spent before it ended"
TIMED = ("bfs", "sssp", "pagerank", "wcc", "bc")


class Suite:
    def __init__(self, options):
        self.options = options
        self.start = time.monotonic()
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="vertigo-gpu-suite-"))
        self.out = pathlib.Path(os.environ["OUT"])
        self.records = []
        self.lock = threading.Lock()
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
        if status == "failed" and SPENT in detail:
            status = "skipped"
        with self.lock:
            self.records.append(dict(test=test, status=status, detail=detail[-2000:],
                                     seconds=round(seconds, 3), **more))
            if status == "failed":
                print(f"FAILED {test}: {detail.strip().splitlines()[-1] if detail.strip() else ''}",
                      flush=True)

    def run(self, command, limit, **environment):
        """(exit code, stdout, stderr, seconds); exit code None where it ran past its limit."""
        left = self.left()
        cut_short = left < limit
        limit = max(1.0, min(limit, left))
        begin = time.monotonic()
        try:
            done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                                  errors="replace", timeout=limit, cwd=HERE,
                                  env=dict(self.environment(), **environment))
            return done.returncode, done.stdout, done.stderr, time.monotonic() - begin
        except subprocess.TimeoutExpired:
            return None, "", SPENT if cut_short else f"no end after {limit:.0f} s", time.monotonic() - begin

    def base(self, name):
        """The example that a program is, whatever was pinned when it was compiled."""
        return self.entry(name).get("base", name)

    def entry(self, name):
        """What manifest.json knows of it."""
        return self.manifest.get(name, {})

    def program(self, name, graph, *arguments, target=None):
        return [HERE / "launcher", f"./{name}.so", graph, *self.parameters(name, graph), "--target",
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
            arguments += ["--symmetrize", "--self-loops", "drop", "--duplicates", "first"]
        return arguments

    # ---- graphs

    def generate(self, name, kind, *sizes):
        path = self.work / f"{name}.graph"
        code, _, errors, _ = self.run([HERE / "vertigo-graph", "generate", kind, *sizes, path, "--to",
                                       "cached", "--quiet"], 120)
        if code != 0:
            self.record(f"generate {name}", "failed", errors)
            return None
        return path

    def choose_source(self, graph):
        """The first of some ids from which much of the graph is reached."""
        best, most = "1", -1
        for candidate in ("1", "2", "3", "5", "100", "1000", "5000", "30000", "131072"):
            command = [HERE / "launcher", "./bfs.so", graph, "--source", candidate, "--target", "cpu",
                       "--json", "--quiet"]
            code, out, _, _ = self.run(command, 60)
            answer = last_json(out)
            if code != 0 or not answer:
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
        if self.left() < 5:
            return self.record(f"{test} schedules", "skipped", "budget spent")
        code, out, errors, seconds = self.run(
            self.program(name, graph, "--compare-schedules", "--json", "--quiet", *more), limit)
        answer = last_json(out)
        if answer is None or "comparisons" not in answer:
            return self.record(f"{test} schedules", "failed", errors or out or f"exit {code}", seconds)
        for each in answer["comparisons"]:
            good = each["agrees"] and each["converged"]
            self.record(f"{test} {each['schedule']}", "passed" if good else "failed",
                        each["difference"] or each["refused"], each["seconds"], rounds=each["rounds"],
                        edges=each["edges"])
        if code != 0 and all(each["agrees"] for each in answer["comparisons"]):
            self.record(f"{test} schedules", "failed", errors or f"exit {code}", seconds)

    def certificate(self, name, graph, label):
        """The preferred schedule's answer by itself."""
        test = f"{name} {label} certificate"
        if self.left() < 5:
            return self.record(test, "skipped", "budget spent")
        code, _, errors, seconds = self.run(self.program(name, graph, "--check", "--quiet"), self.options.budget)
        good = code == 0
        self.record(test, "passed" if good else "failed", "" if good else errors or f"exit {code}", seconds)

    def answers(self, name, graph, label, limit=90):
        """The preferred schedule's answer against the CPU target's."""
        test = f"{name} {label} against cpu"
        if self.left() < 5:
            return self.record(test, "skipped", "budget spent")
        files = {}
        for target in (self.options.target, "cpu"):
            path = self.work / f"{name}-{label}-{target}-{len(files)}.txt"
            check = ["--check"] if target != "cpu" and self.base(name) in CERTIFIED else []
            code, _, errors, seconds = self.run(
                self.program(name, graph, "--output", path, "--quiet", *check, target=target), limit)
            if code != 0:
                return self.record(test, "failed", f"{target}: exit {code}: {errors}", seconds)
            files[len(files)] = path
        difference = compare(files[0], files[1], TOLERANCES.get(self.base(name), USUAL_TOLERANCE))
        self.record(test, "failed" if difference else "passed", difference)
        for path in files.values():
            path.unlink()

    def random(self, name):
        """Every schedule on many tiny graphs; one test per schedule, and one for each graph that goes wrong."""
        test = f"{name} on random graphs"
        if self.left() < 20:
            return self.record(test, "skipped", "budget spent")
        begin = time.monotonic()
        right, wrong = random_graphs.run(
            self.manifest[name], [HERE / "launcher", HERE / f"{name}.so", "--batch"], self.work,
            self.options.target, self.options.random, 300, self.environment())
        for name_of_test, problem in wrong:
            self.record(name_of_test, "failed", problem)
        for schedule, count in right.items():
            self.record(f"{test} {schedule}", "passed", f"{count} graphs", time.monotonic() - begin, graphs=count)

    def planted(self, checker):
        """The checker reports its fault and nothing where there is none."""
        for fault, clean in ((PLANTED[checker], False), ("none", True)):
            code, out, errors, seconds = self.run(
                ["compute-sanitizer", "--tool", checker, "--error-exitcode", "99", HERE / "planted", fault], 60)
            good = code == (0 if clean else 99)
            self.record(f"{checker} on planted fault '{fault}'", "passed" if good else "failed",
                        f"exit {code}: {out + errors}", seconds)

    def watchdog(self):
        """A debug build ends a wait without end, and says where it was."""
        code, out, errors, seconds = self.run([HERE / "planted", "hang"], 60)
        good = code == 1 and "what it waits for does not come" in out + errors
        self.record("watchdog on planted fault 'hang'", "passed" if good else "failed",
                    f"exit {code}: {out + errors}", seconds)

    def sanitize(self, checker, name, graph, label):
        test = f"{checker} {name} {label}"
        if self.left() < 20:
            return self.record(test, "skipped", "budget spent")
        code, out, errors, seconds = self.run(
            ["compute-sanitizer", "--tool", checker, "--error-exitcode", "99", "--launch-timeout", "60",
             *self.program(name, graph, *(["--compare-schedules"] if self.base(name) == name else []), "--quiet")], 120)
        text = out + errors
        bad = code != 0 or ("ERROR SUMMARY: 0 errors" not in text and
                            "RACECHECK SUMMARY: 0 hazards" not in text)
        self.record(test, "failed" if bad else "passed", text if bad else "", seconds)

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
                ("preparations", [HERE / "prepare_test"], 0, {}, ", 0 differences"),
                ("balance", [HERE / "balance_test"], 0, {}, ", 0 differences"),
            ]
        for label, command, expected, environment, word in cases:
            code, out, errors, seconds = self.run(command, 30, **environment)
            text = out + errors
            good = code == expected and word in text and (code == 0 or errors.count("\n") <= 1)
            self.record(f"refusal: {label}", "passed" if good else "failed",
                        f"exit {code}, expected {expected}: {text}", seconds)

    def fallback(self, graph):
        """Where the prepared graph alone does not fit, `auto` takes the graph as it is, and says so."""
        for name in ("bfs", "sssp", "pagerank"):
            command = [*self.program(name, graph), "--json", "--quiet"]
            code, out, errors, _ = self.run([*command, "--dry-run", "--prepare", "always"], 30)
            planned = last_json(out)
            if code == 0 and planned:
                code, out, errors, _ = self.run(
                    [*command, "--check", "--device-memory", str(planned["device_bytes"] - 1)], 30)
            answer = last_json(out)
            good = code == 0 and "memory does not allow" in answer["phases"][0]["reason"]
            self.record(f"{name} where memory does not allow its preparation", "passed" if good else "failed",
                        f"exit {code}: {out + errors}")

    def switches(self):
        """Where a controller changes paths (tests/run/controllers.py), on graphs large enough to need it."""
        for name, (program, generate, source, expectation) in controllers.EXPECTED.items():
            test = f"{program} switches: {name}"
            kind, *sizes = generate
            larger = [sizes[0] + 2, *sizes[1:]] if kind == "kron" else [size * 5 for size in sizes]
            graph = self.generate(f"switches-{kind}", kind, *larger)
            if graph is None or not (HERE / f"{program}.so").exists():
                self.record(test, "skipped", "no graph, or no program")
                continue
            trace = self.work / "switches.jsonl"
            chosen = ["--source", source] if source is not None else []
            code, _, errors, seconds = self.run(
                [HERE / "launcher", f"./{program}.so", graph, *chosen, "--target", self.options.target, "--check",
                 "--quiet", "--trace", trace], 60)
            problem = errors if code != 0 else expectation(controllers.steps(trace))
            self.record(test, "failed" if problem or code != 0 else "passed", problem, seconds)
            graph.unlink()

    def deterministic(self, graph):
        for name in ("pagerank", "katz"):
            texts = []
            for turn in range(2):
                path = self.work / f"{name}-deterministic-{turn}.txt"
                code, _, errors, _ = self.run(
                    self.program(name, graph, "--deterministic", "--output", path, "--quiet"), 60)
                texts.append(path.read_bytes() if code == 0 else errors.encode())
            good = texts[0] == texts[1] and b"error" not in texts[0][:20]
            self.record(f"{name} --deterministic repeats", "passed" if good else "failed",
                        "" if good else texts[0][:200].decode(errors="replace"))

    def timings(self, graphs):
        """One program at a time, with nothing beside it."""
        rows = []
        for label, graph in graphs.items():
            for name in TIMED:
                if self.left() < 10 or (label.startswith("road") and name in SMALL_ROAD):
                    continue
                code, out, _, _ = self.run(
                    self.program(name, graph, "--runs", "5", "--json", "--quiet"), 60)
                answer = last_json(out)
                if code == 0 and answer:
                    rows.append((name, label, answer["runs"]["median"] * 1e3,
                                 answer["seconds"]["transfer"] * 1e3,
                                 sum(p["steps"] for p in answer["phases"]),
                                 answer["phases"][0]["schedule"]))
        return rows

    # ---- the whole

    def main(self):
        self.sources = {}
        programs = sorted(path.stem for path in HERE.glob("*.so"))
        if self.options.only:
            programs = [name for name in programs if name in self.options.only.split(",")]
        self.announce(programs)
        self.manifest = random_graphs.entries(HERE / "manifest.json")
        if self.options.large:
            return self.large(programs, self.options.large.split(","))
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
        if self.options.target == "gpu":
            self.fallback(tiny["kron8"])
        self.switches()
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            # What is pinned runs one schedule: its answer is all there is to compare.
            unpinned = [name for name in programs if self.base(name) == name]

            def everywhere(test, graphs, programs=programs):
                for label, path in graphs.items():
                    for name in programs:
                        is_small = name in SMALL_ROAD and label == "road"
                        yield pool.submit(test, name, small_road if is_small else path, label)

            wait(everywhere(self.schedules, tiny, unpinned))
            wait(pool.submit(self.random, name) for name in programs if name in self.manifest)
            self.deterministic(tiny["kron8"])
            if self.options.target == "gpu":
                self.watchdog()
            if shutil.which("compute-sanitizer") and self.options.target == "gpu":
                wait(pool.submit(self.planted, checker) for checker in CHECKERS)
                wait(pool.submit(self.sanitize, checker, name, tiny[label], label)
                     for checker in CHECKERS for name in programs for label in ("kron8", "star"))
            else:
                self.record("compute-sanitizer", "skipped", "not installed, or no GPU asked for")
            wait(everywhere(self.answers, large))
            wait(everywhere(self.schedules, large, unpinned))
        rows = self.timings(large)
        return self.report(rows)

    def large(self, programs, labels):
        """Every variant on the graphs of the benchmarks. The first answer is checked, by its certificate or against the
        CPU target's, and the other schedules must agree with it. Where a hybrid was pinned, the others are those of
        the same program without it."""
        chosen = self.options.only.split(",") if self.options.only else [
            name for name in programs
            if self.base(name) == name or "hybrid" in self.entry(name).get("schedules", ())]

        def examine(name, path, label):
            is_certified = self.base(name) in CERTIFIED
            if self.base(name) == name:
                self.schedules(name, path, label, *(["--check"] if is_certified else []), limit=self.options.budget)
            elif is_certified:
                self.certificate(name, path, label)
            if not is_certified:
                self.answers(name, path, label, limit=self.options.budget)

        for label in labels:
            graph = benchmark_graphs.BY_NAME[label]
            path = self.generate(label, *graph.arguments, *(["--transpose"] if graph.directed else []))
            if path is None:
                continue
            self.sources[str(path)] = str(graph.source)
            with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
                wait([pool.submit(examine, name, path, label) for name in chosen])
            path.unlink()
            print(f"{label}: {self.options.budget - self.left():.0f} s", flush=True)
        return self.report([])

    def announce(self, programs):
        code, out, _, _ = self.run(["nvidia-smi", "--query-gpu=name,driver_version,memory.total",
                                    "--format=csv,noheader"], 20) if shutil.which("nvidia-smi") else (
                                        1, "", "", 0)
        self.device = out.strip() if code == 0 else "no GPU"
        print(f"{len(programs)} programs, target {self.options.target}, {self.device}", flush=True)

    def report(self, rows):
        counts = {status: sum(r["status"] == status for r in self.records)
                  for status in ("passed", "failed", "skipped")}
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
        print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
        shutil.rmtree(self.work, ignore_errors=True)
        if counts["failed"]:
            return 1
        return 0 if counts["passed"] else 2


def wait(futures):
    for future in list(futures):
        future.result()


def last_json(text):
    for line in reversed(text.splitlines()):
        if line.startswith("{"):
            return json.loads(line)
    return None


def compare(left, right, tolerance):
    """'' where both files hold the same answer, else the first difference. Files without a fraction
    hold integers or ids, which must be the same bytes."""
    first, second = left.read_bytes(), right.read_bytes()
    if first == second:
        return ""
    a, b = first.split(), second.split()
    if len(a) != len(b):
        return f"{len(a)} and {len(b)} words"
    exact = b"." not in first and b"." not in second
    relative, absolute = tolerance
    for index, (word, other) in enumerate(zip(a, b)):
        if word == other:
            continue
        try:
            x, y = float(word), float(other)
        except ValueError:
            x, y = math.inf, -math.inf
        finite = math.isfinite(x) and math.isfinite(y)
        if exact or not finite or not abs(x - y) <= absolute + relative * max(abs(x), abs(y)):
            return f"word {index}: {word.decode()} and {other.decode()}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="gpu", choices=("gpu", "cpu"))
    parser.add_argument("--budget", type=float, default=460, help="seconds for the whole")
    parser.add_argument("--jobs", type=int, default=6, help="programs at a time")
    parser.add_argument("--gpus", type=int, default=1, help="GPUs that programs are spread over")
    parser.add_argument("--threads", type=int, default=4, help="CPU threads of each")
    parser.add_argument("--scale", type=int, default=18, help="of kron and rmat: log2 of vertices")
    parser.add_argument("--side", type=int, default=1000, help="of the road grid")
    parser.add_argument("--random", type=int, default=200, help="random tiny graphs for each program and schedule")
    parser.add_argument("--large", default="", help="every variant, on these graphs of the benchmarks alone, separated by commas: "
                        + " ".join(benchmark_graphs.BY_NAME))
    parser.add_argument("--only", default="", help="programs, separated by commas")
    return Suite(parser.parse_args()).main()


if __name__ == "__main__":
    sys.exit(main())
