"""Random searches that tell more than a distance, as users write them: pairs kept in states of their own, guards that compare first elements or
ask who was visited, messages that say the sender while `step` is the depth, what travels along; and near misses. The compiler makes searches for
least pairs of them. Where their messages are kept it does not, and the answers are the same: each phase runs once, and nobody else reads them.
"""

import random


class Program:
    """`text`, and whether it is for symmetric graphs alone."""

    def __init__(self, seed):
        self.random = random.Random(seed ^ 0x7EE5)
        self.symmetric, self.inexact = self.chance(0.25), {}
        self.declared = ["  edge weight: int32 = 1;", "  vertex mark: int32 = int32(self.out_degree);", "  vertex busy: bool = self.in_degree > 1;"]
        self.phases, self.outputs = [], ["mark"]
        for number in range(self.pick([1, 1, 2])):
            self.pick([self.pairs, self.pairs, self.pairs, self.senders])(number)
        head = [f"program trees_{seed}(source: vertex, k: int32 = {self.random.randrange(4)}) {{"]
        head += ["  requires symmetric;"] if self.symmetric else []
        head += ["  requires non_negative(weight);"]
        self.text = "\n".join([*head, *self.declared, *self.phases, f"  output {', '.join(self.outputs)};", "}"]) + "\n"

    def chance(self, share):
        return self.random.random() < share

    def pick(self, among):
        return self.random.choice(among)

    def direction(self):
        return self.pick(["", "", "", "back ", "both "])

    def condition(self, unvisited):
        constant = ["u.mark > k", "u.busy", "weight > 1", "v.mark <= u.mark", "u != source", "v.busy || u.busy"]
        return unvisited.replace("v.", "u.") if unvisited and self.chance(0.5) else self.pick(constant)

    def phase(self, number, starts, guard, body):
        limit = self.pick([""] * 9 + [" limit 3"])
        self.phases += [f"  phase search_{number} {{", *(f"    start {start}" for start in starts), f"    update v when {guard}{limit} {{",
                        *("      " + line for line in body), "    }", "  }"]

    def joined(self, *parts):
        """Conditions in any order, some of them there."""
        chosen = [parts[0], *(part for part in parts[1:] if self.chance(0.2))]
        self.random.shuffle(chosen)
        return " && ".join(chosen)

    def sends(self, said, message, unvisited, level=None):
        """One send or two, under conditions or not; `level`: the type of a pair's first element, which may be bounded."""
        within = [f"{message}.0 < {level}(4)", f"{message}.0 <= {level}(k)"] if level else []
        lines = []
        for _ in range(self.pick([1, 1, 1, 1, 2])):
            receivers = f" to u where {self.condition(unvisited)}" if self.chance(0.3) else ""
            line = f"send {self.direction()}{said} into {message}{receivers};"
            lines.append(f"if {self.pick(['v.busy', 'v.mark > k', *within])} {{ {line} }}" if self.chance(0.2) else line)
        return lines

    # -- Kinds

    def pairs(self, n):
        level = self.pick(["int32", "int32", "int32", "int64", "uint32"])
        told = self.pick(["vertex", "vertex", "vertex", "int32"])
        none = "none" if told == "vertex" else "inf"
        whole = self.chance(0.3)
        begin = self.pick(["inf", "inf", "inf", "9"] + ["-1"] * (level != "uint32"))
        if whole:
            self.declared.append(f"  vertex pair{n}: ({level}, {told}) = ({begin}, {none});")
            first, second, held = f"v.pair{n}.0", f"v.pair{n}.1", f"v.pair{n}"
            writes = [f"v.pair{n} = m{n};"]
        else:
            self.declared += [f"  vertex far{n}: {level} = {begin};", f"  vertex told{n}: {told} = {none};"]
            first, second, held = f"v.far{n}", f"v.told{n}", f"(v.far{n}, v.told{n})"
            writes = [f"v.far{n} = m{n}.0;", f"v.told{n} = m{n}.1;"]
        seen = f"v.seen{n}"
        self.declared += [f"  message m{n}: ({level}, {told}) combine min;", f"  vertex seen{n}: bool = false;", f"  vertex count{n}: int32 = 0;"]
        unvisited = {"inf": f"{first} == inf", "-1": f"{first} == {'-1'}", "9": f"{first} == 9"}[begin]
        asked = [f"m{n}.0 < {first}"] * 3 + [f"m{n} < {held}"] * 2
        if not whole or begin == "inf":
            asked += [unvisited, f"!{seen}"] + [f"{second} == none"] * (told == "vertex")
        if begin == "-1":
            asked = [unvisited, f"!{seen}"]
        guard = self.pick(asked)
        if seen in guard:
            writes.insert(0, f"{seen} = true;")
        guard = self.joined(guard, f"m{n}.0 != inf", "v.mark > k", "v.busy", f"m{n}.0 < {level}(4)", "step < 6")
        step = self.pick(["1"] * 6 + ["2", "1000000000"] + ["weight"] * 3)
        said = self.pick(["v", "v", f"m{n}.1", "source"] if told == "vertex" else ["v.mark", f"m{n}.1", f"m{n}.1 + 1", f"m{n}.1 + weight", "weight"])
        taken = f"m{n}.0" if whole or self.chance(0.6) else first
        if step == "weight" and "<" not in guard.split("&&")[0] and self.chance(0.5):
            step = "1"
        if self.chance(0.12):
            writes.append(self.pick([f"v.count{n} += 1;", f"v.count{n} = step;", f"v.count{n} = int32(m{n}.0);"]))
        start = self.pick(["0"] * 4 + ["3", "5"])
        told_by = "v" if told == "vertex" else self.pick(["v.mark", "7"])
        starts = [f"{self.pick(['source v', 'source v', 'v where v.mark > k', 'all v'])} {{ m{n} = ({start}, {told_by}); }}"]
        if self.chance(0.15):
            starts.append(f"v where v.busy {{ m{n} = ({self.pick([start, '1'])}, {told_by}); }}")
        starts = [each.replace("source v {", "source {").replace(", v)", ", source)").replace("v.mark)", "7)") if each.startswith("source") else each
                  for each in starts]
        cast = f"{level}({step})" if step != "weight" or level == "uint32" else step
        self.phase(n, starts, guard, [*writes, *self.sends(f"({taken} + {cast}, {said})", f"m{n}", unvisited if not whole else None, level)])
        self.outputs += ([f"pair{n}"] if whole else [f"far{n}", f"told{n}"]) + [f"count{n}"]

    def senders(self, n):
        self.declared += [f"  vertex parent{n}: vertex = none;", f"  vertex depth{n}: int32 = {self.pick(['inf', '-1'])};", f"  vertex seen{n}: bool = false;",
                          f"  message from{n}: vertex combine min;"]
        depth = "inf" if "= inf" in self.declared[-3] else "-1"
        unvisited = self.pick([f"v.parent{n} == none", f"v.depth{n} == {depth}", f"!v.seen{n}"])
        guard = self.joined(unvisited, f"from{n} != none", "v.mark > k", "step < 5", "v.busy")
        writes = [f"v.parent{n} = from{n};", f"v.depth{n} = step;"] + ([f"v.seen{n} = true;"] if "seen" in unvisited else [])
        self.random.shuffle(writes)
        starts = [self.pick([f"source {{ from{n} = source; }}", f"v where v.mark > k {{ from{n} = v; }}", f"all v {{ from{n} = v; }}"])]
        if self.chance(0.1):
            starts.append(f"v where v.busy {{ from{n} = source; }}")
        said = self.pick(["v", "v", "v", f"from{n}", "source", f"v.parent{n}"])
        self.phase(n, starts, guard, [*writes, *self.sends(said, f"from{n}", unvisited)])
        self.outputs += [f"parent{n}", f"depth{n}"]
