//! Maps elements of a world to kinds of devices, by the class of the CLOiSim plugin or by the plugin that serves it
//! here.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, WorldDescription,
};

use super::{Key, Kind};

/// A kind of device.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) kind: Kind,
    /// Classes of CLOiSim's plugins; the first one names devices of the world.
    pub(crate) classes: &'static [&'static str],
    /// Plugins that serve such elements here.
    plugins: &'static [&'static str],
    pub(crate) keys: &'static [Key],
    /// ROS type of its data.
    pub(crate) source: &'static str,
    /// ROS type of its commands; empty for none.
    pub(crate) command: &'static str,
}

const SENSOR: &[Key] = &[Key::Info, Key::Data];
const BOARD: &[Key] = &[Key::Info, Key::Rx, Key::Tx, Key::Tf];

const fn sensor(
    kind: Kind,
    classes: &'static [&'static str],
    plugins: &'static [&'static str],
    source: &'static str,
) -> Row {
    Row { kind, classes, plugins, keys: SENSOR, source, command: "" }
}

/// Every kind of device except the world itself.
const ROWS: &[Row] = &[
    Row {
        kind: Kind::Micom,
        classes: &["MicomPlugin"],
        plugins: &["diff_drive", "ackermann"],
        keys: BOARD,
        source: "nav_msgs/msg/Odometry",
        command: "geometry_msgs/msg/Twist",
    },
    Row {
        kind: Kind::JointControl,
        classes: &["JointControlPlugin"],
        plugins: &["joint_state"],
        keys: BOARD,
        source: "sensor_msgs/msg/JointState",
        command: "sensor_msgs/msg/JointState",
    },
    Row {
        kind: Kind::GroundTruth,
        classes: &["GroundTruthPlugin"],
        plugins: &["ground_truth"],
        keys: &[Key::Data],
        source: "lgsvl_msgs/msg/Detection3DArray",
        command: "",
    },
    Row {
        kind: Kind::Elevator,
        classes: &["ElevatorSystem", "ElevatorSystemPlugin"],
        plugins: &["elevator_system"],
        keys: &[Key::Control],
        source: "bridgehead_simulation_interfaces/msg/ElevatorSystemState",
        command: "bridgehead_simulation_interfaces/msg/ElevatorCommand",
    },
    Row {
        kind: Kind::Actor,
        classes: &["ActorControlPlugin"],
        plugins: &[],
        keys: &[Key::Control],
        // The bridge passes goals to the plugins of the actors.
        source: "",
        command: "",
    },
    sensor(Kind::Laser, &["LaserPlugin"], &["lidar"], "sensor_msgs/msg/LaserScan"),
    sensor(Kind::Imu, &["ImuPlugin"], &["imu"], "sensor_msgs/msg/Imu"),
    sensor(Kind::Gps, &["GpsPlugin"], &["navsat"], "sensor_msgs/msg/NavSatFix"),
    sensor(Kind::Sonar, &["SonarPlugin", "RangePlugin"], &["sonar"], "sensor_msgs/msg/Range"),
    sensor(Kind::Ir, &["IRPlugin"], &[], "sensor_msgs/msg/Range"),
    sensor(Kind::Contact, &["ContactPlugin"], &["contact"], "gazebo_msgs/msg/ContactsState"),
    sensor(
        Kind::LogicalCamera,
        &["LogicalCameraPlugin"],
        &["logical_camera"],
        "ros_gz_interfaces/msg/LogicalCameraImage",
    ),
    sensor(
        Kind::Camera,
        &["CameraPlugin"],
        &["camera", "boundingbox_camera", "wide_angle_camera"],
        "sensor_msgs/msg/Image",
    ),
    sensor(
        Kind::DepthCamera,
        &["CameraPlugin", "DepthCameraPlugin"],
        &["depth_camera"],
        "sensor_msgs/msg/Image",
    ),
    sensor(
        Kind::SegmentCamera,
        &["SegmentationCameraPlugin"],
        &["segmentation_camera"],
        "sensor_msgs/msg/Image",
    ),
    sensor(Kind::MultiCamera, &["MultiCameraPlugin"], &["multicamera"], "sensor_msgs/msg/Image"),
    // Its modules have further keys. Nothing serves it: it is made of sensors.
    Row {
        kind: Kind::RealSense,
        classes: &["RealSensePlugin"],
        plugins: &[],
        keys: &[Key::Info],
        source: "",
        command: "",
    },
];

