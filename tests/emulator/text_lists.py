"""Tests of runs whose lists a device has, from parsing the text, as they stand in a binary file or to turn them round: same answers, same refusals
as where the host did that."""

import pathlib
import random
import subprocess

import transfers
from suite import programs

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Of programs that read out-edges, in-edges and both, with integers, fractions and no weights, and of one for undirected graphs.
TEXTS = ("bfs", "bfs_parents", "sssp", "sssp_float64", "wcc", "cdlp", "mis")
VERTICES, EDGES = 200, 1500
# Graphs in host memory, whose lists a device takes to turn them round: with in-edges of their own, and with the same.
TURNED = ("generate:rmat:8:6", "generate:kron:6:6")
# Forms of binary files, what of texts() they hold, and how they are written.
BINARY = (("sg", "symmetric", ()), ("wsg", "integers", ()), ("bel", "no two parallel", ()), ("vgg", "fractions", ()),
          ("vgg", "integers", ["--transpose"]), ("vgg", "too large", ["--transpose"]))

# Programs that ask for little of what a device has read, whatever engine they choose.
STAYING = ("bfs", "sssp", "pagerank", "wcc")
# Writes down the ranges that a profiler would show.
LISTENER = "tests/unit/trace/libprofiler_listener.so"
ROAD = (40, 30)


def road():
    """Lines of an edge list: a grid, with weights."""
    width, height = ROAD
    draw = random.Random(24)
    for y in range(height):
        for x in range(width):
            here = y * width + x
            for other in [here + 1] * (x + 1 < width) + [here + width] * (y + 1 < height):
                weight = draw.randrange(1, 50)
                yield from (f"{here} {other} {weight}", f"{other} {here} {weight}")


def texts():
    """Lines of edge lists by what they hold; some programs refuse the last two."""
    draw = random.Random(18)

    def edges(count, weight=lambda: None):
        for _ in range(count):
            words = [draw.randrange(VERTICES), draw.randrange(VERTICES), weight()]
            yield " ".join(str(word) for word in words if word is not None)

    plain = list(edges(EDGES))
    pairs = [line.split() for line in plain]
    both = [f"{a} {b}" for a, b in pairs] + [f"{b} {a}" for a, b in pairs]
    apart = {f"{a} {b}": draw.randrange(3) for a, b in pairs}
    return {"plain": plain, "symmetric": both,
            "no two parallel": [f"{edge} {weight}" for edge, weight in apart.items()],
            "integers": list(edges(EDGES, lambda: draw.randrange(50))),
            "fractions": list(edges(EDGES, lambda: draw.randrange(500) / 8)),
            "one negative": [*edges(EDGES, lambda: draw.randrange(50)), "3 4 -1"],
            "too large": [*edges(EDGES, lambda: draw.randrange(50)), "3 4 3000000000"]}


