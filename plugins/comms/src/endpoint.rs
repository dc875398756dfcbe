//! A radio on a model: publishes on its topic what arrives at its address.

use bridgehead_plugin_api::host::{HostHandle, Publisher, Qos, Subscription};
use bridgehead_plugin_api::messages::ros_gz_interfaces::Dataframe;
use bridgehead_plugin_api::messages::std_msgs;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Error, Flow, Result};

use crate::{BIND, EVERYBODY, FORWARD};

/// Messages that may arrive in one step.
const DEPTH: u32 = 1000;

/// One endpoint.
pub(crate) struct CommsEndpoint {
    address: String,
    vehicle: String,
    is_bound: bool,
    bind: Publisher<std_msgs::String>,
    forwarded: Subscription<Dataframe>,
    received: Publisher<Dataframe>,
}

impl ModelPlugin for CommsEndpoint {
    const PHASES: Phases = Phases::BOTH;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus) = (host.params()?, host.bus()?);
        let vehicle = host.model()?.attachment()?.vehicle;
        if vehicle.is_empty() {
            return Err(Error::invalid("an endpoint belongs to a model; put its <plugin> into a <model>"));
        }
        let address: String = params.require("address")?;
        if address.is_empty() || address == EVERYBODY || address.contains('\n') {
            return Err(params.refuse("address", &address, format!("an address other than `{EVERYBODY}`")));
        }
        let topic: String = params.require("topic")?;
        // Names of Gazebo's services, for which there are topics here.
        params.take_whole("broker");
        Ok(CommsEndpoint {
            address,
            vehicle,
            is_bound: false,
            bind: bus.advertise(BIND, Qos::default())?,
            forwarded: bus.subscribe(FORWARD, Qos { depth: DEPTH, ..Qos::default() })?,
            received: bus.advertise(&topic, Qos::default())?,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.is_bound = false;
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.is_bound)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.is_bound = state.take()?;
        Ok(())
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        if !std::mem::replace(&mut self.is_bound, true) {
            let data = format!("{}\n{}", self.address, self.vehicle);
            self.bind.publish(step.time_ns, &std_msgs::String { data })?;
        }
        Ok(Flow::Continue)
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        while let Some(forwarded) = self.forwarded.take() {
            let mut message = forwarded.message;
            let Some(header) = message.header.as_mut().filter(|header| header.frame_id == self.address)
            else {
                continue;
            };
            header.frame_id.clear();
            self.received.publish(step.time_ns, &message)?;
        }
        Ok(Flow::Continue)
    }
}
