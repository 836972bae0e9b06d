#!/usr/bin/env python3
"""Builds a program whose kernels run on the CPU, one fibre per thread (README.md).

    emulate.py PROGRAM.vg [-o FILE]       the program as users get it; --target gpu runs emulated
    emulate.py TEST.cu [-o FILE]             a .cu file with a main of its own

    --schedule P   what the compiler pins
    --sanitize     with the address sanitizer: accesses out of bounds end the run
    --optimize N   the compiler's -ON (1)
    --build DIR    where vertigo was built (build)
"""

import argparse
import concurrent.futures
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import translate

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DEVICE_HEADERS = ROOT / "runtime/include/vertigo/device"
DEVICE_SOURCES = ROOT / "runtime/src/device"


def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def shown(path):
    """The path as messages name it: from the root of the tree where it lies inside."""
    path = pathlib.Path(path).resolve()
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


class Emulator:
    """Compiles CUDA for the CPU; keeps what it made under BUILD/emulator."""

    def __init__(self, build, sanitize=False, optimize="1", jobs=2):
        self.build = pathlib.Path(build).resolve()
        self.folder = self.build / "emulator"
        self.sanitize, self.optimize = sanitize, optimize
        self.jobs = jobs
        self.vertigo = self.build / "bin/vertigo"
        self.suffix = f"-O{optimize}{'-sanitize' if sanitize else ''}.o"

    def flags(self):
        compiler = ["ccache", "g++"] if shutil.which("ccache") else ["g++"]
        return [*compiler, "-std=c++20", f"-O{self.optimize}", "-g1", "-fopenmp", "-ffp-contract=off",
                "-fno-strict-aliasing", "-Wno-unknown-pragmas",
                *(["-fsanitize=address", "-fno-omit-frame-pointer"] if self.sanitize else []),
                *(f"-I{folder}" for folder in (HERE / "include", self.folder / "include",
                                               self.folder / "include/private", ROOT / "runtime/include", DEVICE_SOURCES))]

    def compile(self, source, target, *more):
        target.parent.mkdir(parents=True, exist_ok=True)
        environment = dict(os.environ, CCACHE_BASEDIR=str(ROOT), CCACHE_NOHASHDIR="1")
        subprocess.run([*map(str, self.flags()), "-c", str(source), "-o", str(target), *more], check=True,
                       env=environment, cwd=ROOT)
        return target

    def headers(self):
        """The headers with device code as C++, found before the originals."""
        for header in [*DEVICE_HEADERS.rglob("*.cuh"), *DEVICE_SOURCES.rglob("*.cuh")]:
            write_if_changed(self.translated_header(header), translate.translate(header.read_text(), shown(header)))

    def translated_header(self, header):
        if header.is_relative_to(DEVICE_SOURCES):
            return self.folder / "include/private" / header.relative_to(DEVICE_SOURCES)
        return self.folder / "include/vertigo/device" / header.resolve().relative_to(DEVICE_HEADERS)

    def cuda(self, source, *more):
        """The object of a .cu file; `more`: words for the compiler."""
        source = pathlib.Path(source).resolve()
        translated = self.folder / "translated" / f"{self.name(source)}.cpp"
        write_if_changed(translated, '#include "emulator.h"\n' + translate.translate(source.read_text(), shown(source)))
        return self.compile(translated, self.folder / "objects" / f"{self.name(source)}{self.suffix}",
                            *(f"-I{folder}" for folder in self.beside(source)), *more)

    def beside(self, source):
        """Where a source finds the headers that lie beside it."""
        inside = source.is_relative_to(DEVICE_SOURCES)
        return [*([self.translated_header(source).parent] if inside else []), source.parent]

    def runtime(self, with_main=False):
        """The objects of the emulator and of the runtime's device side."""
        self.headers()
        newest = max(path.stat().st_mtime for folder in (HERE, self.folder / "include", ROOT / "runtime")
                     for path in folder.rglob("*") if path.suffix in (".h", ".cuh", ".cpp", ".cu"))
        # Its main() is for the programs of the compiler; a .cu file has its own.
        sources = [source for source in (HERE / "src").glob("*.cpp") if with_main or source.name != "main.cpp"]
        sources += [*DEVICE_SOURCES.rglob("*.cpp"), *DEVICE_SOURCES.rglob("*.cu")]

        def compiled(source):
            target = self.folder / "objects" / f"{self.name(source)}{self.suffix}"
            if target.exists() and target.stat().st_mtime >= newest:
                return target
            return self.cuda(source) if source.suffix == ".cu" else self.compile(source, target)

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(compiled, sorted(sources)))

    @staticmethod
    def name(source):
        """One name for each source, whatever folder it lies in."""
        return "-".join(pathlib.Path(shown(source)).parts[-4:])

    def link(self, objects, target):
        subprocess.run(["g++", *(["-fsanitize=address"] if self.sanitize else []), "-fopenmp", *map(str, objects),
                        f"-L{self.build}/lib", "-lvertigo_rt", "-lpthread", "-ldl", "-o", str(target)], check=True)
        return target

    def program(self, source, target, pins=()):
        """A .vg program with both targets; `pins`: more words for the compiler."""
        return self.link([*self.program_objects(source, pathlib.Path(target).stem, pins), *self.runtime(with_main=True)], target)

    def programs(self, sources, target):
        """Several .vg programs in one binary."""
        objects = [made for source in sources
                   for made in self.program_objects(source, f"{pathlib.Path(target).stem}-{pathlib.Path(source).stem}")]
        return self.link([*objects, *self.runtime(with_main=True)], target)

    def program_objects(self, source, name, pins=()):
        source = pathlib.Path(source)
        cuda, cpu = (self.folder / "emitted" / f"{name}.{ending}" for ending in ("cu", "cpp"))
        cuda.parent.mkdir(parents=True, exist_ok=True)
        for kind, path in (("cuda", cuda), ("cpu", cpu)):
            subprocess.run([self.vertigo, shown(source), f"--emit={kind}", *pins, "-o", path], check=True, cwd=ROOT)
        # The CPU target is only compared with: what counts is how long it compiles.
        headers = f"-I{source.resolve().parent}"  # that the program names by 'use'
        other = self.compile(cpu, self.folder / "objects" / f"{name}.cpu.o", "-O0", "-fno-sanitize=address", headers)
        return [self.cuda(cuda, headers), other]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("source")
    parser.add_argument("-o", dest="output")
    parser.add_argument("--build", default=os.environ.get("VERTIGO_BUILD_DIR", ROOT / "build"))
    parser.add_argument("--schedule", default="")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--optimize", default="1")
    options = parser.parse_args()
    emulator = Emulator(options.build, options.sanitize, options.optimize)
    source = pathlib.Path(options.source)
    target = pathlib.Path(options.output or emulator.folder / "bin" / source.stem)
    target.parent.mkdir(parents=True, exist_ok=True)
    # The runtime's other half is the build's own.
    subprocess.run(["ninja", "-C", str(emulator.build), "vertigo", "vertigo_rt"], check=True, stdout=subprocess.DEVNULL)
    try:
        if source.suffix == ".vg":
            emulator.headers()
            emulator.program(source, target, ["--schedule", options.schedule] if options.schedule else [])
        else:
            emulator.headers()
            emulator.link([emulator.cuda(source), *emulator.runtime()], target)
    except translate.Untranslatable as problem:
        sys.exit(str(problem))
    except subprocess.CalledProcessError as problem:
        sys.exit(f"failed: {shlex.join(map(str, problem.cmd))}")
    print(target)


if __name__ == "__main__":
    main()
