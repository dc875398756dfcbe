//! Elements as in Gazebo's worlds, with the translated parameters.

use std::sync::Arc;

use bridgehead_sdf::Budget;

use super::world;
use crate::names::NameStyle;
use crate::{BuildOptions, PluginSlot, build_within};

#[test]
fn topics_without_a_slash_are_the_same_for_all_models() {
    let built = world(
        "<model name='car'><link name='body'/>\n\
         <plugin name='a' filename='gz-sim-diff-drive-system'><topic>cmd_vel</topic><odom_topic>/odom</odom_topic></plugin>\n\
         <plugin name='b' filename='diff_drive'><topic>cmd_vel</topic></plugin>\n\
         <plugin name='c' filename='gz-sim-joint-controller-system'><sub_topic>go</sub_topic></plugin></model>",
    );
    let text = |slot: usize, name: &str| built.slots[slot].params.get(name).map(str::to_owned);
    assert_eq!(text(0, "topic").as_deref(), Some("/cmd_vel"));
    assert_eq!(text(0, "odom_topic").as_deref(), Some("/odom"));
    assert_eq!(text(1, "topic").as_deref(), Some("cmd_vel"));
    assert_eq!(text(2, "sub_topic").as_deref(), Some("go"));
}

#[test]
fn a_drive_of_gazebo_keeps_a_command_until_the_next_one() {
    let built = world(
        "<model name='car'><link name='body'/>\n\
         <plugin name='a' filename='gz-sim-diff-drive-system'/>\n\
         <plugin name='b' filename='gz-sim-ackermann-steering-system'><command_timeout>2</command_timeout></plugin>\n\
         <plugin name='c' filename='diff_drive'/></model>",
    );
    let timeouts: Vec<_> = built.slots.iter().map(|slot| slot.params.get("command_timeout")).collect();
    assert_eq!(timeouts, [Some("0"), Some("2"), None]);
}

/// Returns the slots of a world `w` whose topics have the names of Gazebo, with these elements.
fn in_style(elements: &str) -> Vec<PluginSlot> {
    let text = format!("<sdf version='1.9'><world name='w'>{elements}</world></sdf>");
    let loaded = bridgehead_sdf::parse_str("w.sdf", &text).expect("loads");
    let options = BuildOptions { names: NameStyle::Gazebo, ..BuildOptions::new(0.001, 1) };
    build_within(&loaded.world, options, &Budget::default()).expect("builds").slots
}

/// Returns the topics that a sensor is given, by the suffixes that they replace; its own first.
fn topics(sensor: &str) -> Vec<(String, String)> {
    let slots =
        in_style(&format!("<model name='m'><static>true</static><link name='l'>{sensor}</link></model>"));
    let own = (String::new(), slots[0].attachment.topic.clone());
    let given = slots[0].params.node("bridgehead:topics").into_iter().flat_map(|topics| topics.children());
    let given =
        given.map(|topic| (topic.attribute("for").unwrap_or_default().to_owned(), topic.text().to_owned()));
    std::iter::once(own).chain(given).collect()
}

#[test]
fn cameras_have_the_topics_of_gazebo() {
    let of =
        |kind: &str, inside: &str| topics(&format!("<sensor name='cam' type='{kind}'>{inside}</sensor>"));
    let is = |found: Vec<(String, String)>, expected: &[(&str, &str)]| {
        let expected: Vec<(String, String)> =
            expected.iter().map(|(suffix, topic)| ((*suffix).to_owned(), (*topic).to_owned())).collect();
        assert_eq!(found, expected);
    };
    let scoped = "/world/w/model/m/link/l/sensor/cam";
    for kind in ["camera", "wideanglecamera"] {
        is(
            of(kind, ""),
            &[
                ("", &format!("{scoped}/image")),
                ("camera_info", &format!("{scoped}/camera_info")),
                ("image_raw", &format!("{scoped}/image")),
                ("image_raw/compressed", &format!("{scoped}/image/compressed")),
            ],
        );
        // The info is beside the image, at the root if that is.
        for (written, image, info) in [
            ("front", "/front", "/camera_info"),
            ("/front", "/front", "/camera_info"),
            ("rig/front", "/rig/front", "/rig/camera_info"),
            ("/a/b/front", "/a/b/front", "/a/b/camera_info"),
        ] {
            let found = of(kind, &format!("<topic>{written}</topic>"));
            assert_eq!((found[0].1.as_str(), found[1].1.as_str(), found[2].1.as_str()), (image, info, image));
        }
        let found =
            of(kind, "<topic>front</topic><camera><camera_info_topic>info</camera_info_topic></camera>");
        assert_eq!((found[1].1.as_str(), found.len()), ("/info", 4));
    }
    is(
        of("depth_camera", ""),
        &[
            ("", &format!("{scoped}/depth_image")),
            ("camera_info", &format!("{scoped}/camera_info")),
            ("image_raw", &format!("{scoped}/depth_image")),
            ("points", &format!("{scoped}/depth_image/points")),
        ],
    );
    is(
        of("rgbd_camera", "<topic>rgbd</topic>"),
        &[
            ("", "/rgbd"),
            ("depth_registered/image_raw", "/rgbd/depth_image"),
            ("depth_registered/points", "/rgbd/points"),
            ("rgb/camera_info", "/rgbd/camera_info"),
            ("rgb/image_raw", "/rgbd/image"),
            ("rgb/image_raw/compressed", "/rgbd/image/compressed"),
        ],
    );
    assert_eq!(of("thermal", "")[2].1, format!("{scoped}/image"));
    assert_eq!(of("segmentation", "")[2].1, format!("{scoped}/segmentation/colored_map"));
    // A lidar has one topic, and its points are below it.
    assert_eq!(of("gpu_lidar", ""), [(String::new(), format!("{scoped}/scan"))]);
}

