//! Limits that are springs with dampers.

use super::*;

/// Efforts and stiffnesses in these tests, N m and N m/rad.
const EFFORT: f64 = 2.0;
const STIFFNESS: f64 = 50.0;

fn stop(stiffness: f64, dissipation: f64) -> Option<SoftStop> {
    Some(SoftStop { stiffness, dissipation })
}

/// A door that a constant effort drives against its upper limit.
fn driven(upper: f64, stop: Option<SoftStop>) -> (Physics, AddedModel) {
    let mut physics = sleepless();
    let added = physics.add_model(&door(JointSpec { limits: [-1.0, upper], stop, ..hinge() })).unwrap();
    physics.command_joint(added.joints[0], JointCommand::Effort(EFFORT)).unwrap();
    (physics, added)
}

fn position(physics: &Physics, added: &AddedModel) -> f64 {
    physics.joint_position(added.joints[0]).unwrap()
}

#[test]
fn a_door_rests_where_the_stop_exerts_the_effort() {
    let critical = 2.0 * (STIFFNESS * DOOR_INERTIA).sqrt();
    let (mut physics, added) = driven(0.8, stop(STIFFNESS, critical));
    run(&mut physics, 10.0);
    let (found, expected) = (position(&physics, &added), 0.8 + EFFORT / STIFFNESS);
    assert!((found - expected).abs() < 1e-3, "{found} instead of {expected}");
    // The lower limit has the same stop.
    physics.command_joint(added.joints[0], JointCommand::Effort(-EFFORT)).unwrap();
    run(&mut physics, 10.0);
    let (found, expected) = (position(&physics, &added), -1.0 - EFFORT / STIFFNESS);
    assert!((found - expected).abs() < 1e-3, "{found} instead of {expected}");
}

/// The greatest position in the first second of a door that begins at rest at its limit.
fn peak(dissipation: f64) -> f64 {
    let (mut physics, added) = driven(0.0, stop(STIFFNESS, dissipation));
    let positions = (0..steps_in(&physics, 1.0)).map(|_| {
        physics.step().unwrap();
        position(&physics, &added)
    });
    positions.fold(0.0, f64::max)
}

#[test]
fn a_dissipation_damps_the_swing_beyond_a_limit() {
    for dissipation in [0.5, 2.0, 6.0] {
        let ratio = dissipation / (2.0 * (STIFFNESS * DOOR_INERTIA).sqrt());
        let overshoot = (-std::f64::consts::PI * ratio / (1.0 - ratio * ratio).sqrt()).exp();
        let (found, expected) = (peak(dissipation), EFFORT / STIFFNESS * (1.0 + overshoot));
        assert!(
            (found / expected - 1.0).abs() < 0.02,
            "{dissipation} N m s/rad: {found} instead of {expected}"
        );
    }
}

#[test]
fn the_default_of_sdf_is_a_rigid_stop() {
    let way = |stop| {
        let (mut physics, added) = driven(0.8, stop);
        let positions = (0..2000).map(|_| {
            physics.step().unwrap();
            position(&physics, &added)
        });
        positions.collect::<Vec<_>>()
    };
    let rigid = way(None);
    assert_eq!(way(stop(1e8, 1.0)), rigid);
    assert_eq!(way(stop(1e300, 0.0)), rigid);
    assert!((rigid.last().unwrap() - 0.8).abs() < 1e-6, "{:?}", rigid.last());
}

#[test]
fn a_slide_has_a_soft_stop_in_newtons_per_metre() {
    let mut physics = Physics::new(Settings { sleeping: false, ..Settings::default() }).unwrap();
    let slide = JointSpec::new("slide", JointKind::Prismatic, None, 0, Pose::IDENTITY, DVec3::Z);
    let added = physics
        .add_model(&door(JointSpec { limits: [-0.1, 1.0], stop: stop(300.0, 60.0), ..slide }))
        .unwrap();
    run(&mut physics, 5.0);
    // The door has 3 kg.
    let (found, expected) = (position(&physics, &added), -0.1 - 3.0 * GRAVITY / 300.0);
    assert!((found - expected).abs() < 1e-3, "{found} instead of {expected}");
}

#[test]
fn a_joint_between_models_has_a_soft_stop() {
    let mut physics = sleepless();
    let added = physics.add_model(&model("door", vec![cube("door", 0.0)], Vec::new())).unwrap();
    let joint = JointSpec { limits: [-1.0, 0.3], stop: stop(STIFFNESS, 6.0), ..hinge() };
    let joint = physics.add_joint(&joint, None, added.links[0]).unwrap();
    for _ in 0..steps_in(&physics, 10.0) {
        physics.apply_wrench(added.links[0], DVec3::ZERO, DVec3::Z * EFFORT).unwrap();
        physics.step().unwrap();
    }
    let (found, expected) = (physics.joint_position(joint).unwrap(), 0.3 + EFFORT / STIFFNESS);
    assert!((found - expected).abs() < 1e-3, "{found} instead of {expected}");
}

#[test]
fn a_stop_that_exerts_nothing_is_no_limit_and_any_other_stays_finite() {
    for none in [stop(0.0, 0.0), stop(1e-300, 1e-12)] {
        let (mut physics, added) = driven(0.1, none);
        run(&mut physics, 1.0);
        let (found, expected) = (position(&physics, &added), 0.5 * EFFORT / DOOR_INERTIA);
        assert!((found / expected - 1.0).abs() < 0.01, "{none:?}: {found} instead of {expected}");
    }
    for some in [stop(0.0, 1e300), stop(1e-300, 1.0), stop(1.0, 1e300), stop(1e7, 0.0), stop(1e-3, 1e-300)] {
        let (mut physics, added) = driven(0.1, some);
        run(&mut physics, 1.0);
        let found = position(&physics, &added);
        assert!((0.09..1.1).contains(&found), "{some:?}: {found}");
    }
}

#[test]
fn a_stop_that_means_nothing_is_named() {
    let refused = |stop| {
        let joint = JointSpec { stop, ..hinge() };
        physics().add_model(&door(joint)).unwrap_err().to_string()
    };
    let wanted = "[BH-PHY-023] the stiffness of the limits of hinge in model door must be finite and not negative, found -1";
    assert_eq!(refused(stop(-1.0, 1.0)), wanted);
    for bad in [-0.5, f64::NAN, f64::INFINITY] {
        let text = refused(stop(50.0, bad));
        assert!(text.starts_with("[BH-PHY-023] the dissipation of the limits of hinge"), "{text}");
    }
}

#[test]
fn soft_stops_endure() {
    let drive = |physics: &mut Physics, added: &AddedModel| {
        physics.command_joint(added.joints[0], JointCommand::Effort(EFFORT)).unwrap();
    };
    let joint = JointSpec { limits: [-0.1, 0.05], stop: stop(STIFFNESS, 2.0), ..hinge() };
    check_joint_invariants(&door(joint), drive);
}
