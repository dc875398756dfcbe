//! Bodies sleep if they rest, and only then.

use super::robots::two_wheel_robot;
use super::*;

/// A ball of 1 kg with the inertia of a solid one.
fn ball(radius: f64, pose: Pose, friction: f64) -> ModelSpec {
    let inertial =
        Inertial { mass: 1.0, moments: DVec3::splat(0.4 * radius * radius), ..Inertial::default() };
    let collisions = vec![collision(CollisionShape::Sphere { radius }, friction)];
    model("ball", vec![LinkSpec { inertial, collisions, ..LinkSpec::new("ball", pose) }], Vec::new())
}

#[test]
fn slow_bodies_in_weightlessness_keep_their_speed() {
    for speed in [0.09, 1e-3, 1e-4] {
        let mut physics = weightless();
        let added = physics.add_model(&model("cube", vec![cube("cube", 0.0)], Vec::new())).unwrap();
        let (linear, angular) = (DVec3::X * speed, DVec3::Y * speed);
        physics.set_model_velocity(added.model, linear, angular).unwrap();
        run(&mut physics, 4.0);
        let pose = physics.link_pose(added.links[0]).unwrap();
        assert!((pose.position.x / (4.0 * speed) - 1.0).abs() < 1e-6, "at {speed} m/s: {}", pose.position);
        let [_, pitch, _] = pose.rpy();
        assert!((pitch / (4.0 * speed) - 1.0).abs() < 1e-3, "at {speed} rad/s: {pitch} rad");
    }
}

#[test]
fn a_slow_box_on_ice_slides_on() {
    let mut physics = physics();
    add_ground(&mut physics, 0.0, 0.0);
    let added = physics.add_model(&model("cube", vec![cube("cube", 0.5)], Vec::new())).unwrap();
    physics.set_model_velocity(added.model, DVec3::X * 0.02, DVec3::ZERO).unwrap();
    run(&mut physics, 5.0);
    let x = physics.link_pose(added.links[0]).unwrap().position.x;
    assert!((x / 0.1 - 1.0).abs() < 1e-3, "{x} m instead of 0.1 m");
}

#[test]
fn a_ball_rolls_down_the_slightest_slope() {
    for slope in [0.01, 1e-3] {
        let mut physics = physics();
        add_ground(&mut physics, 1.0, slope);
        let start = Pose::from_rpy(DVec3::ZERO, 0.0, slope, 0.0) * at(0.0, 0.0, 0.25);
        let added = physics.add_model(&ball(0.25, start, 1.0)).unwrap();
        run(&mut physics, 3.0);
        let rolled = physics.link_pose(added.links[0]).unwrap().position.distance(start.position);
        // A solid ball: 5/7 of the acceleration without friction.
        let theory = 0.5 * 5.0 / 7.0 * GRAVITY * slope.sin() * 9.0;
        assert!((rolled / theory - 1.0).abs() < 0.02, "on {slope} rad: {rolled} m instead of {theory} m");
    }
}

#[test]
fn a_slow_ball_rolls_on() {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let added = physics.add_model(&ball(0.25, at(0.0, 0.0, 0.25), 1.0)).unwrap();
    let (speed, turn) = (0.05, 0.05 / 0.25);
    physics.set_model_velocity(added.model, DVec3::X * speed, DVec3::Y * turn).unwrap();
    run(&mut physics, 10.0);
    let x = physics.link_pose(added.links[0]).unwrap().position.x;
    assert!((x / 0.5 - 1.0).abs() < 0.01, "{x} m instead of 0.5 m");
}

/// Seconds until all links sleep; fails after ten.
fn seconds_until_sleep(physics: &mut Physics, links: &[LinkId]) -> f64 {
    for tenths in 1..=100 {
        run(physics, 0.1);
        if links.iter().all(|link| physics.is_sleeping(*link) == Some(true)) {
            return f64::from(tenths) / 10.0;
        }
    }
    let awake = links.iter().filter(|link| physics.is_sleeping(**link) != Some(true)).count();
    panic!("after 10 s, {awake} of {} links are awake", links.len());
}

#[test]
fn what_rests_falls_asleep_soon() {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let mut links = Vec::new();
    for column in 0..4 {
        for level in 0..5 {
            let pose = at(f64::from(column) * 1.5, 0.0, 0.5 + f64::from(level) * 1.01);
            let link = box_link("box", pose, DVec3::ONE, 1.0);
            links.extend(physics.add_model(&model("box", vec![link], Vec::new())).unwrap().links);
        }
    }
    let after = seconds_until_sleep(&mut physics, &links);
    assert!(after < 3.0, "stacks fall asleep after {after} s");
}

#[test]
fn a_parked_robot_falls_asleep_soon() {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let added = physics.add_model(&two_wheel_robot()).unwrap();
    for joint in &added.joints {
        let hold = JointCommand::Velocity { target: 0.0, max_effort: f64::INFINITY };
        physics.command_joint(*joint, hold).unwrap();
    }
    let after = seconds_until_sleep(&mut physics, &added.links);
    assert!(after < 3.0, "{after} s");
}

#[test]
fn with_long_steps_a_body_is_looked_at_before_it_sleeps() {
    let settings = Settings { step: 0.6, gravity: DVec3::ZERO, ..Settings::default() };
    let mut physics = Physics::new(settings).unwrap();
    let added = physics.add_model(&model("cube", vec![cube("cube", 0.0)], Vec::new())).unwrap();
    physics.set_model_velocity(added.model, DVec3::X * 0.05, DVec3::ZERO).unwrap();
    run(&mut physics, 60.0);
    let x = physics.link_pose(added.links[0]).unwrap().position.x;
    assert!((x / 3.0 - 1.0).abs() < 1e-6, "{x} m instead of 3 m");
}
