//! Which element of a world is which device, by the class of CLOiSim's plugin or by the plugin that serves it here.

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
    /// ROS type of what it sends.
    pub(crate) source: &'static str,
    /// ROS type of what it takes; empty for nothing.
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

/// Every kind of device but the world itself.
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
        Kind::DepthCamera,
        &["CameraPlugin", "DepthCameraPlugin"],
        &["depth_camera"],
        "sensor_msgs/msg/Image",
    ),
];

/// Classes of CLOiSim that have ports there and nothing behind them here.
const UNSUPPORTED: &[&str] = &[
    "SegmentationCameraPlugin",
    "MultiCameraPlugin",
    "RealSensePlugin",
    "ActorPlugin",
    "ActorControlPlugin",
    "ElevatorSystem",
    "ElevatorSystemPlugin",
];

/// What an element is to clients.
#[derive(Debug)]
pub(crate) enum Classification<'a> {
    /// A device of this kind, with CLOiSim's plugin where it stands in a sensor.
    Device(&'static Row, Option<&'a ElementDescription>),
    /// A device of CLOiSim that nobody serves: its class.
    Unsupported(String),
    /// Nothing.
    NotADevice,
}

/// The class that a plugin's `filename` names: `libMicomPlugin.so` is `MicomPlugin`.
pub(crate) fn class(filename: &str) -> &str {
    let file = filename.rsplit('/').next().unwrap_or(filename);
    let file = file.strip_prefix("lib").unwrap_or(file);
    file.strip_suffix(".so").unwrap_or(file)
}

/// Whether an element is a plugin of CLOiSim.
pub(crate) fn is_cloisim(element: &ElementDescription) -> bool {
    let class = class(&element.asked);
    element.kind == "plugin" && (row_of(class).is_some() || UNSUPPORTED.contains(&class))
}

/// Whether a plugin drives a vehicle and reports its odometry.
pub(crate) fn is_drive(plugin: &str) -> bool {
    ROWS.first().is_some_and(|micom| micom.plugins.contains(&plugin))
}

fn row_of(class: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.classes.contains(&class))
}

/// Whether the bridge could carry a topic of this type, out or in.
pub(crate) fn carries(ros_type: &str) -> bool {
    const BESIDES: [&str; 3] =
        ["tf2_msgs/msg/TFMessage", "sensor_msgs/msg/PointCloud2", "sensor_msgs/msg/BatteryState"];
    ROWS.iter().any(|row| row.source == ros_type) || BESIDES.contains(&ros_type)
}

/// What an element is to clients.
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
    let by_class = wanted.and_then(row_of).filter(|row| publishes(element, row));
    let by_plugin = || ROWS.iter().find(|row| row.plugins.contains(&element.plugin.as_str()));
    by_class
        .or_else(by_plugin)
        .map_or(Classification::NotADevice, |row| Classification::Device(row, companion))
}

/// A class that does not fit what serves the sensor is not believed, where that has said what it publishes.
fn publishes(element: &ElementDescription, row: &Row) -> bool {
    let mut published = element.topics.iter().filter(|topic| topic.is_published).peekable();
    published.peek().is_none() || published.any(|topic| topic.r#type == row.source)
}

fn classify_plugin(element: &ElementDescription) -> Classification<'_> {
    if !element.sensor.is_empty() {
        return Classification::NotADevice;
    }
    let class = class(&element.asked);
    if UNSUPPORTED.contains(&class) {
        return Classification::Unsupported(class.to_owned());
    }
    let by_class = row_of(class);
    if by_class.is_some() && element.plugin.is_empty() {
        return Classification::Unsupported(class.to_owned());
    }
    let by_plugin = || ROWS.iter().find(|row| row.plugins.contains(&element.plugin.as_str()));
    match by_class.or_else(by_plugin) {
        // What a vehicle sees from itself is not the truth about the world.
        Some(row) if row.kind == Kind::GroundTruth && !element.vehicle.is_empty() => {
            Classification::NotADevice
        }
        Some(row) => Classification::Device(row, None),
        None => Classification::NotADevice,
    }
}
