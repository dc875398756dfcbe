//! The process of a run, with its limits.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{self, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use crate::command::{Invocation, LOG, OUTPUT, RESULT};
use crate::{CampaignError, Limits};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// With an exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// By its time limit, after this many seconds.
    Late(u64),
}

/// A process of a run.
pub(super) struct Child {
    process: process::Child,
    /// Becomes readable when the process ends.
    descriptor: Option<OwnedFd>,
    /// The folder in which it writes its files.
    pub(super) folder: PathBuf,
    pub(super) began: Duration,
    pub(super) deadline: Duration,
}

impl Child {
    /// Starts a run.
    pub(super) fn start(
        invocation: &Invocation,
        folder: PathBuf,
        limits: &Limits,
        now: Duration,
    ) -> Result<Self, CampaignError> {
        let refused = |reason: io::Error| CampaignError::Spawn {
            program: invocation.program.display().to_string(),
            reason: reason.to_string(),
        };
        let full =
            |error: io::Error| CampaignError::Store { path: folder.clone(), reason: error.to_string() };
        // What an earlier run in this folder has left.
        drop(std::fs::remove_file(folder.join(RESULT)));
        std::fs::create_dir_all(folder.join(OUTPUT)).map_err(full)?;
        let log = File::create(folder.join(LOG)).map_err(full)?;
        let mut command = invocation.process(&folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).process_group(0);
        restrict(&mut command, limits.memory);
        let process = command.spawn().map_err(refused)?;
        // Without the descriptor the process is asked once in a while.
        let descriptor = pidfd_open(Pid::from_child(&process), PidfdFlags::empty()).ok();
        let limit = Duration::try_from_secs_f64(limits.time_s).unwrap_or(Duration::MAX);
        Ok(Child { process, descriptor, folder, began: now, deadline: now.saturating_add(limit) })
    }

    /// Returns how the process ended; `None` if it goes on. A late process is killed.
    pub(super) fn exit(&mut self, now: Duration) -> Option<Exit> {
        match self.process.try_wait() {
            Ok(Some(status)) => Some(exit_of(status)),
            Ok(None) | Err(_) if now >= self.deadline => {
                self.kill();
                Some(Exit::Late(self.deadline.saturating_sub(self.began).as_secs()))
            }
            Ok(None) => None,
            // The process cannot be waited for: nobody knows how it ended.
            Err(_) => Some(Exit::Signal(0)),
        }
    }

    /// Ends the process and its children.
    pub(super) fn kill(&mut self) {
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn exit_of(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or_default()),
    }
}

/// Waits until one of the processes ends, a signal comes, or the time is over.
pub(super) fn wait_any<'c>(children: impl Iterator<Item = &'c Child>, most: Duration) {
    /// Waiting time if a process has no descriptor.
    const ASK: Duration = Duration::from_millis(20);
    let descriptors: Vec<Option<&OwnedFd>> = children.map(|child| child.descriptor.as_ref()).collect();
    let most = if descriptors.iter().all(Option::is_some) { most } else { most.min(ASK) };
    let mut all: Vec<PollFd<'_>> =
        descriptors.into_iter().flatten().map(|descriptor| PollFd::new(descriptor, PollFlags::IN)).collect();
    let most = Timespec {
        tv_sec: i64::try_from(most.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(most.subsec_nanos()),
    };
    // A signal ends the wait with an error; the caller then finds what the signal has set.
    let _ = poll(&mut all, Some(&most));
}

/// Limits the memory of a process, and ends it if this process ends: a run whose campaign was killed would write into a
/// folder that the next campaign removes.
#[expect(unsafe_code, reason = "std does not set limits of processes")]
fn restrict(command: &mut process::Command, memory: Option<u64>) {
    let parent = process::id();
    let restrict = move || {
        // SAFETY: system calls without pointers into our memory, except for the limit, which is on the stack; both are
        // allowed between fork and exec.
        unsafe {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(io::Error::last_os_error());
            }
            // The parent may have ended before.
            if libc::getppid().unsigned_abs() != parent {
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
            if let Some(bytes) = memory {
                let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
                if libc::setrlimit(libc::RLIMIT_DATA, &raw const limit) != 0 {
                    return Err(io::Error::last_os_error());
                }
            }
        }
        Ok(())
    };
    // SAFETY: the closure makes only system calls that are allowed between fork and exec.
    unsafe { command.pre_exec(restrict) };
}
