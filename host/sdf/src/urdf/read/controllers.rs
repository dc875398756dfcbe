//! The controllers of the files of parameters that a plugin of Gazebo for `ros2_control` names. Plugins stand for those of
//! ros2_controllers that move something; the names of types and parameters are theirs.

use super::Reader;
use super::value::setting_text;
use crate::budget::Budget;
use crate::diagnostic::{Code, Severity, excerpt};
use crate::document::Element;
use crate::files::{Files, normalize};
use crate::limits::Limit;
use crate::source::Source;
use crate::urdf::parameters::Parameters;
use crate::urdf::refusal::Refusal;
use crate::urdf::robot::{Controller, ControllerKind, Drive, Robot};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Plugins that run controllers inside of Gazebo.
const HOSTS: [&str; 4] =
    ["gz_ros2_control-system", "ign_ros2_control-system", "gazebo_ros2_control", "gz_ros2_control"];

/// Node that names the controllers.
const MANAGER: &str = "controller_manager";

const EXPECTED_JOINT: &str = "a joint of a `<ros2_control>` with a command interface";

/// What stands for a controller of a type.
#[derive(Clone, Copy)]
enum Role {
    Trajectories,
    /// The interface, or that of a parameter.
    Commands(Option<Drive>),
    Gripper,
    DiffDrive,
    /// A sensor or the plugin of joint states publishes already.
    Published,
}

const TYPES: [(&str, Role); 12] = [
    ("joint_trajectory_controller/JointTrajectoryController", Role::Trajectories),
    ("forward_command_controller/ForwardCommandController", Role::Commands(None)),
    ("position_controllers/JointGroupPositionController", Role::Commands(Some(Drive::Position))),
    ("velocity_controllers/JointGroupVelocityController", Role::Commands(Some(Drive::Velocity))),
    ("effort_controllers/JointGroupEffortController", Role::Commands(Some(Drive::Effort))),
    ("position_controllers/GripperActionController", Role::Gripper),
    ("effort_controllers/GripperActionController", Role::Gripper),
    ("diff_drive_controller/DiffDriveController", Role::DiffDrive),
    ("joint_state_broadcaster/JointStateBroadcaster", Role::Published),
    ("imu_sensor_broadcaster/IMUSensorBroadcaster", Role::Published),
    ("force_torque_sensor_broadcaster/ForceTorqueSensorBroadcaster", Role::Published),
    ("gps_sensor_broadcaster/GPSSensorBroadcaster", Role::Published),
];

/// Limits of a drive: the parameter, and that of the plugin.
const DRIVE_LIMITS: [(&str, &str); 8] = [
    ("linear.x.max_velocity", "max_linear_velocity"),
    ("linear.x.min_velocity", "min_linear_velocity"),
    ("linear.x.max_acceleration", "max_linear_acceleration"),
    ("linear.x.max_deceleration", "min_linear_acceleration"),
    ("angular.z.max_velocity", "max_angular_velocity"),
    ("angular.z.min_velocity", "min_angular_velocity"),
    ("angular.z.max_acceleration", "max_angular_acceleration"),
    ("angular.z.max_deceleration", "min_angular_acceleration"),
];

/// A controller that is being read.
struct Asked<'p> {
    name: &'p str,
    at: Element<'p>,
    files: &'p [Parameters],
    /// The joints that commands can drive, by their names.
    joints: &'p BTreeMap<&'p str, usize>,
}

impl<'d> Reader<'d> {
    /// Reads the controllers; the plugins that name them have no further meaning then.
    pub(super) fn controllers(
        &mut self,
        robot: &mut Robot<'d>,
        files: &dyn Files,
        budget: &Budget,
    ) -> Result<(), Refusal> {
        // Those of hardware that speaks topics run outside of the simulation.
        if !robot.controls.iter().any(|control| control.command_topic.is_none()) {
            return Ok(());
        }
        let hosts: Vec<Element<'d>> = robot.extension.rest.iter().copied().filter(is_host).collect();
        let Some(at) = hosts.first().copied() else { return Ok(()) };
        let mut read = Vec::new();
        for element in hosts.iter().flat_map(|host| host.children_named("parameters")) {
            read.extend(self.parameters(element, files, budget)?);
        }
        if read.is_empty() {
            return Ok(());
        }
        robot.extension.rest.retain(|element| !is_host(element));
        let named = read.iter().flat_map(|file| file.controllers(MANAGER));
        let kinds: BTreeMap<&str, &str> = named.collect();
        let of_simulation = robot.controls.iter().filter(|control| control.command_topic.is_none());
        let driven =
            of_simulation.flat_map(|control| &control.joints).filter(|joint| !joint.drives.is_empty());
        let joints: BTreeMap<&str, usize> =
            driven.map(|joint| (robot.joints[joint.joint].name.as_str(), joint.joint)).collect();
        let mut all = Vec::new();
        for (name, kind) in kinds {
            all.extend(self.controller(&Asked { name, at, files: &read, joints: &joints }, kind, robot));
        }
        self.leave_wheels_to_drives(&mut all, at);
        robot.controllers = Some(all);
        Ok(())
    }

