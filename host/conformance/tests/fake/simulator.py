"""The services of the fake for the run and its worlds, and its action."""

from __future__ import annotations

from pathlib import Path

from bridgehead_conformance import standard as std
from bridgehead_conformance.definitions import SERVICES, service_type
from bridgehead_conformance.description import FIXTURES
from fake.entities import Entities, has_tags, xyz
from fake.messages import Message, complete, result
from fake.world import MissingAsset, ParseError, World, file_of, read_world

FORMAT = ".unknown_format"


def uri_of(path: Path) -> str:
    return f"file://{path}"


class FakeSimulator(Entities):
    """A simulator that begins with the main world."""

    def __init__(self, faults: frozenset[str] = frozenset()) -> None:
        super().__init__(faults)
        self.goal: FakeGoal | None = None
        # Steps that run with the next requests, although no goal runs.
        self.further_steps = 0
        self.load(uri_of(FIXTURES / "worlds/main.sdf"), "")

    def call(self, service: str, request: Message) -> Message:
        """Answers a request. While it plays, each request takes a step, and so does one while a goal runs."""
        if self.state == std.PLAYING:
            self.step()
        if self.goal:
            self.goal.run(3)
        if self.further_steps and self.world:
            self.further_steps -= 1
            self.step()
        kind = service_type(service)
        response = getattr(self, service)(complete(f"{kind}_Request", request))
        return complete(f"{kind}_Response", response)

    # Features and states.

    def get_simulator_features(self, _: Message) -> Message:
        numbers = [*std.FEATURES]
        if self.has("feature listed twice"):
            numbers.append(numbers[0])
        if self.has("undefined feature"):
            numbers.append(99)
        return {"features": {"features": numbers, "spawn_formats": ["sdf"], "custom_info": "a fake"}}

    def get_simulation_state(self, _: Message) -> Message:
        return {"state": {"state": self.state}} | result(1)

    def set_simulation_state(self, request: Message) -> Message:
        target, now = request["state"]["state"], self.state
        if target == 77 and self.has("undefined state is accepted"):
            return result(1)
        if target == now:
            is_wrong = (now == std.PLAYING and self.has("playing again succeeds")) * 1
            is_wrong = is_wrong or (now == std.PAUSED and self.has("pausing again is incorrect")) * 103
            return result(is_wrong or 101, "that is the state")
        is_possible = now in (std.STOPPED, std.PLAYING, std.PAUSED) and target in (0, 1, 2)
        if not is_possible and target != std.QUITTING:
            return result(103, "this transition does not exist")
        if (now, target) == (std.STOPPED, std.PAUSED):
            return result(103, "a stopped simulation cannot be paused")
        if target in (std.STOPPED, std.QUITTING) and self.world:
            self.stop()
        self.state = target
        return result(1)

    def stop(self) -> None:
        """Stops and resets."""
        time, spawned = self.time, self.spawned()
        is_playing = self.state == std.PLAYING
        self.reset(7)
        if not is_playing and self.has("stopping a pause keeps the time"):
            self.time = time
        if is_playing and self.has("stopping keeps spawned ones") and self.world:
            self.world.entities |= {one.name: one for one in spawned}

    def spawned(self) -> list:  # type: ignore[type-arg]
        assert self.world is not None
        return [one for one in self.world.entities.values() if one.is_spawned]

    def reset(self, scope: int) -> None:
        """Resets the parts of a scope."""
        assert self.world is not None
        if scope & 4:
            for one in self.spawned():
                del self.world.entities[one.name]
        if scope & 2:
            for one in self.world.entities.values():
                velocity = one.velocity
                one.restore()
                if scope == std.SCOPE_STATE and self.has("reset keeps velocities"):
                    one.velocity = velocity
        if scope & 1 and not (scope == 5 and self.has("combined reset keeps the time")):
            self.time = 0

    def reset_simulation(self, request: Message) -> Message:
        scope = request["scope"] or std.SCOPE_ALL
        if self.world is None:
            return result(3, "there is no world")
        if scope != std.SCOPE_ALL and scope & ~7:
            return result(0, "the scope is not supported")
        self.reset(scope & 7)
        if scope == std.SCOPE_ALL:
            self.state = std.STOPPED
        return result(1)

    # Steps.

    def step_simulation(self, request: Message) -> Message:
        if self.state != std.PAUSED or self.goal:
            is_other = self.state == std.PLAYING and self.has("steps while playing: incorrect state")
            return result(3 if is_other else 4, "the simulation is not paused")
        self.step(request["steps"])
        return result(1)

    # Worlds.

    def load(self, uri: str, text: str, may_lack: bool = False, must_know: bool = False) -> tuple[int, str]:
        """Loads a world; returns result and message."""
        if not uri and not text:
            return (104 if self.has("no world resource is a missing asset") else 102), "there is no resource"
        if uri.endswith(FORMAT):
            return 101, "the format is unknown"
        if uri and not file_of(uri).is_file():
            return 103, f"`{uri}` does not exist"
        try:
            world = read_world(uri, file_of(uri).read_text() if uri else text, may_lack)
        except ParseError as error:
            self.world, self.state = None, std.NO_WORLD
            return 103, str(error)
        except MissingAsset as error:
            return 104, str(error)
        if must_know and world.has_unknown and not self.has("unknown elements are ignored"):
            return 106, "an element is unknown"
        self.world, self.state, self.time, self.deleted = world, std.STOPPED, 0, set()
        return 1, ""

    def load_world(self, request: Message) -> Message:
        resource = request["world_resource"]
        flags = request["ignore_missing_or_unsupported_assets"], request["fail_on_unsupported_element"]
        code, text = self.load(resource["uri"], resource["resource_string"], *flags)
        found = {"world": self.described(self.world)} if code == 1 and self.world else {}
        return result(code, text) | found

    @staticmethod
    def described(world: World) -> Message:
        """The description of a world."""
        resource = {"uri": world.uri}
        return {"name": world.name, "world_resource": resource, "description": world.description, "tags": world.tags}

    def unload_world(self, _: Message) -> Message:
        if self.world is None:
            return result(1 if self.has("unloading again succeeds") else 101, "no world is loaded")
        self.world, self.state = None, std.NO_WORLD
        return result(1)

    def get_current_world(self, _: Message) -> Message:
        if self.world is None:
            return result(101, "no world is loaded")
        return result(1) | {"world": self.described(self.world)}

    def get_available_worlds(self, request: Message) -> Message:
        if request["filter"]["filter_mode"] > 1:
            return result(4, "the mode is unknown")
        may_continue = request["continue_on_error"] and not self.has("continue_on_error is ignored")
        if request["additional_sources"] and not may_continue:
            return result(101, "a source does not exist")
        worlds = [
            read_world(uri_of(path), path.read_text(), True) for path in sorted((FIXTURES / "worlds").glob("*.sdf"))
        ]
        listed = [self.described(one) for one in worlds if has_tags(one.tags, request["filter"])]
        return result(1) | {"worlds": listed}

    def get_spawnables(self, request: Message) -> Message:
        found = []
        for name, size in (("crate", (1.0, 1.0, 1.0)), ("pillar", (0.5, 0.5, 3.0))):
            half = tuple(one / 2 for one in size)
            corners = [xyz(half), xyz(tuple(-one for one in half))]  # type: ignore[arg-type]
            resource = {"uri": uri_of(FIXTURES / "models" / name)}
            found.append(
                {"entity_resource": resource, "description": name, "spawn_bounds": {"type": 1, "points": corners}}
            )
        named = "" if self.has("unknown sources are not named") else ", ".join(request["sources"])
        return {"result": {"result": 1, "error_message": named}, "spawnables": found}

    # Named poses.

    def get_named_poses(self, request: Message) -> Message:
        if self.world is None:
            return result(3, "there is no world")
        if request["tags"]["filter_mode"] > 1:
            return result(4, "the mode is unknown")
        found = [one for one in self.world.poses if has_tags(one["tags"], request["tags"])]
        return result(1) | {"poses": [{key: value for key, value in one.items() if key != "box"} for one in found]}

    def get_named_pose_bounds(self, request: Message) -> Message:
        poses = {one["name"]: one for one in self.world.poses} if self.world else {}
        if request["name"] not in poses:
            is_wrong = request["name"] and self.state == std.STOPPED and self.has("unknown pose is a failure")
            return result(4 if is_wrong else 2, "there is no such pose")
        box = poses[request["name"]]["box"]
        half = [one / 2 for one in box or (0.0, 0.0, 0.0)]
        points = [dict(zip("xyz", half, strict=True)), {axis: -one for axis, one in zip("xyz", half, strict=True)}]
        return result(1) | {"bounds": {"type": 1, "points": points} if box else {"type": 0}}

    def offered(self) -> dict[str, str]:
        """The services and the action, unless it has quit."""
        if self.state == std.QUITTING:
            return {}
        found = {f"/{name}": service_type(name) for name in SERVICES} | {
            "/simulate_steps": "simulation_interfaces/action/SimulateSteps"
        }
        if self.has("wrong type"):
            found["/get_spawnables"] = "simulation_interfaces/srv/GetEntities"
        return found


