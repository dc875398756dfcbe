//! Files that are no campaigns, stores that are none, and several commands at the same time.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::stage::{CAMPAIGN, Stage};

#[test]
fn files_that_are_no_campaigns_are_refused() {
    let stage = Stage::new();
    fs::write(stage.path("binary.toml"), [0xff, 0xfe, 0, 1]).expect("written");
    stage.campaign(&["plan", "binary.toml"]).expect_code(1).expect(&["BH-CAM-001", "binary.toml"]);
    stage.campaign(&["plan", "worlds"]).expect_code(1).expect(&["BH-CAM-001", "worlds"]);
    stage.campaign(&["plan", "none.toml"]).expect_code(1).expect(&["BH-CAM-001", "none.toml"]);
    stage.write("half.toml", "[matrix\n");
    stage.campaign(&["plan", "half.toml"]).expect_code(1).expect(&["BH-CAM-002", "half.toml:1:8"]);
    stage.write(
        "deep.toml",
        &format!("[matrix]\nworld = \"worlds/box.sdf\"\n\"world.model{}\" = 1\n", "[".repeat(10_000)),
    );
    stage.campaign(&["plan", "deep.toml"]).expect_code(1).expect(&["BH-CAM-008", "has no `]`"]);
    stage.write(
        "long.toml",
        &format!("[matrix]\nworld = \"worlds/box.sdf\"\n\"{}\" = 1\n", "x".repeat(10_000)),
    );
    let long = stage.campaign(&["plan", "long.toml"]).expect_code(1);
    long.expect(&["BH-CAM-003"]);
    assert!(long.stderr.len() < 1000, "{}", long.stderr);
    stage.write("device.toml", "[matrix]\nworld = \"/dev/zero\"\n");
    stage.campaign(&["plan", "device.toml"]).expect_code(1).expect(&["BH-CAM-007", "/dev/zero"]);
    stage.write("worlds/broken.sdf", "<sdf><world");
    stage.write("broken.toml", "[matrix]\nworld = \"worlds/broken.sdf\"\n");
    stage.campaign(&["plan", "broken.toml"]).expect_code(1).expect(&["BH-CAM-009", "worlds/broken.sdf"]);
}

/// The entry of a run that is a pipe or a device is neither waited for nor read without end.
#[test]
fn entries_that_are_no_files_are_named() {
    let stage = Stage::new();
    stage.campaign(&["run", "c.toml"]).expect_code(8);
    let [first, second] = [0, 1].map(|number| entries(&stage.path("c.campaign/runs"))[number].clone());
    fs::remove_file(&first).expect("removed");
    symlink("/dev/zero", &first).expect("a link");
    fs::remove_file(&second).expect("removed");
    let made = std::process::Command::new("mkfifo").arg(&second).status().expect("mkfifo");
    assert!(made.success());
    let report = stage.campaign(&["report", "--store", "c.campaign"]);
    report.expect(&[
        "BH-CAM-023",
        "it is a named pipe; only regular files are read",
        "it is a character device; only regular files are read",
    ]);
}

/// A world whose name is that of a flag is a world: it does not change the command, and no other file.
#[test]
fn a_world_with_the_name_of_a_flag_is_a_world() {
    let stage = Stage::new();
    let world = stage.read("worlds/box.sdf");
    stage.write("good.sdf", &world);
    stage.write("--hash-log=good.sdf", &world);
    stage.write("c.toml", &CAMPAIGN.replace("worlds/*.sdf", "--hash-log=good.sdf"));
    stage.campaign(&["run", "c.toml"]).expect_code(8).expect(&["8, 4 passed, 4 failed"]);
    assert_eq!(stage.read("good.sdf"), world, "it is not emptied");
}

/// All entries of runs, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    let mut all: Vec<PathBuf> =
        paths.flat_map(|path| if path.is_dir() { entries(&path) } else { vec![path] }).collect();
    all.retain(|path| path.ends_with("entry.json"));
    all.sort();
    all
}

#[test]
fn stores_that_are_none_are_refused_and_left_alone() {
    let stage = Stage::new();
    stage.write("file", "mine");
    stage.campaign(&["plan", "c.toml", "--store", "file"]).expect_code(1).expect(&["BH-CAM-020", "file"]);
    assert_eq!(stage.read("file"), "mine");
    stage.campaign(&["plan", "c.toml"]).expect_code(0);
    let plan = stage.read("c.campaign/plan.json");
    stage.write("c.campaign/plan.json", &plan[..plan.len() / 2]);
    stage
        .campaign(&["shard", "1/1", "--store", "c.campaign"])
        .expect_code(1)
        .expect(&["BH-CAM-022", "cannot be read"]);
    stage.write("c.campaign/plan.json", &plan.replace("plan/1", "plan/7"));
    stage.campaign(&["report", "--store", "c.campaign"]).expect_code(1).expect(&["BH-CAM-022", "plan/7"]);
    stage.write("c.campaign/campaign.json", "{}");
    stage.campaign(&["plan", "c.toml"]).expect_code(1).expect(&["BH-CAM-020", "campaign.json"]);
}

#[test]
fn two_commands_at_the_same_time_fill_one_store() {
    let stage = Stage::new();
    let mut others = [1, 2].map(|_| stage.start(&["run", "c.toml", "--jobs", "1"]));
    for other in &mut others {
        assert_eq!(other.wait().expect("our child").code(), Some(8));
    }
    stage.campaign(&["report", "--store", "c.campaign"]).expect_code(8).expect(&["8, 4 passed, 4 failed"]);
    assert_eq!(stage.names("c.campaign/tmp"), [""; 0]);
    assert!(!stage.path("c.campaign/conflicts").exists());
}

#[test]
fn each_run_has_its_own_files_of_bridges() {
    let stage = Stage::new();
    stage.add_plugin("logging");
    let bridges = "bridges = [[\"*=logging:{out}/log.jsonl\"]]\n";
    stage.write("c.toml", &CAMPAIGN.replace("[matrix]\n", &format!("[matrix]\n{bridges}")));
    stage.campaign(&["run", "c.toml"]).expect_code(8).expect(&["8, 4 passed, 4 failed"]);
    for run in stage.table("c.campaign") {
        let key = &run["key"];
        let log = stage.read(&format!("c.campaign/runs/{}/{key}/out/log.jsonl", &key[..2]));
        assert!(log.contains("/box/imu"), "{key}");
    }
    // The folder of the runs is not part of their keys.
    let keys = |store: &str| stage.table(store).iter().map(|run| run["key"].clone()).collect::<Vec<_>>();
    stage.campaign(&["run", "c.toml", "--store", "elsewhere"]).expect_code(8);
    assert_eq!(keys("c.campaign"), keys("elsewhere"));
}
