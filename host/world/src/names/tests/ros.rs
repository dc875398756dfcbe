//! Elements as in robots for ROS and Gazebo Classic, with the translated parameters and topics.

use bridgehead_sdf::params::Params;

use super::super::*;
use super::world;
use crate::PluginSlot;

/// Returns the slots of a model with two wheels and these elements.
fn robot(elements: &str) -> Vec<PluginSlot> {
    let wheel = |name: &str| {
        format!(
            "<link name='{name}'/><joint name='{name}_joint' type='continuous'><parent>base</parent>\
             <child>{name}</child><axis><xyz>0 1 0</xyz></axis></joint>"
        )
    };
    let wheels = [wheel("left"), wheel("right")].concat();
    world(&format!("<model name='bot'>\n<link name='base'/>{wheels}\n{elements}\n</model>")).slots
}

fn text<'a>(slot: &'a PluginSlot, path: &str) -> &'a str {
    slot.params.get(path).unwrap_or_default()
}

fn unread(slot: &PluginSlot, read: &[&str]) -> Vec<String> {
    let mut requested = bridgehead_sdf::params::RequestedPaths::default();
    read.iter().for_each(|path| requested.record(path));
    requested.unread(&slot.params)
}

const DRIVE_READS: &[&str] = &[
    "left_joint",
    "right_joint",
    "wheel_separation",
    "wheel_radius",
    "max_wheel_torque",
    "odom_publish_frequency",
    "frame_id",
    "child_frame_id",
    "publish_tf",
    "command_timeout",
    "topic",
    "odom_topic",
    "tf_topic",
];

#[test]
fn a_differential_drive_of_ros_2_gets_its_wheels_frames_and_topics() {
    let slots = robot(
        "<plugin name='drive' filename='libgazebo_ros_diff_drive.so'>\n\
         <ros><namespace>/one</namespace><remapping>cmd_vel:=go</remapping><remapping>/tf:=tf</remapping></ros>\n\
         <num_wheel_pairs>1</num_wheel_pairs><left_joint>left_joint</left_joint>\
         <right_joint>right_joint</right_joint><wheel_separation>0.4</wheel_separation>\n\
         <wheel_diameter>0.25</wheel_diameter>\n\
         <max_wheel_torque>20</max_wheel_torque><update_rate>30</update_rate><publish_odom>true</publish_odom>\
         <publish_odom_tf>true</publish_odom_tf><odometry_frame>o</odometry_frame>\
         <robot_base_frame>base</robot_base_frame>\n<odometry_source>1</odometry_source></plugin>",
    );
    let [drive] = slots.as_slice() else { panic!("one plugin, not {slots:?}") };
    assert_eq!(resolve(drive, |_| false), Resolution::Plugin("diff_drive".to_owned()));
    for (path, expected) in [
        ("left_joint", "left_joint"),
        ("right_joint", "right_joint"),
        ("wheel_separation", "0.4"),
        ("wheel_radius", "0.125"),
        ("max_wheel_torque", "20"),
        ("odom_publish_frequency", "30"),
        ("publish_tf", "true"),
        ("frame_id", "o"),
        ("child_frame_id", "base"),
        ("command_timeout", "0"),
        ("topic", "/one/go"),
        ("odom_topic", "/one/odom"),
        ("tf_topic", "/one/tf"),
    ] {
        assert_eq!(text(drive, path), expected, "{path}");
    }
    let place = |path: &str| drive.params.node(path).and_then(Params::place).map(ToString::to_string);
    assert_eq!(place("wheel_radius").as_deref(), Some("w.sdf:7"), "the place of the original");
    assert_eq!(place("topic").as_deref(), Some("w.sdf:5"));
    assert_eq!(unread(drive, DRIVE_READS), ["odometry_source (w.sdf:9)"], "nothing else is left");
}

#[test]
fn a_drive_without_parameters_has_those_of_the_original() {
    let slots = robot(
        "<plugin name='drive' filename='gazebo_ros_diff_drive'><wheel_diameter>wide</wheel_diameter></plugin>",
    );
    for (path, expected) in [
        ("wheel_separation", "0.34"),
        ("wheel_radius", "wide"),
        ("odom_publish_frequency", "100"),
        ("publish_tf", "false"),
        ("topic", "/cmd_vel"),
        ("odom_topic", "/odom"),
        ("tf_topic", ""),
    ] {
        assert_eq!(text(&slots[0], path), expected, "{path}");
    }
}

