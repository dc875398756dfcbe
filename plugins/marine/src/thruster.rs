//! A propeller on a joint: a commanded thrust, or a commanded angular velocity, pushes its link along the axis of the joint,
//! and the joint turns as fast as that needs.

use bridgehead_plugin_api::drive::{Gains, Pid, check_targets};
use bridgehead_plugin_api::host::{
    Command, Dynamics, HostHandle, JointId, LinkId, Params, Publisher, Qos, Subscription, World,
};
use bridgehead_plugin_api::messages::std_msgs::{Bool, Float64};
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::{dot, scale};
use bridgehead_plugin_api::{Flow, Result};
use serde::{Deserialize, Serialize};

use crate::propeller::Propeller;

/// An error of the angular velocity that is left alone, rad/s, as in Gazebo.
const CLOSE: f64 = 0.1;

/// What a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Newtons.
    Thrust,
    /// rad/s.
    Rate,
}

/// How the joint is turned.
enum Turning {
    /// By a motor.
    Motor,
    /// By a torque, N m.
    Torque(Pid),
}

/// Bounds of commands, N or rad/s.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    min: f64,
    max: f64,
    /// Smaller thrusts become 0, N.
    deadband: f64,
}

/// What it remembers.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct State {
    command: f64,
    is_deadband_on: bool,
}

/// One thruster.
pub(crate) struct Thruster {
    params: Params,
    world: World,
    dynamics: Dynamics,
    control: Command,
    joint: JointId,
    link: LinkId,
    /// Axis in the frame of the link.
    axis: [f64; 3],
    kind: Kind,
    turning: Turning,
    propeller: Propeller,
    bounds: Bounds,
    state: State,
    commands: Subscription<Float64>,
    deadbands: Subscription<Bool>,
    /// The angular velocity of a thrust, or the thrust of an angular velocity.
    result: Publisher<Float64>,
    is_checked: bool,
    has_warned: bool,
}

impl ModelPlugin for Thruster {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 2 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus) = (host.params()?, host.bus()?);
        let joint = params.turning_joint(host.model()?, "joint_name")?;
        let frame = host.joints()?.frame(joint.id)?;
        let kind = if params.get_or("use_angvel_cmd", false)? { Kind::Rate } else { Kind::Thrust };
        let topics = Topics::read(params, &joint.name, kind);
        let (bounds, propeller) = (Bounds::read(params)?, Propeller::read(params)?);
        Ok(Thruster {
            params,
            world: host.world()?,
            dynamics: host.dynamics()?,
            control: host.command()?,
            joint: joint.id,
            link: frame.child,
            axis: frame.pose.rotate(frame.axis),
            kind,
            turning: turning(params, &bounds, &propeller)?,
            propeller,
            bounds,
            state: State::initial(&bounds),
            commands: bus.subscribe(&topics.command, Qos::default())?,
            deadbands: bus.subscribe(&topics.deadband, Qos::default())?,
            result: bus.advertise(&topics.result, Qos::default())?,
            is_checked: false,
            has_warned: false,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.state = State::initial(&self.bounds);
        if let Turning::Torque(pid) = &mut self.turning {
            pid.reset();
        }
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.state, self.is_checked))?;
        if let Turning::Torque(pid) = &self.turning { pid.save(state) } else { Ok(()) }
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.state, self.is_checked) = state.take()?;
        if let Turning::Torque(pid) = &mut self.turning { pid.load(state) } else { Ok(()) }
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        self.check_link()?;
        self.take_commands();
        let state = self.world.link_state(self.link)?;
        let axis = state.pose.rotate(self.axis);
        let speed = dot(axis, state.linear);
        let (thrust, rate) = self.target(speed);
        let turned = self.turn(rate, step)?;
        if thrust != 0.0 {
            self.control.link_wrench(self.link, scale(axis, thrust), [0.0; 3])?;
        }
        if self.result.has_listeners() {
            let data = if self.kind == Kind::Thrust { turned } else { thrust };
            self.result.publish(step.time_ns, &Float64 { data })?;
        }
        Ok(Flow::Continue)
    }
}

impl Thruster {
    /// Refuses a link that no force moves.
    fn check_link(&mut self) -> Result {
        if std::mem::replace(&mut self.is_checked, true) {
            return Ok(());
        }
        if self.dynamics.body(self.link)?.is_some_and(|body| body.moves) {
            return Ok(());
        }
        let name = self.params.text("joint_name").unwrap_or_default();
        let expected = "the joint of a link that forces move: this one is static or scripted";
        Err(self.params.refuse("joint_name", &name, expected))
    }

