//! Slurm itself: a controller and two nodes on this machine, for tests that may take minutes.
//!
//! Each test has its own controller with its own ports, keys and folders. Processes are found by the environment that they
//! were started with, and ended by their ids.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::lab::{arguments, hashes, kill, parent, processes_with, wait, wait_for_run};
use super::stage::{Ended, Stage};
use crate::support::{free_port, is_long, missing};

/// A controller and two nodes.
struct Slurm {
    conf: PathBuf,
    children: Vec<Child>,
}

impl Slurm {
    /// Starts Slurm in the folder of a stage, or skips the test.
    #[track_caller]
    fn start(stage: &Stage) -> Option<Self> {
        if !is_long() {
            missing_in_short_runs();
            return None;
        }
        let programs = ["/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/munged", "/usr/bin/sbatch"];
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
        if !is_root || programs.iter().any(|program| !Path::new(program).is_file()) {
            missing(
                "Slurm is missing (Debian: slurmctld slurmd slurm-client munge), or the tests do not run as root",
            );
            return None;
        }
        let folder = stage.path("lab");
        for name in ["state", "spool", "munge"] {
            fs::create_dir_all(folder.join(name)).expect("a folder");
        }
        let conf = folder.join("slurm.conf");
        fs::write(&conf, configuration(&folder)).expect("written");
        let mut slurm = Slurm { conf, children: Vec::new() };
        slurm.start_munge(&folder.join("munge"));
        slurm.spawn("/usr/sbin/slurmctld", &["-D", "-c"], "controller");
        for node in ["n1", "n2"] {
            slurm.spawn("/usr/sbin/slurmd", &["-D", "-N", node], node);
        }
        slurm.wait_for_nodes();
        Some(slurm)
    }

    fn start_munge(&mut self, folder: &Path) {
        let key = folder.join("key");
        let mut file =
            fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&key).expect("a key");
        file.write_all(&[7; 1024]).expect("written");
        drop(file);
        let path = |name: &str| folder.join(name).display().to_string();
        let arguments = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            format!("--socket={}", path("socket")),
            format!("--key-file={}", path("key")),
            format!("--pid-file={}", path("pid")),
            format!("--seed-file={}", path("seed")),
            format!("--log-file={}", path("log")),
        ];
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.spawn("/usr/sbin/munged", &arguments, "munge");
        wait("munge", || folder.join("socket").exists());
    }

    fn spawn(&mut self, program: &str, arguments: &[&str], node: &str) {
        let log = fs::File::create(self.conf.with_file_name(format!("{node}.out"))).expect("a log");
        let mut command = Command::new(program);
        command.args(arguments).env("SLURM_CONF", &self.conf).env("LAB_NODE", node);
        command.stdin(Stdio::null()).stdout(log.try_clone().expect("a copy")).stderr(log);
        self.children.push(command.spawn().expect("the daemon starts"));
    }

    fn wait_for_nodes(&self) {
        wait("the nodes", || {
            let mut command = Command::new("timeout");
            command.args(["10", "sinfo", "--noheader", "--format", "%D %t"]).env("SLURM_CONF", &self.conf);
            command.output().is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("2 idle"))
        });
    }

    /// Runs `bridgehead campaign` with Slurm.
    fn campaign(&self, stage: &Stage, arguments: &[&str]) -> Ended {
        let mut command = stage.command(arguments);
        command.env("SLURM_CONF", &self.conf).output().expect("the program starts").into()
    }

    fn processes(&self) -> Vec<u32> {
        with_steps(processes_with(&[format!("SLURM_CONF={}", self.conf.display())]))
    }

    fn of_node(&self, node: &str) -> Vec<u32> {
        let of_node = processes_with(&[format!("LAB_NODE={node}"), format!("SLURMD_NODENAME={node}")]);
        self.processes().into_iter().filter(|id| of_node.contains(id)).collect()
    }

    /// Kills a node with everything that runs on it, once it has begun a run.
    fn kill_node(&self, node: &str) {
        wait_for_run(|| self.of_node(node));
        kill(&with_steps(self.of_node(node)));
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for child in &mut self.children {
            drop(child.kill());
            drop(child.wait());
        }
        kill(&self.processes());
    }
}

/// Adds the daemons of job steps, by their children: they overwrite a part of their environment with a title.
fn with_steps(mut processes: Vec<u32>) -> Vec<u32> {
    let parents = processes.iter().filter_map(|process| parent(*process));
    let is_step = |process: &u32| arguments(*process).starts_with("slurmstepd");
    let steps: Vec<u32> = parents.filter(is_step).collect();
    processes.extend(steps);
    processes
}

