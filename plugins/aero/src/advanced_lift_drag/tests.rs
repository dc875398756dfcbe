//! An aircraft through its C functions.

use bridgehead_plugin_api::host::{Body, EntityId, JointKind, JointState, LinkState, Pose, Surroundings};
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use super::*;

fn plane() -> TestHostBuilder {
    TestHost::builder()
        .vehicle("plane")
        .link("body")
        .joint("aileron", JointKind::Revolute)
        .params([("link_name", "body"), ("AR", "16"), ("eff", "0.9"), ("area", "4"), ("air_density", "1.2")])
        .params([("CL0", "0.25"), ("cp", "0.5 0 0"), ("alpha_stall", "1.5")])
}

fn moving(host: TestHost, linear: [f64; 3]) {
    host.set_link_state("body", LinkState { pose: Pose::IDENTITY, linear, angular: [0.0; 3] });
}

#[test]
fn lift_acts_at_the_reference_point_and_a_surface_rolls_the_aircraft() {
    let surface = [
        ("control_surface/name", "aileron"),
        ("control_surface/index", "0"),
        ("control_surface/direction", "-1"),
        ("control_surface/Cell_ctrl", "0.001"),
    ];
    let host = plane().params(surface).param("num_ctrl_surfaces", 1).build();
    let mut model = TestModel::<AdvancedLiftDrag>::started(host);
    model.step().expect_done();
    assert_eq!(host.take_commands(), [], "it stands");
    assert_eq!(host.unread_params(), Vec::<String>::new());
    host.set_joint_state("aileron", JointState { position: 0.1, velocity: 0.0, effort: 0.0 });
    moving(host, [20.0, 0.0, 0.0]);
    model.step().expect_done();
    let pressure = 0.5 * 1.2 * 400.0 * 4.0;
    match host.take_commands().as_slice() {
        [TestCommand::ForceAt { force, point, .. }, TestCommand::LinkWrench { torque, .. }] => {
            assert!((force[2] - 0.25 * pressure).abs() < 1e-3, "{force:?}");
            assert_eq!(*point, [0.5, 0.0, 0.0]);
            let rolled = -0.001 * 0.1_f64.to_degrees() * pressure * 8.0;
            assert!((torque[0] - rolled).abs() < 1e-9, "{torque:?}");
        }
        others => panic!("{others:?}"),
    }
}

#[test]
fn it_flies_relative_to_the_wind() {
    let host = plane().build();
    host.set_surroundings(Surroundings { wind: [20.0, 0.0, 0.0], ..Surroundings::default() });
    moving(host, [20.0, 0.0, 0.0]);
    TestModel::<AdvancedLiftDrag>::started(host).step().expect_done();
    assert_eq!(host.take_commands(), []);
}

#[test]
fn parameters_are_refused_with_their_place() {
    for (path, text, expected) in [
        ("CLa", "inf", "`CLa` is `inf`; expected a finite number"),
        ("control_surface/name", "rudder", "rudder"),
        ("mac", "-1", "`mac` is `-1`; expected 0 or more"),
    ] {
        let host = plane().param(path, text).build();
        let error = TestModel::<AdvancedLiftDrag>::create(host).awake().expect_failed();
        assert!(error.text().contains(expected), "{error}");
    }
    let host = TestHost::builder().vehicle("plane").link("body").param("link_name", "body").build();
    let error = TestModel::<AdvancedLiftDrag>::create(host).awake().expect_failed();
    assert!(error.text().contains("`AR`"), "{error}");
}

/// A plugin may hold the link by the time of the snapshot.
#[test]
fn a_restored_aircraft_does_not_check_its_link_again() {
    let mut model = TestModel::<AdvancedLiftDrag>::started(plane().build());
    model.step().expect_done();
    let saved = model.save();
    let host = plane().build();
    host.set_body(Body {
        link: host.link("body").id,
        name: "plane::body".to_owned(),
        entity: EntityId(1),
        moves: false,
        is_in_wind: false,
        has_gravity: true,
        mass: 1.0,
        center: [0.0; 3],
        inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    });
    let mut restored = TestModel::<AdvancedLiftDrag>::started(host);
    restored.load(&saved).expect_done();
    restored.step().expect_done();
}
