"""An independent ROS 2 peer over zenoh, controlled by lines of JSON.

    gateway.py DOMAIN ENDPOINT FOLDER...      a router such as `tcp/127.0.0.1:7447`; the folders hold `.msg` texts

Each line on standard input is an operation; each is answered by `{"id", "response"}` or `{"id", "error"}`, in any
order. Other lines come in between: requests to a server of this peer as `{"asked", "call", "request"}`, messages as
`{"topic", "message"}`, and what ROS nodes would drop as `{"refused", "error"}`. The peer ends with its input.

    {"id", "op": "call", "service", "type", "request", "timeout"?, "layout"?}
    {"id", "op": "send", "service", "type", "body", "attachment"?, "timeout"?}
    {"id", "op": "serve", "service", "type"}           {"id", "op": "answer", "service", "call", "response"}
    {"id", "op": "subscribe", "topic", "type", "raw"?} {"id", "op": "publish", "topic", "type", "message", ...}
    {"id", "op": "types", "texts": {"package/msg/Name": text}}
    {"id", "op": "encode", "type", "message"}          {"id", "op": "hash", "type"}
    {"id", "op": "graph"}                              {"id", "op": "info"}
    {"id", "op": "put", "key", "payload", "attachment"?, ...}
    {"id", "op": "query", "key", "payload"?, "attachment"?, "target"?, "timeout"?}
    {"id", "op": "token", "text"}

Topics and services are named as in ROS; the slash in front may be absent. Payloads, bodies and attachments are
hexadecimal, or null for none. Everything that declares an endpoint takes a `hash` instead of that of its type.

`subscribe` and `publish` take `reliable`, `transient_local` and `depth`. `publish` and `put` wait until their key has a
subscriber, or for their `timeout`; with `"wait": false` they do not wait. A `raw` subscriber adds `cdr`, `attachment`
and `encoding` to its messages. `layout` is the type whose fields a request has, if they are not those of the service.
The `body` of `send` comes after the header of CDR; null is no payload at all. The response of `query` is a list of
`{"payload", "attachment", "key"}` and `{"error"}`. That of `graph` has the `tokens` of other sessions, the `nodes` and
`endpoints` that they describe, and those `ignored` because ROS nodes cannot read them.
"""

import functools
import json
import sys
import threading

from node import Node
from services import Client, Query, Server
from topics import Publisher, Puts, Subscriber
from types_of_ros import Types
from wire import Quality

PATIENCE = 60.0
HEADER = bytes.fromhex("00010000")
OF_SERVICES = Quality()


class Gateway:
    """Executes the operations of the lines, on the main thread, which alone writes to the output."""

    def __init__(self, domain, endpoint, folders):
        self.node = Node(domain, endpoint, Types(folders), report)
        self.parts, self.servers = {}, {}
        self.tokens = []

    def part(self, key, make):
        """An endpoint, created on first use."""
        if key not in self.parts:
            self.parts[key] = make()
        return self.parts[key]

    def endpoint(self, kind, line, quality=OF_SERVICES):
        """An endpoint for the topic or service of a line."""
        name = line["topic"] if "topic" in line else line["service"]
        key, chosen_hash = (kind, name, line["type"]), line.get("hash")
        return self.part(key, lambda: kind(self.node, name, line["type"], quality, chosen_hash))

    def call(self, line):
        layout = line.get("layout") or f"{line['type']}_Request"
        body = self.node.types.encode(layout, line["request"])
        self.endpoint(Client, line).ask(line["id"], body, line.get("timeout", PATIENCE))

    def send(self, line):
        body = None if line["body"] is None else HEADER + bytes.fromhex(line["body"])
        attachment = {"attachment": given_bytes(line, "attachment")} if "attachment" in line else {}
        self.endpoint(Client, line).ask(line["id"], body, line.get("timeout", PATIENCE), **attachment)

    def serve(self, line):
        self.servers[line["service"]] = self.endpoint(Server, line)
        return {}

    def answer(self, line):
        self.servers[line["service"]].answer(line["call"], line["response"])
        return {}

    def subscribe(self, line):
        self.endpoint(Subscriber, line, settings(line)).is_raw = line.get("raw", False)
        return {}

    def publish(self, line):
        publisher = self.endpoint(Publisher, line, settings(line))
        publisher.publish(line["id"], line["message"], *patience(line))

    def put(self, line):
        key, attachment = line["key"], given_bytes(line, "attachment")
        puts = self.part(("put", key), lambda: Puts.on_key(self.node, key))
        puts.add(line["id"], given_bytes(line, "payload") or b"", lambda: attachment, *patience(line))

    def query(self, line):
        content = {name: given_bytes(line, name) for name in ("payload", "attachment")}
        target, timeout = line.get("target", "all_complete"), line.get("timeout", PATIENCE)
        Query(self.node, line["id"], line["key"], target, timeout, **content)

    def token(self, line):
        self.tokens.append(self.node.declare(line["text"]))
        return {}

    def types(self, line):
        for name, text in line["texts"].items():
            self.node.types.add(name, text)
        return {}

    def encode(self, line):
        return {"cdr": self.node.types.encode(line["type"], line["message"]).hex()}

    def hash(self, line):
        return {"hash": self.node.types.type_hash(line["type"])}

    def graph(self, _line):
        return self.node.graph.plain()

    def info(self, _line):
        return self.node.plain()

    def do(self, text):
        """Executes the operation of a line; a failure is reported."""
        line = json.loads(text)
        try:
            response = getattr(self, line["op"])(line)
        except Exception as error:  # noqa: BLE001
            report({"id": line["id"], "error": f"{type(error).__name__}: {error}"})
            return
        if response is not None:
            report({"id": line["id"], "response": response})

    def run(self):
        """Runs until the lines end."""
        is_running = True
        while is_running:
            parts = list(self.parts.values())
            for part in parts:
                part.run()
            # A part that waits for a match polls often: matches are not among the events.
            is_waiting = any(part.is_waiting() for part in parts)
            is_running = self.node.run_event(0.002 if is_waiting else 0.2)
        self.node.close(self.parts.values())


def settings(line):
    return Quality(**{name: line[name] for name in Quality._fields if name in line})


def given_bytes(line, name):
    return None if line.get(name) is None else bytes.fromhex(line[name])


def patience(line):
    """How long to wait for a subscriber, and whether not to wait at all."""
    return line.get("timeout", PATIENCE), not line.get("wait", True)


def report(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def listen(gateway):
    """Makes an event of each line of the input, on a separate thread."""
    for text in sys.stdin:
        gateway.node.events.put(functools.partial(gateway.do, text))
    gateway.node.events.put(None)


def main():
    gateway = Gateway(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
    threading.Thread(target=listen, args=(gateway,), daemon=True).start()
    report({"ready": int(sys.argv[1]), "zid": gateway.node.zid})
    gateway.run()


main()
