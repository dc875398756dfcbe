//! Ray that is missing, that refuses, that lies and that disappears: a stand-in for its Jobs API. Ray itself is in `ray`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};

use super::lab::{send, wait};
use super::stage::{Ended, Stage};
use super::stand_in::{Reply, Request, StandIn};
use crate::support::{free_port, root};

/// Runs a campaign with Ray at an address.
fn campaign(stage: &Stage, address: &str, more: &[&str]) -> Ended {
    command(stage, address, more).output().expect("the program starts").into()
}

fn command(stage: &Stage, address: &str, more: &[&str]) -> Command {
    let mut command = stage.command(&[&["run", "c.toml", "--engine", "ray", "--shards", "3"], more].concat());
    for name in ["RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"] {
        command.env_remove(name);
    }
    command.env("RAY_API_SERVER_ADDRESS", address);
    command
}

fn submitted() -> Reply {
    Reply::Json(200, json!({ "job_id": "raysubmit_1", "submission_id": "raysubmit_1" }))
}

fn status(status: &str, message: &str) -> Reply {
    Reply::Json(200, json!({ "status": status, "message": message, "submission_id": "raysubmit_1" }))
}

/// Ray whose job has this status at once.
fn with_status(word: &'static str, message: &'static str) -> StandIn {
    StandIn::start(move |request| {
        Some(if request.is("POST /api/jobs/") { submitted() } else { status(word, message) })
    })
}

#[test]
fn ray_that_cannot_be_reached_is_named_with_its_address() {
    let stage = Stage::new();
    let address = format!("127.0.0.1:{}", free_port());
    let texts =
        ["BH-CAM-036", &format!("`http://{address}`"), "refused", "`ray start --head`", "--engine local"];
    campaign(&stage, &address, &[]).expect_code(1).expect(&texts);
    // The option comes before the environment.
    let other = format!("http://127.0.0.1:{}/", free_port());
    let ended = campaign(&stage, &address, &["--engine-address", &other]).expect_code(1);
    ended.expect(&["BH-CAM-036", other.trim_end_matches('/')]);
    campaign(&stage, "https://head:8265", &[]).expect_code(1).expect(&["BH-CAM-036", "only `http://`"]);
    campaign(&stage, &address, &["--engine-arg=num_cpus"])
        .expect_code(1)
        .expect(&["BH-CAM-033", "NAME=VALUE"]);
}

#[test]
fn ray_that_refuses_is_quoted() {
    let stage = Stage::new();
    let traceback = "Traceback (most recent call last):\n  …\nRuntimeError: no agent to submit the job\n";
    let ray = StandIn::start(move |_| Some(Reply::Text(500, traceback.to_owned())));
    let texts = ["BH-CAM-033", "HTTP 500, `RuntimeError: no agent to submit the job`"];
    campaign(&stage, ray.address(), &[]).expect_code(1).expect(&texts);
    let other = StandIn::start(|_| Some(Reply::Text(200, "<html>\nWelcome\n</html>".to_owned())));
    let texts = ["BH-CAM-033", "HTTP 200, `<html>`"];
    campaign(&stage, other.address(), &[]).expect_code(1).expect(&texts);
    let silent = StandIn::start(|_| Some(Reply::Nothing));
    campaign(&stage, silent.address(), &[]).expect_code(1).expect(&["BH-CAM-036"]);
}

#[test]
fn ray_that_requires_a_token_gets_that_of_the_environment_or_of_a_file() {
    let stage = Stage::new();
    let ray = StandIn::start(|request| {
        Some(match request.authorization.as_str() {
            "" => Reply::Text(401, "Unauthorized: Missing authentication token".to_owned()),
            "Bearer right" if request.is("POST /api/jobs/") => submitted(),
            "Bearer right" => status("SUCCEEDED", ""),
            _ => Reply::Text(403, "Forbidden: Invalid authentication token".to_owned()),
        })
    });
    let missing = campaign(&stage, ray.address(), &[]).expect_code(1);
    missing.expect(&["BH-CAM-037", "Missing authentication token", "no token was sent", "`RAY_AUTH_TOKEN`"]);
    let wrong: Ended = command(&stage, ray.address(), &[])
        .env("RAY_AUTH_TOKEN", "wrong")
        .output()
        .expect("it starts")
        .into();
    let wrong = wrong.expect_code(1);
    wrong.expect(&["BH-CAM-037", "Invalid authentication token", "the token of `RAY_AUTH_TOKEN` was sent"]);
    stage.write("home/token", "right\n");
    let mut with_file = command(&stage, ray.address(), &[]);
    let ended: Ended =
        with_file.env("RAY_AUTH_TOKEN_PATH", stage.path("home/token")).output().expect("it starts").into();
    ended.expect_code(4);
    std::fs::create_dir(stage.path("home/.ray")).expect("a folder");
    stage.write("home/.ray/auth_token", "right");
    campaign(&stage, ray.address(), &[]).expect_code(4);
}

