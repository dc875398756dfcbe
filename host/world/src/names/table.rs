//! The rows of the table of names, in the order of `docs/names.md`, which is generated from them. Constant data.
//! Only parameters that differ are listed: plugins that replace a system of Gazebo read its own parameters.

mod cloisim;
mod ros;

use Provider::{Elsewhere, Host, Plugin, Sensor, Unsupported};

use super::name::{Family, NOTHING, Name, Provider, Translation, keep};

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

/// Every known name, in the order of the page.
pub fn names() -> impl Iterator<Item = &'static Name> + Clone {
    [OF_GAZEBO, cloisim::NAMES, ros::NAMES].into_iter().flatten()
}

/// The names of Gazebo and of SDF.
const OF_GAZEBO: &[Name] = &[
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
];
