//! Messages of the host and their conversions.

mod boards;
mod cameras;

use bridgehead_plugin_api::messages::builtin_interfaces::Time as RosTime;
use bridgehead_plugin_api::messages::prost::Message;
use bridgehead_plugin_api::messages::std_msgs::Header as RosHeader;
use bridgehead_plugin_api::messages::{
    gazebo_msgs, geometry_msgs, lgsvl_msgs, nav_msgs, sensor_msgs, tf2_msgs,
};

use super::command::{BoardCommand, board, joints};
use super::*;
use crate::device::{ImageConfig, MicomConfig};
use crate::frame::PixelFormat;
use crate::msgs;
use crate::pose::Pose;

fn stamped() -> Option<RosHeader> {
    Some(RosHeader { stamp: Some(RosTime { sec: 7, nanosec: 8 }), frame_id: "car/lidar".into() })
}

/// Returns what a converter makes of a message on its first topic.
fn sent<T: Message + Default>(converter: &mut dyn Converter, message: &impl Message) -> T {
    let outputs = converter.convert(Slot::Main, &message.encode_to_vec()).expect("a message");
    T::decode(outputs[0].1.as_slice()).expect("of its type")
}

fn idle<T: Message + Default>(converter: &dyn Converter, key: Key) -> T {
    let payload = converter.idle(key, 3_000_000_004);
    assert!(!payload.is_empty(), "clients accept no empty payload");
    T::decode(payload.as_slice()).expect("of its type")
}

