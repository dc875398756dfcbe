"""Values of JSON for the fields of messages, whatever encodes them."""

import math

NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def checked(path, given, is_right):
    if not is_right:
        raise ValueError(f"`{path}` cannot be {given!r}")
    return given


def primitive(text):
    """A default of a text."""
    if text in ("true", "false"):
        return text == "true"
    if text[0] in "\"'":
        return text[1:-1]
    return float(text) if any(mark in text for mark in ".en") else int(text)
