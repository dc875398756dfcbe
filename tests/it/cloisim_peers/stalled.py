"""A client that receives large pictures and is then stopped by the test; later it reports what it received since.

Arguments: the port of the service.
"""

import struct
import sys
import time

import zmq

from cloisim import Service, Wire, payload, report, tag, wait_for_test

HEADER = struct.Struct("<IiiIIII")

port = Service(sys.argv[1]).devices_when(lambda found: "car1" in found)["car1"]["DEPTHCAMERA"]["mast_big"]["Data"]
mark = tag("car1mast_bigData")
subscriber = Wire().subscriber(port, mark, 20_000)


def receive():
    """Receives a picture; returns its stamp in milliseconds of simulated time, and its size in bytes."""
    content = payload(subscriber.recv(), mark)
    magic, seconds, nanos, _, height, _, step = HEADER.unpack_from(content)
    assert magic == 0x52415749 and len(content) == 28 + height * step
    return seconds * 1000 + nanos // 1_000_000, len(content)


for _ in range(5):
    stamp, size = receive()
report(stamp=stamp, bytes=size)
while wait_for_test() == "receive":
    # Receives for half a second; messages that were waiting come first.
    end, stamps = time.monotonic() + 0.5, []
    # Wall time: the test compares how much arrives.
    while time.monotonic() < end:
        stamps.append(receive()[0])
    report(stamps=stamps)
