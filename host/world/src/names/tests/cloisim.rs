//! Elements as in CLOiSim's models, with the translated parameters.

use bridgehead_sdf::params::Params;

use super::super::*;
use super::world;
use crate::{Built, PluginSlot};

/// Returns a cart whose wheels are nested models, with these elements on lines from 9 on.
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

/// Returns the name and text of each child, in order.
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
        ("wheel_radius", "0.0955"),
        ("wheel_separation", "0.449"),
        ("left_joint", "wheel_left_axle"),
        ("right_joint", "wheel_right_axle"),
        ("odom_publish_frequency", "30"),
        ("wheel/friction", ""),
        ("command_timeout", "0"),
    ];
    assert_eq!(children(&slot.params), expected);
    let place = |path: &str| slot.params.node(path).and_then(Params::place).map(ToString::to_string);
    assert_eq!(place("left_joint").as_deref(), Some("w.sdf:14"), "the place of the original");
    let unread = bridgehead_sdf::params::RequestedPaths::default().unread(&slot.params);
    assert!(
        unread.contains(&"wheel/friction (w.sdf:16)".to_owned()),
        "reported by its whole path: {unread:?}"
    );
    assert!(!unread.iter().any(|path| path.starts_with("wheel ")), "{unread:?}");
}

#[test]
fn micom_finds_wheels_by_link_and_by_joint_and_drives_four() {
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
    assert_eq!(params.get("right_joint[1]"), Some("nowhere"), "the plugin reports the unknown joint");
    assert_eq!(params.get("wheel_separation"), Some("0.5"), "the newer name takes precedence");
    assert_eq!(params.get("wheel/tread"), Some("0.4"), "the older one is reported as unread");
    assert_eq!(params.get("odom_publish_frequency"), Some("20"), "the original's default");
}

#[test]
fn parameters_of_micom_other_than_wheels_go_to_other_plugins_or_bridges() {
    let built = cart(
        "<link name='top'><battery name='spare'><voltage>6</voltage></battery><battery name='pack'><voltage>12.5</voltage>\
         </battery><sensor name='front' type='imu'><topic>motion</topic></sensor></link>\
         <plugin name='m' filename='libMicomPlugin.so'>\
         <wheel><radius>0.1</radius><separation>0.4</separation></wheel><update_rate>25</update_rate>\
         <imu>top::front</imu><uss><sensor>a</sensor></uss><ir><sensor>b</sensor></ir>\
         <bumper><sensor>c</sensor></bumper>\
         <battery><voltage name='pack'><consumption>0.02</consumption></voltage></battery>\
         <ros2><transforms><link parent_frame_id='body'>wheel_left</link><link>top</link></transforms>\
         <static_transforms><link parent_frame_id='base'>body</link></static_transforms></ros2></plugin>",
    );
    let [_, drive, battery, transforms] = built.slots.as_slice() else { panic!("not {:?}", built.slots) };
    let expected = [
        ("wheel_radius", "0.1"),
        ("wheel_separation", "0.4"),
        ("odom_publish_frequency", "25"),
        ("imu_topic", "motion"),
        ("command_timeout", "0"),
    ];
    assert_eq!(children(&drive.params), expected, "no other parameters, which would be reported as unread");
    assert!(drive.attachment.xml.contains("<uss>"), "bridges read the element itself");

    assert_eq!(resolve(battery, |_| false), Resolution::Plugin("battery".to_owned()));
    let expected = [
        ("voltage", "12.5"),
        ("battery_name", "pack"),
        ("voltage_drop", "0.02"),
        ("update_rate", "25"),
        ("topic", "battery_state"),
    ];
    assert_eq!(children(&battery.params), expected);
    assert_eq!((battery.label(), battery.attachment.xml.as_str()), ("cart/m/battery", ""));

    assert_eq!(resolve(transforms, |_| false), Resolution::Plugin("link_transforms".to_owned()));
    let expected = [("link", "wheel_left"), ("link", "top"), ("static_link", "body"), ("update_rate", "25")];
    assert_eq!(children(&transforms.params), expected);
    let parent = |path: &str| transforms.params.get(&format!("{path}/@parent_frame_id"));
    assert_eq!(
        [parent("link"), parent("link[1]"), parent("static_link")],
        [Some("body"), None, Some("base")]
    );
}

#[test]
fn a_missing_imu_or_battery_is_left_for_the_plugin_to_report() {
    let built = cart(
        "<plugin name='m' filename='libMicomPlugin.so'><imu>front</imu>\
         <battery><voltage name='pack'><consumption>1</consumption></voltage></battery></plugin>",
    );
    let [drive, battery] = built.slots.as_slice() else { panic!("not {:?}", built.slots) };
    assert_eq!((drive.params.get("imu"), drive.params.get("imu_topic")), (Some("front"), None));
    assert_eq!(battery.params.get("voltage"), None, "the plugin requires it");
}

#[test]
fn saved_values_of_a_battery_stay_with_it() {
    let built = cart(
        "<plugin name='m' filename='libMicomPlugin.so'><bridgehead:saved><voltage>7.5</voltage></bridgehead:saved>\
         <battery><voltage name='pack'/></battery></plugin>",
    );
    let [drive, battery] = built.slots.as_slice() else { panic!("not {:?}", built.slots) };
    assert_eq!(drive.params.count("bridgehead:saved"), 0);
    assert_eq!(battery.params.get("bridgehead:saved/voltage"), Some("7.5"));
}

