//! What is not a sensor: the world's clock and truth, the board of a robot and the joints of its arm.

use serde_json::json;

use super::msgs::{
    Double, JointCmd, JointCmdV, JointStateV, Joystick, Micom, Param, PerceptionV, Pid, Pose, Twist,
    Vector3d, WorldStatistics, any,
};
use super::sensors::forward;
use super::wire::{decode, question};
use super::yard::{Found, Yard};
use crate::support::assert_near;

fn seconds(time: Option<&super::msgs::Time>) -> f64 {
    let time = time.expect("a time");
    #[expect(clippy::cast_precision_loss, reason = "seconds of a short run")]
    let whole = time.sec as f64;
    whole + f64::from(time.nsec) * 1e-9
}

pub(super) fn world(yard: &Yard) {
    let device = yard.device("World", "WORLD");
    let ear = device.hear("Clock");
    let first: WorldStatistics = ear.until("it runs", |clock: &WorldStatistics| clock.iterations > 0);
    let begin = bridgehead_host::clock::now();
    for _ in 0..25 {
        ear.next::<WorldStatistics>();
    }
    // Fifty times a second, and never four times as slow.
    assert!(begin.elapsed().as_secs_f64() < 2.0, "{:?}", begin.elapsed());
    let later: WorldStatistics = ear.next();
    let times = [&first, &later].map(|clock| seconds(clock.sim_time.as_ref()));
    assert!(times[1] > times[0], "{times:?}");
    assert!(seconds(later.real_time.as_ref()) > seconds(first.real_time.as_ref()));
    assert_near(seconds(later.step_size.as_ref()), 0.001, 1e-9);
    #[expect(clippy::cast_precision_loss, reason = "steps of a short run")]
    let steps = later.iterations as f64;
    assert_near(steps * 0.001, times[1], 1e-6);
    assert!(!later.paused && device.port("Control") > 0);
}

pub(super) fn ground_truth(yard: &Yard) {
    let device = yard.device("World", "GROUNDTRUTH");
    let seen: PerceptionV =
        device.hear("Data").until("all three", |seen: &PerceptionV| seen.perception.len() == 3);
    let of = |id| seen.perception.iter().find(|one| one.tracking_id == id).expect("a target");
    assert_eq!([1, 2, 3].map(|id| of(id).class_id), [10, 10, 20]);
    let at = |id| of(id).position.as_ref().expect("a position");
    let size = of(3).size.as_ref().expect("a size");
    assert_near(at(3).x, 2.0, 0.05);
    assert_near(size.x, 0.4, 0.01);
    assert_near(at(2).x, -2.0, 0.05);
    assert_near(at(2).y, -1.0, 0.05);
    assert_eq!(of(3).footprint.len(), 4);
}

/// The links that rest on another, as a board tells them: child and parent.
#[track_caller]
fn static_links(device: &Found) -> Vec<(String, String)> {
    let answer: Param = device.ask().ask("request_static_transforms");
    assert!(answer.params.contains_key("static_transforms"));
    let link = |child: &Param| {
        let parent = match &child.params["parent_frame_id"].value {
            Some(any::Value::StringValue(parent)) => parent.clone(),
            other => panic!("no parent but {other:?}"),
        };
        assert_eq!(child.children.len(), 1, "exactly one pose");
        match &child.children[0].params["pose"].value {
            Some(any::Value::Pose3dValue(pose)) => (pose.name.clone(), parent),
            other => panic!("no pose but {other:?}"),
        }
    };
    answer.children.iter().map(link).collect()
}

/// Waits for the transform of a link, and gives its parent.
#[track_caller]
fn parent_of(device: &Found, link: &str) -> String {
    let pose: Pose = device.hear("Tf").until(link, |pose: &Pose| pose.name == link);
    let header = pose.header.expect("a header");
    let parent = header.data.iter().find(|entry| entry.key == "parent_frame_id").expect("a parent");
    parent.value[0].clone()
}

