"""compute-sanitizer over programs of the GPU suite: each variant of each phase once on each tiny graph, one process for a checker and
a program. What is measured before says how long that takes, so the longest can begin first."""

import collections

from suite import batches

CHECKERS = ("memcheck", "racecheck", "initcheck", "synccheck")
# A fault of planted.cu that each checker must report.
PLANTED = {"memcheck": "bounds", "racecheck": "race", "initcheck": "unwritten", "synccheck": "barrier"}
# Ends a wait without end. Racecheck took more than 300 s for pairs_packed beside 35 other processes on two H200.
LIMIT = 900
# Rough seconds that a checker adds to a step. Racecheck and memcheck: php, 916 steps on a star of 3,000 vertices, one H200,
# 2026-11-23; the others are guesses. Racecheck took 0.1 to 1 s a step on two tiny graphs, in no proportion to their edges.
SECONDS_OF_A_STEP = {"racecheck": 0.11, "memcheck": 0.005, "initcheck": 0.005, "synccheck": 0.003}
# And random graphs, for a step on a tiny one: a guess, too.
SECONDS_OF_A_STEP["random"] = 0.02
# Programs that iterate to a tolerance show a checker nothing new after a few steps.
COARSE = ("--tolerance", "1e-3")
FAULTY = 99


def command(checker, *words):
    """The words under a checker."""
    return ["compute-sanitizer", "--tool", checker, "--error-exitcode", str(FAULTY), "--launch-timeout", "60", *words]


def problem(done, checker, runs):
    """None where all `runs` command lines of a batch ended with exit code 0 and the checker reported nothing."""
    if done.code != 0:
        return f"exit {done.code}, expected 0: {done.said()}"
    codes = [int(code) for _, code in batches.ENDED.findall(done.out)]
    if len(codes) != runs or any(codes):
        return f"{runs} runs, which ended with {codes}: {done.said()}"
    clean = "RACECHECK SUMMARY: 0 hazards" if checker == "racecheck" else "ERROR SUMMARY: 0 errors"
    return None if clean in done.said() else f"it does not say '{clean}': {done.said()}"


class Steps:
    """How many steps the runs of programs on tiny graphs took, by program: their schedules were compared before."""

    def __init__(self):
        self.runs = collections.defaultdict(list)

    def add(self, name, steps):
        self.runs[name].append(steps)

    def seconds(self, kind, name, runs=None):
        """What as many runs of the program (None: as there were) may take; a guess, which serves to put the longest first."""
        known = self.runs[name]
        share = 1 if runs is None or not known else runs / len(known)
        return SECONDS_OF_A_STEP[kind] * sum(known) * share
