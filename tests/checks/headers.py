"""Every public header of the runtime compiles alone, so that any may come first."""

import concurrent.futures
import os
import re
import shutil
import tempfile

from suite import cache
from tree import Skip

SUMMARY = "each public header of the runtime compiles alone"
INCLUDE = "runtime/include"


def compile_alone(tree, name, folder, remembered):
    """What is wrong with the header, or None. As long as no header changes, nothing is compiled."""
    inner = os.path.relpath(name, INCLUDE)
    source = os.path.join(folder, re.sub(r"\W", "_", inner) + (".cu" if name.endswith(".cuh") else ".cpp"))
    with open(source, "w", encoding="utf-8") as file:
        # Twice: the second time, the include guard has to hold.
        file.write(f'#include "{inner}"\n#include "{inner}"\n')
    include = tree.root / INCLUDE
    if name.endswith(".cuh"):
        compiler = ["nvcc", "-std=c++20", "-arch=sm_80", "-Werror", "all-warnings"]
    else:
        compiler = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fopenmp"]
    try:
        remembered.make([*compiler, "-I", include, "-c", source, "-o", source + ".o"], [source], [include])
    except cache.CompileError as problem:
        said = [line for line in str(problem).splitlines()[1:] if "error" in line or "warning" in line]
        return f"{name}: does not compile alone: {(said or [str(problem)])[0][:300]}"
    return None


def problems(tree):
    if not shutil.which("g++"):
        raise Skip("g++ is missing")
    headers = tree.matching(INCLUDE + "/*.h")
    device = tree.matching(INCLUDE + "/*.cuh")
    # A .h of the device folder may need CUDA's types; it is then seen through the .cuh that uses it.
    if shutil.which("nvcc"):
        headers += device
    # A fixed folder in the build: the same paths again are hits in ccache.
    with tempfile.TemporaryDirectory() as temporary:
        folder, remembered = temporary, cache.Cache(os.path.join(temporary, "cache"))
        if tree.build and tree.build.exists():
            folder, remembered = str(tree.build / "header-check"), cache.Cache.of_build(tree.build)
            os.makedirs(folder, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for problem in pool.map(lambda name: compile_alone(tree, name, folder, remembered), headers):
                if problem:
                    yield problem


CLEAN = {INCLUDE + "/vertigo/core/a.h": "#pragma once\n#include <string>\ninline std::string a() { return {}; }\n"}
FAULTS = [
    ({INCLUDE + "/vertigo/core/a.h": "#pragma once\ninline std::string a() { return {}; }\n"},
     "vertigo/core/a.h: does not compile alone"),
    ({INCLUDE + "/vertigo/core/b.h": "struct Twice {};\n"}, "vertigo/core/b.h: does not compile alone"),
]
