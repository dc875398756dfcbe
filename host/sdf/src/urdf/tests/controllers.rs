//! The controllers of files of parameters become plugins, or are named.

use super::{Converted, MASS, joint, link, with_files};
use crate::diagnostic::{Code, Severity};
use crate::files::InMemory;

const AXIS: &str = "<axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"2\" effort=\"9\" velocity=\"3\"/>";

/// Names the file beside the URDF.
const HOST: &str = "<gazebo><plugin filename=\"libgz_ros2_control-system.so\" name=\"gz_ros2_control::GazeboSimROS2ControlPlugin\">\
    <parameters>config/c.yaml</parameters></plugin></gazebo>";

/// A robot with an arm of two joints on two wheels, and the plugin that names a file of parameters.
fn robot(files: &InMemory, plugin: &str) -> Converted {
    let joints =
        [("left", 1), ("right", -1), ("shoulder", 1), ("elbow", -1), ("passive", 0)].map(|(name, y)| {
            let child = format!("{name}_link");
            let place = format!("<origin xyz=\"0 {y} 0\"/>{AXIS}");
            link(&child) + &joint(name, "revolute", "base", &child, &place)
        });
    let control = |name: &str, interface: &str| {
        format!("<joint name=\"{name}\"><command_interface name=\"{interface}\"/></joint>")
    };
    let controls = [
        control("left", "velocity"),
        control("right", "velocity"),
        control("shoulder", "position"),
        control("elbow", "effort"),
    ];
    let text = format!(
        "<robot name=\"r\"><link name=\"base\">{MASS}</link>{}<ros2_control name=\"sim\" type=\"system\"><hardware>\
         <plugin>gz_ros2_control/GazeboSimSystem</plugin></hardware>{}</ros2_control>{plugin}</robot>",
        joints.concat(),
        controls.concat()
    );
    with_files(&text, "/robots/r.urdf", files).expect("a robot")
}

/// The robot with this file of parameters.
fn with(parameters: &str) -> Converted {
    robot(&InMemory::new().with("/robots/config/c.yaml", parameters), HOST)
}

#[test]
fn a_base_and_an_arm_are_moved_by_the_controllers_of_the_file() {
    let converted = with(
        "controller_manager:
  ros__parameters:
    joint_state_broadcaster: {type: joint_state_broadcaster/JointStateBroadcaster}
    base: {type: diff_drive_controller/DiffDriveController}
    arm: {type: joint_trajectory_controller/JointTrajectoryController}
base:
  ros__parameters:
    left_wheel_names: [left]
    right_wheel_names: ['right']
    wheel_separation: 0.5
    wheel_separation_multiplier: 2.0
    wheel_radius: 0.1
    cmd_vel_timeout: 0.25
    enable_odom_tf: False
    linear.x.max_velocity: 1.5
    linear.x.has_acceleration_limits: false
    linear.x.max_acceleration: 3.0
    angular: {z: {max_velocity: 2.0, min_velocity: -1.0, min_acceleration: -4.0}}
arm:
  ros__parameters:
    joints: [shoulder, elbow]
    constraints:
      goal_time: 0.5
      elbow: {goal: 0.02}
",
    );
    assert_eq!(converted.codes(), [Code::UrdfControlled, Code::UrdfControlled]);
    converted.holds(
        "<plugin filename=\"diff_drive\" name=\"base\"><left_joint>left</left_joint><right_joint>right</right_joint>\
         <wheel_separation>1</wheel_separation><wheel_radius>0.1</wheel_radius>\
         <max_linear_velocity>1.5</max_linear_velocity><max_angular_velocity>2</max_angular_velocity>\
         <min_angular_velocity>-1</min_angular_velocity>\
         <min_angular_acceleration>-4</min_angular_acceleration><command_timeout>0.25</command_timeout>\
         <publish_tf>false</publish_tf><topic>base/cmd_vel</topic><odom_topic>base/odom</odom_topic></plugin>",
    );
    // The elbow takes efforts by messages, and positions from the controller.
    converted.holds(
        "<joint name=\"elbow\"><command_interface>position</command_interface>\
         <command_interface>effort</command_interface><initial_position>0</initial_position></joint>\
         <trajectory_controller name=\"arm\"><joint_name>shoulder</joint_name><joint_name>elbow</joint_name>\
         <goal_time>0.5</goal_time><goal_tolerance>0</goal_tolerance><goal_tolerance>0.02</goal_tolerance>\
         </trajectory_controller></plugin>",
    );
    // The drive alone turns the wheels, but their states are reported.
    converted.lacks("<joint name=\"left\"><command_interface>");
    converted.holds("<joint_name>left</joint_name>");
    converted.lacks("gz_ros2_control");
    converted.lacks("joint_trajectory_controller");
}

