//! `bridgehead.command/1`: what plugins do to the world, applied before physics of the next step.

use bridgehead_abi::basic::Pose as RawPose;
use bridgehead_abi::host::HostCommand;
use bridgehead_abi::{Host, Status, status};
use bridgehead_physics::JointCommand;
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

use super::caller::{caller, check_pointer, checked, wrong_thread};
use super::{Context, scope};
use crate::guard::host_call;
use crate::world::WorldCommand;

pub(super) static TABLE: HostCommand = HostCommand {
    struct_size: HostCommand::SIZE,
    reserved: 0,
    joint_velocity,
    joint_position,
    joint_effort,
    link_wrench,
    model_velocity,
    model_pose,
};

/// Queues a command; refuses numbers that are not, and calls from elsewhere.
pub(super) fn queue(context: &Context, command: WorldCommand, function: &str) -> Status {
    match scope::with(|world| world.queue(command)) {
        None => wrong_thread(&context.label, function),
        Some(Ok(())) => status::OK,
        Some(Err(error)) => {
            context.explain(error.to_string());
            status::INVALID_ARG
        }
    }
}

unsafe extern "C" fn joint_velocity(host: *const Host, joint: u32, target: f64, max_effort: f64) -> Status {
    host_call("command.joint_velocity", status::PANIC, || {
        let context = caller!(host, "command.joint_velocity");
        let command = JointCommand::Velocity { target, max_effort };
        queue(context, WorldCommand::Joint(joint, command), "command.joint_velocity")
    })
}

unsafe extern "C" fn joint_position(
    host: *const Host,
    joint: u32,
    target: f64,
    stiffness: f64,
    damping: f64,
    max_effort: f64,
) -> Status {
    host_call("command.joint_position", status::PANIC, || {
        let command = JointCommand::Position { target, stiffness, damping, max_effort };
        let context = caller!(host, "command.joint_position");
        queue(context, WorldCommand::Joint(joint, command), "command.joint_position")
    })
}

unsafe extern "C" fn joint_effort(host: *const Host, joint: u32, effort: f64) -> Status {
    host_call("command.joint_effort", status::PANIC, || {
        let context = caller!(host, "command.joint_effort");
        queue(context, WorldCommand::Joint(joint, JointCommand::Effort(effort)), "command.joint_effort")
    })
}

unsafe extern "C" fn link_wrench(
    host: *const Host,
    link: u32,
    force: *const [f64; 3],
    torque: *const [f64; 3],
) -> Status {
    host_call("command.link_wrench", status::PANIC, || {
        let context = caller!(host, "command.link_wrench");
        checked!(check_pointer(&context.label, force, "force", "command.link_wrench"));
        checked!(check_pointer(&context.label, torque, "torque", "command.link_wrench"));
        // SAFETY: plugins pass vectors valid for this call.
        let (force, torque) = unsafe { (DVec3::from_array(*force), DVec3::from_array(*torque)) };
        queue(context, WorldCommand::Wrench { link, force, torque }, "command.link_wrench")
    })
}

unsafe extern "C" fn model_velocity(
    host: *const Host,
    link: u32,
    linear: *const [f64; 3],
    angular: *const [f64; 3],
) -> Status {
    host_call("command.model_velocity", status::PANIC, || {
        let context = caller!(host, "command.model_velocity");
        checked!(check_pointer(&context.label, linear, "linear", "command.model_velocity"));
        checked!(check_pointer(&context.label, angular, "angular", "command.model_velocity"));
        // SAFETY: plugins pass vectors valid for this call.
        let (linear, angular) = unsafe { (DVec3::from_array(*linear), DVec3::from_array(*angular)) };
        queue(context, WorldCommand::Velocity { link, linear, angular }, "command.model_velocity")
    })
}

unsafe extern "C" fn model_pose(host: *const Host, pose: *const RawPose) -> Status {
    host_call("command.model_pose", status::PANIC, || {
        let context = caller!(host, "command.model_pose");
        checked!(check_pointer(&context.label, pose, "pose", "command.model_pose"));
        // SAFETY: plugins pass a pose valid for this call.
        let raw = unsafe { &*pose };
        let Some(model) = context.attachment.entity else {
            context.explain("this plugin is attached to the world and has no model to place".to_owned());
            return status::WRONG_STATE;
        };
        let rotation = DQuat::from_array(raw.orientation).normalize();
        let pose = Pose { position: DVec3::from_array(raw.position), rotation };
        queue(context, WorldCommand::Pose { model, pose }, "command.model_pose")
    })
}
