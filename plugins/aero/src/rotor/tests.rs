//! A rotor through its C functions.

use bridgehead_plugin_api::host::{
    Body, EntityId, JointFrame, JointKind, JointState, Level, LinkId, LinkState, Pose,
};
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use super::*;

const TOPIC: &str = "/X3/gazebo/command/motor_speed";

fn rotor(builder: TestHostBuilder, direction: &str) -> TestHost {
    let host = builder
        .vehicle("X3")
        .link("base")
        .link("rotor_1")
        .joint("rotor_1_joint", JointKind::Revolute)
        .params([("robotNamespace", "X3"), ("jointName", "rotor_1_joint"), ("linkName", "rotor_1")])
        .params([("timeConstantUp", "0.0125"), ("timeConstantDown", "0.025"), ("maxRotVelocity", "800")])
        .params([("motorConstant", "8.54858e-06"), ("momentConstant", "0.016"), ("actuator_number", "1")])
        .params([("commandSubTopic", "gazebo/command/motor_speed"), ("rotorDragCoefficient", "8e-05")])
        .params([("rollingMomentCoefficient", "1e-06"), ("rotorVelocitySlowdownSim", "10")])
        .param("turningDirection", direction)
        .build();
    let (child, parent) = (host.link("rotor_1").id, Some(host.link("base").id));
    host.set_joint_frame(
        "rotor_1_joint",
        JointFrame { parent, child, pose: Pose::IDENTITY, axis: [0.0, 0.0, 1.0] },
    );
    host
}

fn speed(velocity: &[f64]) -> Actuators {
    Actuators { velocity: velocity.to_vec(), ..Actuators::default() }
}

/// Force and torque on a link in the last step.
fn wrench(commands: &[TestCommand], of: LinkId) -> ([f64; 3], [f64; 3]) {
    commands
        .iter()
        .find_map(|command| match command {
            TestCommand::LinkWrench { link, force, torque } if *link == of => Some((*force, *torque)),
            _ => None,
        })
        .expect("a wrench")
}

#[track_caller]
fn assert_near(found: [f64; 3], expected: [f64; 3]) {
    assert!(
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9),
        "{found:?}, expected {expected:?}"
    );
}

#[test]
fn thrust_drag_and_moments_follow_the_speed_of_the_blades() {
    for (direction, sign) in [("ccw", 1.0), ("cw", -1.0)] {
        let host = rotor(TestHost::builder(), direction);
        let mut model = TestModel::<Rotor>::started(host);
        host.set_joint_state(
            "rotor_1_joint",
            JointState { position: 0.0, velocity: 60.0 * sign, effort: 0.0 },
        );
        let moving = LinkState { pose: Pose::IDENTITY, linear: [2.0, 0.0, 5.0], angular: [0.0; 3] };
        host.set_link_state("rotor_1", moving);
        model.step().expect_done();
        let commands = host.take_commands();
        let thrust = 8.548_58e-6 * 600.0 * 600.0;
        assert_near(wrench(&commands, host.link("rotor_1").id).0, [-600.0 * 8e-5 * 2.0, 0.0, thrust]);
        let torque = wrench(&commands, host.link("base").id).1;
        assert_near(torque, [-600.0 * 1e-6 * 2.0, 0.0, -sign * thrust * 0.016]);
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }
}

#[test]
fn a_motor_follows_with_its_time_constants() {
    let host = rotor(TestHost::builder(), "cw");
    let mut model = TestModel::<Rotor>::started(host);
    host.send(TOPIC, &speed(&[0.0, 500.0]));
    model.step().expect_done();
    let after_one = -50.0 * (1.0 - (-0.001_f64 / 0.0125).exp());
    assert!((host.commanded_velocity("rotor_1_joint").expect("a velocity") - after_one).abs() < 1e-9);
    model.run(999).expect_done();
    assert!((host.commanded_velocity("rotor_1_joint").expect("a velocity") + 50.0).abs() < 1e-6);
    host.send(TOPIC, &speed(&[0.0, 0.0]));
    model.run(25).expect_done();
    let expected = -50.0 * (-1.0_f64).exp();
    assert!((host.commanded_velocity("rotor_1_joint").expect("a velocity") - expected).abs() < 1e-6);
    host.send(TOPIC, &speed(&[0.0, 9000.0]));
    model.run(1000).expect_done();
    assert!((host.commanded_velocity("rotor_1_joint").expect("a velocity") + 80.0).abs() < 1e-6);
}

