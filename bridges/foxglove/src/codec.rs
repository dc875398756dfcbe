//! Converts messages of one type between the protobuf of the host and the encodings of clients, and describes the
//! type for them.
//!
//! Everything is derived from the descriptor, also for types that a plugin registers. A type that ROS cannot express
//! has one encoding, protobuf.

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bridgehead_plugin_api::bridge::TypeInfo;
use bridgehead_plugin_api::messages::{CdrPlan, JsonPlan, MessageType, Schema, ros};

mod json_schema;
mod json_times;
#[cfg(test)]
mod tests;

/// How a message is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// The CDR of ROS 2.
    #[default]
    Cdr,
    /// Protobuf, as in the host.
    Protobuf,
    /// JSON text.
    Json,
}

/// Encodings that clients may use, in the order in which the server names them. Viewers publish in the first one that
/// they support: JSON, because it needs no definition of the type.
pub(crate) const ENCODINGS: [Encoding; 3] = [Encoding::Json, Encoding::Cdr, Encoding::Protobuf];

impl Encoding {
    /// Returns the encoding of that name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        ENCODINGS.into_iter().find(|encoding| encoding.name() == name)
    }

    /// Returns its name in the protocol.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Encoding::Cdr => "cdr",
            Encoding::Protobuf => "protobuf",
            Encoding::Json => "json",
        }
    }
}

/// The description of a type for clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) encoding: Encoding,
    pub(crate) schema_name: String,
    pub(crate) schema_encoding: &'static str,
    pub(crate) schema: String,
}

/// The encodings of one type.
pub(crate) struct Codec {
    schema: Schema,
    /// `None` if ROS cannot express the type.
    message: Option<MessageType>,
    cdr: OnceLock<CdrPlan>,
    json: OnceLock<JsonPlan>,
}

impl Codec {
    /// Creates the codec of a type of the host.
    pub(crate) fn of(data_type: TypeInfo<'_>) -> Self {
        Codec::new(Schema::new(data_type.descriptor_set.to_vec(), data_type.name.to_owned()))
    }

    /// Creates the codec of a schema.
    pub(crate) fn new(schema: Schema) -> Self {
        let message = schema.resolve().ok();
        Codec { schema, message, cdr: OnceLock::new(), json: OnceLock::new() }
    }

    /// Returns the protobuf full name of the type.
    pub(crate) fn full_name(&self) -> &str {
        self.schema.full_name()
    }

    /// Returns the ROS name of the type; without one, its protobuf name.
    pub(crate) fn type_name(&self) -> String {
        self.message.as_ref().map_or_else(|| self.full_name().to_owned(), |of| of.ros_type().to_string())
    }

    /// Returns true if both have the same fields.
    pub(crate) fn is_of_same_type(&self, other: &Codec) -> bool {
        let fingerprint = |codec: &Codec| codec.message.as_ref().map(MessageType::fingerprint);
        self.full_name() == other.full_name() && fingerprint(self) == fingerprint(other)
    }

    /// Returns true if a client may mean this type by that name: `geometry_msgs/msg/Twist`, `geometry_msgs/Twist`, or
    /// the protobuf name. An empty name stands for every type.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        let ros = self.message.as_ref().map(MessageType::ros_type);
        let is_ros = ros.is_some_and(|ros| name == ros.to_string() || name == ros.short());
        name.is_empty() || name == self.full_name() || is_ros
    }

    /// Returns the requested encoding if the type has it, and protobuf otherwise.
    pub(crate) fn available(&self, requested: Encoding) -> Encoding {
        if self.message.is_some() { requested } else { Encoding::Protobuf }
    }

    /// Describes the type in an encoding that is [available](Self::available).
    pub(crate) fn definition(&self, requested: Encoding) -> Definition {
        let encoding = self.available(requested);
        match (encoding, &self.message) {
            (Encoding::Cdr, Some(message)) => Definition {
                encoding,
                schema_name: message.ros_type().to_string(),
                schema_encoding: "ros2msg",
                schema: ros_text(message),
            },
            (Encoding::Json, Some(message)) => Definition {
                encoding,
                schema_name: message.ros_type().to_string(),
                schema_encoding: "jsonschema",
                schema: json_schema::text(message),
            },
            (Encoding::Protobuf, _) | (_, None) => Definition {
                encoding: Encoding::Protobuf,
                schema_name: self.full_name().to_owned(),
                schema_encoding: "protobuf",
                schema: STANDARD.encode(self.schema.descriptor_set()),
            },
        }
    }

    /// Appends a message of the host in an encoding that is [available](Self::available).
    ///
    /// # Errors
    /// Returns the reason if the payload is not of this type. `out` is then unchanged.
    pub(crate) fn encode(&self, encoding: Encoding, payload: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        match (encoding, &self.message) {
            (Encoding::Cdr, Some(message)) => {
                self.cdr(message).encode(payload, out).map_err(|error| error.to_string())
            }
            (Encoding::Json, Some(message)) => {
                self.json(message).encode(payload, out).map_err(|error| error.to_string())
            }
            (Encoding::Protobuf, _) => {
                out.extend_from_slice(payload);
                Ok(())
            }
            (Encoding::Cdr | Encoding::Json, None) => Err(self.has_no(encoding)),
        }
    }

    /// Converts bytes of a client to a message of the host.
    ///
    /// # Errors
    /// Returns the reason if they are not a message of this type in that encoding.
    pub(crate) fn decode(&self, encoding: Encoding, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut payload = Vec::with_capacity(bytes.len());
        match (encoding, &self.message) {
            (Encoding::Cdr, Some(message)) => {
                let decoded = self.cdr(message).decode(bytes, &mut payload);
                decoded.map(|()| payload).map_err(|error| error.to_string())
            }
            (Encoding::Json, Some(message)) => json_times::decode(self.json(message), bytes),
            (Encoding::Protobuf, Some(message)) => {
                // A message of the type has a CDR form; anything else fails here and not in the plugin.
                let checked = self.cdr(message).encode(bytes, &mut Vec::new());
                checked.map(|()| bytes.to_vec()).map_err(|error| error.to_string())
            }
            (Encoding::Protobuf, None) => Ok(bytes.to_vec()),
            (Encoding::Cdr | Encoding::Json, None) => Err(self.has_no(encoding)),
        }
    }

    fn cdr(&self, message: &MessageType) -> &CdrPlan {
        self.cdr.get_or_init(|| CdrPlan::compile(message))
    }

    fn json(&self, message: &MessageType) -> &JsonPlan {
        self.json.get_or_init(|| JsonPlan::compile(message))
    }

    fn has_no(&self, encoding: Encoding) -> String {
        format!("`{}` has no form in `{}`, only in `protobuf`", self.full_name(), encoding.name())
    }
}

/// Returns the ROS definition of a type with those of all contained types. Viewers refuse an empty text.
fn ros_text(message: &MessageType) -> String {
    let text = ros::full_msg_text(message);
    if text.is_empty() { "# no fields\n".to_owned() } else { text }
}
