"""A pole on a cart, which pushes from the left and from the right keep upright."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from bridgehead.gym.env import HostEnv

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# Limits, force and reward of CartPole-v1: gymnasium/envs/classic_control/cartpole.py. Its masses, lengths, gravity and
# interval are those of the world.
X_LIMIT = 2.4
ANGLE_LIMIT = 12 * 2 * math.pi / 360
FORCE = 10.0
# Pushes with which an episode begins, newtons; CartPole-v1 draws its start from ±0.05 in each number instead.
PUSHES, PUSH = 8, 1.0

# Types of usual actions.
USUAL = (int, np.int64)


class CartPole(HostEnv):
    """The task of CartPole-v1 of Gymnasium, with its observations, actions, rewards and limits.

    Differences: the integration has steps of 5 ms instead of 20 ms, a force acts from the second of four steps on, and
    an episode begins after eight random pushes.
    """

    world = "cart_pole"
    actions = ("/cart_pole/joint_command name[0] slider", "/cart_pole/joint_command effort[0]")
    observations = (
        "joint cart_pole::slider position",
        "joint cart_pole::slider velocity",
        "joint cart_pole::hinge position",
        "joint cart_pole::hinge velocity",
    )
    frame_skip = 4
    max_steps = 500

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        high = np.array([2 * X_LIMIT, np.inf, 2 * ANGLE_LIMIT, np.inf], np.float32)
        self.observation_space = spaces.Box(-high, high, dtype=np.float32)
        self.action_space = spaces.Discrete(2)
        super().__init__(render_mode, **options)

    def command(self, action: Any) -> ArrayLike:
        """Pushes to the right if the action is 1, otherwise to the left."""
        # For the usual types, the space is not asked: its answer would take a tenth of the step.
        is_valid = action in (0, 1) if type(action) in USUAL else self.action_space.contains(action)
        if not is_valid:
            raise ValueError(f"an action is 0 or 1, not {action!r}")
        return FORCE if action == 1 else -FORCE

    def begin(self) -> None:
        """Pushes the cart at random, so that all four numbers are random and small."""
        for force in self.np_random.uniform(-PUSH, PUSH, PUSHES):
            self.channel.step(force)
        self.channel.step(0.0)

    def is_terminal(self, values: NDArray[np.float64]) -> bool:
        """Ends the episode if the cart leaves the rail or the pole falls."""
        return not (abs(values[0]) <= X_LIMIT and abs(values[2]) <= ANGLE_LIMIT)

    def reward(self, values: NDArray[np.float64], *, is_over: bool) -> float:
        """Returns 1 for each action, the last one included."""
        return 1.0
