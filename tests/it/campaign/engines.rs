//! Engines that are missing, that refuse, that lie, and that do their work. Slurm itself is in `slurm`, and Ray in `ray`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use super::lab::{send, wait};
use super::stage::{Ended, Stage};

/// Runs a campaign with `sbatch` and `squeue` replaced by these scripts.
fn with_slurm(stage: &Stage, sbatch: &str, squeue: &str) -> Ended {
    let mut command = slurm_command(stage, &[("sbatch", sbatch), ("squeue", squeue)]);
    command.output().expect("the program starts").into()
}

/// A campaign with the programs of Slurm replaced by these scripts.
fn slurm_command(stage: &Stage, scripts: &[(&str, &str)]) -> Command {
    let tools = stage.path("tools");
    fs::create_dir_all(&tools).expect("a folder");
    for (name, text) in scripts {
        let path = tools.join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    }
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").expect("a path"));
    let mut command = stage.command(&[
        "run",
        "c.toml",
        "--engine",
        "slurm",
        "--shards",
        "3",
        "--engine-arg=--partition=short",
    ]);
    command.env("PATH", path);
    command
}

#[test]
fn an_engine_that_is_not_installed_is_named() {
    let stage = Stage::new();
    let tools = stage.path("tools");
    fs::create_dir(&tools).expect("a folder");
    std::os::unix::fs::symlink("/usr/bin/timeout", tools.join("timeout")).expect("a link");
    let mut command = stage.command(&["run", "c.toml", "--engine", "slurm"]);
    let ended: Ended = command.env("PATH", &tools).output().expect("the program starts").into();
    ended.expect_code(1).expect(&["BH-CAM-032", "`sbatch`", "--engine local"]);
    stage
        .campaign(&["run", "c.toml", "--engine", "cloud"])
        .expect_code(1)
        .expect(&["local, slurm, ray, k8s"]);
}

#[test]
fn an_engine_that_refuses_is_quoted() {
    let stage = Stage::new();
    let refused = with_slurm(&stage, "echo 'invalid partition specified: short' >&2; exit 1", "exit 0");
    refused.expect_code(1).expect(&["BH-CAM-033", "invalid partition specified: short"]);
}

#[test]
fn an_engine_that_claims_success_without_results_is_not_believed() {
    let stage = Stage::new();
    let ended = with_slurm(&stage, "echo 7", "exit 0").expect_code(4);
    ended.expect(&["incomplete", "8 missing"]);
    let cases = ended.stdout.matches("error[BH-CAM-034]: worlds/box.sdf, ").count();
    assert_eq!(
        (cases, ended.stdout.matches(": all 2 runs have no result").count()),
        (4, 4),
        "{}",
        ended.stdout
    );
    // The shard of the first run is lost.
    let plan: serde_json::Value = serde_json::from_str(&stage.read("c.campaign/plan.json")).expect("a plan");
    let key = plan["runs"][0][0].as_str().expect("a key");
    let lost = u32::from_str_radix(&key[..8], 16).expect("digits") % 3 + 1;
    let starts = format!(
        "for last; do :; done; for i in 1 2 3; do [ $i = {lost} ] || SLURM_ARRAY_TASK_ID=$i sh \"$last\" >&2; done; echo 7"
    );
    let squeue = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1";
    let ended = with_slurm(&stage, &starts, squeue).expect_code(4);
    assert!(ended.stdout.contains(&format!("with key {}: ", &key[..8])), "{}", ended.stdout);
    let missing = ended.stdout.matches("error[BH-CAM-034]: worlds/box.sdf, ").count();
    assert!((1..=4).contains(&missing), "{}", ended.stdout);
    let script = stage.read("c.campaign/slurm/shard.sh");
    assert!(
        script.contains("#SBATCH --job-name=bridgehead-c\n") && script.contains("/3\" --store "),
        "{script}"
    );
}

#[test]
fn an_engine_that_starts_all_shards_gives_the_results_of_the_pool() {
    let stage = Stage::new();
    let starts = "echo \"$*\" > arguments; for last; do :; done; for i in 1 2 3; do SLURM_ARRAY_TASK_ID=$i sh \"$last\" >&2 || exit 1; done; echo '7;cluster'";
    with_slurm(&stage, starts, "[ \"$3\" = 7 ]")
        .expect_code(8)
        .expect(&["8, 4 passed, 4 failed", "job 7 is submitted"]);
    assert!(
        stage.read("arguments").contains("--parsable --array=1-3 --partition=short"),
        "{}",
        stage.read("arguments")
    );
    stage.campaign(&["run", "c.toml", "--store", "pool"]).expect_code(8);
    assert_eq!(stage.lasting_table("c.campaign"), stage.lasting_table("pool"));
}

#[test]
fn an_interrupt_cancels_the_job() {
    let stage = Stage::new();
    let interrupt = |scancel: &str| -> Ended {
        let scripts = [("sbatch", "echo 7"), ("squeue", "touch asked; echo 7"), ("scancel", scancel)];
        let mut command = slurm_command(&stage, &scripts);
        let campaign = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        wait("a question", || stage.path("asked").exists());
        send(campaign.id(), "INT");
        let output = campaign.wait_with_output().expect("our child");
        fs::remove_file(stage.path("asked")).expect("removed");
        output.into()
    };
    interrupt("echo $* > cancelled").expect_code(130).expect(&["slurm: job 7 is stopped", "BH-CAM-050"]);
    assert_eq!(stage.read("cancelled"), "7\n");
    let refused = interrupt("echo 'access denied' >&2; exit 1").expect_code(130);
    refused.expect(&["BH-CAM-039", "access denied", "`scancel 7`", "BH-CAM-050"]);
}

#[test]
fn the_manifest_of_kubernetes_names_image_volume_and_shards() {
    let stage = Stage::new();
    let ended = stage
        .campaign(&[
            "run",
            "c.toml",
            "--engine",
            "k8s",
            "--shards",
            "4",
            "--image",
            "i:1",
            "--claim",
            "v",
            "--store-at",
            "/data",
            "--program",
            "/opt/bridgehead",
        ])
        .expect_code(0);
    for line in [
        "  completions: 4",
        "          image: \"i:1\"",
        "            claimName: \"v\"",
        "              mountPath: \"/data\"",
    ] {
        assert!(ended.stdout.lines().any(|found| found == line), "{line}\n{}", ended.stdout);
    }
    assert!(ended.stdout.contains("exec /opt/bridgehead campaign shard"));
    stage.campaign(&["run", "c.toml", "--engine", "k8s"]).expect_code(1).expect(&["--image"]);
}
