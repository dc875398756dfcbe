//! Checks of devices that are not sensors: the clock and the ground truth of the world, the board of a robot and the
//! joints of its arm.

use std::time::Duration;

use serde_json::json;

use super::msgs::{
    Double, JointCmd, JointCmdV, JointStateV, Joystick, Micom, Param, PerceptionV, Pid, Pose, Twist,
    Vector3d, WorldStatistics, any,
};
use super::sensors::forward;
use super::wire::{decode, request};
use super::yard::{Device, Yard};
use crate::support::{assert_near, prompt};

fn seconds(time: Option<&super::msgs::Time>) -> f64 {
    let time = time.expect("a time");
    #[expect(clippy::cast_precision_loss, reason = "seconds of a short run")]
    let whole = time.sec as f64;
    whole + f64::from(time.nsec) * 1e-9
}

pub(super) fn world(yard: &Yard) {
    let device = yard.device("World", "WORLD");
    let subscriber = device.subscriber("Clock");
    let first: WorldStatistics = subscriber.until("it runs", |clock: &WorldStatistics| clock.iterations > 0);
    // Wall time: the clock is sent 50 times a second of it; a quarter of that rate is tolerated.
    prompt("25 messages of the clock", Duration::from_secs(2), || {
        (0..25).for_each(|_| drop(subscriber.next::<WorldStatistics>()));
    });
    let later: WorldStatistics = subscriber.next();
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
        device.subscriber("Data").until("all three", |seen: &PerceptionV| seen.perception.len() == 3);
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

/// Returns the links with a fixed parent that the board reports: child and parent.
#[track_caller]
fn static_links(device: &Device) -> Vec<(String, String)> {
    let answer: Param = device.requester().ask("request_static_transforms");
    assert!(answer.params.contains_key("static_transforms"));
    let link = |child: &Param| {
        let parent = match &child.params["parent_frame_id"].value {
            Some(any::Value::StringValue(parent)) => parent.clone(),
            other => panic!("expected a parent, found {other:?}"),
        };
        assert_eq!(child.children.len(), 1, "exactly one pose");
        match &child.children[0].params["pose"].value {
            Some(any::Value::Pose3dValue(pose)) => (pose.name.clone(), parent),
            other => panic!("expected a pose, found {other:?}"),
        }
    };
    answer.children.iter().map(link).collect()
}

/// Waits for the transform of a link and returns its parent.
#[track_caller]
fn parent_of(device: &Device, link: &str) -> String {
    let pose: Pose = device.subscriber("Tf").until(link, |pose: &Pose| pose.name == link);
    let header = pose.header.expect("a header");
    let parent = header.data.iter().find(|entry| entry.key == "parent_frame_id").expect("a parent");
    parent.value[0].clone()
}

pub(super) fn micom(yard: &Yard) {
    let device = yard.device("robot2", "MICOM");
    let ros2: Param = device.requester().ask("request_ros2");
    assert!(ros2.params.contains_key("ros2"));
    assert_eq!(static_links(&device), [("mast".to_owned(), "base_link".to_owned())]);
    assert_eq!(parent_of(&device, "left_wheel"), "base_link");
    let (subscriber, publisher) = (device.subscriber("Tx"), device.publisher("Rx"));
    let still: Micom = subscriber.until("the battery", |board: &Micom| board.battery.is_some());
    assert_eq!((still.uss.len(), still.bumper.len(), still.ir.len()), (1, 1, 0));
    assert_near(still.battery.expect("a battery").voltage, 12.0, 0.5);
    let speed = |board: &Micom| {
        let odom = board.odom.as_ref().and_then(|odom| odom.twist.as_ref()).expect("a twist");
        odom.linear.as_ref().expect("a speed").x
    };
    let distance = |board: &Micom| board.odom.as_ref().and_then(|odom| odom.pose.as_ref()).expect("a pose").x;
    // The robot drives half a metre and sends its speed meanwhile; then it is stopped.
    let mut fastest = None;
    publisher.send_until(&forward(0.5), "it drives", || {
        let received = subscriber.try_next().map(|payload| decode::<Micom>(&payload));
        if let Some(board) = received.filter(|board| (speed(board) - 0.5).abs() < 0.05) {
            fastest = Some(board);
        }
        fastest.as_ref().is_some_and(|board| distance(board) > 0.5)
    });
    let wheels = fastest.and_then(|board| board.odom).and_then(|odom| odom.angular_velocity).expect("wheels");
    assert_near(wheels.left, 5.0, 1.0);
    assert_near(wheels.right, 5.0, 1.0);
    publisher.send(&forward(0.0));
    let stopped: Micom = subscriber.until("it has stopped", |board: &Micom| speed(board).abs() < 0.01);
    // The odometry agrees with the true position.
    let state = yard.ok("get_entity_state", json!({ "entity": "robot2" }));
    let x = state.pointer("/state/pose/position/x").and_then(serde_json::Value::as_f64).expect("a place");
    assert_near(x + 2.0, distance(&stopped), 0.1);
    drive_with_joystick(yard, &device);
    let answer: Param = decode(&device.requester().ask_bytes(&request("reset_odometry", Default::default())));
    assert!(answer.params.contains_key("reset_odometry"), "{answer:?}");
    subscriber.until("odometry is reset", |board: &Micom| distance(board).abs() < 0.05);
}

/// Turns the robot on the spot with a joystick, whose message has the fields of a Twist and its buttons.
fn drive_with_joystick(yard: &Yard, device: &Device) {
    let stick = |rate| Joystick {
        translation: Some(Vector3d::default()),
        rotation: Some(Vector3d { z: rate, ..Vector3d::default() }),
        buttons: vec![1],
        ..Joystick::default()
    };
    let (subscriber, publisher) = (device.subscriber("Tx"), device.publisher("Rx"));
    let turns = |board: &Micom| {
        let twist = board.odom.as_ref().and_then(|odom| odom.twist.as_ref());
        twist.and_then(|twist| twist.angular.as_ref()).is_some_and(|rate| rate.z > 0.2)
    };
    publisher.send_until(&stick(0.4), "it turns", || {
        subscriber.try_next().is_some_and(|payload| turns(&decode::<Micom>(&payload)))
    });
    publisher.send(&Twist {
        linear: Some(Vector3d::default()),
        angular: Some(Vector3d::default()),
        header: None,
    });
    subscriber.until("it has stopped", |board: &Micom| !turns(board));
    assert_eq!(yard.state(), 1);
}

pub(super) fn joint_control(yard: &Yard) {
    let device = yard.device("robot2", "JOINTCONTROL");
    let answer: Param = device.requester().ask("robot_description");
    match &answer.params["description"].value {
        Some(any::Value::StringValue(urdf)) => {
            assert!(urdf.contains("<robot") && urdf.contains("shoulder"), "{urdf}");
            assert!(urdf.contains("<collision name=") && urdf.contains("<box size="), "{urdf}");
        }
        other => panic!("expected a URDF, found {other:?}"),
    }
    static_links(&device);
    let target = |place| {
        let position = Pid { target_optional: Some(Double { header: None, data: place }), ..Pid::default() };
        let turn = JointCmd { name: "turn".to_owned(), position: Some(position), ..JointCmd::default() };
        // Clients send an invalid time, which the bridge ignores.
        let time = Some(super::msgs::Time { sec: 1, nsec: i32::MAX });
        JointCmdV { time, joint_cmd: vec![turn] }
    };
    let (subscriber, publisher) = (device.subscriber("Tx"), device.publisher("Rx"));
    let position = |states: &JointStateV| {
        states.joint_state.iter().find(|joint| joint.name == "turn").map(|joint| joint.position)
    };
    subscriber.until("the joint", |states: &JointStateV| position(states).is_some());
    publisher.send_until(&target(0.6), "the joint moves", || {
        let received = subscriber.try_next().map(|payload| decode::<JointStateV>(&payload));
        received.as_ref().and_then(position).is_some_and(|position| (position - 0.6).abs() < 0.05)
    });
    assert_eq!(parent_of(&device, "turret"), "base_link");
    assert_eq!(parent_of(&device, "upper_arm"), "turret");
}
