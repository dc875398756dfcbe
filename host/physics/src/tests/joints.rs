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
fn undamped_multibody_pendulum_keeps_its_energy() {
    let mut physics = physics();
    let added = physics.add_model(&pendulum(2, JointModelling::Multibody)).unwrap();
    let before = energy(&physics, &added.links);
    run(&mut physics, 10.0);
    let lost = before - energy(&physics, &added.links);
    // Both rods hanging straight down have 9.8 · (0.5 + 1.5) J less; with rapier's hidden damping 84 % of it is lost.
    let drop = GRAVITY * 2.0;
    assert!((lost / drop).abs() < 0.04, "lost {:.2} % of the drop", 100.0 * lost / drop);
}

#[test]
fn chains_hold_together_at_their_joints() {
    for (modelling, gap) in [(JointModelling::Multibody, 1e-9), (JointModelling::Impulse, 1e-4)] {
        let mut physics = physics();
        let added = physics.add_model(&pendulum(3, modelling)).unwrap();
        run(&mut physics, 2.0);
        let end = physics.link_pose(added.links[0]).unwrap().transform_point(DVec3::X * 0.5);
        let start = physics.link_pose(added.links[1]).unwrap().transform_point(DVec3::X * -0.5);
        assert!(end.distance(start) < gap, "{modelling:?}: {} m apart", end.distance(start));
    }
}