#[test]
fn commands_that_are_too_short_or_no_numbers_are_ignored() {
    for bad in [vec![1.0], vec![], vec![0.0, f64::NAN], vec![0.0, f64::INFINITY]] {
        let host = rotor(TestHost::builder(), "ccw");
        let mut model = TestModel::<Rotor>::started(host);
        host.send(TOPIC, &speed(&bad));
        model.run(100).expect_done();
        assert_eq!(host.commanded_velocity("rotor_1_joint"), Some(0.0), "{bad:?}");
        assert!(host.has_logged(Level::Warn, "ignored a command"));
    }
}

#[test]
fn other_kinds_of_motors_turn_their_joint_only() {
    let host =
        rotor(TestHost::builder().params([("motorType", "position"), ("joint_control_pid/p", "3")]), "ccw");
    let mut model = TestModel::<Rotor>::started(host);
    host.send(TOPIC, &Actuators { position: vec![0.0, 0.5], ..Actuators::default() });
    model.step().expect_done();
    let joint = host.joint("rotor_1_joint").id;
    assert_eq!(host.take_commands(), [TestCommand::JointEffort { joint, effort: 1.5 }]);
}

/// With a joint whose axis points down, a rotor that turns in its direction still lifts: along z of the link.
#[test]
fn thrust_and_moment_are_along_the_link_and_not_along_the_joint() {
    let host = rotor(TestHost::builder(), "ccw");
    let (child, parent) = (host.link("rotor_1").id, Some(host.link("base").id));
    let frame = JointFrame { parent, child, pose: Pose::IDENTITY, axis: [0.0, 0.0, -1.0] };
    host.set_joint_frame("rotor_1_joint", frame);
    let mut model = TestModel::<Rotor>::started(host);
    host.set_joint_state("rotor_1_joint", JointState { position: 0.0, velocity: 60.0, effort: 0.0 });
    model.step().expect_done();
    let commands = host.take_commands();
    let thrust = 8.548_58e-6 * 600.0 * 600.0;
    assert_near(wrench(&commands, child).0, [0.0, 0.0, thrust]);
    assert_near(wrench(&commands, host.link("base").id).1, [0.0, 0.0, -thrust * 0.016]);
}

#[test]
fn wrong_words_are_named_and_replaced_by_defaults() {
    let host = rotor(TestHost::builder().param("motorType", "steam"), "left");
    let mut model = TestModel::<Rotor>::started(host);
    host.send(TOPIC, &speed(&[0.0, 500.0]));
    model.run(1000).expect_done();
    assert!((host.commanded_velocity("rotor_1_joint").expect("a velocity") + 50.0).abs() < 1e-6);
    for text in [
        "`motorType` is `steam`; expected `velocity`, `position` or `force`; `velocity` is used",
        "`turningDirection` is `left`; expected `cw` or `ccw`; `cw` is used",
    ] {
        assert!(host.has_logged(Level::Warn, text), "{text}");
    }
}

#[test]
fn parameters_are_refused_with_their_place() {
    let host = rotor(TestHost::builder().param("timeConstantSide", 1), "ccw");
    TestModel::<Rotor>::create(host).awake().expect_done();
    assert_eq!(host.unread_params(), ["timeConstantSide"]);
    let host = rotor(TestHost::builder().param("joint_control_pid/p", "inf"), "ccw");
    let error = TestModel::<Rotor>::create(host).awake().expect_failed();
    assert!(error.text().contains("`joint_control_pid/p` is `inf`; expected a finite number"), "{error}");
}

/// A plugin may hold the link by the time of the snapshot.
#[test]
fn a_restored_rotor_does_not_check_its_link_again() {
    let mut model = TestModel::<Rotor>::started(rotor(TestHost::builder(), "ccw"));
    model.step().expect_done();
    let saved = model.save();
    let host = rotor(TestHost::builder(), "ccw");
    host.set_body(Body {
        link: host.link("rotor_1").id,
        name: "X3::rotor_1".to_owned(),
        entity: EntityId(1),
        moves: false,
        is_in_wind: false,
        has_gravity: true,
        mass: 1.0,
        center: [0.0; 3],
        inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    });
    let mut restored = TestModel::<Rotor>::started(host);
    restored.load(&saved).expect_done();
    restored.step().expect_done();
}
