//! Every row, with messages of every field.

use std::collections::BTreeSet;

use bridgehead_plugin_api::messages::builtin_interfaces;
use bridgehead_plugin_api::messages::prost::Message as _;

use super::*;

fn header(frame: &str) -> Option<std_msgs::Header> {
    let stamp = Some(builtin_interfaces::Time { sec: 3, nanosec: 500_000_000 });
    Some(std_msgs::Header { stamp, frame_id: frame.to_owned() })
}

fn row(ours: &str, topic: &str, generation: Generation) -> &'static Counterpart {
    Counterpart::find(ours, topic, generation).expect("a row")
}

/// Converts a message there and back.
fn there_and_back<M: Message>(message: &M, topic: &str, generation: Generation) -> M {
    let row = row(M::FULL_NAME, topic, generation);
    let outgoing = (row.outgoing)(&message.encode_to_vec()).expect("converted");
    M::decode(&*(row.incoming)(&outgoing).expect("converted back")).expect("of its type")
}

#[test]
fn rows_are_unique_and_the_special_ones_come_first() {
    let mut seen = BTreeSet::new();
    for row in COUNTERPARTS {
        let is_new = seen.insert(row.ours);
        assert!(is_new || row.when == When::Always, "{}: a special row after the general one", row.ours);
    }
    for row in COUNTERPARTS.iter().filter(|row| row.when != When::Always) {
        let general =
            COUNTERPARTS.iter().filter(|other| other.ours == row.ours && other.when == When::Always);
        assert_eq!(general.count(), 1, "{}", row.ours);
    }
}

#[test]
fn empty_messages_and_garbage_of_every_type_are_converted_or_refused() {
    for row in COUNTERPARTS {
        let empty = (row.outgoing)(&[]).expect(row.ours);
        assert!((row.incoming)(&empty).is_ok() && (row.incoming)(&[]).is_ok(), "{}", row.ours);
        assert!((row.outgoing)(&[0xff]).is_err() && (row.incoming)(&[0xff]).is_err(), "{}", row.ours);
    }
}

#[test]
fn scans_survive_the_way_there_and_back() {
    let scan = sensor_msgs::LaserScan {
        header: header("car1/lidar"),
        angle_min: -1.5,
        angle_max: 1.5,
        angle_increment: 1.5,
        range_min: 0.25,
        range_max: 8.0,
        ranges: vec![1.0, f32::INFINITY, 2.5],
        intensities: vec![0.5, 0.0, 1.0],
        ..sensor_msgs::LaserScan::default()
    };
    assert_eq!(there_and_back(&scan, "/scan", Generation::Gz), scan);
    let bare = sensor_msgs::LaserScan { intensities: Vec::new(), ..scan };
    let row = row(sensor_msgs::LaserScan::FULL_NAME, "/scan", Generation::Gz);
    let message = gz::LaserScan::decode(&*(row.outgoing)(&bare.encode_to_vec()).expect("converted"));
    let message = message.expect("a scan");
    assert_eq!((message.intensities.len(), message.count, message.vertical_count), (3, 3, 1));
}

#[test]
fn of_several_rows_the_middle_one_is_the_scan() {
    let message = gz::LaserScan {
        count: 2,
        vertical_count: 4,
        ranges: (0..8).map(f64::from).collect(),
        ..gz::LaserScan::default()
    };
    assert_eq!(sensor_msgs::LaserScan::from(message).ranges, [4.0, 5.0]);
}

#[test]
fn imus_have_the_layout_of_their_generation() {
    let imu = sensor_msgs::Imu {
        header: header("imu"),
        orientation: Some(geometry_msgs::Quaternion { x: 0.0, y: 0.0, z: 0.5, w: 0.5 }),
        orientation_covariance: vec![0.25; 9],
        angular_velocity: Some(geometry_msgs::Vector3 { x: 1.0, y: 2.0, z: 3.0 }),
        angular_velocity_covariance: vec![0.5; 9],
        linear_acceleration: Some(geometry_msgs::Vector3 { x: 0.0, y: 0.0, z: 9.75 }),
        linear_acceleration_covariance: vec![1.0; 9],
    };
    assert_eq!(there_and_back(&imu, "/imu", Generation::Gz), imu);
    let older = there_and_back(&imu, "/imu", Generation::Ignition);
    assert_eq!(
        (older.angular_velocity, older.linear_acceleration),
        (imu.angular_velocity, imu.linear_acceleration)
    );
    assert_eq!(older.angular_velocity_covariance, vec![0.0; 9], "it has none");
}

