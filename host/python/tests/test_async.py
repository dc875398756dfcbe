"""Tests of the asynchronous client with a real host."""

from __future__ import annotations

import asyncio
import math

import pytest
from places import FIXTURES, WORLDS

from bridgehead import AsyncClient, AsyncHost, BridgeheadError, ClientCode, ResultCode
from bridgehead.messages.geometry_msgs import Twist, Vector3


async def test_a_host_is_stepped_and_leaves_its_result() -> None:
    async with AsyncHost(FIXTURES / "W1.sdf", start="paused") as host:
        await host.step(100)
        assert await host.time() == pytest.approx(0.1)
        assert await host.spawn("model://crate", "c1", position=(1, 2, 3)) == "c1"
        assert (await host.entity("c1")).pose.position.z == pytest.approx(3)
        goal = await host.run_steps(50)
        assert goal.completed_steps == 50
    assert (host.result.steps, host.result.outcome, host.exit_code) == (150, "stopped", 0)


async def test_calls_overlap() -> None:
    async with AsyncHost(FIXTURES / "W1.sdf", start="paused") as host:
        calls = [host.entity(f"nobody_{index}") for index in range(20)]
        found = await asyncio.gather(*calls, return_exceptions=True)
        for index, error in enumerate(found):
            assert isinstance(error, BridgeheadError)
            assert f"nobody_{index}" in error.message
            assert error.result is ResultCode.NOT_FOUND
        # A goal runs while other requests are answered.
        steps = asyncio.create_task(host.run_steps(1_000_000_000))
        async with asyncio.timeout(30):
            while await host.time() == 0:  # noqa: ASYNC110 - the host is another process
                await asyncio.sleep(0.01)
        steps.cancel()
        with pytest.raises(asyncio.CancelledError):
            await steps
        assert await host.state() == 1


async def test_a_cancelled_call_leaves_the_client_usable() -> None:
    async with AsyncHost(FIXTURES / "W1.sdf", start="paused") as host:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await host.step(1_000_000_000)
        with pytest.raises(BridgeheadError) as caught:
            await host.step(1_000_000_000, timeout=1.0)
        assert caught.value.code in {ClientCode.TIMEOUT, "BH-SIM-101"}
        assert (await host.get_entities()).entities


async def test_events_are_awaited() -> None:
    async with AsyncHost(WORLDS / "two_vehicles.sdf") as host:
        async with await host.subscribe("/car1/odom") as odometry:
            await host.publish("/car1/cmd_vel", Twist(linear=Vector3(x=1.0)))
            event = await odometry.wait_for(lambda event: event.message.twist.twist.linear.x > 0.3, sim_timeout=20)
            assert math.isfinite(event.message.pose.pose.position.x)
        async with await host.subscribe("state") as states:
            await host.quit()
            names = [event.data["state"] async for event in states]
        assert names[-1] == "Quitting"
        result = await host.wait(30)
    assert result.outcome == "stopped"


async def test_an_unreachable_host_is_reported() -> None:
    async with AsyncClient("127.0.0.1:1") as client:
        with pytest.raises(BridgeheadError) as caught:
            await client.get_status()
        assert caught.value.code == ClientCode.UNREACHABLE
        with pytest.raises(BridgeheadError) as caught:
            await client.subscribe("state")
        assert caught.value.code == ClientCode.UNREACHABLE
