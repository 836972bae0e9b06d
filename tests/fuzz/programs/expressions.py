"""Random expressions of the language, each of a given type over the names in scope."""

INTEGERS = ("int32", "int64", "uint32", "uint64")
FLOATS = ("float32", "float64", "wide64")
# Who converts to what without being asked.
SILENT = {"int64": ("int32", "uint32"), "uint64": ("uint32",), "float64": ("float32",), "wide64": ("float32", "float64")}
EXTREME = {"int32": ["2147483647", "-2147483647"], "int64": ["9223372036854775807", "-9223372036854775807"],
           "uint32": ["4294967295"], "uint64": ["18446744073709551615"]}


class Name:
    """Something that an expression may read."""

    def __init__(self, text, type, inexact=False):
        self.text, self.type, self.inexact = text, type, inexact


class Expressions:
    """Random expressions of a type over the names in scope."""

    def __init__(self, source):
        self.random = source

    def literal(self, type):
        pick = self.random.choice
        if type == "bool":
            return pick(["true", "false"])
        if type == "vertex":
            return "none"
        if type in FLOATS:
            return pick(["0.0", "1.0", "0.5", "2.0", "3.25", "7.0"])
        if self.random.random() < 0.04:
            return pick(EXTREME[type])
        return pick(["0", "1", "2", "3", "5", "7", "64", "0x1f"])

    def atom(self, type, names):
        fitting = [n.text for n in names if n.type == type]
        if fitting and self.random.random() < 0.85:
            # What was declared last, such as inboxes, is what the place is about.
            return self.random.choice(fitting + fitting[-2:])
        wider = [n.text for n in names if n.type in SILENT.get(type, ())]
        if wider and self.random.random() < 0.5:
            return self.random.choice(wider)
        return self.literal(type)

    def of(self, type, names, depth=2):
        """An exact expression: it reads no inexact name."""
        return self.build(type, [n for n in names if not n.inexact], depth)

    def inexact(self, type, names, depth=2):
        """Of a floating type, from inexact names by operations that do not cancel."""
        atoms = [n.text for n in names if n.type == type and n.inexact]
        exact = self.random.choice(["0.5", "0.25", "1.0", "2.0"])
        if not atoms or depth == 0:
            return self.random.choice(atoms) if atoms else exact
        left = self.inexact(type, names, depth - 1)
        return self.random.choice([f"({left} + {exact})", f"({left} * {exact})", f"max({left}, {exact})",
                                   f"min({left}, {exact})", left])

    def build(self, type, names, depth):
        if depth == 0 or self.random.random() < 0.2:
            return self.atom(type, names)
        if self.random.random() < 0.12:
            return (f"({self.build('bool', names, depth - 1)} ? {self.build(type, names, depth - 1)} : "
                    f"{self.build(type, names, depth - 1)})")
        if type == "bool":
            return self.condition(names, depth)
        if type == "vertex":
            return self.atom(type, names)
        return self.number(type, names, depth)

    def number(self, type, names, depth):
        def operand():
            return self.build(type, names, depth - 1)

        if type in INTEGERS and self.random.random() < 0.15:
            return self.bits(type, names, operand)
        pick = self.random.random()
        if pick < 0.55:
            operator = self.random.choice("+-*" if type in FLOATS else "+-*/%")
            # Large products of floats pass the range, and infinity minus infinity is no number.
            if type in FLOATS and operator == "*":
                return f"({operand()} * {self.random.choice(['0.5', '2.0', '-1.0'])})"
            right = operand()
            # A constant zero is refused as a divisor, one that is computed is not.
            return f"({operand()} {operator} {'3' if operator in '/%' and right in ('0', '(0 * 1)') else right})"
        if pick < 0.75:
            return f"{self.random.choice(['min', 'max'])}({operand()}, {operand()})"
        if pick < 0.85 and type not in ("uint32", "uint64"):
            return self.random.choice([f"abs({operand()})", f"(-{operand()})"])
        if pick < 0.97 and type != "wide64":
            other = self.random.choice([t for t in ("int32", "int64", "uint32", "float64", "bool") if t != type])
            return f"{type}({self.build(other, names, depth - 1)})"
        return operand()

    def bits(self, type, names, operand):
        pick = self.random.random()
        if pick < 0.5:
            return f"({operand()} {self.random.choice('&|^')} {operand()})"
        if pick < 0.7:
            return self.random.choice([f"(~{operand()})", f"popcount({operand()})"])
        # A constant amount that leaves nothing is refused, one that is computed is not.
        amounts = [n.text for n in names if n.type in INTEGERS] + ["0", "1", "5", "31"]
        return f"({operand()} {self.random.choice(['<<', '>>'])} {self.random.choice(amounts)})"

    def condition(self, names, depth):
        pick = self.random.random()
        if pick < 0.6:
            types = [t for t in (*INTEGERS, *FLOATS, "vertex") if any(n.type == t for n in names)] or ["int32"]
            type = self.random.choice(types)
            operator = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
            return f"({self.build(type, names, depth - 1)} {operator} {self.build(type, names, depth - 1)})"
        if pick < 0.75:
            return f"(!{self.build('bool', names, depth - 1)})"
        operator = self.random.choice(["&&", "||"])
        return f"({self.build('bool', names, depth - 1)} {operator} {self.build('bool', names, depth - 1)})"
