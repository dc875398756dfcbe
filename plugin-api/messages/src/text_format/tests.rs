//! Messages as people write them, and texts that are none.

use crate::geometry_msgs::{PoseArray, Twist};
use crate::std_msgs::{Bool, Empty, Float64MultiArray};
use crate::{JsonPlan, Message};

fn decode<T: Message>(text: &str) -> Result<T, String> {
    let plan = JsonPlan::compile(&T::schema().resolve().map_err(|error| error.to_string())?);
    let mut payload = Vec::new();
    plan.decode_text(text, &mut payload).map_err(|error| error.to_string())?;
    T::decode(payload.as_slice()).map_err(|error| error.to_string())
}

#[test]
fn nested_messages_with_and_without_colons_commas_and_comments() {
    for text in [
        "linear: {x: 0.5} angular: {z: -1}",
        "linear { x: .5, }; # fast\n angular < z: -1.0f >",
        " linear:{x:5e-1}\n\nangular:{z:-1}",
    ] {
        let twist: Twist = decode(text).expect(text);
        assert_eq!(
            (twist.linear.map(|v| v.x), twist.angular.map(|v| v.z)),
            (Some(0.5), Some(-1.0)),
            "{text}"
        );
    }
}

#[test]
fn an_empty_text_is_a_message_of_defaults() {
    assert_eq!(decode::<Twist>(" \n "), Ok(Twist::default()));
    assert_eq!(decode::<Empty>(""), Ok(Empty {}));
    assert_eq!(decode("data: true"), Ok(Bool { data: true }));
    assert_eq!(decode("data: 0"), Ok(Bool { data: false }));
}

#[test]
fn lists_may_be_written_at_once_or_field_by_field() {
    let data = |text| decode::<Float64MultiArray>(text).map(|message| message.data);
    assert_eq!(data("data: [1, 2.5, -inf]"), Ok(vec![1.0, 2.5, f64::NEG_INFINITY]));
    assert_eq!(data("data: 1 data: [2] data: 3"), Ok(vec![1.0, 2.0, 3.0]));
    let poses = decode::<PoseArray>("header {frame_id: 'a' \"b\\\"\"} poses {position {x: 1}} poses {}")
        .expect("poses");
    assert_eq!((poses.poses.len(), poses.header.map(|header| header.frame_id)), (2, Some("ab\"".to_owned())));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let refused = [
        ("linear: {x: 0.5", "[BH-MSG-035] 1:16: the text ends inside a message"),
        (
            "linear: {\n  w: 1}",
            "[BH-MSG-035] 2:3: `bridgehead.geometry_msgs.v1.Vector3` has no field `w`; it has: x, y, z",
        ),
        ("linear: 3", "[BH-MSG-035] 1:1: `linear` needs a message in braces"),
        ("linear {x: fast}", "[BH-MSG-035] 1:9: `x` needs a number"),
        ("linear {x: 1 x: 2}", "[BH-MSG-035] 1:14: `x` is given twice"),
        ("linear {x 1}", "[BH-MSG-035] 1:11: expected `:` behind `x`"),
        ("linear {} }", "[BH-MSG-035] 1:11: `}` closes nothing"),
        ("linear: {x: }", "[BH-MSG-035] 1:13: `x` has no value"),
        ("linear {x: [1, 2]}", "[BH-MSG-035] 1:9: `x` needs a single value"),
        ("{}", "[BH-MSG-035] 1:1: `{` begins no field name"),
    ];
    for (text, expected) in refused {
        assert_eq!(decode::<Twist>(text), Err(expected.to_owned()), "{text}");
    }
    let deep = "linear {".repeat(10_000);
    assert!(decode::<Twist>(&deep).is_err_and(|error| error.contains("too deep")));
}
