//! The shapes that rays can hit: checked dimensions and bounds.
//!
//! The intersections are in `primitive` and `mesh`; the scene holds the poses. Plain values, any thread.

use std::sync::Arc;

use bridgehead_pose::DVec3;

use super::aabb::Aabb;
use super::mesh::TriMesh;

/// A shape in its own frame, with the axes and the origin SDF gives it. Lengths are in metres.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A box centred on the origin.
    Box {
        /// Half the side lengths.
        half: DVec3,
    },
    /// A sphere around the origin.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// A cylinder along z, centred on the origin.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Half its length.
        half_length: f64,
    },
    /// A cylinder along z with half spheres on both ends, centred on the origin.
    Capsule {
        /// The radius of the cylinder and of both half spheres.
        radius: f64,
        /// Half the length of the cylinder between the half spheres.
        half_length: f64,
    },
    /// A cone along z with its tip at `+half_length` and its base at `-half_length`.
    Cone {
        /// The radius of the base.
        radius: f64,
        /// Half the distance from base to tip.
        half_length: f64,
    },
    /// An ellipsoid around the origin with the frame's axes.
    Ellipsoid {
        /// Its radii along x, y and z.
        radii: DVec3,
    },
    /// The unbounded plane z = 0, seen from both sides.
    Plane,
    /// The part of the plane z = 0 with |x| and |y| up to these half sizes, seen from both sides.
    Rectangle {
        /// Half the size along x.
        half_x: f64,
        /// Half the size along y.
        half_y: f64,
    },
    /// A triangle mesh; many shapes may share one.
    Mesh(Arc<TriMesh>),
}

/// An invalid dimension.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "[BH-PHY-001] a {shape} needs a positive, finite {dimension}, found {value}; correct it in the <geometry> element"
)]
pub struct ShapeError {
    /// The kind of shape, as SDF names it.
    pub shape: &'static str,
    /// Which dimension is wrong.
    pub dimension: &'static str,
    /// The refused value, metres.
    pub value: f64,
}

impl Shape {
    /// Checks that all dimensions are positive and finite.
    ///
    /// # Errors
    /// Returns an error that names the shape, the dimension and the value.
    pub fn check(&self) -> Result<(), ShapeError> {
        let (shape, dimensions) = self.dimensions();
        let bad = dimensions.into_iter().find(|(_, value)| !(value.is_finite() && *value > 0.0));
        bad.map_or(Ok(()), |(dimension, value)| Err(ShapeError { shape, dimension, value }))
    }

    fn dimensions(&self) -> (&'static str, Vec<(&'static str, f64)>) {
        match self {
            Self::Box { half } => ("box", vec![("size x", half.x), ("size y", half.y), ("size z", half.z)]),
            Self::Sphere { radius } => ("sphere", vec![("radius", *radius)]),
            Self::Cylinder { radius, half_length } => {
                ("cylinder", vec![("radius", *radius), ("length", *half_length)])
            }
            Self::Capsule { radius, half_length } => {
                ("capsule", vec![("radius", *radius), ("length", *half_length)])
            }
            Self::Cone { radius, half_length } => {
                ("cone", vec![("radius", *radius), ("length", *half_length)])
            }
            Self::Ellipsoid { radii } => {
                ("ellipsoid", vec![("radius x", radii.x), ("radius y", radii.y), ("radius z", radii.z)])
            }
            Self::Plane | Self::Mesh(_) => ("shape", Vec::new()),
            Self::Rectangle { half_x, half_y } => ("plane", vec![("size x", *half_x), ("size y", *half_y)]),
        }
    }

    /// The box around the shape in its own frame; `None` for the unbounded plane.
    pub(super) fn bounds(&self) -> Option<Aabb> {
        match self {
            Self::Box { half } => Some(Aabb::centred(*half)),
            Self::Sphere { radius } => Some(Aabb::centred(DVec3::splat(*radius))),
            Self::Cylinder { radius, half_length } | Self::Cone { radius, half_length } => {
                Some(Aabb::centred(DVec3::new(*radius, *radius, *half_length)))
            }
            Self::Capsule { radius, half_length } => {
                Some(Aabb::centred(DVec3::new(*radius, *radius, half_length + radius)))
            }
            Self::Ellipsoid { radii } => Some(Aabb::centred(*radii)),
            Self::Plane => None,
            Self::Rectangle { half_x, half_y } => Some(Aabb::centred(DVec3::new(*half_x, *half_y, 0.0))),
            Self::Mesh(mesh) => Some(mesh.bounds()),
        }
    }
}
