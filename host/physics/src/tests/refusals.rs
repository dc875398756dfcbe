//! Refusals: their texts, and that nothing is left behind.

use super::*;

#[track_caller]
fn refused(spec: &ModelSpec) -> String {
    let mut physics = physics();
    let empty = physics.state_hash();
    let error = physics.add_model(spec).unwrap_err();
    assert_eq!(physics.state_hash(), empty, "a refused model must leave nothing behind");
    error.to_string()
}

fn with_joint(joint: JointSpec) -> ModelSpec {
    door(joint)
}

#[test]
fn joints_that_must_be_in_a_tree_are_refused_between_models() {
    let mut physics = physics();
    let added = physics.add_model(&door(hinge())).unwrap();
    let second = Some(AxisSpec::new(DVec3::Y));
    for kind in [JointKind::Universal, JointKind::Revolute2, JointKind::Screw { pitch: 0.1 }] {
        let joint = JointSpec { kind, second: second.clone(), ..hinge() };
        let text = physics.add_joint(&joint, None, added.links[0]).unwrap_err().to_string();
        let wanted = format!(
            "[BH-PHY-010] joint door::hinge is of type {} and connects models to each other or to the world, which is not \
             simulated; use fixed, revolute, continuous, prismatic or ball there",
            kind.name()
        );
        assert_eq!(text, wanted);
    }
}

/// A chain of hinges that hangs in the world, with `joints` joints.
fn chain(joints: usize) -> ModelSpec {
    let links = (0..joints).map(|link| LinkSpec::new(&format!("l{link}"), at(link as f64, 0.0, 0.0)));
    let joint = |child: usize| JointSpec {
        name: format!("j{child}"),
        parent: child.checked_sub(1),
        child,
        ..hinge()
    };
    model("chain", links.collect(), (0..joints).map(joint).collect())
}

#[test]
fn joints_that_must_be_in_one_tree_are_at_most_300() {
    let screws = |joints| {
        let mut spec = chain(joints);
        spec.joints.iter_mut().for_each(|joint| joint.kind = JointKind::Screw { pitch: 0.1 });
        spec
    };
    let text = refused(&screws(301));
    let found = text.starts_with("[BH-PHY-029] 301 joints of model `chain`") && text.contains("at most 300");
    assert!(found, "{text}");
    physics().add_model(&screws(300)).expect("within the limits");
    // Without the joint in the middle there are two trees of 300 and 299 joints.
    let mut two = screws(600);
    two.joints.remove(300);
    physics().add_model(&two).expect("within the limits");
    physics().add_model(&ModelSpec { is_static: true, ..screws(301) }).expect("static models have no joints");
}

#[test]
fn a_chain_of_more_than_300_joints_is_cut_and_holds_together() {
    let mut physics = physics();
    let added = physics.add_model(&chain(700)).expect("any number of hinges");
    run(&mut physics, 0.05);
    for (one, other) in added.links.iter().zip(added.links.iter().skip(1)) {
        let [one, other] = [one, other].map(|link| physics.link_pose(*link).unwrap());
        // The links are a metre apart, and each hinge is at the origin of its child.
        let gap = one.transform_point(DVec3::X).distance(other.position);
        assert!(gap < 1e-6, "{gap} m apart");
    }
    self::physics().add_model(&chain(3000)).expect("any number of hinges");
}

#[test]
fn a_loop_of_threads_is_refused() {
    let kind = JointKind::Screw { pitch: 0.1 };
    let links = vec![LinkSpec::new("a", at(0.0, 0.0, 0.0)), LinkSpec::new("b", at(1.0, 0.0, 0.0))];
    let joint = |name, parent, child| JointSpec { kind, parent, child, ..JointSpec { name, ..hinge() } };
    let joints = vec![joint("one".into(), Some(0), 1), joint("two".into(), Some(1), 0)];
    let text = refused(&model("rig", links, joints));
    assert!(text.starts_with("[BH-PHY-010] joint rig::two is of type screw and closes a loop"), "{text}");
}

