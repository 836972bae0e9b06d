"""CUDA C++ as C++: the four things that a macro cannot turn into plain C++. Lines stay where they are, so
that a message of the compiler names the line of the original.

    kernel<<<blocks, threads>>>(a, b)      ->  ::emulator::launch("kernel", {blocks, threads}, [](...) {...}, a, b)
    __shared__ T name[N];                  ->  auto& name = ::emulator::shared<T[N]>([] {});
    asm volatile("ld..." : "=r"(v) : ...)  ->  ::emulator::ptx<"ld...">(v, ...)
    reinterpret_cast<const void*>(kernel)  ->  ::emulator::kernel_address(kernel)
"""

import re

OPENING, CLOSING = "([{", ")]}"


class Untranslatable(Exception):
    """A construct that this file does not know; the message says where."""


def masked(text):
    """The text with comments and what stands in quotes blanked out, at the same places."""
    def blank(match):
        found = match.group(0)
        if found.startswith("//") or found.startswith("/*"):
            return re.sub(r"[^\n]", " ", found)
        return found[0] + re.sub(r"[^\n]", "_", found[1:-1]) + found[-1]
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", blank, text, flags=re.S)


def matching(text, start):
    """The place of the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        if text[place] in OPENING:
            depth += 1
        elif text[place] in CLOSING:
            depth -= 1
            if depth == 0:
                return place
    raise Untranslatable("a bracket is not closed")


def split(text, separator, code=None):
    """`text` cut at each `separator` outside brackets and quotes; `code`: the same with quotes blanked out."""
    code = masked(text) if code is None else code
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(code):
        if letter in OPENING:
            depth += 1
        elif letter in CLOSING:
            depth -= 1
        elif letter == separator and depth == 0 and code[place:place + 2] != "::" and code[place - 1:place + 1] != "::":
            parts.append(text[start:place])
            start = place + 1
    return parts + [text[start:]]


def lines_of(text):
    return "\n" * text.count("\n")


def callee_start(code, end):
    """Where the name before `<<<` begins, template arguments included."""
    place = end
    while code[place - 1].isspace():
        place -= 1
    if code[place - 1] == ">":
        depth = 0
        while True:
            place -= 1
            depth += {">": 1, "<": -1}.get(code[place], 0)
            if depth == 0:
                break
    while re.match(r"[\w:]", code[place - 1]):
        place -= 1
    return place


def launches(text):
    while True:
        code = masked(text)
        opening = code.find("<<<")
        if opening < 0:
            return text
        start = callee_start(code, opening)
        closing = code.index(">>>", opening)
        arguments = code.index("(", closing)
        end = matching(code, arguments)
        callee, given = text[start:opening].strip(), text[arguments + 1:end]
        name = re.sub(r"\s+", " ", callee).replace('"', "'")
        text = (f'{text[:start]}::emulator::launch("{name}", {{{text[opening + 3:closing]}}}, '
                f"[](const auto&... each) {{ {callee}(each...); }}{', ' if given.strip() else ''}{given}){text[end + 1:]}")


def shared_declarations(text):
    pattern = re.compile(r"(?:\b(extern|static)\s+)?\b__shared__\s+((?:alignas|__align__)\s*\([^)]*\)\s*)?([^;]*?);")
    while True:
        code = masked(text)
        found = pattern.search(code)
        if not found:
            return text
        begin, end = found.span(3)
        declarators = split(text[begin:end], ",", angle_masked(code[begin:end]))
        first = re.fullmatch(r"(.*?[\s&*>])(\w+)\s*((?:\[[^\]]*\]\s*)*)", declarators[0], flags=re.S)
        if not first or "{" in code[begin:end]:
            raise Untranslatable(f"cannot read '{text[found.start():found.end()]}': name the type before")
        kind = first.group(1).strip()
        result = []
        for number, declarator in enumerate(declarators):
            rest = re.fullmatch(r"\s*(\w+)\s*((?:\[[^\]]*\]\s*)*)", declarator if number else
                                first.group(2) + first.group(3), flags=re.S)
            if not rest:
                raise Untranslatable(f"cannot read '{text[found.start():found.end()]}'")
            name, sizes = rest.group(1), rest.group(2).strip()
            if found.group(1) == "extern":
                result.append(f"auto* const {name} = ::emulator::dynamic_shared<{kind}>();")
            else:
                result.append(f"auto& {name} = ::emulator::shared<{kind}{sizes}>([] {{}});")
        original = text[found.start():found.end()]
        joined = " ".join(result)
        missing = original.count("\n") - joined.count("\n")
        text = text[:found.start()] + joined + "\n" * missing + text[found.end():]


def angle_masked(code):
    """Commas between angle brackets separate nothing."""
    depth, result = 0, []
    for letter in code:
        depth += {"<": 1, ">": -1}.get(letter, 0)
        result.append(" " if letter == "," and depth > 0 else letter)
    return "".join(result)


def operands(part):
    """The expressions of '"=r"(v), "l"(p)'."""
    for operand in split(part, ","):
        if operand.strip():
            yield operand[operand.index("(") + 1:operand.rindex(")")].strip()


def assembly(text):
    pattern = re.compile(r"\basm\b\s*(?:volatile|__volatile__)?\s*\(")
    while True:
        code = masked(text)
        found = pattern.search(code)
        if not found:
            return text
        opening = found.end() - 1
        end = matching(code, opening)
        inside = text[opening + 1:end]
        # "::" is two separators here, so the parts are found with quotes blanked out and no scopes.
        parts, depth, start, inner = [], 0, 0, masked(inside)
        for place, letter in enumerate(inner):
            depth += (letter in OPENING) - (letter in CLOSING)
            if letter == ":" and depth == 0:
                parts.append(inside[start:place])
                start = place + 1
        parts.append(inside[start:])
        instruction = '"' + "".join(re.findall(r'"((?:\\.|[^"\\])*)"', parts[0])) + '"'
        given = [expression for part in parts[1:3] for expression in operands(part)]
        call = f"::emulator::ptx<{instruction}>({', '.join(given)})"
        original = text[found.start():end + 1]
        text = (text[:found.start()] + call + "\n" * (original.count("\n") - call.count("\n")) + text[end + 1:])


def translate(text, path):
    """The C++ of a CUDA file; its messages name `path`."""
    try:
        text = shared_declarations(launches(assembly(text)))
    except Untranslatable as problem:
        raise Untranslatable(f"{path}: {problem}") from None
    text = re.sub(r"reinterpret_cast<\s*(?:const\s+)?void\s*\*\s*>\((kernel)\)", r"::emulator::kernel_address(\1)", text)
    text = re.sub(r"\b__noinline__\b", "__attribute__((noinline))", text)
    return f'#line 1 "{path}"\n{text}'
