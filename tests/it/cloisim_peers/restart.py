"""A client whose simulator ends and is started again: the same sockets receive and request again on their own.

Arguments: the port of the service, the folder of .proto files.
"""

import sys
import time

import zmq

from cloisim import Messages, Service, Wire, payload, report, request, request_bytes, tag, wait_for_test

CLOCK, IMU, INFO = (tag("World" + "SimulationWorldClock"), tag("robot1base_link_imuData"), tag("robot1base_link_imuInfo"))

service, messages, wire = Service(sys.argv[1]), Messages(sys.argv[2]), Wire()
devices = service.devices_when(lambda found: len(found) == 3)
sensor = devices["robot1"]["IMU"]["base_link_imu"]
clock = wire.subscriber(devices["World"]["WORLD"]["SimulationWorld"]["Clock"], CLOCK, 20_000)
imu = wire.subscriber(sensor["Data"], IMU, 20_000)
info = wire.requester(sensor["Info"])


def topic_name(attempts):
    """Returns the topic name that the device reports."""
    answer = messages.read("Param", request(info, request_bytes(messages, "request_ros2"), INFO, attempts))
    return answer.children[0].params["topic_name"].string_value


def drain(socket):
    """Discards remaining messages of the simulator that has ended."""
    try:
        while True:
            socket.recv(zmq.DONTWAIT)
    except zmq.Again:
        pass


def receive(socket, kind, mark):
    messages.read(kind, payload(socket.recv(), mark))


for _ in range(50):
    receive(clock, "WorldStatistics", CLOCK)
    receive(imu, "IMU", IMU)
assert topic_name(5) == "imu"
report(received=True)

assert wait_for_test() == "gone"
try:
    raise AssertionError(f"the simulator has ended, but answers {topic_name(1)}")
except AssertionError as error:
    assert "no answer in 1 attempts" in str(error), error
drain(clock)
drain(imu)
# From now on all messages are from the next simulator.
assert not clock.poll(500) and not imu.poll(500), "a message arrives after the simulator has ended"
gone = time.monotonic()
report(alone=True)

assert wait_for_test() == "back"
receive(clock, "WorldStatistics", CLOCK)
# Wall time: the test shows how long a client waits.
gap = time.monotonic() - gone
receive(imu, "IMU", IMU)
assert topic_name(20) == "imu"
Service(sys.argv[1]).devices_when(lambda found: found == devices)
report(gap=round(gap, 2))
