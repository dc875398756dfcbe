//! Flies a multicopter with a commanded velocity: computes the thrust and the torque that lead to it, and commands the
//! speeds of the rotors.
//!
//! The controller is the geometric one of Lee, Leok and McClamroch, Geometric Tracking Control of a Quadrotor UAV on SE(3)
//! (2010), equations 10 and 11, for velocities: thrust along m (k (v_d - v) - g), torque -k_R e_R - k_ω e_ω + ω × J ω.

mod settings;

use bridgehead_plugin_api::drive::check_twist;
use bridgehead_plugin_api::host::{
    Dynamics, HostHandle, Joints, Link, LinkId, LinkState, Params, Publisher, Qos, Subscription, World,
};
use bridgehead_plugin_api::messages::actuator_msgs::Actuators;
use bridgehead_plugin_api::messages::geometry_msgs::{Twist, Vector3};
use bridgehead_plugin_api::messages::std_msgs::{Bool, Header};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::{Vector, add, cross, dot, scale, sub};
use bridgehead_plugin_api::{Flow, Result};
use serde::{Deserialize, Serialize};

use crate::air::moving_body;
use crate::allocation::{Allocation, RotorPlace};
use crate::frame::{MassProperties, attitude_error, axes, seen, times, wanted_axes};
use settings::Settings;

/// The commanded motion, frame of the base: m/s and rad/s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Motion {
    linear: Vector,
    angular: Vector,
}

/// What it remembers.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct State {
    /// `None` before the first command: the rotors are then left alone.
    motion: Option<Motion>,
    is_enabled: bool,
}

const INITIAL: State = State { motion: None, is_enabled: true };

/// What it knows of the vehicle, read in the first step. A snapshot contains it: from the poses of a later step it
/// would have other last bits.
#[derive(Serialize, Deserialize)]
struct Vehicle {
    whole: MassProperties,
    allocation: Allocation,
}

/// One controller.
pub(crate) struct MulticopterControl {
    params: Params,
    world: World,
    dynamics: Dynamics,
    joints: Joints,
    links: Vec<Link>,
    base: LinkId,
    settings: Settings,
    key: RandomKey,
    vehicle: Option<Vehicle>,
    state: State,
    commands: Subscription<Twist>,
    enabling: Subscription<Bool>,
    speeds: Publisher<Actuators>,
    has_warned: bool,
}

impl ModelPlugin for MulticopterControl {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 2 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus, model) = (host.params()?, host.bus()?, host.model()?);
        let attachment = model.attachment()?;
        let topic = |path: &str, default: &str| {
            let name = params.text(path).unwrap_or_else(|| default.to_owned());
            match params.text("robotNamespace") {
                Some(space) => format!("/{}/{}", space.trim_matches('/'), name.trim_start_matches('/')),
                None => name,
            }
        };
        Ok(MulticopterControl {
            params,
            world: host.world()?,
            dynamics: host.dynamics()?,
            joints: host.joints()?,
            links: model.links(),
            base: params.link(model, "comLinkName")?.id,
            settings: Settings::read(params, model)?,
            key: RandomKey::new(attachment.seed, &attachment.path),
            vehicle: None,
            state: INITIAL,
            commands: bus.subscribe(&topic("commandSubTopic", "cmd_vel"), Qos::default())?,
            enabling: bus.subscribe(&topic("enableSubTopic", "enable"), Qos::default())?,
            speeds: bus.advertise(&topic("motorSpeedTopic", "gazebo/command/motor_speed"), Qos::default())?,
            has_warned: false,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.state = INITIAL;
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.state, &self.vehicle))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.state, self.vehicle) = state.take()?;
        Ok(())
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if self.vehicle.is_none() {
            self.vehicle = Some(self.read_vehicle()?);
        }
        let was_enabled = self.state.is_enabled;
        self.take_commands();
        let Some(vehicle) = &self.vehicle else { return Ok(Flow::Continue) };
        let is_switched_off = was_enabled && !self.state.is_enabled;
        let velocity = match self.state.motion.filter(|_| self.state.is_enabled) {
            Some(motion) => self.speeds_for(vehicle, &motion, step)?,
            None if is_switched_off => vec![0.0; self.settings.rotors.len()],
            None => return Ok(Flow::Continue),
        };
        if is_switched_off {
            // When it is switched on again, it waits for a new command.
            self.state.motion = None;
        }
        let header = Some(Header::new(step.time_ns, ""));
        self.speeds.publish(step.time_ns, &Actuators { header, velocity, ..Actuators::default() })?;
        Ok(Flow::Continue)
    }
}

