"""The messages between the host and a worker: postcard, by the table that the host has generated.

The table `protocol.json` comes from the types of the host; its fingerprint is compared when a worker starts, so that
nothing here names a field or a number. A value of an enum is a pair of the name of its variant and its content, which
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

Reader = Callable[[memoryview, int], tuple[Any, int]]
Writer = Callable[[bytearray, Any], None]

_TABLE: dict[str, Any] = json.loads((Path(__file__).parent / "protocol.json").read_text())

FINGERPRINT: str = _TABLE["fingerprint"]
FUNCTIONS: dict[str, dict[str, Any]] = _TABLE["functions"]
STRUCTS: dict[str, dict[str, Any]] = _TABLE["structs"]
CONSTANTS: dict[str, Any] = _TABLE["constants"]
MEMORY: dict[str, int] = _TABLE["memory"]
STATUS: dict[str, int] = CONSTANTS["status"]
STATUS_NAMES: dict[int, str] = {code: name for name, code in STATUS.items()}
SAMPLES: dict[str, str] = _TABLE["samples"]

_LONGEST_VARINT = 10
_SIGN_64 = 1 << 63
_MASK_64 = (1 << 64) - 1


class GarbageError(ValueError):
    """Bytes that are not part of the protocol."""


def _read_varint(data: memoryview, at: int) -> tuple[int, int]:
    byte = data[at]
    if byte < 0x80:
        return byte, at + 1
    value, shift = byte & 0x7F, 7
    while shift < 7 * _LONGEST_VARINT:
        at += 1
        byte = data[at]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at + 1
        shift += 7
    raise GarbageError("a number of more than 64 bits")


def write_varint(out: bytearray, value: int) -> None:
    """Appends an unsigned number."""
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def _read_signed(data: memoryview, at: int) -> tuple[int, int]:
    value, at = _read_varint(data, at)
    return (value >> 1) ^ -(value & 1), at


def _write_signed(out: bytearray, value: int) -> None:
    write_varint(out, (value << 1 if value >= 0 else ~(value << 1)) & _MASK_64)


def _read_bool(data: memoryview, at: int) -> tuple[bool, int]:
    return data[at] != 0, at + 1


def _write_byte(out: bytearray, value: int) -> None:
    out.append(value)


def _read_byte(data: memoryview, at: int) -> tuple[int, int]:
    return data[at], at + 1


def _read_bytes(data: memoryview, at: int) -> tuple[memoryview, int]:
    length, at = _read_varint(data, at)
    if at + length > len(data):
        raise GarbageError(f"{length} bytes, of which {len(data) - at} are there")
    return data[at : at + length], at + length


def _write_bytes(out: bytearray, value: Any) -> None:
    write_varint(out, len(value))
    out += value


def _read_text(data: memoryview, at: int) -> tuple[str, int]:
    value, at = _read_bytes(data, at)
    return str(value, "utf-8"), at


def _write_text(out: bytearray, value: str) -> None:
    _write_bytes(out, value.encode("utf-8", "replace"))


_READERS: dict[str, Reader] = {
    "bool": _read_bool,
    "u8": _read_byte,
    "u16": _read_varint,
    "u32": _read_varint,
    "u64": _read_varint,
    "i32": _read_signed,
    "i64": _read_signed,
    "str": _read_text,
    "bytes": _read_bytes,
}
_WRITERS: dict[str, Writer] = {
    "bool": _write_byte,
    "u8": _write_byte,
    "u16": write_varint,
    "u32": write_varint,
    "u64": write_varint,
    "i32": _write_signed,
    "i64": _write_signed,
    "str": _write_text,
    "bytes": _write_bytes,
}


def _reader(form: Any) -> Reader:
    if isinstance(form, str):
        return _READERS.get(form) or _named_reader(form)
    if "option" in form:
        return _option_reader(_reader(form["option"]))
    if "list" in form:
        return _list_reader(_reader(form["list"]))
    return _struct_reader([(name, _reader(field)) for name, field in form["struct"]])


def _option_reader(read: Reader) -> Reader:
    return lambda data, at: read(data, at + 1) if data[at] else (None, at + 1)


def _list_reader(read: Reader) -> Reader:
    def read_list(data: memoryview, at: int) -> tuple[list[Any], int]:
        count, at = _read_varint(data, at)
        values = []
        for _ in range(count):
            value, at = read(data, at)
            values.append(value)
        return values, at

    return read_list


def _struct_reader(fields: list[tuple[str, Reader]]) -> Reader:
    def read_struct(data: memoryview, at: int) -> tuple[dict[str, Any], int]:
        values = {}
        for name, read in fields:
            values[name], at = read(data, at)
        return values, at

    return read_struct


@cache
def _named_reader(name: str) -> Reader:
    form = _TABLE["types"][name]
    if "struct" in form:
        return _reader(form)
    variants = [(variant, None if content is None else _reader(content)) for variant, content in form["enum"]]

    def read_enum(data: memoryview, at: int) -> tuple[tuple[str, Any], int]:
        number, at = _read_varint(data, at)
        if number >= len(variants):
            raise GarbageError(f"variant {number} of `{name}`")
        variant, read = variants[number]
        if read is None:
            return (variant, None), at
        value, at = read(data, at)
        return (variant, value), at

    return read_enum


def _writer(form: Any) -> Writer:
    if isinstance(form, str):
        return _WRITERS.get(form) or _named_writer(form)
    if "option" in form:
        return _option_writer(_writer(form["option"]))
    if "list" in form:
        return _list_writer(_writer(form["list"]))
    return _struct_writer([(name, _writer(field)) for name, field in form["struct"]])


def _option_writer(write: Writer) -> Writer:
    def write_option(out: bytearray, value: Any) -> None:
        out.append(value is not None)
        if value is not None:
            write(out, value)

    return write_option


def _list_writer(write: Writer) -> Writer:
    def write_list(out: bytearray, values: list[Any]) -> None:
        write_varint(out, len(values))
        for value in values:
            write(out, value)

    return write_list


def _struct_writer(fields: list[tuple[str, Writer]]) -> Writer:
    def write_struct(out: bytearray, values: dict[str, Any]) -> None:
        for name, write in fields:
            write(out, values[name])

    return write_struct


@cache
def _named_writer(name: str) -> Writer:
    form = _TABLE["types"][name]
    if "struct" in form:
        return _writer(form)
    rows = enumerate(form["enum"])
    variants = {variant: (number, content is not None and _writer(content)) for number, (variant, content) in rows}

    def write_enum(out: bytearray, value: tuple[str, Any]) -> None:
        number, write = variants[value[0]]
        out.append(number)  # fewer than 128
        if write:
            write(out, value[1])

    return write_enum


def decode(kind: str, data: memoryview) -> Any:
    """Returns the value of a type.

    Raises:
        GarbageError: the bytes are no such value.

    """
    try:
        return _named_reader(kind)(data, 0)[0]
    except (IndexError, UnicodeDecodeError) as error:
        raise GarbageError(f"no `{kind}`: {error}") from error


def encode(kind: str, value: Any) -> bytearray:
    """Returns the bytes of a value behind four bytes with their number, as they are sent."""
    out = bytearray(4)
    _named_writer(kind)(out, value)
    out[:4] = (len(out) - 4).to_bytes(4, "little")
    return out
