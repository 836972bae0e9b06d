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
from tree import Skip, Tree  # noqa: E402


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
    build, root = arguments.build.resolve(), HERE.parent
    golden = HERE / "golden" / "update.py"
    if golden.exists():
        subprocess.run([sys.executable, str(golden), "--build", str(build)], check=True)
    for document in generated_documents.DOCUMENTS:
        if all((root / source).exists() for source in document.sources):
            text = document.make(root, build)
            if text is None:
                print(f"{document.path}: the program that makes it is not built", file=sys.stderr)
                return 1
            write(root, document.path, text)
    tree = Tree(root, build)
    for name in tree.matching("*.md"):
        try:
            write(root, name, embedded.rewrite(tree, tree.text(name)))
        except (embedded.Missing, Skip) as why:
            print(f"{name}: {why}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
