//! Shapes of bodies with their surfaces, and which of them touch.

use glam::{DMat3, DVec3};
use rapier3d_f64::math::Pose;
use rapier3d_f64::parry::bounding_volume::Aabb;
use rapier3d_f64::parry::shape::{SharedShape, TypedShape};
use serde::{Deserialize, Serialize};

/// The surface of a collider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// The Coulomb coefficient; the smaller one of a pair applies.
    pub friction: f64,
    /// Speed after by speed before an impact; the smaller one of a pair applies.
    pub restitution: f64,
    /// The closing speed below which nothing bounces, m/s; the smaller one of a pair applies.
    pub bounce_threshold: f64,
    /// Friction by direction instead of `friction`.
    pub directional: Option<Directional>,
}

/// Friction that depends on the direction, gives way to a force, or resists turning on the spot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Directional {
    /// The first direction, in the frame of a body.
    pub first: Option<(usize, DVec3)>,
    /// The coefficients along both directions.
    pub coefficients: [f64; 2],
    /// m/s for each newton, along both directions.
    pub slips: [f64; 2],
    /// What resists turning about the normal.
    pub torsion: Option<Torsion>,
    /// The motion of the surface.
    pub belt: Option<Belt>,
}

/// Friction about the normal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Torsion {
    /// The Coulomb coefficient.
    pub coefficient: f64,
    /// The radius of the surface that touches, metres, or, with `of_sphere`, of the sphere whose overlap it is.
    pub radius: f64,
    /// True if the surface grows with the depth of the contact.
    pub of_sphere: bool,
}

impl Torsion {
    /// The lever of the friction of a round surface with the pressure of a sphere, times the coefficient, metres.
    pub(crate) fn lever(&self, depth: f64) -> f64 {
        let radius = if self.of_sphere { (self.radius * depth.max(0.0)).sqrt() } else { self.radius };
        3.0 * std::f64::consts::PI / 16.0 * self.coefficient * radius
    }
}

/// A surface that runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Belt {
    /// The axis it runs about, in the frame of the body, of length one: on the side of the normal n it moves along
    /// axis × n.
    pub axis: DVec3,
    /// m/s.
    pub speed: f64,
    /// A point in the world: the surface then pushes across the way there, with its whole speed.
    pub center: Option<DVec3>,
}

/// Which colliders touch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    /// Colliders of one group touch only if one of them `touches_own`.
    pub group: u32,
    /// True if it touches others of its group.
    pub touches_own: bool,
    /// Bits of what it touches.
    pub mask: u16,
    /// Its own bits.
    pub category: u16,
    /// True if it feels what it touches without a force.
    pub only_feels: bool,
}

impl Filter {
    fn touches(&self, other: &Self) -> bool {
        let may = self.group != other.group || self.touches_own || other.touches_own;
        may && (self.category & other.mask) | (other.category & self.mask) != 0
    }
}

/// A collider that is added to a world.
#[derive(Clone)]
pub struct ColliderSpec {
    /// Its body.
    pub body: usize,
    /// A number that the caller knows it by; contacts carry it.
    pub tag: u32,
    /// The part of the body that it belongs to: parts that are set apart do not touch.
    pub part: u32,
    /// Its pose in the frame of the body.
    pub pose: Pose,
    /// A shape that is not a compound.
    pub shape: SharedShape,
    /// Its surface.
    pub surface: Surface,
    /// What it touches.
    pub filter: Filter,
}

/// A collider of the world.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Collider {
    pub(crate) body: usize,
    pub(crate) tag: u32,
    pub(crate) part: u32,
    pub(crate) pose: Pose,
    pub(crate) shape: SharedShape,
    pub(crate) surface: Surface,
    pub(crate) filter: Filter,
    /// The box in which pairs were looked for.
    pub(crate) bounds: Aabb,
    /// The way of the body at which the collider may have left it.
    pub(crate) bounds_until: f64,
    /// The others that are near, with the pairs; sorted.
    pub(crate) near: Vec<(usize, usize)>,
}

impl Collider {
    pub(crate) fn new(spec: ColliderSpec) -> Self {
        let ColliderSpec { body, tag, part, pose, shape, surface, filter } = spec;
        let bounds = Aabb::new(DVec3::ZERO, DVec3::ZERO);
        let near = Vec::new();
        Self { body, tag, part, pose, shape, surface, filter, bounds, bounds_until: f64::NEG_INFINITY, near }
    }

    /// Returns true if the two may touch at all.
    pub(crate) fn touches(&self, other: &Self) -> bool {
        self.body != other.body && self.filter.touches(&other.filter)
    }

    /// Returns true if a contact of the two exerts forces.
    pub(crate) fn pushes(&self, other: &Self) -> bool {
        !self.filter.only_feels && !other.filter.only_feels
    }

    pub(crate) fn is_plane(&self) -> bool {
        matches!(self.shape.as_typed_shape(), TypedShape::HalfSpace(_))
    }

    /// Returns true if every turn moves the contact points: its contacts are found anew with the least motion.
    pub(crate) fn is_round(&self) -> bool {
        match self.shape.as_typed_shape() {
            TypedShape::HalfSpace(_) | TypedShape::Cuboid(_) => false,
            // A hull with many corners may be a wheel.
            TypedShape::ConvexPolyhedron(hull) => hull.points().len() > 16,
            TypedShape::TriMesh(_) | TypedShape::HeightField(_) => false,
            _ => true,
        }
    }

    /// The distance of its farthest point from the origin of the body; infinite for a plane.
    pub(crate) fn reach(&self) -> f64 {
        if self.is_plane() {
            return f64::INFINITY;
        }
        let sphere = self.shape.compute_bounding_sphere(&self.pose);
        let exact = match self.shape.as_typed_shape() {
            TypedShape::ConvexPolyhedron(hull) => hull
                .points()
                .iter()
                .map(|point| self.pose.transform_point(*point).length())
                .fold(0.0, f64::max),
            _ => f64::INFINITY,
        };
        exact.min(sphere.center.length() + sphere.radius)
    }

    /// The box around it at a pose of the body: centre and half the sides.
    pub(crate) fn extent(&self, body: &Pose) -> [DVec3; 2] {
        let pose = *body * self.pose;
        let axes = DMat3::from_quat(pose.rotation);
        let turned = |half: DVec3| {
            axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z
        };
        match self.shape.as_typed_shape() {
            TypedShape::Cuboid(cuboid) => [pose.translation, turned(cuboid.half_extents)],
            TypedShape::Ball(ball) => [pose.translation, DVec3::splat(ball.radius)],
            TypedShape::Cylinder(c) => {
                [pose.translation, turned(DVec3::new(c.radius, c.half_height, c.radius))]
            }
            _ => {
                let bounds = self.shape.compute_aabb(&pose);
                [bounds.center(), bounds.half_extents()]
            }
        }
    }
}
