"""Tests of starting and ending hosts."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from places import FIXTURES, WORLDS

import bridgehead
from bridgehead import BridgeheadError, Client, ClientCode, ExitCode, Host, Outcome, RunResult

PATIENCE = 30.0


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_for_end(pid: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while is_running(pid):
        assert time.monotonic() < deadline, f"{pid} still runs"
        time.sleep(0.02)


def test_a_host_is_paused_and_has_its_topics_when_its_block_begins() -> None:
    for _ in range(10):
        with Host(WORLDS / "two_vehicles.sdf", start="paused") as host:
            assert host.get_status().status.state == "Pause"
            assert "/car1/cmd_vel" in [topic.topic for topic in host.get_topics().topics]


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BridgeheadError) as caught:
        Host(program="/no/such/program").start()
    assert caught.value.code == ClientCode.PROGRAM_MISSING
    assert "/no/such/program" in caught.value.message
    monkeypatch.setenv("BRIDGEHEAD_PROGRAM", "/no/other")
    with pytest.raises(BridgeheadError, match="BRIDGEHEAD_PROGRAM"):
        Host().start()
    monkeypatch.delenv("BRIDGEHEAD_PROGRAM")
    monkeypatch.setenv("PATH", "/no/such/folder")
    monkeypatch.setattr("bridgehead._program.PACKAGED", Path("/no/such/folder/bridgehead"))
    with pytest.raises(BridgeheadError, match="not found"):
        bridgehead.find_program()


def test_a_program_that_is_no_host_is_reported() -> None:
    with pytest.raises(BridgeheadError) as caught:
        Host(program="true").start()
    assert caught.value.code == ClientCode.START_FAILED
    assert caught.value.exit_code == 0


def test_a_host_that_does_not_serve_in_time_is_ended(tmp_path: Path) -> None:
    program = tmp_path / "silent"
    program.write_text("#!/bin/sh\necho begun\nexec sleep 600\n")
    program.chmod(0o755)
    host = Host(program=program, start_timeout=2.0)
    with pytest.raises(BridgeheadError) as caught:
        host.start()
    assert caught.value.code == ClientCode.START_TIMEOUT
    assert caught.value.log == ("begun",)
    assert host.exit_code == 128 + signal.SIGTERM


def test_a_missing_world_is_an_error_also_if_the_host_stays_alive() -> None:
    host = Host(WORLDS / "missing.sdf", env={"BRIDGEHEAD_RUN_KEEP_ALIVE": "true"})
    with pytest.raises(BridgeheadError, match=r"missing\.sdf`: No such file") as caught:
        host.start()
    assert caught.value.code == "BH-SDF-001"
    assert host.exit_code is not None, "it has ended"


def test_a_missing_world_has_the_code_of_the_host() -> None:
    host = Host("/no/such/world.sdf")
    with pytest.raises(BridgeheadError) as caught:
        host.start()
    assert caught.value.code == "BH-SDF-001"
    assert caught.value.exit_code == ExitCode.CONFIGURATION
    assert "/no/such/world.sdf" in caught.value.message
    assert host.result.outcome == Outcome.CONFIGURATION_ERROR


def test_an_unknown_flag_shows_what_the_host_wrote() -> None:
    with pytest.raises(BridgeheadError) as caught:
        Host(args=["--no-such-flag"]).start()
    assert "--no-such-flag" in str(caught.value)


def test_a_run_with_a_duration_ends_by_itself() -> None:
    with Host(WORLDS / "two_vehicles.sdf", speed="unlimited", duration="2s", seed=7) as host:
        result = host.wait(PATIENCE)
    assert (result.outcome, result.cause, result.exit_code) == (Outcome.STOPPED, "duration reached", ExitCode.SUCCESS)
    assert (result.steps, result.seed, result.time_ns) == (2000, 7, 2_000_000_000)
    assert result.topic("/car1/odom").published == 100
    with pytest.raises(KeyError):
        result.topic("/nothing")


def test_exit_codes_are_typed(tmp_path: Path) -> None:
    with Host(FIXTURES / "W1.sdf", start="paused", args=["--require-success"], result=tmp_path / "r.json") as host:
        pass
    assert host.exit_code == ExitCode.NO_SUCCESS
    assert host.result.exit_code is ExitCode.NO_SUCCESS
    with Host(FIXTURES / "W1.sdf") as host:
        host.fail("a test")
        assert host.wait(PATIENCE).exit_code is ExitCode.FAILURE
    assert host.result.outcome == Outcome.FAILURE


def test_every_field_of_the_result_file_is_typed(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    with Host(WORLDS / "two_vehicles.sdf", speed="unlimited", duration="1s", result=path) as host:
        host.wait(PATIENCE)
    raw = json.loads(path.read_text())
    untyped: list[str] = []

    def compare(value: object, typed: object, where: str) -> None:
        if isinstance(value, dict) and hasattr(typed, "__dataclass_fields__"):
            untyped.extend(f"{where}.{name}" for name in set(value) - set(typed.__dataclass_fields__))
            untyped.extend(f"{where}.{name} is gone" for name in set(typed.__dataclass_fields__) - set(value))
            for name in set(value) & set(typed.__dataclass_fields__):
                compare(value[name], getattr(typed, name), f"{where}.{name}")
        elif isinstance(value, list) and isinstance(typed, tuple) and value:
            compare(value[0], typed[0], where)

    compare(raw, RunResult.read(path), "result")
    assert untyped == []


def test_a_result_of_another_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    for text in ["", "[]", '{"schema": "bridgehead-result/2"}', '{"schema": "bridgehead-result/1", "steps": "x"}']:
        path.write_text(text)
        with pytest.raises(BridgeheadError) as caught:
            RunResult.read(path)
        assert caught.value.code == ClientCode.NOT_A_HOST, text
    with pytest.raises(BridgeheadError) as caught:
        RunResult.read(tmp_path / "none.json")
    assert caught.value.code == ClientCode.NO_RESULT


def test_a_host_that_dies_during_a_call_is_reported(paused: Host) -> None:
    pid = paused.pid

    def kill() -> None:
        with Client(paused.address) as other:
            while other.get_status().status.step == 0:
                # Wall time: the pause between two looks.
                time.sleep(0.01)
        os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(BridgeheadError) as caught:
        paused.step(1_000_000_000)
    killer.join()
    assert caught.value.code == ClientCode.CONNECTION_LOST
    with pytest.raises(BridgeheadError) as caught:
        paused.wait(PATIENCE)
    assert caught.value.code == ClientCode.NO_RESULT
    # The process that was started supervises the host, whose sockets are closed a moment after it was killed.
    deadline = time.monotonic() + PATIENCE
    code: str | None = ClientCode.CONNECTION_LOST
    while code == ClientCode.CONNECTION_LOST and time.monotonic() < deadline:
        with pytest.raises(BridgeheadError) as caught:
            paused.get_status()
        code = caught.value.code
    assert code == ClientCode.UNREACHABLE
    assert paused.end() == 128 + signal.SIGKILL
    with pytest.raises(BridgeheadError) as caught:
        _ = paused.result
    assert (caught.value.code, caught.value.exit_code) == (ClientCode.NO_RESULT, 128 + signal.SIGKILL)


def test_a_host_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "stubborn"
    program.write_text("#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 0.05; done\n")
    program.chmod(0o755)
    host = Host(program=program, start_timeout=2.0)
    before = time.monotonic()
    monkey = pytest.MonkeyPatch()
    monkey.setattr("bridgehead._sync.host.GRACE", 0.3)
    monkey.setattr(Host.end, "__defaults__", (0.3,))
    with monkey.context(), pytest.raises(BridgeheadError):
        host.start()
    monkey.undo()
    assert host.exit_code == 128 + signal.SIGKILL
    # Wall time: the client waits for a process that ignores it.
    assert time.monotonic() - before < PATIENCE


def test_the_end_of_a_block_ends_the_host_also_after_an_exception() -> None:
    host = Host(FIXTURES / "W1.sdf", start="paused")
    with contextlib.suppress(ZeroDivisionError), host:
        pid = host.pid
        raise ZeroDivisionError
    assert not is_running(pid)
    assert host.exit_code == 0


SCRIPT = """
import os, signal, sys, threading, bridgehead
host = bridgehead.Host(sys.argv[1], start="paused")
# A thread that ends must not end the host.
thread = threading.Thread(target=host.start)
thread.start()
thread.join()
print(host.pid, host.state(), flush=True)
if sys.argv[2] == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
elif sys.argv[2] == "raise":
    raise RuntimeError
