#!/usr/bin/env python3
"""Runs every example's emitted CUDA on the CPU, in every schedule, on tiny odd graphs and random ones, in several orders of
threads, against the CPU target or --check. First, planted faults: the emulator must see each.

The set of runs is fixed: every program x every schedule x every graph, once. The graphs of a program take turns among the
orders of threads (--seeds), so that each order meets half of the graphs of each schedule where there are two; --every-order
runs all graphs in all orders. With --turns 3, a schedule runs on every third graph, unless it is an engine's. Graphs that
engines treat in ways of their own run in engines alone.

What the build's cache remembers to have passed, of the same binary on the same graphs, is counted and not run again;
--again runs it.

Tests are named `program/graph/schedule/seed`. Closes with `N passed, N failed, N skipped`; exit status 1 when one failed or
none ran.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import emulate  # noqa: E402
import text_lists  # noqa: E402
import transfers  # noqa: E402
from suite import batches, cache, command_line, counting, graphs, programs, running  # noqa: E402

# Seconds of processor time for all runs of one program in one order of threads.
LIMIT = 400
DEVICE_TESTS = {"preparations": "prepare_test.cu", "balance": "balance_test.cu",
                 "parts": "parts_test.cu", "combine": "combine_test.cu", "wide": "wide_combine_test.cu",
                 "neighbourhoods": "neighbourhoods_test.cu", "intersections": "intersections_test.cu", "colouring": "colouring_test.cu",
                 "donations": "donations_test.cu", "worklists": "worklist_test.cu", "texts": "text_test.cu"}
# Every file that the suites have, and every seed of the readers' fuzzer.
DEVICE_TEST_FILES = {"texts": sorted([ROOT / "tests/graphs/karate.mtx", *(ROOT / "tests/fuzz/corpus/graph_reader").iterdir()])}
# Of a seed of the graph readers' fuzzer: they say how it is read.
SEED_PREFIX = 3
# Of programs that the manifest wants measured: every kind of state in an engine, and what is prepared for paths.
MEASURED_ON = ("generate:rmat:10:8", "generate:kron:11:16", "generate:road:40x30")
# Programs that are linked into one binary: one with fused loops, one of an engine whose blocks wait for each other.
TOGETHER = ["03-sssp/sssp.vg", "07-pagerank/pagerank.vg"]
# Of programs that are solved as linear equations: a graph on which some hubs pass their guards only by what others send, and how many steps
# are enough where the first iterate is an estimate all the same. Without it they take 22 and 11.
STEPS = [("tests/benchmarks/programs/pagerank_l1.vg", ["generate:kron:15:8"], 10),
         ("tests/benchmarks/programs/pagerank_l1.vg", ["generate:kron:10:16", "--tolerance", "1e-2"], 6),
         ("tests/benchmarks/programs/pagerank_l1.vg", ["generate:kron:10:16", "--tolerance", "1e-2", "--transfer", "zero-copy"], 6)]
# Of a program whose rows are packed where the device has no room for them, and a graph of which some stay in host memory even then.
PACKED = ("tests/benchmarks/programs/pagerank_l1.vg", "generate:urand:14:40")
# Of programs whose steps visit few vertices, and a graph with a hub whose list all blocks share.
HUBS = [("tests/run/programs/colouring_by_turns.vg", "generate:star:3000"), ("dsl-examples/13-kcore/kcore.vg", "generate:star:3000"),
        ("dsl-examples/19-colouring/colouring.vg", "generate:star:3000"), ("dsl-examples/21-gauss-seidel/gs_pagerank.vg", "generate:star:3000"),
        # 91 classes, of which later rounds pass over most.
        ("dsl-examples/19-colouring/colouring.vg", "generate:kron:9:400")]
# Of updates of those who are left, and of sweeps whose values trade places; no controller learns in them from times.
ROUNDS = ["dsl-examples/18-mis/mis.vg", "dsl-examples/14-pagerank-graphalytics/pagerank_graphalytics.vg"]
# What decides which runs there are of a binary, and whether they pass.
WHAT_RUNS = [HERE / "run_emulated.py", HERE.parent / "suite"]
# All that other tests are made of, beside the compiler and the runtime.
WHAT_IS_TESTED = [ROOT / "runtime", ROOT / "dsl-examples", *(HERE.parent / folder for folder in ("emulator", "suite", "run", "gpu", "graphs", "unit", "benchmarks/programs"))]
# How the emulator ends a run, and how the address sanitizer does.
ENDED = (-signal.SIGABRT, 1)
# Shared memory that has room for the values of some hubs alone: what every second order of threads has.
LITTLE_SHARED = str((12 << 10) + 512)


class Tests(transfers.Transfers, text_lists.TextLists):
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.count = counting.Count()
        self.seeds = list(map(int, arguments.seeds.split(",")))
        self.graphs = [*graphs.tiny_graphs(), *graphs.engine_graphs(), graphs.long_list(),
                       *(graphs.odd_graph(index % 7, index) for index in range(arguments.random))]
        self.environment = dict(os.environ, OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive",
                                ASAN_OPTIONS="detect_leaks=0", EMULATOR_SECONDS="30")
        self.emulator = emulate.Emulator(arguments.build, sanitize=not arguments.no_sanitize, jobs=arguments.jobs)

    def built(self, name, build, *words):
        """What `build` made, or None: then a failure is counted."""
        try:
            return build(*words)
        except (cache.CompileError, running.Failure, emulate.translate.Untranslatable) as problem:
            self.count.test(f"{name}/compile", problem)
            return None

    def run(self, command, **environment):
        return running.run(command, LIMIT * 5, env=dict(self.environment, **environment))

    def build_test(self, source):
        target = self.folder / f"{source.stem}.emulated"
        return self.emulator.link([self.emulator.cuda(source), *self.emulator.runtime()], target)

    # -- Planted faults, and tests that the GPU suite has, too

    def planted(self, source):
        """A .cu file says in its first line what its run must say: `// expect: PATTERN`. One that begins with "ok" must
        end well, any other must not."""
        name = f"planted/{source.stem}"
        expected = re.match(r"// expect: (.*)\n", source.read_text()).group(1)
        if re.search("buffer-overflow|out of bounds", expected) and not self.emulator.sanitize:
            self.count.skip(name, "the sanitizers see it, and are off")
            return
        binary = self.built(name, self.build_test, source)
        for seed in range(4) if binary else ():
            done = self.run([binary], EMULATOR_SEED=str(seed))
            good = re.search(expected, done.said()) and done.code in ((0,) if expected.startswith("ok") else ENDED)
            self.count.test(f"{name}/{seed}", None if good else f"expected '{expected}', got exit {done.code}: {done.said()}")

    def device_test(self, name, source):
        """Such as the unit tests of vertigo/device/prepare.cuh."""
        binary = self.built(name, self.build_test, ROOT / "tests/gpu" / source)
        if binary:
            files = [self.as_file(path) for path in DEVICE_TEST_FILES.get(name, ())]
            done = self.run([binary, *files], EMULATOR_SEED=str(self.seeds[-1]))
            self.count.test(f"{name}/{self.seeds[-1]}", None if done.code == 0 else f"exit {done.code}: {done.said()}")

    def as_file(self, path):
        """A graph that readers are tried with, as users have it."""
        if path.parent.name != "graph_reader":
            return path
        file = self.folder / f"seed-{path.name}"
        file.write_bytes(path.read_bytes()[SEED_PREFIX:])
        return file

    # -- Memory

    def memory(self, entry, pin):
        """What --dry-run counts is an upper bound of what a run takes, and without the memory that the preparation
        takes for its own time it would be none."""
        name = f"memory/{entry['name']}/{pin or 'auto'}"
        binary = self.built(name, self.emulator.program, ROOT / entry["file"],
                            self.folder / f"{entry['name']}-{pin}.emulated", ["--schedule", pin] if pin else [])
        if binary is None:
            return
        chosen = ["--source", "1"] if entry.get("source") else []
        # Each way alone, and every fifth of the edges more that there is room for; the graphs take turns.
        parts = ("filter", 1, "compaction", 2, 3, 4)
        for turn, graph in enumerate(MEASURED_ON):
            run = [binary, graph, *chosen, "--target", "gpu", "--quiet", "--prepare", "always"]
            for way in ("resident", "zero-copy"):
                self.count.test(f"{name}/{graph}/{way}", self.memory_problem([*run, "--transfer", way]))
            for way in parts[turn::len(MEASURED_ON)]:
                self.count.test(f"{name}/{graph}/{way}", self.parts_problem(run[:-2], way))
        if not pin:
            command = [binary, MEASURED_ON[1], *chosen, "--target", "gpu", "--quiet", "--json"]
            self.fallback(entry["name"], [*command, "--transfer", "resident"])
            self.least_memory(entry["name"], command)

    def memory_problem(self, run):
        plan = self.run([*(word for word in run if word != "--check"), "--dry-run", "--json"])
        done = self.run(run, EMULATOR_MEMORY="1")
        said = re.search(r"emulator: (\d+) bytes", done.errors)
        if plan.code != 0 or done.code != 0 or not said:
            return f"exit {plan.code} and {done.code}: {plan.errors}{done.errors}"
        arrays = plan.json()["arrays"]
        planned = sum(array["bytes"] for array in arrays if array["where"] == "device")
        kept = planned - sum(array["bytes"] for array in arrays if array["name"].startswith("while preparing"))
        fits = int(said[1]) <= planned and (kept < int(said[1]) or kept == planned)
        return None if fits else f"{said[1]} bytes were taken, {planned} planned, {kept} of them to stay"

    def parts_problem(self, run, way):
        """In the best schedule that takes edges in parts: a right answer, in no more memory than was planned."""
        listed = programs.schedules([run[0]])
        parted = next((each for each in listed if each.takes_parts and not each.engines), None)
        if parted is None:
            return None
        run = [*run, "--schedule", parted]
        if isinstance(way, int):
            most, least = (self.run([*run, "--dry-run", "--json", "--transfer", which]).json()["device_bytes"]
                           for which in ("resident", "zero-copy"))
            run = [*run, "--device-memory", str(least + (most - least) * way // 5)]
        else:
            run = [*run, "--transfer", way]
        return self.memory_problem([*run, "--check"])

    def fallback(self, program, command):
        """Where the prepared graph alone does not fit, `auto` takes it as it is and says so; `always` is refused."""
        prepared, plain = (self.run([*command, "--dry-run", "--prepare", when]).json()["device_bytes"]
                           for when in ("always", "never"))
        if prepared <= plain:
            return  # it prepares nothing that `auto` could do without
        budget = ["--device-memory", str(prepared - 1)]
        for name, more, code, word, answer in (
                ("runs", ["--check"], 0, "memory does not allow the preparation",
                 lambda said: said["phases"][0]["reason"]),
                ("plans", ["--dry-run"], 0, "; prepared, it would need", lambda said: said["strategy"]),
                ("refuses", ["--prepare", "always"], 5, "not enough device memory", lambda said: said["error"]["message"])):
            done = self.run([*command, *budget, *more])
            right = done.code == code and done.json() and word in answer(done.json())
            self.count.test(f"fallback/{program}/{name}", None if right else f"exit {done.code}, expected {code}: {done.said()}")

    def least_memory(self, program, command):
        """Where not even the edges fit, they are read in host memory; there is no plan below that."""
        least = self.run([*command, "--dry-run", "--transfer", "zero-copy", "--prepare", "never"]).json()["device_bytes"]
        for name, more, code, words in (
                ("runs", ["--device-memory", str(least), "--check"], 0, '"memory":'),
                ("plans", ["--device-memory", str(least), "--dry-run"], 0, "zero-copy: "),
                ("refuses", ["--device-memory", str(least - 1)], 5, "not enough device memory"),
                ("resident", ["--device-memory", str(least), "--transfer", "resident"], 5, "not enough device memory")):
            for pinning in ({}, {"EMULATOR_NO_PINNING": "1"}):
                done = self.run([*command, *more], **pinning)
                self.count.test(f"least/{program}/{name}{'/copied' if pinning else ''}", None if done.code == code and
                                words in done.said() else f"exit {done.code}, expected {code}: {done.said()}")

    # -- Convergence

    def steps(self, source, runs):
        """How soon an iteration ends is no matter of its answer: nothing else would tell."""
        path = ROOT / source
        binary = self.built(f"steps/{path.stem}", self.emulator.program, path, self.folder / f"{path.stem}.emulated", [])
        for command, most in runs if binary else ():
            done = self.run([binary, *command, "--target", "gpu", "--prepare", "always", "--check", "--json", "--quiet"])
            steps = done.json()["phases"][0]["steps"] if done.code == 0 else None
            self.count.test(f"steps/{path.stem}/{command[0]}", None if steps is not None and steps <= most else
                            f"{steps} steps, expected at most {most}; exit {done.code}: {done.said()}")

    def totals(self):
        """What a run tells of a phase in all is what its trace tells step by step."""
        binary = self.built("totals", self.emulator.program, ROOT / "dsl-examples/03-sssp/sssp.vg", self.folder / "totals.emulated", ["--schedules=all"])
        for variant in ("async-push-data", "async-pull-topology", "sync-push-data", "sync-pull-topology") if binary else ():
            trace = self.folder / f"totals.{variant}.jsonl"
            done = self.run([binary, "generate:road:12x9", "--source", "0", "--target", "gpu", "--schedule", f"variant={variant}", "--trace", trace,
                             "--json", "--quiet"])
            phase = done.json()["phases"][0] if done.code == 0 else {}
            steps = [json.loads(line) for line in trace.read_text().splitlines()] if trace.exists() else []
            told = {"steps": len(steps), **{name: sum(step[name] for step in steps) for name in ("edges", "active_vertices")}}
            self.count.test(f"totals/{variant}", None if told["active_vertices"] and all(phase.get(name) == of for name, of in told.items()) else
                            f"the trace tells {told}, the run {phase}; exit {done.code}: {done.errors}")

    # -- Packed rows

    def packed(self, source, graph):
        """All tiles over the link, some of them, none; and the k-th allocation fails, for every k."""
        binary = self.built("packed", self.emulator.program, ROOT / source, self.folder / "packed.emulated", [])
        if binary is None:
            return
        run = [binary, graph, "--target", "gpu", "--quiet"]
        plan = self.run([*run, "--dry-run", "--json", "--transfer", "zero-copy", "--prepare", "always"]).json()
        bound = sum(array["bytes"] for array in plan["arrays"] if array["name"].endswith(", packed, at most"))
        read = []

        def count(way, words):
            done = self.run([*run, *words, "--json", "--check"])
            said = re.search(r"rows packed to .*? \((\d+) bytes\), of which each sweep reads .*?(\d+) bytes", done.said())
            self.count.test(f"packed/{way}", None if done.code == 0 and said else f"exit {done.code}: {done.said()}")
            read.append([int(number) for number in said.groups()] if said else [0, 0])
            if way != "none":  # the plan counts as much as there may be to keep
                self.count.test(f"packed/{way}/memory", self.memory_problem([*run, *words]))

        count("all", ["--transfer", "zero-copy", "--prepare", "always"])
        count("some", ["--device-memory", str(plan["device_bytes"])])
        count("fewer", ["--device-memory", str(plan["device_bytes"] + read[1][1] // 2)])
        count("none", ["--device-memory", str(plan["device_bytes"] + read[1][1] * 2)])
        shares = [share for _, share in read]
        right = shares == sorted(shares, reverse=True) and len(set(shares)) == 4 and shares[3] == 0
        right = right and shares[0] == read[0][0] <= bound
        self.count.test("packed/shares", None if right else f"each sweep reads {read}, of {bound} at most")
        small = [binary, "generate:kron:6:8", "--target", "gpu", "--quiet", "--transfer", "zero-copy", "--prepare", "always", "--check"]
        for failing in range(500):
            done = self.run(small, EMULATOR_FAILING=str(failing))
            if "no allocation failed" in done.errors:
                break
            good = done.code == 0 or (done.code == 5 and len(done.errors.splitlines()) == 1)
            self.count.test(f"packed/without allocation {failing}", None if good else f"exit {done.code}: {done.said()}")

    # -- Loops of the host level in one launch

    def rounds(self, source):
        """Whether a loop runs in one launch, or round by round for the host to look: the summary says which and why, and
        what the phases did is the same."""
        path = ROOT / source
        binary = self.built(f"rounds/{path.stem}", self.emulator.program, path, self.folder / f"{path.stem}.rounds", [])
        plain = [binary, "generate:kron:8:8", "--target", "gpu", "--check", "--json", "--quiet"]
        ways = {"alone": ([], "all rounds in one launch"),
                "traced": (["--trace", self.folder / f"{path.stem}.trace"], "round by round: a trace is written"),
                "limited": (["--step-limit", "1000000"], "round by round: steps are limited")}
        did = {}
        for way, (more, reason) in ways.items() if binary else ():
            done = self.run([*plain, *more])
            phases = done.json()["phases"] if done.code == 0 else []
            did[way] = [(phase["steps"], phase["edges"], phase["active_vertices"]) for phase in phases]
            good = phases and all(phase["reason"] == reason for phase in phases) and did[way] == did["alone"]
            self.count.test(f"rounds/{path.stem}/{way}", None if good else
                            f"expected '{reason}' and {did.get('alone')}; exit {done.code}: {done.said()}")

    def hubs(self, source, graph):
        """Blocks share the list of a hub; the answer is checked."""
        path = ROOT / source
        name = f"{path.stem}-{graph.split(':')[1]}"
        binary = self.built(f"hubs/{name}", self.emulator.program, path, self.folder / f"{name}.hubs", [])
        for seed in self.seeds if binary else ():
            done = self.run([binary, graph, "--symmetrize", "--target", "gpu", "--check", "--quiet", "--output", self.folder / f"{name}.{seed}.hubs"],
                            EMULATOR_SEED=str(seed))
            self.count.test(f"hubs/{name}/order {seed}", None if done.code == 0 else f"exit {done.code}: {done.said()}")

    # -- Several programs, several runs

    def together(self):
        """Two programs in one binary, on two devices; eight runs at the same time, each on a stream of its own."""
        binary = self.built("together", self.emulator.programs, [ROOT / "dsl-examples" / path for path in TOGETHER],
                            self.folder / "together.emulated")
        if binary is None:
            return

        def count(name, command, expected, *, code=0, **environment):
            done = self.run([binary, *command], EMULATOR_DEVICES="2", **environment)
            good = done.code == code and all(words in done.said() for words in expected)
            self.count.test(f"together/{name}", None if good else f"exit {done.code}, expected {code}: {done.said()}")

        graph = ["generate:road:12x9", "--target", "gpu", "--check"]
        for program, more, state in (("sssp", ["--source", "0"], "distance"), ("pagerank", [], "rank")):
            count(f"device/{program}", ["--program", program, *graph, *more, "--device", "1"], ["number 1", f"result      {state}"])
        count("no-device", ["--program", "pagerank", *graph, "--device", "2"],
              ["there is no GPU 2: 2 are visible, the last is GPU 1"], code=4)
        count("no-program", graph, ["--program pagerank or sssp"], code=2)
        lines = self.folder / "together.lines"
        lines.write_text("".join("\t".join(words) + "\n" for words in map(self.one_of_eight, range(8))))
        for seed in self.seeds[:3]:
            count(f"eight/{seed}", ["--together", lines], ["\n".join(f"== {number} 0" for number in range(8))],
                  EMULATOR_SEED=str(seed))

    @staticmethod
    def one_of_eight(number):
        chosen = ["--program", "sssp", "--source", "0"] if number % 3 else ["--program", "pagerank"]
        drawn = f"generate:road:{9 + number}x8" if number % 2 else f"generate:rmat:{5 + number % 3}:{4 + number}"
        return [drawn, *chosen, "--target", "gpu", "--check", "--quiet", "--device", str(number // 4)]

    # -- Programs

    def passing(self, entry, objects, turn, chosen):
        """The runs of one program in one order of threads on the same graphs go the same way each time. A program is what it is linked of."""
        meaning = [json.dumps(entry), str(self.seeds[turn]), str(turn % 2), str(self.arguments.turns), *(graph.digest for graph in chosen)]
        return self.emulator.cache.passing(objects, meaning, [*WHAT_RUNS, *self.emulator.linked()])

    def program(self, entry, objects, binary, turn, chosen):
        seed = self.seeds[turn]
        environment = dict(self.environment, EMULATOR_SEED=str(seed))
        if turn % 2 == 1:
            environment["EMULATOR_SHARED"] = LITTLE_SHARED
        try:
            batch = batches.Batch(entry, [binary], self.folder, str(seed), turns=self.arguments.turns)
        except running.Failure as problem:
            self.count.test(f"{entry['name']}/schedules/{seed}", problem)
            return
        with self.passing(entry, objects, turn, chosen) as passing:
            for name, problem in batch.run(chosen, LIMIT, environment):
                self.count.test(f"{name}/{seed}", problem)
                passing.note(problem)

    def unless_passed_before(self, function, *words):
        """Does what is no program's runs, but for what passed before with the same compiler, runtime, tests and examples."""
        meaning = [function.__name__, json.dumps(words, default=str), str(self.seeds), str(self.arguments.random), str(self.emulator.sanitize),
                   self.emulator.cache.of_compiler("g++")]
        with self.emulator.cache.passing([], meaning, [*WHAT_IS_TESTED, self.emulator.vertigo, self.emulator.library()]) as passing:
            if passing.before:
                self.count.passed_before(passing.before)
                return
            with self.count.here() as counts:
                function(*words)
            # What is skipped is to be told each time.
            passing.passed, passing.failed = counts["passed"], counts["failed"] + counts["skipped"]

    def shares(self, place):
        """(turn, graphs) of each order of threads, for the program at this place of the manifest."""
        for turn in range(len(self.seeds)):
            mine = self.graphs if self.arguments.every_order else self.graphs[(turn + place) % len(self.seeds)::len(self.seeds)]
            yield turn, mine

    def all_tasks(self, entries):
        """(function, words): what may run at the same time, the long ones first."""
        def wanted(name):
            return not self.arguments.program or name in self.arguments.program

        for name, source in DEVICE_TESTS.items():
            if wanted(name):
                yield self.device_test, name, source
        if wanted("planted"):
            for source in sorted((HERE / "planted").glob("*.cu")):
                yield self.planted, source
        if wanted("memory"):
            for entry in entries:
                for pin in entry.get("memory_measured_with", []):
                    yield self.memory, entry, pin
        if wanted("together"):
            yield (self.together,)
        if wanted("rounds"):
            for source in ROUNDS:
                yield self.rounds, source
        if wanted("hubs"):
            for source, graph in HUBS:
                yield self.hubs, source, graph
        if wanted("totals"):
            yield (self.totals,)
        if wanted("packed"):
            yield self.packed, *PACKED
        if wanted("link"):
            yield self.link, *transfers.PARTED
        if wanted("file"):
            yield (self.file_faults,)
            for entry in entries:
                if entry["name"] in transfers.FROM_FILE:
                    yield self.from_file, entry
        if wanted("lists"):
            for entry in entries:
                if entry["name"] in text_lists.TEXTS:
                    yield self.text_lists, entry
                if entry["name"] in text_lists.STAYING:
                    yield self.staying_lists, entry
        if wanted("steps"):
            for source in sorted({source for source, _, _ in STEPS}):
                yield self.steps, source, [(command, most) for of, command, most in STEPS if of == source]
        for place, entry in enumerate(entries):
            if wanted(entry["name"]):
                yield self.all_orders, entry, place

    def all_orders(self, entry, place):
        name = entry["name"]
        objects = self.built(name, self.emulator.program_objects, ROOT / entry["file"], name, programs.pins(entry))
        left = [share for share in self.shares(place) if not self.passed_before(entry, objects, *share)] if objects else []
        if not left:
            return []
        binary = self.built(name, self.emulator.link, [*objects, *self.emulator.runtime(with_main=True)], self.folder / f"{name}.emulated")
        return [(self.program, entry, objects, binary, *share) for share in left] if binary else []

    def passed_before(self, entry, objects, turn, chosen):
        with self.passing(entry, objects, turn, chosen) as passing:
            self.count.passed_before(passing.before)
            return passing.before > 0


