"""The transport over DDS without ROS: a client as rmw_cyclonedds is one, made of the package cyclonedds.

A server of another middleware must understand clients of rmw_cyclonedds, whose requests begin with their identity.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

from cyclonedds.builtin import BuiltinDataReader, BuiltinTopicDcpsPublication, BuiltinTopicDcpsSubscription
from cyclonedds.core import InstanceState, ReadCondition, SampleState, ViewState, WaitSet
from cyclonedds.domain import Domain, DomainParticipant
from cyclonedds.pub import DataWriter
from cyclonedds.qos import Policy, Qos
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

from bridgehead_conformance.definitions import ACTION, PACKAGE, service_type
from bridgehead_conformance.description import Description
from bridgehead_conformance.transports import Message, TransportError
from bridgehead_conformance.transports.shapes import Shapes
from bridgehead_conformance.versions import request_for, response_from

# Loopback only, without multicast; other participants are searched on the ports of this machine.
LOOPBACK = """<CycloneDDS><Domain>
<General><Interfaces><NetworkInterface name="lo" multicast="false"/></Interfaces>
<AllowMulticast>false</AllowMulticast></General>
<Discovery><Peers><Peer Address="127.0.0.1"/></Peers>
<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>60</MaxAutoParticipantIndex></Discovery>
</Domain></CycloneDDS>"""
NEW = ViewState.Any | SampleState.NotRead | InstanceState.Any
ALIVE = ViewState.Any | SampleState.Any | InstanceState.Alive
MANY = 10_000
# Seconds in which a further endpoint is discovered.
SETTLING = 0.3
_DOMAINS: dict[int, Domain] = {}


def quality(depth: int = 10, user_data: bytes = b"", is_reliable: bool = True) -> Qos:
    """Returns the settings of services, and of most topics."""
    return Qos(
        Policy.Reliability.Reliable(duration(seconds=1)) if is_reliable else Policy.Reliability.BestEffort,
        Policy.Durability.Volatile,
        Policy.History.KeepLast(depth),
        Policy.Userdata(user_data),
    )


class Node:
    """A participant with the endpoints of one client."""

    def __init__(self, description: Description) -> None:
        self.timeout = description.timeouts.answer
        self.shapes = Shapes(description.standard)
        domain = description.addresses.domain or 0
        if description.addresses.interface == "lo" and domain not in _DOMAINS:
            _DOMAINS[domain] = Domain(domain, LOOPBACK)
        self.participant = DomainParticipant(domain, Qos(Policy.Userdata(b"enclave=/;")))
        self.waitset = WaitSet(self.participant)
        self._count = itertools.count(1)

    def identity(self) -> bytes:
        """Returns the text that marks the two endpoints of a client as belonging together."""
        numbers = self.participant.guid.bytes[:12] + next(self._count).to_bytes(4, "big")
        return f"clientid={'.'.join(f'{byte:02x}' for byte in numbers)};".encode()

    def reader(self, topic: str, shape: Any, qos: Qos) -> DataReader[Any]:
        """Opens a reader whose samples end a wait."""
        reader = DataReader(self.participant, Topic(self.participant, topic, shape), qos)
        self.waitset.attach(ReadCondition(reader, NEW))
        return reader

    def wait_until(self, what: str, condition: Callable[[], Any], seconds: float | None = None) -> Any:
        """Waits until a condition has a true value, and returns it."""
        seconds = self.timeout if seconds is None else seconds
        end = time.monotonic() + seconds
        # Wall time: the deadline of a poll, whose failure is reported.
        while not (value := condition()):
            if time.monotonic() > end:
                raise TransportError(f"{what} in {seconds} s")
            # Matches do not end a wait.
            self.waitset.wait(duration(milliseconds=5))
        return value

    def close(self) -> None:
        """Leaves the domain."""
        self.participant._delete(self.participant._ref)  # noqa: SLF001


def matched(get: Callable[[], Any]) -> Any:
    """Returns matched endpoints; the package counts them before it lists them, and fails if one joins meanwhile."""
    while True:
        try:
            return get()
        except IndexError:
            pass


class Client:
    """A client of one service."""

    def __init__(self, node: Node, name: str, kind: str) -> None:
        self._node, self._name, self._kind = node, name, kind
        qos = quality(user_data=node.identity())
        self._reader = node.reader(f"rr{name}Reply", node.shapes.half(f"{kind}_Response"), qos)
        topic = Topic(node.participant, f"rq{name}Request", node.shapes.half(f"{kind}_Request"))
        self._writer = DataWriter(node.participant, topic, qos)
        self._guid = self._writer.get_instance_handle() % 2**64
        self._number = 0

    def _is_matched(self) -> bool:
        return bool(matched(self._writer.get_matched_subscriptions) and matched(self._reader.get_matched_publications))

    def call(self, request: Message) -> Message:
        """Sends a request and waits for the response to it."""
        self._node.wait_until(f"no server of `{self._name}` was found", self._is_matched)
        self._number += 1
        shapes = self._node.shapes
        body = shapes.message(f"{self._kind}_Request", request)
        self._writer.write(shapes.half(f"{self._kind}_Request")(guid=self._guid, number=self._number, body=body))
        reply = self._node.wait_until(f"`{self._name}` gave no answer to {request}", self._reply)
        return shapes.plain(f"{self._kind}_Response", reply.body)

    def _reply(self) -> Any:
        for reply in self._reader.take(MANY):
            # Replies to other clients arrive here too.
            if reply.sample_info.valid_data and (reply.guid, reply.number) == (self._guid, self._number):
                return reply
        return None


class DdsTransport:
    """A connection over DDS."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self.node = Node(description)
        self._clients: dict[str, Client] = {}
        self._feedback: Feedback | None = None
        self._is_settled = False
        self._found = [
            BuiltinDataReader(self.node.participant, topic)
            for topic in (BuiltinTopicDcpsPublication, BuiltinTopicDcpsSubscription)
        ]

    def client(self, name: str, kind: str) -> Client:
        """Returns the client of a service."""
        if name not in self._clients:
            self._clients[name] = Client(self.node, name, kind)
        return self._clients[name]

    def call(self, service: str, request: Message) -> Message:
        """Calls a service."""
        return self.call_alias(service, self._description.service(service), request)

    def call_alias(self, service: str, name: str, request: Message) -> Message:
        """Calls a service under another name."""
        version = self._description.standard
        client = self.client(self._description.full(name), service_type(service))
        return response_from(version, service, client.call(request_for(version, service, request)))

    def send_goal(self, steps: int | None) -> DdsGoal:
        """Sends a goal."""
        name = self._description.service("simulate_steps")
        if self._feedback is None:
            self._feedback = Feedback(self.node, name)
        return DdsGoal(self, name, self._feedback, {} if steps is None else {"steps": steps})

    def _names(self) -> dict[str, str]:
        """Returns services by the readers of their requests, and actions by the writers of their feedback."""
        names = {}
        writers, readers = (reader.read(MANY, ReadCondition(reader, ALIVE)) for reader in self._found)
        for one in readers:
            topic, kind = one.topic_name, one.type_name.replace("::", "/").replace("/dds_/", "/")
            is_ours = topic.startswith("rq/") and kind.startswith(f"{PACKAGE}/") and "/_action/" not in topic
            if is_ours and one.participant_key != self.node.participant.guid:
                names[topic.removeprefix("rq").removesuffix("Request")] = kind.removesuffix("_Request_")
        for one in writers:
            topic, kind = one.topic_name, one.type_name.replace("::", "/").replace("/dds_/", "/")
            if topic.endswith("/_action/feedback") and kind.startswith(f"{PACKAGE}/"):
                names[topic.removeprefix("rt").removesuffix("/_action/feedback")] = kind.removesuffix(
                    "_FeedbackMessage_"
                )
        return names

    def offered(self) -> dict[str, str]:
        """Returns the services and actions of the standard, once their number no longer grows."""
        names = self._names()
        while not self._is_settled:
            # Endpoints are discovered one after another.
            time.sleep(SETTLING)
            later = self._names()
            self._is_settled = len(later) == len(names)
            names = later
        return names

    def latest(self, topic: str, kind: str) -> Message:
        """Returns the next message of a topic."""
        reader = self.node.reader(f"rt{topic}", self.node.shapes.struct(kind), quality(1, is_reliable=False))

        def next_message() -> Any:
            found = [one for one in reader.take(MANY) if one.sample_info.valid_data]
            return found[-1] if found else None

        message = self.node.wait_until(f"nothing arrived from `{topic}`", next_message)
        reader._delete(reader._ref)  # noqa: SLF001
        return self.node.shapes.plain(kind, message)

    def another(self) -> DdsTransport:
        """Opens another participant."""
        return DdsTransport(self._description)

    def close(self) -> None:
        """Leaves the domain."""
        self.node.close()


