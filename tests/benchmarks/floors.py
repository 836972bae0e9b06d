"""The least time that the work of a run can take on the measured machine.

A run says how many edges it visited and in how many steps. Each visited edge is one gather of a vertex
value at a random place (4 bytes, 8 for bc's float64) and 4 bytes of the edge list read in order, 4 more
where the program reads weights. The floor is the longer of both at the rates that `calibrate` measured on
the same machine in the same sitting, plus one grid-wide barrier a step. Engines that keep hubs on chip
read fewer bytes a gather and can go below it."""

import math

# (bytes of the value gathered, whether weights are read)
READS = {"bfs": (4, False), "sssp": (4, True), "pagerank": (4, False),
         "pagerank_l1": (4, False), "wcc": (4, False), "bc": (8, False),
         "bfs_parents": (4, False), "sssp_parents": (4, True)}


def rate(rates, megabytes):
    """Operations a second over a footprint, between the measured ones on a logarithmic scale."""
    points = sorted((float(size), value) for size, value in rates.items())
    if megabytes <= points[0][0]:
        return points[0][1]
    for (small, high), (large, low) in zip(points, points[1:]):
        if megabytes <= large:
            part = math.log(megabytes / small) / math.log(large / small)
            return high * (low / high) ** part
    return points[-1][1]


def floor(program, run, machine):
    """{"milliseconds", "gathers", "bytes"} of a run, or None where the rates are not known."""
    if machine is None or program not in READS or "edges" not in run:
        return None
    width, weighted = READS[program]
    footprint = width * run["vertices"] / 1e6
    gathers = run["edges"] * (width // 4)
    streamed = run["edges"] * (8 if weighted else 4)
    at_random = gathers / rate(machine["gathers_per_second"], footprint)
    in_order = streamed / machine["copy_bytes_per_second"]
    barriers = run["steps"] * machine["barrier_microseconds"]["1"] * 1e-6
    return {"milliseconds": (max(at_random, in_order) + barriers) * 1e3,
            "gathers": gathers, "bytes": streamed}
