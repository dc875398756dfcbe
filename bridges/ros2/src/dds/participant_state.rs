//! What the thread of a participant, its writers and its readers share.

use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use bridgehead_plugin_api::Result;

use super::graph::Graph;
use super::guard::GuardedParticipant;
use super::guid::Guid;
use super::node::NodeState;
use super::options::{Node, ParticipantOptions};
use super::peers::Peers;
use super::raw_participant::RawParticipant;
use super::resend_request::ResendRequests;
use super::signal::{Signal, Signals};

/// State that writers and readers keep alive.
pub(super) struct ParticipantState {
    pub(super) peers: Peers,
    pub(super) signals: Signals,
    pub(super) resend_requests: ResendRequests,
    /// The list of its endpoints. The node counts on it that nobody else keeps it alive.
    graph: Arc<Graph>,
    node: Arc<NodeState>,
    /// Last, so that it is dropped after everything it created.
    pub(super) raw: RawParticipant,
}

impl ParticipantState {
    /// Joins a domain, and returns the tasks of the thread too. The participant lists its endpoints under `name`.
    ///
    /// # Errors
    /// Returns an error if ports of the domain are not available.
    pub(super) fn join(
        options: &ParticipantOptions,
        name: Node,
        node: &Arc<NodeState>,
    ) -> Result<(Arc<Self>, Receiver<Signal>)> {
        let guarded = GuardedParticipant::new(&options.network, &node.siblings);
        let raw = RawParticipant::join(options, &guarded)?;
        let (signals, received) = Signals::new();
        let graph = Arc::new(Graph::new(name, options.gid, raw.guid(), signals.clone()));
        graph.open(&raw)?;
        node.lead_if_none_does(&graph);
        let state = ParticipantState {
            peers: Peers::new(raw.guid(), options.domain, guarded, &node.logged),
            signals,
            resend_requests: ResendRequests::default(),
            graph,
            node: Arc::clone(node),
            raw,
        };
        Ok((Arc::new(state), received))
    }

    /// Returns its address.
    pub(super) fn guid(&self) -> Guid {
        self.raw.guid()
    }

    /// Returns the places that departed endpoints have left in the limit of announcements.
    #[cfg(test)]
    pub(super) fn places(&self) -> u32 {
        self.peers.places()
    }

    /// Publishes the list of its endpoints. Returns false if that must be tried again.
    pub(super) fn publish_graph(&self) -> bool {
        self.graph.publish()
    }

    /// Changes the list of the endpoints of this participant, and the list of all of the node.
    pub(super) fn change_graph(&self, change: impl Fn(&Graph)) {
        self.node.change(&self.graph, change);
    }

    /// Stops publishing the list of its endpoints.
    pub(super) fn close_graph(&self) {
        self.graph.close();
    }

    /// Takes the name of the node and the list of all endpoints.
    pub(super) fn lead(&self) {
        self.node.hand_lead_to(&self.graph);
    }

    /// Reports that remote endpoints have departed.
    pub(super) fn note_departure(&self) {
        self.node.note_departed(self.peers.departed());
    }

    /// Sends the resend requests that are due and returns when the next one is.
    pub(super) fn request_resends(&self) -> Option<Instant> {
        for (writer, reader) in self.resend_requests.due() {
            self.raw.request_resend(writer, reader);
        }
        self.resend_requests.next()
    }
}
