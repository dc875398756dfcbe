//! Every shape against distances computed by hand.

use super::*;

const TIGHT: f64 = 1e-9;

fn at_origin(shape: Shape) -> RayScene {
    scene_of(shape, Pose::IDENTITY)
}

#[test]
fn box_is_met_on_its_faces_at_any_angle() {
    let mut scene = at_origin(Shape::Box { half: DVec3::new(1.0, 2.0, 3.0) });
    assert_hit(&shoot(&mut scene, [-5.0, 0.5, 0.5], [1.0, 0.0, 0.0]), 4.0, [-1.0, 0.0, 0.0], TIGHT);
    assert_hit(&shoot(&mut scene, [0.0, 7.0, 0.0], [0.0, -1.0, 0.0]), 5.0, [0.0, 1.0, 0.0], TIGHT);
    // A 3-4-5 triangle downwards: 4 m of height take 5 m of ray.
    assert_hit(&shoot(&mut scene, [-3.0, 0.0, 7.0], [3.0, 0.0, -4.0]), 5.0, [0.0, 0.0, 1.0], TIGHT);
    assert!(!shoot(&mut scene, [-5.0, 2.0 + 1e-9, 0.0], [1.0, 0.0, 0.0]).is_some());
}

#[test]
fn ray_inside_a_face_of_a_box_touches_it() {
    let mut scene = at_origin(Shape::Box { half: DVec3::ONE });
    assert_eq!(shoot(&mut scene, [-5.0, 1.0, 0.0], [1.0, 0.0, 0.0]).distance, 4.0);
    assert_eq!(shoot(&mut scene, [-5.0, 1.0, 1.0], [1.0, 0.0, 0.0]).distance, 4.0);
}

#[test]
fn sphere_is_met_head_on_and_grazing() {
    let mut scene = at_origin(Shape::Sphere { radius: 2.0 });
    assert_hit(&shoot(&mut scene, [5.0, 0.0, 0.0], [-1.0, 0.0, 0.0]), 3.0, [1.0, 0.0, 0.0], TIGHT);
    let side = 2.0 * (0.5_f64).sqrt();
    let normal = [-(0.5_f64).sqrt(), (0.5_f64).sqrt(), 0.0];
    assert_hit(&shoot(&mut scene, [-5.0, side, 0.0], [1.0, 0.0, 0.0]), 5.0 - side, normal, TIGHT);
    assert_hit(&shoot(&mut scene, [-5.0, 0.0, 2.0], [1.0, 0.0, 0.0]), 5.0, [0.0, 0.0, 1.0], TIGHT);
    assert!(!shoot(&mut scene, [-5.0, 0.0, 2.0 + 1e-9], [1.0, 0.0, 0.0]).is_some());
}

#[test]
fn cylinder_is_met_on_its_side_its_ends_and_along_its_axis() {
    let mut scene = at_origin(Shape::Cylinder { radius: 0.5, half_length: 1.0 });
    assert_hit(&shoot(&mut scene, [0.3, -5.0, 0.9], [0.0, 1.0, 0.0]), 4.6, [0.6, -0.8, 0.0], TIGHT);
    assert_hit(&shoot(&mut scene, [0.2, 0.1, 5.0], [0.0, 0.0, -1.0]), 4.0, [0.0, 0.0, 1.0], TIGHT);
    assert_eq!(shoot(&mut scene, [0.5, 0.0, -5.0], [0.0, 0.0, 1.0]).distance, 4.0, "along the side");
    let aslant = shoot(&mut scene, [-1.0, 0.0, 1.25], [1.0, 0.0, -1.0]);
    assert_hit(&aslant, 0.5 * 2.0_f64.sqrt(), [-1.0, 0.0, 0.0], TIGHT);
    assert!(!shoot(&mut scene, [0.5 + 1e-9, 0.0, -5.0], [0.0, 0.0, 1.0]).is_some());
    assert!(!shoot(&mut scene, [0.0, -5.0, 1.0 + 1e-9], [0.0, 1.0, 0.0]).is_some());
}

