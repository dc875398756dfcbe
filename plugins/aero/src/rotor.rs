//! A rotor of a multicopter with its motor: follows a commanded speed, lifts its link, and turns the body against itself.
//!
//! The model is that of Furrer, Burri, Achtelik and Siegwart, RotorS: A Modular Gazebo MAV Simulator Framework (2016), 2.1:
//! thrust c_T ω², drag torque c_M times the thrust against the turning direction, air drag and rolling moment proportional
//! to ω and to the velocity across the axis; a motor is a filter of first order. As in Gazebo's `MulticopterMotorModel.cc`,
//! thrust and drag torque are along the z axis of the link, whatever the axis of the joint is.

mod motor;

use bridgehead_plugin_api::drive::{Gains, check_targets};
use bridgehead_plugin_api::host::{
    Command, Dynamics, HostHandle, JointId, LinkId, Params, Publisher, Qos, Subscription, World,
};
use bridgehead_plugin_api::messages::actuator_msgs::Actuators;
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::{across, add, scale, sub};
use bridgehead_plugin_api::{Flow, Result};

use crate::air::moving_body;
use motor::{Motor, Propulsion};

/// One rotor.
pub(crate) struct Rotor {
    params: Params,
    world: World,
    dynamics: Dynamics,
    command: Command,
    joint: JointId,
    link: LinkId,
    /// The link that carries the motor.
    parent: Option<LinkId>,
    /// Axis in the frame of the link.
    axis: [f64; 3],
    motor: Motor,
    propulsion: Propulsion,
    /// Place in the commands.
    number: usize,
    commands: Subscription<Actuators>,
    speed: Publisher<Float64>,
    /// World frame, m/s.
    wind: [f64; 3],
    is_checked: bool,
    has_warned: bool,
}

impl ModelPlugin for Rotor {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 2 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus, model) = (host.params()?, host.bus()?, host.model()?);
        let joint = params.turning_joint(model, "jointName")?;
        let frame = host.joints()?.frame(joint.id)?;
        let link = params.link(model, "linkName")?;
        if link.id != frame.child {
            let expected = format!("the link that the joint `{}` carries", joint.name);
            return Err(params.refuse("linkName", &link.name, expected));
        }
        let topic = |path: &str, default: &str| {
            let name = params.text(path).unwrap_or_else(|| default.to_owned());
            match params.text("robotNamespace") {
                Some(space) => format!("/{}/{}", space.trim_matches('/'), name.trim_start_matches('/')),
                None => name,
            }
        };
        let number = if params.count("actuator_number") > 0 { "actuator_number" } else { "motorNumber" };
        let number = params.get_or(number, 0)?;
        Ok(Rotor {
            params,
            world: host.world()?,
            dynamics: host.dynamics()?,
            command: host.command()?,
            joint: joint.id,
            link: link.id,
            parent: frame.parent,
            axis: frame.pose.rotate(frame.axis),
            motor: Motor::read(params, gains(params)?)?,
            propulsion: Propulsion::read(params)?,
            number,
            commands: bus.subscribe(&topic("commandSubTopic", "command/motor_speed"), Qos::default())?,
            speed: bus.advertise(
                &topic("motorSpeedPubTopic", &format!("motor_speed/{number}")),
                Qos::sensor_data(),
            )?,
            wind: host.environment()?.read()?.wind,
            is_checked: false,
            has_warned: false,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.motor.reset();
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.is_checked)?;
        self.motor.save(state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.is_checked = state.take()?;
        self.motor.load(state)
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if !std::mem::replace(&mut self.is_checked, true) {
            moving_body(self.dynamics, self.link, self.params, "linkName")?;
        }
        self.take_command();
        let joint = self.world.joint_state(self.joint)?;
        // The blades turn faster than their joint, whose turns in a step would be too many.
        let rate = self.motor.real_rate(joint.velocity);
        if self.motor.is_propulsive() {
            self.push(rate)?;
        }
        self.motor.drive(self.command, self.joint, &joint, step)?;
        if self.speed.has_listeners() {
            self.speed.publish(step.time_ns, &Float64 { data: rate })?;
        }
        Ok(Flow::Continue)
    }
}

impl Rotor {
    /// Takes the newest command of this motor, if it is a number within reach.
    fn take_command(&mut self) {
        let Some(received) = self.commands.take_latest() else { return };
        let values = self.motor.values(&received.message);
        let fault = match values.get(self.number) {
            None => format!("it has {} numbers, and this motor is number {}", values.len(), self.number),
            Some(value) => match check_targets("command", &[*value]) {
                Ok(()) => return self.motor.set(*value),
                Err(error) => error.to_string(),
            },
        };
        if !std::mem::replace(&mut self.has_warned, true) {
            log::warn!("ignored a command: {fault}; further ones like it are ignored without a warning");
        }
    }

    /// Applies the forces of the air at an angular velocity of the blades about the axis of the joint.
    fn push(&self, rate: f64) -> Result {
        let state = self.world.link_state(self.link)?;
        let axis = state.pose.rotate(self.axis);
        let drift = across(sub(state.linear, self.wind), axis);
        let thrust = self.propulsion.thrust(rate, self.motor.direction());
        let up = state.pose.rotate([0.0, 0.0, 1.0]);
        let drag = scale(drift, -rate.abs() * self.propulsion.air_drag);
        self.command.link_wrench(self.link, add(scale(up, thrust), drag), [0.0; 3])?;
        if let Some(parent) = self.parent {
            let against = scale(up, -self.motor.direction() * thrust * self.propulsion.moment);
            let rolling = scale(drift, -rate.abs() * self.propulsion.rolling);
            self.command.link_wrench(parent, [0.0; 3], add(against, rolling))?;
        }
        Ok(())
    }
}

/// The controller of a motor with `motorType` `position`.
fn gains(params: Params) -> Result<Gains> {
    let none = Gains { cmd_min: 0.0, cmd_max: -1.0, i_min: 0.0, i_max: -1.0, ..Gains::NONE };
    let prefix = "joint_control_pid/";
    Ok(Gains {
        p: params.finite_or(&format!("{prefix}p"), 0.0)?,
        i: params.finite_or(&format!("{prefix}i"), 0.0)?,
        d: params.finite_or(&format!("{prefix}d"), 0.0)?,
        ..none
    })
}

#[cfg(test)]
mod tests;