#[test]
fn the_spellings_of_ros_1_are_known() {
    let slots = robot(
        "<plugin name='drive' filename='libgazebo_ros_skid_steer_drive.so'><robotNamespace>/two/</robotNamespace>\
         <leftFrontJoint>a</leftFrontJoint><leftRearJoint>b</leftRearJoint><rightFrontJoint>c</rightFrontJoint>\
         <rightRearJoint>d</rightRearJoint><wheelSeparation>0.6</wheelSeparation><wheelDiameter>0.3</wheelDiameter>\
         <torque>9</torque><commandTopic>go</commandTopic><odometryTopic>/odometry</odometryTopic>\
         <broadcastTF>false</broadcastTF></plugin>\
         <plugin name='old' filename='libgazebo_ros_diff_drive.so'><leftJoint>left_joint</leftJoint>\
         <rightJoint>right_joint</rightJoint><wheelDiameter>0.5</wheelDiameter><publishOdomTF>true</publishOdomTF>\
         </plugin>",
    );
    let [skid, old] = slots.as_slice() else { panic!("two plugins, not {slots:?}") };
    for (slot, path, expected) in [
        (skid, "left_joint[1]", "b"),
        (skid, "right_joint[0]", "c"),
        (skid, "wheel_radius", "0.15"),
        (skid, "max_wheel_torque", "9"),
        (skid, "topic", "/two/go"),
        (skid, "odom_topic", "/odometry"),
        (skid, "publish_tf", "false"),
        (old, "left_joint", "left_joint"),
        (old, "wheel_radius", "0.25"),
        (old, "publish_tf", "true"),
        (old, "topic", "/cmd_vel"),
    ] {
        assert_eq!(text(slot, path), expected, "{path}");
    }
    assert_eq!(unread(skid, DRIVE_READS), [""; 0]);
    assert_eq!(unread(old, DRIVE_READS), [""; 0]);
}

#[test]
fn a_planar_move_is_a_velocity_and_an_odometry() {
    let slots = robot(
        "<plugin name='move' filename='libgazebo_ros_planar_move.so'><ros><remapping>odom:=/truth</remapping></ros>\
         <odometry_frame>o</odometry_frame><publish_rate>10</publish_rate></plugin>",
    );
    let [moved, odometry] = slots.as_slice() else { panic!("two plugins, not {slots:?}") };
    assert_eq!(resolve(moved, |_| false), Resolution::Plugin("velocity_control".to_owned()));
    assert_eq!(text(moved, "topic"), "/cmd_vel");
    assert_eq!(unread(moved, &["topic"]), [""; 0]);
    assert_eq!(resolve(odometry, |_| false), Resolution::Plugin("odometry_publisher".to_owned()));
    for (path, expected) in [
        ("odom_topic", "/truth"),
        ("odom_frame", "o"),
        ("robot_base_frame", "base_footprint"),
        ("odom_publish_frequency", "10"),
    ] {
        assert_eq!(text(odometry, path), expected, "{path}");
    }
}

#[test]
fn sensors_take_the_topics_frames_and_messages_of_the_plugins_inside() {
    let sensor = |name: &str, kind: &str, plugin: &str| {
        format!("<link name='{name}_link'><sensor name='{name}' type='{kind}'>{plugin}</sensor></link>")
    };
    let plugin =
        |name: &str, rest: &str| format!("<plugin name='node' filename='lib{name}.so'>{rest}</plugin>");
    let ros = "<ros><namespace>bot</namespace><remapping>~/out:=scan</remapping></ros>";
    let slots = robot(
        &[
            sensor(
                "laser",
                "ray",
                &plugin(
                    "gazebo_ros_ray_sensor",
                    &format!(
                        "{ros}<output_type>sensor_msgs/LaserScan</output_type><frame_name>eye</frame_name>"
                    ),
                ),
            ),
            sensor("cloud", "gpu_ray", &plugin("gazebo_ros_gpu_ray_sensor", "")),
            sensor("old", "ray", &plugin("gazebo_ros_laser", "<topicName>/front</topicName>")),
            sensor("imu", "imu", &plugin("gazebo_ros_imu_sensor", "<ros><namespace>bot</namespace></ros>")),
            sensor("cam", "camera", &plugin("gazebo_ros_camera", "")),
            sensor(
                "named",
                "camera",
                &plugin(
                    "gazebo_ros_camera",
                    "<camera_name>front/cam</camera_name><frame_name>f</frame_name>",
                ),
            ),
        ]
        .concat(),
    );
    let found: Vec<_> = slots
        .iter()
        .map(|slot| {
            (slot.attachment.topic.as_str(), slot.attachment.frame_id.as_str(), text(slot, "output_type"))
        })
        .collect();
    let expected = [
        ("/bot/scan", "eye", "LaserScan"),
        ("/node/out", "bot/cloud_link/cloud", "PointCloud2"),
        ("/front", "bot/old_link/old", ""),
        ("/bot/node/out", "bot/imu_link/imu", ""),
        ("/cam", "bot/cam_link/cam", ""),
        ("/front/cam", "f", ""),
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_has_no_counterpart_names_the_one_that_does_it() {
    let slots =
        robot("<plugin name='p' filename='libgazebo_ros_p3d.so'><body_name>base</body_name></plugin>");
    let Resolution::NoCounterpart(row) = resolve(&slots[0], |_| false) else { panic!("{slots:?}") };
    let mut names = UnsupportedNames::default();
    names.no_counterpart(&slots[0], row);
    let lines: Vec<String> = names.iter().map(ToString::to_string).collect();
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(
        line.starts_with(
            "[BH-PLG-110] plugin `libgazebo_ros_p3d.so` is not simulated (at w.sdf:4): \
             `gz-sim-odometry-publisher-system` publishes"
        ),
        "{line}"
    );
}
