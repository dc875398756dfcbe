"""A participant with clients, servers, publishers and subscribers, as rmw_cyclonedds makes them."""

import time

from cyclonedds.builtin import BuiltinDataReader, BuiltinTopicDcpsParticipant, BuiltinTopicDcpsPublication
from cyclonedds.builtin import BuiltinTopicDcpsSubscription
from cyclonedds.core import GuardCondition, InstanceState, ReadCondition, SampleState, ViewState, WaitSet
from cyclonedds.domain import Domain, DomainParticipant
from cyclonedds.pub import DataWriter
from cyclonedds.qos import Policy, Qos
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

# Loopback only, without multicast; other participants are searched on the ports of this machine. A new reader requests
# the state of its writer after a delay, which the environment can make longer than Cyclone's default. With TRACE_LEVEL=finest,
# the file TRACE_FILE gets everything that arrives.
CONFIGURATION = """<CycloneDDS><Domain>
<General><Interfaces><NetworkInterface name="lo" multicast="false"/></Interfaces>
<AllowMulticast>false</AllowMulticast></General>
<Discovery><Peers><Peer Address="127.0.0.1"/></Peers>
<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>30</MaxAutoParticipantIndex></Discovery>
<Internal><PreEmptiveAckDelay>${PREEMPTIVE_ACK_DELAY:-10 ms}</PreEmptiveAckDelay></Internal>
<Tracing><Verbosity>${TRACE_LEVEL:-none}</Verbosity><OutputFile>${TRACE_FILE:-/dev/null}</OutputFile></Tracing>
</Domain></CycloneDDS>"""
NEW = ViewState.Any | SampleState.NotRead | InstanceState.Any
ALIVE = ViewState.Any | SampleState.Any | InstanceState.Alive
ALL = 1000


def quality(reliable=True, transient_local=False, depth=10, user_data=b""):
    """Settings of an endpoint; the defaults are those of services and most topics."""
    return Qos(
        Policy.Reliability.Reliable(duration(seconds=1)) if reliable else Policy.Reliability.BestEffort,
        Policy.Durability.TransientLocal if transient_local else Policy.Durability.Volatile,
        Policy.History.KeepLast(depth),
        Policy.Userdata(user_data),
    )


def user_data(entity):
    return entity.qos[Policy.Userdata].data if entity and Policy.Userdata in entity.qos else b""


def matched(get):
    """Endpoints with which another one is matched. The functions of `cyclonedds` count them first, and fail if another one
    joins before they are listed."""
    while True:
        try:
            return get()
        except IndexError:
            pass


class Node:
    """The DDS entities of a ROS process: one participant and everything created from it."""

    def __init__(self, domain, shapes):
        self.shapes = shapes
        self.domain = Domain(domain, CONFIGURATION)
        self.participant = DomainParticipant(domain, Qos(Policy.Userdata(b"enclave=/;")))
        self.waitset = WaitSet(self.participant)
        self.guard = GuardCondition(self.participant)
        self.waitset.attach(self.guard)
        self.count = 0
        self.discovered = [
            BuiltinDataReader(self.participant, topic)
            for topic in (BuiltinTopicDcpsPublication, BuiltinTopicDcpsSubscription)
        ]
        self.participants = BuiltinDataReader(self.participant, BuiltinTopicDcpsParticipant)

    def identity(self, kind):
        """Text that marks the two endpoints of a client or a server as belonging together."""
        self.count += 1
        numbers = self.participant.guid.bytes[:12] + self.count.to_bytes(4, "big")
        return f"{kind}={'.'.join(f'{byte:02x}' for byte in numbers)};".encode()

    def topic(self, name, shape):
        """A topic, named as in DDS, or as in ROS with a slash in front."""
        return Topic(self.participant, f"rt{name}" if name.startswith("/") else name, shape)

    def reader(self, name, shape, qos):
        reader = DataReader(self.participant, self.topic(name, shape), qos)
        condition = ReadCondition(reader, NEW)
        self.waitset.attach(condition)
        return reader, condition

    def writer(self, name, shape, qos):
        return DataWriter(self.participant, self.topic(name, shape), qos)

    def visit(self, name, shape, number):
        """Opens readers of a topic and closes them once they are matched."""
        topic = self.topic(name, shape)
        readers = [DataReader(self.participant, topic, quality(reliable=False)) for _ in range(number)]
        while not all(matched(reader.get_matched_publications) for reader in readers):
            # Wall time: the pause between two looks.
            time.sleep(0.01)
        for reader in readers:
            reader._delete(reader._ref)  # pylint: disable=protected-access

    def wait(self, seconds):
        self.waitset.wait(duration(milliseconds=max(1, round(seconds * 1000))))
        self.guard.take()

    def graph(self):
        """The other participants and their endpoints, as discovered so far."""
        own = self.participant.guid
        endpoints = [
            {
                "topic": found.topic_name,
                "type": found.type_name,
                "kind": kind,
                "reliable": Policy.Reliability.BestEffort not in found.qos,
                "transient_local": Policy.Durability.TransientLocal in found.qos,
                "user_data": user_data(found).decode(errors="replace"),
                "participant": str(found.participant_key),
                "guid": str(found.key),
            }
            for kind, reader in zip(("writer", "reader"), self.discovered)
            for found in read_alive(reader)
            if found.participant_key != own
        ]
        participants = [
            {"guid": str(found.key), "user_data": user_data(found).decode(errors="replace")}
            for found in read_alive(self.participants)
            if found.key != own
        ]
        return {"participants": participants, "endpoints": endpoints}

    def close(self):
        """Leaves the domain properly."""
        self.participant._delete(self.participant._ref)  # pylint: disable=protected-access


