//! The controller through its C functions: commands to joints from messages.

use super::*;
use bridgehead_plugin_api::host::{self, JointKind, Level};
use bridgehead_plugin_api::messages::std_msgs::Float64MultiArray;
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

fn arm() -> TestHostBuilder {
    TestHost::builder()
        .vehicle("arm")
        .joint("mount", JointKind::Fixed)
        .joint_with("shoulder", |joint| (joint.kind, joint.velocity) = (JointKind::Revolute, 2.0))
        .joint("elbow", JointKind::Revolute)
}

fn state(name: &[&str]) -> JointState {
    JointState { name: name.iter().map(|&name| name.to_owned()).collect(), ..JointState::default() }
}

fn velocity(host: TestHost, joint: &str, velocity: f64) -> TestCommand {
    TestCommand::JointVelocity { joint: host.joint(joint).id, velocity, max_effort: f64::INFINITY }
}

fn effort(host: TestHost, joint: &str, effort: f64) -> TestCommand {
    TestCommand::JointEffort { joint: host.joint(joint).id, effort }
}

/// Returns the commands of one more step.
fn step(model: &mut TestModel<JointCommand>) -> Vec<TestCommand> {
    model.step().expect_done();
    model.host().take_commands()
}

#[test]
fn joints_move_freely_until_their_first_command() {
    let host = arm().build();
    let mut model = TestModel::<JointCommand>::started(host);
    assert_eq!(step(&mut model), []);
    host.send("joint_command", &JointState { velocity: vec![0.5], ..state(&["elbow"]) });
    assert_eq!(step(&mut model), [velocity(host, "elbow", 0.5)]);
    assert_eq!(step(&mut model), [velocity(host, "elbow", 0.5)], "it holds");
    host.send("joint_command", &JointState { effort: vec![-3.0], ..state(&["elbow"]) });
    assert_eq!(step(&mut model), [effort(host, "elbow", -3.0)]);
    model.reset(ResetScope::ALL).expect_done();
    assert_eq!(step(&mut model), []);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn each_joint_is_commanded_separately_and_nan_has_no_effect() {
    let host = arm().build();
    let mut model = TestModel::<JointCommand>::started(host);
    let message = JointState {
        position: vec![f64::NAN, 1.0],
        velocity: vec![0.25, f64::NAN],
        ..state(&["shoulder", "elbow"])
    };
    host.send("joint_command", &message);
    // Without a limit, a joint moves at 1 rad/s.
    let both = [velocity(host, "shoulder", 0.25), velocity(host, "elbow", 1.0)];
    assert_eq!(step(&mut model), both);
    // Two messages in one step name two joints; a joint that a message does not name keeps its goal.
    host.send("joint_command", &JointState { velocity: vec![-1.0], ..state(&["elbow"]) });
    host.send("joint_command", &JointState { velocity: vec![-0.5], ..state(&["shoulder"]) });
    host.send("joint_command", &state(&["elbow"]));
    assert_eq!(step(&mut model), [velocity(host, "shoulder", -0.5), velocity(host, "elbow", -1.0)]);
}

#[test]
fn a_motor_moves_to_a_position_within_the_speeds_of_joint_and_command() {
    let host = arm().param("joint_name", "shoulder").build();
    let mut model = TestModel::<JointCommand>::started(host);
    let goal =
        |velocity: f64| JointState { position: vec![1.0], velocity: vec![velocity], ..state(&["shoulder"]) };
    for (speed, expected) in [(0.0, 2.0), (-0.5, 0.5), (100.0, 2.0)] {
        host.send("joint_command", &goal(speed));
        assert_eq!(step(&mut model), [velocity(host, "shoulder", expected)]);
    }
    host.set_joint_state("shoulder", host::JointState { position: 1.0, velocity: 2.0, effort: 0.0 });
    assert_eq!(step(&mut model), [velocity(host, "shoulder", 0.0)]);
}

#[test]
fn with_gains_a_controller_drives_the_joint_and_is_reset_by_a_new_goal() {
    let host = arm()
        .params([("joint_name[0]", "elbow"), ("joint_name[1]", "shoulder")])
        .params([
            ("p_gain", "10"),
            ("i_gain", "100"),
            ("d_gain", "0"),
            ("max_velocity[0]", "3"),
            ("max_velocity[1]", "0.5"),
        ])
        .build();
    let mut model = TestModel::<JointCommand>::started(host);
    let go = JointState { position: vec![0.5, 0.5], ..state(&["elbow", "shoulder"]) };
    host.send("joint_command", &go);
    let pushed = |share: f64| [effort(host, "elbow", 5.0 + share), velocity(host, "shoulder", 0.5)];
    assert_eq!(step(&mut model), pushed(0.05));
    assert_eq!(step(&mut model), pushed(0.1));
    host.send("joint_command", &JointState { velocity: vec![0.0], ..state(&["elbow"]) });
    step(&mut model);
    host.send("joint_command", &go);
    assert_eq!(step(&mut model), pushed(0.05));
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn joints_may_have_an_initial_position() {
    let host = arm().params([("joint_name", "elbow"), ("initial_position", "-0.2")]).build();
    let mut model = TestModel::<JointCommand>::started(host);
    assert_eq!(step(&mut model), [velocity(host, "elbow", -1.0)]);
    host.send("joint_command", &JointState { effort: vec![0.0], ..state(&["elbow"]) });
    assert_eq!(step(&mut model), [effort(host, "elbow", 0.0)]);
    model.reset(ResetScope::ALL).expect_done();
    assert_eq!(step(&mut model), [velocity(host, "elbow", -1.0)]);
}

#[test]
fn invalid_values_are_ignored_with_one_warning_and_valid_ones_apply() {
    let host = arm().build();
    let mut model = TestModel::<JointCommand>::started(host);
    host.send("joint_command", &JointState { velocity: vec![9.0, 0.5], ..state(&["wrist", "elbow"]) });
    assert_eq!(step(&mut model), [velocity(host, "elbow", 0.5)]);
    assert!(host.has_logged(Level::Warn, "it names joint `wrist`; this controller drives shoulder, elbow"));
    host.send("joint_command", &JointState { velocity: vec![1.0], ..state(&["elbow", "shoulder"]) });
    host.send("joint_command", &JointState { effort: vec![f64::INFINITY], ..state(&["elbow"]) });
    assert_eq!(step(&mut model), [velocity(host, "elbow", 0.5)]);
    assert_eq!(host.log_lines().into_iter().filter(|line| line.level == Level::Warn).count(), 1);
}

#[test]
fn invalid_joints_and_speeds_are_refused() {
    let refusal = |builder: TestHostBuilder| {
        TestModel::<JointCommand>::create(builder.build()).awake().expect_failed().text().to_owned()
    };
    assert!(refusal(arm().param("joint_name", "mount")).starts_with("joint `mount` cannot be driven"));
    let speed = refusal(arm().param("max_velocity", 0));
    assert!(speed.ends_with("is `0`; expected a number above 0"), "{speed}");
}

/// What `ros2_control` sends over topics: the names of all joints, and a value for each that has the interface.
#[test]
fn values_of_fewer_joints_belong_to_those_with_the_interface() {
    let host = arm()
        .params([
            ("joint[0]/@name", "shoulder"),
            ("joint[0]/command_interface", "velocity"),
            ("joint[0]/initial_velocity", "0"),
            ("joint[1]/@name", "elbow"),
            ("joint[1]/command_interface[0]", "position"),
            ("joint[1]/command_interface[1]", "effort"),
            ("joint[1]/initial_position", "-0.2"),
            ("joint[1]/max_velocity", "0.5"),
        ])
        .build();
    let mut model = TestModel::<JointCommand>::started(host);
    assert_eq!(step(&mut model), [velocity(host, "shoulder", 0.0), velocity(host, "elbow", -0.5)]);
    let both = state(&["shoulder", "elbow"]);
    host.send("joint_command", &JointState { position: vec![1.0], velocity: vec![2.0], ..both.clone() });
    assert_eq!(step(&mut model), [velocity(host, "shoulder", 2.0), velocity(host, "elbow", 0.5)]);
    host.send("joint_command", &JointState { effort: vec![7.0], velocity: vec![f64::NAN], ..both.clone() });
    assert_eq!(step(&mut model), [velocity(host, "shoulder", 2.0), effort(host, "elbow", 7.0)]);
    assert!(!host.has_logged(Level::Warn, "it has"));
    host.send("joint_command", &JointState { position: vec![1.0, 2.0, 3.0], ..both });
    step(&mut model);
    assert!(host.has_logged(Level::Warn, "it has 3 positions for 2 joints"));
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn an_unknown_interface_is_refused() {
    let host =
        arm().params([("joint[0]/@name", "elbow"), ("joint[0]/command_interface", "acceleration")]).build();
    let refused = TestModel::<JointCommand>::create(host).awake().expect_failed().text().to_owned();
    assert!(refused.contains("`acceleration`; expected `position`, `velocity` or `effort`"), "{refused}");
}

/// An arm with a controller of a list of values for these joints.
fn forwarding(interface: &str, joints: &[&str]) -> TestHostBuilder {
    let arm = arm().params([
        ("forward_controller[0]/@name", "wheels"),
        ("forward_controller[0]/interface_name", interface),
    ]);
    joints.iter().enumerate().fold(arm, |arm, (index, joint)| {
        arm.param(&format!("forward_controller[0]/joint_name[{index}]"), joint)
    })
}

#[test]
fn a_list_has_a_value_for_each_joint_of_its_controller() {
    let host = forwarding("velocity", &["elbow", "shoulder"]).build();
    let mut model = TestModel::<JointCommand>::started(host);
    let send = |data: &[f64]| {
        host.send("wheels/commands", &Float64MultiArray { data: data.to_vec(), ..Default::default() });
    };
    send(&[0.25, 0.5]);
    assert_eq!(step(&mut model), [velocity(host, "shoulder", 0.5), velocity(host, "elbow", 0.25)]);
    // A joint without a value keeps its command.
    host.send("joint_command", &JointState { velocity: vec![0.75], ..state(&["elbow"]) });
    send(&[f64::NAN, 0.0]);
    assert_eq!(step(&mut model), [velocity(host, "shoulder", 0.0), velocity(host, "elbow", 0.75)]);
    send(&[1.0]);
    send(&[1.0, f64::INFINITY]);
    assert_eq!(step(&mut model), [velocity(host, "shoulder", 0.0), velocity(host, "elbow", 0.75)]);
    assert_eq!(host.log_lines().into_iter().filter(|line| line.level == Level::Warn).count(), 1);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn controllers_of_lists_are_refused_unless_they_are_complete() {
    let refusal = |builder: TestHostBuilder| {
        TestModel::<JointCommand>::create(builder.build()).awake().expect_failed().text().to_owned()
    };
    for (interface, joints, expected) in [
        ("heat", &["elbow"][..], "is `heat`; expected `position`, `velocity` or `effort`"),
        ("velocity", &["elbow", "wrist"], "expected a joint of the plugin with the interface `velocity`"),
        ("effort", &[], "expected at least one joint"),
    ] {
        let refusal = refusal(forwarding(interface, joints));
        assert!(refusal.ends_with(expected), "{refusal}");
    }
}
