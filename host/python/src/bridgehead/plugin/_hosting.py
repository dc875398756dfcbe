"""Calls of host functions by name, such as `world.link_state`: what they take and return is in the table of the host.

Values cross in their memory layout, each aligned to eight bytes: host and worker are on the same machine.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from bridgehead.plugin._wire import FUNCTIONS, STATUS, STATUS_NAMES, STRUCTS
from bridgehead.plugin.errors import HostError

if TYPE_CHECKING:
    from bridgehead.plugin._link import Link

# The formats of the fields that structs have.
_FORMATS = {"u32": "I", "u64": "Q", "i32": "i", "i64": "q", "f64": "d"}
# Texts follow their struct.
_TEXTS = {"Str", "Bytes"}
_ADVICE = {
    "WRONG_THREAD": "it can be called in the calls of a step only: reset, sample and control",
    "UNSUPPORTED": "this kind of plugin is not offered the function",
}


def _padded(data: Any) -> bytes:
    return bytes(data) + bytes(-len(data) % 8)


def _text(value: Any) -> bytes:
    data = value.encode() if isinstance(value, str) else bytes(value)
    return struct.pack("=Q", len(data)) + _padded(data)


def _vector(value: Sequence[float]) -> bytes:
    return struct.pack("=3d", *value)


def _pose(value: Any) -> bytes:
    return struct.pack("=7d", *value.position, *value.orientation)


def _number(form: str) -> Callable[[Any], bytes]:
    packer = struct.Struct(f"={form}{8 - struct.calcsize('=' + form)}x")
    return packer.pack


def _log_record(value: tuple[int, str, str, str, int]) -> bytes:
    level, target, text, file, line = value
    return _number("I")(level) + _number("I")(line) + _text(target) + _text(text) + _text(file)


def _type_record(value: tuple[str, bytes]) -> bytes:
    return _text(value[0]) + _text(value[1])


def _spawn_spec(value: tuple[int, str, str, Any]) -> bytes:
    flags, sdf, name, pose = value
    return _number("I")(flags) + _text(sdf) + _text(name) + _pose(pose)


def _ray_batch(value: tuple[int, Any, Any, Any, tuple[float, float]]) -> bytes:
    ignore_link, frame, directions, origins, limits = value
    rays = _vectors(directions)
    head = _number("I")(ignore_link) + _pose(frame) + struct.pack("=2d", *limits)
    head += struct.pack("=QQ", len(rays) // 24, origins is not None)
    return head + rays + (b"" if origins is None else _vectors(origins))


def _vectors(values: Any) -> bytes:
    if hasattr(values, "astype"):
        found: bytes = values.astype("f8").tobytes()
        return found
    return b"".join(_vector(value) for value in values)


_ARGUMENTS: dict[str, Callable[[Any], bytes]] = {
    "u32": _number("I"),
    "i32": _number("i"),
    "u64": _number("Q"),
    "i64": _number("q"),
    "f64": _number("d"),
    "Text": _text,
    "Words": _text,
    "Encoded": _text,
    "Vector": _vector,
    "Pose": _pose,
    "SurfaceMotion": bytes,
    "LogRecord": _log_record,
    "TypeRecord": _type_record,
    "SpawnSpec": _spawn_spec,
    "RayBatch": _ray_batch,
}


def pack(kind: str, value: Any) -> bytes:
    """Returns an argument as it is sent."""
    return _ARGUMENTS[kind](value)


class Record:
    """A struct of the host: its fields are attributes."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no field `{name}`; there are {', '.join(self.__dict__)}")

    def __repr__(self) -> str:
        return f"Record({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"


def _format(kind: str) -> str | None:
    """Returns the format of a number or an array of numbers, such as `[f64;3]`; None for another type."""
    element, _, count = kind.strip("[]").partition(";")
    return count + _FORMATS[element] if element in _FORMATS else None


def _fields(name: str) -> tuple[str, list[tuple[str, str, int]]]:
    """Returns the format of a struct, and for each value its name, its type and how many numbers it has."""
    form, fields, at = "=", [], 0
    for field, kind, offset, size in STRUCTS[name]["fields"]:
        form += f"{offset - at}x"
        at = offset + size
        if kind in _TEXTS:
            form += f"{size}x"
            continue
        inner = _format(kind) or _fields(kind)[0][1:]
        form += inner
        fields.append((field, kind, len(struct.unpack("=" + inner, bytes(size)))))
    return form + f"{STRUCTS[name]['size'] - at}x", fields


