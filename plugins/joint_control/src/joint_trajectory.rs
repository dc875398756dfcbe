//! Drives joints along a trajectory: towards each point until its time. PID controllers turn positions and velocities
//! into forces; efforts are added unchanged. A target holds until a later point changes it, even after the last one;
//! before the first, joints hold their initial position.

use bridgehead_plugin_api::drive::check_targets;
use bridgehead_plugin_api::host::{
    Command, HostHandle, Joint, JointId, Params, Publisher, Qos, Subscription, World,
};
use bridgehead_plugin_api::messages::std_msgs::Float32;
use bridgehead_plugin_api::messages::trajectory_msgs;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result};

use serde::{Deserialize, Serialize};

use crate::target::moving;
use bridgehead_plugin_api::drive::{Gains, Pid};

/// One joint with its present target.
struct Driven {
    name: String,
    id: JointId,
    position: Pid,
    velocity: Pid,
    /// Initial position, rad or m.
    initial_position: f64,
    target: Target,
}

/// Target position, velocity and additional effort of a joint: rad or m, rad/s or m/s, N·m or N.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Target {
    position: f64,
    velocity: f64,
    effort: f64,
}

/// What a point changes of a joint's target: `None` keeps the value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Change {
    position: Option<f64>,
    velocity: Option<f64>,
    effort: Option<f64>,
}

/// The trajectory that is being executed.
#[derive(Serialize, Deserialize)]
struct ActiveTrajectory {
    /// Its start, simulated nanoseconds.
    start_ns: i64,
    /// The time of each point after the start, and its changes of the named joints.
    points: Vec<(i64, Vec<(usize, Change)>)>,
    next: usize,
}

/// One controller.
pub(crate) struct JointTrajectory {
    world: World,
    command: Command,
    joints: Vec<Driven>,
    active: Option<ActiveTrajectory>,
    trajectories: Subscription<trajectory_msgs::JointTrajectory>,
    progress: Publisher<Float32>,
}

impl ModelPlugin for JointTrajectory {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus, model) = (host.params()?, host.bus()?, host.model()?);
        let named: Vec<String> = (0..params.count("joint_name"))
            .map(|index| params.require(&format!("joint_name[{index}]")))
            .collect::<Result<_>>()?;
        let joints: Vec<Joint> = if named.is_empty() {
            model.joints().into_iter().filter(|joint| moving(joint).is_ok()).collect()
        } else {
            named.iter().map(|name| model.joint(name)).collect::<Result<_>>()?
        };
        let topic = params.text("topic").unwrap_or_else(|| "joint_trajectory".to_owned());
        let driven = joints.iter().enumerate().map(|(index, joint)| Driven::new(params, index, joint));
        Ok(JointTrajectory {
            world: host.world()?,
            command: host.command()?,
            joints: driven.collect::<Result<_>>()?,
            active: None,
            trajectories: bus.subscribe(&topic, Qos::default())?,
            progress: bus.advertise(&format!("{topic}_progress"), Qos::default())?,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.active = None;
        self.joints.iter_mut().for_each(Driven::reset);
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.active)?;
        self.joints.iter().try_for_each(|joint| joint.save(state))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.active = state.take()?;
        self.joints.iter_mut().try_for_each(|joint| joint.load(state))
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if let Some(received) = self.trajectories.take_latest() {
            self.accept(&received.message, step);
        }
        self.advance(step)?;
        for joint in &mut self.joints {
            let state = self.world.joint_state(joint.id)?;
            let Target { position, velocity, effort } = joint.target;
            let by_position = joint.position.advance(position - state.position, step.width());
            let by_velocity = joint.velocity.advance(velocity - state.velocity, step.width());
            self.command.joint_effort(joint.id, by_position + by_velocity + effort)?;
        }
        Ok(Flow::Continue)
    }
}

impl JointTrajectory {
    /// Starts a trajectory at once. An invalid one is refused as a whole, and the present one continues.
    fn accept(&mut self, message: &trajectory_msgs::JointTrajectory, step: &Step) {
        match ActiveTrajectory::new(message, &self.joints, step.time_ns) {
            Ok(active) => self.active = Some(active),
            Err(problem) => log::warn!("a trajectory was refused: {problem}"),
        }
    }

