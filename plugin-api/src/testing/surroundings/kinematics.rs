//! `bridgehead.kinematics/1` of a test: links that the plugin moves are recorded as commands.

use bridgehead_abi::basic::Pose as RawPose;
use bridgehead_abi::kinematics as raw;
use bridgehead_abi::{Host, Status};

use super::super::command::{TestCommand, record};
use crate::host::{LinkId, Pose};

pub(super) static TABLE: raw::HostKinematics =
    raw::HostKinematics { struct_size: raw::HostKinematics::SIZE, reserved: 0, move_link };

unsafe extern "C" fn move_link(host: *const Host, link: u32, pose: *const RawPose) -> Status {
    // SAFETY: plugins pass back the pointer they were given; the pose lives for the call.
    unsafe {
        let command = TestCommand::MoveLink { link: LinkId(link), pose: Pose::from_abi(*pose) };
        record(host, "kinematics.move_link", command)
    }
}
