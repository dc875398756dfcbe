//! Gearboxes: both sides move each other by the ratio.

use super::*;

const PARENT: f64 = 0.02;
const CHILD: f64 = 0.1;

/// Two wheels on hinges along z in a frame, and a gearbox between them.
fn gears(ratio: f64, axis2: DVec3, frame_below: bool) -> ModelSpec {
    let links = vec![
        rotor("frame", at(0.0, 0.0, 0.0), 10.0, DVec3::ONE),
        rotor("small", at(0.0, 0.0, 1.0), 1.0, DVec3::splat(PARENT)),
        rotor("large", at(1.0, 0.0, 1.0), 2.0, DVec3::splat(CHILD)),
    ];
    let hinge = |name: &str, parent, child, x| {
        JointSpec::new(name, JointKind::Continuous, parent, child, at(x, 0.0, 1.0), DVec3::Z)
    };
    let first = if frame_below { hinge("one", Some(1), 0, 0.0) } else { hinge("one", Some(0), 1, 0.0) };
    let kind = JointKind::Gearbox { ratio, reference: Some(0) };
    let mesh = JointSpec {
        second: Some(AxisSpec::new(axis2)),
        ..JointSpec::new("mesh", kind, Some(1), 2, at(0.5, 0.0, 1.0), DVec3::Z)
    };
    let ground =
        JointSpec::new("ground", JointKind::Fixed, None, usize::from(frame_below), Pose::IDENTITY, DVec3::Z);
    let mut joints = vec![mesh, first, hinge("two", Some(0), 2, 1.0)];
    if !frame_below {
        joints.push(ground);
    }
    model("gears", links, joints)
}

/// Angles of both hinges after a second with a torque on one of them.
fn driven(spec: &ModelSpec, joint: usize, torque: f64) -> [f64; 2] {
    let mut physics = weightless();
    let added = physics.add_model(spec).unwrap();
    assert_eq!(physics.joint_position(added.joints[0]), None, "a gearbox has no position");
    physics.command_joint(added.joints[joint], JointCommand::Effort(torque)).unwrap();
    run(&mut physics, 1.0);
    [1, 2].map(|joint| physics.joint_position(added.joints[joint]).unwrap())
}

#[test]
fn the_child_turns_by_the_ratio_the_other_way_around() {
    for ratio in [2.0, -0.5, 1.0] {
        let spec = gears(ratio, DVec3::Z, false);
        let [parent, child] = driven(&spec, 1, 0.1);
        assert!((child + ratio * parent).abs() < 1e-6, "ratio {ratio}: {parent} and {child}");
        let wanted = 0.5 * 0.1 / (PARENT + ratio * ratio * CHILD);
        assert!((parent - wanted).abs() < 2e-3 * wanted, "ratio {ratio}: {parent}, wanted {wanted}");

        let [parent, child] = driven(&spec, 2, 0.1);
        assert!((child + ratio * parent).abs() < 1e-6, "ratio {ratio}: {parent} and {child}");
        let wanted = 0.5 * 0.1 / (CHILD + PARENT / (ratio * ratio));
        assert!((child - wanted).abs() < 2e-3 * wanted, "ratio {ratio}: {child}, wanted {wanted}");
    }
}

#[test]
fn axes_of_the_gearbox_say_which_way_is_positive() {
    let [parent, child] = driven(&gears(2.0, -DVec3::Z, false), 1, 0.1);
    assert!(parent > 0.1 && (child - 2.0 * parent).abs() < 1e-6, "{parent} and {child}");
}

#[test]
fn a_gear_may_carry_the_frame() {
    let mut physics = weightless();
    let added = physics.add_model(&gears(2.0, DVec3::Z, true)).unwrap();
    physics.command_joint(added.joints[1], JointCommand::Effort(0.1)).unwrap();
    run(&mut physics, 1.0);
    let [one, two] = [1, 2].map(|joint| physics.joint_position(added.joints[joint]).unwrap());
    // The hinge tells the angle of the frame in the gear; that of the gear in the frame is the opposite.
    assert!(one.abs() > 0.05 && (two - 2.0 * one).abs() < 1e-6, "{one} and {two}");
}

