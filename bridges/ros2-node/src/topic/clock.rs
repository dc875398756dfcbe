//! `/clock` if no plugin publishes it: the time of nodes with `use_sim_time` would otherwise stand still.

use std::time::{Duration, Instant};

use bridgehead_plugin_api::host::{Clock, ClockReading};
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::{CdrPlan, Schema, rosgraph_msgs};
use bridgehead_plugin_api::{Error, Result};

use super::plan_of;
use crate::qos::Qos;
use crate::topic_type::TopicType;
use crate::transport::{Transport, Writer as _};
use crate::wall_clock;

/// The topic of the time, which only one node of a domain should publish.
pub(crate) const CLOCK: &str = "/clock";

/// Period at which the time is read, which limits the rate to 100 Hz.
pub(crate) const PERIOD: Duration = Duration::from_millis(10);

/// Period at which an unchanged time is repeated for new readers.
const REPEAT: Duration = Duration::from_secs(1);

/// Only the newest time matters. Reliable, since some readers require it.
const QOS: Qos = Qos { depth: 1, ..Qos::DEFAULT };

/// Publishes the time of the host.
pub(crate) struct ClockPublisher<T: Transport> {
    clock: Clock,
    plan: CdrPlan,
    writer: T::Writer,
    last_sent: Option<(i64, u32)>,
    last_sent_at: Option<Instant>,
}

impl<T: Transport> ClockPublisher<T> {
    /// Opens the topic.
    ///
    /// # Errors
    /// Returns an error if the transport cannot create a writer.
    pub(crate) fn open(clock: Clock, transport: &T) -> Result<Self> {
        let plan = plan_of(&Schema::of::<rosgraph_msgs::Clock>())?;
        let name = transport.settings().names.resolve(CLOCK);
        let writer = transport.writer(&name, &TopicType::of(plan.message_type()), QOS)?;
        writer.warn_of_others(format!("publishes {name}"));
        Ok(ClockPublisher { clock, plan, writer, last_sent: None, last_sent_at: None })
    }

    /// Publishes the time if it has changed or its repetition is due.
    ///
    /// # Errors
    /// Returns an error if it cannot be sent.
    pub(crate) fn publish_if_due(&mut self) -> Result {
        let reading = self.clock.read();
        if !self.writer.has_readers() || !self.is_due(&reading) {
            return Ok(());
        }
        let message = rosgraph_msgs::Clock { clock: Some(Time::from_nanos(reading.time_ns)) };
        let mut encoded = T::ENCAPSULATION.to_vec();
        self.plan
            .encode_body(&message.encode_to_vec(), &mut encoded)
            .map_err(|error| Error::invalid(error.to_string()))?;
        self.writer.write(encoded)
    }

    fn is_due(&mut self, reading: &ClockReading) -> bool {
        let time = (reading.time_ns, reading.reset_epoch);
        let has_moved = self.last_sent.replace(time) != Some(time);
        let is_due = has_moved || self.last_sent_at.is_none_or(|at| at.elapsed() >= REPEAT);
        if is_due {
            self.last_sent_at = Some(wall_clock::now());
        }
        is_due
    }
}
