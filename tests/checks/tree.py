"""The tracked files of a source tree, as the checks see them."""

import fnmatch
import pathlib
import subprocess


class Tree:
    """Files below `root`: what git tracks or would track, or every file where there is no git."""

    def __init__(self, root, build=None):
        self.root = pathlib.Path(root)
        self.build = pathlib.Path(build) if build else None
        self.files = sorted(self._list())

    def _list(self):
        if (self.root / ".git").exists():
            listing = subprocess.run(
                ["git", "-C", str(self.root), "ls-files", "-co", "--exclude-standard", "-z"],
                check=True, capture_output=True, text=True).stdout
            names = [name for name in listing.split("\0") if name]
        else:
            names = [str(path.relative_to(self.root)) for path in self.root.rglob("*")]
        return [name for name in names if (self.root / name).is_file()]

    def matching(self, *patterns):
        """Files whose path from the root matches one of the patterns; `*` also crosses folders."""
        return [name for name in self.files
                if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]

    def text(self, name):
        return (self.root / name).read_text(encoding="utf-8", errors="replace")

    def lines(self, name):
        return self.text(name).splitlines()

    def is_text(self, name):
        with open(self.root / name, "rb") as file:
            return b"\0" not in file.read(4096)

    def program(self, name):
        """A program of the build, or None where it is not built."""
        path = self.build / "bin" / name if self.build else None
        return path if path and path.exists() else None


class Skip(Exception):
    """Raised by a check that cannot run here; says why."""
