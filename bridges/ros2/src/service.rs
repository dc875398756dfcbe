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
mod complaints;
mod generation;
mod identity;
mod mapping;
mod name;
mod outlet;
mod refusal;
mod replies;
mod server;
mod station;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::bridge::{Channel, TypeInfo};
use bridgehead_plugin_api::messages::Schema;
use bridgehead_plugin_api::{Error, Result};

pub(crate) use generation::Generation;
pub(crate) use mapping::Mapping;

use crate::action::Companions;
use crate::dds::{History, Participant, Qos, Reader, Writer};
use crate::names::Names as Naming;
use codec::Codec;
use name::Names;
use outlet::Dds;
use replies::Replies;
use server::{Callee, Server};
pub(crate) use station::{ServiceEnd, Station};

/// Locks, also after a panic: what is in there is whole at every moment.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

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
struct Offering {
    /// What the host calls it.
    name: String,
    request: Schema,
    response: Schema,
}

impl Offering {
    /// # Errors
    /// Where its types are none for ROS 2.
    fn new(channel: &Channel<'_>) -> Result<Self> {
        let schema = |of: TypeInfo<'_>| Schema::new(of.descriptor_set.to_vec(), of.name.to_owned());
        let (request, response) = (schema(channel.data_type()), schema(channel.response_type()));
        Codec::new(&request, &response)?;
        Ok(Offering { name: channel.topic().to_owned(), request, response })
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
    companions: Mutex<Vec<Weak<Companions>>>,
}

/// A service that is offered, until this is dropped.
pub(crate) struct Offered {
    /// First, so that no request comes in while the rest goes.
    requests: Option<Reader>,
    server: Arc<Server>,
    #[expect(dead_code, reason = "topics of an action stay as long as its services")]
    companions: Option<Arc<Companions>>,
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
            companions: Mutex::default(),
        }))
    }

    /// Offers a service of the host until what is given back is dropped.
    ///
    /// # Errors
    /// Where the name is none for ROS 2 or taken, or DDS makes no endpoints.
    fn offer(&self, offering: &Offering, naming: &Naming, callee: Box<dyn Callee>) -> Result<Offered> {
        let codec = offering.codec(self.options.generation)?;
        let name = &naming.resolve(&offering.name);
        let names = Names::of(name, codec.types())?;
        // Held until the end, so that of two of one name the second hears of the first.
        let mut offered = lock(&self.offered.0);
        if offered.get(name).is_some_and(|server| server.strong_count() > 0) {
            return Err(taken(name));
        }
        let companions = self.companions_of(&offering.name, &codec, naming)?;
        let replies = self.participant.writer(&names.reply_topic, &names.reply_type, REPLIES)?;
        let outlet = Box::new(Dds { participant: Arc::clone(&self.participant), replies });
        let server = Server::new(name, self.options.mapping, codec, outlet, callee, &self.replies);
        let taking = Arc::clone(&server);
        let take = move |sample| taking.take(&sample);
        let requests = self.participant.reader(&names.request_topic, &names.request_type, REQUESTS, take)?;
        offered.insert(name.clone(), Arc::downgrade(&server));
        Ok(Offered { requests: Some(requests), server, companions })
    }

    /// The topics of an action, with the first of its services that brings them.
    fn companions_of(
        &self,
        service: &str,
        codec: &Codec,
        naming: &Naming,
    ) -> Result<Option<Arc<Companions>>> {
        let Some(companions) = Companions::of(service, codec.types(), &self.participant, naming)? else {
            return Ok(None);
        };
        let companions = Arc::new(companions);
        lock(&self.companions).push(Arc::downgrade(&companions));
        Ok(Some(companions))
    }

    /// The writer of a topic that belongs to an action which is offered, by the host's name of it: it is there before the first message and after
    /// the last, since clients take an action for present when all of it is.
    pub(crate) fn writer_of(&self, topic: &str) -> Option<Arc<Writer>> {
        let mut companions = lock(&self.companions);
        companions.retain(|companions| companions.strong_count() > 0);
        companions.iter().filter_map(Weak::upgrade).find_map(|companions| companions.writer(topic))
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
