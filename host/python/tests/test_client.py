"""Tests of the synchronous client with a real host."""

from __future__ import annotations

import math
import threading

import pytest
from places import FIXTURES

import bridgehead
from bridgehead import BridgeheadError, Client, ClientCode, Host, ResultCode, SimulationStateCode
from bridgehead.messages import simulation_interfaces as standard
from bridgehead.messages.geometry_msgs import Twist, Vector3


def test_steps_take_simulated_time(paused: Host) -> None:
    assert paused.state() is not None
    assert paused.state() == SimulationStateCode.PAUSED
    paused.step(100)
    assert paused.time() == pytest.approx(0.1)
    paused.step()
    assert paused.time() == pytest.approx(0.101)


def test_a_spawned_model_has_its_pose(paused: Host) -> None:
    name = paused.spawn("model://crate", "c1", position=(1, 2, 3), rpy=(0, 0, math.pi / 2))
    assert name == "c1"
    pose = paused.entity("c1").pose
    assert (pose.position.x, pose.position.y, pose.position.z) == pytest.approx((1, 2, 3))
    assert (pose.orientation.z, pose.orientation.w) == pytest.approx((math.sqrt(0.5), math.sqrt(0.5)))
    assert list(paused.entities("^c")) == ["c1"]
    paused.delete_entity("c1")
    assert paused.entities("^c") == {}


def test_a_model_is_spawned_from_text_and_from_a_relative_file(paused: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "<sdf version='1.11'><model name='ball'><link name='l'/></model></sdf>"
    assert paused.spawn(text, position=(0, 0, 9)) == "ball"
    monkeypatch.chdir(FIXTURES / "models/crate")
    assert paused.spawn("model.sdf", "c2", position=(0, 0, 5)) == "c2"


def test_a_denial_has_code_result_message_and_the_allowed_requests(paused: Host) -> None:
    with pytest.raises(BridgeheadError) as caught:
        paused.pause()
    error = caught.value
    assert (error.code, error.result, error.status, error.service) == (
        "BH-SIM-101",
        ResultCode.OPERATION_FAILED,
        409,
        "pause",
    )
    assert "paused" in error.message
    assert not error.message.startswith("[")
    assert "resume" in error.allowed
    assert str(error).startswith("[BH-SIM-101] ")
    assert error.response.result.result is ResultCode.OPERATION_FAILED


def test_results_of_a_service_have_their_names(paused: Host) -> None:
    with pytest.raises(BridgeheadError) as caught:
        paused.spawn("model://crate", "bad name")
    assert caught.value.result is standard.SpawnEntityCode.NAME_INVALID
    with pytest.raises(BridgeheadError) as caught:
        paused.entity("nobody")
    assert caught.value.result is ResultCode.NOT_FOUND
    assert "nobody" in caught.value.message


def test_a_partial_failure_keeps_what_succeeded(paused: Host) -> None:
    requests = (
        standard.SpawnEntity("c1", entity_resource=standard.Resource(uri="model://crate")),
        standard.SpawnEntity("c2", entity_resource=standard.Resource(uri="/no/such.sdf")),
    )
    with pytest.raises(BridgeheadError) as caught:
        paused.spawn_entities(requests)
    assert caught.value.result is standard.SpawnEntitiesCode.ENTITIES_SPAWN_FAILED
    names = [one.entity_name for one in caught.value.response.results]
    assert names == ["c1", ""]


def test_a_wrong_value_names_its_member(paused: Host) -> None:
    with pytest.raises(BridgeheadError) as caught:
        paused.get_entity_state(3)  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.path, caught.value.status) == ("BH-MSG-033", "entity", 400)
    with pytest.raises(BridgeheadError) as caught:
        paused.get_entity_state(object())  # type: ignore[arg-type]
    assert caught.value.code == ClientCode.VALUE_INVALID


