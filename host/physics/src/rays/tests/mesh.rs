//! Meshes: distances, no leaks at edges and points, and refusals.

use std::sync::Arc;

use super::super::{MeshError, TriMesh};
use super::*;

/// A bumpy square of `size` by `size` cells of one metre around the origin.
fn terrain(size: u32, height: impl Fn(f64, f64) -> f64) -> TriMesh {
    let half = f64::from(size) / 2.0;
    let points: Vec<DVec3> = (0..=size)
        .flat_map(|row| (0..=size).map(move |column| (f64::from(column) - half, f64::from(row) - half)))
        .map(|(x, y)| DVec3::new(x, y, height(x, y)))
        .collect();
    let indices: Vec<[u32; 3]> = (0..size)
        .flat_map(|row| (0..size).map(move |column| row * (size + 1) + column))
        .flat_map(|corner| {
            [[corner, corner + 1, corner + size + 1], [corner + 1, corner + size + 2, corner + size + 1]]
        })
        .collect();
    TriMesh::new(&points, &indices).unwrap()
}

#[test]
fn flat_mesh_is_met_like_a_rectangle() {
    let mesh = terrain(8, |_, _| 0.5);
    assert_eq!(mesh.triangle_count(), 128);
    let mut scene = scene_of(Shape::Mesh(Arc::new(mesh)), Pose::IDENTITY);
    assert_hit(&shoot(&mut scene, [0.3, 0.2, 3.0], [0.0, 0.0, -1.0]), 2.5, [0.0, 0.0, 1.0], 1e-12);
    assert_hit(&shoot(&mut scene, [0.3, -2.2, -2.5], [0.0, 4.0, 3.0]), 5.0, [0.0, 0.0, -1.0], 1e-12);
    assert!(!shoot(&mut scene, [4.1, 0.0, 3.0], [0.0, 0.0, -1.0]).is_some());
}

#[test]
fn no_ray_slips_through_an_edge_or_a_point() {
    let mesh = Arc::new(terrain(20, |x, y| (x * 1.7).sin() * 0.3 + (y * 0.9).cos() * 0.2));
    let far = Pose::new(DVec3::new(1234.5, -6789.1, 3.3), DQuat::from_rotation_z(0.3));
    let mut scene = scene_of(Shape::Mesh(mesh), far);
    let mut random = Random(5);
    for step in 0..4000 {
        // Aimed at points of the grid, at middles of edges and at diagonals.
        let cell = DVec3::new(f64::from(step % 37) * 0.5 - 9.0, f64::from(step / 37 % 37) * 0.5 - 9.0, 0.0);
        let target = far.transform_point(cell);
        let origin = far.transform_point(cell + DVec3::new(random.signed(), random.signed(), 4.0));
        let hit = shoot(&mut scene, origin.to_array(), (target - origin).to_array());
        assert!(hit.is_some(), "leak at {cell}");
    }
}

#[test]
fn mesh_range_begins_and_ends_where_asked() {
    let mut scene = scene_of(Shape::Mesh(Arc::new(terrain(4, |_, _| 0.0))), Pose::IDENTITY);
    let cast = |scene: &mut RayScene, from: f64, to: f64| {
        shoot_with(scene, [0.1, 0.2, 2.0], [0.0, 0.0, -1.0], &Query { from, ..Query::up_to(to) }).is_some()
    };
    assert!(cast(&mut scene, 0.0, 2.0));
    assert!(!cast(&mut scene, 0.0, 1.999));
    assert!(!cast(&mut scene, 2.001, 9.0));
}

#[test]
fn bad_meshes_are_refused_with_the_place() {
    let points = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let wrong_index = TriMesh::new(&points, &[[0, 1, 2], [0, 1, 3]]).unwrap_err();
    assert_eq!(wrong_index, MeshError::NoSuchPoint { triangle: 1, point: 3, points: 3 });
    let text = "[BH-PHY-002] triangle 1 of the mesh refers to point 3, but there are only 3 points";
    assert_eq!(wrong_index.to_string(), text);
    assert_eq!(TriMesh::new(&points, &[]).unwrap_err(), MeshError::Empty);
    let not_finite = TriMesh::new(&[DVec3::ZERO, DVec3::NAN], &[[0, 0, 1]]).unwrap_err();
    assert_eq!(not_finite, MeshError::NotFinite { point: 1 });
}
