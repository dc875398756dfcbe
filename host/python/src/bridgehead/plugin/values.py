"""What plugins exchange with the host besides messages: steps, poses and the motion of links and joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Step:
    """The step that a call belongs to."""

    number: int
    """From 1 since the last reset of time."""
    time_ns: int
    """Simulated time at the end of the step, nanoseconds."""
    width_ns: int
    """Width of the step, nanoseconds."""
    reset_epoch: int
    """Counts resets."""

    @property
    def time(self) -> float:
        """Simulated time at the end of the step, seconds."""
        return self.time_ns / 1e9

    @property
    def width(self) -> float:
        """Width of the step, seconds."""
        return self.width_ns / 1e9


@dataclass(frozen=True)
class Pose:
    """A pose, in a frame that its context names."""

    position: Vector = (0.0, 0.0, 0.0)
    """Metres."""
    orientation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    """Unit quaternion x, y, z, w."""

    def __mul__(self, other: Pose) -> Pose:
        """Returns a pose of this frame in the frame around it."""
        a, b, c, d = self.orientation
        e, f, g, h = other.orientation
        x, y, z = self.rotate(other.position)
        turned = (
            d * e + a * h + b * g - c * f,
            d * f - a * g + b * h + c * e,
            d * g + a * f - b * e + c * h,
            d * h - a * e - b * f - c * g,
        )
        return Pose((self.position[0] + x, self.position[1] + y, self.position[2] + z), turned)

    def rotate(self, vector: Vector) -> Vector:
        """Returns a vector of this frame in the frame around it."""
        x, y, z, w = self.orientation
        a, b, c = vector
        tx, ty, tz = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
        return (a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx)


@dataclass(frozen=True)
class LinkState:
    """Motion of a link in the world."""

    pose: Pose
    """Pose of the link frame."""
    linear: Vector
    """Velocity of the origin of the link frame, m/s."""
    angular: Vector
    """Angular velocity, rad/s."""


@dataclass(frozen=True)
class JointState:
    """Motion of a joint."""

    position: float
    """Radians (not wrapped) or metres."""
    velocity: float
    """rad/s or m/s."""
    effort: float
    """N m or N."""


@dataclass(frozen=True)
class Attachment:
    """What the instance is attached to."""

    vehicle: str
    """Name of the vehicle; empty for the world."""
    model: str
    """Scoped name of the model; empty for the world."""
    element: str
    """Name of the `<sensor>` or `<plugin>` element."""
    path: str
    """Unique path of the element."""
    frame_id: str
    """Frame of the messages that it publishes."""
    topic: str
    """The `<topic>` of a sensor; empty if none is given."""
    xml: str
    """The element as it stands in the world file."""
    parent_link: int
    """Link that carries the sensor."""
    pose: Pose
    """Pose of the sensor in that link; of the model in the world for other plugins."""
    update_period_ns: int
    """Nanoseconds between samples; 0 for every step."""
    seed: int
    """Seed of the run."""


@dataclass(frozen=True)
class Received(Generic[T]):
    """A message that has come."""

    message: T
    """The message. Its arrays are views, which stay valid as long as they are used."""
    topic: str
    """Full name of the topic."""
    stamp_ns: int
    """Its time stamp, nanoseconds of simulated time."""
    sequence: int
    """Counts the messages of the topic."""
    step: int
    """The step in which it was published."""


def pose_of(record: Any) -> Pose:
    """Returns the pose of a record of the host."""
    return Pose(record.position, record.orientation)
