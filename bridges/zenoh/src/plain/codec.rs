//! Messages in the encodings that peers may choose, from the protobuf of the run and back.

use bridgehead_plugin_api::bridge::TypeInfo;
use bridgehead_plugin_api::messages::{CDR_ENCAPSULATION, CdrPlan, JsonPlan, Schema};
use bridgehead_plugin_api::{Error, Result};
use zenoh::bytes::{self, ZBytes};

/// An encoding of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// The names and values of ROS.
    #[default]
    Json,
    /// As in the run.
    Protobuf,
    /// As in ROS 2, with its four bytes of encapsulation.
    Cdr,
}

impl Encoding {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "json" => Some(Encoding::Json),
            "protobuf" => Some(Encoding::Protobuf),
            "cdr" => Some(Encoding::Cdr),
            _ => None,
        }
    }

    /// Returns its name in Zenoh.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Encoding::Json => "application/json",
            Encoding::Protobuf => "application/protobuf",
            Encoding::Cdr => "application/cdr",
        }
    }
}

/// What a peer says about the encoding of a message, without the type.
fn said(encoding: &str) -> Result<Option<Encoding>> {
    match encoding {
        "application/json" | "text/json" => Ok(Some(Encoding::Json)),
        "application/protobuf" => Ok(Some(Encoding::Protobuf)),
        "application/cdr" => Ok(Some(Encoding::Cdr)),
        // Those of a peer that says nothing.
        "" | "zenoh/bytes" | "zenoh/string" | "text/plain" | "application/octet-stream" => Ok(None),
        other => Err(Error::invalid(format!(
            "its encoding is `{other}`; known are application/json, application/protobuf and application/cdr"
        ))),
    }
}

/// Converts the messages of one type.
pub(crate) struct Codec {
    protobuf_name: String,
    ros_name: String,
    json: JsonPlan,
    cdr: CdrPlan,
}

impl Codec {
    /// # Errors
    /// Returns an error if ROS cannot express the type.
    pub(crate) fn new(schema: &Schema) -> Result<Self> {
        let name = schema.full_name();
        let message =
            schema.resolve().map_err(|error| Error::unsupported(format!("`{name}`: {}", error.detail())))?;
        Ok(Codec {
            protobuf_name: name.to_owned(),
            ros_name: message.ros_type().to_string(),
            json: JsonPlan::compile(&message),
            cdr: CdrPlan::compile(&message),
        })
    }

    /// # Errors
    /// Returns an error if ROS cannot express the type.
    pub(crate) fn of(of: TypeInfo<'_>) -> Result<Self> {
        Codec::new(&Schema::new(of.descriptor_set.to_vec(), of.name.to_owned()))
    }

    /// Returns the name of the type in protobuf.
    pub(crate) fn protobuf_name(&self) -> &str {
        &self.protobuf_name
    }

    /// Returns the name of the type in ROS.
    pub(crate) fn ros_name(&self) -> &str {
        &self.ros_name
    }

    /// Returns how Zenoh names an encoding of this type: `application/json;std_msgs/msg/Bool`.
    pub(crate) fn label(&self, encoding: Encoding) -> bytes::Encoding {
        let type_name = match encoding {
            Encoding::Protobuf => &self.protobuf_name,
            Encoding::Json | Encoding::Cdr => &self.ros_name,
        };
        bytes::Encoding::from(format!("{};{type_name}", encoding.media_type()))
    }

    /// Returns a message of the run in an encoding.
    ///
    /// # Errors
    /// Returns an error if the message is not of the type.
    pub(crate) fn encode(&self, encoding: Encoding, payload: &[u8]) -> Result<Vec<u8>> {
        let mut encoded = Vec::with_capacity(payload.len() + payload.len() / 4 + 64);
        let done = match encoding {
            Encoding::Json => self.json.encode(payload, &mut encoded),
            Encoding::Cdr => {
                encoded.extend_from_slice(&CDR_ENCAPSULATION);
                self.cdr.encode_body(payload, &mut encoded)
            }
            Encoding::Protobuf => {
                encoded.extend_from_slice(payload);
                Ok(())
            }
        };
        done.map(|()| encoded).map_err(|error| Error::invalid(error.to_string()))
    }

