"""Runs under the limits and in the places that users have: closed descriptors, full disks, small limits, outputs that
are inputs. Each check gets a place to work in and raises AssertionError where a promise of docs/running.md is broken."""

import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time

CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


class Place:
    """A folder with a graph, and the programs to try there."""

    def __init__(self, folder, sssp, tool, library):
        self.folder, self.sssp, self.tool, self.library = pathlib.Path(folder), sssp, tool, library
        self.graph = self.folder / "g.wel"
        self.graph.write_text("1 2 3\n2 3 4\n")

    def run(self, *words, limits=(), environment=None, **options):
        def limit():
            for what, most in limits:
                resource.setrlimit(what, (most, most))

        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.run([str(word) for word in words], cwd=self.folder, env=dict(os.environ, **(environment or {})),
                              stdin=subprocess.DEVNULL, text=True, timeout=100, check=False,
                              preexec_fn=limit if limits else None, **options)

    def solve(self, *words, graph="g.wel", **options):
        return self.run(self.sssp, graph, "--source", "1", *words, **options)

    def shell(self, line):
        return self.run("bash", "-c", line.format(sssp=f"{self.sssp} g.wel --source 1", tool=self.tool))

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())


def ends(done, code, *parts):
    """One line that says why, with the code; nothing is left to guess."""
    assert done.returncode == code, f"{done.returncode} instead of {code}: {done.stderr}"
    for part in parts:
        assert part in done.stderr, f"no '{part}' in: {done.stderr}"


@check
def closed_descriptors_do_not_spoil_files(place):
    right = place.solve("--output", "right.txt")
    ends(right, 0)
    for closed in ["2>&-", ">&- 2>&-", "<&- >&- 2>&-"]:
        for option in ["--output x.txt", "-q -o x.txt --trace t.jsonl", "-o x.txt --report r.html"]:
            done = place.shell(f"{{sssp}} {option} {closed}")
            assert done.returncode == 0, f"{option} {closed}: {done.returncode}"
            assert (place.folder / "x.txt").read_text() == (place.folder / "right.txt").read_text(), closed
    place.shell("{tool} convert g.wel y.wel 2>&-")
    assert (place.folder / "y.wel").read_text().endswith("\n1 2 3\n2 3 4\n")


@check
def a_result_for_a_closed_standard_output_is_an_error(place):
    ends(place.shell("{sssp} -o - >&-"), 7, "standard output")
    ends(place.shell("{tool} info g.wel >&-"), 7, "standard output")


@check
def an_output_that_is_read_is_refused_by_any_name(place):
    content = place.graph.read_text()
    os.link(place.graph, place.folder / "hard.wel")
    os.symlink("g.wel", place.folder / "soft.wel")
    (place.folder / "sub").mkdir()
    for option in ["--output", "--trace", "--report"]:
        for name in ["g.wel", "./g.wel", "sub/../g.wel", "hard.wel", str(place.graph)]:
            ends(place.solve(option, name), 2, "the same file")
        ends(place.solve(option, "soft.wel", "--force"), 2, "the same file")
        ends(place.solve(option, "g.wel", graph="soft.wel"), 2, "the same file")
    for name in ["g.wel", "./g.wel", "hard.wel"]:
        ends(place.run(place.tool, "convert", "g.wel", name), 2, "the same file")
    assert place.graph.read_text() == content
    ends(place.shell("{sssp} -o - >>g.wel"), 2, "the same file")
    assert place.graph.read_text() == content


@check
def an_output_that_is_the_program_is_refused(place):
    program = place.folder / "sssp"
    shutil.copy2(place.sssp, program)
    content = program.read_bytes()
    for name in ["sssp", "./sssp", str(program)]:
        ends(place.run(program, "g.wel", "--source", "1", "--quiet", "-o", name), 2, "the same file")
    assert program.read_bytes() == content


@check
def files_of_a_pair_are_inputs_too(place):
    ends(place.run(place.tool, "convert", "--quiet", "g.wel", "p.e"), 0)
    edges = (place.folder / "p.e").read_text()
    ends(place.solve("--output", "p.e", graph="p"), 2, "the same file")
    ends(place.run(place.tool, "convert", "p", "p.v", "--to", "graphalytics"), 2, "the same file")
    assert (place.folder / "p.e").read_text() == edges


