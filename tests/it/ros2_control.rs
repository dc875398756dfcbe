//! Robots whose joints `<ros2_control>` describes: they hold their initial values, and follow a controller outside of the
//! host over the topics of `topic_based_ros2_control`.

use serde_json::{Value, json};

use crate::support::{PAUSED, Served, Setup, assert_near, eventually, shared, world};

const PLUGINS: &[&str] = &["joint_control", "joint_state", "logging"];

/// An arm with two joints, of which one takes positions and the other one velocities, and a follower.
fn arm(hardware: &str) -> String {
    let link = |name: &str| {
        format!(
            "<link name='{name}'><inertial><origin xyz='0.1 0 0'/><mass value='1'/>\
             <inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='0' izz='0.01'/></inertial></link>"
        )
    };
    let joint = |name: &str, parent: &str, child: &str, more: &str| {
        format!(
            "<joint name='{name}' type='revolute'><parent link='{parent}'/><child link='{child}'/>\
             <origin xyz='0.3 0 0'/><axis xyz='0 1 0'/><limit lower='-2' upper='2' effort='80' velocity='4'/>{more}</joint>"
        )
    };
    let controlled = |name: &str, interface: &str, initial: &str| {
        format!(
            "<joint name='{name}'><command_interface name='{interface}'/><state_interface name='position'>\
             {initial}</state_interface><state_interface name='velocity'/></joint>"
        )
    };
    format!(
        "<robot name='arm'><link name='world'/>{}<joint name='foot' type='fixed'><parent link='world'/>\
         <child link='base'/><origin xyz='0 0 1'/></joint>{}{}{}{}{}{}\
         <ros2_control name='sim' type='system'><hardware><plugin>{hardware}</plugin></hardware>{}{}\
         <joint name='finger'><state_interface name='position'/></joint></ros2_control></robot>",
        link("base"),
        link("upper"),
        link("fore"),
        link("tip"),
        joint("shoulder", "base", "upper", ""),
        joint("elbow", "upper", "fore", ""),
        joint("finger", "fore", "tip", "<mimic joint='shoulder' multiplier='-0.5'/>"),
        controlled("shoulder", "position", "<param name='initial_value'>0.5</param>"),
        controlled("elbow", "velocity", ""),
    )
}

fn start(hardware: &str) -> Served {
    let setup = Setup::new().plugins(PLUGINS);
    let file = setup.file("arm.urdf", arm(hardware));
    let host = Served::start(setup.run(&file).args(["--start", "paused", "--speed", "unlimited"]));
    eventually("paused", || host.state() == PAUSED);
    host
}

/// Runs steps of a millisecond; returns the newest states: positions and velocities in the order of the names.
fn states(host: &Served, topic: &str, steps: u64) -> Value {
    host.ok("step_simulation", json!({ "steps": steps }));
    let read = host.ok("read_topic", json!({ "topic": topic }));
    serde_json::from_str(read["json"].as_str().expect("a text")).expect("JSON")
}

fn value(states: &Value, list: &str, name: &str) -> f64 {
    let names = states["name"].as_array().expect("names");
    let index = names.iter().position(|found| found == name).unwrap_or_else(|| panic!("{name} in {states}"));
    states[list][index].as_f64().expect("a number")
}

fn command(host: &Served, topic: &str, message: &Value) {
    host.ok("publish_message", json!({"topic": topic, "json": message.to_string()}));
}

const OVER_TOPICS: &str = "topic_based_ros2_control/TopicBasedSystem";

#[test]
fn joints_begin_at_their_initial_values_and_hold_them() {
    for (hardware, topic) in
        [("gz_ros2_control/GazeboSimSystem", "/arm/joint_states"), (OVER_TOPICS, "/robot_joint_states")]
    {
        let host = start(hardware);
        for _ in 0..2 {
            let states = states(&host, topic, 3000);
            assert_near(value(&states, "position", "shoulder"), 0.5, 1e-6);
            assert_near(value(&states, "position", "elbow"), 0.0, 1e-3);
            assert_near(value(&states, "position", "finger"), -0.25, 1e-3);
        }
    }
}

