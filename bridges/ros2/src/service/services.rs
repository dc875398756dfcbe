//! The services of one node, each offered under a name of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::thread::JoinHandle;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::bridge::{Channel, TypeInfo};
use bridgehead_plugin_api::messages::Schema;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ActionDescription;
use bridgehead_plugin_api::{Error, Result};

use super::codec::Codec;
use super::codes::TAKEN;
use super::generation::Generation;
use super::mapping::Mapping;
use super::name::Names;
use super::replies::Replies;
use super::reply_sender::ReplySender;
use super::reply_writer::DdsReplyWriter;
use super::server::{Callee, ServiceServer};
use crate::action::ActionWriters;
use crate::dds::{History, Participant, ParticipantPool, Qos, Reader, Writer};
use crate::lock::lock;
use crate::names::Names as Naming;

/// QoS of requests. Clients see the profile of ROS services; the history here is longer, so that none is lost if many
/// clients call at once.
const REQUESTS: Qos = Qos { history: History::KeepLast(256), ..Qos::DEFAULT };

/// QoS of replies.
const REPLIES: Qos = Qos { history: History::Replies(10), ..Qos::DEFAULT };

/// How services are offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServiceOptions {
    /// Which clients are served.
    pub(crate) mapping: Mapping,
    /// The generation of their responses.
    pub(crate) generation: Generation,
}

/// Name and types of a service of the host.
pub(super) struct ServiceDefinition {
    /// Its name in the host.
    name: String,
    request: Schema,
    response: Schema,
    /// The action whose goals it accepts.
    action: Option<ActionDescription>,
}

impl ServiceDefinition {
    /// # Errors
    /// Returns an error if its types are not valid in ROS 2.
    pub(super) fn new(channel: &Channel<'_>, action: Option<ActionDescription>) -> Result<Self> {
        let schema = |of: TypeInfo<'_>| Schema::new(of.descriptor_set.to_vec(), of.name.to_owned());
        let (request, response) = (schema(channel.data_type()), schema(channel.response_type()));
        Codec::new(&request, &response)?;
        Ok(ServiceDefinition { name: channel.topic().to_owned(), request, response, action })
    }

    fn codec(&self, generation: Generation) -> Result<Codec> {
        let older = generation.response(self.response.full_name());
        Codec::new(&self.request, older.as_ref().unwrap_or(&self.response))
    }
}

/// Names in use in one node, independent of the options of their services. A name stays taken as long as one of its
/// replies waits.
#[derive(Default)]
pub(crate) struct TakenNames(Mutex<HashMap<String, Weak<ReplySender>>>);

/// The services of one node with the same options.
pub(crate) struct Services {
    participants: Arc<ParticipantPool>,
    options: ServiceOptions,
    replies: Arc<Replies>,
    thread: Mutex<Option<JoinHandle<()>>>,
    offered: Arc<TakenNames>,
    action_writers: Mutex<Vec<Weak<ActionWriters>>>,
}

/// A service that is offered until this is dropped.
pub(crate) struct Offered {
    /// First, so that no request arrives while the rest is dropped.
    requests: Option<Reader>,
    server: Arc<ServiceServer>,
    #[expect(dead_code, reason = "topics of an action exist as long as its services")]
    action_writers: Option<Arc<ActionWriters>>,
}

impl Drop for Offered {
    fn drop(&mut self) {
        drop(self.requests.take());
        self.server.close();
        self.server.sender().flush();
    }
}

impl Services {
    /// Creates an empty set of services of a node.
    ///
    /// # Errors
    /// Returns an error if its thread cannot be started.
    pub(crate) fn new(
        participants: &Arc<ParticipantPool>,
        options: ServiceOptions,
        offered: &Arc<TakenNames>,
    ) -> Result<Arc<Self>> {
        let replies = Arc::new(Replies::default());
        let sending = Arc::clone(&replies);
        let thread = std::thread::Builder::new()
            .name("ros2-reply".to_owned())
            .spawn(move || sending.run())
            .map_err(|error| {
            Error::with_status(status::IO, format!("the thread of replies cannot be started: {error}"))
        })?;
        Ok(Arc::new(Services {
            participants: Arc::clone(participants),
            options,
            replies,
            thread: Mutex::new(Some(thread)),
            offered: Arc::clone(offered),
            action_writers: Mutex::default(),
        }))
    }

    /// Offers a service of the host until the result is dropped.
    ///
    /// # Errors
    /// Returns an error if the name is not valid in ROS 2 or is in use, or if DDS cannot create endpoints.
    pub(super) fn offer(
        &self,
        definition: &ServiceDefinition,
        naming: &Naming,
        callee: Box<dyn Callee>,
    ) -> Result<Offered> {
        let codec = definition.codec(self.options.generation)?;
        let name = &naming.resolve(&definition.name);
        let names = Names::of(name, codec.types())?;
        // Held until the end, so that a second service of the same name is refused.
        let mut offered = lock(&self.offered.0);
        if offered.get(name).is_some_and(|sender| sender.strong_count() > 0) {
            return Err(taken(name));
        }
        let participant = self.participants.participant();
        let action_writers = self.action_writers_of(definition.action.as_ref(), &participant, naming)?;
        let replies = Writer::open(&participant, &names.reply_topic, &names.reply_type, REPLIES)?;
        let reply_writer = Box::new(DdsReplyWriter { replies });
        let sender = Arc::new(ReplySender::new(name, self.options.mapping, codec, reply_writer));
        let server = ServiceServer::new(&sender, callee, &self.replies);
        let receiver = Arc::clone(&server);
        let take = move |sample| receiver.handle_request(&sample);
        let requests = Reader::open(&participant, &names.request_topic, &names.request_type, REQUESTS, take)?;
        requests.warn_of_others(format!("offers the service {name}"));
        offered.insert(name.clone(), Arc::downgrade(&sender));
        Ok(Offered { requests: Some(requests), server, action_writers })
    }

    /// Opens the topics of an action with the service that accepts its goals.
    fn action_writers_of(
        &self,
        action: Option<&ActionDescription>,
        participant: &Arc<Participant>,
        naming: &Naming,
    ) -> Result<Option<Arc<ActionWriters>>> {
        let Some(action) = action else { return Ok(None) };
        let Some(action_writers) = ActionWriters::of(action, participant, naming)? else { return Ok(None) };
        let action_writers = Arc::new(action_writers);
        lock(&self.action_writers).push(Arc::downgrade(&action_writers));
        Ok(Some(action_writers))
    }

    /// Returns the writer of a topic of an offered action, by its name in the host. It exists before the first
    /// message and after the last, since clients see an action as available only if all its parts exist.
    pub(crate) fn writer_of(&self, topic: &str) -> Option<Arc<Writer>> {
        let mut action_writers = lock(&self.action_writers);
        action_writers.retain(|action_writers| action_writers.strong_count() > 0);
        action_writers
            .iter()
            .filter_map(Weak::upgrade)
            .find_map(|action_writers| action_writers.writer(topic))
    }
}

fn taken(name: &str) -> Error {
    let text = format!(
        "[{TAKEN}] the service {name} is already offered in this domain, and clients would get two replies; attach one \
        bridge to the world, or give the service another name"
    );
    Error::with_status(status::EXISTS, text)
}

impl Drop for Services {
    /// Sends the queued replies.
    fn drop(&mut self) {
        self.replies.end();
        if lock(&self.thread).take().is_some_and(|thread| thread.join().is_err()) {
            log::error!("the thread of replies has panicked");
        }
    }
}
