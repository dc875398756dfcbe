//! The plugins that stand for `<ros2_control>`: `joint_command` drives its joints, `joint_state` reports them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::Writer;
use crate::diagnostic::{Code, Severity};
use crate::number::number;
use crate::urdf::robot::{Control, ControlledJoint, Controller, ControllerKind, Drive, Vehicle};

/// Name of the controller that moves the joints along trajectories if no file names one: that of the examples of
/// ros2_controllers.
const CONTROLLER: &str = "joint_trajectory_controller";

impl Writer<'_, '_> {
    pub(super) fn controls(&mut self) {
        let robot = self.robot;
        for control in &robot.controls {
            self.drive_joints(control);
            self.report_joints(control);
        }
        for controller in robot.controllers.iter().flatten() {
            if let ControllerKind::Drive(vehicle) = &controller.kind {
                self.vehicle(controller, vehicle);
            }
        }
    }

    fn drive_joints(&mut self, control: &Control<'_>) {
        // Hardware that speaks topics has its controllers outside of the simulation.
        let controllers = match (&control.command_topic, &self.robot.controllers) {
            (None, Some(controllers)) => controllers.as_slice(),
            _ => &[],
        };
        let claims = claims(controllers);
        let driven: Vec<Driven<'_>> =
            control.joints.iter().filter_map(|joint| driven(joint, &claims)).collect();
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
        let names = if self.robot.controllers.is_some() || control.command_topic.is_some() {
            self.controllers(controllers)
        } else {
            self.trajectories(control, &driven).into_iter().collect()
        };
        self.out.close("plugin");
        let topic = control.command_topic.as_deref().unwrap_or("joint_command");
        let found = format!("`<ros2_control>` `{}` with {} driven joints", control.name, driven.len());
        let mut expected = format!("commands as `sensor_msgs/msg/JointState` on the topic `{topic}`");
        for name in names {
            let _ = write!(expected, ", or {name}");
        }
        self.find(Severity::Note, Code::UrdfControlled, control.at, found, expected);
    }