#[test]
fn auto_makes_chains_multibodies_and_leaves_single_joints() {
    use super::super::topology::JointModel;
    let decide = |spec: &ModelSpec| topology::decide(spec, &parts::of(spec).unwrap());
    assert_eq!(decide(&pendulum(3, JointModelling::Auto)), [JointModel::Multibody; 3]);
    assert_eq!(decide(&pendulum(2, JointModelling::Auto)), [JointModel::Multibody; 2]);
    assert_eq!(decide(&pendulum(1, JointModelling::Auto)), [JointModel::Impulse; 1]);
    assert_eq!(decide(&pendulum(32, JointModelling::Auto)), [JointModel::Multibody; 32]);
    assert_eq!(decide(&pendulum(33, JointModelling::Auto)), [JointModel::Impulse; 33]);
    // The first rod is fixed to the world: the second one is not held by a single joint.
    let mut flagpole = pendulum(2, JointModelling::Auto);
    flagpole.joints[0].kind = JointKind::Fixed;
    assert_eq!(decide(&flagpole), [JointModel::Multibody; 2]);
    // A joint from the last link back to the first closes a loop.
    let mut loop_of_three = pendulum(3, JointModelling::Multibody);
    let back = JointSpec::new("back", JointKind::Continuous, Some(2), 0, at(3.0, 0.0, 0.0), DVec3::Y);
    loop_of_three.joints.push(back);
    let decided = decide(&loop_of_three);
    assert_eq!(
        decided,
        [JointModel::Multibody, JointModel::Multibody, JointModel::Multibody, JointModel::Impulse]
    );
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
fn loop_is_closed_by_an_impulse_joint() {
    let mut physics = physics();
    let mut spec = pendulum(2, JointModelling::Multibody);
    // The far end is attached to the world as well: a bridge of two rods that cannot fall.
    spec.joints.push(JointSpec::new("far", JointKind::Continuous, None, 1, at(2.0, 0.0, 0.0), DVec3::Y));
    let added = physics.add_model(&spec).unwrap();
    run(&mut physics, 2.0);
    let end = physics.link_pose(added.links[1]).unwrap().transform_point(DVec3::X * 0.5);
    assert!(end.distance(DVec3::X * 2.0) < 2e-3, "the far end is at {end}");
}

#[test]
fn revolute_limit_holds() {
    for modelling in BOTH {
        let mut physics = weightless();
        let joint = JointSpec { limits: [-0.5, 0.8], ..hinge() };
        let added = physics.add_model(&door(joint, modelling)).unwrap();
        for (effort, limit) in [(2.0, 0.8), (-2.0, -0.5)] {
            physics.command_joint(added.joints[0], JointCommand::Effort(effort)).unwrap();
            run(&mut physics, 4.0);
            let position = physics.joint_position(added.joints[0]).unwrap();
            assert!((position - limit).abs() < 1e-3, "{modelling:?}: {position} instead of {limit}");
        }
    }
}

#[test]
fn prismatic_joint_slides_along_its_axis_to_its_limit() {
    for modelling in BOTH {
        let mut physics = physics();
        let axis = DVec3::new(0.0, 0.0, -2.0);
        let joint = JointSpec {
            limits: [0.0, 1.5],
            ..JointSpec::new("slider", JointKind::Prismatic, None, 0, at(0.0, 0.0, 1.0), axis)
        };
        let added = physics.add_model(&door(joint, modelling)).unwrap();
        run(&mut physics, 0.4);
        let fallen = 0.5 * GRAVITY * 0.16;
        let position = physics.joint_position(added.joints[0]).unwrap();
        assert!((position - fallen).abs() < 0.01, "{modelling:?}: {position} instead of {fallen}");
        assert!((physics.joint_velocity(added.joints[0]).unwrap() - GRAVITY * 0.4).abs() < 0.02);
        run(&mut physics, 1.0);
        let pose = physics.link_pose(added.links[0]).unwrap();
        assert!(
            (pose.position - DVec3::new(0.5, 0.0, -1.5)).length() < 1e-3,
            "{modelling:?}: {}",
            pose.position
        );
    }
}

#[test]
fn angle_counts_full_turns_both_ways() {
    for modelling in BOTH {
        let mut physics = weightless();
        let joint = JointSpec { kind: JointKind::Continuous, ..hinge() };
        let added = physics.add_model(&door(joint, modelling)).unwrap();
        for (target, expected) in [(10.0, 30.0), (-10.0, -30.0)] {
            let before = physics.joint_position(added.joints[0]).unwrap();
            let command = JointCommand::Velocity { target, max_effort: 1e6 };
            physics.command_joint(added.joints[0], command).unwrap();
            run(&mut physics, 3.0);
            let moved = physics.joint_position(added.joints[0]).unwrap() - before;
            assert!((moved - expected).abs() < 0.05, "{modelling:?}: moved {moved} instead of {expected}");
        }
    }
}

#[test]
fn fixed_joint_holds_and_ball_joint_lets_swing() {
    for modelling in BOTH {
        for (kind, falls) in [(JointKind::Fixed, false), (JointKind::Ball, true)] {
            let mut physics = physics();
            let added = physics.add_model(&door(JointSpec { kind, ..hinge() }, modelling)).unwrap();
            run(&mut physics, 0.5);
            let pose = physics.link_pose(added.links[0]).unwrap();
            assert!((pose.position.length() - 0.5).abs() < 1e-3, "{modelling:?}: {}", pose.position);
            assert_eq!(pose.position.z < -0.3, falls, "{modelling:?} {kind:?}: {}", pose.position);
            assert_eq!(physics.joint_position(added.joints[0]), None);
        }
    }
}

#[test]
fn damping_slows_a_joint_exponentially() {
    for modelling in BOTH {
        let mut physics = weightless();
        let joint = JointSpec { damping: 0.5, ..hinge() };
        let added = physics.add_model(&door(joint, modelling)).unwrap();
        spin_up(&mut physics, &added, 2.0);
        run(&mut physics, 1.0);
        let expected = 2.0 * (-0.5 / DOOR_INERTIA).exp();
        let velocity = physics.joint_velocity(added.joints[0]).unwrap();
        assert!((velocity - expected).abs() < 0.01, "{modelling:?}: {velocity} instead of {expected}");
    }
}

#[test]
fn dry_friction_slows_a_joint_evenly_and_stops_it() {
    for modelling in BOTH {
        let mut physics = weightless();
        let joint = JointSpec { friction: 0.8, ..hinge() };
        let added = physics.add_model(&door(joint, modelling)).unwrap();
        spin_up(&mut physics, &added, 2.0);
        run(&mut physics, 1.0);
        let expected = 2.0 - 0.8 / DOOR_INERTIA;
        let velocity = physics.joint_velocity(added.joints[0]).unwrap();
        assert!((velocity - expected).abs() < 0.01, "{modelling:?}: {velocity} instead of {expected}");
        run(&mut physics, 4.0);
        assert!(physics.joint_velocity(added.joints[0]).unwrap().abs() < 1e-3, "{modelling:?}");
    }
}

#[test]
fn spring_swings_with_its_own_period() {
    for modelling in BOTH {
        let mut physics = weightless();
        let joint = JointSpec { spring_stiffness: 10.0, spring_reference: 0.3, ..hinge() };
        let added = physics.add_model(&door(joint, modelling)).unwrap();
        // From 0 towards 0.3 and, half a period later, to 0.6 at most.
        run(&mut physics, std::f64::consts::PI * (DOOR_INERTIA / 10.0).sqrt());
        let position = physics.joint_position(added.joints[0]).unwrap();
        assert!((position - 0.6).abs() < 0.02, "{modelling:?}: {position}");
    }
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
fn floating_multibody_spins_about_its_centre_of_mass() {
    for modelling in BOTH {
        let mut physics = weightless();
        let mut spec = pendulum(2, modelling);
        spec.joints.remove(0);
        // The mass of the first rod sits off its frame, as in most robots.
        spec.links[0].inertial.pose = at(-0.25, 0.1, 0.05);
        let added = physics.add_model(&spec).unwrap();
        physics.set_model_velocity(added.model, DVec3::ZERO, DVec3::new(0.0, 2.0, 0.0)).unwrap();
        let center = |physics: &Physics| {
            let first =
                physics.link_pose(added.links[0]).unwrap().transform_point(DVec3::new(-0.25, 0.1, 0.05));
            (first + physics.link_pose(added.links[1]).unwrap().position) / 2.0
        };
        let before = center(&physics);
        physics.step().expect("sound");
        let velocity = (center(&physics) - before) / 0.001;
        let start = center(&physics);
        run(&mut physics, 1.0);
        let drift = center(&physics) - (start + velocity);
        assert!(drift.length() < 5e-3, "{modelling:?}: the centre of mass drifted by {drift}");
    }
}

#[test]
fn a_free_multibody_keeps_turning() {
    let mut spec = pendulum(2, JointModelling::Multibody);
    spec.joints.remove(0);
    spec.joints[0].kind = JointKind::Fixed;
    let mut physics = weightless();
    let added = physics.add_model(&spec).unwrap();
    physics.set_model_velocity(added.model, DVec3::ZERO, DVec3::Y * 2.0).unwrap();
    run(&mut physics, 5.0);
    let (_, angular) = physics.link_velocity(added.links[0]).unwrap();
    assert!((angular.y - 2.0).abs() < 2e-3, "{angular} rad/s after 5 s without any friction");
}
