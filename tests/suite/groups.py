"""Tests in groups that take about as long."""


def of_equal_cost(costs, kind, count):
    """[(cost, names)] of `costs`, {name: cost}, in `count` groups, or in more where there are more names of one kind: a group holds one
    of each. `kind`: of a name. The dearest first, always into the cheapest group."""
    groups = [(0.0, []) for _ in range(min(count, len(costs)))]
    for name in sorted(costs, key=lambda name: -costs[name]):
        possible = [i for i, (_, names) in enumerate(groups) if kind(name) not in map(kind, names)]
        if not possible:
            possible, groups = [len(groups)], [*groups, (0.0, [])]
        cheapest = min(possible, key=lambda i: (groups[i][0], len(groups[i][1])))
        cost, names = groups[cheapest]
        groups[cheapest] = (cost + costs[name], [*names, name])
    return groups
