#!/usr/bin/env python3
"""Tests of the script `dev` on machines that it has not met: nothing installed, no root, no sudo, a failing apt.

Every program that would change the machine or build is a fake on the PATH that notes how it was called.
Closes with `N passed, N failed, N skipped`, as every suite does.
"""

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
# What the script itself stands on.
REAL = ["bash", "env", "dirname", "readlink", "grep", "mkdir", "tail", "head", "nproc", "awk", "cat", "git", "sed", "xargs"]


class Machine:
    """A PATH with the fakes given (name: shell lines), the tools of REAL, and nothing else."""

    def __init__(self, **fakes):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        (self.path / "bin").mkdir()
        for tool in REAL:
            (self.path / "bin" / tool).symlink_to(shutil.which(tool))
        for name, body in fakes.items():
            program = self.path / "bin" / name.replace("_", "-")
            note = f"printf '%s\\n' \"{program.name} $*\" >>\"{self.path}/calls\""
            program.write_text(f"#!/bin/sh\n{note}\n{body}\n")
            program.chmod(0o755)

    def dev(self, *arguments, **variables):
        environment = {"PATH": str(self.path / "bin"), "VERTIGO_BUILD_DIR": str(self.path / "build"), **variables}
        return subprocess.run([str(ROOT / "dev"), *arguments], env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60)

    def calls(self):
        log = self.path / "calls"
        return [line for line in (log.read_text() if log.exists() else "").splitlines()
                if not line.startswith(("dpkg-query", "id"))]


ALL_THERE = "echo installed"
NONE_THERE = "exit 1"
ROOT_USER, USER = "echo 0", "echo 1000"


class Install(unittest.TestCase):
    def test_nothing_missing_leaves_apt_alone(self):
        machine = Machine(dpkg_query=ALL_THERE, id=ROOT_USER, apt_get="exit 1", cmake="", ninja="")
        self.assertEqual(machine.dev("build").returncode, 0)
        self.assertEqual([call.split()[0] for call in machine.calls()], ["cmake", "ninja"])

    def test_root_installs_without_sudo(self):
        machine = Machine(dpkg_query=NONE_THERE, id=ROOT_USER, apt_get="", sudo="exit 1", cmake="", ninja="")
        self.assertEqual(machine.dev("build").returncode, 0)
        calls = machine.calls()
        self.assertRegex(calls[0], r"^apt-get .*update")
        self.assertRegex(calls[1], r"^apt-get .*install .*antlr4 .*llvm-19-dev")

    def test_only_what_is_missing_is_installed(self):
        machine = Machine(dpkg_query='[ "$4" = mold ] || echo installed', id=ROOT_USER, apt_get="", cmake="", ninja="")
        machine.dev("build")
        self.assertTrue(machine.calls()[1].endswith("--no-install-recommends mold"), machine.calls())

    def test_others_ask_sudo(self):
        machine = Machine(dpkg_query=NONE_THERE, id=USER, apt_get="exit 1", sudo="", cmake="", ninja="")
        self.assertEqual(machine.dev("build").returncode, 0)
        self.assertRegex(machine.calls()[0], r"^sudo env .*apt-get .*update")

    def test_without_sudo_the_command_for_root_is_said(self):
        machine = Machine(dpkg_query=NONE_THERE, id=USER, apt_get="", cmake="", ninja="")
        result = machine.dev("build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("become root and run: apt-get install", result.stderr)
        self.assertEqual(machine.calls(), [])

    def test_no_install_says_what_is_missing(self):
        machine = Machine(dpkg_query=NONE_THERE, id=ROOT_USER, apt_get="", cmake="", ninja="")
        result = machine.dev("build", VERTIGO_NO_INSTALL="1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("missing packages: g++ cmake", result.stderr)
        self.assertEqual(machine.calls(), [])

    def test_a_failing_apt_names_its_log(self):
        machine = Machine(dpkg_query=NONE_THERE, id=ROOT_USER, apt_get="echo no network; exit 100", cmake="", ninja="")
        result = machine.dev("build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no network", result.stderr)
        self.assertIn("install.log", result.stderr)

    def test_without_apt_the_missing_tool_is_named(self):
        result = Machine(cmake="").dev("build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no apt-get here, and ninja is missing", result.stderr)


class Build(unittest.TestCase):
    def machine(self, **fakes):
        return Machine(dpkg_query=ALL_THERE, id=ROOT_USER, apt_get="exit 1", **fakes)

    def test_a_failing_configuration_shows_the_error(self):
        result = self.machine(cmake="echo 'CMake Error: no LLVM'; exit 1", ninja="").dev("build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("CMake Error: no LLVM", result.stderr)

    def test_a_failing_build_shows_the_first_error(self):
        result = self.machine(cmake="", ninja="echo 'a.cpp:3: error: no such name'; exit 1").dev("build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("a.cpp:3: error: no such name", result.stderr)

    def test_configures_once(self):
        machine = self.machine(cmake='mkdir -p "$4" && : >"$4/build.ninja"', ninja="")
        machine.dev("build")
        machine.dev("build")
        self.assertEqual([call.split()[0] for call in machine.calls()], ["cmake", "ninja", "ninja"])

    def test_jobs_are_what_was_asked_for(self):
        machine = self.machine(cmake="", ninja="")
        machine.dev("build", "tools", VERTIGO_JOBS="7")
        self.assertRegex(machine.calls()[-1], r"ninja .*-j 7 tools$")


class Commands(unittest.TestCase):
    def test_help_lists_every_command(self):
        script = (ROOT / "dev").read_text()
        commands = set(re.findall(r"^command_(\w+)\(\)", script, re.MULTILINE))
        listed = set(re.findall(r"^  (\w+) ", Machine().dev("help").stdout, re.MULTILINE))
        self.assertEqual(commands, listed & commands)
        self.assertGreaterEqual(len(commands), 9)

    def test_an_unknown_command_is_refused(self):
        result = Machine().dev("tset")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no command 'tset'", result.stderr)

    def test_every_package_has_a_reason(self):
        listing = re.search(r"^packages='\n(.*?)^'", (ROOT / "dev").read_text(), re.DOTALL | re.MULTILINE).group(1)
        for line in listing.splitlines():
            self.assertRegex(line, r"^[a-z0-9.+-]+ +\S.{5,}")


if __name__ == "__main__":
    sys.exit(run_cases(__doc__))
