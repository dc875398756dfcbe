//! The scenes of Gazebo's worlds, of the project's and of robots: `get_scene` returns what the files say, and the poses of
//! the nodes are those of the entities.
//!
//! Gazebo's worlds are in the folder `shared/sdf/gz-worlds` beside the project; without it, the test of them is skipped.

mod compare;
mod expected;
mod pixels;
mod poses;

use std::fs;
use std::path::{Path, PathBuf};

use bridgehead_sdf::{Budget, SearchPath, load};
use serde_json::{Value, json};

use crate::support::{Served, Setup, shared, worlds};

/// Steps before the poses are compared.
const STEPS: u32 = 50;

/// The states of the standard.
const PLAYING: u8 = 1;
const PAUSED: u8 = 2;

/// A paused host that loads one world after the other.
fn host() -> Served {
    Served::start(Setup::new().run(&worlds().join("empty.sdf")).args(["--start", "paused"]))
}

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    visuals: usize,
    lights: usize,
    materials: usize,
    nodes: usize,
    models: usize,
}

/// Loads a world, and compares its scene with the file, and the poses with the entities. Returns what differs.
fn compare(host: &Served, file: &Path, compared: &mut Compared) -> Vec<String> {
    let (code, answer) = host.post(
        "load_world",
        &json!({ "world_resource": { "uri": file.to_str() }, "ignore_missing_or_unsupported_assets": true }),
    );
    assert_eq!((code, &answer["result"]["result"]), (200, &json!(1)), "{}: {answer}", file.display());
    let world = load(file, &SearchPath::new([] as [PathBuf; 0]), &Budget::default()).expect("a world").world;
    let answer = host.ok("get_scene", json!({}));
    let found = compare::readable(&answer["scene"]);
    let expected = expected::scene(&world);
    let count = |list: &str| expected[list].as_array().map_or(0, Vec::len);
    compared.visuals += count("visuals");
    compared.lights += count("lights");
    compared.nodes += count("nodes");
    let visuals = expected["visuals"].as_array().into_iter().flatten();
    compared.materials += visuals.filter(|visual| !visual["material"].is_null()).count();
    let mut differences = compare::differences("scene", &expected, &found);
    // Loaded, it is stopped: only a run that plays can be paused.
    for state in [PLAYING, PAUSED] {
        host.ok("set_simulation_state", json!({ "state": { "state": state } }));
    }
    host.ok("step_simulation", json!({ "steps": STEPS }));
    differences.extend(poses::differences(host, &world, &mut compared.models));
    differences
}

/// Compares worlds; returns what was compared.
#[track_caller]
fn expect_equal(files: &[PathBuf]) -> Compared {
    let host = host();
    let mut compared = Compared::default();
    let mut wrong: Vec<String> = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().display().to_string();
        let differences = compare(&host, file, &mut compared);
        wrong.extend(differences.into_iter().map(|difference| format!("{name}: {difference}")));
    }
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    compared
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "sdf"));
    files.sort();
    files
}

#[test]
fn scenes_of_our_worlds_are_what_their_files_say() {
    let files = files_of(&worlds());
    assert!(files.len() > 5, "{files:?}");
    let compared = expect_equal(&files);
    assert!(compared.visuals > 20 && compared.materials > 10 && compared.models > 5, "{compared:?}");
}

#[test]
fn scenes_of_gazebos_worlds_are_what_their_files_say() {
    let Some(folder) = shared("sdf/gz-worlds") else { return };
    let files = files_of(&folder);
    assert!(files.len() > 70, "{}", files.len());
    let compared = expect_equal(&files);
    println!("{} worlds: {compared:?}", files.len());
    assert!(compared.visuals > 500 && compared.materials > 400 && compared.lights > 80, "{compared:?}");
}

/// A member of a JSON object as a list.
fn list<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value[name].as_array().into_iter().flatten()
}
