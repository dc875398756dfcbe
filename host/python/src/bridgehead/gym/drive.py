"""A robot with a lidar that drives to a goal, between pillars."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from bridgehead.gym.env import HostEnv
from bridgehead.messages.geometry_msgs import Point, Pose, Quaternion
from bridgehead.messages.simulation_interfaces import EntityState

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

RAYS, RANGE = 24, 6.0
# Greatest speeds, m/s and rad/s.
SPEED, TURN = 1.0, 2.0
# The goal is reached within this distance; something that the lidar sees closer than the other one has been hit.
REACHED, HIT = 0.4, 0.3
# Goals and pillars, metres from the middle of the room.
ROOM = 3.2
PILLARS = np.array([(2.0, 1.5), (-1.5, 2.0), (-2.0, -1.5), (1.5, -2.0)])
CLEAR = 0.9


class Drive(HostEnv):
    """Drives to a goal that is drawn for each episode.

    The action is speed and turning speed, both from -1 to 1. The observation has the ranges of the lidar, divided by
    6 m, the distance to the goal in metres, cosine and sine of its direction, speed and turning speed. The reward is
    the distance that was won, plus 10 at the goal, minus 10 for a hit; both end the episode.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012
    world = "drive_to_goal"
    actions = ("/robot/cmd_vel linear.x", "/robot/cmd_vel angular.z")
    observations = ("pose robot", "twist robot", f"topic /robot/scan ranges {RAYS}")
    frame_skip = 20
    max_steps = 300
    warm_up = 40
    camera = "/viewer/image/image_raw"

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        low = np.array([0.0] * RAYS + [0.0, -1.0, -1.0, -np.inf, -np.inf], np.float32)
        high = np.array([1.0] * RAYS + [np.inf, 1.0, 1.0, np.inf, np.inf], np.float32)
        self.observation_space = spaces.Box(low, high, dtype=np.float32)
        self.action_space = spaces.Box(-1.0, 1.0, (2,), np.float32)
        self.goal = np.zeros(2)
        self._distance = 0.0
        super().__init__(render_mode, **options)

    def command(self, action: Any) -> ArrayLike:
        """Scales an action to speeds."""
        return np.clip(np.asarray(action, np.float64), -1.0, 1.0) * (SPEED, TURN)

    def begin(self) -> None:
        """Draws heading and goal, and waits for a scan."""
        yaw = self.np_random.uniform(-math.pi, math.pi)
        height = float(self.channel["pose robot"][2])
        turn = Quaternion(z=math.sin(yaw / 2), w=math.cos(yaw / 2))
        self.host.set_entity_state("robot", EntityState(pose=Pose(position=Point(z=height), orientation=turn)))
        self.goal = self._draw_goal()
        self.channel.step((0.0, 0.0), self.frame_skip)
        self._distance = self._to_goal(self.channel.observations)[0]

    def _draw_goal(self) -> NDArray[np.float64]:
        while True:
            goal = self.np_random.uniform(-ROOM, ROOM, 2)
            if np.hypot(*goal) > 1.5 and np.hypot(*(PILLARS - goal).T).min() > CLEAR:
                return goal

    def _to_goal(self, values: NDArray[np.float64]) -> tuple[float, float]:
        """Returns distance and direction of the goal, seen from the robot."""
        way_x, way_y = self.goal - values[:2]
        x, y, z, w = values[3:7]
        yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        return math.hypot(way_x, way_y), math.atan2(way_y, way_x) - yaw

    def observe(self, values: NDArray[np.float64]) -> NDArray[np.float32]:
        """Returns scan, goal and speeds."""
        distance, direction = self._to_goal(values)
        x, y, z, w = values[3:7]
        # The speed along the heading of the robot.
        forward = (1 - 2 * (y * y + z * z)) * values[7] + 2 * (w * z + x * y) * values[8]
        ranges = np.clip(np.nan_to_num(values[13:], nan=RANGE, posinf=RANGE), 0.0, RANGE) / RANGE
        rest = (distance, math.cos(direction), math.sin(direction), forward, values[12])
        return np.concatenate((ranges, rest)).astype(np.float32)

    def is_terminal(self, values: NDArray[np.float64]) -> bool:
        """Ends the episode at the goal, or if the robot has hit something."""
        return self._to_goal(values)[0] < REACHED or self._has_hit(values)

    @staticmethod
    def _has_hit(values: NDArray[np.float64]) -> bool:
        return bool(np.nanmin(values[13:]) < HIT)

    def reward(self, values: NDArray[np.float64], *, is_over: bool) -> float:
        """Returns the way that was won, and the price at the end."""
        distance = self._to_goal(values)[0]
        won, self._distance = self._distance - distance, distance
        if not is_over:
            return won
        return won + (10.0 if distance < REACHED else -10.0)
