//! What forces on links are computed from, and forces that act at a point: for fluids, wings, propellers and wind.
//!
//! A plugin asks for it in addition to `bridgehead.world/1`, which has the motion of links, and `bridgehead.command/1`,
//! which has forces and torques at the centre of mass.

use crate::{Host, Status, Str};

/// `Body::flags`: forces move the link. Without it, the link is static or its motion is scripted.
pub const BODY_MOVES: u32 = 1;
/// `Body::flags`: the wind acts on the link (`<enable_wind>` of the link or its model).
pub const BODY_IN_WIND: u32 = 2;
/// `Body::flags`: gravity acts on the link.
pub const BODY_HAS_GRAVITY: u32 = 4;

abi_struct! {
    /// What moves a link: its mass and its inertia.
    pub struct Body {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Bits of the `BODY_` constants.
        pub flags: u32,
        /// Scoped name of the link in the world (`model::link`). Valid until the next step begins.
        pub name: Str,
        /// Id of the entity that the link belongs to.
        pub entity: u64,
        /// Kilograms.
        pub mass: f64,
        /// Centre of mass in the link frame, metres.
        pub center: [f64; 3],
        /// Moments and products of inertia about the centre of mass, axes of the link frame: xx, yy, zz, xy, xz, yz,
        /// kg·m².
        pub inertia: [f64; 6],
    }
}

abi_struct! {
    /// A part of the volume that the collisions of a link enclose.
    pub struct Volume {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Cubic metres; the sum over the collisions, also where they overlap.
        pub volume: f64,
        /// Centre of that volume in the world; the origin of the link if the volume is 0.
        pub center: [f64; 3],
    }
}

abi_struct! {
    /// Extension `bridgehead.dynamics/1`: masses and volumes of links, and forces at points.
    pub struct HostDynamics {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// How many handles of links were given so far. They count from 0 in document order, those of spawned models
        /// follow, and the handle of a removed link is not given again: a plugin of the world sees by this number whether
        /// links were added.
        /// `[thread: sim] [state: started]`
        pub links: unsafe extern "C" fn(host: *const Host, out: *mut u32) -> Status,
        /// Describes a link of any model; NOT_FOUND for one that was removed.
        /// `[thread: sim] [state: started]`
        pub body: unsafe extern "C" fn(host: *const Host, link: u32, out: *mut Body) -> Status,
        /// The volume of the collisions of a link below a plane: of all points p with normal · p <= height, in the world.
        /// The normal is a unit vector; an infinite height gives the whole volume. Planes and heightmaps have no
        /// volume; that of a surface that is not closed is meaningless.
        /// `[thread: sim] [state: started]`
        pub volume_below: unsafe extern "C" fn(
            host: *const Host, link: u32, normal: *const [f64; 3], height: f64, out: *mut Volume,
        ) -> Status,
        /// Applies a force (N) at a point (m), both in the world, to a link of any model during the next step.
        /// `[thread: sim] [state: started]`
        pub force_at: unsafe extern "C" fn(
            host: *const Host, link: u32, force: *const [f64; 3], point: *const [f64; 3],
        ) -> Status,
    }
}

/// `SurfaceMotion::flags`: the vehicle turns about `center`.
pub const SURFACE_HAS_CENTER: u32 = 1;

abi_struct! {
    /// How a surface runs relative to its link, like the belt of a track.
    pub struct SurfaceMotion {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Bits of the `SURFACE_` constants.
        pub flags: u32,
        /// Axis that the surface runs about, in the link frame, a unit vector: that of the wheels of a belt. At a contact
        /// whose normal n points out of the surface, it drives its link along n × axis.
        pub axis: [f64; 3],
        /// m/s.
        pub speed: f64,
        /// The point in the world that the vehicle turns about. At each contact the surface then drives
        /// perpendicularly to the way there, with `speed`, towards the side that it drives to without a center.
        pub center: [f64; 3],
    }
}

abi_struct! {
    /// Extension `bridgehead.surfaces/1`: friction of collisions that changes during a run. It takes effect in the next
    /// step and holds until the next call.
    pub struct HostSurfaces {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Sets the speed at which a surface slips for each newton of friction, m/(s N), along the first and the second
        /// direction of its friction (SDF's `slip1` and `slip2`): 0 or more.
        /// `[thread: sim] [state: started]`
        pub slip: unsafe extern "C" fn(host: *const Host, collision: u32, first: f64, second: f64) -> Status,
        /// Lets a surface run. A reset of the state stops it.
        /// `[thread: sim] [state: started]`
        pub drive: unsafe extern "C" fn(
            host: *const Host, collision: u32, motion: *const SurfaceMotion,
        ) -> Status,
    }
}
