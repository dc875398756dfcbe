//! Joints: energy, limits, friction, damping, springs, and positions.

use super::*;

/// Kinetic and potential energy of a pendulum of rods of one kilogram.
fn energy(physics: &Physics, links: &[LinkId]) -> f64 {
    let of = |&id: &LinkId| {
        let pose = physics.link_pose(id).unwrap();
        let (linear, angular) = physics.link_velocity(id).unwrap();
        let about_y = (1.0 + 0.0025) / 12.0;
        0.5 * linear.length_squared() + 0.5 * about_y * angular.length_squared() + GRAVITY * pose.position.z
    };
    links.iter().map(of).sum()
}

#[test]
fn undamped_pendulum_keeps_its_energy() {
    let mut physics = physics();
    let added = physics.add_model(&pendulum(2)).unwrap();
    let before = energy(&physics, &added.links);
    run(&mut physics, 10.0);
    let lost = before - energy(&physics, &added.links);
    // Both rods hanging straight down have 9.8 · (0.5 + 1.5) J less.
    let drop = GRAVITY * 2.0;
    assert!((lost / drop).abs() < 0.04, "lost {:.2} % of the drop", 100.0 * lost / drop);
}

#[test]
fn chains_hold_together_at_their_joints() {
    let mut physics = physics();
    let added = physics.add_model(&pendulum(3)).unwrap();
    run(&mut physics, 2.0);
    let end = physics.link_pose(added.links[0]).unwrap().transform_point(DVec3::X * 0.5);
    let start = physics.link_pose(added.links[1]).unwrap().transform_point(DVec3::X * -0.5);
    assert!(end.distance(start) < 1e-9, "{} m apart", end.distance(start));
}

#[test]
fn a_belt_on_a_light_base_that_is_fixed_to_the_world_stays_level() {
    let mut physics = physics();
    let base =
        LinkSpec { collisions: Vec::new(), ..box_link("base", at(0.0, 0.0, 0.0), DVec3::splat(0.04), 1.0) };
    let belt = box_link("belt", at(0.0, 0.0, 0.0), DVec3::new(12.0, 2.0, 0.1), 50.0);
    let fix = JointSpec::new("fix", JointKind::Fixed, None, 0, Pose::IDENTITY, DVec3::X);
    let drive = JointSpec::new("drive", JointKind::Prismatic, Some(0), 1, Pose::IDENTITY, DVec3::X);
    let added = physics.add_model(&model("conveyor", vec![base, belt], vec![fix, drive])).unwrap();
    for (name, x) in [("first", -3.0), ("second", -2.0)] {
        let load = box_link(name, at(x, 0.0, 0.2), DVec3::new(0.6, 0.4, 0.2), 1.0);
        physics.add_model(&model(name, vec![load], Vec::new())).unwrap();
    }
    run(&mut physics, 2.0);
    let up = physics.link_pose(added.links[1]).unwrap().rotation * DVec3::Z;
    assert!(up.x.abs() < 1e-4, "the belt leans by {} rad", up.x);
}

#[test]
fn a_joint_that_closes_a_loop_holds() {
    let mut physics = physics();
    let mut spec = pendulum(2);
    // The far end is attached to the world as well: a bridge of two rods that cannot fall.
    spec.joints.push(JointSpec::new("far", JointKind::Continuous, None, 1, at(2.0, 0.0, 0.0), DVec3::Y));
    let added = physics.add_model(&spec).unwrap();
    run(&mut physics, 2.0);
    let end = physics.link_pose(added.links[1]).unwrap().transform_point(DVec3::X * 0.5);
    assert!(end.distance(DVec3::X * 2.0) < 1e-6, "the far end is at {end}");
}

#[test]
fn revolute_limit_holds() {
    let mut physics = weightless();
    let joint = JointSpec { limits: [-0.5, 0.8], ..hinge() };
    let added = physics.add_model(&door(joint)).unwrap();
    for (effort, limit) in [(2.0, 0.8), (-2.0, -0.5)] {
        physics.command_joint(added.joints[0], JointCommand::Effort(effort)).unwrap();
        run(&mut physics, 4.0);
        let position = physics.joint_position(added.joints[0]).unwrap();
        assert!((position - limit).abs() < 1e-3, "{position} instead of {limit}");
    }
}

#[test]
fn prismatic_joint_slides_along_its_axis_to_its_limit() {
    let mut physics = physics();
    let axis = DVec3::new(0.0, 0.0, -2.0);
    let joint = JointSpec {
        limits: [0.0, 1.5],
        ..JointSpec::new("slider", JointKind::Prismatic, None, 0, at(0.0, 0.0, 1.0), axis)
    };
    let added = physics.add_model(&door(joint)).unwrap();
    run(&mut physics, 0.4);
    let fallen = 0.5 * GRAVITY * 0.16;
    let position = physics.joint_position(added.joints[0]).unwrap();
    assert!((position - fallen).abs() < 0.01, "{position} instead of {fallen}");
    assert!((physics.joint_velocity(added.joints[0]).unwrap() - GRAVITY * 0.4).abs() < 0.02);
    run(&mut physics, 1.0);
    let pose = physics.link_pose(added.links[0]).unwrap();
    assert!((pose.position - DVec3::new(0.5, 0.0, -1.5)).length() < 1e-3, "{}", pose.position);
}