#[test]
fn a_ray_without_hit_is_nan_and_has_an_intensity() {
    let scan = sensor_msgs::LaserScan {
        header: stamped(),
        angle_min: -1.0,
        angle_max: 1.0,
        angle_increment: 0.5,
        range_min: 0.5,
        range_max: 10.0,
        ranges: vec![1.0, f32::INFINITY, 0.1, 10.0, 11.0],
        intensities: vec![4.0],
        ..Default::default()
    };
    let mut laser = laser::Laser::new(false, msgs::LaserScan::default());
    let sweep: msgs::LaserScan = sent(&mut laser, &scan);
    assert_eq!(sweep.header.expect("a header").stamp, Some(Time { sec: 7, nsec: 8 }));
    assert_eq!((sweep.count, sweep.vertical_count, sweep.angle_step), (5, 1, 0.5));
    let missed: Vec<bool> = sweep.ranges.iter().map(|range| range.is_nan()).collect();
    assert_eq!(missed, [false, true, true, false, true]);
    assert_eq!(sweep.intensities, [4.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn a_cloud_is_sent_as_triples() {
    let mut fields = sensor_msgs::PointField::xyz_f32();
    fields.push(sensor_msgs::PointField::single("intensity", 12, sensor_msgs::PointField::FLOAT32));
    let points: [[f32; 4]; 2] = [[1.0, 2.0, 3.0, 9.0], [f32::NAN, 0.0, 0.0, 0.0]];
    let bytes: Vec<u8> = points.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    let mut cloud = sensor_msgs::PointCloud2 {
        header: stamped(),
        height: 1,
        width: 2,
        fields,
        point_step: 16,
        row_step: 32,
        data: bytes.into(),
        ..Default::default()
    };
    let known = msgs::LaserScan { range_max: 5.0, ..Default::default() };
    let mut laser = laser::Laser::new(true, known);
    let sweep: msgs::LaserScan = sent(&mut laser, &cloud);
    assert_eq!((sweep.count, sweep.range_max), (2, 5.0));
    assert_eq!(sweep.ranges[..3], [1.0, 2.0, 3.0]);
    assert!(sweep.ranges[3].is_nan());
    assert_eq!(sweep.intensities, [9.0, 0.0]);
    cloud.fields.clear();
    let Err(ConversionError(why)) = laser.convert(Slot::Main, &cloud.encode_to_vec()) else {
        panic!("no points")
    };
    assert!(why.contains("no x, y and z"), "{why}");
    assert_eq!(idle::<msgs::LaserScan>(&laser, Key::Data).count, 0);
}

#[test]
fn an_imu_message_gets_complete_covariances() {
    let imu = sensor_msgs::Imu {
        header: stamped(),
        orientation: Some(geometry_msgs::Quaternion { x: 0.0, y: 0.0, z: 1.0, w: 0.0 }),
        angular_velocity: Some(geometry_msgs::Vector3 { x: 1.0, y: 2.0, z: 3.0 }),
        linear_acceleration: Some(geometry_msgs::Vector3 { x: 0.0, y: 0.0, z: 9.8 }),
        angular_velocity_covariance: vec![0.5; 9],
        ..Default::default()
    };
    let mut converter = sensors::Imu { name: "imu".into() };
    let read: msgs::Imu = sent(&mut converter, &imu);
    assert_eq!(read.orientation.expect("a turn").z, 1.0);
    assert_eq!(read.angular_velocity.expect("a rate").y, 2.0);
    assert_eq!(read.linear_acceleration.expect("a force").z, 9.8);
    assert_eq!(read.orientation_covariance.expect("nine").data, [0.0; 9]);
    assert_eq!(read.angular_velocity_covariance.expect("nine").data, [0.5; 9]);
    let nothing: msgs::Imu = idle(&converter, Key::Data);
    assert_eq!(nothing.orientation_covariance.expect("nine").data[0], -1.0);
}

#[test]
fn a_position_on_earth_is_nan_before_it_is_known() {
    let fix = sensor_msgs::NavSatFix { latitude: 1.0, longitude: 2.0, altitude: 3.0, ..Default::default() };
    let mut gps = sensors::Gps { frame: "gps".into() };
    let read: msgs::NavSatWithCovariance = sent(&mut gps, &fix);
    assert_eq!((read.latitude_deg, read.longitude_deg, read.altitude), (1.0, 2.0, 3.0));
    assert_eq!(read.frame_id, "gps");
    assert!(idle::<msgs::NavSatWithCovariance>(&gps, Key::Data).latitude_deg.is_nan());
}

#[test]
fn a_range_message_contains_its_field_of_view() {
    let range = sensor_msgs::Range {
        field_of_view: 1.0,
        min_range: 0.25,
        max_range: 4.0,
        range: 2.5,
        ..Default::default()
    };
    let mut converter = sensors::Range::new("eye".into());
    let read: msgs::Sonar = sent(&mut converter, &range);
    assert_eq!(read.world_pose, None);
    assert_eq!((read.range_min, read.range_max, read.range), (0.25, 4.0, 2.5));
    assert!((2.0 * (read.radius / read.range_max).atan() - 1.0).abs() < 1e-9);
    let at = Pose { position: [1.0, 2.0, 3.0], ..Pose::IDENTITY };
    let pose = geometry_msgs::PoseStamped { header: None, pose: Some(at.to_ros()) };
    let alone = converter.convert(Slot::WorldPose, &pose.encode_to_vec()).expect("a pose");
    assert_eq!(alone, [], "nothing is sent before its range");
    let read: msgs::Sonar = sent(&mut converter, &range);
    assert_eq!(read.world_pose, Some(at.to_msg("")));
}

fn touch() -> gazebo_msgs::ContactsState {
    let state = gazebo_msgs::ContactState {
        collision1_name: "a".into(),
        collision2_name: "b".into(),
        contact_positions: vec![geometry_msgs::Vector3 { x: 1.0, y: 0.0, z: 0.0 }; 2],
        depths: vec![0.5],
        ..Default::default()
    };
    gazebo_msgs::ContactsState { header: stamped(), states: vec![state] }
}

#[test]
fn lists_of_a_contact_have_equal_lengths() {
    let read: msgs::Contacts = sent(&mut sensors::Contact, &touch());
    let contact = &read.contact[0];
    assert_eq!(contact.collision1.as_ref().expect("a name").name, "a");
    let lengths = [contact.position.len(), contact.normal.len(), contact.depth.len(), contact.wrench.len()];
    assert_eq!(lengths, [2; 4]);
    assert_eq!(contact.depth, [0.5, 0.0]);
    assert_eq!(idle::<msgs::Contacts>(&sensors::Contact, Key::Data).contact, []);
}

#[test]
fn depth_is_sent_in_metres_or_millimetres() {
    let metres: Vec<u8> = [1.5_f32, f32::INFINITY].iter().flat_map(|metres| metres.to_le_bytes()).collect();
    let picture = sensor_msgs::Image {
        header: stamped(),
        height: 1,
        width: 2,
        encoding: "32FC1".into(),
        step: 8,
        data: metres.into(),
        ..Default::default()
    };
    let config = ImageConfig { width: 2, height: 1, format: PixelFormat::Float32, per_metre: 1000.0 };
    let mut depth = picture::Picture(config);
    let whole = depth.convert(Slot::Main, &picture.encode_to_vec()).expect("a picture");
    assert_eq!((whole[0].1.len(), whole[0].1[20]), (28 + 8, 13));
    depth.0.format = PixelFormat::L16;
    let short = depth.convert(Slot::Main, &picture.encode_to_vec()).expect("a picture");
    assert_eq!(short[0].1[28..], [0xdc, 0x05, 0, 0]);
    assert_eq!(depth.idle(Key::Data, 0).len(), 28 + 4);
    let cut = sensor_msgs::Image { height: 2, ..picture };
    assert!(depth.convert(Slot::Main, &cut.encode_to_vec()).is_err());
}

fn odometry(x: f64, yaw: f64) -> nav_msgs::Odometry {
    let pose = Pose::from_euler([x, 0.0, 0.0], [0.0, 0.0, yaw]).to_ros();
    let twist = geometry_msgs::Twist {
        linear: Some(geometry_msgs::Vector3 { x: 1.0, y: 0.0, z: 0.0 }),
        angular: Some(geometry_msgs::Vector3 { x: 0.0, y: 0.0, z: 2.0 }),
    };
    nav_msgs::Odometry {
        header: stamped(),
        pose: Some(geometry_msgs::PoseWithCovariance { pose: Some(pose), ..Default::default() }),
        twist: Some(geometry_msgs::TwistWithCovariance { twist: Some(twist), ..Default::default() }),
        ..Default::default()
    }
}

fn micom() -> micom::Micom {
    micom::Micom::new(MicomConfig {
        wheel_radius: 0.1,
        wheel_separation: 0.5,
        bumpers: 2,
        battery: "cell".into(),
        ..MicomConfig::default()
    })
}

#[test]
fn a_board_message_is_sent_with_odometry_and_contains_latched_data() {
    let mut board = micom();
    let battery = sensor_msgs::BatteryState { voltage: 24.5, ..Default::default() };
    assert!(board.convert(Slot::Battery, &battery.encode_to_vec()).expect("a battery").is_empty());
    assert!(board.convert(Slot::Bumper(1), &touch().encode_to_vec()).expect("a bumper").is_empty());
    let read: msgs::Micom = sent(&mut board, &odometry(3.0, 0.5));
    let odom = read.odom.expect("odometry");
    let wheels = odom.angular_velocity.expect("wheels");
    assert!((wheels.left - 5.0).abs() < 1e-9 && (wheels.right - 15.0).abs() < 1e-9, "{wheels:?}");
    let pose = odom.pose.expect("a pose");
    assert!((pose.x - 3.0).abs() < 1e-9 && (pose.z - 0.5).abs() < 1e-9, "z is the heading: {pose:?}");
    assert_eq!(read.time, Some(Time { sec: 7, nsec: 8 }));
    assert_eq!(read.battery.expect("a battery").voltage, 24.5);
    let bumped: Vec<bool> = read.bumper.iter().map(|bumper| bumper.bumped).collect();
    assert_eq!(bumped, [false, true]);
}

#[test]
fn a_reset_drops_latched_data_and_odometry_can_be_reset() {
    let mut board = micom();
    board.convert(Slot::Bumper(0), &touch().encode_to_vec()).expect("a bumper");
    board.reset_odometry();
    let x = |board: &mut micom::Micom, x: f64| {
        let read: msgs::Micom = sent(board, &odometry(x, 0.0));
        (read.odom.expect("odometry").pose.expect("a pose").x, read.bumper[0].bumped)
    };
    assert_eq!(x(&mut board, 3.0), (0.0, true));
    assert_eq!(x(&mut board, 4.0), (1.0, true));
    board.clear();
    assert_eq!(x(&mut board, 4.0), (4.0, false));
}

#[test]
fn a_transform_names_its_parent_in_the_header() {
    let transform = geometry_msgs::TransformStamped {
        header: stamped(),
        child_frame_id: "car/arm/wheel".into(),
        ..Default::default()
    };
    let other =
        geometry_msgs::TransformStamped { child_frame_id: "truck/wheel".into(), ..Default::default() };
    let odometry = geometry_msgs::TransformStamped {
        header: Some(RosHeader { frame_id: "car/odom".into(), stamp: None }),
        child_frame_id: "car/base_link".into(),
        ..Default::default()
    };
    let message = tf2_msgs::TfMessage { transforms: vec![other, odometry, transform] };
    let mut converter = joints::Joints::new("car".into(), Vec::new(), vec!["lidar".into()]);
    let outputs = converter.convert(Slot::Tf, &message.encode_to_vec()).expect("a transform");
    assert_eq!(outputs[0].0, Key::Tf);
    let pose = msgs::Pose::decode(outputs[0].1.as_slice()).expect("a pose");
    assert_eq!((pose.name.as_str(), pose.orientation.expect("a turn").w), ("arm_wheel", 1.0));
    let data = &pose.header.expect("a header").data[0];
    assert_eq!((data.key.as_str(), data.value[0].as_str()), ("parent_frame_id", "lidar"));
    assert_eq!(idle::<msgs::Pose>(&converter, Key::Tf).name, "");
    assert!(micom().convert(Slot::Tf, &message.encode_to_vec()).expect("none is wanted").is_empty());
}

#[test]
fn joints_of_nested_models_are_listed_with_the_models_name() {
    let states = sensor_msgs::JointState {
        header: stamped(),
        name: vec!["elbow".into()],
        position: vec![1.0],
        effort: vec![3.0],
        ..Default::default()
    };
    let mut converter = joints::Joints::new("car".into(), vec!["arm".into()], Vec::new());
    for (slot, expected, sec) in [(Slot::Main, "elbow", 7), (Slot::Nested(0), "arm_elbow", 8)] {
        let stamp = Some(RosTime { sec, nanosec: 0 });
        let header = Some(RosHeader { stamp, frame_id: String::new() });
        let states = sensor_msgs::JointState { header, ..states.clone() };
        let outputs = converter.convert(slot, &states.encode_to_vec()).expect("states");
        let read = msgs::JointStateV::decode(outputs[0].1.as_slice()).expect("states");
        let joint = read.joint_state.iter().find(|joint| joint.name == expected).expect("the joint");
        assert_eq!((joint.position, joint.velocity, joint.effort), (1.0, 0.0, 3.0));
    }
    assert_eq!(converter.host_joint_name("arm_elbow"), "elbow");
    assert_eq!(converter.host_joint_name("elbow"), "elbow");
}

#[test]
fn targets_have_the_ids_of_the_world_file() {
    let detection = |label: &str, id| lgsvl_msgs::Detection3D {
        label: label.into(),
        id,
        bbox: Some(lgsvl_msgs::BoundingBox3D {
            position: Some(Pose { position: [1.0, 2.0, 3.0], ..Pose::IDENTITY }.to_ros()),
            size: Some(geometry_msgs::Vector3 { x: 2.0, y: 4.0, z: 6.0 }),
        }),
        ..Default::default()
    };
    let seen = lgsvl_msgs::Detection3DArray {
        header: stamped(),
        detections: vec![detection("crate", 5), detection("robot", 6)],
    };
    let mut truth = truth::Truth { targets: vec![("robot".into(), 1003, 2)] };
    let read: msgs::PerceptionV = sent(&mut truth, &seen);
    let ids: Vec<(i32, i32)> = read.perception.iter().map(|one| (one.tracking_id, one.class_id)).collect();
    assert_eq!(ids, [(5, 0), (1003, 2)]);
    assert_eq!(read.perception[0].position.as_ref().expect("a place").y, 2.0);
    assert_eq!(read.perception[0].footprint.len(), 4);
}

#[test]
fn a_message_of_another_type_is_refused() {
    assert!(micom().convert(Slot::Main, b"\xff\xff").is_err());
    assert!(sensors::Contact.convert(Slot::Main, b"\x0a").is_err());
}

#[test]
fn a_board_accepts_twists_joysticks_and_parameters() {
    let vector = |x| Some(msgs::Vector3d { x, ..Default::default() });
    let twist = msgs::Twist { header: None, linear: vector(1.0), angular: vector(2.0) };
    let stick = msgs::Joystick {
        translation: vector(3.0),
        rotation: vector(4.0),
        buttons: vec![1],
        ..Default::default()
    };
    let moved = |payload: Vec<u8>| match board(&payload).expect("a command") {
        BoardCommand::Move(twist) => (twist.linear.expect("one").x, twist.angular.expect("one").x),
        BoardCommand::Set(names) => panic!("{names:?}"),
    };
    assert_eq!(moved(twist.encode_to_vec()), (1.0, 2.0));
    assert_eq!(moved(stick.encode_to_vec()), (3.0, 4.0));
    let still = msgs::Twist { header: None, linear: vector(0.0), angular: vector(0.0) };
    assert_eq!(moved(still.encode_to_vec()), (0.0, 0.0));
    let param = Param::named("mowing_blade_height", msgs::Any::text("1"));
    assert_eq!(board(&param.encode_to_vec()), Ok(BoardCommand::Set(vec!["mowing_blade_height".into()])));
    assert!(board(b"\xff").is_err());
}

#[test]
fn joint_commands_are_converted() {
    let target =
        |data| Some(msgs::Pid { target_optional: Some(msgs::Double { header: None, data }), header: None });
    let commands = msgs::JointCmdV {
        time: Some(Time { sec: 1, nsec: -5 }),
        joint_cmd: vec![
            msgs::JointCmd { name: "a".into(), position: target(1.0), ..Default::default() },
            msgs::JointCmd { name: "b".into(), velocity: target(2.0), ..Default::default() },
        ],
    };
    let told = joints(&commands.encode_to_vec()).expect("commands");
    assert_eq!(told.name, ["a", "b"]);
    assert!(told.position[0] == 1.0 && told.position[1].is_nan());
    assert!(told.velocity[0].is_nan() && told.velocity[1] == 2.0);
    assert_eq!(told.effort, Vec::<f64>::new());
}
