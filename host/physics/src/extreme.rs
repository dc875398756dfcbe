//! Extreme points of a large set, for convex hulls.
//!
//! parry needs time and memory in proportion to the square of the points of a flat face: 10 s and 2.4 GB for a cylinder
//! with 4,096 sides. Contacts do not need such hulls either.

use std::f64::consts::PI;

use bridgehead_pose::DVec3;
use rapier3d_f64::na::ComplexField;

/// The most points of which a hull is exact.
pub(super) const MAX: usize = 1024;

/// Directions in which extreme points are looked for. Neighbours are about 6° apart, so that the hull of the points found
/// is at most 0.3 % of its radius smaller than that of all. Corners are found, and so are many points of a rim.
const DIRECTIONS: u32 = 1024;

/// Returns the points that are extreme in one of many directions, in their order.
pub(super) fn points(all: &[DVec3]) -> Vec<DVec3> {
    let along_axes = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
    let mut extreme: Vec<usize> =
        along_axes.chain(directions()).filter_map(|direction| farthest(all, direction)).collect();
    extreme.sort_unstable();
    extreme.dedup();
    extreme.into_iter().filter_map(|index| all.get(index).copied()).collect()
}

/// Directions that are spread evenly over a sphere, on a spiral with the golden angle.
fn directions() -> impl Iterator<Item = DVec3> {
    let golden = PI * (3.0 - 5.0_f64.sqrt());
    (0..DIRECTIONS).map(move |index| {
        let z = 1.0 - (2.0 * f64::from(index) + 1.0) / f64::from(DIRECTIONS);
        let radius = (1.0 - z * z).sqrt();
        // The same on every machine, unlike the functions of the standard library.
        let (sin, cos) = ComplexField::sin_cos(golden * f64::from(index));
        DVec3::new(radius * cos, radius * sin, z)
    })
}

/// The index of the first point that is farthest in a direction.
fn farthest(all: &[DVec3], direction: DVec3) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (index, point) in all.iter().enumerate() {
        let far = point.dot(direction);
        if best.is_none_or(|(_, most)| far > most) {
            best = Some((index, far));
        }
    }
    best.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::super::hull_volume;
    use super::*;

    /// The corners of a cylinder of radius and half length 1.
    fn cylinder(sides: u32) -> Vec<DVec3> {
        let angle = |side: u32| 2.0 * PI * f64::from(side) / f64::from(sides);
        let ring = |z: f64| (0..sides).map(move |side| DVec3::new(angle(side).cos(), angle(side).sin(), z));
        [-1.0, 1.0].into_iter().flat_map(ring).collect()
    }

    #[test]
    fn a_cylinder_with_many_sides_keeps_its_volume_and_its_extent_with_few_points() {
        let all = cylinder(4096);
        let few = points(&all);
        assert!(few.len() <= 1030, "{} points", few.len());
        let volume = hull_volume(&all).unwrap() / (2.0 * PI);
        assert!((volume - 1.0).abs() < 1e-3, "{volume} of the volume");
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let most = |points: &[DVec3]| points.iter().map(|point| point.dot(axis)).fold(f64::MIN, f64::max);
            assert_eq!(most(&few), most(&all));
        }
    }

    #[test]
    fn a_sphere_loses_no_more_than_is_stated() {
        let turned = |one: DVec3| [one, DVec3::new(one.z, one.x, one.y), DVec3::new(one.y, one.z, one.x)];
        let all: Vec<DVec3> = directions().flat_map(turned).collect();
        let few = points(&all);
        for direction in all.iter().step_by(37) {
            let far = few.iter().map(|point| point.dot(*direction)).fold(f64::MIN, f64::max);
            assert!(far > 1.0 - 3e-3, "{far} of the radius");
        }
    }
}
