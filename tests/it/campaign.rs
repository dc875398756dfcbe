//! Campaigns, as a user runs them: `bridgehead campaign` with worlds, a store, and what is in it afterwards.

mod attacks;
mod buckets;
mod engines;
mod lab;
mod page;
mod peers;
mod ray;
mod ray_api;
mod slurm;
mod stage;
mod stand_in;
mod stores;

use std::collections::BTreeSet;
use std::fs;

use stage::{CAMPAIGN, Stage};

#[test]
fn a_campaign_is_executed_once_and_reported() {
    let stage = Stage::new();
    let first = stage.campaign(&["run", "c.toml"]).expect_code(8);
    // The box that begins at 1 m hits the ground within the duration, the one at 9 m does not.
    first.expect(&["c: not accepted", "8, 4 passed, 4 failed, 0 without a result, 0 missing"]);
    // Nothing in this world depends on the seed, and each failing case is named once, with its command.
    first.expect(&[
        "all 2 seeds of each case gave one run",
        "0.5000 of 4 distinct runs",
        " UTC, ",
        " cores), by version ",
    ]);
    first.expect(&[
        "8 of 8 runs, 4 failed in 2 cases",
        "worlds/box.sdf, substeps=1, pose=0 0 1 0 0 0: all 2 runs failed, such as seed 1 ",
    ]);
    let counts = ["error[BH-CAM-035]", "  repeat: cd "].map(|text| first.stdout.matches(text).count());
    let notes = first.stderr.matches("note: worlds/box.sdf, ").count();
    assert_eq!((counts, notes), ([2, 2], 2), "{}\n{}", first.stdout, first.stderr);
    let table = stage.table("c.campaign");
    let verdicts: BTreeSet<(String, String)> =
        table.iter().map(|run| (run["world.model[box].pose"].clone(), run["state"].clone())).collect();
    let expected = [("0 0 1 0 0 0", "failed"), ("0 0 9 0 0 0", "passed")];
    assert_eq!(verdicts, expected.map(|(pose, state)| (pose.to_owned(), state.to_owned())).into());
    assert!(table.iter().all(|run| run["world"] == "worlds/box.sdf" && run["state_hash"].len() == 16));
    // The worlds are as they were, and nothing lies beside them.
    assert_eq!(stage.names("worlds"), ["box.sdf"]);
    let junit = stage.read("c.campaign/junit.xml");
    assert!(
        junit.contains("<testsuite name=\"worlds/box.sdf\" tests=\"8\" failures=\"4\" errors=\"0\""),
        "{junit}"
    );
    assert!(stage.read("c.campaign/report.html").contains("Cases with runs that did not pass: 2"));

    let second = stage.campaign(&["run", "c.toml"]).expect_code(8);
    assert!(!second.stderr.contains("running"), "nothing was executed again:\n{}", second.stderr);
    assert_eq!(stage.table("c.campaign"), table);
    // A seed more is executed, and nothing else.
    stage.write("c.toml", &CAMPAIGN.replace("count = 2", "count = 3"));
    let third = stage.campaign(&["run", "c.toml"]).expect_code(8);
    assert!(third.stderr.contains("4 of 4 runs"), "{}", third.stderr);
    assert_eq!(stage.table("c.campaign").len(), 12);
}

#[test]
fn a_failure_is_repeated_by_its_command_and_made_smaller() {
    let stage = Stage::new();
    stage.campaign(&["run", "c.toml"]).expect_code(8);
    let table = stage.table("c.campaign");
    let failed = table
        .iter()
        .find(|run| run["state"] == "failed" && run["run.substeps"] == "2")
        .expect("a failure with two substeps");
    let junit = stage.read("c.campaign/junit.xml");
    let of_run = junit.split("<testcase").find(|case| case.contains(&failed["key"])).expect("its test case");
    let command =
        of_run.split("&#10;").nth(1).and_then(|rest| rest.split("</system-out>").next()).expect("a command");
    let repeated = stage.shell(&format!(
        "{} --result {}",
        command.replace("&amp;", "&"),
        stage.path("again.json").display()
    ));
    assert_eq!(repeated.code, Some(9), "{command}\n{}", repeated.stderr);
    let again: serde_json::Value = serde_json::from_str(&stage.read("again.json")).expect("a result");
    assert_eq!(again["state_hash"], failed["state_hash"].as_str());

    let smaller = stage.campaign(&["minimise", &failed["key"][..16], "--store", "c.campaign"]).expect_code(0);
    smaller.expect(&[
        "`run.substeps=2` is not needed",
        "`world.model[box].pose=0 0 1 0 0 0` is needed",
        "The nearest passing run differs in world.model[box].pose: 0 0 1 0 0 0 fails, 0 0 9 0 0 0 passes",
    ]);
    // A fall of 0.9 m from rest takes 0.428 s.
    let long_enough = smaller
        .stdout
        .lines()
        .find_map(|line| line.trim().strip_suffix(" s are long enough"))
        .expect("a duration");
    let long_enough: f64 = long_enough.parse().expect("a number");
    assert!((0.42..0.46).contains(&long_enough), "{long_enough}");
    assert!(smaller.stdout.contains("The states differ from step 1 on."), "{}", smaller.stdout);
    let passed = table.iter().find(|run| run["state"] == "passed").expect("a passed run");
    stage
        .campaign(&["minimise", &passed["key"], "--store", "c.campaign"])
        .expect_code(1)
        .expect(&["BH-CAM-041", "it has passed"]);
    stage
        .campaign(&["minimise", "ffff", "--store", "c.campaign"])
        .expect_code(1)
        .expect(&["BH-CAM-040", "ffff"]);
    assert_eq!(stage.names("c.campaign/tmp"), [""; 0]);
}