@check
def two_outputs_in_one_place_are_refused(place):
    ends(place.solve("-o", "x.txt", "--trace", "./x.txt"), 2, "the same file")
    (place.folder / "x.txt").write_text("old")
    os.link(place.folder / "x.txt", place.folder / "y.txt")
    ends(place.solve("-o", "x.txt", "--trace", "y.txt"), 2, "the same file")
    assert (place.folder / "x.txt").read_text() == "old"


@check
def a_full_disk_and_a_reader_that_has_gone_are_told_apart(place):
    with open("/dev/full", "w", encoding="utf-8") as full:
        ends(place.solve("-o", "-", stdout=full), 7, "No space left")
        ends(place.solve("--help", stdout=full), 7, "No space left")
        ends(place.run(place.tool, "info", "g.wel", stdout=full), 7, "No space left")
    ends(place.solve("-o", "/dev/full", "--force"), 7, "/dev/full", "No space left")
    done = place.shell("set -o pipefail; {sssp} -q -o - --source 1 2>/dev/null | true; "
                       "{tool} generate kron 14 8 /dev/stdout --to edge-list --force --quiet | head -1; echo ${{PIPESTATUS[0]}}")
    assert done.stdout.splitlines()[-1] == "7", done.stdout[-100:]
    assert "nobody reads it" in done.stderr, done.stderr


@check
def a_limit_on_file_sizes_is_an_error_of_the_output(place):
    done = place.run(place.tool, "convert", "--quiet", "generate:road:100x100", "big.el", limits=[(resource.RLIMIT_FSIZE, 1024)])
    ends(done, 7, "big.el", "ulimit -f")
    assert place.files() == ["g.wel"], place.files()


@check
def a_limit_on_processor_time_leaves_nothing(place):
    done = place.run(place.tool, "convert", "--quiet", "generate:kron:20:16", "big.el.gz",
                     limits=[(resource.RLIMIT_CORE, 0), (resource.RLIMIT_CPU, 1)], environment={"OMP_NUM_THREADS": "2"})
    assert done.returncode in (-signal.SIGXCPU, -signal.SIGKILL), done.returncode
    assert place.files() == ["g.wel"], place.files()


@check
def little_memory_is_five_for_every_form_of_a_graph(place):
    for name in ["big.el", "big.el.gz", "big.el.zst", "big.vgg"]:
        ends(place.run(place.tool, "convert", "--quiet", "generate:kron:14:8", name), 0)
    (place.folder / "big.el.xz").write_bytes(subprocess.run(["xz", "-c", place.folder / "big.el"], capture_output=True, check=True).stdout)
    for name in ["big.el", "big.el.gz", "big.el.zst", "big.el.xz", "big.vgg", "generate:kron:16:16"]:
        for mebibytes in [24, 32, 40, 48]:
            (place.folder / "x.txt").unlink(missing_ok=True)
            done = place.solve("-o", "x.txt", graph=name, limits=[(resource.RLIMIT_AS, mebibytes << 20)],
                               environment={"OMP_NUM_THREADS": "2"})
            assert done.returncode in (0, 3, 5), f"{name} in {mebibytes} MiB: {done.returncode}: {done.stderr}"
            assert done.returncode != 3 or "no vertex" in done.stderr, f"{name} in {mebibytes} MiB: {done.stderr}"
            assert done.returncode == 0 or not (place.folder / "x.txt").exists()


@check
def a_file_that_grows_while_it_is_read_is_refused(place):
    ends(place.run(place.tool, "convert", "--quiet", "generate:kron:10:8", "big.wel"), 0)
    content = (place.folder / "big.wel").read_bytes()
    ends(place.solve("-o", "right.txt", graph="big.wel"), 0)
    codes = []
    for call in range(100):
        (place.folder / "big.wel").write_bytes(content)
        done = place.solve("-o", "x.txt", graph="big.wel", environment={
            "OMP_NUM_THREADS": "1", "LD_PRELOAD": str(place.library), "VERTIGO_FAULT": f"growth:{call}:once",
            "VERTIGO_FAULT_GROWS": str((place.folder / "big.wel").resolve())})
        if (place.folder / "big.wel").read_bytes() == content:
            break
        codes.append(done.returncode)
        if done.returncode != 0:
            ends(done, 3, "the file changed while it was read")
        else:
            assert (place.folder / "x.txt").read_text() == (place.folder / "right.txt").read_text()
    # It may grow before it is read, while its format is recognised, but not afterwards.
    assert 3 in codes and codes == sorted(codes), codes


