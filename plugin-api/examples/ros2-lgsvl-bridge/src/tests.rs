//! The bridge in a host inside of the test process, with a peer on the loopback interface.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::lgsvl_msgs::{
    CanBusData, DetectedRadarObjectArray, Detection2DArray, Detection3DArray, VehicleControlData,
};
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::messages::rosgraph_msgs::Clock;
use bridgehead_plugin_api::messages::sensor_msgs::{
    CameraInfo, CompressedImage, Image, Imu, LaserScan, NavSatFix, PointCloud2, Range,
};
use bridgehead_plugin_api::messages::std_msgs::{Float64, Header, String as Text};
use bridgehead_plugin_api::messages::{Message, Schema, all_schemas};
use bridgehead_plugin_api::prelude::*;
use bridgehead_plugin_api::testing::{TestBridge, TestHost, encode};

use super::Ros2Lgsvl;
use super::frame::{self, ADD_PUBLISHER, ADD_SUBSCRIBER, Frame, PUBLISH};
use super::packed::Packed;

/// A program in the place of ros2-lgsvl-bridge.
struct Peer {
    listener: TcpListener,
}

impl Peer {
    fn new() -> Self {
        Peer { listener: TcpListener::bind("127.0.0.1:0").expect("a free port") }
    }

    fn address(&self) -> String {
        self.listener.local_addr().expect("an address").to_string()
    }

    fn accept(&self) -> TcpStream {
        let (stream, _) = self.listener.accept().expect("the bridge connects");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time-out");
        stream
    }
}

fn car() -> TestHost {
    TestHost::builder().vehicle("car1").build()
}

fn framed(operation: u8, first: &str, second: &[u8]) -> Vec<u8> {
    let mut frame = Vec::new();
    frame::put(operation, first.as_bytes(), second, &mut frame).expect("short fields");
    frame
}

/// Reads as many bytes as are expected, and compares them.
#[track_caller]
fn expect(stream: &mut TcpStream, expected: &[u8]) {
    let mut found = vec![0; expected.len()];
    stream.read_exact(&mut found).expect("bytes of the bridge");
    assert_eq!(found, expected);
}

#[test]
fn a_topic_is_announced_before_its_messages() {
    let peer = Peer::new();
    let mut bridge = TestBridge::<Ros2Lgsvl>::connected(car(), &peer.address());
    let mut stream = peer.accept();
    let speed = bridge.advertise::<Float64>("speed", Qos::default()).expect("a publisher");
    bridge.publish(&speed, &Float64 { data: 2.5 });
    expect(&mut stream, b"\x02\x0b\0\0\0/car1/speed\x10\0\0\0std_msgs/Float64");
    expect(&mut stream, b"\x03\x0b\0\0\0/car1/speed\x08\0\0\0\0\0\0\0\0\0\x04\x40");
    bridge.disconnect().expect_done();
    assert_eq!(bridge.counts().delivered, 1);
}

#[test]
fn a_body_is_packed_without_padding_and_with_counts() {
    let packed = Packed::compile(&Imu::schema()).expect("a plan");
    let stamp = Some(Time { sec: 1, nanosec: 2 });
    let header = Some(Header { stamp, frame_id: "ab".to_owned() });
    let imu = Imu { header, orientation_covariance: vec![1.0; 9], ..Default::default() };
    let mut body = Vec::new();
    packed.encode(&encode(&imu), &mut body).expect("an Imu");
    let covariance = |value: f64| [&9_u32.to_le_bytes()[..], &value.to_le_bytes().repeat(9)].concat();
    let expected = [
        &b"\x01\0\0\0\x02\0\0\0\x02\0\0\0ab"[..],
        &[0; 32],
        &covariance(1.0),
        &[0; 24],
        &covariance(0.0),
        &[0; 24],
        &covariance(0.0),
    ];
    assert_eq!(body, expected.concat());
}

