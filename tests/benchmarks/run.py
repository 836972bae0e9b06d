#!/usr/bin/env python3
"""The benchmarks: programs x graphs x schedules on one machine, every answer checked. Writes
benchmark.json and benchmark.md to --out. Needs the folder that build.sh made, and a GPU for --target gpu.

A program that fails, runs past its limit, or is missing is a line of the table that says so; exit 1
where something failed, 2 where nothing was measured."""

import argparse
import json
import os
import pathlib
import platform
import sys
import tarfile
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import cases  # noqa: E402
import floors  # noqa: E402
import measure  # noqa: E402
import report  # noqa: E402
from suite import large_graphs as graphs  # noqa: E402

SLOW = 5  # a schedule that took this much longer in its first run is not repeated


class Benchmark:
    def __init__(self, options):
        self.options = options
        environment = dict(os.environ, OMP_WAIT_POLICY="passive")
        if options.threads:
            environment["OMP_NUM_THREADS"] = str(options.threads)
        self.runner = measure.Runner(options.budget, HERE, environment)
        self.store = graphs.Store(options.graphs, HERE / "vertigo-graph", self.runner.run)
        self.result = {"when": time.strftime("%Y-%m-%d %H:%M"), "command": " ".join(sys.argv[1:]),
                       "runs": options.runs, "warm_ups": options.warm_ups, "target": options.target,
                       "host": {"cpus": os.cpu_count(), "machine": platform.machine()},
                       "machine": None, "graphs": {}, "rows": [], "best": [], "tracing": []}

    # ---- what the machine can do

    def calibrate(self):
        if self.options.rates:
            self.result["machine"] = json.loads(pathlib.Path(self.options.rates).read_text())
        elif self.options.target == "gpu":
            self.result["machine"] = self.runner.run([HERE / "calibrate"], 30).json()
            if self.result["machine"] is None:
                print("no calibration: floors are left out", flush=True)

    # ---- graphs

    def prepare_graphs(self):
        paths = {}
        for name in self.options.only_graphs.split(","):
            graph = graphs.BY_NAME[name]
            path, record = self.store.get(graph)
            self.result["graphs"][name] = dict(record, title=graph.title(), like=graph.like)
            if path is None:
                print(f"FAILED graph {name}: {record['error']}", flush=True)
                continue
            paths[name] = path
            print(f"graph {name}: n={record['vertices']} m={record['edges']} check={record['check']}, "
                  f"{record['bytes'] / 1e9:.2f} GB, generated in {record['seconds']:.1f} s"
                  + ("" if record["generated_now"] else " before"), flush=True)
        return paths

    # ---- one program on one graph

    def command(self, case, graph, path, *more, schedule=None):
        return case.command(HERE / "launcher", graph, path, "--target", self.options.target, *more,
                            schedule=schedule)

    def measure(self, case, graph, path, schedule=None):
        """Figures of a case; the check, which can take longer than the runs, in the same process."""
        if not (HERE / f"{case.program}.so").exists():
            return {"error": f"{case.program}.so is not in this folder"}
        count = str(self.options.runs + self.options.warm_ups)
        answer = self.store.folder / "answer.txt"
        check = ["--output", answer] if case.checker else ["--check"]
        if self.options.no_check:
            check = []
        done = self.runner.run(
            self.command(case, graph, path, "--runs", count, *check, schedule=schedule),
            self.options.limit)
        if check == ["--check"] and done.code is None and self.runner.left() > 10:
            # Rather an unchecked figure than none: the row says that it is one.
            check = []
            done = self.runner.run(
                self.command(case, graph, path, "--runs", count, schedule=schedule), self.options.limit)
        run = measure.figures(done, self.options.warm_ups)
        if check and case.checker and "median" in run:
            checked = self.runner.run([HERE / case.checker, path, graph.source, answer],
                                      self.options.limit)
            run["checked"] = {0: True, 8: False}.get(checked.code)
            run["check"] = checked.json() or checked.reason()
            run["seconds"]["check"] = checked.seconds
        answer.unlink(missing_ok=True)
        return run

    def row(self, case, graph, path, schedule=None):
        run = self.measure(case, graph, path, schedule)
        row = dict(case=case.name, program=case.program, graph=graph.name,
                   pinned=(case.schedule if schedule is None else schedule) or "auto",
                   per_sweep=case.per_sweep, **run)
        row["floor"] = floors.floor(case.program, run, self.result["machine"])
        self.result["rows"].append(row)
        print(report.line(row), flush=True)
        self.save()
        return row

    def schedules_of(self, program):
        done = self.runner.run([HERE / "launcher", f"./{program}.so", "--list-schedules", "--json"], 20)
        answer = done.json()
        if answer is None:
            return []
        return [f"{each['phase']}.variant={each['variant']}" for each in answer["schedules"]]

    def table(self, paths):
        for name, path in paths.items():
            graph = graphs.BY_NAME[name]
            for case in self.chosen_cases():
                if self.options.schedules == "auto":
                    self.row(case, graph, path)
                    continue
                pinned = self.options.schedules.split(";")
                if self.options.schedules == "all":
                    pinned = ["", *self.schedules_of(case.program)]
                for schedule in pinned:
                    self.row(case, graph, path, "" if schedule == "auto" else schedule)

    def chosen_cases(self):
        return [cases.BY_NAME[name] for name in self.options.programs.split(",")]

    # ---- auto against the best pinned schedule

    def best(self, paths):
        for name, path in paths.items():
            graph = graphs.BY_NAME[name]
            for case in self.chosen_cases():
                if not case.per_sweep:
                    self.best_of(case, graph, path)

    def best_of(self, case, graph, path):
        auto = self.measure(case, graph, path, "")
        rows = self.compare(case, graph, path, auto)
        good = [row for row in rows if row.get("agrees") is not False and row.get("converged")]
        entry = {"case": case.name, "graph": graph.name, "auto": auto, "schedules": rows}
        if good and "median" in auto:
            fastest = min(good, key=lambda row: row["milliseconds"])
            entry["best"] = fastest["schedule"]
            entry["best_milliseconds"] = fastest["milliseconds"]
            entry["ratio"] = auto["median"] / fastest["milliseconds"]
        self.result["best"].append(entry)
        print(report.best_line(entry), flush=True)
        self.save()

    def compare(self, case, graph, path, auto):
        """All schedules in one process; where that does not end, one process each, once."""
        done = self.runner.run(
            self.command(case, graph, path, "--compare-schedules", "--runs", str(self.options.runs),
                         schedule=""), self.options.limit)
        answer = done.json()
        if answer and "comparisons" in answer:
            return [dict(row, milliseconds=row["seconds"] * 1e3) for row in answer["comparisons"]
                    if not row["refused"]]
        rows = []
        # Enough for a schedule worth repeating, with loading; what takes longer is told by that alone.
        patience = min(self.options.limit / 3, 5 + auto.get("wall_seconds", 5))
        check = [] if case.checker else ["--check"]
        for schedule in self.schedules_of(case.program):
            def run(count):
                command = self.command(case, graph, path, "--runs", str(count), *check, schedule=schedule)
                return measure.figures(self.runner.run(command, patience), 1 if count > 1 else 0)
            figures = run(1)
            slow = figures.get("median", 0) > SLOW * auto.get("median", float("inf"))
            if "median" in figures and not slow:
                figures = run(self.options.runs + 1)
            rows.append({"schedule": schedule, "milliseconds": figures.get("median"),
                         "rounds": figures.get("steps"), "edges": figures.get("edges"),
                         "agrees": figures.get("checked"), "converged": figures.get("converged"),
                         "difference": figures.get("error", "")})
        return rows

    # ---- what tracing costs

    def tracing(self, paths):
        with tempfile.TemporaryDirectory() as folder:
            self.trace_all(paths, folder)
            with tarfile.open(self.options.out / "traces.tar.gz", "w:gz") as archive:
                for trace in sorted(pathlib.Path(folder).iterdir()):
                    archive.add(trace, trace.name)

    def trace_all(self, paths, folder):
        for name, path in paths.items():
            graph = graphs.BY_NAME[name]
            for case in self.chosen_cases():
                if case.per_sweep:
                    continue
                trace = pathlib.Path(folder) / f"{case.name}-{name}.jsonl"
                count = ["--runs", str(self.options.runs + self.options.warm_ups)]
                # Plain, traced, plain: what drifts between the first and the last is not the tracing's.
                runs = [measure.figures(self.runner.run(self.command(case, graph, path, *count, *more),
                                                        self.options.limit), self.options.warm_ups)
                        for more in ([], ["--trace", trace], [])]
                entry = {"case": case.name, "graph": name}
                if all("median" in run for run in runs):
                    plain = min(runs[0]["median"], runs[2]["median"])
                    entry.update(plain=plain, traced=runs[1]["median"],
                                 overhead=runs[1]["median"] / plain - 1, steps=runs[1]["steps"])
                else:
                    entry["error"] = next(run["error"] for run in runs if "error" in run)
                self.result["tracing"].append(entry)
                print(report.tracing_line(entry), flush=True)
                self.save()

    # ---- the whole

    def save(self):
        self.result["seconds"] = round(self.runner.spent(), 1)
        peers = json.loads((HERE / "peers.json").read_text())
        (self.options.out / "benchmark.json").write_text(json.dumps(self.result, indent=1))
        (self.options.out / "benchmark.md").write_text(report.markdown(self.result, peers))

    def main(self):
        self.options.out.mkdir(parents=True, exist_ok=True)
        self.calibrate()
        paths = self.prepare_graphs()
        self.save()
        if self.options.best:
            self.best(paths)
        elif self.options.tracing:
            self.tracing(paths)
        else:
            self.table(paths)
        self.save()
        entries = self.result["rows"] + self.result["best"] + self.result["tracing"]
        failed = [entry for entry in entries
                  if "error" in entry or entry.get("checked") is False or "error" in entry.get("auto", {})]
        print(f"{len(entries) - len(failed)} measured, {len(failed)} failed; {self.runner.spent():.0f} s; "
              f"{self.options.out / 'benchmark.md'}", flush=True)
        if len(entries) == len(failed):
            return 2
        return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", default="/tmp/vertigo-benchmark-graphs", help="folder of the generated graphs")
    parser.add_argument("--out", type=pathlib.Path, default=os.environ.get("OUT", HERE / "results"))
    parser.add_argument("--only-graphs", default="kron21,lj,rmat24,road",
                        help="of " + ",".join(graphs.BY_NAME))
    parser.add_argument("--programs", default=",".join(cases.BY_NAME), help="rows, separated by commas")
    parser.add_argument("--schedules", default="auto",
                        help="auto, all, or specifications as --schedule takes them, separated by ';'")
    parser.add_argument("--best", action="store_true", help="auto against every pinned schedule")
    parser.add_argument("--tracing", action="store_true", help="what --trace costs")
    parser.add_argument("--target", default="gpu", choices=("gpu", "cpu"))
    parser.add_argument("--runs", type=int, default=5, help="that count, after the warm-ups")
    parser.add_argument("--warm-ups", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="CPU threads (default: all)")
    parser.add_argument("--budget", type=float, default=200, help="seconds for the whole")
    parser.add_argument("--limit", type=float, default=60, help="seconds for one command")
    parser.add_argument("--no-check", action="store_true", help="figures alone, unchecked")
    parser.add_argument("--rates", default="", help="output of calibrate, instead of running it")
    options = parser.parse_args()
    options.out = pathlib.Path(options.out).resolve()
    for chosen, known in ((options.only_graphs, graphs.BY_NAME), (options.programs, cases.BY_NAME)):
        unknown = [name for name in chosen.split(",") if name not in known]
        if unknown:
            parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(known)}")
    return Benchmark(options).main()


if __name__ == "__main__":
    sys.exit(main())
