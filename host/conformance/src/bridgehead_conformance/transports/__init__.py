"""Transports: what a case needs of a connection to a simulator, and the table of those that exist.

Messages are dictionaries with the fields of ROS. Absent fields of a request have their default values.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from bridgehead_conformance.description import Description
from bridgehead_conformance.values import DescriptionError, wrong

Message = dict[str, Any]


class TransportError(Exception):
    """A service is not offered, or gives no answer in time."""


class NotInstalled(TransportError):  # noqa: N818
    """A module that the transport needs is not installed."""


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


# The key of the address of each transport, its option, and the form of the address. Over rclpy, ROS_DOMAIN_ID applies.
_ADDRESSES = {
    "dds": ("domain", "--domain", None),
    "rosbridge": ("rosbridge", "--address", re.compile(r"(wss?://)?[^/:\s]+(:\d{1,5})?(/\S*)?")),
    "http": ("http", "--address", re.compile(r"(http://)?[^/:\s]+:\d{1,5}/?")),
}


def address(transport: str, description: Description) -> str:
    """Returns where the simulator is reached, for people; an absent or wrong address is an error."""
    if transport not in _ADDRESSES:
        domain = description.addresses.domain
        return "the domain of ROS_DOMAIN_ID" if domain is None else f"domain {domain}"
    key, option, form = _ADDRESSES[transport]
    found = getattr(description.addresses, key)
    if found in (None, ""):
        raise DescriptionError(f"the description has no `addresses.{key}`; give it or {option}")
    if form is None:
        return f"domain {found}"
    if not form.fullmatch(found):
        raise wrong(f"addresses.{key}", "an address such as 127.0.0.1:9090", found)
    return str(found)


def connect(transport: str, description: Description) -> Transport:
    """Opens a transport by its name."""
    address(transport, description)
    try:
        opening: Callable[[Description], Transport] = import_module(TRANSPORTS[transport]).connect
    except ModuleNotFoundError as error:
        advice = "source an installation of ROS 2" if transport == "rclpy" else f"install the extra [{transport}]"
        raise NotInstalled(f"the transport {transport} needs the module `{error.name}`: {advice}") from error
    return opening(description)
