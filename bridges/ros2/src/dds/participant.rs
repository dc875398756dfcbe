//! One participant of a DDS domain, which creates all writers and readers of a bridge.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, Weak};
use std::thread::JoinHandle;
use std::time::Instant;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::{Error, Result};
use rustdds::{DomainParticipant, DomainParticipantBuilder, RTPSEntity, TopicKind};

use super::delivery::Sample;
use super::first_heartbeat;
use super::graph::Graph;
use super::guard::{self, GuardedParticipant};
use super::guid::Guid;
use super::movable::{Endpoints, Movable};
use super::node::NodeState;
use super::options::{Network, Node, ParticipantOptions};
use super::peers::{Peer, Peers};
use super::qos::Qos;
use super::raw;
use super::reader::Reader;
use super::receive::{self, Signal};
use super::resend_request::{self, ResendRequests};
use super::writer::Writer;
use crate::lock::lock;

/// State that writers and readers keep alive.
pub(super) struct Core {
    pub(super) peers: Peers,
    pub(super) endpoints: Endpoints,
    graph: Graph,
    node: Arc<NodeState>,
    signals: Mutex<Sender<Signal>>,
    publisher: rustdds::Publisher,
    subscriber: rustdds::Subscriber,
    network: Network,
    pub(super) resend_requests: ResendRequests,
    /// Last, so that it is dropped after everything it created.
    pub(super) dds: DomainParticipant,
}

impl Core {
    pub(super) fn signals(&self) -> Sender<Signal> {
        lock(&self.signals).clone()
    }

    pub(super) fn signal(&self, signal: Signal) {
        // The receiver is gone once the participant has ended.
        drop(lock(&self.signals).send(signal));
    }

    pub(super) fn guid(&self) -> Guid {
        self.dds.guid().into()
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
        // Held until both are changed, so that no endpoint is missing in a list that another participant takes over.
        let lead = lock(&self.node.lead);
        change(&self.graph);
        self.signal(Signal::Graph);
        if let Some(lead) = lead.upgrade().filter(|lead| !std::ptr::eq(&raw const **lead, self)) {
            change(&lead.graph);
            lead.signal(Signal::Graph);
        }
    }

    /// Takes the name of the node and the list of all endpoints from another participant.
    pub(super) fn take_graph_of(&self, other: &Core) {
        self.graph.take_over(&other.graph);
        self.signal(Signal::Graph);
        other.signal(Signal::Graph);
    }

    /// Reports that remote endpoints have departed.
    pub(super) fn note_departure(&self) {
        self.node.note_departed(self.peers.departed());
    }

    /// Sends the resend requests that are due and returns when the next one is.
    pub(super) fn request_resends(&self) -> Option<Instant> {
        for (writer, reader) in self.resend_requests.due() {
            let known = self.dds.discovered_writers();
            let known =
                known.iter().find(|known| Guid::from(known.writer_proxy.remote_writer_guid) == writer);
            let addresses = known.into_iter().flat_map(|known| &known.writer_proxy.unicast_locator_list);
            resend_request::send(writer, reader, &self.network, addresses.map(|address| (*address).into()));
        }
        self.resend_requests.next()
    }

    /// Sends a remote reader the first heartbeat of a local writer.
    pub(super) fn send_first_heartbeat(&self, writer: Guid, last: i64, reader: Guid) {
        let known = self.dds.discovered_readers();
        let known = known.iter().find(|known| Guid::from(known.reader_proxy.remote_reader_guid) == reader);
        let addresses = known.into_iter().flat_map(|known| &known.reader_proxy.unicast_locator_list);
        first_heartbeat::send(
            writer,
            last,
            reader,
            &self.network,
            addresses.map(|address| (*address).into()),
        );
    }

    fn topic(&self, name: &str, kind: &str, qos: Qos) -> Result<rustdds::Topic> {
        self.dds.create_topic(name.to_owned(), kind.to_owned(), &qos.policies(), TopicKind::NoKey).map_err(
            |error| failed(format_args!("the DDS topic {name} of type {kind} cannot be created"), &error),
        )
    }

    /// Creates a writer that is not listed in `ros_discovery_info`.
    pub(super) fn bare_writer(&self, topic: &str, kind: &str, qos: Qos) -> Result<raw::Writer> {
        self.publisher.create_datawriter_no_key(&self.topic(topic, kind, qos)?, Some(qos.policies())).map_err(
            |error| failed(format_args!("a writer of the DDS topic {topic} cannot be created"), &error),
        )
    }

    pub(super) fn bare_reader(&self, topic: &str, kind: &str, qos: Qos) -> Result<raw::Reader> {
        self.subscriber
            .create_simple_datareader_no_key(&self.topic(topic, kind, qos)?, Some(qos.policies()))
            .map_err(|error| {
                failed(format_args!("a reader of the DDS topic {topic} cannot be created"), &error)
            })
    }
}

