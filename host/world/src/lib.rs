//! The world of a run: its entities by name, physics, and what sensors see.
//!
//! It is built once from a resolved SDF world and belongs to the simulation thread. Plugins access it through `api`.
//! Their commands are queued here and applied before the next physics step, in the order of the plugins, so that the
//! result does not depend on threads.

mod actor;
mod attachment;
mod auto_inertia;
mod bond;
mod bounds;
mod build;
mod command;
mod command_queue;
mod convert;
mod convex_cache;
mod drawn_shapes;
mod dynamics;
mod edit;
mod enclosed;
pub mod entities;
mod entity;
mod floor;
mod joint;
mod joint_facts;
mod link_poses;
mod listing;
mod markers;
mod moved_link;
pub mod names;
mod occupancy;
mod origin;
mod plausible;
mod populate;
mod ray_casts;
mod rigid;
pub mod save;
mod sight;
mod slot;
mod snapshot;
mod solid;
mod step;
mod surroundings;
mod world;

pub use actor::model_of as actor_model;
pub use attachment::{Attachment, CollisionFacts, JointFacts, LinkFacts};
pub use build::{BuildError, BuildOptions, Built, build, build_within};
pub use command::{CommandError, WorldCommand};
pub use dynamics::BodyFacts;
pub use edit::Spawn;
pub use enclosed::{Level, Part as VolumePart};
pub use entities::text::reading_budget;
pub use entity::{EntityState, ModelEntity};
pub use floor::{FLOOR, add_floor};
pub use listing::{OPTICAL_FRAME, period_ns};
pub use markers::{SceneMarkers, of_model as markers_of};
pub use occupancy::Grid;
pub use sight::RayQuery;
pub use slot::{ModelSlots, PluginSlot, RAYS, SlotKind, VISUALS};
pub use snapshot::{RestoreError, Snapshot};
pub use surroundings::Surroundings;
pub use world::{ContactPoint, JointState, LinkState, World};

#[cfg(test)]
mod tests;
