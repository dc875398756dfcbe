//! Stores that are interrupted, shared, full, changed and forged.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::stage::{CAMPAIGN, Stage};
use crate::support::SmallDisk;

/// Longest time until something is in a store.
const DEADLINE: Duration = Duration::from_secs(60);

/// The entries of a store.
fn entries(stage: &Stage, store: &str) -> Vec<PathBuf> {
    let folders = fs::read_dir(stage.path(store).join("runs")).into_iter().flatten().flatten();
    let keys = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
    let mut found: Vec<PathBuf> = keys.map(|key| key.path().join("entry.json")).collect();
    found.sort();
    found
}

#[expect(clippy::disallowed_methods, reason = "a deadline of a test")]
fn wait_for_entries(stage: &Stage, store: &str, count: usize) {
    let begin = Instant::now();
    while entries(stage, store).len() < count {
        assert!(begin.elapsed() < DEADLINE, "{count} entries");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn after_a_kill_the_same_command_executes_what_is_missing() {
    let stage = Stage::new();
    stage.write("c.toml", &CAMPAIGN.replace("count = 2", "count = 8"));
    stage.campaign(&["run", "c.toml", "--store", "whole"]).expect_code(8);
    let mut child = stage.start(&["run", "c.toml", "--store", "killed", "--jobs", "2"]);
    wait_for_entries(&stage, "killed", 5);
    child.kill().expect("killed");
    child.wait().expect("our child");
    let before = entries(&stage, "killed");
    let dates = |paths: &[PathBuf]| -> Vec<_> {
        paths.iter().map(|path| fs::metadata(path).expect("an entry").modified().expect("a date")).collect()
    };
    let dates_before = dates(&before);
    assert!((5..32).contains(&before.len()), "{}", before.len());
    let ended = stage.campaign(&["run", "c.toml", "--store", "killed"]).expect_code(8);
    let missing = 32 - before.len();
    assert!(ended.stderr.contains(&format!("{missing} of {missing} runs")), "{}", ended.stderr);
    assert_eq!(dates(&before), dates_before, "finished runs were left alone");
    assert_eq!(stage.lasting_table("killed"), stage.lasting_table("whole"));
    assert_eq!(stage.names("killed/tmp"), [""; 0], "what the killed runs left");
}

#[test]
fn an_interrupt_keeps_what_is_finished() {
    let stage = Stage::new();
    stage.write("c.toml", &CAMPAIGN.replace("count = 2", "count = 8"));
    let mut child = stage.start(&["run", "c.toml", "--jobs", "2"]);
    wait_for_entries(&stage, "c.campaign", 2);
    let id = child.id().to_string();
    assert!(stage.shell(&format!("kill -INT {id}")).code == Some(0));
    assert_eq!(child.wait().expect("our child").code(), Some(130));
    let kept = entries(&stage, "c.campaign").len();
    assert!((2..32).contains(&kept), "{kept}");
    assert_eq!(stage.names("c.campaign/tmp"), [""; 0]);
}

#[test]
fn a_changed_entry_and_a_second_result_fail_the_campaign() {
    let stage = Stage::new();
    stage.campaign(&["run", "c.toml"]).expect_code(8);
    let paths = entries(&stage, "c.campaign");
    let text = fs::read_to_string(&paths[0]).expect("an entry");
    let entry: Value = serde_json::from_str(&text).expect("JSON");
    let key = entry["key"].as_str().expect("a key").to_owned();
    fs::write(&paths[0], text.replace("\"exit_code\": 9", "\"exit_code\": 0").replace("failed", "passed"))
        .expect("written");
    if entry["exit_code"] == 0 {
        fs::write(&paths[0], text.replace("\"steps\"", "\"seal\": null, \"steps\"")).expect("written");
    }
    let report = stage.campaign(&["report", "--store", "c.campaign"]).expect_code(9);
    report.expect(&["BH-CAM-023", &key, "not reproducible"]);
    // The entry is in the way of nothing: without it, the run is executed again.
    fs::remove_dir_all(paths[0].parent().expect("a folder")).expect("removed");
    stage.campaign(&["run", "c.toml"]).expect_code(8);
    assert_eq!(entries(&stage, "c.campaign"), paths);

    // A forged result that looks as if the program had written it is found by executing the run again.
    stage.campaign(&["run", "c.toml", "--again"]).expect_code(8);
    forge(&paths[0]);
    stage.campaign(&["report", "--store", "c.campaign"]).expect_code(8);
    let again = stage.campaign(&["run", "c.toml", "--again"]).expect_code(9);
    again.expect(&["BH-CAM-024", &key[..8], "0123456789abcdef"]);
    assert_eq!(stage.names("c.campaign/conflicts").len(), 1);
    assert!(stage.read("c.campaign/report.html").contains("Unstable runs"));
}

/// Replaces an entry by one with another state hash and a valid seal.
pub(super) fn forge(path: &Path) {
    let text = fs::read_to_string(path).expect("an entry");
    let mut entry: bridgehead_campaign::Entry = serde_json::from_str(&text).expect("an entry");
    entry.state_hash = Some("0123456789abcdef".to_owned());
    entry.seal = None;
    fs::write(path, serde_json::to_string(&entry.sealed()).expect("JSON")).expect("written");
}

#[test]
fn two_campaigns_do_not_share_a_store() {
    let stage = Stage::new();
    stage.campaign(&["plan", "c.toml", "--store", "s"]).expect_code(0);
    stage.write("other.toml", CAMPAIGN);
    let refused = stage.campaign(&["plan", "other.toml", "--store", "s"]).expect_code(1);
    refused.expect(&["BH-CAM-021", "`c`", "`other`"]);
    stage.campaign(&["run", "c.toml", "--store", "s"]).expect_code(8);
}

#[test]
fn a_full_disk_is_named_and_nothing_finished_is_lost() {
    let stage = Stage::new();
    stage.write("c.toml", &CAMPAIGN.replace("count = 2", "count = 6"));
    let Some(disk) = SmallDisk::mount(&stage.path("disk"), 2048, "") else { return };
    stage.campaign(&["plan", "c.toml", "--store", "disk/store"]).expect_code(0);
    stage.campaign(&["shard", "1/2", "--store", "disk/store", "--jobs", "1"]).expect_code(0);
    let kept = entries(&stage, "disk/store");
    assert!(!kept.is_empty() && kept.len() < 24, "{}", kept.len());
    disk.fill();
    let full = stage.campaign(&["shard", "2/2", "--store", "disk/store", "--jobs", "1"]).expect_code(1);
    full.expect(&["BH-CAM-020", "No space left", "disk/store"]);
    assert_eq!(entries(&stage, "disk/store"), kept);
    disk.free();
    stage.campaign(&["run", "c.toml", "--store", "disk/store"]).expect_code(8);
    assert_eq!(entries(&stage, "disk/store").len(), 24);
}

#[test]
fn a_world_that_is_missing_on_a_node_costs_its_runs_only() {
    let stage = Stage::new();
    stage
        .write("worlds/other.sdf", &stage.read("worlds/box.sdf").replace("<mass>1</mass>", "<mass>2</mass>"));
    stage.campaign(&["plan", "c.toml"]).expect_code(0).expect(&["16 runs in 8 cases"]);
    fs::remove_file(stage.path("worlds/other.sdf")).expect("removed");
    let shard = stage.campaign(&["shard", "1/1", "--store", "c.campaign"]).expect_code(1);
    shard.expect(&["BH-CAM-025", "worlds/other.sdf", "8 runs"]);
    assert_eq!(entries(&stage, "c.campaign").len(), 8);
    let report = stage.campaign(&["report", "--store", "c.campaign"]).expect_code(4);
    report.expect(&["incomplete", "8 missing", "BH-CAM-034"]);
    let named: Vec<&str> = report.stdout.lines().filter(|line| line.contains("BH-CAM-034")).collect();
    let is_whole =
        |line: &&&str| line.contains("worlds/other.sdf, ") && line.contains("all 2 runs have no result");
    let whole = named.iter().filter(is_whole).count();
    assert_eq!((named.len(), whole), (4, 4), "every case is named once:\n{}", report.stdout);
}

#[test]
fn a_run_that_is_killed_or_too_long_is_tried_again_and_then_named() {
    let stage = Stage::new();
    stage.write("slow.toml", "[run]\nspeed = 0.001\n");
    stage.write(
        "slow_campaign.toml",
        "[campaign]\nconfig = \"slow.toml\"\nduration = \"1s\"\n[matrix]\nworld = \"worlds/box.sdf\"\n[limits]\ntime = \"300ms\"\ntries = 2\n",
    );
    let late = stage.campaign(&["run", "slow_campaign.toml"]).expect_code(4);
    late.expect(&["time limit", "is tried again", "no result after 2 tries", "BH-CAM-034"]);
    assert_eq!(stage.names("slow_campaign.campaign/failures").len(), 1);
    // Without memory a run is ended by a signal.
    stage.write(
        "small.toml",
        "[campaign]\nduration = \"10ms\"\n[matrix]\nworld = \"worlds/box.sdf\"\n[limits]\nmemory = \"1M\"\ntries = 1\n",
    );
    let small = stage.campaign(&["run", "small.toml"]).expect_code(4);
    small.expect(&["no result after 1 tries", "BH-CAM-034"]);
}

#[test]
fn an_input_that_changes_is_executed_again_and_the_old_result_stays() {
    let stage = Stage::new();
    stage.campaign(&["run", "c.toml"]).expect_code(8);
    let world = stage.read("worlds/box.sdf");
    stage.write("worlds/box.sdf", &world.replace("<mass>1</mass>", "<mass>2</mass>"));
    let changed = stage.campaign(&["plan", "c.toml"]).expect_code(0);
    changed.expect(&["8 of them to execute"]);
    stage.write("worlds/box.sdf", &world);
    stage.campaign(&["plan", "c.toml"]).expect_code(0).expect(&["0 of them to execute"]);
    // A comment in the configuration changes no value, and a value changes all keys.
    let config = stage.read("base.toml");
    stage.write("base.toml", &format!("# A comment.\n{config}"));
    stage.campaign(&["plan", "c.toml"]).expect_code(0).expect(&["0 of them to execute"]);
    stage.write("base.toml", &config.replace("> 2", "> 3"));
    stage.campaign(&["plan", "c.toml"]).expect_code(0).expect(&["8 of them to execute"]);
}
