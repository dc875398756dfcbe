//! Rigid-body dynamics: trees of joints in reduced coordinates, single bodies, contacts, and the solver of both.
//!
//! [`World`] is the whole interface. It knows bodies, joints and shapes by index, and nothing of models, names or files;
//! the crate `bridgehead-physics` gives it the terms of SDF. Shapes and their contact points are parry's.
//!
//! | type | meaning |
//! |---|---|
//! | [`World`] | bodies and what connects them; [`World::step`] |
//! | [`TreeSpec`], [`LinkSpec`], [`Joint`] | a tree of links, each with a joint to its parent |
//! | [`Equations`] | its mass matrix, bias forces and accelerations |
//! | [`Axis`], [`Motor`] | what acts along one axis of a joint |
//! | [`ConstraintSpec`], [`Coupling`] | joints between bodies of any kind, and axes that follow others |
//! | [`ColliderSpec`], [`Surface`], [`Filter`] | a shape of a body, its friction, and what it touches |
//!
//! Units are metres, kilograms, seconds, newtons and radians; vectors are in world axes unless they say otherwise.
//!
//! Determinism: the state is a function of the calls and their order, bit by bit, on every machine and in every build. A
//! world that was serialized and read back continues as the first one.

mod axis;
mod block;
mod body;
mod collide;
mod collider;
mod constraint;
mod contacts;
mod four;
mod lanes;
mod math;
mod narrow;
mod pair;
mod report;
mod rest;
mod rows;
mod slots;
mod solver;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod tree;
mod world;

pub use axis::{Axis, Motor, SoftStop};
pub use collider::{Belt, ColliderSpec, Directional, Filter, Surface, Torsion};
pub use constraint::{AxisId, ConstraintSpec, Coupling, Free};
pub use rapier3d_f64::math::Pose;
pub use report::ContactPoint;
pub use tree::{Equations, Joint, LinkSpec, Mass, TreeSpec, TreeState};
pub use world::{Settings, World};