    /// Returns what a peer has sent as a message of the run, and the encoding that it had.
    ///
    /// # Errors
    /// Returns an error if it is not a message of this type, or says that it is of another one.
    pub(crate) fn decode(
        &self,
        label: &bytes::Encoding,
        sent: &ZBytes,
        default: Encoding,
    ) -> Result<(Vec<u8>, Encoding)> {
        let label = label.to_string();
        let (media_type, type_name) = label.split_once(';').unwrap_or((&label, ""));
        let encoding = said(media_type)?.unwrap_or(default);
        if !["", "utf-8", &self.protobuf_name, &self.ros_name].contains(&type_name) {
            let expected = &self.ros_name;
            return Err(Error::invalid(format!("its type is `{type_name}`, expected `{expected}`")));
        }
        let sent = sent.to_bytes();
        let mut payload = Vec::with_capacity(sent.len());
        let invalid = |error: &dyn std::fmt::Display| {
            Error::invalid(format!("it is not {} of {}: {error}", encoding.media_type(), self.ros_name))
        };
        match encoding {
            Encoding::Json => {
                let text = std::str::from_utf8(&sent).map_err(|error| invalid(&error))?;
                self.json.decode(text, &mut payload).map_err(|error| invalid(&error))?;
            }
            Encoding::Cdr => self.cdr.decode(&sent, &mut payload).map_err(|error| invalid(&error))?,
            // The host checks it when it takes it.
            Encoding::Protobuf => payload.extend_from_slice(&sent),
        }
        Ok((payload, encoding))
    }
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::Message as _;
    use bridgehead_plugin_api::messages::prost::Message as _;
    use bridgehead_plugin_api::messages::std_msgs::Bool;

    use super::*;

    fn codec() -> Codec {
        Codec::new(&Bool::schema()).expect("a type of ROS")
    }

    #[test]
    fn messages_come_back_in_each_encoding() {
        let (codec, payload) = (codec(), Bool { data: true }.encode_to_vec());
        for (encoding, label, expected) in [
            (Encoding::Json, "application/json;std_msgs/msg/Bool", &br#"{"data":true}"#[..]),
            (Encoding::Protobuf, "application/protobuf;bridgehead.std_msgs.v1.Bool", &[8, 1]),
            (Encoding::Cdr, "application/cdr;std_msgs/msg/Bool", &[0, 1, 0, 0, 1, 0, 0, 0]),
        ] {
            let encoded = codec.encode(encoding, &payload).expect("a message");
            assert_eq!((codec.label(encoding).to_string().as_str(), &*encoded), (label, expected));
            for (label, default) in [(codec.label(encoding), Encoding::Json), ("".into(), encoding)] {
                let decoded = codec.decode(&label, &ZBytes::from(encoded.clone()), default);
                assert_eq!(decoded.expect("a message"), (payload.clone(), encoding));
            }
        }
    }

    #[test]
    fn what_is_not_of_the_type_is_refused_by_name() {
        let codec = codec();
        for (label, sent, named) in [
            ("application/json;std_msgs/msg/String", "{}", "its type is `std_msgs/msg/String`"),
            ("application/json", "{", "it is not application/json of std_msgs/msg/Bool"),
            ("application/json", r#"{"dato":true}"#, "dato"),
            ("application/cdr", "x", "it is not application/cdr of std_msgs/msg/Bool"),
            ("image/png", "x", "its encoding is `image/png`"),
        ] {
            let error = codec.decode(&label.into(), &ZBytes::from(sent), Encoding::Json);
            let error = error.expect_err(label);
            assert!(error.text().contains(named), "{error}");
        }
    }
}