def said_briefly(word):
    """A task's first word: a program of the manifest, a path or a name."""
    return word["name"] if isinstance(word, dict) else pathlib.Path(word).stem


def main():
    parser = command_line.parser(__doc__)
    parser.add_argument("--program", action="append", help="only this program, `planted` for the faults, `preparations`, `balance`, `parts`, `combine`, `neighbourhoods`, `intersections`, `texts`, `donations`, `worklists`, `memory`, `hubs`, `packed`, `link`, `file`, `lists`, `rounds`, `steps`, `totals` or `together`; may be given several times")
    parser.add_argument("--seeds", default="0,1,2,3", help="orders of threads")
    parser.add_argument("--turns", type=int, default=1, help="each schedule that is no engine's runs on every so-manieth graph (1: on all)")
    parser.add_argument("--every-order", action="store_true", help="all graphs in all orders of threads")
    parser.add_argument("--random", type=int, default=12, help="random graphs for each program")
    parser.add_argument("--no-sanitize", action="store_true", help="without the address sanitizer: twice as fast")
    parser.add_argument("--again", action="store_true", help="run what passed before, too")
    parser.add_argument("--keep", type=pathlib.Path, help="keep binaries and graphs in this folder")
    arguments = parser.parse_args()
    entries, _ = programs.read_manifest(ROOT / "tests/run/manifest.json")
    entries = [entry for entry in entries.values() if entry.get("compiled", True)]
    with command_line.working_folder("emulated", arguments.keep) as folder:
        tests = Tests(arguments, folder)
        tests.emulator.cache.forget_passes = arguments.again
        for with_main in (True, False):
            tests.emulator.runtime(with_main)
        times = collections.Counter()

        def timed(function, *words):
            begin = time.monotonic()
            try:
                return function(*words)
            finally:
                if words and callable(words[0]):
                    function, *words = words
                times[" ".join([function.__name__, *map(said_briefly, words[:1])])] += time.monotonic() - begin

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            tasks = [pool.submit(timed, *(task if task[0] == tests.all_orders else (tests.unless_passed_before, *task)))
                     for task in tests.all_tasks(entries)]
            # A program's runs follow when it is compiled.
            tasks = [pool.submit(timed, *task) for made in tasks for task in made.result() or ()]
            for task in tasks:
                task.result()
        print(tests.emulator.cache.said())
        print(f"{tests.count.remembered} tests passed before, with nothing changed since, and were not run again")
        print("longest: " + ", ".join(f"{name} {seconds:.0f} s" for name, seconds in times.most_common(12)))
        tests.emulator.cache.trim()
    return tests.count.close()


if __name__ == "__main__":
    sys.exit(main())
