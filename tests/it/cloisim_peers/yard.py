"""A client in the yard: finds every device, subscribes to every port, sends requests to every device, drives, and
performs a reset.

Ends with an error if anything differs from what clients need; reports a summary at the end. Arguments: the port of the
service, the folder of .proto files.
"""

import math
import struct
import sys
import time
from xml.etree import ElementTree

import zmq

from cloisim import Messages, Service, Wire, payload, report, request, request_bytes, tag

SENSOR, BOARD = ["Info", "Data"], ["Info", "Rx", "Tx", "Tf"]
DEVICES = {
    "World": {
        "WORLD": {"SimulationWorld": ["Clock", "Control"]},
        "GROUNDTRUTH": {"GroundTruthPlugin": ["Data"]},
    },
    "robot1": {
        "IMU": {"base_link_imu": SENSOR},
        "SONAR": {"base_link_front_sonarfront_sonar": SENSOR},
        "CONTACT": {"base_link_front_bumperfront_bumper": SENSOR},
        "LASER": {"mast_lidarlidar": SENSOR},
        "GPS": {"mast_gps": SENSOR},
        "LOGICALCAMERA": {"mast_eye": SENSOR},
        "MICOM": {"Micom": BOARD},
    },
    "robot2": {
        "IMU": {"base_link_imu": SENSOR},
        "SONAR": {"base_link_front_sonarfront_sonar": SENSOR},
        "CONTACT": {"base_link_front_bumperfront_bumper": SENSOR},
        "LASER": {"mast_lidarlidar": SENSOR},
        "DEPTHCAMERA": {"mast_depth": SENSOR},
        "MICOM": {"Micom": BOARD},
        "JOINTCONTROL": {"robot2": BOARD},
    },
}

# The message type that a port sends, by the kind of its device; pictures are not protobuf messages.
SENT = {
    ("WORLD", "Clock"): "WorldStatistics",
    ("GROUNDTRUTH", "Data"): "Perception_V",
    ("MICOM", "Tx"): "Micom",
    ("MICOM", "Tf"): "Pose",
    ("JOINTCONTROL", "Tx"): "JointState_V",
    ("JOINTCONTROL", "Tf"): "Pose",
    ("IMU", "Data"): "IMU",
    ("SONAR", "Data"): "Sonar",
    ("CONTACT", "Data"): "Contacts",
    ("LASER", "Data"): "LaserScan",
    ("GPS", "Data"): "NavSatWithCovariance",
    ("LOGICALCAMERA", "Data"): "LogicalCameraImage",
    ("DEPTHCAMERA", "Data"): None,
}

TOPICS = {
    "IMU": ("imu", "imu_link"),
    "SONAR": ("sonar", "sonar_link"),
    "CONTACT": ("bumper", "bumper_link"),
    "LASER": ("scan", "base_scan"),
    "GPS": ("navsatfix", "gps_link"),
    "LOGICALCAMERA": ("seen", "eye_link"),
    "DEPTHCAMERA": ("depth", "depth_link"),
}


class Port:
    """A port of a device."""

    def __init__(self, model, kind, parts, key, port):
        self.model, self.kind, self.parts, self.key, self.port = model, kind, parts, key, port
        self.text = model + parts + key
        self.tag = tag(self.text)

    def __str__(self):
        return f"{self.model}/{self.parts}/{self.key}"


def shape(devices):
    """Returns the list of devices without the numbers of their ports."""
    return {
        model: {kind: {part: list(keys) for part, keys in parts.items()} for kind, parts in kinds.items()}
        for model, kinds in devices.items()
    }


def find(service):
    """Requests the list of devices repeatedly: a client removes its nodes after three late answers in a row."""
    service.devices_when(lambda found: shape(found) == DEVICES)
    late, worst = 0, 0.0
    for _ in range(20):
        began = time.monotonic()
        devices = service.devices()
        # Wall time: a client removes its nodes after three late answers in a row.
        took = time.monotonic() - began
        late, worst = (late + 1 if took > 0.3 else 0), max(worst, took)
        assert late < 3, "three answers in a row took more than 300 ms"
    assert shape(devices) == DEVICES, devices
    ports = [
        Port(model, kind, part, key, port)
        for model, kinds in devices.items()
        for kind, parts in kinds.items()
        for part, keys in parts.items()
        for key, port in keys.items()
    ]
    assert len({port.port for port in ports}) == len(ports), "a port is listed twice"
    listed = service.ask('{"command": "port_list"}')["result"]
    assert listed == {port.text: port.port for port in ports}, listed
    return ports, worst