/// The parameter that named the topic has had its effect; a controller of a shared message has the topic of all models.
#[test]
fn controllers_take_their_topic_from_the_element() {
    for (file, field) in
        [("joint-controller", "joint_velocity"), ("joint-position-controller", "joint_position")]
    {
        for (inside, topic) in [
            ("<sub_topic>go</sub_topic>", "/model/m/go"),
            ("<topic>go</topic>", "/go"),
            ("<use_actuator_msg>true</use_actuator_msg>", "/actuators"),
            ("<use_actuator_msg>1</use_actuator_msg><sub_topic>go</sub_topic>", "/model/m/go"),
            ("<use_actuator_msg>true</use_actuator_msg><topic>/motors</topic>", "/motors"),
        ] {
            let plugin = format!(
                "<plugin name='c' filename='gz-sim-{file}-system'><joint_name>j</joint_name>{inside}</plugin>"
            );
            let slots = in_style(&format!("<model name='m'><link name='l'/>{plugin}</model>"));
            let params = &slots[0].params;
            assert_eq!(
                (params.get("topic"), params.count("sub_topic")),
                (Some(topic), 0),
                "{field} {inside}"
            );
        }
    }
}

#[test]
fn the_pose_publisher_leaves_the_model_to_odometry() {
    let of = |inside: &str| {
        let plugin = format!("<plugin name='p' filename='gz-sim-pose-publisher-system'>{inside}</plugin>");
        let slots = in_style(&format!("<model name='m'><link name='l'/>{plugin}</model>"));
        let params = Arc::clone(&slots[0].params);
        ["publish_model_pose", "topic", "static_topic", "publish_tf"]
            .map(|name| params.get(name).unwrap_or_default().to_owned())
    };
    let with = |model: &str| [model, "/model/m/pose", "/model/m/pose_static", "false"].map(str::to_owned);
    assert_eq!(of(""), with("false"));
    assert_eq!(of("<publish_nested_model_pose>true</publish_nested_model_pose>"), with("true"));
    assert_eq!(of("<publish_model_pose>true</publish_model_pose>"), with("true"));
    let both = "<publish_model_pose>false</publish_model_pose><publish_nested_model_pose>1</publish_nested_model_pose>";
    assert_eq!(of(both), with("false"));
}

/// Sensors of one type whose topics are placeholders have topics of their own, in both styles.
#[test]
fn a_placeholder_is_a_topic_of_its_own() {
    let sensor = |name: &str, topic: &str| format!("<sensor name='{name}' type='imu'>{topic}</sensor>");
    let placeholder = "<topic>__default_topic__</topic>";
    let elements = format!(
        "<model name='m'><link name='l'>{}{}{}{}</link></model>",
        sensor("a", placeholder),
        sensor("b", placeholder),
        sensor("c", ""),
        sensor("d", "<topic>own</topic>")
    );
    let topics =
        |slots: &[PluginSlot]| slots.iter().map(|slot| slot.attachment.topic.clone()).collect::<Vec<_>>();
    assert_eq!(topics(&world(&elements).slots), ["", "b", "", "own"]);
    let scoped = |name: &str| format!("/world/w/model/m/link/l/sensor/{name}/imu");
    assert_eq!(topics(&in_style(&elements)), [scoped("a"), scoped("b"), scoped("c"), "/own".to_owned()]);
}
