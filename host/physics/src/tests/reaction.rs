//! The wrenches of joints, against statics and mechanics.

use super::*;

/// A crate of 2 kg on a hinge about y to the world, with its origin `reach` metres beside its centre.
fn on_a_hinge(reach: f64) -> (Physics, AddedModel) {
    let mut physics = physics();
    let mut link = box_link("crate", at(reach, 0.0, 0.0), DVec3::splat(0.2), 2.0);
    link.collisions.clear();
    let hinge = JointSpec::new("hinge", JointKind::Revolute, None, 0, Pose::IDENTITY, DVec3::Y);
    let added = physics.add_model(&model("m", vec![link], vec![hinge])).unwrap();
    physics.watch_joint(added.joints[0]).unwrap();
    (physics, added)
}

fn assert_wrench(physics: &Physics, joint: JointId, force: DVec3, torque: DVec3, tolerance: f64) {
    let (found_force, found_torque) = physics.joint_wrench(joint).expect("a wrench");
    let error = (found_force - force).length().max((found_torque - torque).length());
    assert!(error < tolerance, "{found_force} N and {found_torque} N m are not {force} and {torque}");
}

#[test]
fn a_hanging_mass_pulls_with_its_weight() {
    let mut physics = physics();
    let mut link = box_link("weight", at(0.0, 0.0, -0.5), DVec3::splat(0.2), 2.0);
    link.collisions.clear();
    let hinge = JointSpec::new("hinge", JointKind::Revolute, None, 0, Pose::IDENTITY, DVec3::Y);
    let added = physics.add_model(&model("m", vec![link], vec![hinge])).unwrap();
    physics.watch_joint(added.joints[0]).unwrap();
    assert_eq!(physics.joint_wrench(added.joints[0]), None);
    run(&mut physics, 1.0);
    let weight = DVec3::Z * (2.0 * GRAVITY);
    assert_wrench(&physics, added.joints[0], weight, DVec3::ZERO, 1e-3 * weight.z);
}

#[test]
fn a_held_arm_needs_the_torque_of_its_weight() {
    let (mut physics, added) = on_a_hinge(0.5);
    let hold = JointCommand::Velocity { target: 0.0, max_effort: f64::INFINITY };
    physics.command_joint(added.joints[0], hold).unwrap();
    run(&mut physics, 0.5);
    // The weight turns the arm about +y; the hinge turns it back.
    let torque = DVec3::Y * (-2.0 * GRAVITY * 0.5);
    assert_wrench(&physics, added.joints[0], DVec3::Z * (2.0 * GRAVITY), torque, 0.02);
}

#[test]
fn a_falling_mass_pulls_with_nothing_and_a_swinging_one_with_more() {
    let (mut physics, added) = on_a_hinge(0.5);
    run(&mut physics, 0.003);
    let (force, torque) = physics.joint_wrench(added.joints[0]).unwrap();
    // At the first moment of a swing: m g (1 - m r² / I) upwards at the hinge, no torque about its axis.
    let moment = 2.0 * (0.04 + 0.04) / 12.0 + 2.0 * 0.25;
    let held = 2.0 * GRAVITY * (1.0 - 2.0 * 0.25 / moment);
    assert!((force.z - held).abs() < 0.01 * GRAVITY && torque.y.abs() < 0.05, "{force} {torque}");
}

#[test]
fn everything_below_a_joint_hangs_on_it() {
    let mut physics = physics();
    let added = physics.add_model(&pendulum(3)).unwrap();
    for (joint, position) in added.joints.iter().zip(0..) {
        physics.watch_joint(*joint).unwrap();
        let hold = JointCommand::Velocity { target: 0.0, max_effort: f64::INFINITY };
        physics.command_joint(added.joints[position], hold).unwrap();
    }
    run(&mut physics, 0.2);
    for (above, joint) in added.joints.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let below = (3 - above) as f64;
        let (force, torque) = physics.joint_wrench(*joint).unwrap();
        // Rods of 1 kg and 1 m, held out: their weight, at half their length together.
        let expected = GRAVITY * below * below / 2.0;
        assert!((force.z - GRAVITY * below).abs() < 0.01 * GRAVITY, "{above}: {force}");
        assert!((torque.y + expected).abs() < 0.02 * expected, "{above}: {torque}");
    }
}

