"""A peer of the bridge: prints what arrives on a port of this machine."""

import socket
import sys

peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
peer.bind(("127.0.0.1", int(sys.argv[1])))
while True:
    topic, _, message = peer.recv(65536).partition(b"\n")
    print(topic.decode(), message, flush=True)
