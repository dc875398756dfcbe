//! The instances of this bridge that share a service: one for the world, one for each vehicle.
//!
//! Each brings what the host gave it: where commands for its topics go, the services it was offered, its clock. What
//! belongs to the host is used under a lock that the host's own calls take to withdraw it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{ServiceSink, Sink};
use bridgehead_plugin_api::host::{Clock, ClockReading, Report};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;
use bridgehead_plugin_api::{Error, Payload, Result};

use crate::describe::DescriptionSource;
use crate::lock::lock;

/// Where commands for topics go, by topic.
pub(crate) type Sinks = Mutex<HashMap<String, Sink>>;
/// Services that were offered, by the full name of their request.
pub(crate) type Services = Mutex<HashMap<String, ServiceSink>>;

/// An instance.
pub(crate) struct Member {
    /// Empty for the world.
    pub(crate) vehicle: String,
    pub(crate) clock: Option<Clock>,
    pub(crate) describe: Option<Box<dyn DescriptionSource>>,
    pub(crate) sinks: Arc<Sinks>,
    pub(crate) services: Arc<Services>,
    /// Where the instance says what became of its connection.
    pub(crate) report: Option<Report>,
}

impl Member {
    /// Says what clients find: addresses and whose they are; one of nobody is taken back.
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

    /// True when none is left.
    pub(crate) fn remove(&self, member: &Arc<Member>) -> bool {
        let mut members = lock(&self.0);
        members.retain(|other| !Arc::ptr_eq(other, member));
        members.is_empty()
    }

    /// Whether an instance carries the topics of a vehicle, or with an empty name of the world.
    pub(crate) fn serve_vehicle(&self, vehicle: &str) -> bool {
        lock(&self.0).iter().any(|member| member.vehicle == vehicle)
    }

    /// Says that messages of a vehicle were lost on the way to clients.
    pub(crate) fn report_lost(&self, vehicle: &str, messages: u64) {
        let members = lock(&self.0);
        let of_vehicle = members.iter().find(|member| member.vehicle == vehicle).or_else(|| members.first());
        if let Some(report) = of_vehicle.and_then(|member| member.report) {
            report.lost(messages);
        }
    }

    /// The instance that came first.
    pub(crate) fn first(&self) -> Option<Arc<Member>> {
        lock(&self.0).first().cloned()
    }

    /// The simulated clock.
    pub(crate) fn clock(&self) -> Option<ClockReading> {
        lock(&self.0).iter().find_map(|member| member.clock).map(Clock::read)
    }

    /// What the world consists of, where that has changed since `known`. The outer `None` says that it has not, or
    /// that nobody can tell; with the revision.
    pub(crate) fn description(&self, known: Option<u64>) -> Option<(u64, Result<WorldDescription>)> {
        let members = lock(&self.0);
        let describe = members.iter().find_map(|member| member.describe.as_deref())?;
        let revision = describe.revision();
        (known != Some(revision)).then(|| (revision, describe.read()))
    }

    /// Hands a command to the simulation. False where no topic takes it.
    ///
    /// # Errors
    /// Where the topic is of another type.
    pub(crate) fn deliver(&self, topic: &str, message: &impl Message) -> Result<bool> {
        for member in lock(&self.0).iter() {
            if let Some(sink) = lock(&member.sinks).get(topic) {
                sink.deliver(&Payload::from_vec(message.encode_to_vec()))?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Calls a service of the host. `reply` runs once on any thread, unless an error is given back.
    ///
    /// # Errors
    /// Where no such service is offered, or it takes no call.
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
            "`{}` is not offered: wait until the world runs, and attach the bridge to the world too",
            R::FULL_NAME
        )))
    }
}
