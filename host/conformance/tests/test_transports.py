"""The transports: bytes and types of DDS, the adapter for rclpy on modules that stand for it, and older interfaces."""

from __future__ import annotations

import dataclasses
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

import fake_rclpy
from bridgehead_conformance.cases import all_cases
from bridgehead_conformance.definitions import fields
from bridgehead_conformance.runner import run_all
from bridgehead_conformance.transports import TRANSPORTS, NotInstalled, TransportError, connect, shapes
from bridgehead_conformance.transports.http import plain
from bridgehead_conformance.transports.rosbridge import message_of as message_of_rosbridge
from bridgehead_conformance.transports.rosbridge import plain as plain_for_rosbridge
from bridgehead_conformance.versions import request_for, response_from
from fake.faults import FAULTS
from fake.simulator import FakeSimulator
from fake.transport import description
from rosbridge_server import serving

SRV, MSG = "simulation_interfaces/srv", "simulation_interfaces/msg"
POSE = {"position": {"x": 1, "y": 2, "z": 3}}
# Bytes that another implementation of CDR has written for these messages.
BYTES: list[tuple[str, dict[str, Any], str]] = [
    (f"{MSG}/Result", {"result": 1}, "00010000010000000100000000"),
    (f"{SRV}/SetSimulationState_Request", {"state": {"state": 1}}, "0001000001"),
    (
        f"{SRV}/SetSimulationState_Response",
        {"result": {"result": 101, "error_message": "x"}},
        "0001000065000000020000007800",
    ),
    (
        f"{SRV}/GetSimulationState_Response",
        {"state": {"state": 2}, "result": {"result": 1}},
        "00010000020100000100000000",
    ),
    (f"{SRV}/StepSimulation_Request", {"steps": 5}, "000100000500000000000000"),
    (f"{SRV}/ResetSimulation_Request", {"scope": 7}, "0001000007"),
    (
        f"{SRV}/SpawnEntity_Response",
        {"result": {"result": 1}, "entity_name": "b1"},
        "0001000001000000010000000000000003000000623100",
    ),
    (
        f"{SRV}/SpawnEntity_Request",
        {
            "name": "b1",
            "allow_renaming": True,
            "entity_resource": {"uri": "file:///m.sdf"},
            "entity_namespace": "ns",
            "initial_pose": {"header": {"frame_id": "world"}, "pose": POSE},
        },
        "0001000003000000623100010e00000066696c653a2f2f2f6d2e7364660000000100000000000000030000006e730000000000000000000006"
        "000000776f726c64000000000000000000f03f000000000000004000000000000008400000000000000000000000000000000000000000000000"
        "00000000000000f03f",
    ),
    (
        f"{SRV}/GetSimulatorFeatures_Response",
        {"features": {"features": [0, 1, 50], "spawn_formats": ["sdf"]}},
        "000100000300000000000100320000000100000004000000736466000100000000",
    ),
    (
        f"{SRV}/LoadWorld_Request",
        {"world_resource": {"uri": "w.sdf"}, "ignore_missing_or_unsupported_assets": True},
        "0001000006000000772e73646600000001000000000001",
    ),
]


def encoded(version: str, kind: str, message: dict[str, Any]) -> str:
    content: bytes = shapes.Shapes(version).message(kind, message).serialize(use_version_2=False)
    return content.hex()


@pytest.mark.parametrize(("kind", "message", "expected"), BYTES, ids=[kind for kind, _, _ in BYTES])
def test_messages_are_encoded_as_others_encode_them(kind: str, message: dict[str, Any], expected: str) -> None:
    assert encoded("2.1.0", kind, message).startswith(expected)


def test_requests_of_both_versions_to_spawn_have_the_same_bytes() -> None:
    request = BYTES[7][1]
    kind = f"{SRV}/SpawnEntity_Request"
    older = request_for("1", "spawn_entity", request)
    assert older["uri"] == "file:///m.sdf"
    assert encoded("1", kind, older) == encoded("2.1.0", kind, request)


def test_requests_of_the_older_version_have_no_flags() -> None:
    request = {"entity": "a", "state": {}, "set_pose": True, "set_twist": False, "set_acceleration": False}
    assert request_for("1", "set_entity_state", request) == {"entity": "a", "state": {}}
    assert request_for("2.1.0", "set_entity_state", request) == request


def test_spawnables_of_the_older_version_have_resources() -> None:
    response = {"spawnables": [{"uri": "a", "description": "d"}]}
    assert response_from("1", "get_spawnables", response)["spawnables"][0]["entity_resource"] == {"uri": "a"}


def test_the_draft_has_the_type_of_bounds_with_its_default() -> None:
    kind = f"{SRV}/GetEntityBounds_Request"
    assert [field.name for field in fields("2.1.0")[kind]] == ["entity"]
    assert encoded("2.2.0", kind, {"entity": ""}) == "000100000100000000ff"
    assert shapes.Shapes("2.2.0").plain(kind, shapes.Shapes("2.2.0").message(kind, {"entity": "x"}))["type"] == 255


