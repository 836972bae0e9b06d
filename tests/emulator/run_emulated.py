#!/usr/bin/env python3
"""Runs every example's emitted CUDA on the CPU, in every schedule, on tiny odd graphs and random ones, in several
orders of threads, with the address sanitizer, against the CPU target or --check. First, planted faults: the emulator
must see each.

Tests are named `program/graph/schedule/seed`. Closes with `N passed, N failed, N skipped`; exit status 1 when one
failed or none ran.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import threading

import emulate

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "run"))

import batches  # noqa: E402
import cases  # noqa: E402
import graphs  # noqa: E402

# Seconds of processor time for all runs of one program in one order of threads.
LIMIT = 200
DEVICE_TESTS = {"preparations": "prepare_test.cu", "balance": "balance_test.cu"}
# Programs that engine `solve` runs; it treats some graphs in ways of their own.
LINEAR = {"pagerank", "personalised_pagerank", "katz", "php", "adsorption"}
# Programs that engines `wavefront` and `sweeps` run.
LEVELLED = {"bc"}
# Programs and pins whose memory is measured: every engine, and what is prepared for paths.
MEASURED = [(name, "") for name in ("bfs", "bfs_parents", "sssp", "sssp_parents", "widest_path", "wcc", "pagerank", "adsorption", "bc")]
MEASURED += [("pagerank", "layout=message-buffer"), ("pagerank", "variant=sync-pull-topology,balance=sorted")]
# Programs that are linked into one binary: one with fused loops, one of an engine whose blocks wait for each other.
TOGETHER = ["03-sssp/sssp.vg", "07-pagerank/pagerank.vg"]
# Of these, the programs that `auto` runs on the graph as it is where memory does not allow the preparation.
PREPARING = {"bfs", "bfs_parents", "sssp", "sssp_parents", "widest_path", "pagerank", "adsorption"}
# Shared memory that leaves it room for the values of some hubs alone.
LITTLE_SHARED = str((8 << 10) + 512)


class Tests:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.passed, self.failed, self.skipped = 0, 0, 0
        self.lock = threading.Lock()
        self.environment = dict(os.environ, OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive",
                                ASAN_OPTIONS="detect_leaks=0", EMULATOR_SECONDS="30")
        self.emulator = emulate.Emulator(arguments.build, sanitize=not arguments.no_sanitize, jobs=arguments.jobs)

    def count(self, name, problem=None):
        with self.lock:
            if problem is None:
                self.passed += 1
            else:
                self.failed += 1
                lines = problem.strip().splitlines()
                print(f"FAIL  {name}: " + "\n      ".join(lines[:30]), flush=True)

    # -- Planted faults

    def planted(self, source):
        """A .cu file says in its first line what its run must say: `// expect: PATTERN`. One that begins with "ok" must
        end well, any other must not."""
        name = f"planted/{source.stem}"
        expected = re.match(r"// expect: (.*)\n", source.read_text()).group(1)
        if "buffer-overflow" in expected and not self.emulator.sanitize:
            self.skipped += 1
            return
        try:
            binary = self.build_one(source)
        except subprocess.CalledProcessError as problem:
            self.count(name, f"does not compile: {problem.cmd}")
            return
        for seed in range(4):
            done = subprocess.run([binary], capture_output=True, text=True, errors="replace", timeout=LIMIT * 5,
                                  env=dict(self.environment, EMULATOR_SEED=str(seed)))
            said = done.stdout + done.stderr
            good = re.search(expected, said) and (done.returncode == 0) == expected.startswith("ok")
            self.count(f"{name}/{seed}", None if good else f"expected '{expected}', got exit {done.returncode}: {said}")

    def device_test(self, name, source):
        """A test that the GPU suite has, too, such as the unit tests of vertigo/device/prepare.cuh."""
        try:
            binary = self.build_one(ROOT / "tests/gpu" / source)
        except subprocess.CalledProcessError as problem:
            self.count(name, f"does not compile: {problem.cmd}")
            return
        for seed in range(2):
            done = subprocess.run([binary], capture_output=True, text=True, errors="replace", timeout=LIMIT * 5,
                                  env=dict(self.environment, EMULATOR_SEED=str(seed)))
            self.count(f"{name}/{seed}", done.stdout + done.stderr if done.returncode else None)

    def memory(self, entry, pin):
        """What --dry-run counts is an upper bound of what a run takes, and without the memory that the preparation
        takes for its own time it would be none."""
        program = entry["name"]
        name = f"memory/{program}/{pin or 'auto'}"
        try:
            binary = self.emulator.program(ROOT / entry["file"],
                                           self.folder / f"{program}-{pin}.emulated", ["--schedule", pin] if pin else [])
        except (subprocess.CalledProcessError, emulate.translate.Untranslatable) as problem:
            self.count(f"{name}/compile", str(problem))
            return
        for graph in ("generate:rmat:10:8", "generate:kron:11:16", "generate:road:40x30"):
            run = [binary, graph, "--target", "gpu", "--quiet", "--prepare", "always"]
            if entry.get("source"):
                run += ["--source", "1"]
            plan = subprocess.run([*run, "--dry-run", "--json"], capture_output=True, text=True, env=self.environment)
            done = subprocess.run(run, capture_output=True, text=True, timeout=LIMIT * 5,
                                  env=dict(self.environment, EMULATOR_MEMORY="1"))
            said = re.search(r"emulator: (\d+) bytes", done.stderr)
            if plan.returncode or done.returncode or not said:
                self.count(f"{name}/{graph}", plan.stderr + done.stderr)
                continue
            arrays = json.loads(plan.stdout)["arrays"]
            planned = sum(array["bytes"] for array in arrays if array["where"] == "device")
            kept = planned - sum(array["bytes"] for array in arrays if array["name"].startswith("while preparing"))
            fits = int(said[1]) <= planned and (kept < int(said[1]) or kept == planned)
            self.count(f"{name}/{graph}", None if fits else f"{said[1]} bytes were taken, {planned} planned, {kept} of "
                                                            "them to stay")
        if program in PREPARING and not pin:
            self.fallback(entry, binary)

    def fallback(self, entry, binary):
        """Where the prepared graph alone does not fit, `auto` takes it as it is and says so; `always` is refused."""
        program = entry["name"]

        def run(*more):
            chosen = ["--source", "1"] if entry.get("source") else []
            done = subprocess.run([binary, "generate:kron:11:16", *chosen, "--target", "gpu", "--quiet", "--json", *more],
                                  capture_output=True, text=True, timeout=LIMIT * 5, env=self.environment)
            return done.returncode, json.loads(done.stdout)
        budget = ["--device-memory", str(run("--dry-run", "--prepare", "always")[1]["device_bytes"] - 1)]
        for name, more, code, word, answer in (
                ("runs", ["--check"], 0, "memory does not allow the preparation",
                 lambda said: said["phases"][0]["reason"]),
                ("plans", ["--dry-run"], 0, "; prepared, it would need", lambda said: said["strategy"]),
                ("refuses", ["--prepare", "always"], 5, "not enough device memory", lambda said: said["error"]["message"])):
            status, said = run(*budget, *more)
            right = status == code and word in answer(said)
            self.count(f"fallback/{program}/{name}", None if right else f"exit {status}: {said}")

    def together(self):
        """Two programs in one binary, on two devices; eight runs at the same time, each on a stream of its own."""
        def count(name, good, said):
            self.count(f"together/{name}", None if good else said)
        try:
            binary = self.emulator.programs([ROOT / "dsl-examples" / path for path in TOGETHER],
                                            self.folder / "together.emulated")
        except (subprocess.CalledProcessError, emulate.translate.Untranslatable) as problem:
            return count("compile", False, str(problem))
        environment = dict(self.environment, EMULATOR_DEVICES="2")

        def run(*words, **more):
            done = subprocess.run([binary, *words], capture_output=True, text=True, timeout=LIMIT * 5,
                                  env=dict(environment, **more))
            return done.returncode, done.stdout + done.stderr
        graph = ["generate:road:12x9", "--target", "gpu", "--check"]
        for program, more, state in (("sssp", ["--source", "0"], "distance"), ("pagerank", [], "rank")):
            code, said = run("--program", program, *graph, *more, "--device", "1")
            count(f"device/{program}", code == 0 and "number 1" in said and f"result      {state}" in said, said)
        code, said = run("--program", "pagerank", *graph, "--device", "2")
        count("no-device", code == 4 and "there is no GPU 2: 2 are visible, the last is GPU 1" in said, said)
        code, said = run(*graph)
        count("no-program", code == 2 and "--program pagerank or sssp" in said, said)
        runs = []
        for number in range(8):
            chosen = ["--program", "sssp", "--source", "0"] if number % 3 else ["--program", "pagerank"]
            drawn = f"generate:road:{9 + number}x8" if number % 2 else f"generate:rmat:{5 + number % 3}:{4 + number}"
            runs.append([drawn, *chosen, "--target", "gpu", "--check", "--quiet", "--device", str(number // 4)])
        lines = self.folder / "together.lines"
        lines.write_text("".join("\t".join(words) + "\n" for words in runs))
        expected = "".join(f"== {number} 0\n" for number in range(8))
        for seed in range(3):
            code, said = run("--together", lines, EMULATOR_SEED=str(seed))
            count(f"eight/{seed}", code == 0 and said == expected, said)

    def build_one(self, source):
        target = self.folder / f"{source.stem}.emulated"
        return self.emulator.link([self.emulator.cuda(source), *self.emulator.runtime()], target)

    # -- Programs

    def is_late(self):
        return self.deadline is not None and time.monotonic() > self.deadline

    def prepare(self, entry):
        if self.is_late():
            self.skipped += 1
            return None
        try:
            return self.emulator.program(ROOT / entry["file"], self.folder / f"{entry['name']}.emulated",
                                         cases.pins(entry))
        except (subprocess.CalledProcessError, emulate.translate.Untranslatable) as problem:
            self.count(f"{entry['name']}/compile", str(problem))
            return None

    def program(self, entry, binary, seed, chosen, part="all"):
        """`part`: of the program's runs with this seed; others may run at the same time."""
        if self.is_late():
            self.skipped += 1
            return
        batch = batches.Batch(entry, [binary, "--batch"], self.folder, f"{seed}-{part}")
        environment = dict(self.environment, EMULATOR_SEED=str(seed))
        if entry["name"] in LINEAR and seed % 2 == 1:
            environment["EMULATOR_SHARED"] = LITTLE_SHARED
        for name, problem in batch.run(chosen, LIMIT, environment):
            self.count(f"{name}/{seed}", problem)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(os.environ.get("VERTIGO_BUILD_DIR", ROOT / "build")))
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("VERTIGO_JOBS", os.cpu_count() or 1)))
    parser.add_argument("--program", action="append", help="only this program, `planted` for the faults, `preparations`, `balance`, `memory` or `together`; may be given several times")
    parser.add_argument("--seeds", default="0,1,2,3", help="orders of threads")
    parser.add_argument("--random", type=int, default=8, help="random graphs for each seed")
    parser.add_argument("--no-sanitize", action="store_true", help="without the address sanitizer: twice as fast")
    parser.add_argument("--budget", type=float, default=0, help="seconds after which what has not begun counts as skipped")
    parser.add_argument("--keep", type=pathlib.Path, help="keep binaries and graphs in this folder")
    arguments = parser.parse_args()
    folder = (arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="vertigo-emulated-", dir=batches.in_memory()))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    tests = Tests(arguments, folder)
    tests.deadline = time.monotonic() + arguments.budget if arguments.budget else None
    manifest = {entry["name"]: entry for entry in json.loads((ROOT / "tests/run/manifest.json").read_text())["programs"]}
    entries = [entry for entry in manifest.values()
               if entry.get("compiled", True) and (not arguments.program or entry["name"] in arguments.program)]
    try:
        tests.emulator.runtime()
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            tasks = []
            if not arguments.program or "planted" in arguments.program:
                tasks += [pool.submit(tests.planted, source) for source in sorted((HERE / "planted").glob("*.cu"))]
            for name, source in DEVICE_TESTS.items():
                if not arguments.program or name in arguments.program:
                    tasks.append(pool.submit(tests.device_test, name, source))
            if not arguments.program or "memory" in arguments.program:
                tasks += [pool.submit(tests.memory, manifest[program], pin) for program, pin in MEASURED]
            if not arguments.program or "together" in arguments.program:
                tasks.append(pool.submit(tests.together))
            for entry, binary in zip(entries, pool.map(tests.prepare, entries)):
                for turn, seed in enumerate(map(int, arguments.seeds.split(","))):
                    chosen = graphs.tiny_graphs() if turn < 2 else []
                    chosen += [graphs.odd_graph(seed, index) for index in range(arguments.random)]
                    chosen += [graphs.long_list()] if turn == 2 else []
                    if turn >= 2 and entry["name"] in LINEAR:
                        chosen += [graphs.crowd_and_couples(), graphs.crowd_before_dead_ends()]
                        chosen += [graphs.roads_with_ferries()] if turn == 2 else []
                    if binary is None:
                        continue
                    tasks.append(pool.submit(tests.program, entry, binary, seed, chosen))
                    # What only engines do with larger graphs, without the time that the paths take for them.
                    if turn == 1 and entry["name"] in LINEAR:
                        tasks.append(pool.submit(tests.program, dict(entry, schedules=["solve"]), binary, seed,
                                                 [graphs.hubs_and_rest(), graphs.long_list()], "engine"))
                    if turn == 1 and entry["name"] in LEVELLED:
                        tasks.append(pool.submit(
                            tests.program, dict(entry, schedules=["wavefront", "sweeps"]), binary, seed,
                            [graphs.hub_beside_its_neighbours(), graphs.heard_by_all(),
                             graphs.more_paths_than_float64_counts()], "engine"))
            for task in tasks:
                task.result()
    finally:
        if arguments.keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{tests.passed} passed, {tests.failed} failed, {tests.skipped} skipped")
    return 1 if tests.failed or not tests.passed else 0


if __name__ == "__main__":
    sys.exit(main())
