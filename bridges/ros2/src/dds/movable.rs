//! Endpoints that move to another participant of their node while they are used. `P` is the participant.
//!
//! An endpoint moves in four steps: it opens a second one in the other participant; peers discover it; it is used from
//! then on; the first one is closed. A reader receives through both from the first step to the last.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::Result;
use bridgehead_ros2_node::lock::lock;

use super::guid::Guid;

/// A writer or reader.
pub(super) trait Movable<P>: Send + Sync {
    /// Opens the second endpoint.
    ///
    /// # Errors
    /// Returns an error if `rustdds` cannot create it.
    fn open_other(self: Arc<Self>, to: &Arc<P>) -> Result;

    /// Returns the remote endpoints with which the one that is used is matched.
    fn matched(&self) -> HashSet<Guid>;

    /// Returns the remote endpoints with which the second one is matched.
    fn other_matched(&self) -> HashSet<Guid>;

    /// Sends the readers of the second one its first heartbeat: a reader of Cyclone DDS skips the samples that its first
    /// heartbeat names.
    fn send_first_heartbeats(&self);

    /// Swaps the two: the second one is used from now on. Writes wait meanwhile, for a tenth of a second at most, after
    /// those in progress.
    fn swap(&self);

    /// Returns whether the readers of the second one have all that was written to it. Does not wait.
    fn has_other_delivered(&self) -> bool;

    /// Closes the second one.
    fn close_other(&self);
}

/// The endpoints of a participant.
pub(super) struct Endpoints<P>(Mutex<HashMap<Guid, Weak<dyn Movable<P>>>>);

impl<P> Default for Endpoints<P> {
    fn default() -> Self {
        Endpoints(Mutex::default())
    }
}

impl<P> Endpoints<P> {
    /// Returns all that still exist.
    pub(super) fn all(&self) -> Vec<Weak<dyn Movable<P>>> {
        lock(&self.0).values().filter(|endpoint| endpoint.strong_count() > 0).cloned().collect()
    }

    pub(super) fn insert(&self, guid: Guid, endpoint: Weak<dyn Movable<P>>) {
        lock(&self.0).insert(guid, endpoint);
    }

    pub(super) fn remove(&self, guid: Guid) {
        let removed = lock(&self.0).remove(&guid);
        drop(removed);
    }
}
