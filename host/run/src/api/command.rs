//! `bridgehead.command/1` and `bridgehead.kinematics/1`: what plugins do to the world, before physics of the next step.

use bridgehead_abi::basic::Pose as RawPose;
use bridgehead_abi::{Status, status};
use bridgehead_physics::JointCommand;
use bridgehead_plugin_api::hosting::{CommandHost, KinematicsHost, Vector};
use bridgehead_plugin_api::rules;
use bridgehead_sdf::pose::DVec3;

use super::context::Context;
use super::model::pose_of;
use super::scope::within;
use crate::world::WorldCommand;

impl Context {
    /// Queues a command; refuses numbers that are not.
    pub(super) fn queue(&self, command: WorldCommand) -> Result<(), Status> {
        within(|world| world.queue(command))?.map_err(|error| {
            self.explain(error.to_string());
            status::INVALID_ARG
        })
    }
}

impl CommandHost for Context {
    fn joint_velocity(&self, joint: u32, target: f64, max_effort: f64) -> Result<(), Status> {
        self.queue(WorldCommand::Joint(joint, JointCommand::Velocity { target, max_effort }))
    }

    fn joint_position(
        &self,
        joint: u32,
        target: f64,
        stiffness: f64,
        damping: f64,
        max_effort: f64,
    ) -> Result<(), Status> {
        let command = JointCommand::Position { target, stiffness, damping, max_effort };
        self.queue(WorldCommand::Joint(joint, command))
    }

    fn joint_effort(&self, joint: u32, effort: f64) -> Result<(), Status> {
        self.queue(WorldCommand::Joint(joint, JointCommand::Effort(effort)))
    }

    fn link_wrench(&self, link: u32, force: Vector, torque: Vector) -> Result<(), Status> {
        let [force, torque] = [force, torque].map(DVec3::from_array);
        self.queue(WorldCommand::Wrench { link, force, torque })
    }

    fn model_velocity(&self, link: u32, linear: Vector, angular: Vector) -> Result<(), Status> {
        let [linear, angular] = [linear, angular].map(DVec3::from_array);
        self.queue(WorldCommand::Velocity { link, linear, angular })
    }

    fn model_pose(&self, pose: RawPose) -> Result<(), Status> {
        let Some(model) = self.attachment.entity else {
            self.explain(rules::NO_MODEL.to_owned());
            return Err(status::WRONG_STATE);
        };
        self.queue(WorldCommand::Pose { model, pose: pose_of(&pose) })
    }
}

impl KinematicsHost for Context {
    fn move_link(&self, link: u32, pose: RawPose) -> Result<(), Status> {
        self.queue(WorldCommand::MoveLink { link, pose: pose_of(&pose) })
    }
}
