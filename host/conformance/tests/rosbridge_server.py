"""A rosbridge server on the fake, in a thread: as much of the protocol as the transport uses."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.server import ServerConnection, serve

from bridgehead_conformance.definitions import ACTION
from fake.simulator import FakeGoal, FakeSimulator
from fake.transport import FakeTransport

# More steps than a goal has that ends at once.
LONG = 1000


def with_numbers(value: Any) -> Any:
    """A request in which null stands for a number that is not finite."""
    if isinstance(value, dict):
        return {key: with_numbers(one) for key, one in value.items()}
    if isinstance(value, list):
        return [with_numbers(one) for one in value]
    return math.nan if value is None else value


class Server:
    """Answers operations of all clients, one after another."""

    def __init__(self, simulator: FakeSimulator, refuses_null: bool = False) -> None:
        self.refuses_null = refuses_null
        self.transport = FakeTransport(simulator)
        self.simulator = simulator
        self.goals: dict[str, FakeGoal] = {}
        self.lock = threading.Lock()

    def serve(self, connection: ServerConnection) -> None:
        for text in connection:
            with self.lock:
                for answer in self.answers(json.loads(text)):
                    connection.send(json.dumps(answer))

    def answers(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield from getattr(self, message["op"])(message)

    def call_service(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        name, request = message["service"], with_numbers(message["args"])
        answer = {"op": "service_response", "id": message["id"], "service": name}
        if name.startswith("/rosapi/"):
            yield answer | {"values": self.rosapi(name.removeprefix("/rosapi/"), request), "result": True}
            return
        service = name.rpartition("/")[2].replace("get_simulation_features", "get_simulator_features")
        if self.refuses_null and "null" in json.dumps(message["args"]):
            yield answer | {"values": "null is no number", "result": False}
            return
        if not self.simulator.offered():
            yield answer | {"values": "the simulator has ended", "result": False}
            return
        yield answer | {"values": self.simulator.call(service, request), "result": True}

    def rosapi(self, question: str, request: dict[str, Any]) -> dict[str, Any]:
        offered = self.simulator.offered()
        services = [name for name, kind in offered.items() if "/srv/" in kind]
        answers: dict[str, Any] = {
            "services": lambda: {"services": [*services, "/rosapi/services", "/simulate_steps/_action/send_goal"]},
            "service_type": lambda: {"type": offered[request["service"]]},
            "action_servers": lambda: {"action_servers": ["/simulate_steps"] * bool(offered)},
            "action_type": lambda: {"type": offered[request["action"]]},
        }
        found: dict[str, Any] = answers[question]()
        return found

    def subscribe(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        content = self.transport.latest(message["topic"], message["type"])
        yield {"op": "publish", "topic": message["topic"], "msg": content}

    def unsubscribe(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        assert message["topic"] == "/clock"
        yield from ()

    def send_action_goal(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        assert (message["action_type"], message["feedback"]) == (ACTION, True)
        steps = message["args"].get("steps", 0)
        goal = FakeGoal(self.simulator, steps)
        key, action = {"id": message["id"]}, {"action": message["action"]}
        if not goal.is_accepted():
            yield {"op": "action_result", "values": "another goal runs", "status": 6, "result": False} | key | action
            return
        self.goals[message["id"]] = goal
        count = 1 if steps > LONG else steps
        for _ in range(count):
            if (feedback := goal.feedback()) is not None:
                yield {"op": "action_feedback", "values": feedback} | key | action
        if steps <= LONG:
            yield self.result(message["id"]) | action

    def result(self, key: str) -> dict[str, Any]:
        status, result = self.goals.pop(key).end()
        return {"op": "action_result", "id": key, "values": result, "status": status, "result": True}

    def cancel_action_goal(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        self.goals[message["id"]].cancel()
        yield self.result(message["id"])


@contextmanager
def serving(simulator: FakeSimulator, refuses_null: bool = False) -> Iterator[str]:
    """Serves the fake; gives the address."""
    with serve(Server(simulator, refuses_null).serve, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        host, port = server.socket.getsockname()[:2]
        yield f"{host}:{port}"
        server.shutdown()
        thread.join()
