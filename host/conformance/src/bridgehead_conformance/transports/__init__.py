"""Transports: what a case needs of a connection to a simulator, and the table of those that exist.

Messages are dictionaries with the fields of ROS. Absent fields of a request have their default values.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from bridgehead_conformance.description import Description

Message = dict[str, Any]


class TransportError(Exception):
    """A service is not offered, or gives no answer in time."""


class NotExpressible(TransportError):  # noqa: N818
    """The transport, or the server at its other end, cannot express a request."""


class Goal(Protocol):
    """A goal that was sent to `simulate_steps`."""

    def is_accepted(self) -> bool:
        """Waits until the goal is accepted or rejected."""
        ...

    def feedback(self) -> Message | None:
        """Returns the next feedback, or nothing if the goal has ended and all feedback was returned."""
        ...

    def cancel(self) -> None:
        """Asks to cancel the goal."""
        ...

    def end(self) -> tuple[int, Message]:
        """Waits for the end; returns the status of action_msgs and the result."""
        ...


class Transport(Protocol):
    """A connection to a simulator."""

    def call(self, service: str, request: Message) -> Message:
        """Calls a service by its usual name, such as `spawn_entity`, and returns the response."""
        ...

    def call_alias(self, service: str, name: str, request: Message) -> Message:
        """Calls the same service under another name."""
        ...

    def send_goal(self, steps: int | None) -> Goal:
        """Sends a goal to `simulate_steps`; without steps, the field has its default."""
        ...

    def offered(self) -> dict[str, str]:
        """Returns the names of the offered services and actions, with their types."""
        ...

    def latest(self, topic: str, kind: str) -> Message:
        """Returns the next message of a topic."""
        ...

    def another(self) -> Transport:
        """Opens another connection, as a second client has."""
        ...

    def close(self) -> None:
        """Closes the connection."""
        ...


# The module of each transport has a function `connect`.
TRANSPORTS = {
    "dds": "bridgehead_conformance.transports.dds",
    "rosbridge": "bridgehead_conformance.transports.rosbridge",
    "http": "bridgehead_conformance.transports.http",
    "rclpy": "bridgehead_conformance.transports.ros",
}


def connect(transport: str, description: Description) -> Transport:
    """Opens a transport by its name."""
    try:
        opening: Callable[[Description], Transport] = import_module(TRANSPORTS[transport]).connect
    except ModuleNotFoundError as error:
        advice = "source an installation of ROS 2" if transport == "rclpy" else f"install the extra [{transport}]"
        raise TransportError(f"the transport {transport} needs the module `{error.name}`: {advice}") from error
    return opening(description)
