"""Tests of the environments for Gymnasium: its own checks, episodes, their ends, and vectors of environments."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.classic_control import CartPoleEnv
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from places import WORLDS

import bridgehead.gym
from bridgehead.gym import CartPole, Drive, HostEnv, HostVectorEnv, Reach

KINDS: dict[str, tuple[type[HostEnv], str]] = {
    "CartPole": (CartPole, "cart_pole.sdf"),
    "Drive": (Drive, "drive_to_goal.sdf"),
    "Reach": (Reach, "reach.sdf"),
}


@pytest.fixture
def pole() -> Iterator[CartPole]:
    env = CartPole(world=WORLDS / "cart_pole.sdf")
    yield env
    env.close()


@pytest.mark.parametrize("name", KINDS)
def test_an_environment_passes_the_checks_of_gymnasium(name: str) -> None:
    env = gymnasium.make(f"bridgehead/{name}-v0", world=WORLDS / KINDS[name][1])
    with warnings.catch_warnings():
        # Positions and distances have no bounds.
        warnings.filterwarnings("ignore", ".*Box observation space (min|max)imum value.*")
        check_env(env.unwrapped)
    assert env.spec is not None
    assert env.spec.max_episode_steps == KINDS[name][0].max_steps
    env.close()


def upright(observation: Any) -> int:
    """Keeps the pole of CartPole-v1 upright for its 500 actions too."""
    position, velocity, angle, turn = observation
    return int(0.03 * position + 0.1 * velocity + angle + 0.3 * turn > 0)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_policy_of_cart_pole_v1_balances_the_pole(pole: CartPole, seed: int) -> None:
    for env in (pole, gymnasium.make("CartPole-v1").unwrapped):
        observation, _ = env.reset(seed=seed)
        for _ in range(499):
            observation, reward, terminated, truncated, _ = env.step(upright(observation))
            assert (reward, terminated, truncated) == (1.0, False, False)
    *_, terminated, truncated, _ = pole.step(upright(observation))
    assert (terminated, truncated) == (False, True), "500 actions"


@pytest.mark.parametrize("action", [None, "left", 2, 0.5, -1])
def test_an_action_that_is_none_is_refused(pole: CartPole, action: object) -> None:
    pole.reset(seed=1)
    with pytest.raises(ValueError, match="an action is 0 or 1"):
        pole.step(action)


def test_the_pole_moves_as_that_of_cart_pole_v1(pole: CartPole) -> None:
    """For half a second the numbers stay close: the delay of a force is 5 ms, and one integration is 20 ms."""
    reference: Any = CartPoleEnv()
    reference.reset(seed=0)
    pole.reset(seed=3)
    reference.state = pole.channel.observations.copy()
    for index in range(25):
        action = index % 2
        observation, *_ = pole.step(action)
        expected, *_ = reference.step(action)
        # An action changes the velocities by 0.2 m/s and 0.3 rad/s.
        assert (np.abs(observation - expected) < [0.01, 0.1, 0.02, 0.2]).all(), index


def test_the_start_is_that_of_the_seed(pole: CartPole) -> None:
    first, _ = pole.reset(seed=5)
    other, _ = pole.reset()
    again, _ = pole.reset(seed=5)
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()
    assert 0.0 < abs(float(first[2])) < 0.05


def test_an_episode_ends_at_the_limits(pole: CartPole) -> None:
    pole.reset(seed=0)
    terminated, count, observation = False, 0, None
    while not terminated:
        observation, reward, terminated, truncated, info = pole.step(1)
        assert (reward, truncated, info) == (1.0, False, {})
        count += 1
    assert observation is not None
    assert observation[2] < -0.2095
    assert 5 < count < 20


def test_the_drive_reaches_its_goal_and_hits_walls() -> None:
    env = Drive(world=WORLDS / "drive_to_goal.sdf")
    observation, _ = env.reset(seed=0)
    total, terminated, truncated = 0.0, False, False
    begin = float(observation[24])
    while not (terminated or truncated):
        direction = np.arctan2(observation[26], observation[25])
        action = np.array([abs(direction) < 0.7, np.clip(1.5 * direction, -1, 1)], np.float32)
        observation, reward, terminated, truncated, _ = env.step(action)
        total += reward
    assert terminated
    assert total == pytest.approx(10.0 + begin - float(observation[24]), abs=1e-3)
    env.reset(seed=1)
    terminated = False
    while not terminated:
        *_, terminated, _, _ = env.step(np.array([1.0, 0.0], np.float32))
    assert np.nanmin(env.channel["topic /robot/scan ranges 24"]) < 0.3
    env.close()


def test_the_arm_moves_its_tool_to_the_point() -> None:
    env = Reach(world=WORLDS / "reach.sdf")
    for seed in range(3):
        observation, _ = env.reset(seed=seed)
        terminated = truncated = False
        reward = 0.0
        while not (terminated or truncated):
            observation, reward, terminated, truncated, _ = env.step(towards(observation))
        assert terminated
        assert reward == pytest.approx(1.0 - float(np.linalg.norm(observation[9:])), abs=1e-5)
    env.close()


def towards(observation: Any) -> Any:
    """Returns velocities towards the angles at which the tool is at the point: both links have 0.4 m."""
    x, y, z = observation[6:9] + observation[9:]
    radius, height = np.hypot(x, y), z - 0.4
    elbow = np.arccos(np.hypot(radius, height) ** 2 / 0.32 - 1.0)
    angles = np.array([np.arctan2(y, x), np.arctan2(radius, height) - elbow / 2, elbow])
    return np.clip((angles - observation[:3]) * 4.0, -1, 1).astype(np.float32)


def test_an_image_is_rendered() -> None:
    env = gymnasium.make("bridgehead/Reach-v0", render_mode="rgb_array", world=WORLDS / "reach.sdf").unwrapped
    env.reset(seed=0)
    first: Any = env.render()
    assert (first.shape, first.dtype) == ((240, 320, 3), np.dtype(np.uint8))
    for _ in range(10):
        env.step(np.ones(3, np.float32))
    assert (env.render() != first).any()
    env.close()
    with pytest.raises(ValueError, match="render modes") as refused:
        CartPole("human", world=WORLDS / "cart_pole.sdf")
    assert isinstance(refused.value, TypeError), "as Stable-Baselines3 expects"


def test_images_are_made_from_the_first_render_on_and_change_nothing() -> None:
    found = []
    for renders_at in (8, 0, 5):
        env = Reach("rgb_array", world=WORLDS / "reach.sdf")
        observations, images = [env.reset(seed=0)[0].tolist()], []
        for index in range(8):
            assert (images_of(env) > 0) == (index > renders_at)
            if index == renders_at:
                images.append(env.render())
            observations.append(env.step(np.ones(3, np.float32))[0].tolist())
        images.append(env.render())
        env.reset(seed=0)
        images.append(env.render())
        found.append((observations, images))
        env.close()
    assert found[0][0] == found[1][0] == found[2][0]
    # The arm moves; later images do not depend on the first call.
    assert (found[1][1][0] != found[2][1][0]).any()
    for one, other in zip(found[1][1][1:], found[2][1][1:], strict=True):
        assert (one == other).all()
    assert (found[0][1][1] == found[1][1][2]).all()


def images_of(env: HostEnv) -> int:
    return sum(topic.published for topic in env.host.get_topics().topics if topic.topic == env.camera)


TRIGGER = """
[[trigger]]
event = { name = "time", time = 0.5 }
action = "fail"
sticky = true
"""


def test_a_trigger_of_the_world_ends_the_episode_and_the_next_one_begins(tmp_path: Path) -> None:
    config = tmp_path / "run.toml"
    config.write_text(TRIGGER)
    env = CartPole(world=WORLDS / "cart_pole.sdf", config=config)
    lengths = []
    for _ in range(3):
        observation, _ = env.reset(seed=0)
        count, terminated = 0, False
        info: dict[str, Any] = {}
        while not terminated:
            observation, _, terminated, _, info = env.step(upright(observation))
            count += 1
        assert info["flags"] & bridgehead.StepFlag.FAILED
        lengths.append(count)
    assert lengths == [lengths[0]] * 3
    assert 20 < lengths[0] <= 25
    env.close()


def test_a_vector_steps_its_hosts_and_begins_new_episodes() -> None:
    envs = gymnasium.make_vec("bridgehead/CartPole-v0", num_envs=2, world=WORLDS / "cart_pole.sdf")
    assert isinstance(envs, HostVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    single = CartPole(world=WORLDS / "cart_pole.sdf")
    observations, _ = envs.reset(seed=7)
    expected, _ = single.reset(seed=8)
    assert observations.shape == (2, 4)
    assert observations[1].tolist() == expected.tolist(), "the second environment has the next seed"
    over = np.zeros(2, np.bool_)
    for _ in range(60):
        was_over = over
        actions = np.array([1, upright(observations[1])])
        observations, rewards, terminated, truncated, _ = envs.step(actions)
        expected, *_ = single.step(actions[1])
        assert observations[1].tolist() == expected.tolist()
        assert (rewards.dtype, terminated.dtype) == (np.dtype(np.float64), np.dtype(np.bool_))
        assert rewards.tolist() == [0.0 if ends else 1.0 for ends in was_over]
        over = terminated | truncated
        if was_over[0]:
            assert abs(observations[0][2]) < 0.05, "another episode has begun"
    assert not over[1]
    single.close()
    envs.close()
    envs.close()


def cores_of(pid: int) -> set[frozenset[int]]:
    """Returns the cores of all threads of a process and of those that it has started."""
    found = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        found.add(frozenset(os.sched_getaffinity(int(task.name))))
        for child in (task / "children").read_text().split():
            found |= cores_of(int(child))
    return found


def test_hosts_are_distributed_over_cores_until_the_end() -> None:
    before = os.sched_getaffinity(0)
    cores = [max(before), min(before)]
    options: dict[str, Any] = {"num_envs": 3, "world": WORLDS / "cart_pole.sdf"}
    envs = gymnasium.make_vec("bridgehead/CartPole-v0", cores=cores, **options)
    free = gymnasium.make_vec("bridgehead/CartPole-v0", **options)
    assert isinstance(envs, HostVectorEnv)
    assert os.sched_getaffinity(0) == {cores[0]}
    expected = [{frozenset({cores[index % 2]})} for index in range(3)]
    assert [cores_of(env.host.pid) for env in envs.envs] == expected
    for one in (envs, free):
        one.reset(seed=1)
    for index in range(30):
        actions = np.array([index % 2, 1, 0])
        assert envs.step(actions)[0].tolist() == free.step(actions)[0].tolist()
    envs.close()
    free.close()
    assert os.sched_getaffinity(0) == before


def test_a_missing_core_is_named_before_a_host_starts() -> None:
    with pytest.raises(ValueError, match=r"there are no cores \[4096\]; there are \["):
        HostVectorEnv(2, kind=CartPole, cores=[4096], world="/no/such/world.sdf")


def test_episodes_of_a_vector_have_the_limit_of_make_vec() -> None:
    envs = gymnasium.make_vec("bridgehead/Reach-v0", num_envs=2, max_episode_steps=3, world=WORLDS / "reach.sdf")
    envs.reset(seed=0)
    found = [envs.step(np.zeros((2, 3), np.float32))[3].tolist() for _ in range(5)]
    assert found == [[False] * 2, [False] * 2, [True] * 2, [False] * 2, [False] * 2]
    envs.close()


def test_a_vector_does_what_the_one_of_gymnasium_does() -> None:
    options: dict[str, Any] = {"num_envs": 2, "world": WORLDS / "cart_pole.sdf"}
    ours = gymnasium.make_vec("bridgehead/CartPole-v0", **options)
    theirs = gymnasium.make_vec("bridgehead/CartPole-v0", vectorization_mode="sync", **options)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    one, _ = ours.reset(seed=3, options={"any": 1})
    other, _ = theirs.reset(seed=3, options={"any": 1})
    assert one.tolist() == other.tolist()
    ends = 0
    for index in range(80):
        actions = np.array([index % 2, 1])
        found, expected = ours.step(actions), theirs.step(actions)
        for mine, its in zip(found[:4], expected[:4], strict=True):
            assert mine.tolist() == its.tolist(), index
            assert mine.dtype == its.dtype
        assert found[0] in ours.observation_space
        ends += int(found[2].sum())
    assert ends >= 4
    ours.close()
    theirs.close()


def test_wrappers_of_vectors_work() -> None:
    envs = RecordEpisodeStatistics(
        gymnasium.make_vec("bridgehead/CartPole-v0", num_envs=2, world=WORLDS / "cart_pole.sdf")
    )
    envs.reset(seed=0)
    lengths = []
    for _ in range(40):
        *_, terminated, _, info = envs.step(np.array([1, 1]))
        if terminated.any():
            lengths += info["episode"]["l"][terminated].tolist()
    assert len(lengths) >= 4
    assert all(5 < length < 20 for length in lengths)
    envs.close()
