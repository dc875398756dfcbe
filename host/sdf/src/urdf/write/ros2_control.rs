//! The plugins that stand for `<ros2_control>`: `joint_command` drives its joints, `joint_state` reports them.

use std::fmt::Write as _;

use super::Writer;
use crate::diagnostic::{Code, Severity};
use crate::number::number;
use crate::urdf::robot::{Control, ControlledJoint, Drive};

/// Name of the controller that moves the joints along trajectories: that of the examples of ros2_controllers.
const CONTROLLER: &str = "joint_trajectory_controller";

impl Writer<'_, '_> {
    pub(super) fn controls(&mut self) {
        let robot = self.robot;
        for control in &robot.controls {
            self.drive_joints(control);
            self.report_joints(control);
        }
    }

    fn drive_joints(&mut self, control: &Control<'_>) {
        let driven: Vec<&ControlledJoint> =
            control.joints.iter().filter(|joint| !joint.drives.is_empty()).collect();
        if driven.is_empty() {
            return;
        }
        self.out.open("plugin", &[("filename", "joint_command"), ("name", control.name)]);
        if let Some(topic) = &control.command_topic {
            self.out.leaf("topic", topic);
        }
        for joint in &driven {
            self.driven_joint(joint);
        }
        let controller = self.trajectories(control, &driven);
        self.out.close("plugin");
        let topic = control.command_topic.as_deref().unwrap_or("joint_command");
        let found = format!("`<ros2_control>` `{}` with {} driven joints", control.name, driven.len());
        let mut expected = format!("commands as `sensor_msgs/msg/JointState` on the topic `{topic}`");
        if let Some(name) = controller {
            let _ = write!(expected, ", or goals of the action `{name}/follow_joint_trajectory`");
        }
        self.find(Severity::Note, Code::UrdfControlled, control.at, found, expected);
    }

    /// Offers trajectories for the joints that take positions; returns the name of the controller. Hardware that speaks
    /// topics has its controllers outside of the simulation.
    fn trajectories(&mut self, control: &Control<'_>, driven: &[&ControlledJoint]) -> Option<String> {
        let takes_positions = |joint: &&&ControlledJoint| joint.drives.contains(&Drive::Position);
        if control.command_topic.is_some() || !driven.iter().any(|joint| takes_positions(&joint)) {
            return None;
        }
        let is_only = self.robot.controls.len() == 1;
        let name = if is_only { CONTROLLER.to_owned() } else { format!("{}_{CONTROLLER}", control.name) };
        self.out.open("trajectory_controller", &[("name", &name)]);
        for joint in driven.iter().filter(takes_positions) {
            self.out.leaf("joint_name", &self.names.joints[joint.joint]);
        }
        self.out.close("trajectory_controller");
        Some(name)
    }

    /// Without an initial value a joint holds where it is, as `gz_ros2_control` holds those that no controller drives; one
    /// that takes efforts only moves freely.
    fn driven_joint(&mut self, joint: &ControlledJoint) {
        self.out.open("joint", &[("name", &self.names.joints[joint.joint])]);
        for drive in &joint.drives {
            self.out.leaf("command_interface", drive.name());
        }
        if joint.drives.contains(&Drive::Position) {
            let limit = &self.robot.joints[joint.joint].limit;
            let begin = joint.position.unwrap_or(0.0);
            let begin = begin.max(limit.lower.unwrap_or(begin)).min(limit.upper.unwrap_or(f64::INFINITY));
            self.out.leaf("initial_position", &number(begin));
        } else if joint.drives.contains(&Drive::Velocity) {
            self.out.leaf("initial_velocity", &number(joint.velocity.unwrap_or(0.0)));
        }
        self.out.close("joint");
    }

    fn report_joints(&mut self, control: &Control<'_>) {
        self.out
            .open("plugin", &[("filename", "joint_state"), ("name", &format!("{}_states", control.name))]);
        if let Some(topic) = &control.state_topic {
            self.out.leaf("topic", topic);
        }
        // Controllers are often faster than the default, and nobody who does not listen pays.
        self.out.leaf("update_rate", "0");
        for joint in &control.joints {
            self.out.leaf("joint_name", &self.names.joints[joint.joint]);
        }
        self.out.close("plugin");
    }
}
