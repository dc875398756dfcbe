//! `bridgehead.joints/1`: frames of joints and the forces in them.

use bridgehead_abi::surroundings::{HostJoints, JointFrame, JointWrench, WORLD_LINK};
use bridgehead_abi::{Host, Status, status};

use super::caller::{caller, check_out, check_pointer, checked, wrong_thread};
use super::model::raw_pose;
use super::scope::{self, answer};
use crate::guard::host_call;

pub(super) static TABLE: HostJoints =
    HostJoints { struct_size: HostJoints::SIZE, reserved: 0, attached, frame, watch, wrench };

unsafe extern "C" fn attached(host: *const Host, out: *mut u32) -> Status {
    host_call("joints.attached", status::PANIC, || {
        let context = caller!(host, "joints.attached");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "joints.attached"));
        let Some(joint) = context.attachment.parent_joint else {
            return status::NOT_FOUND;
        };
        // SAFETY: `out` is writable.
        unsafe { out.write(joint) };
        status::OK
    })
}

unsafe extern "C" fn frame(host: *const Host, joint: u32, out: *mut JointFrame) -> Status {
    host_call("joints.frame", status::PANIC, || {
        let context = caller!(host, "joints.frame");
        // SAFETY: `out` is memory for a result.
        checked!(unsafe { check_out(&context.label, out, "joints.frame") });
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

unsafe extern "C" fn watch(host: *const Host, joint: u32) -> Status {
    host_call("joints.watch", status::PANIC, || {
        let context = caller!(host, "joints.watch");
        match scope::with(|world| world.watch_joint(joint)) {
            None => wrong_thread(&context.label, "joints.watch"),
            Some(false) => status::NOT_FOUND,
            Some(true) => status::OK,
        }
    })
}

unsafe extern "C" fn wrench(host: *const Host, joint: u32, out: *mut JointWrench) -> Status {
    host_call("joints.wrench", status::PANIC, || {
        let context = caller!(host, "joints.wrench");
        // SAFETY: `out` is memory for a result.
        unsafe {
            checked!(check_out(&context.label, out, "joints.wrench"));
            answer(&context.label, "joints.wrench", out, |world| {
                let (force, torque) = world.joint_wrench(joint)?;
                let (force, torque) = (force.to_array(), torque.to_array());
                Some(JointWrench { struct_size: JointWrench::SIZE, reserved: 0, force, torque })
            })
        }
    })
}
