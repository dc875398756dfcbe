//! Tries to load plugins in a child process, without risk for the calling process.
//!
//! A plugin's constructors and its `init` can crash, block or end the process. The parent starts its own executable
//! again with a hidden argument, waits with a time limit, and converts the result into a [`ProbeReport`]. The child's
//! side is in [`child`]. Called on the main thread by the command line.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use serde::{Deserialize, Serialize};

use bridgehead_runtime::{clock, descriptors};

use super::code::Code;
use super::discover::{Origin, SearchPath, discover};
use super::private_copy::PrivateFolder;
use super::refusal::Refusal;

pub mod child;
mod signal;

pub use signal::{kill_group, of as signal_text};

/// Default time limit for one plugin.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);

/// Interval at which the parent polls the child.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Maximum number of lines repeated from the child's standard error.
const MAX_ERROR_LINES: usize = 6;

/// Result of a probe, in ascending severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It loads, and instances can be created.
    Ok,
    /// It was refused.
    Refused,
    /// It ended the process.
    Crashed,
    /// It did not end in time.
    TimedOut,
    /// There was nothing to probe, or the probe itself failed.
    Usage,
}

impl Outcome {
    /// Returns the exit code of `bridgehead plugin probe`.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Outcome::Ok => 0,
            Outcome::Refused => 1,
            Outcome::Crashed => 2,
            Outcome::TimedOut => 3,
            Outcome::Usage => 4,
        }
    }

    /// Returns the name used in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::Refused => "refused",
            Outcome::Crashed => "crashed",
            Outcome::TimedOut => "timed out",
            Outcome::Usage => "not probed",
        }
    }
}

/// Report of the probe of one file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProbeReport {
    /// The file.
    pub path: PathBuf,
    /// Its result.
    pub outcome: Outcome,
    /// The reason, unless the outcome is [`Outcome::Ok`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// The child's report on the file, as in `plugin list`, if the child wrote one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<serde_json::Value>,
    /// How long the child ran on the wall clock, in milliseconds.
    pub wall_ms: f64,
}

impl ProbeReport {
    /// Returns one line, followed by the refusal if there is one.
    #[must_use]
    pub fn to_text(&self) -> String {
        let line = format!("{}: {} ({:.1} ms)", self.path.display(), self.outcome.name(), self.wall_ms);
        match &self.refusal {
            Some(refusal) => format!("{line}\n{refusal}"),
            None => line,
        }
    }
}

/// Returns the exit code of a probe of several files: that of the worst result; 4 without files.
#[must_use]
pub fn exit_code(reports: &[ProbeReport]) -> u8 {
    reports.iter().map(|report| report.outcome).max().unwrap_or(Outcome::Usage).exit_code()
}

/// The report that the child leaves in its folder.
#[derive(Debug, Default, Deserialize)]
struct ChildReport {
    refusal: Option<StoredRefusal>,
    file: Option<serde_json::Value>,
}

/// A refusal in the child's report.
#[derive(Debug, Deserialize)]
struct StoredRefusal {
    code: String,
    text: String,
    #[serde(default)]
    details: Vec<String>,
}

/// Starts the children.
#[derive(Clone, Debug)]
pub struct Prober {
    program: PathBuf,
    arguments: Vec<OsString>,
    timeout: Duration,
}

impl Prober {
    /// Creates a prober that runs this executable again.
    ///
    /// # Errors
    /// Returns an error if the path of this executable cannot be determined.
    pub fn current_exe() -> io::Result<Self> {
        Ok(Prober::new(env::current_exe()?, Vec::new()))
    }

    /// Creates a prober that runs `program` with `arguments` before the hidden one.
    #[must_use]
    pub fn new(program: PathBuf, arguments: Vec<OsString>) -> Self {
        Prober { program, arguments, timeout: DEFAULT_TIMEOUT }
    }