"""


@pytest.mark.parametrize("way", ["kill", "raise", "end"])
def test_a_host_ends_with_the_interpreter(way: str) -> None:
    command = [sys.executable, "-c", SCRIPT, str(FIXTURES / "W1.sdf"), way]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    pid, state = finished.stdout.split()
    assert state == "SimulationStateCode.PAUSED", finished.stderr
    wait_for_end(int(pid))


INTERRUPTED = """
import signal, sys, bridgehead
# A shell that starts the tests in the background has them ignore interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
host = bridgehead.Host(sys.argv[1])
try:
    with host:
        print("begun", flush=True)
        host.wait()
except KeyboardInterrupt:
    print(host.exit_code, host.result.outcome)
"""


def test_an_interrupt_from_the_terminal_ends_the_host_regularly() -> None:
    command = [sys.executable, "-c", INTERRUPTED, str(FIXTURES / "W1.sdf")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as script:
        assert script.stdout is not None
        assert script.stdout.readline() == "begun\n"
        # A terminal sends the signal to all processes of the group.
        os.killpg(script.pid, signal.SIGINT)
        try:
            assert script.communicate(timeout=60)[0] == "0 stopped\n"
        finally:
            script.kill()


FORKS = """
import os, sys, bridgehead
with bridgehead.Host(sys.argv[1], start="paused") as host:
    child = os.fork()
    if child == 0:
        # A host of the child ends with it; that of its parent does not.
        bridgehead.Host(sys.argv[1], start="paused").start()
        sys.exit(0)
    print(os.waitpid(child, 0)[1], host.state())
