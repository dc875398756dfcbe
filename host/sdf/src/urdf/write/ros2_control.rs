//! The plugins that stand for `<ros2_control>`: `joint_command` drives its joints, `joint_state` reports them.

use super::Writer;
use crate::diagnostic::{Code, Severity};
use crate::number::number;
use crate::urdf::robot::{Control, ControlledJoint, Drive};

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
        self.out.close("plugin");
        let topic = control.command_topic.as_deref().unwrap_or("joint_command");
        let found = format!("`<ros2_control>` `{}` with {} driven joints", control.name, driven.len());
        let expected = format!("commands as `sensor_msgs/msg/JointState` on the topic `{topic}`");
        self.find(Severity::Note, Code::UrdfControlled, control.at, found, expected);
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
