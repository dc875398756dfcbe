"""A client of the protocol with the present subprotocol, written from its specification: it executes the commands that
it reads as lines of JSON, and writes a line for each. Arguments: the address of the server.
"""

import json
import struct
import sys
import threading
import time

from codec import codec
from websockets.sync.client import connect

SUBPROTOCOL = "foxglove.sdk.v1"
TIMEOUT = 60
# Larger messages are only counted.
LARGE = 1_000_000


class Client:
    """A connection; a thread receives."""

    def __init__(self, address):
        self.socket = connect(address, subprotocols=[SUBPROTOCOL], max_size=None, proxy=None)
        assert self.socket.subprotocol == SUBPROTOCOL, self.socket.subprotocol
        self.changed = threading.Condition()
        self.info, self.channels, self.services = None, {}, {}
        self.statuses, self.times, self.messages = [], [], {}
        self.graph = {"published": {}, "subscribed": {}, "services": {}}
        self.parameters, self.answers, self.codecs = {}, {}, {}
        self.next_id = 1
        threading.Thread(target=self.receive_all, daemon=True).start()
        self.wait(lambda: self.info is not None)

    def wait(self, condition, timeout=TIMEOUT):
        with self.changed:
            assert self.changed.wait_for(condition, timeout), f"nothing for {timeout} s: {self.statuses}"

    def new_id(self):
        self.next_id += 1
        return self.next_id

    def receive_all(self):
        try:
            for received in self.socket:
                with self.changed:
                    if isinstance(received, str):
                        self.receive_text(json.loads(received))
                    else:
                        self.receive_binary(received)
                    self.changed.notify_all()
        except Exception as error:  # The test sees it as a time-out with this text.
            self.statuses.append({"level": 9, "message": f"the connection ended: {error!r}"})

    def receive_text(self, event):
        kind = event.pop("op")
        if kind == "serverInfo":
            self.info = event
        elif kind == "advertise":
            self.channels.update({channel["id"]: channel for channel in event["channels"]})
        elif kind == "unadvertise":
            for number in event["channelIds"]:
                del self.channels[number]
        elif kind == "advertiseServices":
            self.services.update({service["id"]: service for service in event["services"]})
        elif kind == "unadvertiseServices":
            for number in event["serviceIds"]:
                del self.services[number]
        elif kind == "status":
            self.statuses.append(event)
        elif kind == "parameterValues":
            values = {parameter["name"]: parameter.get("value") for parameter in event["parameters"]}
            self.parameters.update(values)
            self.answers[event.get("id")] = values
        elif kind == "serviceCallFailure":
            self.answers[event["callId"]] = {"failure": event["message"]}
        elif kind == "connectionGraphUpdate":
            self.receive_graph(event)
        else:
            raise ValueError(kind)

    def receive_graph(self, event):
        for side, key, ids in (
            ("published", "publishedTopics", "publisherIds"),
            ("subscribed", "subscribedTopics", "subscriberIds"),
            ("services", "advertisedServices", "providerIds"),
        ):
            for end in event[key]:
                self.graph[side][end["name"]] = end[ids]
        for topic in event["removedTopics"]:
            self.graph["published"].pop(topic, None)
            self.graph["subscribed"].pop(topic, None)
        for service in event["removedServices"]:
            self.graph["services"].pop(service, None)

    def receive_binary(self, data):
        if data[0] == 1:
            subscription, stamp = struct.unpack_from("<IQ", data, 1)
            self.messages.setdefault(subscription, []).append((stamp, data[13:]))
        elif data[0] == 2:
            self.times.append(struct.unpack_from("<Q", data, 1)[0])
        elif data[0] == 3:
            _, call, length = struct.unpack_from("<III", data, 1)
            self.answers[call] = (data[13 : 13 + length].decode(), data[13 + length :])
        elif data[0] == 4:
            request, status, length = struct.unpack_from("<IBI", data, 1)
            text, rest = data[10 : 10 + length].decode(), data[10 + length :]
            self.answers[("asset", request)] = {"status": status, "error": text, "size": len(rest), "text": rest[:20].decode("latin-1")}
        else:
            raise ValueError(data[0])

    def send(self, **request):
        self.socket.send(json.dumps(request))

    def codec(self, of):
        key = (of["encoding"], of["schemaName"], of["schema"])
        if key not in self.codecs:
            self.codecs[key] = codec(*key)
        return self.codecs[key]

    def channel(self, topic):
        found = lambda: [channel for channel in self.channels.values() if channel["topic"] == topic]
        self.wait(found)
        return found()[0]

    def service(self, name):
        found = lambda: [service for service in self.services.values() if service["name"] == name]
        self.wait(found)
        return found()[0]

    # The commands.

    def do_state(self):
        describe = lambda channel: {key: channel[key] for key in ("topic", "encoding", "schemaName", "schemaEncoding")}
        return {
            "info": self.info,
            "channels": [describe(channel) for channel in self.channels.values()],
            "services": {service["name"]: service["type"] for service in self.services.values()},
            "statuses": self.statuses,
            "times": self.times[-3:],
            "graph": self.graph,
            "parameters": self.parameters,
        }

    def do_collect(self, topics, seconds):
        """Subscribes for a time, and until each topic has a message; returns number, time stamps and last message of each."""
        channels = {topic: (self.new_id(), self.channel(topic)) for topic in topics}
        subscriptions = [{"id": number, "channelId": channel["id"]} for number, channel in channels.values()]
        first_time = len(self.times)
        self.send(op="subscribe", subscriptions=subscriptions)
        # Wall time: messages are received for some time.
        time.sleep(seconds)
        self.wait(lambda: all(self.messages.get(number) for number, _ in channels.values()))
        self.send(op="unsubscribe", subscriptionIds=[number for number, _ in channels.values()])
        result = {"times": self.times[first_time:]}
        for topic, (number, channel) in channels.items():
            received = self.messages.pop(number, [])
            decode = self.codec(channel).decode
            result[topic] = {
                "count": len(received),
                "stamps": [received[0][0], received[-1][0]] if received else [],
                "messages": [decode(data) for _, data in received[:1] + received[-1:] if len(data) < LARGE],
            }
        return result

    def do_publish(self, topic, type, encoding, message, seconds):
        number = self.new_id()
        self.send(op="advertise", channels=[{"id": number, "topic": topic, "encoding": encoding, "schemaName": type}])
        if encoding == "json":
            data = json.dumps(message).encode()
        else:
            data = self.codec({"encoding": encoding, "schemaName": type, "schema": message["schema"]}).encode(message["value"])
        end = time.monotonic() + seconds
        while True:
            self.socket.send(struct.pack("<BI", 1, number) + data)
            # Wall time: messages are sent for some time.
            if time.monotonic() >= end:
                break
            time.sleep(0.05)
        self.send(op="unadvertise", channelIds=[number])
        return {}

    def do_call(self, service, request, encoding=None):
        service, call = self.service(service), self.new_id()
        encoding = encoding or service["request"]["encoding"]
        side = lambda name: self.codec(service[name]) if encoding == "cdr" else codec("json", "", "")
        data = side("request").encode(request)
        self.socket.send(struct.pack("<BIII", 2, service["id"], call, len(encoding)) + encoding.encode() + data)
        self.wait(lambda: call in self.answers)
        answer = self.answers.pop(call)
        if isinstance(answer, dict):
            return answer
        assert answer[0] == encoding, answer[0]
        return side("response").decode(answer[1])

    def do_asset(self, uri):
        number = self.new_id()
        self.send(op="fetchAsset", uri=uri, requestId=number)
        self.wait(lambda: ("asset", number) in self.answers)
        return self.answers.pop(("asset", number))

    def do_parameters(self, names):
        number = str(self.new_id())
        self.send(op="getParameters", parameterNames=names, id=number)
        self.wait(lambda: number in self.answers)
        return self.answers.pop(number)

    def do_send(self, text):
        self.socket.send(text)
        return {}

    def do_status(self, contains):
        """Waits for a status with a text, and returns it."""
        found = lambda: [status for status in self.statuses if contains in status["message"]]
        self.wait(found)
        return found()[0]


def main():
    client = Client(sys.argv[1])
    print(json.dumps({"ready": client.socket.subprotocol}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        result = getattr(client, "do_" + command.pop("do"))(**command)
        print(json.dumps(result), flush=True)


main()
