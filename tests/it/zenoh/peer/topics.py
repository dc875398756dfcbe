"""Publishers and subscribers of ROS topics, and puts on any key."""

import time

import zenoh
from zenoh import ext

from node import Endpoint
from wire import attachment_now, parse_attachment

HEARTBEAT_SECONDS = 0.5


class Puts:
    """Puts that wait until their key has a subscriber: earlier ones are lost.

    `publisher` does the puts; `matching` is a publisher of the same key that knows whether there are subscribers.
    """

    def __init__(self, publisher, matching, report):
        self.publisher, self.matching, self.report = publisher, matching, report
        self.unsent = []

    @staticmethod
    def on_key(node, key):
        """Puts on any key."""
        publisher = node.session.declare_publisher(key)
        return Puts(publisher, publisher, node.report)

    def add(self, call, payload, attach, timeout, is_urgent):
        """Adds a put. `attach` makes the attachment when it is sent; an urgent put does not wait."""
        if is_urgent:
            self.put(call, payload, attach)
        else:
            self.unsent.append((call, payload, attach, time.monotonic() + timeout))

    def put(self, call, payload, attach):
        self.publisher.put(payload, attachment=attach())
        self.report({"id": call, "response": {}})

    def run(self):
        is_read = bool(self.unsent and self.matching.matching_status.matching)
        kept = []
        for call, payload, attach, deadline in self.unsent:
            if is_read:
                self.put(call, payload, attach)
            # Wall time: the deadline of a poll, whose caller reports the failure.
            elif deadline < time.monotonic():
                self.report({"id": call, "error": "the topic has no reader"})
            else:
                kept.append((call, payload, attach, deadline))
        self.unsent = kept

    def is_waiting(self):
        return bool(self.unsent)

    def close(self):
        self.publisher.undeclare()


class Publisher(Endpoint):
    """Sends messages once the topic has a reader."""

    kind = "MP"

    def own_hash(self):
        return self.node.types.type_hash(self.ros_type)

    def declare(self):
        reliability = zenoh.Reliability.RELIABLE if self.quality.reliable else zenoh.Reliability.BEST_EFFORT
        settings = {"reliability": reliability, "congestion_control": zenoh.CongestionControl.DROP}
        matching = self.node.session.declare_publisher(self.key, **settings)
        publisher = self.declare_with_cache(settings) if self.quality.transient_local else matching
        self.puts = Puts(publisher, matching, self.node.report)
        self.sequence = 0
        return [publisher] if publisher is matching else [publisher, matching]

    def declare_with_cache(self, settings):
        """A publisher for late subscribers, as rmw_zenoh makes it."""
        if self.quality.reliable:
            beats = ext.MissDetectionConfig(heartbeat=None, sporadic_heartbeat=HEARTBEAT_SECONDS)
            settings = settings | {"sample_miss_detection": beats}
        cache = ext.CacheConfig(max_samples=self.quality.depth)
        return ext.declare_advanced_publisher(
            self.node.session, self.key, cache=cache, publisher_detection=True, **settings
        )

    def publish(self, call, message, timeout, is_urgent):
        self.puts.add(call, self.node.types.encode(self.ros_type, message), self.attach, timeout, is_urgent)

    def attach(self):
        self.sequence += 1
        return attachment_now(self.sequence, self.gid)

    def run(self):
        self.puts.run()

    def is_waiting(self):
        return self.puts.is_waiting()


class Subscriber(Endpoint):
    """Reports every message of a topic; if `is_raw` is set, also what came with it."""

    kind = "MS"
    is_raw = False

    def own_hash(self):
        return self.node.types.type_hash(self.ros_type)

    def declare(self):
        receiver = self.node.callback(self.receive)
        if not self.quality.transient_local:
            return [self.node.session.declare_subscriber(self.key, receiver)]
        history = ext.HistoryConfig(detect_late_publishers=True, max_samples=self.quality.depth)
        settings = {"history": history, "subscriber_detection": True}
        if self.quality.reliable:
            settings["recovery"] = ext.RecoveryConfig(periodic_queries=None, heartbeat=True)
        return [ext.declare_advanced_subscriber(self.node.session, self.key, receiver, **settings)]

    def receive(self, sample):
        try:
            line = self.line(sample)
        except ValueError as error:
            self.node.refuse(self.name, error)
            return
        self.node.report(line)

    def line(self, sample):
        attachment = parse_attachment(sample.attachment)
        payload = sample.payload.to_bytes()
        line = {"topic": self.name, "message": self.node.types.decode(self.ros_type, payload)}
        if self.is_raw:
            line |= {"cdr": payload.hex(), "attachment": attachment.plain(), "encoding": str(sample.encoding)}
        return line
