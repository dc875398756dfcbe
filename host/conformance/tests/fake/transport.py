"""The fake as a transport, and its description."""

from __future__ import annotations

import dataclasses
import threading
from pathlib import Path

from bridgehead_conformance.description import Description, Timeouts, load
from bridgehead_conformance.transports import Message, TransportError
from fake.simulator import FakeGoal, FakeSimulator


def description() -> Description:
    """The description of the fake: it has the worlds of the example."""
    example = load(Path("bridgehead"))
    return dataclasses.replace(
        example,
        name="Fake",
        standard="2.2.0",
        aliases={"get_simulator_features": "get_simulation_features"},
        timeouts=Timeouts(answer=2.0, observe=0.001),
    )


class FakeTransport:
    """A connection to the fake."""

    def __init__(self, simulator: FakeSimulator, lock: threading.Lock | None = None) -> None:
        self.simulator = simulator
        self._lock = lock or threading.Lock()

    def call(self, service: str, request: Message) -> Message:
        with self._lock:
            if not self.simulator.offered():
                raise TransportError("the simulator has ended")
            return self.simulator.call(service, request)

    def call_alias(self, service: str, name: str, request: Message) -> Message:
        assert name == "get_simulation_features"
        return self.call(service, request)

    def send_goal(self, steps: int | None) -> FakeGoal:
        return FakeGoal(self.simulator, steps or 0)

    def offered(self) -> dict[str, str]:
        return self.simulator.offered()

    def latest(self, topic: str, kind: str) -> Message:
        assert (topic, kind) == ("/clock", "rosgraph_msgs/msg/Clock")
        time = self.simulator.time - 10**9 * self.simulator.has("clock is behind")
        return {"clock": {"sec": time // 10**9, "nanosec": time % 10**9}}

    def another(self) -> FakeTransport:
        return FakeTransport(self.simulator, self._lock)

    def close(self) -> None:
        pass
