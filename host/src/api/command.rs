//! `bridgehead.command/1`: what plugins do to the world, applied before physics of the next step.

use bridgehead_abi::basic::Pose as RawPose;
use bridgehead_abi::host::HostCommand;
use bridgehead_abi::{Host, Status, status};
use bridgehead_physics::JointCommand;
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

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
///
/// # Safety
/// `host` must be the caller's host pointer.
unsafe fn queue(host: *const Host, command: WorldCommand) -> Status {
    // SAFETY: the caller vouches for it.
    let context = unsafe { Context::of(host) };
    match scope::with(|world| world.queue(command)) {
        None => status::WRONG_THREAD,
        Some(Ok(())) => status::OK,
        Some(Err(error)) => {
            context.explain(error.to_string());
            status::INVALID_ARG
        }
    }
}

unsafe extern "C" fn joint_velocity(host: *const Host, joint: u32, target: f64, max_effort: f64) -> Status {
    host_call("command.joint_velocity", status::PANIC, || {
        // SAFETY: plugins pass back their host pointer.
        unsafe { queue(host, WorldCommand::Joint(joint, JointCommand::Velocity { target, max_effort })) }
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
        // SAFETY: plugins pass back their host pointer.
        unsafe { queue(host, WorldCommand::Joint(joint, command)) }
    })
}

unsafe extern "C" fn joint_effort(host: *const Host, joint: u32, effort: f64) -> Status {
    host_call("command.joint_effort", status::PANIC, || {
        // SAFETY: plugins pass back their host pointer.
        unsafe { queue(host, WorldCommand::Joint(joint, JointCommand::Effort(effort))) }
    })
}

unsafe extern "C" fn link_wrench(
    host: *const Host,
    link: u32,
    force: *const [f64; 3],
    torque: *const [f64; 3],
) -> Status {
    host_call("command.link_wrench", status::PANIC, || {
        // SAFETY: plugins pass back their host pointer and vectors valid for this call.
        unsafe {
            let (force, torque) = (DVec3::from_array(*force), DVec3::from_array(*torque));
            queue(host, WorldCommand::Wrench { link, force, torque })
        }
    })
}

unsafe extern "C" fn model_velocity(
    host: *const Host,
    link: u32,
    linear: *const [f64; 3],
    angular: *const [f64; 3],
) -> Status {
    host_call("command.model_velocity", status::PANIC, || {
        // SAFETY: as in `link_wrench`.
        unsafe {
            let (linear, angular) = (DVec3::from_array(*linear), DVec3::from_array(*angular));
            queue(host, WorldCommand::Velocity { link, linear, angular })
        }
    })
}

unsafe extern "C" fn model_pose(host: *const Host, pose: *const RawPose) -> Status {
    host_call("command.model_pose", status::PANIC, || {
        // SAFETY: plugins pass back their host pointer and a pose valid for this call.
        let (context, raw) = unsafe { (Context::of(host), &*pose) };
        let Some(model) = context.attachment.entity else {
            context.explain("this plugin is attached to the world and has no model to place".to_owned());
            return status::WRONG_STATE;
        };
        let rotation = DQuat::from_array(raw.orientation).normalize();
        let pose = Pose { position: DVec3::from_array(raw.position), rotation };
        // SAFETY: as above.
        unsafe { queue(host, WorldCommand::Pose { model, pose }) }
    })
}