/// The messages are those of `topic_based_ros2_control`: all names, and a value for each joint with the interface.
#[test]
fn a_controller_outside_of_the_host_moves_the_arm_along_a_trajectory() {
    let host = start(OVER_TOPICS);
    states(&host, "/robot_joint_states", 1000);
    let names = json!(["elbow", "shoulder", "finger"]);
    let nothing = json!({"name": names, "position": [null], "velocity": [null]});
    command(&host, "/robot_joint_commands", &nothing);
    let (cycles, goal) = (200, 1.2);
    for cycle in 1..=cycles {
        // A cubic from the initial value to the goal, at 100 Hz.
        let share = f64::from(cycle) / f64::from(cycles);
        let position = 0.5 + (goal - 0.5) * share * share * (3.0 - 2.0 * share);
        let message = json!({"name": names, "position": [position], "velocity": [0.2]});
        command(&host, "/robot_joint_commands", &message);
        states(&host, "/robot_joint_states", 10);
    }
    command(&host, "/robot_joint_commands", &json!({"name": names, "position": [goal], "velocity": [0.0]}));
    let states = states(&host, "/robot_joint_states", 100);
    assert_near(value(&states, "position", "shoulder"), goal, 1e-4);
    assert_near(value(&states, "position", "finger"), -goal / 2.0, 1e-3);
    assert_near(value(&states, "position", "elbow"), 0.2 * 2.0, 2e-3);
    assert_near(value(&states, "velocity", "elbow"), 0.0, 1e-6);
}

#[test]
fn the_robot_of_a_stranger_holds_and_its_topic_is_named() {
    let Some(folder) = shared("repro/field") else { return };
    let file = folder.join("ros2_control.urdf");
    let checked = Setup::new().plugins(PLUGINS).args(["world", "check"]).arg(&file).finish().expect_code(0);
    let text = checked.stdout();
    assert!(text.contains("BH-SDF-118") && text.contains("joint_command"), "{checked}");
    let setup = Setup::new().plugins(PLUGINS).run(&file).args(["--start", "paused", "--speed", "unlimited"]);
    let host = Served::start(setup);
    eventually("paused", || host.state() == PAUSED);
    let states = states(&host, "/arm/joint_states", 3000);
    assert_near(value(&states, "position", "shoulder"), 0.5, 1e-6);
}

/// The wheels turn and the scanner measures, with the topics of the file; the world has no gravity.
#[test]
fn the_plugins_of_gazebo_classic_drive_and_measure() {
    let Some(folder) = shared("repro/field") else { return };
    let plugins = ["diff_drive", "joint_state", "lidar", "logging"];
    let include = format!("<include><uri>{}</uri></include>", folder.join("classic_plugins.urdf").display());
    let setup = Setup::new().plugins(&plugins).world(&world(&include));
    let host = Served::start(setup.args(["--start", "paused", "--speed", "unlimited"]));
    eventually("paused", || host.state() == PAUSED);
    command(&host, "/bot/cmd_vel", &json!({"linear": {"x": 0.5}}));
    let odometry = states(&host, "/bot/odom", 2000);
    assert_eq!(odometry["header"]["frame_id"], "odom", "{odometry}");
    assert_eq!(odometry["child_frame_id"], "base", "{odometry}");
    assert!(odometry["pose"]["pose"]["position"]["x"].as_f64().is_some_and(|x| x > 0.8), "{odometry}");
    let scan = states(&host, "/scan", 200);
    assert_eq!(
        (scan["header"]["frame_id"].as_str(), scan["ranges"].as_array().map(Vec::len)),
        (Some("laser"), Some(91))
    );
    let joints = states(&host, "/joint_states", 20);
    assert!(value(&joints, "velocity", "left_joint") > 4.0, "{joints}");
}

