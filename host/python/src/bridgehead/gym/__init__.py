"""Environments for Gymnasium over the step channel, each with a host as a process of its own.

    import gymnasium
    import bridgehead.gym

    env = gymnasium.make("bridgehead/CartPole-v0")
    envs = gymnasium.make_vec("bridgehead/CartPole-v0", num_envs=4)

`HostEnv` is the base of environments of yours. This module needs gymnasium: `pip install bridgehead[gym]`.
"""

from __future__ import annotations

from functools import partial

from bridgehead.errors import BridgeheadError, ClientCode

try:
    import gymnasium
except ImportError as error:  # pragma: no cover
    raise BridgeheadError(
        ClientCode.VALUE_INVALID, "bridgehead.gym needs gymnasium; try: pip install 'bridgehead[gym]'"
    ) from error

from bridgehead.gym.cart_pole import CartPole
from bridgehead.gym.drive import Drive
from bridgehead.gym.env import HostEnv
from bridgehead.gym.reach import Reach
from bridgehead.gym.vector import HostVectorEnv

__all__ = ["CartPole", "Drive", "HostEnv", "HostVectorEnv", "Reach"]


def _register(name: str, kind: type[HostEnv]) -> None:
    gymnasium.register(
        id=f"bridgehead/{name}",
        entry_point=f"{kind.__module__}:{kind.__name__}",
        vector_entry_point=partial(HostVectorEnv, kind=kind),
        max_episode_steps=kind.max_steps,
    )


_register("CartPole-v0", CartPole)
_register("Drive-v0", Drive)
_register("Reach-v0", Reach)