    /// Sets the time limit for each plugin.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Prober { timeout, ..self }
    }

    /// Probes a file, or every `.so` file in a folder and below it.
    #[must_use]
    pub fn probe(&self, path: &Path) -> Vec<ProbeReport> {
        let mut search = SearchPath::new();
        search.add(Origin::CommandLine, path);
        let found = discover(&search);
        if let Some(refusal) = found.warnings.into_iter().next() {
            return vec![failed(path, refusal)];
        }
        found.candidates.iter().map(|candidate| self.probe_file(&candidate.path)).collect()
    }

    /// Probes one file.
    #[must_use]
    pub fn probe_file(&self, path: &Path) -> ProbeReport {
        match self.run(path) {
            Ok(report) => report,
            Err(error) => {
                let text = format!("the probing process cannot be run: {error}");
                failed(path, Refusal::new(Code::ProbeFailed, text))
            }
        }
    }

    fn run(&self, path: &Path) -> io::Result<ProbeReport> {
        let folder = PrivateFolder::create()?;
        let began = clock::now();
        let mut child = self.start(path, folder.path())?;
        let end = wait(&mut child, began + self.timeout)?;
        let wall_ms = began.elapsed().as_secs_f64() * 1e3;
        let (outcome, refusal, file) = self.judge(end, folder.path());
        Ok(ProbeReport { path: path.to_owned(), outcome, refusal, file, wall_ms })
    }

    /// Starts the child. It gets a process group of its own, so that its own children can be ended with it, and no
    /// terminal. Its standard error goes to a file in its folder.
    fn start(&self, path: &Path, folder: &Path) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        descriptors::restore_in(&mut command);
        command
            .args(&self.arguments)
            .arg(child::ARGUMENT)
            .arg(path)
            .arg(folder)
            .arg(self.timeout.as_secs().to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.join(child::ERROR_FILE))?)
            .process_group(0)
            .spawn()
    }

    fn judge(&self, end: ChildExit, folder: &Path) -> (Outcome, Option<Refusal>, Option<serde_json::Value>) {
        let stage =
            fs::read_to_string(folder.join(child::STAGE_FILE)).unwrap_or_else(|_| String::from("starting"));
        let report = read_report(folder);
        let file = report.as_ref().and_then(|report| report.file.clone());
        let found = match end {
            ChildExit::TimedOut => {
                let text = format!("still running after {:?} while {stage}", self.timeout);
                (Outcome::TimedOut, Some(Refusal::new(Code::TimedOut, text)))
            }
            ChildExit::Ended(status) => match (signal::of(status), status.success(), report) {
                (None, true, Some(report)) => judge_report(report),
                (signal, _, _) => {
                    let how = signal.unwrap_or_else(|| format!("with {status}"));
                    let text = format!("the plugin ended the process {how} while {stage}");
                    let refusal = Refusal::new(Code::Crashed, text).with_details(error_lines(folder));
                    (Outcome::Crashed, Some(refusal))
                }
            },
        };
        (found.0, found.1, file)
    }
}

/// How a child ended.
#[derive(Clone, Copy)]
enum ChildExit {
    Ended(ExitStatus),
    TimedOut,
}

/// Waits for the child. After the deadline, ends it with all processes of its group.
fn wait(child: &mut Child, deadline: Instant) -> io::Result<ChildExit> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(ChildExit::Ended(status));
        }
        if clock::now() >= deadline {
            kill_group(child.id());
            child.wait()?;
            return Ok(ChildExit::TimedOut);
        }
        thread::sleep(POLL_INTERVAL);
    }
}

fn judge_report(report: ChildReport) -> (Outcome, Option<Refusal>) {
    match report.refusal {
        None => (Outcome::Ok, None),
        Some(stored) => {
            let code = Code::parse(&stored.code).unwrap_or(Code::ProbeFailed);
            (Outcome::Refused, Some(Refusal::new(code, stored.text).with_details(stored.details)))
        }
    }
}

fn read_report(folder: &Path) -> Option<ChildReport> {
    serde_json::from_slice(&fs::read(folder.join(child::REPORT_FILE)).ok()?).ok()
}

/// Returns the last lines of the child's standard error: a panic message, or a message of the C library.
fn error_lines(folder: &Path) -> Vec<String> {
    let text = fs::read(folder.join(child::ERROR_FILE)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let from = lines.len().saturating_sub(MAX_ERROR_LINES);
    lines.iter().skip(from).map(|line| line.escape_debug().to_string()).collect()
}

fn failed(path: &Path, refusal: Refusal) -> ProbeReport {
    ProbeReport {
        path: path.to_owned(),
        outcome: Outcome::Usage,
        refusal: Some(refusal),
        file: None,
        wall_ms: 0.0,
    }
}

#[cfg(test)]
mod tests;
