//! Masses and volumes of links, as plugins for fluids and air read them. Simulation thread only.

use bridgehead_sdf::pose::{DMat3, DVec3};

use super::enclosed;
use super::enclosed::{Level, Part};
use super::world::World;

/// A link as plugins see it.
#[derive(Clone, Copy, Debug)]
pub struct BodyFacts<'a> {
    /// `model::link`.
    pub name: &'a str,
    /// Id of its entity.
    pub entity: u64,
    /// True if forces move it.
    pub moves: bool,
    /// True if the wind acts on it.
    pub is_in_wind: bool,
    /// True if gravity acts on it.
    pub has_gravity: bool,
    /// Kilograms.
    pub mass: f64,
    /// Centre of mass, link frame.
    pub center: DVec3,
    /// About the centre of mass, axes of the link frame, kg m².
    pub inertia: DMat3,
}

impl World {
    /// Returns how many handles of links were given so far.
    #[must_use]
    pub fn link_handles(&self) -> u32 {
        self.links.next_id()
    }

    /// Describes a link.
    #[must_use]
    pub fn body(&self, link: u32) -> Option<BodyFacts<'_>> {
        let link = self.links.get(link)?;
        let body = &link.body;
        let axes = DMat3::from_quat(body.inertial.pose.rotation);
        let (m, p) = (body.inertial.moments, body.inertial.products);
        let tensor = DMat3::from_cols_array(&[m.x, p.x, p.y, p.x, m.y, p.z, p.y, p.z, m.z]);
        Some(BodyFacts {
            name: &link.name,
            entity: link.model as u64 + 1,
            moves: link.moves && !body.is_kinematic && !link.is_led,
            is_in_wind: body.is_in_wind,
            has_gravity: body.has_gravity,
            mass: body.inertial.mass,
            center: body.inertial.pose.position,
            inertia: axes * tensor * axes.transpose(),
        })
    }

    /// Returns the volume of the collisions of a link below a plane of the world, with its centre in the world.
    #[must_use]
    pub fn volume_below(&self, link: u32, level: &Level) -> Option<Part> {
        let entity = self.links.get(link)?;
        let pose = self.physics.link_pose(entity.physics)?;
        let level = level.seen_from(&pose);
        let part = enclosed::sum(entity.body.enclosed.iter().map(|enclosed| enclosed.below(&level)));
        Some(Part { center: pose.transform_point(part.center), ..part })
    }
}