#[test]
fn groups_of_joints_take_lists_of_values() {
    let converted = with(
        "/**:
  ros__parameters:
    wheels: {type: velocity_controllers/JointGroupVelocityController, joints: [right, left]}
    arm: {type: forward_command_controller/ForwardCommandController}
wheels: {ros__parameters: {joints: [right, left]}}
arm: {ros__parameters: {joints: [elbow], interface_name: effort}}
",
    );
    converted.holds(
        "<forward_controller name=\"arm\"><joint_name>elbow</joint_name>\
         <interface_name>effort</interface_name></forward_controller>\
         <forward_controller name=\"wheels\"><joint_name>right</joint_name><joint_name>left</joint_name>\
         <interface_name>velocity</interface_name></forward_controller>",
    );
    converted.lacks("trajectory_controller");
}

#[test]
fn a_gripper_moves_its_joint_to_positions() {
    let converted = with(
        "hand:
  ros__parameters:
    type: position_controllers/GripperActionController
    joint: elbow
    max_effort: 10.0
    allow_stalling: true
",
    );
    converted.holds(
        "<joint name=\"elbow\"><command_interface>position</command_interface>\
         <command_interface>effort</command_interface><initial_position>0</initial_position></joint>\
         <gripper_controller name=\"hand\"><joint_name>elbow</joint_name><max_effort>10.0</max_effort>\
         <allow_stalling>true</allow_stalling></gripper_controller>",
    );
}

#[test]
fn controllers_without_a_counterpart_or_with_errors_are_named_and_left_out() {
    let manager = |kind: &str, parameters: &str| {
        with(&format!(
            "controller_manager: {{ros__parameters: {{c: {{type: {kind}}}}}}}\nc: {{ros__parameters: {{{parameters}}}}}"
        ))
    };
    let trajectories = "joint_trajectory_controller/JointTrajectoryController";
    let drive = "diff_drive_controller/DiffDriveController";
    let wheels = "left_wheel_names: [left], right_wheel_names: [right]";
    let cases = [
        (
            "admittance_controller/AdmittanceController",
            "",
            Code::UrdfControllerLeftOut,
            "AdmittanceController",
        ),
        (trajectories, "", Code::UrdfControllerLeftOut, "without `joints`"),
        (trajectories, "joints: shoulder", Code::UrdfControllerLeftOut, "with `joints: shoulder`"),
        (trajectories, "joints: [passive]", Code::UrdfReferenceUnknown, "`passive`"),
        (trajectories, "joints: [wrist]", Code::UrdfReferenceUnknown, "`wrist` in `joints` of `c`"),
        (trajectories, "joints: [elbow, elbow]", Code::UrdfReferenceUnknown, "`elbow`"),
        (
            "position_controllers/GripperActionController",
            "joint: wrist",
            Code::UrdfControllerLeftOut,
            "`joint: wrist`",
        ),
        (drive, wheels, Code::UrdfControllerLeftOut, "without `wheel_separation`"),
        (
            drive,
            &format!("{wheels}, wheel_separation: 1, wheel_radius: 0"),
            Code::UrdfControllerLeftOut,
            "`wheel_radius: 0`",
        ),
        (
            "forward_command_controller/ForwardCommandController",
            "joints: [elbow], interface_name: heat",
            Code::UrdfControllerLeftOut,
            "`interface_name: heat`",
        ),
    ];
    for (kind, parameters, code, found) in cases {
        let converted = manager(kind, parameters);
        let finding = converted.findings.iter().find(|finding| finding.code == code);
        let finding = finding.unwrap_or_else(|| panic!("{kind} {parameters}: {:?}", converted.codes()));
        assert!(finding.to_string().contains(found), "{finding}");
        converted.lacks("_controller ");
        converted.holds("<joint name=\"elbow\"><command_interface>effort</command_interface>");
    }
}

