"""Message types: their classes, and their conversion to bytes and back."""

from __future__ import annotations

import dataclasses
import importlib
from typing import TYPE_CHECKING, Any, cast

from bridgehead.plugin._protobuf import Append, Decode, Field, decoder, encoder, fields_of
from bridgehead.plugin.errors import HostError, PluginError

if TYPE_CHECKING:
    from bridgehead.plugin._hosting import Hosting

_ZERO = {"float": 0.0, "bool": False, "text": "", "bytes": b""}


class MessageType:
    """A message type of the host."""

    def __init__(self, name: str, fields: dict[str, list[Field]], kind: type) -> None:
        self.name = name
        self.kind = kind
        self._fields = fields
        self._encode: Append | None = None
        self._decode: Decode | None = None

    def encode(self, message: Any) -> bytearray:
        """Returns the payload of a message."""
        if self._encode is None:
            self._encode = encoder(self._fields, self.name)
        out = bytearray()
        self._encode(out, message)
        return out

    def decode(self, payload: Any) -> Any:
        """Returns the message of a payload; its arrays are views of it."""
        if self._decode is None:
            self._decode = decoder(self._fields, self.name, _Classes(self._fields, self.kind, self.name).of)
        try:
            return self._decode(payload)
        except (ValueError, IndexError, TypeError) as error:
            raise PluginError(f"a payload is no `{self.name}`: {error}") from error


class _Classes:
    """The classes of a type and of those that it contains."""

    def __init__(self, fields: dict[str, list[Field]], kind: type, name: str) -> None:
        self._fields = fields
        self._known = {name: kind}

    def of(self, name: str) -> type:
        if name not in self._known:
            self._known[name] = packaged(name) or self._made(name)
        return self._known[name]

    def _made(self, name: str) -> type:
        rows = [(field.name, Any, _default(field, self)) for field in self._fields[name]]
        return dataclasses.make_dataclass(name.rpartition(".")[2], rows, frozen=True)


def _default(field: Field, classes: _Classes) -> Any:
    if field.is_repeated:
        return dataclasses.field(default=())
    if field.kind == "message":
        return dataclasses.field(default_factory=lambda: classes.of(field.type_name)())
    return dataclasses.field(default=_ZERO.get(field.kind, 0))


def packaged(name: str) -> type | None:
    """Returns the class of `bridgehead.messages` for a protobuf name such as `bridgehead.std_msgs.v1.Float64`."""
    parts = name.split(".")
    if len(parts) != 4 or parts[0] != "bridgehead":
        return None
    try:
        module = importlib.import_module(f"bridgehead.messages.{parts[1]}")
    except ModuleNotFoundError:
        return None
    return cast("type | None", getattr(module, parts[3], None))


class Types:
    """The message types that a plugin uses."""

    def __init__(self, host: Hosting) -> None:
        self._host = host
        self._known: dict[Any, MessageType] = {}

    def of(self, kind: type | str) -> MessageType:
        """Returns the type of a class with the name `ROS_TYPE`, or of a name: that of ROS, or that of protobuf."""
        known = self._known.get(kind)
        if known is None:
            name = kind if isinstance(kind, str) else getattr(kind, "ROS_TYPE", None)
            if not isinstance(name, str):
                raise PluginError(f"{kind!r} is no message type: it has no `ROS_TYPE`")
            known = self._known[kind] = self._described("types.find", name, None if isinstance(kind, str) else kind)
        return known

    def by_number(self, number: int) -> MessageType:
        """Returns the type with the number that the host has given to it."""
        known = self._known.get(number)
        if known is None:
            known = self._known[number] = self._described("types.describe", number, None)
        return known

    def _described(self, function: str, name: str | int, kind: type | None) -> MessageType:
        try:
            found = self._host.call(function, name)
        except HostError as error:
            if error.status == "NOT_FOUND":
                raise PluginError(f"there is no message type `{name}`") from error
            raise
        fields = fields_of(found.descriptor_set)
        kind = kind or packaged(found.name)
        if kind is None:
            kind = _Classes(fields, object, "").of(found.name)
        return MessageType(found.name, fields, kind)
