#!/usr/bin/env python3
"""Holds the source lines that profilers and debuggers show: each lies in the statement of the .vg file that it came from.

Of every program the emitted CUDA and C++ are read as a compiler counts: after `#line 17 "x.vg"` the next line is line 17, the
one after it 18. A line of code that is counted as the program's must lie in the statement that the directive names, and one
that is counted as the emitted file's must be called what it is. Of the examples, the line tables that compilers make of the
text are read too (`.loc` in the PTX of nvcc and in the assembly of g++), and no entry may name another line. Tables are
kept in BUILD/line-tables by a hash of what they were made from. Where there is no nvcc, its tables count as skipped.
"""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from statements import of_line, statements

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
INCLUDE = ROOT / "runtime" / "include"
GOLDEN = ROOT / "tests" / "golden"
SUFFIX = {"cuda": ".cu", "cpu": ".cpp"}
# What makes a line table of the emitted text, in the folder where it lies.
COMPILERS = {
    "cuda": ["nvcc", "-std=c++20", "-fmad=false", "-lineinfo", "-arch=sm_90", f"-I{INCLUDE}", "-ptx", "text.cu", "-o", "table"],
    "cpu": ["g++", "-std=c++20", "-g1", "-fopenmp", f"-I{INCLUDE}", "-S", "text.cpp", "-o", "table"],
}
DIRECTIVE = re.compile(r'#line (\d+)(?: "(.*)")?$')
FILE = re.compile(r'\s*\.file\s+(\d+)\s+(?:"[^"]*"\s+)?"([^"]*)"')
LOC = re.compile(r"\.loc\s+(\d+)\s+(\d+)|inlined_at\s+(\d+)\s+(\d+)")


class Listing:
    """The emitted text as a compiler counts its lines."""

    def __init__(self, text, program):
        self.program, self.emitted = program, None
        self.lines = []  # (physical line, file or None for the text's own name, counted line, directive that says so, code)
        file, counted, directive = None, 1, None
        text = re.sub(r'R"vertigo\(.*?\)vertigo"', lambda raw: "\n" * raw[0].count("\n"), text, flags=re.DOTALL)
        for physical, line in enumerate(text.splitlines(), 1):
            said = DIRECTIVE.match(line)
            if said:
                counted = directive = int(said[1])
                file = said[2] or file
                if said[2] and said[2] != program:
                    self.emitted = said[2]
                continue
            if line.strip() and not line.strip().startswith("//"):
                self.lines.append((physical, file, counted, directive, line.strip()))
            counted += 1

    def told(self):
        """The lines of the program that code comes from."""
        return {counted for _, file, counted, _, _ in self.lines if file == self.program}

    def own(self):
        """The lines of the text that say they are its own."""
        return {physical for physical, file, _, _, _ in self.lines if file != self.program}


def wrong_lines(listing, source):
    """What is wrong with the text, line by line."""
    known = statements(source)
    for physical, file, counted, directive, code in listing.lines:
        if file == listing.program:
            meant = of_line(known, directive)
            if not meant:
                yield f"{physical}: '{code}' is said to come from line {directive}, where no statement is"
            elif not any(first <= counted <= last for first, last in meant):
                yield f"{physical}: '{code}' is counted as line {counted}, and comes from the statement of line {directive}"
        elif counted != physical:
            yield f"{physical}: '{code}' is counted as line {counted}"
    if not listing.told():
        yield "no line comes from the program"


def wrong_entries(table, listing, source):
    """What is wrong with the table, entry by entry. Line 0 is what compilers say of code that has no line."""
    lines, known, told, own = source.count("\n") + 1, statements(source), listing.told() | {0}, listing.own() | {0}
    of_program = 0
    for name, line, count in table:
        if pathlib.PurePath(name).name == pathlib.PurePath(listing.program).name:
            of_program += count
            if line not in told or line and not of_line(known, line):
                past = ", past the end of the file" if line > lines else ""
                yield count, f"{count} entries name line {line} of the program{past}, from which no code comes"
        elif pathlib.PurePath(name).name.startswith("text.") or listing.emitted and name.endswith("/" + listing.emitted):
            if line not in own:
                yield count, f"{count} entries name line {line} of the emitted text, which comes from the program"
    if not of_program:
        yield 1, "no entry names the program"


def headers_hash():
    digest = hashlib.sha256()
    for path in sorted(INCLUDE.rglob("*")):
        if path.is_file():
            digest.update(str(path.relative_to(INCLUDE)).encode() + b"\0" + path.read_bytes())
    return digest.digest()


