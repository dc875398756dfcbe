//! Robots of Gymnasium in MJCF, unchanged from its package: their worlds have the masses, moments, poses, axes and limits
//! that MuJoCo finds in the files, and run.

use std::path::Path;

use serde_json::Value;

use super::folder;
use crate::support::Setup;

/// What MuJoCo finds; the first words of `tests/mujoco_reference.py` explain the lines.
const REFERENCE: &str = include_str!("mujoco.txt");

/// A line of the reference: its name and numbers.
type Row<'t> = (&'t str, Vec<f64>);

/// What MuJoCo finds in a file.
struct Reference<'t> {
    file: &'t str,
    /// Time step and gravity.
    options: Vec<f64>,
    bodies: Vec<Row<'t>>,
    joints: Vec<Row<'t>>,
}

fn references() -> Vec<Reference<'static>> {
    let mut all: Vec<Reference<'static>> = Vec::new();
    for line in REFERENCE.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let (kind, name) = (words.next().expect("a kind"), words.next().expect("a name"));
        let numbers: Vec<f64> = words.map(|word| word.parse().expect("a number")).collect();
        match (kind, all.last_mut()) {
            ("file", _) => {
                all.push(Reference { file: name, options: numbers, bodies: Vec::new(), joints: Vec::new() });
            }
            ("body", Some(last)) => last.bodies.push((name, numbers)),
            ("joint", Some(last)) => last.joints.push((name, numbers)),
            _ => panic!("{line}"),
        }
    }
    all
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("no {key} in {value:#}"))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

fn named<'a>(all: &'a [Value], name: &str) -> Option<&'a Value> {
    all.iter().find(|one| one["name"] == name)
}

/// The reference has nine digits, and a reading has a 0 for numbers below 1e-15.
#[track_caller]
fn expect_near(what: &str, found: &[f64], wanted: &[f64]) {
    let size = wanted.iter().fold(0.0_f64, |size, number| size.max(number.abs()));
    let is_near = |(found, wanted): (&f64, &f64)| (found - wanted).abs() <= 1e-8 * size + 2e-15;
    let are_near = found.len() == wanted.len() && found.iter().zip(wanted).all(is_near);
    assert!(are_near, "{what}: {found:?} instead of {wanted:?}");
}

/// A quaternion and its negative are one rotation.
fn with_sign_of(quaternion: &[f64], other: &[f64]) -> Vec<f64> {
    let dot: f64 = quaternion.iter().zip(other).map(|(a, b)| a * b).sum();
    quaternion.iter().map(|part| part * dot.signum()).collect()
}

/// Links that carry a share of the mass of a body are named after it and a joint.
fn expect_body(file: &str, model: &Value, (name, wanted): &Row<'_>) {
    let links = list(model, "links");
    // A link gives way to a joint of the same name.
    let link = named(links, &format!("{name}_link")).or_else(|| named(links, name));
    let link = link.unwrap_or_else(|| panic!("{file}: no link {name}"));
    let own = link["name"].as_str().unwrap_or_default();
    let between = list(model, "joints")
        .iter()
        .filter_map(|joint| named(links, &format!("{own}_{}", joint["name"].as_str().unwrap_or_default())));
    let parts: Vec<&Value> = std::iter::once(link).chain(between).collect();
    let what = |quantity: &str| format!("{file}: {quantity} of {name}");
    let mass: f64 = parts.iter().filter_map(|part| part["mass"].as_f64()).sum();
    expect_near(&what("mass"), &[mass], &wanted[..1]);
    let mut inertia = vec![0.0; 6];
    for part in parts {
        let place = numbers(&part["inertial_pose"]);
        expect_near(
            &what("centre of mass, from 1 m"),
            &[place[0] + 1.0, place[1] + 1.0, place[2] + 1.0],
            &[wanted[8] + 1.0, wanted[9] + 1.0, wanted[10] + 1.0],
        );
        assert_eq!(place[3..], [1.0, 0.0, 0.0, 0.0], "moments are along the axes of the body");
        for (sum, moment) in inertia.iter_mut().zip(numbers(&part["inertia"])) {
            *sum += moment;
        }
    }
    expect_near(&what("inertia"), &inertia, &wanted[11..]);
    let pose = numbers(&link["pose_world"]);
    let offset = |numbers: &[f64]| numbers.iter().map(|number| number + 1.0).collect::<Vec<_>>();
    expect_near(&what("position, from 1 m"), &offset(&pose[..3]), &offset(&wanted[1..4]));
    expect_near(&what("orientation"), &with_sign_of(&pose[3..], &wanted[4..8]), &wanted[4..8]);
}

