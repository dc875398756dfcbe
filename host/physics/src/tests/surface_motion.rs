//! Running surfaces and changing slips against closed forms.

use super::*;
use crate::SurfaceMotion;

fn belt(speed: f64, center: Option<DVec3>) -> SurfaceMotion {
    SurfaceMotion { axis: DVec3::Y, speed, center }
}

/// A model with a box on each side, a metre apart and fixed to a body that touches nothing.
fn tracked(physics: &mut Physics) -> AddedModel {
    add_ground(physics, 1.0, 0.0);
    let at = |y: f64| Pose::from_position(DVec3::new(0.0, y, 0.1));
    let size = DVec3::new(0.8, 0.001, 0.2);
    let mut link = box_link("left", at(0.0), size, 20.0);
    let collision = link.collisions[0].clone();
    link.collisions = [0.3, -0.3]
        .map(|y| CollisionSpec { pose: Pose::from_position(DVec3::Y * y), ..collision.clone() })
        .to_vec();
    physics.add_model(&model("tracked", vec![link], Vec::new())).unwrap()
}

fn world() -> (Physics, AddedModel) {
    let gravity = DVec3::new(0.0, 0.0, -GRAVITY);
    let mut physics = Physics::new(Settings { gravity, ..Settings::default() }).unwrap();
    let added = tracked(&mut physics);
    (physics, added)
}

#[test]
fn belts_drive_a_body_with_their_speed() {
    let (mut physics, added) = world();
    for collision in &added.collisions[0] {
        physics.drive_surface(*collision, Some(belt(0.5, None))).unwrap();
    }
    run(&mut physics, 1.0);
    let (linear, angular) = physics.link_velocity(added.links[0]).unwrap();
    assert!((linear - DVec3::X * 0.5).length() < 1e-3 && angular.length() < 1e-3, "{linear} {angular}");
    // It accelerates with friction: v t - v² / (2 µ g).
    let way = physics.link_pose(added.links[0]).unwrap().position.x;
    assert!((way - (0.5 - 0.125 / GRAVITY)).abs() < 2e-3, "{way}");
    for collision in &added.collisions[0] {
        physics.drive_surface(*collision, Some(belt(0.0, None))).unwrap();
    }
    run(&mut physics, 0.5);
    assert!(physics.link_velocity(added.links[0]).unwrap().0.length() < 1e-3);
}

/// The corners of a track are the ends of its ground. Each pushes with v perpendicularly to the way to the middle, so that
/// the body turns with v / r.
#[test]
fn opposite_belts_turn_a_body_about_the_middle() {
    let (mut physics, added) = world();
    for (collision, speed) in added.collisions[0].iter().zip([-0.3, 0.3]) {
        physics.drive_surface(*collision, Some(belt(speed, Some(DVec3::ZERO)))).unwrap();
    }
    run(&mut physics, 1.0);
    let (linear, angular) = physics.link_velocity(added.links[0]).unwrap();
    let expected = 0.3 / 0.3_f64.hypot(0.4);
    assert!((angular.z - expected).abs() < 0.02 * expected && linear.length() < 0.01, "{linear} {angular}");
}

/// A crate on a static belt is accelerated by friction and then goes with it, v t - v² / (2 µ g), also if it slept before.
#[test]
fn a_static_belt_takes_a_resting_crate_along() {
    let gravity = DVec3::new(0.0, 0.0, -GRAVITY);
    let mut physics = Physics::new(Settings { gravity, ..Settings::default() }).unwrap();
    let mut base = box_link("base", at(0.0, 0.0, -0.1), DVec3::new(8.0, 1.0, 0.2), 1.0);
    base.collisions[0].surface.friction = 1.0;
    let spec = ModelSpec { is_static: true, ..model("conveyor", vec![base], Vec::new()) };
    let conveyor = physics.add_model(&spec).unwrap();
    let mut freight = box_link("freight", at(-2.0, 0.0, 0.1), DVec3::new(0.4, 0.4, 0.2), 8.0);
    freight.collisions[0].surface.friction = 1.0;
    let added = physics.add_model(&model("freight", vec![freight], Vec::new())).unwrap();
    run(&mut physics, 2.0);
    physics.drive_surface(conveyor.collisions[0][0], Some(belt(0.5, None))).unwrap();
    run(&mut physics, 1.0);
    let way = physics.link_pose(added.links[0]).unwrap().position.x + 2.0;
    assert!((way - (0.5 - 0.125 / GRAVITY)).abs() < 2e-3, "{way}");
    physics.drive_surface(conveyor.collisions[0][0], Some(belt(0.0, None))).unwrap();
    run(&mut physics, 1.0);
    let (linear, _) = physics.link_velocity(added.links[0]).unwrap();
    assert!(linear.length() < 1e-3, "{linear}");
}

#[test]
fn a_reset_stops_belts() {
    let (mut physics, added) = world();
    physics.drive_surface(added.collisions[0][0], Some(belt(0.5, None))).unwrap();
    run(&mut physics, 0.1);
    physics.reset_models([added.model]).unwrap();
    run(&mut physics, 0.5);
    assert!(physics.link_velocity(added.links[0]).unwrap().0.length() < 1e-3);
}

/// A force F across a surface with slip s moves it with F s.
#[test]
fn a_slip_set_during_the_run_moves_a_body_under_force() {
    let (mut physics, added) = world();
    for collision in &added.collisions[0] {
        physics.set_slips(*collision, [0.0, 0.004]).unwrap();
    }
    for _ in 0..1000 {
        physics.apply_wrench(added.links[0], DVec3::Y * 10.0, DVec3::ZERO).unwrap();
        physics.step().unwrap();
    }
    // Two surfaces side by side share the force.
    let velocity = physics.link_velocity(added.links[0]).unwrap().0;
    assert!((velocity.y - 10.0 * 0.004 / 2.0).abs() < 1e-3, "{velocity}");
    let gone = physics.collisions.next_id();
    let error = physics.set_slips(gone, [1.0; 2]).unwrap_err().to_string();
    assert!(error.contains("[BH-PHY-034]"), "{error}");
}

/// The first direction counts also if friction did not depend on it before.
#[test]
fn a_slip_has_the_first_direction_of_its_collision() {
    let gravity = DVec3::new(0.0, 0.0, -GRAVITY);
    for (slips, expected) in [([0.004, 0.0], 0.04), ([0.0, 0.004], 0.0)] {
        let mut physics = Physics::new(Settings { gravity, ..Settings::default() }).unwrap();
        add_ground(&mut physics, 1.0, 0.0);
        let mut link = box_link("block", at(0.0, 0.0, 0.1), DVec3::new(1.0, 1.0, 0.2), 10.0);
        link.collisions[0].surface.first = Some((0, DVec3::Y));
        let added = physics.add_model(&model("block", vec![link], Vec::new())).unwrap();
        physics.set_slips(added.collisions[0][0], slips).unwrap();
        for _ in 0..1000 {
            physics.apply_wrench(added.links[0], DVec3::Y * 10.0, DVec3::ZERO).unwrap();
            physics.step().unwrap();
        }
        let velocity = physics.link_velocity(added.links[0]).unwrap().0;
        assert!((velocity.y - expected).abs() < 1e-3, "{velocity}");
    }
}
