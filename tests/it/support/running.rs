//! A running host: its output as it arrives, signals to it, and a watchdog that ends it after the deadline.

use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

use tempfile::TempDir;

use super::Finished;

/// The stream of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Out,
    Err,
}

/// A process that is killed if its test fails.
struct Guarded(Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        // Both fail if it has ended and was waited for already.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Most lines of a host that a failed test shows.
const MAX_SHOWN: usize = 300;

/// The output of a host, which is shown if its test fails.
struct Output {
    lines: Receiver<(Stream, String)>,
    /// The lines that were read so far.
    seen: Vec<(Stream, String)>,
}

impl Drop for Output {
    #[expect(clippy::print_stderr, reason = "the test program shows it with the failure")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.seen.extend(self.lines.try_iter());
            let first = self.seen.len().saturating_sub(MAX_SHOWN);
            eprintln!("the end of the host's output:\n{}", transcript(&self.seen[first..]));
        }
    }
}

/// A running host.
pub(crate) struct Running {
    output: Output,
    child: Guarded,
    watchdog: JoinHandle<bool>,
    /// Dropped to stop the watchdog.
    cancel: Sender<()>,
    deadline: Duration,
    folder: TempDir,
}

impl Running {
    pub(super) fn new(mut command: Command, deadline: Duration, folder: TempDir) -> Self {
        let mut child = command.spawn().expect("the host starts");
        let (sender, lines) = channel();
        forward(Stream::Out, child.stdout.take().expect("piped"), sender.clone());
        forward(Stream::Err, child.stderr.take().expect("piped"), sender);
        let (cancel, cancelled) = channel();
        let watchdog = watch(child.id(), cancelled, deadline);
        let output = Output { lines, seen: Vec::new() };
        Running { output, child: Guarded(child), watchdog, cancel, deadline, folder }
    }

    /// Waits for a line that contains `text`, and returns it.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        while let Ok(line) = self.output.lines.recv_timeout(self.deadline) {
            let found = line.1.contains(text).then(|| line.1.clone());
            self.output.seen.push(line);
            if let Some(found) = found {
                return found;
            }
        }
        panic!("the host ended without a line with `{text}`");
    }

    /// A file or folder of this run.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The first line that was read.
    pub(crate) fn first_line(&self) -> &str {
        self.output.seen.first().map_or("", |(_, line)| line)
    }

    /// The id of the process of the host: of a run, the child of the process that was started, which supervises it.
    #[track_caller]
    pub(crate) fn id(&self) -> u32 {
        let id = self.child.0.id();
        let path = format!("/proc/{id}/task/{id}/children");
        let children = fs::read_to_string(path).expect("a process of ours");
        children.split_whitespace().next().map_or(id, |child| child.parse().expect("a number"))
    }

    /// Sends a signal, such as `libc::SIGINT`.
    pub(crate) fn signal(&self, signal: i32) {
        kill(self.child.0.id(), signal);
    }

    /// Suspends the processes of the run for some time, as a terminal suspends all of a command.
    #[track_caller]
    pub(crate) fn suspend(&self, time: Duration) {
        let processes = [self.child.0.id(), self.id()];
        for id in processes {
            kill(id, libc::SIGSTOP);
        }
        // Wall time: the time for which the processes are suspended.
        sleep(time);
        for id in processes {
            kill(id, libc::SIGCONT);
        }
    }

    /// Waits for the end.
    #[track_caller]
    pub(crate) fn finish(mut self) -> Finished {
        // The iterator ends when both outputs are closed, because both senders are dropped then.
        self.output.seen.extend(self.output.lines.iter());
        // The watchdog stops before the process is waited for: until then its id cannot belong to another process.
        drop(self.cancel);
        let was_killed = self.watchdog.join().expect("the watchdog ends");
        let status = self.child.0.wait().expect("the host is our child");
        assert!(!was_killed, "the host was killed after {:?}", self.deadline);
        Finished::new(status, std::mem::take(&mut self.output.seen), self.folder)
    }
}

/// Forwards a stream, line by line.
fn forward(stream: Stream, from: impl Read + Send + 'static, to: Sender<(Stream, String)>) {
    let body = move || {
        for line in BufReader::new(from).split(b'\n').map_while(Result::ok) {
            if to.send((stream, String::from_utf8_lossy(&line).into_owned())).is_err() {
                return;
            }
        }
    };
    Builder::new().spawn(body).expect("a thread");
}

/// Kills the process after the deadline; the thread returns true if it did.
fn watch(id: u32, cancelled: Receiver<()>, deadline: Duration) -> JoinHandle<bool> {
    let body = move || {
        // Wall time: the deadline of a run.
        let is_late = cancelled.recv_timeout(deadline) == Err(RecvTimeoutError::Timeout);
        if is_late {
            kill(id, libc::SIGKILL);
        }
        is_late
    };
    Builder::new().spawn(body).expect("a thread")
}

#[expect(unsafe_code, reason = "std cannot send signals")]
fn kill(id: u32, signal: i32) {
    let id = libc::pid_t::try_from(id).expect("ids of processes are small");
    // SAFETY: kill does not access our memory; the id is that of a child that was not waited for yet.
    let outcome = unsafe { libc::kill(id, signal) };
    assert_eq!(outcome, 0, "signal {signal} to our child {id}");
}

/// All output, each line marked with its stream.
pub(super) fn transcript(lines: &[(Stream, String)]) -> String {
    lines
        .iter()
        .map(|(stream, line)| format!("{}{line}\n", if *stream == Stream::Out { "  | " } else { "  ! " }))
        .collect()
}
