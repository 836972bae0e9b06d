"""Links of documents lead somewhere, and the commands that they show exist."""

import collections
import os
import pathlib
import re
import subprocess

SUMMARY = "links and anchors lead somewhere, pages are linked; what documents show exists, and every option is told"
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)|!\[[^\]]*\]\(([^)\s]+)\)")
ANCHOR = re.compile(r"(?<!!)\[[^\]]*\]\(([^)#\s]*)#([^)\s]+)\)")
BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
NAMED_PATH = re.compile(r"`((?:compiler|runtime|tests|docs|dsl-examples)/[\w./-]+)`")
FENCE = re.compile(r"^```(?:sh|bash|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# Pages that speak about this project's own commands.
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "*/README.md", "docs/*.md")
PROGRAMS = ("vertigo", "vertigo-opt", "vertigo-graph")


def link_problems(tree, name):
    for number, line in enumerate(tree.lines(name), 1):
        for found in LINK.finditer(line):
            target = found.group(1) or found.group(2)
            if re.match(r"\w+:", target):
                continue
            if not (tree.root / os.path.dirname(name) / target).exists():
                yield f"{name}:{number}: link to {target}, which is not there"


def slug(heading):
    """The anchor that a heading gets where Markdown is shown: lower case, blanks as hyphens, no signs."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(tree, name):
    """The anchors of a page; a heading that stands there again has a number behind it."""
    found, seen = set(), collections.Counter()
    for heading in re.findall(r"^#+ (.*)$", BLOCK.sub("", tree.text(name)), re.MULTILINE):
        base = slug(heading)
        found.add(f"{base}-{seen[base]}" if seen[base] else base)
        seen[base] += 1
    return found


def anchor_problems(tree, name, cache):
    for number, line in enumerate(tree.lines(name), 1):
        for target, anchor in ANCHOR.findall(line):
            page = os.path.normpath(os.path.join(os.path.dirname(name), target)) if target else name
            if page not in tree.files or not page.endswith(".md"):
                continue
            if page not in cache:
                cache[page] = anchors(tree, page)
            if anchor not in cache[page]:
                yield f"{name}:{number}: {page} has no heading #{anchor}"


def orphans(tree):
    """Pages of docs/ to which no other page leads."""
    linked = set()
    for name in tree.matching("*.md"):
        for found in LINK.finditer(tree.text(name)):
            target = os.path.normpath(os.path.join(os.path.dirname(name), found.group(1) or found.group(2)))
            if target != name:
                linked |= {target, os.path.join(target, "README.md")}
    for name in tree.matching("docs/*.md"):
        if name not in linked:
            yield f"{name}: no other page leads to it"


def shell_lines(text):
    """(line number, command) of each command in shell blocks, continuation lines joined."""
    for block in FENCE.finditer(text):
        number = text.count("\n", 0, block.start(1)) + 1
        pending = ""
        for line in block.group(1).splitlines():
            pending += line.split(" #")[0].rstrip()
            if pending.endswith("\\"):
                pending = pending[:-1]
            else:
                for command in re.split(r"&&|\||;", pending.removeprefix("$ ")):
                    yield number, command.strip()
                pending = ""
            number += 1


def dev_commands(tree):
    """The words that ./dev takes, from its own help."""
    help_text = re.search(r"<<'HELP'\n(.*?)^HELP$", tree.text("dev"), re.DOTALL | re.MULTILINE)
    return set(re.findall(r"^  (\w+)", help_text.group(1), re.MULTILINE)) if help_text else set()


def options_of(tree, program, cache):
    """Options that a program's help and, for vertigo-graph, its commands' helps name."""
    if program not in cache:
        path = tree.program(program)
        text = None
        if path:
            text = ""
            for arguments in [["--help"], ["--help-hidden"]] + [
                    [command, "--help"] for command in ("info", "convert", "generate", "check", "sketch", "colour", "run")]:
                result = subprocess.run([str(path), *arguments], capture_output=True, text=True,
                                        stdin=subprocess.DEVNULL, timeout=30)
                text += result.stdout + result.stderr
        cache[program] = None if text is None else set(re.findall(r"--?[a-zA-Z][\w-]*", text))
    return cache[program]


def generated_options(tree, program):
    """Options of a generated program by its source and the runtime's table; None where it is none of ours."""
    sources = tree.matching(f"dsl-examples/*{program}.vg")
    table = "runtime/src/host/option_table.cpp"
    if not sources or table not in tree.files:
        return None
    options = {"--" + word for word in re.findall(r'\{"([\w-]+)", ', tree.text(table))}
    for source in sources:
        options |= {"--" + word for word in re.findall(r"(\w+)\s*:", tree.text(source))}
    return options


