//! A wing through its C functions.

use bridgehead_plugin_api::host::{Body, EntityId, JointKind, JointState, LinkState, Pose, Surroundings};
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use super::*;

fn wing(builder: TestHostBuilder) -> TestHost {
    builder
        .vehicle("plane")
        .link("wing")
        .joint("flap", JointKind::Revolute)
        .params([("link_name", "wing"), ("a0", "0.1"), ("cla", "2"), ("cda", "0"), ("area", "0.5")])
        .params([("air_density", "1.2"), ("cp", "0 0.5 0")])
        .build()
}

fn forces(host: TestHost) -> Vec<TestCommand> {
    host.take_commands()
}

#[test]
fn a_blade_that_turns_is_lifted_at_its_centre_of_pressure() {
    let host = wing(TestHost::builder());
    let mut model = TestModel::<LiftDrag>::started(host);
    model.step().expect_done();
    assert_eq!(forces(host), []);
    // About z backwards: its centre of pressure, half a metre to the left, moves forwards with 10 m/s.
    let pose = Pose { position: [1.0, 0.0, 2.0], ..Pose::IDENTITY };
    host.set_link_state("wing", LinkState { pose, linear: [0.0; 3], angular: [0.0, 0.0, -20.0] });
    model.step().expect_done();
    let lift = 2.0 * 0.1 * 0.5 * 1.2 * 100.0 * 0.5;
    match forces(host).as_slice() {
        [TestCommand::ForceAt { force, point, .. }] => {
            assert!(
                force[0].abs() < 1e-9 && force[1].abs() < 1e-9 && (force[2] - lift).abs() < 1e-9,
                "{force:?}"
            );
            assert_eq!(*point, [1.0, 0.5, 2.0]);
        }
        others => panic!("{others:?}"),
    }
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn wind_and_a_flap_lift_a_wing_that_stands() {
    let host =
        wing(TestHost::builder().params([("control_joint_name", "flap"), ("control_joint_rad_to_cl", "3")]));
    host.set_surroundings(Surroundings { wind: [-10.0, 0.0, 0.0], ..Surroundings::default() });
    host.set_joint_state("flap", JointState { position: 0.2, velocity: 0.0, effort: 0.0 });
    TestModel::<LiftDrag>::started(host).step().expect_done();
    let lift = (2.0 * 0.1 + 3.0 * 0.2) * 0.5 * 1.2 * 100.0 * 0.5;
    match forces(host).as_slice() {
        [TestCommand::ForceAt { force, .. }] => assert!((force[2] - lift).abs() < 1e-9, "{force:?}"),
        others => panic!("{others:?}"),
    }
}

#[test]
fn parameters_are_refused_with_their_place() {
    for (path, text, expected) in [
        ("forward", "0 0 0", "`forward` is `0 0 0`; expected a vector with a direction"),
        ("upward", "1 2", "`upward` is `1 2`; expected three finite numbers"),
        ("alpha_stall", "-1", "`alpha_stall` is `-1`; expected 0 or more"),
        ("control_joint_name", "rudder", "rudder"),
    ] {
        let host = wing(TestHost::builder().param(path, text));
        let error = TestModel::<LiftDrag>::create(host).awake().expect_failed();
        assert!(error.text().contains(expected), "{error}");
    }
}

/// A plugin may hold the link by the time of the snapshot.
#[test]
fn a_restored_wing_does_not_check_its_link_again() {
    let mut model = TestModel::<LiftDrag>::started(wing(TestHost::builder()));
    model.step().expect_done();
    let saved = model.save();
    let host = wing(TestHost::builder());
    host.set_body(Body {
        link: host.link("wing").id,
        name: "plane::wing".to_owned(),
        entity: EntityId(1),
        moves: false,
        is_in_wind: false,
        has_gravity: true,
        mass: 1.0,
        center: [0.0; 3],
        inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    });
    let mut restored = TestModel::<LiftDrag>::started(host);
    restored.load(&saved).expect_done();
    restored.step().expect_done();
}
