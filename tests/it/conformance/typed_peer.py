"""Sends requests to a host through the typed client. A command is a line of JSON, and so is its result.

Requests become messages of the client, and responses become JSON again, so that a case does not depend on its client.
"""

import json
import sys
import typing

import bridgehead
from bridgehead._codec import from_json, to_json


def call(address, service, request):
    """Calls a service by its method. Returns the response, also of a failed request, or the error without one."""
    method = service.rpartition("/")[2]
    with bridgehead.Client(address, names={method: service}) as client:
        function = getattr(client, method)
        kinds = typing.get_type_hints(function)
        arguments = {name: from_json(bare(kinds[name]), value) for name, value in request.items()}
        try:
            return to_json(function(**arguments))
        except bridgehead.BridgeheadError as error:
            if error.response is None:
                return {"code": error.code, "message": error.message, "status": error.status}
            check(error)
            return to_json(error.response)


def bare(kind):
    """Returns the type of an argument that may be left out, without `None`."""
    is_optional = type(None) in typing.get_args(kind)
    return typing.get_args(kind)[0] if is_optional else kind


def check(error):
    """An error repeats the result of its response."""
    result = error.response.result
    assert error.result == result.result, error
    code = f"[{error.code}] " if error.code else ""
    assert code + error.message == result.error_message, error


class Commands:
    """The commands, by their names. A host is served after another, because a start of Python takes a while."""

    def __init__(self):
        self.address = None
        self.client = None
        self.feedback = None

    def connect(self, address):
        self.close()
        self.address = address
        self.client = bridgehead.Client(address)

    def close(self):
        for one in (self.feedback, self.client):
            if one is not None:
                one.close()
        self.feedback = self.client = None

    def call(self, service, request):
        return call(self.address, service, request)

    def send_goal(self, goal):
        sent = self.client.simulate_steps(**goal)
        return sent.goal_id if sent.accepted else None

    def end_of(self, goal):
        return to_json(self.client.simulate_steps_goal(goal, wait=50))

    def cancel(self, goal):
        assert self.client.cancel_simulate_steps(goal).canceling

    def subscribe(self):
        self.feedback = self.client.subscribe("feedback")

    def next(self):
        return self.feedback.wait_for(lambda event: "completed_steps" in event.data).data


commands = Commands()
for line in sys.stdin:
    arguments = json.loads(line)
    result = getattr(commands, arguments.pop("do"))(**arguments)
    print(json.dumps(result), flush=True)
