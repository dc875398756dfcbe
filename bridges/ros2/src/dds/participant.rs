//! One participant of a DDS domain: the door through which everything of a bridge goes.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::{Error, Result};
use rustdds::{DomainParticipant, DomainParticipantBuilder, RTPSEntity, TopicKind};

use super::first_heartbeat;
use super::graph::Graph;
use super::options::{Network, ParticipantOptions};
use super::peers::{Peer, Peers};
use super::reader::{self, Reader, Sample};
use super::receive::{self, Signal};
use super::resend_request::{self, ResendRequests};
use super::writer::Writer;
use super::{Guid, Qos};
use crate::lock::lock;

/// What writers and readers keep alive.
pub(super) struct Core {
    pub(super) peers: Peers,
    pub(super) graph: Graph,
    signals: Mutex<Sender<Signal>>,
    publisher: rustdds::Publisher,
    subscriber: rustdds::Subscriber,
    network: Network,
    pub(super) resend_requests: ResendRequests,
    /// Last, so that what it made is gone before it.
    pub(super) dds: DomainParticipant,
}

impl Core {
    pub(super) fn signals(&self) -> Sender<Signal> {
        lock(&self.signals).clone()
    }

    pub(super) fn signal(&self, signal: Signal) {
        // Nobody listens any more once the participant has ended.
        drop(lock(&self.signals).send(signal));
    }

    /// Lets writers that have been matched send what they wrote before; says when there are more to be asked.
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

    /// Tells a reader elsewhere how far a writer of ours has come.
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
            |error| failed(format_args!("the DDS topic {name} of type {kind} cannot be made"), &error),
        )
    }

    /// A writer of which `ros_discovery_info` says nothing.
    pub(super) fn bare_writer(&self, topic: &str, kind: &str, qos: Qos) -> Result<super::writer::Raw> {
        self.publisher
            .create_datawriter_no_key(&self.topic(topic, kind, qos)?, Some(qos.policies()))
            .map_err(|error| failed(format_args!("no writer of the DDS topic {topic} can be made"), &error))
    }

    pub(super) fn bare_reader(&self, topic: &str, kind: &str, qos: Qos) -> Result<reader::Raw> {
        self.subscriber
            .create_simple_datareader_no_key(&self.topic(topic, kind, qos)?, Some(qos.policies()))
            .map_err(|error| failed(format_args!("no reader of the DDS topic {topic} can be made"), &error))
    }
}

/// One participant. It leaves its domain, and its peers forget it, when it and all that it made is dropped.
pub struct Participant {
    core: Arc<Core>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Participant {
    /// Joins a domain. Takes some tens of milliseconds.
    ///
    /// # Errors
    /// Where ports of the domain cannot be had, or a thread.
    pub fn open(options: &ParticipantOptions) -> Result<Arc<Self>> {
        let dds = build(options).map_err(|error| {
            failed(format_args!("the domain {} cannot be joined", options.domain), &error)
        })?;
        let (signals, received) = channel();
        let core = Arc::new(Core {
            peers: Peers::new(Guid::from(dds.guid())),
            graph: Graph::new(options.node.clone(), options.gid, dds.guid().into()),
            signals: Mutex::new(signals),
            publisher: dds
                .create_publisher(&Qos::DEFAULT.policies())
                .map_err(|error| failed("the participant makes no publisher", &error))?,
            subscriber: dds
                .create_subscriber(&Qos::DEFAULT.policies())
                .map_err(|error| failed("the participant makes no subscriber", &error))?,
            network: options.network.clone(),
            resend_requests: ResendRequests::default(),
            dds,
        });
        core.graph.open(&core)?;
        let participant = Participant { core: Arc::clone(&core), thread: Mutex::default() };
        let thread = std::thread::Builder::new()
            .name("ros2-receive".to_owned())
            .spawn(move || receive::run(&core, &received))
            .map_err(|error| failed("starting the thread that receives", &error))?;
        *lock(&participant.thread) = Some(thread);
        participant.core.signal(Signal::Graph);
        Ok(Arc::new(participant))
    }

    /// Its own address.
    #[must_use]
    pub fn guid(&self) -> Guid {
        self.core.dds.guid().into()
    }

    /// Makes a writer of a DDS topic (`rt/scan`) and type (`sensor_msgs::msg::dds_::LaserScan_`). Peers hear of it at
    /// once; what is written before they have answered is lost to them unless the writer is transient local.
    ///
    /// Endpoints of ours announce no user data: `rustdds` sends none. Peers of Cyclone take services then by their
    /// names alone.
    ///
    /// # Errors
    /// Where `rustdds` refuses.
    pub fn writer(&self, topic: &str, kind: &str, qos: Qos) -> Result<Writer> {
        Writer::new(&self.core, topic, kind, qos)
    }

    /// Makes a reader. `handler` runs on the thread of the participant, for one sample after the other; it must not
    /// wait for long, nor drop the reader it belongs to. Samples of before the reader was made come only where it is
    /// transient local.
    ///
    /// # Errors
    /// Where `rustdds` refuses.
    pub fn reader(
        &self,
        topic: &str,
        kind: &str,
        qos: Qos,
        handler: impl FnMut(Sample) + Send + 'static,
    ) -> Result<Reader> {
        Reader::new(&self.core, topic, kind, qos, Box::new(handler))
    }

    /// What is known of a reader elsewhere. Never waits.
    #[must_use]
    pub fn known_reader(&self, guid: Guid) -> Option<Peer> {
        self.core.peers.reader(guid, &self.core.dds)
    }

    /// What is known of a writer elsewhere. Never waits.
    #[must_use]
    pub fn known_writer(&self, guid: Guid) -> Option<Peer> {
        self.core.peers.writer(guid, &self.core.dds)
    }
}

impl Drop for Participant {
    fn drop(&mut self) {
        self.core.signal(Signal::Stop);
        let thread = lock(&self.thread).take();
        // A handler may hold the last reference: a thread that waits for itself never ends.
        let others = thread.filter(|thread| thread.thread().id() != std::thread::current().id());
        if others.is_some_and(|thread| thread.join().is_err()) {
            log::error!("the thread that receives has panicked [{DDS}]");
        }
        self.core.graph.close();
    }
}

fn build(options: &ParticipantOptions) -> rustdds::dds::CreateResult<DomainParticipant> {
    let builder = DomainParticipantBuilder::new(options.domain);
    match &options.network {
        Network::All => builder,
        Network::Only(addresses) => builder.with_only_networks(addresses.iter().copied()),
    }
    .build()
}

/// What the DDS below us would not do.
const DDS: &str = "BH-ROS-002";

pub(super) fn failed(what: impl std::fmt::Display, error: &dyn std::fmt::Display) -> Error {
    Error::with_status(status::IO, format!("{what}: {error} [{DDS}]"))
}