#[test]
fn an_imu_is_found_by_its_name_and_by_that_of_its_part() {
    let topic = |name: &str, topic: &str| {
        let built = cart(&format!(
            "<link name='top'><sensor name='front' type='imu'>{topic}</sensor></link>\
             <plugin name='m' filename='libMicomPlugin.so'><imu>{name}</imu></plugin>"
        ));
        built.slots[1].params.get("imu_topic").map(str::to_owned)
    };
    let joined =
        "<plugin name='p' filename='libImuPlugin.so'><ros2><topic_name>raw</topic_name></ros2></plugin>";
    for name in ["front", "top::front", "top_front"] {
        assert_eq!(topic(name, joined).as_deref(), Some("raw"), "{name}");
        assert_eq!(topic(name, "").as_deref(), Some("imu"), "{name}: the topic of an imu without one");
    }
    assert_eq!(topic("ront", ""), None);
}

#[test]
fn joint_control_drives_and_publishes_its_joints() {
    let built = cart(
        "<plugin name='joints' filename='libJointControlPlugin.so'>\n\
         <joints><joint parent_frame_id='base'>wheel_left_axle</joint><joint>wheel_right</joint></joints>\n\
         <update_rate>10</update_rate><ros2><topic_name>t</topic_name></ros2></plugin>",
    );
    let [command, state, transforms] = built.slots.as_slice() else { panic!("not {:?}", built.slots) };
    assert_eq!(resolve(command, |_| false), Resolution::Plugin("joint_command".to_owned()));
    let joints = [("joint_name", "wheel_left_axle"), ("joint_name", "wheel_right_axle")];
    assert_eq!(children(&command.params), joints);
    assert_eq!(resolve(state, |_| false), Resolution::Plugin("joint_state".to_owned()));
    assert_eq!(children(&state.params), [&joints[..], &[("update_rate", "10")]].concat());
    assert_eq!(resolve(transforms, |_| false), Resolution::Plugin("link_transforms".to_owned()));
    let links = [("link", "wheel_left::link"), ("link", "wheel_right::link"), ("update_rate", "10")];
    assert_eq!(children(&transforms.params), links);
    let parent = |path: &str| transforms.params.get(&format!("{path}/@parent_frame_id"));
    assert_eq!((parent("link[0]"), parent("link[1]")), (Some("base"), Some("body")));
}

#[test]
fn joint_control_without_joints_controls_all_joints() {
    let built = cart("<plugin name='joints' filename='libJointControlPlugin.so'/>");
    let [command, state] = built.slots.as_slice() else { panic!("not {:?}", built.slots) };
    assert_eq!(children(&command.params), []);
    assert_eq!(children(&state.params), [("update_rate", "20")]);
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
    let expected =
        [("props", ""), ("update_rate", "5"), ("target", "cart"), ("target", "box"), ("position", "model")];
    assert_eq!(children(&slot.params), expected);
    let ids = ["target[0]/@tracking_id", "target[1]/@tracking_id"].map(|path| slot.params.get(path));
    assert_eq!(ids, [Some("1"), Some("3")]);
}

/// Returns the only slot of a model with this sensor on the link of a nested model.
fn sensor(kind: &str, elements: &str) -> PluginSlot {
    let mut built = world(&format!(
        "<model name='cart'><link name='body'/><model name='front'><link name='link'>\n\
         <sensor name='scan' type='{kind}'>\n{elements}\n</sensor></link></model></model>"
    ));
    assert_eq!(built.slots.len(), 1, "no second instance");
    built.slots.remove(0)
}

#[test]
fn a_plugin_in_a_sensor_sets_the_topic_and_frame_of_the_sensor() {
    let pairs = [
        ("LaserPlugin", "gpu_lidar"),
        ("ImuPlugin", "imu"),
        ("GpsPlugin", "gps"),
        ("SonarPlugin", "sonar"),
        ("IRPlugin", "sonar"),
        ("ContactPlugin", "contact"),
        ("LogicalCameraPlugin", "logical_camera"),
        ("CameraPlugin", "depth_camera"),
        ("CameraPlugin", "depth"),
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
        assert_eq!(slot.params.attribute("name"), Some("scan"), "{class}: the sensor keeps its name");
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
fn parameters_unknown_to_the_sensor_keep_their_place() {
    let slot = sensor(
        "lidar",
        "<plugin name='p' filename='libLaserPlugin.so'>\n<custom_noise>x</custom_noise>\n</plugin>",
    );
    let node = slot.params.node("custom_noise").expect("kept");
    assert_eq!(node.place().map(ToString::to_string).as_deref(), Some("w.sdf:5"));
    assert_eq!(slot.params.count("ros2"), 0);
}

#[test]
fn a_laser_filters_angles_and_ranges() {
    let slot = sensor(
        "lidar",
        "<plugin name='p' filename='libLaserPlugin.so'><output_type>PointCloud2</output_type><intensity>true</intensity>\
         <filter><angle><horizontal><lower>-1.8</lower><upper>1.7</upper></horizontal></angle>\
         <range><min>0.2</min><max>9</max></range></filter></plugin>",
    );
    let text = |name: &str| slot.params.get(name);
    assert_eq!([text("filter_angle_min"), text("filter_angle_max")], [Some("-1.8"), Some("1.7")]);
    assert_eq!([text("filter_range_min"), text("filter_range_max")], [Some("0.2"), Some("9")]);
    assert_eq!([text("output_type"), text("intensity")], [Some("PointCloud2"), Some("true")]);
    assert_eq!(slot.params.count("filter"), 0);
}

#[test]
fn a_plugin_in_a_sensor_without_a_counterpart_is_not_reported_again() {
    let slot = sensor("rfid", "<plugin name='p' filename='libCameraPlugin.so'/>");
    assert!(
        matches!(resolve(&slot, |_| false), Resolution::NoCounterpart(row) if row.names.contains(&"rfid"))
    );
}

#[test]
fn a_sensor_plugin_outside_a_sensor_has_no_counterpart() {
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
