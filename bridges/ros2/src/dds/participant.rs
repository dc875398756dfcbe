//! One participant of a DDS domain, with its thread. Writers and readers belong to one.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::thread::JoinHandle;

use bridgehead_plugin_api::Result;
use bridgehead_ros2_node::lock::lock;

use super::guid::Guid;
use super::movable::{Endpoints, Movable};
use super::node::NodeState;
use super::options::{Node, ParticipantOptions};
use super::participant_state::ParticipantState;
use super::peers::Peer;
use super::raw_participant::{DDS, failed};
use super::receive;
use super::signal::Signal;

/// One participant. It leaves its domain when it and everything it created is dropped.
pub struct Participant {
    pub(super) state: Arc<ParticipantState>,
    /// Its writers and readers.
    pub(super) endpoints: Endpoints<Participant>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// Number of endpoints that it has created.
    created: AtomicU32,
}

impl Participant {
    /// Joins a domain. Takes some tens of milliseconds.
    ///
    /// # Errors
    /// Returns an error if ports of the domain are not available or its thread cannot be started.
    pub fn open(options: &ParticipantOptions) -> Result<Arc<Self>> {
        Self::join(options, options.node.clone(), &Arc::default())
    }

    /// Opens a participant that lists its endpoints under `name`. The first participant of a node lists those of all.
    /// They do not discover each other.
    ///
    /// # Errors
    /// Like [`Participant::open`].
    pub(super) fn join(options: &ParticipantOptions, name: Node, node: &Arc<NodeState>) -> Result<Arc<Self>> {
        let (state, received) = ParticipantState::join(options, name, node)?;
        let participant = Participant {
            state: Arc::clone(&state),
            endpoints: Endpoints::default(),
            thread: Mutex::default(),
            created: AtomicU32::new(0),
        };
        let thread = std::thread::Builder::new()
            .name("ros2-receive".to_owned())
            .spawn(move || receive::run(&state, &received))
            .map_err(|error| failed("the receiving thread cannot be started", &error))?;
        *lock(&participant.thread) = Some(thread);
        participant.state.signals.send(Signal::Graph);
        Ok(Arc::new(participant))
    }

    /// Returns how many endpoints it has created, those that were dropped since included.
    pub(super) fn created(&self) -> u32 {
        self.created.load(Ordering::Relaxed)
    }

    pub(super) fn count_created(&self) {
        self.created.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the endpoints that it has.
    pub(super) fn endpoints(&self) -> Vec<Weak<dyn Movable<Participant>>> {
        self.endpoints.all()
    }

    /// Ignores new remote participants from now on, or no longer.
    pub(super) fn ignore_new(&self, ignores: bool) {
        self.state.peers.ignore_new(ignores);
    }

    /// Gives it the name of the node and the list of all endpoints.
    pub(super) fn lead(&self) {
        self.state.lead();
    }

    /// Returns how many remote endpoints have departed since it was opened.
    pub(super) fn departed(&self) -> u32 {
        self.state.peers.departed()
    }

    /// Returns its address.
    #[must_use]
    pub fn guid(&self) -> Guid {
        self.state.guid()
    }

    /// Returns what is known about a remote reader. Does not wait for it.
    #[must_use]
    pub fn known_reader(&self, guid: Guid) -> Option<Peer> {
        self.state.peers.reader(guid, self.state.raw.dds())
    }

    /// Returns what is known about a remote writer. Does not wait for it.
    #[must_use]
    pub fn known_writer(&self, guid: Guid) -> Option<Peer> {
        self.state.peers.writer(guid, self.state.raw.dds())
    }
}

impl Drop for Participant {
    fn drop(&mut self) {
        self.state.signals.send(Signal::Stop);
        let thread = lock(&self.thread).take();
        // A handler may hold the last reference: a thread that joins itself never ends.
        let others = thread.filter(|thread| thread.thread().id() != std::thread::current().id());
        if others.is_some_and(|thread| thread.join().is_err()) {
            log::error!("[{DDS}] the receiving thread has panicked");
        }
        self.state.close_graph();
    }
}
