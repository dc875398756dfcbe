"""The transport over ROS 2 with rclpy, in an environment in which ROS is sourced.

It needs the packages rclpy, rosidl_runtime_py and simulation_interfaces, in the version of the simulator.
"""

from __future__ import annotations

import itertools
from typing import Any

import rclpy
import rclpy.action
import rclpy.executors
import rclpy.qos
from rosidl_runtime_py.convert import message_to_ordereddict
from rosidl_runtime_py.set_message import set_message_fields
from rosidl_runtime_py.utilities import get_action, get_message, get_service

from bridgehead_conformance.definitions import ACTION, PACKAGE, service_type
from bridgehead_conformance.description import Description
from bridgehead_conformance.transports import Message, TransportError
from bridgehead_conformance.versions import request_for, response_from

_COUNT = itertools.count(1)


class RosTransport:
    """A node with the clients of the services."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self.timeout = description.timeouts.answer
        self._context = rclpy.Context()
        # Without a domain in the description, ROS_DOMAIN_ID applies.
        rclpy.init(context=self._context, domain_id=description.addresses.domain)
        self.node = rclpy.create_node(f"conformance_{next(_COUNT)}", context=self._context)
        self._executor = rclpy.executors.SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self._clients: dict[str, Any] = {}
        self._actions: Any = None

    def wait_for(self, future: Any, what: str) -> Any:
        """Waits for a future and returns its result."""
        self._executor.spin_until_future_complete(future, timeout_sec=self.timeout)
        if not future.done():
            raise TransportError(f"{what} gave no answer in {self.timeout} s")
        return future.result()

    def spin_once(self) -> None:
        """Lets callbacks run."""
        self._executor.spin_once(timeout_sec=0.05)

    def call(self, service: str, request: Message) -> Message:
        """Calls a service."""
        return self.call_alias(service, self._description.service(service), request)

    def call_alias(self, service: str, name: str, request: Message) -> Message:
        """Calls a service under another name."""
        full, version = self._description.full(name), self._description.standard
        kind = get_service(service_type(service))
        if full not in self._clients:
            self._clients[full] = self.node.create_client(kind, full)
        if not self._clients[full].wait_for_service(timeout_sec=self.timeout):
            raise TransportError(f"no server of `{full}` was found in {self.timeout} s")
        message = kind.Request()
        set_message_fields(message, request_for(version, service, request))
        response = self.wait_for(self._clients[full].call_async(message), f"`{full}`")
        return response_from(version, service, dict(message_to_ordereddict(response)))

    def send_goal(self, steps: int | None) -> RosGoal:
        """Sends a goal."""
        name = self._description.service("simulate_steps")
        if self._actions is None:
            self._actions = rclpy.action.ActionClient(self.node, get_action(ACTION), name)
        if not self._actions.wait_for_server(timeout_sec=self.timeout):
            raise TransportError(f"no server of `{name}` was found in {self.timeout} s")
        return RosGoal(self, self._actions, steps or 0)

    def offered(self) -> dict[str, str]:
        """Returns the services and actions of the standard."""
        self.spin_once()
        every = [*self.node.get_service_names_and_types(), *rclpy.action.get_action_names_and_types(self.node)]
        return {
            name: kinds[0] for name, kinds in every if kinds[0].startswith(f"{PACKAGE}/") and "/_action/" not in name
        }

    def latest(self, topic: str, kind: str) -> Message:
        """Returns the next message of a topic."""
        future = rclpy.Future()
        subscription = self.node.create_subscription(
            get_message(kind),
            topic,
            lambda message: None if future.done() else future.set_result(message),
            rclpy.qos.qos_profile_sensor_data,
        )
        message = self.wait_for(future, f"`{topic}`")
        self.node.destroy_subscription(subscription)
        return dict(message_to_ordereddict(message))

    def another(self) -> RosTransport:
        """Opens another node."""
        return RosTransport(self._description)

    def close(self) -> None:
        """Ends the node."""
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)


class RosGoal:
    """A goal that was sent with an action client."""

    def __init__(self, transport: RosTransport, client: Any, steps: int) -> None:
        self._transport = transport
        self._feedback: list[Message] = []
        goal = get_action(ACTION).Goal(steps=steps)
        future = client.send_goal_async(goal, feedback_callback=self._keep)
        self._handle = transport.wait_for(future, "simulate_steps")
        self._result = self._handle.get_result_async() if self._handle.accepted else None

    def _keep(self, message: Any) -> None:
        self._feedback.append(dict(message_to_ordereddict(message.feedback)))

    def is_accepted(self) -> bool:
        """Returns whether the goal was accepted."""
        return bool(self._handle.accepted)

    def feedback(self) -> Message | None:
        """Returns the next feedback, or nothing after the end of the goal."""
        while not self._feedback and self._result is not None and not self._result.done():
            self._transport.spin_once()
        return self._feedback.pop(0) if self._feedback else None

    def cancel(self) -> None:
        """Cancels the goal."""
        self._transport.wait_for(self._handle.cancel_goal_async(), "the cancellation")

    def end(self) -> tuple[int, Message]:
        """Waits for the end."""
        if self._result is None:
            raise TransportError("the goal was rejected")
        found = self._transport.wait_for(self._result, "the goal")
        return int(found.status), dict(message_to_ordereddict(found.result))


def connect(description: Description) -> RosTransport:
    """Opens the transport."""
    return RosTransport(description)