def check_picture(content):
    """Checks a picture in its raw form and returns its depths, row by row."""
    magic, seconds, nanos, width, height, pixels, step = struct.unpack_from("<IiiIIII", content)
    assert content[:4] == b"IWAR" and magic == 0x52415749
    assert 0 <= nanos < 10**9 and seconds >= 0
    assert (width, height, pixels, step) == (64, 48, 13, 256), (width, height, pixels, step)
    assert len(content) == 28 + height * step, len(content)
    return struct.unpack_from(f"<{width * height}f", content, 28)


def receive_everything(wire, ports, messages, seconds):
    """Returns the decoded messages of every sending port for some seconds, each received through a filter for its tag."""
    sending = [port for port in ports if (port.kind, port.key) in SENT]
    assert len(sending) == 19, len(sending)
    sockets = {wire.subscriber(port.port, port.tag): port for port in sending}
    poller = zmq.Poller()
    for socket in sockets:
        poller.register(socket, zmq.POLLIN)
    received = {port: [] for port in sending}
    end = time.monotonic() + seconds
    # Longer if nothing was received from a port yet.
    # Wall time: messages are received for some time.
    while time.monotonic() < end or (time.monotonic() < end + 20 and not all(received.values())):
        for socket, _ in poller.poll(100):
            parts = socket.recv_multipart()
            assert len(parts) == 1, f"{len(parts)} parts"
            port = sockets[socket]
            content, kind = payload(parts[0], port.tag), SENT[port.kind, port.key]
            received[port].append(messages.read(kind, content) if kind else check_picture(content))
    for socket in sockets:
        socket.close()
    silent = [str(port) for port, got in received.items() if not got]
    assert not silent, f"silent: {silent}"
    return received


def nanos(stamp):
    return stamp.sec * 10**9 + stamp.nsec


def check_received(received):
    """Checks the content of the messages."""
    for port, got in received.items():
        if port.kind == "IMU":
            stamps = [nanos(message.header.stamp) for message in got]
            # Before the first sample keep-alive messages have arbitrary stamps.
            while stamps[0] % 10_000_000:
                stamps.pop(0)
            gaps = {after - before for before, after in zip(stamps, stamps[1:])}
            # The last message may be repeated to keep the connection alive.
            assert gaps <= {0, 10_000_000} and 10_000_000 in gaps, f"{port}: {gaps}"
            assert abs(got[-1].linear_acceleration.z - 9.8) < 1, got[-1]
        if port.kind == "LASER":
            scan = got[-1]
            assert len(scan.ranges) == scan.count * max(1, scan.vertical_count) == 180
            assert any(math.isfinite(range) for range in scan.ranges)
            if port.model == "robot1":
                assert math.isnan(scan.ranges[0]), "the filter removes all rays but those at the front"
        if port.key == "Clock":
            times = [nanos(message.sim_time) for message in got]
            assert times == sorted(times) and times[-1] > times[0], times
            assert nanos(got[-1].real_time) > 0
        if port.key == "Tf" and port.kind == "MICOM":
            frames = {message.name: dict((data.key, list(data.value)) for data in message.header.data) for message in got}
            for wheel in ["left_wheel", "right_wheel"]:
                assert frames[wheel] == {"parent_frame_id": ["base_link"]}, frames
        if port.kind == "DEPTHCAMERA":
            assert any(math.isfinite(depth) and depth > 0 for depth in got[-1])
        if port.kind == "GROUNDTRUTH":
            assert {seen.tracking_id: seen.class_id for seen in got[-1].perception} == {1: 10, 2: 10, 3: 20}


def check_tags(wire, port, other):
    """Checks that a filter for another tag receives nothing, and that an empty filter receives this tag only."""
    other_tag, any_tag = wire.subscriber(port.port, other.tag, 1000), wire.subscriber(port.port, b"", 10_000)
    for _ in range(20):
        assert any_tag.recv()[:8] == port.tag
    try:
        raise AssertionError(f"received {other_tag.recv()[:8].hex()} through a filter for {other.tag.hex()}")
    except zmq.Again:
        pass
    other_tag.close()
    any_tag.close()


