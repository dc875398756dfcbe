//! Drives joints by messages that name them: to a position, at a velocity, or with an effort, each joint separately.
//! A command holds until the next command for that joint; before the first one the joint moves freely.

use bridgehead_plugin_api::drive::check_targets;
use bridgehead_plugin_api::host::{Command, HostHandle, Joint, JointId, Params, Qos, Subscription, World};
use bridgehead_plugin_api::messages::sensor_msgs::JointState;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result};

use serde::{Deserialize, Serialize};

use crate::target::moving;
use bridgehead_plugin_api::drive::{Gains, Pid};

/// Default speed towards a position, rad/s or m/s, of a joint without a limit.
const SPEED: f64 = 1.0;

/// SDF limits from this value on mean that there is none.
const NO_LIMIT: f64 = 1e12;

/// The target of a joint: rad or m, rad/s or m/s, N·m or N.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Goal {
    Nothing,
    /// Go to a position, at most at this speed, or else at the joint's limit.
    Position(f64, Option<f64>),
    Velocity(f64),
    Effort(f64),
}

/// One joint with its present goal.
struct Driven {
    name: String,
    id: JointId,
    /// Largest speed towards a position.
    speed: f64,
    /// Controller for positions; `None` to use a motor.
    controller: Option<Pid>,
    initial: Goal,
    goal: Goal,
}

/// One controller.
pub(crate) struct JointCommand {
    world: World,
    command: Command,
    joints: Vec<Driven>,
    /// Names of all joints of the vehicle: other controllers may drive those of one message too.
    known: Vec<String>,
    commands: Subscription<JointState>,
    has_warned: bool,
}

impl ModelPlugin for JointCommand {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, model) = (host.params()?, host.model()?);
        let named: Vec<String> = (0..params.count("joint_name"))
            .map(|index| params.require(&format!("joint_name[{index}]")))
            .collect::<Result<_>>()?;
        let joints: Vec<Joint> = if named.is_empty() {
            model.joints().into_iter().filter(|joint| moving(joint).is_ok()).collect()
        } else {
            named.iter().map(|name| model.joint(name)).collect::<Result<_>>()?
        };
        let topic = params.text("topic").unwrap_or_else(|| "joint_command".to_owned());
        let driven = joints.iter().enumerate().map(|(index, joint)| Driven::new(params, index, joint));
        Ok(JointCommand {
            world: host.world()?,
            command: host.command()?,
            joints: driven.collect::<Result<_>>()?,
            known: model.joints().into_iter().map(|joint| joint.name).collect(),
            commands: host.bus()?.subscribe(&topic, Qos::default())?,
            has_warned: false,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.joints.iter_mut().for_each(Driven::reset);
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        self.joints.iter().try_for_each(|joint| joint.save(state))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.joints.iter_mut().try_for_each(|joint| joint.load(state))
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        // All messages apply: each may name other joints.
        while let Some(received) = self.commands.take() {
            self.accept(&received.message);
        }
        for joint in &mut self.joints {
            joint.drive(self.world, self.command, step.width())?;
        }
        Ok(Flow::Continue)
    }
}

impl JointCommand {
    /// Applies the goals of a message to the joints of this controller; the first invalid message is logged.
    fn accept(&mut self, message: &JointState) {
        let goals = match goals(message) {
            Ok(goals) => goals,
            Err(problem) => return self.warn(|_| problem),
        };
        for (name, goal) in goals {
            match self.joints.iter_mut().find(|joint| joint.name == name) {
                Some(joint) => joint.pursue(goal),
                None if self.known.iter().any(|known| known == name) => {}
                None => self.warn(|known| format!("it names joint `{name}`; this controller drives {known}")),
            }
        }
    }

    /// Logs the first problem; `problem` gets the names of the known joints.
    fn warn(&mut self, problem: impl FnOnce(&str) -> String) {
        if std::mem::replace(&mut self.has_warned, true) {
            return;
        }
        let known: Vec<&str> = self.joints.iter().map(|joint| joint.name.as_str()).collect();
        let problem = problem(&known.join(", "));
        log::warn!("ignored a command: {problem}; further ones like it are ignored without a warning");
    }
}