#[test]
fn bad_campaigns_are_refused_with_their_places() {
    let stage = Stage::new();
    let refused = |text: &str, parts: &[&str]| {
        stage.write("bad.toml", text);
        stage.campaign(&["plan", "bad.toml"]).expect_code(1).expect(parts);
        assert!(!stage.path("bad.campaign").exists(), "no store for {text}");
    };
    refused("[matrix]\nworld = \"worlds/none.sdf\"\n", &["BH-CAM-007", "bad.toml:2:9", "worlds/none.sdf"]);
    refused(
        "[matrix]\nworld = \"worlds/*.sdf\"\nseed = { count = 1000000000 }\n",
        &["BH-CAM-006", "1000000000 runs"],
    );
    refused("[matrix]\nworld = \"worlds/*.sdf\"\nseed = []\n\"run.substeps\" = []\n", &["BH-CAM-005"]);
    refused("[matrix]\nworld = \"worlds/*.sdf\"\n\"run.substeps\" = 0\n", &["BH-CAM-008", "bad.toml:3:18"]);
    refused("[matrix]\nworld = \"worlds/*.sdf\"\n\"run.seed\" = 1\n", &["BH-CAM-008", "write `seed`"]);
    refused(
        "[matrix]\nworld = \"worlds/*.sdf\"\n\"http.address\" = \"off\"\n",
        &["BH-CAM-008", "cannot change the result"],
    );
    refused(
        "[matrix]\nworld = \"worlds/*.sdf\"\n\"world.model[bux].pose\" = \"0 0 1 0 0 0\"\n",
        &["BH-CAM-008", "world.model[bux].pose", "`model[box]`", "`model[ground]`"],
    );
    refused(
        "[matrix]\nworld = \"worlds/*.sdf\"\nbridges = [[\"*=carrier_pigeon:\"]]\n",
        &["BH-CAM-009", "carrier_pigeon"],
    );
    stage.write("outputs.toml", "[run]\nsave = \"x.sdf\"\n");
    refused(
        "[campaign]\nconfig = \"outputs.toml\"\n[matrix]\nworld = \"worlds/*.sdf\"\n",
        &["BH-CAM-010", "`run.save`"],
    );
    stage.campaign(&["shard", "3/2", "--store", "c.campaign"]).expect_code(1).expect(&["BH-CAM-030", "3/2"]);
    stage.campaign(&["report", "--store", "nowhere"]).expect_code(1).expect(&["BH-CAM-022", "nowhere"]);
}

#[test]
fn shards_have_the_results_of_the_pool_and_only_what_is_missing() {
    let stage = Stage::new();
    stage.campaign(&["run", "c.toml"]).expect_code(8);
    stage
        .campaign(&["plan", "c.toml", "--store", "shards"])
        .expect_code(0)
        .expect(&["8 runs in 4 cases, 8 of them to execute"]);
    for shard in ["1/3", "2/3", "3/3"] {
        stage.campaign(&["shard", shard, "--store", "shards", "--jobs", "1"]).expect_code(0);
    }
    let hashes = |store: &str| -> Vec<(String, String)> {
        stage.table(store).iter().map(|run| (run["key"].clone(), run["state_hash"].clone())).collect()
    };
    stage.campaign(&["report", "--store", "shards"]).expect_code(8);
    assert_eq!(hashes("shards"), hashes("c.campaign"));
    let again = stage.campaign(&["shard", "1/1", "--store", "shards", "--again"]).expect_code(0);
    assert!(again.stderr.contains("8 of 8 runs"), "{}", again.stderr);
    assert!(!stage.path("shards/conflicts").exists());
    fs::remove_dir_all(stage.path("c.campaign")).expect("removed");
}
