"""A peer in the place of ros2-lgsvl-bridge: prints announcements and messages that arrive on a port of this machine."""

import socket
import struct
import sys

KINDS = {1: "subscribes to", 2: "publishes", 3: "message on"}

with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as server:
    while True:
        connection, _ = server.accept()
        with connection, connection.makefile("rb") as stream:

            def field():
                (length,) = struct.unpack("<I", stream.read(4))
                return stream.read(length)

            while operation := stream.read(1):
                first, second = field(), field()
                print(KINDS[operation[0]], first.decode(), second, flush=True)
