//! Screws: a force along the axis turns the nut, and a torque advances it.

use super::*;
use std::f64::consts::TAU;

const MASS: f64 = 2.0;
const MOMENT: f64 = 0.05;

/// A nut on an upright thread that is fixed in the world.
fn nut(pitch: f64) -> ModelSpec {
    let link = rotor("nut", at(0.0, 0.0, 1.0), MASS, DVec3::new(0.1, 0.1, MOMENT));
    let kind = JointKind::Screw { pitch };
    let joint = JointSpec::new("thread", kind, None, 0, at(0.0, 0.0, 0.5), DVec3::Z);
    model("nut", vec![link], vec![joint])
}

/// Angle and height after `seconds`, from zero.
fn angle_and_height(physics: &Physics, added: &AddedModel) -> [f64; 2] {
    let height = physics.link_pose(added.links[0]).unwrap().position.z - 1.0;
    [physics.joint_position(added.joints[0]).unwrap(), height]
}

#[test]
fn a_nut_turns_as_it_falls() {
    // The last one is slow enough for the engine to think that it rests.
    for pitch in [0.5, -0.5, 0.05, 0.01] {
        let mut physics = physics();
        let added = physics.add_model(&nut(pitch)).unwrap();
        run(&mut physics, 1.0);
        let [angle, height] = angle_and_height(&physics, &added);
        let fall = 0.5 * MASS * GRAVITY / (MASS + MOMENT * (TAU / pitch).powi(2));
        assert!((height + fall).abs() < 2e-3 * fall, "pitch {pitch}: {height} m, wanted {}", -fall);
        assert!((angle - height * TAU / pitch).abs() < 1e-6, "pitch {pitch}: {angle} rad");
    }
}

#[test]
fn a_nut_that_is_turned_advances_by_its_pitch_per_turn() {
    for pitch in [0.5, -0.02] {
        let mut physics = weightless();
        let added = physics.add_model(&nut(pitch)).unwrap();
        let torque = 0.3;
        physics.command_joint(added.joints[0], JointCommand::Effort(torque)).unwrap();
        run(&mut physics, 2.0);
        let [angle, height] = angle_and_height(&physics, &added);
        let wanted = 2.0 * torque / (MOMENT + MASS * (pitch / TAU).powi(2));
        assert!((angle - wanted).abs() < 2e-3 * wanted, "pitch {pitch}: {angle} rad, wanted {wanted}");
        assert!((height - pitch * angle / TAU).abs() < 1e-6, "pitch {pitch}: {height} m");
    }
}

#[test]
fn a_motor_turns_a_nut_against_its_weight() {
    let mut physics = physics();
    let added = physics.add_model(&nut(0.1)).unwrap();
    physics.watch_joint(added.joints[0]).unwrap();
    let command = JointCommand::Velocity { target: TAU, max_effort: f64::INFINITY };
    physics.command_joint(added.joints[0], command).unwrap();
    run(&mut physics, 3.0);
    let [angle, height] = angle_and_height(&physics, &added);
    assert!((height - 0.3).abs() < 1e-3 && (angle / TAU - 3.0).abs() < 1e-2, "{height} m, {angle} rad");
    // The weight along the thread is a torque about it.
    let effort = physics.watched_effort(added.joints[0]).unwrap();
    assert!((effort - MASS * GRAVITY * 0.1 / TAU).abs() < 1e-3, "{effort} N m");
}

#[test]
fn limits_and_damping_of_a_thread_are_those_of_its_angle() {
    let mut spec = nut(0.5);
    spec.joints[0].limits = [-1.0, 2.0];
    let mut physics = physics();
    let added = physics.add_model(&spec).unwrap();
    run(&mut physics, 3.0);
    let [angle, height] = angle_and_height(&physics, &added);
    assert!((angle + 1.0).abs() < 1e-3 && (height + 0.5 / TAU).abs() < 1e-4, "{angle} rad, {height} m");

    let mut spec = nut(0.5);
    spec.joints[0].damping = 2.0;
    let mut physics = self::physics();
    let added = physics.add_model(&spec).unwrap();
    run(&mut physics, 3.0);
    let speed = physics.joint_velocity(added.joints[0]).unwrap();
    let wanted = -MASS * GRAVITY * 0.5 / TAU / 2.0;
    assert!((speed - wanted).abs() < 1e-3, "{speed} rad/s, wanted {wanted}");
}

/// A shaft that turns in the world, a nut on its thread, and a rail that keeps the nut from turning.
fn spindle(pitch: f64) -> ModelSpec {
    let links = vec![
        rotor("shaft", at(0.0, 0.0, 0.0), 1.0, DVec3::splat(0.02)),
        rotor("nut", at(0.2, 0.0, 0.5), 0.5, DVec3::splat(0.01)),
    ];
    let joint = |name: &str, kind, parent, child| {
        JointSpec::new(name, kind, parent, child, at(0.0, 0.0, 0.5), DVec3::Z)
    };
    let joints = vec![
        joint("motor", JointKind::Continuous, None, 0),
        joint("rail", JointKind::Prismatic, None, 1),
        joint("thread", JointKind::Screw { pitch }, Some(0), 1),
    ];
    model("spindle", links, joints)
}

