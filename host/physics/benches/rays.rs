//! Rays per second of the ray scene compared with rapier's query pipeline, on the same scene in the same run.
//!
//! The scene has 300 boxes, spheres and cylinders on a plane; the scan is a lidar of 16 by 1024 rays. Run it
//! with `cargo bench -p bridgehead-physics --bench rays`. The best of several rounds counts, because other
//! load on the machine only makes rounds slower.

#![expect(clippy::print_stdout, reason = "a benchmark reports to whoever runs it")]

use std::error::Error;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use bridgehead_physics::rays::{Hit, Placement, Query, Ray, RayScene, Shape, TriMesh};
use bridgehead_pose::{DQuat, DVec3, Pose};
use rapier3d_f64::prelude as rapier;

const ROWS: u32 = 16;
const COLUMNS: u32 = 1024;
const ROUNDS: u32 = 30;
const RANGE: f64 = 100.0;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let rays = scan();
    for count in [300, 1000] {
        let shapes = shapes(count);
        println!("{count} primitives and a plane, {ROWS} x {COLUMNS} rays");
        let reference = time_rapier(&shapes, &rays)?;
        let single = time_scene(&shapes, &rays, 1)?;
        let double = time_scene(&shapes, &rays, 2)?;
        report("rapier query pipeline", &reference, &reference);
        report("ray scene, 1 thread", &single, &reference);
        report("ray scene, 2 threads", &double, &reference);
        println!("  every shape moved, tree refitted: {:?}", time_refit(&shapes)?);
    }
    time_mesh(&rays)
}

/// The best time of a scan, and the hits, to compare both implementations.
struct Measured {
    best: Duration,
    hits: usize,
    mean_range: f64,
}

fn report(name: &str, measured: &Measured, reference: &Measured) {
    let seconds = measured.best.as_secs_f64();
    let rate = f64::from(ROWS * COLUMNS) / seconds / 1e6;
    let ratio = reference.best.as_secs_f64() / seconds;
    let (hits, mean) = (measured.hits, measured.mean_range);
    println!("  {name:24} {rate:7.2} Mray/s  {ratio:5.2}x  {hits} hits, mean range {mean:.6} m");
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn best_of(mut round: impl FnMut()) -> Duration {
    let timed = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        round();
        start.elapsed()
    });
    timed.min().unwrap_or_default()
}

fn summary(best: Duration, ranges: impl Iterator<Item = f64>) -> Measured {
    let (count, sum) =
        ranges.filter(|range| range.is_finite()).fold((0_u32, 0.0), |(n, sum), r| (n + 1, sum + r));
    Measured { best, hits: count as usize, mean_range: sum / f64::from(count.max(1)) }
}

fn time_scene(shapes: &[(Shape, Pose)], rays: &[Ray], threads: usize) -> Outcome<Measured> {
    let (mut scene, _) = build(shapes)?;
    let threads = NonZeroUsize::new(threads).ok_or("no threads")?;
    let mut hits = vec![Hit::NONE; rays.len()];
    let caster = scene.caster();
    let best = best_of(|| caster.cast_batch(rays, &Query::up_to(RANGE), &mut hits, threads));
    Ok(summary(best, hits.iter().map(|hit| hit.distance)))
}

fn build(shapes: &[(Shape, Pose)]) -> Outcome<(RayScene, Vec<bridgehead_physics::rays::FrameId>)> {
    let mut scene = RayScene::new();
    let ground = scene.add_frame(Pose::IDENTITY);
    scene.add_shape(ground, Shape::Plane, &Placement::of_object(0))?;
    let mut frames = Vec::new();
    for (object, (shape, pose)) in (1..).zip(shapes) {
        let frame = scene.add_frame(*pose);
        scene.add_shape(frame, shape.clone(), &Placement::of_object(object))?;
        frames.push(frame);
    }
    Ok((scene, frames))
}

fn time_refit(shapes: &[(Shape, Pose)]) -> Outcome<Duration> {
    let (mut scene, frames) = build(shapes)?;
    let mut shift = 0.0;
    Ok(best_of(|| {
        shift += 1e-4;
        for (frame, (_, pose)) in frames.iter().zip(shapes) {
            scene.set_pose(*frame, Pose::new(pose.position + DVec3::X * shift, pose.rotation));
        }
        std::hint::black_box(scene.caster());
    }))
}

