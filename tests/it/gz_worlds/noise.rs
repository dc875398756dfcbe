//! Tests of how much the host prints about a world that it cannot show completely.

use std::fs;
use std::path::PathBuf;

use super::folder;
use crate::support::{Finished, Setup, world};

/// Lines that a reader still takes in.
const MAX_LINES: usize = 25;

fn worlds() -> Vec<PathBuf> {
    let Some(folder) = folder() else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "sdf"));
    files.sort();
    files
}

/// Returns the number of lines before the summary of a run.
fn lines(finished: &Finished) -> usize {
    finished.to_string().lines().skip(1).take_while(|line| !line.contains(" of simulated time")).count()
}

#[test]
fn every_world_is_told_in_a_few_lines() {
    for file in worlds() {
        for command in [&["check"][..], &["world", "check"], &["run", "--http", "off", "--steps", "2"]] {
            let setup = command.iter().fold(Setup::new(), |setup, word| setup.arg(word)).arg(&file);
            let finished = setup.finish();
            let lines = lines(&finished);
            assert!(lines <= MAX_LINES, "{command:?}: {lines} lines\n{finished}");
        }
    }
}

/// A world like Gazebo's crowd of actors: one address many times, and many addresses.
fn crowd() -> String {
    let include = |address: &str| format!("<include><uri>{address}</uri></include>\n");
    let same = (0..121).map(|_| include("https://fuel.gazebosim.org/1.0/o/models/Walker"));
    let others =
        (0..60).map(|number| include(&format!("https://fuel.gazebosim.org/1.0/o/models/Tile {number}")));
    world(&same.chain(others).collect::<String>())
}

#[test]
fn repeats_are_one_line_with_their_number() {
    let run = || Setup::new().plugins(&["clock"]).world(&crowd()).args(["--steps", "2"]);
    let finished = run().finish().expect_code(9);
    let finished = finished.expect_message(&["models/Walker`", "(121 times, first here)"]);
    let finished = finished.expect_message(&["error[BH-SDF-061]: 53 more findings of this kind"]);
    assert!(lines(&finished) <= MAX_LINES, "{finished}");
    let result = finished.result();
    assert_eq!(result["errors"].as_array().map(Vec::len), Some(61), "each missing model once");
    let detailed = run().arg("-v").finish().expect_code(9);
    assert!(lines(&detailed) > 181, "{detailed}");
}

#[test]
fn a_line_has_one_level_and_strict_runs_tell_each_problem_once() {
    let sdf = world(
        "<include><uri>model://unicorn</uri></include><plugin filename=\"gz-sim-thermal-system\" name=\"l\"/>",
    );
    for strict in [false, true] {
        let setup = Setup::new().plugins(&["clock"]).world(&sdf).args(["--steps", "2"]);
        let setup = if strict { setup.arg("--strict") } else { setup };
        let text = setup.finish().to_string();
        for two in ["warning: error", "info: note", "error: warning"] {
            assert!(!text.contains(two), "{text}");
        }
        let log = text.split("not simulated: ").next().unwrap_or_default();
        assert_eq!(log.matches("gz-sim-thermal-system").count(), 1, "{text}");
        assert_eq!(text.matches("model://unicorn").count(), 1, "{text}");
    }
}

#[test]
fn both_checks_name_what_is_not_simulated() {
    let sdf = world("<plugin filename=\"gz-sim-thermal-system\" name=\"l\"/>");
    for (command, verdict) in [
        (&["check"][..], "w.sdf: OK, without 1 system or sensor, which is not simulated"),
        (&["world", "check"], "w.sdf: 0 errors, 0 warnings, 0 notes, 1 not simulated"),
    ] {
        let setup = Setup::new();
        setup.file("w.sdf", &sdf);
        let setup = command.iter().fold(setup, |setup, word| setup.arg(word)).arg("w.sdf");
        let finished = setup.finish().expect_code(0).expect_message(&[verdict]);
        drop(finished.expect_message(&["[BH-PLG-110]", "gz-sim-thermal-system", "w.sdf:"]));
    }
}
