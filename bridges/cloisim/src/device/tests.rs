//! Device lists of worlds given by their descriptions.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, ElementTopic, JointDescription, LinkDescription, ModelDescription, WorldDescription,
};

mod cameras;

use super::*;
use crate::pose::Pose;

mod control;

/// A world with a vehicle `cloi`, built step by step.
#[derive(Default)]
pub(crate) struct Scene(pub(crate) WorldDescription);

impl Scene {
    /// A vehicle with a chassis and a mast fixed to it.
    pub(crate) fn new() -> Self {
        let mut scene = Scene::default();
        scene.0.world = "yard".into();
        let pose = Some(Pose { position: [0.0, 0.0, 1.0], ..Pose::IDENTITY }.to_ros());
        let model =
            ModelDescription { name: "cloi".into(), vehicle: "cloi".into(), pose, ..Default::default() };
        scene.0.models.push(model);
        scene.link("cloi", "chassis", 1.0).link("cloi", "mast", 3.0).joint("fixed", "chassis", "mast");
        scene
    }

    fn link(&mut self, model: &str, name: &str, height: f64) -> &mut Self {
        self.0.links.push(LinkDescription {
            name: format!("{model}::{name}"),
            model: model.into(),
            frame_id: format!("{model}/{name}"),
            pose: Some(Pose { position: [0.0, 0.0, height], ..Pose::IDENTITY }.to_ros()),
            mass: 1.0,
            ..Default::default()
        });
        self
    }

    fn joint(&mut self, kind: &str, parent: &str, child: &str) -> &mut Self {
        self.0.joints.push(JointDescription {
            r#type: kind.into(),
            parent: format!("cloi::{parent}"),
            child: format!("cloi::{child}"),
            ..Default::default()
        });
        self
    }

    /// Adds a sensor to a link of the vehicle, served by `plugin`, which publishes topics of these types.
    pub(crate) fn sensor(
        &mut self,
        link: &str,
        name: &str,
        plugin: &str,
        types: &[&str],
        xml: &str,
    ) -> &mut Self {
        let path = format!("cloi/{link}/{name}");
        self.0.elements.push(ElementDescription {
            kind: "sensor".into(),
            name: name.into(),
            asked: plugin.into(),
            plugin: plugin.into(),
            vehicle: "cloi".into(),
            model: "cloi".into(),
            link: format!("cloi::{link}"),
            frame_id: path.clone(),
            pose: Some(Pose { position: [0.5, 0.0, 0.0], ..Pose::IDENTITY }.to_ros()),
            topics: topics(&path, types),
            xml: xml.into(),
            path,
            ..Default::default()
        });
        self
    }

    /// Adds a plugin of CLOiSim to the sensor added last.
    pub(crate) fn companion(&mut self, class: &str, xml: &str) -> &mut Self {
        let sensor = self.0.elements.last().expect("a sensor").clone();
        self.0.elements.push(ElementDescription {
            kind: "plugin".into(),
            asked: format!("lib{class}.so"),
            sensor: sensor.path,
            path: String::new(),
            topics: Vec::new(),
            plugin: String::new(),
            xml: xml.into(),
            ..sensor
        });
        self
    }

    /// Adds a plugin to a model or to the world.
    pub(crate) fn plugin(
        &mut self,
        model: &str,
        file: &str,
        plugin: &str,
        types: &[&str],
        xml: &str,
    ) -> &mut Self {
        let path = format!("{model}/{file}");
        self.0.elements.push(ElementDescription {
            kind: "plugin".into(),
            name: "p".into(),
            asked: file.into(),
            plugin: plugin.into(),
            vehicle: model.split("::").next().unwrap_or_default().into(),
            model: model.into(),
            topics: topics(&path, types),
            xml: xml.into(),
            path,
            ..Default::default()
        });
        self
    }
}

/// Returns a topic per type; a type that begins with `<` is subscribed to.
fn topics(path: &str, types: &[&str]) -> Vec<ElementTopic> {
    let read = |name: &&str| ElementTopic {
        topic: format!("/{path}/{}", name.rsplit('/').next().unwrap_or_default().to_lowercase()),
        r#type: name.trim_start_matches('<').into(),
        is_published: !name.starts_with('<'),
    };
    types.iter().map(read).collect()
}