/// How clients see an element.
#[derive(Debug)]
pub(crate) enum Classification<'a> {
    /// A device of this kind, with the CLOiSim plugin if that is within a sensor.
    Device(&'static Row, Option<&'a ElementDescription>),
    /// A device of CLOiSim that no plugin here serves, with its class.
    Unsupported(String),
    /// Not a device.
    NotADevice,
}

/// Returns the class that a plugin's `filename` names: `libMicomPlugin.so` is `MicomPlugin`.
pub(crate) fn class(filename: &str) -> &str {
    let file = filename.rsplit('/').next().unwrap_or(filename);
    let file = file.strip_prefix("lib").unwrap_or(file);
    file.strip_suffix(".so").unwrap_or(file)
}

/// Returns true if an element is a plugin of CLOiSim.
pub(crate) fn is_cloisim(element: &ElementDescription) -> bool {
    let class = class(&element.asked);
    element.kind == "plugin" && row_of(class).is_some()
}

/// Returns true if a plugin drives a vehicle and publishes its odometry.
pub(crate) fn is_drive(plugin: &str) -> bool {
    ROWS.first().is_some_and(|micom| micom.plugins.contains(&plugin))
}

fn row_of(class: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.classes.contains(&class))
}

/// Returns true if the bridge can carry a topic of this type.
pub(crate) fn carries(ros_type: &str) -> bool {
    const BESIDES: [&str; 5] = [
        "geometry_msgs/msg/PoseStamped",
        "tf2_msgs/msg/TFMessage",
        "sensor_msgs/msg/PointCloud2",
        "sensor_msgs/msg/BatteryState",
        "vision_msgs/msg/LabelInfo",
    ];
    ROWS.iter().any(|row| row.source == ros_type) || BESIDES.contains(&ros_type)
}

/// Classifies an element.
pub(crate) fn classify<'a>(
    world: &'a WorldDescription,
    element: &'a ElementDescription,
) -> Classification<'a> {
    if element.kind == "sensor" { classify_sensor(world, element) } else { classify_plugin(element) }
}

fn classify_sensor<'a>(world: &'a WorldDescription, element: &'a ElementDescription) -> Classification<'a> {
    let is_companion = |other: &&ElementDescription| {
        !element.path.is_empty() && other.sensor == element.path && is_cloisim(other)
    };
    let companion = world.elements.iter().find(is_companion);
    let wanted = companion.map(|companion| class(&companion.asked));
    if element.plugin.is_empty() {
        return wanted
            .map_or(Classification::NotADevice, |class| Classification::Unsupported(class.to_owned()));
    }
    let is_served = |row: &&Row| row.plugins.contains(&element.plugin.as_str());
    // One class stands for several kinds, which differ in the sensor.
    let exact =
        wanted.and_then(|class| ROWS.iter().filter(|row| row.classes.contains(&class)).find(is_served));
    let by_class = || wanted.and_then(row_of).filter(|row| publishes(element, row));
    exact
        .or_else(by_class)
        .or_else(|| ROWS.iter().find(is_served))
        .map_or(Classification::NotADevice, |row| Classification::Device(row, companion))
}

/// Returns false if the class does not match the topics that the sensor's plugin publishes; the plugin's topics
/// count.
fn publishes(element: &ElementDescription, row: &Row) -> bool {
    // Only their own plugins publish what these are made of.
    if matches!(row.kind, Kind::SegmentCamera | Kind::MultiCamera) {
        return false;
    }
    let mut published = element.topics.iter().filter(|topic| topic.is_published).peekable();
    published.peek().is_none() || published.any(|topic| topic.r#type == row.source)
}

fn classify_plugin(element: &ElementDescription) -> Classification<'_> {
    if !element.sensor.is_empty() {
        return Classification::NotADevice;
    }
    let class = class(&element.asked);
    let by_class = row_of(class);
    // The bridge itself serves these, a RealSense with the sensors of its model.
    let needs_plugin = |row: &Row| match row.kind {
        Kind::RealSense => element.model.is_empty(),
        _ => !row.source.is_empty(),
    };
    if by_class.is_some_and(needs_plugin) && element.plugin.is_empty() {
        return Classification::Unsupported(class.to_owned());
    }
    let by_plugin = || ROWS.iter().find(|row| row.plugins.contains(&element.plugin.as_str()));
    match by_class.or_else(by_plugin) {
        // Only the world's plugin sees the true state of the world.
        Some(row) if row.kind == Kind::GroundTruth && !element.vehicle.is_empty() => {
            Classification::NotADevice
        }
        Some(row) => Classification::Device(row, None),
        None => Classification::NotADevice,
    }
}
