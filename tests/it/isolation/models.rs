//! Model plugins in worker processes: the run has the results of a run in one process.

use std::fs;

use serde_json::Value;

use crate::support::{Finished, Setup, root, worlds};

/// Every library of model plugins of this repository.
fn libraries() -> Vec<String> {
    let folders = fs::read_dir(root().join("plugins")).expect("the plugins").filter_map(Result::ok);
    let mut names: Vec<String> =
        folders.map(|folder| folder.file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

/// Every model plugin in them.
fn model_plugins() -> String {
    let names = libraries();
    let setup = Setup::new().plugins(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let folder = setup.plugin_folder();
    let listed =
        setup.args(["plugin", "list", "--json", "--plugin-path"]).arg(folder).finish().expect_code(0);
    let list: Value = serde_json::from_str(&listed.stdout()).expect("JSON");
    let files = list["files"].as_array().unwrap_or_else(|| panic!("no files: {list}"));
    let plugins = files.iter().filter_map(|file| file["plugins"].as_array()).flatten();
    let names: Vec<&str> = plugins.filter_map(|plugin| plugin["name"].as_str()).collect();
    assert!(names.len() > libraries().len(), "{names:?}");
    names.join(",")
}

/// Runs a world for two seconds, with a log of all messages.
fn run(world: &str, isolate: Option<&str>) -> Finished {
    let names = libraries();
    let plugins: Vec<&str> = names.iter().map(String::as_str).chain(["logging", "replay"]).collect();
    let setup = Setup::new().plugins(&plugins);
    let hashes = setup.path("hashes");
    let mut setup = setup.run(&worlds().join(world)).args(["--duration", "2s", "--seed", "5"]);
    let commands = worlds().join(world.replace(".sdf", ".commands.jsonl"));
    if commands.exists() {
        setup = setup.bridge(format!("*=replay:{}", commands.display()));
    }
    if let Some(names) = isolate {
        setup = setup.args(["--isolate", names]);
    }
    setup.arg("--hash-log").arg(hashes).bridge("*=logging:out/run.jsonl").finish().expect_code(0)
}

/// Fails if a run with all model plugins in workers differs from one in one process: in the state after any step, or in
/// any message.
#[track_caller]
fn compare(world: &str, least_messages: usize) {
    let (plain, isolated) = (run(world, None), run(world, Some(&model_plugins())));
    let text = |finished: &Finished, name: &str| {
        fs::read_to_string(finished.path(name))
            .unwrap_or_else(|error| panic!("`{name}`: {error}\n{finished}"))
    };
    for (name, least) in [("hashes", 2000), ("out/run.jsonl", least_messages)] {
        let (one, other) = (text(&plain, name), text(&isolated, name));
        let differing = one.lines().zip(other.lines()).enumerate().find(|(_, (one, other))| one != other);
        assert_eq!(differing, None, "the first line that differs in `{name}`\n{isolated}");
        assert_eq!(one.lines().count(), other.lines().count(), "lines of `{name}`\n{isolated}");
        assert!(one.lines().count() >= least, "{} lines in `{name}`\n{plain}", one.lines().count());
    }
    let result = isolated.result();
    assert_eq!(result["errors"], plain.result()["errors"], "{isolated}");
    assert_eq!(result["topics"], plain.result()["topics"], "{isolated}");
}

#[test]
fn the_demo_is_the_same_with_its_plugins_in_workers() {
    compare("two_vehicles.sdf", 1000);
}

#[test]
fn the_yard_is_the_same_with_its_plugins_in_workers() {
    compare("cloisim_yard.sdf", 500);
}

#[test]
fn mechanisms_are_the_same_with_their_plugins_in_workers() {
    compare("mechanisms.sdf", 100);
}

#[test]
fn an_arm_is_the_same_with_its_plugins_in_workers() {
    compare("arm.sdf", 100);
}

#[test]
fn a_car_is_the_same_with_its_plugins_in_workers() {
    compare("car.sdf", 100);
}
