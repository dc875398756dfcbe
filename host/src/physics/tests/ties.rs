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
        physics.step();
    }
    let offset = |physics: &Physics| {
        physics.link_pose(b.links[0]).unwrap().relative_to(&physics.link_pose(a.links[0]).unwrap()).position
    };
    assert!((offset(&physics) - DVec3::X).length() < 1e-3, "{}", offset(&physics));
    physics.remove_joint(bond).unwrap();
    assert_eq!(physics.remove_joint(bond), Err(PhysicsError::NoSuchJoint(bond)));
    for _ in 0..500 {
        physics.apply_wrench(a.links[0], DVec3::new(5.0, 0.0, GRAVITY), DVec3::ZERO).unwrap();
        physics.step();
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
    // It goes back with its model, and moves along with it.
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
    assert!(error.to_string().starts_with("BH-PHY-011"), "{error}");
    physics.remove_model(b.model).unwrap();
    assert_eq!(physics.fix_links(b.links[0], a.links[0]), Err(PhysicsError::NoSuchLink(b.links[0])));
}
