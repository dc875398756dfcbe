//! Elements as CLOiSim's models have them, and the parameters that the plugins here get.

use super::super::*;
use super::world;
use crate::world::Built;

/// A cart whose wheels are nested models, with these elements on lines from 9 on.
fn cart(elements: &str) -> Built {
    let wheel = |name: &str, y: f64| {
        format!(
            "<model name='{name}'><pose>0 {y} 0.1 0 0 0</pose><link name='link'/></model>\n\
             <joint name='{name}_axle' type='continuous'><parent>body</parent><child>{name}::link</child>\
             <axis><xyz>0 1 0</xyz></axis></joint>\n"
        )
    };
    let wheels = [wheel("wheel_left", 0.2), wheel("wheel_right", -0.2)].concat();
    world(&format!("<model name='cart'>\n<link name='body'>\n</link>\n{wheels}{elements}\n</model>"))
}

/// Name and text of each child, in order.
fn children(params: &Params) -> Vec<(&str, &str)> {
    params.children().iter().map(|child| (child.name(), child.text())).collect()
}

#[test]
fn micom_drives_the_joints_of_its_wheels() {
    let built = cart(
        "<plugin name='RobotControl' filename='libMicomPlugin.so'>\n\
         <PID><kp>5.0</kp></PID>\n\
         <wheel>\n\
         <tread>0.449</tread>\n\
         <radius>0.0955</radius>\n\
         <location type=\"left\">wheel_left</location>\n\
         <location type=\"right\">wheel_right</location>\n\
         <friction><motor>0.06</motor></friction>\n\
         </wheel>\n\
         <update_rate>30</update_rate>\n\
         </plugin>",
    );
    let [slot] = built.slots.as_slice() else { panic!("one plugin") };
    assert_eq!(resolve(slot, |_| false), Resolution::Plugin("diff_drive".to_owned()));
    let expected = [
        ("PID", ""),
        ("wheel", ""),
        ("wheel_radius", "0.0955"),
        ("wheel_separation", "0.449"),
        ("left_joint", "wheel_left_axle"),
        ("right_joint", "wheel_right_axle"),
        ("odom_publish_frequency", "30"),
        ("command_timeout", "0"),
    ];
    assert_eq!(children(&slot.params), expected);
    let place = |path: &str| slot.params.node(path).and_then(Params::place).map(ToString::to_string);
    assert_eq!(place("left_joint").as_deref(), Some("w.sdf:14"), "the place of the original");
    assert_eq!(slot.params.get("wheel/friction/motor"), Some("0.06"), "what is left is reported as unread");
    assert_eq!(slot.params.get("wheel/radius"), None, "what was translated is not");
}

#[test]
fn micom_knows_wheels_by_link_and_by_joint_and_drives_four() {
    let built = cart(
        "<link name='rear'/><joint name='rear_axle' type='continuous'><parent>body</parent>\
         <child>rear</child><axis><xyz>0 1 0</xyz></axis></joint>\
         <plugin name='m' filename='MicomPlugin'><wheel><separation>0.5</separation><tread>0.4</tread>\
         <location type='left'>wheel_left::link</location><location type='rear_left'>rear</location>\
         <location type='right'>wheel_right_axle</location><location type='rear_right'>nowhere</location>\
         </wheel></plugin>",
    );
    let params = &built.slots[0].params;
    assert_eq!(params.get("left_joint[0]"), Some("wheel_left_axle"));
    assert_eq!(params.get("left_joint[1]"), Some("rear_axle"));
    assert_eq!(params.get("right_joint[0]"), Some("wheel_right_axle"));
    assert_eq!(params.get("right_joint[1]"), Some("nowhere"), "left for the plugin to complain about");
    assert_eq!(params.get("wheel_separation"), Some("0.5"), "the newer name counts");
    assert_eq!(params.get("wheel/tread"), Some("0.4"), "the older one is reported as unread");
    assert_eq!(params.get("odom_publish_frequency"), Some("20"), "the original's default");
}

#[test]
fn joint_control_publishes_its_joints() {
    let built = cart(
        "<plugin name='joints' filename='libJointControlPlugin.so'>\n\
         <joints><joint parent_frame_id='body'>wheel_left_axle</joint><joint>wheel_right</joint></joints>\n\
         </plugin>",
    );
    let slot = &built.slots[0];
    assert_eq!(resolve(slot, |_| false), Resolution::Plugin("joint_state".to_owned()));
    let expected =
        [("joint_name", "wheel_left_axle"), ("joint_name", "wheel_right_axle"), ("update_rate", "20")];
    assert_eq!(children(&slot.params), expected);
}

