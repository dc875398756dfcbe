//! Test that every one of Gazebo's worlds loads and runs: without a panic, a non-finite state or a hang.

use std::fs;
use std::path::Path;

use super::{PLUGINS, folder};
use crate::support::{Finished, Setup};

/// Steps of each run.
const STEPS: u64 = 1000;

#[test]
fn every_world_runs_a_thousand_steps() {
    let Some(folder) = folder() else { return };
    let mut files: Vec<_> =
        fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "sdf"));
    files.sort();
    assert!(files.len() > 70, "only {} worlds in {}", files.len(), folder.display());
    for file in files {
        // A fixed step width, because the worlds have different ones.
        let setup = Setup::new().plugins(PLUGINS).run(&file).config("[run]\nstep_width = \"1ms\"\n");
        // Models that are on the network only are missing.
        let finished =
            setup.args(["--duration", "1s", "--save", "saved.sdf", "--on-loss", "ignore"]).finish();
        assert_eq!(finished.code(), Some(0), "{}\n{finished}", file.display());
        let result = finished.result();
        assert_eq!(result["steps"], STEPS, "{}", file.display());
        assert_finite(&finished, &file);
        finished.expect_silence("panic");
    }
}

/// Checks that the world that was saved at the end has poses, of which all numbers are finite.
#[track_caller]
fn assert_finite(finished: &Finished, file: &Path) {
    let saved = fs::read_to_string(finished.path("saved.sdf")).expect("the saved world");
    let poses =
        saved.split("<pose").skip(1).filter_map(|rest| rest.split_once('>')?.1.split("</pose>").next());
    let numbers: Vec<&str> = poses.flat_map(str::split_whitespace).collect();
    assert!(!numbers.is_empty(), "{}: no poses in\n{saved}", file.display());
    for number in numbers {
        let is_finite = number.parse::<f64>().is_ok_and(f64::is_finite);
        assert!(is_finite, "{}: `{number}` in a pose\n{finished}", file.display());
    }
}
