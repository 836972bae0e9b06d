"""Random loops of the host level that relax until nothing changes, in the spellings in which they are written, and near misses. The
compiler makes phases of most; the interpreter is asked for the answer of the rounds (`--schedule loop=rounds`).

Each ends: what is offered is no better than what a neighbour has, unless a weight is negative.
"""

import random


class Program:
    """`text`, and what a run of it needs: `symmetric`; `inexact`: nothing, as all is chosen and nothing summed up."""

    def __init__(self, seed):
        self.random = random.Random(seed ^ 0x100B)
        self.inexact, self.symmetric = {}, self.chance(0.3)
        self.weights = self.pick(["int32", "int32", "float32"])
        self.kind = self.pick(["min", "min", "min", "max", "labels", "or", "and"])
        self.type = {"min": self.pick([self.weights, self.weights, "int64"]), "max": self.weights, "labels": "vertex"}.get(self.kind, "bool")
        self.declared, self.before = [], []
        self.choose_beginning()
        reduction = self.reduction(self.filter())
        declared, before, condition, body = self.pick([self.copies, self.count, self.not_all, self.flags, self.old, self.improve, self.moved])(reduction)
        loop = [*before, self.limited(condition), *("  " + line for line in body), "}"]
        lines = [*self.before, *self.standing(loop, before)]
        outputs = ["x", *(name for name in ("next", "moved") if self.chance(0.4))]
        head = [f"program loops_{seed}(source: vertex) {{"] + ["  requires symmetric;"] * self.symmetric
        states = [f"  edge weight: {self.weights} = {self.number(1, self.weights)};", "  vertex mark: int32 = int32(self.out_degree);",
                  "  vertex gate: bool = self.in_degree > 1;", *self.declared, f"  vertex next: {self.type} = {self.worst};",
                  f"  vertex moved: bool = {self.starts_moved};", *declared]
        self.text = "\n".join([*head, *states, *("  " + line for line in lines), f"  output {', '.join(outputs)};", "}"]) + "\n"

    def chance(self, share):
        return self.random.random() < share

    def pick(self, among):
        return self.random.choice(among)

    def limited(self, condition):
        """The head of the loop, in which sometimes so many rounds run as are always enough, or fewer."""
        if self.chance(0.75):
            return f"while {condition} {{"
        return f"repeat {self.pick(['vertices - 1', 'vertices', 'int32(vertices) - 1', 'vertices - 2', '2', '3', '0'])} {{"

    @staticmethod
    def number(value, kind):
        return f"{value}.0" if kind.startswith("float") else str(value)

    # -- Pieces

    def choose_beginning(self):
        best, some = self.number(0, self.type), self.number(9, self.type)
        self.worst, beginnings = {
            "min": ("inf", [f"self == source ? {best} : inf"] * 3 + [some, f"self == source ? {best} : {some}", f"{self.type}(self.in_degree)"]),
            "max": (best, [f"self == source ? inf : {best}"] * 3 + [f"self == source ? {some} : -inf", f"{self.type}(self.in_degree)"]),
            "labels": ("none", ["self"] * 4 + ["self.in_degree > 1 ? self : none"]),
            "or": ("false", ["self == source", "self.out_degree > 2", "self == source || self.in_degree == 0"]),
            "and": ("true", ["self != source", "self.out_degree <= 2"])}[self.kind]
        self.initial = self.pick(beginnings)
        self.starts_moved = self.pick(["true", "true", "self == source", self.initial if self.kind == "or" else "true"])
        how = self.random.random()
        if how < 0.6:
            self.declared.append(f"  vertex x: {self.type} = {self.initial};")
            return
        self.declared.append(f"  vertex x: {self.type} = {self.worst};")
        self.before.append(f"update all v {{ v.x = {self.initial.replace('self', 'v')}; }}")

    def filter(self):
        return self.pick(["", "", "", "weight > " + self.number(2, self.weights), "u.gate", "u.mark <= v.mark", "u != v", "v.gate"]
                         + (["u.x < inf", "u.x != inf"] if self.kind == "min" else []) + ["u.x != v.x"] * self.chance(0.2))

    def reduction(self, condition):
        one, same = self.number(1, self.type), self.type == self.weights
        value, outer = {
            "min": (["u.x", f"u.x + {one}", "u.x + weight"] + ["u.x + weight", "max(u.x, weight)", "max(u.x + weight, u.x)"] * same
                    + ["8 - u.x"] * (self.type == "int32" and self.chance(0.2)), ["{}"] * 4 + ["{} + " + one]),
            "max": (["u.x", "min(u.x, weight)", "min(u.x, weight)"], ["{}"] * 4 + ["min({}, " + self.number(20, self.type) + ")"]),
            "or": (["u.x", "u.x", "u.x && u.gate"], ["{}"]), "and": (["u.x", "u.x", "u.x || u.gate"], ["{}"])}.get(self.kind, (["u.x"], ["{}"]))
        if self.type == "int64" and self.weights == "float32":
            value = [each for each in value if "weight" not in each]
        name = {"labels": "min", "or": "any", "and": "all"}.get(self.kind, self.kind)
        value, outer, way = self.pick(value), self.pick(outer), self.pick(["in", "in", "out", "both"])
        conditions = [condition] if condition else []

        def made(*more):
            words = " && ".join([*conditions, *more])
            return outer.format(f"{name}({value} over {way} u{' where ' + words if words else ''})")
        self.among_moved = made(self.pick(["u.moved"] * 5 + ["!u.moved"]))
        return made()

    def combined(self, reduction):
        return {"max": f"max(v.x, {reduction})", "or": f"v.x || {reduction}", "and": f"v.x && {reduction}"}.get(self.kind, f"min(v.x, {reduction})")

    def is_better(self, value):
        return {"max": f"{value} > v.x", "or": f"!v.x && {value}", "and": f"v.x && !{value}"}.get(self.kind, f"{value} < v.x")

    def differs(self):
        return self.pick([self.is_better("v.next"), "v.next != v.x", "v.x != v.next"])

    # -- Spellings: declarations, statements before the loop, its condition, its body

    def copies(self, reduction):
        changed = f"go = any({self.differs()});"
        return [], ["let go = true;"], "go", [f"update all v {{ v.next = {self.combined(reduction)}; }}", changed, "update all v { v.x = v.next; }"]

    def count(self, reduction):
        condition = self.pick(["left > 0", "left != 0", "0 < left", "left >= 1", "left > 1"])
        return [], ["let left: int64 = 5;"], condition, [f"update all v {{ v.next = {self.combined(reduction)}; }}",
                                                         f"left = count(v where {self.differs()});", "update all v { v.x = v.next; }"]

    def not_all(self, reduction):
        return [], ["let done = false;"], "!done", [f"update all v {{ v.next = {self.combined(reduction)}; }}", "done = all(v.next == v.x);",
                                                    "update all v { v.x = v.next; }"]

    def flags(self, reduction):
        return [], ["let go = 1;"], self.pick(["go == 1", "go > 0"]), [
            "go = 0;", f"update all v {{ v.next = {self.combined(reduction)}; }}", f"if any({self.differs()}) {{ go = 1; }}", "update all v { v.x = v.next; }"]

    def old(self, reduction):
        body = ["update all v { v.next = v.x; }", f"update all v {{ v.x = {self.combined(reduction)}; }}"]
        if self.chance(0.5):
            return [], [], "any(v.next != v.x)", body
        where = self.pick(["v.gate", "v != source", "v.mark > 0"])
        body[1] = f"update v where {where} {{ v.x = {self.combined(reduction)}; }}"
        return [], ["let go = true;"], "go", [*body, "go = any(v.next != v.x);"]

    def improve(self, reduction):
        value = {"or": "true", "and": "false"}.get(self.kind, reduction)
        better = self.is_better(f"({reduction})" if self.kind == "and" else reduction)
        return [], [], "any(v.moved)", ["update all v { v.moved = false; }", f"update v where {better} {{ v.x = {value}; v.moved = true; }}"]

    def moved(self, _):
        return [], [], "any(v.moved)", [f"update all v {{ let best = {self.among_moved}; v.moved = {self.is_better('best')}; v.x = {self.combined('best')}; }}"]

    def standing(self, loop, before):
        """Alone, in a loop around with and without a new beginning, twice."""
        place = self.pick(["alone"] * 4 + ["loop", "again", "branch"])
        anew = f"update all v {{ v.x = {self.initial.replace('self', 'v')}; }}"
        if place == "loop":
            return ["for turn in 1 .. 2 {", *("  " + line for line in [anew] * self.chance(0.7) + loop), "}"]
        if place == "branch":
            return ["if source != none {", *("  " + line for line in loop), "}"]
        if place == "again":
            again = [line.removeprefix("let ").replace(": int64", "") for line in before]
            return [*loop, f"update v where v.mark > 1 {{ v.x = {self.initial.replace('self', 'v')}; }}", *again, *loop[len(before):]]
        return loop
