//! One topic on its way out: protobuf into CDR, CDR to a writer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::bridge::Channel;
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::CdrPlan;
use bridgehead_plugin_api::{Error, Result};

use super::session::Session;
use super::statics::Statics;
use super::{dds_type, plan, profile};
use crate::dds::{Durability, WriteOptions, Writer};
use crate::lock::lock;
use crate::wall;

/// How long a topic is left alone after a reader kept its writer waiting: others go through the same thread.
const BACKOFF: Duration = Duration::from_millis(400);

/// A message that cannot be sent.
const ENCODING_FAILED: &str = "BH-ROS-007";

/// One outgoing topic of an instance.
pub(crate) struct Outgoing {
    name: String,
    plan: CdrPlan,
    kind: String,
    asked: Qos,
    statics: Option<Mutex<Statics>>,
    link: Mutex<Option<Link>>,
    has_logged: AtomicBool,
}

/// While the bridge is connected.
#[derive(Clone)]
struct Link {
    writer: Arc<Writer>,
    /// Whether late readers get what nobody heard.
    is_kept: bool,
    /// Until when it is left alone.
    backoff_until: Option<Instant>,
}

impl Outgoing {
    /// A topic of the host, not connected yet.
    ///
    /// # Errors
    /// Where the type is none for ROS.
    pub(crate) fn new(channel: &Channel<'_>) -> Result<Arc<Self>> {
        let data = channel.data_type();
        if channel.is_converted() {
            return Err(Error::unsupported(format!(
                "`{}` has a converter for this bridge, which writes every type by its descriptor and takes none",
                data.name
            )));
        }
        let plan = plan(data)?;
        let kind = dds_type(&plan);
        let name = channel.topic().to_owned();
        let is_static = kind == "tf2_msgs::msg::dds_::TFMessage_" && name.ends_with("tf_static");
        Ok(Arc::new(Outgoing {
            name,
            plan,
            kind,
            asked: channel.qos(),
            statics: is_static.then(Mutex::default),
            link: Mutex::default(),
            has_logged: AtomicBool::new(false),
        }))
    }

    /// The host's name of it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Makes its writer. An action's topics have theirs already.
    ///
    /// # Errors
    /// Where DDS makes none.
    pub(crate) fn open(&self, session: &Session) -> Result {
        let short = self.plan.message_type().ros_type().to_string();
        let qos = profile::outgoing(&self.name, &short, self.asked, session.connection.has_reliable_sensors);
        let writer = match session.services.writer_of(&self.name) {
            Some(writer) => writer,
            None => session.writer(&self.name, &self.kind, qos)?,
        };
        let is_kept = qos.durability == Durability::TransientLocal;
        *lock(&self.link) = Some(Link { writer, is_kept, backoff_until: None });
        Ok(())
    }

    /// Takes its writer away.
    pub(crate) fn close(&self) {
        drop(lock(&self.link).take());
    }

    /// Sends a message. False where it was lost to a reader, or could not be sent; that is said once. What nobody
    /// hears is not even encoded.
    pub(crate) fn send(&self, payload: &[u8]) -> bool {
        let Some(link) = lock(&self.link).clone() else { return false };
        if !link.is_kept && !link.writer.has_readers() {
            return true;
        }
        if link.backoff_until.is_some_and(|until| wall::now() < until) {
            return false;
        }
        let sent = self.body(payload).and_then(|body| link.writer.write(body, WriteOptions::default()));
        match sent {
            Ok(_) => true,
            Err(error) => {
                self.log(&error);
                false
            }
        }
    }

    fn body(&self, payload: &[u8]) -> Result<Vec<u8>> {
        // Numbers grow where they are aligned, texts by their NUL: mostly this is enough.
        let mut body = Vec::with_capacity(payload.len() + payload.len() / 8 + 64);
        let encoded = match &self.statics {
            None => {
                self.plan.encode_body(payload, &mut body).map_err(|error| encoding_error(&self.name, &error))
            }
            Some(statics) => {
                let all = lock(statics).merge(payload).map_err(|error| encoding_error(&self.name, &error))?;
                self.plan.encode_body(&all, &mut body).map_err(|error| encoding_error(&self.name, &error))
            }
        };
        encoded.map(|()| body)
    }

    fn log(&self, error: &Error) {
        if error.status() == status::TIMEOUT
            && let Some(link) = &mut *lock(&self.link)
        {
            link.backoff_until = Some(wall::now() + BACKOFF);
        }
        if !self.has_logged.swap(true, Ordering::Relaxed) {
            log::warn!("{}: {error}; this is said once", self.name);
        }
    }
}

fn encoding_error(name: &str, error: &dyn std::fmt::Display) -> Error {
    Error::invalid(format!(
        "a message on {name} is left out, and so is every further one like it: {error} [{ENCODING_FAILED}]"
    ))
}
