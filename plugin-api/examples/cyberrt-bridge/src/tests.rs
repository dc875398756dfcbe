//! The bridge in a host inside of the test process, with a peer on the loopback interface.

mod types;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use bridgehead_plugin_api::messages::lgsvl_msgs::VehicleControlData;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::{Image, Imu};
use bridgehead_plugin_api::messages::std_msgs::{Float64, String as Text};
use bridgehead_plugin_api::messages::{JsonPlan, Schema};
use bridgehead_plugin_api::prelude::*;
use bridgehead_plugin_api::testing::{TestBridge, TestHost, encode};

use super::frame::{self, ADD_READER, ADD_WRITER, Frame, PUBLISH};
use super::schemas::apollo::canbus::chassis::GearPosition;
use super::schemas::apollo::control::ControlCommand;
use super::{CyberRt, descriptors};

/// A program in the place of the bridge of CyberRT.
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

fn number(stream: &mut TcpStream) -> u32 {
    let mut bytes = [0; 4];
    stream.read_exact(&mut bytes).expect("a number of the bridge");
    u32::from_le_bytes(bytes)
}

/// Reads the descriptors of a type; returns the files.
fn registered(stream: &mut TcpStream) -> Vec<Vec<u8>> {
    expect(stream, &[1]);
    let read = |stream: &mut TcpStream| {
        let mut file = vec![0; usize::try_from(number(stream)).expect("a length")];
        stream.read_exact(&mut file).expect("a file");
        file
    };
    (0..number(stream)).map(|_| read(stream)).collect()
}

/// The files as a descriptor set.
fn set_of(files: &[Vec<u8>]) -> Vec<u8> {
    let mut set = Vec::new();
    for file in files {
        bridgehead_plugin_api::messages::prost::encoding::bytes::encode(1, file, &mut set);
    }
    set
}

#[test]
fn a_channel_is_announced_with_descriptors_before_its_messages() {
    let peer = Peer::new();
    let mut bridge = TestBridge::<CyberRt>::connected(car(), &peer.address());
    let mut stream = peer.accept();
    let speed = bridge.advertise::<Float64>("speed", Qos::default()).expect("a publisher");
    bridge.publish(&speed, &Float64 { data: 2.5 });
    let files = registered(&mut stream);
    expect(&mut stream, b"\x03\x0b\0\0\0/car1/speed\x1e\0\0\0bridgehead.std_msgs.v1.Float64");
    expect(&mut stream, b"\x04\x0b\0\0\0/car1/speed\x09\0\0\0\x09\0\0\0\0\0\0\x04\x40");
    // The peer can read the message with nothing but the descriptors.
    let schema = Schema::new(set_of(&files), "bridgehead.std_msgs.v1.Float64");
    let mut json = Vec::new();
    let plan = JsonPlan::compile(&schema.resolve().expect("a complete descriptor"));
    plan.encode(&encode(&Float64 { data: 2.5 }), &mut json).expect("a message");
    assert_eq!(json, b"{\"data\":2.5}");
    bridge.disconnect().expect_done();
    assert_eq!(bridge.counts().delivered, 1);
}

#[test]
fn a_type_that_apollo_has_is_converted() {
    let peer = Peer::new();
    let mut bridge = TestBridge::<CyberRt>::connected(car(), &peer.address());
    let mut stream = peer.accept();
    let imu = bridge.advertise::<Imu>("imu", Qos::default()).expect("a publisher");
    bridge.publish(&imu, &Imu::default());
    assert_eq!(registered(&mut stream).len(), 2, "the file of the type after its import");
    expect(&mut stream, &framed(ADD_WRITER, "/car1/imu", b"apollo.drivers.gnss.Imu"));
    let frame = frame::read(&mut stream, |channel| channel == "/car1/imu").expect("a frame");
    let Frame::Publish { message, .. } = frame else { panic!("{frame:?}") };
    let found = super::schemas::apollo::drivers::gnss::Imu::decode(message.as_slice()).expect("an Imu");
    assert_eq!(found.header.and_then(|header| header.module_name).as_deref(), Some("bridgehead"));
    assert_eq!(found.measurement_time, Some(18.0 - 315_964_800.0));
}

