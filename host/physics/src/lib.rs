//! Rigid-body physics for Bridgehead: models of links, joints and collisions, in the terms of SDF.
//!
//! [`Physics::add_model`] takes a [`ModelSpec`] and returns ids, which commands and queries use; the crate
//! `bridgehead-dynamics` simulates it. The module [`rays`] is a separate scene for range sensors.
//!
//! The caller is responsible for: reading SDF, resolving frames, names of entities, sensors, and pacing.
//!
//! | type | meaning |
//! |---|---|
//! | [`Physics`] | a world; [`Physics::add_model`], [`Physics::step`], queries and commands |
//! | [`Settings`] | step width, substeps, gravity |
//! | [`ModelSpec`], [`LinkSpec`], [`JointSpec`], [`CollisionSpec`] | parts of a model; poses of links and joints are relative to the world, all others to their link |
//! | [`AddedModel`], [`ModelId`], [`LinkId`], [`JointId`], [`CollisionId`] | ids, never issued twice in one world |
//! | [`JointCommand`] | velocity, position or effort of a joint |
//! | [`Contact`] | a point of contact and its forces |
//! | [`rays::RayScene`] | ray casts |
//!
//! Threads: a [`Physics`] belongs to one thread at a time, the simulation thread of the host. Rays may be cast from any
//! number of threads between two changes of their scene.
//!
//! Errors: a [`PhysicsError`] has a code `BH-PHY-nnn`, names the model and its part, and leaves the world unchanged.
//! The exceptions are [`PhysicsError::Diverged`] and [`PhysicsError::EngineFailed`] from a step: after them the state
//! is unusable. Panics of a step are caught.
//!
//! Determinism: the state is a function of the calls and their order. The same calls give the same
//! [`Physics::state_hash`] in every run, build and machine.
//!
//! # Example
//!
//! ```
//! use bridgehead_physics::{
//!     CollisionShape, CollisionSpec, LinkSpec, ModelSpec, Physics, Settings, Surface,
//! };
//! use bridgehead_pose::{DVec3, Pose};
//!
//! let mut ball = LinkSpec::new("ball", Pose::from_position(DVec3::new(0.0, 0.0, 10.0)));
//! ball.collisions.push(CollisionSpec {
//!     name: "ball".to_owned(),
//!     pose: Pose::IDENTITY,
//!     shape: CollisionShape::Sphere { radius: 0.5 },
//!     surface: Surface::default(),
//! });
//! let model = ModelSpec { name: "ball".to_owned(), links: vec![ball], ..ModelSpec::default() };
//!
//! let mut physics = Physics::new(Settings::default())?;
//! let added = physics.add_model(&model)?;
//! physics.step()?;
//! let pose = physics.link_pose(added.links[0]).expect("the model is there");
//! assert!(pose.position.z < 10.0);
//! # Ok::<(), bridgehead_physics::PhysicsError>(())
//! ```

pub mod rays;
pub mod table;

mod add;
mod assemble;
mod attach;
mod check;
mod contact;
mod coupling;
mod decompose;
mod error;
mod extent;
mod extreme;
mod gear;
mod hash;
mod id;
mod inertia;
mod joint;
mod kinematic;
mod link;
mod motor;
mod parts;
mod reaction;
mod runtime_joint;
mod settings;
mod shape;
mod simple_shape;
mod space;
mod spec;
mod sunken;
mod surface_motion;
mod teleport;
#[cfg(test)]
mod tests;
mod velocity;
mod world;

pub use bridgehead_dynamics::SoftStop;
pub use contact::Contact;
pub use decompose::{Decomposition, convex_parts};
pub use error::{PhysicsError, ShapeError};
pub use id::{CollisionId, JointId, LinkId, ModelId};
pub use motor::JointCommand;
pub use settings::{OVERLAP_SPEED, Settings};
pub use shape::hull_volume;
pub use space::Space;
pub use spec::{
    AxisSpec, BuiltShape, CollisionShape, CollisionSpec, DirectionalFriction, Inertial, JointKind, JointSpec,
    LinkSpec, MimicSpec, ModelSpec, Patch, Surface, Torsion,
};
pub use sunken::Sunken;
pub use surface_motion::SurfaceMotion;
pub use velocity::{LinkCursor, LinkMotion, Velocity};
pub use world::{AddedModel, Physics};
