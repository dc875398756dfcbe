//! The node as a peer of scenarios that hold for every peer.

use std::sync::mpsc::channel;

use serde_json::{Value, json};

use super::endpoint::Received;
use super::names::Quality;
use super::{Node, types};
use crate::ros2::{Messages, Pending, Stack};

/// The header of CDR.
const HEADER: [u8; 4] = [0, 1, 0, 0];

impl Stack for Node {
    fn name(&self) -> &'static str {
        "native"
    }

    fn ask(&self, service: &str, ros_type: &str, request: &Value) -> Pending {
        let cdr = types::encode(&format!("{ros_type}_Request"), request);
        Pending(self.request(service, ros_type, cdr))
    }

    fn ask_bytes(&self, service: &str, ros_type: &str, body: &[u8]) -> Pending {
        Pending(self.request(service, ros_type, [&HEADER, body].concat()))
    }

    fn subscribe(&self, topic: &str, ros_type: &str, is_late: bool) -> Messages {
        let quality = Quality { is_latched: is_late, depth: 100, ..Quality::DEFAULT };
        let (sender, messages) = channel();
        let pass = move |found: Result<Received, String>| {
            let message = found.map_or_else(|error| json!({"refused": error}), |received| received.message);
            // Fails if nobody waits for messages any more.
            drop(sender.send(message));
        };
        self.subscribe_with(topic, ros_type, quality, pass);
        Messages(messages)
    }

    fn body(&self, ros_type: &str, message: &Value) -> String {
        let cdr = types::encode(ros_type, message);
        cdr[4..].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
