//! Contact points of two colliders: closed forms for what stands on a plane, parry for the rest.
//!
//! Nothing is kept from one call to the next, so that the points are a function of the poses.

use glam::{DMat3, DVec3};
use rapier3d_f64::math::Pose;
use rapier3d_f64::parry::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use rapier3d_f64::parry::shape::{Shape, TypedShape};
use serde::{Deserialize, Serialize};

use crate::collider::Collider;
use crate::math::across;

/// The most points of a manifold.
pub(crate) const POINTS: usize = 4;

/// Surfaces whose normals have a greater cosine are one manifold: 1.8°.
const ALIGNED: f64 = 0.9995;

/// Two points that touch, in the frames of their bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) first: DVec3,
    pub(crate) second: DVec3,
}

/// A surface in which two colliders touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifold {
    pub(crate) count: usize,
    /// From the first to the second, in the frame of the first body.
    pub(crate) normal: DVec3,
    /// Of four points, 0 and 2 are opposite to each other.
    pub(crate) points: [Point; POINTS],
}

impl Manifold {
    pub(crate) fn points(&self) -> &[Point] {
        &self.points[..self.count]
    }

    /// A direction of friction, in the frame of the first body.
    pub(crate) fn tangent(&self) -> DVec3 {
        across(self.normal)
    }
}

/// Finds the surfaces in which two colliders are closer than `within`, at poses of their bodies.
pub(crate) fn touch(
    [one, other]: [&Collider; 2],
    [at_one, at_other]: [&Pose; 2],
    within: f64,
    found: &mut Vec<Manifold>,
) {
    found.clear();
    if let TypedShape::HalfSpace(plane) = one.shape.as_typed_shape() {
        let mut points = [DVec3::ZERO; POINTS];
        let here = *at_one * one.pose;
        let there = *at_other * other.pose;
        let normal = here.rotation * plane.normal;
        let into = there.rotation.conjugate() * -normal;
        if let Some(count) = lowest_points(&*other.shape, into, &mut points) {
            let mut manifold =
                Manifold { normal: at_one.rotation.conjugate() * normal, ..Manifold::default() };
            for point in &points[..count] {
                let second = there.transform_point(*point);
                let distance = normal.dot(second - here.translation);
                if distance < within {
                    manifold.points[manifold.count] = Point {
                        first: at_one.inverse_transform_point(second - normal * distance),
                        second: other.pose.transform_point(*point),
                    };
                    manifold.count += 1;
                }
            }
            found.extend((manifold.count > 0).then_some(manifold));
            return;
        }
    }
    by_parry([one, other], [at_one, at_other], within, found);
}

/// The points of a shape that are deepest in a direction in its own frame; `None` if it has no closed form.
fn lowest_points(shape: &dyn Shape, into: DVec3, points: &mut [DVec3; POINTS]) -> Option<usize> {
    let side = |value: f64, half: f64| if value >= 0.0 { half } else { -half };
    match shape.as_typed_shape() {
        TypedShape::Ball(ball) => {
            points[0] = into * ball.radius;
            Some(1)
        }
        TypedShape::Capsule(capsule) => {
            points[0] = capsule.segment.a + into * capsule.radius;
            points[1] = capsule.segment.b + into * capsule.radius;
            Some(2)
        }
        TypedShape::Cuboid(cuboid) => {
            let (h, size) = (cuboid.half_extents, into.abs());
            let square = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
            for (point, [a, b]) in points.iter_mut().zip(square) {
                *point = if size.z >= size.x && size.z >= size.y {
                    DVec3::new(a * h.x, b * h.y, side(into.z, h.z))
                } else if size.y >= size.x {
                    DVec3::new(a * h.x, side(into.y, h.y), b * h.z)
                } else {
                    DVec3::new(side(into.x, h.x), a * h.y, b * h.z)
                };
            }
            Some(4)
        }
        TypedShape::Cylinder(cylinder) => {
            Some(lowest_of_cylinder(cylinder.radius, cylinder.half_height, into, points))
        }
        _ => None,
    }
}

/// A cylinder along y: two points of its side, or four of an end.
fn lowest_of_cylinder(radius: f64, half: f64, into: DVec3, points: &mut [DVec3; POINTS]) -> usize {
    let across = (into.x * into.x + into.z * into.z).sqrt();
    // The direction of the lowest point of a rim; that of an end that lies flat is arbitrary.
    let low = if across > 0.01 { DVec3::new(into.x / across, 0.0, into.z / across) } else { DVec3::X };
    if into.y.abs() <= 0.98 {
        points[0] = low * radius - DVec3::Y * half;
        points[1] = low * radius + DVec3::Y * half;
        return 2;
    }
    let beside = DVec3::new(-low.z, 0.0, low.x);
    let end = DVec3::Y * half.copysign(into.y);
    for (point, way) in points.iter_mut().zip([low, beside, -low, -beside]) {
        *point = end + way * radius;
    }
    4
}

