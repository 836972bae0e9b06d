"""From a program to something that runs many command lines: a shared object per program, loaded by one launcher that holds
the runtime (tests/gpu/launcher.cpp), so that a program costs one short compilation and no link."""

import os
import pathlib
import random
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.append(str(ROOT / "tests"))

from suite import cache, precompiled, programs  # noqa: E402
from suite.running import Failure, run  # noqa: E402

# What every emitted file may include.
HEADERS = [*precompiled.OF_CPU_PROGRAMS, "vertigo/engines/*/cpu.h"]
# Code with less optimisation compiles a little faster, but hides what optimisers make of undefined behaviour.
FLAGS = ["-std=c++20", "-O1", "-fopenmp", "-fPIC", "-w"]


# Codes of messages that speak of a defect of the compiler, not of the program.
DEFECT = re.compile(r"\[VG0(407|506)\]")


class Refused(Exception):
    """The compiler has a reason against the program: nothing is wrong."""


class Broken(Exception):
    """The compiler crashed, or what it emitted does not compile."""


# In a plan, a decision and what could have been chosen instead.
DECISION = re.compile(r"^  decision ([\w.-]+) = .*\{$", re.MULTILINE)
ALTERNATIVE = re.compile(r'^    or "([\w-]+)" because', re.MULTILINE)


def alternatives(plan):
    """What --schedule takes: each choice of the plan's program that is legal and not the default."""
    decisions = list(DECISION.finditer(plan))
    ends = [*(decision.start() for decision in decisions[1:]), len(plan)]
    return [f"{decision[1].removeprefix('program.')}={value}" for decision, end in zip(decisions, ends)
            for value in ALTERNATIVE.findall(plan, decision.end(), end)]


class Builder:
    """`target`: cpu, gpu, or emulator, where the emitted CUDA runs as the GPU's."""

    def __init__(self, build, folder, target, tools=None, gpus=1):
        self.folder, self.gpus = folder, gpus
        self.emulated, self.target = target == "emulator", "cpu" if target == "cpu" else "gpu"
        self.include = ROOT / "runtime" / "include"
        self.cache = cache.Cache.of_build(build)
        if self.emulated:
            sys.path.append(str(ROOT / "tests" / "emulator"))
            import emulate
            self.emulator = emulate.Emulator(build, sanitize=False, jobs=os.cpu_count() or 1)
            self.emulator.runtime(with_main=True)
        if tools is None:
            tools = folder / "tools"
            made = run([HERE / "pack.sh", tools], env=dict(os.environ, VERTIGO_BUILD_DIR=str(build)))
            if made.code != 0:
                raise SystemExit(made.said())
        self.emitter, self.launcher = tools.resolve() / "emit_program", tools.resolve() / "launcher"
        self.begins = sorted(str(path.relative_to(self.include)) for pattern in HEADERS for path in self.include.glob(pattern))

    def emit(self, case, folder, form):
        source = folder / f"{case.name}.vg"
        source.write_text(case.text)
        emitted = folder / f"{case.name}.{ {'cpu': 'cpp', 'cuda': 'cu'}.get(form, form) }"
        # By its name alone: what is emitted names its source, and is the same in every run's folder.
        done = run([self.emitter, form, source.name, emitted, *([case.pin] if case.pin else [])], 120, cwd=folder)
        if done.code == 1 and re.search("error: ", done.errors) and not DEFECT.search(done.errors):
            raise Refused(re.search(r"error: .*", done.errors).group(0))
        if done.code != 0:
            raise Broken(f"the compiler ends with {done.code}: {done.errors[-1500:]}")
        return emitted

    def choose_pin(self, case, folder):
        """Pins one choice of the program's plan where the case wants any: the compiler has no reason against it."""
        if case.any_pin:
            choices = alternatives(self.emit(case, folder, "plan").read_text())
            case.pin = random.Random(case.seed).choice(choices) if choices else None
            case.any_pin = False

    def program(self, case, folder):
        """The command that runs the program, which takes many command lines from the file behind --batch (tests/run/batch.h)."""
        self.choose_pin(case, folder)
        if self.emulated:
            return self.emulated_program(case, folder)
        emitted = self.emit(case, folder, "cpu")
        library = folder / f"{case.name}.so"
        objects = [self.compile(["g++", *FLAGS, f"-I{self.include}", "-c", emitted], [emitted], emitted.with_suffix(".cpp.o"),
                                self.begins)]
        if self.target == "gpu":
            cuda = self.emit(case, folder, "cuda")
            objects.append(self.compile(
                ["nvcc", f"-I{self.include}", "-std=c++20", "-fmad=false", "-w", "-arch=native", "-Xcompiler", "-fPIC", "-c",
                 cuda], [cuda], cuda.with_suffix(".cu.o")))
        self.compile(["g++", "-shared", *objects], objects, library)
        return [self.launcher, library]

    def compile(self, command, reads, output, begins=()):
        try:
            self.cache.make([*command, "-o", output], reads, [self.include], begins=begins)
        except cache.CompileError as problem:
            raise Broken(f"what was emitted does not compile ({reads[0].name}):\n{str(problem)[:1500]}") from None
        return output

    def emulated_program(self, case, folder):
        import emulate
        source = folder / f"{case.name}.vg"
        self.emit(case, folder, "cuda")
        try:
            return [self.emulator.program(source, folder / f"{case.name}.emulated", case.pins())]
        except (cache.CompileError, Failure, emulate.translate.Untranslatable) as problem:
            raise Broken(f"the emulator cannot build it: {problem}") from None

    def environment(self, case):
        """Of a program's runs; programs take turns among the GPUs."""
        if self.emulated:
            return {"EMULATOR_SEED": str(case.seed % 7), "EMULATOR_SECONDS": "30"}
        return {"CUDA_VISIBLE_DEVICES": str(case.seed % self.gpus)} if self.target == "gpu" else {}

    @staticmethod
    def schedules(command):
        """As --schedule takes them; a program without phases has none, and None stands for that."""
        return programs.schedules(command) or [None]
