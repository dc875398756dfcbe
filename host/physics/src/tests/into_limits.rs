//! Joints that begin outside of their limits.

use super::*;

/// The middle of the mass of links, and their momentum, kg m/s.
fn center_and_momentum(physics: &Physics, spec: &ModelSpec, added: &AddedModel) -> (DVec3, DVec3) {
    let (mut center, mut momentum, mut total) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (id, link) in added.links.iter().zip(&spec.links) {
        let Inertial { mass, pose: inside, .. } = link.inertial;
        let pose = physics.link_pose(*id).unwrap();
        let (linear, angular) = physics.link_velocity(*id).unwrap();
        let arm = pose.rotate(inside.position);
        center += mass * (pose.position + arm);
        momentum += mass * (linear + angular.cross(arm));
        total += mass;
    }
    (center / total, momentum)
}

/// A floating base of 3 kg with an arm and a hand, whose joints begin 0.5 and 0.15 rad outside of their limits.
fn arm() -> ModelSpec {
    let part = |name: &str, z: f64, mass: f64, moments: DVec3, center: f64| LinkSpec {
        inertial: Inertial { mass, moments, pose: at(0.0, 0.0, center), ..Inertial::default() },
        ..LinkSpec::new(name, at(0.0, 0.0, z))
    };
    let links = vec![
        part("base", 0.0, 3.0, DVec3::splat(0.02), 0.0),
        part("arm", 0.3, 2.0, DVec3::new(0.01, 0.01, 0.002), 0.1),
        part("hand", 0.5, 0.5, DVec3::splat(0.001), 0.0),
    ];
    let joint = |name: &str, parent: usize, z: f64, limits: [f64; 2]| {
        let joint =
            JointSpec::new(name, JointKind::Revolute, Some(parent), parent + 1, at(0.0, 0.0, z), DVec3::Y);
        JointSpec { limits, effort: 80.0, velocity: 2.0, ..joint }
    };
    let joints = vec![joint("elbow", 0, 0.3, [0.5, 2.0]), joint("wrist", 1, 0.5, [-3.0, -0.15])];
    model("arm", links, joints)
}

/// Steps and checks that nothing is thrown: the centre of mass stays, and no link is fast.
fn expect_calm(physics: &mut Physics, spec: &ModelSpec, added: &AddedModel, seconds: f64, text: &str) {
    let (start, _) = center_and_momentum(physics, spec, added);
    for step in 0..steps_in(physics, seconds) {
        physics.step().expect("sound");
        let (center, momentum) = center_and_momentum(physics, spec, added);
        assert!(momentum.length() < 1e-6, "{text}, step {step}: {momentum} kg m/s");
        assert!(center.distance(start) < 1e-5, "{text}, step {step}: the centre of mass is at {center}");
        for link in &added.links {
            let (linear, angular) = physics.link_velocity(*link).unwrap();
            let is_slow = linear.length() < 0.5 && angular.length() < 1.0;
            assert!(is_slow, "{text}, step {step}: {linear} m/s, {angular} rad/s");
        }
    }
}

fn positions(physics: &Physics, added: &AddedModel) -> Vec<f64> {
    added.joints.iter().map(|joint| physics.joint_position(*joint).unwrap()).collect()
}

/// Returns true if a joint is at its limit, from how far it is beyond it.
fn arrives(beyond: f64) -> bool {
    (-2e-3..1e-3).contains(&beyond)
}

#[test]
fn a_floating_arm_comes_into_its_limits_without_momentum() {
    let mut physics = weightless();
    let spec = arm();
    let added = physics.add_model(&spec).unwrap();
    for round in 0..2 {
        expect_calm(&mut physics, &spec, &added, 0.25, &format!("round {round}"));
        let under_way = positions(&physics, &added)[0];
        assert!((under_way - 0.25).abs() < 0.01, "{under_way} rad after a quarter of a second");
        expect_calm(&mut physics, &spec, &added, 2.0, &format!("round {round}"));
        let found = positions(&physics, &added);
        let beyond = [found[0] - 0.5, -0.15 - found[1]];
        assert!(beyond.iter().all(|beyond| arrives(*beyond)), "{found:?}");
        physics.reset_model(added.model).unwrap();
        assert_eq!(positions(&physics, &added), [0.0; 2]);
    }
}

/// A floating or standing base and one joint that begins outside of its limits.
fn pair(kind: JointKind, limits: [f64; 2], offset: DVec3, mass: f64, is_floating: bool) -> ModelSpec {
    let base = box_link("base", at(0.0, 0.0, 0.0), DVec3::splat(0.3), 2.0);
    let side = 0.1 * mass.cbrt();
    let link =
        box_link("link", Pose::from_position(DVec3::X * 0.5), DVec3::new(side, side, 3.0 * side), mass);
    let pose = Pose::from_position(offset);
    let mut joints = vec![JointSpec {
        limits,
        ..JointSpec::new("joint", kind, Some(0), 1, pose, DVec3::new(0.3, 1.0, 0.2))
    }];
    if !is_floating {
        joints.push(JointSpec::new("fix", JointKind::Fixed, None, 0, Pose::IDENTITY, DVec3::X));
    }
    let mut links = vec![base, link];
    links.iter_mut().for_each(|link| link.collisions.clear());
    model("pair", links, joints)
}

