//! Operations on entities between two steps: spawn, delete, move and describe. They take effect at once; commands of
//! plugins wait for the next step.
//!
//! Simulation thread only. `sim` handles the plugins and bridges of the entities.

pub(super) mod acceleration;
pub(super) mod changes;
mod error;
mod info;
mod model_bounds;
mod motion;
pub(super) mod named_pose;
mod poses;
mod region;
mod remove;
mod shape;
mod spawn;
mod state;
pub(super) mod text;

pub use acceleration::Acceleration;
pub use changes::{EntityChanges, Spawned};
pub use error::{DeleteError, InfoError, PoseError, RegionError, SpawnError, StateError};
pub use model_bounds::bounds_of_source;
pub use motion::{EntityCursor, Motion};
pub use named_pose::NamedPose;
pub use region::Region;
pub use shape::{BoundingSphere, Bounds};
pub use spawn::{Placement, PreparedModel, SpawnKit, SpawnRequest};
pub use state::{StateChange, Twist};
pub use text::SpawnSource;

#[cfg(test)]
mod tests;
