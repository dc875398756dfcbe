//! The brokers of a world: one in whose world every message arrives, and one with radio links between the models.

use bridgehead_plugin_api::host::{Entities, HostHandle, Publisher, Qos, Subscription};
use bridgehead_plugin_api::messages::ros_gz_interfaces::Dataframe;
use bridgehead_plugin_api::messages::std_msgs::{self, Header};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::random::{Random, RandomKey};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::{length, sub};
use bridgehead_plugin_api::{Flow, Result};
use serde::{Deserialize, Serialize};

use crate::radio::Radio;
use crate::window::Window;
use crate::{BIND, EVERYBODY, FORWARD, SENT};

/// Messages that may be sent in one step.
const DEPTH: u32 = 1000;

/// An endpoint: its address, its model, and the bits that it has sent and received.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Bound {
    pub(crate) address: String,
    pub(crate) model: String,
    sent: Window,
    received: Window,
}

/// The endpoints of a world, and the topics between them.
pub(crate) struct Broker {
    pub(crate) bound: Vec<Bound>,
    binding: Subscription<std_msgs::String>,
    sent: Subscription<Dataframe>,
    pub(crate) forward: Publisher<Dataframe>,
    has_warned: bool,
}

impl Broker {
    pub(crate) fn new(host: HostHandle) -> Result<Self> {
        let bus = host.bus()?;
        let deep = Qos { depth: DEPTH, ..Qos::default() };
        Ok(Broker {
            bound: Vec::new(),
            binding: bus.subscribe(BIND, deep)?,
            sent: bus.subscribe(SENT, deep)?,
            forward: bus.advertise(FORWARD, deep)?,
            has_warned: false,
        })
    }

    /// Passes the messages of this step on. `arrives` gives the strength of the signal, dBm, from a sender to a receiver.
    pub(crate) fn pass(
        &mut self,
        step: &Step,
        mut arrives: impl FnMut(&mut Bound, &mut Bound, &Dataframe) -> Option<f64>,
    ) -> Result {
        self.take_bindings();
        while let Some(sent) = self.sent.take() {
            let message = sent.message;
            let Some(sender) = self.bound.iter().position(|bound| bound.address == message.src_address)
            else {
                self.warn(&message);
                continue;
            };
            for receiver in 0..self.bound.len() {
                let is_meant = message.dst_address == EVERYBODY
                    || self.bound.get(receiver).is_some_and(|bound| bound.address == message.dst_address);
                let Ok([from, to]) = self.bound.get_disjoint_mut([sender, receiver]) else { continue };
                let Some(rssi) = (if is_meant { arrives(from, to, &message) } else { None }) else {
                    continue;
                };
                let header = Some(Header::new(step.time_ns, to.address.as_str()));
                self.forward.publish(step.time_ns, &Dataframe { header, rssi, ..message.clone() })?;
            }
        }
        Ok(())
    }

    fn take_bindings(&mut self) {
        while let Some(binding) = self.binding.take() {
            let Some((address, model)) = binding.message.data.split_once('\n') else { continue };
            self.bound.retain(|bound| (bound.address.as_str(), bound.model.as_str()) != (address, model));
            let (address, model) = (address.to_owned(), model.to_owned());
            self.bound.push(Bound { address, model, sent: Window::default(), received: Window::default() });
        }
    }

    fn warn(&mut self, message: &Dataframe) {
        if !std::mem::replace(&mut self.has_warned, true) {
            log::warn!(
                "dropped a message from `{}` to `{}`: no endpoint has the address of the sender; further ones are dropped \
                 without a warning",
                message.src_address,
                message.dst_address
            );
        }
    }
}

/// A broker in whose world every message arrives.
pub(crate) struct PerfectComms(Broker);

impl ModelPlugin for PerfectComms {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 2 };

    fn awake(host: HostHandle) -> Result<Self> {
        Broker::new(host).map(PerfectComms)
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.0.bound.clear();
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.0.bound)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.0.bound = state.take()?;
        Ok(())
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        self.0.pass(step, |_, _, _| Some(0.0))?;
        Ok(Flow::Continue)
    }
}

/// A broker with a radio link between each pair of models.
pub(crate) struct RfComms {
    broker: Broker,
    entities: Entities,
    radio: Radio,
    key: RandomKey,
}

impl ModelPlugin for RfComms {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 2 };

    fn awake(host: HostHandle) -> Result<Self> {
        let attachment = host.model()?.attachment()?;
        Ok(RfComms {
            broker: Broker::new(host)?,
            entities: host.entities()?,
            radio: Radio::read(host.params()?)?,
            key: RandomKey::new(attachment.seed, &attachment.path),
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.broker.bound.clear();
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.broker.bound)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.broker.bound = state.take()?;
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "messages are far shorter")]
    fn control(&mut self, step: &Step) -> Result<Flow> {
        let (entities, radio, time_ns) = (self.entities, self.radio, step.time_ns);
        let mut random = self.key.sample(step.number);
        self.broker.pass(step, |from, to, message| {
            let distance = distance(entities, &from.model, &to.model)?;
            let bytes = message.data.len() as f64;
            received(&radio, [&mut from.sent, &mut to.received], time_ns, bytes, distance, &mut random)
        })?;
        Ok(Flow::Continue)
    }
}

/// Between two models; `None` if one of them is gone.
fn distance(entities: Entities, one: &str, other: &str) -> Option<f64> {
    Some(length(sub(entities.find(one)?.pose.position, entities.find(other)?.pose.position)))
}

/// The strength at which a message arrives, within the capacities of both radios. Only the data counts.
fn received(
    radio: &Radio,
    [sent, received]: [&mut Window; 2],
    time_ns: i64,
    bytes: f64,
    distance: f64,
    random: &mut Random,
) -> Option<f64> {
    let bits = bytes * 8.0;
    if sent.total(time_ns) + bits > radio.capacity {
        return None;
    }
    sent.add(time_ns, bits);
    let strength = radio.strength(distance, random)?;
    let is_lost = random.uniform() < radio.failure(strength, bytes);
    if is_lost || received.total(time_ns) + bits > radio.capacity {
        return None;
    }
    received.add(time_ns, bits);
    Some(strength)
}

#[cfg(test)]
mod tests;
