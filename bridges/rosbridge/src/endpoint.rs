//! The topics and services that the host has opened. They outlast connections.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{Channel, ServiceSink, Sink, TypeInfo};
use bridgehead_plugin_api::host::Durability;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ActionDescription;
use bridgehead_plugin_api::messages::geometry_msgs::{Twist, TwistStamped};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::ros::{RosTypeName, ServiceTypes};
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_plugin_api::messages::{Message, MessageType, Schema};
use bridgehead_plugin_api::{Error, Payload, Result};

use crate::codes::{CONFLICT, TYPE, UNANSWERED};
use crate::connection::Generation;
use crate::encode::decode::Decoder;
use crate::encode::encoder::{Encoder, Publication, resolve};
use crate::fault::Fault;
use crate::lock::lock;
use crate::names::is_message;

mod statics;

use statics::Statics;

/// A topic that the run publishes.
pub(crate) struct Outgoing {
    pub(crate) name: String,
    pub(crate) encoder: Encoder,
    /// True if its type is that of a topic of an action.
    pub(crate) is_of_action: bool,
    is_latched: bool,
    statics: Option<Mutex<Statics>>,
    sequence: AtomicU64,
    kept: Mutex<Option<Kept>>,
    has_logged: AtomicBool,
}

/// The last message of a latched topic.
struct Kept {
    payload: Payload,
    stamp_ns: i64,
    sequence: u64,
}

impl Outgoing {
    /// Creates a topic.
    ///
    /// # Errors
    /// Returns an error if ROS cannot express its type.
    pub(crate) fn new(channel: &Channel<'_>) -> Result<Self> {
        refuse_converter(channel)?;
        let is_static =
            channel.data_type().name == TfMessage::FULL_NAME && channel.topic().ends_with("tf_static");
        let encoder = Encoder::new(&schema(channel.data_type()))?;
        let type_name = encoder.message().ros_type().name();
        Ok(Outgoing {
            name: channel.topic().to_owned(),
            is_of_action: type_name.ends_with("_FeedbackMessage") || type_name == "GoalStatusArray",
            encoder,
            is_latched: is_static || channel.qos().durability == Durability::Latched,
            statics: is_static.then(Mutex::default),
            sequence: AtomicU64::new(0),
            kept: Mutex::default(),
            has_logged: AtomicBool::new(false),
        })
    }

    pub(crate) fn ros_type(&self) -> &RosTypeName {
        self.encoder.message().ros_type()
    }

    /// Numbers a message, and keeps it if the topic is latched.
    pub(crate) fn note(&self, payload: impl FnOnce() -> Payload, stamp_ns: i64) -> u64 {
        let sequence = self.sequence.fetch_add(1, Ordering::Relaxed);
        if self.is_latched {
            let payload = payload();
            let merged = self.statics.as_ref().and_then(|statics| lock(statics).merge(&payload));
            *lock(&self.kept) = Some(Kept { payload: merged.unwrap_or(payload), stamp_ns, sequence });
        }
        sequence
    }

