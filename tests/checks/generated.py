"""Documents that are made from the sources are what the sources say now."""

import pathlib
import sys

from tree import Skip

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import generated_documents  # noqa: E402

SUMMARY = "generated documents are up to date"


def problems(tree):
    skipped = []
    for document in generated_documents.DOCUMENTS:
        if not all((tree.root / source).exists() for source in document.sources):
            continue
        text = document.make(tree.root, tree.build)
        if text is None:
            skipped.append(document.path)
        elif document.path not in tree.files:
            yield f"{document.path}: is missing; ./dev update makes it"
        elif tree.text(document.path) != text:
            yield f"{document.path}: not up to date; ./dev update makes it anew"
    if skipped:
        raise Skip(f"the programs that make {', '.join(skipped)} are not built")


REGISTRY = {"compiler/diag/Diagnostics.def": 'VG_DIAGNOSTIC(101, UnknownName, Error, "no such name")\n',
            "compiler/diag/pages/VG0101.md": "A name is not known.\n"}
CLEAN = {}
FAULTS = [
    (REGISTRY, "docs/errors.md: is missing"),
    ({**REGISTRY, "docs/errors.md": "old\n"}, "docs/errors.md: not up to date"),
]
