//! What a user types first: a file alone, the name of an installed world, the demo, a second run beside the first.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use serde_json::json;

use crate::support::{PLAYING, Served, Setup, eventually, world, worlds};

const SHORT: [&str; 4] = ["--duration", "10ms", "--speed", "unlimited"];

/// An installation with its worlds.
fn installed() -> Setup {
    let setup = Setup::new();
    fs::create_dir_all(setup.path("share/bridgehead")).expect("a folder");
    symlink(worlds(), setup.path("share/bridgehead/worlds")).expect("a link");
    setup
}

#[test]
fn a_file_alone_is_run() {
    let setup = Setup::new();
    let file = setup.file("empty.sdf", world(""));
    setup.arg(file).args(["--http", "off"]).args(SHORT).finish().expect_code(0);
}

#[test]
fn an_installed_world_is_found_by_its_name_and_a_file_of_that_name_comes_first() {
    let setup = installed().args(["run", "empty", "--http", "off"]).args(SHORT);
    setup.finish().expect_code(0).expect_message(&["the world `empty` is the installed file"]);

    let setup = Setup::new();
    let _ = setup.file("empty.sdf", "<sdf version='1.9'><world name='mine'/></sdf>");
    let finished = setup.args(["run", "empty.sdf", "--http", "off"]).args(SHORT).finish().expect_code(0);
    finished.expect_message(&["mine"]);
}

#[test]
fn the_folder_of_the_output_is_made() {
    let setup = Setup::new();
    let file = setup.file("empty.sdf", world(""));
    let setup = setup.arg("run").arg(file).args(["--http", "off", "--output", "results/today"]).args(SHORT);
    let finished = setup.finish().expect_code(0);
    assert!(finished.path("results/today").is_dir());
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let setup = Setup::new();
    let file = setup.file("empty.sdf", world(""));
    let setup =
        setup.arg("run").arg(&file).args(["--http", "off", "--output", "empty.sdf/today"]).args(SHORT);
    setup.finish().expect_code(1).expect_message(&["the folder of `--output` cannot be made"]);
}

#[test]
fn a_second_run_has_another_port_and_says_which() {
    // Another program may have it already, which is as good.
    let _first = TcpListener::bind("127.0.0.1:8090");
    let setup = Setup::new();
    let file = setup.file("empty.sdf", world(""));
    let finished = setup.arg("run").arg(file).args(SHORT).finish().expect_code(0);
    let finished =
        finished.expect_message(&["BH-WEB-001", "port 8090 is taken", "bridgehead ctl --address 127.0.0.1:"]);
    finished.expect_message(&["serves the control plane"]);
}

#[test]
fn a_misspelt_world_is_answered_with_the_names_of_those_that_are_installed() {
    let setup = installed().args(["run", "two_vehicels", "--http", "off"]).args(SHORT);
    let finished = setup
        .finish()
        .expect_code(1)
        .expect_message(&["`two_vehicels` is no installed world", "`two_vehicles`"]);
    finished.expect_message(&["BH-SDF-001"]);
}

#[test]
fn the_demo_shows_the_installed_world() {
    let setup = installed().plugins(&["clock", "imu", "lidar", "diff_drive", "joint_state", "logging"]);
    let plugins = setup.plugin_folder();
    let host = Served::start(setup.env("BRIDGEHEAD_PLUGIN_PATH", plugins).args(["demo", "--no-open"]));
    eventually("it plays", || host.state() == PLAYING);
    assert_eq!(host.ok("get_current_world", json!({}))["world"]["name"], "two_vehicles");
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    assert_eq!(fs::read_dir(finished.path("out")).expect("a folder").count(), 0, "the demo leaves files");
}

#[test]
fn the_page_of_a_run_is_opened_as_the_user_has_chosen() {
    let setup = installed();
    let opened = setup.path("opened");
    let opener = setup.file("bin/xdg-open", format!("#!/bin/sh\necho \"$1\" >'{}'\n", opened.display()));
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).expect("made executable");
    let path = format!("{}:/usr/bin:/bin", setup.path("bin").display());
    let setup = setup.env("PATH", path).env("DISPLAY", ":0").args(["run", "empty", "--open", "--speed", "1"]);
    let host = Served::start(setup);
    let page = format!("http://{}\n", host.address());
    eventually("the page is opened", || fs::read_to_string(&opened).is_ok_and(|text| text == page));
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}
