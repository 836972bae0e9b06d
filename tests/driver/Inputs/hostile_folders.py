#!/usr/bin/env python3
"""hostile_folders.py VERTIGO PROGRAM NVCC FOLDER: compiles for a GPU with temporary folders whose names a shell would run."""

import os
import pathlib
import subprocess
import sys

NAMES = ["d$(touch HIT)", "d`touch HIT`", "d;touch HIT;", 'd";touch HIT;"', "d&touch HIT&", "d|touch HIT", "d\ntouch HIT\n",
         "d $HOME", "d'touch HIT'", "d>HIT", "d*", "-d"]


def main():
    vertigo, program, nvcc, folder = sys.argv[1:]
    wrong = 0
    os.chdir(folder)
    linked = pathlib.Path(folder, "plain-link")
    for name in NAMES:
        os.makedirs(name, exist_ok=True)
        linked.unlink(missing_ok=True)
        linked.symlink_to(pathlib.Path(folder, name))
        # As it is, relative to another folder, and behind a link with a harmless name.
        for temporary in (os.path.join(folder, name), name, str(linked))[:3 if name == NAMES[0] else 1]:
            environment = dict(os.environ, TMPDIR=temporary, VERTIGO_NVCC=nvcc, VERTIGO_CXX="true")
            done = subprocess.run([vertigo, os.path.abspath(program), "--target=gpu", "--arch=sm_90", "-o", "out"],
                                  env=environment, capture_output=True, text=True, check=False)
            hits = [os.path.join(place, "HIT") for place, _, files in os.walk(folder) if "HIT" in files]
            refused = "refused what was generated" in done.stderr or "GPU part" in done.stderr
            if hits or not refused:
                wrong += 1
                print(f"{temporary!r}: {hits} {done.stderr}")
            for kept in pathlib.Path("/tmp").glob("vertigo-*/program.cu"):
                if str(kept.parent) in done.stderr:
                    subprocess.run(["rm", "-rf", str(kept.parent)], check=True)
    print(f"{len(NAMES)} folders, {wrong} wrong")


if __name__ == "__main__":
    main()
