"""From a program to something that runs many command lines: a shared object for some programs, loaded by one launcher that holds
the runtime (tests/gpu/launcher.cpp), so that programs cost a share of one compilation and no link."""

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


class Built:
    """A program that can run: `command` takes many command lines from the file behind --batch (tests/run/batch.h), each of which
    begins with the words `name`: where the command holds several programs, the name of this one."""

    def __init__(self, command, name=()):
        self.command, self.name = command, list(name)

    def schedules(self):
        """As --schedule takes them; a program without phases has none, and None stands for that."""
        return programs.schedules([*self.command, *self.name]) or [None]


# The name of a program, in its text; programs that are compiled together have names of their own.
NAME = re.compile(r"\bprogram\s+\w+")
# Of emitted files that are compiled together, what all of them begin with.
INCLUDED = re.compile(r"^#include .*$", re.MULTILINE)


def name_of(case):
    return re.sub(r"\W", "_", case.name)


def together(files):
    """The text of a file that holds all of these, each in a namespace of its own."""
    headers = dict.fromkeys(line for file in files for line in INCLUDED.findall(file.read_text()))
    parts = [f"namespace of_{number} {{\n#include \"{file.absolute()}\"\n}}" for number, file in enumerate(files)]
    return "\n".join([*headers, *parts]) + "\n"


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
        source.write_text(NAME.sub(f"program {name_of(case)}", case.text, count=1))
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

    def programs(self, cases, folder):
        """{name of the case: Built, or the Refused or Broken that came of it}, of cases with different names. What can be compiled
        together is."""
        made, emitted = {}, {}
        for case in cases:
            try:
                if self.emulated:
                    made[case.name] = self.emulated_program(case, folder)
                else:
                    emitted[case.name] = {form: self.emit(case, folder, form) for form in self.forms()}
            except (Refused, Broken) as problem:
                made[case.name] = problem
        if emitted:
            made |= self.compiled(emitted, {name_of(case): case.name for case in cases}, folder)
        return made

    def forms(self):
        return ["cpu", "cuda"] if self.target == "gpu" else ["cpu"]

    def compiled(self, emitted, names, folder):
        """What programs() gives, of these that were emitted; alone where they do not compile together."""
        name = next(iter(emitted)) if len(emitted) == 1 else "together"
        library = folder / f"{name}.so"
        try:
            objects = [self.compile(form, [files[form] for files in emitted.values()], folder / name) for form in self.forms()]
            self.make(["g++", "-shared", *objects], objects, library)
        except Broken as problem:
            if len(emitted) == 1:
                return {name: problem}
            return {key: value for name, files in emitted.items() for key, value in self.compiled({name: files}, names, folder).items()}
        return {name: Built([self.launcher, library], ["--program", word]) for word, name in names.items() if name in emitted}

    def compile(self, form, files, output):
        """One object of these emitted files."""
        source = files[0]
        if len(files) > 1:
            source = output.with_suffix(source.suffix)
            source.write_text(together(files))
        if form == "cpu":
            command, begins = ["g++", *FLAGS, f"-I{self.include}"], self.begins
        else:
            command, begins = ["nvcc", f"-I{self.include}", "-std=c++20", "-fmad=false", "-w", "-arch=native", "-Xcompiler", "-fPIC"], ()
        return self.make([*command, "-c", source], dict.fromkeys([source, *files]), source.with_suffix(source.suffix + ".o"), begins)

    def make(self, command, reads, output, begins=()):
        try:
            self.cache.make([*command, "-o", output], reads, [self.include], begins=begins)
        except cache.CompileError as problem:
            raise Broken(f"what was emitted does not compile ({output.name}):\n{str(problem)[:1500]}") from None
        return output

    def emulated_program(self, case, folder):
        import emulate
        self.emit(case, folder, "cuda")
        try:
            return Built([self.emulator.program(folder / f"{case.name}.vg", folder / f"{case.name}.emulated", case.pins())])
        except (cache.CompileError, Failure, emulate.translate.Untranslatable) as problem:
            raise Broken(f"the emulator cannot build it: {problem}") from None

    def environment(self, case):
        """Of a program's runs; programs take turns among the GPUs."""
        if self.emulated:
            return {"EMULATOR_SEED": str(case.seed % 7), "EMULATOR_SECONDS": "30"}
        return {"CUDA_VISIBLE_DEVICES": str(case.seed % self.gpus)} if self.target == "gpu" else {}
