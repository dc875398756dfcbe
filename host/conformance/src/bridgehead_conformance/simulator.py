"""What cases do with a simulator: requests with expected results, states to begin in, and comparisons of values."""

from __future__ import annotations

import math
import time
from typing import Any, TypeVar

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Mismatch, Undescribed
from bridgehead_conformance.description import Description, Model, NamedPose, World
from bridgehead_conformance.transports import Goal, Message, Transport

# Features that a state of the beginning needs.
START_NEEDS = {
    "any": frozenset[int](),
    "stopped": frozenset[int](),
    "playing": frozenset({24, 25}),
    "paused": frozenset({24, 25, 26}),
    "no world": frozenset({43, 40}),
}
STATE_OF = {"stopped": std.STOPPED, "playing": std.PLAYING, "paused": std.PAUSED, "no world": std.NO_WORLD}
_Described = TypeVar("_Described")
Point = tuple[float, float, float]


def xyz(x: float, y: float, z: float) -> Message:
    """A vector."""
    return {"x": x, "y": y, "z": z}


def pose(x: float, y: float, z: float) -> Message:
    """A pose without rotation."""
    return {"position": xyz(x, y, z), "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}}


def point(vector: Message) -> Point:
    """The numbers of a vector."""
    return (vector["x"], vector["y"], vector["z"])


def check(is_right: object, text: str) -> None:
    """Fails the case unless a condition is true."""
    if not is_right:
        raise Mismatch(text)


def ordered(value: object) -> object:
    """Returns a sorted list in place of a set, so that the same answer has the same text in every run."""
    return sorted(value, key=str) if isinstance(value, set | frozenset) else value


def equal(found: object, expected: object, what: str) -> None:
    """Fails the case unless two values are equal."""
    check(found == expected, f"{what}: found {ordered(found)!r}, expected {ordered(expected)!r}")


def near(found: Point, expected: Point, what: str, tolerance: float = 1e-3) -> None:
    """Fails the case unless two vectors are equal within a tolerance."""
    is_near = all(abs(one - other) <= tolerance for one, other in zip(found, expected, strict=True))
    check(is_near, f"{what}: found {found}, expected {expected} within {tolerance}")


class Simulator:
    """A simulator that is tested, with the features that it declares."""

    def __init__(self, transport: Transport, description: Description) -> None:
        self.transport, self.description = transport, description
        self.answers: dict[str, str] = {}
        # The simulated time of a stopped simulation.
        self.begin_ns = 0
        # What the simulator says about itself.
        self.report: Message = transport.call("get_simulator_features", {})["features"]
        self.features = frozenset(int(number) for number in self.report["features"])

    # Requests.

    def call(self, service: str, request: Message | None = None) -> Message:
        """Returns the response with any result."""
        return self.transport.call(service, request or {})

    def code(self, service: str, request: Message | None = None) -> int:
        """Returns the result of a request."""
        return int(self.call(service, request)["result"]["result"])

    def expect(self, codes: int | tuple[int, ...], service: str, request: Message | None = None) -> Message:
        """Returns the response; fails the case unless its result is one of these."""
        response = self.call(service, request)
        expected = codes if isinstance(codes, tuple) else (codes,)
        self.check_result(service, request, response["result"], expected)
        return response

    def check_result(self, service: str, request: object, result: Message, expected: tuple[int, ...]) -> None:
        """Fails the case unless a result is one of these."""
        if result["result"] not in expected:
            names = " or ".join(std.result_name(service, code) for code in expected)
            found = std.result_name(service, result["result"])
            raise Mismatch(f"{service} {request or {}}: found {found} {result['error_message']!r}, expected {names}")

    def ok(self, service: str, request: Message | None = None) -> Message:
        """Returns the response; fails the case unless the result is OK."""
        return self.expect(std.OK, service, request)

    def refused(self, service: str, request: Message | None = None) -> Message:
        """Returns the response; fails the case if the result is OK."""
        response = self.call(service, request)
        check(response["result"]["result"] != std.OK, f"{service} {request or {}}: found OK, expected a refusal")
        return response

    def record(self, question: str, answer: object) -> None:
        """Records an answer to a question that the standard leaves open."""
        self.answers[question] = str(answer)

    def record_code(self, question: str, service: str, request: Message | None = None) -> int:
        """Records the result of a request."""
        code = self.code(service, request)
        self.record(question, std.result_name(service, code))
        return code

    def has(self, *features: int) -> bool:
        """Returns whether all of these features are declared."""
        return self.features.issuperset(features)

    # The state.

    def state(self) -> int:
        """Returns the number of the state."""
        return int(self.ok("get_simulation_state")["state"]["state"])

    def set_state(self, state: int, code: int = std.OK) -> None:
        """Requests a state and expects this result."""
        self.expect(code, "set_simulation_state", {"state": {"state": state}})

    def expect_state(self, state: int) -> None:
        """Fails the case unless this is the state."""
        equal(std.STATES.get(self.state()), std.STATES[state], "the state")

    def load(self, world: str) -> Message:
        """Loads a world of the description."""
        return self.ok("load_world", {"world_resource": {"uri": self.world(world).uri}})

    def prepare(self, start: str) -> None:
        """Brings the simulator to the state in which a case begins, with the main world as it was loaded."""
        if start == "any":
            return
        if self.has(24, 25) and self.state() in (std.PLAYING, std.PAUSED):
            self.set_state(std.STOPPED)
        if start == "no world":
            if not self.has(24) or self.state() != std.NO_WORLD:
                self.ok("unload_world")
            return
        self._restore()
        if self.has(10) and self.description.entities.static:
            self.begin_ns = self.time_ns()
        if start in ("playing", "paused"):
            self.set_state(std.PLAYING)
        if start == "paused":
            self.set_state(std.PAUSED)

    def _restore(self) -> None:
        if self.has(40):
            self.load("main")
        elif self.has(20):
            self.ok("reset_simulation", {"scope": std.SCOPE_ALL})
            if self.has(24, 25) and self.state() != std.STOPPED:
                self.set_state(std.STOPPED)

    # The description.

    def world(self, name: str) -> World:
        """Returns a world of the description."""
        return self._described(self.description.worlds.get(name), f"[worlds.{name}]")

    def model(self, name: str = "main") -> Model:
        """Returns a model of the description."""
        return self._described(self.description.models.get(name), f"[models.{name}]")

    def named_pose(self) -> NamedPose:
        """Returns a named pose of the main world."""
        poses = self.description.named_poses
        return self._described(poses[0] if poses else None, "[[named_poses]]")

    def entity(self, role: str) -> str:
        """Returns the name of an entity of the main world: `dynamic`, `other` or `static`."""
        name: str = getattr(self.description.entities, role)
        return self._described(name, f"`{role}` in [entities]")

    @staticmethod
    def _described(value: _Described | None, what: str) -> _Described:
        if not value:
            raise Undescribed(what)
        return value

    # Time.

    def time_ns(self) -> int:
        """Returns the simulated time: the stamp of the state of an entity."""
        stamp = self.state_of(self.entity("static"))["header"]["stamp"]
        return int(stamp["sec"]) * 1_000_000_000 + int(stamp["nanosec"])

    def step(self, steps: int = 1) -> None:
        """Runs steps of a paused simulation."""
        self.ok("step_simulation", {"steps": steps})

    def step_ns(self) -> int:
        """Returns the time that a step takes, measured with one step."""
        before = self.time_ns()
        self.step(1)
        return self.time_ns() - before

    def wait_for(self, what: str, condition: Any) -> None:
        """Waits until a condition is true; fails the case after the time of an answer."""
        end = time.monotonic() + self.description.timeouts.answer
        # Wall time: the deadline of a poll, whose failure is reported.
        while not condition():
            check(time.monotonic() < end, f"{what}: not within {self.description.timeouts.answer} s")
            time.sleep(0.002)

    def wait_for_steps(self) -> None:
        """Waits until a playing simulation has advanced."""
        begin = self.time_ns()
        self.wait_for("the time advances", lambda: self.time_ns() > begin)

    def observe(self) -> None:
        """Lets wall time pass, to show that nothing happens."""
        time.sleep(self.description.timeouts.observe)

    # Entities.

    def entities(self, filters: Message | None = None) -> list[str]:
        """Returns the sorted names of the entities that match."""
        return sorted(self.ok("get_entities", {"filters": filters or {}})["entities"])

    def state_of(self, entity: str) -> Message:
        """Returns the state of an entity."""
        return dict(self.ok("get_entity_state", {"entity": entity})["state"])

    def position_of(self, entity: str) -> Point:
        """Returns the position of an entity."""
        return point(self.state_of(entity)["pose"]["position"])

    def velocity_of(self, entity: str) -> Point:
        """Returns the linear velocity of an entity."""
        return point(self.state_of(entity)["twist"]["linear"])

    def set_entity(self, entity: str, state: Message, *parts: str, code: int = std.OK) -> None:
        """Sets parts of the state of an entity: `pose`, `twist`, `acceleration`."""
        flags = {f"set_{part}": part in parts for part in ("pose", "twist", "acceleration")}
        self.expect(code, "set_entity_state", {"entity": entity, "state": state} | flags)

    def place(self, entity: str, x: float, y: float, z: float) -> None:
        """Sets the position of an entity."""
        self.set_entity(entity, {"pose": pose(x, y, z)}, "pose")

    def spawning(self, name: str = "c1", at: Point = (1.0, 2.0, 3.0), **other: Any) -> Message:
        """Returns a request to spawn the main model."""
        return {
            "name": name,
            "allow_renaming": False,
            "entity_resource": {"uri": self.model().uri, "resource_string": ""},
            "initial_pose": {"pose": pose(*at)},
        } | other

    def spawn(self, name: str = "c1", at: Point = (1.0, 2.0, 3.0), **other: Any) -> str:
        """Spawns the main model and returns the name of the entity."""
        return str(self.ok("spawn_entity", self.spawning(name, at, **other))["entity_name"])

    def from_text(self, text: str, name: str = "c1") -> Message:
        """Returns a request to spawn a text of the description."""
        resource = {"uri": "", "resource_string": self.description.text(text)}
        return self.spawning(name, entity_resource=resource)

    def spawn_refused(self, codes: int | tuple[int, ...], request: Message) -> Message:
        """Fails the case unless a spawn is refused with this result and has no effect."""
        before = self.entities()
        response = self.expect(codes, "spawn_entity", request)
        equal(self.entities(), before, "the entities after a refused spawn")
        return response

    def describe(self, entity: str, category: int = std.OBJECT, tags: tuple[str, ...] = ()) -> None:
        """Sets the info of an entity."""
        info = {"category": {"category": category}, "description": "described", "tags": list(tags)}
        self.ok("set_entity_info", {"entity": entity, "info": info})

    # The action.

    def goal(self, steps: int | None) -> Goal:
        """Sends a goal to `simulate_steps`."""
        return self.transport.send_goal(steps)

    def end_of(self, goal: Goal, status: int, code: int) -> Message:
        """Waits for the end of a goal and expects its status and result."""
        found, result = goal.end()
        equal(found, status, "the status of the goal")
        self.check_result("simulate_steps", None, result["result"], (code,))
        return result


def close_to(value: float, expected: float, share: float, what: str) -> None:
    """Fails the case unless a number is within a share of the expected one."""
    is_close = math.isclose(value, expected, rel_tol=share, abs_tol=1e-9)
    check(is_close, f"{what}: found {value}, expected {expected} within {share:.0%}")
