"""Headers that g++ compiles once, for the hundreds of files of a suite that begin with the same ones.

A file that is compiled with `words(header)` behind its flags has them included before its first line. The flags must be the same: g++
reads the text of the headers where they are not.
"""

import fcntl
import hashlib
import os
import pathlib

from suite import running

# With which every program that is emitted for the CPU begins.
OF_CPU_PROGRAMS = ["vertigo/cpu/generated.h"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
# For ccache, which else would not remember what reads a precompiled header: it takes the stamp for the contents of the header. What one
# checkout compiled, another need not, whether `./dev` runs the suite or a shell does.
CCACHE = {"CCACHE_SLOPPINESS": "pch_defines,time_macros", "CCACHE_PCH_EXTSUM": "true", "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1"}


def words(header):
    """What a command says to have `header` included."""
    return ["-include", str(header), "-fpch-preprocess"]


def digest(parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def header(folder, names, command, meaning, **options):
    """The path of a header in `folder` that includes all `names`, compiled by `command`: the compiler and its flags. `meaning`: hashes of
    all that the headers are made of; where they change, it is compiled anew. `options`: as running.run has them. Several threads and
    processes may use one folder. Raises running.Failure."""
    folder = pathlib.Path(folder).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(f'#include "{name}"\n' for name in names)
    # A file for each command: suites with other flags take turns.
    made = folder / f"{digest([text, *command])[:16]}.h"
    binary, stamp = made.with_suffix(".h.gch"), made.with_suffix(".h.gch.sum")
    now = digest([text, *command, *meaning])
    with open(made.with_suffix(".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not binary.exists() or not stamp.exists() or stamp.read_text() != now:
            stamp.unlink(missing_ok=True)
            made.write_text(text)
            new = binary.with_suffix(".new")
            running.succeed([*command, "-x", "c++-header", made, "-o", new], **options)
            os.replace(new, binary)
            stamp.write_text(now)
    return made