def ask(wire, port, messages, name, kind="Param", value=""):
    socket = wire.requester(port.port)
    try:
        return messages.read(kind, request(socket, request_bytes(messages, name, value), port.tag))
    finally:
        socket.close()


def check_info(wire, port, messages):
    """Sends a device all requests that clients send to its kind."""
    ros2 = ask(wire, port, messages, "request_ros2")
    assert list(ros2.params) == ["ros2"] and ros2.params["ros2"].type == 0, ros2
    children = [(name, value.string_value) for child in ros2.children for name, value in child.params.items()]
    if port.kind in TOPICS:
        topic, frame = TOPICS[port.kind]
        assert children == [("topic_name", topic), ("frame_id", frame)], children
        transform = ask(wire, port, messages, "request_transform")
        assert transform.params["transform"].type == 7, transform
        assert abs(sum(getattr(transform.params["transform"].pose3d_value.orientation, axis) ** 2 for axis in "wxyz") - 1) < 1e-9
    else:
        assert children[0][0] == "topic_name", children
        fixed = ask(wire, port, messages, "request_static_transforms")
        assert fixed.params["static_transforms"].type == 0, fixed
        for child in fixed.children:
            assert child.params["parent_frame_id"].string_value and len(child.children) == 1, fixed
            assert child.children[0].params["pose"].pose3d_value.name, fixed
        if port.kind == "MICOM":
            assert [child.children[0].params["pose"].pose3d_value.name for child in fixed.children] == ["mast"]
    if port.kind == "LASER":
        answer = ask(wire, port, messages, "request_output_type")
        assert answer.params["output_type"].string_value == "LaserScan", answer
    if port.kind == "DEPTHCAMERA":
        camera = ask(wire, port, messages, "request_camera_info", "CameraSensor", "mast_depth")
        assert (camera.image_size.x, camera.image_size.y, camera.pixel_format) == (64, 48, 13), camera
        assert (camera.near_clip, camera.far_clip, camera.horizontal_fov) == (0.1, 10, 1.2), camera
    if port.kind == "LOGICALCAMERA":
        camera = ask(wire, port, messages, "request_logical_camera", "LogicalCameraSensor")
        assert (camera.near_clip, camera.far_clip, camera.aspect_ratio) == (0.2, 8, 1.5), camera
    if port.kind == "JOINTCONTROL":
        answer = ask(wire, port, messages, "robot_description")
        robot = ElementTree.fromstring(answer.params["description"].string_value)
        assert robot.tag == "robot" and robot.get("name") == "robot2", robot.attrib
        joints = {joint.get("name"): joint.get("type") for joint in robot.iter("joint")}
        assert (joints["turn"], joints["shoulder"]) == ("revolute", "revolute"), joints
    unknown = ask(wire, port, messages, "request_tea")
    assert list(unknown.params) == ["error"], unknown


def check_correlation(wire, port, messages):
    """Checks that a request gets its own answer if the previous request was abandoned."""
    socket = wire.requester(port.port)
    for round in range(50):
        socket.send(port.tag + request_bytes(messages, "request_ros2"))
        if round % 3 == 0:
            # Wall time: the answer arrives after its request was abandoned.
            time.sleep(0.01)
        answer = messages.read("Param", request(socket, request_bytes(messages, "request_output_type"), port.tag))
        assert list(answer.params) == ["output_type"], answer
    socket.close()


def time_answers(wire, port, messages):
    """Measures the time of answers, milliseconds; returns the median and the maximum."""
    socket, times = wire.requester(port.port), []
    for _ in range(200):
        began = time.monotonic()
        request(socket, request_bytes(messages, "request_ros2"), port.tag)
        # Wall time: the test shows how long answers take.
        times.append((time.monotonic() - began) * 1e3)
    socket.close()
    return sorted(times)[100], max(times)


def command(wire, rx, content, mark, tx, kind, messages, is_done, seconds=20.0):
    """Sends a command repeatedly until a message fulfils `is_done`; returns that message, or None after a timeout."""
    publisher, subscriber = wire.publisher(rx.port), wire.subscriber(tx.port, tx.tag, 100)
    end = time.monotonic() + seconds
    try:
        # Wall time: the deadline of a poll, whose caller reports the failure.
        while time.monotonic() < end:
            publisher.send(mark + content)
            try:
                message = messages.read(kind, payload(subscriber.recv(), tx.tag))
            except zmq.Again:
                continue
            if is_done(message):
                return message
        return None
    finally:
        publisher.close()
        subscriber.close()


