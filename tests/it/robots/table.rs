//! Robots and worlds of other projects, with the values of their files: what they weigh, how many of their joints move,
//! and their sensors.

use serde_json::Value;

use super::folder;
use crate::support::Setup;

/// A robot or world, with the values of its file.
struct Row {
    /// Path in the folder of robots.
    file: &'static str,
    /// Total of all links, kilograms; 0 for a model whose file gives no mass.
    mass: f64,
    /// Joints that are not fixed.
    joints: usize,
    /// Types of its sensors, sorted, each once.
    sensors: &'static [&'static str],
}

const fn row(file: &'static str, mass: f64, joints: usize, sensors: &'static [&'static str]) -> Row {
    Row { file, mass, joints, sensors }
}

/// The data of Pinocchio's examples.
macro_rules! pinocchio {
    ($file:literal) => {
        concat!("cmeel.prefix/share/example-robot-data/robots/", $file)
    };
}

/// The values were counted in the files by another program.
const ROBOTS: &[Row] = &[
    row("pybullet_data/racecar/racecar.urdf", 5.892_23, 6, &["camera", "lidar"]),
    row("pybullet_data/kuka_iiwa/model.urdf", 17.5, 7, &[]),
    row("pybullet_data/a1/a1.urdf", 12.458, 12, &[]),
    row("pybullet_data/aliengo/aliengo.urdf", 20.638, 12, &[]),
    row("pybullet_data/laikago/laikago_toes_zup.urdf", 25.567, 12, &[]),
    row("pybullet_data/quadruped/minitaur.urdf", 6.0, 16, &[]),
    row("pybullet_data/quadruped/vision60.urdf", 26.9, 12, &[]),
    // Its slider has no mass, and gets 10 g.
    row("pybullet_data/cartpole.urdf", 1.11, 2, &[]),
    row("pybullet_data/pr2_gripper.urdf", 0.9, 2, &[]),
    // Its link `world` has no inertia, thus 1 kg, as SDF says.
    row("pybullet_data/gripper/wsg50_one_motor_gripper.sdf", 3.3, 6, &[]),
    row("pybullet_data/bicycle/bike.urdf", 7.5, 3, &[]),
    row("pybullet_data/r2d2.urdf", 65.25, 8, &[]),
    row("pybullet_data/kiva_shelf/model.sdf", 0.0, 0, &[]),
    row("pybullet_data/domino/domino.urdf", 0.025, 0, &[]),
    row("rtbdata/xacro/lynxmotion_al5d_description/urdf/al5d_robot.urdf", 0.611, 4, &[]),
    row(pinocchio!("hyq_description/robots/hyq_no_sensors.urdf"), 86.774_005, 12, &["contact", "imu"]),
    row(pinocchio!("iris_description/robots/iris.urdf"), 1.535, 4, &[]),
    row(pinocchio!("hector_description/robots/quadrotor_base.urdf"), 1.477, 0, &[]),
    row(pinocchio!("solo_description/robots/solo12.urdf"), 2.500_003, 12, &[]),
    row(pinocchio!("bolt_description/robots/bolt.urdf"), 1.253_878, 6, &[]),
    row(pinocchio!("allegro_hand_description/urdf/allegro_left_hand.urdf"), 0.954_9, 16, &[]),
    row(pinocchio!("xarm_description/urdf/xarm7.urdf"), 11.317_06, 7, &[]),
    row(pinocchio!("double_pendulum_description/urdf/double_pendulum.urdf"), 0.701, 2, &[]),
    row(pinocchio!("tiago_description/robots/tiago.urdf"), 65.894_067, 48, &["depth_camera", "imu"]),
    row(pinocchio!("alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf"), 49.080_697, 13, &["imu"]),
    row(pinocchio!("ur_description/urdf/ur5_robot.urdf"), 20.993_9, 6, &[]),
    row(pinocchio!("z1_description/urdf/z1.urdf"), 5.220_97, 7, &[]),
    row(pinocchio!("anymal_b_simple_description/robots/anymal.urdf"), 30.475_397, 12, &[]),
];

fn list<'a>(model: &'a Value, key: &str) -> Vec<&'a Value> {
    model[key].as_array().map(|all| all.iter().collect()).unwrap_or_default()
}

fn expect_values(row: &Row, model: &Value) {
    let mass: f64 = list(model, "links").iter().filter_map(|link| link["mass"].as_f64()).sum();
    let is_near = (mass - row.mass).abs() <= 2e-3 * row.mass.max(0.1);
    assert!(row.mass == 0.0 || is_near, "{}: {mass} kg instead of {}", row.file, row.mass);
    let moving = list(model, "joints").iter().filter(|joint| joint["type"] != "fixed").count();
    assert_eq!(moving, row.joints, "{}: joints", row.file);
    let of_link =
        |link: &&Value| list(link, "sensors").iter().map(|one| one["type"].to_string()).collect::<Vec<_>>();
    let mut sensors: Vec<String> = list(model, "links").iter().flat_map(of_link).collect();
    sensors.sort();
    sensors.dedup();
    let expected: Vec<String> = row.sensors.iter().map(|name| format!("\"{name}\"")).collect();
    assert_eq!(sensors, expected, "{}: sensors", row.file);
}

#[test]
fn robots_have_the_masses_joints_and_sensors_of_their_files() {
    let Some(folder) = folder() else { return };
    for row in ROBOTS {
        let path = folder.join(row.file);
        let finished = Setup::new().args(["world", "print", "--json"]).arg(&path).finish();
        let reading: Value =
            serde_json::from_str(&finished.stdout()).unwrap_or_else(|_| panic!("{finished}"));
        let of_world = reading.pointer("/worlds/0/models/0");
        expect_values(row, of_world.unwrap_or(&reading["model"]));
    }
}