    /// Leaves out controllers with wheels of a drive: only one can turn them, and which one was started later is not known.
    fn leave_wheels_to_drives(&mut self, all: &mut Vec<Controller>, at: Element<'d>) {
        let mut wheels = BTreeMap::new();
        for controller in all.iter() {
            if let ControllerKind::DiffDrive { left, right } = &controller.kind {
                wheels.extend(left.iter().chain(right).map(|wheel| (*wheel, controller.name.clone())));
            }
        }
        all.retain(|controller| {
            let joints = match &controller.kind {
                ControllerKind::Trajectories { joints } | ControllerKind::Commands { joints, .. } => {
                    joints.as_slice()
                }
                ControllerKind::Gripper { joints } => joints,
                ControllerKind::DiffDrive { .. } => return true,
            };
            let Some(drive) = joints.iter().find_map(|joint| wheels.get(joint)) else { return true };
            let found = format!("the controller `{}` with a wheel of `{drive}`", controller.name);
            self.warning(Code::UrdfControllerLeftOut, at, found, "joints that no drive turns");
            false
        });
    }

    /// Reads a file of parameters; `None` if this is not possible, which is reported.
    fn parameters(
        &mut self,
        at: Element<'d>,
        files: &dyn Files,
        budget: &Budget,
    ) -> Result<Option<Parameters>, Refusal> {
        let named = setting_text(at);
        let named = named.strip_prefix("file://").unwrap_or(named);
        let place = || Some(at.location());
        let folder = at.document().source().folder().map_or_else(PathBuf::new, PathBuf::from);
        let path = normalize(&folder.join(named));
        budget.charge(Limit::Files, 1, place)?;
        let text = match files.read(&path, budget.most(Limit::TextFile)) {
            Ok(text) => text,
            Err(error) => {
                let found = format!("the file of parameters `{}`: {error}", path.display());
                let expected = "a file in YAML; without it, no controllers are known";
                self.warning(Code::UrdfParametersInvalid, at, found, expected);
                return Ok(None);
            }
        };
        budget.charge(Limit::Text, text.len() as u64, place)?;
        match Parameters::parse(Source::from_file(&path, text)) {
            Ok(parameters) => Ok(Some(parameters)),
            Err(refusal) => {
                self.findings.push(refusal.with_severity(Severity::Warning));
                Ok(None)
            }
        }
    }

    fn controller(&mut self, asked: &Asked<'_>, kind: &str, robot: &Robot<'d>) -> Option<Controller> {
        let Some((_, role)) = TYPES.iter().find(|(name, _)| *name == kind) else {
            let found = format!("the controller `{}` of the type `{}`", asked.name, excerpt(kind));
            let expected = "a type that a plugin stands for; its joints take commands as the others do";
            self.warning(Code::UrdfControllerLeftOut, asked.at, found, expected);
            return None;
        };
        match role {
            Role::Trajectories => self.trajectories(asked, robot),
            Role::Commands(drive) => self.commands(asked, *drive),
            Role::Gripper => self.gripper(asked),
            Role::DiffDrive => self.diff_drive(asked),
            Role::Published => None,
        }
    }

    fn trajectories(&mut self, asked: &Asked<'_>, robot: &Robot<'d>) -> Option<Controller> {
        let joints = self.joints_of(asked, "joints")?;
        let mut settings = Vec::new();
        for (parameter, name) in [
            ("allow_partial_joints_goal", "allow_partial_joints_goal"),
            ("constraints.goal_time", "goal_time"),
            ("constraints.stopped_velocity_tolerance", "stopped_velocity_tolerance"),
        ] {
            settings.extend(asked.value(parameter).map(|value| (name, value.to_owned())));
        }
        for (parameter, name) in [("trajectory", "path_tolerance"), ("goal", "goal_tolerance")] {
            let of_joint = |joint: &usize| {
                let joint = &robot.joints[*joint].name;
                asked.value(&format!("constraints.{joint}.{parameter}"))
            };
            let values: Vec<Option<&str>> = joints.iter().map(of_joint).collect();
            if values.iter().any(Option::is_some) {
                settings.extend(values.iter().map(|value| (name, value.unwrap_or("0").to_owned())));
            }
        }
        Some(asked.controller(ControllerKind::Trajectories { joints }, settings))
    }

    fn commands(&mut self, asked: &Asked<'_>, drive: Option<Drive>) -> Option<Controller> {
        let joints = self.joints_of(asked, "joints")?;
        let Some(drive) = drive.or_else(|| Drive::named(asked.value("interface_name")?)) else {
            self.incomplete(asked, "interface_name", "`position`, `velocity` or `effort`");
            return None;
        };
        Some(asked.controller(ControllerKind::Commands { joints, drive }, Vec::new()))
    }