#[test]
fn an_odometry_has_covariances_on_the_topic_for_them() {
    let odometry = nav_msgs::Odometry {
        header: header("car1/odom"),
        child_frame_id: "car1/base".to_owned(),
        pose: Some(geometry_msgs::PoseWithCovariance {
            pose: Some(geometry_msgs::Pose {
                position: Some(geometry_msgs::Point { x: 1.0, y: 2.0, z: 3.0 }),
                orientation: Some(geometry_msgs::Quaternion { x: 0.0, y: 0.0, z: 1.0, w: 0.0 }),
            }),
            covariance: vec![0.125; 36],
        }),
        twist: Some(geometry_msgs::TwistWithCovariance {
            twist: Some(geometry_msgs::Twist {
                linear: Some(geometry_msgs::Vector3 { x: 0.5, y: 0.0, z: 0.0 }),
                angular: Some(geometry_msgs::Vector3 { x: 0.0, y: 0.0, z: 0.25 }),
            }),
            covariance: vec![0.5; 36],
        }),
    };
    let full = there_and_back(&odometry, "/model/car1/odometry_with_covariance", Generation::Gz);
    assert_eq!(full, odometry);
    let bare = there_and_back(&odometry, "/model/car1/odometry", Generation::Gz);
    assert_eq!(bare.child_frame_id, "car1/base");
    assert_eq!(bare.pose.expect("a pose").covariance, vec![0.0; 36]);
}

#[test]
fn transforms_have_both_frames() {
    let transform = geometry_msgs::TransformStamped {
        header: header("world"),
        child_frame_id: "car1".to_owned(),
        transform: Some(geometry_msgs::Transform {
            translation: Some(geometry_msgs::Vector3 { x: 1.0, y: 0.0, z: 0.0 }),
            rotation: Some(geometry_msgs::Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }),
        }),
    };
    let message = tf2_msgs::TfMessage { transforms: vec![transform] };
    assert_eq!(there_and_back(&message, "/tf", Generation::Gz), message);
}

#[test]
fn images_keep_their_encoding() {
    for (encoding, _) in [("rgb8", 3), ("mono8", 1), ("32FC1", 4), ("bayer_gbrg8", 1)] {
        let image = sensor_msgs::Image {
            header: header("camera"),
            height: 1,
            width: 1,
            encoding: encoding.to_owned(),
            step: 4,
            data: vec![1, 2, 3, 4].into(),
            is_bigendian: 0,
        };
        assert_eq!(there_and_back(&image, "/image", Generation::Gz), image);
    }
}

#[test]
fn joints_keep_their_values() {
    let state = sensor_msgs::JointState {
        header: header(""),
        name: vec!["a".to_owned(), "b".to_owned()],
        position: vec![1.0, 2.0],
        velocity: vec![3.0, 4.0],
        effort: vec![5.0, 6.0],
    };
    assert_eq!(there_and_back(&state, "/joint_states", Generation::Gz), state);
}

#[test]
fn the_readme_has_every_row() {
    let ros = |row: &Counterpart| {
        let name = row.ours.trim_start_matches("bridgehead.").replace(".v1.", "/msg/");
        let note = match row.when {
            When::Always => String::new(),
            When::Topic(last) => format!(" on topics that end in `/{last}`"),
            When::Generation(_) => return None,
        };
        Some(format!("| `{name}` | `{}`{note} |\n", row.gz))
    };
    let table: String = COUNTERPARTS.iter().filter_map(ros).collect();
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&table), "README.md needs this text:\n{table}");
}
