//! Bodies without joints: falling, resting, sliding, and the meaning of poses and velocities.

use super::*;

fn one_box(physics: &mut Physics, pose: Pose, size: f64, friction: f64) -> LinkId {
    let mut link = box_link("box", pose, DVec3::splat(size), 1.0);
    link.collisions[0].surface.friction = friction;
    physics.add_model(&model("box", vec![link], Vec::new())).unwrap().links[0]
}

#[test]
fn free_fall_follows_the_parabola() {
    let mut physics = physics();
    let link = one_box(&mut physics, at(0.0, 0.0, 100.0), 0.5, 1.0);
    run(&mut physics, 2.0);
    let fallen = 100.0 - physics.link_pose(link).unwrap().position.z;
    assert!((fallen - 0.5 * GRAVITY * 4.0).abs() < 0.01, "fell {fallen} m");
    let (linear, angular) = physics.link_velocity(link).unwrap();
    assert!((linear.z + GRAVITY * 2.0).abs() < 1e-9 && angular == DVec3::ZERO, "{linear} {angular}");
}

#[test]
fn stack_of_ten_boxes_sinks_less_than_a_fifth_of_a_millimetre() {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let links: Vec<LinkId> = (0..10)
        .map(|level| one_box(&mut physics, at(0.0, 0.0, 0.25 + 0.5 * f64::from(level)), 0.5, 1.0))
        .collect();
    run(&mut physics, 3.0);
    let top = physics.link_pose(links[9]).unwrap().position;
    assert!((4.75 - top.z).abs() < 2e-4, "the top box sank {} mm", (4.75 - top.z) * 1e3);
    assert!(top.x.hypot(top.y) < 2e-4, "the top box drifted to {top}");
}

fn slide(pitch_degrees: f64, friction: f64, ground: f64, seconds: f64) -> f64 {
    let mut physics = physics();
    let pitch = pitch_degrees.to_radians();
    add_ground(&mut physics, ground, pitch);
    let start = Pose::from_rpy(DVec3::ZERO, 0.0, pitch, 0.0) * at(0.0, 0.0, 0.25);
    let link = one_box(&mut physics, start, 0.5, friction);
    run(&mut physics, seconds);
    physics.link_pose(link).unwrap().position.distance(start.position)
}

#[test]
fn box_holds_on_a_slope_of_20_degrees_and_slides_at_30() {
    let held = slide(20.0, 0.5, 0.5, 3.0);
    assert!(held < 1e-4, "slid {} mm in 3 s", held * 1e3);
    let slid = slide(30.0, 0.5, 0.5, 1.0);
    let pitch = 30.0_f64.to_radians();
    let theory = 0.5 * GRAVITY * (pitch.sin() - 0.5 * pitch.cos());
    assert!((slid / theory - 1.0).abs() < 0.02, "slid {} mm, theory {} mm", slid * 1e3, theory * 1e3);
}

#[test]
fn the_more_slippery_of_two_surfaces_counts() {
    let reference = slide(30.0, 0.3, 0.3, 0.5);
    assert!((slide(30.0, 0.3, 1.0, 0.5) / reference - 1.0).abs() < 1e-6);
    assert!((slide(30.0, 1.0, 0.3, 0.5) / reference - 1.0).abs() < 1e-6);
    assert!(slide(30.0, 1.0, 1.0, 0.5) < 1e-4);
}

#[test]
fn box_at_rest_falls_asleep_and_a_push_wakes_it() {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let link = one_box(&mut physics, at(0.0, 0.0, 0.25), 0.5, 1.0);
    run(&mut physics, 3.0);
    assert_eq!(physics.is_sleeping(link), Some(true));
    physics.push_link(link, DVec3::X * 1000.0, DVec3::new(0.0, 0.0, 0.25)).unwrap();
    physics.step().expect("sound");
    assert_eq!(physics.is_sleeping(link), Some(false));
    assert!(physics.link_velocity(link).unwrap().0.x > 0.5);
}

#[test]
fn push_acts_for_one_step_whatever_the_substeps() {
    for substeps in [1, 4] {
        let settings = Settings { substeps, gravity: DVec3::ZERO, ..Settings::default() };
        let mut physics = Physics::new(settings).unwrap();
        let link = one_box(&mut physics, Pose::IDENTITY, 0.5, 1.0);
        physics.push_link(link, DVec3::X * 100.0, DVec3::ZERO).unwrap();
        physics.step().expect("sound");
        physics.step().expect("sound");
        let velocity = physics.link_velocity(link).unwrap().0.x;
        assert!((velocity - 0.1).abs() < 1e-9, "{substeps} substeps: {velocity} m/s");
    }
}

#[test]
fn without_sleeping_nothing_falls_asleep() {
    let mut physics = Physics::new(Settings { sleeping: false, ..Settings::default() }).unwrap();
    add_ground(&mut physics, 1.0, 0.0);
    let link = one_box(&mut physics, at(0.0, 0.0, 0.25), 0.5, 1.0);
    run(&mut physics, 3.0);
    assert_eq!(physics.is_sleeping(link), Some(false));
}

