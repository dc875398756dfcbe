"""Sensor messages as arrays of numpy: images, scans, clouds of points and states of joints.

This module needs numpy: `pip install bridgehead[numpy]`. Arrays of images and clouds are views of the message and
cannot be written to; copy them first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bridgehead.errors import BridgeheadError, ClientCode
from bridgehead.messages.sensor_msgs import PointFieldDatatype

try:
    import numpy as np
except ImportError as error:  # pragma: no cover
    raise BridgeheadError(
        ClientCode.VALUE_INVALID, "bridgehead.arrays needs numpy; try: pip install 'bridgehead[numpy]'"
    ) from error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bridgehead.messages.sensor_msgs import Image, JointState, LaserScan, PointCloud2

# Channels and element types of the encodings that have a name of their own; the others are `8UC3` and the like.
_NAMED = {
    "mono8": (1, "u1"),
    "mono16": (1, "u2"),
    "rgb8": (3, "u1"),
    "bgr8": (3, "u1"),
    "rgba8": (4, "u1"),
    "bgra8": (4, "u1"),
    "rgb16": (3, "u2"),
    "bgr16": (3, "u2"),
    "rgba16": (4, "u2"),
    "bgra16": (4, "u2"),
}
_ELEMENTS = {"8U": "u1", "8S": "i1", "16U": "u2", "16S": "i2", "32S": "i4", "32F": "f4", "64F": "f8"}
_FIELDS = {
    PointFieldDatatype.INT8: "i1",
    PointFieldDatatype.UINT8: "u1",
    PointFieldDatatype.INT16: "i2",
    PointFieldDatatype.UINT16: "u2",
    PointFieldDatatype.INT32: "i4",
    PointFieldDatatype.UINT32: "u4",
    PointFieldDatatype.FLOAT32: "f4",
    PointFieldDatatype.FLOAT64: "f8",
}


def image(message: Image) -> NDArray[Any]:
    """Returns an image as `(rows, columns)`, or `(rows, columns, channels)` if it has several channels.

    The channels have the order of the encoding: red first in `rgb8`, blue first in `bgr8`. Depths of `32FC1` are in
    metres.

    Raises:
        BridgeheadError: `BH-PYC-013` if the encoding is not known, or the data is shorter than the image.

    """
    channels, element = _encoding(message.encoding)
    kind = np.dtype((">" if message.is_bigendian else "<") + element)
    row = message.width * channels * kind.itemsize
    step = message.step or row
    if step < row or len(message.data) < step * message.height:
        raise BridgeheadError(
            ClientCode.VALUE_INVALID,
            f"an image of {message.width} x {message.height} in `{message.encoding}` needs rows of {row} bytes, and"
            f" this one has {len(message.data)} bytes in rows of {step}",
        )
    shape = (message.height, message.width, channels)
    strides = (step, channels * kind.itemsize, kind.itemsize)
    pixels: NDArray[Any] = np.ndarray(shape, kind, buffer=message.data, strides=strides)
    return pixels[:, :, 0] if channels == 1 else pixels


def _encoding(name: str) -> tuple[int, str]:
    if name in _NAMED:
        return _NAMED[name]
    element, _, channels = name.partition("C")
    if element in _ELEMENTS and channels.isdecimal() and int(channels) > 0:
        return int(channels), _ELEMENTS[element]
    known = ", ".join([*_NAMED, "8UC1", "16UC1", "32FC1"])
    raise BridgeheadError(ClientCode.VALUE_INVALID, f"images in `{name}` have no array; known encodings: {known}")


def ranges(message: LaserScan) -> NDArray[np.float32]:
    """Returns the distances of a scan, metres, by ray; infinity where nothing is within reach."""
    return np.asarray(message.ranges, dtype=np.float32)


def angles(message: LaserScan) -> NDArray[np.float64]:
    """Returns the angles of the rays of a scan, radians, counter-clockwise from +x of the sensor."""
    return message.angle_min + message.angle_increment * np.arange(len(message.ranges), dtype=np.float64)


def points(message: PointCloud2) -> NDArray[Any]:
    """Returns a cloud as a structured array of `(rows, columns)`, with a column such as `x` for each field.

    Raises:
        BridgeheadError: `BH-PYC-013` if a field has an unknown type or lies outside of a point, or data is missing.

    """
    order = ">" if message.is_bigendian else "<"
    try:
        kind = np.dtype(
            {
                "names": [field.name for field in message.fields],
                "formats": [_field(order, field.datatype, field.count) for field in message.fields],
                "offsets": [field.offset for field in message.fields],
                "itemsize": message.point_step,
            }
        )
        shape = (message.height, message.width)
        strides = (message.row_step or message.point_step * message.width, message.point_step)
        cloud: NDArray[Any] = np.ndarray(shape, kind, buffer=message.data, strides=strides)
    except (KeyError, TypeError, ValueError) as error:
        raise BridgeheadError(ClientCode.VALUE_INVALID, f"the cloud has no array: {error}") from error
    return cloud


def _field(order: str, datatype: int, count: int) -> Any:
    element = order + _FIELDS[PointFieldDatatype(datatype)]
    return element if count <= 1 else (element, (count,))


def xyz(message: PointCloud2) -> NDArray[np.float32]:
    """Returns the positions of the points of a cloud as `(points, 3)`, metres in the frame of the cloud."""
    cloud = points(message).reshape(-1)
    return np.stack([cloud[axis].astype(np.float32) for axis in ("x", "y", "z")], axis=-1)


def joints(message: JointState) -> NDArray[np.float64]:
    """Returns the states of joints as `(joints, 3)`: position, velocity and effort, in the order of `message.name`.

    The units are rad, rad/s and N m for turning joints, and m, m/s and N for sliding ones. A column without values in
    the message is NaN.
    """
    states = np.full((len(message.name), 3), np.nan)
    for column, values in enumerate((message.position, message.velocity, message.effort)):
        if values:
            states[:, column] = values
    return states


def array(message: Image | LaserScan | PointCloud2 | JointState) -> NDArray[Any]:
    """Returns the array of a message by its type: `image`, `ranges`, `points` or `joints`.

    Raises:
        BridgeheadError: `BH-PYC-013` if the message has another type.

    """
    kinds: dict[str, Any] = {
        "sensor_msgs/msg/Image": image,
        "sensor_msgs/msg/LaserScan": ranges,
        "sensor_msgs/msg/PointCloud2": points,
        "sensor_msgs/msg/JointState": joints,
    }
    kind = getattr(message, "ROS_TYPE", type(message).__name__)
    if kind not in kinds:
        raise BridgeheadError(ClientCode.VALUE_INVALID, f"`{kind}` has no array; there is one for {', '.join(kinds)}")
    found: NDArray[Any] = kinds[kind](message)
    return found
