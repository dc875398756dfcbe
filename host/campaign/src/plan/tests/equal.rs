//! Runs that are in a campaign more than once.

use std::fs;

use super::{planned, stage};

#[test]
fn equal_worlds_are_one_run_and_both_are_named() {
    let (folder, host) = stage();
    fs::copy(folder.path().join("a.sdf"), folder.path().join("copy.sdf")).expect("copied");
    let (plan, notes) =
        planned(&host, "[matrix]\nworld = [\"a.sdf\", \"copy.sdf\"]\nseed = [1]\n").expect("a plan");
    assert_eq!(plan.runs.len(), 1);
    let note = "1 run is in the campaign twice and is executed once: `a.sdf` and `copy.sdf` are equal";
    assert!(notes.iter().any(|found| found == note), "{notes:?}");
}
