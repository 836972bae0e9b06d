#!/usr/bin/env python3
"""compile_blocks.py VERTIGO PAGE: every block of the page that is marked ```vertigo must lower without a word."""

import re
import subprocess
import sys
import tempfile


def main():
    vertigo, page = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    blocks = list(re.finditer(r"^```vertigo\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
    failed = 0
    for block in blocks:
        with tempfile.NamedTemporaryFile("w", suffix=".vg") as program:
            program.write(block[1])
            program.flush()
            result = subprocess.run([vertigo, "--emit=ir", program.name], capture_output=True, text=True)
        if result.returncode or result.stderr:
            failed += 1
            print(f"{page}:{text.count(chr(10), 0, block.start(1)) + 1}:\n{result.stderr}")
    print(f"{len(blocks)} blocks, {failed} refused")
    return 1 if failed or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
