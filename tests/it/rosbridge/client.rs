//! The clients as processes that execute commands: a line of JSON for each, and a line with its result.

use serde_json::{Value, json};

use crate::service_calls::Caller;
use crate::support::{JsonProgram, Python, node_packages, node_with};

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
    program: JsonProgram,
}

impl Client {
    /// Starts a client of the server at this port. Without its packages the test is skipped.
    #[track_caller]
    pub(super) fn start(kind: Kind, port: u16) -> Option<Self> {
        let mut command = match kind {
            Kind::Python => Python::with("roslibpy")?.script("rosbridge/client.py"),
            Kind::Node => node_with("roslib", "rosbridge/client.mjs")?,
        };
        match kind {
            Kind::Python => command.args(["127.0.0.1", &port.to_string()]),
            Kind::Node => command.arg(format!("ws://127.0.0.1:{port}")).arg(node_packages()),
        };
        let client = Client { kind, program: JsonProgram::start(command) };
        assert!(client.next_line()["ready"].is_string());
        Some(client)
    }

    /// Starts the server of `server.py`.
    #[track_caller]
    pub(super) fn server(port: u16) -> Option<Self> {
        let mut command = Python::with("websockets.sync.server")?.script("rosbridge/server.py");
        command.arg(port.to_string());
        let server = Client { kind: Kind::Python, program: JsonProgram::start(command) };
        assert_eq!(server.next_line()["event"], "listening");
        Some(server)
    }

    /// Executes a command and returns its result.
    #[track_caller]
    pub(super) fn command(&self, name: &str, arguments: Value) -> Value {
        self.program.command(name, arguments)
    }

    #[track_caller]
    pub(super) fn send_line(&self, line: &Value) {
        self.program.send_line(line);
    }

    /// Returns the next line of the program.
    #[track_caller]
    pub(super) fn next_line(&self) -> Value {
        self.program.next_line()
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
