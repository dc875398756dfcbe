//! An outgoing topic: encodes protobuf to CDR and writes it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::bridge::Channel;
use bridgehead_plugin_api::host;
use bridgehead_plugin_api::messages::CdrPlan;
use bridgehead_plugin_api::{Error, Result};

use super::clock::CLOCK;
use super::statics::Statics;
use super::{plan, profile};
use crate::lock::lock;
use crate::qos::{Durability, Qos};
use crate::service::instance_services::InstanceServices;
use crate::topic_type::TopicType;
use crate::transport::{Transport, Writer as _};
use crate::wall_clock;

/// How long a topic is paused after a reader blocked its writer: other topics are sent by the same thread.
const BACKOFF: Duration = Duration::from_millis(400);

/// A message that cannot be sent.
const ENCODING_FAILED: &str = "BH-ROS-007";

/// One outgoing topic of an instance.
pub(crate) struct Outgoing<T: Transport> {
    name: String,
    plan: CdrPlan,
    kind: TopicType,
    requested: host::Qos,
    statics: Option<Mutex<Statics>>,
    link: Mutex<Option<Link<T>>>,
    has_logged: AtomicBool,
}

/// State while the bridge is connected.
struct Link<T: Transport> {
    writer: Arc<T::Writer>,
    /// Whether messages are kept for late readers.
    is_kept: bool,
    /// End of the pause after a blocked write.
    backoff_until: Option<Instant>,
}

impl<T: Transport> Outgoing<T> {
    /// Creates a topic that is not connected yet.
    ///
    /// # Errors
    /// Returns an error if its type is not valid in ROS.
    pub(crate) fn new(channel: &Channel<'_>) -> Result<Arc<Self>> {
        let data = channel.data_type();
        if channel.is_converted() {
            return Err(Error::unsupported(format!(
                "`{}` has a converter for this bridge, which writes every type by its descriptor and supports \
                 no converters",
                data.name
            )));
        }
        let plan = plan(data)?;
        let kind = TopicType::of(plan.message_type());
        let name = channel.topic().to_owned();
        let is_static = kind.dds_name == "tf2_msgs::msg::dds_::TFMessage_" && name.ends_with("tf_static");
        Ok(Arc::new(Outgoing {
            name,
            plan,
            kind,
            requested: channel.qos(),
            statics: is_static.then(Mutex::default),
            link: Mutex::default(),
            has_logged: AtomicBool::new(false),
        }))
    }

    /// Returns its name in the host.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Creates its writer. Topics of an action already have one.
    ///
    /// # Errors
    /// Returns an error if the transport cannot create a writer.
    pub(crate) fn open(&self, transport: &T, services: &InstanceServices<T>) -> Result {
        let settings = transport.settings();
        let short = self.plan.message_type().ros_type().to_string();
        let qos = profile::outgoing(&self.name, &short, self.requested, settings.has_reliable_sensors);
        let writer = match services.action_writer(&self.name) {
            Some(writer) => writer,
            None => self.writer(transport, qos)?,
        };
        let is_kept = qos.durability == Durability::TransientLocal;
        *lock(&self.link) = Some(Link { writer, is_kept, backoff_until: None });
        Ok(())
    }

    fn writer(&self, transport: &T, qos: Qos) -> Result<Arc<T::Writer>> {
        let name = transport.settings().names.resolve(&self.name);
        let writer = transport.writer(&name, &self.kind, qos)?;
        if self.name == CLOCK {
            writer.warn_of_others(format!("publishes {name}"));
        }
        Ok(Arc::new(writer))
    }

    /// Drops its writer.
    pub(crate) fn close(&self) {
        drop(lock(&self.link).take());
    }

    /// Sends a message. Returns false if a reader lost it or it could not be sent, which is logged once. Without
    /// readers the message is not even encoded.
    pub(crate) fn send(&self, payload: &[u8]) -> bool {
        let (writer, is_kept, backoff_until) = match &*lock(&self.link) {
            Some(link) => (Arc::clone(&link.writer), link.is_kept, link.backoff_until),
            None => return false,
        };
        if !is_kept && !writer.has_readers() {
            return true;
        }
        if backoff_until.is_some_and(|until| wall_clock::now() < until) {
            return false;
        }
        match self.encode(payload).and_then(|message| writer.write(message)) {
            Ok(()) => true,
            Err(error) => {
                self.log(&error);
                false
            }
        }
    }

    fn encode(&self, payload: &[u8]) -> Result<Vec<u8>> {
        // Alignment adds bytes to numbers, the terminating NUL to texts: usually this is enough.
        let mut message = Vec::with_capacity(payload.len() + payload.len() / 8 + 64);
        message.extend_from_slice(T::ENCAPSULATION);
        let encoded = match &self.statics {
            None => self
                .plan
                .encode_body(payload, &mut message)
                .map_err(|error| encoding_error(&self.name, &error)),
            Some(statics) => {
                let all = lock(statics).merge(payload).map_err(|error| encoding_error(&self.name, &error))?;
                self.plan.encode_body(&all, &mut message).map_err(|error| encoding_error(&self.name, &error))
            }
        };
        encoded.map(|()| message)
    }

    fn log(&self, error: &Error) {
        if error.status() == status::TIMEOUT
            && let Some(link) = &mut *lock(&self.link)
        {
            link.backoff_until = Some(wall_clock::now() + BACKOFF);
        }
        if !self.has_logged.swap(true, Ordering::Relaxed) {
            log::warn!("{error} (topic {}, logged once)", self.name);
        }
    }
}

fn encoding_error(name: &str, error: &dyn std::fmt::Display) -> Error {
    Error::invalid(format!(
        "[{ENCODING_FAILED}] a message on {name} is dropped, and so are further ones like it: {error}"
    ))
}
