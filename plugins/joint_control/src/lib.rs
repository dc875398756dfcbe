//! Drives joints to a velocity, to a position, or along a trajectory, like Gazebo's joint controller, joint position
//! controller and joint trajectory controller and with their parameters; and several joints separately by one
//! message, by lists of values, or along a trajectory, as the controllers of ros2_controllers do it.
//!
//! Each is one file and one plugin; the PID controller is that of the SDK. They run on the simulation thread.

mod action;
mod forward_controller;
mod gripper_controller;
mod interfaces;
mod joint_command;
mod joint_position;
mod joint_trajectory;
mod joint_velocity;
mod target;
mod trajectory_controller;

use bridgehead_plugin_api::export_plugin;

use crate::joint_command::JointCommand;
use crate::joint_position::JointPosition;
use crate::joint_trajectory::JointTrajectory;
use crate::joint_velocity::JointVelocity;

export_plugin! {
    model JointCommand { id: "org.bridgehead.controller.joint_command", name: "joint_command", vendor: "Bridgehead" }
    model JointVelocity { id: "org.bridgehead.controller.joint_velocity", name: "joint_velocity", vendor: "Bridgehead" }
    model JointPosition { id: "org.bridgehead.controller.joint_position", name: "joint_position", vendor: "Bridgehead" }
    model JointTrajectory {
        id: "org.bridgehead.controller.joint_trajectory", name: "joint_trajectory", vendor: "Bridgehead"
    }
}
