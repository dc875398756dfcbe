//! The saved state of an instance. Plain values.

use serde::{Deserialize, Serialize};

use crate::bus::SavedMessage;

/// One instance in a snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PluginState {
    /// Name of the instance.
    pub label: String,
    /// Name of its plugin.
    pub plugin: String,
    /// State written by the plugin; `None` if it has no state, or if saving failed.
    pub(super) state: Option<Vec<u8>>,
    /// Messages not taken yet, by subscription.
    pub(super) waiting: Vec<Waiting>,
}

/// Messages of one subscription.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Waiting {
    pub(super) topic: String,
    pub(super) type_name: String,
    pub(super) messages: Vec<SavedMessage>,
}
