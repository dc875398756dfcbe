"""Tests of the synchronous client with a real host."""

from __future__ import annotations

import math
import threading

import pytest
from places import FIXTURES, WORLDS

import bridgehead
from bridgehead import BridgeheadError, Client, ClientCode, Host, ResultCode, SimulationStateCode
from bridgehead.messages import simulation_interfaces as standard
from bridgehead.messages.geometry_msgs import Twist, Vector3


def test_steps_take_simulated_time(paused: Host) -> None:
    assert paused.state() is SimulationStateCode.PAUSED
    paused.step(100)
    assert paused.time() == pytest.approx(0.1)
    paused.step()
    assert paused.time() == pytest.approx(0.101)


def test_a_reset_of_a_paused_host_stays_paused_and_the_next_episode_begins() -> None:
    with Host(WORLDS / "two_vehicles.sdf", start="paused") as host:
        for _ in range(3):
            host.step(10)
            assert host.reset().state == "Pause"
            assert host.time() == 0.0
        host.reset(then="stopped")
        assert host.state() == SimulationStateCode.STOPPED
        host.reset(then="paused")
        assert host.state() == SimulationStateCode.PAUSED
        host.step()
        host.reset(then="play")
        assert host.state() == SimulationStateCode.PLAYING
        with pytest.raises(BridgeheadError, match="`keep`, `stopped`, `paused` or `play`"):
            host.reset(then="running")


def test_steps_of_a_paused_host_are_not_paced() -> None:
    with Host(FIXTURES / "W1.sdf", start="paused", speed=1e-3) as host:
        # At that speed, they would take more than a day.
        host.step(100_000)
        assert host.time() == pytest.approx(100.0)


def test_a_message_for_a_missing_topic_is_refused_with_the_nearest_name_or_creates_it() -> None:
    with Host(WORLDS / "two_vehicles.sdf", start="paused") as host:
        with pytest.raises(BridgeheadError, match="did you mean `/car1/cmd_vel`") as caught:
            host.publish("/car1/cmd_vle", Twist())
        assert (caught.value.code, caught.value.result) == ("BH-CTL-010", ResultCode.NOT_FOUND)
        host.publish("/car1/cmd_vle", Twist(), create=True)
        host.publish("/car1/cmd_vle", Twist())
        assert "/car1/cmd_vle" in [topic.topic for topic in host.get_topics().topics]


def test_a_topic_is_read_after_steps_without_a_subscription_before() -> None:
    with Host(WORLDS / "two_vehicles.sdf", start="paused") as host:
        with pytest.raises(BridgeheadError, match="try: step, then read again") as caught:
            host.read("/car1/odom")
        assert caught.value.code == "BH-CTL-017"
        host.step(1000)
        first = host.read("/car1/odom")
        assert 0.9e9 < (first.time_ns or 0) <= 1.0e9
        assert host.read("/car1/odom") == first
        host.step(1000)
        assert (host.read("/car1/odom").time_ns or 0) > 1.9e9
        host.reset()
        with pytest.raises(BridgeheadError, match="BH-CTL-017"):
            host.read("/car1/odom")


def test_clouds_are_made_from_the_first_reading_on() -> None:
    with Host(WORLDS / "two_vehicles.sdf", start="paused") as host:
        host.step(1000)
        with pytest.raises(BridgeheadError, match="BH-CTL-017"):
            host.read("/car2/lidar/points")
        host.step(1000)
        assert host.read("/car2/lidar/points").message.width > 0


def test_only_counted_steps_have_a_listener_on_every_topic() -> None:
    def listeners() -> int:
        return next(one.listeners for one in host.get_topics().topics if one.topic == "/car1/imu")

    with Host(WORLDS / "two_vehicles.sdf", start="paused") as host:
        assert listeners() == 0
        host.step(1)
        assert listeners() == 1
        with host.subscribe("state") as states:
            host.resume()
            states.wait_for(lambda event: event.data["state"] != "Pause")
        assert listeners() == 0


def test_a_command_that_expires_is_logged_once() -> None:
    with Host(WORLDS / "two_vehicles.sdf", start="paused") as host:
        for _ in range(2):
            host.publish("/car1/cmd_vel", Twist(linear=Vector3(x=1.0)))
            host.step(1000)
    lines = [line for line in host.log if "the last command is older than 0.5 s" in line]
    assert len(lines) == 1, host.log
    assert "car1" in lines[0]


def test_a_snapshot_is_restored_within_a_run() -> None:
    with Host(WORLDS / "two_vehicles.sdf", start="paused") as host:
        host.publish("/car1/cmd_vel", Twist(linear=Vector3(x=1.0)))
        host.step(300)
        host.save_snapshot("start")
        ends = []
        for _ in range(2):
            host.restore_snapshot("start")
            host.step(200)
            ends.append((host.time(), host.entity("car1").pose, host.read("/car1/odom").message.pose))
        assert ends[0] == ends[1]
        assert ends[0][0] == pytest.approx(0.5)
        host.play()
        with pytest.raises(BridgeheadError, match="pause it first") as caught:
            host.restore_snapshot("start")
        assert (caught.value.code, caught.value.result) == ("BH-CTL-018", ResultCode.INCORRECT_STATE)


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
