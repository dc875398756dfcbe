"""A program of zenoh-ros2-sdk, which speaks to nodes of rmw_zenoh without ROS, controlled by lines of JSON.

    sdk_client.py ENDPOINT DOMAIN    where a router listens, such as `tcp/127.0.0.1:7447`, and the domain of ROS

    {"do": "hash", "type", "definition"}                        the hash that the SDK computes
    {"do": "topics"} or {"do": "services"}                      what the SDK finds in the graph, with types
    {"do": "subscribe", "topic", "type", "definition", "hash"}  null; `next` returns its messages
    {"do": "next", "topic"}                                     the next message
    {"do": "publish", "topic", "type", "definition", "hash", "message"}    null
    {"do": "call", "service", "type", "hash", "request_definition", "response_definition", "request"}    the response

A definition is that of a message, followed by those of the messages in it, as in recordings. Each line is answered by a
line. Nothing is loaded from the network: the SDK would do so for a type without a definition.
"""

import json
import queue
import re
import sys

import numpy
import zenoh_ros2_sdk
from rosbags.interfaces import Nodetype
from zenoh_ros2_sdk import discovery, utils
from zenoh_ros2_sdk.session import ZenohSession

PATIENCE = 60.0
NEXT_PART = re.compile(r"^=+\nMSG: (\S+)/(\S+)\n", re.MULTILINE)


class Program:
    def __init__(self, endpoint, domain):
        _, host, port = re.split("[/:]", endpoint)
        self.place = {"router_ip": host, "router_port": int(port), "domain_id": int(domain)}
        self.session = ZenohSession.get_instance(host, int(port))
        self.kept, self.waiting = {}, {}

    def hash(self, type, definition):
        first, *parts = NEXT_PART.split(definition)
        inner = {f"{package}/msg/{name}": text for package, name, text in zip(*[iter(parts)] * 3, strict=True)}
        return utils.get_type_hash(type, msg_definition=first, dependencies=inner)

    def topics(self):
        return discovery.get_topic_names_and_types(**self.place)

    def services(self):
        return discovery.get_service_names_and_types(**self.place)

    def subscribe(self, topic, type, definition, hash):
        messages = self.waiting[topic] = queue.Queue()
        self.kept[topic, "in"] = zenoh_ros2_sdk.ROS2Subscriber(
            topic, type, messages.put, msg_definition=definition, type_hash=hash, **self.place
        )

    def next(self, topic):
        return plain(self.waiting[topic].get(timeout=PATIENCE))

    def publish(self, topic, type, definition, hash, message):
        if (topic, "out") not in self.kept:
            self.kept[topic, "out"] = zenoh_ros2_sdk.ROS2Publisher(
                topic, type, msg_definition=definition, type_hash=hash, **self.place
            )
        self.kept[topic, "out"].publish(**self.fields(type, message))

    def call(self, service, type, hash, request_definition, response_definition, request):
        if (service, "client") not in self.kept:
            self.kept[service, "client"] = zenoh_ros2_sdk.ROS2ServiceClient(
                service,
                type,
                request_definition=request_definition,
                response_definition=response_definition,
                type_hash=hash,
                timeout=PATIENCE,
                **self.place,
            )
        client = self.kept[service, "client"]
        return plain(client.call(**self.fields(client.request_store_type, request)))

    def fields(self, type, given):
        """Arguments for a message of this type; absent members have their default values."""
        _, fields = self.session.store.fielddefs[type]
        return {name: self.value(kind, given.get(name)) for name, kind in fields}

    def value(self, kind, given):
        node, of = kind
        if node == Nodetype.NAME:
            return self.session.store.types[of](**self.fields(of, given or {}))
        if node == Nodetype.BASE:
            default = {"string": "", "bool": False}.get(of[0], 0.0 if of[0].startswith("float") else 0)
            return default if given is None else type(default)(given)
        inner, length = of
        given = [None] * (length if node == Nodetype.ARRAY else 0) if given is None else given
        values = [self.value(inner, one) for one in given]
        is_number = inner[0] == Nodetype.BASE and inner[1][0] != "string"
        return numpy.array(values, dtype=inner[1][0]) if is_number else values


def plain(value):
    """A message as a JSON value."""
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    if isinstance(value, list):
        return [plain(one) for one in value]
    if hasattr(value, "__msgtype__"):
        members = {name: plain(one) for name, one in vars(value).items() if not name.startswith("__")}
        # The member that a message without members has on the wire.
        members.pop("structure_needs_at_least_one_member", None)
        return members
    return value


program = Program(*sys.argv[1:])
for line in sys.stdin:
    arguments = json.loads(line)
    print(json.dumps(getattr(program, arguments.pop("do"))(**arguments)), flush=True)