pub(super) fn micom(yard: &Yard) {
    let device = yard.device("robot2", "MICOM");
    let ros2: Param = device.ask().ask("request_ros2");
    assert!(ros2.params.contains_key("ros2"));
    assert_eq!(static_links(&device), [("mast".to_owned(), "base_link".to_owned())]);
    assert_eq!(parent_of(&device, "left_wheel"), "base_link");
    let (ear, mouth) = (device.hear("Tx"), device.speak("Rx"));
    let still: Micom = ear.until("the battery", |board: &Micom| board.battery.is_some());
    assert_eq!((still.uss.len(), still.bumper.len(), still.ir.len()), (1, 1, 0));
    assert_near(still.battery.expect("a battery").voltage, 12.0, 0.5);
    let speed = |board: &Micom| {
        let odom = board.odom.as_ref().and_then(|odom| odom.twist.as_ref()).expect("a twist");
        odom.linear.as_ref().expect("a speed").x
    };
    let way = |board: &Micom| board.odom.as_ref().and_then(|odom| odom.pose.as_ref()).expect("a pose").x;
    // It is driven for half a metre, heard on the way, and stopped.
    let mut fastest = None;
    mouth.say_until(&forward(0.5), "it drives", || {
        let heard = ear.try_next().map(|payload| decode::<Micom>(&payload));
        if let Some(board) = heard.filter(|board| (speed(board) - 0.5).abs() < 0.05) {
            fastest = Some(board);
        }
        fastest.as_ref().is_some_and(|board| way(board) > 0.5)
    });
    let wheels = fastest.and_then(|board| board.odom).and_then(|odom| odom.angular_velocity).expect("wheels");
    assert_near(wheels.left, 5.0, 1.0);
    assert_near(wheels.right, 5.0, 1.0);
    mouth.say(&forward(0.0));
    let stands: Micom = ear.until("it stands", |board: &Micom| speed(board).abs() < 0.01);
    // The truth agrees with what it says of itself.
    let state = yard.ok("get_entity_state", json!({ "entity": "robot2" }));
    let x = state.pointer("/state/pose/position/x").and_then(serde_json::Value::as_f64).expect("a place");
    assert_near(x + 2.0, way(&stands), 0.1);
    drive_with_joystick(yard, &device);
    let answer: Param = decode(&device.ask().ask_bytes(&question("reset_odometry", Default::default())));
    assert!(answer.params.contains_key("reset_odometry"), "{answer:?}");
    ear.until("odometry begins anew", |board: &Micom| way(board).abs() < 0.05);
}

/// A joystick's message looks like a Twist's but for its buttons; it turns the robot on the spot.
fn drive_with_joystick(yard: &Yard, device: &Found) {
    let stick = |rate| Joystick {
        translation: Some(Vector3d::default()),
        rotation: Some(Vector3d { z: rate, ..Vector3d::default() }),
        buttons: vec![1],
        ..Joystick::default()
    };
    let (ear, mouth) = (device.hear("Tx"), device.speak("Rx"));
    let turns = |board: &Micom| {
        let twist = board.odom.as_ref().and_then(|odom| odom.twist.as_ref());
        twist.and_then(|twist| twist.angular.as_ref()).is_some_and(|rate| rate.z > 0.2)
    };
    mouth.say_until(&stick(0.4), "it turns", || {
        ear.try_next().is_some_and(|payload| turns(&decode::<Micom>(&payload)))
    });
    mouth.say(&Twist { linear: Some(Vector3d::default()), angular: Some(Vector3d::default()), header: None });
    ear.until("it stands", |board: &Micom| !turns(board));
    assert_eq!(yard.state(), 1);
}

pub(super) fn joint_control(yard: &Yard) {
    let device = yard.device("robot2", "JOINTCONTROL");
    let answer: Param = device.ask().ask("robot_description");
    match &answer.params["description"].value {
        Some(any::Value::StringValue(urdf)) => {
            assert!(urdf.contains("<robot") && urdf.contains("shoulder"), "{urdf}");
        }
        other => panic!("no URDF but {other:?}"),
    }
    static_links(&device);
    let target = |place| {
        let position = Pid { target_optional: Some(Double { header: None, data: place }), ..Pid::default() };
        let turn = JointCmd { name: "turn".to_owned(), position: Some(position), ..JointCmd::default() };
        // Clients fill the time wrongly; nobody reads it.
        let time = Some(super::msgs::Time { sec: 1, nsec: i32::MAX });
        JointCmdV { time, joint_cmd: vec![turn] }
    };
    let (ear, mouth) = (device.hear("Tx"), device.speak("Rx"));
    let position = |states: &JointStateV| {
        states.joint_state.iter().find(|joint| joint.name == "turn").map(|joint| joint.position)
    };
    ear.until("the joint", |states: &JointStateV| position(states).is_some());
    mouth.say_until(&target(0.6), "the joint moves", || {
        let heard = ear.try_next().map(|payload| decode::<JointStateV>(&payload));
        heard.as_ref().and_then(position).is_some_and(|position| (position - 0.6).abs() < 0.05)
    });
    assert_eq!(parent_of(&device, "turret"), "base_link");
    assert_eq!(parent_of(&device, "upper_arm"), "turret");
}
