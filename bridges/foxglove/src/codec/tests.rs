//! Every type of the host in every encoding, and what clients may write instead.

use bridgehead_plugin_api::messages::geometry_msgs::{Twist, TwistStamped, Vector3};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::LaserScan;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::messages::{Message, all_schemas};
use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn codec<M: Message>() -> Codec {
    Codec::new(M::schema())
}

fn twist() -> Twist {
    Twist { linear: Some(Vector3::new(0.5, 0.0, 0.0)), angular: Some(Vector3::new(0.0, 0.0, -0.25)) }
}

#[test]
fn every_type_of_the_host_has_a_schema_in_every_encoding() {
    for schema in all_schemas() {
        let codec = Codec::new(schema);
        for (encoding, schema_encoding) in
            [(Encoding::Cdr, "ros2msg"), (Encoding::Json, "jsonschema"), (Encoding::Protobuf, "protobuf")]
        {
            let definition = codec.definition(encoding);
            assert_eq!((definition.encoding, definition.schema_encoding), (encoding, schema_encoding));
            assert!(!definition.schema.is_empty(), "{} in {encoding:?}", codec.full_name());
        }
    }
}

#[test]
fn a_default_message_of_every_type_survives_every_encoding() {
    for schema in all_schemas() {
        let codec = Codec::new(schema);
        for encoding in ENCODINGS {
            let mut bytes = Vec::new();
            codec.encode(encoding, &[], &mut bytes).expect("a message");
            let payload = codec.decode(encoding, &bytes).expect("the same message");
            let mut again = Vec::new();
            codec.encode(encoding, &payload, &mut again).expect("a message");
            assert_eq!(again, bytes, "{} in {encoding:?}", codec.full_name());
        }
    }
}

#[test]
fn viewers_recognize_the_names_and_texts_of_ros() {
    let definition = codec::<LaserScan>().definition(Encoding::Cdr);
    assert_eq!(definition.schema_name, "sensor_msgs/msg/LaserScan");
    assert!(
        definition.schema.starts_with("std_msgs/Header header\nfloat32 angle_min\n"),
        "{}",
        definition.schema
    );
    assert!(definition.schema.contains("\nMSG: std_msgs/Header\n"), "{}", definition.schema);
}

#[test]
fn a_json_schema_has_all_members_with_their_types() {
    let definition = codec::<LaserScan>().definition(Encoding::Json);
    let schema: Value = serde_json::from_str(&definition.schema).expect("JSON");
    assert_eq!(schema["title"], "sensor_msgs/msg/LaserScan");
    let properties = &schema["properties"];
    assert_eq!(properties["angle_min"]["type"], "number");
    assert_eq!(properties["ranges"]["items"]["type"], "number");
    assert_eq!(properties["header"]["properties"]["frame_id"]["type"], "string");
    assert_eq!(properties["header"]["properties"]["stamp"]["properties"]["nanosec"]["type"], "integer");
}

#[test]
fn a_type_is_known_by_its_ros_names_and_its_protobuf_name() {
    let codec = codec::<Twist>();
    for name in ["", "geometry_msgs/msg/Twist", "geometry_msgs/Twist", "bridgehead.geometry_msgs.v1.Twist"] {
        assert!(codec.has_name(name), "{name}");
    }
    for name in ["Twist", "geometry_msgs/msg/TwistStamped", "geometry_msgs.msg.Twist"] {
        assert!(!codec.has_name(name), "{name}");
    }
    assert_eq!(codec.type_name(), "geometry_msgs/msg/Twist");
}

#[test]
fn a_message_is_the_same_in_all_encodings() {
    let (codec, payload) = (codec::<Twist>(), twist().encode_to_vec());
    for encoding in ENCODINGS {
        let mut bytes = b"before".to_vec();
        codec.encode(encoding, &payload, &mut bytes).expect("a message");
        let decoded = codec.decode(encoding, &bytes[6..]).expect("a message");
        assert_eq!(Twist::decode(&*decoded), Ok(twist()), "{encoding:?}");
    }
}

#[test]
fn json_of_viewers_has_other_times_and_may_lack_members() {
    let codec = codec::<TwistStamped>();
    let text = br#"{"header": {"stamp": {"sec": 3, "nsec": 5}, "frame_id": "a"}}"#;
    let decoded = codec.decode(Encoding::Json, text).expect("a message");
    let message = TwistStamped::decode(&*decoded).expect("a message");
    assert_eq!(message.header, Some(Header::new(3_000_000_005, "a")));
    let reason = codec.decode(Encoding::Json, br#"{"speed": 1, "stamp": {"sec": 1, "nsec": 1}}"#);
    assert!(reason.is_err_and(|reason| reason.contains("speed")));
}

#[test]
fn a_type_that_ros_cannot_express_is_protobuf() {
    let codec = Codec::new(Schema::new(vec![0xff, 0xff], "other.Kind"));
    assert_eq!(codec.available(Encoding::Cdr), Encoding::Protobuf);
    let definition = codec.definition(Encoding::Json);
    assert_eq!((definition.encoding, definition.schema.as_str()), (Encoding::Protobuf, "//8="));
    assert_eq!(codec.decode(Encoding::Protobuf, &[1, 2]), Ok(vec![1, 2]));
    assert!(codec.decode(Encoding::Cdr, &[1, 2]).is_err());
    assert!(codec.encode(Encoding::Json, &[], &mut Vec::new()).is_err());
}

proptest! {
    #[test]
    fn bytes_of_clients_are_a_message_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for encoding in ENCODINGS {
            drop(codec::<LaserScan>().decode(encoding, &bytes));
        }
    }
}
