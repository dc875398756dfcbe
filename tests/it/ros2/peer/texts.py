"""Definitions of ROS interfaces, read from `.msg` texts: `package.Name.msg`, halves of services as `Name_Request`."""

import pathlib
import re
from typing import NamedTuple, Optional

LINE = re.compile(
    r"(?P<element>[\w/]+)(<=(?P<length>\d+))?(?P<array>\[(?P<most><=)?(?P<count>\d*)\])?"
    r"\s+(?P<name>\w+)(\s+(?P<default>.+))?"
)
CONSTANT = re.compile(r"[\w/<=]+\s+[A-Z]\w*\s*=")
OF_ACTIONS = re.compile(r"_(Goal|Result|Feedback|FeedbackMessage|(SendGoal|GetResult)_(Request|Response))$")
OF_SERVICES = re.compile(r"_(Request|Response)$")


class Field(NamedTuple):
    """A field: `element` is a primitive or a full type name; `array` is None, "sequence" or "array"."""

    name: str
    element: str
    length: Optional[int]
    array: Optional[str]
    count: Optional[int]
    default: Optional[str]


def full_name(name):
    """`package/srv/Name_Request` of `package/Name_Request`; full names stay as they are."""
    if name.count("/") == 2:
        return name
    package, short = name.split("/")
    kind = "action" if OF_ACTIONS.search(short) else "srv" if OF_SERVICES.search(short) else "msg"
    return f"{package}/{kind}/{short}"


def parse(text):
    """The fields of a `.msg` text, in order."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    return [field(line) for line in lines if line and not CONSTANT.match(line)]


def field(line):
    found = LINE.fullmatch(line)
    if not found:
        raise ValueError(f"`{line}` is not a line of a message")
    element = full_name(found["element"]) if "/" in found["element"] else found["element"]
    array = found["array"] and ("array" if found["count"] and not found["most"] else "sequence")
    count = int(found["count"]) if found["count"] else None
    return Field(found["name"], element, found["length"] and int(found["length"]), array, count, found["default"])


class Texts:
    """All definitions of some folders, each read on first use."""

    def __init__(self, folders):
        self.paths = {}
        for folder in folders:
            for path in sorted(pathlib.Path(folder).glob("*.msg")):
                package, short, _ = path.name.split(".")
                self.paths[full_name(f"{package}/{short}")] = path
        self.known = {}

    def add(self, name, text):
        """A definition that is in no folder."""
        self.known[full_name(name)] = parse(text)

    def fields(self, name):
        if name not in self.known:
            if name not in self.paths:
                raise ValueError(f"the type `{name}` is unknown")
            self.known[name] = parse(self.paths[name].read_text(encoding="utf-8"))
        return self.known[name]
