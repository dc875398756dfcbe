//! A robot of nested models whose sensors and joints are named as CLOiSim resolves them: by their models and links.

use super::msgs::{Double, JointCmd, JointCmdV, JointStateV, Micom, Param, Pid, Pose, any};
use super::wire::decode;
use super::yard::Yard;
use crate::support::{assert_near, shared};

/// Starts the robot that a user reported, and one whose sensors are two models deep.
fn start() -> Option<Yard> {
    let world = shared("repro")?.join("cloisim_nested_robot.sdf");
    Some(Yard::with_world(&world, "r"))
}

#[test]
fn sensors_and_joints_of_nested_models_are_found() {
    let Some(yard) = start() else { return };
    let micom = yard.device("r", "MICOM");
    let message: Micom = micom.subscriber("Tx").until("sonar and imu", |message: &Micom| {
        message.uss.first().is_some_and(|uss| uss.distance.is_finite())
    });
    // The wall is at 1.9 m, and the sonar 0.27 m ahead of the origin.
    assert_near(message.uss[0].distance, 1.9 - 0.27, 0.1);
    // The bumper is in front of the infrared sensor, nearer than it can measure.
    assert!(!message.ir[0].distance.is_nan(), "{:?}", message.ir);
    assert_eq!(message.bumper.len(), 1);
    let turn = message.pose.as_ref().and_then(|pose| pose.orientation.as_ref()).expect("an orientation");
    assert!(turn.w.abs() > 0.99, "the heading of the imu: {turn:?}");
    let finished = yard.finish().expect_code(0);
    assert!(!finished.to_string().contains("BH-CLO-016"), "{finished}");
}

#[test]
fn all_joints_arrive_once_in_one_message_and_only_their_transforms() {
    let Some(yard) = start() else { return };
    let device = yard.device("r", "JOINTCONTROL");
    let subscriber = device.subscriber("Tx");
    let names = |states: &JointStateV| -> Vec<String> {
        states.joint_state.iter().map(|joint| joint.name.clone()).collect()
    };
    let first: JointStateV =
        subscriber.until("all joints", |states: &JointStateV| states.joint_state.len() == 2);
    let mut last = stamp(&first);
    for _ in 0..20 {
        let next: JointStateV = subscriber.until("the next message", |_: &JointStateV| true);
        assert_eq!(names(&next), ["lift", "hand_grip"]);
        assert!(stamp(&next) > last, "{} after {last}", stamp(&next));
        last = stamp(&next);
    }
    let transforms = device.subscriber("Tf");
    let mut seen = std::collections::BTreeMap::new();
    for _ in 0..40 {
        let pose: Pose = transforms.until("a transform", |pose: &Pose| !pose.name.is_empty());
        let stamp = pose.header.as_ref().and_then(|header| header.stamp.as_ref()).expect("a stamp");
        let now = stamp.sec * 1_000_000_000 + i64::from(stamp.nsec);
        let before = seen.insert(pose.name.clone(), now);
        assert!(before.is_none_or(|before| before < now), "{} again at {now}", pose.name);
    }
    assert_eq!(seen.into_keys().collect::<Vec<_>>(), ["hand_finger", "tower"]);
    let answer: Param = device.requester().ask("robot_description");
    let Some(any::Value::StringValue(urdf)) = &answer.params["description"].value else { panic!("a URDF") };
    assert!(urdf.contains("effort=\"200.0\" velocity=\"1.0\""), "{urdf}");
    assert!(urdf.contains("<mass value=\"5\"/>"), "{urdf}");
    drop(yard.finish().expect_code(0));
}

/// The command names the joint as the states do: with the nested model.
#[test]
fn a_joint_of_a_nested_model_takes_commands() {
    let Some(yard) = start() else { return };
    let device = yard.device("r", "JOINTCONTROL");
    let target = Pid { target_optional: Some(Double { header: None, data: 0.5 }), ..Pid::default() };
    let grip = JointCmd { name: "hand_grip".to_owned(), position: Some(target), ..JointCmd::default() };
    let command = JointCmdV { time: None, joint_cmd: vec![grip] };
    let (subscriber, publisher) = (device.subscriber("Tx"), device.publisher("Rx"));
    let place = |states: &JointStateV| {
        states.joint_state.iter().find(|joint| joint.name == "hand_grip").map(|joint| joint.position)
    };
    let first: JointStateV = subscriber.until("the grip", |states: &JointStateV| place(states).is_some());
    assert_near(place(&first).unwrap_or_default(), 0.0, 0.1);
    publisher.send_until(&command, "the grip closes", || {
        let received = subscriber.try_next().map(|payload| decode::<JointStateV>(&payload));
        received.as_ref().and_then(place).is_some_and(|place| (place - 0.5).abs() < 0.05)
    });
    drop(yard.finish().expect_code(0));
}

fn stamp(states: &JointStateV) -> i64 {
    let stamp = states.header.as_ref().and_then(|header| header.stamp.as_ref()).expect("a stamp");
    stamp.sec * 1_000_000_000 + i64::from(stamp.nsec)
}

#[test]
fn a_frame_may_contain_the_name_of_the_part() {
    let Some(yard) = start() else { return };
    let devices = yard.devices();
    let lasers = devices["r"]["LASER"].as_object().expect("lasers").len();
    assert_eq!(lasers, 2);
    let device = yard.part("r", "LASER", "lidar3");
    let ros2: Param = device.requester().ask("request_ros2");
    let texts: Vec<String> = ros2
        .children
        .iter()
        .flat_map(|child| child.params.values())
        .filter_map(|value| match &value.value {
            Some(any::Value::StringValue(text)) => Some(text.clone()),
            _ => None,
        })
        .collect();
    assert!(texts.iter().all(|text| !text.contains("{parts_name}")), "{texts:?}");
    assert!(texts.iter().any(|text| text.ends_with("_frame") && text.contains("lidar3")), "{texts:?}");
    drop(yard.finish().expect_code(0));
}

#[test]
fn a_sonar_that_does_not_exist_is_nan_and_named() {
    let Some(folder) = shared("repro") else { return };
    let text = std::fs::read_to_string(folder.join("cloisim_nested_robot.sdf")).expect("the world");
    let folder = tempfile::tempdir().expect("a folder");
    let world = folder.path().join("robot.sdf");
    let text = text.replace("<sensor>USS_front</sensor>", "<sensor>USS_rear</sensor>");
    std::fs::write(&world, text).expect("the world");
    let yard = Yard::with_world(&world, "r");
    let micom = yard.device("r", "MICOM");
    let subscriber = micom.subscriber("Tx");
    for _ in 0..10 {
        let message: Micom = subscriber.until("a message", |message: &Micom| message.uss.len() == 1);
        assert!(message.uss[0].distance.is_nan(), "{:?}", message.uss);
    }
    let finished = yard.finish().expect_code(0);
    drop(finished.expect_message(&["BH-CLO-016", "`USS_rear`"]));
}
