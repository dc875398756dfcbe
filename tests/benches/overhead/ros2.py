"""The peer of the benchmark of the bridge to ROS 2, on Cyclone DDS.

    ros2.py ask DOMAIN COUNT        calls one after the other; prints the nanoseconds of each call, as JSON
    ros2.py answer DOMAIN           serves the same calls until its input ends; prints `ready`

Messages are not decoded: the round trip is measured.
"""

import json
import pathlib
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "it/ros2/peer"))

from node import ALL, Client, Node, Server  # pylint: disable=wrong-import-position
from shapes import Shapes  # pylint: disable=wrong-import-position
from texts import Texts  # pylint: disable=wrong-import-position

SERVICE = "get_simulation_state"
TYPE = "simulation_interfaces/srv/GetSimulationState"
PATIENCE = 30.0
WARM_UP = 200


def node_of(domain):
    return Node(int(domain), Shapes(Texts([ROOT.parent / "plugin-api/messages/tests/golden"])))


def ask(domain, count):
    node = node_of(domain)
    half = node.shapes.half(f"{TYPE}_Request")
    client = Client(node, SERVICE, TYPE, half)
    body = node.shapes.message(f"{TYPE}_Request", {})
    deadline = time.monotonic() + PATIENCE
    while not client.is_matched():
        if time.monotonic() > deadline:
            sys.exit("no server")
        time.sleep(0.01)
    numbers = range(1, WARM_UP + int(count) + 1)
    took = [trip(node, client, half(guid=client.guid, number=number, body=body)) for number in numbers]
    print(json.dumps(took[WARM_UP:]))
    node.close()


def trip(node, client, request):
    begin = time.perf_counter_ns()
    client.writer.write(request)
    while True:
        node.wait(PATIENCE)
        for reply in client.reader.take(ALL):
            if reply.guid == client.guid and reply.number == request.number:
                return time.perf_counter_ns() - begin
        if time.perf_counter_ns() - begin > PATIENCE * 1e9:
            sys.exit(f"call {request.number} was not answered")


def answer(domain):
    node = node_of(domain)
    server = Server(node, SERVICE, TYPE)
    body = node.shapes.message(server.response, {"state": {"state": 1}})
    node.is_over = False
    threading.Thread(target=end_with_input, args=(node,), daemon=True).start()
    print("ready", flush=True)
    while not node.is_over:
        node.wait(1)
        for request in server.reader.take(ALL):
            server.writer.write(server.replies(guid=request.guid, number=request.number, body=body))
    node.close()


def end_with_input(node):
    sys.stdin.read()
    node.is_over = True
    node.guard.set(True)


def main():
    {"ask": ask, "answer": answer}[sys.argv[1]](*sys.argv[2:])


main()
