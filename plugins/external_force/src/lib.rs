//! Applies commanded forces and torques: an effort to a joint, or wrenches to links of any model.
//!
//! They have the parameters and topics of Gazebo's systems. They run on the simulation thread.

mod joint_force;
mod link_wrench;
mod persistent;
mod trajectory_follower;

use bridgehead_plugin_api::export_plugin;

use crate::joint_force::ApplyJointForce;
use crate::link_wrench::ApplyLinkWrench;
use crate::trajectory_follower::TrajectoryFollower;

export_plugin! {
    model TrajectoryFollower { id: "org.bridgehead.controller.trajectory_follower", name: "trajectory_follower", vendor: "Bridgehead" }
    model ApplyJointForce {
        id: "org.bridgehead.controller.apply_joint_force", name: "apply_joint_force", vendor: "Bridgehead"
    }
    model ApplyLinkWrench {
        id: "org.bridgehead.controller.apply_link_wrench", name: "apply_link_wrench", vendor: "Bridgehead"
    }
}
