"""Tests of arrays of numpy, with messages made here and with those of a host."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from places import WORLDS

import bridgehead
from bridgehead import arrays
from bridgehead.errors import BridgeheadError
from bridgehead.messages.geometry_msgs import Twist
from bridgehead.messages.sensor_msgs import Image, JointState, LaserScan, PointCloud2, PointField


def test_an_image_has_rows_columns_and_channels() -> None:
    # The rows have two bytes of padding.
    data = bytes([1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0])
    found = arrays.image(Image(height=2, width=2, encoding="rgb8", step=8, data=data))
    assert found.dtype == np.uint8
    assert found.tolist() == [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]]


@pytest.mark.parametrize("big", [0, 1])
def test_depths_have_one_channel_and_the_byte_order_of_the_message(big: int) -> None:
    data = struct.pack(">2f" if big else "<2f", 1.5, 2.5)
    found = arrays.image(Image(height=1, width=2, encoding="32FC1", is_bigendian=big, step=8, data=data))
    assert found.tolist() == [[1.5, 2.5]]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (Image(height=1, width=1, encoding="yuv422", data=b"12"), "yuv422"),
        (Image(height=2, width=2, encoding="mono8", step=2, data=b"123"), "3 bytes"),
        (Image(height=1, width=2, encoding="mono8", step=1, data=b"12"), "rows of 2 bytes"),
        (Image(height=1, width=1, encoding="8UC0", data=b"1"), "8UC0"),
    ],
)
def test_an_image_that_does_not_fit_is_refused(message: Image, text: str) -> None:
    with pytest.raises(BridgeheadError, match=text) as caught:
        arrays.image(message)
    assert caught.value.code == "BH-PYC-013"


def test_a_scan_has_ranges_and_angles() -> None:
    scan = LaserScan(angle_min=-1.0, angle_increment=0.5, ranges=(1.0, float("inf"), 3.0))
    assert arrays.ranges(scan).tolist() == [1.0, np.inf, 3.0]
    assert arrays.angles(scan).tolist() == [-1.0, -0.5, 0.0]


def cloud(data: bytes, datatype: int = 7) -> PointCloud2:
    names = [PointField(name, 4 * at, datatype, 1) for at, name in enumerate(("x", "y", "z"))]
    fields = (*names, PointField("ring", 12, 4, 1))
    return PointCloud2(height=1, width=2, fields=fields, point_step=16, row_step=32, data=data)


def test_a_cloud_has_its_fields_and_positions() -> None:
    data = struct.pack("<3fHxx3fHxx", 1, 2, 3, 7, 4, 5, 6, 8)
    found = arrays.points(cloud(data))
    assert (found.shape, found["ring"].tolist()) == ((1, 2), [[7, 8]])
    assert arrays.xyz(cloud(data)).tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize("message", [cloud(b"short"), cloud(bytes(32), datatype=99)])
def test_a_cloud_that_does_not_fit_is_refused(message: PointCloud2) -> None:
    with pytest.raises(BridgeheadError, match="cloud"):
        arrays.points(message)


def test_joints_have_a_row_each_and_missing_columns_are_nan() -> None:
    found = arrays.joints(JointState(name=("a", "b"), position=(1.0, 2.0), effort=(3.0, 4.0)))
    assert found[:, 0].tolist() == [1.0, 2.0]
    assert np.isnan(found[:, 1]).all()
    assert found[:, 2].tolist() == [3.0, 4.0]


def test_the_array_of_a_message_is_found_by_its_type() -> None:
    assert arrays.array(JointState(name=("a",), position=(1.0,))).shape == (1, 3)
    with pytest.raises(BridgeheadError, match="geometry_msgs/msg/Twist"):
        arrays.array(Twist())  # type: ignore[arg-type]


def test_sensors_of_a_stepped_host_have_arrays() -> None:
    with bridgehead.Host(WORLDS / "two_vehicles.sdf", start="paused") as host:
        host.step(1000)
        scan = host.read("/car1/scan").message
        distances = arrays.array(scan)
        assert len(distances) == len(arrays.angles(scan)) == len(scan.ranges)
        assert np.nanmin(distances) > 0
