"""A client of a running host."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import quote

from bridgehead._address import Address
from bridgehead._answers import response_of
from bridgehead._async.http import Answer, AsyncConnections
from bridgehead._async.io import sleep
from bridgehead._async.services import AsyncServices
from bridgehead._async.subscription import AsyncSubscription
from bridgehead._codec import to_json
from bridgehead._requests import pose_of, resource_of
from bridgehead.errors import BridgeheadError, ClientCode
from bridgehead.events import Event
from bridgehead.goals import Goal
from bridgehead.messages import simulation_interfaces as standard

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from enum import IntEnum
    from types import TracebackType

    from bridgehead.messages.geometry_msgs import PoseStamped

R = TypeVar("R")

# How often a goal is asked for its progress if somebody observes it, seconds.
PROGRESS = 0.1
# How often the host is asked whether a world is loaded, seconds.
POLL = 0.02
# States of the lifecycle before plugins are ready.
STARTING = frozenset({"Loading", "Connect", "Probe", "Start"})


class AsyncClient(AsyncServices):
    """A client of a running host.

    Every service and action of the host is a method with the names and units of ROS; further methods combine them.

    Args:
        address: `HOST:PORT` or `http://HOST:PORT`.
        token: Token of the host; one that other machines can reach requires it.
        timeout: Wall time for the answer of a request, seconds.
        names: New names of services that the configuration of the host renames, by their usual names.

    """

    def __init__(
        self,
        address: str = "127.0.0.1:8090",
        *,
        token: str | None = None,
        timeout: float = 60.0,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self._address = Address.parse(address)
        self._token = token
        self._timeout = timeout
        self._names = dict(names or {})
        self._connections = AsyncConnections(self._address, token)

    @property
    def address(self) -> str:
        """`HOST:PORT` of the host."""
        return str(self._address)

    async def _call(
        self,
        service: str,
        request: dict[str, Any],
        response: type[R],
        codes: type[IntEnum] | None,
        timeout: float | None,
    ) -> R:
        name = self._names.get(service, service)
        answer = await self._send("POST", f"/api/{quote(name)}", request, timeout)
        return response_of(service, answer.status, answer.body, response, codes)

    async def _action(
        self,
        method: str,
        action: str,
        path: str,
        body: dict[str, Any] | None,
        kind: type[R],
        timeout: float | None,
        wait: float = 0.0,
    ) -> R:
        name = self._names.get(action, action)
        limit = self._timeout + wait if timeout is None else timeout
        answer = await self._send(method, f"/api/{quote(name)}{path}", body, limit)
        return response_of(action, answer.status, answer.body, kind)

    async def _send(self, method: str, target: str, body: dict[str, Any] | None, timeout: float | None) -> Answer:
        content = None
        if body is not None:
            try:
                members = {name: to_json(value) for name, value in body.items() if value is not None}
                content = json.dumps(members, allow_nan=False).encode()
            except (TypeError, ValueError) as error:
                raise BridgeheadError(ClientCode.VALUE_INVALID, f"{target}: {error}") from error
        limit = self._timeout if timeout is None else timeout
        return await self._connections.request(method, target, content, limit)

    async def load(self, world: str | os.PathLike[str], *, timeout: float | None = None) -> standard.WorldResource:
        """Loads a world: a file, a URI or the text of an SDF file.

        Returns when it is loaded.
        """
        loaded = await self.load_world(resource_of(world), timeout=timeout)
        return loaded.world

    async def spawn(
        self,
        model: str | os.PathLike[str],
        name: str = "",
        *,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        rpy: Sequence[float] = (0.0, 0.0, 0.0),
        pose: PoseStamped | None = None,
        namespace: str = "",
        allow_renaming: bool = False,
        timeout: float | None = None,
    ) -> str:
        """Spawns a model and return the name of its entity.

        Args:
            model: A file, a URI such as `model://crate`, or the text of an SDF file.
            name: Name of the entity; without it, that of the model.
            position: Position in the world, metres.
            rpy: Roll, pitch and yaw, radians.
            pose: Pose in any frame, instead of `position` and `rpy`.
            namespace: Namespace of its topics.
            allow_renaming: Whether another name is given if this one is taken.
            timeout: Wall time for the answer, seconds; without it, the time of the client.

        """
        initial = pose or pose_of(position, rpy)
        spawned = await self.spawn_entity(name, allow_renaming, resource_of(model), namespace, initial, timeout=timeout)
        return spawned.entity_name

    async def step(self, steps: int = 1, *, timeout: float | None = None) -> None:
        """Runs steps of a paused simulation. Returns when they are done."""
        await self.step_simulation(steps, timeout=timeout)

    async def run_steps(
        self, steps: int, *, progress: Callable[[Goal], None] | None = None, timeout: float | None = None
    ) -> Goal:
        """Runs steps of a paused simulation as a goal, which other requests do not delay.

        Args:
            steps: Number of steps.
            progress: Called with the progress ten times per second.
            timeout: Wall time for the steps, seconds; the goal is then cancelled.

        """
        sent = await self.simulate_steps(steps)
        if not sent.accepted:
            raise BridgeheadError(ClientCode.GOAL_REFUSED, "another goal runs; wait for its end, or cancel it")
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            # Without an observer, the host answers at the end.
            wait = PROGRESS if progress else 1.0
            goal = await self.simulate_steps_goal(sent.goal_id, wait=wait)
            if progress:
                progress(goal)
            if goal.is_done:
                return goal
            if deadline is not None and time.monotonic() > deadline:
                await self.cancel_simulate_steps(sent.goal_id)
                raise BridgeheadError(ClientCode.TIMEOUT, f"the {steps} steps took longer than {timeout} s")

    async def state(self) -> standard.SimulationStateCode:
        """Returns the state of the simulation."""
        state = (await self.get_simulation_state()).state.state
        if not isinstance(state, standard.SimulationStateCode):
            raise BridgeheadError(ClientCode.NOT_A_HOST, f"the host sent the state {state}, which this version lacks")
        return state

    async def entity(self, name: str) -> standard.EntityState:
        """Returns pose, velocity and acceleration of an entity."""
        return (await self.get_entity_state(name)).state

    async def entities(self, expression: str = "") -> dict[str, standard.EntityState]:
        """Returns the states of the entities whose names match a regular expression."""
        found = await self.get_entities_states(standard.EntityFilters(filter=expression))
        return dict(zip(found.entities, found.states, strict=True))

    async def time(self) -> float:
        """Returns the simulated time, seconds."""
        return (await self.get_status()).status.time_ns / 1e9

    async def publish(self, topic: str, message: Any, *, ros_type: str = "", create: bool = False) -> None:
        """Publishes a message, as if a peer had sent it.

        Args:
            topic: Full name of the topic.
            message: A message class of this package, or a dictionary for a type of a third party.
            ros_type: Type of a dictionary; it may be empty if the topic exists.
            create: Whether a missing topic is created.

        Raises:
            BridgeheadError: `BH-CTL-010` with the most similar name if the topic is missing.

        """
        kind = ros_type or getattr(message, "ROS_TYPE", "")
        await self.publish_message(topic, kind, json.dumps(to_json(message)), create)

    async def read(self, topic: str) -> Event:
        """Returns the latest message of a topic.

        After steps it is the newest of them. Images and clouds of points are made only for subscribers, so that the
        first reading of their topics in a pause raises `BH-CTL-017`: step, and read again. While the simulation plays,
        the client waits up to two seconds for a message.
        """
        found = await self.read_topic(topic)
        stamp_ns = found.stamp.sec * 1_000_000_000 + found.stamp.nanosec
        data = {
            "type": found.type,
            "sequence": found.sequence,
            "stamp_ns": stamp_ns,
            "message": json.loads(found.json),
        }
        return Event(f"topic:{topic}", found.reset_epoch, data)

    async def subscribe(self, *what: str, rate: float | None = None) -> AsyncSubscription:
        """Subscribes to topics such as `/car1/odom`, or to `state`, `status`, `statistics`, `feedback`, `log` or
        `poses`.

        Args:
            what: Topics and kinds of events.
            rate: Largest number of events per second of each; the newest is sent. Without it, every event.

        """
        return await AsyncSubscription.open(self._address, self._token, self._timeout, what, rate)

    async def wait_for(
        self,
        what: str,
        predicate: Callable[[Event], bool] | None = None,
        *,
        timeout: float = 60.0,
        sim_timeout: float | None = None,
    ) -> Event:
        """Returns the first event of a topic, or of `state` and so on, for which the predicate is true.

        Events count from this call on. To wait for the effect of a request, subscribe first, then send the request.

        Args:
            what: The topic, or the kind of events.
            predicate: Without it, any event.
            timeout: Wall time to wait, seconds.
            sim_timeout: Simulated time to wait, seconds.

        Raises:
            BridgeheadError: `BH-PYC-008` after one of these times, `BH-PYC-009` at the end of the run.

        """
        async with await self.subscribe(what) as events:
            return await events.wait_for(predicate, timeout=timeout, sim_timeout=sim_timeout)

    async def wait_until_loaded(self, timeout: float | None = None) -> None:
        """Waits until the world of the start is loaded and its plugins have started, so that all topics exist."""
        limit = self._timeout if timeout is None else timeout
        deadline = time.monotonic() + limit
        while (await self.get_status()).status.state in STARTING:
            if time.monotonic() > deadline:
                raise BridgeheadError(ClientCode.START_TIMEOUT, f"the world was not loaded within {limit} s")
            await sleep(POLL)

    async def close(self) -> None:
        """Closes the connections. The host continues."""
        self._connections.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