#[test]
fn a_spindle_moves_its_nut_along_a_rail() {
    for pitch in [0.02, -0.02] {
        let mut physics = physics();
        let added = physics.add_model(&spindle(pitch)).unwrap();
        let command = JointCommand::Velocity { target: 2.0 * TAU, max_effort: f64::INFINITY };
        physics.command_joint(added.joints[0], command).unwrap();
        run(&mut physics, 2.0);
        let [turned, slid, thread] =
            [0, 1, 2].map(|joint| physics.joint_position(added.joints[joint]).unwrap());
        assert!((turned - 4.0 * TAU).abs() < 0.02 * TAU, "{turned} rad");
        // The nut does not turn: against the shaft it turns the other way.
        assert!((thread + turned).abs() < 1e-3, "{thread} rad and {turned} rad");
        assert!((slid + pitch * turned / TAU).abs() < 1e-5, "{slid} m after {turned} rad");
    }
}

#[test]
fn a_screw_between_free_bodies_keeps_their_momentum() {
    let links = vec![
        rotor("a", at(0.0, 0.0, 0.0), 1.0, DVec3::splat(0.02)),
        rotor("b", at(0.0, 0.0, 0.5), 3.0, DVec3::splat(0.05)),
    ];
    let joint =
        JointSpec::new("thread", JointKind::Screw { pitch: 0.3 }, Some(0), 1, Pose::IDENTITY, DVec3::Z);
    let mut physics = weightless();
    let added = physics.add_model(&model("free", links, vec![joint])).unwrap();
    physics.command_joint(added.joints[0], JointCommand::Effort(0.5)).unwrap();
    run(&mut physics, 1.0);
    let [a, b] = [0, 1].map(|link| physics.link_velocity(added.links[link]).unwrap());
    assert!(b.1.z > 1.0, "{b:?}");
    assert!((a.0 + b.0 * 3.0).length() < 1e-6, "{a:?} {b:?}");
    assert!((a.1 * 0.02 + b.1 * 0.05).length() < 1e-6, "{a:?} {b:?}");
}

/// Two nuts on one shaft, which is the child of both threads, and rails for the nuts: a loop in which the second
/// thread has to be turned around.
fn two_nuts() -> ModelSpec {
    let links = vec![
        rotor("shaft", at(0.0, 0.0, 0.0), 1.0, DVec3::splat(0.02)),
        rotor("left", at(0.2, 0.0, 0.5), 0.5, DVec3::splat(0.01)),
        rotor("right", at(-0.2, 0.0, -0.5), 0.5, DVec3::splat(0.01)),
    ];
    let joint = |name: &str, kind, parent, child| {
        JointSpec::new(name, kind, parent, child, at(0.0, 0.0, 0.5), DVec3::Z)
    };
    let joints = vec![
        joint("motor", JointKind::Continuous, None, 0),
        joint("left_rail", JointKind::Prismatic, None, 1),
        joint("right_rail", JointKind::Prismatic, None, 2),
        joint("left_thread", JointKind::Screw { pitch: 0.02 }, Some(1), 0),
        joint("right_thread", JointKind::Screw { pitch: -0.02 }, Some(2), 0),
    ];
    model("vice", links, joints)
}

#[test]
fn one_shaft_moves_two_nuts() {
    let mut physics = weightless();
    let added = physics.add_model(&two_nuts()).unwrap();
    let command = JointCommand::Velocity { target: TAU, max_effort: f64::INFINITY };
    physics.command_joint(added.joints[0], command).unwrap();
    physics.watch_joint(added.joints[4]).unwrap();
    run(&mut physics, 2.0);
    let at = |joint: usize| physics.joint_position(added.joints[joint]).unwrap();
    let turned = at(0);
    assert!((turned - 2.0 * TAU).abs() < 0.02 * TAU, "{turned} rad");
    // The shaft turns against the nuts as against the world, and so moves along each of them; it stays, they go.
    assert!((at(3) - turned).abs() < 1e-3 && (at(4) - turned).abs() < 1e-3, "{} {} {turned}", at(3), at(4));
    let way = 0.02 * turned / TAU;
    assert!((at(1) + way).abs() < 1e-5 && (at(2) - way).abs() < 1e-5, "{} {} {way}", at(1), at(2));
    let shaft = physics.link_pose(added.links[0]).unwrap().position;
    assert!(shaft.length() < 1e-5, "{shaft}");
}

#[test]
fn threads_endure() {
    let drive = |physics: &mut Physics, added: &AddedModel| {
        let command = JointCommand::Velocity { target: 3.0, max_effort: 2.0 };
        physics.command_joint(added.joints[0], command).unwrap();
    };
    check_joint_invariants(&nut(0.1), drive);
    check_joint_invariants(&spindle(0.02), drive);
    check_joint_invariants(&two_nuts(), drive);
}
