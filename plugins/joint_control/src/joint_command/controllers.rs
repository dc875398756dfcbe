//! The controllers of ROS that a plugin has for its joints: what they make of the joints in each step, and which of them
//! gives way. The newest command for a joint counts, whoever it is from.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, JointState, Params};
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::state::{StateReader, StateWriter};

use super::goals::Goal;
use crate::forward_controller::ForwardController;
use crate::gripper_controller::GripperController;
use crate::interfaces::{Interface, Interfaces};
use crate::trajectory_controller::{Measured, TrajectoryController};

/// All controllers.
pub(super) struct Controllers {
    /// What moves some of the joints along trajectories.
    trajectories: Vec<TrajectoryController>,
    /// What sends lists of values to some of the joints.
    forwarders: Vec<ForwardController>,
    grippers: Vec<GripperController>,
    /// Of the joints of a controller, for each in turn.
    measured: Vec<Measured>,
}

impl Controllers {
    /// Reads the controllers for joints with these names and interfaces.
    pub(super) fn read(host: HostHandle, params: Params, joints: &[(&str, Interfaces)]) -> Result<Self> {
        let takes_positions = |interfaces: Interfaces| {
            interfaces.has(Interface::Position) || interfaces == Interfaces::default()
        };
        let positioned: Vec<(usize, &str)> = joints
            .iter()
            .enumerate()
            .filter(|(_, (_, interfaces))| takes_positions(*interfaces))
            .map(|(place, (name, _))| (place, *name))
            .collect();
        let paths = |element: &'static str| {
            (0..params.count(element)).map(move |index| format!("{element}[{index}]"))
        };
        Ok(Controllers {
            trajectories: paths("trajectory_controller")
                .map(|path| TrajectoryController::read(host, params, &path, &positioned))
                .collect::<Result<_>>()?,
            forwarders: paths("forward_controller")
                .map(|path| ForwardController::read(host, params, &path, joints))
                .collect::<Result<_>>()?,
            grippers: paths("gripper_controller")
                .map(|path| GripperController::read(host, params, &path, &positioned))
                .collect::<Result<_>>()?,
            measured: Vec::new(),
        })
    }

    /// Ends what moves a joint.
    pub(super) fn give_way(&mut self, place: usize, reason: &str) {
        let moving = self.trajectories.iter_mut().filter(|controller| controller.joints().contains(&place));
        moving.for_each(|controller| controller.give_way(reason));
        let gripping = self.grippers.iter_mut().filter(|gripper| gripper.joint() == place);
        gripping.for_each(GripperController::give_way);
    }

    /// Ends everything.
    pub(super) fn reset(&mut self) {
        self.trajectories.iter_mut().for_each(|controller| controller.give_way("the simulation was reset"));
        self.grippers.iter_mut().for_each(GripperController::give_way);
    }

    /// A gripper holds what its joint does, so it has no state of its own.
    pub(super) fn save(&self, state: &mut StateWriter) -> Result {
        self.trajectories.iter().try_for_each(|controller| controller.save(state))
    }

    pub(super) fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.grippers.iter_mut().for_each(GripperController::give_way);
        self.trajectories.iter_mut().try_for_each(|controller| controller.load(state))
    }

    /// Returns the goals of lists of values that have come.
    pub(super) fn forwarded(&mut self) -> Vec<(usize, Goal)> {
        let goals = self.forwarders.iter_mut().flat_map(|forwarder| {
            let interface = forwarder.interface();
            forwarder.take().into_iter().map(move |(place, value)| (place, Goal::of(interface, value)))
        });
        goals.collect()
    }

    /// Returns the goals of grippers that clients have sent.
    pub(super) fn gripped(
        &mut self,
        step: &Step,
        state: impl Fn(usize) -> Result<JointState>,
    ) -> Result<Vec<(usize, Goal)>> {
        let mut goals = Vec::new();
        for index in 0..self.grippers.len() {
            let Some(gripper) = self.grippers.get_mut(index) else { continue };
            let place = gripper.joint();
            let Some(grasp) = gripper.advance(step.time_ns - step.width_ns, state(place)?)? else { continue };
            goals.push((place, Goal::Grasp { position: grasp.position, effort: grasp.effort }));
            let others = self.trajectories.iter_mut().filter(|other| other.joints().contains(&place));
            others.for_each(|other| other.give_way("a gripper moves its joint"));
        }
        Ok(goals)
    }

    /// Returns where the joints that are moved along trajectories should be at the end of the step.
    pub(super) fn followed(
        &mut self,
        step: &Step,
        state: impl Fn(usize) -> Result<JointState>,
    ) -> Result<Vec<(usize, Goal)>> {
        let mut goals = Vec::new();
        for index in 0..self.trajectories.len() {
            let Some(controller) = self.trajectories.get_mut(index) else { continue };
            self.measured.clear();
            for place in controller.joints() {
                let state = state(*place)?;
                self.measured.push([state.position, state.velocity]);
            }
            let begin = step.time_ns - step.width_ns;
            let targets = controller.advance(begin, step.width_ns, &self.measured)?;
            let targets = targets.into_iter().flatten().map(|target| Goal::Position(target, None));
            goals.extend(controller.joints().iter().copied().zip(targets));
            if controller.take_beginning() {
                self.leave_to(index);
            }
        }
        Ok(goals)
    }

    /// Ends what else moves the joints of a trajectory that has begun.
    fn leave_to(&mut self, index: usize) {
        let Some(joints) = self.trajectories.get(index).map(|begun| begun.joints().to_vec()) else { return };
        let others = self.trajectories.iter_mut().enumerate().filter(|(other, _)| *other != index);
        for (_, other) in
            others.filter(|(_, other)| other.joints().iter().any(|joint| joints.contains(joint)))
        {
            other.give_way("a trajectory of another controller moves its joints");
        }
        let grippers = self.grippers.iter_mut().filter(|gripper| joints.contains(&gripper.joint()));
        grippers.for_each(GripperController::give_way);
    }
}