#[test]
fn capsule_is_met_on_its_side_and_its_half_spheres() {
    let mut scene = at_origin(Shape::Capsule { radius: 0.5, half_length: 1.0 });
    assert_hit(&shoot(&mut scene, [-5.0, 0.0, 0.9], [1.0, 0.0, 0.0]), 4.5, [-1.0, 0.0, 0.0], TIGHT);
    assert_hit(&shoot(&mut scene, [-5.0, 0.0, 1.4], [1.0, 0.0, 0.0]), 4.7, [-0.6, 0.0, 0.8], TIGHT);
    assert_hit(&shoot(&mut scene, [0.3, 0.0, -9.0], [0.0, 0.0, 1.0]), 7.6, [0.6, 0.0, -0.8], TIGHT);
    assert_hit(&shoot(&mut scene, [0.0, 0.0, 1.2], [0.0, 0.0, -1.0]), 2.7, [0.0, 0.0, 1.0], TIGHT);
    assert!(!shoot(&mut scene, [-5.0, 0.0, 1.5 + 1e-9], [1.0, 0.0, 0.0]).is_some());
}

#[test]
fn cone_is_met_on_its_side_its_base_and_its_tip() {
    let mut scene = at_origin(Shape::Cone { radius: 1.0, half_length: 1.0 });
    let (out, up) = (2.0 / 5.0_f64.sqrt(), 1.0 / 5.0_f64.sqrt());
    assert_hit(&shoot(&mut scene, [-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]), 4.5, [-out, 0.0, up], TIGHT);
    assert_hit(&shoot(&mut scene, [0.5, 0.0, 5.0], [0.0, 0.0, -1.0]), 5.0, [out, 0.0, up], TIGHT);
    assert_hit(&shoot(&mut scene, [0.5, 0.0, -5.0], [0.0, 0.0, 1.0]), 4.0, [0.0, 0.0, -1.0], TIGHT);
    assert!((shoot(&mut scene, [0.0, 0.0, 5.0], [0.0, 0.0, -1.0]).distance - 4.0).abs() < TIGHT);
    // Above the tip is the other half of the double cone, which is no part of the shape.
    assert!(!shoot(&mut scene, [-5.0, 0.0, 1.5], [1.0, 0.0, 0.0]).is_some());
    assert!(!shoot(&mut scene, [-0.25, 0.0, 1.5], [1.0, 0.0, 0.0]).is_some());
}

#[test]
fn ray_along_the_side_of_a_cone_at_its_slope_is_met_inside_only() {
    let mut scene = at_origin(Shape::Cone { radius: 1.0, half_length: 1.0 });
    // Parallel to the generator in the plane y = 0 and shifted inwards by 0.1: enters through the base.
    let slope = [0.5, 0.0, -1.0];
    let hit = shoot(&mut scene, [0.9 + 2.0, 0.0, -5.0], [-slope[0], 0.0, 1.0]);
    assert!((hit.distance - 4.0 * 1.25_f64.sqrt()).abs() < TIGHT, "{}", hit.distance);
}

#[test]
fn ellipsoid_is_met_on_its_axes_and_beside_them() {
    let mut scene = at_origin(Shape::Ellipsoid { radii: DVec3::new(1.0, 2.0, 3.0) });
    assert_hit(&shoot(&mut scene, [-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]), 4.0, [-1.0, 0.0, 0.0], TIGHT);
    assert_hit(&shoot(&mut scene, [0.0, 0.0, 5.0], [0.0, 0.0, -1.0]), 2.0, [0.0, 0.0, 1.0], TIGHT);
    // At y = 1.2 = 0.6 · 2 the section along x has the half width 0.8.
    let normal = DVec3::new(-0.8, 0.3, 0.0).normalize();
    assert_hit(&shoot(&mut scene, [-5.0, 1.2, 0.0], [1.0, 0.0, 0.0]), 4.2, normal.to_array(), TIGHT);
}

#[test]
fn plane_is_endless_and_seen_from_both_sides() {
    let mut scene = at_origin(Shape::Plane);
    assert_hit(&shoot(&mut scene, [7e3, -8e3, 2.0], [0.0, 0.0, -1.0]), 2.0, [0.0, 0.0, 1.0], TIGHT);
    assert_hit(&shoot(&mut scene, [0.0, 0.0, -3.0], [0.0, 4.0, 3.0]), 5.0, [0.0, 0.0, -1.0], TIGHT);
    assert!(!shoot(&mut scene, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]).is_some());
    assert!(!shoot(&mut scene, [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]).is_some());
}