pub(crate) const ODOMETRY: &str = "nav_msgs/msg/Odometry";
pub(crate) const TWIST: &str = "<geometry_msgs/msg/Twist";
const SCAN: &[&str] = &["sensor_msgs/msg/LaserScan", "sensor_msgs/msg/PointCloud2"];

fn list(scene: &Scene) -> Vec<String> {
    let devices = devices(&scene.0).served;
    devices.iter().map(|device| format!("{} {} {}", device.model, device.kind.name(), device.parts)).collect()
}

#[test]
fn an_empty_world_has_a_clock() {
    let found = devices(&WorldDescription::default());
    assert_eq!(found.unsupported, []);
    let [world] = &found.served[..] else { panic!("{found:?}") };
    assert_eq!(
        (world.model.as_str(), world.kind, world.parts.as_str()),
        ("World", Kind::World, "SimulationWorld")
    );
    assert_eq!(world.keys, [Key::Clock, Key::Control]);
    assert_eq!(world.hash_key(Key::Clock), "WorldSimulationWorldClock");
}

#[test]
fn devices_come_in_document_order() {
    let mut scene = Scene::new();
    scene
        .plugin("", "libGroundTruthPlugin.so", "ground_truth", &["lgsvl_msgs/msg/Detection3DArray"], "")
        .sensor("mast", "lidar", "lidar", SCAN, "")
        .sensor("chassis", "imu", "imu", &["sensor_msgs/msg/Imu"], "")
        .plugin("cloi", "libMicomPlugin.so", "diff_drive", &[ODOMETRY, TWIST], "")
        .plugin(
            "cloi",
            "gz-sim-joint-state-publisher-system",
            "joint_state",
            &["sensor_msgs/msg/JointState"],
            "",
        );
    let expected = [
        "World WORLD SimulationWorld",
        "World GROUNDTRUTH GroundTruthPlugin",
        "cloi LASER mast_lidar",
        "cloi IMU chassis_imu",
        "cloi MICOM Micom",
        "cloi JOINTCONTROL cloi",
    ];
    assert_eq!(list(&scene), expected);
    assert_eq!(devices(&scene.0), devices(&scene.0));
    let frames = |at: usize| devices(&scene.0).served[at].info.ros2.clone().expect("names").frames;
    assert_eq!(
        (frames(2), frames(4)),
        (vec!["mast_lidar".to_owned()], vec![]),
        "boards get their frame from the client"
    );
}

#[test]
fn the_class_of_a_companion_decides_and_several_plugins_add_the_sensor_to_the_name() {
    let mut scene = Scene::new();
    let types = ["sensor_msgs/msg/Range", "geometry_msgs/msg/PoseStamped"];
    scene.sensor("mast", "eye", "sonar", &types, "").companion(
        "IRPlugin",
        "<plugin><ros2><topic_name add_parts_name_prefix='true'>ir</topic_name>\
            <frame_id>a::b</frame_id></ros2></plugin>",
    );
    assert_eq!(list(&scene)[1..], ["cloi IR mast_eye"]);
    let ros2 = devices(&scene.0).served[1].info.ros2.clone().expect("names");
    assert_eq!((ros2.topic_name.as_str(), &ros2.frames[..]), ("mast_eye/ir", &["a_b".to_owned()][..]));
    let slots: Vec<Slot> = devices(&scene.0).served[1].sources.iter().map(|source| source.slot).collect();
    assert_eq!(slots, [Slot::Main, Slot::WorldPose]);
    assert!(types.into_iter().all(table::carries), "the bridge takes both");
    scene.plugin("cloi", "libMicomPlugin.so", "diff_drive", &[ODOMETRY], "");
    assert_eq!(list(&scene)[1..], ["cloi IR mast_eyeeye", "cloi MICOM Micom"]);
}

#[test]
fn a_sensor_of_a_nested_model_is_named_after_it() {
    let mut scene = Scene::new();
    scene.link("cloi::head", "shell", 4.0).sensor(
        "chassis",
        "gps",
        "navsat",
        &["sensor_msgs/msg/NavSatFix"],
        "",
    );
    let element = scene.0.elements.last_mut().expect("the sensor");
    (element.model, element.link) = ("cloi::head".into(), "cloi::head::shell".into());
    assert_eq!(list(&scene)[1..], ["cloi GPS head_gps"]);
}

