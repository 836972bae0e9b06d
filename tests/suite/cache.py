"""What was compiled before is not compiled again.

A command that makes one file is run only where no run of it is remembered: with the same words, the same contents of all
files that it reads, and the same compiler. What was made lies in BUILD/test-cache/ under the hash of all that. Where there is
too much of it, what was not asked for the longest goes.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

from suite import precompiled, running

MOST_BYTES = 6 << 30
# Of a command, the word before the file that it makes.
OUTPUT = "-o"
# How a suite tells the processes that it starts where the cache is, and the hashes of what stays the same.
FOLDER, KNOWN = "VERTIGO_TEST_CACHE", "VERTIGO_TEST_CACHE_KNOWN"
# And the object that has main() of the programs that are made; or this word, where a program is to be no more than its object for the CPU.
MAIN, OBJECT_ALONE = "VERTIGO_TEST_MAIN", "object-alone"


CACHED_CXX = pathlib.Path(__file__).resolve().parent / "cached_cxx.py"


class CompileError(Exception):
    """The command failed; its text is what it said."""


def digest_of_file(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def digest_of(path):
    """The hash of a file, or of all files below a folder, with their names there; without what Python keeps of its modules."""
    path = pathlib.Path(path)
    if not path.is_dir():
        return digest_of_file(path)
    names = sorted(file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    text = "".join(f"{file.relative_to(path)} {digest_of_file(file)}\n" for file in names)
    return hashlib.sha256(text.encode()).hexdigest()


def digest_now(path):
    """The same of what may be missing."""
    return digest_of(path) if os.path.exists(path) else "missing"


def mapped_names(folder, root):
    """For `vertigo`, which makes programs in the folder: what it says of names. Folders are called otherwise in each run, and in each checkout;
    named in the text, nothing would be remembered."""
    return [f"--debug-prefix-map={folder}=examples", f"--debug-prefix-map={root}=."]


def version_of(program):
    """What tells one compiler from another."""
    done = subprocess.run([program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return done.stdout


class Passing:
    """What came of some tests; `before`, `skipped_before`: of the same tests, where all passed that were not skipped."""

    def __init__(self, before, skipped_before):
        self.before, self.skipped_before = before, skipped_before
        self.passed = self.failed = self.skipped = 0

    def note(self, problem):
        if problem is None:
            self.passed += 1
        else:
            self.failed += 1


class Cache:
    """Files by the hash of what they were made of. Several threads and processes may use one folder."""

    def __init__(self, folder, most_bytes=MOST_BYTES):
        self.folder, self.most_bytes = pathlib.Path(folder), most_bytes
        self.folder.mkdir(parents=True, exist_ok=True)
        self.known = json.loads(os.environ.get(KNOWN, "{}"))
        self.forget_passes = False
        self.hits = self.misses = 0

    @classmethod
    def of_build(cls, build):
        return cls(pathlib.Path(build).resolve() / "test-cache")

    def known_or(self, name, find):
        if name not in self.known:
            self.known[name] = find(name)
        return self.known[name]

    def of_what_stays(self, path):
        """The hash of a file or folder, which may be missing; taken once."""
        return self.known_or(os.path.realpath(path), digest_now)

    def of_compiler(self, name):
        return self.known_or(name, version_of)

    def environment(self, compiler, *stays):
        """For a process that compiles by cached_cxx.py; `stays`: what the hash is taken of here, and not there."""
        self.of_compiler(compiler)
        for path in stays:
            self.of_what_stays(path)
        return {FOLDER: str(self.folder), KNOWN: json.dumps(self.known)}

    def environment_of_vertigo(self, build, quickly_with=None):
        """For `vertigo` of this build: programs that it made before are taken from here. `quickly_with`: an object that has
        main(), or OBJECT_ALONE, and little optimisation, which takes half of the time."""
        more = {} if quickly_with is None else {MAIN: str(quickly_with)}
        return {"VERTIGO_CXX": str(CACHED_CXX), **more, **self.environment("g++", build / "include", build / "lib/libvertigo_rt.a")}

    def make(self, command, reads, stays=(), folder=None, environment=None, begins=()):
        """Runs `command`, which makes the file behind `-o` out of the files that it `reads`, by their names in the command,
        and of files and folders that stay the same as long as this process lives. `begins`: headers with which a file that is
        compiled begins, and many others do; the flags stand before the word -c. Raises CompileError."""
        words, reads, folder = [str(word) for word in command], [str(path) for path in reads], pathlib.Path(folder or ".")
        at = words.index(OUTPUT) + 1
        # Contents count, and not where a file lies: every run works in another folder.
        meaning = [word for place, word in enumerate(words) if place != at and word not in reads]
        meaning += [self.of_compiler(words[0]), *(digest_of_file(folder / path) for path in reads),
                    *(self.of_what_stays(folder / path) for path in stays)]
        kept = self.folder / precompiled.digest(meaning)
        # Made under a name of its own first: another thread may make the same file, or read it meanwhile.
        target = folder / words[at]
        made = target.with_name(f"{target.name}.{os.getpid()}-{threading.get_ident()}")
        if self.take(kept, made):
            self.hits += 1
        else:
            begun = self.begun(words, begins, stays, folder, environment) if begins else []
            self.run([words[0], *begun, *words[1:at], str(made.absolute()), *words[at + 1:]], folder, environment)
            self.misses += 1
            # Whoever edits headers while a suite runs gets what was compiled; it is not remembered as made of the old ones.
            if all(digest_now(folder / path) == self.of_what_stays(folder / path) for path in stays):
                self.keep(made, kept)
        os.replace(made, target)

    @contextlib.contextmanager
    def passing(self, reads, meaning, stays):
        """For tests of the files that they read: how many passed `before` with the same contents, the same words of `meaning` and the
        same files and folders that stay; 0 where that is not known. What passes now, and nothing fails, is remembered."""
        key = precompiled.digest(["passes", *map(digest_of_file, reads), *meaning, *map(self.of_what_stays, stays)])
        kept = self.folder / key
        known = [0, 0] if self.forget_passes or not kept.exists() else [int(word) for word in kept.read_text().split()]
        passing = Passing(*known)
        yield passing
        if passing.passed and not passing.failed:
            self.place(kept, lambda name: pathlib.Path(name).write_text(f"{passing.passed} {passing.skipped}"))
        elif passing.before:
            os.utime(kept)

    def begun(self, words, begins, stays, folder, environment):
        """The words by which a file has the headers of `begins` before its first line."""
        command = words[:words.index("-c")]
        named = [path for path in stays if f"-I{path}" in command]
        meaning = [self.of_compiler(words[0]), *(self.of_what_stays(folder / path) for path in named)]
        try:
            return precompiled.words(precompiled.header(self.folder.parent / "precompiled", begins, command, meaning, cwd=folder,
                                                        env=environment))
        except running.Failure as problem:
            raise CompileError(str(problem)) from None

    @staticmethod
    def run(words, folder, environment):
        # Between builds and checkouts, ccache remembers single files.
        launcher = ["ccache"] if "-c" in words and shutil.which("ccache") else []
        done = subprocess.run([*launcher, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              cwd=folder, env=dict(os.environ if environment is None else environment, **precompiled.CCACHE),
                              check=False)
        if done.returncode != 0:
            raise CompileError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")

    def take(self, kept, made):
        """False where nothing is remembered. A process of its own copies: were the file open for writing here while another
        thread starts a process, that would hold it open, and a program that is open for writing cannot be run."""
        try:
            os.utime(kept)
        except FileNotFoundError:
            return False
        return subprocess.run(["cp", "--", str(kept), str(made)], stdin=subprocess.DEVNULL, capture_output=True,
                              check=False).returncode == 0

    def keep(self, made, kept):
        self.place(kept, lambda name: shutil.copy(made, name))

    def place(self, kept, write):
        """Written under a name of its own first: another process may keep the same, or look for it."""
        handle, name = tempfile.mkstemp(dir=self.folder, prefix="new-")
        os.close(handle)
        write(name)
        os.replace(name, kept)

    def trim(self):
        """Removes what was not asked for the longest, until the rest is small enough."""
        files = []
        for file in self.folder.iterdir():
            try:
                found = file.stat()
            except FileNotFoundError:  # another process was first
                continue
            files.append((found.st_mtime, found.st_size, file))
        total = sum(size for _, size, _ in files)
        for _, size, file in sorted(files):
            if total <= self.most_bytes:
                break
            file.unlink(missing_ok=True)
            total -= size

    def said(self):
        return f"{self.misses} files compiled, {self.hits} taken from {self.folder}"
