"""Events of subscriptions."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

from bridgehead import messages
from bridgehead._codec import NotThisTypeError, from_json

TOPIC = "topic:"


@dataclass(frozen=True, slots=True)
class Event:
    """An event, as the host sent it."""

    what: str
    """The subscription: `topic:/car1/odom`, `state`, `status`, `statistics`, `feedback`, `log` or `poses`."""
    epoch: int
    """Number of resets before it; simulated time may run backwards when this changes."""
    data: Any = field(repr=False)
    """Its content as JSON; for `poses`, a `Poses`."""
    lost: int = 0
    """Events of this client that the host dropped before this one, because the client was slow."""

    @property
    def topic(self) -> str | None:
        """The name of the topic; None for other events."""
        return self.what.removeprefix(TOPIC) if self.what.startswith(TOPIC) else None

    @property
    def type(self) -> str | None:
        """The ROS type of the message of a topic."""
        return self.data.get("type") if self.topic is not None else None

    @property
    def time_ns(self) -> int | None:
        """Simulated time in nanoseconds: the stamp of a message, or the time of `state` and `status`."""
        if isinstance(self.data, Poses):
            return self.data.time_ns
        if not isinstance(self.data, dict):
            return None
        content = self.data.get("status", self.data)
        found = content.get("stamp_ns", content.get("time_ns")) if isinstance(content, dict) else None
        return found if isinstance(found, int) else None

    @property
    def message(self) -> Any:
        """The message of a topic: a dataclass, or a dictionary if its type is one of a third party."""
        content = self.data["message"]
        kind = messages.find(self.type or "")
        if kind is None:
            return content
        try:
            return from_json(kind, content)
        except NotThisTypeError:
            # A third party may use a name of ROS for another type.
            return content


@dataclass(frozen=True, slots=True)
class Poses:
    """Poses of the nodes of `get_scene`, in the world."""

    is_complete: bool
    """True if it has all nodes; else those that have moved."""
    revision: int
    """Revision of the scene; if it changes, call `get_scene` again."""
    step: int
    """The step."""
    time_ns: int
    """Simulated time, nanoseconds."""
    nodes: tuple[int, ...]
    """Indices of the nodes, in the order of `get_scene`."""
    poses: tuple[tuple[float, ...], ...]
    """For each node x, y, z in metres and the quaternion x, y, z, w."""


_HEAD = struct.Struct("<IIQQqIIII")
_MAGIC = 0x31504842


def poses_event(frame: bytes) -> Event | None:
    """Returns the event of a binary frame; None for a frame of another kind."""
    if len(frame) < _HEAD.size:
        return None
    magic, kind, revision, step, time_ns, epoch, count, lost, _ = _HEAD.unpack_from(frame)
    if magic != _MAGIC:
        return None
    at = _HEAD.size
    nodes = tuple(range(count))
    if kind == 1:
        nodes = struct.unpack_from(f"<{count}I", frame, at)
        at += 4 * count
    numbers = struct.unpack_from(f"<{7 * count}f", frame, at)
    poses = tuple(numbers[7 * index : 7 * index + 7] for index in range(count))
    return Event("poses", epoch, Poses(kind == 0, revision, step, time_ns, nodes, poses), lost)


class SimulatedClock:
    """Simulated time that has passed, also over resets."""

    def __init__(self) -> None:
        self._epoch: int | None = None
        self._since = 0
        self._last = 0
        self._before = 0

    def advance(self, epoch: int, time_ns: int) -> None:
        """Takes the time of an event."""
        if self._epoch is None:
            self._since = time_ns
        elif epoch != self._epoch:
            self._before += max(self._last - self._since, 0)
            self._since = 0
        self._epoch, self._last = epoch, time_ns

    @property
    def elapsed(self) -> float:
        """Seconds since the first event."""
        return (self._before + max(self._last - self._since, 0)) / 1e9
