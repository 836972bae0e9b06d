#!/usr/bin/env python3
"""Writes anew what is made from sources (`./dev update`): golden files, generated documents, code in documents.

Look at the difference before you commit it: a golden file says what changed, not that the change is right.
"""

import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "checks")]

import embedded  # noqa: E402
import generated_documents  # noqa: E402
from tree import Tree  # noqa: E402


def write(root, name, text):
    path = root / name
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"updated {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build", type=pathlib.Path)
    arguments = parser.parse_args()
    build, root, complete = arguments.build.resolve(), HERE.parent, True
    golden = [sys.executable, str(HERE / "golden" / "run_golden.py"), "--update", "--build", str(build)]
    subprocess.run(golden, check=True)
    for document in generated_documents.DOCUMENTS:
        if all((root / source).exists() for source in document.sources):
            try:
                text = document.make(root, build)
            except RuntimeError as why:
                text, complete = None, False
                print(f"{document.path}: {why}", file=sys.stderr)
            if text is not None:
                write(root, document.path, text)
    tree = Tree(root, build)
    for name in tree.matching("*.md"):
        failures = []
        write(root, name, embedded.rewrite(tree, tree.text(name), failures))
        for why in failures:
            complete = False
            print(f"{name}: {why}", file=sys.stderr)
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