#[test]
fn both_gears_may_carry_the_frame() {
    let mut spec = gears(2.0, DVec3::Z, true);
    (spec.joints[2].parent, spec.joints[2].child) = (Some(2), 0);
    let mut physics = weightless();
    let added = physics.add_model(&spec).unwrap();
    physics.command_joint(added.joints[1], JointCommand::Effort(0.1)).unwrap();
    physics.watch_joint(added.joints[2]).unwrap();
    run(&mut physics, 1.0);
    let [one, two] = [1, 2].map(|joint| physics.joint_position(added.joints[joint]).unwrap());
    assert!(one.abs() > 0.05 && (two + 2.0 * one).abs() < 1e-6, "{one} and {two}");
    // The large wheel is the parent here: its torque on the frame is the opposite of the one that accelerates
    // it.
    let speed = |physics: &Physics| physics.link_velocity(added.links[2]).unwrap().1.z;
    let before = speed(&physics);
    physics.step().unwrap();
    let gained = (speed(&physics) - before) * CHILD / 0.001;
    let (_, torque) = physics.joint_wrench(added.joints[2]).unwrap();
    assert!(
        gained.abs() > 1e-3 && (torque.z + gained).abs() < 1e-6,
        "{torque} while {gained} N m speed it up"
    );
}

#[test]
fn a_gearbox_without_its_hinges_is_named() {
    let refused = |change: &dyn Fn(&mut ModelSpec)| {
        let mut spec = gears(2.0, DVec3::Z, false);
        change(&mut spec);
        physics().add_model(&spec).unwrap_err().to_string()
    };
    let text = refused(&|spec| spec.joints[0].axis = DVec3::X);
    let wanted = "[BH-PHY-026] the gearbox gears::mesh cannot be simulated: no revolute joint along `<axis>` joins \
                  small to the reference body frame";
    assert_eq!(text, wanted);
    for ratio in [0.0, f64::NAN, f64::INFINITY, 1e-9] {
        let text = refused(&|spec| spec.joints[0].kind = JointKind::Gearbox { ratio, reference: Some(0) });
        assert!(text.contains("the ratio is"), "{text}");
    }
    let text = refused(&|spec| spec.joints[0].parent = None);
    assert!(text.contains("one side of it is the world"), "{text}");
    let text = refused(&|spec| spec.joints[0].kind = JointKind::Gearbox { ratio: 1.0, reference: Some(77) });
    assert!(text.starts_with("[BH-PHY-026]"), "{text}");
}

#[test]
fn two_couplings_of_one_pair_are_named() {
    let twice = |change: &dyn Fn(&mut ModelSpec)| {
        let mut spec = gears(2.0, DVec3::Z, false);
        change(&mut spec);
        physics().add_model(&spec).unwrap_err().to_string()
    };
    let again = |spec: &mut ModelSpec| {
        let (parent, child) = (Some(2), 1);
        let kind = JointKind::Gearbox { ratio: 3.0, reference: Some(0) };
        spec.joints.push(JointSpec { name: "again".into(), kind, parent, child, ..spec.joints[0].clone() });
    };
    let wanted = "[BH-PHY-026] the gearbox gears::again cannot be simulated: two and one are coupled already, by the \
                  gearbox mesh";
    assert_eq!(twice(&again), wanted);
    let mimic = MimicSpec { leader: 1, second_axis: false, multiplier: 5.0, offset: 0.0 };
    let text = twice(&|spec| spec.joints[2].mimic = Some(mimic));
    assert!(
        text.ends_with("gears::mesh cannot be simulated: one and two are coupled already, by `<mimic>`"),
        "{text}"
    );
}

#[test]
fn gearboxes_endure() {
    let drive = |physics: &mut Physics, added: &AddedModel| {
        let command = JointCommand::Velocity { target: 3.0, max_effort: 0.2 };
        physics.command_joint(added.joints[1], command).unwrap();
    };
    check_joint_invariants(&gears(-3.0, DVec3::Z, false), drive);
}
