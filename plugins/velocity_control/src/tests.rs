//! The controller through its C functions.

use bridgehead_plugin_api::host::{Entity, EntityId, Level, Pose};
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use super::*;

/// A model that faces along y.
fn turned(builder: TestHostBuilder) -> TestHost {
    let host = builder.vehicle("car").link("base").build();
    let half = std::f64::consts::FRAC_1_SQRT_2;
    host.set_entity(Entity {
        id: EntityId(1),
        name: "car".to_owned(),
        is_static: false,
        is_spawned: false,
        pose: Pose { position: [0.0; 3], orientation: [0.0, 0.0, half, half] },
        linear: [0.0; 3],
        angular: [0.0; 3],
        box_min: [0.0; 3],
        box_max: [0.0; 3],
    });
    host
}

/// Returns the velocities of the last command, rounded.
fn commanded(host: TestHost) -> Option<([f64; 3], [f64; 3])> {
    let round = |vector: [f64; 3]| vector.map(|value| (value * 1e9).round() / 1e9 + 0.0);
    match host.take_commands().last() {
        Some(TestCommand::ModelVelocity { linear, angular, .. }) => Some((round(*linear), round(*angular))),
        Some(other) => panic!("a velocity, not {other:?}"),
        None => None,
    }
}

fn twist(x: f64, turn: f64) -> Twist {
    Twist { linear: Some(Vector3::new(x, 0.0, 0.0)), angular: Some(Vector3::new(0.0, 0.0, turn)) }
}

#[test]
fn a_model_does_not_move_until_its_first_command() {
    let host = turned(TestHost::builder());
    let mut model = TestModel::<VelocityControl>::started(host);
    model.step().expect_done();
    assert_eq!(commanded(host), None);
    host.send("cmd_vel", &twist(2.0, 0.5));
    model.run(3).expect_done();
    // Forward is along y of the world, and the command holds.
    assert_eq!(commanded(host), Some(([0.0, 2.0, 0.0], [0.0, 0.0, 0.5])));
    model.reset(ResetScope::ALL).expect_done();
    model.step().expect_done();
    assert_eq!(commanded(host), None);
}

#[test]
fn an_initial_motion_can_be_given() {
    let host =
        turned(TestHost::builder().params([("initial_linear", "0.3 0 0"), ("initial_angular", "0 0 -0.1")]));
    TestModel::<VelocityControl>::started(host).step().expect_done();
    assert_eq!(commanded(host), Some(([0.0, 0.3, 0.0], [0.0, 0.0, -0.1])));
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn a_command_can_expire_and_one_that_is_not_finite_is_ignored() {
    let host = turned(TestHost::builder().param("command_timeout", 0.005));
    let mut model = TestModel::<VelocityControl>::started(host);
    host.send("cmd_vel", &twist(1.0, 0.0));
    model.step().expect_done();
    for (x, turn) in [(f64::NAN, 0.0), (1e300, 0.0), (0.0, -1e300)] {
        host.send("cmd_vel", &twist(x, turn));
        model.step().expect_done();
    }
    assert!(host.has_logged(Level::Warn, "[BH-PHY-051]"));
    model.run(2).expect_done();
    assert_eq!(commanded(host), Some(([0.0, 1.0, 0.0], [0.0; 3])));
    model.step().expect_done();
    assert_eq!(commanded(host), Some(([0.0; 3], [0.0; 3])));
    assert!(host.has_logged(Level::Warn, "ignored a command"));
}

#[test]
fn a_vector_of_two_numbers_is_refused() {
    let host = turned(TestHost::builder().param("initial_linear", "1 2"));
    let error = TestModel::<VelocityControl>::create(host).awake().expect_failed();
    assert!(error.text().ends_with("`initial_linear` is `1 2`; expected three finite numbers"), "{error}");
}
