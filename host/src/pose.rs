//! Vectors, rotations and rigid poses as every layer above the SDF names them.
//!
//! One set of types serves the SDF layer, the physics and the ray scene, so that nobody converts between them. They
//! are plain f64 values without a frame: the name of a variable or the documentation of a field says which frame a
//! pose is expressed in. Usable from any thread.

pub use glam::{DMat3, DQuat, DVec2, DVec3};

pub use crate::sdf::pose::Pose;
