//! The clients as processes that execute commands: a line of JSON for each, and a line with its result.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::service_calls::Caller;
use crate::support::{Python, host, missing, root};

/// Which client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `client.py`, with roslibpy.
    Python,
    /// `client.mjs`, with roslib.
    Node,
}

/// A running client or server, killed at the end of its scope.
pub(super) struct Client {
    kind: Kind,
    child: RefCell<Child>,
    pipes: RefCell<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Client {
    /// Starts a client of the server at this port. Without its packages the test is skipped.
    #[track_caller]
    pub(super) fn start(kind: Kind, port: u16) -> Option<Self> {
        let mut command = match kind {
            Kind::Python => Python::with("roslibpy")?.script("rosbridge/client.py"),
            Kind::Node => node()?,
        };
        match kind {
            Kind::Python => command.args(["127.0.0.1", &port.to_string()]),
            Kind::Node => command.args([format!("ws://127.0.0.1:{port}"), packages()]),
        };
        let client = Client::spawn(kind, command);
        assert!(client.next_line()["ready"].is_string());
        Some(client)
    }

    /// Starts the server of `server.py`.
    #[track_caller]
    pub(super) fn server(port: u16) -> Option<Self> {
        let mut command = Python::with("websockets.sync.server")?.script("rosbridge/server.py");
        command.arg(port.to_string());
        let server = Client::spawn(Kind::Python, command);
        assert_eq!(server.next_line()["event"], "listening");
        Some(server)
    }

    fn spawn(kind: Kind, mut command: Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Client { kind, child: RefCell::new(child), pipes: RefCell::new((input, output)) }
    }

    /// Executes a command and returns its result.
    #[track_caller]
    pub(super) fn command(&self, name: &str, mut arguments: Value) -> Value {
        arguments["do"] = json!(name);
        self.send_line(&arguments);
        self.next_line()
    }

    #[track_caller]
    pub(super) fn send_line(&self, line: &Value) {
        let written = writeln!(self.pipes.borrow_mut().0, "{line}");
        written.unwrap_or_else(|error| panic!("the program does not read its input: {error}"));
    }

    /// Returns the next line of the program.
    #[track_caller]
    pub(super) fn next_line(&self) -> Value {
        let mut line = String::new();
        self.pipes.borrow_mut().1.read_line(&mut line).expect("a line of text");
        if line.is_empty() {
            panic!("the program ended: {:?}", self.child.borrow_mut().wait());
        }
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Returns the next line that fulfils a condition.
    #[track_caller]
    pub(super) fn line_with(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.next_line();
            if is_it(&line) {
                return line;
            }
        }
    }

    /// Calls a service that must succeed.
    #[track_caller]
    pub(super) fn ok(&self, service: &str, request: &Value) -> Value {
        let response = Caller::call(self, service, "x/X", request);
        assert_eq!(response["result"]["result"], 1, "{service}: {response}");
        response
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
            Kind::Python => "roslibpy",
            Kind::Node => "roslib",
        }
    }

    #[track_caller]
    fn call(&self, service: &str, ros_type: &str, request: &Value) -> Value {
        let name = format!("/{service}");
        let result = self.command("call", json!({"service": name, "type": ros_type, "request": request}));
        assert!(result["failure"].is_null(), "{name}: {result}");
        result["values"].clone()
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
    let has_packages = std::path::Path::new(&packages()).join("roslib").is_dir();
    let has_node = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has_packages || !has_node {
        missing(
            "node or its packages are missing; `bash tests/run.sh` installs the packages if node and npm exist",
        );
        return None;
    }
    let mut command = Command::new("node");
    command.arg(root().join("tests/it/rosbridge/client.mjs"));
    Some(command)
}
