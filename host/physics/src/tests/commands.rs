//! Commands to joints, and teleports.

use super::*;

#[test]
fn a_joint_that_is_driven_slowly_does_not_fall_asleep() {
    let command = JointCommand::Velocity { target: 0.02, max_effort: f64::INFINITY };
    let (mut physics, added) = commanded(hinge(), command);
    run(&mut physics, 5.0);
    let position = physics.joint_position(added.joints[0]).unwrap();
    assert!((position - 0.1).abs() < 1e-3, "{position} rad after 5 s at 0.02 rad/s");
    physics.command_joint(added.joints[0], JointCommand::Velocity { target: 0.0, max_effort: 1.0 }).unwrap();
    run(&mut physics, 2.0);
    assert_eq!(physics.is_sleeping(added.links[0]), Some(true), "at rest it may");
}

fn commanded(joint: JointSpec, command: JointCommand) -> (Physics, AddedModel) {
    let mut physics = weightless();
    let added = physics.add_model(&door(joint)).unwrap();
    physics.command_joint(added.joints[0], command).unwrap();
    (physics, added)
}

#[test]
fn effort_accelerates_by_torque_over_inertia_up_to_the_limit_of_the_joint() {
    for (limit, torque) in [(f64::INFINITY, 1.5), (0.5, 0.5)] {
        let joint = JointSpec { effort: limit, ..hinge() };
        let (mut physics, added) = commanded(joint, JointCommand::Effort(1.5));
        run(&mut physics, 0.5);
        let velocity = physics.joint_velocity(added.joints[0]).unwrap();
        let expected = 0.5 * torque / DOOR_INERTIA;
        assert!((velocity / expected - 1.0).abs() < 0.01, "{velocity} instead of {expected}");
    }
}

#[test]
fn velocity_motor_uses_no_more_than_its_effort() {
    let joint = JointSpec { effort: 0.6, ..hinge() };
    let command = JointCommand::Velocity { target: 1.0, max_effort: 5.0 };
    let (mut physics, added) = commanded(joint, command);
    run(&mut physics, 0.5);
    let velocity = physics.joint_velocity(added.joints[0]).unwrap();
    let expected = 0.5 * 0.6 / DOOR_INERTIA;
    assert!((velocity / expected - 1.0).abs() < 0.02, "{velocity} instead of {expected}");
    run(&mut physics, 2.5);
    let reached = physics.joint_velocity(added.joints[0]).unwrap();
    assert!((reached - 1.0).abs() < 1e-4, "{reached}");
}

#[test]
fn commanded_speed_is_cut_at_the_velocity_limit_of_the_joint() {
    let joint = JointSpec { velocity: 0.7, ..hinge() };
    let command = JointCommand::Velocity { target: -5.0, max_effort: f64::INFINITY };
    let (mut physics, added) = commanded(joint, command);
    run(&mut physics, 0.1);
    assert!((physics.joint_velocity(added.joints[0]).unwrap() + 0.7).abs() < 1e-4);
}

#[test]
fn position_motor_reaches_its_target() {
    let command = JointCommand::Position { target: 1.2, stiffness: 40.0, damping: 12.0, max_effort: 1e3 };
    let (mut physics, added) = commanded(hinge(), command);
    run(&mut physics, 4.0);
    let position = physics.joint_position(added.joints[0]).unwrap();
    assert!((position - 1.2).abs() < 1e-3, "{position}");
}

#[test]
fn command_wakes_a_sleeping_joint() {
    let (mut physics, added) = commanded(hinge(), JointCommand::Passive);
    run(&mut physics, 3.0);
    assert_eq!(physics.is_sleeping(added.links[0]), Some(true));
    let command = JointCommand::Velocity { target: 1.0, max_effort: 100.0 };
    physics.command_joint(added.joints[0], command).unwrap();
    run(&mut physics, 0.1);
    assert!(physics.joint_velocity(added.joints[0]).unwrap() > 0.9);
}

#[test]
fn reset_puts_a_model_back_where_it_was_added_at_rest() {
    let mut physics = physics();
    let added = physics.add_model(&pendulum(3)).unwrap();
    let poses: Vec<Pose> = added.links.iter().map(|&link| physics.link_pose(link).unwrap()).collect();
    let command = JointCommand::Velocity { target: 3.0, max_effort: 10.0 };
    physics.command_joint(added.joints[1], command).unwrap();
    run(&mut physics, 1.0);
    physics.reset_model(added.model).unwrap();
    for (&link, pose) in added.links.iter().zip(&poses) {
        let now = physics.link_pose(link).unwrap();
        assert!(now.position.distance(pose.position) < 1e-12, "{}", now.position);
        assert!(now.rotation.angle_between(pose.rotation) < 1e-7);
        let (linear, angular) = physics.link_velocity(link).unwrap();
        assert!(linear.length() < 1e-12 && angular.length() < 1e-12, "{linear} {angular}");
    }
    assert_eq!(physics.joint_position(added.joints[1]), Some(0.0));
    assert_eq!(physics.joint_command(added.joints[1]), Some(JointCommand::Passive));
}

#[test]
fn model_that_was_reset_moves_as_it_did_the_first_time() {
    let mut physics = physics();
    let added = physics.add_model(&pendulum(3)).unwrap();
    run(&mut physics, 1.0);
    let first = physics.link_pose(added.links[2]).unwrap();
    physics.reset_model(added.model).unwrap();
    run(&mut physics, 1.0);
    let second = physics.link_pose(added.links[2]).unwrap();
    assert!(first.position.distance(second.position) < 1e-6, "{} {}", first.position, second.position);
}

#[test]
fn moving_one_link_moves_the_model_with_it() {
    let mut physics = weightless();
    let mut spec = pendulum(3);
    spec.joints.remove(0);
    let added = physics.add_model(&spec).unwrap();
    let target = Pose::from_rpy(DVec3::new(7.0, 8.0, 9.0), 0.0, 0.0, std::f64::consts::FRAC_PI_2);
    physics.set_link_pose(added.links[1], target).unwrap();
    for _ in 0..2 {
        let first = physics.link_pose(added.links[0]).unwrap().position;
        assert!(first.distance(DVec3::new(7.0, 7.0, 9.0)) < 1e-9, "{first}");
        physics.step().expect("sound");
    }
}

#[test]
fn floating_chain_set_in_motion_moves_as_a_whole() {
    let mut physics = weightless();
    let mut spec = pendulum(3);
    spec.joints.remove(0);
    let added = physics.add_model(&spec).unwrap();
    physics.set_model_velocity(added.model, DVec3::new(1.0, -2.0, 0.5), DVec3::ZERO).unwrap();
    run(&mut physics, 1.0);
    let last = physics.link_pose(added.links[2]).unwrap().position;
    assert!(last.distance(DVec3::new(3.5, -2.0, 0.5)) < 1e-6, "{last}");
}
