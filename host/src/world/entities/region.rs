//! Which entities are in a region of the world.

use bridgehead_physics::Space;
use bridgehead_sdf::pose::DVec3;

use super::RegionError;
use crate::world::World;

/// Metres from the origin within which a region may lie: much more than anything does, so that a region may be all.
const REACH: f64 = 1e9;

/// A region of the world, by the points that messages of `simulation_interfaces` give it with.
#[derive(Clone)]
pub struct Region(Space);

impl Region {
    /// A ball: its centre, and its radius as x of the second point.
    ///
    /// # Errors
    /// Where there are not two points, a number is none, or the radius is negative.
    pub fn sphere(points: &[DVec3]) -> Result<Self, RegionError> {
        let &[centre, DVec3 { x: radius, .. }] = points else {
            return Err(RegionError::Count { kind: "sphere", wants: "two", found: points.len() });
        };
        check(&[centre, DVec3::splat(radius)])?;
        if radius < 0.0 {
            return Err(RegionError::Radius(radius));
        }
        Ok(Region(Space::ball(centre, radius)))
    }

    /// A box along the axes of the world: its highest corner, then its lowest.
    ///
    /// # Errors
    /// Where there are not two points, a number is none, or the corners are not in this order.
    pub fn aligned_box(points: &[DVec3]) -> Result<Self, RegionError> {
        let &[high, low] = points else {
            return Err(RegionError::Count { kind: "box", wants: "two", found: points.len() });
        };
        check(points)?;
        if (high - low).min_element() < 0.0 {
            return Err(RegionError::InsideOut);
        }
        Ok(Region(Space::aligned(low, high)))
    }

    /// The convex hull of points.
    ///
    /// # Errors
    /// Where there are fewer than three, a number is none, or all lie on a line.
    pub fn hull(points: &[DVec3]) -> Result<Self, RegionError> {
        if points.len() < 3 {
            return Err(RegionError::Count {
                kind: "convex hull",
                wants: "three or more",
                found: points.len(),
            });
        }
        check(points)?;
        Space::hull(points).map(Region).ok_or(RegionError::Collinear)
    }
}

fn check(points: &[DVec3]) -> Result<(), RegionError> {
    let is_sound = |point: &DVec3| point.is_finite() && point.abs().max_element() <= REACH;
    if points.iter().all(is_sound) { Ok(()) } else { Err(RegionError::NotFinite(REACH)) }
}

impl World {
    /// The entities of which a collision overlaps the region, by index, in the order of the world.
    #[must_use]
    pub fn overlapping(&self, region: &Region) -> Vec<usize> {
        let overlaps = |(index, model): (usize, &crate::world::ModelEntity)| {
            let physics = model.physics.filter(|_| model.is_present)?;
            self.physics.overlaps(physics, &region.0).then_some(index)
        };
        self.models.iter().filter_map(overlaps).collect()
    }
}
