//! Closed-form intersections of a line with the solids of SDF, in f64.
//!
//! Every solid here is convex and closed, so a line meets it in one span of distances or not at all; touching
//! counts. Callers pass a line whose origin was moved close to the shape (see [`Line::near`]), which keeps
//! the precision of a micrometre even for a sensor ten kilometres away. Pure functions, any thread.

use bridgehead_pose::DVec3;

/// A line in the frame of a shape; `direction` has length one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) origin: DVec3,
    pub(super) direction: DVec3,
}

impl Line {
    /// The same line with its origin moved to the point nearest to the centre of the frame, and the distance
    /// it was moved.
    pub(super) fn near(origin: DVec3, direction: DVec3) -> (Self, f64) {
        let shift = -origin.dot(direction);
        (Self { origin: origin + direction * shift, direction }, shift)
    }

    fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }
}

/// The distances between which a line is inside a solid, `enter <= leave`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) enter: f64,
    pub(super) leave: f64,
}

impl Span {
    const ALL: Self = Self { enter: f64::NEG_INFINITY, leave: f64::INFINITY };

    fn new(enter: f64, leave: f64) -> Option<Self> {
        (enter <= leave).then_some(Self { enter, leave })
    }

    fn around(center: f64, half: f64) -> Self {
        Self { enter: center - half, leave: center + half }
    }

    fn and(self, other: Self) -> Option<Self> {
        Self::new(self.enter.max(other.enter), self.leave.min(other.leave))
    }

    /// The span of the convex hull of two spans.
    fn hull(self, other: Self) -> Self {
        Self { enter: self.enter.min(other.enter), leave: self.leave.max(other.leave) }
    }

    /// The first of the two surfaces at or beyond `from`.
    pub(super) fn first_from(&self, from: f64) -> Option<f64> {
        if self.enter >= from {
            return Some(self.enter);
        }
        (self.leave >= from).then_some(self.leave)
    }
}

pub(super) fn cuboid(line: &Line, half: DVec3) -> Option<Span> {
    let x = slab(line.origin.x, line.direction.x, half.x)?;
    let y = slab(line.origin.y, line.direction.y, half.y)?;
    let z = slab(line.origin.z, line.direction.z, half.z)?;
    x.and(y)?.and(z)
}

pub(super) fn sphere(line: &Line, center: DVec3, radius: f64) -> Option<Span> {
    let offset = line.origin - center;
    let nearest = -offset.dot(line.direction);
    // The cross product keeps the digits that |offset|² - nearest² would lose.
    let chord = radius * radius - offset.cross(line.direction).length_squared();
    (chord >= 0.0).then(|| Span::around(nearest, chord.sqrt()))
}

pub(super) fn cylinder(line: &Line, radius: f64, half_length: f64) -> Option<Span> {
    tube(line, radius)?.and(slab(line.origin.z, line.direction.z, half_length)?)
}

pub(super) fn capsule(line: &Line, radius: f64, half_length: f64) -> Option<Span> {
    let tube = tube(line, radius)?;
    let body = slab(line.origin.z, line.direction.z, half_length).and_then(|span| tube.and(span));
    let top = sphere(line, DVec3::Z * half_length, radius);
    let bottom = sphere(line, DVec3::Z * -half_length, radius);
    [body, top, bottom].into_iter().flatten().reduce(Span::hull)
}

pub(super) fn ellipsoid(line: &Line, radii: DVec3) -> Option<Span> {
    let origin = line.origin / radii;
    let direction = line.direction / radii;
    let scale = direction.length_squared();
    let chord = 1.0 - origin.cross(direction).length_squared() / scale;
    (chord >= 0.0).then(|| Span::around(-origin.dot(direction) / scale, (chord / scale).sqrt()))
}

/// Tip at `+half_length`, base of `radius` at `-half_length`.
pub(super) fn cone(line: &Line, radius: f64, half_length: f64) -> Option<Span> {
    let heights = slab(line.origin.z, line.direction.z, half_length)?;
    let slope = radius / (2.0 * half_length);
    // Inside: x² + y² <= (slope · depth)², where depth is measured from the tip downwards.
    let depth = half_length - line.origin.z;
    let (o, d) = (line.origin, line.direction);
    let (reach, reach_rate) = (slope * depth, -slope * d.z);
    let quadratic = Quadratic {
        a: d.x * d.x + d.y * d.y - reach_rate * reach_rate,
        half_b: o.x * d.x + o.y * d.y - reach * reach_rate,
        c: o.x * o.x + o.y * o.y - reach * reach,
    };
    let (low, high) = quadratic.roots()?;
    if quadratic.a >= 0.0 {
        return Span::new(low, high)?.and(heights);
    }
    // A steep line is inside both nappes of the double cone and outside between the roots: keep the lower nappe.
    let nappe = if d.z > 0.0 { Span { leave: low, ..Span::ALL } } else { Span { enter: high, ..Span::ALL } };
    nappe.and(heights)
}

