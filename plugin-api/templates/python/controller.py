# /// bridgehead
# kind = "model"
# name = "@name@"
# id = "@id@"
# version = "0.1.0"
# vendor = "@vendor@"
# license = "MIT OR Apache-2.0"
# state = "saved"
# ///
"""The controller `@name@`: turns a joint of its model with the speed that the last command says."""

import math
import struct

from bridgehead.messages.std_msgs import Float64
from bridgehead.plugin import Controller, Step


class @Type@(Controller):
    """One per `<plugin>` element."""

    speed = 0.0

    def awake(self) -> None:
        self.joint = self.find_joint(self.param("joint"))
        self.max_effort = self.param("max_effort", 10.0)
        self.commands = self.subscribe(Float64)

    def reset(self) -> None:
        self.speed = 0.0

    def control(self, step: Step) -> None:
        command = self.commands.latest()
        if command is not None and math.isfinite(command.data):
            self.speed = command.data
        self.joint_velocity(self.joint, self.speed, self.max_effort)

    def save(self) -> bytes:
        return struct.pack("<d", self.speed)

    def load(self, state: bytes) -> None:
        (self.speed,) = struct.unpack("<d", state)
