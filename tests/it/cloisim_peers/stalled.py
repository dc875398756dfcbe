"""A client that hears large pictures and is then stopped by the test; later it says what it heard since.

Arguments: the port of the service.
"""

import struct
import sys
import time

import zmq

from cloisim import Service, Wire, payload, tag, tell, wait_for_test

HEADER = struct.Struct("<IiiIIII")

port = Service(sys.argv[1]).devices_when(lambda found: "car1" in found)["car1"]["DEPTHCAMERA"]["mast_big"]["Data"]
mark = tag("car1mast_bigData")
ear = Wire().subscriber(port, mark, 20_000)


def hear():
    """When a picture was taken, milliseconds of simulated time."""
    content = payload(ear.recv(), mark)
    magic, seconds, nanos, _, height, _, step = HEADER.unpack_from(content)
    assert magic == 0x52415749 and len(content) == 28 + height * step
    return seconds * 1000 + nanos // 1_000_000, len(content)


for _ in range(5):
    stamp, size = hear()
tell(stamp=stamp, bytes=size)
while wait_for_test() == "hear":
    # Half a second's worth; what waited since comes first.
    end, stamps = time.monotonic() + 0.5, []
    while time.monotonic() < end:
        stamps.append(hear()[0])
    tell(stamps=stamps)