#[test]
fn names_are_made_usable_and_unique() {
    let mut scene = Scene::new();
    scene
        .sensor("mast", "my-imu", "imu", &[], "")
        .sensor("mast", "my imu", "imu", &[], "")
        .plugin("cloi", "diff_drive", "diff_drive", &[], "")
        .plugin("cloi", "diff_drive", "diff_drive", &[], "");
    let expected =
        ["cloi IMU mast_my_imu", "cloi IMU mast_my_imu_2", "cloi MICOM Micom", "cloi MICOM Micom_2"];
    assert_eq!(list(&scene)[1..], expected);
    assert_eq!(names::usable("2nd car"), "_2nd_car");
}

#[test]
fn unsupported_elements_are_reported_and_not_listed() {
    let mut scene = Scene::new();
    scene.sensor("mast", "cam", "", &[], "").companion("CameraPlugin", "");
    scene.plugin("", "libRealSensePlugin.so", "", &[], "").plugin("cloi", "libMicomPlugin.so", "", &[], "");
    scene.plugin("cloi", "some_plugin", "some_plugin", &[], "");
    assert_eq!(list(&scene).len(), 1);
    let unsupported = devices(&scene.0).unsupported;
    let classes: Vec<&str> = unsupported.iter().map(|(_, class)| class.as_str()).collect();
    assert_eq!(classes, ["CameraPlugin", "RealSensePlugin", "MicomPlugin"]);
    assert_eq!(unsupported[0].0, "cloi/mast/cam");
}

#[test]
fn a_lidar_sends_rays_or_points_as_its_plugin_requests() {
    let xml = "<sensor><lidar><scan><horizontal><samples>5</samples><min_angle>-1</min_angle>\
        <max_angle>1</max_angle></horizontal></scan><range><min>0.1</min><max>9</max></range></lidar></sensor>";
    let mut scene = Scene::new();
    scene.sensor("mast", "rays", "lidar", SCAN, xml).sensor("mast", "points", "lidar", SCAN, xml);
    scene.companion("LaserPlugin", "<plugin><output_type>PointCloud2</output_type></plugin>");
    let found = devices(&scene.0).served;
    assert_eq!(found[1].sources, [Source { topic: "/cloi/mast/rays/laserscan".into(), slot: Slot::Main }]);
    assert_eq!(
        found[2].sources,
        [Source { topic: "/cloi/mast/points/pointcloud2".into(), slot: Slot::Main }]
    );
    assert_eq!(found[1].info.output_type, "LaserScan");
    assert_eq!(found[2].info.output_type, "PointCloud2Raw");
    let ConverterConfig::Laser { sweep, .. } = &found[1].config else { panic!("a sweep") };
    assert_eq!((sweep.count, sweep.angle_step, sweep.range_max), (5, 0.5, 9.0));
    assert_eq!(sweep.ranges.len(), sweep.intensities.len());
}

#[test]
fn a_board_is_connected_to_the_sensors_it_names() {
    let xml = "<plugin><wheel><radius>0.1</radius><tread>0.5</tread></wheel><imu>imu</imu>\
        <bumper><sensor>front</sensor><sensor>none</sensor></bumper><uss><sensor>mast_sonar</sensor></uss></plugin>";
    let mut scene = Scene::new();
    scene
        .plugin("cloi", "libMicomPlugin.so", "diff_drive", &[ODOMETRY, "tf2_msgs/msg/TFMessage", TWIST], xml)
        .sensor("chassis", "imu", "imu", &["sensor_msgs/msg/Imu"], "")
        .sensor("chassis", "front", "contact", &["gazebo_msgs/msg/ContactsState"], "")
        .sensor("mast", "sonar", "sonar", &["sensor_msgs/msg/Range"], "")
        .plugin("cloi", "gz-battery", "battery", &["sensor_msgs/msg/BatteryState"], "");
    let found = devices(&scene.0).served;
    let slots: Vec<Slot> = found[1].sources.iter().map(|source| source.slot).collect();
    assert_eq!(slots, [Slot::Main, Slot::Bumper(0), Slot::Sonar(0), Slot::Imu, Slot::Battery]);
    assert_eq!(found[1].command.as_deref(), Some("/cloi/libMicomPlugin.so/twist"));
    let ConverterConfig::Micom(config) = &found[1].config else { panic!("a board") };
    assert_eq!((config.wheel_radius, config.wheel_separation, config.bumpers), (0.1, 0.5, 2));
    assert_eq!(config.battery, "p");
}

