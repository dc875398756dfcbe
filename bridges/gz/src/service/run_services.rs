//! The services of the run, and calls of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::ServiceSink;
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::simulation_interfaces as si;
use bridgehead_plugin_api::{Payload, Result};

use crate::lock::lock;

/// The services that the run offers, by name.
#[derive(Default)]
pub(crate) struct RunServices(Mutex<BTreeMap<String, Arc<ServiceSink>>>);

impl RunServices {
    pub(crate) fn add(&self, name: &str, sink: ServiceSink) {
        lock(&self.0).insert(name.to_owned(), Arc::new(sink));
    }

    pub(crate) fn remove(&self, name: &str) {
        lock(&self.0).remove(name);
    }

    pub(super) fn find(&self, name: &str) -> Option<Arc<ServiceSink>> {
        lock(&self.0).get(name).cloned()
    }
}

/// A call of a service of the run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    /// Its name, without a leading slash.
    pub(super) service: &'static str,
    pub(super) request: Vec<u8>,
    /// Results other than OK that mean that nothing was to be done.
    pub(super) accepts: &'static [u32],
}

impl Call {
    pub(super) fn new(service: &'static str, request: &impl Message) -> Self {
        Call { service, request: request.encode_to_vec(), accepts: &[] }
    }
}

/// Returns why a call failed. The responses of all services that are called begin with a result.
pub(super) fn judged(outcome: Result<Payload>, call: &Call) -> Result<(), String> {
    let response = outcome.map_err(|error| error.to_string())?;
    let decoded = si::DeleteEntityResponse::decode(&*response).map_err(|error| error.to_string())?;
    let result = decoded.result.unwrap_or_default();
    let is_fine = result.result == si::Result::RESULT_OK || call.accepts.contains(&result.result);
    if is_fine { Ok(()) } else { Err(result.error_message) }
}
