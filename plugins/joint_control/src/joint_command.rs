//! Drives joints by messages that name them: to a position, at a velocity, or with an effort, each joint separately.
//! A command holds until the next command for that joint; before the first one the joint moves freely.

mod controllers;
mod goals;

use bridgehead_plugin_api::host::{
    self, Command, HostHandle, Joint, JointId, Model, Params, Qos, Subscription, World,
};
use bridgehead_plugin_api::messages::sensor_msgs::JointState;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result};

use self::controllers::Controllers;
use self::goals::{Goal, goals};
use crate::interfaces::Interfaces;
use crate::target::moving;
use bridgehead_plugin_api::drive::{Gains, Pid};

/// Default speed towards a position, rad/s or m/s, of a joint without a limit.
const SPEED: f64 = 1.0;

/// The state of a joint that does not exist.
const AT_REST: host::JointState = host::JointState { position: 0.0, velocity: 0.0, effort: 0.0 };

/// SDF limits from this value on mean that there is none.
const NO_LIMIT: f64 = 1e12;

/// One joint with its present goal.
struct Driven {
    name: String,
    id: JointId,
    interfaces: Interfaces,
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
    controllers: Controllers,
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
        let topic = params.text("topic").unwrap_or_else(|| "joint_command".to_owned());
        let joints = joints(params, model)?;
        let named: Vec<(&str, Interfaces)> =
            joints.iter().map(|joint| (joint.name.as_str(), joint.interfaces)).collect();
        Ok(JointCommand {
            world: host.world()?,
            command: host.command()?,
            controllers: Controllers::read(host, params, &named)?,
            joints,
            known: model.joints().into_iter().map(|joint| joint.name).collect(),
            commands: host.bus()?.subscribe(&topic, Qos::default())?,
            has_warned: false,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.joints.iter_mut().for_each(Driven::reset);
        self.controllers.reset();
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        self.joints.iter().try_for_each(|joint| joint.save(state))?;
        self.controllers.save(state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.joints.iter_mut().try_for_each(|joint| joint.load(state))?;
        self.controllers.load(state)
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        // All messages apply: each may name other joints.
        while let Some(received) = self.commands.take() {
            self.accept(&received.message);
        }
        for (place, goal) in self.controllers.forwarded() {
            self.pursue(place, goal);
        }
        self.follow(step)?;
        for joint in &mut self.joints {
            joint.drive(self.world, self.command, step.width())?;
        }
        Ok(Flow::Continue)
    }
}

impl JointCommand {
    /// Applies the goals of a message to the joints of this controller; the first invalid message is logged.
    fn accept(&mut self, message: &JointState) {
        let interfaces =
            |name: &str| self.joints.iter().find(|joint| joint.name == name).map(|joint| joint.interfaces);
        let goals = match goals(message, interfaces) {
            Ok(goals) => goals,
            Err(problem) => return self.warn(|_| problem),
        };
        for (name, goal) in goals {
            match self.joints.iter().position(|joint| joint.name == name) {
                Some(place) => self.pursue(place, goal),
                None if self.known.iter().any(|known| known == name) => {}
                None => self.warn(|known| format!("it names joint `{name}`; this controller drives {known}")),
            }
        }
    }

    /// Sets a goal that a message names; what else moves the joint ends.
    fn pursue(&mut self, place: usize, goal: Goal) {
        let Some(joint) = self.joints.get_mut(place) else { return };
        joint.pursue(goal);
        self.controllers.give_way(place, &format!("a command came for joint `{}`", joint.name));
    }

    /// Sets the goals of grippers and trajectories.
    fn follow(&mut self, step: &Step) -> Result {
        let (joints, world) = (&self.joints, self.world);
        let state = |place: usize| match joints.get(place) {
            Some(joint) => world.joint_state(joint.id),
            None => Ok(AT_REST),
        };
        let mut goals = self.controllers.gripped(step, state)?;
        goals.extend(self.controllers.followed(step, state)?);
        for (place, goal) in goals {
            if let Some(joint) = self.joints.get_mut(place) {
                joint.pursue(goal);
            }
        }
        Ok(())
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

/// Returns the joints that the parameters describe: each by its `<joint>`, or all of one kind of description by
/// `<joint_name>`; without either, all joints of the model.
fn joints(params: Params, model: Model) -> Result<Vec<Driven>> {
    let described = params.count("joint");
    if described > 0 {
        return (0..described)
            .map(|index| Driven::described(params, model, &format!("joint[{index}]")))
            .collect();
    }
    let named: Vec<String> = (0..params.count("joint_name"))
        .map(|index| params.require(&format!("joint_name[{index}]")))
        .collect::<Result<_>>()?;
    let joints: Vec<Joint> = if named.is_empty() {
        model.joints().into_iter().filter(|joint| moving(joint).is_ok()).collect()
    } else {
        named.iter().map(|name| model.joint(name)).collect::<Result<_>>()?
    };
    joints.iter().enumerate().map(|(index, joint)| Driven::new(params, index, joint)).collect()
}

impl Driven {
    /// Reads a joint of a list, of which each parameter is a list too.
    fn new(params: Params, index: usize, joint: &Joint) -> Result<Self> {
        let suffix = format!("[{index}]");
        let gains = Gains::NONE.read(params, "", &suffix)?;
        let has_gains = ["p_gain", "i_gain", "d_gain"].iter().any(|name| params.count(name) > index);
        let initial: Option<f64> = params.get(&format!("initial_position{suffix}"))?;
        let initial = initial.map_or(Goal::Nothing, |position| Goal::Position(position, None));
        let speed = speed(params, &format!("max_velocity{suffix}"), joint)?;
        Ok(Driven {
            name: joint.name.clone(),
            id: moving(joint)?,
            interfaces: Interfaces::default(),
            speed,
            controller: has_gains.then(|| Pid::new(gains)),
            initial,
            goal: initial,
        })
    }

    /// Reads the joint that a `<joint>` describes.
    fn described(params: Params, model: Model, path: &str) -> Result<Self> {
        let joint = model.joint(&params.require::<String>(&format!("{path}/@name"))?)?;
        let position: Option<f64> = params.get(&format!("{path}/initial_position"))?;
        let velocity: Option<f64> = params.get(&format!("{path}/initial_velocity"))?;
        let initial = match (position, velocity) {
            (Some(position), _) => Goal::Position(position, None),
            (None, Some(velocity)) => Goal::Velocity(velocity),
            (None, None) => Goal::Nothing,
        };
        Ok(Driven {
            id: moving(&joint)?,
            interfaces: Interfaces::read(params, &format!("{path}/command_interface"))?,
            speed: speed(params, &format!("{path}/max_velocity"), &joint)?,
            controller: None,
            initial,
            goal: initial,
            name: joint.name,
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
                command.joint_velocity(self.id, towards(error, speed, width), f64::INFINITY)
            }
            Goal::Grasp { position, effort } => {
                let error = position - world.joint_state(self.id)?.position;
                command.joint_velocity(self.id, towards(error, self.speed, width), effort)
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

/// Returns the velocity towards a position: full speed, and in the last step just fast enough to arrive.
fn towards(error: f64, speed: f64, width: f64) -> f64 {
    (error / width).clamp(-speed, speed)
}

/// Returns the largest speed towards a position: that of the parameter, or else the joint's limit.
fn speed(params: Params, path: &str, joint: &Joint) -> Result<f64> {
    let own_limit = if joint.velocity > 0.0 && joint.velocity < NO_LIMIT { joint.velocity } else { SPEED };
    let speed = params.get_or(path, own_limit)?;
    if speed <= 0.0 {
        return Err(params.refuse(path, &speed.to_string(), "a number above 0"));
    }
    Ok(speed)
}

#[cfg(test)]
mod tests;