#[test]
fn rectangle_ends_at_its_edges() {
    let mut scene = at_origin(Shape::Rectangle { half_x: 1.0, half_y: 2.0 });
    assert_hit(&shoot(&mut scene, [1.0, -2.0, 1.0], [0.0, 0.0, -1.0]), 1.0, [0.0, 0.0, 1.0], TIGHT);
    assert!(!shoot(&mut scene, [1.0 + 1e-9, 0.0, 1.0], [0.0, 0.0, -1.0]).is_some());
}

#[test]
fn ray_from_inside_sees_the_inner_side() {
    let solids = [
        (Shape::Box { half: DVec3::ONE }, 1.0),
        (Shape::Sphere { radius: 2.0 }, 2.0),
        (Shape::Cylinder { radius: 0.5, half_length: 3.0 }, 0.5),
        (Shape::Capsule { radius: 0.7, half_length: 1.0 }, 0.7),
        (Shape::Cone { radius: 1.0, half_length: 1.0 }, 0.5),
        (Shape::Ellipsoid { radii: DVec3::new(1.5, 1.0, 1.0) }, 1.5),
    ];
    for (solid, distance) in solids {
        let hit = shoot(&mut at_origin(solid.clone()), [0.0; 3], [1.0, 0.0, 0.0]);
        assert!((hit.distance - distance).abs() < TIGHT, "{solid:?}: {}", hit.distance);
        assert!(hit.normal.x < 0.0, "{solid:?}: the normal must face the ray, {}", hit.normal);
    }
}

#[test]
fn surfaces_outside_the_range_are_not_seen() {
    let mut scene = at_origin(Shape::Sphere { radius: 1.0 });
    let cast = |scene: &mut RayScene, from: f64, to: f64| {
        let query = Query { from, ..Query::up_to(to) };
        shoot_with(scene, [-5.0, 0.0, 0.0], [1.0, 0.0, 0.0], &query).distance
    };
    assert_eq!(cast(&mut scene, 0.0, 4.0), 4.0);
    assert_eq!(cast(&mut scene, 0.0, 3.999), f64::INFINITY);
    assert_eq!(cast(&mut scene, 4.5, 10.0), 6.0);
    assert_eq!(cast(&mut scene, 6.5, 10.0), f64::INFINITY);
    assert_eq!(cast(&mut scene, 0.0, f64::INFINITY), 4.0);
}

#[test]
fn a_kilometre_away_and_ten_kilometres_from_the_origin_a_micrometre_counts() {
    let center = DVec3::new(10_000.0, -10_000.0, 500.0);
    let solids = [
        (Shape::Sphere { radius: 0.5 }, 0.5),
        (Shape::Box { half: DVec3::splat(0.25) }, 0.25),
        (Shape::Cylinder { radius: 0.3, half_length: 1.0 }, 0.3),
        (Shape::Capsule { radius: 0.3, half_length: 1.0 }, 0.3),
        (Shape::Ellipsoid { radii: DVec3::new(0.4, 0.2, 0.1) }, 0.4),
        (Shape::Cone { radius: 0.4, half_length: 1.0 }, 0.2),
    ];
    for (solid, reach) in solids {
        let mut scene = scene_of(solid.clone(), Pose::from_position(center));
        let origin = center - DVec3::X * 1000.0;
        let hit = shoot(&mut scene, origin.to_array(), [1.0, 0.0, 0.0]);
        assert!((hit.distance - (1000.0 - reach)).abs() < 1e-6, "{solid:?}: {}", hit.distance);
    }
}

#[test]
fn turned_box_is_met_at_its_corner_edge() {
    let turned = Pose::from_rpy(DVec3::new(10.0, 0.0, 0.0), 0.0, 0.0, std::f64::consts::FRAC_PI_4);
    let mut scene = scene_of(Shape::Box { half: DVec3::ONE }, turned);
    let hit = shoot(&mut scene, [0.0; 3], [1.0, 0.0, 0.0]);
    assert!((hit.distance - (10.0 - 2.0_f64.sqrt())).abs() < TIGHT);
}

#[test]
fn dimensions_that_make_no_shape_are_refused_by_name() {
    let refused = Shape::Cylinder { radius: -1.0, half_length: 1.0 }.check().unwrap_err();
    let text = "[BH-PHY-001] a cylinder needs a positive, finite radius, found -1; correct it in the <geometry> element";
    assert_eq!(refused.to_string(), text);
    assert!(Shape::Box { half: DVec3::new(1.0, f64::NAN, 1.0) }.check().is_err());
}
