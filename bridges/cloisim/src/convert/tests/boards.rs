//! Messages that boards combine from several sources.

use super::*;
use crate::convert::joints;

#[test]
fn joints_of_several_elements_arrive_once_in_one_message() {
    let config = ConverterConfig::Joints {
        vehicle: "car".into(),
        nested: Vec::new(),
        links: vec!["base_link".into()],
        own: Some(vec!["tower".into()]),
        groups: 2,
    };
    let mut converter = joints::Joints::of(&config);
    let mut sent = |joint: &str, seconds: i32| {
        let stamp = Some(RosTime { sec: seconds, nanosec: 0 });
        let states = sensor_msgs::JointState {
            header: Some(RosHeader { stamp, frame_id: String::new() }),
            name: vec![joint.into()],
            position: vec![f64::from(seconds)],
            ..Default::default()
        };
        let outputs = converter.convert(Slot::Main, &states.encode_to_vec()).expect("states");
        let read =
            outputs.first().map(|(_, bytes)| msgs::JointStateV::decode(bytes.as_slice()).expect("states"));
        read.map(|read| {
            read.joint_state.iter().map(|joint| (joint.name.clone(), joint.position)).collect::<Vec<_>>()
        })
    };
    let both = |lift: f64, grip: f64| Some(vec![("lift".to_owned(), lift), ("hand_grip".to_owned(), grip)]);
    assert_eq!(sent("lift", 1), None, "the other element has not told its joints yet");
    assert_eq!(sent("hand::grip", 1), both(1.0, 1.0));
    assert_eq!(sent("lift", 2), None);
    assert_eq!(sent("hand::grip", 2), both(2.0, 2.0));
    // The hand is slower from now on.
    assert_eq!(sent("lift", 3), None);
    assert_eq!(sent("lift", 4), both(4.0, 2.0));
    assert_eq!(sent("hand::grip", 4), None, "a message of this time has been sent");
    assert_eq!(sent("lift", 5), both(5.0, 4.0));
}

#[test]
fn a_transform_is_sent_once_and_only_of_the_own_joints() {
    let config = ConverterConfig::Joints {
        vehicle: "car".into(),
        nested: Vec::new(),
        links: vec!["base_link".into()],
        own: Some(vec!["tower".into()]),
        groups: 1,
    };
    let mut converter = joints::Joints::of(&config);
    let transform = |child: &str, seconds: i32| geometry_msgs::TransformStamped {
        header: Some(RosHeader {
            frame_id: "car/base_link".into(),
            stamp: Some(RosTime { sec: seconds, nanosec: 0 }),
        }),
        child_frame_id: format!("car/{child}"),
        ..Default::default()
    };
    let mut count = |transforms: Vec<geometry_msgs::TransformStamped>| {
        let message = tf2_msgs::TfMessage { transforms };
        converter.convert(Slot::Tf, &message.encode_to_vec()).expect("transforms").len()
    };
    assert_eq!(count(vec![transform("tower", 1), transform("left_wheel", 1)]), 1);
    assert_eq!(count(vec![transform("tower", 1)]), 0, "another plugin published it too");
    assert_eq!(count(vec![transform("tower", 2), transform("tower", 1)]), 1);
    converter.clear();
    let message = tf2_msgs::TfMessage { transforms: vec![transform("tower", 1)] };
    assert_eq!(converter.convert(Slot::Tf, &message.encode_to_vec()).expect("a transform").len(), 1);
}

#[test]
fn a_sonar_that_is_missing_or_silent_is_nan() {
    let config = MicomConfig { sonars: 1, irs: 1, ..MicomConfig::default() };
    let mut board = micom::Micom::new(config);
    let read: msgs::Micom = idle(&board, Key::Tx);
    assert!(read.uss[0].distance.is_nan() && read.ir[0].distance.is_nan());
    assert!(read.uss[0].state.as_ref().is_some_and(|state| state.range.is_nan()));
    board.clear();
    assert!(idle::<msgs::Micom>(&board, Key::Tx).uss[0].distance.is_nan());
}
