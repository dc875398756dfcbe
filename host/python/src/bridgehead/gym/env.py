"""The base of environments: a host that is stepped over the step channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import gymnasium
import numpy as np

from bridgehead import arrays
from bridgehead._sync.host import Host
from bridgehead.errors import BridgeheadError

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from bridgehead.steps import Item, StepChannel

Observation = Any
Outcome = tuple[Observation, float, bool, bool, dict[str, Any]]

# Name under which the state of the beginning is kept in the host.
START = "start"
# Likewise, the state during which the first image is made.
NOW = "now"


class RenderModeError(ValueError, TypeError):
    """An environment lacks a render mode.

    It is a TypeError too: after this one, `make_vec_env` of Stable-Baselines3, which asks each environment for images,
    does without them.
    """


class HostEnv(gymnasium.Env[Any, Any]):
    """An environment with a host of its own. A subclass names a world and says what its numbers mean.

    An episode begins with the state after `warm_up` steps of the world, from which `begin` goes on. It ends, as
    `terminated`, if `is_terminal` says so or a trigger of the world ends the run, and, as `truncated`, after
    `max_steps` actions.

    Args:
        render_mode: `rgb_array` if the world has a camera.
        max_steps: Actions of an episode; without it, those of the class.
        world: File of the world; without it, that of the class.
        host_seed: Seed of the noise of sensors.
        options: Further arguments of `bridgehead.Host`.

    """

    metadata: dict[str, Any] = {"render_modes": [], "render_fps": 50}  # noqa: RUF012

    world: ClassVar[str]
    """The world: a file, or the name of an installed one."""
    actions: ClassVar[Sequence[Item]]
    """What an action sends, as for `StepChannel`."""
    observations: ClassVar[Sequence[Item]]
    """What is read, as for `StepChannel`."""
    frame_skip: ClassVar[int] = 1
    """Steps of the world for each action."""
    max_steps: ClassVar[int] = 1000
    """Actions of an episode."""
    warm_up: ClassVar[int] = 0
    """Steps before the state with which episodes begin, until all sensors have a first message."""
    camera: ClassVar[str | None] = None
    """Topic of the images for `render`."""

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        max_steps: int | None = None,
        world: str | os.PathLike[str] | None = None,
        host_seed: int = 0,
        **options: Any,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise RenderModeError(f"{type(self).__name__} has the render modes {self.metadata['render_modes']}")
        self.render_mode = render_mode
        self._image: NDArray[Any] | None = None
        self.limit = self.max_steps if max_steps is None else max_steps
        # A run that a trigger ends leaves its host for the next episode.
        env = {"BRIDGEHEAD_RUN_KEEP_ALIVE": "true", **options.pop("env", {})}
        self.host = Host(world or self.world, start="paused", seed=host_seed, step_channel=True, env=env, **options)
        self.count = 0
        self.host.start()
        try:
            self.channel: StepChannel = self.host.channel(self.actions, self.observations)
        except BaseException:
            self.host.end()
            raise
        try:
            self._keep_start()
        except BaseException:
            self.close()
            raise

    def _keep_start(self) -> None:
        self.channel.run(self.warm_up)
        self.channel.save(START)

    def command(self, action: Any) -> ArrayLike:
        """Returns the numbers that an action sends: those of the action itself, unless this is overridden."""
        return np.asarray(action, np.float64)

    def begin(self) -> None:
        """Begins an episode, after the return to its start: draws what is random from `np_random`."""

    def observe(self, values: NDArray[np.float64]) -> Observation:
        """Returns the observation of numbers of the channel, as a new array."""
        return values.astype(np.float32)

    def is_terminal(self, values: NDArray[np.float64]) -> bool:
        """Returns true if the episode ends with these numbers."""
        return False

    def reward(self, values: NDArray[np.float64], *, is_over: bool) -> float:
        """Returns the reward of the action that has led to these numbers."""
        raise NotImplementedError

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Returns to the start, and begins an episode."""
        super().reset(seed=seed)
        if self.channel.has_ended:
            # Starts the plugins again.
            self.channel.reset()
        self.channel.restore(START)
        self.begin()
        self.count = 0
        return self.observe(self.channel.observations), {}

    def step(self, action: Any) -> Outcome:
        """Sends an action, and runs the steps for it."""
        self.send(action)
        return self.receive()

    def send(self, action: Any) -> None:
        """Begins a step; `receive` ends it."""
        self.channel.send(self.command(action), self.frame_skip)

    def receive(self) -> Outcome:
        """Waits for a step that was sent."""
        values = self.channel.receive()
        self.count += 1
        has_ended = self.channel.has_ended
        is_over = has_ended or self.is_terminal(values)
        reward = float(self.reward(values, is_over=is_over))
        info = {"flags": int(self.channel.flags)} if has_ended else {}
        return self.observe(values), reward, is_over, self.count >= self.limit, info

    def render(self) -> Any:
        """Returns the newest image of the camera; after a reset, that of the start until there is a newer one.

        Images are made from the first call on, and take time in each step from then on.
        """
        if self.render_mode is None:
            return None
        image = self._look()
        if image is not None:
            return image.copy()
        if self._image is None:
            return self._begin_images()
        return self._image.copy()

    def _begin_images(self) -> NDArray[Any]:
        """Subscribes to the camera, makes the image of the start, and returns the next one of the present."""
        self.channel.save(NOW)
        self.channel.restore(START)
        self._image = self._next_image().copy()
        self.channel.restore(NOW)
        image = self._next_image().copy()
        self.channel.restore(NOW)
        self.channel.forget(NOW)
        return image

    def _next_image(self) -> NDArray[Any]:
        while (image := self._look()) is None:
            self.channel.run(1)
        return image

    def _look(self) -> NDArray[Any] | None:
        """Returns the newest image, if there is one since the last reset."""
        try:
            return arrays.image(self.host.read(self.camera or "").message)
        except BridgeheadError as error:
            if error.code != "BH-CTL-017":
                raise
            return None

    def close(self) -> None:
        """Ends the host."""
        self.channel.close()
        self.host.end()
