//! One run of this program with the plugin, in a process of its own.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{env, thread};

use serde::Deserialize;

use crate::catalogue::split_code;
use crate::plugin::probe::{Outcome, kill_group, signal_text};
use crate::plugin::{Code, PrivateFolder};
use crate::thread::{Named, lock, spawn};
use crate::watchdog::{OVER_BUDGET, TOO_OFTEN};
use crate::world::names::{NO_COUNTERPART, NOT_FOUND};
use crate::{clock, descriptors};

/// Steps of a run, of a millisecond each.
pub(super) const STEPS: u32 = 300;

/// How often a run is made in which calls took too long.
const TRIES: u32 = 3;

/// Bytes of the log that are kept.
const MAX_LOG: usize = 16 << 20;
/// How long the end of the log is waited for after the end of the run.
const LOG_DEADLINE: Duration = Duration::from_secs(2);

/// How often the child is looked at.
const POLL: Duration = Duration::from_millis(2);

// What a run writes into its folder.
const RESULT: &str = "result.json";
const LOG: &str = "log.jsonl";
const SNAPSHOT: &str = "snapshot";
const WRITTEN: [&str; 3] = [RESULT, LOG, SNAPSHOT];

/// A run to make.
pub(super) struct Trial<'a> {
    /// Its folder, which holds what it writes.
    folder: PrivateFolder,
    command: Command,
    timeout: Duration,
    /// File of the plugin.
    file: &'a Path,
    /// Name of the plugin.
    plugin: &'a str,
}

/// What came of a run.
#[derive(Debug)]
pub(super) struct Ran {
    /// How the process ended.
    pub(super) outcome: Outcome,
    /// What the host says against the plugin, each with its code.
    pub(super) findings: Vec<String>,
    /// True if the run had an instance of the plugin.
    pub(super) is_used: bool,
    /// The last state, if there was one.
    pub(super) state_hash: Option<String>,
    /// What the bridge `logging` has written.
    pub(super) log: Vec<u8>,
    /// The file of a snapshot, while the trial exists.
    pub(super) snapshot: PathBuf,
    _folder: PrivateFolder,
}

/// The parts of a result file that are read here.
#[derive(Default, Deserialize)]
struct ResultFile {
    #[serde(default)]
    state_hash: Option<String>,
    #[serde(default)]
    cause: String,
    #[serde(default)]
    plugins: Vec<PluginRow>,
    #[serde(default)]
    bridges: Vec<BridgeRow>,
}

/// An instance of a model plugin.
#[derive(Deserialize)]
struct PluginRow {
    plugin: String,
}

/// An instance of a bridge; its label ends with its name.
#[derive(Deserialize)]
struct BridgeRow {
    label: String,
}

impl ResultFile {
    fn has(&self, plugin: &str) -> bool {
        let is_bridge = |row: &BridgeRow| row.label.rsplit('/').next() == Some(plugin);
        self.plugins.iter().any(|row| row.plugin == plugin) || self.bridges.iter().any(is_bridge)
    }
}

/// What a run writes to standard error. A pipe, because a plugin may have taken away the right to write files.
struct Log {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Named<()>,
}

impl Log {
    fn collect(pipe: Option<ChildStderr>) -> io::Result<Self> {
        let bytes: Arc<Mutex<Vec<u8>>> = Arc::default();
        let into = Arc::clone(&bytes);
        let reader = spawn("log", move || {
            let Some(mut pipe) = pipe else { return };
            let mut some = [0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut some) {
                let mut bytes = lock(&into);
                // The rest is read too, so that the run does not wait.
                if bytes.len() < MAX_LOG {
                    bytes.extend(some.get(..count).unwrap_or_default());
                }
            }
        })?;
        Ok(Log { bytes, reader })
    }

    /// Returns the text after the run has ended.
    fn finish(self) -> String {
        drop(self.reader.join(LOG_DEADLINE));
        String::from_utf8_lossy(&lock(&self.bytes)).into_owned()
    }
}

/// Limits of the host that end a hanging run before the validation does, so that the host names the call.
fn limits(timeout: Duration) -> String {
    let milliseconds = |share: u32| (timeout / share).as_millis();
    format!("[run]\nstart_timeout = \"{}ms\"\ncall_timeout = \"{}ms\"\n\n", milliseconds(2), milliseconds(3))
}

