//! The rows of ROS's plugins for Gazebo. Constant data.
//!
//! Names, parameters and defaults are those of `gazebo_ros_pkgs`, branch `ros2`, and for spellings of ROS 1 those of its
//! branch `noetic-devel`.

use Provider::{Elsewhere, Plugin, Sensor, Unsupported};

use crate::names::name::{
    Change, Family, Name, Parameter, Part, Provider, RosTopic, Translation, changed, each, keep,
};

const fn ros(names: &'static [&'static str], provider: Provider, translation: Translation) -> Name {
    Name { family: Family::RosPlugin, names, provider, translation }
}

const fn hint(names: &'static [&'static str], instead: &'static str) -> Name {
    ros(names, Unsupported(instead), Translation::NONE)
}

const fn topic(from: &'static str, ros1: &'static str, to: &'static str) -> RosTopic {
    RosTopic { from, ros1, to, only_remapped: false }
}

const TF: RosTopic = RosTopic { from: "/tf", ros1: "", to: "tf_topic", only_remapped: true };

/// The wheels turn as fast as the torque allows; the odometry is that of the wheels.
const DIFF_DRIVE: Translation = Translation {
    parameters: &[
        each("leftJoint", "left_joint", Change::Keep),
        each("rightJoint", "right_joint", Change::Keep),
        keep("wheelSeparation", "wheel_separation"),
        changed("wheel_diameter", "wheel_radius", Change::Half),
        changed("wheelDiameter", "wheel_radius", Change::Half),
        keep("wheelTorque", "max_wheel_torque"),
        keep("update_rate", "odom_publish_frequency"),
        keep("updateRate", "odom_publish_frequency"),
        keep("odometry_frame", "frame_id"),
        keep("odometryFrame", "frame_id"),
        keep("robot_base_frame", "child_frame_id"),
        keep("robotBaseFrame", "child_frame_id"),
        keep("publish_odom_tf", "publish_tf"),
        keep("publishOdomTF", "publish_tf"),
    ],
    defaults: &[
        ("wheel_separation", "0.34"),
        ("wheel_radius", "0.075"),
        ("max_wheel_torque", "5"),
        ("odom_publish_frequency", "100"),
        ("frame_id", "odom"),
        ("child_frame_id", "base_footprint"),
        ("publish_tf", "false"),
        // A command holds until the next one.
        ("command_timeout", "0"),
    ],
    needless: &["num_wheel_pairs", "publish_odom", "legacyMode", "rosDebugLevel"],
    topics: &[topic("cmd_vel", "commandTopic", "topic"), topic("odom", "odometryTopic", "odom_topic"), TF],
    ..Translation::NONE
};

const SKID_STEER: Translation = Translation {
    parameters: &[
        each("leftFrontJoint", "left_joint", Change::Keep),
        each("leftRearJoint", "left_joint", Change::Keep),
        each("rightFrontJoint", "right_joint", Change::Keep),
        each("rightRearJoint", "right_joint", Change::Keep),
        keep("wheelSeparation", "wheel_separation"),
        changed("wheelDiameter", "wheel_radius", Change::Half),
        keep("torque", "max_wheel_torque"),
        keep("updateRate", "odom_publish_frequency"),
        keep("odometryFrame", "frame_id"),
        keep("robotBaseFrame", "child_frame_id"),
        keep("broadcastTF", "publish_tf"),
    ],
    defaults: &[
        ("wheel_separation", "0.4"),
        ("wheel_radius", "0.075"),
        ("max_wheel_torque", "5"),
        ("odom_publish_frequency", "100"),
        ("frame_id", "odom"),
        ("child_frame_id", "base_footprint"),
        ("command_timeout", "0"),
    ],
    topics: DIFF_DRIVE.topics,
    ..Translation::NONE
};

const PLANAR_MOVE: Translation = Translation {
    needless: &["publish_odom", "update_rate"],
    topics: &[topic("cmd_vel", "commandTopic", "topic"), topic("odom", "odometryTopic", "odom_topic"), TF],
    parts: &[PLANAR_ODOMETRY],
    ..Translation::NONE
};

const PLANAR_ODOMETRY: Part = Part {
    plugin: "odometry_publisher",
    takes: &[],
    parameters: &[
        keep("odom_topic", "odom_topic"),
        keep("tf_topic", "tf_topic"),
        keep("odometry_frame", "odom_frame"),
        keep("odometryFrame", "odom_frame"),
        keep("robot_base_frame", "robot_base_frame"),
        keep("robotBaseFrame", "robot_base_frame"),
        keep("publish_rate", "odom_publish_frequency"),
        keep("odometryRate", "odom_publish_frequency"),
    ],
    defaults: &[
        ("odom_publish_frequency", "20"),
        ("odom_frame", "odom"),
        ("robot_base_frame", "base_footprint"),
    ],
};

const JOINT_STATES: Translation = Translation {
    parameters: &[keep("updateRate", "update_rate")],
    defaults: &[("update_rate", "100")],
    topics: &[topic("joint_states", "", "topic")],
    ..Translation::NONE
};

const FRAME: Parameter = keep("frame_name", "frame_id");

const FRAME_OF_ROS1: Parameter = keep("frameName", "frame_id");

/// The rate is that of the `<sensor>`. The one of ROS 1 is the same for its files, which limit both.
const RATES: &[&str] = &["update_rate", "updateRate", "updateRateHZ", "always_on", "alwaysOn"];

const RAY: Translation = Translation {
    parameters: &[FRAME, FRAME_OF_ROS1, changed("output_type", "output_type", Change::MessageName)],
    defaults: &[("output_type", "PointCloud2")],
    needless: RATES,
    topics: &[topic("~/out", "topicName", "topic")],
    ..Translation::NONE
};

