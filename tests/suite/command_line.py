"""The options that every suite has, and the folder that it works in."""

import argparse
import contextlib
import os
import pathlib
import shutil
import tempfile


def parser(description):
    """With --build and --jobs, which run_suites.py gives to every suite."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--build", type=lambda path: pathlib.Path(path).resolve(),
                      default=pathlib.Path(os.environ.get("VERTIGO_BUILD_DIR", "build")).resolve(),
                      help="where vertigo was built (build)")
    made.add_argument("--jobs", type=int, default=int(os.environ.get("VERTIGO_JOBS", os.cpu_count() or 1)),
                      help="processes at a time (one a core)")
    return made


def in_memory():
    """A folder that needs no disk, or None: each answer is synced to it, and there are thousands."""
    shared = "/dev/shm"
    large_enough = os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > 1 << 28
    return shared if large_enough else None


@contextlib.contextmanager
def working_folder(name, keep=None):
    """A folder to work in, which is removed in the end; `keep`: that folder, which stays."""
    folder = pathlib.Path(keep or tempfile.mkdtemp(prefix=f"vertigo-{name}-", dir=in_memory())).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield folder
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)
