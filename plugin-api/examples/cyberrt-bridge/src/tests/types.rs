//! Each type of LGSVL as Apollo gets it, and any other type unchanged in both directions.

use std::io::Write as _;

use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::geometry_msgs::{
    Point, Pose, PoseWithCovariance, Quaternion, Twist, TwistWithCovariance, Vector3,
};
use bridgehead_plugin_api::messages::lgsvl_msgs::{
    BoundingBox3D, CanBusData, DetectedRadarObject, DetectedRadarObjectArray, Detection2DArray, Detection3D,
    Detection3DArray,
};
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::messages::prost;
use bridgehead_plugin_api::messages::rosgraph_msgs::Clock;
use bridgehead_plugin_api::messages::sensor_msgs::{
    CameraInfo, CompressedImage, Image, Imu, LaserScan, NavSatFix, NavSatStatus, PointCloud2, PointField,
    Range,
};
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::prelude::*;
use bridgehead_plugin_api::testing::{TestBridge, encode};

use super::{Peer, car, expect, framed, registered};
use crate::CyberRt;
use crate::frame::{self, ADD_READER, ADD_WRITER, Frame, PUBLISH};
use crate::outgoing::conversion;
use crate::schemas::apollo::{canbus, common, cyber, drivers, localization, perception};

fn stamped() -> Option<Header> {
    Some(Header { stamp: Some(Time { sec: 3, nanosec: 500_000_000 }), frame_id: "base".to_owned() })
}

/// Converts a message that is the eighth of its topic.
fn converted<From: Message, To: prost::Message + Default>(message: &From) -> To {
    let conversion = conversion(From::FULL_NAME).expect("a type that Apollo has");
    let bytes = (conversion.convert)(&encode(message), 7).expect("a message of Apollo");
    To::decode(bytes.as_slice()).expect("a message of Apollo")
}

#[track_caller]
fn assert_header(header: Option<common::Header>) {
    let expected = common::Header {
        timestamp_sec: Some(3.5),
        module_name: Some("bridgehead".to_owned()),
        sequence_num: Some(7),
        frame_id: Some("base".to_owned()),
    };
    assert_eq!(header, Some(expected));
}

#[test]
fn the_clock_counts_nanoseconds() {
    let found: cyber::proto::Clock = converted(&Clock { clock: Some(Time { sec: 2, nanosec: 3 }) });
    assert_eq!(found.clock, 2_000_000_003);
}

#[test]
fn an_imu_keeps_its_axes() {
    let acceleration = Some(Vector3 { x: 1.0, y: 2.0, z: 9.8 });
    let rate = Some(Vector3 { x: 0.1, y: 0.2, z: 0.3 });
    let imu = Imu {
        header: stamped(),
        linear_acceleration: acceleration,
        angular_velocity: rate,
        ..Default::default()
    };
    let found: drivers::gnss::Imu = converted(&imu);
    assert_header(found.header);
    let point = |x, y, z| Some(common::Point3D { x: Some(x), y: Some(y), z: Some(z) });
    assert_eq!(
        (found.linear_acceleration, found.angular_velocity),
        (point(1.0, 2.0, 9.8), point(0.1, 0.2, 0.3))
    );
}

#[test]
fn a_fix_has_deviations_and_a_status() {
    let mut fix = NavSatFix {
        header: stamped(),
        latitude: 48.0,
        longitude: 11.0,
        altitude: 500.0,
        ..Default::default()
    };
    fix.status = Some(NavSatStatus { status: 0, ..Default::default() });
    fix.position_covariance = vec![4.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 16.0];
    let found: drivers::gnss::GnssBestPose = converted(&fix);
    assert_header(found.header);
    assert_eq!((found.latitude, found.longitude, found.height_msl), (Some(48.0), Some(11.0), Some(500.0)));
    let deviations = (found.longitude_std_dev, found.latitude_std_dev, found.height_std_dev);
    assert_eq!(deviations, (Some(2.0), Some(3.0), Some(4.0)));
    assert_eq!((found.sol_status, found.sol_type), (Some(0), Some(50)));
    fix.status = Some(NavSatStatus { status: -1, ..Default::default() });
    let found: drivers::gnss::GnssBestPose = converted(&fix);
    assert_eq!((found.sol_status, found.sol_type), (Some(1), Some(0)));
}

