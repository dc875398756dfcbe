//! Random scenes: the tree finds exactly what testing every shape finds.

use super::*;

/// The answer without a tree: every shape in a scene of its own, the nearest wins.
fn brute_force(shapes: &[(Shape, Pose)], ray: &Ray) -> f64 {
    let distances = shapes.iter().map(|(shape, pose)| {
        let mut hit = [Hit::NONE];
        scene_of(shape.clone(), *pose).caster().cast(&[*ray], &Query::up_to(10_000.0), &mut hit);
        hit[0].distance
    });
    distances.fold(f64::INFINITY, f64::min)
}

fn build(shapes: &[(Shape, Pose)]) -> RayScene {
    let mut scene = RayScene::new();
    for (object, (shape, pose)) in (0..).zip(shapes) {
        let frame = scene.add_frame(*pose);
        scene.add_shape(frame, shape.clone(), &Placement::of_object(object)).unwrap();
    }
    scene
}

fn rays(random: &mut Random, count: usize, middle: DVec3, spread: f64) -> Vec<Ray> {
    (0..count)
        .map(|_| Ray { origin: middle + random.vector(spread), direction: random.direction() })
        .collect()
}

#[test]
fn tree_and_brute_force_agree_to_the_bit() {
    let mut random = Random(1);
    for (count, spread, middle) in [(1, 2.0, 0.0), (7, 3.0, 0.0), (60, 10.0, 0.0), (200, 12.0, 10_000.0)] {
        let middle = DVec3::splat(middle);
        let shapes: Vec<(Shape, Pose)> = (0..count)
            .map(|_| {
                let pose = random.pose(spread);
                (random.solid(), Pose::new(pose.position + middle, pose.rotation))
            })
            .collect();
        let mut scene = build(&shapes);
        let rays = rays(&mut random, 200, middle, spread);
        let mut hits = vec![Hit::NONE; rays.len()];
        scene.caster().cast(&rays, &Query::up_to(10_000.0), &mut hits);
        for (ray, hit) in rays.iter().zip(&hits) {
            assert_eq!(hit.distance, brute_force(&shapes, ray), "{count} shapes, {ray:?}");
        }
        assert!(hits.iter().filter(|hit| hit.is_some()).count() > 5, "{count} shapes are hardly hit");
    }
}

#[test]
fn rays_parallel_to_the_axes_lose_nothing_in_a_grid_of_touching_boxes() {
    let cell = Shape::Box { half: DVec3::splat(0.5) };
    let shapes: Vec<(Shape, Pose)> = (0..10)
        .flat_map(|x| (0..10).map(move |y| DVec3::new(f64::from(x), f64::from(y), 0.0)))
        .map(|position| (cell.clone(), Pose::from_position(position)))
        .collect();
    let mut scene = build(&shapes);
    for step in 0..=20 {
        let across = f64::from(step) * 0.5 - 0.5;
        let hit = shoot(&mut scene, [across, -3.0, 0.5], [0.0, 1.0, 0.0]);
        assert_eq!(hit.distance, 2.5, "at x = {across}");
    }
}

#[test]
fn normals_are_perpendicular_to_the_surface() {
    let mut random = Random(2);
    for _ in 0..200 {
        let (shape, pose) = (random.solid(), random.pose(1.0));
        let mut scene = scene_of(shape.clone(), pose);
        let origin = random.direction() * 6.0;
        let direction = (random.vector(0.3) - origin).normalize();
        let hit = shoot(&mut scene, origin.to_array(), direction.to_array());
        if !hit.is_some() {
            continue;
        }
        assert!((hit.normal.length() - 1.0).abs() < 1e-9 && hit.normal.dot(direction) <= 1e-9, "{shape:?}");
        let (slope_u, slope_v) = slopes(&mut scene, origin, direction, &hit);
        // Neighbouring hits lie in the tangent plane, except where the small step crosses an edge.
        assert!(slope_u.abs() < 1e-3 || slope_v.abs() < 1e-3, "{shape:?}: {slope_u} {slope_v}");
    }
}

/// The slopes of the surface: the distance along the normal from a hit to those of two neighbouring rays, per
/// metre.
fn slopes(scene: &mut RayScene, origin: DVec3, direction: DVec3, hit: &Hit) -> (f64, f64) {
    let (u, v) = direction.any_orthonormal_pair();
    let point = origin + direction * hit.distance;
    let mut slope = |aside: DVec3| {
        let start = origin + aside * 1e-6;
        let near = shoot(scene, start.to_array(), direction.to_array());
        let way = start + direction * near.distance - point;
        if near.is_some() { way.normalize().dot(hit.normal) } else { 0.0 }
    };
    (slope(u), slope(v))
}

#[test]
fn number_of_threads_changes_no_bit() {
    let mut random = Random(3);
    let shapes: Vec<(Shape, Pose)> = (0..50).map(|_| (random.solid(), random.pose(10.0))).collect();
    let mut scene = build(&shapes);
    let rays = rays(&mut random, 10_000, DVec3::ZERO, 10.0);
    let query = Query { normals: true, ..Query::up_to(50.0) };
    let caster = scene.caster();
    let [mut one, mut three] = [vec![Hit::NONE; rays.len()], vec![Hit::NONE; rays.len()]];
    caster.cast(&rays, &query, &mut one);
    caster.cast_batch(&rays, &query, &mut three, std::num::NonZeroUsize::new(3).unwrap());
    assert_eq!(one, three);
}
