//! Moved links in a worker: `bridgehead.kinematics/1`.

use bridgehead_abi::basic::Pose;
use bridgehead_abi::kinematics::HostKinematics;
use bridgehead_abi::{Host, Status, status};

use super::super::wire::Command;
use super::world::{act, pose_of};
use crate::guard::host_call;

pub(super) static TABLE: HostKinematics =
    HostKinematics { struct_size: HostKinematics::SIZE, reserved: 0, move_link };

unsafe extern "C" fn move_link(_: *const Host, link: u32, pose: *const Pose) -> Status {
    host_call("kinematics.move_link", status::PANIC, || {
        // SAFETY: plugins pass a pose valid for this call.
        let Some(pose) = (unsafe { pose.as_ref() }) else { return status::INVALID_ARG };
        act(Command::MoveLink { link, pose: pose_of(pose) })
    })
}
