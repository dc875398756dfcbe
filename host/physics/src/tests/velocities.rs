//! Changes of velocities in a step, from which accelerations are computed.

use super::*;

/// A bar whose centre of mass is a metre away from its origin, that turns and falls.
fn bar(physics: &mut Physics, name: &str) -> AddedModel {
    let mut link = box_link("bar", at(0.0, 0.0, 50.0), DVec3::ONE, 1.0);
    link.inertial.pose = Pose::from_position(DVec3::X);
    let added = physics.add_model(&model(name, vec![link], Vec::new())).unwrap();
    physics.set_model_velocity(added.model, DVec3::Y, DVec3::new(0.5, 1.0, -2.0)).unwrap();
    added
}

#[test]
fn a_change_is_that_of_the_point_in_the_last_step() {
    let mut physics = physics();
    let link = bar(&mut physics, "a").links[0];
    let point = DVec3::new(0.0, 2.0, 0.0);
    let of_point = |physics: &Physics| {
        let (pose, linear, angular) = physics.link_motion(link).unwrap();
        [linear + angular.cross(pose.rotation * point), angular]
    };
    physics.keep_velocities([(link, point)].into_iter());
    assert_eq!(physics.velocity_change(link), None, "no step has been");
    for _ in 0..3 {
        let before = of_point(&physics);
        physics.step().unwrap();
        let (now, change) = (of_point(&physics), physics.velocity_change(link).unwrap());
        let motion = physics.motion(&physics.link_cursor(link).unwrap()).unwrap();
        for part in 0..2 {
            assert!(change[part].abs_diff_eq(now[part] - before[part], 1e-12), "{change:?}");
            assert!(motion.velocity[part].abs_diff_eq(now[part], 1e-12), "{motion:?}");
        }
        assert_eq!((motion.change, Some(motion.pose)), (change, physics.link_pose(link)));
        assert!(change[0].length() > 1e-3, "{change:?}");
    }
    physics.drop_velocities();
    assert_eq!(physics.velocity_change(link), None);
}

#[test]
fn a_model_that_goes_leaves_the_others_theirs_and_one_that_comes_has_none_yet() {
    let mut physics = physics();
    let (first, second) = (bar(&mut physics, "a"), bar(&mut physics, "b"));
    physics.keep_velocities(std::iter::empty());
    physics.step().unwrap();
    let change = physics.velocity_change(second.links[0]);
    assert!(change.is_some());
    physics.remove_model(first.model).unwrap();
    assert_eq!(physics.velocity_change(second.links[0]), change);
    let third = bar(&mut physics, "c");
    physics.step().unwrap();
    assert_eq!(physics.velocity_change(third.links[0]), None);
    assert!(physics.velocity_change(second.links[0]).is_some());
    physics.forget_velocities(second.model);
    assert_eq!(physics.velocity_change(second.links[0]), Some(Velocity::default()));
}

#[test]
fn a_state_that_is_not_finite_is_named_with_velocities_kept_too() {
    let mut physics = physics();
    let lost = bar(&mut physics, "lost").links[0];
    physics.keep_velocities(std::iter::empty());
    physics.step().unwrap();
    physics.apply_wrench(lost, DVec3::splat(f64::MAX), DVec3::splat(f64::MAX)).unwrap();
    let steps = (0..3).find_map(|_| physics.step().err());
    assert!(matches!(&steps, Some(PhysicsError::Diverged { model, .. }) if model == "lost"), "{steps:?}");
}
