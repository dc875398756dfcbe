"""Names, types, defaults and constants of the schemas in the OpenAPI document."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

PREFIX = "bridgehead."
REFERENCE = "#/components/schemas/"


@dataclass(frozen=True)
class Message:
    """A message: its schema, and where its class is."""

    key: str
    module: str
    name: str
    ros_type: str
    schema: dict[str, Any]

    @property
    def text(self) -> str:
        """Its description, without its constants."""
        return str(self.schema.get("description", "")).split("\n\nConstants:")[0]

    @property
    def constants(self) -> dict[str, int]:
        """Its constants, with their values."""
        found = re.findall(r"^- `\w+ (\w+)=(-?\d+)`$", self.schema.get("description", ""), re.MULTILINE)
        return {name: int(value) for name, value in found}

    @property
    def members(self) -> dict[str, dict[str, Any]]:
        """The schemas of its members."""
        return dict(self.schema.get("properties", {}))


def messages(document: dict[str, Any]) -> dict[str, Message]:
    """Returns every message by its key in the document."""
    found = {}
    for key, schema in document["components"]["schemas"].items():
        if key.startswith(PREFIX):
            module, _, name = key.removeprefix(PREFIX).split(".")
            found[key] = Message(key, module, name, schema["title"], schema)
    return found


def key_of(reference: str) -> str:
    """Returns the key that a reference names."""
    return reference.removeprefix(REFERENCE)


def is_number(schema: dict[str, Any]) -> bool:
    """Returns true for a floating-point number, which may be a text such as `NaN`."""
    return any(one.get("type") == "number" for one in schema.get("anyOf", ()))


def is_bytes(schema: dict[str, Any]) -> bool:
    """Returns true for bytes, which are base64 or a list of numbers."""
    return any("contentEncoding" in one for one in schema.get("anyOf", ()))


def camel(text: str) -> str:
    """Returns `SNAKE_CASE` as `CamelCase`."""
    return "".join(part.capitalize() for part in text.strip("_").split("_"))


@dataclass(frozen=True)
class Enum:
    """A group of constants, by their names without the common prefix."""

    name: str
    members: dict[str, int]
    text: str


def enums(message: Message) -> tuple[list[Enum], dict[str, str]]:
    """Returns the enums of a message, and the enum of each member that has one."""
    left, found, of_member = message.constants, [], {}
    for member, schema in message.members.items():
        group, prefix = _named_by(schema.get("description", ""), left)
        if not group:
            continue
        name = _name(message.name, camel(prefix or member))
        found.append(Enum(name, {one.removeprefix(prefix): left[one] for one in group}, f"Values of `{member}`."))
        of_member[member] = name
        left = {one: value for one, value in left.items() if one not in group}
    if left:
        found.append(_rest(message, left))
    return found, of_member


def _named_by(text: str, constants: dict[str, int]) -> tuple[list[str], str]:
    """Returns the constants that the description of a member names, and their prefix."""
    if not (constants and re.search(r"\b[Oo]ne of|one of the constants|constants `", text)):
        return [], ""
    names = list(constants)
    if prefix := re.search(r"[Oo]ne of `(\w+_)`", text):
        return [name for name in names if name.startswith(prefix[1])], prefix[1]
    if ends := re.search(r"constants `(\w+)` to `(\w+)`", text):
        return names[names.index(ends[1]) : names.index(ends[2]) + 1], ""
    listed = [name for name in re.findall(r"`(\w+)`", text.split(". ")[0]) if name in constants]
    if listed:
        return listed, ""
    return (names, "") if "one of the constants" in text.lower() else ([], "")


def _name(message: str, suffix: str) -> str:
    return f"{message}Code" if message.endswith(suffix) else f"{message}{suffix}"


def _rest(message: Message, constants: dict[str, int]) -> Enum:
    base = re.sub("(Request|Response)$", "", message.name)
    first = {name.split("_")[0] for name in constants}
    if len(first) == 1 and len(constants) > 1:
        prefix = f"{first.pop()}_"
        members = {name.removeprefix(prefix): value for name, value in constants.items()}
        return Enum(f"{base}{camel(prefix)}", members, f"Constants `{prefix}` of `{message.ros_type}`.")
    return Enum(f"{base}Code", constants, f"Constants of `{message.ros_type}`.")


def import_lines(imports: set[tuple[str, str]]) -> str:
    """Returns the imports of messages, one line for each module."""
    names: dict[str, list[str]] = {}
    for module, name in sorted(imports):
        names.setdefault(module, []).append(name)
    return "".join(f"from bridgehead.messages.{module} import {', '.join(of)}\n" for module, of in names.items())


@dataclass
class Types:
    """Annotations in a module, with the imports that they need."""

    module: str
    messages: dict[str, Message]
    imports: set[tuple[str, str]]

    def name(self, key: str) -> str:
        """Returns the class of a message."""
        message = self.messages[key]
        if message.module != self.module:
            self.imports.add((message.module, message.name))
        return message.name

    def of(self, schema: dict[str, Any]) -> str:
        """Returns the type of a value."""
        if "$ref" in schema:
            return self.name(key_of(schema["$ref"]))
        if is_number(schema):
            return "float"
        if is_bytes(schema):
            return "bytes"
        if schema["type"] == "array":
            return f"tuple[{self.of(schema['items'])}, ...]"
        return {"string": "str", "boolean": "bool", "integer": "int", "number": "float"}[schema["type"]]


def default(schema: dict[str, Any]) -> str | None:
    """Returns the default of a value as source; None for a message, whose members have theirs."""
    if "$ref" in schema:
        return None
    if is_number(schema):
        return repr(float(schema.get("default", 0.0)))
    if is_bytes(schema):
        size = schema["anyOf"][1].get("minItems", 0)
        return f"bytes({size})" if size else 'b""'
    if schema["type"] == "array":
        size = schema.get("minItems", 0)
        return f"({default(schema['items'])},) * {size}" if size else "()"
    return repr(schema.get("default", {"string": "", "boolean": False, "integer": 0}[schema["type"]]))