    /// Calls `send` with the last message if the topic is latched and has one. If another message replaces it meanwhile,
    /// calls `send` again: the transmit thread may have sent the newer one first, and clients keep what they receive last.
    pub(crate) fn repeat(&self, generation: Generation, mut send: impl FnMut(&mut Publication<'_>)) {
        let mut sent = None;
        loop {
            let kept = lock(&self.kept);
            let new = kept.as_ref().filter(|kept| Some(kept.sequence) != sent);
            let new = new.map(|kept| (kept.payload.clone(), kept.stamp_ns, kept.sequence));
            drop(kept);
            let Some((payload, stamp_ns, sequence)) = new else { return };
            let name = &self.name;
            send(&mut Publication::new(&self.encoder, name, &payload, stamp_ns, sequence, generation));
            sent = Some(sequence);
        }
    }

    /// Logs that a message cannot be sent, once.
    pub(crate) fn log(&self, fault: &Fault) {
        if !self.has_logged.swap(true, Ordering::Relaxed) {
            log::warn!(
                "{fault} (a message on {} is not sent, and neither are further ones like it)",
                self.name
            );
        }
    }
}

/// Converts the payload of another type to the topic's type.
type Convert = fn(&[u8]) -> Option<Vec<u8>>;

/// A topic that the run subscribes to.
pub(crate) struct Incoming {
    pub(crate) name: String,
    decoder: Decoder,
    sibling: Option<(Decoder, Convert)>,
    sink: Mutex<Option<Sink>>,
}

impl Incoming {
    /// Creates a topic.
    ///
    /// # Errors
    /// Returns an error if ROS cannot express its type.
    pub(crate) fn new(channel: &Channel<'_>, sink: Sink) -> Result<Self> {
        refuse_converter(channel)?;
        let message = resolve(&schema(channel.data_type()))?;
        Ok(Incoming {
            name: channel.topic().to_owned(),
            decoder: Decoder::new(&message),
            sibling: sibling(channel.data_type().name)?,
            sink: Mutex::new(Some(sink)),
        })
    }

    pub(crate) fn ros_type(&self) -> &RosTypeName {
        self.decoder.message().ros_type()
    }

    pub(crate) fn message(&self) -> &MessageType {
        self.decoder.message()
    }

    /// Returns true if messages of a type are accepted.
    pub(crate) fn accepts(&self, kind: &str) -> bool {
        let is_sibling =
            self.sibling.as_ref().is_some_and(|(decoder, _)| is_message(kind, decoder.message().ros_type()));
        is_sibling || is_message(kind, self.ros_type())
    }

    /// Gives a message to the run. `kind` is the type that its sender has announced.
    ///
    /// # Errors
    /// Returns an error if it is not of the type.
    pub(crate) fn deliver(&self, json: &str, kind: Option<&str>) -> Result<(), Fault> {
        if let Some(kind) = kind.filter(|kind| !self.accepts(kind)) {
            return Err(conflict(&self.name, self.ros_type(), kind));
        }
        let is_own = kind.is_none_or(|kind| is_message(kind, self.ros_type()));
        let decoded = match &self.sibling {
            Some((decoder, convert)) if !is_own => decoder.decode(json).map(|payload| convert(&payload)),
            Some((decoder, convert)) if kind.is_none() => {
                let own = self.decoder.decode(json);
                own.map(Some)
                    .or_else(|fault| decoder.decode(json).map_err(|_| fault).map(|payload| convert(&payload)))
            }
            _ => self.decoder.decode(json).map(Some),
        };
        let Some(payload) = decoded? else { return Ok(()) };
        match lock(&self.sink).as_ref() {
            Some(sink) => sink
                .deliver(&Payload::from_vec(payload))
                .map_err(|error| Fault::new(UNANSWERED, error.to_string())),
            None => Ok(()),
        }
    }

    /// Refuses further messages. Waits for one that is being delivered.
    pub(crate) fn close(&self) {
        *lock(&self.sink) = None;
    }
}

/// A service of the run.
pub(crate) struct HostService {
    pub(crate) name: String,
    pub(crate) types: ServiceTypes,
    pub(crate) request: Decoder,
    pub(crate) response: Arc<Encoder>,
    /// The action whose goals it accepts.
    pub(crate) action: Option<ActionDescription>,
    sink: Mutex<Option<ServiceSink>>,
}

impl HostService {
    /// Creates a service, with the action whose goals it accepts.
    ///
    /// # Errors
    /// Returns an error if its types are not the request and the response of a ROS service.
    pub(crate) fn new(
        channel: &Channel<'_>,
        sink: ServiceSink,
        action: Option<ActionDescription>,
    ) -> Result<Self> {
        let response = Encoder::new(&schema(channel.response_type()))?;
        let request = resolve(&schema(channel.data_type()))?;
        let types = ServiceTypes::new(request, response.message().clone())
            .map_err(|error| Error::invalid(format!("[{TYPE}] `{}`: {error}", channel.topic())))?;
        Ok(HostService {
            name: channel.topic().to_owned(),
            request: Decoder::new(types.request()),
            response: Arc::new(response),
            types,
            action,
            sink: Mutex::new(Some(sink)),
        })
    }