class FakeGoal:
    """A goal, run as its client looks at it."""

    def __init__(self, simulator: FakeSimulator, steps: int) -> None:
        self._simulator, self._steps, self._done = simulator, steps, 0
        self._feedback: list[Message] = []
        self._status = 0
        self._accepted = simulator.goal is None
        if simulator.state != std.PAUSED:
            self._status = std.ABORTED
        elif self._accepted:
            simulator.goal = self

    def run(self, steps: int) -> None:
        """Runs some steps."""
        for _ in range(min(steps, self._steps - self._done)):
            self._simulator.step()
            self._done += 1
            left = self._steps - self._done + self._simulator.has("remaining steps are wrong") * 1
            self._feedback.append({"completed_steps": self._done, "remaining_steps": left})
        if self._done == self._steps:
            self._finish(std.SUCCEEDED)

    def _finish(self, status: int) -> None:
        self._status = self._status or status
        if self._simulator.goal is self:
            self._simulator.goal = None

    def is_accepted(self) -> bool:
        return self._accepted

    def feedback(self) -> Message | None:
        if not self._feedback and not self._status:
            self.run(1)
        return self._feedback.pop(0) if self._feedback else None

    def cancel(self) -> None:
        self._simulator.further_steps = 2 * self._simulator.has("cancelled goals go on")
        self._finish(std.CANCELED)

    def end(self) -> tuple[int, Message]:
        while not self._status:
            self.run(1000)
        return self._status, result(4 if self._status == std.ABORTED else 1, "the simulation is not paused")
