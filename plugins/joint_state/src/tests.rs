//! The joint states through the plugin's C functions.

use bridgehead_plugin_api::host::{self, JointKind};
use bridgehead_plugin_api::messages::sensor_msgs;
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::JointState;

/// A vehicle with two wheels, a lift and two joints without a single axis.
fn vehicle() -> TestHostBuilder {
    TestHost::builder()
        .vehicle("car1")
        .joint("mount", JointKind::Fixed)
        .joint("left", JointKind::Continuous)
        .joint("lift", JointKind::Prismatic)
        .joint("ball", JointKind::Other)
        .joint("right", JointKind::Revolute)
}

fn moving(position: f64) -> host::JointState {
    host::JointState { position, velocity: 10.0 * position, effort: 100.0 * position }
}

fn run(host: TestHost, steps: u64) -> TestModel<JointState> {
    host.listen("joint_states");
    let mut model = TestModel::started(host);
    model.run(steps).expect_done();
    model
}

#[test]
fn all_joints_with_one_axis_are_listed_in_document_order() {
    let host = vehicle().build();
    host.set_joint_state("left", moving(1.0));
    host.set_joint_state("lift", moving(2.0));
    host.set_joint_state("right", moving(3.0));
    run(host, 20);
    let message: sensor_msgs::JointState = host.last("joint_states");
    assert_eq!(message.name, ["left", "lift", "right"]);
    assert_eq!(message.position, [1.0, 2.0, 3.0]);
    assert_eq!(message.velocity, [10.0, 20.0, 30.0]);
    assert_eq!(message.effort, [100.0, 200.0, 300.0]);
    assert_eq!(message.header.expect("header").stamp_nanos(), 20_000_000);
}

#[test]
fn efforts_are_asked_for_once_anybody_listens_and_again_after_a_reset() {
    let host = vehicle().build();
    let mut model = TestModel::<JointState>::started(host);
    model.run(40).expect_done();
    assert_eq!(host.watched_joints(), []);
    host.listen("joint_states");
    model.run(40).expect_done();
    let joints = ["left", "lift", "right"].map(|name| host.joint(name).id);
    assert_eq!(host.watched_joints(), joints);
    model.reset(ResetScope::ALL).expect_done();
    model.run(40).expect_done();
    assert_eq!(host.watched_joints(), [joints, joints].concat());
}

#[test]
fn selected_joints_are_listed_in_their_order() {
    let host = vehicle().params([("joint_name[0]", "right"), ("joint_name[1]", "left")]).build();
    run(host, 20);
    assert_eq!(host.last::<sensor_msgs::JointState>("joint_states").name, ["right", "left"]);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn samples_do_not_accumulate() {
    let host = vehicle().build();
    let mut model = run(host, 20);
    host.set_joint_state("lift", moving(4.0));
    model.run(20).expect_done();
    assert_eq!(host.last::<sensor_msgs::JointState>("joint_states").position, [0.0, 4.0, 0.0]);
}

#[test]
fn the_default_rate_is_fifty_per_second() {
    let host = vehicle().build();
    let mut model = run(host, 1000);
    assert_eq!(host.published("joint_states").len(), 50);
    model.reset(ResetScope::ALL).expect_done();
    model.run(20).expect_done();
    assert_eq!(host.published("joint_states").pop().expect("a sample").stamp_ns, 20_000_000);
}

#[test]
fn a_rate_of_zero_means_every_step() {
    let host = vehicle().param("update_rate", 0).build();
    run(host, 7);
    assert_eq!(host.published("joint_states").len(), 7);
}

/// Returns why `awake` refuses these parameters.
fn refusal(path: &str, text: &str) -> String {
    let mut model = TestModel::<JointState>::create(vehicle().param(path, text).build());
    model.awake().expect_failed().text().to_owned()
}

#[test]
fn a_joint_that_is_missing_or_has_no_axis_is_refused() {
    let unknown = refusal("joint_name", "wheel");
    assert_eq!(unknown, "the model has no joint `wheel`; it has: mount, left, lift, ball, right");
    let fixed = refusal("joint_name", "mount");
    assert!(fixed.ends_with("is `mount`; expected a revolute, continuous or prismatic joint"), "{fixed}");
    assert!(fixed.contains("tests.rs:"), "{fixed}");
}