    fn gripper(&mut self, asked: &Asked<'_>) -> Option<Controller> {
        let Some(joint) = asked.value("joint").and_then(|name| asked.joints.get(name)).copied() else {
            self.incomplete(asked, "joint", EXPECTED_JOINT);
            return None;
        };
        let mut settings = Vec::new();
        for name in
            ["goal_tolerance", "max_effort", "allow_stalling", "stall_velocity_threshold", "stall_timeout"]
        {
            settings.extend(asked.value(name).map(|value| (name, value.to_owned())));
        }
        Some(asked.controller(ControllerKind::Gripper { joints: [joint] }, settings))
    }

    fn diff_drive(&mut self, asked: &Asked<'_>) -> Option<Controller> {
        let left = self.joints_of(asked, "left_wheel_names")?;
        let right = self.joints_of(asked, "right_wheel_names")?;
        let mut settings = Vec::new();
        for (parameter, name, multipliers) in [
            ("wheel_separation", "wheel_separation", &["wheel_separation_multiplier"][..]),
            ("wheel_radius", "wheel_radius", &["wheel_radius_multiplier", "left_wheel_radius_multiplier"]),
        ] {
            let Some(value) = asked.number(parameter).filter(|value| *value > 0.0) else {
                self.incomplete(asked, parameter, "a number above 0");
                return None;
            };
            let factor = multipliers.iter().find_map(|name| asked.number(name)).unwrap_or(1.0);
            settings.push((name, crate::number::number(value * factor)));
        }
        for (parameter, name) in DRIVE_LIMITS {
            let value = asked.number(parameter).filter(|value| asked.has_limit(parameter) && *value != 0.0);
            settings.extend(value.map(|value| (name, crate::number::number(value))));
        }
        for (parameter, name) in
            [("cmd_vel_timeout", "command_timeout"), ("publish_rate", "odom_publish_frequency")]
        {
            settings.extend(asked.number(parameter).map(|value| (name, crate::number::number(value))));
        }
        settings.extend(asked.value("enable_odom_tf").map(|value| ("publish_tf", value.to_owned())));
        Some(asked.controller(ControllerKind::DiffDrive { left, right }, settings))
    }

    /// The joints of a list; `None` if there is no list, or if the robot does not have them.
    fn joints_of(&mut self, asked: &Asked<'_>, parameter: &str) -> Option<Vec<usize>> {
        let list = asked.files.iter().rev().find_map(|file| file.list(asked.name, parameter));
        let Some((names, place)) = list.filter(|(names, _)| !names.is_empty()) else {
            self.incomplete(asked, parameter, "a list with the names of joints");
            return None;
        };
        let mut joints = Vec::new();
        let mut taken = BTreeSet::new();
        for name in names {
            let known = asked.joints.get(name.as_str()).copied();
            let Some(index) = known.filter(|index| taken.insert(*index)) else {
                let found = format!("the joint `{}` in `{parameter}` of `{}`", excerpt(name), asked.name);
                let expected = format!("{EXPECTED_JOINT}, once");
                self.push(Severity::Warning, Code::UrdfReferenceUnknown, place, found, &expected);
                return None;
            };
            joints.push(index);
        }
        Some(joints)
    }

    fn incomplete(&mut self, asked: &Asked<'_>, parameter: &str, expected: &str) {
        let found = match asked.value(parameter) {
            Some(value) => format!("the controller `{}` with `{parameter}: {}`", asked.name, excerpt(value)),
            None => format!("the controller `{}` without `{parameter}`", asked.name),
        };
        self.warning(Code::UrdfControllerLeftOut, asked.at, found, expected);
    }
}

impl Asked<'_> {
    fn controller(&self, kind: ControllerKind, settings: Vec<(&'static str, String)>) -> Controller {
        Controller { name: self.name.to_owned(), kind, settings }
    }

    fn value(&self, parameter: &str) -> Option<&str> {
        self.files.iter().rev().find_map(|file| file.value(self.name, parameter)).map(|(value, _)| value)
    }

    fn number(&self, parameter: &str) -> Option<f64> {
        self.value(parameter)?.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// Whether a limit has an effect: until ROS 2 Jazzy a switch says so.
    fn has_limit(&self, parameter: &str) -> bool {
        let (axis, limit) = parameter.rsplit_once('.').unwrap_or_default();
        let kind = if limit.ends_with("velocity") { "velocity" } else { "acceleration" };
        self.value(&format!("{axis}.has_{kind}_limits")) != Some("false")
    }
}

fn is_host(element: &Element<'_>) -> bool {
    let file = element.attribute("filename").unwrap_or_default();
    let file = file.rsplit('/').next().unwrap_or_default();
    let file = file.strip_suffix(".so").unwrap_or(file);
    element.name() == "plugin" && HOSTS.contains(&file.strip_prefix("lib").unwrap_or(file))
}
