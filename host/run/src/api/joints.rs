//! `bridgehead.joints/1`: frames of joints and the forces in them.

use bridgehead_abi::surroundings::{JointFrame, JointWrench, WORLD_LINK};
use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::hosting::JointsHost;

use super::context::Context;
use super::model::raw_pose;
use super::scope::look;

impl JointsHost for Context {
    fn attached(&self) -> Result<u32, Status> {
        self.attachment.parent_joint.ok_or(status::NOT_FOUND)
    }

    fn frame(&self, joint: u32) -> Result<JointFrame, Status> {
        let mut joints = self.attachment.joints.iter();
        let facts = joints.find(|facts| facts.joint == joint).ok_or(status::NOT_FOUND)?;
        Ok(JointFrame {
            struct_size: JointFrame::SIZE,
            parent_link: facts.parent.unwrap_or(WORLD_LINK),
            child_link: facts.child,
            reserved: 0,
            pose: raw_pose(&facts.pose),
            axis: facts.axis.to_array(),
        })
    }

    fn watch(&self, joint: u32) -> Result<(), Status> {
        look(|world| world.watch_joint(joint).then_some(()))
    }

    fn wrench(&self, joint: u32) -> Result<JointWrench, Status> {
        let (force, torque) = look(|world| world.joint_wrench(joint))?;
        let (force, torque) = (force.to_array(), torque.to_array());
        Ok(JointWrench { struct_size: JointWrench::SIZE, reserved: 0, force, torque })
    }
}