    /// Offers trajectories for the joints that take positions; returns what moves them.
    fn trajectories(&mut self, control: &Control<'_>, driven: &[Driven<'_>]) -> Option<String> {
        let positioned: Vec<usize> = driven
            .iter()
            .filter(|joint| joint.drives.contains(&Drive::Position))
            .map(|joint| joint.of.joint)
            .collect();
        if positioned.is_empty() {
            return None;
        }
        let is_only = self.robot.controls.len() == 1;
        let name = if is_only { CONTROLLER.to_owned() } else { format!("{}_{CONTROLLER}", control.name) };
        self.controller("trajectory_controller", &name, &positioned, &[]);
        Some(goals(&name))
    }

    /// Writes the controllers of a file; returns what moves their joints.
    fn controllers(&mut self, controllers: &[Controller]) -> Vec<String> {
        let mut names = Vec::new();
        for Controller { name, kind, settings } in controllers {
            match kind {
                ControllerKind::Trajectories { joints } => {
                    self.controller("trajectory_controller", name, joints, settings);
                    names.push(goals(name));
                }
                ControllerKind::Commands { joints, drive } => {
                    let interface = ("interface_name", drive.name().to_owned());
                    self.controller("forward_controller", name, joints, &[interface]);
                    names.push(format!("`std_msgs/msg/Float64MultiArray` on the topic `{name}/commands`"));
                }
                ControllerKind::Gripper { joints } => {
                    self.controller("gripper_controller", name, joints, settings);
                    names.push(format!("goals of the action `{name}/gripper_cmd`"));
                }
                ControllerKind::Drive(_) => {}
            }
        }
        names
    }

    fn controller(&mut self, element: &str, name: &str, joints: &[usize], settings: &[(&str, String)]) {
        self.out.open(element, &[("name", name)]);
        for joint in joints {
            self.out.leaf("joint_name", &self.names.joints[*joint]);
        }
        for (setting, value) in settings {
            self.out.leaf(setting, value);
        }
        self.out.close(element);
    }

    fn vehicle(&mut self, controller: &Controller, vehicle: &Vehicle) {
        let name = &controller.name;
        self.out.open("plugin", &[("filename", vehicle.plugin), ("name", name)]);
        for (element, joint) in &vehicle.joints {
            self.out.leaf(element, &self.names.joints[*joint]);
        }
        for (setting, value) in &controller.settings {
            self.out.leaf(setting, value);
        }
        let topic = format!("{name}/{}", vehicle.command);
        self.out.leaf("topic", &topic);
        self.out.leaf("odom_topic", &format!("{name}/{}", vehicle.odometry));
        self.out.close("plugin");
        let found = format!("the controller `{name}` for {} joints", vehicle.joints.len());
        let expected = format!("commands as `geometry_msgs/msg/Twist` on the topic `{topic}`");
        if let Some(control) = self.robot.controls.first() {
            self.find(Severity::Note, Code::UrdfControlled, control.at, found, expected);
        }
    }

    /// Without an initial value a joint holds where it is, as `gz_ros2_control` holds those that no controller drives; one
    /// that takes efforts only moves freely.
    fn driven_joint(&mut self, driven: &Driven<'_>) {
        let Driven { of: joint, drives } = driven;
        self.out.open("joint", &[("name", &self.names.joints[joint.joint])]);
        for drive in drives {
            self.out.leaf("command_interface", drive.name());
        }
        if drives.contains(&Drive::Position) {
            let limit = &self.robot.joints[joint.joint].limit;
            let begin = joint.position.unwrap_or(0.0);
            let begin = begin.max(limit.lower.unwrap_or(begin)).min(limit.upper.unwrap_or(f64::INFINITY));
            self.out.leaf("initial_position", &number(begin));
        } else if drives.contains(&Drive::Velocity) {
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

/// A joint that `joint_command` drives.
struct Driven<'c> {
    of: &'c ControlledJoint,
    drives: Vec<Drive>,
}

/// What controllers do with a joint.
#[derive(Default)]
struct Claim {
    /// A drive turns it.
    is_wheel: bool,
    drives: BTreeSet<Drive>,
}

/// Returns what controllers do with each joint. Those of trajectories and grippers move joints to positions, also if they
/// have velocities or efforts for this in ROS.
fn claims(controllers: &[Controller]) -> BTreeMap<usize, Claim> {
    let mut claims: BTreeMap<usize, Claim> = BTreeMap::new();
    let mut claim = |joints: &[usize], change: &dyn Fn(&mut Claim)| {
        joints.iter().for_each(|joint| change(claims.entry(*joint).or_default()));
    };
    for controller in controllers {
        match &controller.kind {
            ControllerKind::Trajectories { joints } => claim(joints, &|claim| {
                claim.drives.insert(Drive::Position);
            }),
            ControllerKind::Gripper { joints } => claim(joints, &|claim| {
                claim.drives.insert(Drive::Position);
            }),
            ControllerKind::Commands { joints, drive } => claim(joints, &|claim| {
                claim.drives.insert(*drive);
            }),
            ControllerKind::Drive(vehicle) => {
                vehicle.joints.iter().for_each(|(_, joint)| claim(&[*joint], &|claim| claim.is_wheel = true));
            }
        }
    }
    claims
}

/// Returns how a joint is driven; `None` for one that is not.
fn driven<'c>(joint: &'c ControlledJoint, claims: &BTreeMap<usize, Claim>) -> Option<Driven<'c>> {
    let mut drives: BTreeSet<Drive> = joint.drives.iter().copied().collect();
    if let Some(claim) = claims.get(&joint.joint) {
        if claim.is_wheel {
            return None;
        }
        drives.extend(&claim.drives);
    }
    (!drives.is_empty()).then(|| Driven { of: joint, drives: drives.into_iter().collect() })
}

fn goals(name: &str) -> String {
    format!("goals of the action `{name}/follow_joint_trajectory`")
}
