//! The thruster through its C functions.

use bridgehead_plugin_api::host::{
    Body, EntityId, JointFrame, JointKind, JointState, Level, LinkState, Pose,
};
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use super::*;

/// The propeller of Gazebo's LRAUV, whose axis is x of a link that faces along y.
fn lrauv(change: impl FnOnce(TestHostBuilder) -> TestHostBuilder) -> TestHost {
    let builder = TestHost::builder()
        .vehicle("tethys")
        .link("propeller")
        .joint("propeller_joint", JointKind::Continuous)
        .params([
            ("joint_name", "propeller_joint"),
            ("thrust_coefficient", "0.004422"),
            ("fluid_density", "1000"),
            ("propeller_diameter", "0.2"),
        ]);
    let host = change(builder).build();
    let child = host.link("propeller").id;
    let frame = JointFrame { parent: None, child, pose: Pose::IDENTITY, axis: [1.0, 0.0, 0.0] };
    host.set_joint_frame("propeller_joint", frame);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let pose = Pose { position: [0.0; 3], orientation: [0.0, 0.0, half, half] };
    host.set_link_state("propeller", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
    host
}

/// Force on the link, and effort or velocity of the joint.
fn commanded(host: TestHost) -> ([f64; 3], Option<f64>) {
    let mut outcome = ([0.0; 3], None);
    for command in host.take_commands() {
        match command {
            TestCommand::LinkWrench { force, .. } => {
                outcome.0 = force.map(|value| (value * 1e9).round() / 1e9)
            }
            TestCommand::JointEffort { effort, .. } => outcome.1 = Some(effort),
            TestCommand::JointVelocity { velocity, .. } => outcome.1 = Some(velocity),
            other => panic!("{other:?}"),
        }
    }
    outcome
}

const RATE: f64 = 29.12;

/// The angular velocity of 6 N: sqrt(T / (K ρ D⁴)).
fn rate_of_six_newtons() -> f64 {
    (6.0 / (0.004_422 * 1000.0 * 0.2_f64.powi(4))).sqrt()
}

#[test]
fn a_thrust_pushes_along_the_axis_and_turns_the_joint() {
    let host = lrauv(|builder| builder.param("velocity_control", true));
    host.listen("joint/propeller_joint/ang_vel");
    let mut model = TestModel::<Thruster>::started(host);
    host.send("joint/propeller_joint/cmd_thrust", &Float64 { data: 6.0 });
    model.step().expect_done();
    let (force, rate) = commanded(host);
    assert_eq!(force, [0.0, 6.0, 0.0]);
    assert!((rate.expect("a velocity") - rate_of_six_newtons()).abs() < 1e-9, "{rate:?}");
    assert!((rate_of_six_newtons() - RATE).abs() < 0.01);
    let published = host.last::<Float64>("joint/propeller_joint/ang_vel").data;
    assert!((published - rate_of_six_newtons()).abs() < 1e-9);
    // It holds, and a reset ends it.
    model.step().expect_done();
    assert_eq!(commanded(host).0, [0.0, 6.0, 0.0]);
    model.reset(ResetScope::ALL).expect_done();
    model.step().expect_done();
    assert_eq!(commanded(host), ([0.0; 3], Some(0.0)));
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn without_a_motor_a_torque_turns_the_joint() {
    let host = lrauv(|builder| builder.param("p_gain", 0.5));
    let mut model = TestModel::<Thruster>::started(host);
    host.set_joint_state("propeller_joint", JointState { position: 0.0, velocity: 20.0, effort: 0.0 });
    host.send("joint/propeller_joint/cmd_thrust", &Float64 { data: 6.0 });
    model.step().expect_done();
    let effort = commanded(host).1.expect("an effort");
    assert!((effort - 0.5 * (rate_of_six_newtons() - 20.0)).abs() < 1e-9, "{effort}");
}

#[test]
fn an_angular_velocity_is_a_thrust_within_its_bounds() {
    let host = lrauv(|builder| {
        builder
            .params([("use_angvel_cmd", "true"), ("namespace", "boat"), ("velocity_control", "1")])
            .params([("max_thrust_cmd", "10"), ("deadband", "0.5")])
    });
    let topic = "/model/boat/joint/propeller_joint/cmd_vel";
    let result = "/model/boat/joint/propeller_joint/force";
    host.listen(result);
    let mut model = TestModel::<Thruster>::started(host);
    let mut commanded_by = |data: f64| {
        host.send(topic, &Float64 { data });
        model.step().expect_done();
        (commanded(host), host.last::<Float64>(result).data)
    };
    let thrust = 0.004_422 * 1.6 * 400.0;
    let ((force, rate), published) = commanded_by(-20.0);
    assert!((force[1] + thrust).abs() < 1e-6 && rate == Some(-20.0) && (published + thrust).abs() < 1e-9);
    let ((force, rate), _) = commanded_by(100.0);
    assert!((force[1] - 0.004_422 * 1.6 * 100.0).abs() < 1e-6 && rate == Some(10.0), "at most 10 rad/s");
    assert_eq!(commanded_by(1.0).0, ([0.0; 3], Some(0.0)));
    host.send("/model/boat/joint/propeller_joint/enable_deadband", &Bool { data: false });
    assert!(commanded_by(1.0).0.0[1] > 0.0);
}

#[test]
fn a_topic_of_gazebo_is_below_the_namespace() {
    let host = lrauv(|builder| builder.params([("namespace", "boat"), ("model_topic", "push")]));
    let mut model = TestModel::<Thruster>::started(host);
    host.listen("/boat/push/ang_vel");
    host.set_joint_state("propeller_joint", JointState { position: 0.0, velocity: 7.0, effort: 0.0 });
    host.send("/boat/push", &Float64 { data: 2.0 });
    model.step().expect_done();
    assert_eq!(commanded(host).0, [0.0, 2.0, 0.0]);
    assert_eq!(host.last::<Float64>("/boat/push/ang_vel").data, 7.0, "a torque may not reach the velocity");
}

#[test]
fn commands_that_are_no_numbers_are_ignored() {
    let host = lrauv(|builder| builder);
    let mut model = TestModel::<Thruster>::started(host);
    let topic = "joint/propeller_joint/cmd_thrust";
    host.send(topic, &Float64 { data: 3.0 });
    model.step().expect_done();
    for data in [f64::NAN, f64::INFINITY, 1e300] {
        let _ = host.take_commands();
        host.send(topic, &Float64 { data });
        model.step().expect_done();
        assert_eq!(commanded(host).0, [0.0, 3.0, 0.0]);
    }
    assert!(host.has_logged(Level::Warn, "ignored a command"));
}

#[test]
fn parameters_are_refused_with_their_place() {
    for (path, text, expected) in [
        ("max_thrust_cmd", "-1500", "`min_thrust_cmd` is `-1000`; expected at most -1500"),
        ("alpha_1", "0", "`alpha_1` is `0`; expected a number above 0"),
        ("deadband", "-1", "`deadband` is `-1`; expected 0 or more"),
        ("wake_fraction", "inf", "`wake_fraction` is `inf`; expected a finite number"),
    ] {
        let host = lrauv(|builder| builder.param(path, text));
        let error = TestModel::<Thruster>::create(host).awake().expect_failed();
        assert!(error.text().contains(expected), "{error}");
    }
    let host = TestHost::builder()
        .vehicle("boat")
        .joint("slide", JointKind::Prismatic)
        .param("joint_name", "slide")
        .build();
    let error = TestModel::<Thruster>::create(host).awake().expect_failed();
    assert!(error.text().contains("a joint that turns about one axis"), "{error}");
}

#[test]
fn a_static_model_has_no_thruster() {
    let host = lrauv(|builder| builder);
    let link = host.link("propeller").id;
    host.set_body(Body {
        link,
        name: "tethys::propeller".to_owned(),
        entity: EntityId(1),
        moves: false,
        is_in_wind: false,
        has_gravity: true,
        mass: 1.0,
        center: [0.0; 3],
        inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    });
    let error = TestModel::<Thruster>::started(host).step().expect_failed();
    assert!(
        error
            .text()
            .contains("`joint_name` is `propeller_joint`; expected the joint of a link that forces move")
    );
}

/// A plugin may hold the link by the time of the snapshot.
#[test]
fn a_restored_thruster_does_not_check_its_link_again() {
    let mut model = TestModel::<Thruster>::started(lrauv(|builder| builder));
    model.step().expect_done();
    let saved = model.save();
    let host = lrauv(|builder| builder);
    host.set_body(Body {
        link: host.link("propeller").id,
        name: "tethys::propeller".to_owned(),
        entity: EntityId(1),
        moves: false,
        is_in_wind: false,
        has_gravity: true,
        mass: 1.0,
        center: [0.0; 3],
        inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    });
    let mut restored = TestModel::<Thruster>::started(host);
    restored.load(&saved).expect_done();
    restored.step().expect_done();
    restored.reset(ResetScope::ALL).expect_done();
    restored.step().expect_done();
}
