//! The clients as processes that execute commands: a line of JSON for each, and a line with its result.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::service_calls::Caller;
use crate::support::{Python, eventually, host, missing, root};

/// Which client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `client.py`.
    Python,
    /// `client.mjs`.
    Node,
}

/// Python modules of `client.py`.
const MODULES: &str = "websockets.sync.client, rosbags.typesys, google.protobuf.message_factory, numpy";

/// A running client, killed at the end of its scope.
pub(super) struct Client {
    kind: Kind,
    child: RefCell<Child>,
    pipes: RefCell<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Client {
    /// Starts a client of the server at this address. Without its packages the test is skipped.
    #[track_caller]
    pub(super) fn start(kind: Kind, address: &str) -> Option<Self> {
        let mut command = match kind {
            Kind::Python => Python::with(MODULES)?.script("foxglove/client.py"),
            Kind::Node => node()?,
        };
        command.arg(address);
        if kind == Kind::Node {
            command.arg(packages());
        }
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the client starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let client = Client { kind, child: RefCell::new(child), pipes: RefCell::new((input, output)) };
        let ready = client.next_line();
        let subprotocol = match kind {
            Kind::Python => "foxglove.sdk.v1",
            Kind::Node => "foxglove.websocket.v1",
        };
        assert_eq!(ready["ready"], subprotocol, "{ready}");
        Some(client)
    }

    /// Executes a command and returns its result.
    #[track_caller]
    pub(super) fn command(&self, name: &str, mut arguments: Value) -> Value {
        arguments["do"] = json!(name);
        let written = writeln!(self.pipes.borrow_mut().0, "{arguments}");
        written.unwrap_or_else(|error| panic!("the client does not read its input: {error}"));
        self.next_line()
    }

    /// The state of the client: what it has received.
    #[track_caller]
    pub(super) fn state(&self) -> Value {
        self.command("state", json!({}))
    }

    /// Subscribes to topics for a time.
    #[track_caller]
    pub(super) fn collect(&self, topics: &[&str], seconds: f64) -> Value {
        self.command("collect", json!({"topics": topics, "seconds": seconds}))
    }

    /// Waits for a status with this text, and returns it.
    #[track_caller]
    pub(super) fn status(&self, contains: &str) -> Value {
        self.command("status", json!({"contains": contains}))
    }

    /// Calls a service that must succeed.
    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "callers pass literal requests")]
    pub(super) fn ok(&self, service: &str, request: Value) -> Value {
        let response = Caller::call(self, service, "", &request);
        assert_eq!(response["result"]["result"], 1, "{service}: {response}");
        response
    }

    #[track_caller]
    fn next_line(&self) -> Value {
        let mut line = String::new();
        self.pipes.borrow_mut().1.read_line(&mut line).expect("a line of text");
        if line.is_empty() {
            panic!("the client ended: {:?}", self.child.borrow_mut().wait());
        }
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let child = self.child.get_mut();
        // Both fail if it has ended and was waited for already.
        drop(child.kill());
        drop(child.wait());
    }
}

impl Caller for Client {
    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Python => "present",
            Kind::Node => "older",
        }
    }

    #[track_caller]
    fn call(&self, service: &str, ros_type: &str, request: &Value) -> Value {
        let name = format!("/{service}");
        if !ros_type.is_empty() {
            // The first messages of a connection may still be on the way.
            eventually(&name, || self.state()["services"][&name] == ros_type);
        }
        self.command("call", json!({"service": name, "request": request}))
    }
}

/// The folder into which `tests/run.sh` installs the packages of npm.
fn packages() -> String {
    let build = host().parent().expect("the folder of the build").to_owned();
    build.parent().expect("target/debug is in target").join("node/node_modules").display().to_string()
}

/// Returns the command of `client.mjs`.
#[track_caller]
fn node() -> Option<Command> {
    let has_packages = std::path::Path::new(&packages()).join("@foxglove/ws-protocol").is_dir();
    let has_node = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has_packages || !has_node {
        missing(
            "node or its packages are missing; `bash tests/run.sh` installs the packages if node and npm exist",
        );
        return None;
    }
    let mut command = Command::new("node");
    command.arg(root().join("tests/it/foxglove/client.mjs"));
    Some(command)
}
