//! The specification of a model, in the terms of SDF.
//!
//! The caller resolves frames: poses of links and joints are in the world, all others in their link. Units
//! are metres, kilograms, seconds, newtons and radians. Plain values.

mod joint;

pub use super::shape::BuiltShape;
pub use joint::{AxisSpec, JointKind, JointSpec, MimicSpec};

use bridgehead_pose::{DVec3, Pose};
use serde::{Deserialize, Serialize};

/// A top-level model, including its nested models.
#[derive(Debug, Clone, Default)]
pub struct ModelSpec {
    /// The name, for errors.
    pub name: String,
    /// True if the model never moves; its joints are then ignored.
    pub is_static: bool,
    /// True if its bodies stay awake at rest.
    pub never_sleeps: bool,
    /// The links.
    pub links: Vec<LinkSpec>,
    /// The joints between them.
    pub joints: Vec<JointSpec>,
}

/// A link.
#[derive(Debug, Clone)]
pub struct LinkSpec {
    /// The name, for errors.
    pub name: String,
    /// The pose of the link frame in the world.
    pub pose: Pose,
    /// Its mass and inertia.
    pub inertial: Inertial,
    /// Its collisions.
    pub collisions: Vec<CollisionSpec>,
    /// True if gravity acts on it.
    pub gravity: bool,
    /// True if the caller prescribes its motion and nothing pushes it.
    pub kinematic: bool,
    /// True if it touches other links of its model, except those it shares a joint with.
    pub self_collide: bool,
    /// The share of the linear velocity lost per second (SDF `velocity_decay`).
    pub linear_decay: f64,
    /// The share of the angular velocity lost per second.
    pub angular_decay: f64,
}

impl LinkSpec {
    /// Creates a link with this name and pose, the defaults of SDF and no collisions.
    #[must_use]
    pub fn new(name: &str, pose: Pose) -> Self {
        Self {
            name: name.to_owned(),
            pose,
            inertial: Inertial::default(),
            collisions: Vec::new(),
            gravity: true,
            kinematic: false,
            self_collide: false,
            linear_decay: 0.0,
            angular_decay: 0.0,
        }
    }
}

/// Mass, centre of mass and moments of inertia.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Inertial {
    /// Kilograms.
    pub mass: f64,
    /// The frame of the moments in the link frame; its origin is the centre of mass.
    pub pose: Pose,
    /// ixx, iyy and izz, kg m².
    pub moments: DVec3,
    /// ixy, ixz and iyz, kg m².
    pub products: DVec3,
}

impl Default for Inertial {
    /// The default of SDF: one kilogram, one kg m² about every axis.
    fn default() -> Self {
        Self { mass: 1.0, pose: Pose::IDENTITY, moments: DVec3::ONE, products: DVec3::ZERO }
    }
}

/// A collision of a link.
#[derive(Debug, Clone)]
pub struct CollisionSpec {
    /// The name, for errors.
    pub name: String,
    /// The pose in the link frame.
    pub pose: Pose,
    /// The shape.
    pub shape: CollisionShape,
    /// Friction, restitution and what it touches.
    pub surface: Surface,
}

/// The shape of a collision, with the sizes, axes and origin that SDF gives it.
#[derive(Debug, Clone)]
pub enum CollisionShape {
    /// A box with these side lengths.
    Box {
        /// Side lengths.
        size: DVec3,
    },
    /// A sphere.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// From end to end.
        length: f64,
    },
    /// A capsule along z.
    Capsule {
        /// The radius of the cylinder and the half spheres.
        radius: f64,
        /// The length of the cylinder between the half spheres.
        length: f64,
    },
    /// A cone along z, tip up.
    Cone {
        /// The radius of the base.
        radius: f64,
        /// From base to tip.
        length: f64,
    },
    /// An ellipsoid, simulated as the convex hull of points on it.
    Ellipsoid {
        /// Radii along x, y and z.
        radii: DVec3,
    },
    /// A shape that was built before: see [`CollisionShape::built`].
    Built(BuiltShape),
    /// An unbounded half space below the plane through the origin with this normal.
    Plane {
        /// The outward direction, of length one.
        normal: DVec3,
    },
    /// A surface of triangles, for static models: it has no volume.
    Mesh {
        /// The points.
        points: Vec<DVec3>,
        /// Three indices into the points per triangle.
        triangles: Vec<[u32; 3]>,
    },
    /// Heights over a rectangle, for static ground.
    Heights {
        /// Samples from -x to +x.
        columns: usize,
        /// Samples from +y to -y.
        rows: usize,
        /// Metres above the position, row after row.
        heights: Vec<f64>,
        /// Distance from the first to the last sample along x and y.
        extent: [f64; 2],
        /// The centre in the frame of the collision.
        position: DVec3,
    },
    /// The convex hull of points, for meshes that move.
    Hull {
        /// The points.
        points: Vec<DVec3>,
    },
    /// Several convex hulls that move as one, for meshes that are not convex.
    Parts {
        /// The points of each.
        parts: Vec<Vec<DVec3>>,
    },
}

/// The surface of a collision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// The Coulomb coefficient; of two surfaces the smaller one applies.
    pub friction: f64,
    /// The coefficient of restitution; of two surfaces the smaller one applies.
    pub restitution: f64,
    /// The closing speed, m/s, below which nothing bounces; of two surfaces the smaller one applies.
    pub bounce_threshold: f64,
    /// Two collisions touch only if this shares a bit with the other's category, or the other way around.
    pub collide_bitmask: u16,
    /// The categories of this collision, for the `collide_bitmask` of others.
    pub category_bitmask: u16,
    /// True if contacts are detected without exerting forces.
    pub without_contact: bool,
    /// Friction of another kind, in place of the coefficient.
    pub directional: Option<DirectionalFriction>,
    /// As [`DirectionalFriction::first`], for friction that depends on the direction only later: once it slips.
    pub first: Option<(usize, DVec3)>,
}

/// Friction that depends on the direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DirectionalFriction {
    /// The first direction in the frame of a link of the model, by index; the second one is perpendicular to it and to the
    /// normal. `None` is the x axis of the world.
    pub first: Option<(usize, DVec3)>,
    /// The Coulomb coefficients along both directions; of two surfaces the smaller ones apply.
    pub coefficients: [f64; 2],
    /// The speed at which the surface slips for each newton of friction, m/(s N), along both directions; of two surfaces
    /// the sum applies.
    pub slips: [f64; 2],
    /// What resists turning about the normal.
    pub torsion: Option<Torsion>,
}

/// Friction about the normal of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Torsion {
    /// The Coulomb coefficient.
    pub coefficient: f64,
    /// The surface that touches.
    pub patch: Patch,
}

/// The round surface in which two bodies touch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Patch {
    /// Its radius, metres.
    Radius(f64),
    /// That of a sphere with this radius, metres, which grows with the depth of the contact.
    OfSphere(f64),
}

impl Default for Surface {
    /// The defaults of SDF: friction 1, no bounce, all 16 bits set.
    fn default() -> Self {
        Self {
            friction: 1.0,
            restitution: 0.0,
            bounce_threshold: 0.0,
            collide_bitmask: u16::MAX,
            category_bitmask: u16::MAX,
            without_contact: false,
            directional: None,
            first: None,
        }
    }
}
