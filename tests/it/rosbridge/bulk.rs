//! Messages of a million bytes: all of them arrive, and a client that does not read costs neither memory nor the messages of
//! others.

use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::Message;

use super::client::Kind;
use super::socket::Socket;
use super::stage::Stage;
use crate::support::{Setup, eventually, is_loaded, is_quiet, vehicle, world};

/// Pictures of a million bytes, fifty times a second.
const CAMERA: &str = "<model name='car1'><static>true</static><link name='mast'>\
    <sensor name='big' type='depth_camera'><update_rate>50</update_rate><camera><horizontal_fov>1</horizontal_fov>\
    <image><width>500</width><height>500</height><format>R_FLOAT32</format></image>\
    <clip><near>0.1</near><far>10</far></clip></camera></sensor></link></model>";
/// Bytes of the CDR of a picture: the encapsulation, the header and so on, and the pixels.
const PIXELS: usize = 1_000_000;
/// How much the memory of the host may grow for a client that does not read: its backlog of 8 MB, and what is on its way.
const MEMORY_KIB: u64 = 48_000;

fn stage(options: &str) -> Stage {
    Stage::with(Setup::new().fixtures(&["big_picture"]).in_real_time().world(&world(CAMERA)), options)
}

fn subscribe(stage: &Stage) -> Socket {
    let mut socket = stage.socket();
    let topic = "/car1/big/image_raw";
    socket.send(
        &json!({"op": "subscribe", "topic": topic, "type": "sensor_msgs/Image", "compression": "cbor-raw"}),
    );
    socket
}

/// The stamp of the next picture in nanoseconds, after its size is checked.
#[track_caller]
fn picture(socket: &mut Socket) -> u64 {
    let Message::Binary(bytes) = socket.frame() else { panic!("no binary frame") };
    assert!((PIXELS..PIXELS + 300).contains(&bytes.len()), "{} bytes", bytes.len());
    let after = |name: &[u8]| {
        let at = bytes[..200].windows(name.len()).position(|part| part == name).expect("a member");
        cbor_number(&bytes[at + name.len()..])
    };
    after(b"\x64secs") * 1_000_000_000 + after(b"\x65nsecs")
}

/// The number at the beginning of CBOR.
fn cbor_number(bytes: &[u8]) -> u64 {
    let width = match bytes[0] {
        small @ 0..24 => return small.into(),
        head @ 0x18..=0x1b => 1 << (head - 0x18),
        other => panic!("{other:x} is no number"),
    };
    bytes[1..=width].iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

#[test]
fn no_message_of_a_million_bytes_is_lost() {
    let stage = stage("");
    let mut socket = subscribe(&stage);
    let stamps: Vec<u64> = (0..150).map(|_| picture(&mut socket)).collect();
    let is_next = |pair: &[u64]| pair[1] - pair[0] == 20_000_000;
    assert!(stamps.windows(2).all(is_next) || is_loaded(), "{stamps:?}");
    stage.finish();
}

/// The numbers of a cloud in the first bytes of its CDR, as roslib gives them: its stamp, and its width, which counts the
/// clouds.
#[track_caller]
fn numbers_of(cloud: &Value) -> (u64, u64) {
    let bytes = cloud["bytes"]["values"].as_array().expect("a list");
    let byte = |at: usize| bytes[at].as_str().and_then(|text| text.parse::<u64>().ok()).expect("a byte");
    let number = |at: usize| (0..4).rev().fold(0, |value, offset| value << 8 | byte(at + offset));
    // The encapsulation, the stamp, the length and the text of the frame with padding, the height.
    let stamp_ns = number(4) * 1_000_000_000 + number(8);
    (stamp_ns, number(4 + 8 + 4 + 8 + 4))
}

#[test]
fn no_cloud_of_a_million_bytes_is_lost_by_roslib() {
    let plugin =
        "<plugin filename='cloud' name='cloud'><bytes>1000000</bytes><update_rate>10</update_rate></plugin>";
    let setup = Setup::new().fixtures(&["cloud"]).in_real_time();
    let stage = Stage::with(setup.world(&world(&vehicle("car1", plugin))), "");
    let Some(client) = stage.client(Kind::Node) else { return };
    let command = json!({"topic": "/car1/points", "type": "sensor_msgs/PointCloud2", "compression": "cbor-raw",
        "count": 150});
    let clouds = client.command("collect", command)["messages"].clone();
    let clouds = clouds.as_array().expect("a list");
    assert_eq!(clouds.len(), 150);
    for cloud in clouds {
        let size = cloud["bytes"]["length"].as_u64().expect("a number");
        assert!((1_000_000..1_000_100).contains(&size), "{size} bytes");
    }
    let numbers: Vec<(u64, u64)> = clouds.iter().map(numbers_of).collect();
    let is_next = |pair: &[(u64, u64)]| pair[1] == (pair[0].0 + 100_000_000, pair[0].1 + 1);
    assert!(numbers.windows(2).all(is_next) || is_loaded(), "{numbers:?}");
    drop(client);
    stage.finish();
}

#[test]
fn a_client_that_does_not_read_is_bounded_and_alone() {
    let stage = stage("backlog_mb=8");
    let mut good = subscribe(&stage);
    picture(&mut good);
    let before = stage.host.process_status("VmRSS");
    stage.host.ok("reset_statistics", json!({}));
    let mut stalled = subscribe(&stage);
    stalled.send(&json!({"op": "set_level", "level": "info"}));
    let mut stamps = Vec::new();
    for _ in 0..200 {
        stamps.push(picture(&mut good));
    }
    let now = stage.host.process_status("VmRSS");
    assert!(now < before + MEMORY_KIB, "memory grew from {before} KiB to {now} KiB");
    assert!(stamps.windows(2).all(|pair| pair[1] - pair[0] == 20_000_000) || !is_quiet(), "{stamps:?}");
    eventually("the losses are counted", || {
        let bridges = stage.host.ok("get_bridges", json!({}));
        bridges["bridges"].as_array().expect("a list").iter().any(|bridge| bridge["lost"].as_u64() > Some(0))
    });
    // It is told of its own losses when it reads again, unless it was disconnected for its silence before.
    stalled.0.get_mut().set_read_timeout(Some(Duration::from_secs(10))).expect("a time limit");
    let is_told = |stalled: &mut Socket| match stalled.0.read() {
        Ok(Message::Text(text)) => text.contains("BH-RBR-006"),
        Ok(_) => false,
        Err(_) => true,
    };
    assert!((0..1000).any(|_| is_told(&mut stalled)));
    stage.host.signal(libc::SIGTERM);
    stage.host.finish().expect_code(0).expect_message(&["BH-RBR-006", "reads too slowly"]);
}