#[test]
fn messages_of_the_peer_come_in() {
    let peer = Peer::new();
    let mut bridge = TestBridge::<Ros2Lgsvl>::create(car());
    let control = bridge.subscribe::<VehicleControlData>("control", Qos::default()).expect("a subscriber");
    bridge.connect(&peer.address()).expect_done();
    let mut stream = peer.accept();
    expect(&mut stream, &framed(ADD_SUBSCRIBER, "/car1/control", b"lgsvl_msgs/VehicleControlData"));
    let body = [&[0; 12][..], &0.5_f32.to_le_bytes(), &[0; 4], &(-0.25_f32).to_le_bytes(), &[0; 4], &[1]];
    for message in [
        framed(PUBLISH, "/car1/other", b"x"),
        framed(PUBLISH, "/car1/control", b"too short"),
        framed(PUBLISH, "/car1/control", &body.concat()),
    ] {
        stream.write_all(&message).expect("a frame is sent");
    }
    let delivered = control.wait_deliveries(1);
    assert_eq!(delivered.len(), 1);
    let found: VehicleControlData = delivered[0].decode();
    assert_eq!((found.acceleration_pct, found.target_wheel_angle, found.target_gear), (0.5, -0.25, 1));
}

/// Sends a message out, and the same bytes back in.
fn there_and_back<T: Message + Clone + PartialEq>(message: &T) {
    let peer = Peer::new();
    let mut bridge = TestBridge::<Ros2Lgsvl>::create(car());
    let out = bridge.advertise::<T>("out", Qos::default()).expect("a publisher");
    let sink = bridge.subscribe::<T>("in", Qos::default()).expect("a subscriber");
    bridge.connect(&peer.address()).expect_done();
    let mut stream = peer.accept();
    let ros_type = T::schema().resolve().expect("a type").ros_type().to_string().replace("/msg/", "/");
    expect(&mut stream, &framed(ADD_PUBLISHER, "/car1/out", ros_type.as_bytes()));
    expect(&mut stream, &framed(ADD_SUBSCRIBER, "/car1/in", ros_type.as_bytes()));
    bridge.publish(&out, message);
    let frame = frame::read(&mut stream, |topic| topic == "/car1/out").expect("a frame");
    let Frame::Publish { message: body, .. } = frame else { panic!("{frame:?}") };
    stream.write_all(&framed(PUBLISH, "/car1/in", &body)).expect("a frame is sent");
    let found: T = sink.wait_deliveries(1)[0].decode();
    // Absent messages come back as messages of zeros, which are the same in ROS.
    let plan = Packed::compile(&T::schema()).expect("a plan");
    let packed = |message: &T| {
        let mut body = Vec::new();
        plan.encode(&encode(message), &mut body).expect("a body");
        body
    };
    assert_eq!(packed(&found), packed(message));
}

#[test]
fn each_type_of_lgsvl_goes_out_and_comes_in() {
    let stamp = Some(Time { sec: 3, nanosec: 4 });
    let header = Some(Header { stamp, frame_id: "base".to_owned() });
    there_and_back(&Clock { clock: stamp });
    there_and_back(&CanBusData { header: header.clone(), selected_gear: -1, ..Default::default() });
    there_and_back(&VehicleControlData { header: header.clone(), target_gear: 2, ..Default::default() });
    there_and_back(&DetectedRadarObjectArray {
        header: header.clone(),
        objects: vec![Default::default(); 2],
        ..Default::default()
    });
    let detections = vec![Default::default(); 3];
    there_and_back(&Detection2DArray { header: header.clone(), detections, ..Default::default() });
    let detections = vec![Default::default(); 3];
    there_and_back(&Detection3DArray { header: header.clone(), detections, ..Default::default() });
    let (ranges, intensities) = (vec![1.0, f32::INFINITY], vec![0.5]);
    there_and_back(&LaserScan { header: header.clone(), ranges, intensities, ..Default::default() });
    there_and_back(&PointCloud2 {
        fields: vec![Default::default()],
        data: vec![7; 99].into(),
        ..Default::default()
    });
    there_and_back(&Image { encoding: "rgb8".to_owned(), data: vec![1, 2, 3].into(), ..Default::default() });
    there_and_back(&CompressedImage {
        format: "jpeg".to_owned(),
        data: vec![9; 3].into(),
        ..Default::default()
    });
    there_and_back(&CameraInfo { d: vec![0.1; 5], k: vec![2.0; 9], ..Default::default() });
    there_and_back(&NavSatFix { header: header.clone(), latitude: 48.0, ..Default::default() });
    there_and_back(&Odometry { child_frame_id: "wheels".to_owned(), ..Default::default() });
    there_and_back(&Range { header: header.clone(), range: 1.5, ..Default::default() });
    there_and_back(&Imu { header, ..Default::default() });
}

