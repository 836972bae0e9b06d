"""Passages of documents that are copies of tested files: a comment above a fenced block names the file.

    <!-- from: PATH -->                  the whole file
    <!-- from: PATH, FIRST .. LAST -->   from the first line that holds FIRST to the next one that holds LAST

tests/update.py writes such blocks anew; the check says which ones are not what their file says.
"""

import pathlib
import re

SUMMARY = "code shown in documents is what the files it comes from say"
BLOCK = re.compile(r"(<!-- from: (?P<path>[^\s,]+)(?:, (?P<first>.+?) \.\. (?P<last>.+?))? -->\n"
                   r"```(?P<language>\w*)\n)(?P<body>.*?)(?P<end>^```$)", re.DOTALL | re.MULTILINE)


def passage(lines, first, last):
    """Lines from the one that holds `first` to the next that holds `last`; None where there is none."""
    begin = next((i for i, line in enumerate(lines) if first in line), None)
    if begin is None:
        return None
    end = next((i for i in range(begin, len(lines)) if last in lines[i]), None)
    return None if end is None else lines[begin:end + 1]


def expected(root, block):
    """What stands in the block, or an explanation of why nothing can: (text, None) or (None, why)."""
    path = pathlib.Path(root) / block["path"]
    if not path.is_file():
        return None, f"{block['path']} is missing"
    lines = path.read_text(encoding="utf-8").splitlines()
    if block["first"]:
        lines = passage(lines, block["first"], block["last"])
        if lines is None:
            return None, f"{block['path']} has no passage {block['first']} .. {block['last']}"
    return "".join(line + "\n" for line in lines), None


def rewrite(root, text):
    """The document with every such block as its file has it."""
    def replace(block):
        body, why = expected(root, block)
        if why:
            raise ValueError(why)
        return block[1] + body + block["end"]
    return BLOCK.sub(replace, text)


def problems(tree):
    for name in tree.matching("*.md"):
        text = tree.text(name)
        blocks = list(BLOCK.finditer(text))
        if len(blocks) != text.count("<!-- from: "):
            yield f"{name}: a 'from' comment is not followed by a fenced block"
        for block in blocks:
            line = text.count("\n", 0, block.start()) + 1
            body, why = expected(tree.root, block)
            if why:
                yield f"{name}:{line}: {why}"
            elif body != block["body"]:
                yield f"{name}:{line}: differs from {block['path']}; ./dev update writes it anew"


SHOWN = "<!-- from: a.vg, b .. c -->\n```\nb1\nc1\n```\n"
CLEAN = {"a.vg": "a\nb1\nc1\nd\n", "docs/a.md": SHOWN}
FAULTS = [
    ({"a.vg": "a\nb2\nc1\n", "docs/a.md": SHOWN}, "docs/a.md:1: differs from a.vg"),
    ({"a.vg": "a\n", "docs/a.md": SHOWN}, "has no passage"),
    ({"docs/a.md": SHOWN}, "a.vg is missing"),
    ({"a.vg": "x\n", "docs/a.md": "<!-- from: a.vg -->\nprose\n"}, "not followed by a fenced block"),
]
