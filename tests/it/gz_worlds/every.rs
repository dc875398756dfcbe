//! Every one of Gazebo's worlds loads and runs, whatever is in it: no panic, no number that is none, no hang.

use std::fs;

use super::{PLUGINS, folder};
use crate::support::Setup;

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
        // A width of its own, because the worlds' steps differ.
        let setup = Setup::new().plugins(PLUGINS).run(&file).config("[run]\nstep_width = \"1ms\"\n");
        let finished = setup.args(["--duration", "1s"]).finish();
        assert_eq!(finished.code(), Some(0), "{}\n{finished}", file.display());
        let result = finished.result();
        assert_eq!(result["steps"], STEPS, "{}", file.display());
        finished.expect_silence("panic");
    }
}
