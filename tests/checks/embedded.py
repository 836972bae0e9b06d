"""Passages of documents that are copies of tested files or of what our programs print.

A comment above a fenced block says where the block comes from:

    <!-- from: PATH -->                        the whole file
    <!-- from: PATH, FIRST .. LAST -->         from the declaration that holds FIRST to the next line that starts with LAST
    <!-- from: PATH, // FIRST .. LAST -->      the same with the comments above it
    <!-- output of: vertigo ARGUMENTS -->      what the program prints on standard output; FIRST .. LAST as above

tests/update.py writes such blocks anew; the check says which ones are not what their source says.
"""

import pathlib
import re
import shlex
import subprocess

from tree import Skip

SUMMARY = "code and dumps shown in documents are what their sources say"
BLOCK = re.compile(r"(<!-- (?P<kind>from|output of): (?P<source>[^,\n]+?)"
                   r"(?:, (?P<first>[^\n]+?) \.\. (?P<last>[^\n]+?))? -->\n"
                   r"```\w*\n)(?P<body>.*?)(?P<end>^```$)", re.DOTALL | re.MULTILINE)
PROGRAMS = ("vertigo", "vertigo-opt", "vertigo-graph")


class Missing(Exception):
    """What a block should show is not there; says why."""


def passage(lines, first, last):
    """Lines from the declaration that holds `first` to the next that starts with `last`; None where there is none."""
    with_comments, first = first.startswith("// "), first.removeprefix("// ")
    begin = next((i for i, line in enumerate(lines) if first in line), None)
    if begin is None:
        return None
    # A declaration may be broken before its name; in an inner passage every line is indented.
    while begin > 0 and lines[begin].startswith(" ") and not last.startswith(" "):
        begin -= 1
    while with_comments and begin > 0 and lines[begin - 1].startswith("//"):
        begin -= 1
    end = next((i for i in range(begin, len(lines)) if lines[i].startswith(last)), None)
    return None if end is None else lines[begin:end + 1]


def output(tree, command):
    words = shlex.split(command)
    if words[0] not in PROGRAMS:
        raise Missing(f"{words[0]} is no program of the build")
    program = tree.program(words[0])
    if not program:
        raise Skip(f"{words[0]} is not built")
    result = subprocess.run([str(program), *words[1:]], cwd=tree.root, capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, timeout=60)
    if result.returncode != 0:
        raise Missing(f"'{command}' exits with {result.returncode}: {result.stderr.strip()[:200]}")
    return result.stdout.splitlines()


def expected(tree, block):
    """What the block should hold. Raises Missing, or Skip where the program is not built."""
    if block["kind"] == "from":
        path = pathlib.Path(tree.root) / block["source"]
        if not path.is_file():
            raise Missing(f"{block['source']} is missing")
        lines = path.read_text(encoding="utf-8").splitlines()
    else:
        lines = output(tree, block["source"])
    if block["first"]:
        lines = passage(lines, block["first"], block["last"])
        if lines is None:
            raise Missing(f"{block['source']} has no passage {block['first']} .. {block['last']}")
    return "".join(line.rstrip() + "\n" for line in lines)


def rewrite(tree, text, failures):
    """The document with every such block as its source has it; a block without source stays, and is listed."""
    def replace(block):
        try:
            return block[1] + expected(tree, block) + block["end"]
        except (Missing, Skip) as why:
            failures.append(str(why))
            return block[0]
    return BLOCK.sub(replace, text)


def problems(tree):
    skipped = set()
    for name in tree.matching("*.md"):
        text = tree.text(name)
        blocks = list(BLOCK.finditer(text))
        if len(blocks) != len(re.findall(r"^<!-- (?:from|output of): ", text, re.MULTILINE)):
            yield f"{name}: a 'from' or 'output of' comment is not followed by a fenced block"
        for block in blocks:
            line = text.count("\n", 0, block.start()) + 1
            try:
                if expected(tree, block) != block["body"]:
                    yield f"{name}:{line}: differs from {block['source']}; ./dev update writes it anew"
            except Missing as why:
                yield f"{name}:{line}: {why}"
            except Skip as why:
                skipped.add(str(why))
    if skipped:
        raise Skip(", ".join(sorted(skipped)))


SHOWN = "<!-- from: a.vg, b .. c -->\n```\nb1\nc1\n```\n"
PRINTED = "<!-- output of: vertigo a.vg --emit=ir -->\n```\nprogram a.vg\n```\n"
PROGRAM = '#!/bin/sh\nfor word; do :; done\necho "program $1"\n'
KERNEL = "// above\nvoid\n    f() {\n}\n"
CLEAN = {"a.vg": "a\nb1\nc1\nd\n", "docs/a.md": SHOWN, "a.cu": "int a;\n\n" + KERNEL,
         "docs/c.md": "<!-- from: a.cu, // f() .. } -->\n```cuda\n" + KERNEL + "```\n", "docs/b.md": PRINTED, "build/bin/vertigo": PROGRAM}
FAULTS = [
    ({"a.vg": "a\nb2\nc1\n", "docs/a.md": SHOWN}, "docs/a.md:1: differs from a.vg"),
    ({"a.vg": "a\n", "docs/a.md": SHOWN}, "has no passage"),
    ({"docs/a.md": SHOWN}, "a.vg is missing"),
    ({"a.vg": "x\n", "docs/a.md": "<!-- from: a.vg -->\nprose\n"}, "not followed by a fenced block"),
    ({"docs/b.md": PRINTED.replace("program a", "program b"), "build/bin/vertigo": PROGRAM}, "docs/b.md:1: differs"),
    ({"docs/b.md": PRINTED, "build/bin/vertigo": "#!/bin/sh\nexit 1\n"}, "exits with 1"),
    ({"docs/b.md": "<!-- output of: rm -->\n```\n```\n"}, "rm is no program of the build"),
]
