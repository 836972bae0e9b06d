#!/usr/bin/env python3
"""Builds a program whose kernels run on the CPU, one fibre per thread (README.md).

    emulate.py PROGRAM.vg [-o FILE]       the program as users get it; --target gpu runs emulated
    emulate.py TEST.cu [-o FILE]             a .cu file with a main of its own

    --schedule P   what the compiler pins
    --sanitize     with the address sanitizer: accesses out of bounds end the run
    --optimize N   the compiler's -ON (g: of all levels the least time for compiling and running together)
    --build DIR    where vertigo was built (build)
"""

import argparse
import concurrent.futures
import functools
import os
import pathlib
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import translate  # noqa: E402
from suite import cache, running  # noqa: E402

HEADERS = ROOT / "runtime/include"
# Where headers and sources with device code lie.
DEVICE_HEADERS = [HEADERS / "vertigo/device", HEADERS / "vertigo/engines"]
DEVICE_SOURCES = ROOT / "runtime/src/device"
# What looks at accesses: the address sanitizer, and at indices of arrays within a thread the cheaper check of bounds. Checks are calls: a
# run takes 5% longer than with checks in place, and the compiler a quarter less.
SANITIZED = ["-fsanitize=address,bounds", "-fno-sanitize-recover=bounds", "--param=asan-stack=0",
             "--param=asan-instrumentation-with-call-threshold=0", "-fno-omit-frame-pointer"]
# Of g++: before it has taken 1 GB it looks for none that it no longer needs. Of large programs that saves a tenth of the time.
WITH_MUCH_MEMORY = ["--param=ggc-min-expand=1000", "--param=ggc-min-heapsize=1000000"]
# With which every program that is emitted for a GPU begins here.
CUDA_BEGINS = ["emulator.h", "vertigo/device/generated.cuh"]
# main() of the compiler's programs.
BATCH_MAIN = ROOT / "tests/run/batch_main.cpp"
# In the room of an engine: what it tells the compiler.
MATCHING = "match.cpp"


def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def shown(path):
    """The path as messages name it: from the root of the tree where it lies inside."""
    path = pathlib.Path(path).resolve()
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


