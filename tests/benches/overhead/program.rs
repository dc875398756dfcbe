//! The program as a separate process.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

use crate::{Outcome, locate};

/// A running program, killed when it goes out of scope.
pub(crate) struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // Both fail if it has ended.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Program {
    /// Starts the program with these arguments. It finds only the plugins beside it and in the folders of
    /// `--plugin-path`.
    pub(crate) fn start(
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
        folder: &Path,
    ) -> Outcome<Self> {
        let child = Command::new(locate::target()?.join("bridgehead"))
            .args(arguments)
            .env_remove("BRIDGEHEAD_PLUGIN_PATH")
            .env("XDG_DATA_HOME", folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        Ok(Program(child))
    }

    /// Its stderr; available once.
    pub(crate) fn stderr(&mut self) -> Outcome<ChildStderr> {
        Ok(self.0.stderr.take().ok_or("its stderr was taken before")?)
    }

    /// Id of the process, and of its first thread, which is the simulation thread.
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Processor time of all its threads, including terminated ones.
    #[expect(unsafe_code, reason = "std has no function for it")]
    pub(crate) fn cpu(&self) -> Outcome<Duration> {
        let mut clock = 0;
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: both pointers are valid for the call; the id is that of a child that was not waited for yet.
        let is_read = unsafe {
            libc::clock_getcpuclockid(libc::pid_t::try_from(self.id())?, &raw mut clock) == 0
                && libc::clock_gettime(clock, &raw mut time) == 0
        };
        if !is_read {
            return Err("the processor time of the program cannot be read".into());
        }
        Ok(Duration::new(u64::try_from(time.tv_sec)?, u32::try_from(time.tv_nsec)?))
    }

    /// Sends a signal.
    #[expect(unsafe_code, reason = "std cannot send signals")]
    pub(crate) fn signal(&self, signal: i32) -> Outcome {
        let id = libc::pid_t::try_from(self.id())?;
        // SAFETY: kill does not access our memory; the id is that of a child that was not waited for yet.
        match unsafe { libc::kill(id, signal) } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error().into()),
        }
    }
}
