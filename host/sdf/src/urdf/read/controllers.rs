//! The controllers of the files of parameters that a plugin of Gazebo for `ros2_control` names. Plugins stand for those of
//! ros2_controllers that move something; the names of types and parameters are theirs.

mod asked;
mod drives;

use self::asked::Asked;
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
const HOSTS: [&str; 3] = ["gz_ros2_control-system", "ign_ros2_control-system", "gazebo_ros2_control"];

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
    Ackermann,
    /// A sensor or the plugin of joint states publishes already.
    Published,
}

const TYPES: [(&str, Role); 13] = [
    ("joint_trajectory_controller/JointTrajectoryController", Role::Trajectories),
    ("forward_command_controller/ForwardCommandController", Role::Commands(None)),
    ("position_controllers/JointGroupPositionController", Role::Commands(Some(Drive::Position))),
    ("velocity_controllers/JointGroupVelocityController", Role::Commands(Some(Drive::Velocity))),
    ("effort_controllers/JointGroupEffortController", Role::Commands(Some(Drive::Effort))),
    ("position_controllers/GripperActionController", Role::Gripper),
    ("effort_controllers/GripperActionController", Role::Gripper),
    ("diff_drive_controller/DiffDriveController", Role::DiffDrive),
    ("ackermann_steering_controller/AckermannSteeringController", Role::Ackermann),
    ("joint_state_broadcaster/JointStateBroadcaster", Role::Published),
    ("imu_sensor_broadcaster/IMUSensorBroadcaster", Role::Published),
    ("force_torque_sensor_broadcaster/ForceTorqueSensorBroadcaster", Role::Published),
    ("gps_sensor_broadcaster/GPSSensorBroadcaster", Role::Published),
];

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
            if let ControllerKind::Drive(vehicle) = &controller.kind {
                wheels.extend(vehicle.joints.iter().map(|(_, wheel)| (*wheel, controller.name.clone())));
            }
        }
        all.retain(|controller| {
            let joints = match &controller.kind {
                ControllerKind::Trajectories { joints } | ControllerKind::Commands { joints, .. } => {
                    joints.as_slice()
                }
                ControllerKind::Gripper { joints } => joints,
                ControllerKind::Drive(_) => return true,
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
            Role::Ackermann => self.ackermann(asked, robot),
            Role::Published => None,
        }
    }

    fn trajectories(&mut self, asked: &Asked<'_>, robot: &Robot<'d>) -> Option<Controller> {
        let joints = self.joints_of(asked, "joints")?;
        let mut settings = Vec::new();
        settings
            .extend(asked.flag("allow_partial_joints_goal").map(|flag| ("allow_partial_joints_goal", flag)));
        for (parameter, name) in [
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
        for name in ["goal_tolerance", "max_effort", "stall_velocity_threshold", "stall_timeout"] {
            settings.extend(asked.value(name).map(|value| (name, value.to_owned())));
        }
        settings.extend(asked.flag("allow_stalling").map(|flag| ("allow_stalling", flag)));
        Some(asked.controller(ControllerKind::Gripper { joints: [joint] }, settings))
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

fn is_host(element: &Element<'_>) -> bool {
    let file = element.attribute("filename").unwrap_or_default();
    let file = file.rsplit('/').next().unwrap_or_default();
    let file = file.strip_suffix(".so").unwrap_or(file);
    element.name() == "plugin" && HOSTS.contains(&file.strip_prefix("lib").unwrap_or(file))
}