/// The crossing with the plane z = 0; `None` for a parallel line.
pub(super) fn plane(line: &Line) -> Option<Span> {
    let at = -line.origin.z / line.direction.z;
    at.is_finite().then_some(Span { enter: at, leave: at })
}

pub(super) fn rectangle(line: &Line, half_x: f64, half_y: f64) -> Option<Span> {
    let span = plane(line)?;
    let point = line.at(span.enter);
    (point.x.abs() <= half_x && point.y.abs() <= half_y).then_some(span)
}

/// The span in which one coordinate stays within `±half`.
fn slab(origin: f64, direction: f64, half: f64) -> Option<Span> {
    if direction == 0.0 {
        return (origin.abs() <= half).then_some(Span::ALL);
    }
    let inverse = 1.0 / direction;
    let (a, b) = ((-half - origin) * inverse, (half - origin) * inverse);
    Some(Span { enter: a.min(b), leave: a.max(b) })
}

/// The span inside the unbounded cylinder along z.
fn tube(line: &Line, radius: f64) -> Option<Span> {
    let (o, d) = (line.origin, line.direction);
    let scale = d.x * d.x + d.y * d.y;
    if scale < f64::EPSILON * f64::EPSILON {
        return (o.x * o.x + o.y * o.y <= radius * radius).then_some(Span::ALL);
    }
    let cross = o.x * d.y - o.y * d.x;
    let chord = radius * radius - cross * cross / scale;
    (chord >= 0.0).then(|| Span::around(-(o.x * d.x + o.y * d.y) / scale, (chord / scale).sqrt()))
}

/// `a t² + 2 half_b t + c`.
struct Quadratic {
    a: f64,
    half_b: f64,
    c: f64,
}

impl Quadratic {
    /// Both roots in order; one may be infinite if `a` vanishes. `None` without a real root.
    fn roots(&self) -> Option<(f64, f64)> {
        let mut discriminant = self.half_b * self.half_b - self.a * self.c;
        // Opening downwards, "no root" only comes from rounding at the tip: there both roots coincide.
        if self.a < 0.0 {
            discriminant = discriminant.max(0.0);
        }
        if discriminant < 0.0 {
            return None;
        }
        let q = -(self.half_b + discriminant.sqrt().copysign(self.half_b));
        if q == 0.0 {
            return Some((0.0, 0.0));
        }
        let (first, second) = if self.a == 0.0 { self.linear_roots() } else { (q / self.a, self.c / q) };
        Some((first.min(second), first.max(second)))
    }

    /// Roots of the line that remains when `a` is zero; the far end of the inside is at infinity.
    fn linear_roots(&self) -> (f64, f64) {
        let root = -self.c / (2.0 * self.half_b);
        (root, if self.half_b > 0.0 { f64::NEG_INFINITY } else { f64::INFINITY })
    }
}

/// The outward normal of a solid at a point on (or within rounding of) its surface.
pub(super) mod normal {
    use super::DVec3;

    pub(in super::super) fn cuboid(point: DVec3, half: DVec3) -> DVec3 {
        let depth = (point.abs() - half).to_array();
        let axis = if depth[0] >= depth[1] && depth[0] >= depth[2] {
            DVec3::X
        } else if depth[1] >= depth[2] {
            DVec3::Y
        } else {
            DVec3::Z
        };
        axis * point.dot(axis).signum()
    }

    pub(in super::super) fn cylinder(point: DVec3, radius: f64, half_length: f64) -> DVec3 {
        let across = point.with_z(0.0);
        if point.z.abs() - half_length > across.length() - radius {
            return DVec3::Z * point.z.signum();
        }
        across.normalize_or(DVec3::X)
    }

    pub(in super::super) fn capsule(point: DVec3, half_length: f64) -> DVec3 {
        let spine = DVec3::Z * point.z.clamp(-half_length, half_length);
        (point - spine).normalize_or(DVec3::Z)
    }

    pub(in super::super) fn cone(point: DVec3, radius: f64, half_length: f64) -> DVec3 {
        let across = point.with_z(0.0);
        let slope = radius / (2.0 * half_length);
        let to_side = (across.length() - slope * (half_length - point.z)) / libm::hypot(slope, 1.0);
        if -half_length - point.z > to_side {
            return DVec3::NEG_Z;
        }
        (across.normalize_or(DVec3::X) + DVec3::Z * slope).normalize_or(DVec3::Z)
    }
}
