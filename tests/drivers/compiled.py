"""Programs compiled for a driver, and what a run of theirs said."""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

from suite import running  # noqa: E402

EXAMPLES = ROOT / "dsl-examples"


class Programs:
    """Binaries in `folder`, made of .vg files when they are first asked for, and again when the source or the compiler
    is newer. `schedules`: needed or all, as vertigo has it."""

    def __init__(self, build, folder, target, schedules="needed"):
        self.compiler, self.graph_tool = build / "bin" / "vertigo", build / "bin" / "vertigo-graph"
        self.folder, self.target, self.schedules = folder, target, schedules

    def binary(self, source):
        made = self.folder / source.stem
        if not made.exists() or made.stat().st_mtime < max(source.stat().st_mtime, self.compiler.stat().st_mtime):
            self.folder.mkdir(parents=True, exist_ok=True)
            running.succeed([self.compiler, source, f"--target={self.target}", f"--schedules={self.schedules}", "-o", made], 600)
        return made

    def run(self, source, words, limit):
        """The object that --json prints; a Failure where the run did not end well."""
        command = [self.binary(source), *words, "--target", self.target, "--json"]
        done = running.run(command, limit)
        answer = done.json()
        if done.code != 0 or answer is None:
            said = answer["error"]["message"] if answer and "error" in answer else done.reason()
            raise running.Failure(f"{source.stem}: exit {done.code}: {said}")
        return answer


def add_options(parser):
    """What both drivers take: which compiler, which target, where the binaries are kept."""
    build = pathlib.Path(os.environ.get("VERTIGO_BUILD_DIR", ROOT / "build"))
    parser.add_argument("--build", type=pathlib.Path, default=build, help="where vertigo was built (build)")
    parser.add_argument("--programs", type=pathlib.Path, help="where binaries are kept (BUILD/drivers)")
    parser.add_argument("--target", choices=("cpu", "gpu", "auto"), default="auto", help="as vertigo has it (auto)")
    parser.add_argument("--timeout", type=float, default=3600, help="seconds for one run (3600)")


def programs_of(options, schedules="needed"):
    build = options.build.resolve()
    kept = options.programs or build / "drivers" / f"{options.target}-{schedules}"
    return Programs(build, kept, options.target, schedules)
