"""Tests of the step channel: arrays, resets, errors, and agreement with the requests of a client."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from places import ROOT, WORLDS

import bridgehead
from bridgehead import BridgeheadError, StepChannel, StepFlag
from bridgehead.messages.geometry_msgs import Twist, Vector3

POLE = {
    "actions": ["/cart_pole/joint_command name[0] slider", "/cart_pole/joint_command effort[0]"],
    "observations": [
        "joint cart_pole::slider position",
        "joint cart_pole::slider velocity",
        "joint cart_pole::hinge position",
        "joint cart_pole::hinge velocity",
    ],
}


@pytest.fixture
def host() -> Iterator[bridgehead.Host]:
    with bridgehead.Host(WORLDS / "cart_pole.sdf", start="paused", step_channel=True) as host:
        yield host


@pytest.fixture
def pole(host: bridgehead.Host) -> Iterator[StepChannel]:
    with host.channel(**POLE) as channel:
        yield channel


def test_a_step_returns_a_view_that_the_next_one_overwrites(pole: StepChannel) -> None:
    assert pole.width == 0.005
    first = pole.step([10.0])
    assert (first.shape, first.dtype) == ((4,), np.dtype(np.float64))
    assert (pole.steps, pole.time_ns) == (1, 5_000_000)
    kept = first.copy()
    second = pole.step(np.array([10.0]), n=3)
    assert second is first
    assert (pole.steps, pole.time) == (4, 0.02)
    assert kept.tolist() != second.tolist()
    assert second[1] > 0.1
    assert second[2] < 0.0
    assert pole["joint cart_pole::hinge velocity"].tolist() == [second[3]]
    with pytest.raises(KeyError, match="is not declared; there are `joint cart_pole::slider position`"):
        pole["pose cart_pole"]


def test_actions_may_be_written_in_place_and_left_out(pole: StepChannel) -> None:
    pole.actions[0] = 10.0
    pole.step()
    by_array = pole.step().copy()
    pole.reset()
    pole.step([10.0])
    assert pole.run(1).tolist() == by_array.tolist(), "an effort holds"
    with pytest.raises(ValueError, match="shape"):
        pole.step([1.0, 2.0])


def test_places_tell_where_numbers_are_and_their_units(pole: StepChannel) -> None:
    constant, effort = pole.action_places
    assert (constant.item[2], constant.length, effort.begin, effort.length) == ("slider", 0, 0, 1)
    assert [(place.begin, place.unit) for place in pole.places] == [(0, "m"), (1, "m/s"), (2, "rad"), (3, "rad/s")]


def test_episodes_repeat_from_the_beginning_and_from_a_kept_state(pole: StepChannel) -> None:
    def episode() -> list[list[float]]:
        return [pole.step([10.0 if index % 3 else -10.0]).tolist() for index in range(20)]

    first = episode()
    assert pole.reset().tolist() == [0.0] * 4
    assert (pole.flags, pole.steps, pole.reset_epoch) == (StepFlag.RESET, 0, 1)
    assert episode() == first
    pole.save()
    leaning = pole.observe().tolist()
    branch = episode()
    assert pole.restore().tolist() == leaning
    assert episode() == branch
    pole.forget()
    with pytest.raises(BridgeheadError, match="there is no snapshot `start`") as caught:
        pole.restore()
    assert caught.value.code == "BH-STP-033"


def test_the_channel_and_the_client_see_the_same_run() -> None:
    with bridgehead.Host(WORLDS / "two_vehicles.sdf", start="paused", step_channel=True) as host:
        channel = host.channel(
            actions=["/car1/cmd_vel linear.x", "/car1/cmd_vel angular.z"],
            observations=["pose car1", "topic /car1/scan ranges 360", "time"],
        )
        for _ in range(5):
            channel.step([0.5, 0.2], n=50)
        assert host.time() == channel["time"][0] == 0.25
        position = host.entity("car1").pose.position
        assert np.allclose(channel["pose car1"][:3], [position.x, position.y, position.z], rtol=0, atol=1e-12)
        assert np.isfinite(channel["topic /car1/scan ranges 360"]).any()
        # The other way round: a step of the client, and what the channel reads of it.
        host.publish("/car1/cmd_vel", Twist(linear=Vector3(x=0.5)))
        host.step(10)
        channel.observe()
        assert (channel.steps, channel.flags) == (260, StepFlag(0))
        channel.close()


def test_refusals_are_errors_with_codes(host: bridgehead.Host, tmp_path: Path) -> None:
    with pytest.raises(BridgeheadError, match=r"did you mean `cart_pole::hinge`\?") as caught:
        host.channel(observations=["joint cart_pole::hing position"])
    assert caught.value.code == "BH-STP-021"
    with host.channel() as first:
        with pytest.raises(BridgeheadError, match="another client is connected") as caught:
            host.channel()
        assert caught.value.code == "BH-STP-010"
        assert first.run(1).shape == (0,)
    with pytest.raises(BridgeheadError, match="no host serves") as caught:
        StepChannel(tmp_path / "absent")
    assert caught.value.code == "BH-PYC-004"
    with pytest.raises(BridgeheadError, match="tab") as caught:
        host.channel(observations=[("pose", "a\tb")])
    assert caught.value.code == "BH-PYC-013"


def test_a_host_without_the_channel_says_how_to_open_it() -> None:
    with bridgehead.Host(start="paused") as host, pytest.raises(BridgeheadError, match="step_channel=True"):
        host.channel()


def test_the_end_of_the_host_is_an_error(host: bridgehead.Host) -> None:
    with host.channel(observations=["time"]) as channel:
        channel.run(1)
        host.end()
        with pytest.raises(BridgeheadError, match="has ended") as caught:
            channel.run(1)
    assert caught.value.code == "BH-PYC-005"


def test_an_answer_that_does_not_come_in_time_is_an_error(host: bridgehead.Host) -> None:
    path = host._channel_path()  # noqa: SLF001
    assert path is not None
    with StepChannel(path, observations=["time"], timeout=0.05) as channel:
        with pytest.raises(BridgeheadError) as caught:
            channel.run(2**32 - 1)
        assert caught.value.code == "BH-PYC-006"
    with host.channel(observations=["time"]) as channel:
        before = channel.steps
        channel.run(1)
        assert channel.steps == before + 1, "the steps of the other client have ended"


async def test_an_asynchronous_host_has_the_channel_too() -> None:
    async with bridgehead.AsyncHost(WORLDS / "cart_pole.sdf", start="paused", step_channel=True) as host:
        with await host.channel(**POLE) as channel:
            assert channel.step([1.0]).shape == (4,)


def test_without_numpy_arrays_are_memoryviews(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    world = str(WORLDS / "cart_pole.sdf")
    script.write_text(
        "import sys\nsys.modules['numpy'] = None\nimport bridgehead\n"
        f"with bridgehead.Host({world!r}, start='paused', step_channel=True) as host:\n"
        f"    with host.channel(**{POLE!r}) as channel:\n"
        "        channel.step([10.0])\n"
        "        found = channel.step([10.0])\n"
        "        assert isinstance(found, memoryview), type(found)\n"
        "        print(found.tolist()[1])\n"
    )
    found = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=True)
    assert float(found.stdout) == pytest.approx(0.0488, abs=1e-4)


def test_the_page_has_the_words_and_flags() -> None:
    page = (ROOT / "docs/step-channel.md").read_text()
    flags = re.findall(r"^\| (\d+) \| `([A-Z_]+)` \|", page, re.MULTILINE)
    assert [(int(number), name) for number, name in flags] == [(flag.value, flag.name) for flag in StepFlag]
    parameters = list(inspect.signature(StepChannel).parameters)
    assert parameters == ["path", "actions", "observations", "timeout"]
