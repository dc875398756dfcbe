"""A peer in the place of the bridge of CyberRT: prints announcements and messages that arrive on a port of this machine."""

import socket
import struct
import sys

KINDS = {2: "subscribes to", 3: "publishes", 4: "message on"}

with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as server:
    while True:
        connection, _ = server.accept()
        with connection, connection.makefile("rb") as stream:

            def number():
                return struct.unpack("<I", stream.read(4))[0]

            while operation := stream.read(1):
                if operation == b"\1":
                    print("descriptors of", sum(len(stream.read(number())) for _ in range(number())), "bytes", flush=True)
                    continue
                first, second = stream.read(number()), stream.read(number())
                print(KINDS[operation[0]], first.decode(), second, flush=True)