#[test]
fn joints_reach_the_nearer_limit_at_a_bounded_rate() {
    let kinds = [
        (JointKind::Revolute, [0.7, 2.0], 0.7, 1.0),
        (JointKind::Revolute, [-2.5, -1.2], -1.2, 1.0),
        (JointKind::Revolute, [4.0, 5.5], 4.0, 1.0),
        (JointKind::Prismatic, [0.15, 0.4], 0.15, 0.1),
        (JointKind::Prismatic, [-0.5, -0.2], -0.2, 0.1),
    ];
    for (kind, limits, end, rate) in kinds {
        for offset in [DVec3::ZERO, DVec3::X * 0.5, DVec3::new(0.2, -0.3, 0.4)] {
            for mass in [0.005, 1.0, 20.0] {
                for is_floating in [true, false] {
                    let text = format!("{kind:?} {limits:?} {offset} {mass} {is_floating}");
                    let spec = pair(kind, limits, offset, mass, is_floating);
                    expect_arrival(&spec, end, rate, &text);
                }
            }
        }
    }
}

fn expect_arrival(spec: &ModelSpec, end: f64, rate: f64, text: &str) {
    let mut physics = weightless();
    let added = physics.add_model(spec).unwrap();
    let is_floating = spec.joints.len() == 1;
    let (start, _) = center_and_momentum(&physics, spec, &added);
    let mut before: f64 = 0.0;
    for _ in 0..steps_in(&physics, end.abs() / rate + 0.2) {
        physics.step().expect("sound");
        let position = physics.joint_position(added.joints[0]).unwrap();
        let speed = (position - before).abs() / physics.settings().step;
        assert!(speed < 1.001 * rate, "{text}: as fast as {speed}");
        before = position;
        let (center, momentum) = center_and_momentum(&physics, spec, &added);
        let is_calm = center.distance(start) < 1e-3 && momentum.length() < 1e-6;
        assert!(!is_floating || is_calm, "{text}: the centre of mass is at {center}, {momentum} kg m/s");
    }
    let beyond = (before - end) * end.signum();
    assert!(arrives(beyond), "{text}: at {before}");
}

#[test]
fn an_arm_on_the_ground_is_not_thrown_while_its_joints_are_held() {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let mut spec = arm();
    let foot = CollisionShape::Box { size: DVec3::new(0.4, 0.4, 0.2) };
    spec.links[0].collisions.push(collision(foot, 1.0));
    spec.links.iter_mut().for_each(|link| link.pose.position.z += 0.1);
    spec.joints.iter_mut().for_each(|joint| joint.pose.position.z += 0.1);
    let added = physics.add_model(&spec).unwrap();
    for (joint, target) in added.joints.iter().zip([0.6, -0.4]) {
        let hold = JointCommand::Position { target, stiffness: 200.0, damping: 20.0, max_effort: 80.0 };
        physics.command_joint(*joint, hold).unwrap();
    }
    for _ in 0..steps_in(&physics, 3.0) {
        physics.step().unwrap();
        let (linear, _) = physics.link_velocity(added.links[0]).unwrap();
        assert!(linear.length() < 0.5, "the base is thrown at {linear} m/s");
    }
    let [base, found] = [physics.link_pose(added.links[0]).unwrap().position, DVec3::Z * 0.1];
    assert!(base.distance(found) < 0.1, "the base is at {base}");
    let found = positions(&physics, &added);
    assert!((0.5..0.7).contains(&found[0]) && (-0.5..-0.3).contains(&found[1]), "{found:?}");
}

#[test]
fn joints_outside_of_their_limits_endure() {
    check_joint_invariants(&arm(), |_, _| {});
}

#[test]
fn a_floating_robot_keeps_its_place_while_a_mimic_moves_to_its_offset() {
    let mut spec = arm();
    spec.joints.iter_mut().for_each(|joint| joint.limits = [-3.0, 3.0]);
    spec.joints[1].mimic = Some(MimicSpec { leader: 0, second_axis: false, multiplier: 1.0, offset: 0.8 });
    let mut physics = weightless();
    let added = physics.add_model(&spec).unwrap();
    expect_calm(&mut physics, &spec, &added, 1.0, "mimic");
    let found = positions(&physics, &added);
    assert!(found[0].abs() < 1e-6 && (found[1] - 0.8).abs() < 1e-6, "{found:?}");
}