@check
def a_cache_that_cannot_be_written_is_a_line(place):
    graph = pathlib.Path(__file__).resolve().parent.parent / "graphs/karate.mtx"
    right = place.solve("-o", "right.txt", graph=graph)
    ends(right, 0)
    for folder, limits, words in [
            ("g.wel/below", (), "Not a directory"), ("/proc/nowhere", (), "cache       not stored"),
            ("kept", [(resource.RLIMIT_FSIZE, 2000)], "ulimit -f")]:
        (place.folder / "x.txt").unlink(missing_ok=True)
        done = place.solve("-o", "x.txt", graph=graph, limits=limits, environment={"VERTIGO_CACHE": folder})
        ends(done, 0, words)
        assert (place.folder / "x.txt").read_text() == (place.folder / "right.txt").read_text()
    done = place.solve("-o", "x.txt", "--cache", graph=graph, environment={"HOME": "", "XDG_CACHE_HOME": "relative"})
    ends(done, 0, "names a folder")


@check
def two_runs_share_a_cache(place):
    graph = pathlib.Path(__file__).resolve().parent.parent / "graphs/karate.mtx"
    environment = dict(os.environ, VERTIGO_CACHE=str(place.folder / "kept"))
    place.solve("-o", "right.txt", graph=graph)
    for _ in range(5):
        runs = [subprocess.Popen([str(place.sssp), str(graph), "--source", "1", "-o", f"{each}.txt"], cwd=place.folder,
                                 env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for each in range(4)]
        for each, done in enumerate(runs):
            error = done.communicate(timeout=100)[1]
            assert done.returncode == 0 and "\ncache       " in error and "not stored" not in error, error
            assert (place.folder / f"{each}.txt").read_text() == (place.folder / "right.txt").read_text()
        assert len(list((place.folder / "kept").iterdir())) == 1
        place.run(place.tool, "cache", "clear", environment=environment)


@check
def a_run_takes_the_threads_that_there_are(place):
    for most in range(6):
        done = place.solve("-o", f"x{most}.txt", environment={
            "OMP_NUM_THREADS": "4", "LD_PRELOAD": str(place.library), "VERTIGO_FAULT_THREADS": str(most)})
        ends(done, 0, *(["starts no more threads"] if most < 4 else []))
        assert (place.folder / f"x{most}.txt").read_text() == (place.folder / "x0.txt").read_text()


@check
def a_killed_run_leaves_nothing(place):
    done = subprocess.Popen([str(place.sssp), "generate:road:2000x2000", "--source", "0", "-o", "x.txt", "--trace", "t.jsonl"],
                            cwd=place.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
    finally:
        done.kill()
        done.wait()
    assert place.files() == ["g.wel"], place.files()


@check
def long_names_are_names(place):
    for length in [247, 248, 252, 255]:
        name = "n" * (length - 4) + ".wel"
        for _ in range(2):  # a new file, and one that is replaced
            ends(place.solve("-o", name), 0)
            ends(place.run(place.tool, "convert", "--quiet", "g.wel", name), 0)


@check
def a_place_that_cannot_be_written_is_found_before_the_work(place):
    for words in [("-o", "missing/x.txt"), ("--trace", "missing/t.jsonl"), ("-o", "/proc/x.txt")]:
        ends(place.solve(*words, graph="missing.wel"), 7)
    ends(place.run(place.tool, "convert", "missing.wel", "missing/x.el"), 7)
    ends(place.run(place.tool, "generate", "kron", "24", "16", "missing/x.el"), 7)


@check
def json_is_written_also_where_memory_ends(place):
    for call in range(0, 2000, 97):
        done = place.solve("--json", environment={"OMP_NUM_THREADS": "1", "LD_PRELOAD": str(place.library),
                                                  "VERTIGO_FAULT": f"memory:{call}:on"})
        assert done.returncode in (0, 5), f"{call}: {done.returncode}"
        assert done.returncode == 0 or not done.stdout or '"exit_code"' in done.stdout, done.stdout


def run(folder, sssp, tool, library, chosen):
    """Yields (name, problem or None)."""
    for function in CHECKS:
        name = function.__name__.replace("_", " ")
        if not chosen(name):
            continue
        here = pathlib.Path(folder) / function.__name__
        here.mkdir()
        try:
            function(Place(here, sssp, tool, library))
            yield name, None
        except (AssertionError, subprocess.TimeoutExpired) as problem:
            yield name, str(problem)
        shutil.rmtree(here)
