//! A topic to which plugins subscribe, and on which clients publish.

use bridgehead_plugin_api::bridge::{Channel, Sink};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::geometry_msgs::{Twist, TwistStamped};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::{Payload, Result};

use crate::codec::{Codec, Encoding};

/// Converts a message of another accepted type to the type of the topic.
type Convert = fn(&[u8]) -> Option<Vec<u8>>;

/// One topic of an instance.
pub(crate) struct Input {
    pub(crate) topic: String,
    pub(crate) vehicle: String,
    own: Codec,
    other: Option<(Codec, Convert)>,
    sink: Sink,
}

impl Input {
    pub(crate) fn new(channel: &Channel<'_>, sink: Sink) -> Self {
        let own = Codec::of(channel.data_type());
        let other = other(own.full_name());
        Input { topic: channel.topic().to_owned(), vehicle: channel.vehicle().to_owned(), own, other, sink }
    }

    /// Returns the ROS name of its type.
    pub(crate) fn type_name(&self) -> String {
        self.own.type_name()
    }

    /// Returns true if messages of a type with that name are accepted.
    pub(crate) fn accepts(&self, type_name: &str) -> bool {
        self.own.has_name(type_name)
            || self.other.as_ref().is_some_and(|(codec, _)| codec.has_name(type_name))
    }

    /// Hands a message to the simulation.
    ///
    /// # Errors
    /// Returns the reason if it is not of an accepted type, or the topic is withdrawn.
    pub(crate) fn deliver(&self, type_name: &str, encoding: Encoding, bytes: &[u8]) -> Result<(), String> {
        let payload = match &self.other {
            Some((codec, convert)) if !self.own.has_name(type_name) => {
                let payload = codec.decode(encoding, bytes)?;
                convert(&payload).ok_or("it cannot be converted")?
            }
            _ => self.own.decode(encoding, bytes)?,
        };
        self.sink.deliver(&Payload::from_vec(payload)).map_err(|error| error.to_string())
    }
}

/// Returns the other type that a topic accepts: programs send velocities with a stamp or without.
fn other(full_name: &str) -> Option<(Codec, Convert)> {
    match full_name {
        Twist::FULL_NAME => Some((Codec::new(TwistStamped::schema()), |payload| {
            TwistStamped::decode(payload)
                .ok()
                .map(|stamped| stamped.twist.unwrap_or_default().encode_to_vec())
        })),
        TwistStamped::FULL_NAME => Some((Codec::new(Twist::schema()), |payload| {
            let twist = Some(Twist::decode(payload).ok()?);
            Some(TwistStamped { twist, ..TwistStamped::default() }.encode_to_vec())
        })),
        _ => None,
    }
}
