//! Joints with two axes: degrees of freedom, and limits, motors and dynamics of each axis.

use super::*;

const MOMENTS: DVec3 = DVec3::new(0.3, 0.2, 0.1);

/// A body that turns about its centre of mass on axes along x, fixed in the world, and `second`.
fn gimbal(kind: JointKind, second: AxisSpec) -> ModelSpec {
    let joint = JointSpec {
        second: Some(second),
        ..JointSpec::new("cross", kind, None, 0, Pose::IDENTITY, DVec3::X)
    };
    let link = rotor("rotor", Pose::IDENTITY, 2.0, MOMENTS);
    model("gimbal", vec![link], vec![joint])
}

fn universal(second: AxisSpec) -> ModelSpec {
    gimbal(JointKind::Universal, second)
}

fn axes(physics: &Physics, added: &AddedModel) -> [f64; 2] {
    let ids = [added.joints[0], added.second_axes[0].unwrap()];
    ids.map(|id| physics.joint_position(id).unwrap())
}

/// The positions of the two axes after a torque of one second in the world.
fn turned_by(torque: DVec3) -> [f64; 2] {
    let mut physics = weightless();
    let spec = gimbal(JointKind::Universal, AxisSpec::new(DVec3::Y));
    let added = physics.add_model(&spec).unwrap();
    assert_eq!(added.links.len(), 1, "the body between the axes is not shown");
    for _ in 0..1000 {
        physics.apply_wrench(added.links[0], DVec3::ZERO, torque).unwrap();
        physics.step().unwrap();
    }
    axes(&physics, &added)
}

#[test]
fn a_universal_joint_turns_about_both_axes_and_not_about_the_third() {
    // Half a torque over a moment, in one second.
    let [first, second] = turned_by(DVec3::X * 0.06);
    assert!((first - 0.1).abs() < 2e-4 && second.abs() < 1e-9, "{first} {second}");
    let [first, second] = turned_by(DVec3::Y * 0.06);
    assert!((second - 0.15).abs() < 3e-4 && first.abs() < 1e-9, "{first} {second}");
    let turned = turned_by(DVec3::Z * 0.06);
    assert!(turned.iter().all(|angle| angle.abs() < 1e-9), "{turned:?}");
}

#[test]
fn two_axes_in_series_give_the_rotation_of_one_after_the_other() {
    let oblique = DVec3::new(0.5, 0.75_f64.sqrt(), 0.0);
    for (kind, axis) in [(JointKind::Universal, DVec3::Y), (JointKind::Revolute2, oblique)] {
        let mut physics = weightless();
        let added = physics.add_model(&gimbal(kind, AxisSpec::new(axis))).unwrap();
        let speed = |target| JointCommand::Velocity { target, max_effort: f64::INFINITY };
        physics.command_joint(added.joints[0], speed(1.0)).unwrap();
        physics.command_joint(added.second_axes[0].unwrap(), speed(-2.0)).unwrap();
        run(&mut physics, 1.0);
        let [first, second] = axes(&physics, &added);
        assert!((first - 1.0).abs() < 5e-3 && (second + 2.0).abs() < 5e-3, "{first} {second}");
        let wanted = bridgehead_pose::DQuat::from_axis_angle(DVec3::X, first)
            * bridgehead_pose::DQuat::from_axis_angle(axis, second);
        let pose = physics.link_pose(added.links[0]).unwrap();
        assert!(pose.rotation.dot(wanted).abs() > 1.0 - 1e-12, "{kind:?}");
        assert!(pose.position.length() < 1e-12);
        let speed = physics.joint_velocity(added.second_axes[0].unwrap()).unwrap();
        assert!((speed + 2.0).abs() < 1e-2, "{speed}");
    }
}

#[test]
fn a_universal_pendulum_keeps_its_energy() {
    let mut spec = universal(AxisSpec::new(DVec3::Y));
    spec.links[0] = rotor("bob", at(0.6, 0.0, 0.0), 2.0, MOMENTS);
    spec.links[0].inertial.pose = Pose::IDENTITY;
    let mut physics = physics();
    let added = physics.add_model(&spec).unwrap();
    let speed = JointCommand::Velocity { target: 2.0, max_effort: f64::INFINITY };
    physics.command_joint(added.joints[0], speed).unwrap();
    run(&mut physics, 0.1);
    physics.command_joint(added.joints[0], JointCommand::Passive).unwrap();
    let energy = |physics: &Physics| {
        let (pose, id) = (physics.link_pose(added.links[0]).unwrap(), added.links[0]);
        let (linear, angular) = physics.link_velocity(id).unwrap();
        let spin = pose.rotation.inverse() * angular;
        linear.length_squared()
            + 0.5 * (MOMENTS * spin * spin).element_sum()
            + 2.0 * GRAVITY * pose.position.z
    };
    let start = energy(&physics);
    run(&mut physics, 5.0);
    let scale = 2.0 * GRAVITY * 0.6;
    let drift = (energy(&physics) - start) / scale;
    assert!(drift.abs() < 0.02, "{drift} of m g l in 5 s");
    assert!((physics.link_pose(added.links[0]).unwrap().position.length() - 0.6).abs() < 1e-9);
}

