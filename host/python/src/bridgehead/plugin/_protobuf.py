"""Payloads of messages: protobuf by the descriptors of the host, without a library for it.

The types of the host have neither enums nor maps, oneofs or optional fields, because ROS cannot express them. Arrays of
numbers and bytes are views of the payload: arrays of numpy if it is installed, otherwise tuples.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bridgehead.plugin._wire import write_varint
from bridgehead.plugin.errors import PluginError

# Numbers of types in descriptors: kind, wire type, and for a fixed width the letter of `struct` and of numpy.
_KINDS = {
    1: ("float", 1, "d", "<f8"),
    2: ("float", 5, "f", "<f4"),
    3: ("signed", 0, "", "<i8"),
    4: ("unsigned", 0, "", "<u8"),
    5: ("signed", 0, "", "<i4"),
    6: ("integer", 1, "Q", "<u8"),
    7: ("integer", 5, "I", "<u4"),
    8: ("bool", 0, "", "?"),
    9: ("text", 2, "", ""),
    11: ("message", 2, "", ""),
    12: ("bytes", 2, "", ""),
    13: ("unsigned", 0, "", "<u4"),
    15: ("integer", 5, "i", "<i4"),
    16: ("integer", 1, "q", "<i8"),
    17: ("zigzag", 0, "", "<i4"),
    18: ("zigzag", 0, "", "<i8"),
}
_REPEATED = 3
_MASK_64 = (1 << 64) - 1


@dataclass
class Field:
    """A field of a message type."""

    name: str
    number: int
    kind: str
    wire: int
    letter: str
    dtype: str
    is_repeated: bool
    type_name: str


@cache
def numpy() -> Any:
    """Returns the module numpy; None if it is not installed. It is imported with the first array."""
    try:
        import numpy as module
    except ImportError:
        return None
    return module


def _varint(data: Any, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & _MASK_64, at
        shift += 7


def parts(data: Any) -> Iterator[tuple[int, Any]]:
    """Returns the numbers and contents of the fields that a message has."""
    at, end = 0, len(data)
    while at < end:
        key, at = _varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = _varint(data, at)
            yield key >> 3, value
            continue
        length = 8 if wire == 1 else 4
        if wire == 2:
            length, at = _varint(data, at)
        elif wire not in {1, 5}:
            raise PluginError(f"a payload is no protobuf: wire type {wire}")
        if at + length > end:
            raise PluginError("a payload is no protobuf: it is truncated")
        yield key >> 3, data[at : at + length]
        at += length


def fields_of(descriptor_set: bytes) -> dict[str, list[Field]]:
    """Returns the fields of all message types of a `FileDescriptorSet`, by their full names."""
    found: dict[str, list[Field]] = {}
    for number, file in parts(descriptor_set):
        if number != 1:
            continue
        content = list(parts(file))
        package = next((bytes(value).decode() for number, value in content if number == 2), "")
        for number, value in content:
            if number == 4:
                _add_message(found, package, value)
    return found


def _add_message(found: dict[str, list[Field]], scope: str, data: Any) -> None:
    content = list(parts(data))
    name = next(bytes(value).decode() for number, value in content if number == 1)
    full = f"{scope}.{name}" if scope else name
    found[full] = [_field(value) for number, value in content if number == 2]
    for number, value in content:
        if number == 3:
            _add_message(found, full, value)


def _field(data: Any) -> Field:
    found = dict(parts(data))
    if found[5] not in _KINDS:
        raise PluginError(f"a field of type {found[5]}, which plugins in Python cannot read")
    kind, wire, letter, dtype = _KINDS[found[5]]
    type_name = bytes(found.get(6, b"")).decode().lstrip(".")
    return Field(bytes(found[1]).decode(), found[3], kind, wire, letter, dtype, found.get(4) == _REPEATED, type_name)


# ---- messages to bytes -------------------------------------------------------------------------------------------

Append = Callable[[bytearray, Any], None]


def encoder(types: dict[str, list[Field]], name: str) -> Append:
    """Returns a function that appends a message: an object with the fields as attributes, or a mapping."""
    rows = [(field.name, _appender(types, field)) for field in types[name]]

    def append(out: bytearray, message: Any) -> None:
        is_mapping = isinstance(message, Mapping)
        for field, put in rows:
            value = message.get(field) if is_mapping else getattr(message, field, None)
            if value is not None:
                try:
                    put(out, value)
                except (TypeError, ValueError, struct.error, AttributeError, OverflowError) as error:
                    raise PluginError(
                        f"`{name.rpartition('.')[2]}.{field}` cannot be {value!r:.80}: {error}"
                    ) from error

    return append


def _appender(types: dict[str, list[Field]], field: Field) -> Append:
    if field.kind == "message":
        return _message_appender(types, field)
    if field.is_repeated and field.wire != 2:
        return _packed_appender(field)
    one = _scalar_appender(field)
    if field.is_repeated:

        def append_all(out: bytearray, values: Any) -> None:
            for value in values:
                one(out, value)

        return append_all

    def append(out: bytearray, value: Any) -> None:
        # What equals zero or is empty is left out, except minus zero.
        if (len(value) if field.wire == 2 else value) or (field.kind == "float" and str(value) == "-0.0"):
            one(out, value)

    return append


def _key(field: Field, wire: int) -> bytes:
    out = bytearray()
    write_varint(out, field.number << 3 | wire)
    return bytes(out)


def _message_appender(types: dict[str, list[Field]], field: Field) -> Append:
    key, put = _key(field, 2), encoder(types, field.type_name)

    def append(out: bytearray, message: Any) -> None:
        inner = bytearray()
        put(inner, message)
        out += key
        write_varint(out, len(inner))
        out += inner

    def append_all(out: bytearray, messages: Any) -> None:
        for message in messages:
            append(out, message)

    return append_all if field.is_repeated else append


def _scalar_appender(field: Field) -> Append:
    key = _key(field, field.wire)
    if field.letter:
        pack = struct.Struct("<" + field.letter).pack

        def append_fixed(out: bytearray, value: Any) -> None:
            out += key + pack(value)

        return append_fixed
    if field.wire == 2:
        is_text = field.kind == "text"

        def append_bytes(out: bytearray, value: Any) -> None:
            data = value.encode() if is_text else memoryview(value).cast("B")
            out += key
            write_varint(out, len(data))
            out += data

        return append_bytes
    unsigned = _unsigned(field)

    def append_number(out: bytearray, value: Any) -> None:
        out += key
        write_varint(out, unsigned(value))

    return append_number


def _unsigned(field: Field) -> Callable[[Any], int]:
    if field.kind == "zigzag":
        return lambda value: (int(value) << 1 if value >= 0 else ~(int(value) << 1)) & _MASK_64
    return lambda value: int(value) & _MASK_64


def _packed_appender(field: Field) -> Append:
    key, unsigned = _key(field, 2), _unsigned(field)

    def packed(values: Any) -> Any:
        if hasattr(values, "astype"):
            if field.letter:
                return values.astype(field.dtype, copy=False).tobytes()
            if values.size and values.min() >= 0 and values.max() < 0x80 and field.kind != "zigzag":
                return values.astype("u1").tobytes()
        if field.letter:
            return struct.pack(f"<{len(values)}{field.letter}", *values)
        out = bytearray()
        for value in values:
            write_varint(out, unsigned(value))
        return out

    def append(out: bytearray, values: Any) -> None:
        if len(values):
            data = packed(values)
            out += key
            write_varint(out, len(data))
            out += data

    return append


# ---- bytes to messages -------------------------------------------------------------------------------------------

Decode = Callable[[Any], Any]


def decoder(types: dict[str, list[Field]], name: str, kind_of: Callable[[str], type]) -> Decode:
    """Returns a function that makes a message of its bytes. `kind_of` gives the class of a type by its full name."""
    kind = kind_of(name)
    rows = {field.number: (field, _reader(types, field, kind_of)) for field in types[name]}
    absent = {field.name for field in types[name] if field.is_repeated}

    def decode(data: Any) -> Any:
        values: dict[str, Any] = {}
        for number, content in parts(data):
            row = rows.get(number)
            if row is None:
                continue
            field, read = row
            value = read(content)
            if not field.is_repeated:
                values[field.name] = value
            elif field.wire != 2:
                known = values.get(field.name)
                values[field.name] = value if known is None else (*known, *value)
            else:
                values.setdefault(field.name, []).append(value)
        for name in absent:
            if isinstance(values.get(name), list):
                values[name] = tuple(values[name])
        return kind(**values)

    return decode


def _reader(types: dict[str, list[Field]], field: Field, kind_of: Callable[[str], type]) -> Decode:
    if field.kind == "message":
        return decoder(types, field.type_name, kind_of)
    if field.kind == "text":
        return lambda data: str(data, "utf-8")
    if field.kind == "bytes":
        return lambda data: data
    if field.is_repeated:
        return _packed_reader(field)
    if field.letter:
        unpack = struct.Struct("<" + field.letter).unpack
        return lambda data: unpack(data)[0]
    return _number(field)


def _number(field: Field) -> Callable[[int], Any]:
    if field.kind == "bool":
        return bool
    if field.kind == "zigzag":
        return lambda value: (value >> 1) ^ -(value & 1)
    if field.kind == "signed":
        return lambda value: value - (1 << 64) if value >> 63 else value
    return int


def _packed_reader(field: Field) -> Decode:
    number = _number(field)
    width = struct.calcsize("<" + field.letter) if field.letter else 0

    def read(data: Any) -> Any:
        if isinstance(data, int):
            return (number(data),)
        module = numpy()
        if width:
            if module is not None:
                return module.frombuffer(data, field.dtype)
            return struct.unpack(f"<{len(data) // width}{field.letter}", data)
        if module is not None:
            small = module.frombuffer(data, "u1")
            if field.kind != "zigzag" and (not small.size or small.max() < 0x80):
                return small.astype(field.dtype)
        values, at = [], 0
        while at < len(data):
            value, at = _varint(data, at)
            values.append(number(value))
        return tuple(values) if module is None else module.array(values, field.dtype)

    return read
