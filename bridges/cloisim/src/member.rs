//! The bridge instances that share a service: one for the world, one for each vehicle.
//!
//! Each contributes what the host gave it: sinks for commands, offered services, its clock. Handles of the host are
//! used under the lock that is also taken when the host withdraws them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{ServiceSink, Sink};
use bridgehead_plugin_api::host::{Clock, ClockReading, Report};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;
use bridgehead_plugin_api::{Error, Payload, Result};

use crate::describe::DescriptionSource;
use crate::lock::lock;

/// Sinks for commands, by topic.
pub(crate) type Sinks = Mutex<HashMap<String, Sink>>;
/// Offered services, by the full name of their request.
pub(crate) type ServiceSinks = Mutex<HashMap<String, ServiceSink>>;

/// An instance.
pub(crate) struct Member {
    /// Empty for the world.
    pub(crate) vehicle: String,
    pub(crate) clock: Option<Clock>,
    pub(crate) describe: Option<Box<dyn DescriptionSource>>,
    pub(crate) sinks: Arc<Sinks>,
    pub(crate) services: Arc<ServiceSinks>,
    /// Reports ports and losses of the connection to the host.
    pub(crate) report: Option<Report>,
}

impl Member {
    /// Reports addresses and their owners; an empty owner withdraws the address.
    pub(crate) fn report_ports(&self, ports: &[(String, String)]) {
        let Some(report) = self.report else { return };
        ports.iter().for_each(|(address, purpose)| report.endpoint(address, purpose));
    }
}

/// The instances of a service.
#[derive(Default)]
pub(crate) struct Members(Mutex<Vec<Arc<Member>>>);

impl Members {
    pub(crate) fn add(&self, member: Arc<Member>) {
        lock(&self.0).push(member);
    }

    /// Returns true if no instance is left.
    pub(crate) fn remove(&self, member: &Arc<Member>) -> bool {
        let mut members = lock(&self.0);
        members.retain(|other| !Arc::ptr_eq(other, member));
        members.is_empty()
    }

    /// Returns true if an instance carries the topics of a vehicle; an empty name means the world.
    pub(crate) fn serve_vehicle(&self, vehicle: &str) -> bool {
        lock(&self.0).iter().any(|member| member.vehicle == vehicle)
    }

    /// Reports messages of a vehicle that were lost on the way to clients.
    pub(crate) fn report_lost(&self, vehicle: &str, messages: u64) {
        let members = lock(&self.0);
        let of_vehicle = members.iter().find(|member| member.vehicle == vehicle).or_else(|| members.first());
        if let Some(report) = of_vehicle.and_then(|member| member.report) {
            report.lost(messages);
        }
    }

    /// Returns the instance that connected first.
    pub(crate) fn first(&self) -> Option<Arc<Member>> {
        lock(&self.0).first().cloned()
    }

    /// Returns the simulated clock.
    pub(crate) fn clock(&self) -> Option<ClockReading> {
        lock(&self.0).iter().find_map(|member| member.clock).map(Clock::read)
    }

    /// Returns the revision and the description of the world if its revision differs from `known`. Returns `None` if
    /// it is unchanged or no instance has a description.
    pub(crate) fn description(&self, known: Option<u64>) -> Option<(u64, Result<WorldDescription>)> {
        let members = lock(&self.0);
        let describe = members.iter().find_map(|member| member.describe.as_deref())?;
        let revision = describe.revision();
        (known != Some(revision)).then(|| (revision, describe.read()))
    }

    /// Hands a command to the simulation. Returns false if no topic takes it.
    ///
    /// # Errors
    /// Returns an error if the topic has another type.
    pub(crate) fn deliver(&self, topic: &str, message: &impl Message) -> Result<bool> {
        for member in lock(&self.0).iter() {
            if let Some(sink) = lock(&member.sinks).get(topic) {
                sink.deliver(&Payload::from_vec(message.encode_to_vec()))?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Calls a service of the host. `reply` runs once, on any thread, unless an error is returned.
    ///
    /// # Errors
    /// Returns an error if the service is not offered or does not accept the call.
    pub(crate) fn call<R: Message>(
        &self,
        request: &R,
        reply: impl FnOnce(Result<Payload>) + Send + 'static,
    ) -> Result {
        for member in lock(&self.0).iter() {
            if let Some(sink) = lock(&member.services).get(R::FULL_NAME) {
                return sink.call(&Payload::from_vec(request.encode_to_vec()), reply);
            }
        }
        Err(Error::unsupported(format!(
            "`{}` is not offered; wait until the world runs, and attach the bridge to the world too",
            R::FULL_NAME
        )))
    }
}
