//! Tests of refused libraries, of when libraries are opened, and of the reports of `plugin list` and `plugin probe`.
//!
//! Every refused file is in the plugin folder beside a good plugin, which must not be affected.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    CPlugin, Finished, OK, Served, Setup, changed_header, eventually, fixture, vehicle, world,
};

/// A host with one good plugin, `plain`, in its folder.
fn setup() -> Setup {
    let setup = Setup::new();
    CPlugin::plain(&setup.plugin_folder().join("libplain.so"), &[]).build();
    setup
}

/// An element of a world that names a plugin.
fn element(plugin: &str) -> String {
    format!("<plugin filename=\"{plugin}\" name=\"{plugin}\"/>")
}

/// Runs a world that uses the good plugin, and checks that another finding contains `texts` in one line.
#[track_caller]
fn run_refuses(setup: Setup, texts: &[&str]) -> Finished {
    run_with_refuses(setup, "", texts)
}

/// Runs a world that uses the good plugin and these elements, and checks that a file is refused with `texts` in one
/// line.
#[track_caller]
fn run_with_refuses(setup: Setup, elements: &str, texts: &[&str]) -> Finished {
    let sdf = world(&vehicle("car1", &(element("plain") + elements)));
    let finished =
        setup.world(&sdf).args(["--duration", "0.1s"]).finish().expect_code(0).expect_message(texts);
    assert_eq!(finished.reported("plugins", "car1/plain")["failure"], Value::Null, "the good plugin runs");
    finished
}

/// A copy of a good Rust plugin with changed bytes.
fn patched(setup: &Setup, change: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
    let mut bytes = fs::read(fixture("forgetful")).expect("the fixture");
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
        replace(bytes, "\"id\":\"org.example.forgetful\"", "\"id\":\"org.example.harmless1\"")
    });
    let texts = ["libpatched.so", "BH-PLG-056", "org.example.harmless1"];
    let finished = run_with_refuses(setup, &element("forgetful"), &texts);
    assert!(finished.result()["errors"].to_string().contains("BH-PLG-056"), "{finished}");
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
fn the_list_shows_available_and_refused_files() {
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
    assert_eq!(state_of("libplain.so"), "available");
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
    assert_eq!(states[0], (flag.join("libplain.so").to_str().unwrap(), "available"));
    assert_eq!(states[1].0, variable.join("libplain.so").to_str().unwrap());
    assert_eq!(states[1].1, "duplicate");
}

/// A host with the good plugin, and with `other`, whose constructor makes a link at `marker`.
fn setup_with_constructor(marker: &Path) -> Setup {
    let setup = setup();
    let constructor = format!("CONSTRUCTOR=if(symlink(\"/\",\"{}\"))abort()", marker.display());
    let macros = ["PLAIN_ID=\"org.example.other\"", "PLAIN_NAME=\"other\"", &constructor];
    CPlugin::plain(&setup.plugin_folder().join("libother.so"), &macros).build();
    setup
}

#[test]
fn a_library_runs_only_if_the_run_names_one_of_its_plugins() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let marker = folder.path().join("constructor-ran");
    let has_run = || marker.symlink_metadata().is_ok();
    let run = |elements: &str| {
        let setup = setup_with_constructor(&marker).world(&world(&vehicle("car1", elements)));
        let finished = setup.args(["--duration", "0.1s"]).finish().expect_code(0);
        let loaded = finished.result()["versions"]["loaded"].clone();
        let loaded = loaded.as_array().expect("a list").iter().map(|plugin| plugin["id"].clone());
        loaded.collect::<Vec<_>>()
    };

    let setup = setup_with_constructor(&marker);
    let folder = setup.plugin_folder();
    let listed = setup.args(["plugin", "list", "--plugin-path"]).arg(folder).finish().expect_code(0).stdout();
    assert!(listed.contains("org.example.other") && !has_run(), "{listed}");
    assert_eq!(run(""), Vec::<Value>::new());
    assert_eq!(run(&element("plain")), ["org.example.plain"]);
    assert!(!has_run());
    assert_eq!(run(&element("other")), ["org.example.other"]);
    assert!(has_run());
}