/// A base on two wheels with a mast, whose controllers a file names as those of `ros2_controllers` are configured.
fn base() -> Setup {
    let link = |name: &str, mass: f64, shape: &str| {
        format!(
            "<link name='{name}'><inertial><mass value='{mass}'/><inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='0' \
             izz='0.01'/></inertial>{shape}</link>"
        )
    };
    let wheel = "<collision><origin rpy='1.5707963 0 0'/><geometry><cylinder radius='0.1' length='0.03'/></geometry></collision>";
    let joint = |name: &str, child: &str, place: &str| {
        format!(
            "<joint name='{name}' type='continuous'><parent link='base_link'/><child link='{child}'/>\
             <origin xyz='{place}'/><axis xyz='0 1 0'/></joint>"
        )
    };
    let control = |name: &str, interface: &str| {
        format!("<joint name='{name}'><command_interface name='{interface}'/></joint>")
    };
    let robot = format!(
        "<robot name='bot'>{}{}{}{}{}{}{}<ros2_control name='sim' type='system'><hardware>\
         <plugin>gz_ros2_control/GazeboSimSystem</plugin></hardware>{}{}{}</ros2_control>\
         <gazebo><plugin filename='gz_ros2_control-system' name='gz_ros2_control::GazeboSimROS2ControlPlugin'>\
         <parameters>controllers.yaml</parameters></plugin></gazebo></robot>",
        link("base_link", 5.0, ""),
        link("left", 0.5, wheel),
        link("right", 0.5, wheel),
        link("mast", 0.1, ""),
        joint("left_wheel", "left", "0 0.2 0"),
        joint("right_wheel", "right", "0 -0.2 0"),
        joint("mast_joint", "mast", "0 0 0.1"),
        control("left_wheel", "velocity"),
        control("right_wheel", "velocity"),
        control("mast_joint", "position"),
    );
    let controllers = "
controller_manager:
  ros__parameters:
    update_rate: 100
    joint_state_broadcaster:
      type: joint_state_broadcaster/JointStateBroadcaster
    diff_cont:
      type: diff_drive_controller/DiffDriveController
    mast_cont:
      type: position_controllers/JointGroupPositionController
diff_cont:
  ros__parameters:
    left_wheel_names: ['left_wheel']
    right_wheel_names: ['right_wheel']
    wheel_separation: 0.4
    wheel_radius: 0.1
    cmd_vel_timeout: 0.0
mast_cont:
  ros__parameters:
    joints:
      - mast_joint
";
    let setup = Setup::new().plugins(&["diff_drive", "joint_control", "joint_state", "logging"]);
    setup.file("controllers.yaml", controllers);
    let file = setup.file("bot.urdf", robot);
    let include = format!("<include><uri>{}</uri></include>", file.display());
    setup.world(&world(&include))
}

#[test]
fn controllers_of_a_file_of_parameters_drive_the_base_and_move_the_mast() {
    let host = Served::start(base().args(["--start", "paused", "--speed", "unlimited"]));
    eventually("paused", || host.state() == PAUSED);
    command(&host, "/bot/diff_cont/cmd_vel", &json!({"linear": {"x": 0.5}, "angular": {"z": 0.5}}));
    command(&host, "/bot/mast_cont/commands", &json!({"data": [0.75]}));
    let odometry = states(&host, "/bot/diff_cont/odom", 2000);
    let speed = &odometry["twist"]["twist"];
    assert_near(speed["linear"]["x"].as_f64().expect("a number"), 0.5, 1e-3);
    assert_near(speed["angular"]["z"].as_f64().expect("a number"), 0.5, 1e-3);
    let joints = states(&host, "/bot/joint_states", 20);
    assert_near(value(&joints, "position", "mast_joint"), 0.75, 1e-3);
    assert_near(value(&joints, "velocity", "left_wheel"), (0.5 - 0.5 * 0.2) / 0.1, 1e-3);
    assert_near(value(&joints, "velocity", "right_wheel"), (0.5 + 0.5 * 0.2) / 0.1, 1e-3);
}
