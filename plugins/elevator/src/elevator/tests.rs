//! The elevator with joints through its C functions.

use bridgehead_plugin_api::host::{JointKind, JointState, Pose};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, ElementTopic, WorldDescription,
};
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::*;

fn shaft() -> TestHostBuilder {
    let at = |height| Pose { position: [0.0, 0.0, height], ..Pose::IDENTITY };
    let door = |joint: &mut Joint| (joint.lower, joint.upper) = (0.0, 0.6);
    let builder = TestHost::builder()
        .vehicle("elevator")
        .link_with("floor_0", at(0.0), 1.0)
        .link_with("floor_1", at(3.0), 1.0)
        .joint("lift", JointKind::Prismatic);
    ["door_0", "door_1"].into_iter().fold(builder, |builder, name| {
        builder.joint_with(name, |joint| {
            joint.kind = JointKind::Prismatic;
            door(joint);
        })
    })
}

fn set(host: TestHost, joint: &str, position: f64) {
    host.set_joint_state(joint, JointState { position, velocity: 0.0, effort: 0.0 });
}

fn commands(host: TestHost) -> [f64; 3] {
    ["lift", "door_0", "door_1"].map(|joint| host.commanded_velocity(joint).unwrap_or(f64::NAN))
}

#[test]
fn it_drives_to_a_floor_and_opens_the_door_there() {
    let host = shaft().params([("open_door_wait_duration", "0.01"), ("state_publish_rate", "10")]).build();
    let mut model = TestModel::<Elevator>::started(host);
    host.listen("state");
    model.step().expect_done();
    assert_eq!((commands(host), host.unread_params()), ([0.0; 3], Vec::new()));
    host.send("cmd", &Int32 { data: 1 });
    model.step().expect_done();
    assert_eq!(commands(host), [1.0, 0.0, 0.0]);
    assert_eq!(host.last::<Float64>("joint/lift/0/cmd_pos").data, 3.0);
    set(host, "lift", 2.995);
    model.run(200).expect_done();
    let [lift, below, here] = commands(host);
    assert!((lift - 0.025).abs() < 1e-9 && below == 0.0 && here == 0.5, "{lift} {below} {here}");
    assert_eq!(host.last::<Int32>("state").data, 1);
    set(host, "door_1", 0.6);
    // The door stays open for ten steps.
    model.run(10).expect_done();
    assert_eq!(commands(host)[2], 0.0);
    model.run(2).expect_done();
    assert_eq!(commands(host)[2], -0.5);
}

#[test]
fn a_door_stays_open_while_its_lidar_sees_something() {
    let host = shaft().param("open_door_wait_duration", "0.01").build();
    let mut model = TestModel::<Elevator>::started(host);
    let scan = |range| LaserScan { ranges: vec![range], range_max: 2.0, ..LaserScan::default() };
    host.send("/model/elevator/door_0/lidar", &scan(0.5));
    host.send("cmd", &Int32 { data: 0 });
    set(host, "door_0", 0.6);
    model.run(100).expect_done();
    assert_eq!(commands(host)[1], 0.0, "it is open and stays so");
    host.send("/model/elevator/door_0/lidar", &scan(1.999));
    model.run(12).expect_done();
    assert_eq!(commands(host)[1], -0.5);
}

#[test]
fn a_joint_with_a_controller_gets_its_target_only() {
    let topic =
        ElementTopic { topic: "/elevator/joint/lift/0/cmd_pos".to_owned(), ..ElementTopic::default() };
    let controller = ElementDescription { topics: vec![topic], ..ElementDescription::default() };
    let world = WorldDescription { elements: vec![controller], revision: 1, ..WorldDescription::default() };
    let host = shaft().description(world).build();
    let mut model = TestModel::<Elevator>::started(host);
    host.send("cmd", &Int32 { data: 1 });
    model.step().expect_done();
    assert_eq!(host.last::<Float64>("joint/lift/0/cmd_pos").data, 3.0);
    assert!(host.commanded_velocity("lift").is_none() && host.commanded_velocity("door_0") == Some(0.0));
}

#[test]
fn floors_that_do_not_exist_are_refused_and_missing_links_are_named() {
    let host = shaft().build();
    let mut model = TestModel::<Elevator>::started(host);
    host.send("cmd", &Int32 { data: 7 });
    model.step().expect_done();
    let text = "ignored a request for floor 7; the floors are 0 to 1";
    assert!(host.has_logged(bridgehead_plugin_api::host::Level::Warn, text), "{:?}", host.log_lines());
    let host = shaft().param("floor_link_prefix", "level_").build();
    let reason = TestModel::<Elevator>::create(host).awake().expect_failed().to_string();
    assert!(reason.contains("`floor_link_prefix` is `level_`"), "{reason}");
}

/// A target that is published again would replace one that somebody else has published meanwhile.
#[test]
fn a_restored_elevator_publishes_no_target_again_and_leaves_the_same_joints_to_controllers() {
    let topic =
        ElementTopic { topic: "/elevator/joint/lift/0/cmd_pos".to_owned(), ..ElementTopic::default() };
    let controller = ElementDescription { topics: vec![topic], ..ElementDescription::default() };
    let world = WorldDescription { elements: vec![controller], revision: 1, ..WorldDescription::default() };
    let mut model = TestModel::<Elevator>::started(shaft().description(world).build());
    model.host().send("cmd", &Int32 { data: 1 });
    model.run(3).expect_done();
    let saved = model.save();
    // The controller was removed before the snapshot.
    let host = shaft().build();
    let mut restored = TestModel::<Elevator>::started(host);
    restored.load(&saved).expect_done();
    restored.run(3).expect_done();
    for joint in ["lift", "door_0", "door_1"] {
        assert!(host.published(&format!("joint/{joint}/0/cmd_pos")).is_empty(), "{joint}");
    }
    assert!(host.commanded_velocity("lift").is_none() && host.commanded_velocity("door_0") == Some(0.0));
}
