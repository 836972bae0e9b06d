"""Random programs of what random phases (generate.py) and engines (engines.py) have not: states of edges, attributes of edges by name,
lists of vertices, functions and operators of the program, tuples in expressions, messages that take any value, drawn numbers, and
the statements of the host level around phases that have no name.

Each ends by construction: loops count, phases have a limit or take part once. Each has one right answer: what `combine any` took is
told by no output, and floating sums are inexact.
"""

import random

from expressions import INTEGERS, Expressions, Name

VALUES = {"int32": ["0", "1", "-2", "7", "inf"], "int64": ["0", "3", "-1", "1 << 40"], "uint32": ["0", "2", "0xf0"],
          "uint64": ["1", "uint64(1) << 63"], "float64": ["0.5", "2.0", "0.0"], "float32": ["0.25", "1.0"],
          "bool": ["true", "false"], "vertex": ["self", "none", "source"]}


class Program:
    """`text`, and what a run of it needs: `symmetric`; `inexact`: {output: how far two answers may differ}; `columns`: of its edges,
    as tests/run/manifest.json has them."""

    KINDS = ("edge_states", "edge_states", "by_name", "lists", "operators", "tuples", "tuples", "taken", "drawn", "host", "host", "jumps", "leaving")

    def __init__(self, seed, kind=None):
        self.random = random.Random(seed ^ 0xFEA7)
        self.expressions = Expressions(self.random)
        self.name, self.inexact, self.columns, self.symmetric = f"features_{seed}", {}, None, False
        self.lines, self.declared, self.outputs, self.counter = [], [], [], 0
        self.states = {}
        self.parameters = ["source: vertex", f"k: int32 = {self.random.randrange(5)}"]
        for type in self.random.sample(list(VALUES), 3):
            self.state(type)
        self.state("int32"), self.state("bool")
        getattr(self, kind or self.pick(self.KINDS))()
        self.text = "\n".join([f"program {self.name}({', '.join(self.parameters)}) {{", *self.declared, *self.lines,
                               f"  output {', '.join(self.output_words())};", "}"]) + "\n"

    # -- Pieces

    def chance(self, share):
        return self.random.random() < share

    def pick(self, among):
        return self.random.choice(among)

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def declare(self, text):
        self.declared.append("  " + text)

    def line(self, depth, text):
        self.lines.append("  " * depth + text)

    def state(self, type, initial=None, output=True):
        name = self.fresh("s")
        self.declare(f"vertex {name}: {type} = {initial or self.pick(VALUES[type])};")
        self.states[name] = type
        if output:
            self.outputs.append(name)
        return name

    def output_words(self):
        return [f"{name} tolerance {self.inexact[name]}" if name in self.inexact else name for name in self.outputs]

    def of(self, type, names, depth=2):
        return self.expressions.of(type, names, depth)

    def host_names(self):
        return [Name("source", "vertex"), Name("k", "int32"), Name("vertices", "int64")]

    def names_of(self, v):
        degrees = [Name(f"{v}.{each}", "int64") for each in ("degree", "out_degree", "in_degree")]
        return [Name(v, "vertex"), *degrees, *(Name(f"{v}.{name}", type, name in self.inexact) for name, type in self.states.items())]

    def written(self, type=None):
        return self.pick([name for name, each in self.states.items() if each == type or type is None and each in VALUES])

    def assign(self, depth, v, names):
        """Writes a state of `v`, by a compound assignment where it is an integer."""
        name = self.written()
        type = self.states[name]
        operators = {"bool": ["="], "vertex": ["="], "float32": ["=", "+="], "float64": ["=", "*="]}
        operator = self.pick(operators.get(type, ["=", "=", "+=", "-=", "*=", "&=", "|=", "^=", *(["/="] if type[0] == "i" else [])]))
        value = self.of(type, names) if type not in ("float32", "float64") else self.of(type, names, 1)
        self.line(depth, f"{v}.{name} {operator} {self.pick(['3', 'k']) if operator == '/=' else value};")

    def some(self, depth, v, names, most=3):
        for _ in range(self.random.randint(1, most)):
            self.assign(depth, v, names)

    def branches(self, depth, v, names):
        """`if … else if … else`."""
        self.line(depth, f"if {self.of('bool', names, 1)} {{")
        self.some(depth + 1, v, names, 1)
        for _ in range(self.pick([0, 1, 2])):
            self.line(depth, f"}} else if {self.of('bool', names, 1)} {{")
            self.some(depth + 1, v, names, 1)
        if self.chance(0.6):
            self.line(depth, "} else {")
            self.some(depth + 1, v, names, 1)
        self.line(depth, "}")

    # -- Kinds

    def edge_states(self):
        self.symmetric = True
        self.declare("requires symmetric, no_duplicates;")
        edges = {"alive": "bool"}
        self.declare(f"edge alive: bool = {self.pick(['true', 'true', 'false'])};")
        for type in self.random.sample(["int32", "int64", "uint32", "float64", "bool"], self.pick([0, 1, 1, 2])):
            name = self.fresh("e")
            edges[name] = type
            self.declare(f"edge {name}: {type} = {self.pick([each for each in VALUES[type] if each not in ('inf', '1 << 40')])};")
        there = [Name(name, type) for name, type in edges.items()]
        chosen = [each for each in ["alive", "!alive", "alive && k < 3", "!(alive == (k > 1))"]]
        chosen += [f"{name} > {'0.5' if type == 'float64' else '1'}" for name, type in edges.items() if type != "bool"]

        def triangles(u, v):
            return self.pick([f"common_neighbours({u}, {v} where {self.pick(chosen)})"] * 3 + [f"common_neighbours({u}, {v})"])

        def corners(u, v):
            """Of what stands at the third corners of triangles, their number or a sum."""
            names = [*self.names_of("x"), *self.names_of(u), *self.names_of(v)]
            over = f"over {triangles(u, v)} x" + self.pick(["", f" where {self.of('bool', names, 1)}"])
            return self.pick([triangles(u, v), f"count({over})", f"sum({self.of('int64', names, 1)} {over})",
                              f"int64(max({self.of('int32', names, 1)} {over}))"])

        self.line(1, f"for round in 1 .. {self.pick(['2', '3', 'k'])} {{")
        for turn in range(self.pick([2, 3, 3, 4])):
            if turn == 0 or self.chance(0.5):
                names = [*self.names_of("u"), *self.names_of("v"), *self.host_names(), Name("round", "int32"), *there]
                where = self.pick(["", f" where {self.of('bool', names, 1)}", f" where alive && {self.of('bool', names, 1)}"])
                self.line(2, f"update edge (u, v){where} {{")
                if self.chance(0.6):
                    self.line(3, f"let shared = {corners('u', 'v')};")
                    names = [*names, Name("shared", "int64"), Name("shared", "int64")]
                # An attribute that no update of edges assigns chooses none.
                for name in sorted(edges) if turn == 0 else self.random.sample(sorted(edges), 1):
                    text = f"{name} = {self.of(edges[name], names)};"
                    self.line(3, f"if {self.of('bool', names, 1)} {{ {text} }}" if self.chance(0.3) else text)
                self.line(2, "}")
            else:
                self.line(2, f"update {self.pick(['all v', 'v where v.degree > 1', 'v where any(alive over out u)'])} {{")
                name = self.state("int64", "0")
                names = [*self.names_of("u"), *self.names_of("v"), *there]
                counted = self.pick([f"count(over {self.pick(['out', 'in', 'both'])} u where {self.of('bool', names, 1)})",
                                     f"sum({corners('u', 'v')} over out u where alive)",
                                     f"sum({self.of('int64', names, 1)} over {self.pick(['out', 'in'])} u where {self.pick(chosen)})"])
                self.line(3, f"v.{name} += {counted};")
                self.line(3, f"v.{self.written('bool')} = {self.pick(['any', 'all'])}({self.of('bool', names, 1)} over out u);")
                self.line(2, "}")
        self.line(1, "}")

    def by_name(self):
        """Attributes by name: what is sent and to whom, and reductions."""
        types = self.random.sample(["int32", "int64", "uint32", "uint64", "float32", "float64", "bool"], self.pick([2, 2, 3, 4]))
        if types == ["bool"]:
            types.append("int32")
        self.columns = {}
        for type in types:
            name = self.fresh("e")
            default = self.pick(["", f" = {self.pick(['1', '2'] if type != 'bool' else ['true'])}"])
            self.declare(f"edge {name}: {type}{default};")
            self.columns[name] = {"factor": self.pick([1, 3, 7]), "modulus": self.pick([2, 5, 31])}
            if type == "bool":
                self.columns[name]["truth"] = True
        there = [Name(name, type) for name, type in zip(self.columns, types)]
        type = self.pick(["int32", "int64", "float64"])
        self.declare(f"vertex far: {type} = inf;")
        self.declare(f"message near: {type} combine min;")
        step = self.pick([f"{name.text} * 2" if name.type == type else f"{type}({name.text})" for name in there])
        where = self.of("bool", [*there, *there, Name("u.out_degree", "int64"), Name("v", "vertex"), Name("u", "vertex")], 1)
        self.line(1, f"start {self.pick(['source', 'v where v.out_degree > 1'])} {{ near = 0; }}")
        self.line(1, "update v when near < v.far {")
        self.line(2, "v.far = near;")
        self.line(2, f"send {self.pick(['', '', 'back ', 'both '])}near + {step}{self.pick(['', f' to u where {where}'])};")
        self.line(1, "}")
        names = [*self.names_of("u"), *self.names_of("v"), *there, *there]
        found = self.state("int64", "0")
        self.line(1, "update all v {")
        self.line(2, f"v.{found} = sum({self.of('int64', names, 1)} over {self.pick(['in', 'out', 'both'])} u where {self.of('bool', names, 1)});")
        self.some(2, "v", self.names_of("v"), 2)
        self.line(1, "}")
        self.outputs.append("far")

    def lists(self):
        """Start sets that are lists, and places in them."""
        self.parameters.insert(1, "sources: vertex[]")
        self.declare("vertex seen: uint64 = 0;")
        self.declare("vertex first: int32 = inf;")
        self.declare("message bits: uint64 combine or;")
        self.declare("message place: int32 combine min;")
        self.line(1, f"start {self.pick(['v where index(v, sources) >= 0', 'v where index(v, sources) % 2 == 0'])} "
                  "{ bits = uint64(1) << (index(v, sources) & 63); }")
        if self.chance(0.5):
            self.line(1, "start sources { bits = 1; }")
        self.line(1, f"update v when (bits & ~v.seen) != 0{self.pick(['', '', ' limit 2', ' limit k'])} {{")
        self.line(2, "let fresh = bits & ~v.seen;")
        self.line(2, "v.seen |= fresh;")
        self.line(2, f"send {self.pick(['', 'back ', 'both '])}fresh into bits;")
        self.line(1, "}")
        self.line(1, "phase nearest {")
        self.line(2, self.pick(["start sources { place = 0; }", "start v where index(v, sources) > -1 { place = index(v, sources); }",
                                "start sources { place = k; } start source { place = 1; }"]))
        self.line(2, f"update v when place < v.first {{ v.first = place; send place{self.pick([' + 1', '', ' + 2'])} into place; }}")
        self.line(1, "}")
        self.line(1, "update all v {")
        self.some(2, "v", [*self.names_of("v"), Name("v.seen", "uint64"), Name("v.first", "int32")])
        self.line(1, "}")
        self.outputs += ["seen", "first"]

    def operators(self):
        """A program's own functions, as expressions and to combine messages."""
        self.declare("fn twice(a: int32): int32 = a + a;")
        self.declare("fn nearer(a: int64, b: int64): int64 = abs(a) < abs(b) || (abs(a) == abs(b) && a < b) ? a : b;")
        self.declare("fn later(a: (time: int32, by: vertex), b: (time: int32, by: vertex)): (time: int32, by: vertex)"
                     " = a.time > b.time || (a.time == b.time && a.by < b.by) ? a : b;")
        self.declare("fn within(a: int32, b: int32, open: bool): bool = open ? a < b : a <= twice(b);")
        self.declare("vertex news: (time: int32, by: vertex) = (-inf, none);")
        self.declare("vertex closest: int64 = inf;")
        self.declare("message told: (time: int32, by: vertex) combine later identity (-inf, none);")
        self.declare("message close: int64 combine nearer identity inf;")
        initial = self.pick(["int32(v.degree)", "twice(int32(v.out_degree))", "int32(v.in_degree) % 3"])
        self.line(1, f"start {self.pick(['all v', 'v where v.out_degree > 1'])} {{ told = ({initial}, v); }}")
        self.line(1, f"update v when told.time > v.news.time{self.pick(['', ' limit 3'])} {{ v.news = told; send told into told; }}")
        value = self.pick(["v.in_degree - 2", "int64(v.news.time) - 1", "-v.degree", "int64(twice(k)) - v.in_degree"])
        where = self.pick(["", " to u where within(u.news.time, v.news.time, k > 1)", " to u where u.news.by != v"])
        self.line(1, f"update all v {{ send {self.pick(['', 'back '])}{value} into close{where}; }}")
        self.line(1, "update all v { v.closest = close; }")
        self.line(1, "update all v {")
        called = [Name("twice(k)", "int32"), Name(f"twice(v.{self.written('int32')})", "int32"), Name("v.news.time", "int32"),
                  Name("v.news.by", "vertex"), Name(f"within(k, v.{self.written('int32')}, v.{self.written('bool')})", "bool")]
        self.some(2, "v", [*self.names_of("v"), *called, *called])
        self.line(1, "}")
        self.outputs += ["news", "closest"]

    def tuples(self):
        """States and locals that are tuples: compared, chosen, reduced over neighbours."""
        types = [self.pick(["int32", "int64", "float64", "uint32", "bool", "vertex"]) for _ in range(self.pick([2, 2, 3, 4]))]
        labels = self.pick([[""] * 4, ["near: ", "via: ", "rest: ", "last: "]])
        element = [label[:-2] or str(place) for place, label in enumerate(labels)]
        shape = "(" + ", ".join(label + type for label, type in zip(labels, types)) + ")"

        def made(names, depth=1):
            return "(" + ", ".join(f"{type}({self.of(type, names, depth)})" if type in INTEGERS else self.of(type, names, depth)
                                   for type in types) + ")"

        def elements(v, state="pair"):
            return [Name(f"{v}.{state}.{element[place]}", type) for place, type in enumerate(types)]

        self.declare(f"vertex pair: {shape} = {made([Name('self', 'vertex'), *self.host_names()], 0)};")
        self.declare(f"vertex best: {shape} = {made(self.host_names(), 0)};")
        here = [*self.names_of("v"), *elements("v"), *elements("v", "best")]
        there = [*self.names_of("u"), *elements("u"), *here]
        operator = "min" if "vertex" in types or self.chance(0.5) else "max"
        if "bool" in types:
            operator = None
        for _ in range(self.pick([1, 2, 2])):
            self.line(1, f"update {self.pick(['all v', 'v where v.pair != v.best', 'v where v.pair <= v.best'])} {{")
            self.line(2, f"let made = {made(here)};")
            self.line(2, f"v.pair = {self.pick(['made', 'v.pair < made ? made : v.pair', 'v.best == made ? v.pair : made'])};")
            if operator:
                where = self.pick(["", f" where {self.of('bool', there, 1)}", " where u.pair != v.pair"])
                value = self.pick(["u.pair", made(there), "u.best"])
                self.line(2, f"v.best = {operator}({value} over {self.pick(['in', 'out', 'both'])} u{where});")
            self.some(2, "v", [*here, *(Name(f"made.{place}", type) for place, type in enumerate(types))])
            self.line(1, "}")
        self.outputs += ["pair", "best"]

    def taken(self):
        """`combine any`: who was reached is told, by whom is not."""
        type, empty = self.pick([("vertex", "none"), ("int32", "-1"), ("int64", "-7"), ("float64", "-1.0")])
        identity = "" if type == "vertex" else f" identity {empty}"
        sent = {"vertex": "v", "int32": "int32(v.out_degree)", "int64": "v.degree", "float64": "0.5"}[type]
        self.declare(f"vertex via: {type} = {empty};")
        self.declare("vertex depth: int32 = -1;")
        self.declare(f"message offer: {type} combine any{identity};")
        start = {"vertex": "source"}.get(type, "3" if type != "float64" else "3.0")
        self.line(1, "for round in 1 .. 2 {")
        if self.chance(0.6):
            self.line(2, f"update all v {{ v.via = {empty}; v.depth = -1; }}")
        self.line(2, "phase reach {")
        self.line(3, f"start source {{ offer = {start}; }}")
        self.line(3, f"update v when {self.pick(['v.depth < 0', f'v.via == {empty} && v.depth < 0'])}{self.pick(['', ' limit 3'])} {{")
        self.line(4, "v.via = offer;")
        self.line(4, "v.depth = step + round;")
        where = self.pick(["", "", " to u where u.out_degree > 1", " to u where u.depth < 0"])
        self.line(4, f"send {self.pick(['', 'back ', 'both '])}{sent}{where};")
        self.line(3, "}")
        self.line(2, "}")
        self.line(1, "}")
        self.line(1, f"report reached = count(v where v.via != {empty});")
        self.outputs.append("depth")

    def drawn(self):
        """Random numbers, which are the same everywhere, and functions whose last digits are not."""
        drawn = self.state("float64", "0")
        self.line(1, f"for round in 1 .. {self.pick(['1', '2', 'k'])} {{")
        self.line(2, "update all v {")
        self.line(3, f"v.{drawn} = random(v, {self.pick(['round', '0', 'round * 7 + k', '-round'])});")
        self.line(3, f"v.{self.written('bool')} = random(v, round) < {self.pick(['0.5', '0.25', f'v.{drawn}'])};")
        self.line(3, f"v.{self.written('int32')} = int32(random(v, {self.pick(['k', '3', 'round'])}) * 100.0);")
        self.line(2, "}")
        self.line(2, "update all v {")
        self.line(3, f"v.{self.written('int32')} += int32(count(over {self.pick(['in', 'out'])} u where u.{drawn} < v.{drawn}));")
        self.some(3, "v", self.names_of("v"), 2)
        self.line(2, "}")
        self.line(1, "}")
        rough = self.fresh("s")
        self.declare(f"vertex {rough}: float64 = 0;")
        self.inexact[rough] = 1e-9
        self.outputs.append(rough)
        self.line(1, f"update all v {{ v.{rough} = {self.pick(['sqrt', 'exp', 'log'])}(v.{drawn} + 0.5) + sum(u.{drawn} over in u); }}")

    def host(self):
        """Statements of the host level, around phases that have no name."""
        self.declare(f"message hits: int64 combine {self.pick(['sum', 'max', 'min'])};")
        self.line(1, "let turn = 0;")
        self.line(1, f"let total: int64 = {self.pick(['0', 'vertices', 'edges - 3'])};")
        number = self.written("int32")

        def middle(depth):
            for _ in range(self.pick([1, 1, 2])):
                pick = self.random.random()
                if pick < 0.35:
                    self.line(depth, f"start {self.pick(['source', 'all v', 'v where v.in_degree > turn'])} {{ hits = {self.pick(['1', 'total', '5'])}; }}")
                    self.line(depth, f"update v when {self.of('bool', [*self.names_of('v'), Name('hits', 'int64'), Name('step', 'int32'), Name('turn', 'int32')], 1)}"
                              f" limit {self.pick(['1', '3', 'turn', 'k', 'k - 2'])} {{")
                    self.line(depth + 1, "let got = hits;")
                    names = [*self.names_of("v"), Name("got", "int64"), Name("got", "int64"), Name("turn", "int32")]
                    self.branches(depth + 1, "v", names)
                    self.line(depth + 1, f"send {self.pick(['', 'back ', 'both '])}{self.of('int64', names, 1)};")
                    self.line(depth, "}")
                elif pick < 0.6:
                    self.line(depth, "update all v {")
                    names = [*self.names_of("v"), *self.host_names(), Name("turn", "int32"), Name("total", "int64")]
                    self.branches(depth + 1, "v", names)
                    self.line(depth, "}")
                elif pick < 0.8:
                    reduced = self.pick([f"max({number})", f"min({number})", f"sum({number})", f"count(v where v.{number} > turn)", f"source.{number}",
                                         f"xor({number})", f"or(v.{number} where v.{number} < 100)", "total + turn", "common_neighbours(source, source)"])
                    self.line(depth, f"total = int64({reduced});")
                else:
                    condition = self.pick([f"any(v.{number} > turn)", f"all(v.{number} < 9)", "total > 3", f"source.{number} == turn"])
                    self.line(depth, f"if {condition} {{")
                    self.line(depth + 1, "total = total + 1;")
                    self.line(depth, "} else if turn > 1 {")
                    self.line(depth + 1, f"update v where v.{number} <= turn {{ v.{number} += 1; }}")
                    self.line(depth, "} else { turn = turn + 1; }")

        loop = self.pick(["repeat k + 1 {", "while turn < 3 {", "for i in 3 .. 1 {", "for i in k .. 0 {", "for i in 1 .. k by 1 {", "for i in k + 1 .. 1 by -1 {", "named"])
        if loop == "named":
            self.line(1, f"phase walk for i in {self.pick(['0 .. 2', 'k .. 0', '1 .. k'])} {{")
            self.line(2, "start v where v.out_degree > i { hits = 2; }")
            self.line(2, "limit 3;")
            self.line(2, f"update v when hits > {self.pick(['0', '1', 'i'])} {{ v.{number} += i; send hits - 1; }}")
            self.line(1, "}")
        else:
            self.line(1, loop)
            middle(2)
            if self.chance(0.3):
                self.line(2, "repeat 2 {")
                middle(3)
                self.line(2, "}")
            self.line(2, "turn = turn + 1;")
            self.line(1, "}")
        middle(1)
        self.line(1, "report turns = turn;")
        self.line(1, "report totals = total;")
        last = self.state("int64", "0")
        self.line(1, f"update all v {{ v.{last} = total * 3 + turn; }}")

    def jumps(self):
        """Reads and messages of vertices that are values: several steps away, parameters, locals."""
        self.declare("vertex up: vertex = self;")
        self.declare("vertex got: int64 = 0;")
        self.declare(f"message call: int64 combine {self.pick(['sum', 'sum', 'max', 'min', 'or', 'and', 'xor'])};")
        self.declare("vertex heard: (number: int64, by: vertex, far: int32) = (inf, none, inf);")
        self.declare("message post: (number: int64, by: vertex, far: int32) combine min;")
        over = self.pick(["in", "out", "both"])
        self.line(1, f"update all v {{ v.up = {self.pick([f'min(v, min(u over {over} u))', f'min(u over {over} u where u != v)', f'mode(u over {over} u) else none'])}; }}")
        number = self.written("int32")
        far = [Name(f"v.up.{name}", type) for name, type in self.states.items()] + [Name("v.up.up", "vertex"), Name(f"v.up.up.{number}", "int32"), Name(f"source.{number}", "int32"), Name("source.up", "vertex")]
        self.line(1, f"repeat {self.pick(['1', '2', 'k'])} {{")
        self.line(2, f"update {self.pick(['all v', 'v where v.up.up != v.up', 'v where v.up != none'])} {{")
        self.some(3, "v", [*self.names_of("v"), *far, *far])
        if self.chance(0.6):
            self.line(3, f"v.up = {self.pick(['v.up.up', 'v.up.up.up', 'v.up == none ? v : v.up.up'])};")
        self.line(3, "let whom = v.up;")
        target = self.pick(["whom", "v.up", "source", "v.up.up", "(v.out_degree > 1 ? v : none)"])
        self.line(3, f"send {self.pick(['1', 'v.in_degree', 'v.got + 1'])} into call to {target};")
        if self.chance(0.5):
            self.line(3, f"send (int64(v.out_degree), v, 2) into post to {self.pick(['whom', 'v.up', 'source'])};")
        if self.chance(0.4):
            self.line(3, f"if {self.of('bool', [*self.names_of('v'), *far], 1)} {{ send 2 into call to {self.pick(['v', 'source', 'whom'])}; }}")
        self.line(2, "}")
        self.line(2, f"update {self.pick(['all v', 'v where v.out_degree > 0'])} {{ v.got += call; if post < v.heard {{ v.heard = post; }} }}")
        self.line(1, "}")
        if self.chance(0.5):
            self.line(1, "phase chase {")
            self.line(2, f"start {self.pick(['all v', 'source'])} {{ call = 1; }}")
            self.line(2, f"update v when call > 0 limit {self.pick(['2', '4'])} {{ v.got += call; send {self.pick(['1', 'call'])} into call to {self.pick(['v.up', 'source', 'v'])}; }}")
            self.line(1, "}")
        self.outputs += ["up", "got", "heard"]

    def leaving(self):
        """Rounds among those who are left, of whom some find nobody any more."""
        value, none = self.pick([("min(u over {0})", "none"), ("count({0})", "0"), ("any({1})", "false")])
        type = {"none": "vertex", "0": "int64", "false": "bool"}[none]
        number = self.written("int32")
        self.declare("vertex away: bool = false;")
        self.declare(f"vertex found: {type} = {self.pick([none, {'none': 'self', '0': '1', 'false': 'true'}[none]])};")
        where = self.pick(["!u.away", "!u.away && u != v", f"!u.away && u.{number} < 9", "!u.away && u.out_degree > 1", "u.away"])
        over = f"over {self.pick(['in', 'out', 'both'])} u"
        value = value.format(f"{over} where {where}" if none != "none" else f"{over[5:]} where {where}", f"{where} {over}")
        some = {"none": "v.found != none", "0": self.pick(["v.found > 0", "0 != v.found"]), "false": "v.found"}[none]
        also = self.pick([some, some, f"{some} && v.out_degree % 3 != turn", "v.out_degree % 2 == turn % 2"])
        around = self.pick(["in", "out", "both"])
        in_the_way = self.pick(["", f" && all(u.away || u.{number} <= v.{number} over {around} u)", f" && !any(!u.away && u.out_degree > v.out_degree over {around} u where u != v)",
                                f" && all(u.away || (u.{number}, u) < (turn, v) over {around} u where u.in_degree > 1) && v.{number} < 90"])
        self.line(1, "let turn = 0;")
        self.line(1, f"repeat {self.pick(['k', 'k + 2', '4'])} {{")
        self.line(2, f"update v where !v.away {{ v.found = {value}; }}")
        self.line(2, f"update v where !v.away && {also}{in_the_way} && {self.of('bool', [*self.names_of('v'), Name('turn', 'int32')], 1)} {{ v.away = true; }}")
        if self.chance(0.5):
            self.line(2, f"if any(!v.away && {self.pick([some, some, 'v.out_degree > 2'])}) {{ turn += 1; }}")
        if self.chance(0.3):
            self.line(2, f"update v where {self.pick(['!v.away', 'v.away'])} {{ v.{number} += 1; }}")
        self.line(2, "turn += 1;")
        self.line(1, "}")
        self.line(1, "report left = count(v where !v.away);")
        self.outputs += ["away", "found"]
