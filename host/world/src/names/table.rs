//! The rows of the table of names, in the order of `docs/names.md`, which is generated from them. Constant data.
//! Only parameters that differ are listed: plugins that replace a system of Gazebo read its own parameters.

use Provider::{Elsewhere, Host, Plugin, Sensor, Sensors, Unsupported};

use super::name::{Change, Family, Name, Parameter, Part, Provider, Translation};

const fn system(names: &'static [&'static str], provider: Provider) -> Name {
    Name { family: Family::GazeboSystem, names, provider, translation: Translation::NONE }
}

const fn sensor(names: &'static [&'static str], provider: Provider) -> Name {
    Name { family: Family::Sensor, names, provider, translation: Translation::NONE }
}

/// Returns the row of a drive of Gazebo, which keeps a command until the next one.
const fn drive(names: &'static [&'static str], provider: Provider) -> Name {
    let translation = Translation { defaults: &[("command_timeout", "0")], ..Translation::NONE };
    Name { family: Family::GazeboSystem, names, provider, translation }
}

/// In Gazebo the topic of a thruster is below the name of its model.
const THRUSTER: Name = Name {
    family: Family::GazeboSystem,
    names: &["thruster"],
    provider: Plugin("thruster"),
    translation: Translation { parameters: &[keep("topic", "model_topic")], ..Translation::NONE },
};

/// It is inside a thermal camera.
const THERMAL_SENSOR: Name = Name {
    family: Family::GazeboSystem,
    names: &["thermal-sensor"],
    provider: Sensor,
    translation: Translation {
        parameters: &[
            keep("min_temp", "min_temp"),
            keep("max_temp", "max_temp"),
            keep("resolution", "resolution"),
        ],
        ..Translation::NONE
    },
};

/// In Gazebo the pose of the model is published with those of nested models, which are not by default.
const POSE_PUBLISHER: Name = Name {
    family: Family::GazeboSystem,
    names: &["pose-publisher"],
    provider: Plugin("model_pose"),
    translation: Translation {
        parameters: &[keep("publish_nested_model_pose", "publish_model_pose")],
        defaults: &[("publish_each_pose", "true"), ("publish_model_pose", "false")],
        ..Translation::NONE
    },
};

const fn cloisim(names: &'static [&'static str], provider: Provider, translation: Translation) -> Name {
    Name { family: Family::CloisimPlugin, names, provider, translation }
}

const fn keep(from: &'static str, to: &'static str) -> Parameter {
    Parameter { from, to, is_list: false, change: Change::Keep }
}

const fn changed(from: &'static str, to: &'static str, change: Change) -> Parameter {
    Parameter { from, to, is_list: false, change }
}

