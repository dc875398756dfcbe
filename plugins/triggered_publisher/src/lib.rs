//! Publishes messages and calls services when a matching message arrives, like Gazebo's triggered publisher, with the
//! host's messages.
//!
//! [`Settings`] is the plugin element, [`Types`] finds message types by ROS, Gazebo and protobuf names, [`Matcher`]
//! compares messages, [`Call`] is a service to call. Runs on the simulation thread, for the world or for a model.

mod matcher;
mod service;
mod settings;
#[cfg(test)]
mod tests;
mod types;

use std::collections::VecDeque;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::host::{HostHandle, Params, Qos, RawPublisher, RawSubscription, ServiceCalls};
use bridgehead_plugin_api::messages::JsonPlan;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result, export_plugin};

use crate::matcher::Matcher;
use crate::service::Call;
use crate::settings::Settings;
use crate::types::Types;

export_plugin! {
    model TriggeredPublisher {
        id: "org.bridgehead.controller.triggered_publisher", name: "triggered_publisher", vendor: "Bridgehead"
    }
}

/// An output message and its topic.
struct Output {
    publisher: RawPublisher,
    payload: Payload,
}

/// One trigger.
struct TriggeredPublisher {
    input: RawSubscription,
    matchers: Vec<Matcher>,
    outputs: Vec<Output>,
    params: Params,
    services: ServiceCalls,
    calls: Vec<Call>,
    delay_ns: i64,
    /// Due times of the outputs of past triggers, simulated nanoseconds, in order.
    due: VecDeque<i64>,
}

impl ModelPlugin for TriggeredPublisher {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let settings = Settings::read(host.params()?, &Types::all())?;
        let bus = host.bus()?;
        // A trigger must not miss any message between two steps.
        let qos = Qos { depth: 64, ..Qos::default() };
        let type_name = |plan: &JsonPlan| -> Result<String> {
            let schema = plan.message_type().schema();
            host.register_type(schema.full_name(), schema.descriptor_set())?;
            Ok(schema.full_name().to_owned())
        };
        let output = |output: &settings::Output| -> Result<Output> {
            let publisher = bus.advertise_raw(&output.topic, &type_name(&output.plan)?, Qos::default())?;
            Ok(Output { publisher, payload: Payload::from_vec(output.payload.clone()) })
        };
        Ok(TriggeredPublisher {
            input: bus.subscribe_raw(&settings.input_topic, &type_name(&settings.input)?, qos)?,
            outputs: settings.outputs.iter().map(output).collect::<Result<_>>()?,
            params: host.params()?,
            services: host.service_calls()?,
            calls: settings.calls,
            matchers: settings.matchers,
            delay_ns: settings.delay_ns,
            due: VecDeque::new(),
        })
    }

    /// Discards pending outputs of the time before the reset.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.due.clear();
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.due)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.due = state.take()?;
        Ok(())
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        while let Some(received) = self.input.take() {
            if self.matchers.iter().all(|matcher| matcher.accepts(&received.message)) {
                self.due.push_back(step.time_ns + self.delay_ns);
            }
        }
        while self.due.front().is_some_and(|due| *due <= step.time_ns) {
            self.due.pop_front();
            for output in &self.outputs {
                output.publisher.publish(step.time_ns, &output.payload)?;
            }
            self.calls.iter_mut().for_each(|call| call.make(self.services, self.params));
        }
        Ok(Flow::Continue)
    }
}