class Feedback:
    """The feedback of all goals, sorted by their numbers."""

    def __init__(self, node: Node, name: str) -> None:
        self._node = node
        self._kind = f"{ACTION}_FeedbackMessage"
        self._reader = node.reader(f"rt{name}/_action/feedback", node.shapes.struct(self._kind), quality(1000))
        self._messages: dict[bytes, list[Message]] = {}
        node.wait_until(f"no feedback of `{name}` was found", lambda: matched(self._reader.get_matched_publications))

    def next(self, goal: bytes) -> Message | None:
        """Returns the next feedback of a goal that has arrived."""
        for one in self._reader.take(MANY):
            if one.sample_info.valid_data:
                message = self._node.shapes.plain(self._kind, one)
                self._messages.setdefault(bytes(message["goal_id"]["uuid"]), []).append(message["feedback"])
        waiting = self._messages.get(goal, [])
        return waiting.pop(0) if waiting else None


class DdsGoal:
    """A goal that was sent over DDS."""

    _count = itertools.count(int(time.time() * 1000) << 20)

    def __init__(self, transport: DdsTransport, name: str, feedback: Feedback, goal: Message) -> None:
        self._transport, self._name, self._feedback = transport, name, feedback
        self._id = next(self._count).to_bytes(16, "big")
        request = {"goal_id": {"uuid": list(self._id)}, "goal": goal}
        self._sent = transport.client(f"{name}/_action/send_goal", f"{ACTION}_SendGoal").call(request)
        self._end: tuple[int, Message] | None = None

    def is_accepted(self) -> bool:
        """Returns whether the goal was accepted."""
        return bool(self._sent["accepted"])

    def feedback(self) -> Message | None:
        """Returns the next feedback, or nothing after the end of the goal."""
        if found := self._feedback.next(self._id):
            return found
        self.end()
        return self._feedback.next(self._id)

    def cancel(self) -> None:
        """Cancels the goal."""
        client = self._transport.client(f"{self._name}/_action/cancel_goal", "action_msgs/srv/CancelGoal")
        client.call({"goal_info": {"goal_id": {"uuid": list(self._id)}}})

    def end(self) -> tuple[int, Message]:
        """Waits for the end."""
        if self._end is None:
            client = self._transport.client(f"{self._name}/_action/get_result", f"{ACTION}_GetResult")
            response = client.call({"goal_id": {"uuid": list(self._id)}})
            self._end = (int(response["status"]), response["result"])
        return self._end


def connect(description: Description) -> DdsTransport:
    """Opens the transport."""
    return DdsTransport(description)
