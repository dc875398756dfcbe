//! The interface of a peer for tests, independent of its DDS stack.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use serde_json::{Value, json};

use super::{FastDds, Peer};
use crate::service_calls::Caller;

/// Longer than the timeouts of the peers themselves.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// A pending answer.
pub(crate) struct Pending(pub(crate) Receiver<Value>);

impl Pending {
    /// Waits for the response; an error is the peer's reason for a missing response.
    #[track_caller]
    pub(crate) fn wait(self) -> Result<Value, String> {
        match self.0.recv_timeout(PATIENCE) {
            Ok(mut line) if line.get("response").is_some() => Ok(line["response"].take()),
            Ok(line) => Err(line["error"].as_str().unwrap_or_else(|| panic!("no answer: {line}")).to_owned()),
            Err(_) => Err("the peer is gone".to_owned()),
        }
    }
}

/// Messages of a topic, in the order of arrival.
pub(crate) struct Messages(pub(crate) Receiver<Value>);

impl Messages {
    /// The next message.
    #[track_caller]
    pub(crate) fn next(&self) -> Value {
        self.0.recv_timeout(PATIENCE).expect("a message")
    }

    /// The next message, if one has arrived already.
    pub(crate) fn next_of_now(&self) -> Option<Value> {
        self.0.try_recv().ok()
    }
}

/// A peer with the functions of ROS clients.
pub(crate) trait Stack: Sync {
    /// Its name, which is part of the names of the entities that it spawns.
    fn name(&self) -> &'static str;

    /// Sends a request, without waiting for the response.
    #[track_caller]
    fn ask(&self, service: &str, ros_type: &str, request: &Value) -> Pending;

    /// Sends bytes instead of a request.
    #[track_caller]
    fn ask_bytes(&self, service: &str, ros_type: &str, body: &[u8]) -> Pending;

    /// Subscribes to a topic, named as in ROS, reliably. If `is_late` is set, earlier latched messages are delivered
    /// too.
    #[track_caller]
    fn subscribe(&self, topic: &str, ros_type: &str, is_late: bool) -> Messages;

    /// A message of this type as encoded by the stack: CDR in hexadecimal, without the encapsulation header of four
    /// bytes.
    #[track_caller]
    fn body(&self, ros_type: &str, message: &Value) -> String;

    /// The response of a service.
    #[track_caller]
    fn call(&self, service: &str, ros_type: &str, request: &Value) -> Value {
        let response = self.ask(service, ros_type, request).wait();
        response.unwrap_or_else(|error| panic!("{}: {service} {request}: {error}", self.name()))
    }
}

impl<T: Stack + ?Sized> Caller for T {
    fn name(&self) -> &'static str {
        Stack::name(self)
    }

    #[track_caller]
    fn call(&self, service: &str, ros_type: &str, request: &Value) -> Value {
        Stack::call(self, service, ros_type, request)
    }
}

impl Stack for Peer {
    fn name(&self) -> &'static str {
        "cyclone"
    }

    fn ask(&self, service: &str, ros_type: &str, request: &Value) -> Pending {
        self.ask(service, ros_type, request)
    }

    fn ask_bytes(&self, service: &str, ros_type: &str, body: &[u8]) -> Pending {
        self.ask_bytes(service, ros_type, body)
    }

    fn subscribe(&self, topic: &str, ros_type: &str, is_late: bool) -> Messages {
        self.subscribe(topic, ros_type, json!({"transient_local": is_late, "depth": 100}))
    }

    fn body(&self, ros_type: &str, message: &Value) -> String {
        let written = self.tell("encode", json!({"type": ros_type, "message": message})).wait();
        let written = written.unwrap_or_else(|error| panic!("{ros_type} {message}: {error}"));
        let cdr = written["cdr"].as_str().expect("hexadecimal");
        cdr.strip_prefix("00010000").expect("little endian").to_owned()
    }
}

impl Stack for FastDds {
    fn name(&self) -> &'static str {
        "fast"
    }

    fn ask(&self, service: &str, ros_type: &str, request: &Value) -> Pending {
        self.ask(service, ros_type, request)
    }

    fn ask_bytes(&self, service: &str, ros_type: &str, body: &[u8]) -> Pending {
        self.ask_bytes(service, ros_type, body)
    }

    fn subscribe(&self, topic: &str, ros_type: &str, is_late: bool) -> Messages {
        self.subscribe(&format!("rt{topic}"), ros_type, is_late)
    }

    fn body(&self, ros_type: &str, message: &Value) -> String {
        self.body(ros_type, message)
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