class Emulator:
    """Compiles CUDA for the CPU; what it makes lies under BUILD/emulator and in the cache of the build."""

    def __init__(self, build, sanitize=False, optimize="g", jobs=2):
        self.build = pathlib.Path(build).resolve()
        self.folder = self.build / "emulator"
        self.sanitize, self.optimize = sanitize, optimize
        self.jobs = jobs
        self.vertigo = self.build / "bin/vertigo"
        self.cache = cache.Cache.of_build(build)
        self.has_headers, self.headers_lock = False, threading.Lock()
        self.suffix = f"-O{optimize}{'-sanitize' if sanitize else ''}.o"

    def flags(self):
        return ["g++", *WITH_MUCH_MEMORY, "-std=c++20", f"-O{self.optimize}", "-g1", "-fopenmp", "-ffp-contract=off",
                "-fno-strict-aliasing", "-Wno-unknown-pragmas",
                *(SANITIZED if self.sanitize else []),
                *(f"-I{folder}" for folder in self.include_folders()), f"-I{DEVICE_SOURCES.parent}"]

    def own_flags(self):
        """Of the emulator's own sources: half of a run is spent in them, and they are not what is tested."""
        return ["-O2", *(["-fno-sanitize=all", "-DEMULATOR_SANITIZED"] if self.sanitize else [])]

    def include_folders(self):
        return [HERE / "include", self.folder / "include", HEADERS, DEVICE_SOURCES]

    def compile(self, source, target, *more, beside=(), begins=()):
        """`more`: words for the compiler; `beside`: folders with headers for this source alone; `begins`: headers with which
        many sources begin."""
        target.parent.mkdir(parents=True, exist_ok=True)
        folders = [f"-I{folder}" for folder in beside]
        self.cache.make([*self.flags(), *more, "-c", source, "-o", target, *folders], [source],
                        [*self.include_folders(), *beside], ROOT, begins=begins)
        return target

    def headers(self):
        """The headers with device code as C++, found before the originals."""
        with self.headers_lock:
            if self.has_headers:
                return
            for header in [header for folder in DEVICE_HEADERS for header in folder.rglob("*.cuh")]:
                write_if_changed(self.folder / "include" / header.relative_to(HEADERS), translate.translate(header.read_text(), shown(header)))
            self.has_headers = True

    def cuda(self, source, beside=None, begins=()):
        """The object of a .cu file; `beside`: where it finds headers of its own, else in its folder; `begins`: as compile()."""
        self.headers()
        source = pathlib.Path(source).resolve()
        translated = self.folder / "translated" / f"{self.name(source)}.cpp"
        write_if_changed(translated, '#include "emulator.h"\n' + translate.translate(source.read_text(), shown(source)))
        return self.compile(translated, self.folder / "objects" / f"{self.name(source)}{self.suffix}", beside=beside or [source.parent],
                            begins=begins)

    @functools.cache
    def runtime(self, with_main=False):
        """The objects of the emulator and of the runtime's device side."""
        self.headers()
        # A .cu file has a main() of its own.
        sources = [*(HERE / "src").glob("*.cpp"), *([BATCH_MAIN] if with_main else [])]
        sources += [source for folder in [*DEVICE_HEADERS, DEVICE_SOURCES] for ending in ("*.cpp", "*.cu")
                    for source in folder.rglob(ending) if source.name != MATCHING]

        def compiled(source):
            if source.suffix == ".cu":
                return self.cuda(source)
            target = self.folder / "objects" / f"{self.name(source)}{self.suffix}"
            return self.compile(source, target, *(self.own_flags() if source.parent == HERE / "src" else ()))

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(compiled, sorted(sources)))

    @staticmethod
    def name(source):
        """One name for each source, whatever folder it lies in."""
        return "-".join(pathlib.Path(shown(source)).parts[-4:])

    def linked(self):
        """What every program is linked with; its own objects stand before it."""
        return [*self.runtime(with_main=True), self.library()]

    def library(self):
        return str(self.build / "lib/libvertigo_rt.a")

    def link(self, objects, target):
        """Not by the cache: it takes half a second, and 250 binaries of 24 MB would take the place of all else there."""
        self.cache.run(["g++", *(SANITIZED if self.sanitize else []), "-fopenmp", *objects, self.library(), "-lpthread", "-ldl", "-o", target],
                       None, None)
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
        cuda = self.folder / "emitted" / f"{name}.cu"
        cuda.parent.mkdir(parents=True, exist_ok=True)
        running.succeed([self.vertigo, shown(source), "--emit=cuda", *pins, "-o", cuda], cwd=ROOT)
        self.headers()
        headers = [source.resolve().parent]  # that the program names by 'use'
        return [self.cuda(cuda, headers, CUDA_BEGINS), self.cpu_object(source, name, pins)]

    def cpu_object(self, source, name, pins):
        """Of the CPU target, which is only compared with: the object that the examples' suite has of the program, too."""
        folder = self.folder / "programs"
        folder.mkdir(parents=True, exist_ok=True)
        running.succeed([self.vertigo, source.resolve(), "--target=cpu", *pins, *cache.mapped_names(folder, ROOT), "-o", folder / name],
                        env=dict(os.environ, **self.cache.environment_of_vertigo(self.build, quickly_with=cache.OBJECT_ALONE)))
        # What g++ links has an ending: a name that ends in - would be standard input.
        made = folder / f"{name}.o"
        os.replace(folder / name, made)
        return made


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("source")
    parser.add_argument("-o", dest="output")
    parser.add_argument("--build", default=os.environ.get("VERTIGO_BUILD_DIR", ROOT / "build"))
    parser.add_argument("--schedule", default="")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--optimize", default="g")
    options = parser.parse_args()
    emulator = Emulator(options.build, options.sanitize, options.optimize)
    source = pathlib.Path(options.source)
    target = pathlib.Path(options.output or emulator.folder / "bin" / source.stem)
    target.parent.mkdir(parents=True, exist_ok=True)
    # The runtime's other half is the build's own.
    subprocess.run(["ninja", "-C", str(emulator.build), "vertigo", "vertigo_rt"], check=True, stdout=subprocess.DEVNULL)
    try:
        if source.suffix == ".vg":
            emulator.program(source, target, ["--schedule", options.schedule] if options.schedule else [])
        else:
            emulator.link([emulator.cuda(source), *emulator.runtime()], target)
    except translate.Untranslatable as problem:
        sys.exit(str(problem))
    except (cache.CompileError, running.Failure) as problem:
        sys.exit(f"failed: {problem}")
    print(target)


if __name__ == "__main__":
    main()
