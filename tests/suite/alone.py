"""The tests of the GPU suite that nothing may run beside: what is refused, what memory is too small for, several runs in one
process, changes of paths, debug builds."""

import re

from suite import batches, controllers
from suite.running import ended

# Of the device headers by themselves.
DEVICE_TESTS = {"preparations": "prepare_test", "balance": "balance_test", "parts": "parts_test", "combine": "combine_test", "wide": "wide_combine_test",
                "neighbourhoods": "neighbourhoods_test", "intersections": "intersections_test", "colouring": "colouring_test", "donations": "donations_test",
                "worklists": "worklist_test", "texts": "text_test"}


class Alone:
    """`folder`, `run`, `program`, `generate`, `verdict`, `record` are the suite's."""

    def alone(self, names, tiny):
        """All of them, on tiny graphs by label."""
        self.refusals(tiny["path"])
        self.together(tiny["kron8"])
        self.deterministic(tiny["kron8"], [name for name in ("pagerank", "katz") if name in names])
        if self.options.target == "gpu":
            self.fallback(tiny["kron8"])
            if self.has("packed rows", "pagerank"):
                self.packed(self.generate("packed", "urand", 18, 40))
            self.watchdog()
        self.switches()
        self.passed_stage("refusals, memory, switches")

    def has(self, test, *names):
        """Whether the suite was built with these programs; a test that lacks one is recorded as skipped."""
        absent = [name for name in names if not (self.folder / f"{name}.so").exists()]
        if absent:
            self.record(test, "skipped", f"no program {', '.join(absent)}")
        return not absent

    def watchdog(self):
        """A debug build ends a wait without end, and says where it was."""
        done = self.run([self.folder / "planted", "hang"], 60)
        self.verdict("watchdog on planted fault 'hang'", ended(done, 1, "what it waits for does not come"), done.seconds)

    def refusals(self, graph):
        """What a machine or a limit makes impossible is said in one line, with its own exit code."""
        hidden = [self.folder / "sssp", graph, "--source", "1", "--target", "gpu", "--quiet"]
        cases = [("no visible GPU", hidden, 4, {"CUDA_VISIBLE_DEVICES": "-1"}, "")]
        if self.options.target == "gpu":
            cases += [
                ("standalone binary", [self.folder / "sssp", graph, "--source", "1", "--target", "gpu",
                                       "--check"], 0, {}, ""),
                ("auto takes the GPU", [self.folder / "sssp", graph, "--source", "1"], 0, {}, "gpu"),
                ("device memory too small", [*hidden, "--device-memory", "1KiB"], 5, {}, "needed"),
                ("dry run", [*hidden[:-1], "--dry-run"], 0, {}, "distance"),
                *((label, [self.folder / test], 0, {}, "0 differences") for label, test in DEVICE_TESTS.items()),
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
            if not self.has(f"{name} where memory does not allow", name):
                continue
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
        if not self.has("eight runs at the same time", *pair):
            return
        runs = [self.program(name, graph, "--program", name, "--check", "--quiet")[2:] for name in pair * 4]
        lines.write_text("".join("\t".join(map(str, words)) + "\n" for words in runs))
        done = self.run([self.folder / "launcher", *(self.folder / f"{name}.so" for name in pair), "--together", lines], 60)
        self.verdict("eight runs at the same time", ended(done, 0, "".join(f"== {number} 0\n" for number in range(8))))

    def switches(self):
        """Where a controller changes paths (suite/controllers.py), on graphs large enough to need it."""
        for name, (program, generate, source, expectation) in controllers.EXPECTED.items():
            test = f"{program} switches: {name}"
            if not self.has(test, program):
                continue
            kind, *sizes = generate
            larger = [sizes[0] + 2, *sizes[1:]] if kind == "kron" else [size * 5 for size in sizes]
            graph = self.generate(f"switches-{kind}", kind, *larger)
            if graph is None:
                continue  # a failure of its own
            trace = self.work / "switches.jsonl"
            chosen = ["--source", source] if source is not None else []
            done = self.run(
                [self.folder / "launcher", f"./{program}.so", graph, *chosen, "--target", self.options.target, "--check",
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
