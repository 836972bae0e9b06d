"""Random searches by rounds of the host level, in the spellings in which they are written, and near misses: levels that are the number
of the round, frontiers, marks, and what is written beside them. The compiler makes phases of most; the interpreter is asked for the
answer of the rounds (`--schedule loop=rounds`).

Each ends: a round goes on only where it reached a vertex that was not reached before.
"""

import random


class Program:
    """`text`, and what a run of it needs: `symmetric`; `inexact`: nothing, as nothing floating is summed up."""

    def __init__(self, seed):
        self.random = random.Random(seed ^ 0x5EA2C4)
        self.inexact, self.symmetric = {}, self.chance(0.3)
        self.starts = self.pick(["self == source"] * 5 + ["self.out_degree > 2", "self == source || self.in_degree == 0"])
        self.begins = self.pick([0, 0, 0, 0, 1, 7, -2])
        self.offset = self.pick([1] * 8 + [0, 2, 5])
        self.marker = self.pick(["-1", "-1", "inf", "inf", "inf", "-5", "-7", "0", "1000"])
        self.type = self.pick(["int32", "int32", "int32", "int64"])
        self.early = self.chance(0.3)
        self.outputs = {}
        self.fresh = self.starts
        front = self.pick([self.by_level, self.by_level, self.by_frontier, self.by_copies, self.by_seen])
        loop = front()
        before = [f"let depth: {self.counter()} = {self.begins};"] + self.beginnings()
        lines = [*self.standing([*before, *loop])]
        if self.chance(0.4):
            lines.append("report rounds = depth;")
        outputs = [name for name, share in self.outputs.items() if self.chance(share)] or ["level"]
        head = [f"program searches_{seed}(source: vertex, most: int32 = {self.pick([-1, 1, 2, 4, 9])}) {{"] + ["  requires symmetric;"] * self.symmetric
        states = ["  edge weight: int32 = 1;", "  vertex gate: bool = self.in_degree > 1;", "  vertex mark: int32 = int32(self.out_degree);",
                  *self.states()]
        self.text = "\n".join([*head, *states, *("  " + line for line in lines), f"  output {', '.join(outputs)};", "}"]) + "\n"

    def chance(self, share):
        return self.random.random() < share

    def pick(self, among):
        return self.random.choice(among)

    # -- Pieces

    def counter(self):
        return "int32" if self.type == "int32" or self.chance(0.5) else "int64"

    def first(self):
        """The level of those whom the search starts with."""
        return self.begins + self.offset - 1 + (self.pick([1, -3]) if self.chance(0.05) else 0)

    def states(self):
        level = f"{self.starts} ? {self.first()} : {self.marker}"
        self.outputs.update(level=0.9, seen=0.3, fresh=0.2, next=0.2, parent=0.5, ways=0.3, order=0.3)
        return [f"  vertex level: {self.type} = {level};", f"  vertex seen: bool = {self.mark()};", f"  vertex fresh: bool = {self.pick([self.mark(), self.fresh])};",
                "  vertex next: bool = false;", f"  vertex parent: vertex = {self.pick(['none', 'none', 'self', 'self == source ? source : none'])};",
                "  vertex ways: int64 = 0;", f"  vertex order: int32 = {self.pick(['0', '-1', self.starts + ' ? 0 : -1'])};"]

    def mark(self):
        return self.starts if self.chance(0.95) else self.pick(["false", "self.in_degree == 0"])

    def beginnings(self):
        """Sometimes by an update before."""
        if self.chance(0.8):
            return []
        starts = self.starts.replace("self", "v")
        return [f"update all v {{ v.level = {starts} ? {self.begins + self.offset - 1} : {self.marker}; v.seen = {starts}; v.fresh = {starts}; }}"]

    def way(self):
        return self.pick(["in", "in", "in", "out", "both"])

    def filter(self):
        return self.pick(["", "", "", " && weight > 2", " && depth < u.mark + 2", " && u.gate", " && u.mark <= v.mark", " && u != v"])

    def own(self):
        return self.pick(["", "", "", " && v.gate", " && v.mark < 3", " && depth <= v.mark", " && v != source"])

    def now(self):
        """The number of the round in an update, where the first one has `begins`."""
        return "depth - 1" if self.early else "depth"

    def given(self):
        more = self.offset - (1 if self.early else 0)
        return "depth" if more == 0 else f"depth + {more}" if more > 0 else f"depth - {-more}"

    def is_new(self):
        return self.pick({"inf": ["v.level == inf", "v.level == inf", "v.level >= inf", "!(v.level < inf)"], "-1": ["v.level < 0", "v.level == -1"]}.get(
            self.marker, [f"v.level == {self.marker}"]))

    def on_front(self, vertex):
        more = self.offset - 1 - (1 if self.early else 0)
        number = "depth" if more == 0 else f"depth + {more}" if more > 0 else f"depth - {-more}"
        return self.pick([f"{vertex}.level == {number}", f"{number} == {vertex}.level"])

    def asked(self, front):
        """Whether a neighbour was reached last."""
        way, more = self.way(), self.filter()
        reduction = self.pick([f"any({front}{more} over {way} u)"] * 3 + [f"any({front} over {way} u where {more[4:]})" if more else f"any({front} over {way} u)",
                              f"count(over {way} u where {front}{more}) > 0", f"min(u over {way} u where {front}{more}) != none"])
        self.among = f"over {way} u where {front}{more}"
        return reduction

    def more_given(self):
        made = []
        if self.chance(0.4):
            made.append(f"v.parent = min(u {self.among});")
        if self.chance(0.3):
            made.append(f"v.ways = count({self.among});")
        if self.chance(0.3):
            made.append(f"v.order = {self.pick(['int32(depth)', 'int32(depth) * 2', 'v.mark', '7'])};")
        return made

    def counted(self, body):
        return ["depth += 1;", *body] if self.early else [*body, "depth += 1;"]

    def ended(self, condition, body, test):
        """The loop, which goes on while a vertex is tested positively."""
        kind = self.pick(["any", "any", "count", "none", "flag", "limit", "limit", "repeat", "for"])
        most = self.pick(["2", "most", "vertices", "vertices - 1", "0", "most - 2", "int32(vertices) + 3"])
        if kind == "limit":
            asked = self.pick([f"depth < {most}", f"{most} >= depth", f"depth < {most}"])
            asked = self.pick([f"go && {asked}", f"{asked} && go"])
            return ["let go = true;", f"while {asked} {{", *("  " + line for line in body), f"  go = any({test});", "}"]
        if kind == "repeat":
            return [f"repeat {most} {{", *("  " + line for line in body), "}"]
        if kind == "for":
            inner = [line.replace("depth", "turn_of") for line in body if line != "depth += 1;"]
            return [f"for turn_of in {self.begins + (1 if self.early else 0)} .. {self.pick(['3', 'most', '9'])} {{", *("  " + line for line in inner), "}"]
        if kind == "any":
            return ["let go = true;", "while go {", *("  " + line for line in body), f"  go = any({test});", "}"]
        if kind == "count":
            return ["let left: int64 = 1;", f"while {self.pick(['left > 0', 'left != 0'])} {{", *("  " + line for line in body),
                    f"  left = count(v where {test});", "}"]
        if kind == "none":
            return ["let done = false;", "while !done {", *("  " + line for line in body), f"  done = !any({test});", "}"]
        return ["let go = 1;", "while go == 1 {", *("  " + line for line in body), "  go = 0;", f"  if any({test}) {{ go = 1; }}", "}"]

    # -- Spellings

    def by_level(self):
        asked = self.asked(self.on_front("u"))
        given = [f"v.level = {self.given()};", *self.more_given()]
        body = self.pick([[f"update v where {self.is_new()}{self.own()} && {asked} {{ {' '.join(given)} }}"],
                          [f"update v where {self.is_new()}{self.own()} {{", f"  if {asked} {{ {' '.join(given)} }}", "}"],
                          [f"update all v {{", f"  let hit = {self.is_new()}{self.own()} && {asked};", f"  if hit {{ {' '.join(given)} }}", "}"]])
        after = self.offset - 1
        number = "depth" if after == 0 else f"depth + {after}" if after > 0 else f"depth - {-after}"
        return self.ended("go", self.counted(body), f"v.level == {number}")

    def by_frontier(self):
        asked = self.asked("u.fresh")
        unseen = self.pick(["!v.seen", "!v.seen", self.is_new()])
        given = ["v.seen = true;", f"v.level = {self.given()};", *self.more_given()]
        body = [f"update all v {{", f"  let hit = {unseen}{self.own()} && {asked};", "  v.fresh = hit;", f"  if hit {{ {' '.join(given)} }}", "}"]
        if self.chance(0.5):
            return ["while any(v.fresh) {", *("  " + line for line in self.counted(body)), "}"]
        return self.ended("go", self.counted(body), "v.fresh")

    def by_copies(self):
        asked = self.asked("u.fresh")
        given = ["v.seen = true;", f"v.level = {self.given()};"]
        find = self.pick([[f"update all v {{ v.next = !v.seen{self.own()} && {asked}; }}"],
                          [f"update v where !v.seen{self.own()} && {asked} {{ v.next = true; }}"]])
        take = ["update all v {", "  v.fresh = v.next;", f"  if v.next {{ {' '.join(given)} }}"] + ["  v.next = false;"] * self.chance(0.5 if len(find[0]) % 2 else 1) + ["}"]
        return ["while any(v.fresh) {", *("  " + line for line in self.counted([*find, *take])), "}"]

    def by_seen(self):
        self.fresh = "false"
        asked = self.asked(self.pick(["u.seen", "u.seen", "u.level != " + self.marker]))
        given = ["v.seen = true;", f"v.level = {self.given()};", *self.more_given()]
        body = [f"update all v {{", f"  v.fresh = !v.seen{self.own()} && {asked};", f"  if v.fresh {{ {' '.join(given)} }}", "}"]
        return self.ended("go", self.counted(body), "v.fresh")

    def standing(self, loop):
        """Alone, in a loop around with a new beginning, in a branch."""
        place = self.pick(["alone"] * 5 + ["loop", "branch"])
        if place == "branch":
            return ["let depth_of_all = 0;", *loop]
        if place != "loop":
            return loop
        starts = self.starts.replace("self", "v")
        anew = f"update all v {{ v.level = {starts} ? {self.begins + self.offset - 1} : {self.marker}; v.seen = {starts}; v.fresh = {starts}; v.next = false; }}"
        return [loop[0], "for turn in 1 .. 2 {", f"  depth = {self.begins};", "  " + anew, *("  " + line for line in loop[1:]), "}"]
