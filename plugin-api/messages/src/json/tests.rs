//! What the JSON looks like, what is refused and where; random payloads are in `tests/codecs/json.rs`.

use prost::Message as _;

use crate::geometry_msgs::{Quaternion, TransformStamped, Vector3};
use crate::sensor_msgs::{Imu, JointState, LaserScan, PointCloud2, PointField};
use crate::std_msgs::{Float64, Header, String as Text};
use crate::tf2_msgs::TfMessage;
use crate::{JsonPlan, Message};

fn plan<M: Message>() -> JsonPlan {
    JsonPlan::compile(&M::schema().resolve().unwrap())
}

fn json_of<M: Message>(payload: &[u8]) -> String {
    let mut json = Vec::new();
    plan::<M>().encode(payload, &mut json).unwrap();
    String::from_utf8(json).unwrap()
}

fn read<M: Message>(json: &str) -> M {
    let mut payload = Vec::new();
    plan::<M>().decode(json, &mut payload).unwrap();
    M::decode(payload.as_slice()).unwrap()
}

#[track_caller]
fn assert_refused<M: Message>(json: &str, code: &str, text: &str) {
    let mut payload = vec![1, 2, 3];
    let error = plan::<M>().decode(json, &mut payload).unwrap_err();
    assert_eq!((error.code(), payload.as_slice()), (code, [1, 2, 3].as_slice()), "{error}");
    assert!(error.to_string().contains(text), "`{text}` in: {error}");
}

#[track_caller]
fn assert_payload_refused<M: Message>(payload: &[u8], code: &str, text: &str) {
    let mut json = b"kept".to_vec();
    let error = plan::<M>().encode(payload, &mut json).unwrap_err();
    assert_eq!((error.code(), json.as_slice()), (code, b"kept".as_slice()), "{error}");
    assert!(error.to_string().contains(text), "`{text}` in: {error}");
}

