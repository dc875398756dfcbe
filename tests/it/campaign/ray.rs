//! Ray itself: a head and a second node on this machine, for tests that may take minutes.
//!
//! Ray listens on all addresses of a machine, so each test gives it a network namespace with only a loopback device. The
//! campaign runs in it too. Processes are found by the environment that they were started with and by their parents,
//! because parts of the dashboard overwrite theirs with a title, and ended by their ids.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::lab::{arguments, hashes, kill, processes_with, send, wait, wait_for_run, with_children};
use super::stage::{Ended, Stage};
use crate::support::{is_long, missing, skipped, target};

/// What Ray requires of every request and every node.
const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A head and a node, each with a place for one task.
struct Ray {
    /// Not that of the stage: the paths of sockets have at most 107 letters.
    folder: TempDir,
    /// The folder of the virtual environment with Ray.
    installed: PathBuf,
    /// The first has the network namespace, then come the head and the node.
    children: Vec<Child>,
}

impl Ray {
    /// Starts Ray, or skips the test.
    #[track_caller]
    fn start() -> Option<Self> {
        if !is_long() {
            skipped("the tests with Ray run with BRIDGEHEAD_LONG=1");
            return None;
        }
        let installed = target().parent().expect("target/debug is in target").join("ray");
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
        if !is_root || !installed.join("bin/ray").is_file() {
            missing(
                "Ray is missing (`BRIDGEHEAD_LONG=1 bash tests/run.sh` installs it), or the tests do not run as root",
            );
            return None;
        }
        let folder = TempDir::new().expect("a temporary folder");
        let mut ray = Ray { folder, installed, children: Vec::new() };
        ray.start_network();
        ray.start_node("head", &["--head", "--node-ip-address=127.0.0.1", "--dashboard-host=127.0.0.1"]);
        ray.start_node("node", &["--address=127.0.0.1:6379", "--node-ip-address=127.0.0.2"]);
        Some(ray)
    }

    fn start_network(&mut self) {
        let ready = self.path("network");
        let script = format!("ip link set lo up && touch {} && exec sleep infinity", ready.display());
        let mut holder = Command::new("unshare");
        holder.args(["--net", "sh", "-c", &script]).env("LAB", self.folder.path()).stdin(Stdio::null());
        self.children.push(holder.spawn().expect("a network namespace"));
        wait("the network", || ready.exists());
    }

