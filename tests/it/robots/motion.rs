//! Robots of other projects at rest and driven. Dropped on the ground with their joints held, they come to rest and their
//! sensors measure it; without weight, every joint goes where it is told.

use std::f64::consts::PI;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::folder;
use crate::support::{Finished, Setup, read_lines};

/// Plugins of the runs.
const PLUGINS: &[&str] =
    &["camera", "contact", "entities", "imu", "joint_control", "joint_state", "lidar", "logging", "replay"];

/// How a robot ends up that was dropped.
#[derive(Clone, Copy, PartialEq)]
enum Rest {
    /// It moves by less than a micrometre in the last second.
    Still,
    /// It stands on round parts and rocks, slower than this, m/s.
    Rocks(f64),
    /// It has no shape, and falls.
    Falls,
}

/// A robot, how it comes to rest, and the topics of its sensors.
struct Row {
    file: &'static str,
    rest: Rest,
    sensors: &'static [&'static str],
}

const fn still(file: &'static str, sensors: &'static [&'static str]) -> Row {
    Row { file, rest: Rest::Still, sensors }
}

const fn rocks(file: &'static str, speed: f64) -> Row {
    Row { file, rest: Rest::Rocks(speed), sensors: &[] }
}

macro_rules! pinocchio {
    ($file:literal) => {
        concat!("cmeel.prefix/share/example-robot-data/robots/", $file)
    };
}

const ROWS: &[Row] = &[
    still("pybullet_data/racecar/racecar.urdf", &["scan"]),
    still("pybullet_data/a1/a1.urdf", &[]),
    still("pybullet_data/aliengo/aliengo.urdf", &[]),
    still("pybullet_data/laikago/laikago_toes_zup.urdf", &[]),
    still("pybullet_data/quadruped/vision60.urdf", &[]),
    still("pybullet_data/cartpole.urdf", &[]),
    still("pybullet_data/bicycle/bike.urdf", &[]),
    still("pybullet_data/r2d2.urdf", &[]),
    still("pybullet_data/domino/domino.urdf", &[]),
    // A base of 10 g below an arm of 17 kg, because the file gives it no mass.
    rocks("pybullet_data/kuka_iiwa/model.urdf", 1e-3),
    // The housings of its motors are round.
    rocks("pybullet_data/quadruped/minitaur.urdf", 5e-3),
    rocks("pybullet_data/pr2_gripper.urdf", 0.1),
    Row {
        file: "rtbdata/xacro/lynxmotion_al5d_description/urdf/al5d_robot.urdf",
        rest: Rest::Falls,
        sensors: &[],
    },
    still(pinocchio!("hyq_description/robots/hyq_no_sensors.urdf"), &["imu"]),
    still(pinocchio!("iris_description/robots/iris.urdf"), &[]),
    still(pinocchio!("hector_description/robots/quadrotor_base.urdf"), &[]),
    still(pinocchio!("solo_description/robots/solo12.urdf"), &[]),
    still(pinocchio!("bolt_description/robots/bolt.urdf"), &[]),
    still(pinocchio!("allegro_hand_description/urdf/allegro_left_hand.urdf"), &[]),
    still(pinocchio!("xarm_description/urdf/xarm7.urdf"), &[]),
    still(pinocchio!("double_pendulum_description/urdf/double_pendulum.urdf"), &[]),
    still(pinocchio!("tiago_description/robots/tiago.urdf"), &["imu"]),
    Row {
        file: pinocchio!("alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf"),
        rest: Rest::Falls,
        sensors: &["imu"],
    },
    still(pinocchio!("ur_description/urdf/ur5_robot.urdf"), &[]),
];

/// Seconds of a run.
const FALL: f64 = 8.0;
const DRIVE: f64 = 6.0;
/// The speed of the joints on their way, rad/s or m/s: slow enough for the motor with the least effort to stop in time.
const SPEED: f64 = 0.2;
/// Poses and joint states in a second.
const RATE: f64 = 20.0;

/// A joint with one axis, and the position where it is told to go.
struct Goal {
    name: String,
    position: f64,
}

/// The joints of a robot that move along one axis, each with a position `way` from zero or otherwise within its limits.
fn goals(file: &Path, way: f64) -> Vec<Goal> {
    let finished = Setup::new().args(["world", "print", "--json"]).arg(file).finish();
    let reading: Value = serde_json::from_str(&finished.stdout()).unwrap_or_else(|_| panic!("{finished}"));
    let joints = reading["model"]["joints"].as_array().cloned().unwrap_or_default();
    let of_one_axis = |joint: &&Value| joint["axes"].as_array().is_some_and(|axes| axes.len() == 1);
    joints.iter().filter(of_one_axis).map(|joint| goal(joint, way)).collect()
}

fn goal(joint: &Value, way: f64) -> Goal {
    let axis = &joint["axes"][0];
    let limit = |key: &str, none: f64| axis[key].as_f64().filter(|value| value.is_finite()).unwrap_or(none);
    let (lower, upper) = (limit("lower", -PI), limit("upper", PI));
    // A little away from the limits, so that it is not them that hold the joint.
    let margin = if way == 0.0 { 0.0 } else { 0.02 * (upper - lower) };
    let position = way.max(lower + margin).min(upper - margin);
    Goal { name: joint["name"].as_str().expect("a name").to_owned(), position }
}

/// Runs a robot whose joints are told to go to these positions. With a ground it has weight.
fn run(row: &Row, file: &Path, goals: &[Goal], with_ground: bool, seconds: f64) -> Finished {
    let ground = if with_ground {
        "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane><normal>0 0 1</normal>
         </plane></geometry></collision></link></model>"
    } else {
        "<gravity>0 0 0</gravity>"
    };
    let mut plugins = format!(
        "<plugin filename='model_pose' name='poses'><update_frequency>{RATE}</update_frequency><topic>place</topic></plugin>"
    );
    if !goals.is_empty() {
        write!(
            plugins,
            "<plugin filename='joint_state' name='states'><update_rate>{RATE}</update_rate><topic>states</topic></plugin>
             <plugin filename='joint_command' name='drives'><topic>drives</topic></plugin>"
        )
        .expect("written");
    }
    let world = format!(
        "<sdf version='1.9'><world name='w'>{ground}<include><name>robot</name><uri>{}</uri><pose>0 0 1 0 0 0</pose>{plugins}
         </include></world></sdf>",
        file.display()
    );
    let message = json!({
        "name": goals.iter().map(|goal| &goal.name).collect::<Vec<_>>(),
        "position": goals.iter().map(|goal| goal.position).collect::<Vec<_>>(),
        "velocity": vec![SPEED; goals.len()],
    });
    let setup = Setup::new().plugins(PLUGINS);
    let commands = json!({"topic": "/robot/drives", "step": 1, "message": message});
    let commands = setup.file("commands.jsonl", format!("{commands}\n")).display().to_string();
    let topics = ["place", "states"].iter().chain(row.sensors).map(|topic| format!("/*{topic}"));
    let topics = topics.collect::<Vec<_>>().join(",");
    let setup = setup.world(&world).args(["--duration", &format!("{seconds}s"), "--on-loss", "ignore"]);
    let setup = setup.bridge(format!("robot=logging:out/run.jsonl;topics={topics}"));
    let setup = if goals.is_empty() { setup } else { setup.bridge(format!("robot=replay:{commands}")) };
    setup.finish().expect_code(0)
}

/// The messages of a topic.
fn messages(finished: &Finished, topic: &str) -> Vec<Value> {
    let lines = read_lines(&finished.path("out/run.jsonl"));
    let of_topic = lines.into_iter().filter(|line| line.text("topic").ends_with(topic));
    of_topic.map(|line| line.0["message"].clone()).collect()
}

fn vector(value: &Value) -> [f64; 3] {
    ["x", "y", "z"].map(|key| value[key].as_f64().unwrap_or(0.0))
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

fn expect_rest(row: &Row, finished: &Finished) {
    let places: Vec<_> =
        messages(finished, "/place").iter().map(|pose| vector(&pose["pose"]["position"])).collect();
    let last = *places.last().unwrap_or_else(|| panic!("{}: no poses\n{finished}", row.file));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
    let way = places.iter().rev().take(RATE as usize).map(|place| distance(*place, last)).fold(0.0, f64::max);
    match row.rest {
        Rest::Still => assert!(way < 1e-6, "{}: it moves by {way} m in a second\n{finished}", row.file),
        Rest::Rocks(most) => assert!(way < most, "{}: it moves by {way} m in a second", row.file),
        Rest::Falls => assert!(last[2] < -100.0, "{}: it is held at {last:?}", row.file),
    }
}

/// An imu at rest measures gravity, and all other sensors something that is finite.
fn expect_sight(row: &Row, finished: &Finished) {
    let result = finished.result();
    for sensor in row.sensors {
        let topics = result["topics"].as_array().into_iter().flatten();
        let named = |topic: &&Value| topic["name"].as_str().is_some_and(|name| name.contains(sensor));
        let count = topics.filter(named).filter_map(|topic| topic["published"].as_u64()).sum::<u64>();
        assert!(count > 10, "{}: {count} messages of `{sensor}`\n{finished}", row.file);
    }
    if row.rest == Rest::Still && row.sensors.contains(&"imu") {
        let message = messages(finished, "imu").pop().unwrap_or_else(|| panic!("{}: no imu", row.file));
        let felt = distance(vector(&message["linear_acceleration"]), [0.0; 3]);
        assert!((felt - 9.8).abs() < 1e-6, "{}: the imu feels {felt} m/s²", row.file);
        let turns = distance(vector(&message["angular_velocity"]), [0.0; 3]);
        assert!(turns < 1e-9, "{}: the imu turns at {turns} rad/s", row.file);
    }
}

#[test]
fn robots_come_to_rest_and_their_sensors_measure_it() {
    let Some(folder) = folder() else { return };
    for row in ROWS {
        let file = folder.join(row.file);
        let finished = run(row, &file, &goals(&file, 0.0), true, FALL);
        expect_rest(row, &finished);
        expect_sight(row, &finished);
    }
}

#[test]
fn every_joint_of_a_robot_goes_where_it_is_told() {
    let Some(folder) = folder() else { return };
    for row in ROWS {
        let file = folder.join(row.file);
        for way in [0.3, -0.2] {
            let goals = goals(&file, way);
            if goals.is_empty() {
                continue;
            }
            let finished = run(row, &file, &goals, false, DRIVE);
            let last = messages(&finished, "/states").pop().unwrap_or_else(|| panic!("{finished}"));
            let found = |name: &str| {
                let names = last["name"].as_array().into_iter().flatten();
                let index = names.into_iter().position(|found| found == name);
                last["position"][index.unwrap_or_else(|| panic!("{}: no {name}", row.file))].as_f64()
            };
            for Goal { name, position } in &goals {
                let found = found(name).unwrap_or(f64::NAN);
                let what = format!("{}: {name} is at {found} instead of {position}", row.file);
                assert!((found - position).abs() < 1e-3, "{what}");
            }
        }
    }
}

/// Cameras of robots, with the type and the number of pixels in their files.
#[test]
fn cameras_of_robots_deliver_images() {
    let Some(folder) = folder() else { return };
    for (file, encoding, size) in [
        ("pybullet_data/racecar/racecar.urdf", "bgr8", [640.0, 480.0]),
        (pinocchio!("tiago_description/robots/tiago.urdf"), "32FC1", [640.0, 480.0]),
    ] {
        let row = Row { file, rest: Rest::Still, sensors: &["image_raw", "image"] };
        let finished = run(&row, &folder.join(file), &[], true, 0.3);
        let lines = read_lines(&finished.path("out/run.jsonl"));
        let images: Vec<_> =
            lines.iter().filter(|line| line.text("type") == "sensor_msgs/msg/Image").collect();
        let of_type: Vec<_> =
            images.iter().filter(|line| line.0["message"]["encoding"] == encoding).collect();
        assert!(
            of_type.len() > 2,
            "{file}: {} images, {} of {encoding}\n{finished}",
            images.len(),
            of_type.len()
        );
        for line in of_type {
            let found = ["width", "height"].map(|key| line.number(&format!("/message/{key}")));
            assert_eq!(found, size, "{file}");
        }
    }
}
