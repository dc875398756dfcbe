//! The world beyond the instance's own links: where it stands, what else is in it, what touches what, what
//! joints transmit, and changes of what it consists of.

mod contacts;
mod dynamics;
mod edit;
mod entities;
mod environment;
mod joints;
mod kinematics;

pub use contacts::{Collision, CollisionId, Contact, Contacts};
pub use dynamics::{Body, Dynamics, SurfaceMotion, Surfaces, Volume};
pub use edit::{Bond, Spawn, WorldEdit};
pub use entities::{Entities, Entity, EntityId};
pub use environment::{Environment, Origin, Surroundings};
pub use joints::{JointFrame, JointWrench, Joints};
pub use kinematics::Kinematics;
