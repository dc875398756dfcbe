"""An independent ROS 2 peer, controlled by lines of JSON.

    gateway.py DOMAIN FOLDER...      the folders hold `.msg` texts

Each line on standard input is an operation; each is answered by `{"id", "response"}` or `{"id", "error"}`, in any
order. Other lines come in between: requests to a server of this peer as `{"asked", "call", "request"}`,
messages as `{"topic", "message"}`. The peer ends with its input.

    {"id", "op": "call", "service", "type", "request", "timeout"?, "layout"?}
    {"id", "op": "send", "service", "type", "body", "timeout"?}
    {"id", "op": "serve", "service", "type"}           {"id", "op": "answer", "service", "call", "response"}
    {"id", "op": "subscribe", "topic", "type", ...}    {"id", "op": "publish", "topic", "type", "message", ...}
    {"id", "op": "visit", "topic", "type", "readers"}  many readers that come and go
    {"id", "op": "types", "texts": {"package/msg/Name": text}}
    {"id", "op": "graph"}                              {"id", "op": "encode", "type", "message"}

`subscribe` and `publish` take `reliable`, `transient_local` and `depth`; `publish` also a `timeout`. Topics are named
as in ROS, with a slash in front, or as in DDS without one. `layout` is the type whose fields a request has, if they are not those of the service. `send`
calls with any bytes: hexadecimal bytes after the header, or null for half a header.
"""

import json
import pathlib
import queue
import sys
import threading

from node import Client, Node, Publisher, Server, Subscriber, quality
from shapes import Shapes
from texts import Texts

PATIENCE = 60.0


class Gateway:
    """Executes the operations of the lines."""

    def __init__(self, domain, folders):
        self.texts = Texts(folders)
        self.node = Node(domain, Shapes(self.texts))
        self.parts = {}

    def part(self, key, make):
        """A client, server, subscriber or publisher, created on first use."""
        if key not in self.parts:
            self.parts[key] = make()
        return self.parts[key]

    def ask(self, line, half, make):
        """Calls a service with the request that `make` returns for the id of the caller and the number of the call."""
        service, kind = line["service"], line["type"]
        client = self.part(("client", service, kind, half), lambda: Client(self.node, service, kind, half))
        client.ask(line["id"], make, line.get("timeout", PATIENCE))

    def call(self, line):
        request = f"{line['type']}_Request"
        layout = line.get("layout") or request
        half = self.node.shapes.half(request, layout)
        body = self.node.shapes.message(layout, line["request"])
        self.ask(line, half, lambda guid, number: half(guid=guid, number=number, body=body))

    def send(self, line):
        body = line["body"] if line["body"] is None else list(bytes.fromhex(line["body"]))
        half = self.node.shapes.half_of_bytes(f"{line['type']}_Request", body)
        members = {"body": body} if body else {}
        if body is None:
            self.ask(line, half, lambda guid, _number: half(guid=guid))
        else:
            self.ask(line, half, lambda guid, number: half(guid=guid, number=number, **members))

    def serve(self, line):
        service = line["service"]
        self.part(("server", service), lambda: Server(self.node, service, line["type"]))
        return {}

    def answer(self, line):
        self.parts["server", line["service"]].answer(line["call"], line["response"])
        return {}

    def subscribe(self, line):
        topic, kind = line["topic"], line["type"]
        self.part(("subscriber", topic), lambda: Subscriber(self.node, topic, kind, settings(line)))
        return {}

    def publish(self, line):
        topic, kind = line["topic"], line["type"]
        publisher = self.part(("publisher", topic), lambda: Publisher(self.node, topic, kind, settings(line)))
        publisher.publish(line["id"], line["message"], line.get("timeout", PATIENCE))

    def visit(self, line):
        self.node.visit(line["topic"], self.node.shapes.struct(line["type"]), line["readers"])
        return {}

    def types(self, line):
        for name, text in line["texts"].items():
            self.texts.add(name, text)
        return {}

    def encode(self, line):
        message = self.node.shapes.message(line["type"], line["message"])
        return {"cdr": message.serialize(use_version_2=False).hex()}

    def graph(self, _line):
        return self.node.graph()

    def do(self, line):
        """Executes one operation; a failure is reported."""
        try:
            response = getattr(self, line["op"])(line)
        except Exception as error:  # pylint: disable=broad-exception-caught
            report({"id": line["id"], "error": f"{type(error).__name__}: {error}"})
            return
        if response is not None:
            report({"id": line["id"], "response": response})

    def run(self, lines):
        """Runs until the lines end."""
        while True:
            is_waiting = any(part.is_waiting() for part in self.parts.values())
            # A part that waits for a match polls often: matches are not among the conditions.
            self.node.wait(0.002 if is_waiting else 0.2)
            while not lines.empty():
                line = lines.get()
                if line is None:
                    return
                self.do(json.loads(line))
            for part in self.parts.values():
                part.run(report)


def settings(line):
    return quality(**{name: line[name] for name in ("reliable", "transient_local", "depth") if name in line})


def report(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def listen(lines, guard):
    """Forwards the lines of the input, on a separate thread."""
    for line in sys.stdin:
        lines.put(line)
        guard.set(True)
    lines.put(None)
    guard.set(True)


def main():
    domain, folders = int(sys.argv[1]), sys.argv[2:]
    gateway = Gateway(domain, [pathlib.Path(__file__).parent / "texts", *folders])
    lines = queue.Queue()
    threading.Thread(target=listen, args=(lines, gateway.node.guard), daemon=True).start()
    report({"ready": domain})
    gateway.run(lines)
    gateway.node.close()


main()