/// Returns the goal of each named joint. Missing values and NaN have no effect.
fn goals(message: &JointState) -> std::result::Result<Vec<(&str, Goal)>, String> {
    let count = message.name.len();
    for (what, values) in
        [("positions", &message.position), ("velocities", &message.velocity), ("efforts", &message.effort)]
    {
        if !values.is_empty() && values.len() != count {
            return Err(format!("it has {} {what} for {count} joints", values.len()));
        }
        let given: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        if let Err(error) = check_targets(what, &given) {
            return Err(format!("it has invalid {what}: {error}"));
        }
    }
    let value = |values: &[f64], index: usize| values.get(index).copied().filter(|value| !value.is_nan());
    let goal = |index: usize| {
        let velocity = value(&message.velocity, index);
        // Complete joint states are sent as commands too: a position comes with velocities and efforts of 0.
        let speed = velocity.map(f64::abs).filter(|speed| *speed > 0.0);
        let position = value(&message.position, index).map(|position| Goal::Position(position, speed));
        let effort = || value(&message.effort, index).map(Goal::Effort);
        position.or(velocity.map(Goal::Velocity)).or_else(effort)
    };
    let named = message.name.iter().enumerate();
    Ok(named.filter_map(|(index, name)| Some((name.as_str(), goal(index)?))).collect())
}

impl Driven {
    fn new(params: Params, index: usize, joint: &Joint) -> Result<Self> {
        let suffix = format!("[{index}]");
        let gains = Gains::NONE.read(params, "", &suffix)?;
        let has_gains = ["p_gain", "i_gain", "d_gain"].iter().any(|name| params.count(name) > index);
        let initial: Option<f64> = params.get(&format!("initial_position{suffix}"))?;
        let initial = initial.map_or(Goal::Nothing, |position| Goal::Position(position, None));
        let own_limit =
            if joint.velocity > 0.0 && joint.velocity < NO_LIMIT { joint.velocity } else { SPEED };
        let path = format!("max_velocity{suffix}");
        let speed = params.get_or(&path, own_limit)?;
        if speed <= 0.0 {
            return Err(params.refuse(&path, &speed.to_string(), "a number above 0"));
        }
        Ok(Driven {
            name: joint.name.clone(),
            id: moving(joint)?,
            speed,
            controller: has_gains.then(|| Pid::new(gains)),
            initial,
            goal: initial,
        })
    }

    /// Sets another goal; a controller is reset if the joint was not moving to a position before.
    fn pursue(&mut self, goal: Goal) {
        if !matches!(self.goal, Goal::Position(..)) {
            self.controller.iter_mut().for_each(Pid::reset);
        }
        self.goal = goal;
    }

    fn drive(&mut self, world: World, command: Command, width: f64) -> Result {
        match self.goal {
            Goal::Nothing => Ok(()),
            Goal::Velocity(velocity) => command.joint_velocity(self.id, velocity, f64::INFINITY),
            Goal::Effort(effort) => command.joint_effort(self.id, effort),
            Goal::Position(position, speed) => {
                let error = position - world.joint_state(self.id)?.position;
                if let Some(controller) = &mut self.controller {
                    return command.joint_effort(self.id, controller.advance(error, width));
                }
                let speed = speed.map_or(self.speed, |speed| speed.min(self.speed));
                // At full speed, and in the last step just fast enough to arrive.
                let velocity = (error / width).clamp(-speed, speed);
                command.joint_velocity(self.id, velocity, f64::INFINITY)
            }
        }
    }

    fn reset(&mut self) {
        self.goal = self.initial;
        self.controller.iter_mut().for_each(Pid::reset);
    }

    fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&self.goal)?;
        self.controller.iter().try_for_each(|controller| controller.save(state))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.goal = state.take()?;
        self.controller.iter_mut().try_for_each(|controller| controller.load(state))
    }
}

#[cfg(test)]
mod tests;
