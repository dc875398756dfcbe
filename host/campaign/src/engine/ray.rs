//! Ray: one job, whose driver starts one task for each shard.
//!
//! The job is submitted over the Jobs API of Ray, so Ray need not be installed here. Its entrypoint contains the whole
//! driver, so the package of Bridgehead need not be installed on the machines of Ray. Ray could upload the driver as a
//! file of the job (`working_dir`), but it deletes such a file with the job, and a node that joins later then refuses all
//! tasks of the next one.

mod client;

use serde_json::{Map, Value, json};

use super::{Job, Shards, Unanswered};
use crate::CampaignError;
use crate::command::quoted;

use client::Answer;
pub use client::{Client, is_address_set};

const ENGINE: &str = "ray";

/// The driver. It is a module of the Python package, whose checks and tests cover it.
const DRIVER: &str = include_str!("../../../python/src/bridgehead/_ray_driver.py");

/// The environment variable in which a task has the number of its shard.
const NUMBER: &str = "BRIDGEHEAD_SHARD";

/// Most tasks at the same time without `--max-parallel`, so that the driver need not wait for a list of any length.
const MAX_PARALLEL: u32 = 1000;

/// The option of [`submit`] that names the interpreter of the driver.
const PYTHON: &str = "python";

/// Lines of the log of a failed job that are shown.
const SHOWN_LINES: usize = 20;

/// A submitted job.
#[derive(Debug)]
pub struct Submission {
    id: String,
    entrypoint: String,
    client: Client,
    unanswered: Unanswered,
    /// What Ray says about the end.
    reason: Option<String>,
}

/// Submits the shards. Each of `arguments` is an option of the tasks as `NAME=VALUE`, or `python=PROGRAM`.
///
/// # Errors
/// Returns an error if Ray cannot be reached, requires a token, or refuses the job.
pub fn submit(shards: &Shards, arguments: &[String], client: Client) -> Result<Submission, CampaignError> {
    let (python, options) = options(arguments)?;
    let entrypoint = entrypoint(shards, &python, &options);
    let request = json!({
        "entrypoint": entrypoint,
        "metadata": { "job_name": format!("bridgehead-{}", shards.campaign) },
    });
    // Without its slash at the end, the path is redirected.
    let answer = client.post("/api/jobs/", &request).map_err(|reason| client.unreachable(reason))?;
    client.accepted(&answer)?;
    match (answer.status, answer.text_of("submission_id")) {
        (200, Some(id)) => Ok(Submission {
            id: id.to_owned(),
            entrypoint,
            client,
            unanswered: Unanswered::default(),
            reason: None,
        }),
        _ => Err(CampaignError::EngineRefused { engine: ENGINE, reason: answer.said() }),
    }
}

/// Reads `NAME=VALUE`; returns the interpreter of the driver, and the options of the tasks. A value is JSON, or a text.
fn options(arguments: &[String]) -> Result<(String, Map<String, Value>), CampaignError> {
    let (mut python, mut options) = ("python3".to_owned(), Map::new());
    for argument in arguments {
        let Some((name, value)) = argument.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            let reason = format!(
                "`{argument}` is no option of a task; write NAME=VALUE, such as `--engine-arg=num_cpus=2`"
            );
            return Err(CampaignError::EngineRefused { engine: ENGINE, reason });
        };
        if name == PYTHON {
            value.clone_into(&mut python);
        } else {
            let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
            options.insert(name.to_owned(), value);
        }
    }
    Ok((python, options))
}

/// Returns the command that Ray executes on one of its machines, in a shell.
fn entrypoint(shards: &Shards, python: &str, options: &Map<String, Value>) -> String {
    let order = json!({
        "command": shards.command(NUMBER),
        "variable": NUMBER,
        "count": shards.count,
        "most_parallel": shards.most_parallel.unwrap_or(MAX_PARALLEL),
        "options": options,
    });
    format!("exec {} -c {} {}", quoted(python), quoted(DRIVER), quoted(&order.to_string()))
}

impl Submission {
    fn path(&self) -> String {
        format!("/api/jobs/{}", self.id)
    }