    /// Starts a call. `reply` is called on any thread, unless an error is returned.
    ///
    /// # Errors
    /// Returns an error if the run does not accept the call.
    pub(crate) fn call(
        &self,
        request: Vec<u8>,
        reply: impl FnOnce(Result<Payload>) + Send + 'static,
    ) -> Result<(), Fault> {
        let called = match lock(&self.sink).as_ref() {
            Some(sink) => sink.call(&Payload::from_vec(request), reply),
            None => Err(Error::new("the service is withdrawn")),
        };
        called.map_err(|error| Fault::new(UNANSWERED, error.to_string()))
    }

    /// Refuses further calls. Waits for one that is being started.
    pub(crate) fn close(&self) {
        *lock(&self.sink) = None;
    }
}

/// Returns the error about a type that is not that of the topic.
pub(crate) fn conflict(name: &str, expected: &RosTypeName, found: &str) -> Fault {
    Fault::new(CONFLICT, format!("`{name}` has the type `{expected}`, not `{found}`"))
}

fn schema(of: TypeInfo<'_>) -> Schema {
    Schema::new(of.descriptor_set.to_vec(), of.name.to_owned())
}

fn refuse_converter(channel: &Channel<'_>) -> Result {
    if channel.is_converted() {
        let name = channel.data_type().name;
        return Err(Error::unsupported(format!(
            "`{name}` has a converter for this bridge, which converts every type by its descriptor and supports no \
             converters"
        )));
    }
    Ok(())
}

/// Returns the other accepted type: some clients send velocities with a stamp, some without.
fn sibling(full_name: &str) -> Result<Option<(Decoder, Convert)>> {
    let (schema, convert): (_, Convert) = match full_name {
        Twist::FULL_NAME => (Schema::of::<TwistStamped>(), unstamped),
        TwistStamped::FULL_NAME => (Schema::of::<Twist>(), stamped),
        _ => return Ok(None),
    };
    Ok(Some((Decoder::new(&resolve(&schema)?), convert)))
}

fn unstamped(payload: &[u8]) -> Option<Vec<u8>> {
    let stamped = TwistStamped::decode(payload).ok()?;
    Some(stamped.twist.unwrap_or_default().encode_to_vec())
}

fn stamped(payload: &[u8]) -> Option<Vec<u8>> {
    let twist = Twist::decode(payload).ok()?;
    Some(TwistStamped { twist: Some(twist), ..TwistStamped::default() }.encode_to_vec())
}

#[cfg(test)]
pub(crate) mod tests {
    use bridgehead_plugin_api::messages::std_msgs::Float64;

    use super::*;

    fn payload(data: f64) -> Payload {
        Payload::from_vec(Float64 { data }.encode_to_vec())
    }

    /// A latched topic of numbers.
    pub(crate) fn latched(name: &str) -> Outgoing {
        Outgoing {
            name: name.to_owned(),
            encoder: Encoder::new(&Schema::of::<Float64>()).expect("an encoder"),
            is_of_action: false,
            is_latched: true,
            statics: None,
            sequence: AtomicU64::new(0),
            kept: Mutex::default(),
            has_logged: AtomicBool::new(false),
        }
    }

    #[test]
    fn a_message_that_replaces_the_kept_one_while_that_is_sent_is_sent_after_it() {
        let topic = latched("/map");
        topic.note(|| payload(1.0), 0);
        let mut sent = Vec::new();
        topic.repeat(Generation::Two, |publication| {
            if sent.is_empty() {
                topic.note(|| payload(2.0), 0);
            }
            sent.push(Float64::decode(publication.payload).expect("a number").data);
        });
        assert_eq!(sent, [1.0, 2.0]);
    }
}