def read_alive(reader):
    return reader.read(ALL, ReadCondition(reader, ALIVE))


class Client:
    """A client of a service. Requests wait until the server is discovered."""

    def __init__(self, node, service, ros_type, requests):
        self.node, self.response = node, f"{ros_type}_Response"
        qos = quality(user_data=node.identity("clientid"))
        replies = node.shapes.half(self.response)
        self.reader, self.condition = node.reader(f"rr/{service}Reply", replies, qos)
        self.writer = node.writer(f"rq/{service}Request", requests, qos)
        self.guid = self.writer.get_instance_handle() % 2**64
        self.number = 0
        self.unsent, self.sent = [], {}

    def ask(self, call, make, timeout):
        self.unsent.append((call, make, time.monotonic() + timeout))

    def is_matched(self):
        return bool(matched(self.writer.get_matched_subscriptions) and matched(self.reader.get_matched_publications))

    def run(self, report):
        """Sends what can be sent, and reports replies and timeouts."""
        if self.unsent and self.is_matched():
            for call, make, deadline in self.unsent:
                self.number += 1
                self.writer.write(make(self.guid, self.number))
                self.sent[self.number] = (call, deadline)
            self.unsent = []
        for reply in self.reader.take(ALL):
            # Replies to other clients arrive here too.
            if reply.sample_info.valid_data and reply.guid == self.guid and reply.number in self.sent:
                call, _ = self.sent.pop(reply.number)
                report({"id": call, "response": self.node.shapes.plain(self.response, reply.body)})
        now = time.monotonic()
        for call, _, _ in [late for late in self.unsent if late[2] < now]:
            report({"id": call, "error": "no server"})
        self.unsent = [one for one in self.unsent if one[2] >= now]
        for number in [number for number, (_, deadline) in self.sent.items() if deadline < now]:
            call, _ = self.sent.pop(number)
            report({"id": call, "error": "no answer"})

    def is_waiting(self):
        return bool(self.unsent)


class Server:
    """A server of a service; its answers come from the test."""

    def __init__(self, node, service, ros_type):
        self.node, self.service = node, service
        self.request, self.response = f"{ros_type}_Request", f"{ros_type}_Response"
        qos = quality(user_data=node.identity("serviceid"))
        self.replies = node.shapes.half(self.response)
        self.writer = node.writer(f"rr/{service}Reply", self.replies, qos)
        self.reader, self.condition = node.reader(f"rq/{service}Request", node.shapes.half(self.request), qos)
        self.open, self.unsent, self.count = {}, [], 0

    def run(self, report):
        for request in self.reader.take(ALL):
            if not request.sample_info.valid_data:
                continue
            asker = user_data(self.reader.get_matched_publication_data(request.sample_info.publication_handle))
            self.count += 1
            self.open[self.count] = (request.guid, request.number, asker)
            body = self.node.shapes.plain(self.request, request.body)
            report({"asked": self.service, "call": self.count, "request": body})
        self.unsent = [one for one in self.unsent if not self.send(*one)]

    def answer(self, call, response):
        guid, number, asker = self.open.pop(call)
        body = self.node.shapes.message(self.response, response)
        self.unsent.append((asker, self.replies(guid=guid, number=number, body=body)))

    def send(self, asker, reply):
        """Sends once the reader of the client is discovered, or the client would not receive the reply."""
        readers = matched(self.writer.get_matched_subscriptions)
        readers = (self.writer.get_matched_subscription_data(one) for one in readers)
        if not any(user_data(reader) == asker for reader in readers):
            return False
        self.writer.write(reply)
        return True

    def is_waiting(self):
        return bool(self.unsent)


class Subscriber:
    """Reports every message of a topic."""

    def __init__(self, node, topic, ros_type, qos):
        self.node, self.name, self.ros_type = node, topic, ros_type
        self.reader, self.condition = node.reader(topic, node.shapes.struct(ros_type), qos)

    def run(self, report):
        for message in self.reader.take(ALL):
            if message.sample_info.valid_data:
                report({"topic": self.name, "message": self.node.shapes.plain(self.ros_type, message)})

    def is_waiting(self):
        return False


class Publisher:
    """Sends messages once the topic has a reader."""

    def __init__(self, node, topic, ros_type, qos):
        self.node, self.ros_type = node, ros_type
        self.writer = node.writer(topic, node.shapes.struct(ros_type), qos)
        self.unsent = []

    def publish(self, call, message, timeout):
        body = self.node.shapes.message(self.ros_type, message)
        self.unsent.append((call, body, time.monotonic() + timeout))

    def run(self, report):
        is_read = bool(self.unsent and matched(self.writer.get_matched_subscriptions))
        kept = []
        for call, body, deadline in self.unsent:
            if is_read:
                self.writer.write(body)
                report({"id": call, "response": {}})
            # Wall time: the deadline of a poll, whose caller reports the failure.
            elif deadline < time.monotonic():
                report({"id": call, "error": "the topic has no reader"})
            else:
                kept.append((call, body, deadline))
        self.unsent = kept

    def is_waiting(self):
        return bool(self.unsent)