#[test]
fn an_odometry_is_turned_to_the_axes_of_apollo() {
    // The vehicle looks north and drives 5 m/s forward.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let orientation = Some(Quaternion { x: 0.0, y: 0.0, z: half, w: half });
    let pose = Pose { position: Some(Point { x: 1.0, y: 2.0, z: 3.0 }), orientation };
    let twist = Twist {
        linear: Some(Vector3 { x: 5.0, y: 0.0, z: 0.0 }),
        angular: Some(Vector3 { x: 0.1, y: 0.2, z: 0.3 }),
    };
    let found: localization::Gps = converted(&Odometry {
        header: stamped(),
        pose: Some(PoseWithCovariance { pose: Some(pose), ..Default::default() }),
        twist: Some(TwistWithCovariance { twist: Some(twist), ..Default::default() }),
        ..Default::default()
    });
    assert_header(found.header);
    let pose = found.localization.expect("a pose");
    let near = |found: Option<f64>, expected: f64| {
        let found = found.expect("a number");
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    };
    let turn = pose.orientation.expect("an orientation");
    for (found, expected) in [(turn.qx, 0.0), (turn.qy, 0.0), (turn.qz, 0.0), (turn.qw, 1.0)] {
        near(found, expected);
    }
    near(pose.heading, std::f64::consts::FRAC_PI_2);
    let velocity = pose.linear_velocity.expect("a velocity");
    near(velocity.x, 0.0);
    near(velocity.y, 5.0);
    let rate = pose.angular_velocity_vrf.expect("a rate");
    assert_eq!((rate.x, rate.y, rate.z), (Some(-0.2), Some(0.1), Some(0.3)));
    let rate = pose.angular_velocity.expect("a rate");
    near(rate.x, -0.2);
    near(rate.y, 0.1);
}

#[test]
fn a_car_reports_percent() {
    let car = CanBusData {
        header: stamped(),
        throttle_pct: 0.5,
        brake_pct: 0.25,
        steer_pct: -0.5,
        selected_gear: CanBusData::GEAR_REVERSE,
        gps_latitude: 48.0,
        ..Default::default()
    };
    let found: canbus::Chassis = converted(&car);
    let percent = (found.throttle_percentage, found.brake_percentage, found.steering_percentage);
    assert_eq!(percent, (Some(50.0), Some(25.0), Some(-50.0)));
    assert_eq!(found.gear_location, Some(canbus::chassis::GearPosition::GearReverse.into()));
    assert_eq!(found.chassis_gps.and_then(|gps| gps.latitude), Some(48.0));
    assert_header(found.header);
}

#[test]
fn images_keep_their_bytes() {
    let data = vec![1, 2, 3];
    let image = Image {
        header: stamped(),
        width: 1,
        height: 1,
        step: 3,
        data: data.clone().into(),
        ..Default::default()
    };
    let found: drivers::Image = converted(&image);
    assert_eq!(
        (found.width, found.step, found.data, found.measurement_time),
        (Some(1), Some(3), Some(data), Some(3.5))
    );
    let image = CompressedImage { header: stamped(), format: "jpeg".to_owned(), data: vec![9].into() };
    let found: drivers::CompressedImage = converted(&image);
    assert_eq!((found.format.as_deref(), found.data), (Some("jpeg"), Some(vec![9])));
}

#[test]
fn a_cloud_becomes_points() {
    let field = |name: &str, offset| PointField { name: name.to_owned(), offset, datatype: 7, count: 1 };
    let fields = vec![field("x", 0), field("y", 4), field("z", 8), field("intensity", 12)];
    let numbers = [1.0_f32, 2.0, 3.0, 0.5, -1.0, -2.0, f32::NAN, 7.0];
    let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let mut cloud = PointCloud2 {
        header: stamped(),
        height: 1,
        width: 2,
        fields,
        point_step: 16,
        row_step: 32,
        data: data.into(),
        ..Default::default()
    };
    let found: drivers::PointCloud = converted(&cloud);
    assert_header(found.header);
    let [first, second] = found.point.as_slice() else { panic!("{} points", found.point.len()) };
    assert_eq!((first.x, first.y, first.z, first.intensity), (Some(1.0), Some(2.0), Some(3.0), Some(128)));
    assert_eq!((first.timestamp, second.intensity), (Some(3_500_000_000), Some(255)));
    assert!(second.z.is_some_and(f32::is_nan));
    // More points than bytes, and no bytes at all, are not read.
    (cloud.width, cloud.height) = (u32::MAX, u32::MAX);
    assert_eq!(converted::<_, drivers::PointCloud>(&cloud).point.len(), 2);
    cloud.row_step = 0;
    let refused = (conversion(PointCloud2::FULL_NAME).expect("known").convert)(&encode(&cloud), 0);
    assert!(refused.is_err());
}