#[test]
fn a_model_that_never_sleeps_rests_awake() {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let mut spec = model("box", vec![cube("box", 0.5)], Vec::new());
    spec.never_sleeps = true;
    let link = physics.add_model(&spec).unwrap().links[0];
    run(&mut physics, 3.0);
    assert_eq!(physics.is_sleeping(link), Some(false));
}

#[test]
fn a_kinematic_link_ignores_forces_and_carries_bodies_on_it() {
    let mut physics = physics();
    let mut shelf = cube("shelf", 2.0);
    shelf.kinematic = true;
    let shelf = physics.add_model(&model("shelf", vec![shelf], Vec::new())).unwrap();
    let crate_on_it = one_box(&mut physics, at(0.0, 0.0, 3.0), 0.5, 50.0);
    run(&mut physics, 2.0);
    assert_eq!(physics.link_pose(shelf.links[0]).unwrap().position, DVec3::new(0.0, 0.0, 2.0));
    assert!((physics.link_pose(crate_on_it).unwrap().position.z - 2.75).abs() < 1e-3);
    physics.set_model_velocity(shelf.model, DVec3::Z * 0.1, DVec3::ZERO).unwrap();
    run(&mut physics, 1.0);
    assert!((physics.link_pose(shelf.links[0]).unwrap().position.z - 2.1).abs() < 1e-6);
    assert!((physics.link_pose(crate_on_it).unwrap().position.z - 2.85).abs() < 1e-3);
}

#[test]
fn a_led_link_of_a_static_model_carries_what_slept_on_it() {
    let mut physics = physics();
    let mut spec = model("shelf", vec![cube("shelf", 2.0)], Vec::new());
    spec.is_static = true;
    let shelf = physics.add_model(&spec).unwrap().links[0];
    let crate_on_it = one_box(&mut physics, at(0.0, 0.0, 2.75), 0.5, 50.0);
    run(&mut physics, 3.0);
    assert_eq!(physics.is_sleeping(crate_on_it), Some(true));
    let width = physics.settings().step;
    for goal in [3.0, 2.5] {
        let start = physics.link_pose(shelf).unwrap().position.z;
        for step in 1..=1000 {
            let height = start + (goal - start) * f64::from(step) / 1000.0;
            physics.lead_link(shelf, at(0.0, 0.0, height)).unwrap();
            physics.step().unwrap();
        }
        assert_eq!(physics.link_pose(shelf).unwrap().position, DVec3::new(0.0, 0.0, goal));
        let carried = physics.link_pose(crate_on_it).unwrap().position;
        assert!(
            (carried - DVec3::new(0.0, 0.0, goal + 0.75)).length() < 2e-3,
            "{carried} at {goal}, {width} s"
        );
    }
    run(&mut physics, 1.0);
    assert_eq!(physics.link_velocity(shelf), Some((DVec3::ZERO, DVec3::ZERO)));
}

#[test]
fn pose_and_velocity_are_those_of_the_link_frame_not_of_the_centre_of_mass() {
    let mut physics = weightless();
    let mut link = LinkSpec::new("club", at(1.0, 2.0, 3.0));
    link.inertial.pose = at(0.5, 0.0, 0.0);
    let added = physics.add_model(&model("club", vec![link], Vec::new())).unwrap();
    physics.set_model_velocity(added.model, DVec3::Y, DVec3::Z).unwrap();
    let (linear, angular) = physics.link_velocity(added.links[0]).unwrap();
    assert!((linear - DVec3::Y).length() < 1e-12 && angular == DVec3::Z);
    assert_eq!(physics.link_pose(added.links[0]).unwrap().position, DVec3::new(1.0, 2.0, 3.0));
    run(&mut physics, 1.0);
    // The centre of mass goes straight at 1 + 0.5 m/s while the origin circles around it.
    let pose = physics.link_pose(added.links[0]).unwrap();
    let center = pose.transform_point(DVec3::X * 0.5);
    assert!((center - DVec3::new(1.5, 3.5, 3.0)).length() < 1e-6, "centre of mass at {center}");
}

#[test]
fn inertia_with_products_turns_like_its_principal_axes() {
    // The same body described with turned axes and with products of inertia.
    let spin = |inertial: Inertial| {
        let mut physics = weightless();
        let link = LinkSpec { inertial, ..LinkSpec::new("link", Pose::IDENTITY) };
        let added = physics.add_model(&model("body", vec![link], Vec::new())).unwrap();
        physics.set_model_velocity(added.model, DVec3::ZERO, DVec3::new(3.0, 0.1, 0.2)).unwrap();
        run(&mut physics, 1.0);
        physics.link_pose(added.links[0]).unwrap().rotation
    };
    let turned = Inertial {
        pose: Pose::from_rpy(DVec3::ZERO, 0.0, 0.0, std::f64::consts::FRAC_PI_4),
        moments: DVec3::new(1.0, 2.0, 4.0),
        ..Inertial::default()
    };
    let products = Inertial {
        moments: DVec3::new(1.5, 1.5, 4.0),
        products: DVec3::new(-0.5, 0.0, 0.0),
        ..Inertial::default()
    };
    assert!(spin(turned).angle_between(spin(products)) < 1e-6);
}

