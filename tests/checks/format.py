"""The sources are as clang-format leaves them."""

import re
import shutil
import subprocess

from tree import Skip

SUMMARY = "clang-format-19 leaves every source as it is"


def problems(tree):
    program = shutil.which("clang-format-19")
    if not program:
        raise Skip("clang-format-19 is missing")
    sources = [name for name in tree.matching("*.h", "*.cpp", "*.cu", "*.cuh")
               if not name.startswith("tests/golden/")]
    if not sources:
        return
    result = subprocess.run([program, "--dry-run", "--style=file", *sources], cwd=tree.root,
                            capture_output=True, text=True)
    seen = set()
    for place in re.findall(r"^(.+?):\d+:\d+: (?:warning|error)", result.stderr, re.MULTILINE):
        if place not in seen:
            seen.add(place)
            yield f"{place}: not formatted; ./dev fmt does it"
    if result.returncode != 0 and not seen:
        yield f"clang-format-19 failed: {result.stderr.strip()[:200]}"


STYLE = "BasedOnStyle: Google\nColumnLimit: 100\n"
CLEAN = {".clang-format": STYLE, "a.cpp": "int main() { return 0; }\n"}
FAULTS = [({".clang-format": STYLE, "a.cpp": "int  main( ){return 0;}\n"}, "a.cpp: not formatted")]