    fn start_node(&mut self, name: &str, arguments: &[&str]) {
        let log = fs::File::create(self.path(name)).expect("a log");
        let mut command = self.inside(self.installed.join("bin/ray"));
        command.args(["start", "--block", "--disable-usage-stats", "--num-cpus=1"]).args(arguments);
        command.arg("--object-store-memory=80000000").env("LAB_NODE", name);
        // By default, Ray gives up workers that need more than a minute to start, and starts others, which need as long on
        // a busy machine.
        command.env("RAY_worker_register_timeout_seconds", "600");
        if name == "head" {
            command.arg("--temp-dir").arg(self.path("ray"));
        }
        command.stdout(log.try_clone().expect("a copy")).stderr(log);
        self.children.push(command.spawn().expect("Ray starts"));
        let is_started =
            || fs::read_to_string(self.path(name)).is_ok_and(|log| log.contains("Ray runtime started"));
        wait("start of Ray", is_started);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command in the network namespace.
    fn inside(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new("nsenter");
        command.arg(format!("--net=/proc/{}/ns/net", self.children[0].id())).arg("--").arg(program);
        let path = std::env::var("PATH").expect("a path");
        command.env("PATH", format!("{}:{path}", self.installed.join("bin").display()));
        command.env("LAB", self.folder.path()).env("RAY_USAGE_STATS_ENABLED", "0").stdin(Stdio::null());
        command.env("RAY_AUTH_MODE", "token").env("RAY_AUTH_TOKEN", TOKEN);
        command
    }

    /// `bridgehead campaign run` with Ray.
    fn command(&self, stage: &Stage, more: &[&str]) -> Command {
        let inner = stage.command(&[&["run", "c.toml", "--engine", "ray"], more].concat());
        let mut command = self.inside(inner.get_program());
        command.args(inner.get_args()).current_dir(stage.path(""));
        command.env_remove("LAB");
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    fn campaign(&self, stage: &Stage, more: &[&str]) -> Ended {
        self.command(stage, more).output().expect("the program starts").into()
    }

    fn processes(&self) -> Vec<u32> {
        with_children(processes_with(&[format!("LAB={}", self.folder.path().display())]))
    }

    /// The processes that execute shards.
    fn shards(&self) -> Vec<u32> {
        let is_shard = |id: &u32| arguments(*id).contains(" campaign shard ");
        self.processes().into_iter().filter(is_shard).collect()
    }

    /// The processes of the second node.
    fn of_node(&self) -> Vec<u32> {
        let own = self.processes();
        let all = with_children(processes_with(&["LAB_NODE=node".to_owned()]));
        all.into_iter().filter(|id| own.contains(id)).collect()
    }

    /// Kills the second node with everything that runs on it, once it has begun a run.
    fn kill_node(&self) {
        wait_for_run(|| self.of_node());
        kill(&self.of_node());
    }
}

impl Drop for Ray {
    fn drop(&mut self) {
        // A process that was just started has no children yet.
        for _ in 0..3 {
            kill(&self.processes());
        }
        for child in &mut self.children {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

/// The file of the first entry.
fn first_entry(stage: &Stage) -> (String, PathBuf) {
    let key = stage.table("c.campaign")[0]["key"].clone();
    let path = Path::new("c.campaign/runs").join(&key[..2]).join(&key).join("entry.json");
    (key, stage.path(&path.display().to_string()))
}

#[test]
fn ray_gives_the_results_of_the_pool_and_duplicates_are_compared() {
    let stage = Stage::new();
    let Some(ray) = Ray::start() else { return };
    stage.campaign(&["run", "c.toml", "--store", "pool"]).expect_code(8);
    let ended = ray.campaign(&stage, &["--shards", "4"]).expect_code(8);
    ended.expect(&["8, 4 passed, 4 failed"]);
    assert_eq!(stage.lasting_table("c.campaign"), stage.lasting_table("pool"));
    // Every run once more: equal results are dropped.
    ray.campaign(&stage, &["--shards", "2", "--again"]).expect_code(8);
    assert!(!stage.path("c.campaign/conflicts").exists());
    let (key, path) = first_entry(&stage);
    super::stores::forge(&path);
    let forged = ray.campaign(&stage, &["--shards", "2", "--again"]);
    forged.expect_code(9).expect(&["BH-CAM-024", &key, "0123456789abcdef"]);
}

#[test]
fn a_job_that_ray_calls_successful_is_not_believed() {
    let stage = Stage::new();
    let Some(ray) = Ray::start() else { return };
    let mut without_token = ray.command(&stage, &[]);
    let denied: Ended = without_token.env_remove("RAY_AUTH_TOKEN").output().expect("it starts").into();
    denied.expect_code(1).expect(&["BH-CAM-037", "HTTP 401", "no token was sent"]);
    let ended = ray.campaign(&stage, &["--shards", "2", "--program", "/bin/true"]).expect_code(4);
    assert_eq!(ended.stdout.matches("error[BH-CAM-034]: worlds/box.sdf, ").count(), 4, "{}", ended.stdout);
    let failed = ray.campaign(&stage, &["--shards", "2", "--program", "/bin/false"]).expect_code(4);
    failed.expect(&["FAILED: Job entrypoint command failed", "  shard 1 of 2: exit code 1"]);
    let refused = ray.campaign(&stage, &["--engine-arg=number_of_cpus=1"]).expect_code(4);
    refused.expect(&["FAILED", "number_of_cpus"]);
    let (mut doctor, program) = (Vec::new(), stage.path("bin/bridgehead"));
    doctor.extend(ray.inside(program).arg("doctor").output().expect("it starts").stdout);
    let doctor = String::from_utf8_lossy(&doctor);
    assert!(doctor.contains("ray 2.60.0 at http://127.0.0.1:8265"), "{doctor}");
}

#[test]
fn a_node_of_ray_that_is_killed_loses_no_run_and_doubles_none() {
    let stage = Stage::new();
    let Some(ray) = Ray::start() else { return };
    stage.campaign(&["run", "c.toml", "--store", "pool"]).expect_code(8);
    let pool = hashes(&stage, "pool");
    stage.write("base.toml", &format!("[run]\nspeed = 0.1\n{}", stage.read("base.toml")));
    let mut command = ray.command(&stage, &["--shards", "8"]);
    let campaign = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    ray.kill_node();
    Ended::from(campaign.wait_with_output().expect("our child")).expect_code(8);
    let table = stage.table("c.campaign");
    assert_eq!(table.len(), 8);
    assert!(table.iter().all(|run| run["state"] != "missing" && run["state"] != "no result"), "{table:?}");
    assert_eq!(hashes(&stage, "c.campaign"), pool);
    assert!(!stage.path("c.campaign/conflicts").exists());
}

#[test]
fn an_interrupt_ends_the_shards_of_ray() {
    let stage = Stage::new();
    let Some(ray) = Ray::start() else { return };
    stage.write("base.toml", &format!("[run]\nspeed = 0.1\n{}", stage.read("base.toml")));
    let mut command = ray.command(&stage, &["--shards", "4"]);
    let campaign = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    wait("a result", || !stage.names("c.campaign/runs").is_empty());
    send(campaign.id(), "INT");
    let ended: Ended = campaign.wait_with_output().expect("our child").into();
    ended.expect_code(130).expect(&["is stopped", "BH-CAM-050"]);
    wait("end of the shards", || ray.shards().is_empty());
    let kept = stage.names("c.campaign/runs").len();
    ray.campaign(&stage, &["--shards", "4"]).expect_code(8).expect(&["8, 4 passed, 4 failed"]);
    assert!(kept < 8, "the interrupt came too late");
}