class Tables:
    """Line tables by what they are made from; made where they are not kept."""

    def __init__(self, folder):
        self.folder, self.headers, self.versions = folder, headers_hash(), {}
        folder.mkdir(parents=True, exist_ok=True)
        for form, command in COMPILERS.items():
            program = shutil.which(command[0])
            self.versions[form] = program and subprocess.run([program, "--version"], capture_output=True, check=True).stdout

    def can(self, form):
        return bool(self.versions[form])

    def read(self, form, text):
        """[(file, line, entries)]."""
        command = COMPILERS[form]
        made_from = (self.headers, self.versions[form], " ".join(command).encode(), text.encode())
        kept = self.folder / hashlib.sha256(b"\0".join(made_from)).hexdigest()
        if not kept.exists():
            with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                folder = pathlib.Path(folder)
                (folder / f"text{SUFFIX[form]}").write_text(text, encoding="utf-8")
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
                if done.returncode:
                    raise RuntimeError(f"{command[0]} exits with {done.returncode}: {done.stderr[:1000]}")
                count = count_entries((folder / "table").read_text(encoding="utf-8", errors="replace"))
                (folder / "kept").write_text("".join(f"{n} {line} {name}\n" for (name, line), n in sorted(count.items())))
                (folder / "kept").replace(kept)
        entries = [line.split(" ", 2) for line in kept.read_text().splitlines()]
        return [(name, int(line), int(count)) for count, line, name in entries]


def count_entries(table):
    """(file, line) -> how many entries name it, as the place or as the caller of what was inlined there."""
    files = {number: name for number, name in FILE.findall(table)}
    count = {}
    for file, line, caller_file, caller_line in LOC.findall(table):
        key = files.get(file or caller_file, ""), int(line or caller_line)
        count[key] = count.get(key, 0) + 1
    return count


def emit(vertigo, program, form):
    """The emitted text; None where the compiler refuses the program, as its golden file says."""
    done = subprocess.run([str(vertigo), str(program), f"--emit={form}"], cwd=ROOT, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=120)
    if done.returncode == 0:
        return done.stdout
    if done.returncode == 1 and (GOLDEN / f"{program.stem}{SUFFIX[form]}.refused").exists():
        return None
    raise RuntimeError(f"vertigo exits with {done.returncode}: {done.stderr[:500]}")


def check(vertigo, tables, program, form, is_example):
    """[(what was looked at, what is wrong with it; None: it was skipped)]."""
    try:
        text = emit(vertigo, program, form)
        if text is None:
            return []
        source = (ROOT / program).read_text(encoding="utf-8")
        listing = Listing(text, str(program))
        looked = [("text", list(wrong_lines(listing, source)))]
        if is_example and not tables.can(form):
            looked.append(("table", None))
        elif is_example:
            table = tables.read(form, text)
            faults = list(wrong_entries(table, listing, source))
            entries = sum(count for name, _, count in table if name.endswith(program.name))
            wrong = [f"{sum(count for count, _ in faults)} of {entries} .loc entries of {program.name} are wrong"] if faults else []
            looked.append(("table", wrong + [fault for _, fault in faults]))
        return looked
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return [("text", [str(error)])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.environ.get("VERTIGO_BUILD_DIR", ROOT / "build"), type=pathlib.Path)
    parser.add_argument("--jobs", default=int(os.environ.get("VERTIGO_JOBS", os.cpu_count())), type=int)
    parser.add_argument("--filter", default="", help="only programs whose path holds this")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    examples = sorted(ROOT.glob("dsl-examples/*/*.vg"))
    others = sorted(ROOT.glob("tests/unit/emit/programs/*.vg")) + sorted(HERE.glob("programs/*.vg"))
    tables = Tables(build / "line-tables")
    cases = [(path.relative_to(ROOT), form, path in examples) for path in examples + others for form in SUFFIX
             if arguments.filter in str(path.relative_to(ROOT))]
    passed = failed = skipped = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda case: check(build / "bin" / "vertigo", tables, *case), cases)
        for (program, form, _), looked in zip(cases, results):
            for what, wrong in looked:
                passed += wrong == []
                failed += bool(wrong)
                skipped += wrong is None
                if wrong:
                    print(f"FAIL  {program} ({form} {what}): {len(wrong)} faults\n      " + "\n      ".join(wrong[:5]), flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
