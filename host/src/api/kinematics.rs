//! `bridgehead.kinematics/1`: links whose motion a plugin prescribes.

use bridgehead_abi::basic::Pose as RawPose;
use bridgehead_abi::kinematics::HostKinematics;
use bridgehead_abi::{Host, Status, status};
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

use super::caller::{caller, check_pointer, checked};
use super::command::queue;
use crate::guard::host_call;
use crate::world::WorldCommand;

pub(super) static TABLE: HostKinematics =
    HostKinematics { struct_size: HostKinematics::SIZE, reserved: 0, move_link };

unsafe extern "C" fn move_link(host: *const Host, link: u32, pose: *const RawPose) -> Status {
    host_call("kinematics.move_link", status::PANIC, || {
        let context = caller!(host, "kinematics.move_link");
        checked!(check_pointer(&context.label, pose, "pose", "kinematics.move_link"));
        // SAFETY: plugins pass a pose valid for this call.
        let raw = unsafe { &*pose };
        let rotation = DQuat::from_array(raw.orientation).normalize();
        let pose = Pose { position: DVec3::from_array(raw.position), rotation };
        queue(context, WorldCommand::MoveLink { link, pose }, "kinematics.move_link")
    })
}