#[test]
fn bodies_on_the_ground_do_not_load_the_joint() {
    let mut physics = Physics::new(Settings { sleeping: false, ..Settings::default() }).unwrap();
    add_ground(&mut physics, 1.0, 0.0);
    // A frame of 1 kg is one metre up, supported only by a leg of 3 kg on the ground.
    let leg = box_link("leg", at(0.0, 0.0, 0.5), DVec3::ONE, 3.0);
    let mut top = box_link("top", at(0.0, 0.0, 1.1), DVec3::splat(0.2), 1.0);
    top.collisions.clear();
    let slide = JointSpec::new("slide", JointKind::Fixed, Some(1), 0, at(0.0, 0.0, 1.0), DVec3::Z);
    let added = physics.add_model(&model("m", vec![leg, top], vec![slide])).unwrap();
    physics.watch_joint(added.joints[0]).unwrap();
    run(&mut physics, 1.0);
    // The top presses the leg down with its own weight only.
    assert_wrench(&physics, added.joints[0], DVec3::Z * -GRAVITY, DVec3::ZERO, 0.02 * GRAVITY);
}

#[test]
fn friction_between_child_bodies_is_not_a_joint_force() {
    let mut physics = Physics::new(Settings { sleeping: false, ..Settings::default() }).unwrap();
    // On a slope of 20 degrees the crate is held by friction; the flag fixed to it weighs next to nothing.
    add_ground(&mut physics, 1.0, 20.0_f64.to_radians());
    let pose = Pose::from_rpy(DVec3::ZERO, 0.0, 20.0_f64.to_radians(), 0.0);
    let stand = pose * at(0.0, 0.0, 0.5);
    let body = box_link("body", stand, DVec3::ONE, 5.0);
    let mut flag = box_link("flag", pose * at(0.0, 0.0, 1.05), DVec3::splat(0.1), 0.5);
    flag.collisions.clear();
    let mount = JointSpec::new("mount", JointKind::Fixed, Some(1), 0, pose * at(0.0, 0.0, 1.0), DVec3::Z);
    let added = physics.add_model(&model("m", vec![body, flag], vec![mount])).unwrap();
    physics.watch_joint(added.joints[0]).unwrap();
    run(&mut physics, 1.0);
    let (force, _) = physics.joint_wrench(added.joints[0]).unwrap();
    let pressed = DVec3::Z * (-0.5 * GRAVITY);
    assert!((force - pressed).length() < 0.05 * 5.0 * GRAVITY, "{force} is not {pressed}");
}

#[test]
fn a_push_from_outside_is_no_force_of_the_joint() {
    let (mut physics, added) = on_a_hinge(0.5);
    let hold = JointCommand::Velocity { target: 0.0, max_effort: f64::INFINITY };
    physics.command_joint(added.joints[0], hold).unwrap();
    for _ in 0..500 {
        physics.apply_wrench(added.links[0], DVec3::Z * (2.0 * GRAVITY), DVec3::ZERO).unwrap();
        physics.step().expect("sound");
    }
    // The push carries the whole weight.
    assert_wrench(&physics, added.joints[0], DVec3::ZERO, DVec3::ZERO, 0.05);
}

#[test]
fn a_loop_has_no_answer() {
    let mut physics = physics();
    let mut spec = pendulum(2);
    spec.joints.push(JointSpec::new("far", JointKind::Continuous, None, 1, at(2.0, 0.0, 0.0), DVec3::Y));
    let added = physics.add_model(&spec).unwrap();
    physics.watch_joint(added.joints[0]).unwrap();
    run(&mut physics, 0.1);
    assert_eq!(physics.joint_wrench(added.joints[0]), None);
}

#[test]
fn a_turning_rotor_that_is_turned_resists_like_a_gyroscope() {
    let (turn, spin) = (1.0, 50.0);
    let mut physics = weightless();
    // A disc of 2 kg and radius 0.2 m that spins about x in a frame that turns about z.
    let moments = DVec3::new(0.04, 0.02, 0.02);
    let disc = Inertial { mass: 2.0, moments, ..Inertial::default() };
    let links = vec![
        LinkSpec::new("frame", Pose::IDENTITY),
        LinkSpec { inertial: disc, ..LinkSpec::new("disc", Pose::IDENTITY) },
    ];
    let about_z = JointSpec::new("turn", JointKind::Continuous, None, 0, Pose::IDENTITY, DVec3::Z);
    let about_x = JointSpec::new("spin", JointKind::Continuous, Some(0), 1, Pose::IDENTITY, DVec3::X);
    let spec = model("gyroscope", links, vec![about_z, about_x]);
    let added = physics.add_model(&spec).unwrap();
    physics.watch_joint(added.joints[1]).unwrap();
    for (&joint, target) in added.joints.iter().zip([turn, spin]) {
        let drive = JointCommand::Velocity { target, max_effort: f64::INFINITY };
        physics.command_joint(joint, drive).unwrap();
    }
    run(&mut physics, 0.5);
    // The change of the angular momentum I ω that is carried around at Ω: Ω I ω across both axes.
    let expected = turn * moments.x * spin;
    let mut error = DVec3::ZERO;
    for _ in 0..100 {
        physics.step().expect("sound");
        let (_, torque) = physics.joint_wrench(added.joints[1]).unwrap();
        let frame = physics.link_pose(added.links[0]).unwrap().rotation;
        error += (frame.inverse() * torque - DVec3::Y * expected) / 100.0;
    }
    assert!(error.length() < 0.01 * expected, "{error} N m beside {expected}");
}

