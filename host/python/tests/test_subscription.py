"""Tests of subscriptions."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from places import FIXTURES, WORLDS

import bridgehead
from bridgehead import BridgeheadError, Client, ClientCode, Host, ResultCode
from bridgehead.events import Event, SimulatedClock, poses_event
from bridgehead.messages import simulation_interfaces as standard
from bridgehead.messages.geometry_msgs import Point, Pose
from bridgehead.messages.rosgraph_msgs import Clock


def test_events_have_typed_messages_at_the_requested_rate(playing: Host) -> None:
    with playing.subscribe("/clock", rate=20) as clock:
        began = time.monotonic()
        events = [clock.next(10) for _ in range(5)]
    # Four intervals of 50 ms; without a rate they would be shorter.
    # Wall time: rates of events are of wall time; this bound holds on every machine.
    assert time.monotonic() - began > 0.15
    assert all(isinstance(event.message, Clock) for event in events)
    stamps = [event.time_ns or 0 for event in events]
    assert stamps == sorted(set(stamps))


def test_subscriptions_are_added_and_removed(playing: Host) -> None:
    with playing.subscribe("state") as events:
        # The first event has the present state: on a slow machine, the run may still be starting.
        events.wait_for(lambda event: event.data["state"] == "StepBegin", timeout=30)
        events.add("/clock", rate=50)
        assert events.wait_for(timeout=10).topic == "/clock"
        events.remove("/clock")
        events.add("status", rate=20)
        later = [events.next(10) for _ in range(5)]
        assert later[-1].what == "status"
        with pytest.raises(BridgeheadError) as caught:
            events.remove("/clock")
        assert caught.value.code == "BH-WEB-056"


def test_poses_are_those_of_the_scene(paused: Host) -> None:
    nodes = paused.get_scene().scene.nodes
    with paused.subscribe("poses") as poses:
        first = poses.next(10)
        assert first.data.is_complete
        assert len(first.data.poses) == len(nodes)
        assert first.time_ns == 0
        box = next(index for index, node in enumerate(nodes) if node.entity == "box_b")
        assert first.data.poses[box] == pytest.approx((5, 0, 0.5, 0, 0, 0, 1), abs=1e-3)
        paused.set_entity_state("box_b", standard.EntityState(pose=Pose(Point(7.0, 1.0, 2.0))))
        moved = poses.wait_for(lambda event: box in event.data.nodes, timeout=10)
        assert not moved.data.is_complete
        assert moved.data.poses[moved.data.nodes.index(box)][:3] == pytest.approx((7, 1, 2), abs=1e-3)


def test_frames_of_another_kind_are_left_out() -> None:
    for frame in (b"", b"BHP2" + bytes(60)):
        assert poses_event(frame) is None


def test_an_unknown_topic_cannot_be_read(paused: Host) -> None:
    with pytest.raises(BridgeheadError) as caught:
        paused.read("/no/such/topic")
    assert caught.value.result is ResultCode.NOT_FOUND
    assert "/no/such/topic" in caught.value.message


def test_what_cannot_be_subscribed_has_the_code_of_the_host(paused: Host) -> None:
    with pytest.raises(BridgeheadError) as caught:
        paused.subscribe("weather")
    assert caught.value.code == "BH-WEB-053"
    with pytest.raises(BridgeheadError) as caught:
        paused.subscribe("state", rate=-1)
    assert caught.value.code == "BH-WEB-051"


def test_a_silent_topic_ends_by_wall_time_and_by_simulated_time(playing: Host) -> None:
    with pytest.raises(BridgeheadError) as caught:
        playing.wait_for("/no/such/topic", timeout=0.3)
    assert caught.value.code == ClientCode.NO_EVENT
    assert "0.3 s" in caught.value.message
    with pytest.raises(BridgeheadError) as caught:
        playing.wait_for("/no/such/topic", timeout=60, sim_timeout=0.3)
    assert caught.value.code == ClientCode.NO_EVENT
    assert "simulated time" in caught.value.message
    with pytest.raises(BridgeheadError) as caught:
        playing.wait_for("/car1/odom", lambda event: event.message.pose.pose.position.x > 1e6, sim_timeout=0.5)
    assert int(caught.value.message.split("; ")[1].split()[0]) > 5
    # Deadlines of simulated time do not pass in a pause.
    playing.pause()
    with pytest.raises(BridgeheadError) as caught:
        playing.wait_for("/no/such/topic", timeout=0.3, sim_timeout=0.1)
    assert "simulated" not in caught.value.message


def test_the_status_is_awaited_beside_a_limit_of_simulated_time(playing: Host) -> None:
    event = playing.wait_for("status", lambda event: event.data["status"]["step"] > 100, sim_timeout=10)
    assert event.time_ns is not None
    assert event.time_ns > 1e8


def test_the_end_of_the_run_ends_a_subscription(playing: Host) -> None:
    with playing.subscribe("state") as states:
        playing.quit()
        names = [event.data["state"] for event in states]
        assert names[-1] == "Quitting"
        with pytest.raises(BridgeheadError) as caught:
            states.next(1)
        assert caught.value.code == ClientCode.SUBSCRIPTION_ENDED


def unread(host: Host, feedback: bridgehead.Subscription, steps: int) -> tuple[int, int]:
    """Runs steps while their events are not read. Returns the numbers of lost and of received events."""
    sent = host.simulate_steps(steps)
    assert host.simulate_steps_goal(sent.goal_id, wait=60).status == "succeeded"
    lost, received = feedback.lost, 0
    while True:
        event = feedback.next(30)
        if event.data.get("status") == "succeeded":
            return feedback.lost - lost, received
        received += "completed_steps" in event.data


def test_a_slow_subscriber_is_told_how_many_events_it_lost() -> None:
    with Host(FIXTURES / "W1.sdf", start="paused", speed="unlimited") as host, host.subscribe("feedback") as feedback:
        # More only if the sockets have room for all events.
        for steps in (20_000, 40_000, 80_000, 160_000):
            lost, received = unread(host, feedback, steps)
            assert steps <= lost + received <= steps + 2
            if lost > 0:
                return
    pytest.fail("no event was lost")


def test_messages_of_a_third_party_are_dictionaries(tmp_path: Path) -> None:
    library = os.environ.get("BRIDGEHEAD_OWN_TYPE")
    assert library, "set BRIDGEHEAD_OWN_TYPE to the library of tests/fixtures/own_type.rs"
    world = tmp_path / "world.sdf"
    world.write_text(
        "<sdf version='1.11'><world name='w'><model name='car'><link name='l'/>"
        "<plugin filename='own_type' name='barometer'/></model></world></sdf>"
    )
    with Host(world, plugin_path=[library]) as host:
        event = host.wait_for("/car/pressure", timeout=30)
        assert event.type == "example_msgs/msg/Pressure"
        assert set(event.message) == {"pascal"}
        with host.subscribe("/car/echo") as echo:
            host.publish("/car/pressure_in", {"pascal": 12.5}, ros_type=event.type)
            assert echo.next(30).message == {"pascal": 12.5}
        with pytest.raises(BridgeheadError):
            host.publish("/car/pressure_in", {"bar": 1.0}, ros_type=event.type)


def test_a_wrong_token_is_refused_by_calls_and_subscriptions(tmp_path: Path) -> None:
    config = tmp_path / "run.toml"
    config.write_text('[http]\ntoken = "secret"\n')
    with pytest.raises(BridgeheadError) as caught:
        Host(FIXTURES / "W1.sdf", config=config, start="paused").start()
    assert (caught.value.code, caught.value.status) == ("BH-WEB-012", 401)
    with Host(FIXTURES / "W1.sdf", config=config, start="paused", token="secret") as host:
        assert host.state() == 2
        for token in (None, "wrong"):
            with Client(host.address, token=token) as client:
                with pytest.raises(BridgeheadError) as caught:
                    client.get_status()
                assert (caught.value.code, caught.value.status) == ("BH-WEB-012", 401)
                with pytest.raises(BridgeheadError) as caught:
                    client.subscribe("state")
            assert (caught.value.code, caught.value.status) == ("BH-WEB-012", 401)
        with Client(host.address, token="secret") as client, client.subscribe("state") as states:
            assert states.next(10).data["state"] == "Pause"


def test_a_server_of_another_kind_is_reported() -> None:
    import http.server
    import threading

    class Other(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>")

        def log_message(self, *_: object) -> None: ...

    server = http.server.HTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Client(f"127.0.0.1:{server.server_port}") as client, pytest.raises(BridgeheadError) as caught:
        client.get_status()
    server.shutdown()
    server.server_close()
    assert caught.value.code == ClientCode.NOT_A_HOST


def test_a_token_that_no_header_can_contain_is_refused(paused: Host) -> None:
    with Client(paused.address, token="two\nlines") as client, pytest.raises(BridgeheadError) as caught:
        client.get_status()
    assert caught.value.code == ClientCode.VALUE_INVALID


@pytest.mark.parametrize("address", ["", "http://", "https://a:1", "a:b", "127.0.0.1:99999", "http://a/b", "a b"])
def test_invalid_addresses_are_refused(address: str) -> None:
    with pytest.raises(BridgeheadError) as caught:
        Client(address)
    assert caught.value.code == ClientCode.ADDRESS_INVALID


@pytest.mark.parametrize(
    ("given", "found"), [("localhost", "localhost:8090"), ("[::1]:1", "[::1]:1"), ("http://h:2/", "h:2")]
)
def test_addresses_have_several_forms(given: str, found: str) -> None:
    assert Client(given).address == found


def test_simulated_time_continues_over_a_reset() -> None:
    clock = SimulatedClock()
    for epoch, time_ns, elapsed in [(0, 5e9, 0.0), (0, 6e9, 1.0), (1, 5e8, 1.5), (1, 1e9, 2.0), (3, 0, 2.0)]:
        clock.advance(epoch, int(time_ns))
        assert clock.elapsed == pytest.approx(elapsed)


def test_a_message_that_does_not_fit_its_name_is_a_dictionary() -> None:
    data = {"type": "rosgraph_msgs/msg/Clock", "message": {"clock": "noon"}}
    assert Event("topic:/clock", 0, data).message == {"clock": "noon"}


def test_all_worlds_of_the_examples_are_loaded() -> None:
    with Host() as host:
        for name in ("empty.sdf", "arm.sdf"):
            assert host.load(WORLDS / name).name