/// One participant. It leaves its domain when it and everything it created is dropped.
pub struct Participant {
    pub(super) core: Arc<Core>,
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
        let guarded = GuardedParticipant::new(&options.network, &node.siblings);
        let dds = build(options, &guarded).map_err(|error| {
            failed(format_args!("the domain {} cannot be joined", options.domain), &error)
        })?;
        let (signals, received) = channel();
        let core = Arc::new(Core {
            peers: Peers::new(dds.guid().into(), options.domain, guarded, &node.logged),
            endpoints: Endpoints::default(),
            graph: Graph::new(name, options.gid, dds.guid().into()),
            node: Arc::clone(node),
            signals: Mutex::new(signals),
            publisher: dds
                .create_publisher(&Qos::DEFAULT.policies())
                .map_err(|error| failed("the publisher cannot be created", &error))?,
            subscriber: dds
                .create_subscriber(&Qos::DEFAULT.policies())
                .map_err(|error| failed("the subscriber cannot be created", &error))?,
            network: options.network.clone(),
            resend_requests: ResendRequests::default(),
            dds,
        });
        core.graph.open(&core)?;
        node.lead_if_none_does(&core);
        let participant =
            Participant { core: Arc::clone(&core), thread: Mutex::default(), created: AtomicU32::new(0) };
        let thread = std::thread::Builder::new()
            .name("ros2-receive".to_owned())
            .spawn(move || receive::run(&core, &received))
            .map_err(|error| failed("the receiving thread cannot be started", &error))?;
        *lock(&participant.thread) = Some(thread);
        participant.core.signal(Signal::Graph);
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
    pub(super) fn endpoints(&self) -> Vec<Weak<dyn Movable>> {
        self.core.endpoints.all()
    }

    /// Ignores new remote participants from now on, or no longer.
    pub(super) fn ignore_new(&self, ignores: bool) {
        self.core.peers.ignore_new(ignores);
    }

    /// Returns how many remote endpoints have departed since it was opened.
    pub(super) fn departed(&self) -> u32 {
        self.core.peers.departed()
    }

    /// Returns its address.
    #[must_use]
    pub fn guid(&self) -> Guid {
        self.core.guid()
    }

    /// Creates a writer of a DDS topic (`rt/scan`) and type (`sensor_msgs::msg::dds_::LaserScan_`). Peers discover it
    /// at once; samples written before they have responded are lost to them unless the writer is transient local.
    ///
    /// Local endpoints announce no user data, since `rustdds` cannot send it. Cyclone peers then match services by
    /// name alone.
    ///
    /// # Errors
    /// Returns an error if `rustdds` cannot create it.
    pub fn writer(self: &Arc<Self>, topic: &str, kind: &str, qos: Qos) -> Result<Writer> {
        Writer::new(self, topic, kind, qos)
    }

    /// Creates a reader. `handler` runs on the thread of the participant, for one sample at a time, and on those of both
    /// participants while the reader moves to another one; it must not wait for long or drop its own reader. Samples
    /// written before the reader was created are received only if it is transient local.
    ///
    /// # Errors
    /// Returns an error if `rustdds` cannot create it.
    pub fn reader(
        self: &Arc<Self>,
        topic: &str,
        kind: &str,
        qos: Qos,
        handler: impl FnMut(Sample) + Send + 'static,
    ) -> Result<Reader> {
        Reader::new(self, topic, kind, qos, Box::new(handler))
    }

    /// Returns what is known about a remote reader. Does not wait for it.
    #[must_use]
    pub fn known_reader(&self, guid: Guid) -> Option<Peer> {
        self.core.peers.reader(guid, &self.core.dds)
    }

    /// Returns what is known about a remote writer. Does not wait for it.
    #[must_use]
    pub fn known_writer(&self, guid: Guid) -> Option<Peer> {
        self.core.peers.writer(guid, &self.core.dds)
    }
}

impl Drop for Participant {
    fn drop(&mut self) {
        self.core.signal(Signal::Stop);
        let thread = lock(&self.thread).take();
        // A handler may hold the last reference: a thread that joins itself never ends.
        let others = thread.filter(|thread| thread.thread().id() != std::thread::current().id());
        if others.is_some_and(|thread| thread.join().is_err()) {
            log::error!("[{DDS}] the receiving thread has panicked");
        }
        self.core.graph.close();
    }
}

fn build(
    options: &ParticipantOptions,
    guarded: &Arc<GuardedParticipant>,
) -> rustdds::dds::CreateResult<DomainParticipant> {
    let builder = DomainParticipantBuilder::new(options.domain);
    let builder = match &options.network {
        Network::All => builder,
        Network::Only(addresses) => builder.with_only_networks(addresses.iter().copied()),
    };
    guard::open_guarded(guarded, || builder.build(), |dds| Guid::from(dds.guid()).prefix())
}

/// An error of DDS.
const DDS: &str = "BH-ROS-002";

pub(super) fn failed(what: impl std::fmt::Display, error: &dyn std::fmt::Display) -> Error {
    Error::with_status(status::IO, format!("[{DDS}] {what}: {error}"))
}
