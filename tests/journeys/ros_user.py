"""A program of Cyclone DDS, as ROS 2 sees it: reads a scan, an imu, the clock and the frames of tests/journeys/robot.sdf, and
drives the robot: ros_user.py DOMAIN.

Types have only the members that ROS gives them; no ROS is installed.
"""

import sys
import time
from dataclasses import dataclass

from cyclonedds.domain import Domain, DomainParticipant
from cyclonedds.idl import IdlStruct, types
from cyclonedds.pub import DataWriter
from cyclonedds.qos import Policy, Qos
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic

DOMAIN = int(sys.argv[1])
# Loopback only: other participants are searched on the ports of this machine.
CONFIGURATION = """<CycloneDDS><Domain>
<General><Interfaces><NetworkInterface name="lo" multicast="false"/></Interfaces>
<AllowMulticast>false</AllowMulticast></General>
<Discovery><Peers><Peer Address="127.0.0.1"/></Peers><ParticipantIndex>auto</ParticipantIndex></Discovery>
</Domain></CycloneDDS>"""
DEADLINE = time.monotonic() + 60.0
NINE = types.array[types.float64, 9]
COVARIANCE = types.array[types.float64, 36]


@dataclass
class Time(IdlStruct, typename="builtin_interfaces::msg::dds_::Time_"):
    sec: types.int32 = 0
    nanosec: types.uint32 = 0


@dataclass
class Header(IdlStruct, typename="std_msgs::msg::dds_::Header_"):
    stamp: Time
    frame_id: str


@dataclass
class Clock(IdlStruct, typename="rosgraph_msgs::msg::dds_::Clock_"):
    clock: Time


@dataclass
class Vector3(IdlStruct, typename="geometry_msgs::msg::dds_::Vector3_"):
    x: types.float64 = 0.0
    y: types.float64 = 0.0
    z: types.float64 = 0.0


@dataclass
class Point(IdlStruct, typename="geometry_msgs::msg::dds_::Point_"):
    x: types.float64 = 0.0
    y: types.float64 = 0.0
    z: types.float64 = 0.0


@dataclass
class Quaternion(IdlStruct, typename="geometry_msgs::msg::dds_::Quaternion_"):
    x: types.float64
    y: types.float64
    z: types.float64
    w: types.float64


@dataclass
class Twist(IdlStruct, typename="geometry_msgs::msg::dds_::Twist_"):
    linear: Vector3
    angular: Vector3


@dataclass
class Pose(IdlStruct, typename="geometry_msgs::msg::dds_::Pose_"):
    position: Point
    orientation: Quaternion


@dataclass
class PoseWithCovariance(IdlStruct, typename="geometry_msgs::msg::dds_::PoseWithCovariance_"):
    pose: Pose
    covariance: COVARIANCE


@dataclass
class TwistWithCovariance(IdlStruct, typename="geometry_msgs::msg::dds_::TwistWithCovariance_"):
    twist: Twist
    covariance: COVARIANCE


@dataclass
class Odometry(IdlStruct, typename="nav_msgs::msg::dds_::Odometry_"):
    header: Header
    child_frame_id: str
    pose: PoseWithCovariance
    twist: TwistWithCovariance


@dataclass
class LaserScan(IdlStruct, typename="sensor_msgs::msg::dds_::LaserScan_"):
    header: Header
    angle_min: types.float32
    angle_max: types.float32
    angle_increment: types.float32
    time_increment: types.float32
    scan_time: types.float32
    range_min: types.float32
    range_max: types.float32
    ranges: types.sequence[types.float32]
    intensities: types.sequence[types.float32]


@dataclass
class Imu(IdlStruct, typename="sensor_msgs::msg::dds_::Imu_"):
    header: Header
    orientation: Quaternion
    orientation_covariance: NINE
    angular_velocity: Vector3
    angular_velocity_covariance: NINE
    linear_acceleration: Vector3
    linear_acceleration_covariance: NINE


@dataclass
class Transform(IdlStruct, typename="geometry_msgs::msg::dds_::Transform_"):
    translation: Vector3
    rotation: Quaternion


@dataclass
class TransformStamped(IdlStruct, typename="geometry_msgs::msg::dds_::TransformStamped_"):
    header: Header
    child_frame_id: str
    transform: Transform


@dataclass
class TFMessage(IdlStruct, typename="tf2_msgs::msg::dds_::TFMessage_"):
    transforms: types.sequence[TransformStamped]


SENSOR = Qos(Policy.Reliability.BestEffort, Policy.History.KeepLast(10))
LATCHED = Qos(Policy.Reliability.Reliable(1_000_000_000), Policy.Durability.TransientLocal, Policy.History.KeepLast(100))
RELIABLE = Qos(Policy.Reliability.Reliable(1_000_000_000), Policy.History.KeepLast(100))

# The domain lasts as long as its settings are referenced.
DDS = Domain(DOMAIN, CONFIGURATION)
PARTICIPANT = DomainParticipant(DOMAIN)


def reader(name, kind, qos=SENSOR):
    return DataReader(PARTICIPANT, Topic(PARTICIPANT, f"rt{name}", kind, qos=qos), qos=qos)


def messages(source):
    """Messages as they arrive, until the deadline; the caller stops at the one it waits for."""
    while time.monotonic() < DEADLINE:
        yield from source.take(100)
        time.sleep(0.005)
    raise SystemExit(f"error: nothing that was awaited arrived on {source.topic.name}")


def stamp(header):
    return header.stamp.sec + header.stamp.nanosec * 1e-9


def main():
    scans, imus = reader("/bot/scan", LaserScan), reader("/bot/imu", Imu)
    frames, static = reader("/tf", TFMessage, RELIABLE), reader("/tf_static", TFMessage, LATCHED)
    odometry, clocks = reader("/bot/odom", Odometry, RELIABLE), reader("/clock", Clock)

    scan = next(messages(scans))
    assert len(scan.ranges) == 91, len(scan.ranges)
    # The wall is 4.7 m in front of the lidar.
    assert abs(scan.ranges[45] - 4.7) < 0.02, scan.ranges[45]
    imu = next(messages(imus))
    assert abs(imu.linear_acceleration.z - 9.8) < 0.1, imu.linear_acceleration
    clock = next(messages(clocks)).clock
    assert clock.sec >= 0
    print(f"scan at {stamp(scan.header):.2f} s, imu at {stamp(imu.header):.2f} s, clock {clock.sec} s")

    # Each frame has one parent, and the scan can be shown in the frame of the odometry.
    parents = {}
    for source in (static, frames):
        for message in messages(source):
            for one in message.transforms:
                known = parents.setdefault(one.child_frame_id, one.header.frame_id)
                assert known == one.header.frame_id, f"{one.child_frame_id} has the parents {known}, {one.header.frame_id}"
            if source is static or {"bot/chassis", scan.header.frame_id} <= parents.keys():
                break
    chain = [scan.header.frame_id]
    while chain[-1] in parents:
        chain.append(parents[chain[-1]])
    assert chain == ["bot/mast/lidar", "bot/mast", "bot/chassis", "bot/odom"], chain
    print(" <- ".join(reversed(chain)))

    twists = DataWriter(PARTICIPANT, Topic(PARTICIPANT, "rt/bot/cmd_vel", Twist, qos=RELIABLE), qos=RELIABLE)
    for message in messages(odometry):
        twists.write(Twist(Vector3(x=0.5), Vector3()))
        x = message.pose.pose.position.x
        if x > 0.2:
            break
    print(f"drove {x:.2f} m")


main()
