//! The volume that a collision encloses, and the part of it below a plane.
//!
//! Ellipsoids have a closed form. Every other shape is a polyhedron whose triangles are cut at the plane. Plain values.

use std::cell::OnceCell;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use bridgehead_physics::rays::{Shape, TriMesh};
use bridgehead_sdf::pose::{DVec3, Pose};

/// Sides of the prism in place of a cylinder, and of other round shapes. Their sizes are such that volumes are exact.
const SIDES: u32 = 48;

/// Rings between the pole and the equator of a half sphere.
const RINGS: u32 = 12;

/// A volume, m³, with its centre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Part {
    /// m³.
    pub volume: f64,
    /// Metres.
    pub center: DVec3,
}

/// A plane: all points with `normal · p <= height` are below it.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// Unit vector.
    pub normal: DVec3,
    /// Metres; infinity for no plane.
    pub height: f64,
}

impl Level {
    /// The same plane in the frame that is at `pose`.
    #[must_use]
    pub fn seen_from(&self, pose: &Pose) -> Self {
        let normal = pose.rotation.inverse() * self.normal;
        Level { normal, height: self.height - self.normal.dot(pose.position) }
    }

    fn above(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.height
    }
}

/// Adds parts; the centre of the sum is that of their masses.
pub(super) fn sum(parts: impl Iterator<Item = Part>) -> Part {
    let (volume, moment) = parts.fold((0.0, DVec3::ZERO), |(volume, moment), part| {
        (volume + part.volume, moment + part.center * part.volume)
    });
    if volume > 0.0 { Part { volume, center: moment / volume } } else { Part::default() }
}

/// A collision with a volume.
#[derive(Clone, Debug)]
pub(super) struct Enclosed {
    /// Its pose in the link.
    pose: Pose,
    shape: Shape,
    /// Made when it is needed: most collisions of a world are never under water.
    polyhedron: OnceCell<Arc<Polyhedron>>,
}

impl Enclosed {
    /// Returns `None` for shapes without a volume.
    pub(super) fn new(shape: &Shape, pose: Pose) -> Option<Self> {
        let has_volume = !matches!(shape, Shape::Plane | Shape::Rectangle { .. });
        has_volume.then(|| Enclosed { pose, shape: shape.clone(), polyhedron: OnceCell::new() })
    }

    /// The part below a plane of the link frame.
    pub(super) fn below(&self, level: &Level) -> Part {
        let level = level.seen_from(&self.pose);
        let part = match self.shape {
            Shape::Sphere { radius } => ellipsoid_below(DVec3::splat(radius), &level),
            Shape::Ellipsoid { radii } => ellipsoid_below(radii, &level),
            _ => self.polyhedron.get_or_init(|| Arc::new(Polyhedron::of(&self.shape))).below(&level),
        };
        Part { center: self.pose.transform_point(part.center), ..part }
    }
}

/// The part of an ellipsoid below a plane. Scaled by its radii it is a unit sphere, and the part a spherical cap
/// (Bronshtein and Semendyayev, Handbook of Mathematics, 3.3.5: cap of height h, V = π h² (3 - h) / 3, centre
/// 3 (2 - h)² / (4 (3 - h)) from the middle).
fn ellipsoid_below(radii: DVec3, level: &Level) -> Part {
    let scaled = level.normal * radii;
    let length = scaled.length();
    let height = if length > 0.0 { level.height / length } else { f64::INFINITY };
    let h = (height + 1.0).clamp(0.0, 2.0);
    let volume = PI * h * h * (3.0 - h) / 3.0 * radii.x * radii.y * radii.z;
    if h <= 0.0 || h >= 2.0 {
        return Part { volume, center: DVec3::ZERO };
    }
    let from_middle = 3.0 * (2.0 - h) * (2.0 - h) / (4.0 * (3.0 - h));
    Part { volume, center: -scaled / length * from_middle * radii }
}

/// A closed surface of triangles.
#[derive(Debug)]
struct Polyhedron {
    triangles: Vec<[DVec3; 3]>,
    whole: Part,
    /// Radius of a sphere about the centre that contains all points.
    reach: f64,
    /// -1 if the triangles face inwards.
    sign: f64,
}

impl Polyhedron {
    fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Box { half } => Polyhedron::new(cuboid(*half)),
            Shape::Cylinder { radius, half_length } => Polyhedron::new(lathe(&[
                (*radius * even_area(), -*half_length),
                (*radius * even_area(), *half_length),
            ])),
            Shape::Cone { radius, half_length } => {
                Polyhedron::new(lathe(&[(*radius * even_area(), -*half_length), (0.0, *half_length)]))
            }
            Shape::Capsule { radius, half_length } => capsule(*radius, *half_length),
            Shape::Mesh(mesh) => Polyhedron::new(triangles_of(mesh)),
            Shape::Sphere { .. } | Shape::Ellipsoid { .. } | Shape::Plane | Shape::Rectangle { .. } => {
                Polyhedron::new(Vec::new())
            }
        }
    }

    fn new(triangles: Vec<[DVec3; 3]>) -> Self {
        let (volume, moment) = integrate(triangles.iter().copied(), DVec3::ZERO);
        let center = if volume == 0.0 { DVec3::ZERO } else { moment / volume };
        let distances = triangles.iter().flatten().map(|point| point.distance(center));
        let reach = distances.fold(0.0, f64::max);
        Polyhedron { triangles, whole: Part { volume: volume.abs(), center }, reach, sign: volume.signum() }
    }

    fn below(&self, level: &Level) -> Part {
        let above = level.above(self.whole.center);
        if above <= -self.reach {
            return self.whole;
        }
        if above >= self.reach {
            return Part::default();
        }
        // The cut face and this point lie in the plane, so that its tetrahedra have no volume and the face need not be
        // known.
        let apex = self.whole.center - level.normal * above;
        let kept = self.triangles.iter().flat_map(|triangle| cut(triangle, level));
        let (volume, moment) = integrate(kept, apex);
        let volume = volume * self.sign;
        if volume <= 0.0 {
            return Part::default();
        }
        Part { volume, center: moment * self.sign / volume }
    }
}

