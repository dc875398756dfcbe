//! The open participants of a node: which one leads, and which one creates the next endpoints.

use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::Result;
use bridgehead_ros2_node::lock::lock;

use crate::dds::node::NodeState;
use crate::dds::options::{Node, ParticipantOptions};
use crate::dds::participant::Participant;

/// When another participant takes over.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Endpoints that a participant creates until then.
    pub(super) endpoints: u32,
    /// Most participants at a time, except during a renewal. Beyond that, the one that has created the fewest endpoints
    /// creates further ones.
    pub(super) participants: usize,
}

/// The open participants of a node. Usable from any thread.
pub(super) struct OpenParticipants {
    options: ParticipantOptions,
    limits: Limits,
    node: Arc<NodeState>,
    pub(super) state: Mutex<State>,
}

pub(super) struct State {
    /// Has the name of the node.
    pub(super) lead: Arc<Participant>,
    /// Creates the next endpoints.
    current: Arc<Participant>,
    /// How many it has created when another one takes over.
    until: u32,
    /// All that are open.
    pub(super) all: Vec<Weak<Participant>>,
    /// How many have been opened.
    opened: u32,
}

impl OpenParticipants {
    /// Opens the first one.
    ///
    /// # Errors
    /// Like [`Participant::open`].
    pub(super) fn new(options: ParticipantOptions, limits: Limits) -> Result<Self> {
        let node = Arc::new(NodeState::default());
        let first = Participant::join(&options, options.node.clone(), &node)?;
        let all = vec![Arc::downgrade(&first)];
        let until = limits.endpoints;
        let state = State { current: Arc::clone(&first), lead: first, until, all, opened: 1 };
        Ok(OpenParticipants { options, limits, node, state: Mutex::new(state) })
    }

    /// Returns their options.
    pub(super) fn options(&self) -> &ParticipantOptions {
        &self.options
    }

    /// Returns what they share.
    pub(super) fn node(&self) -> &NodeState {
        &self.node
    }

    /// Returns all that are open.
    pub(super) fn open(&self) -> Vec<Arc<Participant>> {
        // The caller drops them after the lock: one of them may be closed by that.
        lock(&self.state).all.iter().filter_map(Weak::upgrade).collect()
    }

    /// Returns the one that creates the next endpoints.
    pub(super) fn current(&self) -> Arc<Participant> {
        let mut state = lock(&self.state);
        if state.current.created() < state.until {
            return Arc::clone(&state.current);
        }
        let next = self.next(&mut state);
        state.until = next.created() + self.limits.endpoints;
        let replaced = std::mem::replace(&mut state.current, Arc::clone(&next));
        drop(state);
        // Closes it if it has no endpoints any more: not while others wait.
        drop(replaced);
        next
    }

    /// Opens a participant, or returns the open one that has created the fewest endpoints.
    fn next(&self, state: &mut State) -> Arc<Participant> {
        state.forget_closed();
        if state.all.len() < self.limits.participants {
            match self.open_another(state) {
                Ok(participant) => return participant,
                Err(error) => log::warn!("{error}; the open participants create further endpoints"),
            }
        }
        let open = state.all.iter().filter_map(Weak::upgrade);
        open.min_by_key(|participant| participant.created()).unwrap_or_else(|| Arc::clone(&state.lead))
    }

    fn open_another(&self, state: &mut State) -> Result<Arc<Participant>> {
        let name = hidden(&self.options.node, state.opened + 1);
        let participant = Participant::join(&self.options, name, &self.node)?;
        state.opened += 1;
        state.forget_closed();
        state.all.push(Arc::downgrade(&participant));
        Ok(participant)
    }

    /// Opens the participant to which the endpoints of another one move. It creates the next endpoints if the other one
    /// did so.
    ///
    /// # Errors
    /// Like [`Participant::open`].
    pub(super) fn open_successor(&self, old: &Arc<Participant>) -> Result<Arc<Participant>> {
        let mut state = lock(&self.state);
        let new = self.open_another(&mut state)?;
        if Arc::ptr_eq(&state.current, old) {
            let moving = u32::try_from(old.endpoints().len()).unwrap_or(u32::MAX);
            state.until = moving.saturating_add(self.limits.endpoints);
            state.current = Arc::clone(&new);
        }
        Ok(new)
    }

    /// Lets the new participant lead if the old one did.
    pub(super) fn hand_lead(&self, old: &Arc<Participant>, new: &Arc<Participant>) {
        let mut state = lock(&self.state);
        if Arc::ptr_eq(&state.lead, old) {
            new.lead();
            state.lead = Arc::clone(new);
        }
    }
}

impl State {
    fn forget_closed(&mut self) {
        self.all.retain(|participant| participant.strong_count() > 0);
    }
}

/// Returns the node under which a further participant lists its endpoints.
fn hidden(node: &Node, number: u32) -> Node {
    Node { namespace: node.namespace.clone(), name: format!("_{}_{number}", node.name) }
}
