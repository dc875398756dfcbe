//! Pairs of messages: what the run publishes, and what Gazebo receives of it. The same message of Gazebo is what the run
//! receives, with what Gazebo's type cannot express left out.

/// A type of the run, with a message of every field; messages are in the text format of protobuf.
pub(super) struct Row {
    pub(super) ours: &'static str,
    pub(super) gz: &'static str,
    sent: &'static str,
    on_wire: &'static str,
    received: Option<&'static str>,
    /// Whether there are bytes in a field `data`, which the texts leave out: the run does not read bytes from texts.
    pub(super) has_bytes: bool,
}

const fn row(ours: &'static str, gz: &'static str, sent: &'static str, on_wire: &'static str) -> Row {
    Row { ours, gz, sent, on_wire, received: None, has_bytes: false }
}

/// The header of messages of the run, and that of Gazebo. Texts name them `HEADER`.
const HEADER: &str = "header {stamp {sec: 3 nanosec: 500000001} frame_id: \"lab\"}";
const GZ_HEADER: &str = "header {stamp {sec: 3 nsec: 500000001} data {key: \"frame_id\" value: \"lab\"}}";
/// A header with the frame of the child, which texts of Gazebo name `HEADERS`.
const GZ_HEADERS: &str = "header {stamp {sec: 3 nsec: 500000001} data {key: \"frame_id\" value: \"lab\"} \
    data {key: \"child_frame_id\" value: \"car\"}}";

/// Lists of that many numbers, which texts name `ZEROS_36` and so on.
const LISTS: [(&str, usize, f64); 6] = [
    ("ZEROS_36", 36, 0.0),
    ("ZEROS_9", 9, 0.0),
    ("ONES_36", 36, 1.0),
    ("ONES_9", 9, 1.0),
    ("TWOS_36", 36, 2.0),
    ("TWOS_9", 9, 2.0),
];

/// Replaces the names in a text.
fn written(text: &str, header: &str) -> String {
    let text = text.replace("HEADERS", GZ_HEADERS).replace("HEADER", header);
    LISTS
        .iter()
        .fold(text, |text, (name, length, value)| text.replace(name, &format!("{:?}", vec![*value; *length])))
}

impl Row {
    /// Says what of the message the run receives.
    const fn received_as(self, text: &'static str) -> Self {
        Row { received: Some(text), ..self }
    }

    const fn with_bytes(self) -> Self {
        Row { has_bytes: true, ..self }
    }

    /// Part of topics: `sensor_msgs_Imu`.
    pub(super) fn name(&self) -> String {
        self.ours.replace("/msg/", "_")
    }

    pub(super) fn topic(&self, kind: &str) -> String {
        format!("/{kind}/{}", self.name())
    }

    /// The message of the run.
    pub(super) fn sent(&self) -> String {
        written(self.sent, HEADER)
    }

    /// The message of Gazebo.
    pub(super) fn on_wire(&self) -> String {
        written(self.on_wire, GZ_HEADER)
    }

    /// What the run receives, unless it is what it sends.
    pub(super) fn received(&self) -> Option<String> {
        self.received.map(|text| written(text, HEADER))
    }

    /// An output of the plugin `triggered_publisher`.
    pub(super) fn output(&self, kind: &str, text: &str) -> String {
        format!("<output type='{}' topic='{}'>{text}</output>\n", self.ours, self.topic(kind))
    }
}

/// Types that Debian's ignition-msgs 8.2.0 lacks.
pub(super) const ABSENT: &[(&str, &str)] = &[
    ("nav_msgs/msg/Odometry", "OdometryWithCovariance"),
    ("ros_gz_interfaces/msg/Dataframe", "Dataframe"),
    ("ros_gz_interfaces/msg/EntityWrench", "EntityWrench"),
];

const POSE: &str = "position {x: 1 y: 2 z: 3} orientation {x: 4 y: 5 z: 6 w: 7}";