"""


def test_a_forked_process_leaves_the_hosts_of_its_parent() -> None:
    command = [sys.executable, "-c", FORKS, str(FIXTURES / "W1.sdf")]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert finished.stdout == "0 SimulationStateCode.PAUSED\n", finished.stderr


def test_a_run_that_has_not_ended_has_no_result(paused: Host) -> None:
    with pytest.raises(BridgeheadError) as caught:
        paused.wait(0.1)
    assert caught.value.code == ClientCode.NOT_ENDED
    with pytest.raises(BridgeheadError) as caught:
        _ = paused.result
    assert caught.value.code == ClientCode.NO_RESULT


def test_bridges_write_into_the_output_folder(tmp_path: Path) -> None:
    with Host(
        WORLDS / "two_vehicles.sdf",
        speed="unlimited",
        duration="1s",
        output=tmp_path,
        bridges=[f"*=logging:{tmp_path}/run.jsonl"],
    ) as host:
        assert host.wait(PATIENCE).bridges
    assert (tmp_path / "run.jsonl").stat().st_size > 0


def test_a_host_that_does_not_run_asks_no_other_one() -> None:
    host = Host(WORLDS / "empty.sdf", start="paused")
    with pytest.raises(BridgeheadError, match="was not started") as before:
        host.time()
    assert before.value.code == ClientCode.UNREACHABLE
    with host:
        assert host.time() >= 0.0
    with pytest.raises(BridgeheadError, match="has ended with exit code"):
        host.time()
