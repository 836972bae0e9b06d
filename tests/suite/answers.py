"""Files of answers, compared word by word."""

import math


def difference(left, right, tolerance):
    """'' where both files hold the same answer, else the first difference. Files without a fraction
    hold integers or ids, which must be the same bytes. `tolerance`: (relative, absolute)."""
    first, second = left.read_bytes(), right.read_bytes()
    if first == second:
        return ""
    a, b = first.split(), second.split()
    if len(a) != len(b):
        return f"{len(a)} and {len(b)} words"
    exact = b"." not in first and b"." not in second
    relative, absolute = tolerance
    for index, (word, other) in enumerate(zip(a, b)):
        if word == other:
            continue
        try:
            x, y = float(word), float(other)
        except ValueError:
            x, y = math.inf, -math.inf
        finite = math.isfinite(x) and math.isfinite(y)
        if exact or not finite or not abs(x - y) <= absolute + relative * max(abs(x), abs(y)):
            return f"word {index}: {word.decode()} and {other.decode()}"
    return ""
