//! From messages of the host to those of Apollo, for the types that Apollo has.
//!
//! Both have SI units and x forward, y left, z up; what differs is stated where it is converted.

use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::lgsvl_msgs::{CanBusData, DetectedRadarObjectArray, Detection3DArray};
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::rosgraph_msgs::Clock;
use bridgehead_plugin_api::messages::sensor_msgs::{CompressedImage, Image, Imu, NavSatFix};
use bridgehead_plugin_api::messages::{geometry_msgs, std_msgs};
use bridgehead_plugin_api::prelude::*;

use crate::schemas::apollo::{canbus, common, cyber, drivers, localization, perception};
use crate::{cloud, turn};

/// Seconds from 1970 to 1980, where the time of GPS begins, less its 18 leap seconds.
const GPS_EPOCH: f64 = 315_964_800.0 - 18.0;

/// Converts a message, given the number of messages before it on its topic.
type Convert = fn(&[u8], u64) -> Result<Vec<u8>>;

/// The form of a type for Apollo.
pub(crate) struct Conversion {
    pub(crate) apollo_type: &'static str,
    pub(crate) convert: Convert,
}

/// A type of the host, its type of Apollo, and the conversion.
const CONVERSIONS: [(&str, &str, Convert); 10] =
    [
        (Clock::FULL_NAME, "apollo.cyber.proto.Clock", |bytes, _| Ok(clock(&read(bytes)?).encode_to_vec())),
        (Imu::FULL_NAME, "apollo.drivers.gnss.Imu", |bytes, n| Ok(imu(&read(bytes)?, n).encode_to_vec())),
        (NavSatFix::FULL_NAME, "apollo.drivers.gnss.GnssBestPose", |bytes, n| {
            Ok(fix(&read(bytes)?, n).encode_to_vec())
        }),
        (Odometry::FULL_NAME, "apollo.localization.Gps", |bytes, n| {
            Ok(odometry(&read(bytes)?, n).encode_to_vec())
        }),
        (CanBusData::FULL_NAME, "apollo.canbus.Chassis", |bytes, n| {
            Ok(chassis(&read(bytes)?, n).encode_to_vec())
        }),
        (Image::FULL_NAME, "apollo.drivers.Image", |bytes, n| Ok(image(read(bytes)?, n).encode_to_vec())),
        (CompressedImage::FULL_NAME, "apollo.drivers.CompressedImage", |bytes, n| {
            Ok(compressed(read(bytes)?, n).encode_to_vec())
        }),
        (cloud::FULL_NAME, "apollo.drivers.PointCloud", |bytes, n| {
            Ok(cloud::convert(&read(bytes)?, n)?.encode_to_vec())
        }),
        (DetectedRadarObjectArray::FULL_NAME, "apollo.drivers.ContiRadar", |bytes, n| {
            Ok(radar(&read(bytes)?, n).encode_to_vec())
        }),
        (Detection3DArray::FULL_NAME, "apollo.perception.PerceptionObstacles", |bytes, n| {
            Ok(obstacles(&read(bytes)?, n).encode_to_vec())
        }),
    ];

/// Returns the conversion of a type, if Apollo has a type for it.
pub(crate) fn conversion(full_name: &str) -> Option<Conversion> {
    let row = CONVERSIONS.iter().find(|(name, ..)| *name == full_name);
    row.map(|(_, apollo_type, convert)| Conversion { apollo_type, convert: *convert })
}

fn read<T: Message>(bytes: &[u8]) -> Result<T> {
    T::decode(bytes).map_err(|error| Error::new(error.to_string()))
}

pub(crate) fn seconds(stamp: &Time) -> f64 {
    f64::from(stamp.sec) + f64::from(stamp.nanosec) * 1e-9
}

pub(crate) fn nanoseconds(stamp: &Time) -> u64 {
    u64::try_from(stamp.sec).unwrap_or(0) * 1_000_000_000 + u64::from(stamp.nanosec)
}

/// Splits a header into that of Apollo, the stamp and the frame. The number wraps around.
pub(crate) fn header(of: Option<&std_msgs::Header>, number: u64) -> (common::Header, Time, String) {
    let of = of.cloned().unwrap_or_default();
    let stamp = of.stamp.unwrap_or_default();
    let header = common::Header {
        timestamp_sec: Some(seconds(&stamp)),
        module_name: Some("bridgehead".to_owned()),
        sequence_num: Some(u32::try_from(number & u64::from(u32::MAX)).unwrap_or(0)),
        frame_id: Some(of.frame_id.clone()),
    };
    (header, stamp, of.frame_id)
}