#[test]
fn radar_objects_and_obstacles_keep_their_places() {
    let at = |x, y, z| Some(Vector3 { x, y, z });
    let object = DetectedRadarObject {
        id: 4,
        object_relative_position: at(10.0, -1.0, 0.0),
        object_relative_velocity: at(-2.0, 0.5, 0.0),
        object_collider_size: at(4.0, 2.0, 1.5),
        object_state: 1,
        new_detection: true,
        ..Default::default()
    };
    let found: drivers::ContiRadar =
        converted(&DetectedRadarObjectArray { header: stamped(), objects: vec![object] });
    let object = &found.contiobs[0];
    assert_eq!(
        (object.longitude_dist, object.lateral_dist, object.longitude_vel),
        (Some(10.0), Some(-1.0), Some(-2.0))
    );
    assert_eq!((object.dynprop, object.meas_state, object.length), (Some(1), Some(1), Some(4.0)));

    let pose = Pose { position: Some(Point { x: 1.0, y: 2.0, z: 3.0 }), ..Default::default() };
    let bbox = Some(BoundingBox3D { position: Some(pose), size: at(4.0, 2.0, 1.5) });
    let car = Detection3D { id: 5, label: "Car".to_owned(), score: 0.5, bbox, ..Default::default() };
    let found: perception::PerceptionObstacles =
        converted(&Detection3DArray { header: stamped(), detections: vec![car] });
    let obstacle = &found.perception_obstacle[0];
    assert_eq!((obstacle.id, obstacle.length, obstacle.confidence), (Some(5), Some(4.0), Some(0.5)));
    assert_eq!(obstacle.r#type, Some(perception::perception_obstacle::Type::Vehicle.into()));
    assert_eq!(obstacle.position.as_ref().and_then(|point| point.y), Some(2.0));
}

/// Sends a message out and the same bytes back in.
fn there_and_back<T: Message + Clone + PartialEq>(message: &T) {
    let peer = Peer::new();
    let mut bridge = TestBridge::<CyberRt>::create(car());
    let out = bridge.advertise::<T>("out", Qos::default()).expect("a publisher");
    let sink = bridge.subscribe::<T>("in", Qos::default()).expect("a subscriber");
    bridge.connect(&peer.address()).expect_done();
    let mut stream = peer.accept();
    expect(&mut stream, &framed(ADD_READER, "/car1/in", T::FULL_NAME.as_bytes()));
    registered(&mut stream);
    expect(&mut stream, &framed(ADD_WRITER, "/car1/out", T::FULL_NAME.as_bytes()));
    bridge.publish(&out, message);
    let frame = frame::read(&mut stream, |channel| channel == "/car1/out").expect("a frame");
    let Frame::Publish { message: found, .. } = frame else { panic!("{frame:?}") };
    assert_eq!(found, encode(message));
    stream.write_all(&framed(PUBLISH, "/car1/in", &found)).expect("a frame is sent");
    assert!(sink.wait_deliveries(1)[0].decode::<T>() == *message);
}

#[test]
fn other_types_go_out_and_come_in_as_they_are() {
    there_and_back(&LaserScan { header: stamped(), ranges: vec![1.0], ..Default::default() });
    there_and_back(&CameraInfo { header: stamped(), k: vec![1.0; 9], ..Default::default() });
    there_and_back(&Range { header: stamped(), range: 2.0, ..Default::default() });
    there_and_back(&Detection2DArray { header: stamped(), detections: vec![Default::default()] });
}