pub(super) const ROWS: &[Row] = &[
    row(
        "rosgraph_msgs/msg/Clock",
        "Clock",
        "clock {sec: 3 nanosec: 500000001}",
        "sim {sec: 3 nsec: 500000001}",
    ),
    row("std_msgs/msg/Empty", "Empty", "", ""),
    row("std_msgs/msg/Bool", "Boolean", "data: true", "data: true"),
    row("std_msgs/msg/String", "StringMsg", "data: \"Grüße\"", "data: \"Grüße\""),
    row("std_msgs/msg/Float64", "Double", "data: 0.1", "data: 0.1"),
    row("std_msgs/msg/Float32", "Float", "data: -1.5", "data: -1.5"),
    row("std_msgs/msg/Int32", "Int32", "data: -2147483648", "data: -2147483648"),
    row(
        "std_msgs/msg/Float64MultiArray",
        "Double_V",
        "layout {dim {label: \"a\" size: 2 stride: 3} data_offset: 1} data: [0.1, 2]",
        "data: [0.1, 2]",
    )
    .received_as("data: [0.1, 2]"),
    row("std_msgs/msg/ColorRGBA", "Color", "r: 0.25 g: 0.5 b: 0.75 a: 1", "r: 0.25 g: 0.5 b: 0.75 a: 1"),
    row("geometry_msgs/msg/Vector3", "Vector3d", "x: 1 y: 2 z: 3", "x: 1 y: 2 z: 3"),
    row("geometry_msgs/msg/Point", "Vector3d", "x: 1 y: 2 z: 3", "x: 1 y: 2 z: 3"),
    row("geometry_msgs/msg/Quaternion", "Quaternion", "x: 1 y: 2 z: 3 w: 4", "x: 1 y: 2 z: 3 w: 4"),
    row("geometry_msgs/msg/Pose", "Pose", POSE, POSE),
    row(
        "geometry_msgs/msg/PoseStamped",
        "Pose",
        "HEADER pose {position {x: 1 y: 2 z: 3} orientation {x: 4 y: 5 z: 6 w: 7}}",
        "HEADER position {x: 1 y: 2 z: 3} orientation {x: 4 y: 5 z: 6 w: 7}",
    ),
    row(
        "geometry_msgs/msg/TransformStamped",
        "Pose",
        "HEADER child_frame_id: \"car\" transform {translation {x: 1 y: 2 z: 3} rotation {x: 4 y: 5 z: 6 w: 7}}",
        "HEADERS name: \"car\" position {x: 1 y: 2 z: 3} orientation {x: 4 y: 5 z: 6 w: 7}",
    ),
    row(
        "geometry_msgs/msg/PoseArray",
        "Pose_V",
        "HEADER poses {position {x: 1 y: 2 z: 3} orientation {x: 4 y: 5 z: 6 w: 7}} \
         poses {position {x: 8 y: 9 z: 10} orientation {x: 11 y: 12 z: 13 w: 14}}",
        "HEADER pose {position {x: 1 y: 2 z: 3} orientation {x: 4 y: 5 z: 6 w: 7}} \
         pose {position {x: 8 y: 9 z: 10} orientation {x: 11 y: 12 z: 13 w: 14}}",
    ),
    row(
        "tf2_msgs/msg/TFMessage",
        "Pose_V",
        "transforms {HEADER child_frame_id: \"car\" \
         transform {translation {x: 1 y: 2 z: 3} rotation {x: 4 y: 5 z: 6 w: 7}}} \
         transforms {header {stamp {sec: 8 nanosec: 9} frame_id: \"car\"} child_frame_id: \"arm\" \
         transform {translation {x: 10 y: 11 z: 12} rotation {x: 13 y: 14 z: 15 w: 16}}}",
        "header {stamp {sec: 3 nsec: 500000001}} \
         pose {HEADERS name: \"car\" position {x: 1 y: 2 z: 3} orientation {x: 4 y: 5 z: 6 w: 7}} \
         pose {header {stamp {sec: 8 nsec: 9} data {key: \"frame_id\" value: \"car\"} \
         data {key: \"child_frame_id\" value: \"arm\"}} \
         name: \"arm\" position {x: 10 y: 11 z: 12} orientation {x: 13 y: 14 z: 15 w: 16}}",
    ),
    row(
        "geometry_msgs/msg/Twist",
        "Twist",
        "linear {x: 1 y: 2 z: 3} angular {x: 4 y: 5 z: 6}",
        "linear {x: 1 y: 2 z: 3} angular {x: 4 y: 5 z: 6}",
    ),
    row(
        "geometry_msgs/msg/TwistStamped",
        "Twist",
        "HEADER twist {linear {x: 1 y: 2 z: 3} angular {x: 4 y: 5 z: 6}}",
        "HEADER linear {x: 1 y: 2 z: 3} angular {x: 4 y: 5 z: 6}",
    ),
    row(
        "geometry_msgs/msg/Wrench",
        "Wrench",
        "force {x: 1 y: 2 z: 3} torque {x: 4 y: 5 z: 6}",
        "force {x: 1 y: 2 z: 3} torque {x: 4 y: 5 z: 6}",
    ),
    row(
        "geometry_msgs/msg/WrenchStamped",
        "Wrench",
        "HEADER wrench {force {x: 1 y: 2 z: 3} torque {x: 4 y: 5 z: 6}}",
        "HEADER force {x: 1 y: 2 z: 3} torque {x: 4 y: 5 z: 6}",
    ),
    row(
        "nav_msgs/msg/Odometry",
        "Odometry",
        "HEADER child_frame_id: \"car\" \
         pose {pose {position {x: 1 y: 2 z: 3} orientation {x: 4 y: 5 z: 6 w: 7}} covariance: ONES_36} \
         twist {twist {linear {x: 8 y: 9 z: 10} angular {x: 11 y: 12 z: 13}} covariance: TWOS_36}",
        "HEADERS pose {position {x: 1 y: 2 z: 3} orientation {x: 4 y: 5 z: 6 w: 7}} \
         twist {linear {x: 8 y: 9 z: 10} angular {x: 11 y: 12 z: 13}}",
    )
    .received_as(
        "HEADER child_frame_id: \"car\" \
         pose {pose {position {x: 1 y: 2 z: 3} orientation {x: 4 y: 5 z: 6 w: 7}} covariance: ZEROS_36} \
         twist {twist {linear {x: 8 y: 9 z: 10} angular {x: 11 y: 12 z: 13}} covariance: ZEROS_36}",
    ),
    // Gazebo's message has no covariances up to Garden.
    row(
        "sensor_msgs/msg/Imu",
        "IMU",
        "HEADER orientation {x: 1 y: 2 z: 3 w: 4} orientation_covariance: ONES_9 \
         angular_velocity {x: 5 y: 6 z: 7} angular_velocity_covariance: TWOS_9 \
         linear_acceleration {x: 8 y: 9 z: 10} linear_acceleration_covariance: ONES_9",
        "HEADER entity_name: \"lab\" orientation {x: 1 y: 2 z: 3 w: 4} angular_velocity {x: 5 y: 6 z: 7} \
         linear_acceleration {x: 8 y: 9 z: 10}",
    )
    .received_as(
        "HEADER orientation {x: 1 y: 2 z: 3 w: 4} orientation_covariance: ZEROS_9 \
         angular_velocity {x: 5 y: 6 z: 7} angular_velocity_covariance: ZEROS_9 \
         linear_acceleration {x: 8 y: 9 z: 10} linear_acceleration_covariance: ZEROS_9",
    ),
    row(
        "sensor_msgs/msg/LaserScan",
        "LaserScan",
        "HEADER angle_min: -1.5 angle_max: 1.5 angle_increment: 3 time_increment: 0.25 scan_time: 0.5 \
         range_min: 0.125 range_max: 8 ranges: [1, 2] intensities: [3, 4]",
        "HEADER frame: \"lab\" angle_min: -1.5 angle_max: 1.5 angle_step: 3 range_min: 0.125 range_max: 8 \
         count: 2 vertical_count: 1 ranges: [1, 2] intensities: [3, 4]",
    )
    .received_as(
        "HEADER angle_min: -1.5 angle_max: 1.5 angle_increment: 3 range_min: 0.125 range_max: 8 \
         ranges: [1, 2] intensities: [3, 4]",
    ),
    row(
        "sensor_msgs/msg/PointCloud2",
        "PointCloudPacked",
        "HEADER height: 1 width: 2 fields {name: \"i\" offset: 4 datatype: 1 count: 1} \
         fields {name: \"x\" offset: 8 datatype: 7 count: 2} is_bigendian: true point_step: 3 row_step: 6 \
         is_dense: true",
        "HEADER field {name: \"i\" offset: 4 datatype: INT8 count: 1} \
         field {name: \"x\" offset: 8 datatype: FLOAT32 count: 2} height: 1 width: 2 is_bigendian: true point_step: 3 \
         row_step: 6 is_dense: true",
    )
    .with_bytes(),
    row(
        "sensor_msgs/msg/Image",
        "Image",
        "HEADER height: 1 width: 2 encoding: \"rgb8\" is_bigendian: 1 step: 6",
        "HEADER width: 2 height: 1 step: 6 pixel_format_type: RGB_INT8",
    )
    .received_as("HEADER height: 1 width: 2 encoding: \"rgb8\" step: 6")
    .with_bytes(),
    row(
        "sensor_msgs/msg/CameraInfo",
        "CameraInfo",
        "HEADER height: 1 width: 2 distortion_model: \"equidistant\" d: [1, 2, 3, 4, 5] \
         k: [1, 2, 3, 4, 5, 6, 7, 8, 9] r: [9, 8, 7, 6, 5, 4, 3, 2, 1] p: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] \
         binning_x: 3 binning_y: 4 roi {x_offset: 5 y_offset: 6 height: 7 width: 8 do_rectify: true}",
        "HEADER width: 2 height: 1 distortion {model: EQUIDISTANT k: [1, 2, 3, 4, 5]} \
         intrinsics {k: [1, 2, 3, 4, 5, 6, 7, 8, 9]} projection {p: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]} \
         rectification_matrix: [9, 8, 7, 6, 5, 4, 3, 2, 1]",
    )
    .received_as(
        "HEADER height: 1 width: 2 distortion_model: \"equidistant\" d: [1, 2, 3, 4, 5] \
         k: [1, 2, 3, 4, 5, 6, 7, 8, 9] r: [9, 8, 7, 6, 5, 4, 3, 2, 1] p: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]",
    ),
    row(
        "sensor_msgs/msg/NavSatFix",
        "NavSat",
        "HEADER status {status: 1 service: 2} latitude: 48.1 longitude: 11.6 altitude: 519 \
         position_covariance: ONES_9 position_covariance_type: 3",
        "HEADER latitude_deg: 48.1 longitude_deg: 11.6 altitude: 519 frame_id: \"lab\"",
    )
    .received_as("HEADER latitude: 48.1 longitude: 11.6 altitude: 519 position_covariance: ZEROS_9"),
    row(
        "sensor_msgs/msg/MagneticField",
        "Magnetometer",
        "HEADER magnetic_field {x: 1 y: 2 z: 3} magnetic_field_covariance: ONES_9",
        "HEADER field_tesla {x: 1 y: 2 z: 3}",
    )
    .received_as("HEADER magnetic_field {x: 1 y: 2 z: 3} magnetic_field_covariance: ZEROS_9"),
    row(
        "sensor_msgs/msg/FluidPressure",
        "FluidPressure",
        "HEADER fluid_pressure: 101325 variance: 2",
        "HEADER pressure: 101325 variance: 2",
    ),
    row(
        "sensor_msgs/msg/BatteryState",
        "BatteryState",
        "HEADER voltage: 12.5 temperature: 20 current: -1.5 charge: 2.5 capacity: 4 design_capacity: 5 \
         percentage: 0.625 power_supply_status: 2 power_supply_health: 1 power_supply_technology: 3 present: true \
         cell_voltage: [4, 4.5] cell_temperature: [21, 22] location: \"left\" serial_number: \"7\"",
        "HEADER voltage: 12.5 current: -1.5 charge: 2.5 capacity: 4 percentage: 62.5 \
         power_supply_status: DISCHARGING",
    )
    .received_as(
        "HEADER voltage: 12.5 temperature: nan current: -1.5 charge: 2.5 capacity: 4 design_capacity: nan \
         percentage: 0.625 power_supply_status: 2 present: true",
    ),
    row(
        "sensor_msgs/msg/JointState",
        "Model",
        "HEADER name: [\"hip\", \"knee\"] position: [1, 2] velocity: [3, 4] effort: [5, 6]",
        "HEADER joint {name: \"hip\" axis1 {position: 1 velocity: 3 force: 5}} \
         joint {name: \"knee\" axis1 {position: 2 velocity: 4 force: 6}}",
    ),
    row(
        "ros_gz_interfaces/msg/Altimeter",
        "Altimeter",
        "HEADER vertical_position: 1 vertical_velocity: 2 vertical_reference: 3",
        "HEADER vertical_position: 1 vertical_velocity: 2 vertical_reference: 3",
    ),
    row(
        "ros_gz_interfaces/msg/LogicalCameraImage",
        "LogicalCameraImage",
        "HEADER pose {position {x: 1 y: 2 z: 3} orientation {x: 4 y: 5 z: 6 w: 7}} \
         model {name: \"box\" pose {position {x: 8 y: 9 z: 10} orientation {x: 11 y: 12 z: 13 w: 14}}}",
        "HEADER pose {position {x: 1 y: 2 z: 3} orientation {x: 4 y: 5 z: 6 w: 7}} \
         model {name: \"box\" pose {position {x: 8 y: 9 z: 10} orientation {x: 11 y: 12 z: 13 w: 14}}}",
    ),
    row(
        "actuator_msgs/msg/Actuators",
        "Actuators",
        "HEADER position: [1, 2] velocity: [3, 4] normalized: [5, 6]",
        "HEADER position: [1, 2] velocity: [3, 4] normalized: [5, 6]",
    ),
    row(
        "trajectory_msgs/msg/JointTrajectory",
        "JointTrajectory",
        "HEADER joint_names: [\"hip\", \"knee\"] points {positions: [1, 2] velocities: [3, 4] accelerations: [5, 6] \
         effort: [7, 8] time_from_start {sec: 9 nanosec: 10}}",
        "HEADER joint_names: [\"hip\", \"knee\"] points {positions: [1, 2] velocities: [3, 4] accelerations: [5, 6] \
         effort: [7, 8] time_from_start {sec: 9 nsec: 10}}",
    ),
];
