//! `<ros2_control>`: which joints are driven by what, and where they begin. The names of elements, hardware and parameters
//! are those of `ros2_control`, and of `topic_based_ros2_control` and its successor.

use super::Reader;
use super::value::setting_text;
use crate::diagnostic::{Code, excerpt};
use crate::document::Element;
use crate::urdf::robot::{Control, ControlledJoint, Drive, Robot};

/// Hardware that exchanges commands and states with controllers over topics.
const OVER_TOPICS: [&str; 2] = [
    "topic_based_ros2_control/TopicBasedSystem",
    "joint_state_topic_hardware_interface/JointStateTopicSystem",
];

/// Topics of such hardware without parameters.
const COMMANDS: &str = "/robot_joint_commands";
const STATES: &str = "/robot_joint_states";

impl<'d> Reader<'d> {
    /// All `<ros2_control>` elements of the robot; those with the same topics are one.
    pub(super) fn controls(&mut self, root: Element<'d>, robot: &Robot<'d>) -> Vec<Control<'d>> {
        let mut all: Vec<Control<'d>> = Vec::new();
        for element in root.children_named("ros2_control") {
            let control = self.control(element, robot);
            if control.joints.is_empty() {
                continue;
            }
            match all.iter_mut().find(|other| other.has_topics_of(&control)) {
                Some(same) => same.joints.extend(control.joints),
                None => all.push(control),
            }
        }
        all
    }

    fn control(&mut self, element: Element<'d>, robot: &Robot<'d>) -> Control<'d> {
        let hardware = element.child("hardware");
        let plugin =
            hardware.and_then(|hardware| hardware.child("plugin")).map(setting_text).unwrap_or_default();
        let is_over_topics = OVER_TOPICS.contains(&plugin);
        let topic = |name: &str, default: &'static str| {
            let given = hardware.and_then(|hardware| param(hardware, name)).map(setting_text);
            is_over_topics.then(|| given.filter(|topic| !topic.is_empty()).unwrap_or(default).to_owned())
        };
        let joints =
            element.children_named("joint").filter_map(|joint| self.controlled(joint, robot)).collect();
        Control {
            name: element.attribute("name").filter(|name| !name.is_empty()).unwrap_or("ros2_control"),
            at: element,
            command_topic: topic("joint_commands_topic", COMMANDS),
            state_topic: topic("joint_states_topic", STATES),
            joints,
        }
    }

    /// Reads a joint; `None` if the robot does not have it, which is reported as `gz_ros2_control` does.
    fn controlled(&mut self, element: Element<'d>, robot: &Robot<'d>) -> Option<ControlledJoint> {
        let name = element.attribute("name").unwrap_or_default();
        let found = robot.joints.iter().enumerate().find(|(_, joint)| joint.name == name);
        let Some((index, joint)) = found.filter(|(_, joint)| joint.kind.has_axis()) else {
            let found = format!("`<ros2_control>` with the joint `{}`", excerpt(name));
            let expected = "the name of a revolute, continuous or prismatic joint of the robot";
            self.warning(Code::UrdfReferenceUnknown, element, found, expected);
            return None;
        };
        let is_off = element.attribute("mimic").is_some_and(|text| matches!(text.trim(), "false" | "0"));
        let follows = (joint.mimic.is_some() && !is_off) || param(element, "mimic").is_some();
        let commands = element.children_named("command_interface").filter(|_| !follows);
        let drives: Vec<Drive> =
            commands.filter_map(|found| Drive::named(found.attribute("name").unwrap_or_default())).collect();
        let initial = |drive: Drive| {
            let of = |kind: &'d str| element.children_named(kind);
            let is_it = |found: &Element<'d>| found.attribute("name") == Some(drive.name());
            let mut places = of("state_interface").chain(of("command_interface")).filter(is_it);
            places.find_map(|place| param(place, "initial_value"))
        };
        let mut number = |drive: Drive| {
            let value = initial(drive)?;
            let read = setting_text(value).parse().ok().filter(|number: &f64| number.is_finite());
            if read.is_none() {
                let found = format!("an initial value `{}`", excerpt(setting_text(value)));
                self.warning(Code::ValueInvalid, value, found, "a finite number");
            }
            read
        };
        let position = number(Drive::Position);
        let velocity = number(Drive::Velocity);
        Some(ControlledJoint { joint: index, drives, position, velocity })
    }
}

/// Returns the `<param>` of that name.
fn param<'d>(element: Element<'d>, name: &str) -> Option<Element<'d>> {
    element.children_named("param").find(|param| param.attribute("name") == Some(name))
}