fn time_rapier(shapes: &[(Shape, Pose)], rays: &[Ray]) -> Outcome<Measured> {
    let mut world = rapier::PhysicsWorld::default();
    let ground = rapier::ColliderBuilder::new(rapier::SharedShape::halfspace(DVec3::Z));
    world.insert(rapier::RigidBodyBuilder::fixed(), ground);
    for (shape, pose) in shapes {
        let at = rapier::Pose::from_parts(pose.position, pose.rotation);
        world.insert(rapier::RigidBodyBuilder::fixed().pose(at), collider(shape)?);
    }
    world.step();
    let rays: Vec<rapier::Ray> = rays.iter().map(|ray| rapier::Ray::new(ray.origin, ray.direction)).collect();
    let mut ranges = vec![f64::INFINITY; rays.len()];
    let pipeline = world.query_pipeline();
    let best = best_of(|| {
        for (range, ray) in ranges.iter_mut().zip(&rays) {
            *range = pipeline.cast_ray(ray, RANGE, false).map_or(f64::INFINITY, |(_, distance)| distance);
        }
    });
    Ok(summary(best, ranges.into_iter()))
}

fn collider(shape: &Shape) -> Outcome<rapier::ColliderBuilder> {
    match shape {
        Shape::Box { half } => Ok(rapier::ColliderBuilder::cuboid(half.x, half.y, half.z)),
        Shape::Sphere { radius } => Ok(rapier::ColliderBuilder::ball(*radius)),
        Shape::Cylinder { radius, half_length } => {
            // parry's cylinder stands along y.
            let turned = rapier::Pose::from_rotation(DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
            Ok(rapier::ColliderBuilder::cylinder(*half_length, *radius).position(turned))
        }
        other => Err(format!("the benchmark has no reference for {other:?}").into()),
    }
}

fn time_mesh(rays: &[Ray]) -> Outcome<()> {
    let mesh = terrain(224)?;
    let triangles = mesh.triangle_count();
    let mut scene = RayScene::new();
    let frame = scene.add_frame(Pose::IDENTITY);
    scene.add_shape(frame, Shape::Mesh(mesh.into()), &Placement::of_object(1))?;
    let mut hits = vec![Hit::NONE; rays.len()];
    let caster = scene.caster();
    let best = best_of(|| caster.cast(rays, &Query::up_to(RANGE), &mut hits));
    let measured = summary(best, hits.iter().map(|hit| hit.distance));
    println!("a mesh of {triangles} triangles");
    report("ray scene, 1 thread", &measured, &measured);
    Ok(())
}

fn terrain(size: u32) -> Outcome<TriMesh> {
    let cell = 100.0 / f64::from(size);
    let height = |x: f64, y: f64| (x * 0.3).sin() + (y * 0.2).cos() - 1.5;
    let at = |index: u32| f64::from(index) * cell - 50.0;
    let points: Vec<DVec3> = (0..=size)
        .flat_map(|row| (0..=size).map(move |column| (column, row)))
        .map(|(column, row)| DVec3::new(at(column), at(row), height(at(column), at(row))))
        .collect();
    let indices: Vec<[u32; 3]> = (0..size)
        .flat_map(|row| (0..size).map(move |column| row * (size + 1) + column))
        .flat_map(|c| [[c, c + 1, c + size + 1], [c + 1, c + size + 2, c + size + 1]])
        .collect();
    Ok(TriMesh::new(&points, &indices)?)
}

/// A scan over the full circle, 15 degrees up and down, from one metre above the ground.
fn scan() -> Vec<Ray> {
    let origin = DVec3::new(0.0, 0.0, 1.0);
    let rays = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column)));
    let rays = rays.map(|(row, column)| {
        let elevation = (f64::from(row) / f64::from(ROWS - 1) * 30.0 - 15.0).to_radians();
        let (sin, cos) = (f64::from(column) / f64::from(COLUMNS) * std::f64::consts::TAU).sin_cos();
        let direction = DVec3::new(cos * elevation.cos(), sin * elevation.cos(), elevation.sin());
        Ray { origin, direction: direction.normalize() }
    });
    rays.collect()
}

/// Boxes, spheres and cylinders in turn, distributed over a field of 80 m by a low-discrepancy sequence.
fn shapes(count: u32) -> Vec<(Shape, Pose)> {
    let spread = |index: u32, step: f64| (f64::from(index) * step).fract();
    let shape = |index: u32| {
        let size = 0.3 + spread(index, 0.754_877_666);
        match index % 3 {
            0 => Shape::Box { half: DVec3::new(size, size * 0.7, size) },
            1 => Shape::Sphere { radius: size },
            _ => Shape::Cylinder { radius: size * 0.6, half_length: size },
        }
    };
    let pose = |index: u32| {
        let x = 80.0 * spread(index, 0.618_033_988) - 40.0;
        let y = 80.0 * spread(index, 0.414_213_562) - 40.0;
        Pose::from_rpy(DVec3::new(x, y, 1.0), 0.3 * spread(index, 0.17), 0.0, 6.0 * spread(index, 0.37))
    };
    (0..count)
        .map(|index| (shape(index), pose(index)))
        .filter(|(_, pose)| pose.position.x.hypot(pose.position.y) > 3.0)
        .collect()
}
