"""Tests of the plugin for pytest: tests that pass, fail, and lose their host."""

from __future__ import annotations

import textwrap

import pytest
from places import FIXTURES, WORLDS


def run(pytester: pytest.Pytester, text: str, *args: str, ini: str = "") -> pytest.RunResult:
    pytester.makeini(f"[pytest]\n{ini}")
    pytester.makepyfile(textwrap.dedent(text))
    return pytester.runpytest_subprocess("-p", "bridgehead.pytest_plugin", "--strict-markers", *args)


def test_the_marker_chooses_world_and_options(pytester: pytest.Pytester) -> None:
    found = run(
        pytester,
        """
        import pytest

        @pytest.mark.bridgehead("two_vehicles.sdf", start="paused", seed=3)
        def test_steps(bridgehead_world):
            bridgehead_world.step(10)
            assert bridgehead_world.get_status().status.step == 10

        @pytest.mark.bridgehead("two_vehicles.sdf", start="paused")
        def test_begins_anew(bridgehead_world):
            assert bridgehead_world.get_status().status.step == 0

        @pytest.mark.bridgehead("arm", start="paused")
        def test_an_installed_world(bridgehead_world):
            assert bridgehead_world.get_current_world().world.name == "arm"

        def test_without_a_world(bridgehead_world):
            assert bridgehead_world.state() == 4
        """,
        ini=f"bridgehead_worlds = {WORLDS}",
    )
    found.assert_outcomes(passed=4)


def test_a_failed_test_has_the_log_and_the_triggers(pytester: pytest.Pytester) -> None:
    config = pytester.path / "run.toml"
    config.write_text(
        '[[trigger]]\nlabel = "half a second"\nevent = { name = "time", time = "0.5s" }\n'
        'action = { name = "log", msg = "reached" }\n'
    )
    found = run(
        pytester,
        f"""
        def test_fails(bridgehead_host):
            host = bridgehead_host({str(FIXTURES / "W1.sdf")!r}, start="paused", config={str(config)!r})
            host.step(600)
            assert host.entity("box_a").pose.position.x > 100

        def test_passes(bridgehead_host):
            bridgehead_host({str(FIXTURES / "W1.sdf")!r}, start="paused")
        """,
    )
    found.assert_outcomes(failed=1, passed=1)
    text = found.stdout.str()
    assert text.count("bridgehead log") == 1
    assert "serves the control plane" in text
    assert "half a second" in text.partition("bridgehead triggers")[2]


def test_a_host_that_died_or_did_not_start_is_reported(pytester: pytest.Pytester) -> None:
    found = run(
        pytester,
        f"""
        import os, signal

        def test_dies(bridgehead_host):
            host = bridgehead_host({str(FIXTURES / "W1.sdf")!r}, start="paused")
            os.kill(host.pid, signal.SIGKILL)
            host.step(1000000000)

        def test_does_not_start(bridgehead_host):
            bridgehead_host("no_such_world.sdf")
        """,
    )
    found.assert_outcomes(failed=2)
    text = found.stdout.str()
    assert "not available: the host ended with exit code 137 without a result" in text
    assert "BH-SDF-001" in text
    assert "no_such_world.sdf" in text


def test_several_hosts_of_a_test_are_all_ended_and_reported(pytester: pytest.Pytester) -> None:
    found = run(
        pytester,
        f"""
        import os, pytest
        pids = []

        def test_two(bridgehead_host):
            for _ in range(2):
                pids.append(bridgehead_host({str(FIXTURES / "W1.sdf")!r}, start="paused").pid)
            assert False

        def test_ended():
            assert len(pids) == 2
            for pid in pids:
                with pytest.raises(ProcessLookupError):
                    os.kill(pid, 0)
        """,
    )
    found.assert_outcomes(failed=1, passed=1)
    assert "bridgehead 2 log" in found.stdout.str()


def test_the_program_is_an_option(pytester: pytest.Pytester) -> None:
    text = "def test_one(bridgehead_host):\n    bridgehead_host()\n"
    found = run(pytester, text, "--bridgehead-program", "/no/such/program")
    found.assert_outcomes(failed=1)
    assert "BH-PYC-001" in found.stdout.str()
