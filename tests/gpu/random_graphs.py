"""Random tiny graphs for the GPU suite: every schedule of a program on many graphs, in one process."""

import json
import pathlib
import tempfile

import batches
import graphs


# Programs that engine `solve` runs; it treats some graphs in ways of their own.
LINEAR = {"pagerank", "personalised_pagerank", "katz", "php", "adsorption"}


def chosen(count, program):
    """The tiny odd graphs of tests/run, one with long lists of edges, and random ones."""
    linear = [graphs.crowd_and_couples(), graphs.crowd_before_dead_ends(), graphs.roads_with_ferries(130)]
    return [*graphs.tiny_graphs(), graphs.long_list(), *(linear if program in LINEAR else []),
            *(graphs.odd_graph(index % 7, index) for index in range(count))]


def entries(file):
    """{program: its entry of manifest.json}"""
    return {entry["name"]: entry for entry in json.loads(file.read_text())["programs"]}


def run(entry, command, folder, target, count, limit, environment):
    """({schedule: number of graphs with the right answer}, [(test name, what is wrong)])"""
    right, wrong = {}, []
    with tempfile.TemporaryDirectory(dir=batches.in_memory() or folder) as place:
        batch = batches.Batch(entry, command, pathlib.Path(place), "random", target)
        for name, problem in batch.run(chosen(count, entry["name"]), limit, environment):
            if problem is None:
                schedule = name.split("/")[2]
                right[schedule] = right.get(schedule, 0) + 1
            else:
                wrong.append((name, problem))
    return right, wrong
