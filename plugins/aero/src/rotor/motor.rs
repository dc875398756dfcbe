//! The motor of a rotor: what it is commanded, how fast it follows, and how its joint is driven.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::drive::{Gains, Pid};
use bridgehead_plugin_api::host::{Command, JointId, JointState, Params};
use bridgehead_plugin_api::messages::actuator_msgs::Actuators;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::state::{StateReader, StateWriter};

/// The kind of its commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// rad/s of the blades.
    Velocity,
    /// rad of the joint.
    Position,
    /// N m at the joint.
    Force,
}

/// Forces of the air.
#[derive(Clone, Copy, Debug)]
pub(super) struct Propulsion {
    /// c_T, N s².
    thrust: f64,
    /// c_M, m.
    pub(super) moment: f64,
    /// N s² / m, per rad/s.
    pub(super) air_drag: f64,
    /// N s² per rad/s.
    pub(super) rolling: f64,
}

impl Propulsion {
    pub(super) fn read(params: Params) -> Result<Self> {
        Ok(Propulsion {
            thrust: params.not_negative_or("motorConstant", 8.548_58e-6)?,
            moment: params.not_negative_or("momentConstant", 0.016)?,
            air_drag: params.not_negative_or("rotorDragCoefficient", 1e-4)?,
            rolling: params.not_negative_or("rollingMomentCoefficient", 1e-6)?,
        })
    }

    /// Newtons along the axis: upwards if the blades turn in their direction.
    pub(super) fn thrust(&self, rate: f64, direction: f64) -> f64 {
        direction * rate * rate.abs() * self.thrust
    }
}

/// Warns about a word instead of which Gazebo's `MulticopterMotorModel.cc` uses its default.
fn warn(params: Params, path: &str, found: &str, expected: &str) {
    log::warn!("{}", params.refuse(path, found, expected).text());
}

/// One motor.
pub(super) struct Motor {
    kind: Kind,
    /// 1 for counterclockwise about the axis, -1 for clockwise.
    direction: f64,
    /// Greatest commanded angular velocity of the blades, rad/s.
    most: f64,
    /// Time constants for faster and slower, s.
    up: f64,
    down: f64,
    /// Turns of the blades per turn of the joint.
    slowdown: f64,
    command: f64,
    /// What the filter has made of the command.
    filtered: f64,
    pid: Pid,
}

impl Motor {
    pub(super) fn read(params: Params, gains: Gains) -> Result<Self> {
        let kind = match params.text("motorType").as_deref() {
            None | Some("velocity") => Kind::Velocity,
            Some("position") => Kind::Position,
            Some("force") => Kind::Force,
            Some(other) => {
                warn(params, "motorType", other, "`velocity`, `position` or `force`; `velocity` is used");
                Kind::Velocity
            }
        };
        let direction = match params.text("turningDirection").as_deref() {
            Some("ccw") => 1.0,
            Some("cw") => -1.0,
            other => {
                warn(params, "turningDirection", other.unwrap_or_default(), "`cw` or `ccw`; `cw` is used");
                -1.0
            }
        };
        Ok(Motor {
            kind,
            direction,
            most: params.not_negative_or("maxRotVelocity", 838.0)?,
            up: params.not_negative_or("timeConstantUp", 1.0 / 80.0)?,
            down: params.not_negative_or("timeConstantDown", 1.0 / 40.0)?,
            slowdown: params.positive_or("rotorVelocitySlowdownSim", 10.0)?,
            command: 0.0,
            filtered: 0.0,
            pid: Pid::new(gains),
        })
    }

    pub(super) fn reset(&mut self) {
        (self.command, self.filtered) = (0.0, 0.0);
        self.pid.reset();
    }

    pub(super) fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&(self.command, self.filtered))?;
        self.pid.save(state)
    }

    pub(super) fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.command, self.filtered) = state.take()?;
        self.pid.load(state)
    }

    pub(super) fn direction(&self) -> f64 {
        self.direction
    }

    /// Whether its blades push air.
    pub(super) fn is_propulsive(&self) -> bool {
        self.kind == Kind::Velocity
    }

    /// The numbers of a message that are for motors of this kind.
    pub(super) fn values<'a>(&self, message: &'a Actuators) -> &'a [f64] {
        match self.kind {
            Kind::Velocity => &message.velocity,
            Kind::Position => &message.position,
            Kind::Force => &message.normalized,
        }
    }

    pub(super) fn set(&mut self, command: f64) {
        self.command = if self.kind == Kind::Velocity { command.min(self.most) } else { command };
    }

    /// Angular velocity of the blades, for that of their joint.
    pub(super) fn real_rate(&self, joint: f64) -> f64 {
        if joint.is_finite() { joint * self.slowdown } else { 0.0 }
    }

    /// Drives the joint during the next step.
    pub(super) fn drive(
        &mut self,
        command: Command,
        joint: JointId,
        state: &JointState,
        step: &Step,
    ) -> Result {
        match self.kind {
            Kind::Velocity => {
                self.filter(step.width());
                let velocity = self.direction * self.filtered / self.slowdown;
                command.joint_velocity(joint, velocity, f64::INFINITY)
            }
            Kind::Position => {
                let effort = self.pid.advance(self.command - state.position, step.width());
                command.joint_effort(joint, effort)
            }
            Kind::Force => command.joint_effort(joint, self.command),
        }
    }

    /// A filter of first order: what is left of the difference falls by a factor e in the time constant.
    fn filter(&mut self, width: f64) {
        let time = if self.command > self.filtered { self.up } else { self.down };
        let left = if time > 0.0 { libm::exp(-width / time) } else { 0.0 };
        self.filtered = left * self.filtered + (1.0 - left) * self.command;
    }
}
