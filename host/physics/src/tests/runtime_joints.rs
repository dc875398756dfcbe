//! Joints that come and go on their own.

use super::*;

fn two_crates(physics: &mut Physics) -> [AddedModel; 2] {
    let crate_at =
        |name, x| model(name, vec![box_link("body", at(x, 0.0, 5.0), DVec3::splat(0.5), 1.0)], Vec::new());
    [("a", 0.0), ("b", 1.0)].map(|(name, x)| physics.add_model(&crate_at(name, x)).unwrap())
}

#[test]
fn links_that_are_fixed_to_each_other_move_as_one_until_they_are_not() {
    let mut physics = physics();
    let [a, b] = two_crates(&mut physics);
    let bond = physics.fix_links(a.links[0], b.links[0]).unwrap();
    // A push at one end turns and carries both.
    for _ in 0..200 {
        physics.apply_wrench(a.links[0], DVec3::new(5.0, 0.0, 2.0 * GRAVITY), DVec3::ZERO).unwrap();
        physics.step().expect("sound");
    }
    let offset = |physics: &Physics| {
        physics.link_pose(b.links[0]).unwrap().relative_to(&physics.link_pose(a.links[0]).unwrap()).position
    };
    assert!((offset(&physics) - DVec3::X).length() < 1e-3, "{}", offset(&physics));
    physics.remove_joint(bond).unwrap();
    assert_eq!(physics.remove_joint(bond), Err(PhysicsError::NoSuchJoint(bond)));
    for _ in 0..500 {
        physics.apply_wrench(a.links[0], DVec3::new(5.0, 0.0, GRAVITY), DVec3::ZERO).unwrap();
        physics.step().expect("sound");
    }
    assert!((offset(&physics) - DVec3::X).length() > 0.5, "{}", offset(&physics));
}

#[test]
fn a_link_can_hang_on_the_world_by_a_hinge() {
    let mut physics = physics();
    let [a, _] = two_crates(&mut physics);
    let hinge = JointSpec::new("hinge", JointKind::Revolute, None, 0, at(-1.0, 0.0, 5.0), DVec3::Y);
    let joint = physics.add_joint(&hinge, None, a.links[0]).unwrap();
    run(&mut physics, 0.5);
    let position = physics.link_pose(a.links[0]).unwrap().position;
    assert!((position.distance(DVec3::new(-1.0, 0.0, 5.0)) - 1.0).abs() < 1e-3, "{position}");
    assert!(physics.joint_position(joint).unwrap() > 0.5);
    // The joint is reset with its model, and moves with it.
    physics.reset_model(a.model).unwrap();
    assert_eq!(physics.joint_position(joint), Some(0.0));
    physics.set_link_pose(a.links[0], at(10.0, 0.0, 5.0)).unwrap();
    run(&mut physics, 0.5);
    let position = physics.link_pose(a.links[0]).unwrap().position;
    assert!((position.distance(DVec3::new(9.0, 0.0, 5.0)) - 1.0).abs() < 1e-3, "{position}");
}

#[test]
fn a_bond_goes_with_either_of_its_models() {
    for removed in [0, 1] {
        let mut physics = physics();
        let crates = two_crates(&mut physics);
        let bond = physics.fix_links(crates[0].links[0], crates[1].links[0]).unwrap();
        run(&mut physics, 0.01);
        physics.remove_model(crates[removed].model).unwrap();
        assert_eq!(physics.remove_joint(bond), Err(PhysicsError::NoSuchJoint(bond)));
        run(&mut physics, 0.1);
    }
}

#[test]
fn a_link_cannot_be_tied_to_itself_or_to_one_that_is_gone() {
    let mut physics = physics();
    let [a, b] = two_crates(&mut physics);
    let error = physics.fix_links(a.links[0], a.links[0]).unwrap_err();
    assert!(error.to_string().starts_with("[BH-PHY-011]"), "{error}");
    physics.remove_model(b.model).unwrap();
    assert_eq!(physics.fix_links(b.links[0], a.links[0]), Err(PhysicsError::NoSuchLink(b.links[0])));
}

#[test]
fn models_that_are_tied_are_put_elsewhere_as_one() {
    let mut physics = weightless();
    let crate_at =
        |x| model("crate", vec![box_link("body", at(x, 0.0, 5.0), DVec3::splat(0.5), 1.0)], Vec::new());
    let links = [0.0, 1.0, 2.0, 3.0].map(|x| physics.add_model(&crate_at(x)).unwrap().links[0]);
    physics.fix_links(links[0], links[1]).unwrap();
    physics.fix_links(links[2], links[1]).unwrap();
    run(&mut physics, 0.01);
    let turned = Pose::from_rpy(DVec3::new(100.0, 0.0, 5.0), 0.0, 0.0, std::f64::consts::FRAC_PI_2);
    physics.set_link_pose(links[0], turned).unwrap();
    physics.refresh();
    run(&mut physics, 0.1);
    let position = |link| physics.link_pose(link).unwrap().position;
    for (link, y) in links.into_iter().zip([0.0, 1.0, 2.0]) {
        let expected = DVec3::new(100.0, y, 5.0);
        assert!((position(link) - expected).length() < 1e-6, "{} is not {expected}", position(link));
    }
    assert_eq!(position(links[3]), DVec3::new(3.0, 0.0, 5.0));
}

#[test]
fn a_model_attached_to_a_static_one_returns_to_it() {
    let mut physics = physics();
    let ground = add_ground(&mut physics, 1.0, 0.0);
    let [a, _] = two_crates(&mut physics);
    physics.fix_links(ground.links[0], a.links[0]).unwrap();
    run(&mut physics, 0.1);
    physics.set_link_pose(a.links[0], at(3.0, 0.0, 5.0)).unwrap();
    physics.refresh();
    run(&mut physics, 2.0);
    let position = physics.link_pose(a.links[0]).unwrap().position;
    assert!((position - DVec3::new(0.0, 0.0, 5.0)).length() < 0.01, "{position}");
    assert_eq!(physics.link_pose(ground.links[0]), Some(Pose::IDENTITY));
}

#[test]
fn a_tie_that_means_nothing_is_refused_by_name() {
    let mut physics = physics();
    let [a, b] = two_crates(&mut physics);
    let good = JointSpec::new("tie", JointKind::Revolute, None, 0, at(0.5, 0.0, 5.0), DVec3::Y);
    let cases = [
        (JointSpec { kind: JointKind::Screw { pitch: 0.1 }, ..good.clone() }, "BH-PHY-010"),
        (JointSpec { axis: DVec3::ZERO, ..good.clone() }, "BH-PHY-012"),
        (JointSpec { limits: [1.0, f64::NAN], ..good.clone() }, "BH-PHY-022"),
        (JointSpec { pose: at(f64::NAN, 0.0, 0.0), ..good.clone() }, "BH-PHY-015"),
    ];
    for (spec, code) in cases {
        let error = physics.add_joint(&spec, Some(a.links[0]), b.links[0]).unwrap_err().to_string();
        assert!(error.contains(code) && error.contains("tie"), "{code}: {error}");
    }
    let tie = physics.add_joint(&good, Some(a.links[0]), b.links[0]).unwrap();
    physics.remove_joint(tie).unwrap();
    // An id is never issued again.
    assert_ne!(physics.add_joint(&good, Some(a.links[0]), b.links[0]), Ok(tie));
}