fn point([x, y, z]: [f64; 3]) -> common::Point3D {
    common::Point3D { x: Some(x), y: Some(y), z: Some(z) }
}

fn vector(of: Option<&geometry_msgs::Vector3>) -> [f64; 3] {
    of.map_or([0.0; 3], |of| [of.x, of.y, of.z])
}

fn clock(of: &Clock) -> cyber::proto::Clock {
    cyber::proto::Clock { clock: nanoseconds(&of.clock.unwrap_or_default()) }
}

fn imu(of: &Imu, number: u64) -> drivers::gnss::Imu {
    let (header, stamp, _) = header(of.header.as_ref(), number);
    drivers::gnss::Imu {
        header: Some(header),
        measurement_time: Some(seconds(&stamp) - GPS_EPOCH),
        linear_acceleration: Some(point(vector(of.linear_acceleration.as_ref()))),
        angular_velocity: Some(point(vector(of.angular_velocity.as_ref()))),
    }
}

fn fix(of: &NavSatFix, number: u64) -> drivers::gnss::GnssBestPose {
    let (header, stamp, _) = header(of.header.as_ref(), number);
    let has_fix = of.status.as_ref().is_some_and(|status| status.status >= 0);
    let (status, kind) = if has_fix {
        (drivers::gnss::SolutionStatus::SolComputed, drivers::gnss::SolutionType::NarrowInt)
    } else {
        (drivers::gnss::SolutionStatus::InsufficientObs, drivers::gnss::SolutionType::None)
    };
    // The covariance is that of east, north, up, row by row.
    #[expect(clippy::cast_possible_truncation, reason = "Apollo has the deviations in single precision")]
    let deviation = |index: usize| of.position_covariance.get(index).map(|variance| variance.sqrt() as f32);
    drivers::gnss::GnssBestPose {
        header: Some(header),
        measurement_time: Some(seconds(&stamp) - GPS_EPOCH),
        sol_status: Some(status.into()),
        sol_type: Some(kind.into()),
        latitude: Some(of.latitude),
        longitude: Some(of.longitude),
        // Heights of the host are above the ellipsoid, so there is no undulation.
        height_msl: Some(of.altitude),
        undulation: Some(0.0),
        latitude_std_dev: deviation(4),
        longitude_std_dev: deviation(0),
        height_std_dev: deviation(8),
    }
}

fn odometry(of: &Odometry, number: u64) -> localization::Gps {
    let pose = of.pose.as_ref().and_then(|pose| pose.pose).unwrap_or_default();
    let twist = of.twist.as_ref().and_then(|twist| twist.twist).unwrap_or_default();
    let position = pose.position.unwrap_or_default();
    let turn = turn::Turn::of(pose.orientation.as_ref());
    let [qx, qy, qz, qw] = turn.after_quarter_to_the_right();
    let (linear, angular) = (vector(twist.linear.as_ref()), vector(twist.angular.as_ref()));
    let [forward, left, up] = angular;
    let pose = localization::Pose {
        position: Some(common::PointEnu { x: Some(position.x), y: Some(position.y), z: Some(position.z) }),
        orientation: Some(common::Quaternion { qx: Some(qx), qy: Some(qy), qz: Some(qz), qw: Some(qw) }),
        // The twist of an odometry is in the frame of the vehicle.
        linear_velocity: Some(point(turn.apply(linear))),
        angular_velocity: Some(point(turn.apply(angular))),
        heading: Some(turn.heading()),
        angular_velocity_vrf: Some(point([-left, forward, up])),
    };
    localization::Gps { header: Some(header(of.header.as_ref(), number).0), localization: Some(pose) }
}

fn chassis(of: &CanBusData, number: u64) -> canbus::Chassis {
    let gps = canbus::ChassisGps {
        latitude: Some(of.gps_latitude),
        longitude: Some(of.gps_longitude),
        gps_valid: Some(true),
        altitude: Some(of.gps_altitude),
    };
    canbus::Chassis {
        engine_started: Some(of.engine_active),
        engine_rpm: Some(of.engine_rpm),
        speed_mps: Some(of.speed_mps),
        throttle_percentage: Some(of.throttle_pct * 100.0),
        brake_percentage: Some(of.brake_pct * 100.0),
        steering_percentage: Some(of.steer_pct * 100.0),
        parking_brake: Some(of.parking_brake_active),
        high_beam_signal: Some(of.high_beams_active),
        low_beam_signal: Some(of.low_beams_active),
        left_turn_signal: Some(of.left_turn_signal_active),
        right_turn_signal: Some(of.right_turn_signal_active),
        wiper: Some(of.wipers_active),
        // Nobody sits in a car of a simulation.
        driving_mode: Some(canbus::chassis::DrivingMode::CompleteAutoDrive.into()),
        // The numbers of both are the same.
        gear_location: Some(of.selected_gear),
        header: Some(header(of.header.as_ref(), number).0),
        chassis_gps: Some(gps),
    }
}

