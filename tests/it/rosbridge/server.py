"""A rosbridge server that knows only frames: it reports what a client registers and counts its messages.

Usage: server.py PORT. Writes a line of JSON for each received operation except `publish`. Reads commands, a line of JSON
for each: `send` sends an operation to the client, `drop` ends its connection, `counts` writes the number of messages and
the last message of each topic.
"""

import json
import sys
import threading

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

state = {"socket": None}
lock = threading.Lock()
counts, last = {}, {}


def write(value):
    with lock:
        print(json.dumps(value), flush=True)


def handle(socket):
    state["socket"] = socket
    counts.clear()
    write({"event": "connected"})
    try:
        for frame in socket:
            operation = json.loads(frame)
            if operation["op"] == "publish":
                counts[operation["topic"]] = counts.get(operation["topic"], 0) + 1
                last[operation["topic"]] = operation["msg"]
            else:
                write(operation)
    except ConnectionClosed:
        pass
    write({"event": "disconnected"})


def main():
    with serve(handle, "127.0.0.1", int(sys.argv[1]), max_size=None) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        write({"event": "listening"})
        for line in sys.stdin:
            command = json.loads(line)
            if "send" in command:
                state["socket"].send(json.dumps(command["send"]))
            elif "drop" in command:
                state["socket"].close()
            elif "counts" in command:
                write({"event": "counts", "counts": counts, "last": last})
        server.shutdown()


main()
