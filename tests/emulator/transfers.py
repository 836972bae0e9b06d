"""Tests of how edges come to the emulated device: the speed of the link, and edges that stay in a file."""

import os
import pathlib
import re
import struct
import subprocess
import threading

from suite import programs

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Of a program that brings edges in parts, and a graph whose partitions are larger than another's.
PARTED = ("dsl-examples/03-sssp/sssp.vg", "generate:kron:9:8", "generate:kron:11:16")
# Of programs that run while the edges stay in a file, by name in the manifest: with weights and without, along each direction and
# both, along lists and over all vertices; and graphs with hubs, with in-edges of their own, and with long paths.
FROM_FILE = ("bfs", "sssp", "wcc", "pagerank", "cdlp", "bc")
ON_FILE = ("generate:kron:9:8", "generate:rmat:9:6", "generate:road:60x50")


def stated(entry):
    """What a program of the manifest is run with."""
    options = [word for option, value in entry.get("options", {}).items() for word in (f"--{option}", str(value))]
    return options + (["--source", "2"] if entry.get("source") else [])


class Transfers:
    """Part of run_emulated.Tests."""

    # -- The speed of the link

    def link(self, source, small, large):
        """Measured in every run, or kept where the cache is asked for: of this machine, for partitions of no larger size. What is
        kept may be damaged, in no place, or fail, and no answer depends on it."""
        binary = self.built("link", self.emulator.program, ROOT / source, self.folder / "link.emulated", [])
        if binary is None:
            return
        kept = self.folder / "link.kept"

        def count(name, words, expected, graph=small, folder=kept, code=(0,), **environment):
            run = [binary, graph, "--source", "1", "--target", "gpu", "--transfer", "filter", "--check", "--json", "--quiet", *words]
            done = self.run(run, VERTIGO_CACHE=str(folder), **environment)
            said = done.json().get("link", "") if done.code == 0 else ""
            good = done.code in code and (done.code != 0 or expected in said)
            self.count.test(f"link/{name}", None if good else f"expected '{expected}', exit {done.code}: {done.said()}")
            return done

        count("measured", [], "; measured in ")
        count("kept", [], "; kept from ")
        count("not asked", ["--no-cache"], "; measured in ")
        count("other device", ["--device", "1"], "; measured in ", EMULATOR_DEVICES="2")
        files = [file.name for file in kept.glob("link-*.txt")]
        self.count.test("link/files", None if len(files) == 2 else f"{files} are kept, expected two")
        count("larger partitions", [], "; measured in ", large)
        count("larger partitions again", [], "; kept from ", large)
        count("smaller partitions", [], "; kept from ")
        page, lines, chrome = (self.folder / f"link.{ending}" for ending in ("html", "jsonl", "chrome"))
        count("report", ["--report", page, "--trace", lines], "; kept from ")
        count("chrome", ["--trace", chrome, "--trace-format", "chrome", "--no-cache"], "; measured in ")
        shown = ["; kept from " in page.read_text(), lines.read_text().count("; kept from ") == 1,
                 "; kept from " in lines.read_text().splitlines()[0], "measure the link" in chrome.read_text(),
                 "; measured in " in chrome.read_text()]
        self.count.test("link/shown", None if all(shown) else f"{shown}")
        for file in sorted(kept.glob("link-*.txt")):
            file.write_bytes(file.read_bytes()[:-9])
        count("damaged", [], "; measured in ")
        count("mended", [], "; kept from ")
        count("nowhere", [], "; measured in ", folder=lines / "below")
        for failing in range(500):
            done = count(f"without allocation {failing}", [], "; kept from ", code=(0, 5), EMULATOR_FAILING=str(failing))
            if "no allocation failed" in done.errors:
                break

    # -- Edges that stay in a file

    def cached(self, expression):
        path = self.folder / f"{expression.replace(':', '-')}.vgg"
        if not path.exists():
            made = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.vgg")
            subprocess.run([self.emulator.build / "bin/vertigo-graph", "convert", "--quiet", "--transpose", expression, made], check=True)
            made.rename(path)
        return path

    def from_file(self, entry):
        """The answers of the CPU, with all edges in memory, whatever the memory on both sides, in the schedule that is taken and in every path
        that takes edges in parts."""
        name = f"file/{entry['name']}"
        binary = self.built(name, self.emulator.program, ROOT / entry["file"], self.folder / f"{entry['name']}.file.emulated", [])
        if binary is None:
            return
        options = stated(entry)
        schedules = [[], *(["--schedule", str(each)] for each in programs.schedules([binary]) if each.takes_parts and not each.engines)]
        for seed, expression in enumerate(ON_FILE):
            path = self.cached(expression)
            run = [binary, path, *options, "--target", "gpu", "--quiet"]
            right = self.folder / f"{entry['name']}.{seed}.right.txt"
            whole = self.run([binary, path, *options, "--target", "cpu", "--quiet", "--output", right])
            said = self.run([*run, "--host-memory", "1", "--dry-run"]).said()
            least = re.search(r"pass through .*\((\d+) bytes\) of host memory at least, --host-memory allows", said)
            self.count.test(f"{name}/{expression}/plain", None if whole.code == 0 and least else f"exit {whole.code}: {whole.said()}{said}")
            if not least:
                continue
            tight = [*run, "--host-memory", least[1]]
            plan = self.run([*tight, "--dry-run", "--json"]).json()
            device = self.run([*tight, "--dry-run", "--json", "--device-memory", "1"]).json()["device_bytes"]
            kept = sum(array["bytes"] for array in plan["arrays"] if array["where"] == "file")
            self.count.test(f"{name}/{expression}/plan", None if kept > 0 and plan["strategy"].startswith("in parts: ") else plan)
            for more in (["--device-memory", str(device)], ["--device-memory", str(device + kept // 2)], []):
                for schedule in schedules:
                    self.one_from_file(f"{name}/{expression}", entry, [*tight, *more, *schedule], right, str(seed))

    def one_from_file(self, name, entry, run, right, seed):
        output = right.with_suffix(".found")
        done = self.run([*run, "--output", output, "--json"], EMULATOR_SEED=seed)
        problem = f"exit {done.code}: {done.said()}"
        if done.code == 0:
            alike = output.read_bytes() == right.read_bytes() if entry["rule"] == "EXACT" else self.near(output, right)
            problem = None if alike and "of edges in the file" in done.json()["memory"] else f"another answer: {done.said()}"
        self.count.test(f"{name}/{' '.join(map(str, run[-4:]))}", problem)

    @staticmethod
    def near(found, right):
        pairs = list(zip(found.read_text().split(), right.read_text().split(), strict=True))
        return all(a == b or abs(float(a) - float(b)) <= 1e-3 * abs(float(b)) for a, b in pairs)

    def file_faults(self):
        """Weighted, along lists: the k-th allocation and the k-th read fail, for every k; and what cannot be done is refused by its name."""
        entry = {"name": "sssp", "file": "dsl-examples/03-sssp/sssp.vg"}
        binary = self.built("file/faults", self.emulator.program, ROOT / entry["file"], self.folder / "faults.file.emulated", [])
        if binary is None:
            return
        path = self.cached("generate:kron:8:8")
        output, right = self.folder / "faults.txt", self.folder / "faults.right.txt"
        plain = [binary, path, "--source", "2", "--quiet"]
        self.run([*plain, "--target", "cpu", "--output", right])
        run = [*plain, "--target", "gpu", "--host-memory", "12K"]

        def count(name, done, codes, words=""):
            good = done.code in codes and (done.code == 0 or (len(done.errors.splitlines()) == 1 + (done.code == 2) and words in done.errors))
            if done.code == 0 and 0 in codes:
                good = good and output.read_bytes() == right.read_bytes()
            self.count.test(f"file/{name}", None if good else f"exit {done.code}, expected {codes} and '{words}': {done.said()}")

        count("runs", self.run([*run, "--output", output]), (0,))
        for failing in range(500):
            output.unlink(missing_ok=True)
            done = self.run([*run, "--output", output], EMULATOR_FAILING=str(failing))
            if "no allocation failed" in done.errors:
                break
            count(f"without allocation {failing}", done, (0, 5))
        # A read that fails is told by the preloaded library, which comes before the address sanitizer's.
        library = self.emulator.build / "lib/libvertigo_faults.so"
        for failing in range(2000) if library.exists() and not self.emulator.sanitize else ():
            output.unlink(missing_ok=True)
            counts = self.folder / "faults.counts"
            counts.write_bytes(bytes(16))
            done = self.run([*run, "--output", output], LD_PRELOAD=str(library), VERTIGO_FAULT_COUNTS=str(counts),
                            VERTIGO_FAULT=f"read:{failing}:once")
            count(f"without read {failing}", done, (0, 3))
            if struct.unpack("QQ", counts.read_bytes())[1] == 0:
                break
        plain_graph = [binary, "generate:kron:8:8", "--source", "1", "--target", "gpu", "--quiet"]
        count("no file", self.run([*plain_graph, "--host-memory", "12K"]), (5,), "--host-memory allows 12.0 KiB")
        count("check", self.run([*run, "--check"]), (5,), "--host-memory allows 12.0 KiB")
        count("cpu", self.run([binary, path, "--source", "1", "--target", "cpu", "--quiet", "--host-memory", "12K"]), (2,), "--host-memory")
        count("in memory", self.run([*run, "--transfer", "zero-copy"]), (5,), "of edges stay in the file")
        (self.folder / "begins.vg").write_text("program begins { vertex x: int64 = count(over out u where u.out_degree > 2); output x; }\n")
        begins = self.built("file/begins", self.emulator.program, self.folder / "begins.vg", self.folder / "begins.emulated", [])
        count("initial values", self.run([begins, path, "--target", "gpu", "--quiet", "--host-memory", "8K"]), (5,), "a reduction over neighbours")
        whole = next(each for each in programs.schedules([binary]) if each.engines and not each.takes_parts)
        count("whole engine", self.run([*run, "--schedule", str(whole)]), (5,), "reads all edges in memory")
