//! The entry of an endpoint in the lists of its participant.

use std::sync::{Arc, Weak};

use super::graph::Graph;
use super::guid::Guid;
use super::movable::Movable;
use super::participant::Participant;

/// The entry of an endpoint in the lists of its participant, until it is dropped. It keeps the participant open.
pub(super) struct Entry {
    guid: Guid,
    participant: Arc<Participant>,
}

impl Entry {
    /// Adds an endpoint to the lists.
    pub(super) fn new(guid: Guid, participant: &Arc<Participant>, list: fn(&Graph, Guid)) -> Self {
        participant.count_created();
        participant.state.change_graph(|graph| list(graph, guid));
        Entry { guid, participant: Arc::clone(participant) }
    }

    /// Registers the endpoint, so that it can be moved.
    pub(super) fn register(&self, endpoint: Weak<dyn Movable<Participant>>) {
        self.participant.endpoints.insert(self.guid, endpoint);
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
        self.participant.endpoints.remove(self.guid);
        self.participant.state.change_graph(|graph| graph.remove(self.guid));
    }
}
