//! The expected results of each of Gazebo's worlds in ten simulated seconds with steps of one millisecond.

/// One world.
pub(super) struct Row {
    /// Name in the folder.
    pub(super) file: &'static str,
    /// Topic, step and message of each command.
    pub(super) commands: &'static [(&'static str, u64, &'static str)],
    /// Topics by name, with the number of messages: rate times seconds.
    pub(super) topics: &'static [(&'static str, usize)],
    /// Sensor types and systems that are reported as unsupported.
    pub(super) unsupported: &'static [&'static str],
}

impl Row {
    /// The commands as the replay bridge reads them.
    pub(super) fn commands(&self) -> String {
        let line = |(topic, step, message): &(&str, u64, &str)| {
            format!("{{\"topic\":\"{topic}\",\"step\":{step},\"message\":{message}}}\n")
        };
        self.commands.iter().map(line).collect()
    }
}

/// Simulated seconds of a run.
pub(super) const SECONDS: usize = 10;

/// Default rate of odometry, messages per second.
const ODOMETRY: usize = 50;

/// The worlds.
pub(super) const TABLE: &[Row] = &[
    Row {
        file: "sensors.sdf",
        commands: &[],
        topics: &[
            ("/force_torque_demo/force_torque", 10 * SECONDS),
            ("/sensors_box/air_pressure", 2 * 30 * SECONDS),
            ("/sensors_box/altimeter", 30 * SECONDS),
            ("/sensors_box/imu", 100 * SECONDS),
            ("/sensors_box/magnetometer", 100 * SECONDS),
        ],
        unsupported: &[],
    },
    Row {
        file: "gpu_lidar_sensor.sdf",
        commands: &[],
        topics: &[
            ("/model_with_lidar/lidar", 10 * SECONDS),
            ("/model_with_lidar/lidar/points", 10 * SECONDS),
        ],
        unsupported: &[],
    },
    Row {
        file: "cpu_lidar_sensor.sdf",
        commands: &[],
        topics: &[("/cpu_lidar", 10 * SECONDS), ("/cpu_lidar/points", 10 * SECONDS)],
        unsupported: &[],
    },
    Row {
        file: "logical_camera_sensor.sdf",
        commands: &[],
        topics: &[("/logical_camera/logical_camera", 10 * SECONDS)],
        unsupported: &[],
    },
    Row {
        file: "triggered_publisher.sdf",
        commands: &[("/start", 100, "{}")],
        topics: &[
            ("/altimeter", 30 * SECONDS),
            ("/box1/detach", 1),
            // Starts five seconds after the box has landed on the ground; one with each message of its altimeter.
            ("/box2/detach", 83),
            ("/cmd_vel", 1),
            ("/start", 1),
            ("/tf", ODOMETRY * SECONDS),
            ("/trigger/contact", 1000 * SECONDS),
            ("/trigger/detachable_joint/state", 4),
            ("/trigger/touched", 1),
            ("/vehicle_blue/odom", ODOMETRY * SECONDS),
        ],
        unsupported: &[],
    },
    Row {
        file: "joint_controller.sdf",
        commands: &[
            ("/joint_controller_demo_2/joint/j1/cmd_vel", 1000, "{\"data\":10}"),
            ("/joint_controller_demo/joint/j1/cmd_vel", 2000, "{\"data\":-1}"),
        ],
        topics: &[
            ("/joint_controller_demo/joint/j1/cmd_vel", 1),
            ("/joint_controller_demo_2/joint/j1/cmd_vel", 1),
        ],
        unsupported: &[],
    },
    Row {
        file: "joint_position_controller.sdf",
        commands: &[("/rotor_cmd", 1000, "{\"data\":-1}")],
        topics: &[("/rotor_cmd", 1)],
        unsupported: &[],
    },
    Row {
        file: "joint_trajectory_controller.sdf",
        commands: &[
            ("/RR_position_control/joint_trajectory", 1000, POSITIONS),
            ("/RR_velocity_control/joint_trajectory", 1000, VELOCITIES),
            ("/custom_topic_effort_control", 1000, EFFORTS),
        ],
        topics: &[
            ("/RR_position_control/joint_trajectory", 1),
            ("/RR_position_control/joint_trajectory_progress", 2),
            ("/RR_velocity_control/joint_trajectory", 1),
            ("/RR_velocity_control/joint_trajectory_progress", 1),
            ("/custom_topic_effort_control", 1),
            ("/custom_topic_effort_control_progress", 1),
        ],
        unsupported: &[],
    },
    Row {
        file: "velocity_control.sdf",
        commands: &[("/vehicle_blue/cmd_vel", 1000, "{\"linear\":{\"x\":0.5},\"angular\":{\"z\":0.1}}")],
        topics: &[("/vehicle_blue/cmd_vel", 1)],
        unsupported: &[],
    },
    Row {
        file: "ackermann_steering.sdf",
        commands: &[("/vehicle_blue/cmd_vel", 1000, "{\"linear\":{\"x\":0.5},\"angular\":{\"z\":0.1}}")],
        topics: &[
            ("/tf", ODOMETRY * SECONDS),
            ("/vehicle_blue/can_bus", 10 * SECONDS),
            ("/vehicle_blue/cmd_vel", 1),
            ("/vehicle_blue/odom", ODOMETRY * SECONDS),
        ],
        unsupported: &[],
    },
    Row { file: "nested_model.sdf", commands: &[], topics: &[], unsupported: &[] },
    Row {
        file: "detachable_joint.sdf",
        commands: &[("/B1/detach", 3000, "{}"), ("/B2/detach", 4000, "{}"), ("/B2/attach", 6000, "{}")],
        topics: &[
            ("/B1/detach", 1),
            ("/B1/state", 2),
            ("/B2/attach", 1),
            ("/B2/detach", 1),
            ("/B2/state", 3),
            ("/B3/state", 1),
            ("/tf", ODOMETRY * SECONDS),
            ("/vehicle_blue/odom", ODOMETRY * SECONDS),
        ],
        unsupported: &[],
    },
    Row {
        file: "breadcrumbs.sdf",
        commands: &[("/B1/deploy", 2000, "{}"), ("/B2/deploy", 3000, "{}"), ("/B1/deploy", 5000, "{}")],
        topics: &[
            ("/B1/deploy", 2),
            ("/B1/deploy/remaining", 2),
            ("/B2/deploy", 1),
            ("/tf", ODOMETRY * SECONDS),
            ("/vehicle_blue/odom", ODOMETRY * SECONDS),
        ],
        unsupported: &[],
    },
    Row {
        file: "linear_battery_demo.sdf",
        commands: &[("/vehicle_blue/cmd_vel", 1000, "{\"linear\":{\"x\":6},\"angular\":{\"z\":0.4}}")],
        topics: &[
            ("/tf", 2 * ODOMETRY * SECONDS),
            ("/vehicle_blue/battery/linear_battery/state", 10 * SECONDS),
            ("/vehicle_blue/cmd_vel", 1),
            ("/vehicle_blue/odom", ODOMETRY * SECONDS),
            ("/vehicle_green/battery/linear_battery/state", 10 * SECONDS),
            ("/vehicle_green/odom", ODOMETRY * SECONDS),
        ],
        unsupported: &[],
    },
    Row { file: "world_joint.sdf", commands: &[], topics: &[], unsupported: &[] },
    Row {
        file: "buoyancy.sdf",
        commands: &[("/submarine/joint/propeller_joint/cmd_force", 1, "{\"data\":31}")],
        topics: &[("/submarine/joint/propeller_joint/cmd_force", 1)],
        unsupported: &[],
    },
    Row {
        file: "lift_drag.sdf",
        commands: &[("/lift_drag_demo_model/joint/rod_1_joint/cmd_force", 1, "{\"data\":0.7}")],
        topics: &[
            ("/lift_drag_demo_model/joint/rod_1_joint/cmd_force", 1),
            ("/lift_drag_demo_model/joint_states", 50 * SECONDS),
        ],
        unsupported: &[],
    },
    Row {
        file: "plane_propeller_demo.sdf",
        commands: &[("/propeller_plane/joint/rod_1_joint/cmd_force", 1, "{\"data\":3}")],
        topics: &[
            ("/propeller_plane/camera/camera_info", 30 * SECONDS),
            ("/propeller_plane/camera/image_raw", 30 * SECONDS),
            ("/propeller_plane/camera/image_raw/compressed", 30 * SECONDS),
            ("/propeller_plane/joint/rod_1_joint/cmd_force", 1),
        ],
        unsupported: &[],
    },
    Row {
        file: "apply_joint_force.sdf",
        commands: &[("/joint_force_example/joint/j1/cmd_force", 1, "{\"data\":0.001}")],
        topics: &[("/joint_force_example/joint/j1/cmd_force", 1)],
        unsupported: &[],
    },
    Row {
        file: "apply_link_wrench.sdf",
        commands: &[
            (
                "/wrench",
                1000,
                "{\"entity\":{\"name\":\"cylinder\",\"type\":2},\"wrench\":{\"force\":{\"y\":1000}}}",
            ),
            ("/wrench/clear", 2000, "{\"name\":\"box\",\"type\":2}"),
        ],
        topics: &[("/wrench", 1), ("/wrench/clear", 1)],
        unsupported: &[],
    },
    Row {
        file: "perfect_comms.sdf",
        commands: &[("/broker/msgs", 1000, "{\"src_address\":\"addr1\",\"dst_address\":\"addr2\"}")],
        topics: &[("/addr2/rx", 1), ("/broker/bind", 2), ("/broker/forward", 1), ("/broker/msgs", 1)],
        unsupported: &[],
    },
];

/// Two points half a second apart.
const POSITIONS: &str = r#"{"joint_names":["RR_position_control_joint1","RR_position_control_joint2"],"points":[{"positions":[-0.7854,1.5708],"time_from_start":{"sec":0,"nanosec":500000000}},{"positions":[-1.5708,0],"time_from_start":{"sec":1,"nanosec":0}}]}"#;

/// One point.
const VELOCITIES: &str = r#"{"joint_names":["RR_velocity_control_joint1","RR_velocity_control_joint2"],"points":[{"velocities":[0.7854,-0.7854],"time_from_start":{"sec":2,"nanosec":0}}]}"#;

/// One point.
const EFFORTS: &str = r#"{"joint_names":["RR_effort_control_joint1","RR_effort_control_joint2"],"points":[{"effort":[-1.3,-0.6],"time_from_start":{"sec":1,"nanosec":0}}]}"#;
