//! The command line of a worker process, and what it may use.

use std::os::fd::RawFd;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::python::Interpreter;
use super::{child, python};
use crate::descriptors;
use crate::plugin::{Code, Refusal, is_script};

/// The variables with the secret of the HTTP server, which is no business of plugins.
const TOKENS: [&str; 3] = ["BRIDGEHEAD_TOKEN", "BRIDGEHEAD_HTTP_TOKEN", "BRIDGEHEAD_HTTP_TOKEN_FILE"];

/// What a worker may use.
#[derive(Clone, Copy, Debug)]
pub struct WorkerLimits {
    /// Time for each call.
    pub time: Duration,
    /// Time to load a script, with what it imports. A library is loaded within the time for a call.
    pub loading: Duration,
    /// Bytes of memory of its own; `None` for as much as the system has.
    pub memory: Option<usize>,
    /// Open file descriptors; `None` for as many as the system allows.
    pub descriptors: Option<u32>,
}

impl WorkerLimits {
    /// The limits that the worker sets for itself, as its argument.
    fn resources(self) -> String {
        let number = |limit: Option<u64>| limit.map_or_else(|| "-".to_owned(), |limit| limit.to_string());
        format!(
            "{},{}",
            number(self.memory.map(|bytes| bytes as u64)),
            number(self.descriptors.map(u64::from))
        )
    }
}

/// What a worker is started with.
#[derive(Clone, Debug)]
pub(super) struct Image {
    /// What opens it.
    pub(super) runtime: Runtime,
    /// The library or script.
    pub(super) path: PathBuf,
    /// The private copy of it, which the worker opens.
    pub(super) copy: PathBuf,
    /// What it may use.
    pub(super) limits: WorkerLimits,
}

impl Image {
    /// How long loading may take.
    pub(super) fn loading(&self) -> Duration {
        match self.runtime {
            Runtime::Host(_) => self.limits.time,
            Runtime::Python(_) => self.limits.loading,
        }
    }
}

/// What a worker runs.
#[derive(Clone, Debug)]
pub(super) enum Runtime {
    /// This program, which opens a library.
    Host(PathBuf),
    /// An interpreter, which runs a script.
    Python(Interpreter),
}

impl Runtime {
    /// Returns what opens a file.
    pub(super) fn of(path: &Path) -> Result<Self, Refusal> {
        if is_script(path) {
            return Interpreter::find().map(Runtime::Python);
        }
        std::env::current_exe().map(Runtime::Host).map_err(|error| {
            Refusal::new(Code::WorkerStart, format!("the path of this program is unknown: {error}"))
        })
    }

    /// Returns the command without what both kinds are given.
    fn command(&self) -> Command {
        match self {
            Runtime::Host(program) => {
                let mut command = Command::new(program);
                command.arg(child::ARGUMENT);
                command
            }
            Runtime::Python(interpreter) => {
                let mut command = Command::new(&interpreter.program);
                // Python says where it was if an extension module crashes.
                command.args(["-X", "faulthandler", "-c", python::BOOT]);
                command
            }
        }
    }
}

/// The command of a worker. It gets a process group of its own, so that keys of the terminal do not reach it.
pub(super) fn command(image: &Image, label: &str, inherited: Vec<RawFd>) -> Command {
    let mut command = image.runtime.command();
    descriptors::restore_in(&mut command);
    let numbers: Vec<String> = inherited.iter().map(ToString::to_string).collect();
    command
        .arg(numbers.join(","))
        .arg(label)
        .arg(log::max_level().to_string())
        .arg(image.limits.resources())
        .arg(&image.path)
        .arg(&image.copy)
        .stdin(Stdio::null())
        .process_group(0);
    if let Runtime::Python(interpreter) = &image.runtime {
        // It says which line is running shortly before this time is over.
        let call_ms = image.limits.time.as_millis().to_string();
        command.arg(call_ms).arg(python::fingerprint()).arg(&interpreter.package);
    }
    for name in TOKENS {
        command.env_remove(name);
    }
    let keep = move || inherited.iter().try_for_each(|descriptor| keep_open(*descriptor));
    // SAFETY: between `fork` and `exec` this makes system calls and nothing else.
    unsafe { command.pre_exec(keep) };
    command
}

/// Leaves a descriptor open for the program that is executed.
fn keep_open(descriptor: RawFd) -> std::io::Result<()> {
    // SAFETY: changes a flag of a descriptor of this process.
    match unsafe { libc::fcntl(descriptor, libc::F_SETFD, 0) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_does_not_get_the_secret_of_the_server() {
        let limits =
            WorkerLimits { time: Duration::ZERO, loading: Duration::ZERO, memory: None, descriptors: None };
        let [program, path, copy] = ["bridgehead", "lib.so", "copy.so"].map(PathBuf::from);
        let runtime = Runtime::Host(program);
        let command = command(&Image { runtime, path, copy, limits }, "car1/x", Vec::new());
        for name in TOKENS {
            let removed = command.get_envs().any(|(known, value)| known == name && value.is_none());
            assert!(removed, "{name}");
        }
    }
}