def test_a_goal_reports_its_progress(paused: Host) -> None:
    seen: list[int] = []
    goal = paused.run_steps(500, progress=lambda goal: seen.append(goal.completed_steps))
    assert (goal.status, goal.completed_steps, goal.remaining_steps) == ("succeeded", 500, 0)
    assert goal.result is not None
    assert goal.result.result is ResultCode.OK
    assert seen[-1] == 500
    assert seen == sorted(seen)
    with pytest.raises(BridgeheadError) as caught:
        paused.cancel_simulate_steps(goal.goal_id)
    assert caught.value.code == "BH-WEB-041"


def test_a_second_goal_is_refused_and_a_slow_one_is_cancelled(paused: Host) -> None:
    first = paused.simulate_steps(1_000_000_000)
    assert first.accepted
    with pytest.raises(BridgeheadError) as caught:
        paused.run_steps(5)
    assert caught.value.code == ClientCode.GOAL_REFUSED
    assert paused.cancel_simulate_steps(first.goal_id).canceling
    assert paused.simulate_steps_goal(first.goal_id, wait=30).status == "canceled"
    with pytest.raises(BridgeheadError) as caught:
        paused.run_steps(1_000_000_000, progress=lambda _: None, timeout=0.2)
    assert caught.value.code == ClientCode.TIMEOUT


def test_worlds_are_loaded_in_a_host_without_one() -> None:
    with Host() as host:
        assert host.state() == SimulationStateCode.NO_WORLD
        with pytest.raises(BridgeheadError) as caught:
            host.entity("box_a")
        assert caught.value.result is ResultCode.INCORRECT_STATE
        world = host.load(FIXTURES / "W2.sdf")
        assert world.name == "W2"
        assert set(host.entities()) == {"ground", "rock"}
        with pytest.raises(BridgeheadError) as caught:
            host.load("/no/such/world.sdf")
        assert caught.value.result is standard.LoadWorldCode.MISSING_ASSETS


def test_a_published_message_moves_a_vehicle(playing: Host) -> None:
    before = playing.entity("car1").pose.position
    with playing.subscribe("/car1/odom") as odometry:
        playing.publish("/car1/cmd_vel", Twist(linear=Vector3(x=1.0)))
        event = odometry.wait_for(lambda event: event.message.twist.twist.linear.x > 0.3, timeout=30)
    assert event.type == "nav_msgs/msg/Odometry"
    assert event.time_ns is not None
    playing.wait_for("state", lambda event: event.data["simulation_state"] == 1, timeout=5)
    after = playing.entity("car1").pose.position
    assert math.dist((before.x, before.y), (after.x, after.y)) > 0.0
    latest = playing.read("/car1/odom")
    assert latest.message.twist.twist.linear.x > 0.3
    assert latest.topic == "/car1/odom"


def test_one_client_serves_several_threads(paused: Host) -> None:
    found: list[str] = []

    def ask(name: str) -> None:
        for _ in range(10):
            with pytest.raises(BridgeheadError) as caught:
                paused.entity(name)
            assert name in caught.value.message
        found.append(name)

    threads = [threading.Thread(target=ask, args=(f"nobody_{index}",)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(found) == 4


def test_renamed_services_are_called_by_their_new_names(tmp_path_factory: pytest.TempPathFactory) -> None:
    config = tmp_path_factory.mktemp("config") / "run.toml"
    config.write_text('[services]\nget_entities = "/sim/get_entities"\nunload_world = ""\n')
    with Host(FIXTURES / "W1.sdf", config=config, start="stopped") as host:
        with pytest.raises(BridgeheadError) as caught:
            host.get_entities()
        assert (caught.value.code, caught.value.status) == ("BH-WEB-021", 404)
        with Client(host.address, names={"get_entities": "sim/get_entities"}) as client:
            assert len(client.get_entities().entities) == 4
            with pytest.raises(BridgeheadError) as caught:
                client.unload_world()
        assert caught.value.code == "BH-WEB-021"


def test_rotations_are_those_of_sdf() -> None:
    found = bridgehead.quaternion_of((0.1, 0.2, 0.3))
    assert (found.x, found.y, found.z, found.w) == pytest.approx(
        (0.0342707985504821, 0.106020511106096, 0.143572175202748, 0.983347442806135)
    )
