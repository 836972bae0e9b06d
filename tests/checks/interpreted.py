"""Pages that say which examples run in the interpreter only name those that the emitters refuse."""

import pathlib
import re

SUMMARY = "pages name the examples that are not compiled"
PAGES = ("README.md", "dsl-examples/README.md", "tests/README.md")
CLAIM = "in the interpreter only"


def refused(tree):
    """Examples of which the golden files hold a refusal in place of code."""
    return {pathlib.PurePath(name).name.split(".")[0] for name in tree.matching("tests/golden/*.refused")}


def claimed(tree, page):
    """The names of examples in the sentence that makes the claim; None where the page has none."""
    examples = {pathlib.PurePath(name).stem for name in tree.matching("dsl-examples/*.vg")}
    flat = re.sub(r"\s+", " ", tree.text(page))
    sentences = [each for each in re.split(r"(?<=[.|])\s|\s-\s", flat) if CLAIM in each]
    return set(re.findall(r"`(\w+)`", " ".join(sentences))) & examples if sentences else None


def problems(tree):
    expected = refused(tree)
    for page in PAGES:
        if page not in tree.files:
            continue
        found = claimed(tree, page)
        if found is None and expected:
            yield f"{page}: does not say which examples run {CLAIM}: {', '.join(sorted(expected))}"
        elif found is not None and found != expected:
            yield f"{page}: says that {sorted(found)} run {CLAIM}, and the emitters refuse {sorted(expected)}"


EXAMPLE = {"dsl-examples/15-cdlp/cdlp.vg": "program cdlp {}\n", "dsl-examples/03-sssp/sssp.vg": "program sssp {}\n"}
REFUSED = {"tests/golden/cdlp.cpp.refused": "not compiled\n"}
CLEAN = {**EXAMPLE, **REFUSED, "README.md": "All compile. The example `cdlp` runs\nin the interpreter only. And `sssp`.\n"}
FAULTS = [
    ({**EXAMPLE, **REFUSED, "README.md": "every example compiles\n"}, "README.md: does not say"),
    ({**EXAMPLE, "README.md": "`cdlp` runs in the interpreter only.\n"}, "and the emitters refuse []"),
    ({**EXAMPLE, **REFUSED, "README.md": "`cdlp` and `sssp` run in the interpreter only.\n"}, "says that ['cdlp', 'sssp']"),
]
