//! Hydrodynamics through its C functions: the test moves the link by the forces that it gets, as physics does.

use bridgehead_plugin_api::host::{Body, EntityId, Level, LinkState, Pose};
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestModel};

use super::*;

const MASS: f64 = 10.0;
const WIDTH: f64 = 1e-3;

fn host<const N: usize>(params: [(&str, &str); N]) -> TestHost {
    let host =
        TestHost::builder().vehicle("rov").link("hull").param("link_name", "hull").params(params).build();
    host.set_body(Body {
        link: host.link("hull").id,
        name: "rov::hull".to_owned(),
        entity: EntityId(1),
        moves: true,
        is_in_wind: false,
        has_gravity: true,
        mass: MASS,
        center: [0.0; 3],
        inertia: [2.0, 3.0, 4.0, 0.0, 0.0, 0.0],
    });
    host
}

/// Force and torque of the last step.
fn wrench(host: TestHost) -> ([f64; 3], [f64; 3]) {
    match host.take_commands().as_slice() {
        [TestCommand::LinkWrench { force, torque, .. }] => (*force, *torque),
        others => panic!("{others:?}"),
    }
}

fn at(host: TestHost, linear: [f64; 3], angular: [f64; 3]) {
    host.set_link_state("hull", LinkState { pose: Pose::IDENTITY, linear, angular });
}

/// The speed along x after some seconds under a constant force.
fn pushed(host: TestHost, force: f64, seconds: f64) -> f64 {
    let mut model = TestModel::<Hydrodynamics>::started(host);
    let mut speed = 0.0;
    let mut time = 0.0;
    while time < seconds {
        model.step().expect_done();
        speed += (force + wrench(host).0[0]) / MASS * WIDTH;
        at(host, [speed, 0.0, 0.0], [0.0; 3]);
        time += WIDTH;
    }
    speed
}

/// The added mass is up to a hundred times the mass, where a force from the last acceleration diverges.
#[test]
fn a_force_accelerates_mass_and_added_mass() {
    for added in [0.0, 5.0, 100.0, 1000.0] {
        let speed = pushed(host([("xDotU", &format!("-{added}"))]), 20.0, 2.0);
        let expected = 20.0 * 2.0 / (MASS + added);
        // In its first step a new force moves the mass alone.
        let first = 20.0 / MASS * WIDTH;
        assert!((speed - expected - first).abs() <= first + 1e-9, "{added} kg: {speed}, expected {expected}");
    }
}

#[test]
fn drag_and_thrust_balance_at_the_terminal_speed() {
    // F = 6.2282 u |u|, as of Gazebo's LRAUV, and with a linear part 2 u + 4 u |u| = F.
    let speed = pushed(host([("xUabsU", "-6.2282"), ("xDotU", "-4.876161")]), 6.0, 30.0);
    assert!((speed - (6.0_f64 / 6.2282).sqrt()).abs() < 1e-3, "{speed}");
    let speed = pushed(host([("xU", "-2"), ("xUabsU", "-4")]), 6.0, 30.0);
    assert!((speed - 1.0).abs() < 1e-3, "{speed}");
}

#[test]
fn cross_terms_and_torques_have_their_own_derivatives() {
    let host = host([("yU", "-3"), ("nR", "-2"), ("nRabsR", "-1"), ("kVV", "0.5"), ("mUabsW", "-1")]);
    let mut model = TestModel::<Hydrodynamics>::started(host);
    at(host, [2.0, -4.0, -3.0], [0.0, 0.0, -2.0]);
    model.step().expect_done();
    let (force, torque) = wrench(host);
    assert_eq!(force, [0.0, -6.0, 0.0]);
    assert_eq!(torque, [0.5 * 16.0, -2.0 * 3.0, 4.0 + 4.0]);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

/// A body that moves across its axes is turned by the Munk moment: (Y - X) u v about z.
#[test]
fn the_added_mass_turns_a_body_that_drifts() {
    let params = [("xDotU", "-5"), ("yDotV", "-30")];
    let run = |host: TestHost| {
        let mut model = TestModel::<Hydrodynamics>::started(host);
        at(host, [2.0, 1.0, 0.0], [0.0; 3]);
        model.run(3).expect_done();
        let last = host.take_commands().pop();
        match last {
            Some(TestCommand::LinkWrench { torque, .. }) => torque,
            other => panic!("{other:?}"),
        }
    };
    let torque = run(host(params));
    assert!((torque[2] - (5.0 - 30.0) * 2.0 * 1.0).abs() < 1e-9, "{torque:?}");
    let [first, second] = params;
    assert_eq!(run(host([first, second, ("disable_coriolis", "true")])), [0.0; 3]);
    assert_eq!(run(host([first, second, ("disable_added_mass", "true")])), [0.0; 3]);
}

#[test]
fn water_that_flows_carries_the_link_along() {
    let host = host([("xU", "-2"), ("default_current", "1 0 0"), ("namespace", "rov")]);
    let mut model = TestModel::<Hydrodynamics>::started(host);
    model.step().expect_done();
    assert_eq!(wrench(host).0, [2.0, 0.0, 0.0]);
    host.send("/model/rov/ocean_current", &Vector3 { x: -3.0, y: 0.0, z: 0.0 });
    model.step().expect_done();
    assert_eq!(wrench(host).0, [-6.0, 0.0, 0.0]);
    host.send("/model/rov/ocean_current", &Vector3 { x: f64::NAN, y: 0.0, z: 0.0 });
    model.step().expect_done();
    assert_eq!(wrench(host).0, [-6.0, 0.0, 0.0]);
    assert!(host.has_logged(Level::Warn, "ignored a current"));
}

#[test]
fn parameters_are_refused_with_their_place() {
    let error = TestModel::<Hydrodynamics>::create(host([("xU", "inf")])).awake().expect_failed();
    assert!(error.text().contains("`xU` is `inf`; expected a finite number"), "{error}");
    let error = TestModel::<Hydrodynamics>::started(host([("xDotU", "10")])).step().expect_failed();
    assert!(error.text().contains("`xDotU` is `10`; expected less than 10"), "{error}");
    let none = TestHost::builder().vehicle("rov").link("hull").param("link_name", "keel").build();
    let error = TestModel::<Hydrodynamics>::create(none).awake().expect_failed();
    assert!(error.text().contains("keel"), "{error}");
}

/// A plugin may hold the link by the time of the snapshot.
#[test]
fn a_restored_run_has_the_masses_of_the_interrupted_one() {
    let host = host([("xDotU", "-5"), ("xU", "-3")]);
    at(host, [2.0, 0.0, 0.0], [0.0; 3]);
    let mut model = TestModel::<Hydrodynamics>::started(host);
    model.step().expect_done();
    let saved = model.save();
    drop(host.take_commands());
    model.step().expect_done();
    let expected = wrench(host);
    let other = self::host([("xDotU", "-5"), ("xU", "-3")]);
    other.set_body(Body {
        link: other.link("hull").id,
        name: "rov::hull".to_owned(),
        entity: EntityId(1),
        moves: false,
        is_in_wind: false,
        has_gravity: true,
        mass: MASS,
        center: [0.0; 3],
        inertia: [2.0, 3.0, 4.0, 0.0, 0.0, 0.0],
    });
    at(other, [2.0, 0.0, 0.0], [0.0; 3]);
    let mut restored = TestModel::<Hydrodynamics>::started(other);
    restored.load(&saved).expect_done();
    restored.step().expect_done();
    assert_eq!(wrench(other), expected);
}