    /// Reads the status of the job.
    fn judge(&mut self, answer: &Answer) -> Result<bool, CampaignError> {
        match (answer.status, answer.text_of("status")) {
            (200, Some("PENDING" | "RUNNING")) => {
                self.unanswered.answered();
                Ok(true)
            }
            (200, Some("SUCCEEDED")) => Ok(false),
            (200, Some(status @ ("FAILED" | "STOPPED"))) => {
                let message = answer.text_of("message").unwrap_or_default().trim();
                self.reason = Some(format!("{status}: {}", self.explained(message)));
                Ok(false)
            }
            // Ray keeps jobs in its head only: after a restart of the head nothing of the job runs.
            (404, _) => {
                self.reason =
                    Some("Ray does not know the job any more; its head was started again".to_owned());
                Ok(false)
            }
            _ => self.unanswered.add(ENGINE, &self.id, answer.said()),
        }
    }

    /// Returns the message of a job with the last lines of its log. The message of Ray has fewer lines, and the log begins
    /// with the entrypoint, which contains the driver.
    fn explained(&self, message: &str) -> String {
        let log = self.client.get(&format!("{}/logs", self.path()));
        let log = log.as_ref().ok().and_then(|answer| answer.text_of("logs")).unwrap_or_default();
        let output = log.rsplit_once(&self.entrypoint).map_or("", |(_, output)| output).trim();
        if output.is_empty() {
            return last_lines(message, SHOWN_LINES);
        }
        format!("{}\n{}", message.lines().next().unwrap_or_default(), last_lines(output, SHOWN_LINES))
    }
}

impl Job for Submission {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn is_alive(&mut self) -> Result<bool, CampaignError> {
        match self.client.get(&self.path()) {
            Ok(answer) => self.judge(&answer),
            Err(reason) => self.unanswered.add(ENGINE, &self.id, reason),
        }
    }

    fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    fn stop(&self) -> Result<(), CampaignError> {
        let reason = match self.client.post(&format!("{}/stop", self.path()), &json!({})) {
            Ok(answer) if answer.status == 200 => return Ok(()),
            Ok(answer) => answer.said(),
            Err(reason) => reason,
        };
        let command = format!("ray job stop --address {} {}", self.client.address(), self.id);
        Err(CampaignError::NotStopped { engine: ENGINE, job: self.id.clone(), reason, command })
    }
}

/// Returns the last lines of a text.
fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.trim().lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Address;

    fn shards() -> Shards {
        Shards {
            campaign: "nightly".to_owned(),
            program: "/opt/it's/bridgehead".into(),
            store: Address::Folder("/my store".into()),
            count: 40,
            most_parallel: None,
            arguments: vec!["--again".to_owned()],
        }
    }

    #[test]
    fn the_entrypoint_is_the_driver_with_its_order() {
        let text = entrypoint(&shards(), "/opt/ray/bin/python3", &Map::new());
        let order = text.strip_prefix("exec /opt/ray/bin/python3 -c ").expect("the interpreter");
        let order = order.strip_prefix(&quoted(DRIVER)).expect("the driver").trim();
        let order = order.trim_matches('\'').replace(r"'\''", "'");
        let order: Value = serde_json::from_str(&order).expect("JSON");
        let command = "exec '/opt/it'\\''s/bridgehead' campaign shard \"$((BRIDGEHEAD_SHARD))/40\" --store '/my store' --jobs 1 --again";
        assert_eq!(order["command"], command);
        assert_eq!((&order["count"], &order["most_parallel"]), (&json!(40), &json!(1000)));
    }

    #[test]
    fn options_are_json_or_texts() {
        let arguments =
            ["num_cpus=2", "resources={\"sim\": 1}", "scheduling_strategy=SPREAD", "python=python"];
        let (python, options) = options(&arguments.map(str::to_owned)).expect("options");
        assert_eq!(python, "python");
        let expected = json!({ "num_cpus": 2, "resources": { "sim": 1 }, "scheduling_strategy": "SPREAD" });
        assert_eq!(Value::from(options), expected);
        for wrong in ["num_cpus", "=2", "--num-cpus"] {
            let error = super::options(&[wrong.to_owned()]).expect_err(wrong).to_string();
            assert!(error.contains("BH-CAM-033") && error.contains(wrong), "{error}");
        }
    }

    #[test]
    fn the_end_of_a_message_is_shown() {
        assert_eq!(last_lines("a\nb\nc\n", 2), "b\nc");
        assert_eq!(last_lines("", 2), "");
    }
}
