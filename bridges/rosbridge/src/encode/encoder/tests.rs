//! Messages in all forms.

use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::{JsonPlan, Message, all_schemas, sensor_msgs, std_msgs};

use super::*;
use crate::encode::image::from_image;

fn scan() -> sensor_msgs::LaserScan {
    sensor_msgs::LaserScan {
        header: Some(std_msgs::Header {
            stamp: Some(Time { sec: 5, nanosec: 7 }),
            frame_id: "a\"b".to_owned(),
        }),
        angle_min: -1.5,
        ranges: vec![1.0, f32::INFINITY, f32::NAN, 0.25],
        ..Default::default()
    }
}

fn publication<'a>(encoder: &'a Encoder, payload: &'a [u8], generation: Generation) -> Publication<'a> {
    Publication::new(encoder, "/scan", payload, 1_500_000_000, 42, generation)
}

fn text(frame: &Frame) -> String {
    // The debug form of a frame quotes its text.
    String::from_utf8(frame.to_bytes().to_vec()).expect("a text")
}

fn json(payload: &[u8], generation: Generation) -> serde_json::Value {
    let encoder = Encoder::new(&sensor_msgs::LaserScan::schema()).expect("an encoder");
    let frames = publication(&encoder, payload, generation).frames(Shape::default()).expect("frames");
    serde_json::from_str(&text(&frames[0])).expect("JSON")
}

