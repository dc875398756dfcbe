//! The participants of one node. Endpoints that come and go get a new participant from time to time.
//!
//! `rustdds` keeps the last 8,192 announcements of a participant, those of endpoints that are gone too. Older ones are
//! lost to peers that join later, even if their endpoints still exist. So a participant creates a limited number of
//! endpoints, and is closed with the last of them, which frees its announcements.
//!
//! The first participant, which is there from the beginning to the end, has the name of the node and lists the
//! endpoints of all. The others list their own under a hidden name (`_bridgehead_2`), since a name that is listed
//! twice is a conflict in ROS 2.

use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::Result;

use super::options::{Node, ParticipantOptions};
use super::participant::Participant;
use crate::lock::lock;

/// When another participant takes over.
#[derive(Clone, Copy)]
struct Limits {
    /// Endpoints that a participant creates until then.
    endpoints: u32,
    /// Most participants at a time. Beyond that, the one that has created the fewest endpoints creates further ones.
    participants: usize,
}

/// 256 endpoints are those of some forty vehicles: a small run needs one participant, and the announcements of one need
/// less than half a megabyte. Each participant has a port of its domain, three threads and some ten descriptors; 16 of
/// them can create tens of thousands of endpoints before announcements are lost.
const LIMITS: Limits = Limits { endpoints: 256, participants: 16 };

/// The participants of one node.
pub struct ParticipantPool {
    options: ParticipantOptions,
    limits: Limits,
    /// Has the name of the node.
    first: Arc<Participant>,
    state: Mutex<State>,
}

struct State {
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
        let first = Participant::open(&options)?;
        let state = State {
            current: Arc::clone(&first),
            until: limits.endpoints,
            all: vec![Arc::downgrade(&first)],
            opened: 1,
        };
        Ok(ParticipantPool { options, limits, first, state: Mutex::new(state) })
    }

    /// Returns the options of its participants.
    #[must_use]
    pub fn options(&self) -> &ParticipantOptions {
        &self.options
    }

    /// Returns the participant that creates the next endpoints. May take some tens of milliseconds. Endpoints that
    /// belong together, such as those of a service, are created by the same one.
    #[must_use]
    pub fn participant(&self) -> Arc<Participant> {
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
        state.all.retain(|participant| participant.strong_count() > 0);
        if state.all.len() < self.limits.participants {
            match self.first.open_sibling(&self.options, hidden(&self.options.node, state.opened + 1)) {
                Ok(participant) => {
                    state.opened += 1;
                    state.all.push(Arc::downgrade(&participant));
                    return participant;
                }
                Err(error) => log::warn!("{error}; the open participants create further endpoints"),
            }
        }
        let open = state.all.iter().filter_map(Weak::upgrade);
        open.min_by_key(|participant| participant.created()).unwrap_or_else(|| Arc::clone(&self.first))
    }
}

/// Returns the node under which a further participant lists its endpoints.
fn hidden(node: &Node, number: u32) -> Node {
    Node { namespace: node.namespace.clone(), name: format!("_{}_{number}", node.name) }
}

#[cfg(test)]
mod tests;
