"""What the workers of plugins send: messages of the protocol, arguments of host functions, and payloads."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from bridgehead.messages.std_msgs import Header
from bridgehead.plugin import PluginError, Pose
from bridgehead.plugin._hosting import _ARGUMENTS, _read_struct, pack
from bridgehead.plugin._protobuf import Field, decoder, encoder
from bridgehead.plugin._types import packaged
from bridgehead.plugin._wire import FUNCTIONS, SAMPLES, STRUCTS, GarbageError, decode, encode

POSE = Pose((1.0, 2.0, 3.0), (0.0, 0.0, 0.0, 1.0))
RAYS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
ORIGINS = ((0.0, 0.0, 1.0), (0.0, 0.0, 2.0))


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("LogRecord", (3, "front", "a line", "a.py", 12)),
        ("TypeRecord", ("a.B", bytes([1, 2, 3]))),
        ("SpawnSpec", (1, "<sdf/>", "box", POSE)),
        ("RayBatch", (7, POSE, RAYS, ORIGINS, (0.1, 30.0))),
        ("RayBatch", (7, POSE, np.array(RAYS, "f4"), np.array(ORIGINS), (0.1, 30.0))),
    ],
)
def test_arguments_have_the_bytes_of_the_host(kind: str, value: Any) -> None:
    assert pack(kind, value).hex() == SAMPLES[kind]


def test_messages_come_back_as_they_were_sent() -> None:
    step = {"reset_epoch": 3, "time_ns": -5, "width_ns": 1 << 40, "step": (1 << 64) - 1}
    call = ("Call", ("Model", ("Sample", step)))
    assert decode("ToWorker", memoryview(encode("ToWorker", call))[4:]) == call
    finding = {"code": "BH", "text": "ä", "details": ["x", ""]}
    loaded = ("Loaded", ("Ready", {"flags": [0, 300], "warnings": [finding]}))
    assert decode("FromWorker", memoryview(encode("FromWorker", loaded))[4:]) == loaded
    returned = ("Returned", {"status": -101, "value": 7, "connection": None})
    assert decode("FromWorker", memoryview(encode("FromWorker", returned))[4:]) == returned
    reply = ("Reply", {"call": 1, "status": 0, "response": b"abc"})
    assert decode("Signal", memoryview(encode("Signal", reply))[4:]) == reply


@pytest.mark.parametrize(
    "data", [b"", b"\x09", b"\x00\x00\xff\xff", b"\x01\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"]
)
def test_bytes_that_are_no_message_are_refused(data: bytes) -> None:
    with pytest.raises(GarbageError):
        decode("ToWorker", memoryview(data))


@dataclasses.dataclass(frozen=True)
class Inner:
    """A message in a message."""

    name: str = ""
    flags: tuple[bool, ...] = ()


@dataclasses.dataclass(frozen=True)
class Outer:
    """One field of each kind."""

    number: float = 0.0
    count: int = 0
    zigzag: int = 0
    fixed: int = 0
    data: bytes = b""
    ranges: Any = ()
    counts: Any = ()
    inner: Inner = dataclasses.field(default_factory=Inner)
    many: tuple[Inner, ...] = ()
    names: tuple[str, ...] = ()


FIELDS = {
    "t.Inner": [
        Field("name", 1, "text", 2, "", "", False, ""),
        Field("flags", 2, "bool", 0, "", "?", True, ""),
    ],
    "t.Outer": [
        Field("number", 1, "float", 1, "d", "<f8", False, ""),
        Field("count", 2, "signed", 0, "", "<i4", False, ""),
        Field("zigzag", 3, "zigzag", 0, "", "<i8", False, ""),
        Field("fixed", 4, "integer", 5, "I", "<u4", False, ""),
        Field("data", 5, "bytes", 2, "", "", False, ""),
        Field("ranges", 6, "float", 5, "f", "<f4", True, ""),
        Field("counts", 17, "signed", 0, "", "<i4", True, ""),
        Field("inner", 8, "message", 2, "", "", False, "t.Inner"),
        Field("many", 9, "message", 2, "", "", True, "t.Inner"),
        Field("names", 10, "text", 2, "", "", True, ""),
    ],
}
CLASSES = {"t.Inner": Inner, "t.Outer": Outer}


def returned(message: object) -> Any:
    """Encodes a message and decodes it again."""
    out = bytearray()
    encoder(FIELDS, "t.Outer")(out, message)
    return decoder(FIELDS, "t.Outer", CLASSES.__getitem__)(memoryview(bytes(out)))


def test_payloads_come_back_as_they_were_encoded() -> None:
    inner = Inner("ü", (True, False))
    ranges, counts = np.arange(4, dtype="f4"), np.array([1, -2, 300])
    sent = Outer(1.5, -3, -4, 5, b"xyz", ranges, counts, inner, (inner, Inner()), ("", "b"))
    found = returned(sent)
    assert (found.number, found.count, found.zigzag, found.fixed) == (1.5, -3, -4, 5)
    assert found.inner.name == "ü"
    assert list(found.inner.flags) == [True, False]
    assert [one.name for one in found.many] == ["ü", ""]
    assert found.names == ("", "b")
    assert bytes(found.data) == b"xyz"
    np.testing.assert_array_equal(found.ranges, ranges)
    np.testing.assert_array_equal(found.counts, counts)
    assert not found.ranges.flags.owndata
    assert not found.ranges.flags.writeable


def test_defaults_take_no_bytes_and_minus_zero_does() -> None:
    out = bytearray()
    encoder(FIELDS, "t.Inner")(out, Inner())
    assert out == b""
    assert math.copysign(1.0, returned(Outer(number=-0.0)).number) == -1.0
    assert returned({"count": 7, "ranges": (1.0, 2.0)}).count == 7


def test_a_wrong_value_names_its_field() -> None:
    with pytest.raises(PluginError, match=r"`Outer\.number` cannot be 'high'"):
        returned(Outer(number="high"))  # type: ignore[arg-type]
    with pytest.raises(PluginError, match="truncated"):
        decoder(FIELDS, "t.Outer", CLASSES.__getitem__)(b"\x2a\x05ab")


def test_types_of_the_host_have_the_classes_of_the_package() -> None:
    assert packaged("bridgehead.std_msgs.v1.Header") is Header
    assert packaged("bridgehead.std_msgs.v1.Nothing") is None
    assert packaged("org.example.Thing") is None


def test_poses_are_multiplied() -> None:
    quarter = Pose((1.0, 0.0, 0.0), (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)))
    product = quarter * quarter
    assert product.position == pytest.approx((1.0, 1.0, 0.0))
    assert product.rotate((1.0, 0.0, 0.0)) == pytest.approx((-1.0, 0.0, 0.0))


def test_every_struct_of_the_host_can_be_read() -> None:
    for name, declared in STRUCTS.items():
        texts = sum(8 for _ in declared["texts"])
        record = _read_struct(name, memoryview(bytes(declared["size"] + declared["size"] % 8 + texts)))
        assert all(hasattr(record, text) for text in declared["texts"])
    for function in FUNCTIONS.values():
        assert all(kind in _ARGUMENTS for _, kind in function["arguments"])
