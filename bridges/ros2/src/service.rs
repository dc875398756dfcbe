//! Services of the run for ROS 2: one server for each, for the world and all vehicles alike.
//!
//! [`Services`] is what the plugin holds. It offers what the host gives it as a [`server`]: requests come in, are
//! decoded ([`codec`]) and handed to the host; answers are encoded and go out by one thread ([`replies`]), to the reader
//! of the [`client`] that asked. How a request is known again is its [`identity`]; ROS 2 has two ways for that
//! ([`mapping`]). Names are those of ROS ([`name`]); [`generation`] is which `simulation_interfaces` is spoken.
//!
//! An action is three services and two topics ([`crate::action`]); the services are offered like all others, and their
//! answers come when the host has them.

mod client;
mod codec;
mod codes;
mod failure_response;
mod generation;
mod identity;
mod instance_services;
mod log_limiter;
mod mapping;
mod name;
mod replies;
mod reply_writer;
mod server;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::thread::JoinHandle;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::bridge::{Channel, TypeInfo};
use bridgehead_plugin_api::messages::Schema;
use bridgehead_plugin_api::{Error, Result};

pub(crate) use generation::Generation;
pub(crate) use mapping::Mapping;

use crate::action::ActionWriters;
use crate::dds::{History, Participant, Qos, Reader, Writer};
use crate::lock::lock;
use crate::names::Names as Naming;
use codec::Codec;
pub(crate) use instance_services::{InstanceServices, ServiceRegistration};
use name::Names;
use replies::Replies;
use reply_writer::DdsReplyWriter;
use server::{Callee, Server};

/// Requests that are kept until they are taken. What clients see is what ROS has for services; ours is longer, so that
/// none is lost when many ask at once.
const REQUESTS: Qos = Qos { history: History::KeepLast(256), ..Qos::DEFAULT };

/// Replies, likewise.
const REPLIES: Qos = Qos { history: History::Replies(10), ..Qos::DEFAULT };

/// How services are offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServiceOptions {
    /// Which clients are served.
    pub(crate) mapping: Mapping,
    /// Which responses they are sent.
    pub(crate) generation: Generation,
}

/// A service of the host.
struct ServiceDefinition {
    /// What the host calls it.
    name: String,
    request: Schema,
    response: Schema,
}

impl ServiceDefinition {
    /// # Errors
    /// Where its types are none for ROS 2.
    fn new(channel: &Channel<'_>) -> Result<Self> {
        let schema = |of: TypeInfo<'_>| Schema::new(of.descriptor_set.to_vec(), of.name.to_owned());
        let (request, response) = (schema(channel.data_type()), schema(channel.response_type()));
        Codec::new(&request, &response)?;
        Ok(ServiceDefinition { name: channel.topic().to_owned(), request, response })
    }

    fn codec(&self, generation: Generation) -> Result<Codec> {
        let older = generation.response(self.response.full_name());
        Codec::new(&self.request, older.as_ref().unwrap_or(&self.response))
    }
}

/// Which names are taken at one participant, whatever the options of their services.
#[derive(Default)]
pub(crate) struct TakenNames(Mutex<HashMap<String, Weak<Server>>>);

/// The services of one participant with the same options.
pub(crate) struct Services {
    participant: Arc<Participant>,
    options: ServiceOptions,
    replies: Arc<Replies>,
    thread: Mutex<Option<JoinHandle<()>>>,
    offered: Arc<TakenNames>,
    action_writers: Mutex<Vec<Weak<ActionWriters>>>,
}

/// A service that is offered, until this is dropped.
pub(crate) struct Offered {
    /// First, so that no request comes in while the rest goes.
    requests: Option<Reader>,
    server: Arc<Server>,
    #[expect(dead_code, reason = "topics of an action stay as long as its services")]
    action_writers: Option<Arc<ActionWriters>>,
}

impl Drop for Offered {
    fn drop(&mut self) {
        drop(self.requests.take());
        self.server.close();
        self.server.flush();
    }
}

impl Services {
    /// None yet, over this participant.
    ///
    /// # Errors
    /// Where no thread can be had.
    pub(crate) fn new(
        participant: &Arc<Participant>,
        options: ServiceOptions,
        offered: &Arc<TakenNames>,
    ) -> Result<Arc<Self>> {
        let replies = Arc::new(Replies::default());
        let sending = Arc::clone(&replies);
        let thread =
            std::thread::Builder::new().name("ros2-reply".to_owned()).spawn(move || sending.run()).map_err(
                |error| Error::with_status(status::IO, format!("starting the thread of replies: {error}")),
            )?;
        Ok(Arc::new(Services {
            participant: Arc::clone(participant),
            options,
            replies,
            thread: Mutex::new(Some(thread)),
            offered: Arc::clone(offered),
            action_writers: Mutex::default(),
        }))
    }

    /// Offers a service of the host until what is given back is dropped.
    ///
    /// # Errors
    /// Where the name is none for ROS 2 or taken, or DDS makes no endpoints.
    fn offer(
        &self,
        definition: &ServiceDefinition,
        naming: &Naming,
        callee: Box<dyn Callee>,
    ) -> Result<Offered> {
        let codec = definition.codec(self.options.generation)?;
        let name = &naming.resolve(&definition.name);
        let names = Names::of(name, codec.types())?;
        // Held until the end, so that of two of one name the second hears of the first.
        let mut offered = lock(&self.offered.0);
        if offered.get(name).is_some_and(|server| server.strong_count() > 0) {
            return Err(taken(name));
        }
        let action_writers = self.action_writers_of(&definition.name, &codec, naming)?;
        let replies = self.participant.writer(&names.reply_topic, &names.reply_type, REPLIES)?;
        let reply_writer = Box::new(DdsReplyWriter { participant: Arc::clone(&self.participant), replies });
        let server = Server::new(name, self.options.mapping, codec, reply_writer, callee, &self.replies);
        let taking = Arc::clone(&server);
        let take = move |sample| taking.take(&sample);
        let requests = self.participant.reader(&names.request_topic, &names.request_type, REQUESTS, take)?;
        offered.insert(name.clone(), Arc::downgrade(&server));
        Ok(Offered { requests: Some(requests), server, action_writers })
    }

    /// The topics of an action, with the first of its services that brings them.
    fn action_writers_of(
        &self,
        service: &str,
        codec: &Codec,
        naming: &Naming,
    ) -> Result<Option<Arc<ActionWriters>>> {
        let Some(action_writers) = ActionWriters::of(service, codec.types(), &self.participant, naming)?
        else {
            return Ok(None);
        };
        let action_writers = Arc::new(action_writers);
        lock(&self.action_writers).push(Arc::downgrade(&action_writers));
        Ok(Some(action_writers))
    }

    /// The writer of a topic that belongs to an action which is offered, by the host's name of it: it is there before the first message and after
    /// the last, since clients take an action for present when all of it is.
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
        "the service {name} is offered in this domain already, and clients would hear two answers; attach one bridge \
         to the world, or give the service another name [{}]",
        codes::TAKEN
    );
    Error::with_status(status::EXISTS, text)
}

/// What calls come to whose service has been taken back by the host.
fn withdrawn() -> Error {
    Error::with_status(status::INTERRUPTED, "the service is being taken away")
}

impl Drop for Services {
    /// Sends what waits.
    fn drop(&mut self) {
        self.replies.end();
        if lock(&self.thread).take().is_some_and(|thread| thread.join().is_err()) {
            log::error!("the thread of replies has panicked");
        }
    }
}
