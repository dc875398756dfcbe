//! Volumes below a plane against closed forms.

use super::*;
use bridgehead_sdf::pose::DQuat;

const NO_PLANE: Level = Level { normal: DVec3::Z, height: f64::INFINITY };

fn enclosed(shape: &Shape, pose: Pose) -> Enclosed {
    Enclosed::new(shape, pose).expect("a volume")
}

fn up_to(height: f64) -> Level {
    Level { normal: DVec3::Z, height }
}

#[track_caller]
fn assert_part(found: Part, volume: f64, center: DVec3, tolerance: f64) {
    assert!((found.volume - volume).abs() <= tolerance * volume, "{found:?}, expected {volume}");
    assert!(found.center.abs_diff_eq(center, tolerance), "{found:?}, expected {center}");
}

#[test]
fn a_box_is_cut_at_any_plane() {
    let solid = enclosed(&Shape::Box { half: DVec3::new(1.0, 2.0, 3.0) }, Pose::from_position(DVec3::Z));
    assert_part(solid.below(&NO_PLANE), 48.0, DVec3::Z, 1e-12);
    assert_part(solid.below(&up_to(0.0)), 16.0, DVec3::new(0.0, 0.0, -1.0), 1e-12);
    assert_eq!(solid.below(&up_to(-2.5)).volume, 0.0);
    // Through the middle along a diagonal: half of it, and the centre of a prism with a triangle as its base.
    let normal = DVec3::new(3.0, 0.0, 1.0).normalize();
    let half = solid.below(&Level { normal, height: normal.z });
    assert_part(half, 24.0, DVec3::new(-1.0 / 3.0, 0.0, 0.0), 1e-9);
}

#[test]
fn a_sphere_and_an_ellipsoid_are_cut_as_caps() {
    let sphere = enclosed(&Shape::Sphere { radius: 2.0 }, Pose::IDENTITY);
    assert_part(sphere.below(&NO_PLANE), 32.0 / 3.0 * PI, DVec3::ZERO, 1e-12);
    // The centre of a half sphere is 3/8 of the radius below its base.
    assert_part(sphere.below(&up_to(0.0)), 16.0 / 3.0 * PI, DVec3::new(0.0, 0.0, -0.75), 1e-12);
    let cap = PI * 1.0 * (3.0 * 2.0 - 1.0) / 3.0;
    assert_part(sphere.below(&up_to(-1.0)), cap, DVec3::new(0.0, 0.0, -1.35), 1e-12);
    let egg = enclosed(&Shape::Ellipsoid { radii: DVec3::new(1.0, 2.0, 3.0) }, Pose::IDENTITY);
    let half = egg.below(&Level { normal: DVec3::Y, height: 0.0 });
    assert_part(half, 4.0 * PI, DVec3::new(0.0, -0.75, 0.0), 1e-12);
}

#[test]
fn round_shapes_have_exact_volumes_and_caps_within_a_thousandth() {
    let cylinder = enclosed(&Shape::Cylinder { radius: 0.5, half_length: 1.0 }, Pose::IDENTITY);
    assert_part(cylinder.below(&up_to(0.5)), 0.375 * PI, DVec3::new(0.0, 0.0, -0.25), 1e-12);
    // Lying, half under water: the centre of a half disc is 4 r / (3 π) below its base.
    let lying = Pose::new(DVec3::ZERO, DQuat::from_rotation_x(PI / 2.0));
    let lying = enclosed(&Shape::Cylinder { radius: 0.5, half_length: 1.0 }, lying);
    let half = DVec3::new(0.0, 0.0, -4.0 * 0.5 / (3.0 * PI));
    assert_part(lying.below(&up_to(0.0)), 0.25 * PI, half, 1e-3);
    let cone = enclosed(&Shape::Cone { radius: 1.0, half_length: 1.0 }, Pose::IDENTITY);
    assert_part(cone.below(&NO_PLANE), 2.0 / 3.0 * PI, DVec3::new(0.0, 0.0, -0.5), 1e-9);
    let capsule = enclosed(&Shape::Capsule { radius: 1.0, half_length: 1.0 }, Pose::IDENTITY);
    assert_part(capsule.below(&NO_PLANE), 10.0 / 3.0 * PI, DVec3::ZERO, 1e-9);
    let cap = DVec3::new(0.0, 0.0, -1.375);
    assert_part(capsule.below(&up_to(-1.0)), 2.0 / 3.0 * PI, cap, 5e-3);
}

#[test]
fn planes_have_no_volume() {
    assert!(Enclosed::new(&Shape::Plane, Pose::IDENTITY).is_none());
    assert!(Enclosed::new(&Shape::Rectangle { half_x: 1.0, half_y: 1.0 }, Pose::IDENTITY).is_none());
}
