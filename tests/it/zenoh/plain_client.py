"""A program of zenoh, without ROS, controlled by lines of JSON.

    plain_client.py ENDPOINT      where a router listens, such as `tcp/127.0.0.1:7447`

    {"op": "get", "selector", "payload"?, "encoding"?}   answered by the list of replies
    {"op": "put", "key", "payload", "encoding"?}         answered by null, once somebody receives the key
    {"op": "delete", "key"}                              answered by null
    {"op": "subscribe", "key"}                           answered by null; its samples follow
    {"op": "flood", "selector", "payload", "encoding", "count"}     sends many, answered by null
    {"op": "collect"}                                    answered by the list of replies to all of them

Each operation is answered by `{"done": ANSWER}`, in order. A reply or a sample is `{"key", "encoding", "payload"}`, or
`{"error", "encoding"}`; payloads are hexadecimal. A sample is in a line `{"sample": …}`.
"""

import json
import sys
import threading

import zenoh

PATIENCE = 60.0
lock = threading.Lock()


def write(line):
    with lock:
        print(json.dumps(line), flush=True)


def shown(sample):
    payload = sample.payload.to_bytes().hex()
    return {"key": str(sample.key_expr), "encoding": str(sample.encoding), "payload": payload}


def shown_reply(reply):
    if reply.ok is not None:
        return shown(reply.ok)
    return {"error": reply.err.payload.to_string(), "encoding": str(reply.err.encoding)}


def options(line):
    given = {}
    if "encoding" in line:
        given["encoding"] = zenoh.Encoding(line["encoding"])
    return given


def payload(line):
    return bytes.fromhex(line["payload"])


class Client:
    def __init__(self, endpoint):
        configuration = zenoh.Config()
        own = {"mode": "client", "connect/endpoints": [endpoint], "scouting/multicast/enabled": False}
        for name, value in own.items():
            configuration.insert_json5(name, json.dumps(value))
        self.session = zenoh.open(configuration)
        self.parts = []
        self.asked = []

    def get(self, line):
        given = options(line)
        if "payload" in line:
            given["payload"] = payload(line)
        replies = self.session.get(line["selector"], timeout=PATIENCE, **given)
        return [shown_reply(reply) for reply in replies]

    def put(self, line):
        publisher = self.session.declare_publisher(line["key"])
        matched = threading.Event()
        listener = publisher.declare_matching_listener(lambda status: matched.set() if status.matching else None)
        if not publisher.matching_status.matching and not matched.wait(PATIENCE):
            raise TimeoutError(line["key"])
        publisher.put(payload(line), **options(line))
        listener.undeclare()
        publisher.undeclare()

    def delete(self, line):
        self.session.delete(line["key"])

    def flood(self, line):
        for _ in range(line["count"]):
            replies = self.session.get(line["selector"], timeout=PATIENCE, payload=payload(line), **options(line))
            self.asked.append(replies)

    def collect(self, _):
        return [shown_reply(reply) for replies in self.asked for reply in replies]

    def subscribe(self, line):
        self.parts.append(self.session.declare_subscriber(line["key"], lambda sample: write({"sample": shown(sample)})))


def main():
    client = Client(sys.argv[1])
    for text in sys.stdin:
        line = json.loads(text)
        write({"done": getattr(client, line["op"])(line)})


main()
