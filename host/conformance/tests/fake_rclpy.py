"""Modules that stand for rclpy and rosidl_runtime_py: as much of their interface as the transport uses, on the fake.

A message is an object with the fields of a dictionary.
"""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

from fake.messages import FIELDS, complete
from fake.simulator import FakeGoal, FakeSimulator
from fake.transport import FakeTransport


class Future:
    """A result that is there, or that a call of `spin` makes."""

    def __init__(self, make: Any = None) -> None:
        self._make, self._value, self._is_done = make, None, False

    def set_result(self, value: Any) -> None:
        self._value, self._is_done = value, True

    def spin(self) -> None:
        if not self._is_done and self._make:
            self.set_result(self._make())

    def done(self) -> bool:
        return self._is_done

    def result(self) -> Any:
        assert self._is_done
        return self._value


class Message:
    """A message of ROS, or a request, response or goal."""

    def __init__(self, kind: str, **values: Any) -> None:
        self.kind, self.values = kind, complete(kind, values)


def message_to_ordereddict(message: Any) -> Any:
    return message.values


def set_message_fields(message: Message, values: dict[str, Any]) -> None:
    message.values = complete(message.kind, values)


def of_service(kind: str) -> Any:
    assert f"{kind}_Request" in FIELDS
    return SimpleNamespace(kind=kind, Request=lambda: Message(f"{kind}_Request"))


class Node:
    """A node of the fake graph."""

    def __init__(self, simulator: FakeSimulator) -> None:
        self.simulator, self.transport = simulator, FakeTransport(simulator)
        self.subscriptions: list[Any] = []

    def create_client(self, kind: Any, name: str) -> Any:
        service = name.rpartition("/")[2].replace("get_simulation_features", "get_simulator_features")
        return SimpleNamespace(
            wait_for_service=lambda timeout_sec: name in self.simulator.offered() or name.endswith("_features"),
            call_async=lambda request: Future(
                lambda: Message(f"{kind.kind}_Response", **self.transport.call(service, request.values))
            ),
        )

    def get_service_names_and_types(self) -> list[tuple[str, list[str]]]:
        names = [(name, [kind]) for name, kind in self.simulator.offered().items() if "/srv/" in kind]
        return [*names, ("/simulate_steps/_action/send_goal", ["simulation_interfaces/action/SimulateSteps_SendGoal"])]

    def create_subscription(self, kind: str, topic: str, callback: Any, qos: str) -> Any:
        assert qos == "sensor data"
        callback(Message(kind, **self.transport.latest(topic, kind)))
        return topic

    def destroy_subscription(self, subscription: Any) -> None:
        assert subscription == "/clock"

    def destroy_node(self) -> None:
        self.simulator = None  # type: ignore[assignment]


class Handle:
    """The handle of a goal."""

    def __init__(self, goal: FakeGoal, feedback: Any) -> None:
        self._goal, self._feedback = goal, feedback
        self.accepted = goal.is_accepted()

    def _end(self) -> Any:
        while (message := self._goal.feedback()) is not None:
            self._feedback(SimpleNamespace(feedback=SimpleNamespace(values=message)))
        status, result = self._goal.end()
        return SimpleNamespace(status=status, result=SimpleNamespace(values=result))

    def get_result_async(self) -> Future:
        return pending(Future(self._end))

    def cancel_goal_async(self) -> Future:
        return Future(self._goal.cancel)


PENDING: list[Future] = []


def pending(future: Future) -> Future:
    PENDING.append(future)
    return future


class ActionClient:
    """A client of the action."""

    def __init__(self, node: Node, kind: Any, name: str) -> None:
        assert name == "/simulate_steps"
        self._node = node

    def wait_for_server(self, timeout_sec: float) -> bool:
        return True

    def send_goal_async(self, goal: Any, feedback_callback: Any) -> Future:
        sent = FakeGoal(self._node.simulator, goal.steps)
        return Future(lambda: Handle(sent, feedback_callback))


class Executor:
    """An executor of the fake graph."""

    def __init__(self, context: Any) -> None:
        self.nodes: list[Node] = []

    def add_node(self, node: Node) -> None:
        self.nodes.append(node)

    def spin_until_future_complete(self, future: Future, timeout_sec: float) -> None:
        future.spin()

    def spin_once(self, timeout_sec: float) -> None:
        while PENDING:
            PENDING.pop().spin()

    def shutdown(self) -> None:
        self.nodes.clear()


def modules(simulator: FakeSimulator) -> dict[str, ModuleType]:
    """The modules on a simulator."""
    found: dict[str, dict[str, Any]] = {
        "rclpy": {
            "Context": SimpleNamespace,
            "Future": Future,
            "init": lambda context, domain_id: None,
            "shutdown": lambda context: None,
            "create_node": lambda name, context: Node(simulator),
        },
        "rclpy.action": {
            "ActionClient": ActionClient,
            "get_action_names_and_types": lambda node: (
                [("/simulate_steps", ["simulation_interfaces/action/SimulateSteps"])] * bool(node.simulator.offered())
            ),
        },
        "rclpy.executors": {"SingleThreadedExecutor": Executor},
        "rclpy.qos": {"qos_profile_sensor_data": "sensor data"},
        "rosidl_runtime_py": {},
        "rosidl_runtime_py.convert": {"message_to_ordereddict": message_to_ordereddict},
        "rosidl_runtime_py.set_message": {"set_message_fields": set_message_fields},
        "rosidl_runtime_py.utilities": {
            "get_service": of_service,
            "get_action": lambda kind: SimpleNamespace(Goal=lambda steps: SimpleNamespace(steps=steps)),
            "get_message": lambda kind: kind,
        },
    }
    made = {}
    for name, members in found.items():
        module = ModuleType(name)
        for member, value in members.items():
            setattr(module, member, value)
        made[name] = module
    for name in ("action", "executors", "qos"):
        setattr(made["rclpy"], name, made[f"rclpy.{name}"])
    return made


def install(simulator: FakeSimulator, monkeypatch: Any) -> None:
    """Makes the modules importable."""
    PENDING.clear()
    for name, module in modules(simulator).items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "bridgehead_conformance.transports.ros", raising=False)
