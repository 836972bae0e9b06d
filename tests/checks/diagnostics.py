"""Every diagnostic of the registry has a page, and a test that expects it."""

import re

SUMMARY = "each diagnostic has a page and a test that expects it"
REGISTRY = "compiler/diag/Diagnostics.def"


def problems(tree):
    if REGISTRY not in tree.files:
        yield f"{REGISTRY}: the registry of diagnostics is missing"
        return
    code = re.compile(r"\bVG\d{4}\b")
    registered = {}
    for number, line in enumerate(tree.lines(REGISTRY), 1):
        entry = re.match(r"VG_DIAGNOSTIC\((\d+),", line)
        if not entry:
            continue
        found = f"VG{int(entry.group(1)):04d}"
        if found in registered:
            yield f"{REGISTRY}:{number}: {found} stands there twice"
        registered[found] = number
    if not registered:
        yield f"{REGISTRY}: no code found in it"
    tested = set()
    for name in tree.matching("tests/*"):
        if not name.startswith(("tests/checks/", "tests/fuzz/")) and tree.is_text(name):
            tested.update(code.findall(tree.text(name)))
    for found, number in registered.items():
        if f"compiler/diag/pages/{found}.md" not in tree.files:
            yield f"{REGISTRY}:{number}: {found} has no page compiler/diag/pages/{found}.md"
        if found not in tested:
            yield f"{REGISTRY}:{number}: no test expects {found}"
    for page in tree.matching("compiler/diag/pages/VG*.md"):
        if page.rsplit("/", 1)[1][:-3] not in registered:
            yield f"{page}: explains a code that {REGISTRY} does not have"
    for found in sorted(tested - set(registered)):
        if found not in ("VG0000", "VG9999"):  # what tests ask for when they want an unknown code
            yield f"tests expect {found}, which {REGISTRY} does not have"


REGISTERED = 'VG_DIAGNOSTIC(101, UnknownName, Error, "no such name")\n'
PAGE = {"compiler/diag/pages/VG0101.md": "A name is not known.\n"}
TEST = {"tests/diag/unknown.vg": "// CHECK: error: no such name [VG0101]\n"}
CLEAN = {REGISTRY: REGISTERED, **PAGE, **TEST}
FAULTS = [
    ({REGISTRY: REGISTERED, **PAGE}, "no test expects VG0101"),
    ({REGISTRY: REGISTERED, **TEST}, "VG0101 has no page"),
    ({REGISTRY: REGISTERED, **PAGE, **TEST, "compiler/diag/pages/VG0102.md": ""}, "explains a code"),
    ({REGISTRY: REGISTERED + REGISTERED, **PAGE, **TEST}, "stands there twice"),
    ({REGISTRY: "// nothing\n"}, "no code found"),
]