#[test]
fn effort_of_a_joint_is_what_its_motor_gives() {
    let (mut physics, added) = on_a_hinge(0.5);
    let joint = added.joints[0];
    let hold = JointCommand::Position { target: 0.0, stiffness: 2000.0, damping: 100.0, max_effort: 100.0 };
    physics.command_joint(joint, hold).unwrap();
    run(&mut physics, 3.0);
    let effort = physics.watched_effort(joint).unwrap();
    assert!((effort + 2.0 * GRAVITY * 0.5).abs() < 0.01, "{effort} N m holds the arm");
    // A motor that cannot hold it gives all it has.
    let weak = JointCommand::Velocity { target: 0.0, max_effort: 3.0 };
    physics.command_joint(joint, weak).unwrap();
    run(&mut physics, 0.05);
    let effort = physics.watched_effort(joint).unwrap();
    assert!((effort + 3.0).abs() < 0.02, "{effort} N m of 3");
}

#[test]
fn effort_of_a_slide_is_a_force() {
    let mut physics = physics();
    let mut link = box_link("lift", at(0.3, 0.0, 0.0), DVec3::splat(0.2), 2.0);
    link.collisions.clear();
    let slide = JointSpec::new("slide", JointKind::Prismatic, None, 0, Pose::IDENTITY, DVec3::Z);
    let added = physics.add_model(&model("m", vec![link], vec![slide])).unwrap();
    physics.watch_joint(added.joints[0]).unwrap();
    let lift = JointCommand::Velocity { target: 0.5, max_effort: f64::INFINITY };
    physics.command_joint(added.joints[0], lift).unwrap();
    run(&mut physics, 0.5);
    let effort = physics.watched_effort(added.joints[0]).unwrap();
    assert!((effort - 2.0 * GRAVITY).abs() < 1e-3 * 2.0 * GRAVITY, "{effort} N");
}

#[test]
fn nothing_hangs_on_a_joint_whose_child_never_moves() {
    let mut physics = physics();
    let ground = add_ground(&mut physics, 1.0, 0.0);
    let added = physics.add_model(&model(
        "m",
        vec![box_link("body", at(0.0, 0.0, 0.5), DVec3::ONE, 1.0)],
        Vec::new(),
    ));
    let bond = physics.fix_links(added.unwrap().links[0], ground.links[0]).unwrap();
    physics.watch_joint(bond).unwrap();
    run(&mut physics, 0.1);
    assert_eq!(physics.joint_wrench(bond), None);
}

#[test]
fn wrench_is_the_mean_over_a_step_whatever_the_substeps() {
    for substeps in [1, 4] {
        let mut physics =
            Physics::new(Settings { step: 0.004, substeps, sleeping: false, ..Settings::default() }).unwrap();
        add_ground(&mut physics, 1.0, 0.0);
        // A foot of 3 kg on the ground carries a mast of 1 kg: the mast's own contacts are none, the foot's are all.
        let foot = box_link("foot", at(0.0, 0.0, 0.5), DVec3::ONE, 3.0);
        let mut mast = box_link("mast", at(0.0, 0.0, 1.5), DVec3::splat(0.2), 1.0);
        mast.collisions.clear();
        let mount = JointSpec::new("mount", JointKind::Fixed, Some(1), 0, at(0.0, 0.0, 1.0), DVec3::Z);
        let added = physics.add_model(&model("m", vec![foot, mast], vec![mount])).unwrap();
        physics.watch_joint(added.joints[0]).unwrap();
        run(&mut physics, 2.0);
        assert_wrench(&physics, added.joints[0], DVec3::Z * -GRAVITY, DVec3::ZERO, 0.02 * GRAVITY);
    }
}
