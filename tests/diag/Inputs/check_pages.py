#!/usr/bin/env python3
"""check_pages.py BIN PAGES EXAMPLES: every page shows what its code refuses and what is accepted instead, and both are so.

A block without a language is a program. One that is marked sh is a command, run in a folder with a few of the examples; it
must end with the code's message or, accepted, without it and with exit status 0. An accepted program lowers without a word.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = r"^{}:\n\n```(\w*)\n(.*?)^```$"
# What takes nvcc and a minute, or a machine without memory, is only looked at.
NOT_RUN = {("VG0507", "Accepted"), ("VG0509", "Refused")}
EXAMPLES = ("01-bfs/bfs.vg", "03-sssp/sssp.vg", "12-bc/bc.vg", "15-cdlp/cdlp.vg")


def run(language, text, folder):
    """(exit status, what was said on standard error)."""
    if language == "sh":
        command = ["bash", "-c", text]
    else:
        (folder / "page.vg").write_text(text, encoding="utf-8")
        command = ["vertigo", "--emit=ir", "page.vg"]
    result = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            stdin=subprocess.DEVNULL, timeout=120)
    return result.returncode, result.stderr


def problems(page, folder):
    text = page.read_text(encoding="utf-8")
    shown = f"[{page.stem}]"
    for word in ("Refused", "Accepted"):
        blocks = re.findall(BLOCK.format(word), text, re.DOTALL | re.MULTILINE)
        if len(blocks) != 1:
            yield f"has {len(blocks)} blocks '{word}:'"
            continue
        if (page.stem, word) in NOT_RUN:
            continue
        status, said = run(*blocks[0], folder)
        if word == "Refused" and shown not in said:
            yield f"what it calls refused does not give {shown}: {said.strip()[:300] or 'nothing is said'}"
        if word == "Accepted" and (status or shown in said or (not blocks[0][0] and said)):
            yield f"what it calls accepted ends with {status}: {said.strip()[:300]}"


def main():
    binaries, pages, examples = (pathlib.Path(each).resolve() for each in sys.argv[1:])
    os.environ["PATH"] = f"{binaries}{os.pathsep}{os.environ['PATH']}"
    found = sorted(pages.glob("VG*.md"))
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        for example in EXAMPLES:
            shutil.copy(examples / example, name)
        for page in found:
            for problem in problems(page, pathlib.Path(name)):
                print(f"{page.name}: {problem}")
                failed += 1
    print(f"{len(found)} pages, {failed} problems")
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