#[test]
fn doubles_are_the_same_whether_all_of_them_come_in_order_or_not() {
    let whole = Vector3 { x: 1.0, y: -0.5, z: f64::NAN }.encode_to_vec();
    let json = r#"{"x":1.0,"y":-0.5,"z":"NaN"}"#;
    assert_eq!(json_of::<Vector3>(&whole), json);
    let fields: Vec<&[u8]> = whole.chunks(9).collect();
    let reversed: Vec<u8> = fields.iter().rev().flat_map(|field| field.iter().copied()).collect();
    assert_eq!(json_of::<Vector3>(&reversed), json);
    // A fourth field, which the type has not, and one that is there twice, of which the last counts.
    let unknown = [whole.as_slice(), &[0x21, 1, 2, 3, 4, 5, 6, 7, 8]].concat();
    assert_eq!(json_of::<Vector3>(&unknown), json);
    let twice = [fields[1], fields[0], fields[1]].concat();
    assert_eq!(json_of::<Vector3>(&twice), r#"{"x":1.0,"y":-0.5,"z":0.0}"#);
    assert_eq!(json_of::<Vector3>(fields[2]), r#"{"x":0.0,"y":0.0,"z":"NaN"}"#);
    assert_payload_refused::<Vector3>(&whole[..whole.len() - 1], "BH-MSG-020", "cut short");
}

#[test]
fn every_field_is_present_in_declared_order() {
    assert_eq!(
        json_of::<TransformStamped>(&[]),
        r#"{"header":{"stamp":{"sec":0,"nanosec":0},"frame_id":""},"child_frame_id":"","transform":{"translation":{"x":0.0,"y":0.0,"z":0.0},"rotation":{"x":0.0,"y":0.0,"z":0.0,"w":0.0}}}"#
    );
    let scan = LaserScan {
        header: Some(Header::new(-1, "lidar")),
        angle_max: 0.1,
        ranges: vec![1.5],
        ..LaserScan::default()
    };
    assert_eq!(
        json_of::<LaserScan>(&scan.encode_to_vec()),
        r#"{"header":{"stamp":{"sec":-1,"nanosec":999999999},"frame_id":"lidar"},"angle_min":0.0,"angle_max":0.1,"angle_increment":0.0,"time_increment":0.0,"scan_time":0.0,"range_min":0.0,"range_max":0.0,"ranges":[1.5],"intensities":[]}"#
    );
}

#[test]
fn absent_fixed_arrays_are_zeros() {
    let zeros = "[0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0]";
    assert!(json_of::<Imu>(&[]).contains(&format!(r#""orientation_covariance":{zeros},"angular"#)));
    // An empty packed field, which no prost encoder writes.
    assert!(json_of::<Imu>(&[0x1a, 0x00]).contains(&format!(r#""orientation_covariance":{zeros},"angular"#)));
}

#[test]
fn numbers_are_shortest_and_not_finite_ones_are_strings() {
    // By hand, since prost leaves negative zero out.
    let text = |data: f64| json_of::<Float64>(&[&[0x09], data.to_le_bytes().as_slice()].concat());
    for (value, expected) in [
        (0.1, "0.1"),
        (-0.0, "-0.0"),
        (1e300, "1e+300"),
        (5e-324, "5e-324"),
        (123_456_789.0, "123456789.0"),
        (f64::NAN, "\"NaN\""),
        (f64::INFINITY, "\"Infinity\""),
        (f64::NEG_INFINITY, "\"-Infinity\""),
    ] {
        let json = text(value);
        assert_eq!(json, format!("{{\"data\":{expected}}}"));
        let back = read::<Float64>(&json).data;
        assert!(
            back.to_bits() == value.to_bits() || back.is_nan() && value.is_nan(),
            "{value} became {back}"
        );
    }
}

#[test]
fn strings_are_escaped_and_read_back() {
    for data in ["", "a\"b\\c/\n\r\t\u{1}\u{7f}", "Straße 漢字 🚗", "\u{0}"] {
        let json = json_of::<Text>(&Text { data: data.to_owned() }.encode_to_vec());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["data"], data);
        assert_eq!(read::<Text>(&json).data, data);
    }
    assert_eq!(read::<Text>(r#"{"data":"\ud83d\ude97\u00e9\/\b\f"}"#).data, "🚗é/\u{8}\u{c}");
}

#[test]
fn bytes_are_base64_and_lists_are_read_too() {
    let cloud = PointCloud2 { data: vec![0, 1, 255, 7].into(), ..PointCloud2::default() };
    let json = json_of::<PointCloud2>(&cloud.encode_to_vec());
    assert!(json.contains(r#""data":"AAH/Bw==","is_dense":false}"#), "{json}");
    assert_eq!(
        read::<PointCloud2>(&json),
        PointCloud2 { header: read::<PointCloud2>(&json).header, ..cloud.clone() }
    );
    assert_eq!(read::<PointCloud2>(r#"{"data":[0,1,255,7]}"#), cloud);
}

#[test]
fn an_imu_comes_back_whole() {
    let imu = Imu {
        header: Some(Header::new(1, "imu")),
        orientation: Some(Quaternion::IDENTITY),
        orientation_covariance: (0..9).map(f64::from).collect(),
        angular_velocity: Some(Vector3::new(0.1, -0.2, 1e-9)),
        angular_velocity_covariance: vec![-1.0; 9],
        linear_acceleration: Some(Vector3::new(0.0, 0.0, 9.81)),
        linear_acceleration_covariance: vec![0.0; 9],
    };
    assert_eq!(read::<Imu>(&json_of::<Imu>(&imu.encode_to_vec())), imu);
}

#[test]
fn order_repetition_packing_and_unknown_fields_do_not_matter() {
    let joints =
        JointState { name: vec!["a".into(), "b".into()], position: vec![1.0, 2.0], ..JointState::default() };
    let whole = joints.encode_to_vec();
    let one = f64::to_le_bytes(1.0);
    let two = f64::to_le_bytes(2.0);
    // position[0] unpacked, name "a", unknown field 15, position[1] packed, name "b".
    let pieces: [&[u8]; 6] = [&[0x19], &one, &[0x12, 1, b'a', 0x78, 5, 0x1a, 8], &two, &[0x12, 1, b'b'], &[]];
    assert_eq!(json_of::<JointState>(&pieces.concat()), json_of::<JointState>(&whole));
}

#[test]
fn the_last_scalar_wins_and_pieces_of_a_message_merge() {
    // header.frame_id = "a", then header.stamp.sec = 1, then header.frame_id = "b" in a third piece.
    let pieces = [0x0a, 3, 0x12, 1, b'a', 0x0a, 4, 0x0a, 2, 0x08, 1, 0x0a, 3, 0x12, 1, b'b'];
    let expected = JointState::decode(pieces.as_slice()).unwrap();
    assert_eq!(expected.header.as_ref().unwrap().frame_id, "b");
    assert_eq!(json_of::<JointState>(&pieces), json_of::<JointState>(&expected.encode_to_vec()));
}

#[test]
fn errors_in_a_payload_say_where() {
    let edges = TfMessage {
        transforms: vec![
            TransformStamped::default(),
            TransformStamped { header: Some(Header::new(0, "odom")), ..TransformStamped::default() },
        ],
    };
    let mut payload = edges.encode_to_vec();
    let at = payload.len() - 4;
    payload[at] = 0xff;
    assert_payload_refused::<TfMessage>(
        &payload,
        "BH-MSG-023",
        "at `transforms[1].header.frame_id`: the string is not UTF-8",
    );

    let wide = PointField { datatype: 300, ..PointField::default() };
    assert_payload_refused::<PointField>(
        &wide.encode_to_vec(),
        "BH-MSG-024",
        "at `datatype`: 300 does not fit uint8",
    );
    let short = Imu { orientation_covariance: vec![1.0; 8], ..Imu::default() };
    assert_payload_refused::<Imu>(
        &short.encode_to_vec(),
        "BH-MSG-025",
        "length is 8, the ROS type allows exactly 9",
    );
    assert_payload_refused::<Float64>(&[0x09, 1, 2], "BH-MSG-020", "cut short");
    assert_payload_refused::<Float64>(&[0x08, 1], "BH-MSG-022", "wire type 0, which does not fit double");
    assert_payload_refused::<Float64>(&[0x0b], "BH-MSG-021", "group");
    // A scalar where a message belongs stays an error when the fields are out of order.
    assert_payload_refused::<Imu>(&[0x12, 0, 0x08, 1], "BH-MSG-022", "does not fit message");
}

#[test]
fn errors_in_a_text_say_where() {
    assert_refused::<Imu>(
        r#"{"header":{"stamp":{"sec":1.5}}}"#,
        "BH-MSG-033",
        "at `header.stamp.sec`: expected an integer",
    );
    assert_refused::<Imu>(
        r#"{"header":{"seq":1}}"#,
        "BH-MSG-031",
        "at `header.seq`: `bridgehead.std_msgs.v1.Header` has no field of this name; it has stamp, frame_id",
    );
    assert_refused::<Float64>(r#"{"data":1,"data":2}"#, "BH-MSG-032", "at `data`: the field is given twice");
    assert_refused::<PointField>(r#"{"datatype":256}"#, "BH-MSG-024", "256 does not fit uint8");
    assert_refused::<PointField>(r#"{"offset":-1}"#, "BH-MSG-024", "-1 does not fit uint32");
    assert_refused::<PointField>(
        &format!(r#"{{"offset":{}}}"#, "9".repeat(60)),
        "BH-MSG-024",
        "does not fit uint32",
    );
    assert_refused::<PointField>(
        &format!(r#"{{"offset":-{}}}"#, "9".repeat(60)),
        "BH-MSG-024",
        "does not fit uint32",
    );
    assert_refused::<LaserScan>(r#"{"ranges":[1,"x"]}"#, "BH-MSG-033", "at `ranges[1]`: expected a number");
    assert_refused::<LaserScan>(r#"{"range_max":1e39}"#, "BH-MSG-024", "1e39 does not fit float32");
    assert_refused::<Imu>(r#"{"orientation_covariance":[1,2]}"#, "BH-MSG-025", "exactly 9");
    assert_refused::<PointCloud2>(r#"{"data":"AA=A"}"#, "BH-MSG-034", "at `data`: the string is not base64");
    assert_refused::<PointCloud2>(
        r#"{"data":[1,256]}"#,
        "BH-MSG-024",
        "at `data[1]`: 256 does not fit uint8",
    );
    assert_refused::<Imu>(r#"{"header":null}"#, "BH-MSG-033", "at `header`: expected an object, found null");
    assert_refused::<Text>("[]", "BH-MSG-033", "expected an object, found an array at byte 0");
}

#[test]
fn text_that_is_no_json_is_refused() {
    for json in [
        "",
        "{",
        "{}x",
        r#"{"data"}"#,
        r#"{"data":"a}"#,
        r#"{"data":"a",}"#,
        r#"{"data":"\x"}"#,
        r#"{"data":"\ud800"}"#,
        r#"{"data":"\ud800\u0041"}"#,
        r#"{"data":"\u+123"}"#,
        "{\"data\":\"a\nb\"}",
        "{\"data\":\"a\u{0}\"}",
        "{\"data\":\"\\ß\"}",
    ] {
        assert!(serde_json::from_str::<serde_json::Value>(json).is_err(), "{json}");
        let mut payload = Vec::new();
        let error = plan::<Text>().decode(json, &mut payload).unwrap_err();
        assert!(matches!(error.code(), "BH-MSG-030" | "BH-MSG-033"), "{json}: {error}");
    }
    for number in ["01", "1.", ".5", "-", "1e", "+1", "0x1", "1.e3", "--1", "NaN", "tru"] {
        assert!(
            plan::<Float64>().decode(&format!("{{\"data\":{number}}}"), &mut Vec::new()).is_err(),
            "{number}"
        );
    }
}

#[test]
fn null_is_read_as_nan() {
    let scan: LaserScan = read(r#" { "ranges" : [ 1 , null ] } "#);
    assert!(scan.ranges[0] == 1.0 && scan.ranges[1].is_nan());
}
