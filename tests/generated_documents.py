"""The documents that are made from sources, and how. tests/update.py writes them, a check compares them.

A maker returns the text, or None where the program that it asks is not built; it raises RuntimeError where that fails.
"""

import dataclasses
import pathlib
import re
import subprocess
import typing

REGISTRY = "compiler/diag/Diagnostics.def"
PAGES = "compiler/diag/pages"


def errors(root, _build):
    """docs/errors.md: the registry of diagnostics with the page of each."""
    parts = ["# Diagnostics\n\nMade by `./dev update` from `compiler/diag/`; `vertigo --explain CODE` prints "
             "one of these pages.\n",
             "Under *Refused* stands what brings the message, under *Accepted* the same without the mistake. A program that "
             "brings a warning or a\nnote alone is compiled all the same. `{0}` and the like stand for names and values of the "
             "program at hand. `sssp.vg`, `bfs.vg` and `bc.vg` are\n[lessons](../dsl-examples/README.md).\n"]
    registry = (root / REGISTRY).read_text(encoding="utf-8")
    entry = re.compile(r'^VG_DIAGNOSTIC\(\s*(\d+),\s*(\w+),\s*(\w+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', re.MULTILINE)
    for number, _name, severity, text in entry.findall(registry):
        code = f"VG{int(number):04d}"
        said = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace('\\"', '"')
        page = root / PAGES / f"{code}.md"
        body = page.read_text(encoding="utf-8").strip() if page.exists() else "No page."
        # A page's own title repeats the code; its further headings go one level below ours.
        body = re.sub(r"\A# .*\n+", "", body)
        body = re.sub(r"^(#+ )", r"##\1", body, flags=re.MULTILINE)
        parts.append(f"## {code}\n\n{severity.lower()}: {said}\n\n{body}\n")
    return "\n".join(parts)


def passes(root, build):
    """docs/passes.md: what `vertigo --list-passes` prints."""
    program = pathlib.Path(build or root / "build") / "bin" / "vertigo"
    if not program.exists():
        return None
    listing = subprocess.run([str(program), "--list-passes"], capture_output=True, text=True)
    if listing.returncode != 0:
        raise RuntimeError(f"vertigo --list-passes: {listing.stderr.strip()}")
    return ("# Passes\n\nMade by `./dev update` from `vertigo --list-passes`, in the order in which they run. "
            f"A pass is one file pair below `compiler/passes/`.\n\n```\n{listing.stdout.rstrip()}\n```\n")


@dataclasses.dataclass
class Document:
    path: str
    sources: list
    make: typing.Callable


DOCUMENTS = [
    Document("docs/errors.md", [REGISTRY], errors),
    Document("docs/passes.md", ["compiler/passes/Passes.def"], passes),
]