#[test]
fn messages_of_the_peer_come_in() {
    let peer = Peer::new();
    let mut bridge = TestBridge::<CyberRt>::create(car());
    let control = bridge.subscribe::<VehicleControlData>("control", Qos::default()).expect("a subscriber");
    let speed = bridge.subscribe::<Float64>("speed", Qos::default()).expect("a subscriber");
    bridge.connect(&format!("{};steering_limit=0.8", peer.address())).expect_done();
    let mut stream = peer.accept();
    expect(&mut stream, &framed(ADD_READER, "/car1/control", b"apollo.control.ControlCommand"));
    expect(&mut stream, &framed(ADD_READER, "/car1/speed", b"bridgehead.std_msgs.v1.Float64"));
    let command = ControlCommand {
        throttle: Some(50.0),
        brake: Some(25.0),
        steering_target: Some(-50.0),
        gear_location: Some(GearPosition::GearReverse.into()),
        ..Default::default()
    };
    for message in [
        framed(PUBLISH, "/car1/other", b"x"),
        framed(PUBLISH, "/car1/control", b"\xff"),
        framed(PUBLISH, "/car1/speed", b"\xff"),
        framed(PUBLISH, "/car1/control", &command.encode_to_vec()),
        framed(PUBLISH, "/car1/speed", &encode(&Float64 { data: -1.0 })),
    ] {
        stream.write_all(&message).expect("a frame is sent");
    }
    assert_eq!(speed.wait_deliveries(1)[0].decode::<Float64>().data, -1.0);
    let delivered = control.wait_deliveries(1);
    assert_eq!(delivered.len(), 1);
    let found: VehicleControlData = delivered[0].decode();
    let pedals = (found.acceleration_pct, found.braking_pct, found.target_wheel_angle, found.target_gear);
    assert_eq!(pedals, (0.5, 0.25, -0.4, 2));
}

#[test]
fn a_new_connection_gets_all_announcements_again() {
    let peer = Peer::new();
    let mut bridge = TestBridge::<CyberRt>::create(car());
    let text = bridge.advertise::<Text>("text", Qos::default()).expect("a publisher");
    for word in ["one", "two"] {
        bridge.connect(&peer.address()).expect_done();
        let mut stream = peer.accept();
        assert!(!registered(&mut stream).is_empty());
        expect(&mut stream, &framed(ADD_WRITER, "/car1/text", b"bridgehead.std_msgs.v1.String"));
        let message = Text { data: word.to_owned() };
        bridge.publish(&text, &message);
        expect(&mut stream, &framed(PUBLISH, "/car1/text", &encode(&message)));
        drop(stream);
        bridge.wait_status(BridgeStatus::UnexpectedlyDisconnected);
        bridge.disconnect().expect_done();
        assert_eq!(bridge.status(), BridgeStatus::Disconnected);
    }
}

#[test]
fn a_peer_that_breaks_the_protocol_is_disconnected() {
    let long = |length: u32| length.to_le_bytes();
    let channel = framed(PUBLISH, "/a", &[]);
    for sent in [
        b"HTTP/1.1 400 Bad Request\r\n".to_vec(),
        [&[PUBLISH][..], &long(1025)].concat(),
        [&channel[..channel.len() - 4], &long((64 << 20) + 1)].concat(),
        [&channel[..channel.len() - 4], &long(u32::MAX)].concat(),
    ] {
        let peer = Peer::new();
        let bridge = TestBridge::<CyberRt>::connected(car(), &peer.address());
        peer.accept().write_all(&sent).expect("bytes are sent");
        bridge.wait_status(BridgeStatus::UnexpectedlyDisconnected);
    }
}

#[test]
fn a_peer_that_does_not_read_does_not_delay_the_end() {
    let peer = Peer::new();
    let mut bridge = TestBridge::<CyberRt>::connected(car(), &peer.address());
    let _stream = peer.accept();
    let image = bridge.advertise::<Image>("image", Qos::default()).expect("a publisher");
    bridge.publish(&image, &Image { data: vec![0; 32 << 20].into(), ..Default::default() });
    bridge.disconnect().expect_done();
    assert_eq!(bridge.counts().rejected, 1);
}

#[test]
fn descriptors_without_the_type_or_an_import_are_refused() {
    let schema = Float64::schema();
    for (set, text) in [
        (schema.descriptor_set().to_vec(), "no file declares `a.B`"),
        (b"\x0a\x0e\x0a\x01f\x12\x01a\x1a\x01g\x22\x03\x0a\x01B".to_vec(), "lacks the file `g`"),
        (vec![0xff], "the descriptor of `a.B`"),
    ] {
        let error = descriptors::closure(&set, "a.B").expect_err(text);
        assert!(error.text().contains(text), "{error}");
    }
}

#[test]
fn a_wrong_connection_string_is_refused() {
    for good in ["localhost", "127.0.0.1:9090", "::1", "[::1]:9090", "[::1]", "a:1;steering_limit=0.6"] {
        TestBridge::<CyberRt>::validate(good).expect_done();
    }
    for wrong in
        ["", ":9090", "host:0", "a b", "tcp://host", "[::1", "[::1]9090", "a;b", "a;steering_limit=0"]
    {
        let error = TestBridge::<CyberRt>::validate(wrong).expect_failed();
        assert!(error.text().starts_with("[EX-CRT-001] connection string: "), "{error}");
    }
}
