//! The rows of CLOiSim's plugins. Constant data.

use Provider::{Host, Plugin, Sensor, Sensors};

use crate::names::name::{
    Change, Family, NOTHING, Name, Parameter, Part, Provider, Translation, changed, each, keep,
};

const fn cloisim(names: &'static [&'static str], provider: Provider, translation: Translation) -> Name {
    Name { family: Family::CloisimPlugin, names, provider, translation }
}

/// Publishing parameters of CLOiSim's sensor plugins.
const ROS_NAMES: &[Parameter] = &[TOPIC_NAME, FRAME_ID];

const TOPIC_NAME: Parameter = changed("ros2/topic_name", "topic", Change::PartsName);

const FRAME_ID: Parameter = changed("ros2/frame_id", "frame_id", Change::FrameId);

const SENSOR: Translation = Translation { parameters: ROS_NAMES, ..Translation::NONE };

/// The messages of CLOiSim contain the pose of the sensor.
const RANGER: Translation =
    Translation { parameters: ROS_NAMES, defaults: &[("world_pose", "true")], ..Translation::NONE };

/// Only depth sensors are supported; `depth_scale` applies to pixels that are not in metres.
const CAMERA: Translation = Translation {
    parameters: ROS_NAMES,
    left_out: &["tof"],
    for_bridges: &["configuration/depth_scale"],
    ..Translation::NONE
};

/// Its frames are the names of cameras, in the order of their images.
const MULTI_CAMERA: Translation =
    Translation { parameters: &[TOPIC_NAME], for_bridges: &["ros2/frame_id"], ..Translation::NONE };

const SEGMENTATION_CAMERA: Translation =
    Translation { parameters: ROS_NAMES, for_bridges: &["segmentation"], ..Translation::NONE };

const LASER: Translation = Translation {
    parameters: &[
        TOPIC_NAME,
        FRAME_ID,
        keep("filter/angle/horizontal/lower", "filter_angle_min"),
        keep("filter/angle/horizontal/upper", "filter_angle_max"),
        keep("filter/range/min", "filter_range_min"),
        keep("filter/range/max", "filter_range_max"),
        keep("output_type", "output_type"),
        keep("intensity", "intensity"),
    ],
    left_out: &["custom_noise", "scan/pattern"],
    ..Translation::NONE
};

/// `tread` and `base` are older names of `separation`.
const MICOM: Translation = Translation {
    parameters: &[
        keep("wheel/radius", "wheel_radius"),
        keep("wheel/separation", "wheel_separation"),
        keep("wheel/tread", "wheel_separation"),
        keep("wheel/base", "wheel_separation"),
        each("wheel/location[@type='left']", "left_joint", Change::Joint),
        each("wheel/location[@type='rear_left']", "left_joint", Change::Joint),
        each("wheel/location[@type='right']", "right_joint", Change::Joint),
        each("wheel/location[@type='rear_right']", "right_joint", Change::Joint),
        keep("update_rate", "odom_publish_frequency"),
        changed("imu", "imu_topic", Change::Topic("imu")),
    ],
    // A command of CLOiSim holds until the next one.
    defaults: &[("odom_publish_frequency", "20"), ("command_timeout", "0")],
    left_out: &[
        "PID",
        "wheel/PID",
        "wheel/friction",
        "self_balanced",
        "magnet",
        "mowing",
        "display",
        "debug",
    ],
    for_bridges: &["uss", "ir", "bumper", "ros2/topic_name", "ros2/frame_id"],
    parts: &[BATTERY, TRANSFORMS],
    ..Translation::NONE
};

/// The voltage is in the `<battery>` of a link. In a saved world it is the battery's.
const BATTERY: Part = Part {
    plugin: "battery",
    takes: &["battery"],
    parameters: &[
        changed("battery/voltage/@name", "voltage", Change::Voltage),
        keep("battery/voltage/@name", "battery_name"),
        keep("battery/voltage/consumption", "voltage_drop"),
        keep("update_rate", "update_rate"),
        changed(SAVED, SAVED, Change::Whole),
    ],
    defaults: &[("update_rate", "20"), ("topic", "battery_state")],
};

