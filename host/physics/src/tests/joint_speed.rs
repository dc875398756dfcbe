//! Velocity limits of joints.

use super::*;

const LIMIT: f64 = 1.0;

/// The fastest that the joint is in the given time, measured after each step.
fn fastest(physics: &mut Physics, joint: JointId, seconds: f64) -> f64 {
    let mut most: f64 = 0.0;
    for _ in 0..steps_in(physics, seconds) {
        physics.step().expect("sound");
        most = most.max(physics.joint_velocity(joint).unwrap().abs());
    }
    most
}

#[track_caller]
fn expect_limited(found: f64, what: &str) {
    assert!((found / LIMIT - 1.0).abs() < 1e-6, "{what}: {found} instead of {LIMIT}");
}

#[test]
fn gravity_does_not_exceed_the_limit_of_a_joint() {
    let mut physics = physics();
    let mut spec = pendulum(1);
    spec.joints[0].velocity = LIMIT;
    let added = physics.add_model(&spec).unwrap();
    let most = fastest(&mut physics, added.joints[0], 1.0);
    expect_limited(most, "a pendulum");
    // From the horizontal with 3 g / 2 to the limit, and with that for the rest of the second.
    let (rise, angle) = (LIMIT / (1.5 * GRAVITY), physics.joint_position(added.joints[0]).unwrap().abs());
    let expected = LIMIT * (1.0 - rise / 2.0);
    // Within a step, gravity adds 1.5 % of the limit.
    assert!((angle / expected - 1.0).abs() < 0.016, "{angle} rad instead of {expected}");
    // The hinge holds.
    let center = physics.link_pose(added.links[0]).unwrap().position;
    assert!((center.length() - 0.5).abs() < 1e-3, "{center}");
}

#[test]
fn a_motor_does_not_exceed_the_limit_of_a_joint() {
    for kind in [JointKind::Revolute, JointKind::Prismatic] {
        let mut physics = weightless();
        let joint = JointSpec { velocity: LIMIT, kind, ..hinge() };
        let added = physics.add_model(&door(joint)).unwrap();
        physics.command_joint(added.joints[0], JointCommand::Effort(100.0)).unwrap();
        let most = fastest(&mut physics, added.joints[0], 0.5);
        expect_limited(most, &format!("{kind:?}"));
        let target =
            JointCommand::Position { target: -3.0, stiffness: 1e4, damping: 1.0, max_effort: f64::INFINITY };
        physics.command_joint(added.joints[0], target).unwrap();
        let most = fastest(&mut physics, added.joints[0], 0.5);
        expect_limited(most, &format!("{kind:?}, position"));
    }
}

#[test]
fn an_impact_does_not_exceed_the_limit_of_a_joint() {
    let mut physics = weightless();
    let joint = JointSpec { velocity: LIMIT, ..hinge() };
    let mut spec = door(joint);
    let size = DVec3::new(1.0, 0.05, 1.0);
    spec.links[0].collisions = vec![collision(CollisionShape::Box { size }, 0.5)];
    let added = physics.add_model(&spec).unwrap();
    let mut hammer = box_link("hammer", at(0.9, -0.3, 0.0), DVec3::splat(0.2), 20.0);
    hammer.collisions[0].surface.friction = 0.5;
    let hammer = physics.add_model(&model("hammer", vec![hammer], Vec::new())).unwrap();
    physics.set_model_velocity(hammer.model, DVec3::Y * 5.0, DVec3::ZERO).unwrap();
    let most = fastest(&mut physics, added.joints[0], 0.5);
    expect_limited(most, "a door that is hit");
}

#[test]
fn the_limit_of_a_joint_between_free_bodies_keeps_their_momentum() {
    let mut physics = weightless();
    let links = vec![
        box_link("one", at(-0.5, 0.0, 0.0), DVec3::new(1.0, 0.1, 0.1), 1.0),
        box_link("two", at(0.5, 0.0, 0.0), DVec3::new(1.0, 0.1, 0.1), 3.0),
    ];
    let joint = JointSpec {
        velocity: LIMIT,
        ..JointSpec::new("hinge", JointKind::Continuous, Some(0), 1, Pose::IDENTITY, DVec3::Z)
    };
    let spec = model("pair", links, vec![joint]);
    let added = physics.add_model(&spec).unwrap();
    physics.command_joint(added.joints[0], JointCommand::Effort(5.0)).unwrap();
    expect_limited(fastest(&mut physics, added.joints[0], 0.5), "between free bodies");
    let [one, two] = [0, 1].map(|link| physics.link_velocity(added.links[link]).unwrap().0);
    let momentum = one + 3.0 * two;
    // Links turn in steps, each of which changes their momentum a little.
    assert!(momentum.length() < 2e-3, "{momentum} N s");
}

#[test]
fn the_limit_holds_on_a_base_that_a_joint_fixes_to_the_world() {
    let base = box_link("base", at(0.0, 0.0, 0.0), DVec3::splat(0.1), 1.0);
    let mut spec = pendulum(1);
    spec.links.push(base);
    spec.joints[0].parent = Some(1);
    spec.joints[0].velocity = LIMIT;
    spec.joints.push(JointSpec::new("fix", JointKind::Fixed, None, 1, Pose::IDENTITY, DVec3::Z));
    let mut physics = physics();
    let added = physics.add_model(&spec).unwrap();
    expect_limited(fastest(&mut physics, added.joints[0], 1.0), "on a base");
}

#[test]
fn each_joint_of_a_chain_keeps_its_limit() {
    let mut physics = physics();
    let mut spec = pendulum(4);
    spec.joints.iter_mut().for_each(|joint| joint.velocity = LIMIT);
    let added = physics.add_model(&spec).unwrap();
    for _ in 0..1500 {
        physics.step().expect("sound");
        for joint in &added.joints {
            let velocity = physics.joint_velocity(*joint).unwrap().abs();
            assert!(velocity < LIMIT * (1.0 + 1e-6), "{velocity}");
        }
    }
}

#[test]
fn a_limit_of_zero_is_none() {
    let mut physics = physics();
    let mut spec = pendulum(1);
    spec.joints[0].velocity = 0.0;
    let added = physics.add_model(&spec).unwrap();
    assert!(fastest(&mut physics, added.joints[0], 0.5) > 2.0);
}
