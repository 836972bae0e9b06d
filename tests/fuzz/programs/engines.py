"""Random programs of the shapes that engines take, and near misses of them: searches, waves, labels and loops over levels, with
any start set, direction and filter, alone and in host loops, with and without a reset in between.

Each ends by construction: what is improved is a strict improvement that no cycle repeats for ever, and loops are short.
"""

import random

LOWEST = {"int32": "-inf", "int64": "-inf", "uint32": "0", "float32": "-inf", "float64": "-inf", "wide64": "-inf"}
BITS = {"int32": 32, "uint32": 32, "float32": 32, "vertex": 32}


class Program:
    """`text`, and what a run of it needs: `symmetric`; `inexact`: {output: how far two answers may differ}."""

    def __init__(self, seed):
        self.random = random.Random(seed ^ 0x5EED)
        self.lines, self.inexact = [], {}
        self.symmetric = self.chance(0.25)
        self.weights = self.pick(["int32", "int32", "uint32", "float32"])
        self.declared = ["  edge weight: %s = %s;" % (self.weights, "1.0" if self.weights == "float32" else "1"),
                         "  vertex mark: int32 = int32(self.out_degree);", "  vertex busy: bool = self.in_degree > 1;",
                         "  vertex sum: int64 = 0;", "  vertex rounds: int32 = 0;"]
        self.outputs = ["sum", "rounds", "mark"]
        kind = self.pick([self.search] * 5 + [self.tuples] * 3 + [self.flags] * 3 + [self.visits] * 2 + [self.wave] * 3 + [self.labels] * 2 + [self.paths] * 2 + [self.words] * 3)
        kind()
        head = [f"program engines_{seed}(source: vertex, k: int32 = {self.random.randrange(4)}) {{"]
        head += ["  requires symmetric;"] if self.symmetric else []
        words = [f"{name} tolerance 1e-6" if name in self.inexact else name for name in self.outputs]
        self.text = "\n".join([*head, *self.declared, *self.lines, f"  output {', '.join(words)};", "}"]) + "\n"

    def chance(self, share):
        return self.random.random() < share

    def pick(self, among):
        return self.random.choice(among)

    def line(self, depth, text):
        self.lines.append("  " * depth + text)

    # -- Pieces

    def direction(self):
        return self.pick(["", "", "", "back ", "both "])

    def condition(self, changed):
        """Of a send from `v` to `u`; `changed`: a condition over what the phase changes, a near miss."""
        constant = ["u.mark > k", "u.busy", "!u.busy", "weight > 2", "weight <= 5 && u.mark < 4", "v.mark <= u.mark", "v.busy || u.busy",
                    "u != source", "v.mark > 1", "u.out_degree > v.in_degree", "weight > 1 && v.mark > 0", "u.mark != k"]
        return changed if changed and self.chance(0.08) else self.pick(constant)

    def filter(self, share=0.5, changed=None):
        return f" to u where {self.condition(changed)}" if self.chance(share) else self.pick(["", "", " to u"])

    def starts(self, depth, message, value):
        """One value for all, most of the time."""
        sets = ["source", "v where v.mark > k", "v where v.busy", "all v", "v where v == source || v.mark == 2"]
        for _ in range(self.pick([1, 1, 2])):
            chosen = value if not self.chance(0.1) else self.pick(["k", "3", "v.mark"]) if value not in ("true", "false") else value
            which = self.pick(sets)
            if which == "source" and "v." in chosen:
                chosen = "1"
            if self.chance(0.06):
                self.line(depth, "start all;")
            self.line(depth, f"start {which} {{ {message} = {chosen}; }}")

    def standing(self, name, reset, write):
        """Where the phase stands: alone, or in a loop; `reset`: statements of an update of all vertices before it."""
        place = self.pick(["alone", "loop", "loop", "twice", "branch"])
        depth = 1
        if place in ("loop", "twice"):
            self.line(1, f"for round in 1 .. {self.pick(['2', '3', 'k'])} {{")
            depth = 2
        if place == "branch":
            self.line(1, "if k < 2 {")
            depth = 2
        if reset and self.chance(0.85 if place != "alone" else 0.3):
            how = "all v" if self.chance(0.85) else "v where v.mark > 0"
            self.line(depth, f"update {how} {{ {reset} }}")
        write(depth, "round" if place in ("loop", "twice") else "1")
        self.line(depth, f"update all v {{ v.sum += int64({name}); }}")
        if place == "twice" and self.chance(0.5):
            self.line(depth, "update v where v.rounds == round { v.mark += 1; }")
        if depth == 2:
            self.line(1, "}")

    # -- Kinds

    def search(self):
        type = self.pick(["int32", "int32", "uint32", "int64", "float64", self.weights])
        combine = self.pick(["min", "min", "max"])
        literal = "float64" if type.startswith("float") else type
        worst = "inf" if combine == "min" else LOWEST[type]
        best = {"min": "0", "max": "40"}[combine]
        best += ".0" if literal == "float64" else ""
        initial = self.pick([worst, worst, worst, "9" + (".0" if literal == "float64" else "")])
        pair = self.chance(0.25)
        self.declared.append(f"  vertex far: {f'({type}, vertex)' if pair else type} = {f'({initial}, none)' if pair else initial};"
                             if not (pair and combine == "max") else f"  vertex far: {type} = {initial};")
        pair = pair and combine == "min"
        self.declared.append(f"  message near: {f'({type}, vertex)' if pair else type} combine {combine};")
        value = "near.0" if pair else "near"
        one = "1.0" if literal == "float64" else "1"
        if combine == "min":
            steps = [f"{value} + {one}", f"{value} + {one}", value, f"max({value} + {one}, {one})"]
            if self.weights == type:
                steps += [f"{value} + weight", f"{value} + weight", f"max({value}, weight)"]
                steps += [f"{value} + (weight > 3 ? weight : {three})" for three in ["3.0" if literal == "float64" else "3"]] + [f"{value} + weight / 2", f"{value} + abs(weight)"] * (type == "int32")
                tolls = type != "uint32"
                steps += [f"{value} + weight + {type}({toll})" for toll in ("v.mark", "v.out_degree", "max(v.mark - 1, 0)", "u.out_degree", "(u.busy == v.busy ? 0 : 3)") if tolls]
            if type != "uint32":
                steps += [f"{value} + {type}({toll})" for toll in ("v.mark", "v.out_degree", "u.in_degree", "u.out_degree + v.in_degree")]
        else:
            steps = [value, f"min({value}, 30{'.0' if literal == 'float64' else ''})"]
            if type not in ("uint32",):
                steps.append(f"min({value}, max({value} - {one}, 0{'.0' if literal == 'float64' else ''}))")
            if self.weights == type:
                steps += [f"min({value}, weight)"] * 3 + ([f"min(min({value}, weight), {type}(v.mark))"] if type != "uint32" else [])
        sent = self.pick(steps)
        witness = self.pick(["v", "v", "near.1", "source"])
        better = "<" if combine == "min" else ">"

        def write(depth, turn):
            self.line(depth, f"phase search {{")
            self.starts_of_search(depth + 1, best, pair)
            limit = self.pick([""] * 9 + [" limit 2"])
            guard = f"near {better} v.far"
            if combine == "min" and not pair and self.chance(0.12):
                guard = self.pick(["v.far == inf && near != inf", "inf != near && v.far == inf", "v.far == inf && near != inf && v.mark > 0"])
            self.line(depth + 1, f"update v when {guard}{limit} {{")
            self.line(depth + 2, "v.far = near;")
            if self.chance(0.08):
                self.line(depth + 2, f"v.rounds = {turn};")
            guarded = self.chance(0.12)
            if guarded:
                self.line(depth + 2, f"if {self.pick(['v.busy', 'v.mark > k', 'near == near', 'v.mark > 0 && !v.busy'])} {{")
            text = f"({sent}, {witness})" if pair else sent
            changed = None if pair else f"u.far == v.far"
            receivers = self.filter(0.45, changed)
            receivers = " to u" if "u." in text and not receivers else receivers
            self.line(depth + 2 + guarded, f"send {self.direction()}{text}{receivers};")
            if guarded:
                self.line(depth + 2, "}")
            self.line(depth + 1, "}")
            self.line(depth, "}")

        far = "v.far.0" if pair else "v.far"
        reset = f"v.far = ({initial}, none);" if pair else f"v.far = {initial};"
        short = f"({far} > 1000 || {far} < -1000 ? 77 : int32({far}))" if type != "uint32" else f"({far} > 1000 ? 77 : int32({far}))"
        self.standing(short, reset, write)
        self.outputs.append("far")

    def tuples(self):
        """Two to four elements of at most 128 bits, of which each that follows comes from the sender or from what arrived."""
        combine = self.pick(["min", "min", "max"])
        types = [self.pick(["int32", "uint32", "int64", "float32", "float64", "wide64", self.weights])]
        bits = BITS.get(types[0], 64)
        for _ in range(self.pick([1, 1, 2, 3])):
            kind = self.pick(["int32", "int64", "float64", "uint32", *(["vertex"] * 3 if combine == "min" else [])])
            if bits + BITS.get(kind, 64) <= 128:
                types.append(kind)
                bits += BITS.get(kind, 64)
        if len(types) == 1:
            types.append("int32")
        worst = [("none" if each == "vertex" else "inf") if combine == "min" else LOWEST[each] for each in types]
        better = "<" if combine == "min" else ">"
        first = lambda number: f"{types[0]}({number})"
        steps = {"min": [f"near.0 + {first(1)}"] * 3 + ["near.0", f"max(near.0, {first(3)})"],
                 "max": ["near.0", f"min(near.0, {first(30)})", f"min(near.0, {first('v.out_degree')})"]}[combine]
        if self.weights == types[0]:
            steps += [f"near.0 + weight" if combine == "min" else "min(near.0, weight)"] * 3
        sent = [self.pick(steps)]
        for place, kind in enumerate(types[1:], 1):
            of_sender = ["v", "v", "source"] if kind == "vertex" else [f"{kind}(v.out_degree)", f"{kind}(v.mark)"]
            arrived = [f"near.{place}"] + ([f"near.{place} + {kind}(1)"] if kind != "vertex" and combine == "min" else [])
            sent.append(self.pick([*of_sender, *arrived]))
        begin = [first(0 if combine == "min" else 40), *("v" if kind == "vertex" else f"{kind}(v.mark)" for kind in types[1:])]
        self.declared += [f"  vertex far: ({', '.join(types)}) = ({', '.join(worst)});",
                          f"  message near: ({', '.join(types)}) combine {combine};"]

        def write(depth, turn):
            self.line(depth, "phase search {")
            self.line(depth + 1, f"start {self.pick(['v where v == source', 'v where v.mark > k', 'all v'])} "
                      f"{{ near = ({', '.join(begin)}); }}")
            limit = self.pick([""] * 9 + [" limit 3"])
            self.line(depth + 1, f"update v when near {better} v.far{limit} {{")
            self.line(depth + 2, "v.far = near;")
            self.line(depth + 2, f"send {self.direction()}({', '.join(sent)}){self.filter(0.3)};")
            self.line(depth + 1, "}")
            self.line(depth, "}")

        self.standing("(v.far == v.far ? v.rounds : 1)", f"v.far = ({', '.join(worst)});", write)
        self.outputs.append("far")

    def starts_of_search(self, depth, best, pair):
        if not pair:
            return self.starts(depth, "near", best)
        if self.chance(0.5):
            self.line(depth, f"start source {{ near = ({best}, source); }}")
        else:
            self.line(depth, f"start v where {self.pick(['v.mark > k', 'v.busy', 'v == source'])} {{ near = ({best}, v); }}")

    def visits(self):
        """Who is reached, asked of the state alone or of messages that all say the same; and near misses."""
        mark = self.pick(["step", "step", "true", "1", "4"])
        type = {"step": "int32", "true": "bool"}.get(mark, "int32")
        initial = {"step": self.pick(["inf", "-1"]), "true": "false"}.get(mark, self.pick(["0", "9", "2"]))
        asked = {"inf": ["v.far == inf", "inf == v.far"], "-1": ["v.far < 0", "v.far == -1", "0 > v.far", "v.far < 2"], "false": ["!v.far", "v.far == false"],
                 "0": ["v.far == 0", "v.far < 1"], "9": ["v.far == 9", "v.far > 5"], "2": ["v.far == 2"]}[initial]
        kind, said, others = self.pick([("bool combine or", "true", ["near", "near == true"]), ("int32 combine min", "3", ["near == 3", "near < inf", "near < 3"]),
                                        ("int32 combine max", "1", ["near == 1", "near > 0", "near > 1"]), ("int64 combine sum", "1", ["near > 0", "near != 0", "near > 1"]),
                                        ("int32 combine sum", "1", ["near > 0"]), ("int32 combine or", "2", ["near != 0", "near == 2"])])
        self.declared += [f"  vertex far: {type} = {initial};", f"  message near: {kind};"]
        guard = self.pick(asked)
        if self.chance(0.5):
            guard = self.pick([f"{guard} && {{}}", f"{{}} && {guard}"]).format(self.pick(others))
        if self.chance(0.3):
            guard += self.pick([" && v.mark > k", " && step <= k", " && v.busy", " && step > 1", " && v.rounds < 2"])
        reset = f"v.far = {initial};"

        def write(depth, turn):
            self.line(depth, "phase search {")
            if self.chance(0.25):
                self.line(depth + 1, self.pick(["start source;", "start v where v.busy;"]))
            else:
                self.starts(depth + 1, "near", said)
            self.line(depth + 1, f"update v when {guard} {{")
            self.line(depth + 2, f"v.far = {mark};")
            if self.chance(0.1):
                self.line(depth + 2, "v.rounds += 1;")
            sent = self.pick([said] * 6 + ["near", self.pick(["2", "0"]) if said != "true" else "false"])
            self.line(depth + 2, f"send {self.direction()}{sent}{self.filter(0.4)};")
            self.line(depth + 1, "}")
            self.line(depth, "}")

        self.outputs.append("far")
        self.standing("v.far", reset if self.chance(0.5) else "", write)

    def flags(self):
        combine = self.pick(["or", "or", "and"])
        initial, news = ("false", "true") if combine == "or" else ("true", "false")
        self.declared += [f"  vertex reached: bool = {initial};", f"  message signal: bool combine {combine};"]
        guard = "signal && !v.reached" if combine == "or" else "!signal && v.reached"
        if self.chance(0.3):
            guard = " && ".join(reversed(guard.split(" && ")))
        sent, given = self.pick([news, "signal"]), self.pick([news, "signal"])
        if self.chance(0.05):
            sent = initial

        def write(depth, turn):
            self.line(depth, "phase reach {")
            self.starts(depth + 1, "signal", news)
            self.line(depth + 1, f"update v when {guard} {{")
            self.line(depth + 2, f"v.reached = {given};")
            if self.chance(0.1):
                self.line(depth + 2, f"v.rounds = {self.pick(['7', turn])};")
            self.line(depth + 2, f"send {self.direction()}{sent}{self.filter(0.5, 'u.reached == v.reached')};")
            self.line(depth + 1, "}")
            self.line(depth, "}")

        self.standing("v.reached", f"v.reached = {initial};", write)
        self.outputs.append("reached")

    def words(self):
        """Sets of bits, and what the body makes of the new ones; seldom of those that are not new."""
        type, combine = self.pick(["uint64", "uint64", "int64", "uint32", "int32"]), self.pick(["or"] * 12 + ["xor"])
        self.declared += [f"  vertex seen: {type} = {self.pick(['0'] * 5 + ['1'])};", "  vertex total: int64 = 0;",
                          f"  message bits: {type} combine {combine};"]
        guard = self.pick(["(bits & ~v.seen) != 0", "(bits & ~v.seen) != 0", "v.seen != (v.seen | bits)"])
        guard += self.pick([""] * 5 + [" && v.busy", " && v.mark > k", " && !v.busy", " && v.total < 4"])
        gathers = self.pick(["v.seen |= fresh;", "v.seen = v.seen | bits;"])
        does = ["v.total += int64(step) * int64(popcount(fresh));", "if step > 0 { v.total += 1; }", "v.rounds = max(v.rounds, step);",
                "v.total = v.total * 3 + int64(v.mark);", "v.total += int64(popcount(v.seen));"]
        if self.chance(0.1):
            does = ["v.total += int64(popcount(bits));"]
        sent = self.pick(["fresh"] * 4 + ["v.seen", "bits", "fresh & 6", "fresh << 1", "fresh | 1", "bits | 4"])
        when = self.pick([""] * 6 + ["step < 2", "fresh != 1", "v.mark > 1", "bits > 2"])
        early, limit = self.chance(0.5), self.pick(["", "", "", " limit k", " limit 2"])

        def write(depth, turn):
            self.line(depth, "phase gather {")
            for bits in self.random.sample(["1", "2", "12", f"{turn} & 15", "1 << 30"], self.pick([1, 2, 3])):
                which = self.pick(["source", "v where v.mark > k", "v where v.busy", "all v"])
                self.line(depth + 1, f"start {which} {{ bits = {type}({bits}); }}")
            self.line(depth + 1, f"update v when {guard}{limit} {{")
            self.line(depth + 2, "let fresh = bits & ~v.seen;")
            if early:
                self.line(depth + 2, gathers)
            for text in self.random.sample(does, min(len(does), self.pick([0, 1, 2]))):
                self.line(depth + 2, text)
            if not early:
                self.line(depth + 2, gathers)
            text = f"send {self.direction()}{sent}{self.filter(0.3, 'u.seen == 0')};"
            self.line(depth + 2, f"if {when} {{ {text} }}" if when else text)
            self.line(depth + 1, "}")
            self.line(depth, "}")

        self.standing("int32(popcount(v.seen))", "v.seen = 0;", write)
        self.outputs += ["seen", "total"]

    def wave(self):
        type, combine = self.pick([("int64", "sum"), ("float64", "sum"), ("wide64", "sum"), ("int32", "min"), ("int32", "max")])
        self.declared += ["  vertex turn: int32 = -1;", f"  vertex count: {type} = 0;", f"  message news: {type} combine {combine};"]
        one = "1.0" if type in ("float64", "wide64") else "1"

        def write(depth, turn):
            self.line(depth, "phase wave {")
            for _ in range(self.pick([1, 1, 2])):
                which = self.pick(["source", "v where v.mark > k", "v where v.busy", "v where v == source"])
                self.line(depth + 1, f"start {which} {{ news = {one}; }}")
            self.line(depth + 1, f"update v when v.turn < 0{self.pick([''] * 8 + [' limit 2'])} {{")
            self.line(depth + 2, "v.turn = step;")
            self.line(depth + 2, "v.count = news;")
            self.line(depth + 2, f"send {self.pick(['', '', 'back '])}{self.pick(['news', 'news', one, 'v.count'])}{self.filter(0.15)};")
            self.line(depth + 1, "}")
            self.line(depth, "}")

        self.standing("v.turn", "v.turn = -1;", write)
        self.outputs += ["turn", "count"]
        if type in ("float64", "wide64"):
            self.inexact["count"] = 1e-6

    def labels(self):
        combine = self.pick(["min", "max"])
        initial = "inf" if combine == "min" else "-inf"
        self.declared += [f"  vertex label: int32 = {initial};", f"  message best: int32 combine {combine};"]
        direction = self.pick(["both ", "both ", "", "back "])

        def write(depth, turn):
            self.line(depth, "phase spread {")
            self.line(depth + 1, f"start {self.pick(['all v', 'v where v.busy', 'v where v.mark > k'])} {{ best = v.mark * 3 + {turn}; }}")
            self.line(depth + 1, f"update v when best {'<' if combine == 'min' else '>'} v.label {{")
            self.line(depth + 2, "v.label = best;")
            self.line(depth + 2, f"send {direction}best{self.filter(0.15)};")
            self.line(depth + 1, "}")
            self.line(depth, "}")

        self.standing("(v.label > 1000 || v.label < -1000 ? 5 : v.label)", f"v.label = {initial};", write)
        self.outputs.append("label")

    def paths(self):
        """Both phases of betweenness, from several sources in a loop."""
        last, part = self.pick(["0", "1", "1"]), self.pick(["wide64", "float64"])
        self.declared += ["  vertex depth: int32 = -1;", "  vertex paths: wide64 = 0;", "  vertex share: float64 = 0;", "  vertex total: float64 = 0;",
                          "  message count: wide64 combine sum;", f"  message part: {part} combine sum;"]
        loop = self.chance(0.75)
        depth = 1
        if loop:
            self.line(1, f"for round in 0 .. {self.pick(['1', '2', 'k'])} {{")
            depth = 2
            clears = " let _left = part;" if self.chance(0.4) else ""
            self.line(depth, f"update all v {{ v.depth = -1; v.paths = 0; v.share = 0;{clears} }}")
        self.line(depth, "phase forward {")
        self.line(depth + 1, f"start {'v where v.mark == round' if loop else 'source'} {{ count = 1; }}")
        self.line(depth + 1, "update v when v.depth < 0 { v.depth = step; v.paths = count; send count; }")
        self.line(depth, "}")
        towards = self.pick(["back ", "back ", ""])
        self.line(depth, f"phase backward for level in max(depth) .. {last} {{")
        self.line(depth + 1, "update v where v.depth == level {")
        if self.chance(0.7):
            self.line(depth + 2, "v.share = float64(v.paths * part);")
            sent = "(1 + v.share) / v.paths"
            sent = f"float64({sent})" if part == "float64" else sent
            self.line(depth + 2, f"send {towards}{sent} to u where u.depth == v.depth - 1;")
        else:
            self.line(depth + 2, "v.share = float64(part);")
            self.line(depth + 2, f"send {towards}1 + v.share to u where u.depth == v.depth - 1;")
        self.line(depth + 1, "}")
        self.line(depth, "}")
        self.line(depth, "update all v { v.total += v.share; }")
        if loop:
            self.line(1, "}")
        self.outputs += ["depth", "total"]
        self.inexact["total"] = 1e-6