class TextLists:
    """Part of run_emulated.Tests."""

    def text_lists(self, entry):
        name = f"lists/{entry['name']}"
        binary = self.built(name, self.emulator.program, ROOT / entry["file"], self.folder / f"{entry['name']}.lists.emulated", [])
        if binary is None:
            return
        options = transfers.stated(entry)
        if entry.get("needs") == "symmetric":
            options += ["--symmetrize", "--self-loops", "drop", "--duplicates", "min"]
        schedules = [["--schedule", str(each)] for each in programs.schedules([binary])]
        places = {}
        for number, (kind, lines) in enumerate(texts().items()):
            places[kind] = self.folder / f"{entry['name']}.{number}.el"
            places[kind].write_text("\n".join(lines) + "\n")
        for form, kind, written in BINARY:
            places[f"{kind} as {form}"] = self.folder / f"{entry['name']}.{len(places)}.{form}"
            words = ["convert", "--quiet", *written, places[kind], places[f"{kind} as {form}"]]
            subprocess.run([self.emulator.build / "bin/vertigo-graph", *words], check=True)
        places.update({expression: expression for expression in TURNED})
        for number, (kind, path) in enumerate(places.items()):
            run = [binary, path, *options, "--target", "gpu", "--quiet"]
            right = self.answer([*run, "--read", "host"])
            ways = {"alone": [], "checked": ["--check"], "repeated": ["--runs", "2"], "all": ["--compare-schedules"],
                    "unprepared": ["--prepare", "never"], "zero-copy": ["--transfer", "zero-copy"], "filter": ["--transfer", "filter"]}
            if number % 3:
                del ways["all"]
            for way, words in ways.items():
                self.same(f"{name}/{kind}/{way}", right, [*run, "--read", "device", *words])
            for schedule in schedules[number % 5::5]:
                pinned = [*run, *schedule, "--read"]
                self.same(f"{name}/{kind}/{' '.join(schedule)}", self.answer([*pinned, "host"]), [*pinned, "device"])
            self.same(f"{name}/{kind}/other device", right, [*run, "--read", "device", "--device", "1"], EMULATOR_DEVICES="2")
            if right[0] == 0 and kind in ("integers", "integers as wsg", "integers as vgg", TURNED[0]):
                self.less_memory(f"{name}/{kind}", right, [*run, "--read", "device"])

    def staying_lists(self, entry):
        """From a text to an answer, nobody asks for all edges, nor for all offsets: they would come to the host."""
        name = f"lists/{entry['name']}/staying"
        listener = self.emulator.build / LISTENER
        if not listener.exists():
            self.count.skip(name, "built without NVTX's headers")
            return
        binary = self.built(name, self.emulator.program, ROOT / entry["file"], self.folder / f"{entry['name']}.staying.emulated", [])
        if binary is None:
            return
        for kind, lines in {**texts(), "road": list(road())}.items():
            if kind in ("one negative", "too large", "fractions"):
                continue
            text, heard = (self.folder / f"{entry['name']}.staying.{ending}" for ending in ("el", "heard"))
            text.write_text("\n".join(lines) + "\n")
            heard.unlink(missing_ok=True)
            done = self.run([binary, text, *transfers.stated(entry), "--target", "gpu", "--quiet", "--read", "device"],
                            NVTX_INJECTION64_PATH=str(listener), LISTENER_OUTPUT=str(heard))
            ranges = heard.read_text().splitlines() if heard.exists() else []
            fetched = [line for line in ranges if line.startswith("push fetch")]
            good = done.code == 0 and "push load" in ranges and not fetched
            self.count.test(f"{name}/{kind}", None if good else f"exit {done.code}, {fetched or 'nothing'} was fetched: {done.said()[:300]}")

    def answer(self, run, **environment):
        """(exit code, what was written or the message)"""
        output = self.folder / f"{pathlib.Path(run[0]).stem}.{pathlib.Path(run[1]).stem.replace(':', '-')}.found"
        output.unlink(missing_ok=True)
        done = self.run([*run, "--output", output], **environment)
        return done.code, output.read_text() if output.exists() else done.errors

    def same(self, name, right, run, **environment):
        found = self.answer(run, **environment)
        self.count.test(name, None if found == right else f"exit {found[0]}, expected {right[0]}: {found[1][:300]}")

    def less_memory(self, name, right, run):
        """What does not fit beside the lists goes to the host, or reading them does; no allocation that fails spoils the answer."""
        needed = self.run([*run, "--dry-run", "--json"]).json()["device_bytes"]
        for share in (1, 2, 3):
            code, text = self.answer([*run, "--device-memory", str(needed * share // 4)])
            good = (code, text) == right or (code == 5 and "not enough device memory" in text)
            self.count.test(f"{name}/{share} of 4 parts", None if good else f"exit {code}: {text[:300]}")
        for failing in range(len(name) % 3, 60, 3):
            code, text = self.answer(run, EMULATOR_FAILING=str(failing))
            good = (code, text) == right or (code == 5 and len(text.splitlines()) == 1)
            self.count.test(f"{name}/without allocation {failing}", None if good else f"exit {code}: {text[:300]}")
