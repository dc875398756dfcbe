"""A client with roslibpy: executes commands, a line of JSON for each, and writes a line with the result of each.

Usage: client.py HOST PORT
"""

import json
import sys
import threading
import time

import roslibpy

DEADLINE = 60


class Client:
    def __init__(self, host, port):
        self.ros = roslibpy.Ros(host=host, port=port)
        self.ros.run(timeout=DEADLINE)
        self.topics = {}

    def topic(self, command):
        key = command["topic"], command["type"]
        if key not in self.topics:
            self.topics[key] = roslibpy.Topic(self.ros, *key)
        return self.topics[key]

    def collect(self, command):
        """Receives messages of a topic for a time, or until there are enough."""
        options = {name: command[name] for name in ("throttle_rate", "queue_length") if name in command}
        topic = roslibpy.Topic(self.ros, command["topic"], command["type"], **options)
        messages, times, enough = [], [], threading.Event()

        def take(message):
            messages.append(message)
            times.append(time.monotonic())
            if len(messages) >= command.get("count", 1 << 30):
                enough.set()

        topic.subscribe(take)
        enough.wait(command.get("seconds", DEADLINE))
        topic.unsubscribe()
        return {"messages": messages, "times": times}

    def publish(self, command):
        topic = self.topic(command)
        for _ in range(command.get("count", 1)):
            topic.publish(roslibpy.Message(command["message"]))
            # Wall time: the pace of the messages.
            time.sleep(command.get("pause", 0))
        return {"connected": self.ros.is_connected}

    def call(self, command):
        service = roslibpy.Service(self.ros, command["service"], command["type"])
        try:
            return {"values": dict(service.call(roslibpy.ServiceRequest(command["request"]), timeout=DEADLINE))}
        except roslibpy.core.ServiceException as error:
            return {"failure": str(error)}

    def goal(self, command):
        """Sends a goal, cancels it after a number of feedback messages if requested, and waits for its result."""
        action = roslibpy.ActionClient(self.ros, command["action"], command["type"])
        feedback, results, done = [], [], threading.Event()

        def on_feedback(values):
            feedback.append(values)
            if len(feedback) == command.get("cancel_after"):
                action.cancel_goal(identifier)

        def on_result(result):
            results.append(result)
            done.set()

        identifier = action.send_goal(roslibpy.Goal(command["goal"]), on_result, on_feedback, on_result)
        done.wait(DEADLINE)
        return {"feedback": feedback, "results": results}

    def listing(self, _):
        return {
            "topics": self.ros.get_topics(),
            "type": self.ros.get_topic_type("/car1/scan"),
            "services": self.ros.get_services(),
            "service_type": self.ros.get_service_type("/get_simulation_state"),
            "nodes": self.ros.get_nodes(),
            "time": dict(self.ros.get_time()),
            "details": self.ros.get_message_details("geometry_msgs/Twist"),
            "parameter": roslibpy.Param(self.ros, "no_such").get(),
        }

    def answer(self, command):
        """Offers a service that returns the request, until the client ends."""
        service = roslibpy.Service(self.ros, command["service"], command["type"])

        def handle(request, response):
            response["got"] = dict(request)
            return True

        service.advertise(handle)
        return {}


def plain(value):
    """The JSON of what roslibpy wraps."""
    return value.value if isinstance(value, roslibpy.GoalStatus) else dict(value)


def main():
    client = Client(sys.argv[1], int(sys.argv[2]))
    print(json.dumps({"ready": roslibpy.__version__}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        print(json.dumps(getattr(client, command["do"])(command), default=plain), flush=True)
    client.ros.terminate()


main()