/// Parameters that plugins add to a saved world.
const SAVED: &str = "bridgehead:saved";

const TRANSFORMS: Part = Part {
    plugin: "link_transforms",
    takes: &["ros2/transforms", "ros2/static_transforms"],
    parameters: &[
        each("ros2/transforms/link", "link", Change::Whole),
        each("ros2/static_transforms/link", "static_link", Change::Whole),
        keep("update_rate", "update_rate"),
    ],
    defaults: &[("update_rate", "20")],
};

/// `link` is an older name of `joint`.
const JOINT_CONTROL: Translation = Translation {
    parameters: JOINTS,
    for_bridges: &["ros2"],
    parts: &[JOINT_STATES, JOINT_TRANSFORMS],
    ..Translation::NONE
};

const JOINTS: &[Parameter] =
    &[each("joints/joint", "joint_name", Change::Joint), each("joints/link", "joint_name", Change::Joint)];

const JOINT_STATES: Part = Part {
    plugin: "joint_state",
    takes: &[],
    parameters: &[
        each("joints/joint", "joint_name", Change::Joint),
        each("joints/link", "joint_name", Change::Joint),
        keep("update_rate", "update_rate"),
    ],
    defaults: &[("update_rate", "20")],
};

/// Poses of the links that the joints carry.
const JOINT_TRANSFORMS: Part = Part {
    plugin: "link_transforms",
    takes: &["joints/joint", "joints/link"],
    parameters: &[
        each("joints/joint", "link", Change::CarriedLink),
        each("joints/link", "link", Change::CarriedLink),
        keep("update_rate", "update_rate"),
    ],
    defaults: &[("update_rate", "20")],
};

const GROUND_TRUTH: Translation = Translation {
    parameters: &[keep("publish_frequency", "update_rate"), each("list/target", "target", Change::Whole)],
    // CLOiSim reports the frame of the model.
    defaults: &[("update_rate", "1"), ("position", "model")],
    left_out: &["props"],
    for_bridges: &["list/target/@class_id"],
    ..Translation::NONE
};

pub(super) const NAMES: &[Name] = &[
    cloisim(&["MicomPlugin"], Plugin("diff_drive"), MICOM),
    cloisim(&["JointControlPlugin"], Plugin("joint_command"), JOINT_CONTROL),
    cloisim(&["GroundTruthPlugin"], Plugin("ground_truth"), GROUND_TRUTH),
    cloisim(&["ActorPlugin"], Plugin("actor"), Translation::NONE),
    cloisim(&["ElevatorSystem", "ElevatorSystemPlugin"], Plugin("elevator_system"), Translation::NONE),
    // The bridge `cloisim` passes goals to the plugins of the actors.
    cloisim(&["ActorControlPlugin"], Host, Translation::NONE),
    cloisim(&["CameraPlugin"], Sensor, CAMERA),
    cloisim(&["ContactPlugin"], Sensor, SENSOR),
    cloisim(&["GpsPlugin"], Sensor, SENSOR),
    cloisim(&["IRPlugin"], Sensor, RANGER),
    cloisim(&["ImuPlugin"], Sensor, SENSOR),
    cloisim(&["LaserPlugin"], Sensor, LASER),
    cloisim(&["LogicalCameraPlugin"], Sensor, SENSOR),
    cloisim(&["MultiCameraPlugin"], Sensor, MULTI_CAMERA),
    cloisim(&["RealSensePlugin"], Sensors, Translation::NONE),
    cloisim(&["SegmentationCameraPlugin"], Sensor, SEGMENTATION_CAMERA),
    cloisim(&["SonarPlugin"], Sensor, RANGER),
    cloisim(&["ClothGrabberPlugin"], NOTHING, Translation::NONE),
    cloisim(&["ClothPlugin"], NOTHING, Translation::NONE),
    cloisim(&["LensFlareSensorPlugin"], NOTHING, Translation::NONE),
    cloisim(&["MowingPlugin"], NOTHING, Translation::NONE),
    cloisim(&["ParticleSystemPlugin"], NOTHING, Translation::NONE),
];
