//! A client written in Python that takes part in a test: it writes lines of JSON, and it waits for lines from the test.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::Duration;

use serde_json::Value;

use crate::support::{Python, root};

/// Python modules of clients: libzmq, WebSocket, protoc and the runtime of protobuf.
const MODULES: &str = "zmq, websockets.sync.client, protoc, google.protobuf.message_factory";
/// Timeout for the next line of a client, which is never reached in practice, also on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Returns Python with the modules of clients; without it the test is skipped.
#[track_caller]
pub(crate) fn python() -> Option<Python> {
    Python::with(MODULES)
}

/// The folder of the bridge's messages.
pub(crate) fn proto() -> String {
    root().join("bridges/cloisim/proto").display().to_string()
}

/// A running client, killed at the end of its scope.
pub(crate) struct Peer {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Peer {
    /// Starts a script of this folder.
    #[track_caller]
    pub(crate) fn start(python: &Python, script: &str, arguments: &[&str]) -> Self {
        let mut command = python.script(&Path::new("cloisim_peers").join(script).display().to_string());
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the client starts");
        let (sender, lines) = channel();
        forward(child.stdout.take().expect("piped"), sender.clone());
        forward(child.stderr.take().expect("piped"), sender);
        let input = child.stdin.take().expect("piped");
        Peer { child, input, lines, seen: Vec::new() }
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the next line of the client; `None` after its end.
    #[track_caller]
    pub(crate) fn next(&mut self) -> Option<Value> {
        loop {
            match self.lines.recv_timeout(TIMEOUT) {
                Ok(line) => match serde_json::from_str(&line) {
                    Ok(received) => return Some(received),
                    Err(_) => self.seen.push(line),
                },
                Err(RecvTimeoutError::Timeout) => {
                    panic!("the client wrote nothing for {TIMEOUT:?}: {:?}", self.seen)
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // Both its outputs are closed: it has ended or is about to end.
        let status = self.child.wait().expect("our child");
        assert!(status.success() && self.seen.is_empty(), "the client: {status}\n{}", self.seen.join("\n"));
        None
    }

    /// Returns the next line of the client.
    #[track_caller]
    pub(crate) fn receive(&mut self) -> Value {
        self.next().expect("a line before the client ends")
    }

    /// Sends it a line.
    #[track_caller]
    pub(crate) fn send_line(&mut self, line: &str) {
        let written = self.input.write_all(format!("{line}\n").as_bytes());
        if written.and_then(|()| self.input.flush()).is_err() {
            let last = self.next();
            panic!("the client does not read its input; its last line was {last:?}");
        }
    }

    /// Sends it a signal.
    #[expect(unsafe_code, reason = "std sends no signals")]
    pub(crate) fn signal(&self, signal: i32) {
        let id = libc::pid_t::try_from(self.id()).expect("ids of processes are small");
        // SAFETY: kill touches no memory of ours; the id is that of a child that was not collected yet.
        assert_eq!(unsafe { libc::kill(id, signal) }, 0, "signal {signal}");
    }

    /// Waits for its successful end and returns its last line.
    #[track_caller]
    pub(crate) fn finish(mut self) -> Value {
        let mut last = Value::Null;
        while let Some(received) = self.next() {
            last = received;
        }
        last
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Both calls fail if it has ended and was collected already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Forwards a stream line by line.
fn forward(from: impl Read + Send + 'static, to: Sender<String>) {
    let body = move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if to.send(line).is_err() {
                return;
            }
        }
    };
    Builder::new().spawn(body).expect("a thread");
}
