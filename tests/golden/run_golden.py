#!/usr/bin/env python3
"""Holds what is emitted for every example: NAME.cu and NAME.cpp beside this file, or what a refusal says.

The same input must give the same bytes, twice in a row and as the golden file has them, and clang-format must leave the
text as it is. The IR and the plan that a file carries as strings have tests of their own and are left out of the golden
files, so that a change of a decision's wording is not a change of forty files. Closes with `N passed, N failed, N skipped`. --update writes the files anew: read the difference.
"""

import concurrent.futures
import difflib
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

from suite import command_line, counting  # noqa: E402

FORMS = {"cuda": ".cu", "cpu": ".cpp"}
REFUSED = ".refused"


def emit(vertigo, example, form):
    """(suffix of the golden file, text): the emitted text or, where the emitter refuses, what it says."""
    result = subprocess.run([str(vertigo), str(example), f"--emit={form}"], cwd=ROOT, capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, timeout=120)
    if result.returncode == 0:
        return FORMS[form], result.stdout
    if result.returncode != 1 or result.stdout:
        raise RuntimeError(f"exit status {result.returncode}, {len(result.stdout)} bytes on standard output: "
                           f"{result.stderr.strip()[:500]}")
    return FORMS[form] + REFUSED, result.stderr


def without_texts(text):
    """The emitted text with the strings that it carries emptied; still a program that compiles."""
    return re.sub(r'R"vertigo\(.*?\)vertigo"', 'R"vertigo()vertigo"', text, flags=re.DOTALL)


def formatted(text, suffix):
    """Whether clang-format leaves the text as it is; True where there is none to ask."""
    program = shutil.which("clang-format-19")
    if not program:
        return True
    result = subprocess.run([program, "--style=file", f"--assume-filename={HERE}/golden{suffix}"], input=text,
                            capture_output=True, text=True, check=True)
    return result.stdout == text


def check(vertigo, example, form):
    """What is wrong, or None."""
    try:
        suffix, text = emit(vertigo, example, form)
        if emit(vertigo, example, form) != (suffix, text):
            return "two runs give different bytes"
    except RuntimeError as error:
        return str(error)
    golden = HERE / (example.stem + suffix)
    if not golden.exists():
        return f"{golden.name} is missing; ./dev update writes it"
    expected = golden.read_text(encoding="utf-8")
    held = without_texts(text)
    if held != expected:
        difference = difflib.unified_diff(expected.splitlines(), held.splitlines(), golden.name, "emitted", lineterm="")
        return "differs from its golden file:\n" + "\n".join(list(difference)[:40])
    if not suffix.endswith(REFUSED) and not formatted(text, suffix):
        return "clang-format changes it"
    return None


def update(vertigo, examples):
    kept = set()
    for example in examples:
        for form in FORMS:
            suffix, text = emit(vertigo, example, form)
            text = without_texts(text)
            golden = HERE / (example.stem + suffix)
            kept.add(golden.name)
            if not golden.exists() or golden.read_text(encoding="utf-8") != text:
                golden.write_text(text, encoding="utf-8")
                print(f"updated {golden.relative_to(ROOT)}")
    for golden in HERE.iterdir():
        if golden.suffix in (*FORMS.values(), REFUSED) and golden.name not in kept:
            golden.unlink()
            print(f"removed {golden.relative_to(ROOT)}")


def main():
    parser = command_line.parser(__doc__)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    vertigo = arguments.build / "bin" / "vertigo"
    examples = [path.relative_to(ROOT) for path in sorted(ROOT.glob("dsl-examples/*/*.vg"))]
    if arguments.update:
        update(vertigo, examples)
        return 0
    count = counting.Count()
    cases = [(example, form) for example in examples for form in FORMS]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for (example, form), wrong in zip(cases, pool.map(lambda case: check(vertigo, *case), cases)):
            count.test(f"{example.stem} ({form})", wrong)
    return count.close()


if __name__ == "__main__":
    sys.exit(main())