    /// Sets the targets of the next point. Returns true if a point was passed.
    fn advance(&mut self, step: &Step) -> Result {
        let Some(active) = &mut self.active else { return Ok(()) };
        let before = active.next;
        while active.points.get(active.next).is_some_and(|(due, _)| active.start_ns + due <= step.time_ns) {
            active.next += 1;
        }
        let last = active.points.len() - 1;
        if let Some((_, changes)) = active.points.get(active.next.min(last)) {
            for (joint, change) in changes {
                if let Some(joint) = self.joints.get_mut(*joint) {
                    joint.target.update(*change);
                }
            }
        }
        if active.next > before {
            #[expect(clippy::cast_precision_loss, reason = "a trajectory has few points")]
            let data = active.next as f32 / active.points.len() as f32;
            self.progress.publish(step.time_ns, &Float32 { data })?;
        }
        if active.next > last {
            self.active = None;
        }
        Ok(())
    }
}

impl Driven {
    fn new(params: Params, index: usize, joint: &Joint) -> Result<Self> {
        let suffix = format!("[{index}]");
        let initial_position = params.get_or(&format!("initial_position{suffix}"), 0.0)?;
        Ok(Driven {
            name: joint.name.clone(),
            id: moving(joint)?,
            position: Pid::new(Gains::UNCLAMPED.read(params, "position_", &suffix)?),
            velocity: Pid::new(Gains::UNCLAMPED.read(params, "velocity_", &suffix)?),
            initial_position,
            target: Target::at(initial_position),
        })
    }

    fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&self.target)?;
        self.position.save(state)?;
        self.velocity.save(state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.target = state.take()?;
        self.position.load(state)?;
        self.velocity.load(state)
    }

    fn reset(&mut self) {
        self.position.reset();
        self.velocity.reset();
        self.target = Target::at(self.initial_position);
    }
}

impl Target {
    /// A target at rest at that position.
    fn at(position: f64) -> Self {
        Target { position, velocity: 0.0, effort: 0.0 }
    }

    fn update(&mut self, change: Change) {
        *self = Target {
            position: change.position.unwrap_or(self.position),
            velocity: change.velocity.unwrap_or(self.velocity),
            effort: change.effort.unwrap_or(self.effort),
        };
    }
}

impl ActiveTrajectory {
    fn new(
        message: &trajectory_msgs::JointTrajectory,
        joints: &[Driven],
        start_ns: i64,
    ) -> std::result::Result<Self, String> {
        let find = |name: &String| {
            joints.iter().position(|joint| joint.name == *name).ok_or_else(|| {
                let known: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
                format!("it names joint `{name}`; this controller drives {}", known.join(", "))
            })
        };
        let named: Vec<usize> =
            message.joint_names.iter().map(find).collect::<std::result::Result<_, _>>()?;
        if named.is_empty() || message.points.is_empty() {
            return Err("it has no joints or no points".to_owned());
        }
        let mut points = Vec::with_capacity(message.points.len());
        for (number, point) in message.points.iter().enumerate() {
            let due = point.time_from_start.as_ref().map_or(0, |time| time.to_nanos());
            if points.last().is_some_and(|(before, _)| due <= *before) {
                return Err(format!("point {number} is not later than the one before it"));
            }
            let changes = changes(point, &named).map_err(|problem| format!("point {number} {problem}"))?;
            points.push((due, changes));
        }
        Ok(ActiveTrajectory { start_ns, points, next: 0 })
    }
}

/// Returns the changes of one point.
fn changes(
    point: &trajectory_msgs::JointTrajectoryPoint,
    named: &[usize],
) -> std::result::Result<Vec<(usize, Change)>, String> {
    for (what, values) in
        [("positions", &point.positions), ("velocities", &point.velocities), ("effort", &point.effort)]
    {
        if !values.is_empty() && values.len() != named.len() {
            return Err(format!("has {} {what} for {} joints", values.len(), named.len()));
        }
        if let Err(error) = check_targets(what, values) {
            return Err(format!("has invalid {what}: {error}"));
        }
    }
    let change = |index: usize| Change {
        position: point.positions.get(index).copied(),
        velocity: point.velocities.get(index).copied(),
        effort: point.effort.get(index).copied(),
    };
    Ok(named.iter().enumerate().map(|(index, joint)| (*joint, change(index))).collect())
}

#[cfg(test)]
mod tests;
