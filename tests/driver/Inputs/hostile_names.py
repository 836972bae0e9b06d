#!/usr/bin/env python3
"""hostile_names.py VERTIGO PROGRAM FOLDER: emits the program under names that are no names of code, as the program's and as the schedule
file's. Without comments, literals and line directives all of them must be the same code, and no line of it may look like another."""

import os
import re
import subprocess
import sys

HIT = "int hit = nonsense;"
NAMES = [
    f"a\n{HIT}//.vg", f"a\r{HIT}//.vg", f"a\r\n{HIT}//.vg", f"a\v{HIT}\f//.vg",
    # Backslashes and trigraphs at the ends of the comment's lines.
    "\\", "a\\\n.vg", "a " * 60 + "\\", " ".join(["w" * 20 + "\\"] * 9), " ".join(["w" * 20 + "??/"] * 9) + "w", "??/\n" + HIT,
    f'"; {HIT} "', f'\\"; {HIT} "', f"'{HIT}'", f"*/ {HIT} /*", f"a// {HIT}", "%s%n$(touch HIT)`touch HIT`",
    ')vertigo" ' + HIT, 'R"vertigo(', "#include </dev/zero>", "\\u000a" + HIT, "\\x0a" + HIT,
    "a\u2028" + HIT, "a\u2029" + HIT, "a\u0085" + HIT, "a\u202e" + HIT, "a\ufeff.vg", "\x1b[31mred.vg", "\x7f.vg", "\x01.vg",
    b"\xff\xfe" + HIT.encode(), b"\xc0\x8a" + HIT.encode(), b"\xe2\x80", b"\xed\xa0\x80",
    "n" * 251 + ".vg", "-o", "-rf.vg", "--help", "@x", " ", "...",
]
MISLEADING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffd]")


def bare(text):
    """What is code of the text: lines are joined as compilers join them."""
    text = text.replace("??/", "\\").replace("\\\n", "")
    token = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|//[^\n]*|^#line[^\n]*|\s+', re.DOTALL | re.MULTILINE)
    return token.sub(" ", text).split()


def emitted(vertigo, form, *words):
    done = subprocess.run([vertigo, f"--emit={form}", *words], capture_output=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.decode(errors="replace"))
    return done.stdout.decode("utf-8", errors="replace")


def problem(vertigo, expected, path):
    for form, (code, words) in expected.items():
        text = emitted(vertigo, form, *(word if word is not None else path for word in words))
        if bare(text) != code:
            return f"--emit={form} {words} is other code"
        if found := MISLEADING.search(text):
            return f"--emit={form} holds {found[0]!r}"
    return None


def main():
    vertigo, program, folder = sys.argv[1:]
    os.chdir(folder)
    with open(program, "rb") as file:
        source = file.read()
    # What it takes to emit with that content, and the forms to emit.
    contents = {source: ([None], ("cpu", "cuda")),
                b"direction = push\n": ([os.fsencode(program), b"--schedule-file", None], ("cpu",))}
    expected = {}
    for content, (words, forms) in contents.items():
        with open("plain", "wb") as file:
            file.write(content)
        plain = [word or b"plain" for word in words]
        expected[content] = {form: (bare(emitted(vertigo, form, *plain)), words) for form in forms}
    wrong = 0
    for name in map(os.fsencode, NAMES):
        path = os.path.join(os.fsencode(folder), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        for content in contents:
            with open(path, "wb") as file:
                file.write(content)
            try:
                found = problem(vertigo, expected[content], path)
            except ValueError as error:
                found = str(error)
            if found:
                wrong += 1
                print(f"{name!r}: {found}")
    print(f"{len(NAMES)} names, {wrong} wrong")


if __name__ == "__main__":
    main()
