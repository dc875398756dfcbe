//! Equal calls give equal states, and the hash tells states apart.

use super::robots::two_wheel_robot;
use super::*;

/// A robot drives into a pile; returns the hash after every tenth of a second.
fn crash() -> Vec<u64> {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let robot = physics.add_model(&two_wheel_robot()).unwrap();
    for level in 0..5 {
        let pose = at(0.8, 0.01 * f64::from(level), 0.1 + 0.2 * f64::from(level));
        let link = box_link("box", pose, DVec3::splat(0.2), 0.3);
        physics.add_model(&model("box", vec![link], Vec::new())).unwrap();
    }
    for &joint in &robot.joints {
        physics.command_joint(joint, JointCommand::Velocity { target: 10.0, max_effort: 50.0 }).unwrap();
    }
    let tenth = |_| {
        run(&mut physics, 0.1);
        physics.state_hash()
    };
    (0..20).map(tenth).collect()
}

#[test]
fn two_runs_are_equal_to_the_bit() {
    let hashes = crash();
    assert_eq!(hashes, crash());
    let mut distinct = hashes.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), hashes.len(), "moving states must differ in their hashes");
}

#[test]
fn hash_sees_the_last_bit_of_every_number() {
    let hash = |pose: Pose, linear: DVec3| {
        let mut physics = weightless();
        let link = LinkSpec::new("link", pose);
        let added = physics.add_model(&model("model", vec![link], Vec::new())).unwrap();
        physics.set_model_velocity(added.model, linear, DVec3::ZERO).unwrap();
        physics.state_hash()
    };
    let reference = hash(at(1.0, 2.0, 3.0), DVec3::X);
    assert_eq!(reference, hash(at(1.0, 2.0, 3.0), DVec3::X));
    assert_ne!(reference, hash(at(1.0_f64.next_up(), 2.0, 3.0), DVec3::X));
    assert_ne!(reference, hash(at(1.0, 2.0, 3.0_f64.next_down()), DVec3::X));
    assert_ne!(reference, hash(at(1.0, 2.0, 3.0), DVec3::X * 1.0_f64.next_up()));
    assert_ne!(reference, hash(at(1.0, 2.0, 3.0), DVec3::Y));
}