#[test]
fn ray_that_claims_success_without_results_is_not_believed() {
    let stage = Stage::new();
    let ray = with_status("SUCCEEDED", "Job finished successfully.");
    let ended = campaign(&stage, ray.address(), &[]).expect_code(4);
    ended.expect(&["incomplete", "8 missing", "ray: job raysubmit_1 is submitted"]);
    assert_eq!(ended.stdout.matches("error[BH-CAM-034]: worlds/box.sdf, ").count(), 4, "{}", ended.stdout);
    assert!(!ended.stderr.contains("finished successfully"), "{}", ended.stderr);
}

#[test]
fn the_reason_of_a_failed_job_is_shown_and_the_store_decides() {
    let stage = Stage::new();
    let mut entrypoint = String::new();
    let ray = StandIn::start(move |request| {
        Some(match request.line.as_str() {
            "POST /api/jobs/" => {
                let job: Value = serde_json::from_str(&request.body).expect("JSON");
                entrypoint = job["entrypoint"].as_str().expect("a command").to_owned();
                submitted()
            }
            "GET /api/jobs/raysubmit_1/logs" => {
                let lines: String = (1..=30).map(|line| format!("line {line}\n")).collect();
                Reply::Json(
                    200,
                    json!({ "logs": format!("Running entrypoint for job: {entrypoint}\n{lines}") }),
                )
            }
            _ => status("FAILED", "Job failed, last logs:\nthe driver"),
        })
    });
    let failed = campaign(&stage, ray.address(), &[]).expect_code(4);
    failed.expect(&[
        "note: ray: job raysubmit_1 ended\n  FAILED: Job failed, last logs:\n  line 11\n",
        "line 30",
    ]);
    for absent in ["line 10\n", "the driver", "import"] {
        assert!(!failed.stderr.contains(absent), "{}", failed.stderr);
    }
    assert_eq!(failed.stdout.matches("error[BH-CAM-034]: worlds/box.sdf, ").count(), 4, "{}", failed.stdout);
    let silent = with_status("FAILED", "No module named 'ray'");
    campaign(&stage, silent.address(), &[]).expect_code(4).expect(&["  FAILED: No module named 'ray'"]);
    let forgetful = StandIn::start(|request| {
        let unknown = || Reply::Text(404, "Job raysubmit_1 does not exist".to_owned());
        Some(if request.is("POST /api/jobs/") { submitted() } else { unknown() })
    });
    let forgotten = campaign(&stage, forgetful.address(), &[]).expect_code(4);
    forgotten.expect(&["Ray does not know the job any more", "8 missing"]);
}

#[test]
fn answers_that_make_no_sense_are_borne_for_a_while() {
    let stage = Stage::new();
    let mut asked = 0;
    let ray = StandIn::start(move |request| {
        if request.is("POST /api/jobs/") {
            return Some(submitted());
        }
        asked += 1;
        Some(match asked {
            1 => Reply::Text(502, "bad gateway".to_owned()),
            2 => Reply::Nothing,
            3 => status("DREAMING", ""),
            4 => Reply::Json(200, json!([1, 2])),
            5 => status("RUNNING", ""),
            _ => status("SUCCEEDED", ""),
        })
    });
    campaign(&stage, ray.address(), &[]).expect_code(4).expect(&["8 missing"]);
    assert_eq!(ray.requests().len(), 7);
}

#[test]
fn ray_that_disappears_loses_the_job_and_not_the_results() {
    let stage = Stage::new();
    // A shard is executed, and then nobody answers. Keys decide which shards have runs, and they differ by the program.
    let shards = ["1/3", "2/3", "3/3"];
    let shards = shards.map(|shard| stage.command(&["shard", shard, "--store", "c.campaign", "--jobs", "1"]));
    let (shards, runs) = (Mutex::new(shards), stage.path("c.campaign/runs"));
    let ray = StandIn::start(move |request| {
        request.is("POST /api/jobs/").then(|| {
            let is_empty = || std::fs::read_dir(&runs).map_or(true, |mut found| found.next().is_none());
            for shard in shards.lock().expect("a lock").iter_mut() {
                if is_empty() {
                    assert!(shard.output().expect("a shard").status.success());
                }
            }
            submitted()
        })
    });
    let ended = campaign(&stage, ray.address(), &[]).expect_code(1);
    ended.expect(&["BH-CAM-038", "raysubmit_1", "refused", "repeat the command"]);
    let kept = stage.names("c.campaign/runs").len();
    assert!(kept > 0, "the results of the shard");
    // The same command without Ray executes only the rest.
    let rest = stage.campaign(&["run", "c.toml"]).expect_code(8);
    assert!(!rest.stderr.contains("8 of 8 runs"), "{}", rest.stderr);
}