#[test]
fn each_axis_has_limits_of_its_own() {
    let second = AxisSpec { limits: [-0.2, 0.3], ..AxisSpec::new(DVec3::Y) };
    let mut physics = weightless();
    let added = physics.add_model(&universal(second)).unwrap();
    for (torque, stop) in [(1.0, 0.3), (-1.0, -0.2)] {
        physics.command_joint(added.second_axes[0].unwrap(), JointCommand::Effort(torque)).unwrap();
        run(&mut physics, 2.0);
        let [first, second] = axes(&physics, &added);
        assert!((second - stop).abs() < 1e-3, "{second} rad, the limit is {stop}");
        assert!(first.abs() < 1e-9);
    }
}

#[test]
fn each_axis_has_dynamics_of_its_own() {
    // Damping: the speed goes to torque over damping.
    let (mut physics, torque) = (weightless(), JointCommand::Effort(0.5));
    let damped = AxisSpec { damping: 0.25, ..AxisSpec::new(DVec3::Y) };
    let added = physics.add_model(&universal(damped)).unwrap();
    let second = added.second_axes[0].unwrap();
    physics.command_joint(second, torque).unwrap();
    run(&mut physics, 10.0);
    assert!((physics.joint_velocity(second).unwrap() - 2.0).abs() < 1e-3);

    // Friction: less torque than that does not move it.
    let mut physics = weightless();
    let rough = AxisSpec { friction: 0.6, ..AxisSpec::new(DVec3::Y) };
    let added = physics.add_model(&universal(rough)).unwrap();
    physics.command_joint(added.second_axes[0].unwrap(), torque).unwrap();
    run(&mut physics, 1.0);
    assert!(axes(&physics, &added)[1].abs() < 1e-6);

    // A spring: it swings to the other side in half a period, 2π √(I/k).
    let mut physics = sleepless();
    let sprung = AxisSpec { spring_stiffness: 5.0, spring_reference: 0.1, ..AxisSpec::new(DVec3::Y) };
    let added = physics.add_model(&universal(sprung)).unwrap();
    run(&mut physics, std::f64::consts::PI * (0.2_f64 / 5.0).sqrt());
    let [first, second] = axes(&physics, &added);
    assert!((second - 0.2).abs() < 2e-3 && first.abs() < 1e-9, "{second}");

    // A motor that is no stronger than the axis lets it be: half a torque over a moment.
    let mut physics = weightless();
    let weak = AxisSpec { effort: 0.06, ..AxisSpec::new(DVec3::Y) };
    let added = physics.add_model(&universal(weak)).unwrap();
    let command = JointCommand::Velocity { target: 100.0, max_effort: f64::INFINITY };
    physics.command_joint(added.second_axes[0].unwrap(), command).unwrap();
    run(&mut physics, 1.0);
    assert!((axes(&physics, &added)[1] - 0.15).abs() < 1e-3);
}

/// A cart on rails with a swing on a universal joint; another joint closes the loop.
fn swing_in_a_loop() -> ModelSpec {
    let links = vec![
        rotor("beam", at(0.0, 0.0, 0.0), 5.0, DVec3::ONE),
        rotor("swing", at(0.0, 0.0, -1.0), 1.0, DVec3::splat(0.1)),
    ];
    let universal = |name: &str, parent, child, x| JointSpec {
        second: Some(AxisSpec::new(DVec3::X)),
        ..JointSpec::new(name, JointKind::Universal, parent, child, at(x, 0.0, 0.0), DVec3::Y)
    };
    let slide = JointSpec::new("slide", JointKind::Prismatic, None, 0, Pose::IDENTITY, DVec3::Y);
    model(
        "swing",
        links,
        vec![slide, universal("left", Some(0), 1, -0.5), universal("right", Some(0), 1, 0.5)],
    )
}

#[test]
fn a_two_axis_joint_may_close_a_loop() {
    let mut physics = physics();
    let added = physics.add_model(&swing_in_a_loop()).unwrap();
    for _ in 0..100 {
        physics.apply_wrench(added.links[1], DVec3::Y * 5.0, DVec3::ZERO).unwrap();
        physics.step().unwrap();
    }
    run(&mut physics, 3.0);
    // On two points it swings about the line through them and stays one metre below it.
    let [beam, swing] = [0, 1].map(|link| physics.link_pose(added.links[link]).unwrap());
    let arm = swing.position - beam.position;
    assert!((arm.length() - 1.0).abs() < 1e-3 && arm.x.abs() < 1e-3, "{arm}");
    let angle = physics.joint_position(added.second_axes[1].unwrap()).unwrap();
    assert!((arm - DVec3::new(0.0, angle.sin(), -angle.cos())).length() < 1e-3, "{arm} at {angle}");
}

