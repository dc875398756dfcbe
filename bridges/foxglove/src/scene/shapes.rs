//! Shapes that viewers have no primitive for, as triangles.

use super::messages as fox;

/// Sides of a round shape.
const SIDES: u32 = 24;
/// Steps between the equator of a sphere and its pole.
const STEPS: u32 = 6;

/// Points with three indices for each triangle, anticlockwise seen from outside.
pub(super) type Triangles = (Vec<fox::Point3>, Vec<u32>);

/// Returns a rectangle in x and y.
pub(super) fn plane(x: f64, y: f64) -> Triangles {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let points = corners.map(|[along_x, along_y]| point(along_x * x / 2.0, along_y * y / 2.0, 0.0));
    (points.to_vec(), vec![0, 1, 2, 0, 2, 3])
}

/// Returns a capsule along z of this diameter and length, with its caps.
pub(super) fn capsule(diameter: f64, length: f64) -> Triangles {
    let radius = diameter / 2.0;
    let straight = (length / 2.0 - radius).max(0.0);
    let lower = (0..=STEPS).map(|step| (f64::from(step) / f64::from(STEPS) - 1.0, -straight));
    let upper = (0..=STEPS).map(|step| (f64::from(step) / f64::from(STEPS), straight));
    let rings = lower.chain(upper).map(|(latitude, offset)| {
        let (sine, cosine) = libm::sincos(latitude * std::f64::consts::FRAC_PI_2);
        (radius * cosine, radius * sine + offset)
    });
    let points = rings.flat_map(|(around, z)| ring(around, z)).collect();
    let between = (0..2 * STEPS + 1).flat_map(|lower| (0..SIDES).flat_map(move |side| square(lower, side)));
    (points, between.collect())
}

fn ring(radius: f64, z: f64) -> impl Iterator<Item = fox::Point3> {
    (0..SIDES).map(move |side| {
        let (sine, cosine) = libm::sincos(f64::from(side) / f64::from(SIDES) * std::f64::consts::TAU);
        point(radius * cosine, radius * sine, z)
    })
}

/// Returns the two triangles between a ring and the next one.
fn square(lower: u32, side: u32) -> [u32; 6] {
    let at = |ring: u32, side: u32| ring * SIDES + side % SIDES;
    let [a, b] = [at(lower, side), at(lower, side + 1)];
    let [c, d] = [at(lower + 1, side + 1), at(lower + 1, side)];
    [a, b, c, a, c, d]
}

fn point(x: f64, y: f64, z: f64) -> fox::Point3 {
    fox::Point3 { x, y, z }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capsule_fills_its_size_and_faces_outwards() {
        let (points, indices) = capsule(1.0, 3.0);
        let most = |of: fn(&fox::Point3) -> f64| points.iter().map(of).fold(f64::MIN, f64::max);
        assert!((most(|point| point.z) - 1.5).abs() < 1e-12);
        assert!((most(|point| point.x.hypot(point.y)) - 0.5).abs() < 1e-12);
        for corners in indices.chunks_exact(3) {
            let [a, b, c] = [corners[0], corners[1], corners[2]].map(|index| points[index as usize]);
            let (ab, ac) = ([b.x - a.x, b.y - a.y, b.z - a.z], [c.x - a.x, c.y - a.y, c.z - a.z]);
            let normal =
                [ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2], ab[0] * ac[1] - ab[1] * ac[0]];
            let outwards = normal[0] * (a.x + b.x + c.x) + normal[1] * (a.y + b.y + c.y);
            assert!(outwards > -1e-12, "{corners:?}");
        }
    }

    #[test]
    fn a_plane_is_two_triangles_of_its_size() {
        let (points, indices) = plane(4.0, 2.0);
        assert_eq!((points[0], points[2]), (point(-2.0, -1.0, 0.0), point(2.0, 1.0, 0.0)));
        assert_eq!(indices.len(), 6);
    }
}
