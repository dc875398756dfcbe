//! Lines of a recording, written and read.

use proptest::prelude::*;
use prost::Message as _;

use super::*;
use crate::std_msgs::{Float64, String as RosString};

const TIME: RecordTime = RecordTime { stamp_ns: 2_000_000, sequence: 7, step: 2, epoch: 1 };

fn writer<M: crate::Message>(vehicle: &str, topic: &str) -> RecordWriter {
    RecordWriter::new(vehicle, topic, &M::schema().resolve().unwrap())
}

#[test]
fn a_line_says_where_when_and_what() {
    let mut line = Vec::new();
    let payload = Float64 { data: 0.5 }.encode_to_vec();
    writer::<Float64>("car1", "/car1/speed").write(&TIME, &payload, &mut line).unwrap();
    let expected = concat!(
        r#"{"vehicle":"car1","topic":"/car1/speed","type":"std_msgs/msg/Float64","stamp":2000000,"seq":7,"#,
        r#""step":2,"epoch":1,"message":{"data":0.5}}"#,
        "\n"
    );
    assert_eq!(String::from_utf8(line).unwrap(), expected);
}

#[test]
fn a_payload_of_another_type_leaves_the_output_alone() {
    let mut line = b"kept".to_vec();
    writer::<Float64>("", "/x").write(&TIME, &[0x0a, 1, b'a'], &mut line).unwrap_err();
    assert_eq!(line, b"kept");
}

#[test]
fn a_line_written_by_hand_needs_topic_step_and_message() {
    let line =
        RecordLine::parse(r#" {"step": 3, "topic": "/a", "note": [1, "}"], "message": {"data": {}} } "#);
    let line = line.unwrap();
    assert_eq!((line.step, line.topic.as_ref(), line.epoch), (3, "/a", 0));
    assert_eq!((line.vehicle, line.ros_type, line.stamp_ns), (None, None, None));
    assert_eq!(line.message, r#"{"data": {}}"#);
}

#[test]
fn what_is_wrong_with_a_line_is_said_with_its_place() {
    let text = |line| RecordLine::parse(line).unwrap_err().to_string();
    assert_eq!(
        text("garbage"),
        "[BH-MSG-040] the text is not JSON at byte 0: expected the `{` of a recorded message"
    );
    assert_eq!(
        text(r#"{"topic":1}"#),
        "[BH-MSG-040] at `topic`: expected a string, found a number at byte 9"
    );
    assert!(
        text(r#"{"topic":"/a","message":{}}"#)
            .starts_with("[BH-MSG-041] the line has no `step`; expected at least {\"topic\"")
    );
    assert_eq!(text(r#"{"step":-1}"#), "[BH-MSG-042] `step` is -1; expected a whole number from 0");
    assert!(text(r#"{"message":{"a":"}"#).starts_with("[BH-MSG-040] at `message`: the text is not JSON"));
    assert!(text(r#"{} x"#).contains("expected the end of the text"));
}

#[test]
fn marks_survive_their_bytes_and_follow_the_run() {
    let mark = StepMark { epoch: 1, step: u64::MAX - 1 };
    assert_eq!(StepMark::from_bytes(&mark.to_bytes()), Some(mark));
    assert_eq!(StepMark::from_bytes(&[0; 11]), None);
    assert!(StepMark { epoch: 0, step: 9 } < StepMark { epoch: 1, step: 0 });
}

proptest! {
    #[test]
    fn whatever_is_written_is_read(
        vehicle: String, topic: String, data: String, stamp_ns: i64, sequence: u64, step: u64, epoch: u32,
    ) {
        let time = RecordTime { stamp_ns, sequence, step, epoch };
        let payload = RosString { data: data.clone() }.encode_to_vec();
        let writer = writer::<RosString>(&vehicle, &topic);
        let mut line = Vec::new();
        writer.write(&time, &payload, &mut line).unwrap();
        let line = String::from_utf8(line).unwrap();
        prop_assert_eq!(line.matches('\n').count(), 1);

        let read = RecordLine::parse(&line).unwrap();
        prop_assert_eq!(read.vehicle.as_deref(), Some(vehicle.as_str()));
        prop_assert_eq!(read.topic.as_ref(), topic.as_str());
        prop_assert_eq!((read.stamp_ns, read.sequence), (Some(stamp_ns), Some(sequence)));
        prop_assert_eq!((read.step, read.epoch), (step, epoch));
        let mut back = Vec::new();
        writer.plan().decode(read.message, &mut back).unwrap();
        prop_assert_eq!(RosString::decode(back.as_slice()).unwrap().data, data);
    }

    #[test]
    fn no_text_panics(line in r#"[{}\[\]",:a-z0-9\\ -]{0,60}"#) {
        let _ = RecordLine::parse(&line);
    }
}
