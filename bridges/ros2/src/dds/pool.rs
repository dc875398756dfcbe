//! The participants of one node. Endpoints that come and go get a new participant from time to time, and endpoints that
//! stay move to a new one.
//!
//! `rustdds` keeps the last 8,192 announcements of a participant, those of endpoints that are gone too. Older ones are
//! lost to peers that join later, even if their endpoints still exist. So a participant creates a limited number of
//! endpoints, and is closed with the last of them, which frees its announcements.
//!
//! It also keeps something of each remote endpoint that was ever announced to a participant. So a participant that many
//! remote endpoints have left is renewed ([`renewal`]): its endpoints move to a new participant, and it is closed.
//!
//! The first participant, or the one that has replaced it, has the name of the node and lists the endpoints of all. The
//! others list their own under a hidden name (`_bridgehead_2`), since a name that is listed twice is a conflict in ROS 2.

mod renewal;

use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use bridgehead_plugin_api::Result;

use super::node::NodeState;
use super::options::{Node, ParticipantOptions};
use super::participant::Participant;
use crate::lock::lock;
use renewal::{Renewal, Times};

/// When another participant takes over.
#[derive(Clone, Copy)]
struct Limits {
    /// Endpoints that a participant creates until then.
    endpoints: u32,
    /// Most participants at a time, except during a renewal. Beyond that, the one that has created the fewest endpoints
    /// creates further ones.
    participants: usize,
    /// Remote endpoints that may depart before a participant is renewed.
    departed: u32,
    times: Times,
}

/// 256 endpoints are those of some forty vehicles: a small run needs one participant, and the announcements of one need
/// less than half a megabyte. Each participant has a port of its domain, three threads and some ten descriptors; 16 of
/// them can create tens of thousands of endpoints before announcements are lost. `rustdds` keeps some 2 KB of each
/// remote endpoint, so 512 keep one megabyte.
const LIMITS: Limits = Limits {
    endpoints: 256,
    participants: 16,
    departed: 512,
    times: Times {
        last_joining: Duration::from_secs(1),
        discovery: Duration::from_secs(60),
        settling: Duration::from_secs(5),
        late_requests: Duration::from_secs(5),
        acknowledgments: Duration::from_secs(10),
        before_close: Duration::from_millis(500),
        interval: Duration::from_secs(30),
    },
};

/// The participants of one node.
pub struct ParticipantPool {
    inner: Arc<Inner>,
}

struct Inner {
    options: ParticipantOptions,
    limits: Limits,
    node: Arc<NodeState>,
    state: Mutex<State>,
    renewal: Renewal,
}

struct State {
    /// Has the name of the node.
    lead: Arc<Participant>,
    /// Creates the next endpoints.
    current: Arc<Participant>,
    /// How many it has created when another one takes over.
    until: u32,
    /// All that are open.
    all: Vec<Weak<Participant>>,
    /// How many have been opened.
    opened: u32,
}

impl ParticipantPool {
    /// Opens the first participant.
    ///
    /// # Errors
    /// Like [`Participant::open`].
    pub fn open(options: ParticipantOptions) -> Result<Self> {
        Self::with_limits(options, LIMITS)
    }

    fn with_limits(options: ParticipantOptions, limits: Limits) -> Result<Self> {
        let node = Arc::new(NodeState::default());
        let first = Participant::join(&options, options.node.clone(), &node)?;
        let all = vec![Arc::downgrade(&first)];
        let until = limits.endpoints;
        let state = State { current: Arc::clone(&first), lead: first, until, all, opened: 1 };
        let renewal = Renewal::default();
        let inner = Arc::new(Inner { options, limits, node, state: Mutex::new(state), renewal });
        let weak = Arc::downgrade(&inner);
        inner.node.set_on_departure(Box::new(move |departed| {
            if let Some(inner) = weak.upgrade() {
                inner.renew_if_due(departed);
            }
        }));
        Ok(ParticipantPool { inner })
    }

    /// Returns the options of its participants.
    #[must_use]
    pub fn options(&self) -> &ParticipantOptions {
        &self.inner.options
    }

    /// Returns the participant that creates the next endpoints. May take some tens of milliseconds. Endpoints that
    /// belong together, such as those of a service, are created by the same one.
    #[must_use]
    pub fn participant(&self) -> Arc<Participant> {
        self.inner.participant()
    }
}

impl Drop for ParticipantPool {
    fn drop(&mut self) {
        self.inner.renewal.end();
    }
}

impl Inner {
    fn participant(&self) -> Arc<Participant> {
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
            match self.open(state) {
                Ok(participant) => return participant,
                Err(error) => log::warn!("{error}; the open participants create further endpoints"),
            }
        }
        let open = state.all.iter().filter_map(Weak::upgrade);
        open.min_by_key(|participant| participant.created()).unwrap_or_else(|| Arc::clone(&state.lead))
    }

    fn open(&self, state: &mut State) -> Result<Arc<Participant>> {
        let name = hidden(&self.options.node, state.opened + 1);
        let participant = Participant::join(&self.options, name, &self.node)?;
        state.opened += 1;
        state.forget_closed();
        state.all.push(Arc::downgrade(&participant));
        Ok(participant)
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

#[cfg(test)]
mod tests;
