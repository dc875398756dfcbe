//! Messages of clients for other clients. They stay JSON, because the run may not know their type.

use bridgehead_websocket::Frame;

use super::encoder::{Compression, Shape, object, pack};
use super::json::quoted;
use crate::codes::CONFLICT;
use crate::fault::Fault;

/// A message of a client.
pub(crate) struct Relayed<'a> {
    pub(crate) topic: &'a str,
    /// The type that its sender has given.
    pub(crate) kind: Option<&'a str>,
    /// The message, valid JSON.
    pub(crate) message: &'a str,
}

impl Relayed<'_> {
    /// Checks the type that a subscriber expects, if both are known.
    ///
    /// # Errors
    /// Returns an error if the message has another type.
    pub(crate) fn check(&self, expected: Option<&str>) -> Result<(), Fault> {
        match (self.kind, expected) {
            (Some(kind), Some(expected)) if short(kind) != short(expected) => {
                let text = format!("a client publishes `{}` as `{kind}`, not as `{expected}`", self.topic);
                Err(Fault::new(CONFLICT, text))
            }
            _ => Ok(()),
        }
    }

    /// Returns its frames: JSON, also for clients that prefer CBOR, which read both.
    ///
    /// # Errors
    /// Returns an error if it has too many fragments.
    pub(crate) fn frames(&self, shape: Shape) -> Result<Vec<Frame>, Fault> {
        let compression = match shape.compression {
            Compression::Png => Compression::Png,
            Compression::None | Compression::Cbor | Compression::CborRaw => Compression::None,
        };
        let topic = quoted(self.topic);
        let members = [("op", "\"publish\""), ("topic", topic.as_str()), ("msg", self.message)];
        pack(object(&members).into_bytes(), Shape { compression, ..shape })
    }
}

/// Returns a type name without the part that only ROS 2 has: `std_msgs/String`.
fn short(kind: &str) -> String {
    kind.replacen("/msg/", "/", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_equal_in_the_names_of_both_generations() {
        let names = ["std_msgs/String", "std_msgs/msg/String"];
        for kind in names {
            for expected in names {
                let message = Relayed { topic: "/chat", kind: Some(kind), message: "{}" };
                assert!(message.check(Some(expected)).is_ok());
                assert!(message.check(Some("std_msgs/Float64")).is_err());
                assert!(message.check(None).is_ok());
            }
        }
        assert!(Relayed { topic: "/chat", kind: None, message: "{}" }.check(Some("std_msgs/String")).is_ok());
    }
}