fn expect_joint(file: &str, model: &Value, (name, wanted): &Row<'_>) {
    let joint = named(list(model, "joints"), name).unwrap_or_else(|| panic!("{file}: no joint {name}"));
    let what = |quantity: &str| format!("{file}: {quantity} of {name}");
    let axis = &joint["axes"][0];
    expect_near(&what("axis"), &numbers(&axis["xyz_world"]), &wanted[..3]);
    let anchor = numbers(&joint["pose_world"]);
    let offset = |numbers: &[f64]| numbers.iter().map(|number| number + 1.0).collect::<Vec<_>>();
    expect_near(&what("anchor, from 1 m"), &offset(&anchor[..3]), &offset(&wanted[3..6]));
    let limits = [&axis["lower"], &axis["upper"]].map(Value::as_f64);
    match wanted.get(6..8) {
        Some(range) => {
            expect_near(&what("range"), &limits.map(|limit| limit.expect("a limit")), range);
        }
        None => assert_eq!(limits, [None, None], "{file}: {name} has no limits"),
    }
}

/// The model that moves, beside the static one of its ground.
fn moving(world: &Value) -> &Value {
    let mut models = list(world, "models").iter().filter(|model| model["static"] == false);
    models.next().unwrap_or_else(|| panic!("no model that moves in {world:#}"))
}

fn reading(file: &Path) -> Value {
    let finished = Setup::new().args(["world", "print", "--json"]).arg(file).finish();
    serde_json::from_str(&finished.stdout()).unwrap_or_else(|_| panic!("{finished}"))
}

#[test]
fn robots_of_gymnasium_have_the_values_that_mujoco_finds() {
    let Some(folder) = folder() else { return };
    let all = references();
    assert_eq!(all.len(), 14);
    for Reference { file, options, bodies, joints } in &all {
        let reading = reading(&folder.join(file));
        let world = &reading["worlds"][0];
        let gravity = numbers(&world["gravity"]);
        expect_near(&format!("{file}: gravity, from 1"), &[gravity[2] + 1.0], &[options[3] + 1.0]);
        let model = moving(world);
        for body in bodies {
            expect_body(file, model, body);
        }
        for joint in joints {
            expect_joint(file, model, joint);
        }
        let moves = |joint: &&Value| joint["type"] != "fixed";
        assert_eq!(list(model, "joints").iter().filter(moves).count(), joints.len(), "{file}: joints");
    }
}

#[test]
fn robots_of_gymnasium_run_and_take_commands() {
    let Some(folder) = folder() else { return };
    for Reference { file, .. } in &references() {
        let setup = Setup::new().plugins(&["joint_control", "joint_state"]);
        let finished = setup.run(&folder.join(file)).args(["--duration", "1s"]).finish().expect_code(0);
        for code in ["BH-PHY-", "BH-MSH-", "error"] {
            finished.expect_silence(code);
        }
    }
}

#[test]
fn a_robot_of_gymnasium_is_included_without_its_floor() {
    let Some(folder) = folder() else { return };
    let file = folder.join("gymnasium/envs/mujoco/assets/ant.xml");
    let world = format!(
        "<sdf version='1.9'><world name='w'><include><uri>{}</uri><pose>0 0 2 0 0 0</pose></include></world></sdf>",
        file.display()
    );
    let setup = Setup::new();
    let reading = reading(&setup.file("world.sdf", world));
    let models = list(&reading["worlds"][0], "models");
    assert_eq!(models.len(), 1, "{reading:#}");
    let torso = named(list(&models[0], "links"), "torso").expect("a torso");
    assert_eq!(numbers(&torso["pose_world"])[2], 2.75);
}
