//! The controller in a host inside of the test process.

use bridgehead_plugin_api::host::JointKind;
use bridgehead_plugin_api::testing::{TestHost, TestModel};

use super::*;

fn started() -> TestModel<@Type@> {
    let host = TestHost::builder()
        .vehicle("car1")
        .joint("wheel", JointKind::Continuous)
        .param("joint", "wheel")
        .build();
    TestModel::started(host)
}

#[test]
fn it_turns_the_joint_as_commanded_until_a_reset() {
    let mut controller = started();
    let host = controller.host();
    host.send("@name@", &Float64 { data: 3.0 });
    controller.step().expect_done();
    assert_eq!(host.commanded_velocity("wheel"), Some(3.0));
    controller.reset(ResetScope::ALL).expect_done();
    controller.step().expect_done();
    assert_eq!(host.commanded_velocity("wheel"), Some(0.0));
}

#[test]
fn a_command_that_is_no_number_is_ignored() {
    let mut controller = started();
    let host = controller.host();
    host.send("@name@", &Float64 { data: 3.0 });
    controller.step().expect_done();
    host.send("@name@", &Float64 { data: f64::NAN });
    controller.step().expect_done();
    assert_eq!(host.commanded_velocity("wheel"), Some(3.0));
}

#[test]
fn a_restored_run_continues_with_the_speed() {
    let mut controller = started();
    controller
        .host()
        .send("@name@", &Float64 { data: 3.0 });
    controller.step().expect_done();
    let saved = controller.save();
    let mut other = started();
    other.load(&saved).expect_done();
    other.step().expect_done();
    assert_eq!(other.host().commanded_velocity("wheel"), Some(3.0));
}
