//! Publishes simulated time, so that peers can use it instead of the wall clock.
//!
//! A world plugin without state: the message depends on the step alone. Runs on the simulation thread.

#[cfg(test)]
mod tests;

use bridgehead_plugin_api::host::{Durability, HostHandle, Publisher, Qos, Reliability};
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::rosgraph_msgs;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::schedule::{SampleTimes, Schedule};
use bridgehead_plugin_api::state::Remembers;
use bridgehead_plugin_api::{Flow, Result, export_plugin};

export_plugin! {
    model Clock { id: "org.bridgehead.world.clock", name: "clock", vendor: "Bridgehead" }
}

/// The topic from which ROS nodes with `use_sim_time` read the time.
const TOPIC: &str = "/clock";

/// Only the newest time matters; ROS nodes subscribe with the same quality of service.
const QOS: Qos = Qos { reliability: Reliability::BestEffort, durability: Durability::Volatile, depth: 1 };

/// The clock of a world.
struct Clock {
    schedule: Schedule,
    publisher: Publisher<rosgraph_msgs::Clock>,
}

impl ModelPlugin for Clock {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Nothing;

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let topic = params.get_or("topic", TOPIC.to_owned())?;
        let rate = params.get_or("update_rate", 0.0)?;
        Ok(Clock {
            schedule: Schedule::with_rate(rate).map_err(|error| error.context("parameter `update_rate`"))?,
            publisher: host.bus()?.advertise(&topic, QOS)?,
        })
    }

    /// There is no state between steps.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }

    fn sample_times(&self) -> SampleTimes {
        self.schedule.into()
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        if self.schedule.due(step).is_some() && self.publisher.has_listeners() {
            let clock = rosgraph_msgs::Clock { clock: Some(Time::from_nanos(step.time_ns)) };
            self.publisher.publish(step.time_ns, &clock)?;
        }
        Ok(Flow::Continue)
    }
}