    /// Takes the newest command, if it is a number within reach.
    fn take_commands(&mut self) {
        if let Some(received) = self.deadbands.take_latest() {
            self.state.is_deadband_on = received.message.data;
        }
        let Some(received) = self.commands.take_latest() else { return };
        let value = received.message.data;
        match check_targets("command", &[value]) {
            Ok(()) => self.state.command = value,
            Err(error) if !std::mem::replace(&mut self.has_warned, true) => {
                log::warn!(
                    "ignored a command of {value:e}: {error}; further ones are ignored without a warning"
                );
            }
            Err(_) => {}
        }
    }

    /// Thrust, N, and angular velocity, rad/s, that the command within its bounds asks for.
    fn target(&self, speed: f64) -> (f64, f64) {
        let command = self.state.command.clamp(self.bounds.min, self.bounds.max);
        let (thrust, rate) = match self.kind {
            Kind::Thrust => (command, self.propeller.rate(command, speed)),
            Kind::Rate => (self.propeller.thrust(command, speed), command),
        };
        let is_dead = self.state.is_deadband_on && thrust.abs() < self.bounds.deadband;
        if is_dead { (0.0, 0.0) } else { (thrust, rate) }
    }

    /// Turns the joint. Returns its angular velocity, rad/s: that of a motor is the commanded one.
    fn turn(&mut self, rate: f64, step: &Step) -> Result<f64> {
        match &mut self.turning {
            Turning::Motor => {
                self.control.joint_velocity(self.joint, rate, f64::INFINITY)?;
                Ok(rate)
            }
            Turning::Torque(pid) => {
                let present = self.world.joint_state(self.joint)?.velocity;
                let error = rate - present;
                let error = if error.abs() > CLOSE { error } else { 0.0 };
                self.control.joint_effort(self.joint, pid.advance(error, step.width()))?;
                Ok(present)
            }
        }
    }
}

/// Names of topics.
struct Topics {
    command: String,
    deadband: String,
    result: String,
}

impl Topics {
    /// A `<namespace>` stands in place of the vehicle; `<model_topic>` is a topic below it, which is what Gazebo's `<topic>`
    /// is. The other topics are below a given topic, and otherwise beside the command.
    fn read(params: Params, joint: &str, kind: Kind) -> Self {
        let space = |before: &str| {
            params.text("namespace").map_or_else(String::new, |name| format!("/{before}{name}/"))
        };
        let (word, result) =
            if kind == Kind::Rate { ("cmd_vel", "force") } else { ("cmd_thrust", "ang_vel") };
        let below =
            params.text("model_topic").map(|topic| format!("{}{}", space(""), topic.trim_start_matches('/')));
        let (command, others) = match params.text("topic").or(below) {
            Some(topic) => (topic.clone(), topic),
            None => {
                let joint = format!("{}joint/{joint}", space("model/"));
                (format!("{joint}/{word}"), joint)
            }
        };
        Topics {
            command,
            deadband: format!("{others}/enable_deadband"),
            result: format!("{others}/{result}"),
        }
    }
}

/// As in Gazebo, the torque, N m, is at most the number of the angular velocity of the greatest command, rad/s.
fn turning(params: Params, bounds: &Bounds, propeller: &Propeller) -> Result<Turning> {
    let [one, other] = [bounds.min, bounds.max].map(|thrust| propeller.rate(thrust, 0.0));
    let gains = Gains { p: 0.1, cmd_min: one.min(other), cmd_max: one.max(other), ..Gains::NONE };
    let gains = Gains {
        p: params.finite_or("p_gain", gains.p)?,
        i: params.finite_or("i_gain", gains.i)?,
        d: params.finite_or("d_gain", gains.d)?,
        ..gains
    };
    let has_motor = params.get_or("velocity_control", false)?;
    Ok(if has_motor { Turning::Motor } else { Turning::Torque(Pid::new(gains)) })
}

impl Bounds {
    fn read(params: Params) -> Result<Self> {
        let max = params.finite_or("max_thrust_cmd", 1000.0)?;
        let min = params.finite_or("min_thrust_cmd", -1000.0)?;
        if min > max {
            let expected = format!("at most {max}, which is `max_thrust_cmd`");
            return Err(params.refuse("min_thrust_cmd", &min.to_string(), expected));
        }
        Ok(Bounds { min, max, deadband: params.not_negative_or("deadband", 0.0)? })
    }
}

impl State {
    fn initial(bounds: &Bounds) -> Self {
        State { command: 0.0, is_deadband_on: bounds.deadband > 0.0 }
    }
}

#[cfg(test)]
mod tests;
