"""Clients and servers of ROS services, and queries of any key."""

import functools
import time

import zenoh

from node import Endpoint
from wire import attachment_now, parse_attachment

TARGETS = {
    "all_complete": zenoh.QueryTarget.ALL_COMPLETE,
    "all": zenoh.QueryTarget.ALL,
    "best_matching": zenoh.QueryTarget.BEST_MATCHING,
}
QUERY_SECONDS = 600
# A result is requested when a goal is accepted, and arrives when the goal ends. rmw_zenoh waits for 2^64 - 1 milliseconds,
# which is no number of seconds for Python: rounded up, it would be less than a second on the wire.
RESULT_SECONDS = 2.0**50


class Service(Endpoint):
    """What clients and servers have in common."""

    def own_hash(self):
        return self.node.types.type_hash(self.ros_type)

    @property
    def request(self):
        return f"{self.ros_type}_Request"

    @property
    def response(self):
        return f"{self.ros_type}_Response"


class Client(Service):
    """A client of a service. Requests wait until a server is announced and has a queryable."""

    kind = "SC"

    def declare(self):
        is_result = self.name.endswith("/_action/get_result")
        self.querier = self.node.session.declare_querier(
            self.key,
            target=zenoh.QueryTarget.ALL_COMPLETE,
            consolidation=zenoh.ConsolidationMode.NONE,
            timeout=RESULT_SECONDS if is_result else QUERY_SECONDS,
        )
        self.unsent, self.sent, self.sequence = [], {}, 0
        return [self.querier]

    def ask(self, call, payload, timeout, **attachment):
        """Sends a payload; another `attachment` than that of ROS clients is given as bytes or None."""
        self.unsent.append((call, payload, time.monotonic() + timeout, attachment))

    def is_matched(self):
        is_announced = self.node.graph.has_server(self.name, self.ros_type)
        return is_announced and self.querier.matching_status.matching

    def run(self):
        if self.unsent and self.is_matched():
            for one in self.unsent:
                self.send(*one)
            self.unsent = []
        now = time.monotonic()
        for call, *_ in [late for late in self.unsent if late[2] < now]:
            self.node.report({"id": call, "error": "no server"})
        self.unsent = [one for one in self.unsent if one[2] >= now]
        for number in [number for number, (_, deadline, _) in self.sent.items() if deadline < now]:
            self.finish(number)

    def send(self, call, payload, deadline, attachment):
        self.sequence += 1
        number, is_own = self.sequence, not attachment
        self.sent[number] = (call, deadline, is_own)
        attachment = attachment_now(number, self.gid) if is_own else attachment["attachment"]
        steps = [functools.partial(step, number) for step in (self.receive, self.finish)]
        self.querier.get(self.node.callback(*steps), payload=payload, attachment=attachment)

    def receive(self, number, reply):
        """Reports the first reply to a request."""
        if number not in self.sent:
            return
        call, _, is_own = self.sent.pop(number)
        try:
            response = self.read(reply, (number, self.gid) if is_own else None)
        except ValueError as error:
            self.node.report({"id": call, "error": f"{type(error).__name__}: {error}"})
            return
        self.node.report({"id": call, "response": response})

    def read(self, reply, identity):
        if reply.err:
            raise ValueError(f"the reply is the error `{reply.err.payload.to_bytes().decode(errors='replace')}`")
        found = parse_attachment(reply.ok.attachment)
        if identity and (found.sequence, found.gid) != identity:
            raise ValueError(f"the reply is for request {found.sequence} of {found.gid.hex()}, not {identity[0]}")
        return self.node.types.decode(self.response, reply.ok.payload.to_bytes())

    def finish(self, number):
        """Reports that a request had no reply when the query or the patience ended."""
        if number in self.sent:
            call, *_ = self.sent.pop(number)
            self.node.report({"id": call, "error": "no answer"})

    def is_waiting(self):
        return bool(self.unsent)


class Server(Service):
    """A server of a service; its answers come from the test."""

    kind = "SS"

    def declare(self):
        self.open, self.count = {}, 0
        receiver = self.node.callback(self.receive)
        return [self.node.session.declare_queryable(self.key, receiver, complete=True)]

    def receive(self, query):
        try:
            identity, request = self.read(query)
        except ValueError as error:
            query.drop()
            self.node.refuse(self.name, error)
            return
        self.count += 1
        self.open[self.count] = (query, identity)
        self.node.report({"asked": self.name, "call": self.count, "request": request})

    def read(self, query):
        found = parse_attachment(query.attachment)
        identity = (found.sequence, found.gid)
        if identity in [known for _, known in self.open.values()]:
            raise ValueError(f"request {found.sequence} of {found.gid.hex()} is open already")
        payload = query.payload.to_bytes() if query.payload else b""
        return identity, self.node.types.decode(self.request, payload)

    def answer(self, call, response):
        payload = self.node.types.encode(self.response, response)
        query, identity = self.open.pop(call)
        # A reply has the number and the gid of its request.
        with query:
            query.reply(self.key, payload, attachment=attachment_now(*identity))


class Query:
    """A query of any key; reports all replies when it ends."""

    def __init__(self, node, call, key, target, timeout, **settings):
        self.node, self.call, self.replies = node, call, []
        settings |= {"target": TARGETS[target], "consolidation": zenoh.ConsolidationMode.NONE, "timeout": timeout}
        node.session.get(key, node.callback(self.receive, self.finish), **settings)

    def receive(self, reply):
        if reply.err:
            self.replies.append({"error": reply.err.payload.to_bytes().hex()})
            return
        attachment = reply.ok.attachment
        attachment = attachment.to_bytes().hex() if attachment is not None else None
        payload = reply.ok.payload.to_bytes().hex()
        self.replies.append({"payload": payload, "attachment": attachment, "key": str(reply.ok.key_expr)})

    def finish(self):
        self.node.report({"id": self.call, "response": self.replies})
