//! Tests of `bridgehead doctor` with installations that lack something.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::Setup;

#[test]
fn a_program_without_libraries_says_what_is_missing() {
    let finished = Setup::new().args(["doctor"]).start().finish().expect_code(1);
    finished
        .expect_message(&[
            "missing  bridges",
            "0 of 11; not found: ardupilot, betaflight, cloisim, foxglove, gz, logging",
            "try: ",
        ])
        .expect_message(&["missing  sensors and drives", "0 of 27"]);
}

#[test]
fn libraries_are_found_beside_the_folder_of_the_program() {
    let setup = Setup::new().plugins(&["logging", "imu"]);
    fs::create_dir(setup.path("lib")).expect("a folder");
    symlink(setup.plugin_folder(), setup.path("lib/bridgehead")).expect("a link");
    let finished = setup.args(["doctor"]).start().finish().expect_code(1);
    finished
        .expect_message(&["1 of 11; not found: ardupilot, betaflight, cloisim, foxglove"])
        .expect_message(&["1 of 27; not found: ackermann"]);
}
