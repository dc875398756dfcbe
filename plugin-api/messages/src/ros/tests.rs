//! ROS names and field types, one by one; whole messages are compared with golden files in `tests/`.

use super::{RosElement, RosInterface, RosTypeName, check_constant, full_msg_text, parse_field_type};
use crate::{Arity, Message, Wire, geometry_msgs::Twist};

#[test]
fn type_names_are_read_and_written() {
    let name = RosTypeName::parse("std_srvs/srv/SetBool_Request").unwrap();
    assert_eq!(
        (name.package(), name.interface(), name.name()),
        ("std_srvs", RosInterface::Srv, "SetBool_Request")
    );
    assert_eq!(name.to_string(), "std_srvs/srv/SetBool_Request");
    assert_eq!(name.dds(), "std_srvs::srv::dds_::SetBool_Request_");
    assert_eq!(name.short(), "std_srvs/SetBool_Request");
}

#[test]
fn wrong_type_names_say_why() {
    let cases = [
        ("LaserScan", "expected `package/msg/Name`"),
        ("a/b/C", "expected `msg`, `srv` or `action` in the middle, found `b`"),
        ("Sensor/msg/Imu", "package `Sensor` must be lowercase"),
        ("a__b/msg/Imu", "package `a__b` must be lowercase"),
        ("a/msg/imu", "`imu` must be an uppercase letter"),
        ("a/srv/SetBool", "must end in one of _Request, _Response"),
    ];
    for (text, expected) in cases {
        let cause = RosTypeName::parse(text).unwrap_err().to_string();
        assert!(cause.contains(expected), "{text}: {cause}");
    }
}

#[test]
fn field_types_follow_protobuf_unless_annotated() {
    let cases = [
        (Wire::Double, true, None, RosElement::Float64, Arity::Sequence),
        (Wire::Bytes, false, None, RosElement::Uint8, Arity::Sequence),
        (Wire::Sfixed64, false, None, RosElement::Int64, Arity::One),
        (Wire::Double, true, Some("float64[9]"), RosElement::Float64, Arity::Fixed(9)),
        (Wire::Bytes, false, Some("char[<=16]"), RosElement::Char, Arity::Bounded(16)),
        (Wire::Uint32, true, Some("uint8[]"), RosElement::Uint8, Arity::Sequence),
        (Wire::String, true, Some("string<=8[<=4]"), RosElement::BoundedString(8), Arity::Bounded(4)),
        (Wire::String, true, Some("[4]"), RosElement::String, Arity::Fixed(4)),
    ];
    for (wire, repeated, text, element, arity) in cases {
        assert_eq!(parse_field_type(wire, repeated, text), Ok((element, arity)), "{text:?}");
    }
}

#[test]
fn field_types_that_do_not_fit_say_why() {
    let cases = [
        (Wire::Float, false, "float64", "a protobuf `float` cannot carry `float64`"),
        (Wire::Int32, false, "uint8", "cannot carry `uint8`"),
        (Wire::Int64, false, "int8", "cannot carry `int8`"),
        (Wire::Bytes, false, "int8[]", "cannot carry `int8`"),
        (Wire::Uint32, true, "uint8", "write `uint8[]` or a length"),
        (Wire::Uint32, false, "uint8[4]", "make it `repeated`"),
        (Wire::Bytes, true, "uint8[]", "an array of arrays"),
        (Wire::Double, true, "float64[0]", "`0` is not a length"),
        (Wire::Double, true, "float64[9", "missing `]`"),
        (Wire::Double, true, "quad[9]", "`quad` is not a ROS element type"),
    ];
    for (wire, repeated, text, expected) in cases {
        let cause = parse_field_type(wire, repeated, Some(text)).unwrap_err().to_string();
        assert!(cause.contains(expected), "{text}: {cause}");
    }
}

#[test]
fn constants_are_checked_against_their_type() {
    assert_eq!(check_constant("uint8 INT8=1"), Ok(()));
    assert_eq!(check_constant("float64 HALF = 0.5"), Ok(()));
    for (line, expected) in [
        ("uint8 INT8", "expected `type NAME=value`"),
        ("uint8 BIG=256", "`256` is not a value of uint8"),
        ("uint8 small=1", "`small` must be uppercase"),
        ("real X=1", "`real` is not a ROS element type"),
    ] {
        let cause = check_constant(line).unwrap_err().to_string();
        assert!(cause.contains(expected), "{line}: {cause}");
    }
}

#[test]
fn full_text_appends_what_is_contained() {
    let text = full_msg_text(&Twist::schema().resolve().unwrap());
    let expected = format!(
        "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n{}\nMSG: geometry_msgs/Vector3\n\
         float64 x\nfloat64 y\nfloat64 z\n",
        "=".repeat(80)
    );
    assert_eq!(text, expected);
}
