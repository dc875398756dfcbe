"""Parts of requests, made from what is easier to write."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

from bridgehead.messages.geometry_msgs import Point, Pose, PoseStamped, Quaternion
from bridgehead.messages.simulation_interfaces import Resource

if TYPE_CHECKING:
    from collections.abc import Sequence


def resource_of(source: str | os.PathLike[str]) -> Resource:
    """Returns a resource: the text of an SDF file begins with `<`; everything else is a path or a URI.

    A relative path of an existing file becomes absolute, because the host may run in another folder.
    """
    text = os.fspath(source)
    if text.lstrip().startswith("<"):
        return Resource(resource_string=text)
    is_path = isinstance(source, os.PathLike) or ("://" not in text and os.path.exists(text))
    return Resource(uri=os.path.abspath(text) if is_path else text)


def pose_of(position: Sequence[float], rpy: Sequence[float]) -> PoseStamped:
    """Returns a pose in the world from a position in metres, and roll, pitch and yaw in radians."""
    x, y, z = position
    return PoseStamped(pose=Pose(Point(x, y, z), quaternion_of(rpy)))


def quaternion_of(rpy: Sequence[float]) -> Quaternion:
    """Returns the rotation by roll, pitch and yaw about the fixed axes x, y and z, as in SDF."""
    roll, pitch, yaw = (angle / 2 for angle in rpy)
    sin_r, cos_r = math.sin(roll), math.cos(roll)
    sin_p, cos_p = math.sin(pitch), math.cos(pitch)
    sin_y, cos_y = math.sin(yaw), math.cos(yaw)
    return Quaternion(
        x=sin_r * cos_p * cos_y - cos_r * sin_p * sin_y,
        y=cos_r * sin_p * cos_y + sin_r * cos_p * sin_y,
        z=cos_r * cos_p * sin_y - sin_r * sin_p * cos_y,
        w=cos_r * cos_p * cos_y + sin_r * sin_p * sin_y,
    )
