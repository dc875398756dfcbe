//! Slurm: one job array, one shard for each index.
//!
//! Only `sbatch`, `squeue` and `scancel` are called, each with a time limit of its own, because they wait for minutes if
//! the controller does not answer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{Job, Shards, Unanswered};
use crate::CampaignError;
use crate::command::quoted;

const ENGINE: &str = "slurm";
/// Longest time of a call, in seconds.
const LIMIT_S: &str = "60";
/// Answers in a row without the job, after which it is gone: a task that is requeued may be missing for a moment.
const ENOUGH_UNLISTED: u32 = 3;

/// A submitted job array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    id: String,
    unanswered: Unanswered,
    /// Answers in a row that did not list it.
    unlisted: u32,
}

/// Submits the shards. `arguments` are passed to `sbatch`; the script and the logs of the shards are written into a folder
/// of the given one.
///
/// # Errors
/// Returns an error if Slurm is not installed or refuses the job.
pub fn submit(shards: &Shards, arguments: &[String], folder: &Path) -> Result<Array, CampaignError> {
    let script = write_script(shards, &folder.join(ENGINE))?;
    let mut command = tool("sbatch");
    let limit = shards.most_parallel.map(|most| format!("%{most}")).unwrap_or_default();
    command.arg("--parsable").arg(format!("--array=1-{}{limit}", shards.count)).args(arguments).arg(&script);
    let output = call(command, "sbatch")?;
    let id = String::from_utf8_lossy(&output.stdout).trim().split(';').next().unwrap_or_default().to_owned();
    if !output.status.success() || id.is_empty() {
        return Err(CampaignError::EngineRefused { engine: ENGINE, reason: said(&output) });
    }
    Ok(Array { id, unanswered: Unanswered::default(), unlisted: 0 })
}

/// Writes the script of the array.
fn write_script(shards: &Shards, folder: &Path) -> Result<PathBuf, CampaignError> {
    let path = folder.join("shard.sh");
    let log = folder.join("%A_%a.log");
    let text = format!(
        "#!/bin/sh\n#SBATCH --job-name={}\n#SBATCH --output={}\n#SBATCH --open-mode=append\n{}\n",
        quoted(&format!("bridgehead-{}", shards.campaign)),
        quoted(&log.to_string_lossy()),
        shards.command("SLURM_ARRAY_TASK_ID")
    );
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, text));
    written.map_err(|error| CampaignError::Store { path: path.clone(), reason: error.to_string() })?;
    Ok(path)
}

impl Job for Array {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn is_alive(&mut self) -> Result<bool, CampaignError> {
        let mut command = tool("squeue");
        command.args(["--noheader", "--jobs", &self.id, "--format", "%i:%T"]);
        let output = call(command, "squeue")?;
        let said = said(&output);
        if output.status.success() {
            self.unanswered.answered();
            let is_listed = !String::from_utf8_lossy(&output.stdout).trim().is_empty();
            self.unlisted = if is_listed { 0 } else { self.unlisted + 1 };
            return Ok(self.unlisted < ENOUGH_UNLISTED);
        }
        // Slurm forgets a job some minutes after its end.
        if said.contains("Invalid job id") {
            return Ok(false);
        }
        self.unanswered.add(ENGINE, &self.id, said)
    }

    /// Slurm is not asked: each shard has its own log in the store.
    fn reason(&self) -> Option<&str> {
        None
    }

    fn stop(&self) -> Result<(), CampaignError> {
        let mut command = tool("scancel");
        command.arg(&self.id);
        let output = call(command, "scancel")?;
        if output.status.success() {
            return Ok(());
        }
        Err(CampaignError::NotStopped {
            engine: ENGINE,
            job: self.id.clone(),
            reason: said(&output),
            command: format!("scancel {}", self.id),
        })
    }
}

/// Returns a call that ends after a while.
fn tool(program: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args([LIMIT_S, program]);
    command
}

fn call(mut command: Command, program: &str) -> Result<Output, CampaignError> {
    /// What `timeout` returns if there is no such program.
    const NOT_FOUND: i32 = 127;
    let missing = || CampaignError::NoEngine { engine: ENGINE, program: program.to_owned() };
    let output = command.output().map_err(|_| missing())?;
    if output.status.code() == Some(NOT_FOUND) { Err(missing()) } else { Ok(output) }
}

fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if text.is_empty() { format!("it ended with {} and said nothing", output.status) } else { text }
}
