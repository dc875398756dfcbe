//! The services of one node, each offered under a name of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::thread::JoinHandle;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::{Error, Result};
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::service::callee::Callee;
use bridgehead_ros2_node::service::codec::Codec;
use bridgehead_ros2_node::service::codes::TAKEN;

use super::mapping::Mapping;
use super::name::Names;
use super::replies::Replies;
use super::reply_sender::ReplySender;
use super::reply_writer::DdsReplyWriter;
use super::server::ServiceServer;
use crate::dds::{History, ParticipantPool, Qos, Reader, Writer};

/// QoS of requests. Clients see the profile of ROS services; the history here is longer, so that none is lost if many
/// clients call at once.
const REQUESTS: Qos = Qos { history: History::KeepLast(256), ..Qos::DEFAULT };

/// QoS of replies.
const REPLIES: Qos = Qos { history: History::Replies(10), ..Qos::DEFAULT };

/// Names in use in one node, independent of the clients of their services. A name stays taken as long as one of its
/// replies waits.
#[derive(Default)]
pub(crate) struct TakenNames(Mutex<HashMap<String, Weak<ReplySender>>>);

/// The services of one node for the same clients.
pub(crate) struct Services {
    participants: Arc<ParticipantPool>,
    mapping: Mapping,
    replies: Arc<Replies>,
    thread: Mutex<Option<JoinHandle<()>>>,
    offered: Arc<TakenNames>,
}

/// A service that is offered until this is dropped.
pub(crate) struct Offered {
    /// First, so that no request arrives while the rest is dropped.
    requests: Option<Reader>,
    server: Arc<ServiceServer>,
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
        mapping: Mapping,
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
            mapping,
            replies,
            thread: Mutex::new(Some(thread)),
            offered: Arc::clone(offered),
        }))
    }

    /// Offers a service until the result is dropped.
    ///
    /// # Errors
    /// Returns an error if the name is in use, or if DDS cannot create endpoints.
    pub(crate) fn offer(&self, name: &str, codec: Codec, callee: Box<dyn Callee>) -> Result<Offered> {
        let names = Names::of(name, codec.types());
        // Held until the end, so that a second service of the same name is refused.
        let mut offered = lock(&self.offered.0);
        if offered.get(name).is_some_and(|sender| sender.strong_count() > 0) {
            return Err(taken(name));
        }
        let participant = self.participants.participant();
        let replies = Writer::open(&participant, &names.reply_topic, &names.reply_type, REPLIES)?;
        let reply_writer = Box::new(DdsReplyWriter { replies });
        let sender = Arc::new(ReplySender::new(name, self.mapping, codec, reply_writer));
        let server = ServiceServer::new(&sender, callee, &self.replies);
        let receiver = Arc::clone(&server);
        let take = move |sample| receiver.handle_request(&sample);
        let requests = Reader::open(&participant, &names.request_topic, &names.request_type, REQUESTS, take)?;
        requests.warn_of_others(format!("offers the service {name}"));
        offered.insert(name.to_owned(), Arc::downgrade(&sender));
        Ok(Offered { requests: Some(requests), server })
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
