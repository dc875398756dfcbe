//! Bounds of entities in their current state, in the frame of their canonical link. Simulation thread only.

use bridgehead_physics::ModelId;
use bridgehead_sdf::pose::{DVec3, Pose};

use super::error::InfoError;
use crate::world::World;

/// A box in the axes of the canonical link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest corner.
    pub low: DVec3,
    /// Highest corner.
    pub high: DVec3,
}

/// A sphere in the frame of the canonical link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingSphere {
    /// Its centre, which is that of the box.
    pub centre: DVec3,
    /// Metres.
    pub radius: f64,
}

impl World {
    /// Returns the bounding box of the collisions of an entity; `None` if none is bounded.
    ///
    /// # Errors
    /// Returns an error if there is no such entity.
    pub fn bounds(&self, name: &str) -> Result<Option<Bounds>, InfoError> {
        let (model, frame) = self.measured(name)?;
        Ok(self.physics.extent(model, &frame).map(|[low, high]| Bounds { low, high }))
    }

    /// Returns the bounding sphere of the collisions of an entity; `None` if none is bounded.
    ///
    /// # Errors
    /// Returns an error if there is no such entity.
    pub fn bounding_sphere(&self, name: &str) -> Result<Option<BoundingSphere>, InfoError> {
        let (model, frame) = self.measured(name)?;
        let middle = self.physics.extent(model, &frame).map(|[low, high]| low.midpoint(high));
        Ok(middle.map(|centre| BoundingSphere { centre, radius: self.physics.reach(model, &frame, centre) }))
    }

    /// Returns the corners of the convex hull of the collisions of an entity; empty if none is bounded.
    ///
    /// # Errors
    /// Returns an error if there is no such entity.
    pub fn convex_hull(&self, name: &str) -> Result<Vec<DVec3>, InfoError> {
        let (model, frame) = self.measured(name)?;
        Ok(self.physics.hull_of(model, &frame))
    }

    /// Returns a model in physics, with the pose of its canonical link.
    fn measured(&self, name: &str) -> Result<(ModelId, Pose), InfoError> {
        let model = self.find_entity(name).and_then(|index| self.models.get(index));
        let found = model.and_then(|model| Some((model.physics?, self.link_state(model.canonical?.0)?.pose)));
        found.ok_or_else(|| InfoError::NotFound(name.to_owned()))
    }
}
