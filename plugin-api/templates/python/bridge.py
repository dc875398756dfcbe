# /// bridgehead
# kind = "bridge"
# name = "@name@"
# id = "@id@"
# version = "0.1.0"
# vendor = "@vendor@"
# license = "MIT OR Apache-2.0"
# ///
"""The bridge `@name@`: carries every topic over UDP, a datagram for each message.

A datagram is the topic, a line feed, and the message as protobuf. The connection string is `HOST:PORT` of the peer.
"""

import socket

from bridgehead.plugin import Bridge, Outgoing, PluginError


def parse(connection: str) -> tuple[str, int]:
    host, _, port = connection.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise PluginError(f"`{connection}` is not a peer's address; write HOST:PORT, for example 127.0.0.1:9000")
    return host, int(port)


class @Type@(Bridge):
    """One per vehicle."""

    def validate(self, connection: str) -> None:
        parse(connection)

    def connect(self, connection: str) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(0.05)
        self.socket.connect(parse(connection))
        # The peer learns the address from this datagram, if it listens.
        self.send(b"")

    def disconnect(self) -> None:
        self.socket.close()

    def transmit(self, message: Outgoing) -> None:
        self.send(message.topic.encode() + b"\n" + message.payload)

    def send(self, datagram: bytes) -> None:
        try:
            self.socket.send(datagram)
        except ConnectionRefusedError:
            pass  # the peer does not listen at the moment

    def receive(self) -> None:
        try:
            topic, _, payload = self.socket.recv(65536).partition(b"\n")
        except ConnectionRefusedError:
            self.stopping.wait(0.05)
            return
        self.deliver(topic.decode("utf-8", "replace"), payload)