@cache
def _struct(name: str) -> tuple[struct.Struct, Callable[[tuple[Any, ...]], dict[str, Any]]]:
    form, fields = _fields(name)

    def values_of(numbers: tuple[Any, ...]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        at = 0
        for field, kind, count in fields:
            if kind in STRUCTS:
                values[field] = Record(_struct(kind)[1](numbers[at : at + count]))
            elif count == 1:
                values[field] = numbers[at]
            else:
                values[field] = numbers[at : at + count]
            at += count
        return values

    return struct.Struct(form), values_of


def _read_text(data: memoryview, at: int) -> tuple[bytes, int]:
    length = int.from_bytes(data[at : at + 8], "little")
    end = at + 8 + length
    return bytes(data[at + 8 : end]), end + -length % 8


def _read_struct(name: str, data: memoryview) -> Record:
    packed, values_of = _struct(name)
    values = values_of(packed.unpack_from(data))
    at = packed.size + -packed.size % 8
    kinds = {field: kind for field, kind, _, _ in STRUCTS[name]["fields"]}
    for text in STRUCTS[name]["texts"]:
        content, at = _read_text(data, at)
        values[text] = content if kinds[text] == "Bytes" else content.decode()
    for hidden in ("struct_size", "reserved"):
        values.pop(hidden, None)
    return Record(values)


def _read_list(name: str, data: memoryview) -> list[Record]:
    packed, values_of = _struct(name)
    return [Record(values_of(numbers)) for numbers in packed.iter_unpack(data[8:])]


def _read(result: str, data: memoryview) -> Any:
    form = result[2:]
    if form.startswith(("[", "{")):
        return _read_list(form[1:-1], data)
    if form in STRUCTS and form != "Str":
        return _read_struct(form, data)
    if form == "Str":
        return _read_text(data, 0)[0].decode()
    if form == "Vector":
        return struct.unpack_from("=3d", data)
    if form == "()":
        return None
    return struct.unpack_from({"u8": "=B", "i32": "=i", "u32": "=I", "i64": "=q", "u64": "=Q"}[form], data)[0]


class Hosting:
    """The functions of the host for one of its two objects: `Library` while types are registered, then `Instance`."""

    def __init__(self, link: Link, caller: str) -> None:
        self._link = link
        self._caller = (caller, None)

    def call(self, name: str, *arguments: Any) -> Any:
        """Calls a function of the host by its name, such as `environment.read`.

        Raises:
            HostError: it returns a failure.

        """
        return self._answered(name, self.ask(name, *arguments))

    def ask(self, name: str, *arguments: Any) -> tuple[str, Any]:
        """Calls a function, and returns the answer as it is."""
        function = FUNCTIONS.get(name)
        if function is None:
            raise LookupError(f"the host has no function `{name}`")
        kinds = function["arguments"]
        if function["result"].startswith("->{"):
            kinds = [*kinds, ["capacity", "u64"]]
        if len(kinds) != len(arguments):
            wanted = ", ".join(argument for argument, _ in kinds)
            raise TypeError(f"`{name}` takes ({wanted}), found {len(arguments)} arguments")
        packed = b"".join(_ARGUMENTS[kind](value) for (_, kind), value in zip(kinds, arguments, strict=True))
        number, caller = function["number"], self._caller
        return self._link.ask_with(
            packed, lambda data: ("Host", {"caller": caller, "function": number, "arguments": data})
        )

    def _answered(self, name: str, answer: tuple[str, Any]) -> Any:
        kind, content = answer
        result = FUNCTIONS[name]["result"]
        if kind == "Status":
            if content != STATUS["OK"]:
                raise refused(name, content)
            return None
        data = self._link.bytes_of(content)
        return data if result == "->Payload" else _read(result, data)

    def explain(self, text: str) -> None:
        """Gives the reason of the failure that the running call returns."""
        self._link.ask(("Explain", {"caller": self._caller, "text": text.encode()}))


def refused(name: str, code: int) -> HostError:
    """Returns the error for a status that a function of the host has returned."""
    status = STATUS_NAMES.get(code, str(code))
    advice = f"; {_ADVICE[status]}" if status in _ADVICE else ""
    return HostError(status, f"`{name}` returned {status}{advice}")
