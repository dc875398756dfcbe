//! Regions of the world, and the entities in them. Simulation thread only.

use bridgehead_physics::Space;
use bridgehead_sdf::pose::DVec3;

use super::error::RegionError;
use crate::world::World;

/// Maximum distance of a region from the origin, metres: large enough for a region that contains everything.
const REACH: f64 = 1e9;

/// A region of the world, defined by points as in messages of `simulation_interfaces`.
#[derive(Clone)]
pub struct Region(Space);

impl Region {
    /// Creates a sphere from its centre, and its radius as x of the second point.
    ///
    /// # Errors
    /// Returns an error if there are not two points, if a number is not finite, or if the radius is negative.
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

    /// Creates a box along the axes of the world from its highest corner and its lowest corner.
    ///
    /// # Errors
    /// Returns an error if there are not two points, if a number is not finite, or if the corners are in the wrong
    /// order.
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

    /// Creates the convex hull of points.
    ///
    /// # Errors
    /// Returns an error if there are fewer than three points, if a number is not finite, or if all are on a line.
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
    /// Returns the indices of the entities with a collision that overlaps the region, in the order of the world.
    #[must_use]
    pub fn overlapping(&self, region: &Region) -> Vec<usize> {
        let overlaps = |(index, model): (usize, &crate::entity::ModelEntity)| {
            let physics = model.physics.filter(|_| model.is_present)?;
            self.physics.overlaps(physics, &region.0).then_some(index)
        };
        self.models.iter().filter_map(overlaps).collect()
    }
}