def drive(wire, rx, tx, messages):
    """Checks that Twist and Joystick commands move the vehicle, and that commands with another tag do not."""
    twist = messages.new("Twist")
    twist.linear.x = 0.5
    speeds = lambda message: (message.odom.linear_velocity.left, message.odom.linear_velocity.right)
    runs = lambda speed: lambda message: all(abs(wheel - speed) < 0.05 for wheel in speeds(message))
    forward = twist.SerializeToString()
    moves = lambda message: any(abs(wheel) > 0.1 for wheel in speeds(message))
    assert command(wire, rx, forward, tag("somebody"), tx, "Micom", messages, moves, 1.0) is None, "a command with another tag drives"
    assert command(wire, rx, forward, rx.tag, tx, "Micom", messages, runs(0.5)), "the Twist has no effect"
    stick = messages.new("Joystick")
    stick.translation.x, stick.buttons[:] = -0.25, [0, 1]
    assert command(wire, rx, stick.SerializeToString(), rx.tag, tx, "Micom", messages, runs(-0.25)), "the Joystick has no effect"
    halt = messages.new("Twist")
    halt.linear.SetInParent()
    assert command(wire, rx, halt.SerializeToString(), rx.tag, tx, "Micom", messages, runs(0)), "the vehicle does not stop"


def move_arm(wire, rx, tx, messages):
    order = messages.new("JointCmd_V")
    # Clients write an invalid time.
    order.time.sec, order.time.nsec = 5, -7
    joint = order.joint_cmd.add()
    joint.name, joint.position.target_optional.data = "turn", 0.6
    reached = lambda message: any(
        state.name == "turn" and abs(state.position - 0.6) < 0.02 for state in message.joint_state
    )
    assert command(wire, rx, order.SerializeToString(), rx.tag, tx, "JointState_V", messages, reached), "the arm does not reach the target"


def reset(service, wire, clock, control, messages):
    """Requests a reset, receives its notification and acknowledges it; checks that the clock starts again."""
    subscriber, answerer = wire.subscriber(clock.port, clock.tag, 5000), wire.answerer(control.port, 20_000)
    before = nanos(messages.read("WorldStatistics", payload(subscriber.recv(), clock.tag)).sim_time)
    assert service.ask("{'command':'reset'}") == {"sim_version": "5.4.2", "command": "reset", "result": "ok"}
    asked = messages.read("Param", payload(answerer.recv(), control.tag))
    assert asked.params["reset_simulation"].bool_value and list(asked.params) == ["reset_simulation"], asked
    done = messages.new("Param")
    done.params["result"].type, done.params["result"].string_value = 3, "OK(1/1)"
    # Clients answer with the same tag, of which the bridge checks only the length.
    answerer.send(control.tag + done.SerializeToString())
    end = time.monotonic() + 20
    while nanos(messages.read("WorldStatistics", payload(subscriber.recv(), clock.tag)).sim_time) >= before:
        assert time.monotonic() < end, "the clock does not start again"
    time.sleep(0.2)
    subscriber.close()
    answerer.close()


def main():
    service, messages, wire = Service(sys.argv[1]), Messages(sys.argv[2]), Wire()
    ports, worst = find(service)
    at = {(port.model, port.kind, port.key): port for port in ports}
    received = receive_everything(wire, ports, messages, 3)
    check_received(received)
    check_tags(wire, at["robot1", "IMU", "Data"], at["robot2", "IMU", "Data"])
    for port in ports:
        if port.key == "Info":
            check_info(wire, port, messages)
    check_correlation(wire, at["robot1", "LASER", "Info"], messages)
    middle, longest = time_answers(wire, at["robot1", "IMU", "Info"], messages)
    drive(wire, at["robot1", "MICOM", "Rx"], at["robot1", "MICOM", "Tx"], messages)
    move_arm(wire, at["robot2", "JOINTCONTROL", "Rx"], at["robot2", "JOINTCONTROL", "Tx"], messages)
    reset(service, wire, at["World", "WORLD", "Clock"], at["World", "WORLD", "Control"], messages)
    assert find(service)[0][0].port == ports[0].port, "a reset moves ports"
    report(
        ports=len(ports),
        received={str(port): len(got) for port, got in received.items()},
        list_ms=round(worst * 1e3, 2),
        answer_ms=[round(middle, 2), round(longest, 2)],
    )


main()
