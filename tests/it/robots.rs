//! Robots of other projects in URDF, unchanged from their packages: included in a world and spawned into a running one.
//! Masses and joint axes are compared with the values in their files.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Finished, Setup, missing, root};

mod mjcf;
mod motion;
mod table;

/// A robot of `tests/robots.txt`, with the expected values from its file.
struct Robot {
    /// Path in the folder of robots.
    file: &'static str,
    /// Total of all links, kilograms.
    mass: f64,
    /// Joints with their axes in the model, at rest.
    axes: &'static [(&'static str, [f64; 3])],
}

/// A hobby arm, from the data of the Robotics Toolbox for Python.
const AL5D: Robot = Robot {
    file: "rtbdata/xacro/lynxmotion_al5d_description/urdf/al5d_robot.urdf",
    mass: 0.611,
    axes: &[
        ("j1", [0.0, 0.0, -1.0]),
        ("j2", [0.0, -1.0, 0.0]),
        ("j3", [0.0, 1.0, 0.0]),
        ("j4", [0.0, -1.0, 0.0]),
    ],
};

/// A droid on four wheels, from PyBullet. Its angles have four digits, such as 1.5708 for a quarter of a turn.
const R2D2: Robot = Robot {
    file: "pybullet_data/r2d2.urdf",
    mass: 65.25,
    axes: &[
        ("head_swivel", [0.0, 0.0, 1.0]),
        ("left_gripper_joint", [0.0, 0.0, 1.0]),
        ("right_gripper_joint", [0.0, 0.0, -1.0]),
        ("right_front_wheel_joint", [1.0, 0.0, 0.0]),
        ("left_back_wheel_joint", [1.0, 0.0, 0.0]),
        ("gripper_extension", [0.0, 1.0, 0.0]),
    ],
};

/// An industrial arm, from the data of Pinocchio's examples.
const UR5: Robot = Robot {
    file: "cmeel.prefix/share/example-robot-data/robots/ur_description/urdf/ur5_robot.urdf",
    mass: 20.9939,
    axes: &[
        ("shoulder_pan_joint", [0.0, 0.0, 1.0]),
        ("shoulder_lift_joint", [0.0, 1.0, 0.0]),
        ("elbow_joint", [0.0, 1.0, 0.0]),
        ("wrist_1_joint", [0.0, 1.0, 0.0]),
        ("wrist_2_joint", [0.0, 0.0, -1.0]),
        ("wrist_3_joint", [0.0, 1.0, 0.0]),
    ],
};

/// Precision of angles with four digits.
const TOLERANCE: f64 = 1e-4;

/// The folder of robots. Without it the tests are skipped.
#[track_caller]
pub(crate) fn folder() -> Option<PathBuf> {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let folder = target.join("robots");
    if folder.join("complete").exists() {
        return Some(folder);
    }
    missing("the robots of other projects are missing; `bash tests/run.sh` fetches them");
    None
}

/// The reading of the model with that name, or of the first model, in a world file.
fn model(file: &Path, name: Option<&str>) -> Value {
    let finished = Setup::new().args(["world", "print", "--json"]).arg(file).finish();
    let reading: Value = serde_json::from_str(&finished.stdout()).unwrap_or_else(|_| panic!("{finished}"));
    let models = reading["worlds"][0]["models"].as_array().unwrap_or_else(|| panic!("no models: {finished}"));
    let found = models.iter().find(|model| name.is_none_or(|name| model["name"] == name));
    found.unwrap_or_else(|| panic!("no {name:?}: {finished}")).clone()
}

fn check(robot: &Robot, model: &Value) {
    let list = |key: &str| model[key].as_array().unwrap_or_else(|| panic!("no {key} in {model:#}"));
    let mass: f64 = list("links").iter().filter_map(|link| link["mass"].as_f64()).sum();
    assert!((mass - robot.mass).abs() < 1e-9, "{}: {mass} kg instead of {}", robot.file, robot.mass);
    for (name, wanted) in robot.axes {
        let joint = list("joints").iter().find(|joint| joint["name"] == *name);
        let joint = joint.unwrap_or_else(|| panic!("{}: no joint {name}", robot.file));
        let axis: Vec<f64> = joint["axes"][0]["xyz_world"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_f64)
            .collect();
        let is_near = axis.len() == 3 && axis.iter().zip(wanted).all(|(a, b)| (a - b).abs() < TOLERANCE);
        assert!(is_near, "{}: {name} has the axis {axis:?} instead of {wanted:?}", robot.file);
    }
}

/// Fails if a mesh, shape or joint was left out.
fn expect_whole(finished: &Finished) {
    for code in ["BH-SDF-060", "BH-PHY-", "BH-MSH-", "error"] {
        finished.expect_silence(code);
    }
}

/// Runs a world for a second. Returns the run and the path of the world saved at its end.
fn run(setup: Setup, world: &str) -> (Finished, PathBuf) {
    let setup = setup.world(world).args(["--duration", "1s", "--save", "saved.sdf"]);
    let finished = setup.finish().expect_code(0);
    expect_whole(&finished);
    let saved = finished.path("saved.sdf");
    (finished, saved)
}

fn include_robot(robot: &Robot) {
    let Some(folder) = folder() else { return };
    let address = folder.join(robot.file);
    let world = format!(
        "<sdf version='1.9'><world name='w'><gravity>0 0 0</gravity><include><uri>{}</uri></include></world></sdf>",
        address.display()
    );
    let (finished, _) = run(Setup::new(), &world);
    check(robot, &model(&finished.path("world.sdf"), None));
}

fn spawn_robot(robot: &Robot) {
    let Some(folder) = folder() else { return };
    // A model that is spawned as text has no folder: its packages are found through the search path that ROS users set.
    let packages = [&folder, &folder.join("rtbdata/xacro"), &folder.join("pybullet_data")];
    let packages =
        env::join_paths(packages.into_iter().chain([&folder.join("cmeel.prefix/share")])).expect("paths");
    let world = format!(
        "<sdf version='1.9'><world name='w'><gravity>0 0 0</gravity>
         <plugin filename='spawner' name='spawner'><file>{}</file></plugin></world></sdf>",
        folder.join(robot.file).display()
    );
    let setup = Setup::new().fixtures(&["spawner"]).env("ROS_PACKAGE_PATH", &packages);
    let (_finished, saved) = run(setup, &world);
    let text = fs::read_to_string(&saved).expect("a saved world");
    assert!(text.contains("<model name=\"spawned\" "), "{text}");
    check(robot, &model(&saved, Some("spawned")));
}

#[test]
fn a_hobby_arm_is_included() {
    include_robot(&AL5D);
}

#[test]
fn a_hobby_arm_is_spawned() {
    spawn_robot(&AL5D);
}

#[test]
fn a_droid_is_included() {
    include_robot(&R2D2);
}

#[test]
fn a_droid_is_spawned() {
    spawn_robot(&R2D2);
}

#[test]
fn an_industrial_arm_is_included() {
    include_robot(&UR5);
}

#[test]
fn an_industrial_arm_is_spawned() {
    spawn_robot(&UR5);
}