def command_problems(tree, name, known, cache):
    for number, command in shell_lines(tree.text(name)):
        words = command.split()
        if not words:
            continue
        if words[0] in ("./dev", "dev") and len(words) > 1 and words[1] not in known:
            yield f"{name}:{number}: ./dev has no command {words[1]}"
        program = os.path.basename(words[0])
        generated = words[0].startswith("./") and words[0].count("/") == 1 and words[0] != "./dev"
        if program in PROGRAMS or generated:
            options = generated_options(tree, program) if generated else options_of(tree, program, cache)
            if words[1:2] == ["run"] and options is not None:  # the program's own options stand behind it
                for source in words[2:]:
                    options = options | ((source.endswith(".vg") and generated_options(tree, pathlib.Path(source).stem)) or set())
            for word in words[1:]:
                option = word.split("=")[0]
                if options is not None and re.match(r"--[a-z]", option) and option not in options:
                    yield f"{name}:{number}: {program} has no option {option}"
        for word in words:
            path = word.strip("'\"")
            if re.match(r"(\./)?(dsl-examples|tests|docs|compiler|runtime|\.ci)/[\w./-]+$", path):
                if not (tree.root / path).exists():
                    yield f"{name}:{number}: shows {path}, which is not there"


def path_problems(tree, name):
    """Paths that stand in a sentence. Pages that tell how to add a thing name files that are not there yet."""
    if name.startswith("docs/how-to/"):
        return
    for number, line in enumerate(tree.lines(name), 1):
        for path in NAMED_PATH.findall(line):
            if "xxxx" not in path and not (tree.root / path).exists():
                yield f"{name}:{number}: names {path}, which is not there"


# Where names are defined, how, the page that must name them all, and how.
COMPLETE = (
    ("runtime/src/host/option_table.cpp", re.compile(r'\{"([\w-]+)", '), "docs/running.md", "--{}", "the option"),
    ("compiler/passes/Schedule.cpp", re.compile(r'\{"([\w-]+)",\s*"[\w-]+",\s*(?:true|false)'), "docs/how-to/pin-a-schedule.md",
     "`{}`", "the schedule's key"),
)


def completeness_problems(tree):
    for source, names, page, spelling, what in COMPLETE:
        if source not in tree.files or page not in tree.files:
            continue
        text = tree.text(page)
        for word in names.findall(tree.text(source)):
            if not re.search(r"(?<![\w-])" + re.escape(spelling.format(word)) + r"(?![\w-])", text):
                yield f"{page}: does not say what {what} {word} is for"


def problems(tree):
    known = dev_commands(tree) if "dev" in tree.files else set()
    cache, headings = {}, {}
    yield from orphans(tree)
    yield from completeness_problems(tree)
    for name in tree.matching("*.md"):
        yield from link_problems(tree, name)
        yield from anchor_problems(tree, name, headings)
    for name in tree.matching(*PAGES):
        yield from command_problems(tree, name, known, cache)
        yield from path_problems(tree, name)


DEV = {"dev": "cat <<'HELP'\n  test   runs\nHELP\n"}
CLEAN = {**DEV, "dsl-examples/sssp.vg": "program sssp(source: vertex) {}\n",
         "docs/b.md": "```sh\n./sssp g --source 1\n```\n", "README.md": "[docs](docs/a.md) [b](docs/b.md)\n```sh\n./dev test  # all\n```\n", "docs/a.md": "[b](#its-b-and-c)\n# Its `b`, and c\n"}
SSSP = {"dsl-examples/sssp.vg": "program sssp(source: vertex) {}\n",
        "runtime/src/host/option_table.cpp": '{"check", 0, "", "verify", Result},\n'}
FAULTS = [
    ({**DEV, **SSSP, "docs/a.md": "```sh\n./sssp g --source 1 --chekc\n```\n"}, "sssp has no option --chekc"),
    ({"docs/a.md": "", "README.md": "nothing\n"}, "docs/a.md: no other page leads to it"),
    ({**DEV, "README.md": "see [docs](docs/b.md)\n"}, "README.md:1: link to docs/b.md"),
    ({"README.md": "see [a](docs/a.md#its-b) [a](#no)\n", "docs/a.md": "# Its `a`\n"}, "README.md:1: docs/a.md has no heading #its-b"),
    ({"README.md": "see [a](#no)\n```sh\n# no\n```\n"}, "README.md:1: README.md has no heading #no"),
    ({**DEV, "README.md": "```sh\n./dev tset\n```\n"}, "README.md:2: ./dev has no command tset"),
    ({**DEV, "README.md": "```sh\nvertigo dsl-examples/none.vg\n```\n"}, "shows dsl-examples/none.vg"),
    ({**DEV, "build/bin/vertigo": "#!/bin/sh\necho --emit\n", "README.md": "```sh\nvertigo a.vg --emti=cuda\n```\n"},
     "README.md:2: vertigo has no option --emti"),
    ({"README.md": "It lies in `runtime/src/none.cpp`.\n"}, "README.md:1: names runtime/src/none.cpp"),
    ({**SSSP, "docs/running.md": "`--check-all`\n", "README.md": "[r](docs/running.md)\n"}, "does not say what the option check is for"),
    ({"compiler/passes/Schedule.cpp": '{"timing", "choose-consistency", true, {}},\n', "docs/how-to/pin-a-schedule.md": "`direction`\n",
      "README.md": "[p](docs/how-to/pin-a-schedule.md)\n"}, "does not say what the schedule's key timing is for"),
]
