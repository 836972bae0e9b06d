"""From a program to something that runs many command lines: a shared object per program, loaded by one launcher that holds
the runtime (tests/gpu/launcher.cpp), so that a program costs one short compilation and no link."""

import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.append(str(ROOT / "tests" / "run"))

import cases  # noqa: E402

# What every emitted file may include: compiled once.
HEADERS = ["vertigo/cpu/generated.h", "vertigo/cpu/engines/*.h"]
# Unoptimised code compiles twice as fast, but hides what optimisers make of undefined behaviour.
FLAGS = ["-std=c++20", "-O1", "-fopenmp", "-fPIC", "-w"]


# Codes of messages that speak of a defect of the compiler, not of the program.
DEFECT = re.compile(r"\[VG0(407|506)\]")


class Refused(Exception):
    """The compiler has a reason against the program: nothing is wrong."""


class Broken(Exception):
    """The compiler crashed, or what it emitted does not compile."""


def run(command, limit=120, **more):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=limit, **more)


class Builder:
    """`target`: cpu, gpu, or emulator, where the emitted CUDA runs as the GPU's."""

    def __init__(self, build, folder, target, tools=None, gpus=1):
        self.folder, self.gpus = folder, gpus
        self.emulated, self.target = target == "emulator", "cpu" if target == "cpu" else "gpu"
        self.include = ROOT / "runtime" / "include"
        if self.emulated:
            sys.path.append(str(ROOT / "tests" / "emulator"))
            import emulate
            self.emulator = emulate.Emulator(build, sanitize=False, jobs=os.cpu_count() or 1)
            self.emulator.runtime()
        if tools is None:
            tools = folder / "tools"
            made = run([HERE / "pack.sh", tools], env=dict(os.environ, VERTIGO_BUILD_DIR=str(build)))
            if made.returncode:
                raise SystemExit(f"{made.stdout}{made.stderr}")
        self.emitter, self.launcher = tools / "emit_program", tools / "launcher"
        if not self.emulated:
            self.precompiled = self.make_precompiled()

    def make_precompiled(self):
        header = self.folder / "all.h"
        names = sorted(str(path.relative_to(self.include)) for pattern in HEADERS for path in self.include.glob(pattern))
        header.write_text("".join(f'#include "{name}"\n' for name in names))
        done = run(["g++", *FLAGS, f"-I{self.include}", "-x", "c++-header", header, "-o", f"{header}.gch"])
        if done.returncode:
            raise SystemExit(f"the headers do not compile:\n{done.stderr[-2000:]}")
        return header

    def emit(self, case, folder, form):
        source = folder / f"{case.name}.vg"
        source.write_text(case.text)
        emitted = folder / f"{case.name}.{'cpp' if form == 'cpu' else 'cu'}"
        done = run([self.emitter, form, source, emitted, *([case.pin] if case.pin else [])])
        if done.returncode == 1 and re.search("error: ", done.stderr) and not DEFECT.search(done.stderr):
            raise Refused(re.search(r"error: .*", done.stderr).group(0))
        if done.returncode:
            raise Broken(f"the compiler ends with {done.returncode}: {done.stderr[-1500:]}")
        return emitted

    def program(self, case, folder):
        """The command that runs the program: the name of a batch's file is to follow (tests/run/batch.h)."""
        if self.emulated:
            return self.emulated_program(case, folder)
        emitted = self.emit(case, folder, "cpu")
        library = folder / f"{case.name}.so"
        objects = [self.compile(["g++", *FLAGS, f"-I{self.include}", "-include", self.precompiled, "-c", emitted], emitted)]
        if self.target == "gpu":
            cuda = self.emit(case, folder, "cuda")
            objects.append(self.compile(
                ["nvcc", f"-I{self.include}", "-std=c++20", "-fmad=false", "-w", "-arch=native", "-Xcompiler", "-fPIC", "-c",
                 cuda], cuda))
        self.compile(["g++", "-shared", *objects], library, library)
        return [self.launcher, library, "--batch"]

    def compile(self, command, source, output=None):
        output = output or source.with_suffix(source.suffix + ".o")
        done = run([*command, "-o", output], limit=300)
        if done.returncode:
            raise Broken(f"what was emitted does not compile ({source.name}):\n{done.stderr[:1500]}")
        return output

    def emulated_program(self, case, folder):
        import emulate
        source = folder / f"{case.name}.vg"
        self.emit(case, folder, "cuda")
        try:
            return [self.emulator.program(source, folder / f"{case.name}.emulated", case.pins()), "--batch"]
        except (subprocess.CalledProcessError, emulate.translate.Untranslatable) as problem:
            raise Broken(f"the emulator cannot build it: {problem}") from None

    def environment(self, case):
        """Of a program's runs; programs take turns among the GPUs."""
        if self.emulated:
            return {"EMULATOR_SEED": str(case.seed % 7), "EMULATOR_SECONDS": "30"}
        return {"CUDA_VISIBLE_DEVICES": str(case.seed % self.gpus)} if self.target == "gpu" else {}

    @staticmethod
    def schedules(command):
        """As --schedule takes them; a program without phases has none, and None stands for that."""
        listed = run([*command[:-1], "--list-schedules"])
        return cases.schedules(listed.stdout, {}) or [None]