/// The left joint of a list is found by its place, because controllers and their examples differ in the order.
#[test]
fn a_car_is_steered_by_the_joints_of_its_front() {
    let car = |more: &str| {
        with(&format!(
            "car:
  ros__parameters:
    type: ackermann_steering_controller/AckermannSteeringController
    wheelbase: 1.7
    rear_wheel_track: 1.1
    front_wheel_track: 1.0
    rear_wheels_radius: 0.3
    rear_wheels_names: [right, left]
    front_wheels_names: [shoulder, elbow]
    reference_timeout: 2.0
{more}"
        ))
    };
    car("").holds(
        "<plugin filename=\"ackermann\" name=\"car\"><left_joint>left</left_joint><right_joint>right</right_joint>\
         <left_steering_joint>shoulder</left_steering_joint><right_steering_joint>elbow</right_steering_joint>\
         <wheel_base>1.7</wheel_base><wheel_separation>1.1</wheel_separation><kingpin_width>1</kingpin_width>\
         <wheel_radius>0.3</wheel_radius><command_timeout>2</command_timeout><steer_p_gain>20</steer_p_gain>\
         <steering_limit>1</steering_limit><topic>car/reference</topic><odom_topic>car/odometry</odom_topic></plugin>",
    );
    for (more, found) in [
        ("    front_steering: false\n", "`front_steering: false`"),
        ("    traction_joints_names: [left]\n", "1 joints in `traction_joints_names`"),
        ("    wheelbase: 0\n", "`wheelbase: 0`"),
    ] {
        let converted = car(more);
        let finding = converted.findings.iter().find(|finding| finding.code == Code::UrdfControllerLeftOut);
        let finding = finding.unwrap_or_else(|| panic!("{more}: {:?}", converted.codes()));
        assert!(finding.to_string().contains(found), "{finding}");
        converted.lacks("ackermann");
    }
}

#[test]
fn a_drive_keeps_its_wheels() {
    let converted = with(
        "controller_manager: {ros__parameters: {a: {type: velocity_controllers/JointGroupVelocityController},
           b: {type: diff_drive_controller/DiffDriveController}}}
a: {ros__parameters: {joints: [left]}}
b: {ros__parameters: {left_wheel_names: [left], right_wheel_names: [right], wheel_separation: 1, wheel_radius: 1}}",
    );
    assert_eq!(converted.codes(), [Code::UrdfControlled, Code::UrdfControlled, Code::UrdfControllerLeftOut]);
    assert!(
        converted.findings[2].to_string().contains("`a` with a wheel of `b`"),
        "{}",
        converted.findings[2]
    );
    converted.lacks("forward_controller");
}

#[test]
fn without_a_file_that_can_be_read_the_joints_take_commands_as_before() {
    let missing = robot(&InMemory::new(), HOST);
    let broken = with("a: [");
    for converted in [missing, broken] {
        let finding = converted.findings.iter().find(|finding| finding.code == Code::UrdfParametersInvalid);
        let finding = finding.unwrap_or_else(|| panic!("{:?}", converted.codes()));
        assert_eq!(finding.severity, Severity::Warning);
        assert!(finding.to_string().contains("/robots/config/c.yaml"), "{finding}");
        converted.holds(
            "<trajectory_controller name=\"joint_trajectory_controller\"><joint_name>shoulder</joint_name>",
        );
        converted.holds("gz_ros2_control");
    }
    let none = robot(&InMemory::new(), "");
    none.holds("joint_trajectory_controller");
}
