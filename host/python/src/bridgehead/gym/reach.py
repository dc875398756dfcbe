"""An arm that reaches for a point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from bridgehead.gym.env import HostEnv

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

JOINTS = ("turn", "shoulder", "elbow")
# Greatest velocity of a joint, rad/s, and the distance within which the point is reached, metres.
VELOCITY, REACHED = 1.5, 0.05
# The shoulder, and the distances from it in which points are drawn, metres.
SHOULDER, NEAR, FAR = np.array([0.0, 0.0, 0.4]), 0.35, 0.7


class Reach(HostEnv):
    """Moves the tool to a point that is drawn for each episode.

    The action is a velocity of each joint, from -1 to 1. The observation has the positions of the joints, their
    velocities, the tool and the way from it to the point, in metres. The reward is minus the distance, plus 1 when it
    is less than 5 cm, which ends the episode.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 20}  # noqa: RUF012
    world = "reach"
    actions = (
        *(f"/arm/joint_command name[{index}] {joint}" for index, joint in enumerate(JOINTS)),
        *(f"/arm/joint_command velocity[{index}]" for index in range(len(JOINTS))),
    )
    observations = (
        *(f"joint arm::{joint} position" for joint in JOINTS),
        *(f"joint arm::{joint} velocity" for joint in JOINTS),
        "pose arm::tool",
    )
    frame_skip = 10
    max_steps = 150
    warm_up = 20
    camera = "/viewer/image/image_raw"

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        self.observation_space = spaces.Box(-np.inf, np.inf, (12,), np.float32)
        self.action_space = spaces.Box(-1.0, 1.0, (len(JOINTS),), np.float32)
        self.point = np.zeros(3)
        super().__init__(render_mode, **options)

    def command(self, action: Any) -> ArrayLike:
        """Scales an action to velocities."""
        return np.clip(np.asarray(action, np.float64), -1.0, 1.0) * VELOCITY

    def begin(self) -> None:
        """Moves the joints at random, then draws a point."""
        self.channel.step(self.np_random.uniform(-VELOCITY, VELOCITY, len(JOINTS)), 40)
        self.channel.step((0.0,) * len(JOINTS), self.frame_skip)
        way = self.np_random.normal(size=3)
        # In front of the arm and above the ground, at any height.
        way[0], way[2] = abs(way[0]), max(way[2], -0.3 * np.hypot(way[0], way[1]))
        self.point = SHOULDER + way / np.linalg.norm(way) * self.np_random.uniform(NEAR, FAR)

    def _way(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        way: NDArray[np.float64] = self.point - values[6:9]
        return way

    def observe(self, values: NDArray[np.float64]) -> NDArray[np.float32]:
        """Returns joints, tool, and the way to the point."""
        return np.concatenate((values[:9], self._way(values))).astype(np.float32)

    def is_terminal(self, values: NDArray[np.float64]) -> bool:
        """Ends the episode at the point."""
        return bool(np.linalg.norm(self._way(values)) < REACHED)

    def reward(self, values: NDArray[np.float64], *, is_over: bool) -> float:
        """Returns minus the distance, and a price at the point."""
        distance = float(np.linalg.norm(self._way(values)))
        return -distance + (1.0 if distance < REACHED else 0.0)
