//! Changes of the set of entities by plugin commands. Plain values.

use bridgehead_sdf::resolved::Model;

use crate::slot::ModelSlots;

/// Entities spawned and removed by plugin commands in a step, for the owner of plugins and bridges.
#[derive(Debug, Default)]
pub struct EntityChanges {
    /// Spawned models.
    pub spawned: Vec<Spawned>,
    /// Indices of removed models.
    pub removed: Vec<usize>,
}

impl EntityChanges {
    /// Returns true if nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spawned.is_empty() && self.removed.is_empty()
    }
}

/// A spawned entity, with the plugin slots of its elements.
#[derive(Clone, Debug)]
pub struct Spawned {
    /// Index of the model.
    pub model: usize,
    /// Its plugins.
    pub slots: ModelSlots,
    /// The model.
    pub source: Box<Model>,
}
