"""Plugins in Python: sensors, controllers and bridges that a host runs in processes of their own.

A plugin is a file in a plugin folder with metadata in comments:

    # /// bridgehead
    # kind = "model"
    # name = "altimeter"
    # ///
    from bridgehead.messages.std_msgs import Float64
    from bridgehead.plugin import Sensor, Step


    class Altimeter(Sensor):
        def awake(self) -> None:
            self.height = self.advertise(Float64)

        def sample(self, step: Step) -> None:
            self.height.publish(Float64(data=self.link_state().pose.position[2]))
"""

from __future__ import annotations

from bridgehead.plugin.bridge import Bridge, Channel, Outgoing
from bridgehead.plugin.errors import HostError, PluginError
from bridgehead.plugin.model import Controller, ModelPlugin, Sensor
from bridgehead.plugin.own import message
from bridgehead.plugin.topics import Publisher, Service, Subscription
from bridgehead.plugin.values import Attachment, JointState, LinkState, Pose, Received, Step, Vector

__all__ = [
    "Attachment",
    "Bridge",
    "Channel",
    "Controller",
    "HostError",
    "JointState",
    "LinkState",
    "ModelPlugin",
    "Outgoing",
    "PluginError",
    "Pose",
    "Publisher",
    "Received",
    "Sensor",
    "Service",
    "Step",
    "Subscription",
    "Vector",
    "message",
]
