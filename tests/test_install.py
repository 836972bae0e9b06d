#!/usr/bin/env python3
"""What `cmake --install` leaves is enough: a generated program compiles against it with two options, and runs.

Closes with `N passed, N failed, N skipped`, as every suite does.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from suite.counting import run_cases  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("VERTIGO_BUILD_DIR", ROOT / "build")).resolve()
# The smallest file that an emitter could write (docs/generated-code-contract.md).
PROGRAM = ROOT / "tests/unit/host/bfs_program.cpp"
# A generated binary needs nothing installed but these and a GPU's driver.
SYSTEM = {"linux-vdso", "libc", "libm", "libstdc++", "libgcc_s", "ld-linux-x86-64", "ld-linux-aarch64", "libpthread",
          "libdl", "librt"}


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, **options)
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


class Prefix(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.folder.name) / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def build(self, compiler, *options, source=PROGRAM):
        """Compiles in one step and links in another, as documents show it; the path of the binary."""
        target = pathlib.Path(self.folder.name) / f"bfs-{compiler}"
        made = target.with_suffix(".o")
        run(compiler, "-std=c++20", *options, f"-I{self.prefix}/include", "-c", source, "-o", made)
        run(compiler, made, f"-L{self.prefix}/lib", "-lvertigo_rt", "-o", target)
        return target

    def check_run(self, binary):
        depths = run(binary, "generate:path:4", "--source", "0", "--output", "-", "--quiet")
        self.assertEqual([line.split() for line in depths.splitlines() if line[0] != "#"],
                         [["0", "0"], ["1", "1"], ["2", "2"], ["3", "3"]])
        needed = set(re.findall(r"^\s*/?(?:[^\s/]+/)*([a-z_+0-9-]+?)\.so", run("ldd", binary), re.MULTILINE))
        self.assertLessEqual(needed, SYSTEM)

    def test_programs_headers_and_archive_are_there(self):
        for name in ("bin/vertigo", "bin/vertigo-opt", "bin/vertigo-graph", "include/vertigo/host/program.h",
                     "lib/libvertigo_rt.a", "share/vertigo/dsl-examples"):
            self.assertTrue((self.prefix / name).exists(), name)

    def test_a_program_compiles_with_gcc_and_the_archive_alone(self):
        self.check_run(self.build("g++", "-O2", "-fopenmp"))

    @unittest.skipUnless(shutil.which("nvcc"), "nvcc is missing")
    def test_a_program_compiles_with_nvcc_and_the_archive_alone(self):
        source = pathlib.Path(self.folder.name) / "bfs.cu"
        shutil.copy(PROGRAM, source)
        self.check_run(self.build("nvcc", "-O2", "-arch=sm_80", source=source))

    def test_the_compiler_works_from_a_moved_prefix(self):
        moved = pathlib.Path(self.folder.name) / "moved"
        shutil.copytree(self.prefix, moved)
        binary = pathlib.Path(self.folder.name) / "sssp"
        example = moved / "share/vertigo/dsl-examples/03-sssp/sssp.vg"
        run(moved / "bin/vertigo", example, "--target=cpu", "-o", binary)
        run(binary, "generate:path:4", "--source", "0", "--check", "--output", self.folder.name + "/distances")


if __name__ == "__main__":
    sys.exit(run_cases(__doc__))
