"""The transport over HTTP with JSON, as Bridgehead serves it: `POST /api/<service>`, and `/ws` for topics."""

from __future__ import annotations

import http.client
import json
import math
import select
import time
from contextlib import ExitStack
from typing import Any

from bridgehead_conformance.definitions import PACKAGE
from bridgehead_conformance.description import Description
from bridgehead_conformance.transports import Message, NotExpressible, TransportError
from bridgehead_conformance.versions import request_for, response_from

# The numbers of the states of a goal that has ended.
ENDED = (4, 5, 6)


def plain(value: Any) -> Any:
    """Returns a value with numbers that JSON cannot express as texts."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _message(body: Any) -> str:
    """Returns what an answer says about an error, in one line."""
    found = body.get("message") or body.get("error") or body if isinstance(body, dict) else body
    return " ".join(str(found).split())[:200]


class HttpTransport:
    """A connection over HTTP."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._address = description.addresses.http.removeprefix("http://").rstrip("/")
        self._timeout = description.timeouts.answer
        self._connection = http.client.HTTPConnection(self._address, timeout=self._timeout)
        self._headers = {"Content-Type": "application/json"}
        if description.addresses.token:
            self._headers["Authorization"] = f"Bearer {description.addresses.token}"

    def exchange(self, method: str, path: str, body: Message | None = None) -> tuple[int, Any]:
        """Sends a request and returns the status and the body of the answer."""
        text = None if body is None else json.dumps(plain(body))
        try:
            self._open()
            self._connection.request(method, path, text, self._headers)
            answer = self._connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise TransportError(f"{method} http://{self._address}{path}: {error or type(error).__name__}") from error
        try:
            return answer.status, json.loads(content or b"null")
        except ValueError:
            begin = content[:60].decode(errors="replace")
            text = f"the answer, with status {answer.status}, is not JSON; it begins with {begin!r}"
            raise TransportError(f"{method} http://{self._address}{path}: {text}") from None

    def _open(self) -> None:
        """Opens the connection again if the server has closed it, which servers do after a while without requests."""
        if self._connection.sock is not None and select.select([self._connection.sock], [], [], 0)[0]:
            self._connection.close()

    def call(self, service: str, request: Message) -> Message:
        """Calls a service."""
        return self.call_alias(service, self._description.service(service), request)

    def call_alias(self, service: str, name: str, request: Message) -> Message:
        """Calls a service under another name."""
        version = self._description.standard
        path = "/api" + self._description.full(name)
        status, body = self.exchange("POST", path, request_for(version, service, request))
        if status == 404:
            raise TransportError(f"`{path}` is not served (status 404); is `prefix` in the description right?")
        if status != 200:
            raise TransportError(f"`{path}`: status {status}: {_message(body)}")
        if not isinstance(body, dict):
            raise TransportError(f"`{path}`: the answer is no object of JSON: {str(body)[:60]}")
        return response_from(version, service, body)

    def send_goal(self, steps: int | None) -> HttpGoal:
        """Sends a goal."""
        return HttpGoal(self, self._description, {} if steps is None else {"steps": steps})

    def offered(self) -> dict[str, str]:
        """Returns the services and actions of the standard."""
        _, body = self.exchange("GET", "/api")
        every = [*body["services"], *body["actions"]]
        return {"/" + one["name"].lstrip("/"): one["type"] for one in every if one["type"].startswith(f"{PACKAGE}/")}

    def latest(self, topic: str, kind: str) -> Message:
        """Returns the next message of a topic."""
        del kind
        with self.subscribe(f"topic:{topic}") as events:
            return dict(events.next()["data"]["message"])

    def subscribe(self, what: str) -> Events:
        """Opens a subscription."""
        return Events(self._address, self._headers, what, self._timeout)

    def another(self) -> HttpTransport:
        """Opens another connection."""
        return HttpTransport(self._description)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()


class Events:
    """A subscription over the WebSocket."""

    def __init__(self, address: str, headers: dict[str, str], what: str, timeout: float) -> None:
        try:
            from websockets.exceptions import WebSocketException
            from websockets.sync.client import connect as open_socket
        except ModuleNotFoundError as error:
            raise NotExpressible(f"topics and feedback need `{error.name}`: install the extra [http]") from error

        more = {name: text for name, text in headers.items() if name == "Authorization"}
        self._stack = ExitStack()
        try:
            connection = open_socket(f"ws://{address}/ws", additional_headers=more, proxy=None, max_queue=None)
        except (OSError, WebSocketException) as error:
            raise TransportError(f"ws://{address}/ws: {error}") from error
        self._socket = self._stack.enter_context(connection)
        self._what, self._timeout = what, timeout
        self._socket.send(json.dumps({"op": "subscribe", "what": what}))
        while self._receive().get("op") != "subscribed":
            pass

    def __enter__(self) -> Events:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the WebSocket."""
        self._stack.close()

    def _receive(self) -> Message:
        try:
            return dict(json.loads(self._socket.recv(timeout=self._timeout)))
        except TimeoutError:
            raise TransportError(f"nothing arrived from `{self._what}` in {self._timeout} s") from None

    def next(self) -> Message:
        """Returns the next event."""
        while True:
            event = self._receive()
            if event.get("op") == "error":
                raise TransportError(f"`{self._what}`: {event}")
            if event.get("op") == "event" and event["what"] == self._what:
                return event


class HttpGoal:
    """A goal that was sent over HTTP."""

    def __init__(self, transport: HttpTransport, description: Description, goal: Message) -> None:
        self._transport, self._timeout = transport, description.timeouts.answer
        self._path = "/api" + description.service("simulate_steps")
        self._events = transport.subscribe("feedback")
        status, self._sent = transport.exchange("POST", self._path, goal)
        if status != 200:
            raise TransportError(f"simulate_steps: status {status}: {_message(self._sent)}")

    def is_accepted(self) -> bool:
        """Returns whether the goal was accepted."""
        return bool(self._sent["accepted"])

    def feedback(self) -> Message | None:
        """Returns the next feedback, or nothing after the end of the goal."""
        while True:
            event = self._events.next()["data"]
            if event.get("goal_id") != self._sent["goal_id"]:
                continue
            if "completed_steps" in event:
                return {name: event[name] for name in ("completed_steps", "remaining_steps")}
            if event["status_code"] in ENDED:
                return None

    def cancel(self) -> None:
        """Cancels the goal."""
        self._transport.exchange("DELETE", f"{self._path}/{self._sent['goal_id']}")

    def end(self) -> tuple[int, Message]:
        """Waits for the end."""
        end = time.monotonic() + self._timeout
        # Wall time: the deadline of an answer, whose lack is reported.
        while time.monotonic() < end:
            _, body = self._transport.exchange("GET", f"{self._path}/{self._sent['goal_id']}?wait=5")
            if body["status_code"] in ENDED:
                self._events.close()
                return int(body["status_code"]), {"result": body["result"]}
        raise TransportError(f"the goal did not end in {self._timeout} s")


def connect(description: Description) -> HttpTransport:
    """Opens the transport."""
    return HttpTransport(description)
