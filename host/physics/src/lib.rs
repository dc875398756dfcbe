//! The physics: rigid bodies, joints and contacts, stepped by rapier, which nothing outside this module names.
//!
//! It takes plain specifications in the terms of SDF and hands out small ids; reading SDF, entities with names and
//! sensors are left to the layers above. Everything runs on the simulation thread.
//!
//! Results are a function of what was added and commanded, in that order, and of nothing else: the same calls give
//! the same [`Physics::state_hash`] in every run of the same binary.

pub mod mesh;
pub mod rays;
pub mod table;

mod add;
mod approach;
mod attach;
mod body;
mod check;
mod contact;
mod coupling;
mod decompose;
mod error;
mod extent;
mod filter;
mod gear;
mod hash;
mod id;
mod inertia;
mod joint;
mod kinematic;
mod motor;
mod parts;
mod reaction;
mod runtime_joint;
mod settings;
mod shape;
mod simple_shape;
mod snapshot;
mod space;
mod spec;
mod teleport;
#[cfg(test)]
mod tests;
mod topology;
mod velocity;
mod world;

pub use contact::Contact;
pub use decompose::{Decomposition, convex_parts};
pub use error::{PhysicsError, ShapeError};
pub use id::{CollisionId, JointId, LinkId, ModelId};
pub use motor::JointCommand;
pub use settings::Settings;
pub use shape::hull_volume;
pub use space::Space;
pub use spec::{
    AxisSpec, CollisionShape, CollisionSpec, Inertial, JointKind, JointModelling, JointSpec, LinkSpec,
    MimicSpec, ModelSpec, Surface,
};
pub use velocity::{LinkCursor, LinkMotion, Velocity};
pub use world::{AddedModel, Physics};
