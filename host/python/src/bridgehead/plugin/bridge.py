"""Bridges: they carry the topics of a vehicle, or of the world, to peers and back."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from bridgehead.plugin._plugin import Plugin
from bridgehead.plugin._wire import CONSTANTS, STATUS, STATUS_NAMES

if TYPE_CHECKING:
    from bridgehead.plugin._types import MessageType

_NEXT_STEP: int = CONSTANTS["next_step"]
_NOW: int = CONSTANTS["stamp_now"]


@dataclass(frozen=True)
class Channel:
    """A topic that the bridge carries."""

    topic: str
    """Full name of the topic."""
    vehicle: str
    """The vehicle it belongs to; empty for the world."""
    type: str
    """Its type on the side of the bridge; by default the name that ROS has for it."""
    message_type: MessageType
    """The type of its messages."""


@dataclass(frozen=True)
class Outgoing:
    """A message of the simulation for the peers."""

    channel: Channel
    """Its topic."""
    stamp_ns: int
    """Its time stamp, nanoseconds of simulated time."""
    sequence: int
    """Counts the messages of the topic."""
    step: int
    """The step in which it was published."""
    payload: memoryview
    """The message as bytes of protobuf, without a copy."""

    @property
    def topic(self) -> str:
        """Full name of the topic."""
        return self.channel.topic

    @cached_property
    def message(self) -> Any:
        """The message as an object of its type, with arrays as views of the payload."""
        return self.channel.message_type.decode(self.payload)


class Bridge(Plugin):
    """A bridge: one instance for each vehicle, or for the world.

    `connect` and `disconnect` run on the main thread, `transmit` and `receive` on threads of their own meanwhile.
    """

    carries: ClassVar[tuple[str, ...]] = (CONSTANTS["any_type"],)
    """The types that it carries: `*` for all."""

    def validate(self, connection: str) -> None:
        """Checks a connection string before anything starts; raises `PluginError` if it is wrong."""

    def connect(self, connection: str) -> None:
        """Connects. The bridge is connected on return; after an exception the host tries again later."""

    def disconnect(self) -> None:
        """Ends the connection. Both loops have ended."""

    def transmit(self, message: Outgoing) -> None:
        """Sends a message. After an exception the message counts as dropped; an `OSError` ends the connection."""

    def receive(self) -> None:
        """Waits some tenths of a second for something from a peer, and delivers it. Called again and again."""

    def interrupt(self) -> None:
        """Wakes `receive` from a longer wait. Called on another thread."""

    @cached_property
    def stopping(self) -> threading.Event:
        """Set while the loops shall end."""
        return threading.Event()

    @property
    def channels(self) -> list[Channel]:
        """The topics that the bridge receives from its peers."""
        return [channel for channel, _ in self._incoming.values()]

    def deliver(self, topic: str, message: Any) -> bool:
        """Hands a message of a peer to the simulation: an object, a dictionary of its fields, or bytes of protobuf.

        Returns false if the vehicle does not receive the topic, or if the host refuses the message, which it logs.
        """
        found = self._incoming.get(topic)
        if found is None:
            return False
        channel, endpoint = found
        payload = (
            message if isinstance(message, bytes | bytearray | memoryview) else channel.message_type.encode(message)
        )
        request = {"endpoint": endpoint, "at_step": _NEXT_STEP, "stamp_ns": _NOW}
        _, code = self._context.link.ask_with(payload, lambda data: ("Deliver", {**request, "payload": data}))
        if code < 0:
            self.log.debug("a message for `%s` was refused: %s", topic, STATUS_NAMES.get(code, code))
        return bool(code >= STATUS["OK"])

    @cached_property
    def _incoming(self) -> dict[str, tuple[Channel, int]]:
        return {}

    @cached_property
    def _outgoing(self) -> dict[int, Channel]:
        return {}
