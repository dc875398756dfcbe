"""The cases of `tests/it/http` that a typed client can send: requests, goals and subscriptions, valid and refused."""

from __future__ import annotations

import threading
import time

import pytest
from places import FIXTURES, WORLDS

from bridgehead import BridgeheadError, Client, ClientCode, Host, ResultCode, SimulationStateCode
from bridgehead.messages import simulation_interfaces as standard

PATIENCE = 30.0
UNKNOWN = "00000000-0000-4000-8000-000000000001"


def refused(call: object, *arguments: object, **named: object) -> BridgeheadError:
    assert callable(call)
    with pytest.raises(BridgeheadError) as caught:
        call(*arguments, **named)
    return caught.value


def test_steps_are_answered_after_their_execution(paused: Host) -> None:
    before = paused.get_status().status.step
    assert paused.step_simulation(1000).result.result is ResultCode.OK
    status = paused.get_status().status
    assert (status.step, status.state) == (before + 1000, "Pause")
    assert paused.step_simulation().result.result is ResultCode.OK
    assert paused.get_status().status.step == before + 1001
    paused.reset_simulation(standard.ResetSimulationScope.TIME)
    assert (paused.get_status().status.step, paused.get_status().status.reset_epoch) == (0, 1)


def test_own_services_report_errors_by_the_http_status(paused: Host) -> None:
    paused.resume("a test")
    error = refused(paused.reset, then="somewhere")
    assert error.status == 400
    error = refused(paused.disconnect_bridge, "none")
    assert error.status == 404
    # The standard services answer 200 with any result.
    error = refused(paused.set_simulation_state, standard.SimulationState(SimulationStateCode.PLAYING))
    assert error.status == 200
    assert error.result is standard.SetSimulationStateCode.ALREADY_IN_TARGET_STATE
    error = refused(paused.set_simulation_state, standard.SimulationState(256))
    assert (error.status, error.path) == (400, "state.state")


def test_unknown_goals_and_invalid_requests_are_refused(paused: Host) -> None:
    assert refused(paused.simulate_steps_goal, UNKNOWN).code == "BH-WEB-040"
    assert refused(paused.cancel_simulate_steps, UNKNOWN).code == "BH-WEB-040"
    assert refused(paused.simulate_steps_goal, "one").code == "BH-WEB-040"
    assert refused(paused.simulate_steps_goal, "a b/../c?d").code is not None
    assert refused(paused.simulate_steps, -1).path == "steps"
    assert refused(paused.simulate_steps_goal, UNKNOWN, wait=-1.0).status in {400, 404}


def test_a_goal_runs_with_feedback_and_its_result_is_kept(paused: Host) -> None:
    with paused.subscribe("feedback") as feedback:
        sent = paused.simulate_steps(50)
        assert sent.accepted
        steps: list[int] = []
        while not steps or steps[-1] < 50:
            event = feedback.wait_for(lambda event: "completed_steps" in event.data, timeout=PATIENCE)
            assert event.data["goal_id"] == sent.goal_id
            assert event.data["remaining_steps"] == 50 - event.data["completed_steps"]
            steps.append(event.data["completed_steps"])
        end = feedback.wait_for(lambda event: event.data.get("status") == "succeeded", timeout=PATIENCE)
        assert end.data["goal_id"] == sent.goal_id
    goal = paused.simulate_steps_goal(sent.goal_id, wait=PATIENCE)
    assert (goal.is_done, goal.completed_steps, goal.result) == (True, 50, standard.Result(ResultCode.OK))


def test_a_run_cannot_be_quit_if_the_configuration_forbids_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    config = tmp_path_factory.mktemp("config") / "run.toml"
    config.write_text("[control]\nallow_quit = false\n")
    with Host(FIXTURES / "W1.sdf", config=config) as host:
        assert "quit" not in host.get_status().status.allowed
        error = refused(host.quit)
        assert "quit" not in error.allowed
        assert "abort" in error.allowed
    assert host.exit_code == 0


def test_quitting_is_answered_and_then_the_process_ends(playing: Host) -> None:
    began = time.monotonic()
    playing.set_simulation_state(standard.SimulationState(SimulationStateCode.QUITTING))
    assert playing.wait(PATIENCE).exit_code == 0
    # Wall time: a host that waits for its clients ends too, but late.
    assert time.monotonic() - began < 10


def test_waiting_calls_are_answered_at_the_end_of_the_run(paused: Host) -> None:
    found: list[BridgeheadError] = []
    thread = threading.Thread(target=lambda: found.append(refused(paused.step_simulation, 1_000_000_000_000)))
    thread.start()
    paused.wait_for("state", lambda event: event.data["state"] == "StepBegin", timeout=PATIENCE)
    with Client(paused.address) as other:
        other.quit()
    thread.join(PATIENCE)
    # The steps were cut short, or the run ended before the answer.
    assert found[0].result is ResultCode.OPERATION_FAILED or found[0].code in {"BH-WEB-030", ClientCode.CONNECTION_LOST}
    paused.wait(PATIENCE)


def test_changes_of_the_state_are_reported_in_order_until_the_end(paused: Host) -> None:
    with paused.subscribe("state") as states:
        assert states.next(PATIENCE).data["state"] == "Pause", "the first event is the current state"
        paused.resume()
        states.wait_for(lambda event: event.data["state"] == "StepBegin", timeout=PATIENCE)
        paused.pause()
        states.wait_for(lambda event: event.data["state"] == "Pause", timeout=PATIENCE)
        paused.reset_simulation()
        event = states.wait_for(lambda event: event.epoch == 1, timeout=PATIENCE)
        assert event.data["step"] == 0
        paused.quit()
        names = [event.data["state"] for event in states]
        assert names[-1] == "Quitting"
        assert "Disconnect" in names
    assert paused.wait(PATIENCE).exit_code == 0


def test_topics_are_received_after_a_reset_too(playing: Host) -> None:
    with playing.subscribe("/clock", rate=20) as clock:
        clock.next(PATIENCE)
        playing.reset(then="play")
        event = clock.wait_for(lambda event: event.epoch == 1, timeout=PATIENCE)
        assert event.message.clock.sec >= 0


def test_closed_subscriptions_free_their_connections(playing: Host) -> None:
    # More than the server accepts at the same time.
    for _ in range(70):
        with playing.subscribe("state", "/clock"):
            pass
    playing.quit()
    assert playing.wait(PATIENCE).exit_code == 0


def test_topics_of_a_removed_vehicle_are_not_listed() -> None:
    sdf = (
        "<sdf version='1.11'><model name='m'><link name='l'><sensor name='imu' type='imu'>"
        "<update_rate>100</update_rate></sensor></link></model></sdf>"
    )
    with Host(WORLDS / "empty.sdf") as host:

        def listed() -> list[str]:
            return [topic.topic for topic in host.get_topics().topics if topic.vehicle == "car"]

        host.spawn(sdf, "car")
        host.wait_for("/car/imu", timeout=PATIENCE)
        assert listed() == ["/car/imu"]
        host.delete_entity("car")
        assert listed() == []