/// Volume and first moment of the tetrahedra between triangles and a point (divergence theorem).
fn integrate(triangles: impl Iterator<Item = [DVec3; 3]>, apex: DVec3) -> (f64, DVec3) {
    triangles.fold((0.0, DVec3::ZERO), |(volume, moment), [a, b, c]| {
        let part = (a - apex).dot((b - apex).cross(c - apex)) / 6.0;
        (volume + part, moment + (apex + a + b + c) * (part / 4.0))
    })
}

/// The part of a triangle below a plane, as up to two triangles.
fn cut(triangle: &[DVec3; 3], level: &Level) -> impl Iterator<Item = [DVec3; 3]> + use<> {
    let mut points = [DVec3::ZERO; 4];
    let mut count = 0;
    let mut keep = |point: DVec3| {
        if let Some(place) = points.get_mut(count) {
            *place = point;
            count += 1;
        }
    };
    for (index, from) in triangle.iter().enumerate() {
        let to = triangle[(index + 1) % 3];
        let (start, end) = (level.above(*from), level.above(to));
        if start <= 0.0 {
            keep(*from);
        }
        if (start < 0.0 && end > 0.0) || (start > 0.0 && end < 0.0) {
            keep(from.lerp(to, start / (start - end)));
        }
    }
    let [a, b, c, d] = points;
    [(count >= 3).then_some([a, b, c]), (count >= 4).then_some([a, c, d])].into_iter().flatten()
}

fn triangles_of(mesh: &TriMesh) -> Vec<[DVec3; 3]> {
    mesh.triangles().to_vec()
}

/// The faces of a box, seen from outside.
fn cuboid(half: DVec3) -> Vec<[DVec3; 3]> {
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z) * half;
    let face = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| [[a, b, c], [a, c, d]];
    let low = [corner(-1., -1., -1.), corner(1., -1., -1.), corner(1., 1., -1.), corner(-1., 1., -1.)];
    let high = low.map(|point| DVec3::new(point.x, point.y, half.z));
    let side = |from: usize, to: usize| face(low[from], low[to], high[to], high[from]);
    [
        face(low[3], low[2], low[1], low[0]),
        face(high[0], high[1], high[2], high[3]),
        side(0, 1),
        side(1, 2),
        side(2, 3),
        side(3, 0),
    ]
    .concat()
}

/// The radius of a regular polygon with the area of a unit circle.
fn even_area() -> f64 {
    let turn = TAU / f64::from(SIDES);
    (turn / libm::sin(turn)).sqrt()
}

/// Turns a profile of radius and height, from the lowest to the highest point, about z, and closes it.
fn lathe(profile: &[(f64, f64)]) -> Vec<[DVec3; 3]> {
    let at = |(radius, z): (f64, f64), side: u32| {
        let (sin, cos) = libm::sincos(TAU * f64::from(side % SIDES) / f64::from(SIDES));
        DVec3::new(radius * cos, radius * sin, z)
    };
    let mut triangles = Vec::new();
    for side in 0..SIDES {
        for pair in profile.windows(2) {
            let [lower, upper] = [pair[0], pair[1]];
            let (a, b) = (at(lower, side), at(lower, side + 1));
            let (c, d) = (at(upper, side + 1), at(upper, side));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        if let (Some(first), Some(last)) = (profile.first(), profile.last()) {
            let (bottom, top) = (DVec3::Z * first.1, DVec3::Z * last.1);
            triangles.push([bottom, at(*first, side + 1), at(*first, side)]);
            triangles.push([top, at(*last, side), at(*last, side + 1)]);
        }
    }
    triangles
}

/// A capsule as rings, whose radii are scaled so that the volume is exact.
fn capsule(radius: f64, half_length: f64) -> Polyhedron {
    let ring = |index: u32| {
        let angle = PI / 2.0 * f64::from(index) / f64::from(RINGS);
        let (sin, cos) = libm::sincos(angle);
        (radius * sin, half_length + radius * cos)
    };
    let upper: Vec<_> = (0..=RINGS).map(ring).collect();
    let lower = upper.iter().map(|(radius, z)| (*radius, -z));
    let profile: Vec<_> = lower.chain(upper.iter().rev().copied()).collect();
    let rough = Polyhedron::new(lathe(&profile));
    let exact = PI * radius * radius * (2.0 * half_length + 4.0 / 3.0 * radius);
    let scale = if rough.whole.volume > 0.0 { (exact / rough.whole.volume).sqrt() } else { 1.0 };
    let wider: Vec<_> = profile.iter().map(|(radius, z)| (radius * scale, *z)).collect();
    Polyhedron::new(lathe(&wider))
}

#[cfg(test)]
mod tests;
