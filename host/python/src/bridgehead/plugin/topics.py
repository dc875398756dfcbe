"""Topics and services of model plugins."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bridgehead.plugin._hosting import refused
from bridgehead.plugin._wire import STATUS
from bridgehead.plugin.values import Received

if TYPE_CHECKING:
    from bridgehead.plugin._plugin import Context
    from bridgehead.plugin._types import MessageType

T = TypeVar("T")
A = TypeVar("A")
R = TypeVar("R")

_OK = STATUS["OK"]
# Nothing has come.
_EMPTY = {STATUS["NOT_FOUND"], STATUS["WOULD_BLOCK"], STATUS["TIMEOUT"]}


def number(context: Context, name: str, request: tuple[str, Any]) -> int:
    """Asks for the number of a publisher, a subscription or a service."""
    kind, content = context.link.ask(("Model", request))
    if kind == "Number":
        found: int = content
        return found
    raise refused(name, content)


def _done(name: str, answer: tuple[str, Any]) -> None:
    kind, content = answer
    if kind == "Status" and content < _OK:
        raise refused(name, content)


def _reply(reply: dict[str, Any], data: tuple[str, Any]) -> tuple[str, Any]:
    return "Model", ("Reply", {**reply, "payload": data})


class Publisher(Generic[T]):
    """Publishes a topic."""

    def __init__(self, context: Context, handle: int, kind: MessageType) -> None:
        self._context = context
        self._handle = handle
        self._type = kind

    @property
    def listeners(self) -> int:
        """How many receive the topic. A message that nobody receives need not be computed."""
        _, content = self._context.link.ask(("Model", ("Listeners", {"handle": self._handle})))
        count: int = content
        return count

    def publish(self, message: T, stamp_ns: int | None = None) -> None:
        """Publishes a message: one of the type of the topic, or a dictionary of its fields.

        Its time stamp, simulated time in nanoseconds, is that of the running step by default.
        """
        self.publish_bytes(self._type.encode(message), stamp_ns)

    def publish_bytes(self, payload: Any, stamp_ns: int | None = None) -> None:
        """Publishes the bytes of a message, which are protobuf."""
        stamp = self._context.time_ns if stamp_ns is None else stamp_ns
        handle = self._handle
        answer = self._context.link.ask_with(
            payload,
            lambda data: ("Model", ("Publish", {"handle": handle, "stamp_ns": stamp, "payload": data})),
        )
        _done("bus.publish", answer)


class Subscription(Generic[T]):
    """Receives a topic."""

    def __init__(self, context: Context, handle: int, kind: MessageType) -> None:
        self._context = context
        self._request = ("Model", ("Take", {"handle": handle}))
        self._type = kind

    def take(self) -> Received[T] | None:
        """Returns the next message; None if no other has come."""
        kind, content = self._context.link.ask(self._request)
        if kind == "Message":
            message = self._type.decode(self._context.link.bytes_of(content["payload"]))
            return Received(message, content["topic"], content["stamp_ns"], content["sequence"], content["step"])
        if content in _EMPTY:
            return None
        raise refused("subscription.take", content)

    def latest(self) -> T | None:
        """Returns the newest message, and forgets those before it; None if none has come since the last call."""
        newest: Received[T] | None = None
        while (received := self.take()) is not None:
            newest = received
        return None if newest is None else newest.message

    def __iter__(self) -> Subscription[T]:
        """Returns the messages that have come."""
        return self

    def __next__(self) -> Received[T]:
        received = self.take()
        if received is None:
            raise StopIteration
        return received


class Service(Generic[A, R]):
    """Answers calls of a service, at the beginning of each `sample` and `control`."""

    def __init__(
        self, context: Context, handle: int, kinds: tuple[MessageType, MessageType], answer: Callable[[A], R]
    ) -> None:
        self._context = context
        self._handle = handle
        self._request, self._response = kinds
        self._answer = answer

    def serve(self) -> None:
        """Answers the calls that have come."""
        link = self._context.link
        while True:
            kind, content = link.ask(("Model", ("TakeCall", {"handle": self._handle})))
            if kind != "ServiceCall":
                if content in _EMPTY:
                    return
                raise refused("service.take", content)
            request: A = self._request.decode(link.bytes_of(content["payload"]))
            payload = self._response.encode(self._answer(request))
            reply = {"handle": self._handle, "call": content["call"], "status": _OK}
            _done("service.reply", link.ask_with(payload, partial(_reply, reply)))
