"""The transport over rosbridge: JSON over a WebSocket, in the form of ROS 2."""

from __future__ import annotations

import itertools
import json
import math
import time
from contextlib import ExitStack
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect as open_socket

from bridgehead_conformance.definitions import ACTION, PACKAGE, service_type
from bridgehead_conformance.description import Description
from bridgehead_conformance.transports import Message, NotExpressible, TransportError
from bridgehead_conformance.versions import request_for, response_from


def plain(value: Any) -> Any:
    """Returns a value with null for numbers that JSON cannot express, as rosbridge has it."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def message_of(text: str | bytes) -> Message:
    """Reads what the server sent."""
    try:
        message = json.loads(text)
    except ValueError:
        message = None
    if not isinstance(message, dict):
        raise TransportError(f"the answer is no object of JSON; it begins with {text[:60]!r}")
    return message


class RosbridgeTransport:
    """A connection over rosbridge."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._timeout = description.timeouts.answer
        address = description.addresses.rosbridge
        url = address if "://" in address else f"ws://{address}"
        token = description.addresses.token
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._stack = ExitStack()
        try:
            connection = open_socket(url, additional_headers=headers, proxy=None, max_queue=None, max_size=None)
            self._socket = self._stack.enter_context(connection)
        except (OSError, WebSocketException) as error:
            raise TransportError(f"{url}: {error}") from error
        self._count = itertools.count(1)
        # What arrived for others, by its identifier.
        self._waiting: dict[str, list[Message]] = {}

    def send(self, message: Message) -> None:
        """Sends an operation."""
        try:
            self._socket.send(json.dumps(plain(message)))
        except WebSocketException as error:
            raise TransportError(f"the connection has ended: {error}") from error

    def next(self, key: str, what: str) -> Message:
        """Returns the next operation with this identifier or topic."""
        end = time.monotonic() + self._timeout
        # Wall time: the deadline of an answer, whose lack is reported.
        while not self._waiting.get(key):
            try:
                text = self._socket.recv(timeout=max(0.001, end - time.monotonic()))
            except TimeoutError:
                raise TransportError(f"{what} gave no answer in {self._timeout} s") from None
            except WebSocketException as error:
                raise TransportError(f"the connection has ended: {error}") from error
            message = message_of(text)
            self._waiting.setdefault(str(message.get("id") or message.get("topic")), []).append(message)
        return self._waiting[key].pop(0)

    def identifier(self, what: str) -> str:
        """Returns an identifier that was not used before."""
        return f"{what}-{next(self._count)}"

    def _call(self, name: str, kind: str | None, request: Message) -> Message:
        key = self.identifier("call")
        typed = {"type": kind} if kind else {}
        self.send({"op": "call_service", "id": key, "service": name, "args": request} | typed)
        answer = self.next(key, f"`{name}`")
        if answer["op"] != "service_response" or not answer.get("result", True):
            # Some servers do not accept null in place of a number.
            kind_of_error = TransportError if plain(request) == request else NotExpressible
            raise kind_of_error(f"`{name}`: {answer.get('values') or answer.get('msg')}")
        return dict(answer["values"])

    def call(self, service: str, request: Message) -> Message:
        """Calls a service."""
        return self.call_alias(service, self._description.service(service), request)

    def call_alias(self, service: str, name: str, request: Message) -> Message:
        """Calls a service under another name."""
        version = self._description.standard
        full, kind = self._description.full(name), service_type(service)
        return response_from(version, service, self._call(full, kind, request_for(version, service, request)))

    def send_goal(self, steps: int | None) -> RosbridgeGoal:
        """Sends a goal."""
        return RosbridgeGoal(
            self, self._description.service("simulate_steps"), {} if steps is None else {"steps": steps}
        )

    def offered(self) -> dict[str, str]:
        """Returns the services and actions of the standard, as the node rosapi knows them."""
        found = {}
        for name in self._call("/rosapi/services", None, {})["services"]:
            if "/_action/" not in name and not name.startswith("/rosapi/"):
                kind = self._call("/rosapi/service_type", None, {"service": name})["type"]
                if kind.startswith(f"{PACKAGE}/"):
                    found[name] = kind
        for name in self._call("/rosapi/action_servers", None, {})["action_servers"]:
            kind = self._call("/rosapi/action_type", None, {"action": name})["type"]
            if kind.startswith(f"{PACKAGE}/"):
                found[name] = kind
        return found

    def latest(self, topic: str, kind: str) -> Message:
        """Returns the next message of a topic."""
        key = self.identifier("subscribe")
        self._waiting.pop(topic, None)
        self.send({"op": "subscribe", "id": key, "topic": topic, "type": kind, "queue_length": 1})
        message = dict(self.next(topic, f"`{topic}`")["msg"])
        self.send({"op": "unsubscribe", "id": key, "topic": topic})
        return message

    def another(self) -> RosbridgeTransport:
        """Opens another connection."""
        return RosbridgeTransport(self._description)

    def close(self) -> None:
        """Closes the connection."""
        self._stack.close()


class RosbridgeGoal:
    """A goal that was sent over rosbridge, which tells its acceptance by feedback or a result only."""

    def __init__(self, transport: RosbridgeTransport, action: str, goal: Message) -> None:
        self._transport, self._action = transport, action
        self._key = transport.identifier("goal")
        self._feedback: list[Message] = []
        self._end: tuple[int, Message] | None = None
        self._refusal = ""
        transport.send(
            {
                "op": "send_action_goal",
                "id": self._key,
                "action": action,
                "action_type": ACTION,
                "args": goal,
                "feedback": True,
            }
        )

    def _receive(self) -> None:
        message = self._transport.next(self._key, f"`{self._action}`")
        if message["op"] == "action_feedback":
            self._feedback.append(message["values"])
        elif message["op"] == "action_result" and isinstance(message.get("values"), dict):
            self._end = (int(message["status"]), message["values"])
        else:
            self._refusal = str(message.get("values") or message.get("msg") or "rejected")

    def is_accepted(self) -> bool:
        """Waits for the first feedback or the result."""
        while not (self._feedback or self._end or self._refusal):
            self._receive()
        return not self._refusal

    def feedback(self) -> Message | None:
        """Returns the next feedback, or nothing after the end of the goal."""
        while not (self._feedback or self._end or self._refusal):
            self._receive()
        return self._feedback.pop(0) if self._feedback else None

    def cancel(self) -> None:
        """Cancels the goal."""
        self._transport.send({"op": "cancel_action_goal", "id": self._key, "action": self._action})

    def end(self) -> tuple[int, Message]:
        """Waits for the end."""
        while self._end is None:
            if self._refusal:
                raise TransportError(f"the goal was refused: {self._refusal}")
            self._receive()
        return self._end


def connect(description: Description) -> RosbridgeTransport:
    """Opens the transport."""
    return RosbridgeTransport(description)
