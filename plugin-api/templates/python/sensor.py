# /// bridgehead
# kind = "model"
# name = "@name@"
# id = "@id@"
# version = "0.1.0"
# vendor = "@vendor@"
# license = "MIT OR Apache-2.0"
# state = "nothing"
# ///
"""The sensor `@name@`: publishes how fast its link moves along its own x axis."""

from bridgehead.messages.std_msgs import Float64
from bridgehead.plugin import Sensor, Step


class @Type@(Sensor):
    """One per `<sensor>` element."""

    def awake(self) -> None:
        self.deviation = self.param("deviation", 0.0)
        self.speed = self.advertise(Float64)

    def sample(self, step: Step) -> None:
        state = self.link_state()
        axis = (state.pose * self.attachment.pose).rotate((1.0, 0.0, 0.0))
        speed = sum(a * v for a, v in zip(axis, state.linear, strict=True))
        self.speed.publish(Float64(data=speed + self.random.gauss(0.0, self.deviation)))