fn image(of: Image, number: u64) -> drivers::Image {
    let (header, stamp, frame) = header(of.header.as_ref(), number);
    drivers::Image {
        header: Some(header),
        frame_id: Some(frame),
        measurement_time: Some(seconds(&stamp)),
        height: Some(of.height),
        width: Some(of.width),
        encoding: Some(of.encoding),
        step: Some(of.step),
        data: Some(of.data.to_vec()),
    }
}

fn compressed(of: CompressedImage, number: u64) -> drivers::CompressedImage {
    let (header, stamp, frame) = header(of.header.as_ref(), number);
    drivers::CompressedImage {
        header: Some(header),
        frame_id: Some(frame),
        format: Some(of.format),
        data: Some(of.data.to_vec()),
        measurement_time: Some(seconds(&stamp)),
    }
}

fn radar(of: &DetectedRadarObjectArray, number: u64) -> drivers::ContiRadar {
    let (header, ..) = header(of.header.as_ref(), number);
    let observation = |object: &bridgehead_plugin_api::messages::lgsvl_msgs::DetectedRadarObject| {
        let [longitude_dist, lateral_dist, _] = vector(object.object_relative_position.as_ref());
        let [longitude_vel, lateral_vel, _] = vector(object.object_relative_velocity.as_ref());
        let [length, width, _] = vector(object.object_collider_size.as_ref());
        drivers::ContiRadarObs {
            header: Some(header.clone()),
            clusterortrack: Some(false),
            obstacle_id: Some(object.id),
            longitude_dist: Some(longitude_dist),
            lateral_dist: Some(lateral_dist),
            longitude_vel: Some(longitude_vel),
            lateral_vel: Some(lateral_vel),
            // The numbers of both are the same.
            dynprop: i32::try_from(object.object_state).ok(),
            meas_state: Some(if object.new_detection { 1 } else { 2 }),
            length: Some(length),
            width: Some(width),
        }
    };
    let contiobs = of.objects.iter().map(observation).collect();
    drivers::ContiRadar { header: Some(header.clone()), contiobs }
}

/// Positions stay in the frame of the message; Apollo expects them in that of its map.
fn obstacles(of: &Detection3DArray, number: u64) -> perception::PerceptionObstacles {
    let (header, stamp, _) = header(of.header.as_ref(), number);
    let obstacle = |detection: &bridgehead_plugin_api::messages::lgsvl_msgs::Detection3D| {
        let bbox = detection.bbox.unwrap_or_default();
        let pose = bbox.position.unwrap_or_default();
        let position = pose.position.unwrap_or_default();
        let turn = turn::Turn::of(pose.orientation.as_ref());
        let [length, width, height] = vector(bbox.size.as_ref());
        let velocity = detection.velocity.as_ref().and_then(|twist| twist.linear.as_ref());
        perception::PerceptionObstacle {
            id: i32::try_from(detection.id).ok(),
            position: Some(point([position.x, position.y, position.z])),
            theta: Some(turn.heading()),
            velocity: Some(point(vector(velocity))),
            length: Some(length),
            width: Some(width),
            height: Some(height),
            r#type: Some(kind(&detection.label).into()),
            timestamp: Some(seconds(&stamp)),
            confidence: Some(detection.score.into()),
        }
    };
    let perception_obstacle = of.detections.iter().map(obstacle).collect();
    perception::PerceptionObstacles { perception_obstacle, header: Some(header) }
}

fn kind(label: &str) -> perception::perception_obstacle::Type {
    use perception::perception_obstacle::Type;
    match label.to_ascii_lowercase().as_str() {
        "pedestrian" => Type::Pedestrian,
        "bicycle" | "bicyclist" | "motorcycle" => Type::Bicycle,
        "car" | "vehicle" | "truck" | "bus" | "van" => Type::Vehicle,
        _ => Type::Unknown,
    }
}
