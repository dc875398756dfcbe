//! `<ros2_control>`: which plugins stand for it, with which joints, topics and initial values.

use super::{MASS, convert, joint, link};
use crate::diagnostic::Code;

/// A robot with two turning joints, and these elements.
fn robot(elements: &str) -> super::Converted {
    let joints = [("a", "shoulder"), ("b", "elbow")].map(|(child, name)| {
        format!(
            "{}<joint name=\"{name}\" type=\"revolute\"><parent link=\"base\"/><child link=\"{child}\"/>\
             <axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"2\" effort=\"9\" velocity=\"3\"/></joint>",
            link(child)
        )
    });
    convert(&format!("<link name=\"base\">{MASS}</link>{}{elements}", joints.concat()))
}

#[test]
fn joints_are_driven_and_reported_by_plugins() {
    let converted = robot(
        "<ros2_control name=\"sim\" type=\"system\"><hardware><plugin>gz_ros2_control/GazeboSimSystem</plugin></hardware>\
         <joint name=\"shoulder\"><command_interface name=\"position\"/><state_interface name=\"position\">\
         <param name=\"initial_value\">0.5</param></state_interface></joint>\
         <joint name=\"elbow\"><command_interface name=\"velocity\"/><command_interface name=\"effort\"/></joint>\
         </ros2_control>",
    );
    converted.holds(
        "<plugin filename=\"joint_command\" name=\"sim\"><joint name=\"shoulder\">\
         <command_interface>position</command_interface><initial_position>0.5</initial_position></joint>\
         <joint name=\"elbow\"><command_interface>velocity</command_interface>\
         <command_interface>effort</command_interface><initial_velocity>0</initial_velocity></joint>\
         <trajectory_controller name=\"joint_trajectory_controller\"><joint_name>shoulder</joint_name>\
         </trajectory_controller></plugin>",
    );
    converted.holds(
        "<plugin filename=\"joint_state\" name=\"sim_states\"><update_rate>0</update_rate>\
         <joint_name>shoulder</joint_name><joint_name>elbow</joint_name></plugin>",
    );
    assert_eq!(converted.codes(), [Code::UrdfControlled]);
}

#[test]
fn hardware_over_topics_has_its_topics_and_blocks_with_the_same_ones_are_one() {
    let block = |name: &str, joint: &str, parameters: &str| {
        format!(
            "<ros2_control name=\"{name}\"><hardware><plugin>topic_based_ros2_control/TopicBasedSystem</plugin>\
             {parameters}</hardware><joint name=\"{joint}\"><command_interface name=\"position\"/></joint></ros2_control>"
        )
    };
    let converted = robot(&[block("one", "shoulder", ""), block("two", "elbow", "")].concat());
    converted.holds("<plugin filename=\"joint_command\" name=\"one\"><topic>/robot_joint_commands</topic>");
    converted.holds("<joint name=\"elbow\"><command_interface>position</command_interface>");
    converted.lacks("name=\"two\"");
    let named =
        "<param name=\"joint_commands_topic\">/c</param><param name=\"joint_states_topic\">/s</param>";
    let converted = robot(&block("one", "shoulder", named));
    converted.lacks("trajectory_controller");
    converted.holds("<topic>/c</topic>");
    converted.holds("<topic>/s</topic>");
}

#[test]
fn initial_positions_are_within_limits_and_others_are_reported() {
    let value = |text: &str| {
        robot(&format!(
            "<ros2_control name=\"s\"><joint name=\"shoulder\"><command_interface name=\"position\">\
             <param name=\"initial_value\">{text}</param></command_interface></joint></ros2_control>"
        ))
    };
    value("7").holds("<initial_position>2</initial_position>");
    for wrong in ["half", "nan", "inf"] {
        let converted = value(wrong);
        converted.holds("<initial_position>0</initial_position>");
        assert!(converted.codes().contains(&Code::ValueInvalid), "{wrong}");
    }
}

#[test]
fn joints_that_follow_are_only_reported_and_unknown_ones_are_named() {
    let mimic = joint("follower", "revolute", "base", "c", "<mimic joint=\"shoulder\"/>");
    let control =
        |name: &str| format!("<joint name=\"{name}\"><command_interface name=\"position\"/></joint>");
    let converted = robot(&format!(
        "{}{mimic}<ros2_control name=\"s\">{}{}{}</ros2_control>",
        link("c"),
        control("shoulder"),
        control("follower"),
        control("nowhere")
    ));
    assert!(converted.codes().contains(&Code::UrdfReferenceUnknown));
    converted.lacks("nowhere");
    converted.lacks("<joint name=\"follower\"><command_interface>");
    converted.holds("<joint_name>follower</joint_name>");
    let follower = "<ros2_control name=\"s\"><joint name=\"elbow\"><param name=\"mimic\">shoulder</param>\
                    <command_interface name=\"position\"/></joint></ros2_control>";
    let converted = robot(follower);
    converted.lacks("joint_command");
    converted.holds("<joint_name>elbow</joint_name>");
    assert_eq!(converted.codes(), []);
}
