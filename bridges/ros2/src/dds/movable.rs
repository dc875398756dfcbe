//! Endpoints that move to another participant of their node while they are used, and their entry in a participant.
//!
//! An endpoint moves in four steps: it opens a second one in the other participant; peers discover it; it is used from
//! then on; the first one is closed. A reader receives through both from the first step to the last.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::Result;

use super::graph::Graph;
use super::guid::Guid;
use super::participant::Participant;
use crate::lock::lock;

/// A writer or reader.
pub(super) trait Movable: Send + Sync {
    /// Opens the second endpoint.
    ///
    /// # Errors
    /// Returns an error if `rustdds` cannot create it.
    fn open_other(self: Arc<Self>, to: &Arc<Participant>) -> Result;

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
#[derive(Default)]
pub(super) struct Endpoints(Mutex<HashMap<Guid, Weak<dyn Movable>>>);

impl Endpoints {
    /// Returns all that still exist.
    pub(super) fn all(&self) -> Vec<Weak<dyn Movable>> {
        lock(&self.0).values().filter(|endpoint| endpoint.strong_count() > 0).cloned().collect()
    }
}

/// The entry of an endpoint in the lists of its participant, until it is dropped. It keeps the participant open.
pub(super) struct Entry {
    guid: Guid,
    participant: Arc<Participant>,
}

impl Entry {
    /// Adds an endpoint to the lists.
    pub(super) fn new(guid: Guid, participant: &Arc<Participant>, list: fn(&Graph, Guid)) -> Self {
        participant.count_created();
        participant.core.change_graph(|graph| list(graph, guid));
        Entry { guid, participant: Arc::clone(participant) }
    }

    /// Registers the endpoint, so that it can be moved.
    pub(super) fn register(&self, endpoint: Weak<dyn Movable>) {
        lock(&self.participant.core.endpoints.0).insert(self.guid, endpoint);
    }

    pub(super) fn guid(&self) -> Guid {
        self.guid
    }

    pub(super) fn participant(&self) -> &Arc<Participant> {
        &self.participant
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let core = &self.participant.core;
        let removed = lock(&core.endpoints.0).remove(&self.guid);
        drop(removed);
        core.change_graph(|graph| graph.remove(self.guid));
    }
}
