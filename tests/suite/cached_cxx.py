#!/usr/bin/env python3
"""g++ as `vertigo` calls it in the suites (VERTIGO_CXX): what it compiled or linked before, it takes from the cache. Where the suite
names an object with main() (cache.MAIN), programs are linked with it, and compiled with little optimisation.

The words are those of compiler/driver/Toolchain.cpp; what reads anything else goes to g++ as it is.
"""

import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from suite import cache, precompiled  # noqa: E402

COMPILER = "g++"
# Beside the sources: a link to the headers that a program names by `use`.
USED = "used"
# The flags of a program for the CPU, but for the folder of the headers; and the optimisation in its place where time counts.
PLAIN = ["-std=c++20", "-O3", "-fopenmp"]
QUICK = "-Og"
# The object of a program for the CPU, as the words that link it name it.
CPU_OBJECT = "cpu.o"
# With which the words begin that link.
LIBRARIES = "-Llib"


def main():
    words = [COMPILER, *sys.argv[1:]]
    folder = os.environ.get(cache.FOLDER)
    reads = [word for before, word in zip(words, words[1:]) if word.endswith((".cpp", ".o")) and before != cache.OUTPUT]
    if not folder or not reads or cache.OUTPUT not in words:
        os.execvp(COMPILER, words)
    begins = precompiled.OF_CPU_PROGRAMS if words[1:4] == PLAIN and words[5:6] == ["-c"] else ()
    main_object = os.environ.get(cache.MAIN)
    if main_object and begins:
        words[2] = QUICK
    elif main_object == cache.OBJECT_ALONE and LIBRARIES in words:
        shutil.copy(CPU_OBJECT, words[words.index(cache.OUTPUT) + 1])
        return 0
    elif main_object and LIBRARIES in words:
        words.insert(words.index(LIBRARIES), main_object)
        reads.append(main_object)
    stays = [word[2:] for word in words if word.startswith("-I")]
    stays += [f"{place[2:]}/lib{name[2:]}.a" for place in words if place.startswith("-L")
              for name in words if name.startswith("-l")]
    stays += [USED]
    try:
        cache.Cache(folder).make(words, reads, [path for path in stays if os.path.exists(path)], begins=begins)
    except cache.CompileError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
