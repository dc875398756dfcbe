//! Drives joints by messages that name them: to a position, at a velocity, or with an effort, each joint separately.
//! A command holds until the next command for that joint; before the first one the joint moves freely.

use bridgehead_plugin_api::drive::check_targets;
use bridgehead_plugin_api::host::{
    Command, HostHandle, Joint, JointId, Model, Params, Qos, Subscription, World,
};
use bridgehead_plugin_api::messages::sensor_msgs::JointState;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result};

use serde::{Deserialize, Serialize};

use crate::target::moving;
use crate::trajectory_controller::{Measured, TrajectoryController};
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
    /// What moves some of the joints along trajectories.
    controllers: Vec<TrajectoryController>,
    /// Of the joints of a controller, for each in turn.
    measured: Vec<Measured>,
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
        Ok(JointCommand {
            world: host.world()?,
            command: host.command()?,
            controllers: controllers(host, params, &joints)?,
            joints,
            measured: Vec::new(),
            known: model.joints().into_iter().map(|joint| joint.name).collect(),
            commands: host.bus()?.subscribe(&topic, Qos::default())?,
            has_warned: false,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.joints.iter_mut().for_each(Driven::reset);
        self.controllers.iter_mut().for_each(|controller| controller.give_way("the simulation was reset"));
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        self.joints.iter().try_for_each(|joint| joint.save(state))?;
        self.controllers.iter().try_for_each(|controller| controller.save(state))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.joints.iter_mut().try_for_each(|joint| joint.load(state))?;
        self.controllers.iter_mut().try_for_each(|controller| controller.load(state))
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        // All messages apply: each may name other joints.
        while let Some(received) = self.commands.take() {
            self.accept(&received.message);
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

    /// Sets a goal that a message names; trajectories of the joint end.
    fn pursue(&mut self, place: usize, goal: Goal) {
        let Some(joint) = self.joints.get_mut(place) else { return };
        joint.pursue(goal);
        let reason = format!("a command came for joint `{}`", joint.name);
        let moving = self.controllers.iter_mut().filter(|controller| controller.joints().contains(&place));
        moving.for_each(|controller| controller.give_way(&reason));
    }

    /// Sets the goals of joints that are moved along trajectories: where they should be at the end of the step.
    fn follow(&mut self, step: &Step) -> Result {
        for controller in &mut self.controllers {
            self.measured.clear();
            for place in controller.joints() {
                let Some(joint) = self.joints.get(*place) else { continue };
                let state = self.world.joint_state(joint.id)?;
                self.measured.push([state.position, state.velocity]);
            }
            let begin = step.time_ns - step.width_ns;
            let Some(targets) = controller.advance(begin, step.width_ns, &self.measured)? else { continue };
            for (place, target) in controller.joints().iter().zip(targets) {
                if let Some(joint) = self.joints.get_mut(*place) {
                    joint.pursue(Goal::Position(target, None));
                }
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

/// Reads the controllers of trajectories.
fn controllers(host: HostHandle, params: Params, joints: &[Driven]) -> Result<Vec<TrajectoryController>> {
    let known: Vec<(usize, &str)> = joints
        .iter()
        .enumerate()
        .filter(|(_, joint)| joint.interfaces.position || joint.interfaces == Interfaces::default())
        .map(|(place, joint)| (place, joint.name.as_str()))
        .collect();
    (0..params.count("trajectory_controller"))
        .map(|index| {
            TrajectoryController::read(host, params, &format!("trajectory_controller[{index}]"), &known)
        })
        .collect()
}

/// Which values a joint takes from a message with fewer values than names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Interfaces {
    position: bool,
    velocity: bool,
    effort: bool,
}

impl Interfaces {
    fn read(params: Params, path: &str) -> Result<Self> {
        let mut interfaces = Interfaces::default();
        for index in 0..params.count(path) {
            let path = format!("{path}[{index}]");
            match params.require::<String>(&path)?.as_str() {
                "position" => interfaces.position = true,
                "velocity" => interfaces.velocity = true,
                "effort" => interfaces.effort = true,
                other => return Err(params.refuse(&path, other, "`position`, `velocity` or `effort`")),
            }
        }
        Ok(interfaces)
    }
}

/// A list of values in a message.
struct Values<'a> {
    what: &'static str,
    values: &'a [f64],
    has: fn(Interfaces) -> bool,
}

impl Values<'_> {
    /// Returns the value of each name; NaN for none. Controllers outside of the host send a value for each joint that has
    /// the interface, in the order of the names.
    fn of(
        &self,
        names: &[String],
        interfaces: impl Fn(&str) -> Option<Interfaces>,
    ) -> std::result::Result<Vec<f64>, String> {
        let Values { what, values, has } = self;
        if values.len() == names.len() {
            return Ok(values.to_vec());
        }
        let has = |name: &String| interfaces(name).is_some_and(has);
        if !values.is_empty() && values.len() != names.iter().filter(|name| has(name)).count() {
            return Err(format!("it has {} {what} for {} joints", values.len(), names.len()));
        }
        let mut rest = values.iter().copied();
        let mut next = |name: &String| if has(name) { rest.next() } else { None };
        Ok(names.iter().map(|name| next(name).unwrap_or(f64::NAN)).collect())
    }
}

/// Returns the goal of each named joint. Missing values and NaN have no effect.
fn goals(
    message: &JointState,
    interfaces: impl Fn(&str) -> Option<Interfaces>,
) -> std::result::Result<Vec<(&str, Goal)>, String> {
    let lists = [
        Values { what: "positions", values: &message.position, has: |joint| joint.position },
        Values { what: "velocities", values: &message.velocity, has: |joint| joint.velocity },
        Values { what: "efforts", values: &message.effort, has: |joint| joint.effort },
    ];
    let mut found = Vec::new();
    for list in &lists {
        let values = list.of(&message.name, &interfaces)?;
        let given: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        if let Err(error) = check_targets(list.what, &given) {
            return Err(format!("it has invalid {}: {error}", list.what));
        }
        found.push(values);
    }
    let value = |list: usize, index: usize| {
        let values: Option<&Vec<f64>> = found.get(list);
        values.and_then(|values| values.get(index)).copied().filter(|value| !value.is_nan())
    };
    let goal = |index: usize| {
        let velocity = value(1, index);
        // Complete joint states are sent as commands too: a position comes with velocities and efforts of 0.
        let speed = velocity.map(f64::abs).filter(|speed| *speed > 0.0);
        let position = value(0, index).map(|position| Goal::Position(position, speed));
        let effort = || value(2, index).map(Goal::Effort);
        position.or(velocity.map(Goal::Velocity)).or_else(effort)
    };
    let named = message.name.iter().enumerate();
    Ok(named.filter_map(|(index, name)| Some((name.as_str(), goal(index)?))).collect())
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
