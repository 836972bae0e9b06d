"""Runs commands under a limit and a budget, and turns what a generated program prints into figures."""

import statistics
import time

from suite.running import Done, run


class Runner:
    """Commands, one at a time, within a budget of seconds for all of them."""

    def __init__(self, budget, folder, environment):
        self.start = time.monotonic()
        self.budget = budget
        self.folder = folder
        self.environment = environment

    def spent(self):
        return time.monotonic() - self.start

    def left(self):
        return self.budget - self.spent()

    def run(self, command, limit):
        if self.left() < 2:
            return Done(None, errors="left out: the budget is spent")
        return run(command, max(1.0, min(limit, self.left())), cwd=self.folder, env=self.environment)


def figures(done, warm_ups):
    """What a run with --json says, times in milliseconds; `error` where it failed."""
    answer = done.json()
    if done.code != 0 or not answer:
        message = done.reason()
        if answer and "error" in answer:
            message = answer["error"]["message"]
        return {"error": message, "exit_code": done.code, "wall_seconds": round(done.seconds, 2),
                "said": (done.out[-800:] + done.errors[-800:])}
    runs = answer["runs"]["seconds"]
    kept = [seconds * 1e3 for seconds in (runs[warm_ups:] or runs)]
    checked = answer.get("check")
    return {
        "median": statistics.median(kept), "minimum": min(kept), "maximum": max(kept), "runs": kept,
        "first": runs[0] * 1e3,
        "steps": sum(phase["steps"] for phase in answer["phases"]),
        "edges": sum(phase["edges"] for phase in answer["phases"]),
        "schedule": " + ".join(phase["schedule"] for phase in answer["phases"]),
        "phases": answer["phases"],
        "seconds": answer["seconds"],
        "device": answer["device"], "target": answer["target"],
        "converged": answer["converged"],
        "vertices": answer["graph"]["vertices"], "graph_edges": answer["graph"]["edges"],
        "checked": None if checked is None else checked["passed"],
        "wall_seconds": round(done.seconds, 2),
    }