#[test]
fn ground_truth_names_its_targets() {
    let built = world(
        "<plugin name='gt' filename='libGroundTruthPlugin.so'><publish_frequency>5</publish_frequency>\
         <list><target tracking_id='1' class_id='2'>cart</target><target tracking_id='3'>box</target></list>\
         <props enable='true'><prop class_id='4'>cone</prop></props></plugin>",
    );
    let slot = &built.slots[0];
    assert_eq!(resolve(slot, |_| false), Resolution::Plugin("ground_truth".to_owned()));
    let expected = [("props", ""), ("update_rate", "5"), ("target", "cart"), ("target", "box")];
    assert_eq!(children(&slot.params), expected);
}

/// The only slot of a model with this sensor on the link of a nested model.
fn sensor(kind: &str, elements: &str) -> PluginSlot {
    let mut built = world(&format!(
        "<model name='cart'><link name='body'/><model name='front'><link name='link'>\n\
         <sensor name='scan' type='{kind}'>\n{elements}\n</sensor></link></model></model>"
    ));
    assert_eq!(built.slots.len(), 1, "no second instance");
    built.slots.remove(0)
}

#[test]
fn a_plugin_of_a_sensor_tells_the_sensor_how_to_publish() {
    let pairs = [
        ("LaserPlugin", "gpu_lidar"),
        ("ImuPlugin", "imu"),
        ("GpsPlugin", "gps"),
        ("SonarPlugin", "sonar"),
        ("IRPlugin", "sonar"),
        ("ContactPlugin", "contact"),
        ("LogicalCameraPlugin", "logical_camera"),
    ];
    for (class, kind) in pairs {
        let slot = sensor(
            kind,
            &format!(
                "<topic>old</topic><plugin name='p' filename='lib{class}.so'><ros2>\
                 <topic_name>measured</topic_name><frame_id>front::link</frame_id></ros2></plugin>"
            ),
        );
        assert_eq!(slot.attachment.topic, "measured", "{class}");
        assert_eq!(slot.attachment.frame_id, "front_link", "{class}");
        assert_eq!(slot.params.attribute("name"), Some("scan"), "{class}: the sensor stays what it is");
        assert_eq!(slot.params.get("topic"), Some("measured"), "{class}");
    }
}

#[test]
fn the_name_of_the_part_is_filled_in() {
    let topic = |element: &str| {
        let plugin = format!("<plugin name='p' filename='LaserPlugin'><ros2>{element}</ros2></plugin>");
        sensor("lidar", &plugin).attachment.topic
    };
    assert_eq!(topic("<topic_name>{parts_name}/points</topic_name>"), "front_scan/points");
    assert_eq!(topic("<topic_name add_parts_name_prefix='true'>raw</topic_name>"), "front_scan/raw");
    assert_eq!(topic("<topic_name/>"), "", "the sensor's own");
    let plugin =
        "<plugin name='p' filename='GpsPlugin'><ros2><frame_id>/{parts_name}::gps</frame_id></ros2></plugin>";
    assert_eq!(sensor("navsat", plugin).attachment.frame_id, "front_scan_gps");
}

#[test]
fn what_the_sensor_does_not_know_keeps_its_place() {
    let slot = sensor(
        "lidar",
        "<plugin name='p' filename='libLaserPlugin.so'>\n<output_type>LaserScan</output_type>\n</plugin>",
    );
    let node = slot.params.node("output_type").expect("kept");
    assert_eq!(node.place().map(ToString::to_string).as_deref(), Some("w.sdf:5"));
    assert_eq!(slot.params.count("ros2"), 0);
}

#[test]
fn a_plugin_of_a_sensor_elsewhere_is_nobodys() {
    let built = cart("<plugin name='p' filename='libLaserPlugin.so'/>");
    assert!(matches!(resolve(&built.slots[0], |_| false), Resolution::NoCounterpart(_)));
}

#[test]
fn systems_of_gazebo_keep_their_parameters() {
    let built = cart(
        "<plugin name='d' filename='gz-sim-diff-drive-system'><left_joint>wheel_left_axle</left_joint></plugin>",
    );
    let expected = [("left_joint", "wheel_left_axle"), ("command_timeout", "0")];
    assert_eq!(children(&built.slots[0].params), expected);
}