const fn each(from: &'static str, to: &'static str, change: Change) -> Parameter {
    Parameter { from, to, is_list: true, change }
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

const NOTHING: Provider = Unsupported("");

/// Every known name.
pub const NAMES: &[Name] = &[
    // Systems of Gazebo with a plugin.
    drive(&["ackermann-steering"], Plugin("ackermann")),
    system(&["acoustic-comms"], Plugin("acoustic_comms")),
    system(&["advanced-lift-drag"], Plugin("advanced_lift_drag")),
    system(&["apply-joint-force"], Plugin("apply_joint_force")),
    system(&["apply-link-wrench"], Plugin("apply_link_wrench")),
    system(&["breadcrumbs"], Plugin("breadcrumbs")),
    system(&["buoyancy"], Plugin("buoyancy")),
    system(&["buoyancy-engine"], Plugin("buoyancy_engine")),
    system(&["comms-endpoint"], Plugin("comms_endpoint")),
    system(&["detachable-joint"], Plugin("detachable_joint")),
    drive(&["diff-drive"], Plugin("diff_drive")),
    system(&["elevator"], Plugin("elevator")),
    system(&["hydrodynamics"], Plugin("hydrodynamics")),
    system(&["joint-controller"], Plugin("joint_velocity")),
    system(&["joint-position-controller"], Plugin("joint_position")),
    system(&["joint-state-publisher"], Plugin("joint_state")),
    system(&["joint-trajectory-controller"], Plugin("joint_trajectory")),
    system(&["kinetic-energy-monitor"], Plugin("kinetic_energy")),
    system(&["lift-drag"], Plugin("lift_drag")),
    system(&["linearbatteryplugin"], Plugin("battery")),
    drive(&["mecanum-drive"], Plugin("mecanum_drive")),
    system(&["multicopter-control", "MulticopterVelocityControl"], Plugin("multicopter_control")),
    system(&["multicopter-motor-model"], Plugin("multicopter_motor")),
    system(&["odometry-publisher"], Plugin("odometry_publisher")),
    system(&["perfect-comms"], Plugin("perfect_comms")),
    POSE_PUBLISHER,
    system(&["rf-comms"], Plugin("rf_comms")),
    THRUSTER,
    system(&["touchplugin"], Plugin("touch")),
    system(&["track-controller"], Plugin("track_controller")),
    drive(&["tracked-vehicle"], Plugin("tracked_vehicle")),
    system(&["trajectory-follower"], Plugin("trajectory_follower")),
    system(&["triggered-publisher"], Plugin("triggered_publisher")),
    system(&["velocity-control"], Plugin("velocity_control")),
    system(&["wheel-slip"], Plugin("wheel_slip")),
    system(&["wind-effects"], Plugin("wind_effects")),
    THERMAL_SENSOR,
    // Systems for functions that the host always has.
    system(&["air-pressure"], Host),
    system(&["air-speed"], Host),
    system(&["altimeter"], Host),
    system(&["contact"], Host),
    system(&["cpu-lidar"], Host),
    system(&["dvl", "DopplerVelocityLogSystem"], Host),
    system(&["forcetorque"], Host),
    system(&["imu"], Host),
    system(&["label"], Host),
    system(&["logical-camera"], Host),
    system(&["magnetometer"], Host),
    system(&["navsat"], Host),
    // An emitter is an element of a link, which is reported as one without effect.
    system(&["particle-emitter"], Host),
    system(&["physics"], Host),
    system(&["scene-broadcaster"], Host),
    system(&["sensors"], Host),
    system(&["user-commands"], Host),
    // Systems whose function has another place here.
    system(
        &["camera-video-recorder"],
        Elsewhere("`bridgehead run --record FILE.mcap` records the images of all cameras"),
    ),
    system(
        &["log", "LogRecord", "LogPlayback"],
        Elsewhere(
            "record with `bridgehead run --record FILE.mcap` or the bridge `logging`, play with `replay`",
        ),
    ),
    // Systems without a counterpart.
    system(&["collada-world-exporter"], NOTHING),
    system(&["drive-to-pose-controller"], NOTHING),
    system(&["environment-preload"], NOTHING),
    system(&["environmental-sensor"], NOTHING),
    system(&["follow-actor"], NOTHING),
    system(&["led-plugin"], NOTHING),
    system(&["lens-flare"], NOTHING),
    system(&["lighter_than_air_dynamics"], NOTHING),
    system(&["log-video-recorder"], NOTHING),
    system(&["logicalaudiosensorplugin"], NOTHING),
    system(&["lookup-wheel-slip"], NOTHING),
    system(&["model-photo-shoot"], NOTHING),
    system(&["opticaltactileplugin"], NOTHING),
    system(&["performer-detector"], NOTHING),
    system(&["python-system-loader"], NOTHING),
    system(&["shader-param"], NOTHING),
    system(&["spacecraft-thruster-model"], NOTHING),
    system(&["thermal"], Unsupported("its place is a `<visual>`, to which it gives a temperature")),
    // Types of `<sensor>`.
    sensor(&["air_pressure"], Plugin("air_pressure")),
    sensor(&["air_speed"], Plugin("air_speed")),
    sensor(&["altimeter"], Plugin("altimeter")),
    sensor(&["boundingbox_camera", "boundingbox"], Plugin("boundingbox_camera")),
    sensor(&["camera"], Plugin("camera")),
    sensor(&["contact"], Plugin("contact")),
    sensor(&["depth_camera", "depth"], Plugin("depth_camera")),
    sensor(&["dvl"], Plugin("dvl")),
    sensor(&["force_torque"], Plugin("force_torque")),
    sensor(&["imu"], Plugin("imu")),
    sensor(&["lidar", "gpu_lidar", "ray", "gpu_ray"], Plugin("lidar")),
    sensor(&["logical_camera"], Plugin("logical_camera")),
    sensor(&["magnetometer"], Plugin("magnetometer")),
    sensor(&["multicamera"], Plugin("multicamera")),
    sensor(&["navsat", "gps"], Plugin("navsat")),
    sensor(&["rgbd_camera", "rgbd"], Plugin("rgbd_camera")),
    sensor(&["segmentation_camera", "segmentation"], Plugin("segmentation_camera")),
    sensor(&["sonar"], Plugin("sonar")),
    sensor(&["thermal_camera", "thermal"], Plugin("thermal_camera")),
    sensor(&["wideanglecamera"], Plugin("wide_angle_camera")),
    sensor(&["custom"], NOTHING),
    sensor(&["rfid"], NOTHING),
    sensor(&["rfidtag"], NOTHING),
    sensor(&["wireless_receiver"], NOTHING),
    sensor(&["wireless_transmitter"], NOTHING),
    // Plugins of CLOiSim.
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