#[test]
fn threads_and_gears_between_kinematic_links_are_refused() {
    let kinematic = |name: &str, x| LinkSpec { kinematic: true, ..LinkSpec::new(name, at(x, 0.0, 0.0)) };
    let links = vec![kinematic("a", 0.0), kinematic("b", 1.0), LinkSpec::new("c", at(2.0, 0.0, 0.0))];
    let hinge =
        |name: &str, kind, parent, child| JointSpec { name: name.into(), kind, parent, child, ..hinge() };
    let screw = |parent| hinge("thread", JointKind::Screw { pitch: 0.1 }, parent, 1);
    for parent in [None, Some(0)] {
        let text = refused(&model("rig", links.clone(), vec![screw(parent)]));
        let wanted = "[BH-PHY-010] joint rig::thread is of type screw and moves a kinematic link, which is not \
                      simulated; use fixed, revolute, continuous, prismatic or ball there";
        assert_eq!(text, wanted);
    }
    physics().add_model(&model("rig", links.clone(), vec![screw(Some(2))])).unwrap();

    let kind = JointKind::Gearbox { ratio: 2.0, reference: Some(0) };
    let mesh = hinge("mesh", kind, Some(1), 2);
    let mesh = JointSpec { second: Some(AxisSpec::new(DVec3::Z)), ..mesh };
    let hinges = [1, 2].map(|child| hinge("hinge", JointKind::Revolute, Some(0), child));
    let joints = vec![mesh, hinges[0].clone(), hinges[1].clone()];
    let text = refused(&model("rig", links, joints));
    assert!(
        text.starts_with("[BH-PHY-010] joint rig::mesh is of type gearbox and moves a kinematic link"),
        "{text}"
    );
}

#[test]
fn two_axes_that_are_one_are_named() {
    let joint = JointSpec { kind: JointKind::Universal, second: Some(AxisSpec::new(-DVec3::Z)), ..hinge() };
    let text = refused(&with_joint(joint.clone()));
    assert!(text.starts_with("[BH-PHY-025] the two axes of joint door::hinge are parallel"), "{text}");
    let text = refused(&with_joint(JointSpec { second: None, ..joint.clone() }));
    assert!(text.starts_with("[BH-PHY-012]"), "{text}");
    let second = AxisSpec { limits: [1.0, -1.0], ..AxisSpec::new(DVec3::X) };
    assert!(refused(&with_joint(JointSpec { second: Some(second), ..joint })).starts_with("[BH-PHY-022]"));
}

#[test]
fn threads_without_a_pitch_are_named() {
    for pitch in [0.0, f64::NAN, f64::INFINITY, 1e-9, -1e9] {
        let text = refused(&with_joint(JointSpec { kind: JointKind::Screw { pitch }, ..hinge() }));
        assert!(text.starts_with("[BH-PHY-027] the thread pitch of joint door::hinge is"), "{text}");
    }
}

#[test]
fn joints_that_follow_nothing_are_named() {
    let following = |leader, second_axis, multiplier| {
        let mimic = Some(MimicSpec { leader, second_axis, multiplier, offset: 0.0 });
        refused(&with_joint(JointSpec { mimic, ..hinge() }))
    };
    for (text, problem) in [
        (following(0, false, 1.0), "it would follow itself"),
        (following(7, false, 1.0), "there is no joint number 7"),
        (following(0, true, 1.0), "hinge of type revolute has no such axis"),
    ] {
        assert_eq!(text, format!("[BH-PHY-028] joint door::hinge cannot follow another one: {problem}"));
    }
}

#[test]
fn joint_without_its_links_or_axis_is_named() {
    let text = refused(&with_joint(JointSpec { child: 7, ..hinge() }));
    assert_eq!(text, "[BH-PHY-011] joint door::hinge does not connect two different links of its model");
    assert!(refused(&with_joint(JointSpec { parent: Some(0), ..hinge() })).starts_with("[BH-PHY-011]"));
    let text = refused(&with_joint(JointSpec { axis: DVec3::ZERO, ..hinge() }));
    assert!(text.starts_with("[BH-PHY-012] the axis of joint door::hinge is [0, 0, 0]"), "{text}");
}

#[test]
fn limits_and_coefficients_that_mean_nothing_are_named() {
    let text = refused(&with_joint(JointSpec { limits: [1.0, -1.0], ..hinge() }));
    assert_eq!(
        text,
        "[BH-PHY-022] the limits of joint door::hinge are 1 to -1; the lower must not exceed the upper"
    );
    assert!(
        refused(&with_joint(JointSpec { limits: [f64::NAN, 1.0], ..hinge() })).starts_with("[BH-PHY-022]")
    );
    let text = refused(&with_joint(JointSpec { damping: -0.5, ..hinge() }));
    let wanted =
        "[BH-PHY-023] the damping of hinge in model door must be finite and not negative, found -0.5";
    assert_eq!(text, wanted);
    let mut spec = with_joint(hinge());
    spec.links[0].collisions = vec![collision(CollisionShape::Sphere { radius: 1.0 }, f64::NAN)];
    assert!(refused(&spec).contains("the friction of collision in model door"));
}

#[test]
fn negative_effort_and_velocity_mean_no_limit() {
    let mut physics = weightless();
    let joint = JointSpec { effort: -1.0, velocity: -1.0, ..hinge() };
    let added = physics.add_model(&with_joint(joint)).unwrap();
    let command = JointCommand::Velocity { target: 30.0, max_effort: f64::INFINITY };
    physics.command_joint(added.joints[0], command).unwrap();
    run(&mut physics, 0.01);
    assert!((physics.joint_velocity(added.joints[0]).unwrap() - 30.0).abs() < 1e-3);
    physics.command_joint(added.joints[0], JointCommand::Effort(50.0)).unwrap();
    run(&mut physics, 0.01);
    assert!(physics.joint_velocity(added.joints[0]).unwrap() > 30.3);
}