#[test]
fn angle_counts_full_turns_both_ways() {
    let mut physics = weightless();
    let joint = JointSpec { kind: JointKind::Continuous, ..hinge() };
    let added = physics.add_model(&door(joint)).unwrap();
    for (target, expected) in [(10.0, 30.0), (-10.0, -30.0)] {
        let before = physics.joint_position(added.joints[0]).unwrap();
        let command = JointCommand::Velocity { target, max_effort: 1e6 };
        physics.command_joint(added.joints[0], command).unwrap();
        run(&mut physics, 3.0);
        let moved = physics.joint_position(added.joints[0]).unwrap() - before;
        assert!((moved - expected).abs() < 0.05, "moved {moved} instead of {expected}");
    }
}

#[test]
fn fixed_joint_holds_and_ball_joint_lets_swing() {
    for (kind, falls) in [(JointKind::Fixed, false), (JointKind::Ball, true)] {
        let mut physics = physics();
        let added = physics.add_model(&door(JointSpec { kind, ..hinge() })).unwrap();
        run(&mut physics, 0.5);
        let pose = physics.link_pose(added.links[0]).unwrap();
        assert!((pose.position.length() - 0.5).abs() < 1e-3, "{}", pose.position);
        assert_eq!(pose.position.z < -0.3, falls, "{kind:?}: {}", pose.position);
        assert_eq!(physics.joint_position(added.joints[0]), None);
    }
}

#[test]
fn damping_slows_a_joint_exponentially() {
    let mut physics = weightless();
    let joint = JointSpec { damping: 0.5, ..hinge() };
    let added = physics.add_model(&door(joint)).unwrap();
    spin_up(&mut physics, &added, 2.0);
    run(&mut physics, 1.0);
    let expected = 2.0 * (-0.5 / DOOR_INERTIA).exp();
    let velocity = physics.joint_velocity(added.joints[0]).unwrap();
    assert!((velocity - expected).abs() < 0.01, "{velocity} instead of {expected}");
}

#[test]
fn dry_friction_slows_a_joint_evenly_and_stops_it() {
    let mut physics = weightless();
    let joint = JointSpec { friction: 0.8, ..hinge() };
    let added = physics.add_model(&door(joint)).unwrap();
    spin_up(&mut physics, &added, 2.0);
    run(&mut physics, 1.0);
    let expected = 2.0 - 0.8 / DOOR_INERTIA;
    let velocity = physics.joint_velocity(added.joints[0]).unwrap();
    assert!((velocity - expected).abs() < 0.01, "{velocity} instead of {expected}");
    run(&mut physics, 4.0);
    assert!(physics.joint_velocity(added.joints[0]).unwrap().abs() < 1e-3);
}

#[test]
fn spring_swings_with_its_own_period() {
    let mut physics = weightless();
    let joint = JointSpec { spring_stiffness: 10.0, spring_reference: 0.3, ..hinge() };
    let added = physics.add_model(&door(joint)).unwrap();
    // From 0 towards 0.3 and, half a period later, to 0.6 at most.
    run(&mut physics, std::f64::consts::PI * (DOOR_INERTIA / 10.0).sqrt());
    let position = physics.joint_position(added.joints[0]).unwrap();
    assert!((position - 0.6).abs() < 0.02, "{position}");
}

/// Brings the door to a speed and lets go.
fn spin_up(physics: &mut Physics, added: &AddedModel, speed: f64) {
    let command = JointCommand::Velocity { target: speed, max_effort: f64::INFINITY };
    physics.command_joint(added.joints[0], command).unwrap();
    run(physics, 0.05);
    physics.command_joint(added.joints[0], JointCommand::Passive).unwrap();
    assert!((physics.joint_velocity(added.joints[0]).unwrap() - speed).abs() < 1e-3);
}

#[test]
fn floating_chain_spins_about_its_centre_of_mass() {
    let mut physics = weightless();
    let mut spec = pendulum(2);
    spec.joints.remove(0);
    // The mass of the first rod sits off its frame, as in most robots.
    spec.links[0].inertial.pose = at(-0.25, 0.1, 0.05);
    let added = physics.add_model(&spec).unwrap();
    physics.set_model_velocity(added.model, DVec3::ZERO, DVec3::new(0.0, 2.0, 0.0)).unwrap();
    let center = |physics: &Physics| {
        let first = physics.link_pose(added.links[0]).unwrap().transform_point(DVec3::new(-0.25, 0.1, 0.05));
        (first + physics.link_pose(added.links[1]).unwrap().position) / 2.0
    };
    let before = center(&physics);
    physics.step().expect("sound");
    let velocity = (center(&physics) - before) / 0.001;
    let start = center(&physics);
    run(&mut physics, 1.0);
    let drift = center(&physics) - (start + velocity);
    assert!(drift.length() < 5e-3, "the centre of mass drifted by {drift}");
}

#[test]
fn links_that_are_fixed_to_each_other_keep_turning() {
    let mut spec = pendulum(2);
    spec.joints.remove(0);
    spec.joints[0].kind = JointKind::Fixed;
    let mut physics = weightless();
    let added = physics.add_model(&spec).unwrap();
    physics.set_model_velocity(added.model, DVec3::ZERO, DVec3::Y * 2.0).unwrap();
    run(&mut physics, 5.0);
    let (_, angular) = physics.link_velocity(added.links[0]).unwrap();
    assert!((angular.y - 2.0).abs() < 2e-3, "{angular} rad/s after 5 s without any friction");
}
