# How lit runs the compiler's tests. Run it through run_lit.py, which finds lit and writes the site
# file (lit.site.cfg.py.in) into the build.
import os
import subprocess

import lit.formats

lit_config.load_config(config, lit_config.params["site"])

config.name = "vertigo"
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(config.vertigo_build, "tests", "lit")
config.suffixes = [".vg", ".vir", ".plan", ".test"]
# Folders that other suites run, and inputs of tests.
config.excludes = ["drivers", "unit", "run", "gpu", "fuzz", "graphs", "benchmarks", "checks", "suite", "lines", "Inputs"]
# What `./dev test quick` leaves out: these compile programs or run for many seconds, each.
if "quick" in lit_config.params:
    config.excludes += ["compile-time.test", "small-disk.test", "pages.test", "hostile-names.test", "header-functions.test", "wide64.test",
                        "negative-weights.test", "no-fixed-point.test", "threshold.test", "limit.test", "run.test", "round-trip-examples.test",
                        "binary.test", "infinities.test", "language-doc.test"]

source_root = os.path.dirname(config.test_source_root)
binaries = os.path.join(config.vertigo_build, "bin")


def data_folder():
    """Reference graphs and answers: outside the source tree, because they are large."""
    return os.environ.get("VERTIGO_DATA") or os.path.join(os.path.dirname(source_root), "shared", "data")


# Longest first: lit replaces textually, and %vertigo is a prefix of the others.
config.substitutions += [
    ("%vertigo-graph", os.path.join(binaries, "vertigo-graph")),
    ("%vertigo-opt", os.path.join(binaries, "vertigo-opt")),
    ("%vertigo", os.path.join(binaries, "vertigo")),
    ("%FileCheck", config.filecheck + " --dump-input-filter=error"),
    ("%not", config.not_tool),
    ("%split-file", config.split_file),
    ("%binaries", binaries),
    ("%examples", os.path.join(source_root, "dsl-examples")),
    ("%data", data_folder()),
    ("%source-root", source_root),
    ("%python", config.python),
]

for tool in ("vertigo", "vertigo-opt", "vertigo-graph"):
    if os.path.exists(os.path.join(binaries, tool)):
        config.available_features.add(tool)
# Where a user may mount a small disk of one's own.
if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False).returncode == 0:
    config.available_features.add("small-disks")
if os.path.isdir(data_folder()):
    config.available_features.add("data")

# Tests see no option or cache of the person who runs them, but that of the suites.
config.environment["LC_ALL"] = "C.UTF-8"
for variable in ("VERTIGO_CXX", "VERTIGO_TEST_CACHE", "VERTIGO_TEST_CACHE_KNOWN", "CUDA_HOME", "HOME"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
