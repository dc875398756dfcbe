"""A ground station that is made of pymavlink: `station.py PORT SYSTEMS`.

Prints a line of JSON for each kind of message of each of SYSTEMS vehicles: the second one of its kind, and how many
milliseconds it is later than the first one. Sends what ground stations send first, and noise.
"""

import json
import os
import socket
import sys

os.environ["MAVLINK20"] = "1"
from pymavlink.dialects.v20 import common as mavlink  # noqa: E402

KINDS = ["HEARTBEAT", "ATTITUDE", "LOCAL_POSITION_NED", "GLOBAL_POSITION_INT", "BATTERY_STATUS"]


def main() -> None:
    port, systems = (int(argument) for argument in sys.argv[1:])
    station = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    station.bind(("127.0.0.1", port))
    station.settimeout(120)
    link = mavlink.MAVLink(None, srcSystem=255, srcComponent=190)
    first, printed = {}, set()
    while len(printed) < systems * len(KINDS):
        datagram, sender = station.recvfrom(2048)
        [message] = mavlink.MAVLink(None).parse_buffer(datagram)
        request = link.param_request_list_encode(message.get_srcSystem(), message.get_srcComponent()).pack(link)
        station.sendto(request, sender)
        station.sendto(b"\xfdnoise", sender)
        key = (message.get_srcSystem(), message.get_type())
        time = getattr(message, "time_boot_ms", 0)
        if key not in first:
            first[key] = time
        elif key not in printed:
            printed.add(key)
            fields = {field: getattr(message, field) for field in message.get_fieldnames()}
            sender = [message.get_srcSystem(), message.get_srcComponent()]
            print(json.dumps({"name": message.get_type(), "sender": sender, "interval": time - first[key], **fields}))


main()