/// Returns whether a library with this name is open in the host.
fn is_open(host: &Served, library: &str) -> bool {
    fs::read_to_string(format!("/proc/{}/maps", host.id())).expect("readable").contains(library)
}

/// Returns the response to a request to spawn a model with a plugin.
#[track_caller]
fn spawn_with(host: &Served, name: &str, plugin: &str) -> Value {
    let model = format!(
        "<sdf version='1.9'><model name='m'><static>true</static><link name='l'/>{}</model></sdf>",
        element(plugin)
    );
    let resource = json!({"resource_string": model});
    host.call("spawn_entity", json!({"name": name, "entity_resource": resource}))
}

#[test]
fn a_spawn_opens_a_library_and_reports_one_that_has_changed() {
    let setup = setup();
    let plain = setup.plugin_folder().join("libplain.so");
    let changed = setup.plugin_folder().join("libchanged.so");
    CPlugin::plain(&changed, &["PLAIN_ID=\"org.example.changed\"", "PLAIN_NAME=\"changed\""]).build();
    let host = Served::start(setup.in_real_time().world(&world("")));
    eventually("the run begins", || host.status("time_ns") > 0);
    assert!(!is_open(&host, "libplain"));
    assert_eq!(spawn_with(&host, "one", "plain")["result"]["result"], OK);
    assert!(is_open(&host, "libplain"));
    // The library that is open is used, whatever happens to its file.
    fs::remove_file(&plain).expect("removed");
    assert_eq!(spawn_with(&host, "two", "plain")["result"]["result"], OK);
    fs::remove_file(&changed).expect("removed");
    CPlugin::plain(&changed, &["PLAIN_ID=\"org.example.new\"", "PLAIN_NAME=\"changed\""]).build();
    assert_eq!(spawn_with(&host, "three", "changed")["result"]["result"], OK, "the entity exists without it");
    assert!(!is_open(&host, "libchanged"));
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0).expect_message(&["BH-PLG-013", "libchanged.so"]);
    let loaded = finished.result()["versions"]["loaded"].clone();
    assert_eq!(loaded.as_array().expect("a list").len(), 1, "{loaded}");
}

#[test]
fn a_client_that_connects_a_bridge_opens_its_library() {
    const LIBRARY: &str = "libbridgehead_bridge_logging";
    let host = Served::start(Setup::new().plugins(&["logging"]).in_real_time().world(&world("")));
    eventually("the run begins", || host.status("time_ns") > 0);
    assert!(!is_open(&host, LIBRARY));
    host.ok("connect_bridge", json!({"vehicle": "world", "bridge": "logging", "connection": "out/all.mcap"}));
    assert!(is_open(&host, LIBRARY));
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}

#[test]
fn a_refused_library_ends_a_strict_run_only_if_it_is_named() {
    let run = |elements: &str| {
        let setup = setup();
        let macros = ["PLAIN_ID=\"org.example.broken\"", "PLAIN_NAME=\"broken\"", "MISSING"];
        let macros = [&macros[..], &["AWAKE=return bh_example_missing()"]].concat();
        CPlugin::plain(&setup.plugin_folder().join("libbroken.so"), &macros).build();
        let setup = setup.world(&world(&vehicle("car1", elements)));
        setup.args(["--strict", "--duration", "0.1s"]).finish()
    };
    run(&element("plain")).expect_code(0).expect_silence("BH-PLG-051");
    run(&element("broken")).expect_code(1).expect_message(&["BH-PLG-051", "bh_example_missing"]);
}

#[test]
fn message_types_of_a_plugin_that_is_not_named_can_be_used() {
    let action =
        "{ name = 'publish', topic = '/p', type = 'example.v1.Pressure', message = { pascal = 1.0 } }";
    let config = format!("[[trigger]]\nevent = 'start'\naction = {action}\n");
    let setup = Setup::new().fixtures(&["own_type"]).world(&world(""));
    let finished = setup.config(&config).args(["--duration", "0.1s"]).finish().expect_code(0);
    assert_eq!(finished.reported("topics", "/p")["published"], 1, "{finished}");
}
