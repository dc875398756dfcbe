"""Message types of a plugin's own: dataclasses whose description the host gets when the plugin registers."""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

from bridgehead.plugin._protobuf import parts
from bridgehead.plugin._wire import write_varint
from bridgehead.plugin.errors import PluginError

if TYPE_CHECKING:
    from bridgehead.plugin._hosting import Hosting

K = TypeVar("K", bound=type)

# Numbers of types in descriptors.
_SCALARS = {float: 1, int: 3, bool: 8, str: 9, bytes: 12}
_MESSAGE, _OPTIONAL, _REPEATED = 11, 1, 3
# The option `bridgehead.annotations.v1.ros_message`.
_ROS_MESSAGE = 52800


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def message(package: str) -> Callable[[K], K]:
    """Makes a class a message type of a package of ROS, such as `radar_msgs`: `radar_msgs/msg/Name`.

    Fields are of the type float, int, bool, str, bytes or a message, or tuples of them such as `tuple[float, ...]`,
    and have defaults. The names of fields are in small letters with underscores.
    """

    def declare(kind: K) -> K:
        made: Any = dataclasses.dataclass(frozen=True)(kind)
        made.ROS_TYPE = f"{package}/msg/{made.__name__}"
        made._bridgehead_package = f"{package}.v1"
        declared: K = made
        return declared

    return declare


def register(host: Hosting, module_values: list[Any]) -> None:
    """Registers the message types among the values of a module, in their order."""
    for kind in module_values:
        if isinstance(kind, type) and "_bridgehead_package" in vars(kind):
            found: Any = kind
            name = f"{found._bridgehead_package}.{found.__name__}"
            host.call("types.register", (name, description(host, found)))


def description(host: Hosting, kind: Any) -> bytes:
    """Returns the `FileDescriptorSet` of a message type: its file behind those that it needs."""
    files: dict[str, bytes] = {}
    content = _text(1, kind.__name__)
    hints = typing.get_type_hints(kind)
    for number, field in enumerate(dataclasses.fields(kind), 1):
        content += _bytes(2, _field(host, kind, field.name, number, hints[field.name], files))
    content += _bytes(7, _text(_ROS_MESSAGE, kind.ROS_TYPE))
    name = re.sub("(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
    package = kind._bridgehead_package
    file = _text(1, f"{package.replace('.', '/')}/{name}.proto") + _text(2, package)
    file += b"".join(_text(3, dependency) for dependency in files)
    file += _bytes(4, content) + _text(12, "proto3")
    return b"".join(_bytes(1, other) for other in files.values()) + _bytes(1, file)


def _field(host: Hosting, kind: Any, name: str, number: int, hint: Any, files: dict[str, bytes]) -> bytes:
    label, element = _OPTIONAL, hint
    if typing.get_origin(hint) is tuple:
        label, element = _REPEATED, typing.get_args(hint)[0]
    out = _text(1, name) + _number(3, number) + _number(4, label)
    if element in _SCALARS:
        return out + _number(5, _SCALARS[element])
    if not isinstance(getattr(element, "ROS_TYPE", None), str):
        raise PluginError(f"`{kind.__name__}.{name}` cannot be a {getattr(element, '__name__', element)}")
    found = host.call("types.find", element.ROS_TYPE)
    for _, file in parts(found.descriptor_set):
        files.setdefault(next(bytes(value).decode() for at, value in parts(file) if at == 1), bytes(file))
    return out + _number(5, _MESSAGE) + _text(6, f".{found.name}")


def _number(field: int, value: int) -> bytes:
    out = bytearray()
    write_varint(out, field << 3)
    write_varint(out, value)
    return bytes(out)


def _bytes(field: int, data: bytes) -> bytes:
    out = bytearray()
    write_varint(out, field << 3 | 2)
    write_varint(out, len(data))
    return bytes(out) + data


def _text(field: int, text: str) -> bytes:
    return _bytes(field, text.encode())
