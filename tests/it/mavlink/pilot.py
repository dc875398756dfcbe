"""An autopilot that is made of pymavlink: `pilot.py PORT SAMPLES`.

Answers each sample, and prints a line of JSON for each message at the end: its name and its fields.
"""

import json
import os
import socket
import sys

os.environ["MAVLINK20"] = "1"
from pymavlink.dialects.v20 import common as mavlink  # noqa: E402


def main() -> None:
    port, samples = (int(argument) for argument in sys.argv[1:])
    stream = socket.create_connection(("127.0.0.1", port))
    link = mavlink.MAVLink(None, srcSystem=1, srcComponent=1)
    stream.sendall(
        link.heartbeat_encode(0, mavlink.MAV_AUTOPILOT_PX4, 0, 0, 0).pack(link)
        + link.command_long_encode(0, 0, mavlink.MAV_CMD_SET_MESSAGE_INTERVAL, 0, 115, 5000, 0, 0, 0, 0, 0).pack(link)
    )
    first, lines = None, []
    while samples > 0:
        for message in link.parse_buffer(stream.recv(4096)) or []:
            fields = {field: getattr(message, field) for field in message.get_fieldnames()}
            sender = [message.get_srcSystem(), message.get_srcComponent()]
            lines.append(json.dumps({"name": message.get_type(), "sender": sender, **fields}))
            if message.get_type() != "HIL_SENSOR":
                continue
            first = first or message.time_usec
            answer = link.hil_actuator_controls_encode(message.time_usec - first, [0.0] * 16, 1, 1)
            stream.sendall(answer.pack(link))
            samples -= 1
    print("\n".join(lines))


main()
