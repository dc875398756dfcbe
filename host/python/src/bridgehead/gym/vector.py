"""Several environments of one class, whose hosts step at the same time."""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bridgehead.gym.env import HostEnv


class HostVectorEnv(VectorEnv[Any, Any, Any]):
    """Environments of this process, each with a host that is a process of its own.

    A step sends the actions to all hosts before it waits for the first answer, so that they simulate at the same time.
    The work of this process for a step is small; `AsyncVectorEnv`, which has a process of Python for each environment,
    has more to pass between processes than it saves.

    After an end of an episode the next step resets its environment, and ignores its action: `AutoresetMode.NEXT_STEP`.
    Environment number i has the seed of `reset` plus i, and `host_seed` plus i.

    Args:
        num_envs: Number of environments.
        kind: Class of the environments.
        max_episode_steps: Actions of an episode.
        render_mode: `rgb_array` if the world has a camera.
        host_seed: Seed of the noise of sensors of the first environment.
        cores: Numbers of cores over which the hosts are distributed in turn; the thread that makes the environments
            stays on the first one until `close`. Without them, the kernel places all as it likes.
        options: Further arguments of the class.

    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        *,
        kind: type[HostEnv],
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        host_seed: int = 0,
        cores: Sequence[int] = (),
        **options: Any,
    ) -> None:
        self.num_envs, self.render_mode = num_envs, render_mode
        self.envs: list[HostEnv] = []
        self._before: tuple[int, set[int]] | None = None
        if unknown := set(cores) - os.sched_getaffinity(0):
            raise ValueError(f"there are no cores {sorted(unknown)}; there are {sorted(os.sched_getaffinity(0))}")
        try:
            for index in range(num_envs):
                self.envs.append(kind(render_mode, max_steps=max_episode_steps, host_seed=host_seed + index, **options))
            self._place(cores)
        except BaseException:
            self.close_extras()
            raise
        self.metadata = {**kind.metadata, **HostVectorEnv.metadata}
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._is_over = np.zeros(num_envs, np.bool_)

    def _place(self, cores: Sequence[int]) -> None:
        if not cores:
            return
        # Last, because processes inherit the cores of the thread that starts them.
        for env, core in zip(self.envs, itertools.cycle(cores), strict=False):
            for task in _tasks(env.host.pid):
                os.sched_setaffinity(task, {core})
        self._before = threading.get_native_id(), os.sched_getaffinity(0)
        os.sched_setaffinity(0, {cores[0]})

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode in each environment."""
        if seed is None or isinstance(seed, int):
            seeds = [None if seed is None else seed + index for index in range(self.num_envs)]
        else:
            seeds = list(seed)
        found = [env.reset(seed=seed, options=options) for env, seed in zip(self.envs, seeds, strict=True)]
        self._is_over[:] = False
        infos: dict[str, Any] = {}
        for index, (_, info) in enumerate(found):
            infos = self._add_info(infos, info, index)
        return self._joined([observation for observation, _ in found]), infos

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Steps all environments; those whose episode has ended begin another one instead."""
        begins = self._is_over.copy()
        for env, action, is_over in zip(self.envs, iterate(self.action_space, actions), begins, strict=True):
            if not is_over:
                env.send(action)
        observations: list[Any] = []
        infos: dict[str, Any] = {}
        rewards = np.zeros(self.num_envs, np.float64)
        terminated, truncated = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        for index, env in enumerate(self.envs):
            if begins[index]:
                observation, info = env.reset()
            else:
                observation, rewards[index], terminated[index], truncated[index], info = env.receive()
            observations.append(observation)
            infos = self._add_info(infos, info, index)
        self._is_over = terminated | truncated
        return self._joined(observations), rewards, terminated, truncated, infos

    def _joined(self, observations: list[Any]) -> Any:
        room: Any = create_empty_array(self.single_observation_space, self.num_envs)
        return concatenate(self.single_observation_space, observations, room)

    def render(self) -> tuple[Any, ...] | None:
        """Returns an image of each environment."""
        return tuple(env.render() for env in self.envs) if self.render_mode is not None else None

    def close_extras(self, **_: Any) -> None:
        """Ends the hosts."""
        if self._before is not None:
            thread, cores = self._before
            self._before = None
            # The thread may have ended.
            with contextlib.suppress(ProcessLookupError):
                os.sched_setaffinity(thread, cores)
        for env in self.envs:
            env.close()


def _tasks(process: int) -> Iterator[int]:
    """Returns the threads of a process and of the processes that it has started."""
    for task in Path(f"/proc/{process}/task").iterdir():
        yield int(task.name)
        for child in (task / "children").read_text().split():
            yield from _tasks(int(child))
