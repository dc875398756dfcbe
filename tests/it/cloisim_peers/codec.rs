//! Tests that compare the bridge's messages with protobuf's compiler and runtime: random messages byte for byte, and
//! every field by its number, type and name.

use bridgehead_bridge_cloisim::msgs;
use prost::Message;

use super::peer::{Peer, proto, python};
use crate::support::root;

/// Number of messages of each type.
const MESSAGES: &str = "40";

/// Decodes a message and encodes it again.
#[track_caller]
fn again<M: Message + Default>(bytes: &[u8]) -> Vec<u8> {
    M::decode(bytes).expect("a message").encode_to_vec()
}

/// Does the same for a message by its name; `None` if the bridge has no such type.
#[track_caller]
fn recode(name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let again = match name {
        "Any" => again::<msgs::Any>,
        "Battery" => again::<msgs::Battery>,
        "CameraSensor" => again::<msgs::CameraSensor>,
        "Contact" => again::<msgs::Contact>,
        "Contacts" => again::<msgs::Contacts>,
        "Distortion" => again::<msgs::Distortion>,
        "Double" => again::<msgs::Double>,
        "Entity" => again::<msgs::Entity>,
        "Float_V" => again::<msgs::FloatV>,
        "Header" => again::<msgs::Header>,
        "Header.Map" => again::<msgs::header::Map>,
        "IMU" => again::<msgs::Imu>,
        "JointCmd" => again::<msgs::JointCmd>,
        "JointCmd_V" => again::<msgs::JointCmdV>,
        "JointState" => again::<msgs::JointState>,
        "JointState_V" => again::<msgs::JointStateV>,
        "JointWrench" => again::<msgs::JointWrench>,
        "Joystick" => again::<msgs::Joystick>,
        "LaserScan" => again::<msgs::LaserScan>,
        "LogicalCameraImage" => again::<msgs::LogicalCameraImage>,
        "LogicalCameraImage.Model" => again::<msgs::logical_camera_image::Model>,
        "LogicalCameraSensor" => again::<msgs::LogicalCameraSensor>,
        "Micom" => again::<msgs::Micom>,
        "Micom.Bumper" => again::<msgs::micom::Bumper>,
        "Micom.Magnet" => again::<msgs::micom::Magnet>,
        "Micom.Odometry" => again::<msgs::micom::Odometry>,
        "Micom.Odometry.Wheel" => again::<msgs::micom::odometry::Wheel>,
        "Micom.Range" => again::<msgs::micom::Range>,
        "NavSatWithCovariance" => again::<msgs::NavSatWithCovariance>,
        "PID" => again::<msgs::Pid>,
        "Param" => again::<msgs::Param>,
        "Perception" => again::<msgs::Perception>,
        "Perception_V" => again::<msgs::PerceptionV>,
        "Pose" => again::<msgs::Pose>,
        "Quaternion" => again::<msgs::Quaternion>,
        "Sonar" => again::<msgs::Sonar>,
        "Time" => again::<msgs::Time>,
        "Twist" => again::<msgs::Twist>,
        "Vector2d" => again::<msgs::Vector2d>,
        "Vector3d" => again::<msgs::Vector3d>,
        "WorldStatistics" => again::<msgs::WorldStatistics>,
        "Wrench" => again::<msgs::Wrench>,
        _ => return None,
    };
    Some(again(bytes))
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[track_caller]
fn from_hex(text: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("two digits");
    (0..text.len()).step_by(2).map(digit).collect()
}

#[test]
fn messages_of_every_type_are_decoded_and_encoded_as_protobuf_does() {
    let Some(python) = python() else { return };
    let mut peer = Peer::start(&python, "codec.py", &[&proto(), "20211", MESSAGES]);
    let summary = loop {
        let received = peer.receive();
        let Some(name) = received["type"].as_str() else { break received };
        let bytes = from_hex(received["hex"].as_str().expect("a text"));
        let written =
            recode(name, &bytes).unwrap_or_else(|| panic!("the type {name} is missing in `recode`"));
        peer.send_line(&to_hex(&written));
    };
    assert_eq!([&summary["types"], &summary["messages"]], [&42, &(42 * 40)], "{summary}");
    peer.finish();
}

#[test]
fn every_field_equals_that_of_clients() {
    let Some(python) = python() else { return };
    let table = root().join("tests/it/cloisim_peers/fields.txt");
    let peer = Peer::start(&python, "fields.py", &[&proto(), &table.display().to_string()]);
    let summary = peer.finish();
    assert_eq!([&summary["messages"], &summary["fields"]], [&42, &210], "{summary}");
}