#[test]
fn a_new_connection_gets_all_announcements_again() {
    let peer = Peer::new();
    let mut bridge = TestBridge::<Ros2Lgsvl>::create(car());
    let text = bridge.advertise::<Text>("text", Qos::default()).expect("a publisher");
    for word in ["one", "two"] {
        bridge.connect(&peer.address()).expect_done();
        let mut stream = peer.accept();
        expect(&mut stream, &framed(ADD_PUBLISHER, "/car1/text", b"std_msgs/String"));
        bridge.publish(&text, &Text { data: word.to_owned() });
        expect(
            &mut stream,
            &framed(PUBLISH, "/car1/text", &[&3_u32.to_le_bytes()[..], word.as_bytes()].concat()),
        );
        drop(stream);
        bridge.wait_status(BridgeStatus::UnexpectedlyDisconnected);
        bridge.disconnect().expect_done();
        assert_eq!(bridge.status(), BridgeStatus::Disconnected);
    }
}

#[test]
fn a_peer_that_breaks_the_protocol_is_disconnected() {
    let long = |length: u32| length.to_le_bytes();
    let topic = framed(PUBLISH, "/a", &[]);
    for sent in [
        b"HTTP/1.1 400 Bad Request\r\n".to_vec(),
        [&[PUBLISH][..], &long(1025)].concat(),
        [&topic[..topic.len() - 4], &long((64 << 20) + 1)].concat(),
        [&topic[..topic.len() - 4], &long(u32::MAX)].concat(),
    ] {
        let peer = Peer::new();
        let bridge = TestBridge::<Ros2Lgsvl>::connected(car(), &peer.address());
        peer.accept().write_all(&sent).expect("bytes are sent");
        bridge.wait_status(BridgeStatus::UnexpectedlyDisconnected);
    }
}

#[test]
fn a_peer_that_does_not_read_does_not_delay_the_end() {
    let peer = Peer::new();
    let mut bridge = TestBridge::<Ros2Lgsvl>::connected(car(), &peer.address());
    let _stream = peer.accept();
    let image = bridge.advertise::<Image>("image", Qos::default()).expect("a publisher");
    bridge.publish(&image, &Image { data: vec![0; 32 << 20].into(), ..Default::default() });
    bridge.disconnect().expect_done();
    assert_eq!(bridge.counts().rejected, 1);
}

/// Numbers that look random and are the same in every run.
fn noise(seed: &mut u64) -> u8 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    seed.to_le_bytes()[7]
}

#[test]
fn bytes_without_meaning_are_refused_and_cost_little_memory() {
    let schemas: Vec<Schema> = all_schemas().collect();
    let plans: Vec<Packed> = schemas.iter().filter_map(|schema| Packed::compile(schema).ok()).collect();
    assert!(plans.len() > 100, "{} of {}", plans.len(), schemas.len());
    let mut seed = 1;
    for round in 0..20_000 {
        let plan = &plans[round % plans.len()];
        // Small numbers are likely counts.
        let mut bytes: Vec<u8> = (0..round % 200).map(|_| noise(&mut seed)).collect();
        bytes.iter_mut().for_each(|byte| *byte = if *byte < 180 { 0 } else { *byte & 3 });
        if let Ok(payload) = plan.decode(&bytes) {
            let mut body = Vec::new();
            plan.encode(&payload, &mut body).expect("what was read can be written");
            assert!(payload.len() < 4096, "{} bytes from {}", payload.len(), bytes.len());
        }
    }
}

#[test]
fn a_topic_that_ros_cannot_name_is_refused() {
    let mut bridge = TestBridge::<Ros2Lgsvl>::create(TestHost::builder().vehicle("car-1").build());
    let refused = bridge.advertise::<Float64>("speed", Qos::default()).expect_err("a wrong name");
    assert!(
        refused.reason().contains("`/car-1/speed` is no name of a topic in ROS 2"),
        "{}",
        refused.reason()
    );
}

#[test]
fn a_wrong_connection_string_is_refused() {
    for good in ["localhost", "127.0.0.1:9090", "::1", "[::1]:9090", "[::1]", "robot-1.local:1"] {
        TestBridge::<Ros2Lgsvl>::validate(good).expect_done();
    }
    for wrong in
        ["", ":9090", "host:", "host:0", "host:99999", "a b", "tcp://host", "[::1", "[::1]9090", "a:1:2"]
    {
        let error = TestBridge::<Ros2Lgsvl>::validate(wrong).expect_failed();
        let expected = format!(
            "[EX-LGS-001] connection string: PEER must be HOST or HOST:PORT, found `{wrong}`; expected PEER, such as \
             127.0.0.1:9090"
        );
        assert_eq!(error.text(), expected);
    }
}
