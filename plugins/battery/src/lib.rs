//! A battery whose voltage falls with its charge, and the load that discharges it.
//!
//! [`Cell`] is the electrical model, [`Settings`] the plugin element; this file connects them to topics and services.
//! An empty battery cuts the power of its vehicle's joints. Runs on the simulation thread.

mod cell;
mod settings;
#[cfg(test)]
mod tests;

use bridgehead_plugin_api::host::{
    Command, HostHandle, JointId, JointKind, Publisher, Qos, Service, Subscription, World,
};
use bridgehead_plugin_api::messages::sensor_msgs::BatteryState;
use bridgehead_plugin_api::messages::std_msgs::{self, Header};
use bridgehead_plugin_api::messages::std_srvs::{SetBoolRequest, SetBoolResponse};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::schedule::Schedule;
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Error, Flow, Result, export_plugin};

use crate::cell::Cell;
use crate::settings::{DischargeStart, Settings};

export_plugin! {
    model Battery { id: "org.bridgehead.sensor.battery", name: "battery", vendor: "Bridgehead" }
}

/// Joint speed above which a vehicle counts as moving, rad/s or m/s.
const MOTION: f64 = 1e-3;

/// A switch for charging: a topic or a service.
enum Switch {
    Topic(Subscription<std_msgs::Bool>),
    Service(Service<SetBoolRequest, SetBoolResponse>),
}

/// One battery.
struct Battery {
    world: World,
    command: Command,
    joints: Vec<JointId>,
    settings: Settings,
    cell: Cell,
    is_draining: bool,
    is_charging: bool,
    /// What starts and stops charging.
    switches: Option<[Switch; 2]>,
    drain_topics: [Vec<Subscription<std_msgs::Bool>>; 2],
    schedule: Schedule,
    publisher: Publisher<BatteryState>,
}

impl ModelPlugin for Battery {
    const PHASES: Phases = Phases::BOTH;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus, model) = (host.params()?, host.bus()?, host.model()?);
        if model.attachment()?.vehicle.is_empty() {
            return Err(Error::invalid("a battery must be in a model; put its <plugin> into a <model>"));
        }
        let settings = Settings::read(params)?;
        let topic = |name: &str| format!("battery/{}/{name}", settings.name);
        let switches = match settings.charging {
            None => None,
            Some(_) => Some([
                switch(host, &settings, &topic("recharge/start"))?,
                switch(host, &settings, &topic("recharge/stop"))?,
            ]),
        };
        let subscribe = |names: &[String]| -> Result<Vec<_>> {
            names.iter().map(|name| bus.subscribe(name, Qos::default())).collect()
        };
        let joints = model.joints().into_iter().filter(|joint| is_driven(joint.kind)).map(|joint| joint.id);
        Ok(Battery {
            world: host.world()?,
            command: host.command()?,
            joints: joints.collect(),
            cell: Cell::new(&settings),
            is_draining: false,
            is_charging: false,
            switches,
            drain_topics: [subscribe(&settings.start_topics)?, subscribe(&settings.stop_topics)?],
            schedule: Schedule::with_rate(settings.rate)?,
            publisher: bus.advertise(&settings.topic, Qos::default())?,
            settings,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.cell = Cell::new(&self.settings);
        self.is_draining = self.settings.discharge_start == DischargeStart::AtOnce;
        self.is_charging = false;
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.is_draining, self.is_charging))?;
        self.cell.save(state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.is_draining, self.is_charging) = state.take()?;
        self.cell.load(state)
    }

    /// Returns the remaining charge or voltage with which the next run of a saved world starts; nothing if it is
    /// unchanged.
    fn saved_elements(&mut self) -> Result<Option<String>> {
        if self.cell.fades() {
            let voltage = self.cell.voltage();
            let has_changed = voltage.to_bits() != self.settings.voltage.to_bits();
            return Ok(has_changed.then(|| format!("<voltage>{voltage}</voltage>")));
        }
        let charge = self.cell.charge();
        let has_changed = charge.to_bits() != self.settings.initial_charge.to_bits();
        Ok(has_changed.then(|| format!("<charge>{charge}</charge>")))
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        if self.schedule.due(step).is_some() && self.publisher.has_listeners() {
            self.publisher
                .publish(step.time_ns, &self.cell.message(self.is_charging, Header::new(step.time_ns, "")))?;
        }
        Ok(Flow::Continue)
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        self.read_switches();
        if !self.is_draining && self.settings.discharge_start == DischargeStart::OnMotion {
            self.is_draining = self.is_moving();
        }
        if self.cell.fades() {
            if self.is_draining {
                self.cell.fade(step.width());
            }
            return Ok(Flow::Continue);
        }
        let load = if self.is_draining { self.settings.load } else { 0.0 };
        self.cell.advance(step.width(), load, self.settings.charging.filter(|_| self.is_charging));
        if self.cell.is_empty() {
            // After the vehicle's controllers, whose commands this overrides.
            for joint in &self.joints {
                self.command.joint_effort(*joint, 0.0)?;
            }
        }
        Ok(Flow::Continue)
    }
}

impl Battery {
    fn read_switches(&mut self) {
        let [start, stop] = &mut self.drain_topics;
        if start.iter_mut().any(|topic| topic.take_latest().is_some()) {
            self.is_draining = true;
        }
        if stop.iter_mut().any(|topic| topic.take_latest().is_some()) {
            self.is_draining = false;
        }
        let Some([start, stop]) = &mut self.switches else { return };
        if start.is_asked() {
            self.is_charging = true;
        }
        if stop.is_asked() {
            self.is_charging = false;
        }
    }

    fn is_moving(&self) -> bool {
        let speed =
            |joint: &JointId| self.world.joint_state(*joint).map_or(0.0, |state| state.velocity.abs());
        self.joints.iter().any(|joint| speed(joint) > MOTION)
    }
}

impl Switch {
    /// Returns true if there was a request since the last call.
    fn is_asked(&mut self) -> bool {
        match self {
            Switch::Topic(topic) => topic.take_latest().is_some_and(|received| received.message.data),
            Switch::Service(service) => {
                let mut is_asked = false;
                while let Some(call) = service.take() {
                    is_asked |= call.request.data;
                    service.reply(&call, Ok(SetBoolResponse { success: true, message: String::new() }));
                }
                is_asked
            }
        }
    }
}

fn switch(host: HostHandle, settings: &Settings, name: &str) -> Result<Switch> {
    if settings.recharges_by_topic {
        return Ok(Switch::Topic(host.bus()?.subscribe(name, Qos::default())?));
    }
    Ok(Switch::Service(host.services()?.advertise(name)?))
}

fn is_driven(kind: JointKind) -> bool {
    match kind {
        JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => true,
        JointKind::Fixed | JointKind::Other => false,
    }
}
