//! Masses and volumes of links, forces at points, and surfaces that slip or run.

use bridgehead_abi::dynamics as abi;
use bridgehead_abi::extension;

use super::{CollisionId, EntityId};
use crate::error::Result;
use crate::host::{LinkId, extension_handle, text_of};
use crate::hosting::found;

/// A link of any model: what its motion depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its handle.
    pub link: LinkId,
    /// Scoped name in the world: `model::link`.
    pub name: String,
    /// The entity that it belongs to.
    pub entity: EntityId,
    /// Whether forces move it: it is neither static nor scripted.
    pub moves: bool,
    /// Whether the wind acts on it.
    pub is_in_wind: bool,
    /// Whether gravity acts on it.
    pub has_gravity: bool,
    /// Kilograms.
    pub mass: f64,
    /// Centre of mass in the link frame.
    pub center: [f64; 3],
    /// Moments and products of inertia about the centre of mass, axes of the link frame: xx, yy, zz, xy, xz, yz, kg·m².
    pub inertia: [f64; 6],
}

impl Body {
    /// The inertia as rows of a matrix.
    #[must_use]
    pub fn tensor(&self) -> [[f64; 3]; 3] {
        let [xx, yy, zz, xy, xz, yz] = self.inertia;
        [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    }
}

/// A part of the volume of a link's collisions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Volume {
    /// Cubic metres.
    pub volume: f64,
    /// Its centre in the world.
    pub center: [f64; 3],
}

/// How a surface runs, like the belt of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceMotion {
    /// The axis that it runs about, link frame, a unit vector. At a contact whose normal n points out of the surface, it
    /// drives its link along n × axis.
    pub axis: [f64; 3],
    /// m/s.
    pub speed: f64,
    /// The point in the world that the vehicle turns about: the surface drives perpendicularly to the way there.
    pub center: Option<[f64; 3]>,
}

extension_handle! {
    /// Masses and volumes of links, and forces at points. `[sim]`
    Dynamics, abi::HostDynamics, extension::DYNAMICS
}

impl Dynamics {
    /// How many handles of links were given so far. They count from 0; a handle is not given again.
    ///
    /// # Errors
    /// Returns an error if the call comes from another thread.
    pub fn links(self) -> Result<u32> {
        Ok(self.extension.links()?)
    }

    /// Describes a link; `None` if it was removed.
    ///
    /// # Errors
    /// Returns an error if the call comes from another thread.
    pub fn body(self, link: LinkId) -> Result<Option<Body>> {
        let _entered = self.host().enter()?;
        let Some(raw) = found(self.extension.body(link.0))? else { return Ok(None) };
        let has = |bit| raw.flags & bit != 0;
        Ok(Some(Body {
            link,
            name: text_of(raw.name),
            entity: EntityId(raw.entity),
            moves: has(abi::BODY_MOVES),
            is_in_wind: has(abi::BODY_IN_WIND),
            has_gravity: has(abi::BODY_HAS_GRAVITY),
            mass: raw.mass,
            center: raw.center,
            inertia: raw.inertia,
        }))
    }

    /// The volume of a link's collisions below the plane normal · p = height of the world; infinity for all of it.
    ///
    /// # Errors
    /// Returns an error if the link is gone, the normal is not of length one, or the call comes from another thread.
    pub fn volume_below(self, link: LinkId, normal: [f64; 3], height: f64) -> Result<Volume> {
        let raw = self.extension.volume_below(link.0, normal, height)?;
        Ok(Volume { volume: raw.volume, center: raw.center })
    }

    /// Applies a force (N) at a point (m), world frame, during the next step.
    ///
    /// # Errors
    /// Returns an error if the link is gone or a value is not a number.
    pub fn force_at(self, link: LinkId, force: [f64; 3], point: [f64; 3]) -> Result {
        Ok(self.extension.force_at(link.0, force, point)?)
    }
}

extension_handle! {
    /// Friction of collisions that changes during a run; it holds until the next call. `[sim]`
    Surfaces, abi::HostSurfaces, extension::SURFACES
}

impl Surfaces {
    /// Sets the speed at which a surface slips for each newton of friction, m/(s N), along both directions.
    ///
    /// # Errors
    /// Returns an error if the collision is gone, or a number is negative or not finite.
    pub fn slip(self, collision: CollisionId, slips: [f64; 2]) -> Result {
        Ok(self.extension.slip(collision.0, slips[0], slips[1])?)
    }

    /// Lets a surface run.
    ///
    /// # Errors
    /// Returns an error if the collision is gone, the axis is not of length one, or a number is not finite.
    pub fn drive(self, collision: CollisionId, motion: &SurfaceMotion) -> Result {
        let raw = abi::SurfaceMotion {
            struct_size: abi::SurfaceMotion::SIZE,
            flags: if motion.center.is_some() { abi::SURFACE_HAS_CENTER } else { 0 },
            axis: motion.axis,
            speed: motion.speed,
            center: motion.center.unwrap_or_default(),
        };
        Ok(self.extension.drive(collision.0, raw)?)
    }
}
