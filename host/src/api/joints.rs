//! `bridgehead.joints/1`: frames of joints and the forces in them.

use bridgehead_abi::surroundings::{HostJoints, JointFrame, JointWrench, WORLD_LINK};
use bridgehead_abi::{Host, Status, status};

use super::Context;
use super::model::raw_pose;
use super::scope::{self, answer};
use crate::guard::host_call;

pub(super) static TABLE: HostJoints =
    HostJoints { struct_size: HostJoints::SIZE, reserved: 0, attached, frame, watch, wrench };

unsafe extern "C" fn attached(host: *const Host, out: *mut u32) -> Status {
    host_call("joints.attached", status::PANIC, || {
        // SAFETY: plugins pass back their host pointer.
        let Some(joint) = unsafe { Context::of(host) }.attachment.parent_joint else {
            return status::NOT_FOUND;
        };
        // SAFETY: `out` is writable.
        unsafe { out.write(joint) };
        status::OK
    })
}

unsafe extern "C" fn frame(host: *const Host, joint: u32, out: *mut JointFrame) -> Status {
    host_call("joints.frame", status::PANIC, || {
        // SAFETY: plugins pass back their host pointer.
        let context = unsafe { Context::of(host) };
        let Some(facts) = context.attachment.joints.iter().find(|facts| facts.joint == joint) else {
            return status::NOT_FOUND;
        };
        let raw = JointFrame {
            struct_size: JointFrame::SIZE,
            parent_link: facts.parent.unwrap_or(WORLD_LINK),
            child_link: facts.child,
            reserved: 0,
            pose: raw_pose(&facts.pose),
            axis: facts.axis.to_array(),
        };
        // SAFETY: `out` is writable.
        unsafe { out.write(raw) };
        status::OK
    })
}

unsafe extern "C" fn watch(_: *const Host, joint: u32) -> Status {
    host_call("joints.watch", status::PANIC, || match scope::with(|world| world.watch_joint(joint)) {
        None => status::WRONG_THREAD,
        Some(false) => status::NOT_FOUND,
        Some(true) => status::OK,
    })
}

unsafe extern "C" fn wrench(_: *const Host, joint: u32, out: *mut JointWrench) -> Status {
    host_call("joints.wrench", status::PANIC, || {
        // SAFETY: `out` is writable.
        unsafe {
            answer(out, |world| {
                let (force, torque) = world.joint_wrench(joint)?;
                let (force, torque) = (force.to_array(), torque.to_array());
                Some(JointWrench { struct_size: JointWrench::SIZE, reserved: 0, force, torque })
            })
        }
    })
}
