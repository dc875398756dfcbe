//! The bytes of messages that are written by their fields, and paths that are refused.

use super::*;
use crate::actuator_msgs::Actuators;
use crate::geometry_msgs::{Twist, TwistStamped};
use crate::sensor_msgs::{Image, JointState};
use crate::std_msgs::{Bool, Int32, String as Text};
use crate::trajectory_msgs::JointTrajectory;
use crate::{JsonPlan, Message};

fn written<M: Message>(fields: &[(&str, Option<&str>)], values: &[f64]) -> Vec<u8> {
    let message = M::schema().resolve().expect("a type");
    let writer = FieldsWriter::compile(&message, fields).expect("paths");
    let mut payload = Vec::new();
    writer.write(values, &mut payload).expect("values that fit");
    payload
}

fn of_json<M: Message>(json: &str) -> Vec<u8> {
    let mut payload = Vec::new();
    let plan = JsonPlan::compile(&M::schema().resolve().expect("a type"));
    plan.decode(json, &mut payload).expect("a message");
    payload
}

fn refusal<M: Message>(fields: &[(&str, Option<&str>)]) -> String {
    let message = M::schema().resolve().expect("a type");
    FieldsWriter::compile(&message, fields).expect_err("refused").to_string()
}

#[test]
fn the_bytes_are_those_of_a_json_text_with_the_same_fields() {
    let twist = [("angular.z", None), ("linear.x", None)];
    assert_eq!(
        written::<Twist>(&twist, &[-0.25, 0.5]),
        of_json::<Twist>(r#"{"linear":{"x":0.5},"angular":{"z":-0.25}}"#)
    );
    assert_eq!(
        written::<Twist>(&twist, &[0.0, 0.0]),
        of_json::<Twist>(r#"{"linear":{"x":0},"angular":{"z":0}}"#)
    );
    let stamped = [("header.frame_id", Some("base")), ("twist.linear.y", None)];
    assert_eq!(
        written::<TwistStamped>(&stamped, &[2.0]),
        of_json::<TwistStamped>(r#"{"header":{"frame_id":"base"},"twist":{"linear":{"y":2}}}"#)
    );
}

#[test]
fn elements_of_arrays_may_be_numbers_texts_and_messages() {
    let joints =
        [("name[0]", Some("slider")), ("name[1]", Some("hinge")), ("effort[1]", None), ("effort[0]", None)];
    assert_eq!(
        written::<JointState>(&joints, &[1.5, 2.5]),
        of_json::<JointState>(r#"{"name":["slider","hinge"],"effort":[2.5,1.5]}"#)
    );
    let points = [
        ("joint_names[0]", Some("arm")),
        ("points[1].positions[0]", None),
        ("points[1].time_from_start.sec", Some("2")),
    ];
    assert_eq!(
        written::<JointTrajectory>(&points, &[0.5]),
        of_json::<JointTrajectory>(
            r#"{"joint_names":["arm"],"points":[{},{"positions":[0.5],"time_from_start":{"sec":2}}]}"#
        )
    );
    assert_eq!(
        written::<Actuators>(&[("velocity[2]", None)], &[7.0]),
        of_json::<Actuators>(r#"{"velocity":[0,0,7]}"#)
    );
    assert_eq!(written::<Image>(&[("data[1]", None)], &[9.0]), of_json::<Image>(r#"{"data":"AAk="}"#));
}

#[test]
fn numbers_become_what_the_field_has() {
    assert_eq!(written::<Bool>(&[("data", None)], &[2.0]), of_json::<Bool>(r#"{"data":true}"#));
    assert_eq!(written::<Int32>(&[("data", None)], &[-3.0]), of_json::<Int32>(r#"{"data":-3}"#));
    assert_eq!(written::<Text>(&[("data", Some("go"))], &[]), of_json::<Text>(r#"{"data":"go"}"#));
    let message = Int32::schema().resolve().expect("a type");
    let writer = FieldsWriter::compile(&message, &[("data", None)]).expect("a path");
    assert_eq!(writer.inputs(), 1);
    for value in [0.5, f64::NAN, f64::INFINITY, 2_147_483_648.0] {
        let error = writer.write(&[value], &mut Vec::new()).expect_err("no integer").to_string();
        assert!(error.contains("at `data`") && error.contains("does not fit int32"), "{error}");
    }
}

#[test]
fn a_path_that_cannot_be_written_says_why() {
    assert!(refusal::<Twist>(&[("linear", None)]).contains("go on with one of `x`, `y`, `z`"));
    assert!(refusal::<Twist>(&[("linear.w", None)]).contains("has no field `w`; it has `x`, `y`, `z`"));
    assert!(refusal::<Twist>(&[("linear.x.y", None)]).contains("a single value has no fields"));
    assert!(refusal::<Twist>(&[("linear.x", None), ("linear.x", None)]).contains("given twice"));
    assert!(refusal::<JointState>(&[("effort", None)]).contains("write `effort[0]`"));
    assert!(refusal::<JointState>(&[("effort[70000]", None)]).contains("has 65536 elements"));
    assert!(refusal::<Twist>(&[("linear[0].x", None)]).contains("is not an array"));
    assert!(refusal::<Text>(&[("data", None)]).contains("a text, which must be given with its path"));
    assert!(refusal::<Int32>(&[("data", Some("many"))]).contains("many does not fit int32"));
}