#[test]
fn link_without_gravity_floats_and_decay_slows_it() {
    let mut physics = physics();
    let link = LinkSpec { gravity: false, linear_decay: 1.0, ..LinkSpec::new("link", Pose::IDENTITY) };
    let added = physics.add_model(&model("balloon", vec![link], Vec::new())).unwrap();
    physics.set_model_velocity(added.model, DVec3::X, DVec3::ZERO).unwrap();
    run(&mut physics, 1.0);
    let (linear, _) = physics.link_velocity(added.links[0]).unwrap();
    assert!((linear.x - (-1.0_f64).exp()).abs() < 1e-3 && linear.z == 0.0, "{linear}");
}

#[test]
fn ten_kilometres_from_the_origin_a_metre_is_a_metre() {
    let mut physics = weightless();
    let link = one_box(&mut physics, at(10_000.0, 0.0, 0.0), 0.5, 1.0);
    let model = physics.model_of(link).unwrap();
    physics.set_model_velocity(model, DVec3::X, DVec3::ZERO).unwrap();
    run(&mut physics, 1.0);
    assert!((physics.link_pose(link).unwrap().position.x - 10_001.0).abs() < 1e-6);
}

/// How far a box with a second link fixed to it slides in a second on a slope with friction 0.5.
fn slide_jointed(pitch_degrees: f64) -> f64 {
    let mut physics = physics();
    let pitch = pitch_degrees.to_radians();
    add_ground(&mut physics, 0.5, pitch);
    let pose = Pose::from_rpy(DVec3::ZERO, 0.0, pitch, 0.0) * at(0.0, 0.0, 0.25);
    let mut core = box_link("core", pose, DVec3::splat(0.1), 0.1);
    core.collisions.clear();
    let links = vec![box_link("box", pose, DVec3::splat(0.5), 1.0), core];
    let joint = JointSpec::new("joint", JointKind::Fixed, Some(0), 1, pose, DVec3::Z);
    let added = physics.add_model(&model("pair", links, vec![joint])).unwrap();
    run(&mut physics, 1.0);
    physics.link_pose(added.links[0]).unwrap().position.distance(pose.position)
}

#[test]
fn friction_of_a_jointed_model_is_that_of_a_single_body() {
    let (held, slid) = (slide_jointed(20.0), slide_jointed(30.0));
    assert!(held < 1e-4, "slid {} mm at 20 degrees", held * 1e3);
    assert!((slid / 0.3282 - 1.0).abs() < 0.02, "slid {} mm at 30 degrees", slid * 1e3);
}

#[test]
fn a_sleeping_body_that_is_given_a_velocity_moves() {
    let mut bare = cube("box", 0.5);
    bare.collisions.clear();
    for link in [cube("box", 0.5), bare] {
        let spec = model("box", vec![link], Vec::new());
        let settings = Settings { gravity: DVec3::ZERO, ..Settings::default() };
        let mut physics = Physics::new(settings).unwrap();
        let added = physics.add_model(&spec).unwrap();
        run(&mut physics, 3.0);
        assert_eq!(physics.is_sleeping(added.links[0]), Some(true));
        let here = physics.link_pose(added.links[0]).unwrap();
        physics.set_link_pose(added.links[0], here).unwrap();
        physics.set_model_velocity(added.model, DVec3::X, DVec3::Z).unwrap();
        physics.refresh();
        run(&mut physics, 1.0);
        let pose = physics.link_pose(added.links[0]).unwrap();
        assert!((pose.position.x - 1.0).abs() < 1e-3, "{pose:?}");
    }
}

#[test]
fn a_sleeping_body_that_is_lifted_falls() {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let link = one_box(&mut physics, at(0.0, 0.0, 0.25), 0.5, 1.0);
    run(&mut physics, 3.0);
    assert_eq!(physics.is_sleeping(link), Some(true));
    physics.set_link_pose(link, at(0.0, 0.0, 5.0)).unwrap();
    physics.refresh();
    run(&mut physics, 0.5);
    let height = physics.link_pose(link).unwrap().position.z;
    assert!((height - (5.0 - 9.8 * 0.125)).abs() < 0.02, "{height}");
}

#[test]
fn a_sleeping_body_that_is_reset_falls_again() {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let added = physics.add_model(&model("box", vec![cube("box", 2.0)], Vec::new())).unwrap();
    run(&mut physics, 5.0);
    assert_eq!(physics.is_sleeping(added.links[0]), Some(true));
    physics.reset_model(added.model).unwrap();
    physics.refresh();
    run(&mut physics, 0.3);
    let height = physics.link_pose(added.links[0]).unwrap().position.z;
    assert!((height - (2.0 - 9.8 * 0.045)).abs() < 0.02, "{height}");
}