/// The lasers of ROS 1, whose name says what they send.
const LASER: Translation = Translation {
    parameters: &[FRAME, FRAME_OF_ROS1],
    needless: RATES,
    topics: &[topic("~/out", "topicName", "topic")],
    ..Translation::NONE
};

const IMU: Translation = Translation {
    parameters: &[FRAME, FRAME_OF_ROS1],
    needless: &[
        "update_rate",
        "updateRate",
        "updateRateHZ",
        "always_on",
        "alwaysOn",
        "bodyName",
        "serviceName",
    ],
    topics: &[topic("~/out", "topicName", "topic")],
    ..Translation::NONE
};

const GPS: Translation = Translation {
    parameters: &[FRAME, FRAME_OF_ROS1],
    needless: RATES,
    topics: &[topic("~/out", "topicName", "topic")],
    ..Translation::NONE
};

/// The intrinsic values that are given are computed here from the field of view.
const CAMERA: Translation = Translation {
    parameters: &[FRAME, FRAME_OF_ROS1],
    needless: &["update_rate", "updateRate", "always_on", "alwaysOn", "triggered"],
    topics: &[topic("{camera_name}", "cameraName", "topic")],
    ..Translation::NONE
};

const BUMPER: Translation = Translation {
    parameters: &[FRAME, FRAME_OF_ROS1],
    needless: RATES,
    topics: &[topic("bumper_states", "bumperTopicName", "topic")],
    ..Translation::NONE
};

const BRIDGES: Provider = Elsewhere(
    "the bridges `ros2` and `rosbridge` serve the clock, the entities and the state of the simulation",
);

pub(super) const NAMES: &[Name] = &[
    ros(&["gazebo_ros_diff_drive"], Plugin("diff_drive"), DIFF_DRIVE),
    ros(&["gazebo_ros_joint_state_publisher"], Plugin("joint_state"), JOINT_STATES),
    ros(&["gazebo_ros_planar_move"], Plugin("velocity_control"), PLANAR_MOVE),
    ros(&["gazebo_ros_skid_steer_drive"], Plugin("diff_drive"), SKID_STEER),
    ros(&["gazebo_ros_wheel_slip"], Plugin("wheel_slip"), Translation::NONE),
    ros(&["gazebo_ros_bumper"], Sensor, BUMPER),
    ros(
        &[
            "gazebo_ros_camera",
            "gazebo_ros_depth_camera",
            "gazebo_ros_multicamera",
            "gazebo_ros_openni_kinect",
        ],
        Sensor,
        CAMERA,
    ),
    ros(&["gazebo_ros_gps_sensor"], Sensor, GPS),
    ros(&["gazebo_ros_imu_sensor"], Sensor, IMU),
    ros(&["gazebo_ros_laser", "gazebo_ros_gpu_laser"], Sensor, LASER),
    ros(
        &[
            "gazebo_ros_ray_sensor",
            "gazebo_ros_gpu_ray_sensor",
            "gazebo_ros_block_laser",
            "gazebo_ros_velodyne_laser",
            "gazebo_ros_velodyne_gpu_laser",
        ],
        Sensor,
        RAY,
    ),
    ros(
        &[
            "gazebo_ros_init",
            "gazebo_ros_factory",
            "gazebo_ros_state",
            "gazebo_ros_force_system",
            "gazebo_ros_properties",
            "gazebo_ros_api_plugin",
            "gazebo_ros_paths_plugin",
        ],
        BRIDGES,
        Translation::NONE,
    ),
    ros(
        &["gz_ros2_control-system", "ign_ros2_control-system", "gazebo_ros2_control"],
        Elsewhere(
            "the joints of a `<ros2_control>` in a URDF are driven by plugins, for the controllers of its `<parameters>` \
             or for others outside of the host",
        ),
        Translation::NONE,
    ),
    hint(
        &["gazebo_ros_ackermann_drive"],
        "`gz-sim-ackermann-steering-system` drives such a car, with `left_joint`, `right_joint`, `left_steering_joint`, \
         `right_steering_joint`, `wheel_radius`, `wheel_base` and `kingpin_width`",
    ),
    hint(
        &["gazebo_ros_control"],
        "joints are driven by `gz-sim-joint-position-controller-system`, `gz-sim-joint-controller-system` or \
         `gz-sim-joint-trajectory-controller-system`",
    ),
    hint(&["gazebo_ros_elevator"], "`gz-sim-elevator-system` moves a cabin between floors"),
    hint(
        &["gazebo_ros_f3d", "gazebo_ros_ft_sensor"],
        "a `<sensor type=\"force_torque\">` in the `<joint>` measures force and torque",
    ),
    hint(
        &["gazebo_ros_force"],
        "`gz-sim-apply-link-wrench-system` applies the wrench of a message that names the link",
    ),
    hint(
        &["gazebo_ros_imu"],
        "a `<sensor type=\"imu\">` in the link publishes acceleration, angular velocity and orientation",
    ),
    hint(
        &["gazebo_ros_joint_pose_trajectory"],
        "`gz-sim-joint-trajectory-controller-system` moves joints along a trajectory",
    ),
    hint(
        &["gazebo_ros_p3d"],
        "`gz-sim-odometry-publisher-system` publishes the pose from the start, `gz-sim-pose-publisher-system` that in \
         the world",
    ),
    hint(&["gazebo_ros_range"], "a `<sensor type=\"sonar\">` publishes a range"),
    hint(
        &["gazebo_ros_tricycle_drive"],
        "`gz-sim-joint-controller-system` drives the wheel, `gz-sim-joint-position-controller-system` steers it",
    ),
    hint(&["gazebo_ros_vacuum_gripper"], "`gz-sim-detachable-joint-system` attaches a part to a link"),
];