#[test]
fn joints_of_nested_models_are_merged_into_the_vehicles_device() {
    let states = &["sensor_msgs/msg/JointState", "<sensor_msgs/msg/JointState"];
    let mut scene = Scene::new();
    scene.plugin("cloi", "libJointControlPlugin.so", "joint_state", states, "").plugin(
        "cloi::arm",
        "libJointControlPlugin.so",
        "joint_state",
        states,
        "",
    );
    let found = devices(&scene.0).served;
    assert_eq!(found.len(), 2);
    assert_eq!(found[1].sources[1].slot, Slot::Nested(0));
    let ConverterConfig::Joints { nested, links, .. } = &found[1].config else { panic!("joints") };
    assert_eq!(nested, &["arm"]);
    assert_eq!(links, &["chassis", "mast", "base_link"]);
}

#[test]
fn several_plugins_of_one_element_give_one_device() {
    let mut scene = Scene::new();
    scene
        .plugin("cloi", "libJointControlPlugin.so", "joint_command", &["<sensor_msgs/msg/JointState"], "")
        .plugin("cloi", "joint_state", "joint_state", &["sensor_msgs/msg/JointState"], "")
        .plugin("cloi", "link_transforms", "link_transforms", &["tf2_msgs/msg/TFMessage"], "");
    let found = devices(&scene.0).served;
    assert_eq!(list(&scene)[1..], ["cloi JOINTCONTROL cloi"]);
    let slots: Vec<Slot> = found[1].sources.iter().map(|source| source.slot).collect();
    assert_eq!(slots, [Slot::Tf, Slot::Main]);
    assert_eq!(found[1].command.as_deref(), Some("/cloi/libJointControlPlugin.so/jointstate"));
}

#[test]
fn frames_are_named_relative_to_the_vehicle() {
    assert_eq!(names::frame_in("cloi", "cloi/arm/hand").as_deref(), Some("arm_hand"));
    assert_eq!(names::frame_in("cloi", "/cloi::arm::hand").as_deref(), Some("arm_hand"));
    assert_eq!(names::frame_in("cloi", "odom").as_deref(), Some("odom"));
    assert_eq!(names::frame_in("cloi", "cloister/hand"), None);
    assert_eq!(names::own_frame("cloi", "other/hand"), "other_hand");
}

#[test]
fn a_pose_is_relative_to_the_base_or_to_the_moving_link() {
    let mut scene = Scene::new();
    scene.link("cloi", "head", 5.0).joint("revolute", "chassis", "head");
    for link in ["chassis", "mast", "head"] {
        scene.sensor(link, "imu", "imu", &[], "");
    }
    let place_in = |scene: &Scene, at: usize| {
        let transform = devices(&scene.0).served[at].info.transform.clone().expect("a place");
        (transform.parent, transform.pose.position)
    };
    let place = |at| place_in(&scene, at);
    assert_eq!(place(1), ("base_link".into(), [0.5, 0.0, 0.0]));
    assert_eq!(place(2), ("base_link".into(), [0.5, 0.0, 2.0]));
    assert_eq!(place(3), ("head".into(), [0.5, 0.0, 0.0]));
    scene.0.links[0].name = "cloi::base_link".into();
    scene.0.joints[0].parent = "cloi::base_link".into();
    assert_eq!(
        place_in(&scene, 2),
        ("base_link".into(), [0.5, 0.0, 2.0]),
        "the link of that name is the base"
    );
}

#[test]
fn static_transforms_are_those_that_are_listed() {
    let xml = "<plugin><ros2><static_transforms><link>mast</link><link parent_frame_id='mast'>chassis</link>\
        <link>none</link></static_transforms></ros2></plugin>";
    let mut scene = Scene::new();
    scene.plugin("cloi", "libMicomPlugin.so", "diff_drive", &[], xml);
    let links = devices(&scene.0).served[1].info.static_transforms.clone();
    let heights: Vec<f64> = links.iter().map(|link| link.pose.position[2]).collect();
    assert_eq!(heights, [2.0, -2.0]);
    assert_eq!((links[0].parent.as_str(), links[1].parent.as_str()), ("base_link", "mast"));
}
