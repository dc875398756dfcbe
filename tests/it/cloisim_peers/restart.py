"""A client whose simulator ends and comes back: the same sockets hear and ask again, with nothing done about it.

Arguments: the port of the service, the folder of .proto files.
"""

import sys
import time

import zmq

from cloisim import Messages, Service, Wire, payload, question, request, tag, tell, wait_for_test

CLOCK, IMU, INFO = (tag("World" + "SimulationWorldClock"), tag("robot1base_link_imuData"), tag("robot1base_link_imuInfo"))

service, messages, wire = Service(sys.argv[1]), Messages(sys.argv[2]), Wire()
devices = service.devices_when(lambda found: len(found) == 3)
sensor = devices["robot1"]["IMU"]["base_link_imu"]
clock = wire.subscriber(devices["World"]["WORLD"]["SimulationWorld"]["Clock"], CLOCK, 20_000)
imu = wire.subscriber(sensor["Data"], IMU, 20_000)
info = wire.requester(sensor["Info"])


def topic_name(attempts):
    """What the device is called, as it says itself."""
    answer = messages.read("Param", request(info, question(messages, "request_ros2"), INFO, attempts))
    return answer.children[0].params["topic_name"].string_value


def drain(socket):
    """Takes what is left of the simulator that has ended."""
    try:
        while True:
            socket.recv(zmq.DONTWAIT)
    except zmq.Again:
        pass


def hear(socket, kind, mark):
    messages.read(kind, payload(socket.recv(), mark))


for _ in range(50):
    hear(clock, "WorldStatistics", CLOCK)
    hear(imu, "IMU", IMU)
assert topic_name(5) == "imu"
tell(heard=True)

assert wait_for_test() == "gone"
try:
    raise AssertionError(f"nobody is there, and says {topic_name(1)}")
except AssertionError as error:
    assert "no answer in 1 attempts" in str(error), error
drain(clock)
drain(imu)
# What is heard from now on is of the one that comes.
assert not clock.poll(500) and not imu.poll(500), "somebody who is gone is heard"
gone = time.monotonic()
tell(alone=True)

assert wait_for_test() == "back"
hear(clock, "WorldStatistics", CLOCK)
gap = time.monotonic() - gone
hear(imu, "IMU", IMU)
assert topic_name(20) == "imu"
Service(sys.argv[1]).devices_when(lambda found: found == devices)
tell(gap=round(gap, 2))