def test_an_unknown_field_of_a_request_is_an_error() -> None:
    with pytest.raises(ValueError, match="has no"):
        shapes.Shapes("2.1.0").message(f"{SRV}/DeleteEntity_Request", {"name": "x"})


def test_types_have_their_names_in_dds() -> None:
    assert shapes.dds_name(f"{SRV}/SpawnEntity_Request") == "simulation_interfaces::srv::dds_::SpawnEntity_Request_"


def test_numbers_that_are_not_finite_are_written_as_each_protocol_has_them() -> None:
    value = {"x": [float("nan"), float("inf"), 1.0]}
    assert plain(value) == {"x": ["NaN", "Infinity", 1.0]}
    assert plain_for_rosbridge(value) == {"x": [None, None, 1.0]}


@pytest.mark.parametrize("fault", [None, *list(FAULTS)[:3]])
def test_the_adapter_for_ros_has_the_results_of_the_fake(fault: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_rclpy.install(FakeSimulator(frozenset([fault] if fault else [])), monkeypatch)
    transport = connect("rclpy", description())
    found = run_all(all_cases(), transport, description())
    transport.close()
    failed = [name for name, outcome in found.items() if outcome.kind in ("failed", "error")]
    assert failed == ([FAULTS[fault]] if fault else [])


@pytest.mark.parametrize("fault", [None, *list(FAULTS)[:3]])
def test_the_results_over_rosbridge_are_those_of_the_fake(fault: str | None) -> None:
    with serving(FakeSimulator(frozenset([fault] if fault else []))) as address:
        addresses = dataclasses.replace(description().addresses, rosbridge=address)
        described = dataclasses.replace(description(), addresses=addresses)
        transport = connect("rosbridge", described)
        found = run_all(all_cases(), transport, described)
        transport.close()
    failed = {name: outcome.text for name, outcome in found.items() if outcome.kind in ("failed", "error")}
    assert list(failed) == ([FAULTS[fault]] if fault else []), failed


def test_a_case_is_skipped_if_the_server_does_not_accept_numbers_that_are_not_finite() -> None:
    with serving(FakeSimulator(), refuses_null=True) as address:
        addresses = dataclasses.replace(description().addresses, rosbridge=address)
        described = dataclasses.replace(description(), addresses=addresses)
        transport = connect("rosbridge", described)
        found = run_all([case for case in all_cases() if case.service != "simulate_steps"], transport, described)
        transport.close()
    others = {name: outcome for name, outcome in found.items() if outcome.kind not in ("passed", "unspecified")}
    assert {name: outcome.kind for name, outcome in others.items()} == {
        "spawn.pose.nan": "skipped",
        "spawn.first-error": "skipped",
        "set-state.pose.nan": "skipped",
    }
    assert "null is no number" in others["spawn.pose.nan"].text


def test_without_ros_the_adapter_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rclpy", None)
    monkeypatch.delitem(sys.modules, "bridgehead_conformance.transports.ros", raising=False)
    with pytest.raises(NotInstalled, match="source an installation of ROS 2"):
        connect("rclpy", description())


@pytest.mark.parametrize("name", ["rosbridge", "http"])
def test_a_simulator_that_is_not_there_is_not_reached(name: str) -> None:
    addresses = dataclasses.replace(description().addresses, http="127.0.0.1:1", rosbridge="127.0.0.1:1")
    with pytest.raises(TransportError, match=r"127\.0\.0\.1:1"):
        connect(name, dataclasses.replace(description(), addresses=addresses)).call("get_simulation_state", {})


class Page(BaseHTTPRequestHandler):
    """Answers as something that is no simulator does."""

    def do_POST(self) -> None:
        is_served = self.path.endswith("/get_simulation_state")
        content = b"<html>hello" if is_served else b'{"error": {"a": 1}}'
        self.send_response(200 if is_served else 404)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


def test_answers_that_are_no_json_and_a_wrong_prefix_are_named() -> None:
    with HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        addresses = dataclasses.replace(description().addresses, http=f"127.0.0.1:{server.server_port}")
        transport = connect("http", dataclasses.replace(description(), addresses=addresses))
        with pytest.raises(TransportError, match="is not JSON; it begins with '<html>hello'"):
            transport.call("get_simulation_state", {})
        with pytest.raises(TransportError, match="is `prefix` in the description right") as error:
            transport.call("get_entities", {})
        transport.close()
        server.shutdown()
    assert "{" not in str(error.value)


def test_messages_over_rosbridge_that_are_no_json_are_named() -> None:
    assert message_of_rosbridge('{"op": "x"}') == {"op": "x"}
    for text in ("hello", "[1]"):
        with pytest.raises(TransportError, match="is no object of JSON"):
            message_of_rosbridge(text)


def test_the_transports_are_those_of_the_readme() -> None:
    assert set(TRANSPORTS) == {"dds", "rosbridge", "http", "rclpy"}