impl MulticopterControl {
    fn take_commands(&mut self) {
        if let Some(received) = self.enabling.take_latest() {
            self.state.is_enabled = received.message.data;
        }
        let Some(received) = self.commands.take_latest() else { return };
        let vector = |vector: &Option<Vector3>| vector.as_ref().map_or([0.0; 3], |v| [v.x, v.y, v.z]);
        let (linear, angular) = (vector(&received.message.linear), vector(&received.message.angular));
        match check_twist(linear, angular) {
            Ok(()) => {
                let bounded = |vector: Vector, most: Vector| -> Vector {
                    std::array::from_fn(|axis| vector[axis].clamp(-most[axis], most[axis]))
                };
                self.state.motion = Some(Motion {
                    linear: bounded(linear, self.settings.most_linear),
                    angular: bounded(angular, self.settings.most_angular),
                });
            }
            Err(error) if !std::mem::replace(&mut self.has_warned, true) => {
                log::warn!("ignored a command: {error}; further ones are ignored without a warning");
            }
            Err(_) => {}
        }
    }

    fn read_vehicle(&self) -> Result<Vehicle> {
        moving_body(self.dynamics, self.base, self.params, "comLinkName")?;
        let base = self.world.link_state(self.base)?.pose;
        let mut links = Vec::with_capacity(self.links.len());
        for link in &self.links {
            if let Some(body) = self.dynamics.body(link.id)? {
                links.push((body, self.world.link_state(link.id)?.pose));
            }
        }
        let whole = MassProperties::of(&links, &base);
        let mut rotors = Vec::with_capacity(self.settings.rotors.len());
        for rotor in &self.settings.rotors {
            let frame = self.joints.frame(rotor.joint)?;
            let pose = self.world.link_state(frame.child)?.pose;
            let axis = pose.rotate(frame.pose.rotate(frame.axis));
            rotors.push(RotorPlace {
                position: sub(seen(&base, [0.0; 3], &pose), whole.center),
                axis: base.rotate_inverse(axis),
                force: rotor.force,
                moment: rotor.moment,
                direction: rotor.direction,
            });
        }
        let count = rotors.len().to_string();
        let allocation = Allocation::new(&rotors).ok_or_else(|| {
            let expected = "four or more whose thrusts and drags turn the vehicle about every axis";
            self.params.refuse("rotorConfiguration", &format!("{count} rotors"), expected)
        })?;
        Ok(Vehicle { whole, allocation })
    }

    /// The speeds of the rotors, rad/s, that lead to a motion.
    fn speeds_for(&self, vehicle: &Vehicle, motion: &Motion, step: &Step) -> Result<Vec<f64>> {
        let (state, rate) = self.measured(step)?;
        let body = axes(&state.pose);
        let whole = &vehicle.whole;
        let error = sub(state.pose.rotate(motion.linear), state.velocity_at(whole.center));
        let asked: Vector = std::array::from_fn(|axis| {
            let most = self.settings.most_acceleration[axis];
            (self.settings.velocity_gain[axis] / whole.mass * error[axis]).clamp(-most, most)
        });
        let acceleration = sub(asked, self.world.gravity()?);
        let thrust = whole.mass * dot(acceleration, body[2]);
        let wanted = wanted_axes(&body, acceleration).unwrap_or(body);
        let attitude = attitude_error(&body, &wanted);
        // The commanded turn is about the wanted axis of thrust.
        let turn = scale(wanted[2], motion.angular[2]);
        let rate_error = sub(rate, body.map(|axis| dot(axis, turn)));
        let gains = (self.settings.attitude_gain, self.settings.rate_gain);
        let torque: Vector =
            std::array::from_fn(|axis| -gains.0[axis] * attitude[axis] - gains.1[axis] * rate_error[axis]);
        let [x, y, z] = add(torque, cross(rate, times(&whole.inertia, rate)));
        Ok(vehicle.allocation.speeds(&[x, y, z, thrust]))
    }

    /// The motion of the base and its angular velocity in its own frame, with the noise of the settings.
    fn measured(&self, step: &Step) -> Result<(LinkState, Vector)> {
        let mut state = self.world.link_state(self.base)?;
        let mut rate = state.pose.rotate_inverse(state.angular);
        if self.settings.has_noise() {
            let mut random = self.key.sample(step.number);
            let [linear, angular] = &self.settings.noise;
            state.linear = linear.apply(state.linear, &mut random);
            rate = angular.apply(rate, &mut random);
        }
        Ok((state, rate))
    }
}

#[cfg(test)]
mod tests;
