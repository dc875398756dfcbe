//! Overlaps and extents of every kind of shape.

use super::*;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// A static model of one shape at x = 10.
fn with(shape: CollisionShape) -> (Physics, ModelId) {
    let mut physics = physics();
    let link =
        LinkSpec { collisions: vec![collision(shape, 1.0)], ..LinkSpec::new("link", at(10.0, 0.0, 0.0)) };
    let spec = ModelSpec { is_static: true, ..model("model", vec![link], Vec::new()) };
    let added = physics.add_model(&spec).expect("added");
    (physics, added.model)
}

/// A ridge along y, 1 m high, in a field of 4 m by 4 m.
fn ridge() -> CollisionShape {
    CollisionShape::Heights {
        columns: 3,
        rows: 3,
        heights: vec![0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0],
        extent: [4.0, 4.0],
        position: DVec3::ZERO,
    }
}

/// Two cubes of 1 m, one at x = -2 and one at x = 2.
fn two() -> CollisionShape {
    let cube = |x: f64| {
        let corner = |index: u32| {
            let side = |bit: u32| f64::from(index >> bit & 1) - 0.5;
            v(x + side(0), side(1), side(2))
        };
        (0..8).map(corner).collect()
    };
    CollisionShape::Parts { parts: vec![cube(-2.0), cube(2.0)] }
}

fn spaces(point: DVec3, size: f64) -> [Space; 4] {
    let half = DVec3::splat(size);
    let corners = [v(1.0, 1.0, 1.0), v(-1.0, -1.0, 1.0), v(-1.0, 1.0, -1.0), v(1.0, -1.0, -1.0)];
    let flat = [v(1.0, 0.0, 1.0), v(-1.0, 0.0, 1.0), v(0.0, 0.0, -1.0)];
    [
        Space::ball(point, size),
        Space::aligned(point - half, point + half),
        Space::hull(&corners.map(|corner| point + corner * size)).expect("a volume"),
        Space::hull(&flat.map(|corner| point + corner * size)).expect("an area"),
    ]
}

#[test]
fn every_kind_of_space_meets_every_kind_of_shape_where_it_is() {
    let shapes: [(CollisionShape, DVec3, DVec3); 8] = [
        (CollisionShape::Box { size: DVec3::ONE }, v(10.4, 0.4, 0.4), v(10.9, 0.0, 0.0)),
        (CollisionShape::Sphere { radius: 0.5 }, v(10.45, 0.0, 0.0), v(10.45, 0.45, 0.45)),
        (CollisionShape::Cylinder { radius: 0.5, length: 2.0 }, v(10.0, 0.0, 0.95), v(10.5, 0.5, 0.0)),
        (CollisionShape::Capsule { radius: 0.5, length: 2.0 }, v(10.0, 0.0, 1.45), v(10.4, 0.4, 1.4)),
        (CollisionShape::Cone { radius: 0.5, length: 1.0 }, v(10.0, 0.0, 0.4), v(10.35, 0.0, 0.4)),
        (CollisionShape::Plane { normal: DVec3::Z }, v(99.0, 99.0, -9.0), v(10.0, 0.0, 0.3)),
        (two(), v(12.0, 0.4, 0.4), v(10.0, 0.0, 0.0)),
        (ridge(), v(10.0, 1.0, 1.0), v(11.9, 0.0, 0.9)),
    ];
    for (shape, inside, outside) in shapes {
        let (physics, model) = with(shape.clone());
        for (index, space) in spaces(inside, 0.1).iter().enumerate() {
            assert!(physics.overlaps(model, space), "{shape:?} and space {index} at {inside}");
        }
        for (index, space) in spaces(outside, 0.1).iter().enumerate() {
            assert!(!physics.overlaps(model, space), "{shape:?} and space {index} at {outside}");
        }
    }
}

#[test]
fn a_surface_has_no_inside() {
    let (physics, model) = with(ridge());
    for space in &spaces(v(10.0, 0.0, -1.0), 0.1) {
        assert!(!physics.overlaps(model, space));
    }
}

#[test]
fn extents_follow_the_frame_they_are_asked_in() {
    let (physics, model) = with(two());
    let frame = Pose::from_rpy(v(10.0, 0.0, 0.0), 0.0, 0.0, std::f64::consts::FRAC_PI_2);
    let [low, high] = physics.extent(model, &frame).expect("it ends");
    assert!(low.abs_diff_eq(v(-0.5, -2.5, -0.5), 1e-9) && high.abs_diff_eq(v(0.5, 2.5, 0.5), 1e-9));
    let reach = physics.reach(model, &frame, DVec3::ZERO);
    assert!((reach - v(2.5, 0.5, 0.5).length()).abs() < 1e-9, "{reach}");
    let (physics, model) = with(ridge());
    let [low, high] = physics.extent(model, &at(10.0, 0.0, 0.0)).expect("it ends");
    assert!(
        low.abs_diff_eq(v(-2.0, -2.0, 0.0), 1e-9) && high.abs_diff_eq(v(2.0, 2.0, 1.0), 1e-9),
        "{low} {high}"
    );
    assert!(physics.hull_of(model, &Pose::IDENTITY).len() >= 6);
    let (physics, model) = with(CollisionShape::Plane { normal: DVec3::Z });
    assert_eq!(physics.extent(model, &Pose::IDENTITY), None);
}

#[test]
fn removed_and_placed_models_are_found_at_their_new_pose() {
    let mut physics = physics();
    let added = physics.add_model(&model("cube", vec![cube("link", 5.0)], Vec::new())).expect("added");
    let space = |z: f64| Space::ball(v(0.0, 0.0, z), 0.1);
    assert!(physics.overlaps(added.model, &space(5.0)));
    physics.set_link_pose(added.links[0], at(0.0, 0.0, 9.0)).expect("placed");
    assert!(physics.overlaps(added.model, &space(9.0)) && !physics.overlaps(added.model, &space(5.0)));
    physics.remove_model(added.model).expect("removed");
    assert!(!physics.overlaps(added.model, &space(9.0)));
    assert_eq!(physics.extent(added.model, &Pose::IDENTITY), None);
}