#[test]
fn an_interrupt_stops_the_job() {
    let stage = Stage::new();
    let ray = StandIn::start(|request| {
        Some(match request.line.as_str() {
            "POST /api/jobs/" => submitted(),
            "POST /api/jobs/raysubmit_1/stop" => Reply::Json(200, json!({ "stopped": true })),
            _ => status("RUNNING", ""),
        })
    });
    let interrupted = interrupt(&stage, &ray);
    interrupted.expect_code(130).expect(&["ray: job raysubmit_1 is stopped", "BH-CAM-050"]);
    let last = ray.requests().pop().expect("a request");
    assert_eq!(last.line, "POST /api/jobs/raysubmit_1/stop");
    let stubborn = StandIn::start(|request| {
        Some(match request.line.as_str() {
            "POST /api/jobs/" => submitted(),
            "POST /api/jobs/raysubmit_1/stop" => Reply::Text(500, "no agent".to_owned()),
            _ => status("PENDING", ""),
        })
    });
    let command = format!("`ray job stop --address {} raysubmit_1`", stubborn.address());
    interrupt(&stage, &stubborn).expect_code(130).expect(&["BH-CAM-039", "HTTP 500, `no agent`", &command]);
}

/// Starts a campaign, and interrupts it when it has asked for the status of its job.
fn interrupt(stage: &Stage, ray: &StandIn) -> Ended {
    let mut command = command(stage, ray.address(), &[]);
    let campaign = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    wait("a question", || ray.requests().iter().any(|request| request.is("GET /api/jobs/raysubmit_1")));
    send(campaign.id(), "INT");
    campaign.wait_with_output().expect("our child").into()
}

/// Executes the entrypoint of a request in a folder, as Ray does: in a shell, without the environment of the command.
fn execute(request: &Request, folder: &Path) -> bool {
    let job: Value = serde_json::from_str(&request.body).expect("JSON");
    assert_eq!(job["metadata"]["job_name"], "bridgehead-c");
    assert!(job.get("runtime_env").is_none(), "nothing is uploaded");
    let mut shell = Command::new("sh");
    shell.args(["-c", job["entrypoint"].as_str().expect("a command")]).current_dir(folder);
    shell.env("PYTHONPATH", root().join("tests/it/campaign/fake")).env("PYTHONDONTWRITEBYTECODE", "1");
    shell.env("FAKE_RAY_LOG", folder.join("log")).env_remove("BRIDGEHEAD_PLUGIN_PATH");
    shell.output().expect("a shell").status.success()
}

#[test]
fn the_job_executes_all_shards_and_gives_the_results_of_the_pool() {
    let stage = Stage::new();
    let folder = stage.path("home");
    let mut has_succeeded = false;
    let ray = StandIn::start(move |request| {
        if request.is("POST /api/jobs/") {
            has_succeeded = execute(request, &folder);
            return Some(submitted());
        }
        Some(status(if has_succeeded { "SUCCEEDED" } else { "FAILED" }, "of the driver"))
    });
    let more = ["--max-parallel", "2", "--engine-arg=num_cpus=2"];
    let ended = campaign(&stage, ray.address(), &more).expect_code(8);
    ended.expect(&["8, 4 passed, 4 failed"]);
    assert!(!ended.stderr.contains("of the driver"), "{}", ended.stderr);
    let log = stage.read("home/log");
    assert!(log.contains("('num_cpus', 2)") && log.contains("running 2\nrunning 2\nrunning 1\n"), "{log}");
    stage.campaign(&["run", "c.toml", "--store", "pool"]).expect_code(8);
    assert_eq!(stage.lasting_table("c.campaign"), stage.lasting_table("pool"));
    // Nothing is missing, so nothing is submitted.
    campaign(&stage, ray.address(), &more).expect_code(8);
    assert_eq!(ray.requests().iter().filter(|request| request.is("POST /api/jobs/")).count(), 1);
}
