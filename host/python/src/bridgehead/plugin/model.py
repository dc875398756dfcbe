"""Sensors, controllers and other model plugins."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from bridgehead.plugin._plugin import Plugin
from bridgehead.plugin._wire import CONSTANTS
from bridgehead.plugin.errors import HostError, PluginError
from bridgehead.plugin.topics import Publisher, Service, Subscription, number
from bridgehead.plugin.values import Attachment, JointState, LinkState, Pose, Step, Vector, pose_of

T = TypeVar("T")
A = TypeVar("A")
R = TypeVar("R")

_QOS = CONSTANTS["qos"]
_NO_LINK = 0xFFFF_FFFF


class ModelPlugin(Plugin):
    """A plugin on a model, a sensor or the world: one instance for each `<sensor>` or `<plugin>` element.

    The methods below are called if a plugin has them. `awake`, `start`, `all_started`, `pause`, `resume` and `stop` may
    take time; the run waits for `reset`, `sample` and `control`. An exception disables the plugin.
    """

    def awake(self) -> None:
        """Reads parameters, opens topics and services, and looks up links and joints."""

    def start(self) -> None:
        """Gets ready to run."""

    def all_started(self) -> None:
        """Every plugin of the world has started."""

    def reset(self) -> None:
        """Goes back to the state after `start`; also called once before the first step."""

    def sample(self, step: Step) -> None:
        """Looks at the world after physics, and publishes."""

    def control(self, step: Step) -> None:
        """Commands the actuators, after all samples, with the commands of this step."""

    def pause(self) -> None:
        """The simulation is paused."""

    def resume(self) -> None:
        """The simulation goes on."""

    def stop(self) -> None:
        """The run ends."""

    def save(self) -> bytes:
        """Returns the state for a snapshot. The metadata of the file then say `state = "saved"`."""
        return b""

    def load(self, state: bytes) -> None:
        """Restores what `save` returned."""

    def sample_period_ns(self) -> int | None:
        """Returns the nanoseconds between samples; 0 for every step, None if the host shall not be told."""
        return None

    # ---- topics and services ---------------------------------------------------------------------------------------

    def advertise(
        self,
        kind: type[T] | str,
        topic: str | None = None,
        *,
        reliable: bool = True,
        latched: bool = False,
        depth: int = 10,
    ) -> Publisher[T]:
        """Opens a topic to publish, in `awake`.

        By default it has the `<topic>` of the sensor, or the name of the plugin.

        The type is a class of `bridgehead.messages`, or the name of a type that another plugin has registered.
        """
        found: Publisher[T] = self._opened(Publisher, "Advertise", kind, topic, (reliable, latched, depth))
        return found

    def subscribe(
        self,
        kind: type[T] | str,
        topic: str | None = None,
        *,
        reliable: bool = True,
        latched: bool = False,
        depth: int = 10,
    ) -> Subscription[T]:
        """Opens a topic to receive, in `awake`."""
        found: Subscription[T] = self._opened(Subscription, "Subscribe", kind, topic, (reliable, latched, depth))
        return found

    def _opened(self, what: Any, request: str, kind: Any, topic: str | None, qos: tuple[bool, bool, int]) -> Any:
        context = self._context
        name = topic or self.attachment.topic or context.name
        found = context.types.of(kind)
        reliable, latched, depth = qos
        values = {
            "reliability": _QOS["reliable" if reliable else "best_effort"],
            "durability": _QOS["latched" if latched else "volatile"],
            "depth": depth,
        }
        content = {"topic": name, "type_name": found.name, "qos": values}
        function = "bus." + request.lower()
        return what(context, number(context, function, (request, content)), found)

    def offer(self, name: str, request: type[A], response: type[R], answer: Callable[[A], R]) -> None:
        """Offers a service, in `awake`. Calls are answered before each `sample` or `control` of the plugin."""
        context = self._context
        kinds = (context.types.of(request), context.types.of(response))
        content = {"name": name, "request": kinds[0].name, "response": kinds[1].name}
        handle = number(context, "services.advertise", ("Offer", content))
        self._services.append(Service(context, handle, kinds, answer))

    def call_service(self, name: str, request: Any) -> None:
        """Calls a service of the run by its full name. It is called in the next step; the host logs a failure."""
        kind = self._context.types.of(type(request))
        self.call("service_calls.call", name, kind.name, kind.encode(request))

    @cached_property
    def _services(self) -> list[Service[Any, Any]]:
        return []

    # ---- the model -------------------------------------------------------------------------------------------------

    @cached_property
    def attachment(self) -> Attachment:
        """What the instance is attached to."""
        found = self.call("model.attachment")
        values = {name: getattr(found, name) for name in Attachment.__dataclass_fields__}
        return Attachment(**{**values, "pose": pose_of(found.pose)})

    @property
    def parent_link(self) -> int:
        """The handle of the link that carries the sensor."""
        link = self.attachment.parent_link
        if link == _NO_LINK:
            raise PluginError("the plugin is attached to no link; find one by its name")
        return link

    def find_link(self, name: str) -> int:
        """Returns the handle of a link of the model."""
        return self._find("model.link", "link", name)

    def find_joint(self, name: str) -> int:
        """Returns the handle of a joint of the model."""
        return self._find("model.joint", "joint", name)

    def _find(self, function: str, what: str, name: str) -> int:
        names: list[str] = []
        while True:
            try:
                info = self.call(function, len(names))
            except HostError as error:
                if error.status != "NOT_FOUND":
                    raise
                known = ", ".join(f"`{known}`" for known in names) or "none"
                raise PluginError(f"the model has no {what} `{name}`; it has {known}") from None
            if info.name == name:
                handle: int = getattr(info, what)
                return handle
            names.append(info.name)

    def link_state(self, link: int | None = None) -> LinkState:
        """Returns the motion of a link; by default, of the one that carries the sensor."""
        found = self.call("world.link_state", self.parent_link if link is None else link)
        return LinkState(pose_of(found.pose), found.linear, found.angular)

    def joint_state(self, joint: int) -> JointState:
        """Returns the motion of a joint."""
        found = self.call("world.joint_state", joint)
        return JointState(found.position, found.velocity, found.effort)

    def cast_rays(
        self,
        frame: Pose,
        directions: Any,
        limits: tuple[float, float],
        *,
        origins: Any = None,
        ignore_link: int = _NO_LINK,
    ) -> list[Any]:
        """Casts rays from a frame of the world. Each hit has `distance`, `normal` and `entity`.

        Directions are unit vectors, and origins as many points, in that frame: rows of numpy or sequences.
        """
        found: list[Any] = self.call("world.cast_rays", (ignore_link, frame, directions, origins, limits))
        return found

    # ---- commands, which take effect in the next step ---------------------------------------------------------

    def joint_velocity(self, joint: int, velocity: float, max_effort: float) -> None:
        """Drives a joint towards a velocity, rad/s or m/s, with at most this effort, N m or N."""
        self.call("command.joint_velocity", joint, velocity, max_effort)

    def joint_position(self, joint: int, position: float, stiffness: float, damping: float, max_effort: float) -> None:
        """Drives a joint towards a position, radians or metres."""
        self.call("command.joint_position", joint, position, stiffness, damping, max_effort)

    def joint_effort(self, joint: int, effort: float) -> None:
        """Applies an effort to a joint, N m or N."""
        self.call("command.joint_effort", joint, effort)

    def link_wrench(self, link: int, force: Vector, torque: Vector) -> None:
        """Applies a force and a torque to a link, N and N m in the world frame."""
        self.call("command.link_wrench", link, force, torque)

    # ---- random numbers --------------------------------------------------------------------------------------------

    @cached_property
    def random(self) -> random.Random:
        """Random numbers by the seed of the run and the path of the element, which begin again at each reset."""
        return random.Random(self._seed)

    @property
    def _seed(self) -> str:
        return f"{self.attachment.seed}/{self.attachment.path}"

    def _begin_again(self) -> None:
        if "random" in self.__dict__:
            self.random.seed(self._seed)


class Sensor(ModelPlugin):
    """A sensor: `sample` is called when a sample is due by the `<update_rate>` of its element."""

    def sample_period_ns(self) -> int | None:
        """Returns the period of the `<update_rate>`."""
        return self.attachment.update_period_ns

    def is_due(self, step: Step) -> bool:
        """Returns true in the first step that ends at or after a multiple of the period."""
        period = self.sample_period_ns()
        return not period or step.time_ns // period != (step.time_ns - step.width_ns) // period


class Controller(ModelPlugin):
    """A controller: `control` is called in each step."""
