"""A session with one ROS node, as rmw_zenoh makes it, and what its endpoints have in common."""

import functools
import queue

import zenoh
from zenoh.handlers import Callback

import wire
from configuration import configuration
from graph import Graph

NAME = "peer"
ROOT = "/"
FREE_PORT = "tcp/127.0.0.1:0"


class Node:
    """The only node of a session. What arrives becomes an event, which the main thread executes."""

    def __init__(self, domain, endpoint, types, report):
        self.domain, self.types, self.report = str(domain), types, report
        self.events = queue.SimpleQueue()
        self.session = zenoh.open(configuration("peer", [endpoint], [FREE_PORT]))
        self.zid = str(self.session.zid())
        self.graph = Graph(domain, self.zid)
        self.discover()
        self.count = 0
        self.alive = self.declare(self.token("NN").text())

    def discover(self):
        """Gets the existing tokens, and all later changes. Most tokens arrive twice."""
        liveliness = self.session.liveliness()
        for reply in liveliness.get(self.graph.key):
            if reply.ok:
                self.graph.change(reply.ok)
        self.changes = liveliness.declare_subscriber(self.graph.key, self.callback(self.graph.change), history=True)

    def token(self, kind, *of_endpoint):
        """The next token of this node; nodes and endpoints are numbered together."""
        number = str(self.count)
        self.count += 1
        return wire.Token(self.domain, self.zid, "0", number, kind, ROOT, ROOT, NAME, *of_endpoint)

    def declare(self, text):
        """Declares any token, which ends when the returned value does."""
        return self.session.liveliness().declare_token(text)

    def callback(self, function, finish=None):
        """A receiver for zenoh that makes events. Without a thread of its own, so that the order remains."""
        finished = (lambda: self.events.put(finish)) if finish else None
        return Callback(lambda found: self.events.put(functools.partial(function, found)), finished, indirect=False)

    def run_event(self, seconds):
        """Waits for an event and executes it. Returns false for the event None, the last one."""
        try:
            event = self.events.get(timeout=seconds)
        except queue.Empty:
            return True
        if event:
            event()
        return event is not None

    def refuse(self, name, error):
        """Reports something that ROS nodes would drop."""
        self.report({"refused": name, "error": f"{type(error).__name__}: {error}"})

    def plain(self):
        """The own id and those of all connected sessions."""
        info = self.session.info
        peers, routers = (sorted(map(str, found)) for found in (info.peers_zid(), info.routers_zid()))
        return {"zid": self.zid, "peers": peers, "routers": routers}

    def close(self, endpoints):
        """Leaves the domain: tokens of endpoints, endpoints, the token of the node, and the session."""
        for part in endpoints:
            part.close()
        self.alive.undeclare()
        self.changes.undeclare()
        self.session.close()


class Endpoint:
    """A publisher, a subscriber, a client or a server. `type_hash` replaces that of the type."""

    kind = None

    def __init__(self, node, name, ros_type, quality, type_hash=None):
        self.node, self.name, self.ros_type, self.quality = node, name, ros_type, quality
        type_hash = type_hash or self.own_hash()
        self.key = wire.data_key(node.domain, name, ros_type, type_hash)
        token = node.token(self.kind, wire.full(name), wire.dds_name(ros_type), type_hash, quality.text())
        self.gid = token.gid()
        # The token comes last and ends first: who sees it can use the endpoint.
        entities = self.declare()
        self.entities = [node.declare(token.text()), *entities]

    def own_hash(self):
        """The hash of the type of the endpoint."""
        raise NotImplementedError

    def declare(self):
        """Declares what the endpoint consists of, and returns it."""
        raise NotImplementedError

    def run(self):
        """Does what can be done now, and reports timeouts."""

    def is_waiting(self):
        """Whether `run` must be called often, since no event shows that it can continue."""
        return False

    def close(self):
        for entity in self.entities:
            entity.undeclare()