fn by_parry(
    [one, other]: [&Collider; 2],
    [at_one, at_other]: [&Pose; 2],
    within: f64,
    found: &mut Vec<Manifold>,
) {
    let between = (*at_one * one.pose).inv_mul(&(*at_other * other.pose));
    let mut manifolds: Vec<ContactManifold<(), ()>> = Vec::new();
    let dispatcher = DefaultQueryDispatcher;
    let result =
        dispatcher.contact_manifolds(&between, &*one.shape, &*other.shape, within, &mut manifolds, &mut None);
    if result.is_err() {
        return;
    }
    let mut surfaces: Vec<(DVec3, Vec<Point>)> = Vec::new();
    for manifold in &manifolds {
        let normal = one.pose.rotation * turned(manifold.subshape_pos1(), manifold.local_n1);
        if !normal.is_finite() {
            continue;
        }
        let points = manifold.points.iter().filter(|point| point.dist < within).map(|point| Point {
            first: one.pose.transform_point(placed(manifold.subshape_pos1(), point.local_p1)),
            second: other.pose.transform_point(placed(manifold.subshape_pos2(), point.local_p2)),
        });
        let mut points = points.peekable();
        if points.peek().is_none() {
            continue;
        }
        match surfaces.iter_mut().find(|(other, _)| other.dot(normal) > ALIGNED) {
            Some((_, known)) => known.extend(points),
            None => surfaces.push((normal, points.collect())),
        }
    }
    found.extend(surfaces.into_iter().map(|(normal, points)| reduced(normal, &points)));
}

fn turned(pose: Option<&Pose>, vector: DVec3) -> DVec3 {
    pose.map_or(vector, |pose| pose.rotation * vector)
}

fn placed(pose: Option<&Pose>, point: DVec3) -> DVec3 {
    pose.map_or(point, |pose| pose.transform_point(point))
}

/// Keeps at most four points: the farthest from the middle, the farthest from it, and the farthest on both sides of the
/// line between them. Orders four points around the surface.
fn reduced(normal: DVec3, points: &[Point]) -> Manifold {
    let mut manifold = Manifold { normal, ..Manifold::default() };
    if points.len() <= POINTS {
        manifold.count = points.len();
        manifold.points[..points.len()].copy_from_slice(points);
    } else {
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let middle = points.iter().map(|point| point.first).sum::<DVec3>() / points.len() as f64;
        let a = farthest(points, |point| (point.first - middle).length_squared());
        let b = farthest(points, |point| (point.first - points[a].first).length_squared());
        let aside = normal.cross(points[b].first - points[a].first);
        let side = |point: &Point| aside.dot(point.first - points[a].first);
        let (c, d) = (farthest(points, side), farthest(points, |point| -side(point)));
        for index in [a, c, b, d] {
            let is_new = manifold.points().iter().all(|kept| *kept != points[index]);
            if is_new {
                manifold.points[manifold.count] = points[index];
                manifold.count += 1;
            }
        }
    }
    order(&mut manifold);
    manifold
}

/// The first point of the greatest measure; a later one must exceed it by more than rounding.
fn farthest(points: &[Point], measure: impl Fn(&Point) -> f64) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, point) in points.iter().enumerate() {
        let value = measure(point);
        if value > best.1 + 1e-9 * best.1.abs() || best.1 == f64::NEG_INFINITY {
            best = (index, value);
        }
    }
    best.0
}

/// Moves the point that is opposite to the first one to the third place.
fn order(manifold: &mut Manifold) {
    if manifold.count != POINTS {
        return;
    }
    let p = manifold.points;
    for (k, i, j) in [(2, 1, 3), (1, 2, 3), (3, 1, 2)] {
        let side = manifold.normal.cross(p[k].first - p[0].first);
        let [one, other] = [i, j].map(|index| side.dot(p[index].first - p[0].first));
        if one * other < 0.0 {
            manifold.points = [p[0], p[i], p[k], p[j]];
            return;
        }
    }
}

/// The distances of the points at poses of the bodies, the normal in the world, and the points in the world, midway.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) normal: DVec3,
    pub(crate) at: [DVec3; POINTS],
    pub(crate) distances: [f64; POINTS],
}

impl Manifold {
    pub(crate) fn at(&self, one: &Pose, other: &Pose) -> Placed {
        let axes = [DMat3::from_quat(one.rotation), DMat3::from_quat(other.rotation)];
        let normal = axes[0] * self.normal;
        let mut placed = Placed { normal, at: [DVec3::ZERO; POINTS], distances: [0.0; POINTS] };
        for (index, point) in self.points().iter().enumerate() {
            let first = one.translation + axes[0] * point.first;
            let second = other.translation + axes[1] * point.second;
            placed.at[index] = first.midpoint(second);
            placed.distances[index] = normal.dot(second - first);
        }
        placed
    }
}