#[test]
fn inertia_that_no_body_can_have_is_named() {
    let mut spec = with_joint(hinge());
    spec.links[0].inertial.mass = 0.0;
    let text = "[BH-PHY-013] the inertia of link door::door cannot be simulated: \
                the mass must be positive and finite, found 0 kg";
    assert_eq!(refused(&spec), text);
    spec.links[0].inertial = Inertial { moments: DVec3::new(1.0, -1.0, 1.0), ..Inertial::default() };
    assert!(refused(&spec).contains("not positive definite"));
    // Static models need no inertia.
    spec.is_static = true;
    physics().add_model(&spec).unwrap();
}

#[test]
fn shape_that_cannot_be_made_is_named() {
    let mut spec = with_joint(hinge());
    spec.links[0].collisions = vec![collision(CollisionShape::Cylinder { radius: 1.0, length: -2.0 }, 1.0)];
    let text = "[BH-PHY-014] the shape of collision door::door::collision cannot be simulated: \
                radius and length must be from 1e-6 to 1e7 m, found [1.0, -2.0]";
    assert_eq!(refused(&spec), text);
    let mesh = CollisionShape::Mesh { points: vec![DVec3::ZERO], triangles: vec![[0, 0, 1]] };
    spec.links[0].collisions = vec![collision(mesh, 1.0)];
    assert!(refused(&spec).contains("a triangle refers to a point that does not exist; there are 1 points"));
    spec.links[0].collisions = vec![collision(CollisionShape::Hull { points: vec![DVec3::ZERO; 4] }, 1.0)];
    assert!(refused(&spec).starts_with("[BH-PHY-014]"));
}

#[test]
fn settings_out_of_range_are_refused() {
    let settings = Settings { step: 0.0, ..Settings::default() };
    let text = Physics::new(settings).unwrap_err().to_string();
    assert_eq!(text, "[BH-PHY-021] the step must be positive and finite, found 0");
    let settings = Settings { substeps: 0, ..Settings::default() };
    assert!(Physics::new(settings).unwrap_err().to_string().contains("the number of substeps"));
}

#[test]
fn command_for_a_joint_without_position_or_with_bad_numbers_is_refused() {
    let mut physics = physics();
    let added = physics.add_model(&with_joint(JointSpec { kind: JointKind::Ball, ..hinge() })).unwrap();
    let text = physics.command_joint(added.joints[0], JointCommand::Effort(1.0)).unwrap_err().to_string();
    assert!(text.starts_with("[BH-PHY-019] joint hinge is of type ball"), "{text}");
    let added = physics.add_model(&with_joint(hinge())).unwrap();
    let text =
        physics.command_joint(added.joints[0], JointCommand::Effort(f64::NAN)).unwrap_err().to_string();
    assert_eq!(text, "[BH-PHY-015] a command for joint hinge of door is not finite");
}

#[test]
fn removed_model_is_gone_with_all_its_ids() {
    let mut physics = physics();
    let first = physics.add_model(&pendulum(3)).unwrap();
    let second = physics.add_model(&with_joint(hinge())).unwrap();
    run(&mut physics, 0.1);
    physics.remove_model(first.model).unwrap();
    run(&mut physics, 0.1);
    assert_eq!(physics.link_pose(first.links[0]), None);
    assert_eq!(physics.joint_position(first.joints[0]), None);
    assert!(physics.link_pose(second.links[0]).is_some());
    let error = physics.command_joint(first.joints[0], JointCommand::Passive).unwrap_err();
    assert_eq!(error, PhysicsError::NoSuchJoint(first.joints[0]));
    assert_eq!(physics.remove_model(first.model), Err(PhysicsError::NoSuchModel(first.model)));
    let third = physics.add_model(&with_joint(hinge())).unwrap();
    assert!(third.model > second.model && third.links[0] > second.links[0]);
}

#[test]
fn link_that_leaves_the_numbers_is_named() {
    let mut physics = physics();
    let link = LinkSpec::new("wing", Pose::IDENTITY);
    let added = physics.add_model(&model("plane", vec![link], Vec::new())).unwrap();
    physics.push_link(added.links[0], DVec3::X * f64::MAX, DVec3::ZERO).unwrap();
    physics.push_link(added.links[0], DVec3::X * f64::MAX, DVec3::ZERO).unwrap();
    let text = (0..2).find_map(|_| physics.step().err()).unwrap().to_string();
    assert!(text.starts_with("[BH-PHY-020] the state of link plane::wing is no longer finite"), "{text}");
    physics.reset_model(added.model).unwrap();
    physics.check_finite().unwrap();
}
