#!/usr/bin/env python3
"""compile_blocks.py VERTIGO PAGE: what the page's programs claim to be is what they are.

A block marked ```vertigo is emitted for CPU and GPU without a word. One that is marked ```vertigo interpreted is refused by
both emitters (VG0601) and runs in the interpreter. So a construct that becomes compiled makes this fail until the page says
so. A block marked ```cpp whose first line is a comment with a file's name is a header that programs may use.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```vertigo(?: (\w+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NOT_COMPILED = "[VG0601]"


def emit(vertigo, form, program):
    """(whether it was emitted, what was said)."""
    result = subprocess.run([vertigo, f"--emit={form}", program], capture_output=True, text=True)
    return result.returncode == 0, result.stderr


def interpreted(vertigo, program, text):
    parameters = re.match(r"[^{]*?\((.*?)\)\s*\{", text, re.DOTALL)
    values = []
    for name, kind in re.findall(r"(\w+)\s*:\s*vertex(\[\])?", parameters[1] if parameters else ""):
        values += ["--" + name + kind.strip("[]"), "1"]
    result = subprocess.run([vertigo, "run", "--interpret", program, "generate:path:5", *values], capture_output=True,
                            text=True)
    return result.returncode == 0


def problem(vertigo, program, marked, text):
    program.write_text(text, encoding="utf-8")
    lowers, said = emit(vertigo, "ir", program)
    if not lowers or said:
        return said
    for form in ("cpu", "cuda"):
        emitted, said = emit(vertigo, form, program)
        if marked is None and (not emitted or said):
            return f"not emitted as {form}: {said}"
        if marked is not None and (emitted or NOT_COMPILED not in said):
            return f"is marked '{marked}', and --emit={form} says: {said or 'nothing, it compiles'}"
    if marked is not None and not interpreted(vertigo, program, text):
        return f"is marked '{marked}', and the interpreter does not run it"
    return None


def main():
    vertigo, page = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    blocks = list(BLOCK.finditer(text))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for header in re.finditer(r"^```cpp\n// ([\w.]+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            pathlib.Path(folder, header[1]).write_text(header[2], encoding="utf-8")
        for block in blocks:
            found = problem(vertigo, pathlib.Path(folder, "program.vg"), *block.groups())
            if found:
                failed += 1
                print(f"{page}:{text.count(chr(10), 0, block.start(2)) + 1}:\n{found}")
    print(f"{len(blocks)} blocks, {failed} not as the page says")
    return 1 if failed or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
