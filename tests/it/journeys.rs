//! The first ten minutes of new users, with a wheel of the built program in a fresh environment: the scripts of
//! `tests/journeys`, which say what each user does.

use std::process::Command;

use tempfile::TempDir;

use crate::page::browser::Script;
use crate::python::built_wheel;
use crate::ros2::Domain;
use crate::support::{Python, root, succeed};

/// Plays a user. Without the modules of Python that the script needs, the test is skipped.
#[track_caller]
fn play(script: &str, modules: &str, prepare: impl FnOnce(&mut Command)) {
    let Some(python) = Python::with(&format!("h11, hatchling.build, websockets.sync.client{modules}")) else {
        return;
    };
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let wheel = built_wheel(&python, folder.path());
    let mut user = Command::new("bash");
    user.arg(root().join("tests/journeys").join(script)).arg(wheel).env("TMPDIR", folder.path());
    user.env("BRIDGEHEAD_PYTHON", python.program()).env("PYTHONPATH", python.packages_beside(folder.path()));
    prepare(&mut user);
    let output = succeed(&mut user);
    assert!(output.lines().last().is_some_and(|line| line.contains("is content")), "{output}");
}

#[test]
fn a_user_of_python_drives_reads_and_starts_again() {
    play("python_user.sh", ", numpy, pytest", |_| {});
}

#[test]
fn a_user_of_ros_sees_sensors_and_frames_and_drives() {
    let domain = Domain::free();
    play("ros_user.sh", ", cyclonedds.domain", |user| {
        user.env("ROS_DOMAIN_ID", domain.number().to_string());
    });
}

#[test]
fn a_user_with_many_runs_kills_and_continues_them() {
    play("cluster_user.sh", "", |_| {});
}

#[test]
fn a_user_of_the_browser_spawns_drives_and_attaches() {
    if Script::of("browser.mjs").is_some() {
        play("web_user.sh", "", |_| {});
    }
}