/// Counts the test as skipped, also in continuous integration, which has no time for it.
fn missing_in_short_runs() {
    crate::support::skipped("the tests with Slurm run with BRIDGEHEAD_LONG=1");
}

fn configuration(folder: &Path) -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("the name of the machine");
    let host = host.trim();
    let (control, first, second) = (free_port(), free_port(), free_port());
    let folder = folder.display();
    format!(
        "ClusterName=lab\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nAuthType=auth/munge\n\
         AuthInfo=socket={folder}/munge/socket\nCommunicationParameters=NoCtldInAddrAny,NoInAddrAny\n\
         SlurmctldPort={control}\nSlurmctldPidFile={folder}/ctld.pid\nSlurmdPidFile={folder}/%n.pid\n\
         SlurmctldLogFile={folder}/ctld.log\nSlurmdLogFile={folder}/%n.log\nStateSaveLocation={folder}/state\n\
         SlurmdSpoolDir={folder}/spool/%n\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
         SelectType=select/cons_tres\nAccountingStorageType=accounting_storage/none\nJobCompType=jobcomp/none\n\
         ReturnToService=2\nMaxArraySize=1001\nMinJobAge=300\nSlurmdTimeout=15\nInactiveLimit=0\nMpiDefault=none\n\
         NodeName=n1,n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={first},{second} CPUs=1 State=UNKNOWN\n\
         PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP\n"
    )
}

#[test]
fn slurm_gives_the_results_of_the_pool_and_duplicates_are_compared() {
    let stage = Stage::new();
    let Some(slurm) = Slurm::start(&stage) else { return };
    stage.campaign(&["run", "c.toml", "--store", "pool"]).expect_code(8);
    let ended =
        slurm.campaign(&stage, &["run", "c.toml", "--engine", "slurm", "--shards", "4"]).expect_code(8);
    ended.expect(&["8, 4 passed, 4 failed"]);
    assert_eq!(stage.lasting_table("c.campaign"), stage.lasting_table("pool"));
    // Every run once more: equal results are dropped.
    slurm
        .campaign(&stage, &["run", "c.toml", "--engine", "slurm", "--shards", "2", "--again"])
        .expect_code(8);
    assert!(!stage.path("c.campaign/conflicts").exists());
    let key = stage.table("c.campaign")[0]["key"].clone();
    let path = stage.path("c.campaign/runs").join(&key[..2]).join(&key).join("entry.json");
    super::stores::forge(&path);
    let forged = slurm.campaign(&stage, &["run", "c.toml", "--engine", "slurm", "--shards", "2", "--again"]);
    forged.expect_code(9).expect(&["BH-CAM-024", &key[..8], "0123456789abcdef"]);
}

#[test]
fn a_job_that_slurm_calls_successful_is_not_believed() {
    let stage = Stage::new();
    let Some(slurm) = Slurm::start(&stage) else { return };
    let ended = slurm
        .campaign(&stage, &["run", "c.toml", "--engine", "slurm", "--shards", "2", "--program", "/bin/true"]);
    let ended = ended.expect_code(4);
    assert_eq!(ended.stdout.matches("error[BH-CAM-034]: worlds/box.sdf, ").count(), 4, "{}", ended.stdout);
}

#[test]
fn a_node_that_is_killed_loses_no_run_and_doubles_none() {
    let stage = Stage::new();
    let Some(slurm) = Slurm::start(&stage) else { return };
    stage.campaign(&["run", "c.toml", "--store", "pool"]).expect_code(8);
    let pool = hashes(&stage, "pool");
    stage.write("base.toml", &format!("[run]\nspeed = 0.1\n{}", stage.read("base.toml")));
    let mut command = stage.command(&["run", "c.toml", "--engine", "slurm", "--shards", "8"]);
    command.env("SLURM_CONF", &slurm.conf).stdout(Stdio::piped()).stderr(Stdio::piped());
    let campaign = command.spawn().expect("the program starts");
    slurm.kill_node("n2");
    Ended::from(campaign.wait_with_output().expect("our child")).expect_code(8);
    let log = stage.read("lab/ctld.log");
    assert!(log.to_lowercase().contains("requeue"), "a task was lost with the node:\n{log}");
    let table = stage.table("c.campaign");
    assert_eq!(table.len(), 8);
    assert!(table.iter().all(|run| run["state"] != "missing" && run["state"] != "no result"), "{table:?}");
    assert_eq!(hashes(&stage, "c.campaign"), pool);
    assert!(!stage.path("c.campaign/conflicts").exists());
}
