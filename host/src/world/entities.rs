//! What is done to entities between two steps: they come, go, move and are described at once, unlike what plugins
//! command, which waits for the next step.
//!
//! Everything here runs on the simulation thread. What an entity's plugins and bridges need besides is done by `sim`.

mod error;
mod info;
mod motion;
mod poses;
mod region;
mod remove;
mod room;
mod shape;
mod spawn;
mod state;

pub use error::{DeleteError, InfoError, PoseError, RegionError, SpawnError, StateError};
pub(super) use motion::Watch;
pub use motion::{Acceleration, Motion, Standing};
pub use poses::NamedPose;
pub use region::Region;
pub use room::room_of;
pub use shape::{BoundingSphere, Bounds};
pub(super) use spawn::{Parsed, parse_model};
pub use spawn::{SpawnRequest, SpawnSource, Spawned};
pub use state::{StateChange, Twist};

/// What came and went in a step by command of plugins: whoever keeps plugins and bridges follows.
#[derive(Debug, Default)]
pub struct News {
    /// Models that came.
    pub arrived: Vec<Spawned>,
    /// Indices of models that went.
    pub departed: Vec<usize>,
}

impl News {
    /// Whether nothing came or went.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.arrived.is_empty() && self.departed.is_empty()
    }
}

impl super::World {
    /// Whether something came or went by command since it was taken last.
    #[must_use]
    pub fn has_news(&self) -> bool {
        !self.news.is_empty()
    }

    /// Takes what came and went by command since the last call; `None`, at no cost, where nothing did.
    pub fn take_news(&mut self) -> Option<News> {
        (!self.news.is_empty()).then(|| std::mem::take(&mut self.news))
    }

    /// Index of the entity of that name, where it stands in the world.
    #[must_use]
    pub fn find_entity(&self, name: &str) -> Option<usize> {
        self.models.iter().find(|(_, model)| model.is_present && model.name == name).map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests;
