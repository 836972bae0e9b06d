"""Random walks over the values of a state: loops whose updates ask for one value in each round, in the spellings in which they are
written, and near misses in which a round changes the state or asks for something else. The interpreter looks at all vertices.

Each ends: loops count through few values. Sums are cut off by a modulus, so that nothing depends on where a type ends.
"""

import random
import re


class Program:
    """`text`, and what a run of it needs: `symmetric`; `inexact`: nothing, as all numbers are whole."""

    def __init__(self, seed):
        self.random = random.Random(seed ^ 0x51CE)
        self.inexact, self.symmetric, self.names = {}, self.chance(0.3), 0
        self.kind = self.pick(["int32"] * 5 + ["int64", "uint32", "uint64", "bool", "vertex"])
        self.searched = self.kind == "int32" and self.chance(0.6)
        body = [*self.search(), *(line for _ in range(self.pick([1, 1, 2])) for line in self.walk())]
        head = [f"program slices_{seed}(source: vertex) {{"] + ["  requires symmetric;"] * self.symmetric
        states = [f"  vertex key: {self.kind} = {'inf' if self.searched else self.initial()};", "  vertex up: vertex = self;", "  vertex x: int64 = 1;",
                  "  vertex y: int64 = int64(self.out_degree);", "  vertex open: bool = self.in_degree != 1;",
                  "  message reached: int32 combine min;", "  message told: int64 combine sum;", "  message most: int64 combine max;"]
        self.text = "\n".join([*head, *states, *("  " + line for line in body), "  output x, y;", "}"]) + "\n"

    def chance(self, share):
        return self.random.random() < share

    def pick(self, among):
        return self.random.choice(among)

    # -- The state that is compared, and the values of a loop

    def initial(self):
        number = {"int32": ["int32(self.out_degree)", "2 - int32(self.out_degree)", "int32(self.in_degree) * 1000003", "self == source ? -inf : int32(self.in_degree % 3)"],
                  "int64": ["int64(self.out_degree)", "self == source ? -inf : 5 - int64(self.in_degree)", "int64(self.out_degree % 3) * 1000000000007"],
                  "uint32": ["uint32(self.out_degree)", "self == source ? inf : uint32(self.in_degree)"],
                  "uint64": ["uint64(self.out_degree)", "self == source ? inf : uint64(self.in_degree) * 3000000000"],
                  "bool": ["self.out_degree > 1", "self == source"],
                  "vertex": ["self", "self == source ? none : self", "self.out_degree > 1 ? source : self"]}
        return self.pick(number[self.kind])

    def search(self):
        if not self.searched:
            return []
        return ["phase search {", "  start source { reached = 0; }", "  update v when reached < v.key {", "    v.key = reached;", "    send reached + 1 into reached;", "  }", "}",
                "update v where v.key > 0 && v.key < inf { v.up = min(u over in u where u.key < v.key); }"]

    def walk(self):
        """A loop: its lines. `d` is the value of a round."""
        body = [line for _ in range(self.pick([1, 1, 1, 2, 2, 3])) for line in self.update()]
        if self.chance(0.15):
            body.append(self.pick(["update v where v.x % 7 == 3 { v.key = v.key; }", "update all v { v.up = v.key == v.key ? v.up : v; }"]))
        return self.pick([self.counted, self.counted, self.whiled, self.repeated])(body)

    def value(self):
        """Of the round, where `i` counts: for kinds that no loop counts through."""
        return {"bool": "i % 2 == 0", "vertex": self.pick(["none", "source", "i == 0 ? none : source"]), "int64": self.pick(["int64(i)", "int64(i) - 2", "int64(i - 1) * 1000000000007"]),
                "uint32": "uint32(i)", "uint64": self.pick(["uint64(i)", "uint64(i) * 3000000000"])}.get(self.kind, self.pick(["i", "i - 2", "3 - i", "i * 1000003", "i == 0 ? inf : i"]))

    def counted(self, body):
        if self.kind == "int32":
            first, last = self.pick([("0", "4"), ("4", "0"), ("max(v.key where v.key < 9)", "0"), ("-3", "3"), ("min(v.key where v.key > -9)", "min(v.key where v.key > -9) + 5")])
            if first.startswith("max"):
                return ["if any(v.key < 9 && v.key >= 0) {", f"  for d in {first} .. {last} {{", *("    " + line for line in body), "  }", "}"]
            if first.startswith("min"):
                return ["if any(v.key > -9 && v.key < 9) {", f"  for d in {first} .. {last} {{", *("    " + line for line in body), "  }", "}"]
            return [f"for d in {first} .. {last} {{", *("  " + line for line in body), "}"]
        return ["for i in 0 .. 4 {", f"  let d: {self.kind} = {self.value()};", *("  " + line for line in body), "}"]

    def whiled(self, body):
        if self.kind not in ("int32", "int64"):
            return self.counted(body)
        self.names += 1
        name = f"at_{self.names}"
        condition = self.pick([f"{name} < 5", f"{name} < 5", f"any(v.key == {name}) && {name} < 6", f"count(v where v.key == {name}) > 0 && {name} < 6"])
        lines = [self.with_word(line, "d", name) for line in body]
        return [f"let {name}: {self.kind} = {self.pick(['0', '1', '-1'])};", f"while {condition} {{", *("  " + line for line in lines), f"  {name} += 1;", "}"]

    def repeated(self, body):
        self.names += 1
        name = f"i_{self.names}"
        lines = [f"let d: {self.kind} = {self.value()};", *body]
        lines = [self.with_word(line, "i", name) for line in lines]
        return [f"let {name} = 0;", "repeat 4 {", *("  " + line for line in lines), f"  {name} += 1;", "}"]

    @staticmethod
    def with_word(line, word, other):
        return re.sub(rf"\b{word}\b", other, line)

    # -- What a round does

    def where(self):
        comparison = self.pick(["v.key == d", "v.key == d", "d == v.key"])
        more = self.pick(["", "", "", " && v.open", " && v.x != 3", " && v.out_degree > 0"])
        if self.chance(0.06):
            comparison = self.pick(["v.key <= d", "!(v.key == d)", "(v.key == d || v.open)"]) if self.kind not in ("bool", "vertex") else comparison
        return f"{comparison}{more}" if self.chance(0.8) or not more else f"{more.removeprefix(' && ')} && {comparison}"

    def near(self):
        """A sum over neighbours of one level or another, of what the round changes or of what it leaves alone."""
        numbers = self.kind not in ("bool", "vertex")
        conditions = ["", "u.key == d", "u.key != v.key", "u.open"] + ["u.key == d + 1", "u.key < d", "u.key == v.key - 1", "u.key >= v.key", "u.key == d || u.key == d + 1"] * numbers
        condition = self.pick(conditions)
        return f"{self.pick(['sum', 'sum', 'max', 'min'])}({self.pick(['u.x', 'u.x', 'u.y', 'u.x + u.y'])} over {self.pick(['in', 'out', 'both'])} u{' where ' + condition if condition else ''})"

    def update(self):
        kind = self.random.random()
        if kind < 0.5:
            value = self.pick([f"(1 + {self.near()}) % 10007", f"(v.x + {self.near()}) % 10007", "(v.x + v.up.x) % 10007", f"v.x + (count(over in u where u.x == v.x))"])
            branch = self.pick(["{}", "{}", "if v.out_degree > 1 {{ {} }} else {{ v.y = v.x % 10007; }}"])
            return [f"update v where {self.where()} {{ {branch.format('v.x = ' + value + ';')} }}"]
        if kind < 0.75:
            to = self.pick(["send v.x into told to v.up;", "send v.x into told;", "send back v.x into told to u where u.key != v.key;"])
            return [f"update v where {self.where()} {{ v.x = (v.x + told) % 10007; {to} }}"]
        if kind < 0.85:
            return [f"update v where {self.where()} {{ {self.pick(['send v.x into most;', 'send both v.y into most to u where u.open;'])} }}",
                    f"update v where {self.pick(['most > v.y', self.where()])} {{ v.y = most == -inf ? 0 : most % 10007; }}"]
        if kind < 0.93 and self.kind in ("int32", "int64"):
            # A near miss: the round changes what is compared.
            return [f"update v where {self.where()} {{ v.key = v.key + {self.pick(['1', '2', '0'])}; v.x = (v.x + 1) % 10007; }}"]
        return [f"let seen: int64 = {self.pick(['count(v where v.key == d)', 'max(v.y where v.key == d && v.open)', 'int64(any(v.key == d && v.open))'])};",
                f"update v where {self.where()} {{ v.y = (v.y + (seen < 0 ? 1 : seen)) % 10007; }}"]
