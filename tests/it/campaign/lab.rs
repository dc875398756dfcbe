//! A cluster on this machine, for the tests with engines: its processes, its nodes that are lost, and its results.
//!
//! Processes are found by the environment that they were started with, and ended by their ids.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::stage::Stage;

/// Longest time until something happens in a cluster, also on a busy machine.
const DEADLINE: Duration = Duration::from_secs(180);

/// The processes that were started with one of these entries in their environment. Other users' processes cannot be read.
pub(super) fn processes_with(entries: &[String]) -> Vec<u32> {
    let is_wanted = |entry: &[u8]| entries.iter().any(|wanted| wanted.as_bytes() == entry);
    ids()
        .into_iter()
        .filter(|id| *id != std::process::id())
        .filter(|id| {
            let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(is_wanted)
        })
        .collect()
}

/// Adds the children of processes, and their children: some programs overwrite their environment with a title.
pub(super) fn with_children(mut processes: Vec<u32>) -> Vec<u32> {
    let parents: BTreeMap<u32, u32> = ids().into_iter().filter_map(|id| Some((id, parent(id)?))).collect();
    let mut begin = 0;
    while begin < processes.len() {
        let end = processes.len();
        let is_new = |id: &u32| !processes.contains(id) && processes[begin..].contains(&parents[id]);
        let found: Vec<u32> = parents.keys().copied().filter(is_new).collect();
        processes.extend(found);
        begin = end;
    }
    processes
}

fn ids() -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("processes").flatten();
    entries.filter_map(|entry| entry.file_name().to_string_lossy().parse().ok()).collect()
}

/// The parent of a process: the second field after its name, which is in brackets and may have any letter.
pub(super) fn parent(process: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    status.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// The arguments of a process, with spaces between them.
pub(super) fn arguments(process: u32) -> String {
    let words = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&words).replace('\0', " ")
}

/// Waits until one of the processes is a run of a campaign. A shard alone may be just about to end.
#[track_caller]
pub(super) fn wait_for_run(of_node: impl Fn() -> Vec<u32>) {
    wait("run on the node", || of_node().iter().any(|id| arguments(*id).contains("bridgehead run worlds/")));
}

/// Kills processes as a loss of power does: all are stopped first, so that none reports the end of another one.
pub(super) fn kill(processes: &[u32]) {
    for signal in ["STOP", "KILL"] {
        processes.iter().for_each(|process| send(*process, signal));
    }
}

pub(super) fn send(process: u32, signal: &str) {
    let mut kill = Command::new("kill");
    drop(kill.args([&format!("-{signal}"), &process.to_string()]).stderr(Stdio::null()).status());
}

#[expect(clippy::disallowed_methods, reason = "a deadline of a test")]
#[track_caller]
pub(super) fn wait(what: &str, mut is_there: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_there() {
        assert!(begin.elapsed() < DEADLINE, "no {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The state hashes by seed and parameters.
pub(super) fn hashes(stage: &Stage, store: &str) -> Vec<(String, String)> {
    let name = |run: &BTreeMap<String, String>| {
        format!("{} {} {}", run["seed"], run["run.substeps"], run["world.model[box].pose"])
    };
    let mut found: Vec<(String, String)> =
        stage.table(store).iter().map(|run| (name(run), run["state_hash"].clone())).collect();
    found.sort();
    found
}
