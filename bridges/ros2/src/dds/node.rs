//! What the participants of one node share.

use std::sync::{Arc, Mutex, OnceLock, Weak};

use bridgehead_ros2_node::lock::lock;

use super::graph::Graph;
use super::guard::Siblings;
use super::logged::Logged;

/// Called when remote endpoints have departed, with the number of those that one participant has seen depart.
type OnDeparture = Box<dyn Fn(u32) + Send + Sync>;

/// Shared by the participants of one node.
#[derive(Default)]
pub(super) struct NodeState {
    pub(super) siblings: Arc<Siblings>,
    pub(super) logged: Arc<Logged>,
    /// The list of the participant that has the name of the node: it contains the endpoints of all.
    lead: Mutex<Weak<Graph>>,
    on_departure: OnceLock<OnDeparture>,
}

impl NodeState {
    /// Calls `on_departure` from now on, on the thread of a participant. It must not wait.
    pub(super) fn set_on_departure(&self, on_departure: OnDeparture) {
        // Set by the only owner.
        drop(self.on_departure.set(on_departure));
    }

    /// Reports how many remote endpoints a participant has seen depart.
    pub(super) fn note_departed(&self, departed: u32) {
        if let Some(on_departure) = self.on_departure.get() {
            on_departure(departed);
        }
    }

    /// Changes the list of a participant, and the list of all.
    pub(super) fn change(&self, graph: &Graph, change: impl Fn(&Graph)) {
        // Held until both are changed, so that no endpoint is missing in a list that another participant takes over.
        let lead = lock(&self.lead);
        graph.change(&change);
        if let Some(lead) = lead.upgrade().filter(|lead| !std::ptr::eq(&raw const **lead, graph)) {
            lead.change(&change);
        }
    }

    /// Makes the first participant of the node the one that lists the endpoints of all.
    pub(super) fn lead_if_none_does(&self, graph: &Arc<Graph>) {
        let mut lead = lock(&self.lead);
        if lead.strong_count() == 0 {
            *lead = Arc::downgrade(graph);
        }
    }

    /// Gives a participant the name of the node and the list of all endpoints.
    pub(super) fn hand_lead_to(&self, graph: &Arc<Graph>) {
        let mut lead = lock(&self.lead);
        if let Some(before) = lead.upgrade() {
            graph.take_over(&before);
        }
        *lead = Arc::downgrade(graph);
    }
}
