//! The types of the plugin API by their names in ROS, with their hashes, and messages of them as CDR from and to JSON.

use std::collections::HashMap;
use std::sync::OnceLock;

use bridgehead_plugin_api::messages::ros::{self, ServiceTypes};
use bridgehead_plugin_api::messages::{CdrPlan, JsonPlan, MessageType, all_schemas};
use serde_json::Value;

use crate::ros2::{with_base64, with_lists};

/// The type of this name.
#[track_caller]
pub(crate) fn message_type(name: &str) -> MessageType {
    static ALL: OnceLock<HashMap<String, MessageType>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let types = all_schemas().map(|schema| schema.resolve().expect("a type"));
        types.map(|found| (found.ros_type().to_string(), found)).collect()
    });
    all.get(name).unwrap_or_else(|| panic!("no type {name}")).clone()
}

/// The hash of a message.
#[track_caller]
pub(crate) fn hash(name: &str) -> String {
    ros::type_hash(&message_type(name)).to_string()
}

/// The hash of a service.
#[track_caller]
pub(crate) fn service_hash(name: &str) -> String {
    let half = |end: &str| message_type(&format!("{name}_{end}"));
    let service = ServiceTypes::new(half("Request"), half("Response")).expect("a service");
    service.type_hash().to_string()
}

/// A message as CDR with its header. In JSON, bytes are numbers in a list.
#[track_caller]
pub(super) fn encode(name: &str, message: &Value) -> Vec<u8> {
    let found = message_type(name);
    let json = with_base64(&found, message).to_string();
    let (mut payload, mut cdr) = (Vec::new(), Vec::new());
    JsonPlan::compile(&found).decode(&json, &mut payload).expect("a message");
    CdrPlan::compile(&found).encode(&payload, &mut cdr).expect("a message");
    cdr
}

/// The message in CDR; otherwise says what is wrong with it.
pub(super) fn decode(name: &str, cdr: &[u8]) -> Result<Value, String> {
    let found = message_type(name);
    let (mut payload, mut json) = (Vec::new(), Vec::new());
    CdrPlan::compile(&found).decode(cdr, &mut payload).map_err(|error| error.to_string())?;
    JsonPlan::compile(&found).encode(&payload, &mut json).map_err(|error| error.to_string())?;
    let json = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
    Ok(with_lists(&found, &json))
}
