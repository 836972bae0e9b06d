"""Random programs of the language: each is well typed, ends by construction, and has one right answer.

A program ends because each of its updates has a reason to: it takes strict improvements alone, or it is active once or a
few times a vertex, or it has a limit. It has one right answer because floating sums, whose last digits depend on their order,
are kept apart: states and messages that are *inexact* never reach a condition, a guard or an integer. What an exact state
holds must be the same bits in every schedule; an inexact one may differ within its tolerance.
"""

import random

from expressions import FLOATS, INTEGERS, Expressions, Name


class State:
    def __init__(self, name, type, initial, inexact):
        self.name, self.type, self.initial, self.inexact = name, type, initial, inexact

    def of(self, vertex):
        return Name(f"{vertex}.{self.name}", self.type, self.inexact)


class Message:
    def __init__(self, name, type, combine, inexact, keep):
        self.name, self.type, self.combine, self.inexact, self.keep = name, type, combine, inexact, keep


class Program:
    """`text`, and what a run of it needs: `symmetric`; `inexact`: {output: how far two answers may differ}."""

    def __init__(self, seed, keep=True):
        self.random = random.Random(seed)
        self.expressions = Expressions(self.random)
        self.name = f"random_{seed}"
        self.symmetric = self.random.random() < 0.2
        self.may_keep = keep
        self.lines, self.counter = [], 0
        self.edge_type = self.random.choice(["int32", "int32", "uint32", "int64", "float64", "float32"])
        self.edge_literal = "1.0" if self.edge_type in FLOATS else "1"
        self.weighted = self.random.random() < 0.6
        self.states, self.messages, self.host = [], [], [Name("source", "vertex"), Name("k", "int32")]
        self.inexact = {}
        self.serializable = False
        self.text = self.write()

    # -- Small helpers

    def chance(self, share):
        return self.random.random() < share

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def line(self, depth, text):
        self.lines.append("  " * depth + text)

    def graph_names(self):
        return [Name("vertices", "int64"), Name("edges", "int64")]

    def vertex_names(self, v):
        degrees = [Name(f"{v}.{d}", "int64") for d in ("degree", "out_degree", "in_degree")]
        return [Name(v, "vertex"), *degrees, *(s.of(v) for s in self.states)]

    def far_names(self, v):
        """States of the vertex that a state of `v` names; in a serializable phase, of nobody."""
        if self.serializable:
            return []
        ways = [s for s in self.states if s.type == "vertex"]
        names = [Name(f"{v}.{way.name}.{s.name}", s.type, s.inexact) for way in ways for s in self.states]
        return self.random.sample(names, min(len(names), 3))

    # -- Declarations

    def write(self):
        self.line(0, f"program {self.name}(source: vertex, k: int32 = {self.random.randrange(6)}) {{")
        if self.symmetric:
            self.line(1, "requires symmetric;")
        if self.weighted:
            self.line(1, f"edge weight: {self.edge_type} = {self.edge_literal};")
        for _ in range(self.random.randint(2, 5)):
            self.declare_state(self.random.choice([*INTEGERS, "int32", "int32", *FLOATS, "bool", "vertex"]))
        for _ in range(self.random.randint(1, 3)):
            self.declare_message()
        if self.chance(0.3):
            self.declare_host_variable(1)
        for _ in range(self.random.randint(1, 3)):
            self.host_statement(1, 2)
        self.outputs()
        self.line(0, "}")
        return "\n".join(self.lines) + "\n"

    def declare_state(self, type):
        names = [Name("self", "vertex"), *(Name(s.name, s.type, True) for s in self.states), *self.graph_names(),
                 *self.host]
        names = [n for n in names if not n.inexact]
        initial = self.expressions.literal(type) if self.chance(0.6) else self.expressions.of(type, names, 1)
        if type in INTEGERS and self.chance(0.2):
            initial = "inf"
        state = State(self.fresh("s"), type, initial, type in FLOATS and self.chance(0.5))
        self.states.append(state)
        self.line(1, f"vertex {state.name}: {type} = {initial};")
        return state

    def declare_message(self):
        type = self.random.choice([*INTEGERS, "int32", *FLOATS, "bool", "vertex"])
        combine = {"bool": ["or", "and"], "vertex": ["min"]}.get(type, ["min", "max", "sum"])
        if type in INTEGERS and self.chance(0.4):
            combine = ["or", "or", "and", "xor"]
        combine = self.random.choice(combine)
        inexact = type in FLOATS and combine == "sum"
        keep = self.may_keep and self.chance(0.1)
        message = Message(self.fresh("m"), type, combine, inexact, keep)
        self.messages.append(message)
        self.line(1, f"message {message.name}: {type} combine {combine}{' keep' if keep else ''};")
        return message

    def declare_host_variable(self, depth):
        type = self.random.choice(["int32", "int64", "float64"])
        name = self.fresh("h")
        self.line(depth, f"let {name}: {type} = {self.host_expression(type)};")
        self.host.append(Name(name, type))
        return name

    def outputs(self):
        self.random.shuffle(self.states)
        words = []
        for state in self.states:
            if state.inexact:
                tolerance = 1e-3 if state.type == "float32" else 1e-6
                self.inexact[state.name] = tolerance
                words.append(f"{state.name} tolerance {tolerance}")
            else:
                words.append(state.name)
        self.line(1, f"output {', '.join(words)};")

    # -- The host level

    def host_expression(self, type):
        exact = [s for s in self.states if not s.inexact]
        names = [*self.graph_names(), *self.host]
        if self.chance(0.3):
            names += [Name(f"source.{s.name}", s.type) for s in exact]
        if exact and self.chance(0.5):
            condition = self.expressions.of("bool", [s.of("v") for s in exact] + [Name("v", "vertex")], 1)
            # A condition that names no vertex is none of a reduction.
            condition = condition if "v." in condition or "v " in condition else f"v.{exact[0].name} == v.{exact[0].name}"
            integers = [s for s in exact if s.type in INTEGERS]
            if type == "int64" and self.chance(0.5) or not integers:
                return f"{'' if type == 'int64' else type}(count(v where {condition}))"
            reduced = self.random.choice(integers)
            return f"{type}({self.random.choice(['max', 'min', 'sum'])}(v.{reduced.name} where {condition}))"
        return self.expressions.of(type, names, 1)

    def host_statement(self, depth, nesting):
        pick = self.random.random()
        if nesting == 0 or pick < 0.6:
            return self.phase(depth) if self.chance(0.75) else self.sweep(depth)
        begin = len(self.host)
        if pick < 0.72:
            self.line(depth, f"repeat {self.random.randint(1, 3)} {{")
            self.host_statement(depth + 1, nesting - 1)
            self.line(depth, "}")
        elif pick < 0.82:
            first, last = self.random.randint(0, 3), self.random.randint(0, 3)
            index = self.fresh("i")
            self.line(depth, f"for {index} in {first} .. {last} {{")
            self.host.append(Name(index, "int32"))
            self.host_statement(depth + 1, nesting - 1)
            self.line(depth, "}")
        elif pick < 0.9:
            counter = self.fresh("c")
            self.line(depth, f"let {counter} = 0;")
            self.line(depth, f"while {counter} < {self.random.randint(1, 3)} {{")
            self.host.append(Name(counter, "int32"))
            self.host_statement(depth + 1, nesting - 1)
            self.line(depth + 1, f"{counter} = {counter} + 1;")
            self.line(depth, "}")
        elif pick < 0.95:
            self.line(depth, f"if {self.expressions.of('bool', [*self.graph_names(), *self.host], 1)} {{")
            self.host_statement(depth + 1, nesting - 1)
            self.line(depth, "} else {")
            self.host_statement(depth + 1, nesting - 1)
            self.line(depth, "}")
        else:
            name = self.declare_host_variable(depth)
            self.line(depth, f"report r{name} = {name};")
            return
        del self.host[begin:]

    # -- Updates

    def reduction(self, type, v):
        """A reduction over neighbours, as an expression of `type`; inexact floats are summed nowhere."""
        u = "n"
        direction = self.random.choice(["in", "out", "both"])
        names = [n for n in self.vertex_names(u) + self.vertex_names(v) if not n.inexact]
        if self.chance(0.2):
            names += [n for n in self.far_names(self.random.choice([u, v])) if not n.inexact]
        if self.weighted:
            names.append(Name("weight", self.edge_type))
        where = f" where {self.expressions.of('bool', names, 1)}" if self.chance(0.4) else ""
        over = f"over {direction} {u}{where}"
        if type in (*INTEGERS, "bool", "vertex") and self.chance(0.25):
            otherwise = self.expressions.of(type, [n for n in self.vertex_names(v) if not n.inexact], 1)
            value = u if type == "vertex" and self.chance(0.5) else self.expressions.of(type, names, 1)
            # Literals alone are int32.
            value = value if type in ("bool", "vertex") else f"{type}({value})"
            return f"(mode({value} {over}) else ({otherwise}))"
        if type == "int64" and self.chance(0.15):
            kind = self.random.choice([*INTEGERS, "bool", "vertex"])
            value = self.expressions.of(kind, names, 1)
            return f"distinct({value if kind in ('bool', 'vertex') else f'{kind}({value})'} {over})"
        if type == "int64" and self.chance(0.2):
            count, other = f"common_neighbours({u}, {v})", f"common_neighbours({v}, {u})"
            limit = self.expressions.of("int64", names, 1)
            twice = [f"({count} > {limit} ? {other} : {limit})", f"({count} - {limit} * {other})",
                     f"({count} > 1 && {other} != {limit} ? {count} : 1)"]
            return f"{self.random.choice(['sum', 'sum', 'max', 'min'])}({self.random.choice([count, *twice])} {over})"
        if type in ("int64", "bool") and not self.serializable and self.chance(0.25):
            return f"{'sum' if type == 'int64' else 'any'}({self.shared(type, v, [u])} {over})"
        return self.reduced(type, u, names, over)

    def shared(self, type, v, near=()):
        """A reduction over what two vertices share; `near` are at hand beside `v`. Floats are added up nowhere here."""
        x = "x"
        ends = [v, *near, "source", *(s.of(v).text for s in self.states if s.type == "vertex")]
        names = [*self.vertex_names(x), *self.far_names(x)]
        for each in (v, *near):
            names += self.vertex_names(each)
        where = f" where {self.expressions.of('bool', names, 1)}" if self.chance(0.4) else ""
        over = f"over common_neighbours({self.random.choice(ends[:2])}, {self.random.choice(ends)}) {x}{where}"
        if not near and type == "int64" and self.chance(0.2):
            return f"sum({self.shared('int64', x, [v])} {over})"
        exact = [n for n in names if not n.inexact]
        return self.reduced(type, x, exact, over)

    def reduced(self, type, u, names, over):
        if type == "bool":
            return f"{self.random.choice(['any', 'all'])}({self.expressions.of('bool', names, 1)} {over})"
        if type == "int64" and self.chance(0.3):
            return f"count({over})"
        integers = [t for t in ("int32", "int64", "uint32") if any(n.type == t for n in names)]
        if type == "vertex" and integers and self.chance(0.5):
            first = self.random.choice(integers)
            return f"(min(({first}({self.expressions.of(first, names, 1)}), {u}) {over}).1)"
        if type == "vertex":
            return f"min({u} {over})"
        if type in INTEGERS and self.chance(0.25):
            # Literals alone are int32.
            return f"{self.random.choice(['or', 'and', 'xor'])}({type}({self.expressions.of(type, names, 1)}) {over})"
        if type in ("int64", "uint64") and self.chance(0.4):
            return f"sum({self.expressions.of(type, names, 1)} {over})"
        reduced = f"{self.random.choice(['min', 'max'])}({self.expressions.of(type, names, 1)} {over})"
        # Literals alone are int32 or float64.
        return f"{type}({reduced})" if type not in ("int32", "float64", "wide64") else reduced

    def body(self, depth, v, names, protected, messages, sending=True):
        """Some statements; states in `protected` are not written, `messages` may be sent to."""
        if self.chance(0.3):
            names = [*names, *self.far_names(v)]
        for _ in range(self.random.randint(1, 3)):
            self.body_statement(depth, v, names, protected, messages if sending else [], 1)

    def body_statement(self, depth, v, names, protected, messages, nesting):
        pick = self.random.random()
        writable = [s for s in self.states if s.name not in protected]
        if pick < 0.15:
            name, type = self.fresh("x"), self.random.choice(["int32", "int64", "float64", "bool"])
            self.line(depth, f"let {name}: {type} = {self.expressions.of(type, names)};")
            names.append(Name(name, type))
        elif pick < 0.3 and nesting > 0:
            inner = list(names)
            self.line(depth, f"if {self.expressions.of('bool', names, 1)} {{")
            self.body_statement(depth + 1, v, inner, protected, messages, nesting - 1)
            if self.chance(0.4):
                self.line(depth, "} else {")
                self.body_statement(depth + 1, v, list(names), protected, messages, nesting - 1)
            self.line(depth, "}")
        elif pick < 0.65 and messages:
            self.send(depth, v, names, self.random.choice(messages))
        elif writable:
            state = self.random.choice(writable)
            reduces = self.chance(0.25)
            shares = reduces and not self.serializable and self.chance(0.3)
            if state.inexact and shares:
                near = [*self.vertex_names("x"), *names]
                value = f"sum({state.type}({self.expressions.inexact(state.type, near)}) over common_neighbours({v}, source) x)"
            elif state.inexact:
                value = self.expressions.inexact(state.type, names)
            elif reduces:
                value = self.shared(state.type, v) if shares else self.reduction(state.type, v)
                if state.type not in ("int64", "uint64", "bool", "vertex") and value.startswith("sum"):
                    value = f"{state.type}({value})"
            else:
                value = self.expressions.of(state.type, names)
            self.line(depth, f"{v}.{state.name} = {value};")
        else:
            self.line(depth, f"let {self.fresh('_y')} = 1;")

    def send(self, depth, v, names, message, value=None):
        ways = [s.of(v).text for s in self.states if s.type == "vertex"]
        if ways and value is None and not self.serializable and self.chance(0.2):
            kind = self.expressions.inexact if message.inexact else self.expressions.of
            value = kind(message.type, names, 1)
            return self.line(depth, f"send {value} into {message.name} to {self.random.choice(ways)};")
        direction = self.random.choice(["", "", "", "back ", "both "])
        sent = [*names, Name("weight", self.edge_type)] if self.weighted else list(names)
        to = ""
        if self.chance(0.35):
            u = "w"
            here = [*sent, *self.vertex_names(u)]
            to = f" to {u}"
            if self.chance(0.7):
                to += f" where {self.expressions.of('bool', here, 1)}"
            sent += [Name(u, "vertex"), Name(f"{u}.degree", "int64")]
        if value is None:
            if message.inexact:
                value = self.expressions.inexact(message.type, sent, 1)
            else:
                value = self.expressions.of(message.type, sent, 1)
        self.line(depth, f"send {direction}{value} into {message.name}{to};")

    def starts(self, depth, message):
        for _ in range(self.random.choice([1, 1, 1, 2])):
            exact = [Name("v", "vertex"), *self.host, *(s.of("v") for s in self.states)]
            if message.inexact:
                value = self.random.choice(["1.0", "0.5", "0.25"])
            else:
                value = self.expressions.of(message.type, exact, 1)
            fill = f"{{ {message.name} = {value}; }}"
            pick = self.random.random()
            if pick < 0.3:
                # `source` names a vertex, and binds no variable to read it by.
                constant = self.expressions.of(message.type, self.host, 0) if not message.inexact else value
                self.line(depth, f"start source {{ {message.name} = {constant}; }}")
            elif pick < 0.6:
                self.line(depth, f"start all v {fill}")
            elif pick < 0.75:
                self.line(depth, "start all;")
            else:
                condition = self.expressions.of("bool", [n for n in exact if not n.inexact], 1)
                self.line(depth, f"start v where {condition} {fill}")

    def phase(self, depth):
        message = self.random.choice(self.messages)
        kinds = [self.improving, self.once, self.counted, self.limited]
        if message.type in FLOATS and message.combine == "sum":
            kinds = [self.accumulating, self.once, self.limited]
        elif message.combine in ("or", "and") and message.type in INTEGERS:
            kinds = [self.gathering, self.gathering, *kinds[1:]]
        elif message.combine not in ("min", "max"):
            kinds.remove(self.improving)
        self.line(depth, f"phase {self.fresh('p')} {{")
        self.serializable = self.chance(0.1)
        if self.serializable:
            self.line(depth + 1, "consistency serializable;")
        self.starts(depth + 1, message)
        self.random.choice(kinds)(depth + 1, message)
        self.line(depth, "}")
        self.serializable = False

    def read_names(self, v, read):
        return [*self.vertex_names(v), *self.host, Name("step", "int32"),
                *(Name(m.name, m.type, m.inexact) for m in read)]

    def improving(self, depth, message):
        """Strict improvement: what is sent cannot be better than what came."""
        v = "v"
        state = next((s for s in self.states if s.type == message.type and not s.inexact), None)
        if state is None:
            return self.limited(depth, message)
        operator = "<" if message.combine == "min" else ">"
        self.line(depth, f"update {v} when {message.name} {operator} {v}.{state.name} {{")
        self.line(depth + 1, f"{v}.{state.name} = {message.name};")
        for _ in range(self.random.choice([1, 1, 1, 2])):
            self.send(depth + 1, v, [Name(v, "vertex"), *self.host], message, self.not_better(message))
        others = [s for s in self.states if s is not state and not s.inexact]
        if others and self.chance(0.3):
            other = self.random.choice(others)
            self.line(depth + 1, f"{v}.{other.name} = "
                      f"{self.expressions.of(other.type, [Name(message.name, message.type), *self.host])};")
        self.line(depth, "}")

    def gathering(self, depth, message):
        """Sets of bits: each activation adds some (`and`: takes some away), and there are few."""
        v, m = "v", message.name
        state = next((s for s in self.states if s.type == message.type), None)
        if state is None:
            return self.limited(depth, message)
        own = f"{v}.{state.name}"
        fresh, sign = (f"({m} & ~{own})", "|") if message.combine == "or" else (f"({own} & ~{m})", "&")
        self.line(depth, f"update {v} when {fresh} != 0 {{")
        self.line(depth + 1, f"let new = {fresh};")
        self.line(depth + 1, f"{own} = {own} {sign} {m};")
        mask = self.random.choice(["1", "5", "0x70", "64"])
        values = [own, m, f"({own} >> 1)", f"({own} << 2)", f"({own} | {mask})", f"({own} & {mask})", f"({own} ^ {mask})"]
        if message.combine == "or":
            values += ["new", "new", f"(new >> 2)", f"(new | {mask})", f"(new & {mask})", "popcount(new)"]
        for _ in range(self.random.choice([1, 1, 2])):
            self.send(depth + 1, v, [Name(v, "vertex"), *self.host], message, self.random.choice(values))
        self.line(depth, "}")

    def not_better(self, message):
        name, type = message.name, message.type
        if type == "vertex":
            return name
        step = self.random.choice(["0", "1", "3"]) if type in INTEGERS else self.random.choice(["0.0", "1.0", "0.5"])
        if self.weighted and self.edge_type == type and self.chance(0.6):
            step = "weight"
        if message.combine == "min":
            return self.random.choice([f"{name} + {step}", f"{name} + {step}", f"max({name}, {step})", name,
                                       f"max({name} + {step}, {step})"])
        if type in ("uint32", "uint64", *FLOATS):
            return self.random.choice([f"min({name}, {step})", name])
        # Falling towards the lowest value would take very long; a floor ends it.
        return self.random.choice([f"min({name}, {step})", name, f"min({name}, max({name} - {step}, -40))"])

    def accumulating(self, depth, message):
        v = "v"
        state = next((s for s in self.states if s.type == message.type and s.inexact), None)
        if state is None or message.keep:
            return self.limited(depth, message)
        threshold = self.random.choice(["1e-12", "1e-10", "0.0"]) if message.type != "float32" else "1e-6"
        if threshold == "0.0":
            return self.limited(depth, message)
        direction, degree = self.random.choice([("", "out_degree"), ("back ", "in_degree")])
        self.line(depth, f"update {v} when {message.name} > {threshold} {{")
        self.line(depth + 1, f"{v}.{state.name} += {message.name};")
        share = self.random.choice(["0.5", "0.25", "0.75"])
        self.line(depth + 1, f"send {direction}{share} * {message.name} / {v}.{degree} into {message.name};")
        self.line(depth, "}")

    def reads(self, message):
        more = [m for m in self.messages if m is not message and self.chance(0.25)]
        return [message, *more]

    def guard(self, names):
        return self.expressions.of("bool", names, 1)

    def mention(self, depth, read):
        """An update reads an inbox where its guard or body names it."""
        for message in read:
            if self.chance(0.7):
                self.line(depth, f"let {self.fresh('_z')} = {message.name};")

    def once(self, depth, message):
        flag = next((s for s in self.states if s.type == "bool"), None)
        if flag is None:
            return self.limited(depth, message)
        v, read = "v", self.reads(message)
        names = self.read_names(v, read)
        extra = f" && {self.guard(names)}" if self.chance(0.5) else ""
        self.line(depth, f"update {v} when !{v}.{flag.name}{extra} {{")
        self.line(depth + 1, f"{v}.{flag.name} = true;")
        self.mention(depth + 1, read)
        self.body(depth + 1, v, names, {flag.name}, self.messages)
        self.line(depth, "}")

    def counted(self, depth, message):
        counter = next((s for s in self.states if s.type in ("int32", "int64", "uint32")), None)
        if counter is None:
            return self.limited(depth, message)
        v, read = "v", self.reads(message)
        names = self.read_names(v, read)
        most = self.random.randint(1, 5)
        extra = f" && {self.guard(names)}" if self.chance(0.5) else ""
        self.line(depth, f"update {v} when {v}.{counter.name} < {most}{extra} {{")
        # From whatever it holds to the bound in a few activations.
        self.line(depth + 1, f"{v}.{counter.name} = max({v}.{counter.name}, 0) + 1;")
        self.mention(depth + 1, read)
        self.body(depth + 1, v, names, {counter.name}, self.messages)
        self.line(depth, "}")

    def limited(self, depth, message):
        v, read = "v", self.reads(message)
        names = self.read_names(v, read)
        guard = self.guard(names) if self.chance(0.8) else f"step < {self.random.randint(1, 5)}"
        self.line(depth, f"update {v} when {guard} limit {self.random.randint(1, 6)} {{")
        self.mention(depth + 1, read)
        self.body(depth + 1, v, names, set(), self.messages)
        self.line(depth, "}")

    def sweep(self, depth):
        v = "v"
        read = [m for m in self.messages if self.chance(0.3)]
        names = [n for n in self.read_names(v, read) if n.text != "step"]
        if self.chance(0.5):
            self.line(depth, f"update all {v} {{")
        else:
            condition = self.reduction("bool", v) if self.chance(0.3) else self.expressions.of(
                "bool", [n for n in names if n.text not in {m.name for m in read}], 1)
            self.line(depth, f"update {v} where {condition} {{")
        self.mention(depth + 1, read)
        self.body(depth + 1, v, names, set(), self.messages)
        self.line(depth, "}")