#[test]
fn neighbours_of_a_two_axis_joint_pass_through_each_other() {
    let links = [0.0, 0.1]
        .map(|x| LinkSpec { self_collide: true, ..box_link("box", at(x, 0.0, 0.0), DVec3::splat(0.5), 1.0) });
    let mut spec = model("pair", links.to_vec(), Vec::new());
    spec.joints.push(JointSpec {
        second: Some(AxisSpec::new(DVec3::Y)),
        ..JointSpec::new("cross", JointKind::Universal, Some(0), 1, Pose::IDENTITY, DVec3::X)
    });
    let mut physics = weightless();
    let added = physics.add_model(&spec).unwrap();
    run(&mut physics, 0.1);
    let mut contacts = Vec::new();
    physics.contacts_of(added.collisions[0][0], &mut contacts);
    assert!(contacts.is_empty(), "{contacts:?}");
    let again = &mut restored(&physics);
    run(again, 0.1);
    assert!(again.contacts_of(added.collisions[0][0], &mut contacts) && contacts.is_empty());
}

#[test]
fn neighbours_stay_apart_when_other_models_go() {
    let cross = |name: &str, first, second| JointSpec {
        second: Some(AxisSpec::new(DVec3::Y)),
        ..JointSpec::new(name, JointKind::Universal, Some(first), second, Pose::IDENTITY, DVec3::X)
    };
    let row = |z| {
        let links = [0.3, 0.2, 0.1].map(|x| LinkSpec {
            self_collide: true,
            ..box_link("box", at(x, 0.0, z), DVec3::splat(0.5), 1.0)
        });
        // Of the three pairs two share a joint; the later link comes first in one.
        model("row", links.to_vec(), vec![cross("upper", 2, 1), cross("lower", 1, 0)])
    };
    let mut physics = weightless();
    let rows = [0.0, 10.0, 20.0].map(|z| physics.add_model(&row(z)).unwrap());
    physics.remove_model(rows[1].model).unwrap();
    // Its bodies take the places of those that went.
    let last = physics.add_model(&row(30.0)).unwrap();
    run(&mut physics, 0.1);
    let mut contacts = Vec::new();
    for added in [&rows[0], &rows[2], &last] {
        physics.contacts_of(added.collisions[1][0], &mut contacts);
        assert!(contacts.is_empty(), "{contacts:?}");
        // The two that share no joint touch.
        physics.contacts_of(added.collisions[0][0], &mut contacts);
        assert!(!contacts.is_empty());
    }
}

#[test]
fn a_teleport_takes_the_axes_along_as_they_stand() {
    let mut spec = universal(AxisSpec::new(DVec3::Y));
    spec.links.insert(0, LinkSpec::new("base", at(0.0, 0.0, 0.0)));
    (spec.joints[0].parent, spec.joints[0].child) = (Some(0), 1);
    let mut physics = weightless();
    let added = physics.add_model(&spec).unwrap();
    for (id, target) in [(added.joints[0], 1.0), (added.second_axes[0].unwrap(), 0.5)] {
        physics.command_joint(id, JointCommand::Velocity { target, max_effort: f64::INFINITY }).unwrap();
    }
    run(&mut physics, 0.5);
    let before = axes(&physics, &added);
    physics.set_link_pose(added.links[0], at(5.0, 6.0, 7.0)).unwrap();
    let after = axes(&physics, &added);
    assert!(
        (before[0] - after[0]).abs() < 1e-9 && (before[1] - after[1]).abs() < 1e-9,
        "{before:?} {after:?}"
    );
    let child = physics.link_pose(added.links[1]).unwrap().position;
    assert!((child - DVec3::new(5.0, 6.0, 7.0)).length() < 1e-9, "{child}");
}

#[test]
fn a_watched_axis_tells_its_effort() {
    let mut physics = weightless();
    let added = physics.add_model(&universal(AxisSpec::new(DVec3::Y))).unwrap();
    let second = added.second_axes[0].unwrap();
    physics.watch_joint(second).unwrap();
    let weak = JointCommand::Velocity { target: 100.0, max_effort: 0.5 };
    physics.command_joint(second, weak).unwrap();
    run(&mut physics, 0.02);
    assert!((physics.watched_effort(second).unwrap() - 0.5).abs() < 1e-3);
}

#[test]
fn two_axis_joints_endure() {
    let drive = |physics: &mut Physics, added: &AddedModel| {
        for (id, target) in [(added.joints[0], 1.0), (added.second_axes[0].unwrap(), -0.7)] {
            physics.command_joint(id, JointCommand::Velocity { target, max_effort: 3.0 }).unwrap();
        }
    };
    check_joint_invariants(&gimbal(JointKind::Universal, AxisSpec::new(DVec3::Y)), drive);
    let push = |physics: &mut Physics, added: &AddedModel| {
        physics.apply_wrench(added.links[1], DVec3::Y * 5.0, DVec3::ZERO).unwrap();
    };
    check_joint_invariants(&swing_in_a_loop(), push);
}