impl<'a> Trial<'a> {
    /// Prepares a run of `world`, which is a text or a file, with everything that every case needs.
    pub(super) fn new(
        file: &'a Path,
        plugin: &'a str,
        world: Result<&Path, &str>,
        timeout: Duration,
    ) -> io::Result<Self> {
        let folder = PrivateFolder::create()?;
        let world = match world {
            Ok(file) => file.to_owned(),
            Err(text) => {
                let path = folder.path().join("world.sdf");
                fs::write(&path, text)?;
                path
            }
        };
        let mut command = Command::new(env::current_exe()?);
        descriptors::restore_in(&mut command);
        // A path from the root is not taken for a flag.
        command
            .arg("run")
            .arg(std::path::absolute(world)?)
            .arg("--plugin-path")
            .arg(std::path::absolute(file)?);
        command.args(["--speed", "unlimited", "--check-plugins"]);
        command.arg("--result").arg(folder.path().join(RESULT));
        let config = folder.path().join("run.toml");
        fs::write(&config, limits(timeout))?;
        command.arg("--config").arg(config);
        Ok(Trial { folder, command, timeout, file, plugin })
    }

    pub(super) fn arg(mut self, argument: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds to the configuration file of the run.
    pub(super) fn configured(self, toml: &str) -> io::Result<Self> {
        fs::write(self.folder.path().join("run.toml"), limits(self.timeout) + toml)?;
        Ok(self)
    }

    /// Logs everything that every vehicle publishes.
    pub(super) fn logged(mut self) -> Self {
        let target = self.folder.path().join(LOG);
        self.command.arg("--bridge").arg(format!("*=logging:{}", target.display()));
        self
    }

    /// Takes a snapshot at the end.
    pub(super) fn with_snapshot(mut self) -> Self {
        self.command.arg("--snapshot").arg(self.folder.path().join(SNAPSHOT));
        self
    }

    /// Makes the run; up to [`TRIES`] times if nothing but slow calls is found. A busy machine makes some of them slow, a
    /// plugin that is slow itself all of them.
    pub(super) fn run(mut self) -> io::Result<Ran> {
        for _ in 1..TRIES {
            let (outcome, findings, result) = self.once()?;
            if !is_only_slow(&findings) {
                return Ok(self.ran(outcome, findings, result));
            }
            self.clear()?;
        }
        let (outcome, findings, result) = self.once()?;
        Ok(self.ran(outcome, findings, result))
    }

    /// Removes what a run has written.
    fn clear(&self) -> io::Result<()> {
        for name in WRITTEN {
            let path = self.folder.path().join(name);
            let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            removed
                .or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })?;
        }
        Ok(())
    }

    fn once(&mut self) -> io::Result<(Outcome, Vec<String>, ResultFile)> {
        self.command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        let deadline = clock::now() + self.timeout;
        let mut child = self.command.spawn()?;
        let log = Log::collect(child.stderr.take())?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if clock::now() >= deadline {
                kill_group(child.id());
                child.wait()?;
                break None;
            }
            thread::sleep(POLL);
        };
        let text = log.finish();
        let result: ResultFile = fs::read(self.folder.path().join(RESULT))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        let mut findings = findings(&text, self.file);
        let outcome = self.judge(status, &result, &mut findings);
        Ok((outcome, findings, result))
    }

    fn ran(self, outcome: Outcome, findings: Vec<String>, result: ResultFile) -> Ran {
        let path = self.folder.path();
        Ran {
            outcome,
            findings,
            is_used: result.has(self.plugin),
            state_hash: result.state_hash,
            log: fs::read(path.join(LOG)).unwrap_or_default(),
            snapshot: path.join(SNAPSHOT),
            _folder: self.folder,
        }
    }

    fn judge(&self, status: Option<ExitStatus>, result: &ResultFile, findings: &mut Vec<String>) -> Outcome {
        let Some(status) = status else {
            findings.push(format!("the run did not end within {:?}", self.timeout));
            return Outcome::TimedOut;
        };
        if let Some(signal) = signal_text(status) {
            findings.push(format!("the process was ended {signal}"));
            return Outcome::Crashed;
        }
        let code = status.code().unwrap_or_default();
        if code != 0 && findings.is_empty() {
            findings.push(format!("the run ended with exit code {code}: {}", result.cause));
        }
        if findings.is_empty() { Outcome::Ok } else { Outcome::Refused }
    }
}

