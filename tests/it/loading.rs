//! Tests of refused libraries, and of the reports of `plugin list` and `plugin probe`.
//!
//! Every refused file is in the plugin folder beside a good plugin, which must not be affected.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{CPlugin, Finished, Setup, changed_header, fixture, vehicle, world};

/// A host with one good plugin, `plain`, in its folder.
fn setup() -> Setup {
    let setup = Setup::new();
    CPlugin::plain(&setup.plugin_folder().join("libplain.so"), &[]).build();
    setup
}

/// Runs a world that uses the good plugin, and checks that another finding contains `texts` in one line.
#[track_caller]
fn run_refuses(setup: Setup, texts: &[&str]) -> Finished {
    let sdf = world(&vehicle("car1", "<plugin filename=\"plain\" name=\"plain\"/>"));
    let finished =
        setup.world(&sdf).args(["--duration", "0.1s"]).finish().expect_code(0).expect_message(texts);
    assert_eq!(finished.reported("plugins", "car1/plain")["failure"], Value::Null, "the good plugin runs");
    finished
}

/// A copy of a good Rust plugin with changed bytes.
fn patched(setup: &Setup, change: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
    let mut bytes = fs::read(fixture("recorder")).expect("the fixture");
    change(&mut bytes);
    let path = setup.plugin_folder().join("libpatched.so");
    fs::write(&path, bytes).expect("the copy is written");
    path
}

/// Replaces the only occurrence of `from`.
#[track_caller]
fn replace(bytes: &mut [u8], from: &str, to: &str) {
    assert_eq!(from.len(), to.len(), "the length of the file stays the same");
    let places: Vec<usize> = bytes
        .windows(from.len())
        .enumerate()
        .filter(|(_, part)| *part == from.as_bytes())
        .map(|(at, _)| at)
        .collect();
    let [at] = places[..] else { panic!("`{from}` occurs {} times", places.len()) };
    bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
}

fn probe(setup: Setup, path: &Path) -> Finished {
    setup.args(["plugin", "probe"]).arg(path).finish()
}

#[test]
fn a_plugin_with_false_metadata_is_refused() {
    let setup = setup();
    patched(&setup, |bytes| {
        replace(bytes, "\"id\":\"org.example.recorder\"", "\"id\":\"org.example.innocent\"")
    });
    run_refuses(setup, &["libpatched.so", "BH-PLG-056", "org.example.innocent"]);
}

#[test]
fn the_error_about_a_changed_field_names_it() {
    let setup = setup();
    let include = setup.path("include");
    changed_header(
        &include,
        &[
            ("uint64_t sequence;", "uint32_t sequence;"),
            (
                "BH_LAYOUT_FIELD(\"Message.sequence\", \"u64\"",
                "BH_LAYOUT_FIELD(\"Message.sequence\", \"u32\"",
            ),
        ],
    );
    let target = setup.plugin_folder().join("libchanged.so");
    CPlugin::plain(&target, &["PLAIN_ID=\"org.example.changed\"", "PLAIN_NAME=\"changed\""])
        .build_with(&include);
    run_refuses(setup, &["libchanged.so", "BH-PLG-042", "Message.sequence: plugin has u32", "host has u64"]);
}

#[test]
fn duplicate_plugins_end_a_strict_run() {
    let setup = setup();
    CPlugin::plain(&setup.plugin_folder().join("libzzz.so"), &[]).build();
    let setup = setup.world(&world("")).args(["--strict", "--duration", "0.1s"]);
    setup.finish().expect_code(1).expect_message(&["BH-PLG-070"]);
}

#[test]
fn probing_a_missing_file_or_without_arguments_fails() {
    let setup = Setup::new();
    let path = setup.path("absent.so");
    assert_ne!(probe(setup, &path).code(), Some(0));
    Setup::new().args(["plugin", "probe"]).finish().expect_code(4);
}

#[test]
fn every_bundled_plugin_passes_the_probe() {
    let names = ["clock", "diff_drive", "imu", "joint_state", "lidar", "logging", "replay"];
    let setup = Setup::new().plugins(&names);
    let folder = setup.plugin_folder();
    let finished = setup.args(["plugin", "probe", "--json"]).arg(folder).finish().expect_code(0);
    let report: Value = serde_json::from_str(&finished.stdout()).expect("JSON");
    for name in names {
        assert!(report.to_string().contains(&format!("\"name\":\"{name}\"")), "no `{name}` in {report:#}");
    }
}

#[test]
fn the_list_shows_loaded_and_refused_files() {
    let setup = setup();
    fs::write(setup.plugin_folder().join("libtext.so"), "text").unwrap();
    let folder = setup.plugin_folder();
    let setup = setup.args(["plugin", "list", "--json", "--plugin-path"]).arg(folder);
    let finished = setup.finish().expect_code(0);
    let report: Value = serde_json::from_str(&finished.stdout()).expect("JSON");
    let state_of = |file: &str| {
        let files = report["files"].as_array().expect("a list of files");
        let found =
            files.iter().find(|entry| entry["path"].as_str().is_some_and(|path| path.ends_with(file)));
        found.unwrap_or_else(|| panic!("no `{file}` in {report:#}"))["state"].clone()
    };
    assert_eq!(state_of("libplain.so"), "loaded");
    assert_eq!(state_of("libtext.so"), "refused");
}

#[test]
fn a_folder_without_plugins_is_reported() {
    let setup = Setup::new();
    setup
        .world(&world(""))
        .args(["--duration", "0.1s"])
        .finish()
        .expect_code(0)
        .expect_message(&["BH-PLG-002"]);
}

#[test]
fn a_plugin_that_every_user_may_write_is_reported_and_used() {
    let setup = setup();
    let (folder, library) = (setup.plugin_folder(), setup.plugin_folder().join("libplain.so"));
    for path in [&folder, &library] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).expect("ours");
    }
    let finished =
        run_refuses(setup, &["BH-PLG-003", &format!("may write the plugin folder `{}`", folder.display())]);
    finished.expect_message(&["BH-PLG-003", "may write this library", &library.display().to_string()]);
}

#[test]
fn folders_of_flags_have_priority_over_the_environment() {
    let setup = Setup::new();
    let (flag, variable) = (setup.path("flag"), setup.path("variable"));
    for folder in [&flag, &variable] {
        fs::create_dir(folder).unwrap();
        CPlugin::plain(&folder.join("libplain.so"), &[]).build();
    }
    let setup = setup.env("BRIDGEHEAD_PLUGIN_PATH", &variable);
    let finished =
        setup.args(["plugin", "list", "--json", "--plugin-path"]).arg(&flag).finish().expect_code(0);
    let report: Value = serde_json::from_str(&finished.stdout()).expect("JSON");
    let files = report["files"].as_array().expect("a list of files");
    let states: Vec<_> =
        files.iter().map(|file| (file["path"].as_str().unwrap(), file["state"].as_str().unwrap())).collect();
    assert_eq!(states[0], (flag.join("libplain.so").to_str().unwrap(), "loaded"));
    assert_eq!(states[1].0, variable.join("libplain.so").to_str().unwrap());
    assert_ne!(states[1].1, "loaded");
}