#[test]
fn json_has_null_for_numbers_that_are_not_finite() {
    let value = json(&scan().encode_to_vec(), Generation::Two);
    assert_eq!((value["op"].as_str(), value["topic"].as_str()), (Some("publish"), Some("/scan")));
    let message = &value["msg"];
    assert_eq!(message["ranges"].to_string(), "[1.0,null,null,0.25]");
    assert_eq!(message["header"].to_string(), r#"{"stamp":{"sec":5,"nanosec":7},"frame_id":"a\"b"}"#);
    assert_eq!(
        (message["angle_min"].to_string(), message["angle_max"].to_string()),
        ("-1.5".into(), "0.0".into())
    );
}

#[test]
fn the_form_of_ros_1_has_its_names_of_times_and_a_number() {
    let value = json(&scan().encode_to_vec(), Generation::One);
    let expected = r#"{"seq":42,"stamp":{"secs":5,"nsecs":7},"frame_id":"a\"b"}"#;
    assert_eq!(value["msg"]["header"].to_string(), expected);
    let absent = json(&[], Generation::One);
    assert_eq!(absent["msg"]["header"]["stamp"].to_string(), r#"{"secs":0,"nsecs":0}"#);
}

/// The other encoder of JSON has the same values, except for what rosbridge writes as `null`.
#[test]
fn the_default_of_every_message_is_that_of_the_other_encoder() {
    for schema in all_schemas() {
        let encoder = Encoder::new(&schema).expect("an encoder");
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let form = Form { generation: Generation::Two, sequence: 0 };
        encoder.json(&[], form, &mut ours).expect("JSON");
        JsonPlan::compile(encoder.message()).encode(&[], &mut theirs).expect("JSON");
        assert_eq!(
            String::from_utf8_lossy(&ours),
            String::from_utf8_lossy(&theirs),
            "{}",
            schema.full_name()
        );
    }
}

#[test]
fn raw_cbor_has_the_stamp_and_the_cdr() {
    let encoder = Encoder::new(&std_msgs::Float64::schema()).expect("an encoder");
    let payload = std_msgs::Float64 { data: 0.5 }.encode_to_vec();
    let shape = Shape { compression: Compression::CborRaw, fragment: None };
    let frames = publication(&encoder, &payload, Generation::Two).frames(shape).expect("frames");
    let mut expected =
        b"\xa3\x62op\x67publish\x65topic\x65/scan\x63msg\xa3\x64secs\x01\x65nsecs\x1a".to_vec();
    expected.extend(500_000_000_u32.to_be_bytes());
    expected.extend(b"\x65bytes\x4c\0\x01\0\0\0\0\0\0\0\0\xe0\x3f");
    assert_eq!(*frames[0].to_bytes(), expected);
}

#[test]
fn cbor_has_typed_arrays() {
    let encoder = Encoder::new(&sensor_msgs::LaserScan::schema()).expect("an encoder");
    let payload = scan().encode_to_vec();
    let shape = Shape { compression: Compression::Cbor, fragment: None };
    let frames = publication(&encoder, &payload, Generation::Two).frames(shape).expect("frames");
    let bytes = frames[0].to_bytes();
    let mut ranges = b"\x66ranges\xd8\x55\x50".to_vec();
    scan().ranges.iter().for_each(|range| ranges.extend(range.to_le_bytes()));
    assert!(bytes.windows(ranges.len()).any(|part| part == ranges));
}

#[test]
fn images_and_fragments_carry_the_json() {
    let encoder = Encoder::new(&sensor_msgs::LaserScan::schema()).expect("an encoder");
    let payload = scan().encode_to_vec();
    let mut publication = publication(&encoder, &payload, Generation::Two);
    let plain = text(&publication.frames(Shape::default()).expect("frames")[0]);
    let png = Shape { compression: Compression::Png, fragment: None };
    let image: serde_json::Value =
        serde_json::from_str(&text(&publication.frames(png).expect("frames")[0])).expect("JSON");
    let found = from_image(image["data"].as_str().expect("data"), 1 << 20).expect("an image");
    assert_eq!(found.trim_end_matches('\n'), plain);
    let split = Shape { compression: Compression::None, fragment: Some(100) };
    let fragments = publication.frames(split).expect("frames");
    assert_eq!(fragments.len(), plain.len().div_ceil(100));
    assert_eq!(publication.made.len(), 3, "each form is made once");
    publication.frames(split).expect("frames");
    assert_eq!(publication.made.len(), 3);
}

#[test]
fn a_message_of_too_many_fragments_is_an_error() {
    let encoder = Encoder::new(&std_msgs::String::schema()).expect("an encoder");
    let payload = std_msgs::String { data: "x".repeat(2000) }.encode_to_vec();
    let mut publication = publication(&encoder, &payload, Generation::Two);
    let mut frames =
        |size| publication.frames(Shape { compression: Compression::None, fragment: Some(size) });
    assert_eq!(frames(1).expect_err("2000 fragments").code, LIMIT);
    assert!(frames(3).is_ok_and(|frames| frames.len() > 600));
}

#[test]
fn a_malformed_payload_is_an_error() {
    let encoder = Encoder::new(&sensor_msgs::LaserScan::schema()).expect("an encoder");
    for payload in [&[0xff][..], &[0x0a, 0x05, 0x00], &[0x0a], &[0x15, 0, 0], &[0x3a, 0x03, 0, 0, 0]] {
        let frames = publication(&encoder, payload, Generation::Two).frames(Shape::default());
        assert_eq!(frames.expect_err("malformed").code, ENCODING, "{payload:?}");
    }
}

#[test]
fn parts_of_a_message_are_merged() {
    let stamped = |stamp, frame_id: &str| sensor_msgs::LaserScan {
        header: Some(std_msgs::Header { stamp, frame_id: frame_id.to_owned() }),
        ..Default::default()
    };
    let time = |sec, nanosec| Some(Time { sec, nanosec });
    let parts = [stamped(time(1, 0), "a"), stamped(time(0, 7), ""), stamped(None, "b")];
    let payload: Vec<u8> = parts.iter().flat_map(|part| part.encode_to_vec()).collect();
    let header = &json(&payload, Generation::Two)["msg"]["header"];
    assert_eq!(header.to_string(), r#"{"stamp":{"sec":1,"nanosec":7},"frame_id":"b"}"#);
}

#[test]
fn numbers_of_32_bits_ignore_further_ones() {
    let encoder = Encoder::new(&Time::schema()).expect("an encoder");
    let form = Form { generation: Generation::Two, sequence: 0 };
    let json = |payload: &[u8]| {
        let mut json = Vec::new();
        encoder.json(payload, form, &mut json).expect("JSON");
        String::from_utf8(json).expect("a text")
    };
    // 2^32 + 5 in `sec`.
    assert_eq!(json(&[0x08, 0x85, 0x80, 0x80, 0x80, 0x10]), r#"{"sec":5,"nanosec":0}"#);
    assert_eq!(json(&Time { sec: -5, nanosec: 7 }.encode_to_vec()), r#"{"sec":-5,"nanosec":7}"#);
}