/// Returns what the log says against the plugin: warnings and errors with a code about plugins, bridges and messages.
///
/// Codes about the world are about the world, which may be one of the user.
fn findings(log: &str, file: &Path) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in log.lines() {
        let level = ["error[", "warning["].iter().find_map(|level| line.trim_start().strip_prefix(level));
        if let Some(rest) = level {
            is_open = is_about_plugin(rest, file);
            if is_open {
                found.push(format!("[{rest}"));
            }
        } else if is_open && line.starts_with(' ') {
            // The advice, and further lines of one finding.
            if let Some(last) = found.last_mut() {
                last.push('\n');
                last.push_str(line);
            }
        } else {
            is_open = false;
            // A panic outside of a call whose failure is reported, for example in a destructor.
            if line.contains("panicked at ") {
                found.push(line.trim().to_owned());
            }
        }
    }
    found.dedup();
    found
}

/// Returns true if calls took too long, and nothing else is found.
fn is_only_slow(findings: &[String]) -> bool {
    let is_slow = |finding: &String| [OVER_BUDGET, TOO_OFTEN].iter().any(|code| finding.contains(code));
    !findings.is_empty() && findings.iter().all(is_slow)
}

/// Returns true if a finding, from its code on, is about the plugin and not about the world, a folder or another file.
fn is_about_plugin(rest: &str, file: &Path) -> bool {
    const OTHERS: [Code; 3] = [Code::FolderMissing, Code::FolderEmpty, Code::Duplicate];
    // A build may replace the file meanwhile.
    if rest.starts_with(&format!("{}]", Code::FolderMissing)) && rest.contains(&*file.to_string_lossy()) {
        return true;
    }
    let code = rest.split(']').next().unwrap_or_default();
    let is_code = split_code(&format!("[{}", rest.replacen("]: ", "] ", 1))).is_some();
    let is_area = ["BH-PLG-", "BH-BRG-", "BH-MSG-", "BH-SIM-9"].iter().any(|area| code.starts_with(area));
    let is_name = [NO_COUNTERPART, NOT_FOUND].contains(&code);
    is_code && is_area && !is_name && !OTHERS.iter().any(|other| other.to_string() == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_repeated_only_if_nothing_but_slow_calls_is_found() {
        let slow = "[BH-PLG-111]: box/x: `sample` took 2s; its budget is 1s".to_owned();
        let off = "[BH-PLG-095]: box/x: [BH-PLG-112] `sample` took longer 3 times in a row".to_owned();
        let other = "[BH-PLG-131]: box/x: wrong thread".to_owned();
        assert!(is_only_slow(&[slow.clone(), off]));
        assert!(!is_only_slow(&[slow, other]));
        assert!(!is_only_slow(&[]));
    }

    #[test]
    fn findings_are_the_coded_lines_about_plugins() {
        let log = "info: begins\nwarning[BH-PLG-131]: car/x: wrong thread\n  try: another\nwarning: my own words\n\
                   error[BH-SDF-003]: a.sdf:1:1: no XML\n  try: y\nwarning[BH-PLG-110]: sensor type `z`\n\
                   error[BH-MSG-020]: bad\nerror[BH-MSG-020]: bad\nerror: car/x: panicked at a.rs:1: gone\n";
        let expected = [
            "[BH-PLG-131]: car/x: wrong thread\n  try: another",
            "[BH-MSG-020]: bad",
            "error: car/x: panicked at a.rs:1: gone",
        ];
        assert_eq!(findings(log, Path::new("x.so")), expected);
        // An older copy of the plugin is installed; another plugin of the world is not.
        let of_file = |log| findings(log, Path::new("lib/x.so"));
        assert!(of_file("warning[BH-PLG-070]: `x` is in two files").is_empty());
        assert!(of_file("warning[BH-PLG-093]: plugin `other` is not supported").is_empty());
        assert!(of_file("warning[BH-PLG-001]: cannot read plugin path `other`").is_empty());
        assert_eq!(of_file("warning[BH-PLG-001]: cannot read plugin path `lib/x.so`: gone").len(), 1);
    }
}
