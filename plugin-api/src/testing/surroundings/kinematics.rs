//! `bridgehead.kinematics/1` of a test: links that the plugin moves are recorded as commands.

use bridgehead_abi::Status;
use bridgehead_abi::basic::Pose as RawPose;

use super::super::command::TestCommand;
use super::super::host::Shared;
use crate::host::{LinkId, Pose};
use crate::hosting::KinematicsHost;

impl KinematicsHost for Shared {
    fn move_link(&self, link: u32, pose: RawPose) -> Result<(), Status> {
        self.record_command(TestCommand::MoveLink { link: LinkId(link), pose: Pose::from_abi(pose) })
    }
}
